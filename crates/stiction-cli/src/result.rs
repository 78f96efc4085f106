//! A folder of results: files of a command, and a summary that names them.
use crate::fault::Fault;
use crate::run::folder::{Folder, SUMMARY};
use crate::stream;
use serde_json::{Value, json};
use std::io;
use std::path::{Path, PathBuf};
use stiction::output;
use stiction::plot::{Figure, Format};

/// Results on their way to a folder, which is written whole or not at all.
pub struct Results {
    folder: Folder,
    files: Vec<String>,
}

impl Results {
    /// Begins.
    pub fn new(dir: &Path) -> Result<Self, Fault> {
        Ok(Self { folder: Folder::new(dir)?, files: Vec::new() })
    }
    /// Where to write a file of this name, which counts as written.
    pub fn path(&mut self, name: &str) -> Result<PathBuf, Fault> {
        self.files.push(name.to_owned());
        self.folder.path_within(name)
    }
    /// The folder in the making.
    pub fn within(&self) -> PathBuf {
        self.folder.path("")
    }
    /// A file of text.
    pub fn text(&mut self, name: &str, text: &str) -> Result<(), Fault> {
        Ok(output::write(&self.path(name)?, |out| out.write_all(text.as_bytes()))?)
    }
    /// A picture, in every format there is.
    pub fn figure(&mut self, name: &str, figure: &Figure) -> Result<(), Fault> {
        for (ending, format) in [("svg", Format::Svg), ("png", Format::Png)] {
            if cfg!(feature = "png") || format == Format::Svg {
                figure.write(&self.path(&format!("{name}.{ending}"))?, format)?;
            }
        }
        Ok(())
    }
    /// Adds the summary, `found` with version and files, and puts the folder in its place.
    pub fn finish(mut self, found: &Value) -> Result<(), Fault> {
        let path = self.path(SUMMARY)?;
        let mut all = json!({ "stiction": env!("CARGO_PKG_VERSION"), "files": self.files });
        if let (Some(all), Some(found)) = (all.as_object_mut(), found.as_object()) {
            all.extend(found.clone());
        }
        output::write(&path, |out| {
            serde_json::to_writer_pretty(&mut *out, &all).map_err(io::Error::from)?;
            writeln!(out)
        })?;
        let path = self.folder.finish()?;
        stream::note(format_args!("wrote {}: {}", path.display(), self.files.join(", ")));
        Ok(())
    }
}

/// Writes `found`, an object, and figures by name to a folder.
pub fn save(dir: &Path, found: &Value, figures: &[(String, Figure)]) -> Result<(), Fault> {
    let mut results = Results::new(dir)?;
    for (name, figure) in figures {
        results.figure(name, figure)?;
    }
    results.finish(found)
}
