//! `stiction compensate`.
pub use crate::compensate::args::Args;
use crate::compensate::comparison::compare;
use crate::compensate::folder;
use crate::error::CommandError;
use crate::stream;
use stiction_report::Report;

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    let report = compare(args)?;
    let figures = report.figures().into_iter().map(|(name, figure)| (name, figure.theme(args.picture.theme())));
    let figures: Vec<_> = figures.collect();
    let value = report.json();
    if let Some(path) = &args.output {
        folder::save(path, &value, &figures, &report.found)?;
    }
    if json {
        stream::json(&value)?;
    } else {
        stream::text(&report.text())?;
    }
    let figures: Vec<_> = figures.into_iter().map(|(_, figure)| figure).collect();
    args.picture.show(&figures, json)
}
