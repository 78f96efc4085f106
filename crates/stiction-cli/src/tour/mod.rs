//! The tour: the whole workflow, on a machine whose true parameters are known.
mod chapters;
mod control;
pub mod interrupt_cleanup;
pub mod json;
mod page;
mod pictures;
pub mod step_log;
pub mod steps;
pub mod test_rig;
pub mod text;
pub mod tour_command;
pub mod true_values;

use stiction_report::compensation::CompensationReport;

use std::path::PathBuf;
use steps::{IdentificationSteps, Step};
use stiction::compensate::MethodResult;
use test_rig::{Log, TrueValues};
use tour_command::TourCommand;
use true_values::ComparedValue;

pub use page::page;

/// The file of the identified law.
pub const MODEL: &str = "model.toml";

/// The results of a tour.
pub struct Tour {
    /// The folder in which the reader finds it.
    pub dir: PathBuf,
    /// The true values of the machine.
    pub truth: TrueValues,
    /// Its records, in the order of [`test_rig::RECORDS`].
    pub logs: Vec<Log>,
    /// What was identified from them.
    pub found: IdentificationSteps,
    /// The identified values beside the true ones.
    pub rows: Vec<ComparedValue>,
    /// The identified law, compared with the second record.
    pub check: Step,
    /// The baseline law, compared with the second record.
    pub baseline: Step,
    /// The command that compares compensators.
    pub compare: TourCommand,
    /// Its results.
    pub compared: CompensationReport,
}

impl Tour {
    /// Number of intervals that contain the true value.
    pub fn held(&self) -> usize {
        self.rows.iter().filter(|row| row.holds()).count()
    }
    /// Error of a method \[m\]; none if its run failed.
    pub fn rms(method: &MethodResult) -> Option<f64> {
        method.performance.map(|score| score.rms)
    }
    /// The result of the loop without compensation.
    pub fn alone(&self) -> Option<f64> {
        self.compared.found.results.iter().find(|row| row.method.parts.is_empty()).and_then(Self::rms)
    }
    /// The method with the least error.
    pub fn best(&self) -> Option<&MethodResult> {
        let all = self.compared.found.results.iter().filter(|row| Self::rms(row).is_some());
        all.min_by(|a, b| Self::rms(a).unwrap_or(f64::NAN).total_cmp(&Self::rms(b).unwrap_or(f64::NAN)))
    }
    /// Ratio of the error of the loop alone to that of the best method.
    pub fn gain(&self) -> f64 {
        self.best().and_then(Self::rms).zip(self.alone()).map_or(f64::NAN, |(best, alone)| alone / best)
    }
    /// Suggested commands, and what they are for.
    pub fn next(&self) -> [(TourCommand, &'static str); 3] {
        let best = self.best().map_or("none", |row| row.method.name.as_str());
        [
            (
                TourCommand::new("identify @/fast.csv -o found"),
                "the law, its parameters and their uncertainty; the same command works on a log of your own",
            ),
            (
                TourCommand::new(&format!("export controller @/{best}.toml --target c -o firmware")),
                "the best controller of the tour as C for a drive",
            ),
            (TourCommand::new("models hysteresis"), "all about the law; 'stiction models' lists the others"),
        ]
    }
}
