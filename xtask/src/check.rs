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
use std::sync::Mutex;
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
    /// Whether it may run at the same time as other such steps: all that it needs was built before.
    beside: bool,
    run: fn(&mut Report) -> Result<(), Error>,
}

const fn step(name: &'static str, run: fn(&mut Report) -> Result<(), Error>) -> Step {
    Step { name, heavy: false, beside: false, run }
}

const fn beside(name: &'static str, run: fn(&mut Report) -> Result<(), Error>) -> Step {
    Step { beside: true, ..step(name, run) }
}

const fn heavy(name: &'static str, run: fn(&mut Report) -> Result<(), Error>) -> Step {
    Step { heavy: true, ..step(name, run) }
}

/// In this order: first what takes no time, then what compiles. The tests come before all steps that need the program, because
/// their build has everything that the program consists of, with the same features. Of the steps that run beside each other the
/// longest comes first.
const STEPS: [Step; 23] = [
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
    step("tests", |report| suite::run_all_programs(&mut report.tests)),
    beside("the Python package", |report| {
        python_package::check(false, Program::BuiltWithTests, &mut report.tests)
            .map(|skipped| report.skipped.extend(skipped))
    }),
    beside("examples in doc comments", |report| suite::documentation_tests(&mut report.tests)),
    beside("generated files", |_| generate::run(true, false, Program::BuiltWithTests)),
    beside("blocks in documents", |report| {
        blocks::run(&[], Program::BuiltWithTests).map(|skipped| report.skipped.extend(skipped))
    }),
    beside("examples", |_| examples()),
    beside("random systems against the simulator", |report| adversary::check().map(|open| report.skipped.extend(open))),
    beside("core without allocation", |_| {
        cargo(&["check", "-p", "stiction-core", "--locked", "--no-default-features"], &[])
    }),
    beside("core without std, allocation or panic", probe),
    beside("documentation", |_| {
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
    let left_out = STEPS.iter().filter(|step| step.heavy && !all);
    report.skipped.extend(left_out.map(|step| format!("{}: only with `cargo x check --all`", step.name)));
    let steps: Vec<&Step> = STEPS.iter().filter(|step| all || !step.heavy).collect();
    for group in steps.chunk_by(|a, b| a.beside && b.beside) {
        match group {
            [alone] => alone.run(&mut report),
            _ => two_at_a_time(group).into_iter().for_each(|found| report.add(found)),
        }
    }
    report.print(begin.elapsed().as_secs_f64());
    if report.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs these steps, the next one as soon as one of two has ended; a report for each, in their order.
fn two_at_a_time(steps: &[&Step]) -> Vec<Report> {
    let waiting = Mutex::new(steps.iter().enumerate());
    let done: Mutex<Vec<(usize, Report)>> = Mutex::default();
    let next = || waiting.lock().unwrap_or_else(|e| e.into_inner()).next();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((number, step)) = next() {
                    let mut report = Report::default();
                    step.run(&mut report);
                    done.lock().unwrap_or_else(|e| e.into_inner()).push((number, report));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(|e| e.into_inner());
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, report)| report).collect()
}

impl Step {
    /// Runs it; what it found, and the time it took, go into the report.
    fn run(&self, report: &mut Report) {
        let start = Instant::now();
        eprintln!("=== {}", self.name);
        let failed_before = report.tests.failed;
        if let Err(error) = (self.run)(report) {
            report.tests.failed += usize::from(report.tests.failed == failed_before);
            eprintln!("error: {}: {error}", self.name);
            report.failures.push(format!("{}: {}", self.name, error.lines().next().unwrap_or_default()));
        }
        report.times.push((self.name, start.elapsed().as_secs_f64()));
    }
}

impl Report {
    fn add(&mut self, other: Self) {
        self.tests.add(other.tests);
        self.skipped.extend(other.skipped);
        self.failures.extend(other.failures);
        self.times.extend(other.times);
    }

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

#[cfg(test)]
mod tests {
    use super::{Step, beside, two_at_a_time};

    #[test]
    fn steps_that_run_beside_each_other_report_in_their_order() {
        let slow = beside("slow", |report| {
            std::thread::sleep(std::time::Duration::from_millis(50));
            report.tests.passed = 3;
            Ok(())
        });
        let fails = beside("fails", |_| Err("no compiler\nhint".into()));
        let skips = beside("skips", |report| {
            report.skipped.push("no Python".into());
            Ok(())
        });
        let steps: [&Step; 3] = [&slow, &fails, &skips];
        let reports = two_at_a_time(&steps);
        let names: Vec<&str> = reports.iter().flat_map(|report| &report.times).map(|(name, _)| *name).collect();
        assert_eq!(names, ["slow", "fails", "skips"]);
        assert_eq!((reports[0].tests.passed, reports[1].tests.failed), (3, 1));
        assert_eq!(reports[1].failures, ["fails: no compiler"]);
        assert_eq!(reports[2].skipped, ["no Python"]);
    }
}
