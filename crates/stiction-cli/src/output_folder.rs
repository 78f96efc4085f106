//! Output folders are written completely or not at all, and never replace files that this program has not written.
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

/// A temporary folder beside the output folder, which it replaces at the end; removed if dropped before.
pub struct OutputFolder {
    target: PathBuf,
    temporary: PathBuf,
}

impl OutputFolder {
    /// Checks that `target` may be written: it does not exist, or this program has written it.
    pub fn check(target: &Path) -> Result<(), CommandError> {
        let above = target.parent().filter(|above| !above.as_os_str().is_empty());
        above.map_or(Ok(()), |above| fs::metadata(above).map(drop)).map_err(|io| write_error(target, io))?;
        check_ours(target)
    }
    /// Starts a folder that will become `target`.
    pub fn new(target: &Path) -> Result<Self, CommandError> {
        if output::recover_set_aside(target) {
            stream::note(format_args!(
                "{}: moved back after a command was killed while replacing it",
                target.display()
            ));
        }
        check_ours(target)?;
        let bad = |io| write_error(target, io);
        let name = target.file_name().ok_or_else(|| bad(io::ErrorKind::InvalidInput.into()))?;
        output::remove_leftovers(target);
        let temporary = target.with_file_name(format!(".{}.{}.tmp", name.display(), std::process::id()));
        fs::create_dir(&temporary).map_err(bad)?;
        Ok(Self { target: target.to_owned(), temporary })
    }
    /// The path at which to write a file now; folders in its name are created.
    pub fn path_within(&self, name: &str) -> Result<PathBuf, CommandError> {
        let path = self.path(name);
        let above = path.parent().unwrap_or(&self.temporary);
        fs::create_dir_all(above).map_err(|io| write_error(&self.target, io))?;
        Ok(path)
    }
    /// The path at which to write a file now.
    pub fn path(&self, name: &str) -> PathBuf {
        self.temporary.join(name)
    }
    /// Moves the folder to its final path.
    pub fn finish(self) -> Result<PathBuf, CommandError> {
        let bad = |io| write_error(&self.target, io);
        // checked again: a run may take hours
        check_ours(&self.target)?;
        if self.target.exists() {
            let old = output::set_aside_path(&self.target);
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

fn write_error(path: &Path, io: io::Error) -> CommandError {
    Error::File(FileError { path: path.to_owned(), action: "write", io }).into()
}

/// Refuses a folder that holds a file which this program has not written.
fn check_ours(target: &Path) -> Result<(), CommandError> {
    let occupied = |by: String| CommandError::FolderNotOurs { path: target.to_owned(), by };
    match fs::metadata(target) {
        Err(_) => return Ok(()),
        Ok(data) if !data.is_dir() => return Err(write_error(target, io::ErrorKind::NotADirectory.into())),
        Ok(_) => {}
    }
    let listed = listed_files(target);
    let unlisted = find_unlisted(target, "", &listed).map_err(|io| write_error(target, io))?;
    unlisted.map_or(Ok(()), |name| Err(occupied(name)))
}

/// A file in a folder or its subfolders that the summary does not list.
fn find_unlisted(target: &Path, within: &str, listed: &[String]) -> io::Result<Option<String>> {
    for entry in fs::read_dir(target.join(within))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let name = if within.is_empty() { name } else { format!("{within}/{name}") };
        let inner = format!("{name}/");
        let found = if entry.file_type()?.is_dir() && listed.iter().any(|path| path.starts_with(&inner)) {
            find_unlisted(target, &name, listed)?
        } else {
            ((name != SUMMARY && !listed.contains(&name)) || listed.is_empty()).then_some(name)
        };
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// The files that the summary in a folder lists as written.
fn listed_files(target: &Path) -> Vec<String> {
    let text = fs::read(target.join(SUMMARY)).unwrap_or_default();
    let summary: Value = serde_json::from_slice(&text).unwrap_or_default();
    let files = summary.get("files").filter(|_| summary.get("stiction").is_some()).and_then(Value::as_array);
    files.into_iter().flatten().filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::{OutputFolder, SUMMARY};
    use std::fs;

    #[test]
    fn a_result_set_aside_by_a_killed_command_is_kept() {
        let folder = std::env::temp_dir().join(format!("stiction-output-folder-{}", std::process::id()));
        // no system gives a process this number
        let [target, left] = ["run", ".run.4294967295.old"].map(|name| folder.join(name));
        fs::create_dir_all(&left).unwrap();
        fs::write(left.join(SUMMARY), r#"{"stiction": "1", "files": ["summary.json"]}"#).unwrap();
        // a command that starts to write the folder and fails
        drop(OutputFolder::new(&target).unwrap());
        assert!(target.join(SUMMARY).exists() && fs::read_dir(&folder).unwrap().count() == 1);
        fs::remove_dir_all(&folder).unwrap();
    }
}
