//! Files that cannot be read or written.
use crate::similar_names::{did_you_mean, similar};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// A file that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {}: {io}", path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What was tried: `read`, `write`.
    pub action: &'static str,
    /// The system's reason.
    #[source]
    pub io: io::Error,
}

impl FileError {
    /// A file that cannot be read.
    pub fn read(path: impl Into<PathBuf>, io: io::Error) -> Self {
        Self { path: path.into(), action: "read", io }
    }
    /// A file that cannot be written.
    pub fn write(path: impl Into<PathBuf>, io: io::Error) -> Self {
        Self { path: path.into(), action: "write", io }
    }
    /// What the user may do about it.
    pub fn hint(&self) -> String {
        hint(&self.path, self.action, &self.io)
    }
}

/// What to do about a file that cannot be read or written.
fn hint(path: &Path, action: &str, io: &io::Error) -> String {
    let above = path.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let text = match io.kind() {
        ErrorKind::NotFound if !above.is_dir() => {
            let make = if action == "read" { "" } else { " make it first (mkdir -p), or" };
            return format!("there is no folder {}:{make} check the path", above.display());
        }
        // such as /proc: the folder is there, but the system creates nothing in it
        ErrorKind::NotFound if action == "write" => {
            return format!("nothing can be created in {}: name another place", above.display());
        }
        ErrorKind::NotFound => return missing(path, above),
        ErrorKind::IsADirectory => "this is a folder: name a file",
        ErrorKind::NotADirectory => "a file is in the way: name a folder that is not there yet, or one written before",
        ErrorKind::PermissionDenied => return format!("you may not {action} this: check its permissions"),
        ErrorKind::StorageFull => "free some space on the disk",
        ErrorKind::ReadOnlyFilesystem => "nothing can be written there: name another place",
        ErrorKind::InvalidData => "it is no text: save it as UTF-8, or name a file of the right kind",
        ErrorKind::UnexpectedEof => "name a file with rows of numbers below a line of names",
        ErrorKind::Unsupported => {
            "use another ending, such as .csv or .svg; 'stiction doctor' lists what this build has"
        }
        ErrorKind::FileTooLarge if action == "read" => {
            "a file of this kind has at most 1 MiB: is it one? Records go into CSV files; of a measured law keep the points that show its shape"
        }
        ErrorKind::InvalidInput => "name a plain file",
        ErrorKind::InvalidFilename => "use a shorter name: most file systems allow 255 bytes",
        _ if action == "read" => "it is damaged, or not what the end of its name says: name another file",
        _ => "check the path",
    };
    text.to_owned()
}

/// A file that is not there: names near it in its folder, or at least what was looked through.
fn missing(path: &Path, above: &Path) -> String {
    let names: Vec<String> = fs::read_dir(above)
        .map(|entries| entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect())
        .unwrap_or_default();
    let wanted = path.file_name().unwrap_or_default().to_string_lossy();
    let shown = similar(&wanted, names.iter().map(String::as_str)).into_iter().map(|name| {
        let known = Path::new(name);
        if above == Path::new(".") { known.to_owned() } else { above.join(known) }.display().to_string()
    });
    let place = if above == Path::new(".") { "this folder".to_owned() } else { above.display().to_string() };
    did_you_mean(&shown.collect::<Vec<_>>())
        .unwrap_or_else(|| format!("there is no such file in {place}: check name and ending, or give the whole path"))
}
