//! Text files as instruments and people write them.
use stiction_data::DataError;
use stiction_data::log::{ColumnSelection, ContentError, DataFile, ReadOptions};

fn open(text: &[u8]) -> Result<DataFile, DataError> {
    DataFile::from_bytes("log", text, &ReadOptions::default())
}

fn problem(error: DataError) -> ContentError {
    match error {
        DataError::Content { error, path } => {
            assert_eq!(path.to_str(), Some("log"));
            *error
        }
        other => panic!("{other}"),
    }
}

/// Names and units, and the values of all columns.
fn all(text: impl AsRef<[u8]>) -> (Vec<String>, Vec<Vec<f64>>) {
    let table = open(text.as_ref()).expect("a table");
    let record = ColumnSelection::all(&table).read().expect("a record");
    let head = |name: &str, unit: &Option<String>| format!("{name}|{}", unit.as_deref().unwrap_or(""));
    record.columns.into_iter().map(|c| (head(&c.name, &c.unit), c.values)).unzip()
}

fn wrong(text: impl AsRef<[u8]>) -> ContentError {
    match open(text.as_ref()) {
        Err(error) => problem(error),
        Ok(table) => problem(ColumnSelection::all(&table).read().expect_err("a bad file")),
    }
}

#[test]
fn every_layout_gives_the_same_table() {
    let files = [
        "t,x\n0,1.5\n0.5,-2e-3\n1,4\n",
        "t;x\r\n0;1,5\r\n0,5;-2e-3\r\n1;4\r\n",
        "t\tx\n0\t1.5\n0.5\t-2e-3\n1\t4",
        "t\tx\n0\t1,5\n0,5\t-2e-3\n1\t4",
        "t x\n0 1.5\n0.5   -2e-3\n  1 4  \n\n\n",
        "t | x\n0 | 1.5\n0.5 | -2e-3\n1 | 4\n",
        "\u{feff}\"t\",\"x\"\n\"0\",\"1.5\"\n0.5,-2e-3\n1,4\n",
        "# made by hand\nt, x\n0, 1.5\n% a remark\n0.5, -2.D-3\n// another\n1, 4\n",
        "Instrument: ACME 3000\nDate: 2026-01-15, 12:00\nSamples, 3, 4, and so on\n\nt,x\n0,1.5\n0.5,-2e-3\n1,4\n",
        "# t x\n0 1.5\n0.5 -2e-3\n1 4\n",
        "t,x,\n0,1.5,\n0.5,-2e-3,\n1,4,\n",
    ];
    for text in files {
        let (headers, values) = all(text);
        assert_eq!(headers, ["t|", "x|"], "{text}");
        assert_eq!(values, [vec![0.0, 0.5, 1.0], vec![1.5, -2e-3, 4.0]], "{text}");
    }
}

/// A column without any value, as the errors of a sweep in which none failed, keeps its name and leaves the others theirs.
#[test]
fn a_last_column_without_values_is_a_column_if_it_has_a_name() {
    for text in ["t,x,error\n0,1.5,\n0.5,-2e-3,\n1,4,\n", "t,x,error\n0,1.5,\n"] {
        let (headers, values) = all(text);
        assert_eq!(headers, ["t|", "x|", "error|"], "{text}");
        assert!(values[1][0] == 1.5 && values[2].iter().all(|value| value.is_nan()), "{values:?}");
    }
}

#[test]
fn units_stand_in_heads_or_below_them() {
    assert_eq!(all("t [s],v (mm/s),F_N,x_ref\n0,1,2,3\n1,2,3,4\n").0, ["t|s", "v|mm/s", "F_N|N", "x_ref|"]);
    assert_eq!(all("Time;Force\ns;N\n0;1\n1;2\n").0, ["Time|s", "Force|N"]);
    assert_eq!(all("Time Force\n[s] [-]\n0 1\n1 2\n").0, ["Time|s", "Force|"]);
    assert_eq!(all("Time [s] Force [N]\n0 1\n1 2\n").0, ["Time|s", "Force|N"]);
    // Latin-1, as older instruments write
    assert_eq!(all(b"t [\xb5s],x\n0,1\n1,2\n").0, ["t|\u{b5}s", "x|"]);
}

#[test]
fn without_a_header_columns_have_numbers() {
    assert_eq!(all("0,1\n1,2\n"), (vec!["c1|".into(), "c2|".into()], vec![vec![0.0, 1.0], vec![1.0, 2.0]]));
    assert_eq!(all("5\n").1, [[5.0]], "one sample");
    let skip = ReadOptions { skip_lines: 2, ..ReadOptions::default() };
    let table = DataFile::from_bytes("log", b"9,9\n8,8\n0,1\n1,2\n", &skip).expect("a table");
    assert_eq!(ColumnSelection::all(&table).read().expect("a record").columns[0].values, [0.0, 1.0]);
}

#[test]
fn missing_cells_are_missing_and_words_are_left_out() {
    let (headers, values) = all("t,run,x\n0,a,\n1,b,NaN\n2,c,3\n");
    assert_eq!(headers, ["t|", "x|"]);
    assert!(values[1][0].is_nan() && values[1][1].is_nan() && values[1][2] == 3.0);
    let table = open(b"t,run\n0,a\n1,b\n").expect("a table");
    let asked = ColumnSelection::new(&table).with("", "run", &[]).expect("a plan").read();
    assert!(matches!(problem(asked.expect_err("words")), ContentError::TextColumn { name, .. } if name == "run"));
}

#[test]
fn only_what_is_asked_for_must_be_numbers() {
    let text = b"t,x,y\n0,1,2\n1,oops,3\n";
    let table = open(text).expect("a table");
    assert_eq!(
        ColumnSelection::new(&table).with("", "y", &[]).expect("a plan").read().expect("y").columns[0].values,
        [2.0, 3.0]
    );
    let wrong = problem(ColumnSelection::all(&open(text).expect("a table")).read().expect_err("a word"));
    assert_eq!(wrong, ContentError::NotANumber { row: 3, line: true, column: "x".into(), text: "oops".into() });
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    assert_eq!(wrong(""), ContentError::Empty);
    assert_eq!(wrong(" \n\n"), ContentError::Empty);
    assert_eq!(wrong("Dear reader,\nthis is a letter.\n"), ContentError::NoNumbers);
    assert_eq!(wrong("t,x\n0,1\n1,2\n2\n3,4\n"), ContentError::CellCount { line: 4, cells: 1, expected: 2 });
    assert_eq!(wrong("t,x\n0,1\n1,2\n2,3,4\n3,4\n"), ContentError::CellCount { line: 4, cells: 3, expected: 2 });
    // the first row is not lost because the second is broken
    assert_eq!(wrong("t,x\n0,1\n2\n3,4\n5,6\n"), ContentError::CellCount { line: 3, cells: 1, expected: 2 });
    assert_eq!(wrong("0,1\n2\n3,4\n5,6\n"), ContentError::CellCount { line: 2, cells: 1, expected: 2 });
    for binary in [&b"\x00\x01\x02\xff\xfe"[..], b"PK\x03\x04...", b"\x1f\x8b\x08", b"\xff\xfet\x00,\x00"] {
        let found = wrong(binary);
        assert!(matches!(found, ContentError::Unsupported { .. }), "{found:?}");
        assert!(!found.hint().is_empty());
    }
    let long = format!("t,x\n0,1\n1,2\n{}\n", "9".repeat(17 << 20));
    assert_eq!(wrong(long), ContentError::LineTooLong { line: 4, max: 1 << 24 });
    let longer = "9".repeat(33 << 20);
    assert!(matches!(wrong(longer), ContentError::LineTooLong { line: 1, .. }));
}

#[test]
fn a_logger_that_lost_power_loses_one_row() {
    let table = open(b"t,x,y\n0,1,2\n1,2,3\n2,5").expect("a table");
    let mut record = stiction_data::log::Record::new("log", table.fields());
    let summary = ColumnSelection::all(&table).stream(&mut record).expect("a record");
    assert_eq!((summary.rows, summary.truncated, record.rows()), (2, true, 2));
    assert_eq!(record.lines, [2, 3]);
}

#[test]
fn a_stream_is_read_once() {
    let table = open(b"t,x\n0,1\n1,2\n").expect("a table");
    assert!(ColumnSelection::all(&table).read().is_ok());
    assert_eq!(problem(ColumnSelection::all(&table).read().expect_err("again")), ContentError::StreamConsumed);
}

#[test]
fn records_give_columns_by_name() {
    let record = ColumnSelection::all(&open(b"t,Force\n0,1\n1,2\n").expect("a table")).read().expect("a record");
    assert_eq!(record.column("force").expect("a column").values, [1.0, 2.0]);
    assert_eq!(record.column("2").expect("a column").values, [1.0, 2.0]);
    let error = record.column("forse").expect_err("no column");
    assert_eq!(error.hint(), "did you mean 'Force'?");
}

#[test]
fn quotes_in_headers_are_read_as_rfc_4180_says() {
    assert_eq!(all("\"a \"\"b\"\" c\",\"x, y [mm]\"\n1,2\n3,4\n").0, ["a \"b\" c|", "x, y|mm"]);
    assert_eq!(all("t, \"x, y\"\n0, \"1\"\n1, 2\n").1, [[0.0, 1.0], [1.0, 2.0]]);
}

/// A name is data and is kept as it is; a message never holds a control character of the file.
#[test]
fn control_characters_of_a_file_are_escaped_in_messages() {
    let text = "t,\u{1b}[31mx\n0,1\n1,\u{1b}]0;title\u{7}\n";
    assert_eq!(all("t,\u{1b}[31mx\n0,1\n1,2\n").0, ["t|", "\u{1b}[31mx|"]);
    let table = open(text.as_bytes()).expect("a table");
    let errors = [
        ColumnSelection::all(&table).read().expect_err("not a number"),
        ColumnSelection::new(&table).with("", "\u{1b}[31mz", &[]).err().expect("unknown"),
        ColumnSelection::new(&table).with("", "y\u{9b}", &[]).err().expect("unknown"),
    ];
    for error in errors {
        let shown = format!("{error}{}", error.hint());
        assert!(!shown.chars().any(|c| c.is_control() && c != '\n'), "{shown:?}");
    }
}

#[test]
fn a_line_break_in_a_quoted_header_is_a_blank() {
    let text = "t [s],\"x\n[mm]\",f [N]\n0,1,2\n1,2,3\n";
    let (names, columns) = all(text);
    assert_eq!(names, ["t|s", "x|mm", "f|N"]);
    assert_eq!(columns[2], [2.0, 3.0]);
    // inch marks are ordinary characters
    assert_eq!(all("d 1/2\",x\n0,1\n1,2\n").0, ["d 1/2\"|", "x|"]);
}
