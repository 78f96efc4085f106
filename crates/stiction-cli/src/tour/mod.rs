//! The tour: the main job from end to end, on a machine whose truth is known.
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
mod theme_colours;
pub mod tour_command;
pub mod true_values;

use crate::compensate::comparison::Compared;

use std::path::PathBuf;
use steps::{Found, Step};
use stiction::compensate::MethodResult;
use test_rig::{Log, TrueValues};
use tour_command::TourCommand;
use true_values::Row;

pub use page::page;

/// All that came of it.
pub struct Tour {
    /// Where it will lie.
    pub dir: PathBuf,
    /// What is true of the machine.
    pub truth: TrueValues,
    /// Its records, in the order of [`rig::RECORDS`].
    pub logs: Vec<Log>,
    /// What was identified from them.
    pub found: Found,
    /// The same beside the truth.
    pub rows: Vec<Row>,
    /// The law against the second record.
    pub check: Step,
    /// The baseline against it.
    pub baseline: Step,
    /// The command that compares compensators.
    pub compare: TourCommand,
    /// And what it gave.
    pub compared: Compared,
}

impl Tour {
    /// How many intervals hold the truth.
    pub fn held(&self) -> usize {
        self.rows.iter().filter(|row| row.holds()).count()
    }
    /// Error of a method \[m\]; none if its run failed.
    pub fn rms(method: &MethodResult) -> Option<f64> {
        method.performance.map(|score| score.rms)
    }
    /// The loop alone.
    pub fn alone(&self) -> Option<f64> {
        self.compared.found.results.iter().find(|row| row.method.parts.is_empty()).and_then(Self::rms)
    }
    /// The method with the least error.
    pub fn best(&self) -> Option<&MethodResult> {
        let all = self.compared.found.results.iter().filter(|row| Self::rms(row).is_some());
        all.min_by(|a, b| Self::rms(a).unwrap_or(f64::NAN).total_cmp(&Self::rms(b).unwrap_or(f64::NAN)))
    }
    /// By how much that is smaller than the error of the loop alone.
    pub fn gain(&self) -> f64 {
        self.best().and_then(Self::rms).zip(self.alone()).map_or(f64::NAN, |(best, alone)| alone / best)
    }
    /// What to do next: commands, and what they are for.
    pub fn next(&self) -> [(TourCommand, &'static str); 3] {
        let best = self.best().map_or("none", |row| row.method.name.as_str());
        [
            (
                TourCommand::new("identify @/fast.csv -o found"),
                "which law, which numbers, how sure; on a log of your own it is the same command",
            ),
            (
                TourCommand::new(&format!("export controller @/{best}.toml --target c -o firmware")),
                "the best controller of the tour as C for a drive",
            ),
            (TourCommand::new("models hysteresis"), "all about the law; 'stiction models' lists the others"),
        ]
    }
}
