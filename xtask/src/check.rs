//! The one test command. `cargo x check` needs only Rust, git and a C compiler (what lacks the last is skipped);
//! `cargo x check --all` adds what takes long or needs more: the book as HTML (mdBook), reference values (Python with NumPy,
//! SciPy, statsmodels, mpmath), exported laws in Python (NumPy, JAX and PyTorch, which it installs into the target folder), the Python
//! package against other libraries, and the tests that a debug build leaves out.
//!
//! Both end with the time of each step, a list of what was skipped and why, and a line `N passed, N failed, N skipped`, which
//! counts tests; a step that fails for another reason counts as one failed test.
use crate::suite::{self, Counts};
use crate::{
    Error, Program, adversary, blocks, book, built, files, generate, layers, links, prose, python, python_package,
    reference, root, words,
};
use std::process::{Command, ExitCode};
use std::time::Instant;

/// What the steps found.
#[derive(Default)]
struct Report {
    tests: Counts,
    /// What was not done, and why.
    skipped: Vec<String>,
    /// Steps that failed, and how.
    failures: Vec<String>,
    /// Name and seconds of every step.
    times: Vec<(&'static str, f64)>,
}

/// One step of the check.
struct Step {
    name: &'static str,
    /// Whether it is done only with `--all`.
    heavy: bool,
    run: fn(&mut Report) -> Result<(), Error>,
}

const fn step(name: &'static str, run: fn(&mut Report) -> Result<(), Error>) -> Step {
    Step { name, heavy: false, run }
}

const fn heavy(name: &'static str, run: fn(&mut Report) -> Result<(), Error>) -> Step {
    Step { name, heavy: true, run }
}

/// In this order: first what takes no time, then what compiles. The tests come before all steps that need the program, because
/// their build has everything that the program consists of, with the same features.
const STEPS: [Step; 22] = [
    step("format", |_| cargo(&["fmt", "--all", "--check"], &[])),
    step("layers of crates and modules", |report| layers::run().map(|open| report.skipped.extend(open))),
    step("private words", |_| words::run()),
    step("citations", |_| prose::citations()),
    step("paths in documents", |_| prose::paths()),
    step("links in documents", |_| links::run()),
    step("lints", |_| cargo(&["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"], &[])),
    heavy("packages of Python", |report| python::prepare().map(|missing| report.skipped.extend(missing))),
    // for the test that simulates a scenario as a unit
    heavy("library of scenarios as units", |_| {
        cargo(&["build", "-p", "stiction-cli", "-p", "stiction-unit", "--locked"], &[])
    }),
    step("tests", |report| suite::run(&mut report.tests)),
    step("the Python package", |report| {
        python_package::check(false, Program::BuiltWithTests, &mut report.tests)
            .map(|skipped| report.skipped.extend(skipped))
    }),
    step("generated files", |_| generate::run(true, false, Program::BuiltWithTests)),
    step("blocks in documents", |report| {
        blocks::run(&[], Program::BuiltWithTests).map(|skipped| report.skipped.extend(skipped))
    }),
    step("examples", |_| examples()),
    step("random systems against the simulator", |report| adversary::check().map(|open| report.skipped.extend(open))),
    step("core without allocation", |_| {
        cargo(&["check", "-p", "stiction-core", "--locked", "--no-default-features"], &[])
    }),
    step("core without std, allocation or panic", probe),
    step("documentation", |_| {
        cargo(&["doc", "--workspace", "--no-deps", "--locked", "-q"], &[("RUSTDOCFLAGS", "-D warnings")])
    }),
    heavy("reference values", |report| reference::run().map(|skipped| report.skipped.extend(skipped))),
    heavy("tests in release", |report| suite::run_in_release(&mut report.tests)),
    heavy("the Python package with other libraries", |report| {
        let skipped = python_package::check(true, Program::Build, &mut Counts::default())?;
        report.skipped.extend(skipped);
        Ok(())
    }),
    heavy("the book as HTML", |_| book::run()),
];

/// Runs every step in order, also after one that failed, so that one run shows all there is to mend; `all`: the heavy ones, too.
pub fn run(all: bool) -> ExitCode {
    let mut report = Report::default();
    let begin = Instant::now();
    for step in &STEPS {
        if step.heavy && !all {
            report.skipped.push(format!("{}: only with `cargo x check --all`", step.name));
            continue;
        }
        let start = Instant::now();
        eprintln!("=== {}", step.name);
        let failed_before = report.tests.failed;
        if let Err(error) = (step.run)(&mut report) {
            report.tests.failed += usize::from(report.tests.failed == failed_before);
            eprintln!("error: {}: {error}", step.name);
            report.failures.push(format!("{}: {}", step.name, error.lines().next().unwrap_or_default()));
        }
        report.times.push((step.name, start.elapsed().as_secs_f64()));
    }
    report.print(begin.elapsed().as_secs_f64());
    if report.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

impl Report {
    fn print(&self, seconds: f64) {
        eprintln!("=== time of each step");
        for (name, seconds) in &self.times {
            eprintln!("{seconds:>6.1} s  {name}");
        }
        eprintln!("{seconds:>6.1} s  together");
        let tests = self.tests.skipped_lines();
        eprintln!("=== skipped: {}", self.skipped.len() + tests.len());
        self.skipped.iter().chain(&tests).for_each(|line| eprintln!("  {line}"));
        if !self.failures.is_empty() {
            eprintln!("=== failed: {}", self.failures.len());
            self.failures.iter().for_each(|line| eprintln!("  {line}"));
        }
        println!("{}", self.tests.line());
    }
}

fn cargo(args: &[&str], env: &[(&str, &str)]) -> Result<(), Error> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(root()).envs(env.iter().copied());
    finish(command, &format!("cargo {}", args.join(" ")))
}

fn finish(mut command: Command, what: &str) -> Result<(), Error> {
    let status = command.status().map_err(|e| format!("cannot run `{what}`: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("`{what}` failed")) }
}

/// Runs every example; each checks itself.
fn examples() -> Result<(), Error> {
    for file in files::sources(&root().join("crates/stiction/examples"))? {
        let name = file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let mut command = Command::new(built().join("examples").join(&name));
        command.stdout(std::process::Stdio::null());
        finish(command, &format!("example {name}"))?;
    }
    Ok(())
}

/// Links a freestanding program that runs every law; see `xtask/probe`.
fn probe(report: &mut Report) -> Result<(), Error> {
    if !cfg!(all(target_os = "linux", target_env = "gnu")) {
        report.skipped.push("core without std, allocation or panic: needs Linux and glibc".into());
        return Ok(());
    }
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .args(["rustc", "-q", "--release", "--locked", "--", "-C", "link-arg=-nostartfiles", "-C", "link-arg=-lc"])
        .current_dir(root().join("xtask/probe"))
        .env("CARGO_TARGET_DIR", built().join("probe"));
    finish(command, "link of xtask/probe")
}
