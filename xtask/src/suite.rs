//! All tests: the programs of tests side by side, so that a long one does not leave a core idle; then those in comments.
use crate::{Failure, root};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Instant;

/// Programs of tests at a time; each runs its own tests side by side, too.
const AT_A_TIME: usize = 2;

/// A program of tests, and the folder it expects to be run in.
struct Program {
    path: PathBuf,
    folder: PathBuf,
}

/// Builds and runs all tests of the workspace.
pub fn run() -> Result<(), Failure> {
    let queue = Mutex::new(build()?);
    let failed = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                while let Some(program) = next(&queue) {
                    if let Err(output) = one(&program) {
                        failed.lock().unwrap_or_else(|e| e.into_inner()).push(output);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap_or_else(|e| e.into_inner());
    if !failed.is_empty() {
        return Err(format!("{}\n{} programs of tests failed", failed.join("\n"), failed.len()));
    }
    let status = cargo().args(["test", "--workspace", "--locked", "--doc", "-q"]).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("tests in comments failed".into()),
        Err(e) => Err(format!("cannot run cargo: {e}")),
    }
}

fn next(queue: &Mutex<Vec<Program>>) -> Option<Program> {
    queue.lock().unwrap_or_else(|e| e.into_inner()).pop()
}

/// Runs one; what it printed if a test failed.
fn one(program: &Program) -> Result<(), String> {
    let start = Instant::now();
    let name = program.path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    // libtest writes colours and times only if asked; the output is kept and shown if something is wrong
    let out = Command::new(&program.path).current_dir(&program.folder).stdin(Stdio::null()).output();
    let out = out.map_err(|e| format!("cannot run {name}: {e}"))?;
    let text = String::from_utf8_lossy(&out.stdout);
    let said = text.lines().rev().find_map(|line| line.strip_prefix("test result: ")).unwrap_or("no result");
    let said = said.split("; 0 measured").next().unwrap_or(said);
    eprintln!("{:>6.1} s  {}: {said}", start.elapsed().as_secs_f64(), name.rsplit_once('-').map_or(&*name, |(n, _)| n));
    if out.status.success() {
        return Ok(());
    }
    Err(format!("{name} failed:\n{text}{}", String::from_utf8_lossy(&out.stderr)))
}

fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Builds all and tells what was built, as cargo reports it.
fn build() -> Result<Vec<Program>, Failure> {
    let mut command = cargo();
    command.args(["test", "--workspace", "--locked", "--no-run", "--message-format", "json-render-diagnostics"]);
    let out = command.stderr(Stdio::inherit()).output().map_err(|e| format!("cannot run cargo: {e}"))?;
    if !out.status.success() {
        return Err("the tests do not compile".into());
    }
    let text = String::from_utf8_lossy(&out.stdout);
    let mut found: Vec<Program> = text.lines().filter_map(program).collect();
    if found.is_empty() {
        return Err("cargo built no tests".into());
    }
    // the same order always; programs are taken from the end
    found.sort_by(|a, b| b.path.cmp(&a.path));
    Ok(found)
}

/// The program of tests that a line of cargo's report tells of, if any.
fn program(line: &str) -> Option<Program> {
    let is_test = line.contains("\"reason\":\"compiler-artifact\"") && profile(line).contains("\"test\":true");
    let path = PathBuf::from(is_test.then(|| value(line, "executable"))??);
    let folder = Path::new(&value(line, "manifest_path")?).parent()?.to_owned();
    Some(Program { path, folder })
}

/// How it was compiled.
fn profile(line: &str) -> &str {
    line.split_once("\"profile\":{").and_then(|(_, rest)| rest.split_once('}')).map_or("", |(profile, _)| profile)
}

/// The text of a key in a line of JSON; none if it is no text.
fn value(line: &str, key: &str) -> Option<String> {
    let rest = line.split_once(&format!("\"{key}\":\""))?.1;
    Some(rest.split_once('"')?.0.replace("\\\\", "\\"))
}

#[cfg(test)]
mod tests {
    use super::program;
    use std::path::Path;

    #[test]
    fn programs_are_read_from_the_report() {
        let line = r#"{"reason":"compiler-artifact","manifest_path":"/a/b/Cargo.toml","target":{"test":true},"profile":{"opt_level":"0","test":true},"executable":"/t/x-1"}"#;
        let found = program(line).expect("a program");
        assert_eq!((found.path.as_path(), found.folder.as_path()), (Path::new("/t/x-1"), Path::new("/a/b")));
        assert!(program(&line.replace("\"/t/x-1\"", "null")).is_none());
        // a program that is not of tests, though its target has some
        assert!(
            program(&line.replace("\"opt_level\":\"0\",\"test\":true", "\"opt_level\":\"0\",\"test\":false")).is_none()
        );
    }
}
