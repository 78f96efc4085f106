//! The adversary of the simulator: random systems, each compared with an independent reference, with closed forms and with the
//! simulator itself under changes that must not matter. `cargo x adversary`; the book's chapter "Trust" says what is compared.
//!
//! ```text
//! cargo x adversary [--count N] [--seed S] [--from I] [--law NAME] [--shape NAME] [--seconds T] [--threads N] [--out FOLDER]
//! ```
mod closed_forms;
mod generate;
mod judge;
mod model;
mod random;
mod reference;
mod report;
mod shrink;
mod simulate;
#[cfg(test)]
mod tests;
mod toml_text;
mod trajectory;
mod transform;

use generate::{Restriction, TestCase};
use judge::{Verdict, judge};
use report::{KeptFailure, Report};
use simulate::ProjectSimulator;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const USAGE: &str = "usage: cargo x adversary [--count N] [--seed S] [--from I] [--law NAME] [--shape NAME] [--seconds T] \
                     [--threads N] [--out FOLDER]";

/// Most time of one run of the simulator, for runs that stay within one step; the others are limited by their number of steps.
const RUN_LIMIT: Duration = Duration::from_secs(30);

/// Most time spent on reducing one failure.
const SHRINK_LIMIT: Duration = Duration::from_secs(10);

/// Failures that are reduced and kept; the others are only counted.
const MOST_KEPT: usize = 200;

/// Largest share of systems that may be excluded as too sensitive.
const MOST_EXCLUDED: f64 = 0.02;

/// The arguments.
struct Arguments {
    count: u64,
    seed: u64,
    from: u64,
    law: Option<String>,
    shape: Option<String>,
    seconds: f64,
    threads: usize,
    out: PathBuf,
}

impl Arguments {
    fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let threads = std::thread::available_parallelism().map_or(2, usize::from);
        let out = PathBuf::from("target/adversary");
        let mut args =
            Self { count: 400, seed: 1, from: 0, law: None, shape: None, seconds: f64::INFINITY, threads, out };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            let whole = |text: String| text.parse::<u64>().map_err(|_| format!("'{text}' is not a whole number"));
            match word.as_str() {
                "--count" => args.count = whole(value()?)?,
                "--seed" => args.seed = whole(value()?)?,
                "--from" => args.from = whole(value()?)?,
                "--law" => args.law = Some(value()?),
                "--shape" => args.shape = Some(value()?),
                "--threads" => args.threads = whole(value()?)?.max(1) as usize,
                "--out" => args.out = value()?.into(),
                "--seconds" => {
                    let text = value()?;
                    args.seconds = text.parse().map_err(|_| format!("'{text}' is not a number of seconds"))?;
                }
                _ => return Err(format!("unknown argument '{word}'")),
            }
        }
        let known = |name: &Option<String>, list: Vec<&str>, what: &str| match name {
            Some(name) if !list.contains(&name.as_str()) => {
                Err(format!("no {what} '{name}'; there are {}", list.join(", ")))
            }
            _ => Ok(()),
        };
        known(&args.law, generate::NAMES.to_vec(), "law")?;
        known(&args.shape, generate::shapes().collect(), "shape")?;
        Ok(args)
    }
    fn restriction(&self) -> Restriction<'_> {
        Restriction { law: self.law.as_deref(), shape: self.shape.as_deref() }
    }
    /// The command that repeats case `number`.
    fn repeat(&self, number: u64) -> String {
        let law = self.law.as_ref().map_or(String::new(), |law| format!(" --law {law}"));
        let shape = self.shape.as_ref().map_or(String::new(), |shape| format!(" --shape \"{shape}\""));
        format!("cargo x adversary --seed {} --from {number} --count 1{law}{shape}", self.seed)
    }
}

fn main() -> ExitCode {
    let args = match Arguments::parse(std::env::args().skip(1)) {
        Ok(args) => args,
        Err(message) => {
            eprintln!("error: {message}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    // a panic of the simulator is a result here, not a message
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if std::thread::current().name() != Some(simulate::THREAD) {
            print(info);
        }
    }));
    let begin = Instant::now();
    let report = run_all(&args, begin);
    report.print(begin.elapsed().as_secs_f64());
    let too_many = report.excluded_share() > MOST_EXCLUDED && report.cases >= 100;
    if too_many {
        println!("error: more than {} % of the systems are excluded", 100.0 * MOST_EXCLUDED);
    }
    if report.failures.is_empty() && !too_many { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run_all(args: &Arguments, begin: Instant) -> Report {
    let report = Mutex::new(Report::default());
    let next = AtomicU64::new(args.from);
    let simulator = ProjectSimulator { time_limit: RUN_LIMIT };
    std::thread::scope(|scope| {
        for _ in 0..args.threads {
            scope.spawn(|| {
                while begin.elapsed().as_secs_f64() < args.seconds {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= args.from + args.count {
                        break;
                    }
                    let case = generate::case(args.seed, number, args.restriction());
                    let verdict = judge(&simulator, &case.model, &case.settings, None);
                    if args.count == 1 {
                        print_case(&case, &verdict);
                    }
                    let kept = report.lock().map_or(0, |report| report.failures.len());
                    let failure = keep(args, &simulator, number, &case, &verdict, kept < MOST_KEPT);
                    if let Ok(mut report) = report.lock() {
                        report.add(number, &case, &verdict);
                        report.failures.extend(failure);
                    }
                }
            });
        }
    });
    let mut report = report.into_inner().unwrap_or_default();
    report.failures.sort_by_key(|failure| failure.number);
    report
}

/// Prints the scenario of a case and all its comparisons.
fn print_case(case: &TestCase, verdict: &Verdict) {
    println!("{}", toml_text::scenario(&case.model, &case.settings, None));
    if let Some(reason) = &verdict.without_reference {
        println!("no reference: {reason:?}");
    }
    for result in &verdict.results {
        let end = if result.excluded { " (excluded)" } else { "" };
        println!("{:<22} {:>9.2e} of the allowed error{end}: {}", result.name, result.ratio, result.detail);
    }
}

/// Reduces a failure and writes it to a file.
fn keep(
    args: &Arguments,
    simulator: &ProjectSimulator,
    number: u64,
    case: &TestCase,
    verdict: &Verdict,
    reduce: bool,
) -> Option<KeptFailure> {
    let failure = verdict.failure()?;
    eprintln!("case {number} ({}): {}: {}", case.shape, failure.name, failure.detail);
    let start = (case.model.clone(), case.settings);
    let mut small = start.clone();
    let mut detail = failure.detail.clone();
    if reduce {
        let name = failure.name;
        let judged = |candidate: &(model::Model, model::RunSettings)| {
            let verdict = judge(simulator, &candidate.0, &candidate.1, Some(name));
            verdict.failure().filter(|other| other.name == name).cloned()
        };
        small = shrink::shrink(&start, SHRINK_LIMIT, |candidate| judged(candidate).is_some());
        if let Some(failure) = judged(&small) {
            detail = failure.detail;
        }
    }
    let text = format!(
        "# {}: {detail}\n# {}\ntitle = \"Adversary, seed {}, case {number}: {}\"\n{}",
        failure.name,
        args.repeat(number),
        args.seed,
        case.shape,
        toml_text::scenario(&small.0, &small.1, None)
    );
    let file = args.out.join(format!("seed{}-case{number}.toml", args.seed));
    let written = write(&file, &text).map_or_else(|error| error, |()| file.display().to_string());
    Some(KeptFailure { number, comparison: failure.name.to_owned(), detail, file: written })
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let done = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(file, text));
    done.map_err(|error| format!("cannot write {}: {error}", file.display()))
}
