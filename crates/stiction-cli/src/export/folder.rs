//! The folder: the code, its test, and a summary.
use crate::fault::Fault;
use crate::result::Results;
use serde_json::Value;
use std::path::Path;
use stiction::export::SourceFile;

/// Writes it, whole or not at all.
pub fn save(dir: &Path, summary: &Value, sources: &[SourceFile]) -> Result<(), Fault> {
    let mut results = Results::new(dir)?;
    for SourceFile { path, text } in sources {
        results.text(path, text)?;
    }
    results.finish(summary)
}
