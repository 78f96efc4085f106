//! All tests: the test programs two at a time, so that a long one does not leave a core idle; then the examples in doc
//! comments.
//!
//! A test that cannot do its work here (its data or a compiler is missing) prints a line `skipped: REASON` and passes. Such
//! tests and those marked `#[ignore]` are counted as skipped and listed with their reasons.
use crate::{Error, root};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Instant;

/// Test programs at a time; each runs its own tests in parallel, too.
const AT_A_TIME: usize = 2;

/// What became of the tests.
#[derive(Default)]
pub struct Counts {
    pub passed: usize,
    pub failed: usize,
    /// Tests that did not do their work.
    pub skipped: Vec<Skipped>,
}

/// A test that did not do its work here, and why.
pub struct Skipped {
    pub program: Program,
    pub test: String,
    pub reason: String,
    /// Whether it is marked `#[ignore]` in this build.
    pub ignored: bool,
}

/// A test program.
#[derive(Clone)]
pub struct Program {
    path: PathBuf,
    /// The folder of its package, which it expects to be run in.
    folder: PathBuf,
    /// What cargo calls its package.
    package: String,
    /// The name of what was compiled: a file in `tests`, or the crate itself.
    target: String,
}

impl Counts {
    pub fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped.extend(other.skipped);
    }

    /// The last line of `cargo x test` and `cargo x check`.
    pub fn line(&self) -> String {
        format!("{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped.len())
    }

    /// Skipped tests as lines for a person; the same reason is given once per program.
    pub fn skipped_lines(&self) -> Vec<String> {
        let mut lines: Vec<String> =
            self.skipped.iter().map(|s| format!("test {}::{}: {}", s.program.target, s.test, s.reason)).collect();
        lines.sort();
        lines
    }
}

/// Builds and runs all tests of the workspace; an error also says what failed.
pub fn run(counts: &mut Counts) -> Result<(), Error> {
    run_all_programs(counts)?;
    documentation_tests(counts)
}

/// Builds and runs all test programs.
pub fn run_all_programs(counts: &mut Counts) -> Result<(), Error> {
    // with all else that there is, so that the steps that follow find the program and the Python module built
    let programs = build(&["build", "--workspace", "--all-targets"])?;
    run_programs(programs, &[], counts)
}

/// Runs in release what a debug build leaves out because it would take minutes; tests that ran are no longer skipped.
pub fn run_in_release(counts: &mut Counts) -> Result<(), Error> {
    let (left_out, other): (Vec<Skipped>, Vec<Skipped>) =
        std::mem::take(&mut counts.skipped).into_iter().partition(|skipped| skipped.ignored);
    counts.skipped = other;
    // all packages in one build: each by itself would have other features of its dependencies, and compile them anew
    let packages: BTreeSet<&str> = left_out.iter().map(|skipped| skipped.program.package.as_str()).collect();
    let targets: BTreeSet<&str> = left_out.iter().map(|skipped| skipped.program.target.as_str()).collect();
    let mut args = vec!["test", "--no-run", "--release"];
    args.extend(packages.iter().flat_map(|package| ["-p", package]));
    args.extend(targets.iter().flat_map(|target| ["--test", target]));
    if left_out.is_empty() {
        return Ok(());
    }
    let mut errors = Vec::new();
    for program in build(&args)? {
        let is_of = |skipped: &&Skipped| {
            (&skipped.program.package, &skipped.program.target) == (&program.package, &program.target)
        };
        let names: Vec<&str> = left_out.iter().filter(is_of).map(|skipped| skipped.test.as_str()).collect();
        if !names.is_empty() {
            errors.extend(run_programs(vec![program], &names, counts).err());
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors.join("\n")) }
}

/// Runs the programs; `only`: these tests of theirs, or all if there are none.
fn run_programs(programs: Vec<Program>, only: &[&str], counts: &mut Counts) -> Result<(), Error> {
    let queue = Mutex::new(programs);
    let done: Mutex<(Counts, Vec<Error>)> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                while let Some(program) = next(&queue) {
                    let (found, error) = run_one(&program, only);
                    let mut done = done.lock().unwrap_or_else(|e| e.into_inner());
                    done.0.add(found);
                    done.1.extend(error);
                }
            });
        }
    });
    let (found, errors) = done.into_inner().unwrap_or_else(|e| e.into_inner());
    counts.add(found);
    if errors.is_empty() {
        return Ok(());
    }
    Err(format!("{}\n{} test programs failed", errors.join("\n"), errors.len()))
}

fn next(queue: &Mutex<Vec<Program>>) -> Option<Program> {
    queue.lock().unwrap_or_else(|e| e.into_inner()).pop()
}

/// Runs one program: what became of its tests, and its output if one failed.
fn run_one(program: &Program, only: &[&str]) -> (Counts, Option<Error>) {
    let start = Instant::now();
    let mut command = Command::new(&program.path);
    command.arg("--show-output").current_dir(&program.folder).stdin(Stdio::null());
    if !only.is_empty() {
        command.arg("--exact").args(only);
    }
    let out = match command.output() {
        Ok(out) => out,
        Err(e) => {
            return (Counts { failed: 1, ..Counts::default() }, Some(format!("cannot run {}: {e}", program.target)));
        }
    };
    let text = String::from_utf8_lossy(&out.stdout);
    let mut counts = count(&text, program);
    eprintln!("{:>6.1} s  {}: {}", start.elapsed().as_secs_f64(), program.target, counts.line());
    if out.status.success() {
        return (counts, None);
    }
    // a program that was stopped reports no failed test
    counts.failed = counts.failed.max(1);
    let error = format!("{} failed:\n{text}{}", program.target, String::from_utf8_lossy(&out.stderr));
    (counts, Some(error))
}

/// Reads what libtest prints with `--show-output`.
fn count(text: &str, program: &Program) -> Counts {
    let mut counts = Counts::default();
    let mut test = "";
    for line in text.lines() {
        let skipped = if let Some(name) = line.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" stdout ----"))
        {
            test = name;
            continue;
        } else if let Some((name, reason)) = line.strip_prefix("test ").and_then(|rest| rest.split_once(" ... ignored"))
        {
            let reason = reason.trim_start_matches(", ");
            (name, if reason.is_empty() { "marked #[ignore]" } else { reason }, true)
        } else if let Some(reason) = line.strip_prefix("skipped: ") {
            (test, reason, false)
        } else if let Some((passed, failed)) = result(line) {
            counts.passed += passed;
            counts.failed += failed;
            continue;
        } else {
            continue;
        };
        let (name, reason, ignored) = skipped;
        // a test may name several things that it lacks
        if counts.skipped.last().is_none_or(|last: &Skipped| last.test != name) {
            let (test, reason) = (name.to_owned(), reason.to_owned());
            counts.skipped.push(Skipped { program: program.clone(), test, reason, ignored });
        }
    }
    // libtest takes those that printed `skipped:` for passed
    counts.passed = counts.passed.saturating_sub(counts.skipped.iter().filter(|skipped| !skipped.ignored).count());
    counts
}

/// Passed and failed tests in `test result: ok. 3 passed; 0 failed; ...`.
fn result(line: &str) -> Option<(usize, usize)> {
    let rest = line.strip_prefix("test result: ")?.split_once(". ")?.1;
    let mut numbers = rest.split("; ").map(|part| part.split(' ').next().and_then(|number| number.parse().ok()));
    Some((numbers.next()??, numbers.next()??))
}

/// The examples in doc comments and in the book.
pub fn documentation_tests(counts: &mut Counts) -> Result<(), Error> {
    let mut command = cargo();
    command.args(["test", "--workspace", "--locked", "--doc", "-q"]).stderr(Stdio::inherit());
    let out = command.output().map_err(|e| format!("cannot run cargo: {e}"))?;
    let text = String::from_utf8_lossy(&out.stdout);
    for (passed, failed) in text.lines().filter_map(result) {
        counts.passed += passed;
        counts.failed += failed;
    }
    if out.status.success() { Ok(()) } else { Err(format!("{text}\nexamples in doc comments failed")) }
}

fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Builds test programs by a command of cargo and reads from its report what was built.
fn build(which: &[&str]) -> Result<Vec<Program>, Error> {
    let mut command = cargo();
    command.args(which).args(["--locked", "--message-format", "json-render-diagnostics"]);
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

/// The test program that a line of cargo's report names, if any.
fn program(line: &str) -> Option<Program> {
    let is_test = line.contains("\"reason\":\"compiler-artifact\"") && profile(line).contains("\"test\":true");
    let path = PathBuf::from(is_test.then(|| value(line, "executable"))??);
    let folder = Path::new(&value(line, "manifest_path")?).parent()?.to_owned();
    Some(Program { path, folder, package: value(line, "package_id")?, target: value(line, "name")? })
}

/// How it was compiled.
fn profile(line: &str) -> &str {
    line.split_once("\"profile\":{").and_then(|(_, rest)| rest.split_once('}')).map_or("", |(profile, _)| profile)
}

/// The text of a key in a line of JSON; none if its value is not a text.
fn value(line: &str, key: &str) -> Option<String> {
    let rest = line.split_once(&format!("\"{key}\":\""))?.1;
    Some(rest.split_once('"')?.0.replace("\\\\", "\\"))
}

#[cfg(test)]
mod tests {
    use super::{count, program};
    use std::path::Path;

    const LINE: &str = r#"{"reason":"compiler-artifact","package_id":"path+file:///a/b#0.1.0","manifest_path":"/a/b/Cargo.toml","target":{"kind":["test"],"name":"x","test":true},"profile":{"opt_level":"0","test":true},"executable":"/t/x-1"}"#;

    #[test]
    fn programs_are_read_from_the_report() {
        let found = program(LINE).expect("a program");
        assert_eq!((found.path.as_path(), found.folder.as_path()), (Path::new("/t/x-1"), Path::new("/a/b")));
        assert_eq!((found.target.as_str(), found.package.as_str()), ("x", "path+file:///a/b#0.1.0"));
        assert!(program(&LINE.replace("\"/t/x-1\"", "null")).is_none());
        // a program that is not of tests, though its target has some
        assert!(
            program(&LINE.replace("\"opt_level\":\"0\",\"test\":true", "\"opt_level\":\"0\",\"test\":false")).is_none()
        );
    }

    #[test]
    fn skipped_tests_are_counted_once_and_have_not_passed() {
        let output = "running 4 tests\ntest a ... ok\ntest b ... ignored, takes minutes\ntest c ... ok\n\nsuccesses:\n\n\
                      ---- a stdout ----\nskipped: no x\nskipped: no y\n\nsuccesses:\n    a\n    c\n\n\
                      test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
        let counts = count(output, &program(LINE).expect("a program"));
        assert_eq!(counts.line(), "1 passed, 0 failed, 2 skipped");
        assert_eq!(counts.skipped_lines(), ["test x::a: no x", "test x::b: takes minutes"]);
    }

    #[test]
    fn failed_tests_are_counted() {
        let output =
            "test result: FAILED. 2 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
        assert_eq!(count(output, &program(LINE).expect("a program")).line(), "2 passed, 3 failed, 0 skipped");
    }
}
