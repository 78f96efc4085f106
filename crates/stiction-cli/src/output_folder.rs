//! Output folders are written completely or not at all, and never replace files that this program has not written.
use crate::error::CommandError;
use crate::stream;
use serde_json::Value;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use stiction::{Error, FileError, output};

/// The file that marks a folder as output of this program; it lists the others.
pub const SUMMARY: &str = "summary.json";
/// The scenario as it ran.
pub const SCENARIO: &str = "scenario.toml";

/// How often a folder that another process replaces at the same time is tried again, and the time between.
const MAX_ATTEMPTS: usize = 100;
const PAUSE: Duration = Duration::from_millis(5);

/// A temporary folder beside the output folder, which it replaces at the end; removed if dropped before.
pub struct OutputFolder {
    target: PathBuf,
    temporary: PathBuf,
    /// Whether files that this program has not written stay where they are.
    keeps_others: bool,
}

impl OutputFolder {
    /// Checks that `target` may be written: it does not exist, or this program has written it.
    pub fn check(target: &Path) -> Result<(), CommandError> {
        let target = &output::link_target(target);
        let above = target.parent().filter(|above| !above.as_os_str().is_empty());
        above.map_or(Ok(()), |above| fs::metadata(above).map(drop)).map_err(|io| write_error(target, io))?;
        check_ours(target)
    }
    /// Starts a folder that will become `target`.
    pub fn new(target: &Path) -> Result<Self, CommandError> {
        // a link stays a link: the folder that it leads to is replaced
        let target = &output::link_target(target);
        if output::recover_set_aside(target) {
            stream::note(format_args!(
                "{}: moved back after a command was killed while replacing it",
                target.display()
            ));
        }
        check_ours(target)?;
        Self::start(target, false)
    }
    /// As [`OutputFolder::new`], for source code, which is compiled and extended where it is: in a folder that this program has written,
    /// it replaces its own files and leaves others alone.
    pub fn keeping_others(target: &Path) -> Result<Self, CommandError> {
        let target = &output::link_target(target);
        output::recover_set_aside(target);
        if listed_files(target).is_empty() {
            check_ours(target)?;
        }
        Self::start(target, true)
    }
    fn start(target: &Path, keeps_others: bool) -> Result<Self, CommandError> {
        let bad = |io| write_error(target, io);
        target.file_name().ok_or_else(|| bad(io::ErrorKind::InvalidInput.into()))?;
        output::remove_leftovers(target);
        let temporary = output::temporary_path(target);
        fs::create_dir(&temporary).map_err(bad)?;
        Ok(Self { target: target.to_owned(), temporary, keeps_others })
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
    /// Moves the folder to its final path. Where that fails, the results are kept beside it.
    pub fn finish(self) -> Result<PathBuf, CommandError> {
        let moved = if self.keeps_others && self.target.is_dir() {
            self.replace_files()
        } else {
            // checked again: a run may take hours
            check_ours(&self.target).and_then(|()| self.take_place().map_err(|io| write_error(&self.target, io)))
        };
        match moved {
            Ok(replaced) => {
                if replaced {
                    stream::note(format_args!("{} held an earlier result, which is replaced", self.target.display()));
                }
                Ok(self.target.clone())
            }
            Err(error) => {
                let name = self.target.file_name().unwrap_or_default().display();
                let kept = self.target.with_file_name(format!("{name}.{}", std::process::id()));
                if !kept.exists() && fs::rename(&self.temporary, &kept).is_ok() {
                    stream::note(format_args!("the results are kept in {}", kept.display()));
                }
                Err(error)
            }
        }
    }
    /// Moves the files into the target one by one, each of them whole, and removes those of an earlier result that are no longer
    /// written. The summary comes first: should the rest fail, every file that has been moved is listed.
    fn replace_files(&self) -> Result<bool, CommandError> {
        let (before, now) = (listed_files(&self.target), listed_files(&self.temporary));
        let foreign =
            now.iter().find(|name| *name != SUMMARY && !before.contains(name) && self.target.join(name).exists());
        if let Some(by) = foreign {
            return Err(CommandError::FolderNotOurs { path: self.target.clone(), by: by.clone() });
        }
        let bad = |io| write_error(&self.target, io);
        let rest = now.iter().map(String::as_str).filter(|name| *name != SUMMARY);
        for name in [SUMMARY].into_iter().chain(rest) {
            let path = self.target.join(name);
            path.parent().map_or(Ok(()), fs::create_dir_all).map_err(bad)?;
            fs::rename(self.path(name), path).map_err(bad)?;
        }
        for name in before.iter().filter(|name| !now.contains(name)) {
            // a list is a file that anyone can edit: nothing outside of the folder is removed
            let within = Path::new(name).components().all(|part| matches!(part, std::path::Component::Normal(_)));
            if within {
                let _ = fs::remove_file(self.target.join(name));
            }
        }
        Ok(!before.is_empty())
    }
    /// Replaces the target; the result is whether there was one. Another process may replace it at the same time: it is then gone
    /// when it is to be set aside, or there again when the new one is to take its place.
    fn take_place(&self) -> io::Result<bool> {
        let old = output::set_aside_path(&self.target);
        let mut replaced = false;
        let mut last = io::Error::from(io::ErrorKind::ResourceBusy);
        for _ in 0..MAX_ATTEMPTS {
            let set_aside = match fs::rename(&self.target, &old) {
                Ok(()) => true,
                Err(io) if io.kind() == io::ErrorKind::NotFound => false,
                Err(io) => return Err(io),
            };
            match fs::rename(&self.temporary, &self.target) {
                Ok(()) => {
                    // what cannot be removed now, the next command that writes this folder removes
                    let _ = fs::remove_dir_all(&old);
                    return Ok(replaced || set_aside);
                }
                Err(io) if matches!(io.kind(), io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::AlreadyExists) => {
                    // the result of the other process is newer than the one set aside
                    if set_aside {
                        fs::remove_dir_all(&old)?;
                        replaced = true;
                    }
                    last = io;
                    std::thread::sleep(PAUSE);
                }
                Err(io) => {
                    let _ = fs::rename(&old, &self.target);
                    return Err(io);
                }
            }
        }
        Err(last)
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
    match fs::metadata(target) {
        Err(_) => return Ok(()),
        Ok(data) if !data.is_dir() => return Err(write_error(target, io::ErrorKind::NotADirectory.into())),
        Ok(_) => {}
    }
    // a folder that another process replaces meanwhile has the list of one result and the files of the other
    let mut found = None;
    for _ in 0..3 {
        let listed = listed_files(target);
        match find_unlisted(target, "", &listed) {
            Ok(None) => return Ok(()),
            Err(io) if io.kind() != io::ErrorKind::NotFound => return Err(write_error(target, io)),
            Err(_) => {}
            Ok(by) => found = by,
        }
        std::thread::sleep(PAUSE);
    }
    found.map_or(Ok(()), |by| Err(CommandError::FolderNotOurs { path: target.to_owned(), by }))
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

    /// A folder with one result.
    fn result(target: &std::path::Path) -> OutputFolder {
        let folder = OutputFolder::new(target).unwrap();
        fs::write(folder.path(SUMMARY), r#"{"stiction": "1", "files": ["summary.json"]}"#).unwrap();
        folder
    }

    #[test]
    fn source_code_is_replaced_beside_files_of_others() {
        let folder = std::env::temp_dir().join(format!("stiction-output-others-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let target = folder.join("code");
        let write = |files: &[&str], text: &str| {
            let folder = OutputFolder::keeping_others(&target)?;
            files.iter().for_each(|name| fs::write(folder.path_within(name).unwrap(), text).unwrap());
            let list = files.iter().map(|name| format!("\"{name}\", ")).collect::<String>();
            fs::write(folder.path(SUMMARY), format!(r#"{{"stiction": "1", "files": [{list}"summary.json"]}}"#))
                .unwrap();
            folder.finish()
        };
        write(&["law.c", "src/old.c"], "one").unwrap();
        fs::create_dir(target.join("target")).unwrap();
        fs::write(target.join("target/law.o"), "object").unwrap();
        fs::write(target.join("src/mine.c"), "mine").unwrap();
        write(&["law.c"], "two").unwrap();
        let read = |name: &str| fs::read_to_string(target.join(name)).ok();
        assert_eq!(read("law.c").as_deref(), Some("two"));
        assert_eq!((read("target/law.o").as_deref(), read("src/mine.c").as_deref()), (Some("object"), Some("mine")));
        // what an earlier result had and this one has not
        assert_eq!(read("src/old.c"), None);
        // a file of the same name that is not ours
        assert!(write(&["law.c", "src/mine.c"], "three").is_err());
        assert_eq!((read("law.c").as_deref(), read("src/mine.c").as_deref()), (Some("two"), Some("mine")));
        // a folder without a summary is not ours
        fs::remove_file(target.join(SUMMARY)).unwrap();
        assert!(write(&["law.c"], "four").is_err() && read("law.c").as_deref() == Some("two"));
        fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_folder_stays_a_link() {
        let folder = std::env::temp_dir().join(format!("stiction-output-link-{}", std::process::id()));
        let [target, link] = ["run", "link"].map(|name| folder.join(name));
        fs::create_dir_all(&target).unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        result(&link).finish().unwrap();
        assert!(link.is_symlink() && target.join(SUMMARY).exists());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_folder_that_another_process_removes_or_writes_meanwhile_is_replaced() {
        let folder = std::env::temp_dir().join(format!("stiction-output-race-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let target = folder.join("run");
        // the other one writes the folder while this one works
        let ours = result(&target);
        fs::create_dir(&target).unwrap();
        fs::write(target.join(SUMMARY), r#"{"stiction": "2", "files": ["summary.json"]}"#).unwrap();
        ours.finish().unwrap();
        assert!(fs::read_to_string(target.join(SUMMARY)).unwrap().contains(r#""1""#));
        // a file in the way: the results are kept
        let ours = result(&target);
        fs::remove_dir_all(&target).unwrap();
        fs::write(&target, "a file").unwrap();
        assert!(ours.finish().is_err());
        let kept = folder.join(format!("run.{}", std::process::id()));
        assert!(kept.join(SUMMARY).exists() && fs::read_to_string(&target).unwrap() == "a file");
        fs::remove_dir_all(&folder).unwrap();
    }

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
