//! The folder: the code, its test, and a summary.
use crate::fault::Fault;
use crate::run::folder::{Folder, SUMMARY};
use crate::stream;
use serde_json::{Value, json};
use std::io;
use std::path::Path;
use stiction::export::Source;
use stiction::output;

/// Writes it, whole or not at all.
pub fn save(dir: &Path, summary: &Value, sources: &[Source]) -> Result<(), Fault> {
    let folder = Folder::new(dir)?;
    let mut files = Vec::new();
    for Source { path, text } in sources {
        output::write(&folder.path_within(path)?, |out| out.write_all(text.as_bytes()))?;
        files.push(path.clone());
    }
    files.push(SUMMARY.to_owned());
    let mut all = json!({ "stiction": env!("CARGO_PKG_VERSION"), "files": files });
    if let (Some(all), Some(summary)) = (all.as_object_mut(), summary.as_object()) {
        all.extend(summary.clone());
    }
    output::write(&folder.path(SUMMARY), |out| {
        serde_json::to_writer_pretty(&mut *out, &all).map_err(io::Error::from)?;
        writeln!(out)
    })?;
    let path = folder.finish()?;
    stream::note(format_args!("wrote {}: {}", path.display(), files.join(", ")));
    Ok(())
}
