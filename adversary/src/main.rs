//! The adversary of the simulator: random systems, each compared with an independent reference, with closed forms and with the
//! simulator itself under changes that must not matter. `cargo x adversary`; the book's chapter "Trust" says what is compared.
//!
//! ```text
//! cargo x adversary [--count N] [--seed S] [--from I] [--law NAME] [--shape NAME] [--seconds T] [--threads N] [--out FOLDER]
//!                   [--resume] [--summary]
//! cargo x adversary --family NAME [--count N] [--seed S] [--from I] [--out FOLDER]
//! ```
//!
//! Every system is a line in a file `results-*.csv` of the folder. `--resume` leaves out those that have one already, and counts
//! them in the report; `--summary` reports all lines of the folder, and runs nothing.
mod closed_forms;
mod families;
mod generate;
mod judge;
mod model;
mod random;
mod record;
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
use record::{CaseRecord, RecordFile};
use report::{KeptFailure, Report};
use simulate::ProjectSimulator;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const USAGE: &str = "usage: cargo x adversary [--count N] [--seed S] [--from I] [--law NAME] [--shape NAME] [--seconds T] \
                     [--threads N] [--out FOLDER] [--resume] [--summary]\n       \
                     cargo x adversary --family NAME [--count N] [--seed S] [--from I] [--out FOLDER]";

/// Most time of one run of the simulator, for one that stays within a step; all others are limited by their number of steps. So long
/// that a busy machine does not decide: the most steps that are waited for take some minutes on an idle one.
const RUN_LIMIT: Duration = Duration::from_secs(3600);

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
    /// A family with a reference of its own, instead of the ordinary systems.
    family: Option<String>,
    seconds: f64,
    threads: usize,
    out: PathBuf,
    /// Leave out systems that have a result in the folder.
    resume: bool,
    /// Only report the results in the folder.
    summary: bool,
}

impl Arguments {
    fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let threads = std::thread::available_parallelism().map_or(2, usize::from);
        let out = PathBuf::from("target/adversary");
        let mut args = Self {
            count: 400,
            seed: 1,
            from: 0,
            law: None,
            shape: None,
            family: None,
            seconds: f64::INFINITY,
            threads,
            out,
            resume: false,
            summary: false,
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            let whole = |text: String| text.parse::<u64>().map_err(|_| format!("'{text}' is not a whole number"));
            match word.as_str() {
                "--count" => args.count = whole(value()?)?,
                "--seed" => args.seed = whole(value()?)?,
                "--from" => args.from = whole(value()?)?,
                "--law" => args.law = Some(value()?),
                "--shape" => args.shape = Some(value()?),
                "--family" => args.family = Some(value()?),
                "--threads" => args.threads = whole(value()?)?.max(1) as usize,
                "--out" => args.out = value()?.into(),
                "--resume" => args.resume = true,
                "--summary" => args.summary = true,
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
        known(&args.family, families::NAMES.to_vec(), "family")?;
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
    /// The file of results: one for each seed and first number, so that several processes can share a folder.
    fn results(&self) -> PathBuf {
        let words = self.law.iter().chain(&self.shape).map(|word| format!("-{}", word.replace(' ', "-")));
        // one system that is repeated must not replace the results of many
        let kind = if self.count == 1 { "case" } else { "from" };
        self.out.join(format!("results-seed{}-{kind}{}{}.csv", self.seed, self.from, words.collect::<String>()))
    }
    /// The file that a failure is kept in.
    fn failure(&self, seed: u64, number: u64) -> PathBuf {
        self.out.join(format!("seed{seed}-case{number}.toml"))
    }
    /// A record of case `number` that has no comparisons yet.
    fn record(&self, number: u64, case: &TestCase) -> CaseRecord {
        CaseRecord {
            seed: self.seed,
            number,
            law: self.law.clone().unwrap_or_default(),
            shape: self.shape.clone().unwrap_or_default(),
            drawn_shape: case.shape.to_owned(),
            rtol: case.settings.rtol,
            invalid: false,
            without_reference: String::new(),
            seconds: 0.0,
            comparisons: Vec::new(),
        }
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
    if let Some(family) = &args.family {
        return judge_family(&args, family);
    }
    let begin = Instant::now();
    let report = match run_all(&args, begin) {
        Ok(report) => report,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::FAILURE;
        }
    };
    report.print(begin.elapsed().as_secs_f64());
    if let Err(message) = write(&args.out.join("tolerances.csv"), &report.tolerance_table()) {
        eprintln!("error: {message}");
        return ExitCode::FAILURE;
    }
    let too_many = report.excluded_share() > MOST_EXCLUDED && report.cases >= 100;
    if too_many {
        println!("error: more than {} % of the systems are excluded", 100.0 * MOST_EXCLUDED);
    }
    if report.failures.is_empty() && !too_many { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Judges the systems of a family, and writes those that fail.
fn judge_family(args: &Arguments, family: &str) -> ExitCode {
    let report = families::judge_all(family, args.seed, args.from, args.count);
    println!(
        "{family}: {} systems passed, with errors up to {:.2} of the allowed one; {} excluded, {} failed",
        report.passed,
        report.worst,
        report.excluded,
        report.failures.len()
    );
    for (number, told) in &report.failures {
        let command = format!("cargo x adversary --family \"{family}\" --seed {} --from {number} --count 1", args.seed);
        let text = families::FamilyCase::new(family, args.seed, *number).scenario();
        let file = args.out.join(format!("{}-seed{}-case{number}.toml", family.replace(' ', "-"), args.seed));
        let place = write(&file, &format!("# {told}\n# {command}\n{text}"));
        println!("case {number}: {told}\n  {}", place.map_or_else(|error| error, |()| file.display().to_string()));
    }
    if report.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The results in the folder, of this run's seed and restriction or of all runs; a report with all of them, and their numbers.
fn earlier(args: &Arguments) -> Result<(Report, HashSet<u64>), String> {
    let (mut report, mut numbers) = (Report::default(), HashSet::new());
    if !args.out.exists() {
        return Ok((report, numbers));
    }
    for record in record::read_folder(&args.out)? {
        let optional = |word: &String| (!word.is_empty()).then(|| word.clone());
        let (law, shape) = (optional(&record.law), optional(&record.shape));
        let here = record.seed == args.seed
            && (law.as_ref(), shape.as_ref()) == (args.law.as_ref(), args.shape.as_ref())
            && (args.from..args.from.saturating_add(args.count)).contains(&record.number);
        if !args.summary && !here {
            continue;
        }
        let restriction = Restriction { law: law.as_deref(), shape: shape.as_deref() };
        let case = generate::case(record.seed, record.number, restriction);
        if case.shape != record.drawn_shape || case.settings.rtol != record.rtol {
            return Err(format!("the results in {} are of another version of the generator", args.out.display()));
        }
        numbers.insert(record.number);
        report.add(&record, &case);
        if let Some(worst) = record.worst().filter(|worst| worst.fails()) {
            let file = args.failure(record.seed, record.number);
            let detail = std::fs::read_to_string(&file).ok();
            let detail = detail.and_then(|text| Some(text.lines().next()?.split_once(": ")?.1.to_owned()));
            report.failures.push(KeptFailure {
                seed: record.seed,
                number: record.number,
                comparison: worst.name.clone(),
                detail: detail.unwrap_or_else(|| format!("{:.2e} of the allowed error", worst.ratio)),
                file: file.display().to_string(),
            });
        }
    }
    Ok((report, numbers))
}

fn run_all(args: &Arguments, begin: Instant) -> Result<Report, String> {
    let (report, done) = if args.resume || args.summary { earlier(args)? } else { Default::default() };
    if args.summary {
        return Ok(report);
    }
    let results = Mutex::new((report, RecordFile::open(&args.results(), args.resume)?, Ok(())));
    let next = AtomicU64::new(args.from);
    let simulator = ProjectSimulator { time_limit: RUN_LIMIT };
    std::thread::scope(|scope| {
        for _ in 0..args.threads {
            scope.spawn(|| {
                while begin.elapsed().as_secs_f64() < args.seconds {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= args.from.saturating_add(args.count) {
                        break;
                    }
                    if done.contains(&number) {
                        continue;
                    }
                    let case = generate::case(args.seed, number, args.restriction());
                    let start = Instant::now();
                    let verdict = judge(&simulator, &case.model, &case.settings, None);
                    let mut record = args.record(number, &case);
                    record.set_verdict(&verdict);
                    record.seconds = start.elapsed().as_secs_f64();
                    if args.count == 1 {
                        print_case(&case, &verdict);
                    }
                    let kept = results.lock().map_or(0, |results| results.0.failures.len());
                    let failure = keep(args, &simulator, number, &case, &verdict, kept < MOST_KEPT);
                    if let Ok(mut results) = results.lock() {
                        let (report, file, written) = &mut *results;
                        report.add(&record, &case);
                        report.failures.extend(failure);
                        *written = std::mem::replace(written, Ok(())).and_then(|()| file.write(&record.to_line()));
                        if written.is_err() {
                            break;
                        }
                    }
                }
            });
        }
    });
    let (mut report, _, written) = results.into_inner().map_err(|_| "a thread of the adversary panicked")?;
    written?;
    report.failures.sort_by_key(|failure| (failure.seed, failure.number));
    Ok(report)
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
    let mut changed = verdict.changed.clone();
    if reduce {
        let name = failure.name;
        let judged = |candidate: &(model::Model, model::RunSettings)| {
            let verdict = judge(simulator, &candidate.0, &candidate.1, Some(name));
            verdict.failure().filter(|other| other.name == name).cloned().map(|failure| (failure, verdict.changed))
        };
        small = shrink::shrink(&start, SHRINK_LIMIT, |candidate| judged(candidate).is_some());
        if let Some((failure, model)) = judged(&small) {
            (detail, changed) = (failure.detail, model);
        }
    }
    // the system itself runs: what fails is one with changed numbers, or at a closer tolerance
    if let Some(changed) = &changed {
        let title = format!("title = \"Adversary, seed {}, case {number}, as it failed\"\n", args.seed);
        let text = title + &toml_text::scenario(&changed.0, &changed.1, None);
        let _ = write(&args.failure(args.seed, number).with_extension("changed.toml"), &text);
    }
    let text = format!(
        "# {}: {detail}\n# {}\ntitle = \"Adversary, seed {}, case {number}: {}\"\n{}",
        failure.name,
        args.repeat(number),
        args.seed,
        case.shape,
        toml_text::scenario(&small.0, &small.1, None)
    );
    let file = args.failure(args.seed, number);
    let written = write(&file, &text).map_or_else(|error| error, |()| file.display().to_string());
    Some(KeptFailure { seed: args.seed, number, comparison: failure.name.to_owned(), detail, file: written })
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let done = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(file, text));
    done.map_err(|error| format!("cannot write {}: {error}", file.display()))
}
