//! The folder: the code, its test, and a summary.
use crate::error::CommandError;
use crate::result_folder::ResultFolder;
use serde_json::Value;
use std::path::Path;
use stiction::export::SourceFile;

/// Writes it completely or not at all.
pub fn save(dir: &Path, summary: &Value, sources: &[SourceFile]) -> Result<(), CommandError> {
    let mut results = ResultFolder::new(dir)?;
    for SourceFile { path, text } in sources {
        results.text(path, text)?;
    }
    results.finish(summary)
}
