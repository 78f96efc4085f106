//! Runs the program.
#![allow(dead_code, unused_imports, reason = "not every test file uses every helper")]
pub mod browser;
#[path = "../../../../tests/common/folder.rs"]
mod folder;
#[path = "../../../../tests/common/skip.rs"]
pub mod skip;
pub use folder::Folder;
use serde_json::Value;
pub use skip::{c_compiler, skip};
use std::process::{Command, Output};

/// The output of a run of the program.
pub struct ProgramOutput {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// The program with these arguments.
pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
    // the width of a wide terminal, independent of the terminal in which the tests run
    command.args(args).env_remove("COLUMNS");
    command
}

/// Runs it.
pub fn run(args: &[&str]) -> ProgramOutput {
    let Output { status, stdout, stderr } = command(args).output().unwrap();
    let [out, err] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    ProgramOutput { code: status.code(), out, err }
}

/// Runs it and expects success.
pub fn ok(args: &[&str]) -> ProgramOutput {
    let run = run(args);
    assert_eq!(run.code, Some(0), "{args:?}: {}", run.err);
    run
}

/// Runs it and expects one JSON value.
pub fn json(args: &[&str]) -> Value {
    serde_json::from_str(&ok(args).out).unwrap()
}

/// Runs it and expects a refusal: exit code 2, an error, a hint, and no data. Gives stderr.
pub fn refused(args: &[&str]) -> String {
    let run = run(args);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{args:?}: {}", run.err);
    assert!(run.err.starts_with("error: ") && run.err.contains("\nhint: "), "{args:?}: {}", run.err);
    assert_eq!(run.err.matches("hint: ").count(), 1, "{}", run.err);
    assert!(!run.err.contains("panicked"), "{}", run.err);
    run.err
}

/// A list of numbers in a JSON value.
pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

/// A number in a JSON value.
pub fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}
