//! The folder: pictures, the scenario of each method, the summary.
use crate::fault::Fault;
use crate::result::Results;
use serde_json::Value;
use std::path::Path;
use stiction::compensate::Comparison;
use stiction::plot::Figure;

/// Writes it, whole or not at all.
pub fn save(dir: &Path, found: &Value, figures: &[(String, Figure)], comparison: &Comparison) -> Result<(), Fault> {
    let mut results = Results::new(dir)?;
    for (name, figure) in figures {
        results.figure(name, figure)?;
    }
    for row in &comparison.rows {
        results.text(&format!("{}.toml", row.method.name), &row.text)?;
    }
    results.finish(found)
}
