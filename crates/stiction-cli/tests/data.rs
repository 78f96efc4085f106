//! `stiction data`, as a user runs it.
mod common;

use common::{Folder, command, json, ok, refused, run};
use std::fs;
use std::io::Write;
use std::process::Stdio;

/// Two seconds of a sine, sampled at 100 Hz, in millimetres; the second signal lags by three samples.
fn log() -> String {
    let row = |k: u32| {
        let x = |k: f64| ((k * 0.07).sin() * 1000.0).round() / 100.0;
        format!("{},{},{},7\n", f64::from(k) / 100.0, x(k.into()), x(f64::from(k) - 3.0))
    };
    format!("t [s],x [mm],late [mm],level\n{}", (0..200).map(row).collect::<String>())
}

#[test]
fn shows_what_is_in_a_file() {
    let dir = Folder::new("data-show");
    let file = dir.file("log.csv", &log());
    let text = ok(&["data", &file]).out;
    for says in ["columns by ','", "200 rows", "t from 0 to 1.99 s, step 0.01 s, uniform", "x [mm]", "0.01", "constant"]
    {
        assert!(text.contains(says), "{says}: {text}");
    }
    let found = json(&["data", &file, "--json"]);
    assert_eq!((&found["rows"], &found["time"]["uniform"], &found["cut"]), (&200.into(), &true.into(), &false.into()));
    assert_eq!(found["columns"][1]["unit"], "mm");
    assert_eq!(found["signals"][2]["constant"], true);
    // steps of 0.01 in values below ten, written as decimals: rounding
    assert!((found["signals"][0]["quantum"].as_f64().expect("a step") - 0.01).abs() < 1e-12);
}

#[test]
fn computes_and_converts() {
    let dir = Folder::new("data-convert");
    let file = dir.file("log.csv", &log());
    let args = ["data", &file, "-c", "x [m]=1e-3*X", "-c", "f=k*level", "--constant", "k=2", "-o", "-"];
    let out = ok(&args).out;
    let mut lines = out.lines();
    // the time column is included
    assert_eq!(lines.next(), Some("t [s],x [m],f"));
    assert_eq!(lines.next(), Some("0,0,14"));
    assert_eq!(lines.count(), 199);
    let copy = dir.path("copy.csv");
    ok(&["data", &file, "-o", &copy]);
    assert_eq!(fs::read_to_string(&copy).expect("a file"), log());
    if cfg!(feature = "parquet") {
        let parquet = dir.path("copy.parquet");
        ok(&["data", &file, "-o", &parquet]);
        assert_eq!(ok(&["data", &parquet, "-o", "-"]).out, log());
        assert!(ok(&["data", &parquet]).out.contains("Parquet"));
    }
}

/// MATLAB 7.3 puts 512 bytes before the HDF5 file: text, version and byte order at byte 124, then zeros.
#[cfg(feature = "hdf5")]
#[test]
fn reads_matlab_7_3() {
    let dir = Folder::new("data-matlab-7-3");
    let mut header =
        format!("{:124}", "MATLAB 7.3 MAT-file, Platform: GLNXA64, Created on: Mon Jan  1 00:00:00 2024").into_bytes();
    header.extend_from_slice(&[0, 2, b'I', b'M']);
    let mut file = hdf5_pure::FileBuilder::new();
    file.with_userblock(512).with_userblock_content(&header);
    file.create_dataset("t").with_f64_data(&[0.0, 0.5, 1.0]).with_shape(&[1, 3]);
    file.create_dataset("x").with_f64_data(&[1.0, 2.0, 4.0]).with_shape(&[1, 3]);
    let path = dir.path("log.mat");
    fs::write(&path, file.finish().expect("a file")).expect("written");
    assert!(ok(&["data", &path]).out.contains("3 rows"));
    assert_eq!(ok(&["data", &path, "-o", "-"]).out, "t,x\n0,1\n0.5,2\n1,4\n");
}

#[test]
fn finds_a_delay() {
    let dir = Folder::new("data-delay");
    let file = dir.file("log.csv", &log());
    let found = json(&["data", &file, "--delay", "x,late", "--json"]);
    // steps of 0.01 in 10 are noise in the differences, of up to 0.7
    assert!((found["delay"]["samples"].as_f64().expect("a number") - 3.0).abs() < 0.1, "{}", found["delay"]);
    assert!(ok(&["data", &file, "--delay", "x,late"]).out.contains("late lags behind x by"));
}

#[test]
fn draws() {
    let dir = Folder::new("data-draw");
    let file = dir.file("log.csv", &log());
    let svg = dir.path("log.svg");
    ok(&["data", &file, "-o", &svg]);
    assert!(fs::read_to_string(&svg).expect("a file").contains("late [mm]"));
    assert!(ok(&["data", &file, "--plot", "-c", "x"]).out.contains("x [mm]"));
    let both = ok(&["data", &file, "--plot", "--json"]);
    assert!(serde_json::from_str::<serde_json::Value>(&both.out).is_ok() && both.err.contains("x [mm]"));
}

#[test]
fn reads_a_pipe() {
    let mut child = command(&["data", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    child.stdin.take().expect("stdin").write_all(log().as_bytes()).expect("a pipe");
    let out = child.wait_with_output().expect("an end");
    let found: serde_json::Value = serde_json::from_slice(&out.stdout).expect("JSON");
    assert_eq!((&found["file"], &found["rows"]), (&"stdin".into(), &200.into()));
}

#[test]
fn bad_input_gets_an_answer() {
    let dir = Folder::new("data-bad");
    let file = dir.file("log.csv", &log());
    let told = |args: &[&str], wanted: &str| {
        let err = refused(args);
        assert!(err.contains(wanted), "{args:?}: {err}");
    };
    told(&["data", &file, "-c", "level/(x-6.44)", "-o", "-"], "row 11");
    told(&["data", &file, "-c", "layte"], "did you mean 'late'?");
    told(&["data", &file, "-c", "2*layte"], "did you mean 'late'?");
    told(&["data", &file, "-c", "2*(x"], "\n      ^\n");
    told(&["data", &file, "-c", "level/x"], "line 2 (row 1): 'level/x' is inf for level = 7, x = 0");
    told(&["data", &file, "-c", "9"], "there is no column '9'");
    told(&["data", &file, "--time", "tt"], "there is no column 'tt'");
    told(&["data", &file, "--delay", "x,level"], "a signal that never changes has no delay");
    told(&["data", &dir.path("none.csv")], "cannot read");
    told(&["data", dir.0.to_str().expect("a path")], "folder");
    told(&["data", &dir.file("empty.csv", "")], "empty");
    told(&["data", &dir.file("letter.txt", "Dear all,\nhello\n")], "no row of numbers");
    told(&["data", &dir.file("ragged.csv", "t,x\n0,1\n1,2\n2\n3,4\n")], "line 4 has 1 cell, expected 2");
    told(&["data", &dir.file("bad.json", "{\"t\": [1, 2")], "ends too early");
    told(&["data", &dir.file("zip.xlsx", "PK\u{3}\u{4}")], "export the table as CSV");
    let out = dir.path("out.csv");
    told(&["data", &file, "-c", "level/x", "-o", &out], "row 1");
    assert!(!std::path::Path::new(&out).exists(), "a failed run has left a file");
}

#[test]
fn time_that_turns_is_bad_input_and_stdout_stays_empty() {
    let dir = Folder::new("data-turn");
    let file = dir.file("turn.csv", "t,x\n0,1\n1,2\n0.5,3\n2,4\n");
    // the report, which shows what else is in the file, is printed with the error
    for args in [
        vec!["data", &file],
        vec!["data", &file, "--json"],
        vec!["data", &file, "-o", "-"],
        vec!["data", &file, "--plot"],
    ] {
        let run = run(&args);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{args:?}");
        assert!(run.err.contains("step back in time in line 4"), "{}", run.err);
        assert!(run.err.contains("line 4 (row 3): time goes backwards in 't', from 1 to 0.5"), "{}", run.err);
    }
}

/// Two topics of JSON messages, packed with zstd by Python: what is in it, rows of one topic, and what does not go together.
#[cfg(feature = "mcap")]
#[test]
fn reads_logs_of_robots() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../stiction-data/tests/data/files/two_topics_zstd.mcap");
    let shown = ok(&["data", file]);
    for says in [
        "MCAP, 2 topics, not read: /camera (protobuf messages)",
        "arm.joint.log_time from 0 to 0.05 s",
        "motor.i (3 rows)",
    ] {
        assert!(shown.out.contains(says), "{says}: {}", shown.out);
    }
    assert!(shown.err.contains("these are the columns of /arm/joint"), "{}", shown.err);
    let held = ok(&["data", file, "--topic", "/motor", "-c", "motor.i", "-c", "tau=2*arm.joint.tau.a", "-o", "-"]).out;
    assert_eq!(held, "motor.log_time [s],motor.i,tau\n0.001,0,1\n0.021,20,5\n0.041,40,9\n");
    let err = refused(&["data", file, "-c", "motor.i", "-c", "arm.joint.q"]);
    assert!(err.contains("hint: choose columns of one topic") && err.contains("--topic /motor"), "{err}");
    let err = refused(&["identify", file, "--velocity", "arm.joint.v", "--force", "motor.i", "--mass", "0"]);
    assert!(err.contains("--topic /arm/joint"), "{err}");
    let dir = Folder::new("data-mcap");
    let csv = dir.file("log.csv", &log());
    assert!(refused(&["data", &csv, "--topic", "x"]).contains("only an MCAP file"));
    assert!(refused(&["data", &csv, "--episode", "1"]).contains("episode_index"));
}
