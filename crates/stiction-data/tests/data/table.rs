//! Tables as they stand in files.
use std::fs;
use std::path::Path;
use stiction_core::Real;
use stiction_data::table::{self, ColumnHeaders, csv};
use stiction_data::{ColumnNameError, DataError};

/// Numbers of every size, and the odd ones.
fn row(k: usize) -> [f64; 3] {
    let u = f64::uniform(7.0, k as f64);
    [k as f64 * 1e-3, (u - 0.5) * 10f64.powi((k % 600) as i32 - 300), if k.is_multiple_of(5) { -0.0 } else { u }]
}

fn headers() -> ColumnHeaders {
    ColumnHeaders::from([("t", "s"), ("slider.x", "m"), ("mode", "")])
}

#[test]
fn csv_reads_back_bit_for_bit() {
    let mut table = csv::Writer::new(Vec::new(), &headers()).unwrap();
    for k in 0..2000 {
        table.row(&row(k)).unwrap();
    }
    let text = String::from_utf8(table.finish().unwrap()).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("t [s],slider.x [m],mode"));
    for k in 0..2000 {
        let read: Vec<f64> = lines.next().unwrap().split(',').map(|x| x.parse().unwrap()).collect();
        assert_eq!(read.iter().map(|x| x.to_bits()).collect::<Vec<_>>(), row(k).map(f64::to_bits), "row {k}");
    }
    assert_eq!(lines.next(), None);
}

#[test]
fn csv_quotes_what_would_break_the_line() {
    let headers = ColumnHeaders::from([("a,b", "m"), ("say \"x\"", ""), ("two\nlines", "1"), ("plain;x", "N·m")]);
    let text = csv::Writer::new(Vec::new(), &headers).unwrap().finish().unwrap();
    let wanted = "\"a,b [m]\",\"say \"\"x\"\"\",\"two\nlines [1]\",plain;x [N·m]\n";
    assert_eq!(String::from_utf8(text).unwrap(), wanted);
}

#[test]
#[should_panic(expected = "values in a row")]
fn a_row_has_as_many_values_as_heads() {
    let _ = csv::Writer::new(Vec::new(), &headers()).unwrap().row(&[1.0]);
}

/// What is written is read, in either format.
#[test]
fn tables_are_read_back() {
    let endings = if cfg!(feature = "parquet") { &["csv", "parquet"][..] } else { &["csv"] };
    for ending in endings {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("read-back.{ending}"));
        table::write(&path, &headers(), |put| (0..2000).try_for_each(|k| put(&row(k)))).unwrap();
        let read = table::read(&path).unwrap();
        assert_eq!(ColumnHeaders(read.headers.clone()), headers());
        for k in 0..2000 {
            let got: Vec<u64> = read.columns.iter().map(|column| column[k].to_bits()).collect();
            assert_eq!(got, row(k).map(f64::to_bits), "{ending} row {k}");
        }
        assert_eq!(read.column("slider.x").unwrap().1, read.column("slider.x [m]").unwrap().1);
        assert!(matches!(read.column("slider.y"), Err(DataError::ColumnName(ColumnNameError::Unknown { .. }))));
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn tables_of_others_are_read() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("others.csv");
    let read = |text: &str| {
        fs::write(&path, text).unwrap();
        table::read(&path)
    };
    let bare = read("\u{feff}# no headers\n1;2\n\n3;4\n").unwrap();
    assert_eq!((bare.column("2").unwrap().1, bare.len()), (&[2.0, 4.0][..], 2));
    assert!(matches!(read("a,b\n1,2\n3\n"), Err(DataError::NotANumber { position, .. }) if position.line == 3));
    assert!(matches!(read("a;b\n1,5;2\n"), Err(DataError::NotANumber { position, .. }) if position.line == 2));
    assert!(matches!(read("a,b\n"), Err(DataError::File(_))));
}

#[cfg(feature = "parquet")]
mod parquet {
    use super::{headers, row};
    use ::parquet::basic::{Encoding, Repetition, Type};
    use ::parquet::file::reader::{FileReader, SerializedFileReader};
    use ::parquet::record::{Field, Row};
    use std::fs::{self, File};
    use std::io::{self, Write};
    use std::path::Path;
    use stiction_data::table::parquet::{GROUP_ROWS, Writer};

    /// The crate reads files only; a thread's test has its own.
    fn read(bytes: Vec<u8>) -> SerializedFileReader<File> {
        let name = std::thread::current().name().unwrap_or_default().replace(':', "-");
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).with_extension("parquet");
        fs::write(&path, bytes).unwrap();
        SerializedFileReader::new(File::open(path).unwrap()).unwrap()
    }

    fn bits(field: &Field) -> u64 {
        if let Field::Double(x) = field { x.to_bits() } else { panic!("{field}") }
    }

    #[test]
    fn reads_back_bit_for_bit_over_groups() {
        let count = 2 * GROUP_ROWS + 5;
        let mut table = Writer::new(Vec::new(), &headers()).unwrap();
        (0..count).for_each(|k| table.row(&row(k)).unwrap());
        let file = read(table.finish().unwrap());
        let groups: Vec<_> = file.metadata().row_groups().iter().map(|g| g.num_rows()).collect();
        assert_eq!(groups, [GROUP_ROWS as i64, GROUP_ROWS as i64, 5]);
        let bits = |row: Row| row.get_column_iter().map(|(_, field)| bits(field)).collect::<Vec<_>>();
        let mut read = 0;
        for (k, found) in file.get_row_iter(None).unwrap().enumerate() {
            assert_eq!(bits(found.unwrap()), row(k).map(f64::to_bits), "row {k}");
            read += 1;
        }
        assert_eq!(read, count);
    }

    #[test]
    fn columns_are_plain_doubles_with_units() {
        let mut table = Writer::new(Vec::new(), &headers()).unwrap();
        table.row(&row(1)).unwrap();
        let file = read(table.finish().unwrap());
        let meta = file.metadata().file_metadata();
        let columns = meta.schema_descr().columns();
        assert_eq!(columns.iter().map(|c| c.name()).collect::<Vec<_>>(), ["t", "slider.x", "mode"]);
        for column in columns {
            assert_eq!(column.physical_type(), Type::DOUBLE);
            assert_eq!(column.self_type().get_basic_info().repetition(), Repetition::REQUIRED);
        }
        let units: Vec<_> =
            meta.key_value_metadata().unwrap().iter().map(|kv| (&*kv.key, kv.value.as_deref())).collect();
        assert_eq!(units, [("unit.t", Some("s")), ("unit.slider.x", Some("m")), ("unit.mode", Some(""))]);
        assert!(
            file.metadata().row_group(0).columns().iter().all(|c| c.encodings().all(|e| e != Encoding::RLE_DICTIONARY))
        );
    }

    #[test]
    fn a_table_without_rows_is_a_table() {
        let file = read(Writer::new(Vec::new(), &headers()).unwrap().finish().unwrap());
        assert_eq!((file.metadata().num_row_groups(), file.metadata().file_metadata().num_rows()), (0, 0));
    }

    /// Takes so many bytes and no more.
    struct Full(usize);

    impl Write for Full {
        fn write(&mut self, data: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(data.len()).ok_or(io::ErrorKind::StorageFull)?;
            Ok(data.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_group_is_written_as_soon_as_it_is_whole() {
        let mut table = Writer::new(Full(100), &headers()).unwrap();
        for k in 0..GROUP_ROWS - 1 {
            table.row(&row(k)).unwrap();
        }
        assert_eq!(table.row(&row(GROUP_ROWS)).unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
}

#[test]
fn the_name_chooses_the_format() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("table");
    fs::create_dir_all(&folder).unwrap();
    let start = |name: &str| {
        let path = folder.join(name);
        table::write(&path, &headers(), |rows| rows(&row(3))).map(|()| fs::read(path).unwrap()[..4].to_vec())
    };
    assert_eq!(start("a.csv").unwrap(), b"t [s");
    if cfg!(feature = "parquet") {
        assert_eq!(start("a.Parquet").unwrap(), b"PAR1");
    } else {
        assert!(start("a.parquet").unwrap_err().to_string().contains("feature 'parquet'"));
    }
    fs::remove_dir_all(&folder).unwrap();
}
