//! Runs the comparison that the options describe.
use super::args::Args;
use crate::error::CommandError;
use crate::progress::Progress;
use stiction_report::compensation::CompensationReport;

/// Runs the comparison.
pub fn compare(args: &Args) -> Result<CompensationReport, CommandError> {
    let study = args.study()?;
    let mut template = args.chosen.template()?;
    template.remove_measures_and_plots();
    args.match_units(&template, &study)?;
    let bar = Progress::of_fraction();
    let found = CompensationReport::compare(&args.chosen.name(), template, study, &|done| bar.show(done));
    bar.end();
    Ok(found?)
}
