//! Runs the comparison that the options describe.
use super::args::Args;
use super::report;
use crate::error::CommandError;
use crate::progress::Progress;
use serde_json::Value;
use stiction::compensate::{Comparison, CompensationStudy, compare_with};

/// A finished comparison.
pub struct FinishedComparison {
    pub study: CompensationStudy,
    /// Results of the methods.
    pub found: Comparison,
    pub name: String,
    /// Title of the scenario; may be empty.
    pub title: String,
    /// All results as JSON.
    pub value: Value,
}

/// Runs the comparison.
pub fn compare(args: &Args) -> Result<FinishedComparison, CommandError> {
    let study = args.study()?;
    let mut template = args.chosen.template()?;
    // without measures and plots, which a shorter run might not reach
    template.remove_measures_and_plots();
    let title = template.build()?.title;
    args.match_units(&template, &study)?;
    let bar = Progress::of_fraction();
    let found = compare_with(&template, &study, &|done| bar.show(done));
    bar.end();
    let found = found?;
    let name = args.chosen.name();
    let value = report::value(&name, &study, &found);
    Ok(FinishedComparison { study, found, name, title, value })
}
