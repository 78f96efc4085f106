//! An output folder: written whole or not at all, and never over files that this program has not written.
use crate::error::CommandError;
use crate::stream;
use serde_json::Value;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use stiction::{Error, FileError, output};

/// The file that marks a folder as output of this program; it lists the others.
pub const SUMMARY: &str = "summary.json";
/// The scenario as it ran.
pub const SCENARIO: &str = "scenario.toml";

/// A temporary folder beside the one asked for, which it replaces in the end; removed if dropped before.
pub struct OutputFolder {
    target: PathBuf,
    temporary: PathBuf,
}

impl OutputFolder {
    /// Checks that `target` may be written: it does not exist, or this program has written it.
    pub fn check(target: &Path) -> Result<(), CommandError> {
        let above = target.parent().filter(|above| !above.as_os_str().is_empty());
        above.map_or(Ok(()), |above| fs::metadata(above).map(drop)).map_err(|io| file(target, io))?;
        own(target)
    }
    /// Starts a folder that will become `target`.
    pub fn new(target: &Path) -> Result<Self, CommandError> {
        own(target)?;
        let bad = |io| file(target, io);
        let name = target.file_name().ok_or_else(|| bad(io::ErrorKind::InvalidInput.into()))?;
        output::remove_leftovers(target);
        let temporary = target.with_file_name(format!(".{}.{}.tmp", name.display(), std::process::id()));
        fs::create_dir(&temporary).map_err(bad)?;
        Ok(Self { target: target.to_owned(), temporary })
    }
    /// Where to write a file for now, in a folder within it.
    pub fn path_within(&self, name: &str) -> Result<PathBuf, CommandError> {
        let path = self.path(name);
        let above = path.parent().unwrap_or(&self.temporary);
        fs::create_dir_all(above).map_err(|io| file(&self.target, io))?;
        Ok(path)
    }
    /// Where to write a file for now.
    pub fn path(&self, name: &str) -> PathBuf {
        self.temporary.join(name)
    }
    /// Moves the folder to its place.
    pub fn finish(self) -> Result<PathBuf, CommandError> {
        let bad = |io| file(&self.target, io);
        // checked again: a run may take hours
        own(&self.target)?;
        if self.target.exists() {
            let old = self.temporary.with_extension("old");
            fs::rename(&self.target, &old).map_err(bad)?;
            if let Err(io) = fs::rename(&self.temporary, &self.target) {
                let _ = fs::rename(&old, &self.target);
                return Err(bad(io));
            }
            fs::remove_dir_all(&old).map_err(bad)?;
            stream::note(format_args!("{} held an earlier result, which is replaced", self.target.display()));
        } else {
            fs::rename(&self.temporary, &self.target).map_err(bad)?;
        }
        Ok(self.target.clone())
    }
}

impl Drop for OutputFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.temporary);
    }
}

fn file(path: &Path, io: io::Error) -> CommandError {
    Error::File(FileError { path: path.to_owned(), action: "write", io }).into()
}

/// Refuses a folder that holds anything but the output of a run.
fn own(target: &Path) -> Result<(), CommandError> {
    let occupied = |by: String| CommandError::FolderNotOurs { path: target.to_owned(), by };
    match fs::metadata(target) {
        Err(_) => return Ok(()),
        Ok(data) if !data.is_dir() => return Err(file(target, io::ErrorKind::NotADirectory.into())),
        Ok(_) => {}
    }
    let listed = listed(target);
    let stranger = stranger(target, "", &listed).map_err(|io| file(target, io))?;
    stranger.map_or(Ok(()), |name| Err(occupied(name)))
}

/// A file in a folder, or in one within it, that is not listed.
fn stranger(target: &Path, within: &str, listed: &[String]) -> io::Result<Option<String>> {
    for entry in fs::read_dir(target.join(within))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let name = if within.is_empty() { name } else { format!("{within}/{name}") };
        let inner = format!("{name}/");
        let found = if entry.file_type()?.is_dir() && listed.iter().any(|path| path.starts_with(&inner)) {
            stranger(target, &name, listed)?
        } else {
            ((name != SUMMARY && !listed.contains(&name)) || listed.is_empty()).then_some(name)
        };
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// What the summary in a folder says that the run has written.
fn listed(target: &Path) -> Vec<String> {
    let text = fs::read(target.join(SUMMARY)).unwrap_or_default();
    let summary: Value = serde_json::from_slice(&text).unwrap_or_default();
    let files = summary.get("files").filter(|_| summary.get("stiction").is_some()).and_then(Value::as_array);
    files.into_iter().flatten().filter_map(|name| name.as_str().map(str::to_owned)).collect()
}
