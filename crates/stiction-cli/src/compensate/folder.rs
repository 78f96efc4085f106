//! The folder: pictures, the scenario of each method, the summary.
use crate::error::CommandError;
use crate::result_folder::ResultFolder;
use serde_json::Value;
use std::fs;
use std::path::Path;
use stiction::Error;
use stiction::FileError;
use stiction::compensate::Comparison;
use stiction::plot::Figure;

/// Writes it completely or not at all.
pub fn save(
    dir: &Path,
    found: &Value,
    figures: &[(&str, Figure)],
    comparison: &Comparison,
) -> Result<(), CommandError> {
    let mut results = ResultFolder::new(dir)?;
    for (name, figure) in figures {
        results.figure(name, figure)?;
    }
    for row in &comparison.results {
        let mut text = row.text.clone();
        for (from, name) in &row.inputs {
            // methods may read different files of the same name
            let own = format!("{}-{name}", row.method.name);
            text = text.replace(&format!("\"{name}\""), &format!("\"{own}\""));
            let io = |io| Error::File(FileError { path: from.clone(), action: "read", io });
            results.text(&own, &fs::read_to_string(from).map_err(io)?)?;
        }
        results.text(&format!("{}.toml", row.method.name), &text)?;
    }
    results.finish(found)
}
