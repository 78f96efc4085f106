//! A folder of results: files of a command, and a summary that names them.
use crate::error::CommandError;
use crate::output_folder::{OutputFolder, SUMMARY};
use crate::stream;
use serde::Serialize;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use stiction::plot::{Figure, ImageFormat};
use stiction::{output, table};

/// Results for a folder, which is written completely or not at all.
pub struct ResultFolder {
    folder: OutputFolder,
    files: Vec<String>,
}

impl ResultFolder {
    /// Starts a folder.
    pub fn new(dir: &Path) -> Result<Self, CommandError> {
        Ok(Self { folder: OutputFolder::new(dir)?, files: Vec::new() })
    }
    /// Starts a folder of source code; see [`OutputFolder::keeping_others`].
    pub fn of_code(dir: &Path) -> Result<Self, CommandError> {
        Ok(Self { folder: OutputFolder::keeping_others(dir)?, files: Vec::new() })
    }
    /// The path at which to write a file of this name, which the summary then lists.
    pub fn path(&mut self, name: &str) -> Result<PathBuf, CommandError> {
        self.files.push(name.to_owned());
        self.folder.path_within(name)
    }
    /// The temporary folder that holds the files until the end.
    pub fn within(&self) -> PathBuf {
        self.folder.path("")
    }
    /// A file of text.
    pub fn text(&mut self, name: &str, text: &str) -> Result<(), CommandError> {
        self.bytes(name, text.as_bytes())
    }
    /// A file of any content.
    pub fn bytes(&mut self, name: &str, bytes: &[u8]) -> Result<(), CommandError> {
        Ok(output::write(&self.path(name)?, |out| out.write_all(bytes))?)
    }
    /// A picture, as SVG and PNG.
    pub fn figure(&mut self, name: &str, figure: &Figure) -> Result<(), CommandError> {
        for (ending, format) in [("svg", ImageFormat::Svg), ("png", ImageFormat::Png)] {
            if cfg!(feature = "png") || format == ImageFormat::Svg {
                figure.write(&self.path(&format!("{name}.{ending}"))?, format)?;
            }
        }
        Ok(())
    }
    /// Writes the summary, `found` with version and list of files, and moves the folder to its final path.
    pub fn finish(mut self, found: &Value) -> Result<(), CommandError> {
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

/// Writes a folder: pictures as SVG and PNG, tables as CSV, and the report with the names of the files.
pub fn save_with<R: Serialize>(
    path: &Path,
    pictures: &[(&str, Figure)],
    tables: &[(&str, table::ColumnHeaders, Vec<Vec<f64>>)],
    report: impl FnOnce(Vec<String>) -> R,
) -> Result<R, CommandError> {
    let folder = OutputFolder::new(path)?;
    let mut files = Vec::new();
    for (name, figure) in pictures {
        for (ending, format) in [("svg", ImageFormat::Svg), ("png", ImageFormat::Png)] {
            if cfg!(feature = "png") || format == ImageFormat::Svg {
                let file = format!("{name}.{ending}");
                figure.write(&folder.path(&file), format)?;
                files.push(file);
            }
        }
    }
    for (name, heads, rows) in tables {
        let file = format!("{name}.csv");
        table::write(&folder.path(&file), heads, |put| rows.iter().try_for_each(|row| put(row)))?;
        files.push(file);
    }
    files.push(SUMMARY.to_owned());
    let report = report(files.clone());
    output::write(&folder.path(SUMMARY), |out: &mut dyn Write| {
        serde_json::to_writer_pretty(&mut *out, &report).map_err(io::Error::from)?;
        writeln!(out)
    })?;
    let path = folder.finish()?;
    stream::note(format_args!("wrote {}: {}", path.display(), files.join(", ")));
    Ok(report)
}
