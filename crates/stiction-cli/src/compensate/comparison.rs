//! The comparison that the options ask for.
use super::args::Args;
use super::report;
use crate::error::CommandError;
use crate::progress::Progress;
use serde_json::Value;
use stiction::compensate::{Comparison, CompensationStudy, compare_with};

/// What a comparison gave.
pub struct Compared {
    pub study: CompensationStudy,
    /// The methods.
    pub found: Comparison,
    pub name: String,
    /// What the scenario shows; may be empty.
    pub title: String,
    /// All numbers.
    pub value: Value,
}

/// Compares.
pub fn compare(args: &Args) -> Result<Compared, CommandError> {
    let study = args.study()?;
    let mut template = args.chosen.template()?;
    // a shorter run need not have what they ask for
    template.strip();
    let title = template.build()?.title;
    args.match_units(&template, &study)?;
    let bar = Progress::of_fraction();
    let found = compare_with(&template, &study, &|done| bar.show(done));
    bar.end();
    let found = found?;
    let name = args.chosen.name();
    let value = report::value(&name, &study, &found);
    Ok(Compared { study, found, name, title, value })
}
