//! The steps of the tour: each is a command, run as the reader would run it.
use super::test_rig::NOMINAL;
use super::tour_command::TourCommand;
use crate::compensate;
use crate::compensate::comparison::compare as compare_methods;
use crate::error::CommandError;
use crate::identify;
use crate::identify::search::identify as identify_records;
use clap::Parser;
use std::path::Path;
use stiction::identify::IdentificationResult;
use stiction::identify::report::IdentificationReport;
use stiction::number::{round, short};
use stiction_report::compensation::CompensationReport;

/// Digits of the numbers that one step passes to the next: more than are significant.
const DIGITS: usize = 6;
/// Methods that are compared: the loop alone, two that use the identified law, one that adapts its levels, one that
/// uses no model of friction.
const METHODS: &str = "none,feedforward,observer,adaptive,dob";

/// The commands below and their files are fixed: only a change of this file can cause this error.
const UNEXPECTED_OUTPUT: CommandError = CommandError::Usage {
    text: "a command of the tour is not understood by this program",
    hint: "name another folder with -o",
};

/// A command on measured data, and its report.
pub struct Step {
    pub line: TourCommand,
    pub report: IdentificationReport,
}

/// The identification steps.
pub struct IdentificationSteps {
    pub breakaway: Step,
    pub presliding: Step,
    pub sliding: Step,
    pub dynamic: Step,
}

/// The commands on their own, without the rest of the program.
#[derive(Parser)]
struct Identify {
    #[command(flatten)]
    args: identify::args::Args,
}
#[derive(Parser)]
struct Compensate {
    #[command(flatten)]
    args: compensate::args::Args,
}

impl Step {
    /// Runs `stiction identify ...` on files in `from`; the report says that they are in `dir`.
    fn new(line: TourCommand, from: &Path, dir: &Path) -> Result<Self, CommandError> {
        let args = Identify::try_parse_from(line.words(from)).map_err(|_| UNEXPECTED_OUTPUT)?.args;
        let (mut report, _) = identify_records(&args, line.shown(dir))?;
        for input in &mut report.inputs {
            if let Ok(file) = Path::new(&input.name).strip_prefix(from) {
                input.name = dir.join(file).to_string_lossy().into_owned();
            }
        }
        Ok(Self { line, report })
    }
    /// The first result.
    pub fn result(&self) -> Option<&IdentificationResult> {
        self.report.results.first()
    }
    /// A score of that result.
    pub fn score(&self, key: &str) -> f64 {
        self.result().and_then(|result| result.score(key)).unwrap_or(f64::NAN)
    }
}

/// The option for the load: pressure relative to the nominal pressure, so that friction levels are those at nominal
/// pressure.
fn load() -> String {
    format!("--load pressure-{}", short(NOMINAL))
}

pub fn breakaway(from: &Path, dir: &Path) -> Result<Step, CommandError> {
    let line = "identify @/slow.csv --find breakaway --load pressure --load-name pressure --load-unit bar";
    Step::new(TourCommand::new(line), from, dir)
}

pub fn presliding(from: &Path, dir: &Path) -> Result<Step, CommandError> {
    Step::new(TourCommand::new("identify @/small.csv --find presliding"), from, dir)
}

pub fn sliding(from: &Path, dir: &Path) -> Result<Step, CommandError> {
    let line = format!("identify @/fast.csv --find sliding --model stiction {} --load-unit bar", load());
    Step::new(TourCommand::new(&line), from, dir)
}

/// The whole law along the fast record. Parameters from presliding are held: the fast record passes through presliding
/// within milliseconds. Positions are smoothed less than usual: at a reversal the acceleration changes within
/// milliseconds, and with more smoothing the fit would take that for mass.
pub fn dynamic(presliding: &Step, from: &Path, dir: &Path) -> Result<Step, CommandError> {
    let line = format!(
        "identify @/fast.csv --model hysteresis {} --filter butterworth:4:400 --set load.base=1 --bounds load.slope=0:0.1 --bounds exponent=0.5:5",
        load()
    );
    let held = ["k0", "k1", "k2", "f1", "z2"].into_iter().flat_map(|name| {
        let estimate = presliding.result().and_then(|result| result.estimate(name));
        let set = |x: f64| ["--set".to_owned(), format!("{name}={}", short(round(x, DIGITS)))];
        estimate.map(|e| set(e.value)).into_iter().flatten()
    });
    let held: Vec<String> = held.collect();
    Step::new(TourCommand::new(&line).with(held), from, dir)
}

/// Compares a law of the tour with the record that was not used for the fit.
pub fn check(model: &str, from: &Path, dir: &Path) -> Result<Step, CommandError> {
    Step::new(TourCommand::new(&format!("identify @/check.csv --check @/{model} {}", load())), from, dir)
}

/// Compares methods of compensation that use the identified law.
pub fn compare(model: &str, from: &Path) -> Result<(TourCommand, CompensationReport), CommandError> {
    let line = TourCommand::new(&format!("compensate rig-servo --model @/{model} --with {METHODS} --exact"));
    let args = Compensate::try_parse_from(line.words(from)).map_err(|_| UNEXPECTED_OUTPUT)?.args;
    Ok((line, compare_methods(&args)?))
}
