//! `stiction tour`.
use crate::browser;
use crate::error::CommandError;
use crate::result_folder::ResultFolder;
use crate::stream;
use crate::tour::interrupt_cleanup::InterruptCleanup;
use crate::tour::step_log::StepLog;
use crate::tour::steps::{self, IdentificationSteps, Step};
use crate::tour::test_rig::{self, RECORDS, TrueValues};
use crate::tour::text::percent;
use crate::tour::{MODEL, Tour, json as tour_json, page, text, true_values};
use std::path::{Path, PathBuf};
use stiction::parallel;

/// Take a tour: simulate a machine, identify its friction, check it, and compensate it.
///
/// The machine is the pneumatic rig of Nouri (2004), with noise, sensors of finite resolution, and a supply pressure
/// that changes. Its true parameters are known, so every identified number is shown beside its true value. The folder
/// holds index.html, one page with every picture, every number and the command of every step; the logs; the identified
/// laws; and a scenario for each compensator. 'stiction' without a command does the same.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction tour\n  stiction tour --open\n  stiction tour -o elsewhere\n  stiction tour --json"
)]
pub struct Args {
    /// The folder to write; the folder of an earlier tour is replaced, any other folder is not.
    #[arg(short, long, value_name = "DIR", default_value = FOLDER)]
    output: PathBuf,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
}

const FOLDER: &str = "stiction-tour";
/// The law without memory that the identified law is compared with.
const BASELINE: &str = "coulomb-viscous.toml";
const STEPS: usize = 7;

impl Default for Args {
    fn default() -> Self {
        Self { output: FOLDER.into(), open: false }
    }
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    let dir = args.output.as_path();
    crate::output_folder::OutputFolder::check(dir)?;
    let mut results = ResultFolder::new(dir)?;
    // the temporary folder, in which the steps find their files
    let within = results.within();
    let guard = InterruptCleanup::new(within.clone())?;
    let mut progress = StepLog::new(STEPS);
    let tour = tour(dir, &within, &mut results, &mut progress)?;
    results.text("index.html", &page(&tour))?;
    let found = tour_json::summary(&tour);
    guard.finish(|| results.finish(&found))?;
    if args.open {
        // the page by its whole path: a browser has a folder of its own
        let page = dir.join("index.html");
        let page = std::path::absolute(&page).unwrap_or(page);
        if !browser::open(&page.to_string_lossy()) {
            stream::note(format_args!("no browser could be started: open {}", page.display()));
        }
    }
    stream::note(format_args!("the tour took {:.1} s", progress.spent().as_secs_f64()));
    if json {
        return stream::json(&found);
    }
    let text = text::text(&tour);
    stream::text(&text)
}

/// Runs all steps. The files are in `within` now, and will be in `dir` for the reader.
fn tour(dir: &Path, within: &Path, results: &mut ResultFolder, progress: &mut StepLog) -> Result<Tour, CommandError> {
    let truth = TrueValues::new()?;
    let logs = progress.step(
        "simulating the rig",
        || {
            let all: Vec<usize> = (0..RECORDS.len()).collect();
            let logs = parallel::map(&all, |k| test_rig::record(*k)).into_iter().collect::<Result<Vec<_>, _>>()?;
            for (log, (_, file)) in logs.iter().zip(RECORDS) {
                log.write(&results.path(file)?)?;
            }
            Ok::<_, CommandError>(logs)
        },
        |logs| format!("{} samples in {} logs", logs.iter().map(|log| log.columns[0].len()).sum::<usize>(), logs.len()),
    )?;
    let breakaway = progress.step("break-away", || steps::breakaway(within, dir), said)?;
    let presliding = progress.step("presliding", || steps::presliding(within, dir), said)?;
    let sliding = progress.step("sliding without memory", || steps::sliding(within, dir), said)?;
    let dynamic = progress.step("the whole law", || steps::dynamic(&presliding, within, dir), said)?;
    for (step, file) in [(&dynamic, MODEL), (&sliding, BASELINE)] {
        write(step, file, results)?;
    }
    let (check, baseline) = progress.step(
        "checking on another record",
        || Ok::<_, CommandError>((steps::check(MODEL, within, dir)?, steps::check(BASELINE, within, dir)?)),
        |(law, other)| {
            let [law, other] = [law, other].map(|step| percent(step.score("relative")));
            format!("{law} not predicted, {other} without memory")
        },
    )?;
    let (compare, compared) = progress.step(
        "comparing compensators",
        || steps::compare(MODEL, within),
        |(_, compared)| format!("{} methods", compared.found.results.len()),
    )?;
    for row in &compared.found.results {
        results.text(&format!("{}.toml", row.method.name), &row.text)?;
    }
    let found = IdentificationSteps { breakaway, presliding, sliding, dynamic };
    let rows = true_values::rows(&truth, &found)?;
    Ok(Tour { dir: dir.to_owned(), truth, logs, found, rows, check, baseline, compare, compared })
}

/// A short summary of what a step found.
fn said(step: &Step) -> String {
    let known = |e: &&stiction::identify::Estimate| e.identifiability.is_estimated();
    let count = step.result().map_or(0, |result| result.estimates.iter().filter(known).count());
    format!("{count} numbers")
}

/// Writes the law of a step to a file.
fn write(step: &Step, file: &str, results: &mut ResultFolder) -> Result<(), CommandError> {
    if let Some(law) = step.result().and_then(|result| step.report.parameter_file(result)) {
        law.write(&results.path(file)?)?;
    }
    Ok(())
}
