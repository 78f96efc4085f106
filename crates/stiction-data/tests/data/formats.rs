//! JSON, MATLAB, Parquet and HDF5: what they hold, and what happens when they are broken.
use stiction_data::DataError;
use stiction_data::log::{ColumnSelection, ContentError, DataFile, ReadOptions, Record};

fn open(bytes: &[u8]) -> Result<DataFile, DataError> {
    DataFile::from_bytes("file", bytes, &ReadOptions::default())
}

fn read(bytes: &[u8], columns: &[&str]) -> Result<Record, DataError> {
    let table = open(bytes)?;
    let plan = columns.iter().try_fold(ColumnSelection::new(&table), |plan, column| plan.with("", column, &[]))?;
    plan.read()
}

fn values(bytes: &[u8], columns: &[&str]) -> Vec<Vec<f64>> {
    let record = read(bytes, columns).unwrap_or_else(|error| panic!("{error}"));
    record.columns.into_iter().map(|column| column.values).collect()
}

/// A file with more columns than are read is refused, with the limit in the message.
fn too_many_columns(bytes: &[u8]) {
    let error = open(bytes).err().expect("too many columns");
    let DataError::Content { error: content, .. } = &error else { panic!("{error}") };
    assert_eq!(**content, ContentError::TooManyColumns { limit: 100_000 });
    assert!(error.to_string().contains("100000") && error.hint().contains("100000"), "{error} {}", error.hint());
}

/// Every beginning of a file, and every file with a byte changed, is read or refused; nothing panics.
fn tortured(bytes: &[u8], every: usize) {
    let look = |bytes: &[u8]| {
        if let Ok(table) = open(bytes) {
            let _ = ColumnSelection::all(&table).read();
        }
    };
    for end in (0..bytes.len()).step_by(every) {
        look(&bytes[..end]);
    }
    let mut changed = bytes.to_vec();
    for at in (0..bytes.len()).step_by(every) {
        for flip in [0x01, 0x80, 0xff] {
            changed[at] ^= flip;
            look(&changed);
            changed[at] ^= flip;
        }
    }
}

#[test]
fn json_of_every_shape() {
    let wanted = vec![vec![0.0, 1.0, 2.0], vec![5.0, 6.0, 7.0]];
    let shapes: [(&str, [&str; 2]); 5] = [
        (r#"{"t": [0, 1, 2], "x": [5, 6.0, 7e0]}"#, ["t", "x"]),
        (r#"[{"t": 0, "x": 5}, {"x": 6, "t": 1}, {"t": 2, "x": 7}]"#, ["t", "x"]),
        ("{\"t\": 0, \"p\": {\"x\": 5}}\n{\"t\": 1, \"p\": {\"x\": 6}}\n{\"t\": 2, \"p\": {\"x\": 7}}\n", ["t", "p.x"]),
        ("[[0, 5], [1, 6], [2, 7]]", ["1", "2"]),
        (
            r#"{"m": 2, "case": {"none": [], "truth": {"t": [0, 1, 2], "x": [5, 6, 7]}}}"#,
            ["case.truth.t", "case.truth.x"],
        ),
    ];
    for (text, columns) in shapes {
        assert_eq!(values(text.as_bytes(), &columns), wanted, "{text}");
        tortured(text.as_bytes(), 1);
    }
}

#[test]
fn json_with_too_many_columns() {
    let row = |count: usize| format!("[[{}]]", vec!["1"; count].join(","));
    assert_eq!(open(row(100_000).as_bytes()).expect("a table").fields().len(), 100_000);
    too_many_columns(row(100_001).as_bytes());
}

#[test]
fn json_constants_and_missing_values() {
    let text = r#"{"mass": 0.5, "motor": "xl", "log": [{"q": 2, "on": true}, {"q": null}, {"q": 4, "on": false}]}"#;
    let got = values(text.as_bytes(), &["mass*log.q", "log.on"]);
    assert!(got[0][0] == 1.0 && got[0][1].is_nan() && got[0][2] == 2.0);
    assert!(got[1][0] == 1.0 && got[1][1].is_nan() && got[1][2] == 0.0);
    let lengths = read(br#"{"a": [1, 2, 3], "b": [1, 2]}"#, &["a", "b"]).expect_err("lengths");
    assert!(lengths.to_string().contains("'a' has 3 rows, 'b' has 2"), "{lengths}");
    let deep = format!("{}1{}", "[".repeat(5000), "]".repeat(5000));
    let broken = open(deep.as_bytes()).err().expect("too deep");
    assert!(broken.to_string().contains("deeper"), "{broken}");
    let cut = open(br#"{"a": [1, 2"#).err().expect("cut");
    assert!(
        matches!(&cut, DataError::Content { error, .. } if matches!(**error, ContentError::Truncated { .. })),
        "{cut}"
    );
    let word = read(br#"{"a": [1, "x"]}"#, &["a"]).expect_err("a word");
    assert!(word.to_string().contains("row 2, column 'a': 'x'"), "{word}");
}

#[cfg(feature = "mat")]
mod mat {
    use super::{ContentError, DataError, open, tortured, values};
    use flate2::{Compression, write::ZlibEncoder};
    use std::io::Write;

    fn element(kind: u32, bytes: &[u8]) -> Vec<u8> {
        let mut out = [kind.to_le_bytes(), (bytes.len() as u32).to_le_bytes()].concat();
        out.extend_from_slice(bytes);
        out.resize(out.len().next_multiple_of(8), 0);
        out
    }
    fn ints(values: &[i32]) -> Vec<u8> {
        element(5, &values.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>())
    }
    fn head(class: u32, dims: &[i32], name: &str) -> Vec<u8> {
        let flags = element(6, &[class.to_le_bytes(), [0; 4]].concat());
        [flags, ints(dims), element(1, name.as_bytes())].concat()
    }
    fn doubles(name: &str, dims: &[i32], values: &[f64]) -> Vec<u8> {
        let bytes: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
        element(14, &[head(6, dims, name), element(9, &bytes)].concat())
    }
    fn shorts(name: &str, values: &[i16]) -> Vec<u8> {
        let bytes: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
        element(14, &[head(10, &[values.len() as i32, 1], name), element(3, &bytes)].concat())
    }
    fn structure(name: &str, fields: &[(&str, Vec<u8>)]) -> Vec<u8> {
        // a short element: its length in the upper half of its type
        let width = [(4_u32 << 16 | 5).to_le_bytes(), 8_u32.to_le_bytes()].concat();
        let names: Vec<u8> = fields.iter().flat_map(|(name, _)| format!("{name:\0<8}").into_bytes()).collect();
        let values: Vec<u8> = fields.iter().flat_map(|(_, value)| value.clone()).collect();
        element(14, &[head(2, &[1, 1], name), width, element(1, &names), values].concat())
    }
    fn packed(array: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(array).expect("memory");
        let bytes = encoder.finish().expect("memory");
        [&15_u32.to_le_bytes(), &(bytes.len() as u32).to_le_bytes(), &bytes[..]].concat()
    }
    fn file(pack: bool) -> Vec<u8> {
        let mut out = format!("{:124}", "MATLAB 5.0 MAT-file").into_bytes();
        out.extend_from_slice(&[0, 1, b'I', b'M']);
        let x = [1.5, -2.0, 3.25];
        let arrays = [
            doubles("t", &[1, 3], &[0.0, 0.1, 0.2]),
            doubles("gain", &[1, 1], &[35.15]),
            // three rows of two, column by column, and the same lying down
            doubles("m", &[3, 2], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
            doubles("w", &[2, 3], &[1.0, 4.0, 2.0, 5.0, 3.0, 6.0]),
            structure("run", &[("force", doubles("", &[3, 1], &x)), ("count", shorts("", &[7, -8, 9]))]),
            doubles("nothing", &[0, 0], &[]),
        ];
        for array in arrays {
            out.extend(if pack { packed(&array) } else { array });
        }
        out
    }

    #[test]
    fn arrays_matrices_and_structures() {
        for pack in [false, true] {
            let got = values(&file(pack), &["t", "m.2", "w.2", "run.force", "run.count", "gain*t"]);
            let four = [4.0, 5.0, 6.0];
            assert_eq!(got[..2], [vec![0.0, 0.1, 0.2], four.to_vec()]);
            assert_eq!(got[2..5], [four.to_vec(), vec![1.5, -2.0, 3.25], vec![7.0, -8.0, 9.0]]);
            assert_eq!(got[5], [0.0, 35.15 * 0.1, 35.15 * 0.2]);
        }
    }

    /// Square matrices of bytes with 100 columns each.
    #[test]
    fn too_many_columns_are_refused() {
        let matrix =
            |k: usize| element(14, &[head(9, &[100, 100], &format!("m{k}")), element(2, &[0; 10_000])].concat());
        let mut whole = format!("{:124}", "MATLAB 5.0 MAT-file").into_bytes();
        whole.extend_from_slice(&[0, 1, b'I', b'M']);
        whole.extend((0..1000).flat_map(matrix));
        assert_eq!(open(&whole).expect("a file").fields().len(), 100_000);
        whole.extend(doubles("t", &[1, 2], &[0.0, 0.1]));
        super::too_many_columns(&whole);
    }

    #[test]
    fn broken_files_are_refused() {
        for pack in [false, true] {
            let whole = file(pack);
            tortured(&whole, 1);
            let cut = open(&whole[..whole.len() - 30]).err().expect("cut");
            assert!(
                matches!(&cut, DataError::Content { error, .. } if matches!(**error, ContentError::Truncated { .. })),
                "{cut}"
            );
        }
        // a size that its bytes do not have
        let mut lie = format!("{:124}", "MATLAB 5.0 MAT-file").into_bytes();
        lie.extend_from_slice(&[0, 1, b'I', b'M']);
        lie.extend(doubles("t", &[i32::MAX, i32::MAX], &[0.0]));
        assert!(open(&lie).err().expect("a lie").to_string().contains("not as long"));
    }
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_of_our_own_reads_back() {
    use stiction_data::table::{ColumnHeaders, parquet::Writer};
    let headers = ColumnHeaders::from([("t", "s"), ("slider.x", "m")]);
    let mut table = Writer::new(Vec::new(), &headers).expect("a table");
    let rows: Vec<[f64; 2]> = (0..10_000).map(|k| [f64::from(k) * 1e-3, (f64::from(k) * 0.1).sin()]).collect();
    rows.iter().for_each(|row| table.row(row).expect("a row"));
    let bytes = table.finish().expect("a file");
    let record = read(&bytes, &["t", "slider.x"]).expect("a record");
    assert_eq!(record.columns[1].unit.as_deref(), Some("m"));
    for (column, k) in record.columns.iter().zip(0..) {
        assert!(column.values.iter().zip(&rows).all(|(x, row)| x.to_bits() == row[k].to_bits()));
        assert_eq!(column.values.len(), rows.len());
    }
    let small = {
        let mut table = Writer::new(Vec::new(), &headers).expect("a table");
        (0..5).for_each(|k| table.row(&[f64::from(k), 1.0]).expect("a row"));
        table.finish().expect("a file")
    };
    tortured(&small, 1);
}

/// A Parquet file with one column of integers of this logical or converted type, with a dictionary or plain.
#[cfg(feature = "parquet")]
fn parquet_integers<T: parquet::data_type::DataType>(
    column: parquet::schema::types::Type,
    values: &[T::T],
    dictionary: bool,
) -> Vec<u8> {
    use parquet::file::{properties::WriterProperties, writer::SerializedFileWriter};
    let schema = parquet::schema::types::Type::group_type_builder("table").with_fields(vec![column.into()]).build();
    let properties = WriterProperties::builder().set_dictionary_enabled(dictionary).build();
    let mut file =
        SerializedFileWriter::new(Vec::new(), schema.expect("a schema").into(), properties.into()).expect("");
    let mut group = file.next_row_group().expect("a group");
    let mut column = group.next_column().expect("a group").expect("a column");
    column.typed::<T>().write_batch(values, None, None).expect("values");
    column.close().expect("a column");
    group.close().expect("a group");
    file.into_inner().expect("a file")
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_unsigned_integers_are_not_negative() {
    use parquet::basic::{ConvertedType, LogicalType, Repetition, Type as Physical};
    use parquet::data_type::{Int32Type, Int64Type};
    use parquet::schema::types::Type;
    let column = |physical| Type::primitive_type_builder("n", physical).with_repetition(Repetition::REQUIRED);
    let unsigned = |physical, bits| column(physical).with_logical_type(Some(LogicalType::integer(bits, false)));
    let u32s = unsigned(Physical::INT32, 32).build().expect("a type");
    assert_eq!(values(&parquet_integers::<Int32Type>(u32s, &[1, -1], false), &["n"]), [[1.0, 4_294_967_295.0]]);
    let u64s = unsigned(Physical::INT64, 64).build().expect("a type");
    // the nearest double of 2^64 - 1 is 2^64
    let largest = 2.0_f64.powi(64);
    assert_eq!(values(&parquet_integers::<Int64Type>(u64s, &[1, -1], false), &["n"]), [[1.0, largest]]);
    let old = column(Physical::INT32).with_converted_type(ConvertedType::UINT_32).build().expect("a type");
    assert_eq!(values(&parquet_integers::<Int32Type>(old, &[-2, 7], true), &["n"]), [[4_294_967_294.0, 7.0]]);
    let signed = column(Physical::INT32).build().expect("a type");
    assert_eq!(values(&parquet_integers::<Int32Type>(signed, &[-2, 7], true), &["n"]), [[-2.0, 7.0]]);
}

/// A damaged file makes the decoder of the crate panic; that is caught.
#[cfg(feature = "parquet")]
#[test]
fn parquet_with_a_damaged_dictionary_is_refused() {
    use parquet::basic::{Repetition, Type as Physical};
    let column = parquet::schema::types::Type::primitive_type_builder("n", Physical::INT32)
        .with_repetition(Repetition::REQUIRED)
        .build();
    let numbers: Vec<i32> = (0..40).map(|k| k % 3).collect();
    let bytes = parquet_integers::<parquet::data_type::Int32Type>(column.expect("a type"), &numbers, true);
    tortured(&bytes, 1);
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_without_rows_is_refused() {
    use stiction_data::table::{ColumnHeaders, parquet::Writer};
    let bytes = Writer::new(Vec::new(), &ColumnHeaders::from([("t", "s")])).and_then(Writer::finish).expect("a file");
    assert!(open(&bytes).err().expect("no rows").to_string().contains("no row of numbers"));
}

/// One changed byte of the shape makes an array of 17 GB of a file of some kilobytes, and one that is longer than its data.
#[cfg(feature = "hdf5")]
#[test]
fn hdf5_arrays_larger_than_the_file_are_refused() {
    let mut file = hdf5_pure::FileBuilder::new();
    let x: Vec<f64> = (0..50).map(f64::from).collect();
    file.create_dataset("x").with_f64_data(&x).with_shape(&[50]);
    file.create_dataset("y").with_f64_data(&x).with_shape(&[50]).with_chunks(&[50]).with_deflate(4);
    let bytes = file.finish().expect("a file");
    assert_eq!(values(&bytes, &["x", "y"]), [x.clone(), x]);
    let sides: Vec<usize> =
        bytes.windows(8).enumerate().filter(|(_, side)| **side == 50_u64.to_le_bytes()).map(|(at, _)| at).collect();
    let mut refused = 0;
    for at in sides {
        let mut damaged = bytes.clone();
        damaged[at + 3] = 0x7f;
        // object headers may have a checksum, then the message is another one
        let message = open(&damaged).err().map(|error| error.to_string()).unwrap_or_default();
        refused += usize::from(message.contains("not valid HDF5"));
        damaged[at + 3] = 0;
        damaged[at] = 60;
        if let Ok(table) = open(&damaged) {
            let _ = ColumnSelection::all(&table).read();
        }
    }
    assert!(refused > 0);
    tortured(&bytes, 3);
}

#[cfg(feature = "hdf5")]
#[test]
fn hdf5_columns_and_constants() {
    let mut file = hdf5_pure::FileBuilder::new();
    let x: Vec<f64> = (0..50).map(f64::from).collect();
    // as MATLAB writes a column of 50: its sides in reverse
    file.create_dataset("x").with_f64_data(&x).with_shape(&[1, 50]);
    file.create_dataset("gain").with_f64_data(&[2.5]).with_shape(&[1, 1]);
    let mut group = file.create_group("run");
    group.create_dataset("f").with_f64_data(&x).with_shape(&[50]);
    file.add_group(group.finish());
    let bytes = file.finish().expect("a file");
    let got = values(&bytes, &["x", "gain*run.f"]);
    assert_eq!(got[0], x);
    assert!(got[1].iter().zip(&x).all(|(got, x)| *got == 2.5 * x));
    tortured(&bytes, 7);
}

/// Square matrices of bytes with 100 columns each.
#[cfg(feature = "hdf5")]
#[test]
fn hdf5_with_too_many_columns() {
    let file = |extra: bool| {
        let mut file = hdf5_pure::FileBuilder::new();
        for k in 0..1000 {
            file.create_dataset(&format!("m{k}")).with_u8_data(&[0; 10_000]).with_shape(&[100, 100]);
        }
        if extra {
            file.create_dataset("t").with_f64_data(&[0.0, 0.1]).with_shape(&[2]);
        }
        file.finish().expect("a file")
    };
    assert_eq!(open(&file(false)).expect("a file").fields().len(), 100_000);
    too_many_columns(&file(true));
}

/// MATLAB 7.3 puts 512 bytes before the HDF5 file: text, version and byte order at byte 124, then zeros.
#[cfg(feature = "hdf5")]
#[test]
fn matlab_7_3_has_a_header_before_hdf5() {
    let mut header =
        format!("{:124}", "MATLAB 7.3 MAT-file, Platform: GLNXA64, Created on: Mon Jan  1 00:00:00 2024").into_bytes();
    header.extend_from_slice(&[0, 2, b'I', b'M']);
    let mut file = hdf5_pure::FileBuilder::new();
    file.with_userblock(512).with_userblock_content(&header);
    let x: Vec<f64> = (0..50).map(f64::from).collect();
    file.create_dataset("x").with_f64_data(&x).with_shape(&[1, 50]);
    file.create_dataset("gain").with_f64_data(&[2.5]).with_shape(&[1, 1]);
    let bytes = file.finish().expect("a file");
    assert_eq!(&bytes[512..516], b"\x89HDF");
    let got = values(&bytes, &["x", "gain*x"]);
    assert_eq!(got[0], x);
    assert!(got[1].iter().zip(&x).all(|(got, x)| *got == 2.5 * x));
    tortured(&bytes, 7);
}
