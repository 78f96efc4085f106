//! `stiction compensate`.
pub use crate::compensate::args::Args;
use crate::compensate::comparison::{FinishedComparison, compare};
use crate::compensate::{folder, pictures, report};
use crate::error::CommandError;
use crate::stream;

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    let FinishedComparison { study, found, name, title, value } = compare(args)?;
    let figures: Vec<_> = pictures::figures(if title.is_empty() { &name } else { &title }, &found)
        .into_iter()
        .map(|(n, f)| (n, f.theme(args.picture.theme())))
        .collect();
    if let Some(path) = &args.output {
        folder::save(path, &value, &figures, &found)?;
    }
    if json {
        stream::json(&value)?;
    } else {
        let text = report::text(&format!("{name}: {title}"), &study, &found);
        stream::text(&text)?;
    }
    let figures: Vec<_> = figures.into_iter().map(|(_, figure)| figure).collect();
    args.picture.show(&figures, json)
}
