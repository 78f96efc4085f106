//! Parquet files with lists and episodes, as LeRobot data sets have them.
use parquet::data_type::{DoubleType, FloatType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use stiction_data::DataError;
use stiction_data::log::{ColumnSelection, ContentError, DataFile, ReadOptions};

/// Three episodes of four rows, in two groups of rows: a state of two numbers, 10 k and 10 k + 1, and lists of other lengths: two
/// numbers, none, an empty list, a number and a null.
fn file() -> Vec<u8> {
    let schema = "message schema {
        optional group observation.state (LIST) { repeated group list { optional float element; } }
        optional group ragged (LIST) { repeated group list { optional double element; } }
        required double timestamp;
        required int64 episode_index;
    }";
    let schema = Arc::new(parse_message_type(schema).expect("a schema"));
    let mut out = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut out, schema, Arc::new(WriterProperties::new())).expect("a writer");
    for rows in [0..7_i32, 7..12] {
        let mut group = writer.next_row_group().expect("a group");
        let mut column = group.next_column().expect("a column").expect("a column");
        let states: Vec<f32> = rows.clone().flat_map(|k| [10.0 * k as f32, 10.0 * k as f32 + 1.0]).collect();
        let (levels, again) = (vec![3; states.len()], [0, 1].repeat(states.len() / 2));
        column.typed::<FloatType>().write_batch(&states, Some(&levels), Some(&again)).expect("written");
        column.close().expect("closed");
        let mut column = group.next_column().expect("a column").expect("a column");
        let (mut values, mut levels, mut again) = (Vec::new(), Vec::new(), Vec::new());
        for k in rows.clone() {
            let (own, level): (&[f64], &[i16]) = match k % 4 {
                0 => (&[1.0, 2.0], &[3, 3]),
                1 => (&[], &[0]),
                2 => (&[], &[1]),
                _ => (&[7.0], &[3, 2]),
            };
            values.extend_from_slice(own);
            levels.extend_from_slice(level);
            again.extend(&[0, 1][..level.len()]);
        }
        column.typed::<DoubleType>().write_batch(&values, Some(&levels), Some(&again)).expect("written");
        column.close().expect("closed");
        let mut column = group.next_column().expect("a column").expect("a column");
        let times: Vec<f64> = rows.clone().map(|k| f64::from(k % 4) / 4.0).collect();
        column.typed::<DoubleType>().write_batch(&times, None, None).expect("written");
        column.close().expect("closed");
        let mut column = group.next_column().expect("a column").expect("a column");
        let episodes: Vec<i64> = rows.map(|k| i64::from(k / 4)).collect();
        column.typed::<Int64Type>().write_batch(&episodes, None, None).expect("written");
        column.close().expect("closed");
        group.close().expect("closed");
    }
    writer.close().expect("closed");
    out
}

fn episode(number: u64) -> ReadOptions {
    ReadOptions { episode: Some(number), ..ReadOptions::default() }
}

fn columns(table: &DataFile) -> Vec<(String, Vec<f64>)> {
    let record = ColumnSelection::all(table).read().expect("a record");
    record.columns.into_iter().map(|column| (column.name, column.values)).collect()
}

fn content(error: DataError) -> ContentError {
    let DataError::Content { error, .. } = error else { panic!("{error}") };
    *error
}

#[test]
fn elements_of_lists_are_columns() {
    let bytes = file();
    let table = DataFile::from_bytes("file", &bytes, &ReadOptions::default()).expect("a table");
    let found = columns(&table);
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    let wanted = ["observation.state.1", "observation.state.2", "ragged.1", "ragged.2", "timestamp", "episode_index"];
    assert_eq!(names, wanted);
    assert_eq!(found[1].1, (0..12).map(|k| 10.0 * f64::from(k) + 1.0).collect::<Vec<_>>());
    // missing elements are NaN
    let ragged: Vec<[String; 2]> =
        found[2].1.iter().zip(&found[3].1).map(|(a, b)| [a.to_string(), b.to_string()]).collect();
    for (k, pair) in ragged.iter().enumerate() {
        assert_eq!(*pair, [["1", "2"], ["NaN", "NaN"], ["NaN", "NaN"], ["7", "NaN"]][k % 4], "row {k}");
    }
}

#[test]
fn rows_of_an_episode() {
    let bytes = file();
    let table = DataFile::from_bytes("file", &bytes, &episode(1)).expect("a table");
    let found = columns(&table);
    assert_eq!(found[0].1, [40.0, 50.0, 60.0, 70.0]);
    assert_eq!(found[4].1, [0.0, 0.25, 0.5, 0.75]);
    assert_eq!(table.fields()[0].rows, Some(4));
    let error = content(DataFile::from_bytes("file", &bytes, &episode(3)).err().expect("no such episode"));
    assert_eq!(error, ContentError::NoEpisode { episode: 3, first: 0.0, last: 2.0 });
    let error = content(DataFile::from_bytes("log.csv", b"t,x\n0,1\n", &episode(3)).err().expect("not Parquet"));
    assert!(matches!(error, ContentError::OptionWithoutEffect { .. }), "{error}");
}

/// The layout of a LeRobot data set: names of joints are in `meta/info.json`.
#[test]
fn names_of_a_data_set() {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lerobot");
    fs::create_dir_all(root.join("data/chunk-000")).expect("a folder");
    fs::create_dir_all(root.join("meta")).expect("a folder");
    let (data, info) = (root.join("data/chunk-000/episode_000000.parquet"), root.join("meta/info.json"));
    fs::write(&data, file()).expect("written");
    let names = |text: &str| {
        fs::write(&info, text).expect("written");
        let table = DataFile::open(&data, &ReadOptions::default())?;
        Ok::<_, DataError>(table.fields()[1].name.clone())
    };
    let listed = r#"{"features": {"observation.state": {"shape": [2], "names": ["pan.pos", "lift.pos"]}}}"#;
    assert_eq!(names(listed).expect("a table"), "observation.state.lift.pos");
    let under = r#"{"features": {"observation.state": {"names": {"motors": ["pan", "lift"]}}}}"#;
    assert_eq!(names(under).expect("a table"), "observation.state.lift");
    for unusable in [r#"{"features": {"observation.state": {"names": ["one"]}}}"#, r#"{"features": 3}"#, "[]"] {
        assert_eq!(names(unusable).expect("a table"), "observation.state.2", "{unusable}");
    }
    // what comes from memory or a stream belongs to no data set, whatever it is called
    fs::write(&info, listed).expect("written");
    let table = DataFile::from_bytes(&data.to_string_lossy(), &file(), &ReadOptions::default()).expect("a table");
    assert_eq!(table.fields()[1].name, "observation.state.2");
    let error = names("{").expect_err("not JSON");
    assert!(error.to_string().contains("info.json"), "{error}");
}

/// Every changed byte is refused or read; nothing panics.
#[test]
fn broken_lists_are_refused() {
    let mut bytes = file();
    for at in 0..bytes.len() {
        let flip = 1 << (at % 8);
        bytes[at] ^= flip;
        for options in [ReadOptions::default(), episode(1)] {
            if let Ok(table) = DataFile::from_bytes("file", &bytes, &options) {
                let _ = ColumnSelection::all(&table).read();
            }
        }
        bytes[at] ^= flip;
        assert!(DataFile::from_bytes("file", &bytes[..at], &ReadOptions::default()).is_err(), "{at} bytes");
    }
}
