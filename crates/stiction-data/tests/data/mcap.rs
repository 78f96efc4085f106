//! MCAP files: written by the crate `mcap`, and packed ones by Python's `mcap` and `mcap-ros2-support`.
use mcap::WriteOptions;
use mcap::records::MessageHeader;
use std::collections::BTreeMap;
use std::io::Cursor;
use stiction_data::DataError;
use stiction_data::log::{ColumnSelection, ContentError, DataFile, ReadOptions};

/// A time in nanoseconds since 1970 that a double cannot hold exactly.
const START: u64 = 1_700_000_000_123_456_789;

struct Log(mcap::Writer<Cursor<Vec<u8>>>);

impl Log {
    fn new(chunk_size: Option<u64>) -> Self {
        let options = WriteOptions::new().compression(None).chunk_size(chunk_size).use_chunks(chunk_size.is_some());
        Self(options.create(Cursor::new(Vec::new())).expect("a writer"))
    }
    fn channel(&mut self, topic: &str, encoding: &str, schema: Option<(&str, &str, &str)>) -> u16 {
        let schema =
            schema.map_or(0, |(name, kind, text)| self.0.add_schema(name, kind, text.as_bytes()).expect("a schema"));
        self.0.add_channel(schema, topic, encoding, &BTreeMap::new()).expect("a channel")
    }
    fn write(&mut self, channel_id: u16, after: u64, data: &[u8]) {
        let log_time = START + after;
        let header = MessageHeader { channel_id, sequence: 0, log_time, publish_time: log_time };
        self.0.write_to_known_channel(&header, data).expect("written");
    }
    fn finish(mut self) -> Vec<u8> {
        self.0.finish().expect("finished");
        self.0.into_inner().into_inner()
    }
}

/// Two JSON topics at 100 and 50 Hz, the second a millisecond later, and one that cannot be read.
fn two_topics(chunk_size: Option<u64>) -> Vec<u8> {
    let mut log = Log::new(chunk_size);
    let joint = log.channel("/arm/joint", "json", None);
    let motor = log.channel("/motor", "json", None);
    let other = log.channel("/camera", "protobuf", None);
    for k in 0_u64..6 {
        let text = format!(r#"{{"q": {k}, "v [rad/s]": {}, "names": ["a", "b"], "tau": [{k}.5, -1]}}"#, 2 * k);
        log.write(joint, k * 10_000_000, text.as_bytes());
        if k % 2 == 0 {
            log.write(motor, k * 10_000_000 + 1_000_000, format!(r#"{{"i": {}}}"#, 10 * k).as_bytes());
        }
    }
    log.write(other, 3, b"\x08\x01");
    log.finish()
}

fn open(bytes: &[u8], topic: Option<&str>) -> Result<DataFile, DataError> {
    DataFile::from_bytes("log.mcap", bytes, &ReadOptions { topic: topic.map(str::to_owned), ..ReadOptions::default() })
}

fn read(bytes: &[u8], topic: Option<&str>, columns: &[&str]) -> Result<Vec<Vec<f64>>, DataError> {
    let table = open(bytes, topic)?;
    let plan = columns.iter().try_fold(ColumnSelection::new(&table), |plan, column| plan.with("", column, &[]))?;
    Ok(plan.read()?.columns.into_iter().map(|column| column.values).collect())
}

fn content(error: DataError) -> ContentError {
    let DataError::Content { error, .. } = error else { panic!("{error}") };
    *error
}

/// The file of [`two_topics`] without chunks, in chunks, and in chunks packed by Python.
fn packings() -> [Vec<u8>; 4] {
    let packed = [&include_bytes!("files/two_topics_lz4.mcap")[..], include_bytes!("files/two_topics_zstd.mcap")];
    [two_topics(None), two_topics(Some(100)), packed[0].to_vec(), packed[1].to_vec()]
}

#[test]
fn json_topics_are_tables() {
    for bytes in packings() {
        let table = open(&bytes, None).expect("a table");
        assert_eq!(table.format().to_string(), "MCAP, 2 topics, not read: /camera (protobuf messages)");
        let names: Vec<&str> = table.fields().iter().map(|field| field.name.as_str()).collect();
        let joint = ["arm.joint.log_time", "arm.joint.q", "arm.joint.v", "arm.joint.tau.a", "arm.joint.tau.b"];
        assert_eq!(names, [&joint[..], &["motor.log_time", "motor.i", "camera"]].concat());
        assert_eq!(table.fields()[2].unit.as_deref(), Some("rad/s"));
        assert_eq!(table.constants()[0].name, "log_start");
        // all columns are those of the longest topic
        let all = ColumnSelection::all(&table).read().expect("a record");
        assert_eq!((all.rows(), all.columns.len()), (6, 5));
        // exact times: nanoseconds are subtracted as integers
        assert_eq!(all.columns[0].values, [0.0, 0.01, 0.02, 0.03, 0.04, 0.05]);
        assert_eq!(all.columns[3].values, [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]);
        let found = read(&bytes, None, &["motor.i", "motor.log_time", "2*motor.i"]).expect("columns");
        assert_eq!(found, [vec![0.0, 20.0, 40.0], vec![0.001, 0.021, 0.041], vec![0.0, 40.0, 80.0]]);
    }
}

#[test]
fn columns_of_two_topics_are_held_only_if_asked_for() {
    let bytes = two_topics(Some(100));
    let error = content(read(&bytes, None, &["arm.joint.q", "motor.i"]).expect_err("two topics"));
    assert!(matches!(error, ContentError::DifferentTopics { .. }), "{error}");
    assert!(error.hint().contains("--topic /arm/joint"), "{}", error.hint());
    // a current is known from a millisecond after the first row
    let found = read(&bytes, Some("/arm/joint"), &["arm.joint.q", "motor.i"]).expect("columns");
    assert!(found[1][0].is_nan());
    assert_eq!(
        (&found[0][..], &found[1][1..]),
        (&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0][..], &[0.0, 0.0, 20.0, 20.0, 40.0][..])
    );
    // the topic also without its first slash; the time is that of the rows
    let found = read(&bytes, Some("motor"), &["arm.joint.q", "motor.i"]).expect("columns");
    assert_eq!(found, [[0.0, 2.0, 4.0], [0.0, 20.0, 40.0]]);
    let table = open(&bytes, Some("motor")).expect("a table");
    assert_eq!(table.time_column(None).map(|at| table.fields()[at].name.clone()).as_deref(), Some("motor.log_time"));
    let error = content(open(&bytes, Some("/moto")).err().expect("unknown"));
    assert!(error.hint().contains("/motor"), "{}", error.hint());
    assert!(matches!(
        content(open(&bytes, Some("/camera")).err().expect("not read")),
        ContentError::UnknownTopic { .. }
    ));
}

#[test]
fn held_values_follow_log_times_and_not_the_order_in_the_file() {
    let mut log = Log::new(None);
    let (a, b) = (log.channel("a", "json", None), log.channel("b", "json", None));
    for k in [3_u64, 1, 2] {
        log.write(b, k * 1000, format!(r#"{{"x": {k}}}"#).as_bytes());
    }
    for k in 1_u64..4 {
        log.write(a, k * 1000, format!(r#"{{"y": {k}}}"#).as_bytes());
    }
    let bytes = log.finish();
    assert_eq!(read(&bytes, Some("a"), &["a.y", "b.x"]).expect("columns"), [[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]);
}

/// Python: `mcap_ros2.writer.Writer(f, compression=ZSTD)`, four `sensor_msgs/msg/JointState` every 2 ms with joints in changing order,
/// position 0.1 k and −0.2 k, no velocity, effort 1 + k and 2 − k, stamped 0.5 ms before and published 0.25 ms after they were logged.
#[test]
fn joint_states_written_by_python() {
    let bytes = include_bytes!("files/joint_states.mcap");
    let table = open(bytes, None).expect("a table");
    let record = ColumnSelection::all(&table).read().expect("a record");
    let names: Vec<&str> = record.columns.iter().map(|column| column.name.as_str()).collect();
    let own = [
        "log_time",
        "publish_time",
        "header.stamp",
        "position.shoulder",
        "position.elbow",
        "effort.shoulder",
        "effort.elbow",
    ];
    assert_eq!(names, own.map(|name| format!("arm.joint_states.{name}")));
    let column = |k: usize| &record.columns[k].values[..];
    assert_eq!(column(0), [0.0, 0.002, 0.004, 0.006]);
    assert_eq!(column(1), [0.000_25, 0.002_25, 0.004_25, 0.006_25]);
    assert_eq!(column(2), [-0.000_5, 0.001_5, 0.003_5, 0.005_5]);
    // products as Python rounds them
    assert_eq!(column(3), [0.0, 0.1, 0.2, 0.1 * 3.0]);
    assert_eq!(column(4), [0.0, -0.2, -0.4, -0.2 * 3.0]);
    assert_eq!((column(5), column(6)), (&[1.0, 2.0, 3.0, 4.0][..], &[2.0, 1.0, 0.0, -1.0][..]));
}

/// Bytes by hand, from the rules of CDR: a number is at a multiple of its size after the header of four bytes.
#[test]
fn cdr_of_either_byte_order_and_version() {
    let text = "bool flag\nfloat64 x\nint16 n -3\nint16 N=5\nuint8[] blob\nfloat32[2] pair # comment\nEmpty e\nstring<=9 s\nint8 last\n\
                ===\nMSG: p/Empty\n";
    // flag, padding, x, n, padding, count and bytes of blob, padding, pair, empty, padding, s, last
    let message = |big: bool, header: u8, pad: usize| {
        let mut out = vec![0, header, 0, 0, 1];
        out.resize(4 + pad, 0);
        let put = |out: &mut Vec<u8>, bytes: &[u8]| {
            out.extend(if big { bytes.iter().rev().copied().collect::<Vec<_>>() } else { bytes.to_vec() });
        };
        put(&mut out, &2.5_f64.to_le_bytes());
        put(&mut out, &(-3_i16).to_le_bytes());
        out.extend([0; 2]);
        put(&mut out, &3_u32.to_le_bytes());
        out.extend([7, 8, 9, 0]);
        put(&mut out, &0.5_f32.to_le_bytes());
        put(&mut out, &(-0.5_f32).to_le_bytes());
        out.extend([0; 4]);
        put(&mut out, &3_u32.to_le_bytes());
        out.extend(b"hi\0");
        out.push(0xfe);
        out
    };
    for data in [message(false, 1, 8), message(true, 0, 8), message(false, 7, 4), message(true, 6, 4)] {
        let mut log = Log::new(Some(100));
        let channel = log.channel("odd", "cdr", Some(("p/msg/Odd", "ros2msg", text)));
        log.write(channel, 0, &data);
        let bytes = log.finish();
        let columns = ["odd.flag", "odd.x", "odd.n", "odd.pair.1", "odd.pair.2", "odd.last"];
        let found = read(&bytes, None, &columns).expect("columns");
        assert_eq!(found.concat(), [1.0, 2.5, -3.0, 0.5, -0.5, -2.0]);
        // a message that ends too early names topic and message
        let mut log = Log::new(Some(100));
        let channel = log.channel("odd", "cdr", Some(("p/msg/Odd", "ros2msg", text)));
        log.write(channel, 0, &data);
        log.write(channel, 1, &data[..data.len() - 1]);
        let error = open(&log.finish(), None).err().expect("too short");
        assert!(error.to_string().contains("message 2 of odd: it ends too early"), "{error}");
    }
}

#[test]
fn what_cannot_be_read_is_said() {
    let only = |encoding: &str, schema, data: &[u8]| {
        let mut log = Log::new(Some(100));
        let channel = log.channel("x", encoding, schema);
        log.write(channel, 0, data);
        open(&log.finish(), None).err().expect("an error")
    };
    assert!(matches!(content(only("protobuf", None, b"\x01")), ContentError::Unsupported { .. }));
    assert!(matches!(
        content(only("cdr", Some(("p/X", "ros2idl", "")), b"\x00\x01\x00\x00")),
        ContentError::Unsupported { .. }
    ));
    assert!(only("json", None, b"{\"x\": ").to_string().contains("message 1 of x"));
    assert!(only("json", None, b"{} 1").to_string().contains("after the end"));
    let empty = Log::new(Some(100)).finish();
    assert_eq!(content(open(&empty, None).err().expect("empty")), ContentError::NoMessages { format: "MCAP" });
    // a type that contains itself, and a definition that is missing
    let round = ("p/X", "ros2msg", "X x\n");
    assert!(only("cdr", Some(round), &[0, 1, 0, 0, 0]).to_string().contains("nested"));
    assert!(only("cdr", Some(("p/X", "ros2msg", "Y y\n")), &[0, 1, 0, 0, 0]).to_string().contains("p/Y"));
    let short = &two_topics(None)[..100];
    let error = content(open(short, None).err().expect("truncated"));
    assert_eq!(error, ContentError::Truncated { format: "MCAP" });
    assert!(error.hint().contains("mcap recover"), "{}", error.hint());
}

/// Every beginning of a file is refused, and every changed bit is found by a checksum, refused, or leaves numbers to read;
/// nothing panics.
#[test]
fn broken_files_are_refused() {
    for (bytes, whole) in packings().into_iter().zip([true, true, false, false]) {
        for end in 1..bytes.len() {
            assert!(open(&bytes[..end], None).is_err(), "{end} bytes");
        }
        let sound = read(&bytes, Some("motor"), &["arm.joint.q", "motor.i"]).expect("columns");
        let mut changed = bytes.clone();
        for at in 0..bytes.len() {
            let flip = 1 << (at % 8);
            changed[at] ^= flip;
            // the checksum of the data covers every message; Python leaves it out, and has one for each chunk
            if let Ok(found) = read(&changed, Some("motor"), &["arm.joint.q", "motor.i"]) {
                assert!(!whole || found == sound, "byte {at}, {flip:#x}: {found:?}");
            }
            changed[at] ^= flip;
        }
    }
}
