//! Shows a report: in a folder, as text or JSON, and in the terminal.
use crate::error::CommandError;
use crate::picture::PictureArgs;
use crate::{result_folder, stream};
use serde_json::json;
use std::path::Path;
use stiction::plot::Figure;
use stiction_report::Report;

/// Writes the report to a folder, if there is one, prints it, and draws it with `--plot`.
pub fn show(report: &dyn Report, folder: Option<&Path>, picture: &PictureArgs, json: bool) -> Result<(), CommandError> {
    let mut value = report.json();
    value["stiction"] = json!(env!("CARGO_PKG_VERSION"));
    let drawn = folder.is_some() || picture.plot;
    let figures = if drawn { report.figures() } else { Vec::new() };
    let figures: Vec<(&str, Figure)> =
        figures.into_iter().map(|(name, figure)| (name, figure.theme(picture.theme()))).collect();
    if let Some(path) = folder {
        value = result_folder::save_with(path, &figures, &report.tables(), |files| {
            value["files"] = json!(files);
            value
        })?;
    }
    if json {
        stream::json(&value)?;
    } else {
        stream::text(&report.text())?;
    }
    let figures: Vec<Figure> = figures.into_iter().map(|(_, figure)| figure).collect();
    picture.show(&figures, json)
}
