//! The folder: the code, its test, and a summary.
use crate::error::CommandError;
use crate::result_folder::ResultFolder;
use serde_json::Value;
use std::path::Path;
use stiction::export::OutputFile;

/// Writes it completely or not at all.
pub fn save(dir: &Path, summary: &Value, files: &[OutputFile]) -> Result<(), CommandError> {
    let mut results = ResultFolder::new(dir)?;
    for OutputFile { path, bytes } in files {
        results.bytes(path, bytes)?;
    }
    results.finish(summary)
}
