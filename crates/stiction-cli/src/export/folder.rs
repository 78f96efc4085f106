//! The folder: the code, its test, and a summary.
use crate::error::CommandError;
use crate::result_folder::ResultFolder;
use serde_json::Value;
use std::path::Path;
use stiction::export::OutputFile;

/// Writes it. A folder in which earlier code was compiled or extended keeps what else is in it.
pub fn save(dir: &Path, summary: &Value, files: &[OutputFile]) -> Result<(), CommandError> {
    let mut results = ResultFolder::of_code(dir)?;
    for OutputFile { path, bytes } in files {
        results.bytes(path, bytes)?;
    }
    results.finish(summary)
}
