//! Files written whole or not at all.
//!
//! ```
//! use std::io::{Error, ErrorKind};
//! use stiction_io::output;
//!
//! let path = std::env::temp_dir().join("stiction-output-example.txt");
//! output::write(&path, |out| out.write_all(b"whole"))?;
//! // one that fails half-way leaves what was there
//! let failed = output::write(&path, |out| {
//!     out.write_all(b"ha")?;
//!     Err(Error::from(ErrorKind::Other))
//! });
//! assert!(failed.is_err());
//! assert_eq!(std::fs::read(&path).unwrap(), b"whole");
//! # std::fs::remove_file(&path).unwrap();
//! # Ok::<(), stiction_io::FileError>(())
//! ```
use crate::FileError;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// Writes `path` with `fill`. The data goes to a file beside it, which then takes its place, so that a reader sees
/// the old file or the new one, and a failure leaves nothing behind. What is not a plain file, such as a pipe, is
/// written to directly. A process that is killed cannot remove its file; the next one to write `path` does, see
/// [`remove_leftovers`].
///
/// # Errors
/// [`FileError`] if the folder, the disk or `fill` refuses.
pub fn write(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), FileError> {
    replace(path, fill).map_err(|io| FileError::write(path, io))
}

fn replace(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let old = fs::metadata(path).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return put(&File::options().write(true).open(path)?, fill);
    }
    // a link stays a link: what it points to is replaced
    let path = link_target(path);
    remove_leftovers(&path);
    let beside = Beside::new(&path)?;
    put(&beside.file, fill)?;
    beside.file.sync_all()?;
    if let Some(old) = old {
        beside.file.set_permissions(old.permissions())?;
    }
    fs::rename(&beside.path, &path)
}

fn put(file: &File, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut writer = BufWriter::new(file);
    fill(&mut writer)?;
    writer.flush()
}

/// A new file in the same folder, removed when dropped; after the rename there is nothing left to remove.
struct Beside {
    path: PathBuf,
    file: File,
}

impl Beside {
    fn new(path: &Path) -> io::Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let Some(name) = path.file_name() else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not the name of a file"));
        };
        loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = path.with_file_name(format!(".{}.{}-{count}.tmp", stem(name), std::process::id()));
            match File::options().write(true).create_new(true).open(&path) {
                // of a killed process that had the same number
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                file => return Ok(Self { path, file: file? }),
            }
        }
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// What a link leads to; a path that is not a link, or leads to nothing, itself.
pub fn link_target(path: &Path) -> PathBuf {
    let target = if path.is_symlink() { fs::canonicalize(path).ok() } else { None };
    target.unwrap_or_else(|| path.to_owned())
}

/// The name beside `path` at which this process prepares a folder that takes its place at the end: `.NAME.PID.tmp`.
pub fn temporary_path(path: &Path) -> PathBuf {
    path.with_file_name(format!(".{}.{}.tmp", stem(path.file_name().unwrap_or_default()), std::process::id()))
}

/// Longest name that temporary names repeat \[bytes\]: file systems allow 255 bytes, of which numbers and ending need some.
const MAX_STEM: usize = 200;

/// The part of temporary names that stands for `name`: the name, or its beginning and a hash of it.
fn stem(name: &OsStr) -> String {
    let text = name.to_string_lossy();
    if text.len() <= MAX_STEM {
        return text.into_owned();
    }
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    // a character that is not UTF-8 is shown with three bytes
    let end = (0..=MAX_STEM / 2).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    format!("{}~{:016x}", &text[..end], hasher.finish())
}

/// Removes files and folders `.NAME.PID.tmp` and `.NAME.PID-N.tmp` beside `path` that killed processes have left: those whose
/// process no longer runs. Where the system does not list processes in `/proc`, those older than a day. What cannot be
/// removed stays. Two machines that write one path on a shared disk at the same time do not see each other's processes: one
/// of them then fails, and neither leaves half a file.
pub fn remove_leftovers(path: &Path) {
    for (left, is_folder) in leftovers(path, ".tmp") {
        let _ = if is_folder { fs::remove_dir_all(left) } else { fs::remove_file(left) };
    }
}

/// The name beside `path` to which this process moves a folder while a new one takes its place: `.NAME.PID.old`.
pub fn set_aside_path(path: &Path) -> PathBuf {
    path.with_file_name(format!(".{}.{}.old", stem(path.file_name().unwrap_or_default()), std::process::id()))
}

/// Undoes what a process left that was killed while it replaced the folder `path`: if `path` is missing, the folder that was
/// set aside is moved back; if the new one is there, the old one is removed. Returns whether one was moved back.
pub fn recover_set_aside(path: &Path) -> bool {
    let mut moved_back = false;
    for (left, _) in leftovers(path, ".old") {
        if path.exists() {
            let _ = fs::remove_dir_all(left);
        } else {
            moved_back |= fs::rename(left, path).is_ok();
        }
    }
    moved_back
}

/// Files and folders beside `path` with this ending that killed processes have left, and whether each is a folder.
fn leftovers(path: &Path, ending: &str) -> Vec<(PathBuf, bool)> {
    let begin = *BEGIN.get_or_init(SystemTime::now);
    let Some(name) = path.file_name().map(stem) else { return Vec::new() };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let left = |entry: fs::DirEntry| {
        let process = process_of(entry.file_name().to_str()?, &name, ending)?;
        let data = entry.metadata().ok()?;
        let changed = data.modified().unwrap_or(SystemTime::now());
        is_left(process, changed, begin).then(|| (entry.path(), data.is_dir()))
    };
    fs::read_dir(folder).into_iter().flatten().flatten().filter_map(left).collect()
}

/// The first time that this process writes anything: older files with its number are those of another process.
static BEGIN: OnceLock<SystemTime> = OnceLock::new();
/// How much clocks of files may lag behind that of the system.
const LAG: Duration = Duration::from_secs(2);
/// Age from which a file counts as left over where the system does not list its processes.
const DAY: Duration = Duration::from_secs(86_400);

/// The number of the process that has written the temporary file `file` for the output `name`.
fn process_of(file: &str, name: &str, ending: &str) -> Option<u32> {
    let middle = file.strip_prefix('.')?.strip_prefix(name)?.strip_prefix('.')?.strip_suffix(ending)?;
    let (process, count) = middle.split_once('-').unwrap_or((middle, "0"));
    count.parse::<u64>().ok()?;
    process.parse().ok()
}

fn is_left(process: u32, changed: SystemTime, begin: SystemTime) -> bool {
    if process == std::process::id() {
        return changed + LAG < begin;
    }
    let processes = Path::new("/proc");
    if processes.join("self").exists() {
        // `PID (NAME) STATE ...`; a process that has ended and waits for its parent to ask for its exit code is a zombie
        let status = fs::read_to_string(processes.join(process.to_string()).join("stat"));
        let ended = |status: &String| {
            status.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with(['Z', 'X', 'x']))
        };
        return !processes.join(process.to_string()).exists() || status.as_ref().is_ok_and(ended);
    }
    changed.elapsed().is_ok_and(|age| age > DAY)
}

#[cfg(test)]
mod tests {
    use super::{DAY, is_left, process_of, recover_set_aside, remove_leftovers, stem, write};
    use std::fs;
    use std::time::SystemTime;

    #[test]
    fn temporary_files_of_killed_processes_are_removed_by_the_next_write() {
        let folder = std::env::temp_dir().join(format!("stiction-leftovers-{}", std::process::id()));
        fs::create_dir_all(folder.join(".out.csv.4294967295.tmp")).unwrap();
        // no system gives a process the first number; 1 is always there
        let [left, alive, other] =
            [".out.csv.4294967295-0.tmp", ".out.csv.1-0.tmp", ".out.csv.bak.tmp"].map(|name| folder.join(name));
        for file in [&left, &alive, &other] {
            fs::write(file, "half").unwrap();
        }
        write(&folder.join("out.csv"), |out| out.write_all(b"whole")).unwrap();
        assert!(!left.exists() && !folder.join(".out.csv.4294967295.tmp").exists());
        assert!(alive.exists() && other.exists());
        remove_leftovers(&folder.join("no such folder/out.csv"));
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_folder_that_a_killed_process_set_aside_is_moved_back() {
        let folder = std::env::temp_dir().join(format!("stiction-set-aside-{}", std::process::id()));
        // no system gives a process this number; 1 is always there
        let [result, left, alive] = ["run", ".run.4294967295.old", ".run.1.old"].map(|name| folder.join(name));
        fs::create_dir_all(&alive).unwrap();
        fs::create_dir_all(&left).unwrap();
        fs::write(left.join("summary.json"), "{}").unwrap();
        assert!(recover_set_aside(&result) && result.join("summary.json").exists() && !left.exists());
        // the new folder is there: the old one is not needed any more
        fs::create_dir_all(&left).unwrap();
        assert!(!recover_set_aside(&result) && result.join("summary.json").exists() && !left.exists());
        assert!(alive.exists());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_zombie_has_ended() {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let now = SystemTime::now();
        let ended = (0..500).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            is_left(child.id(), now, now)
        });
        assert!(ended);
        child.wait().unwrap();
    }

    #[test]
    fn the_longest_names_are_written() {
        let folder = std::env::temp_dir().join(format!("stiction-long-names-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for name in ["x".repeat(255), "µ".repeat(127), "x".repeat(251) + ".csv"] {
            let path = folder.join(&name);
            let left = folder.join(format!(".{}.4294967295-0.tmp", stem(name.as_ref())));
            fs::write(&left, "half").unwrap();
            write(&path, |out| out.write_all(b"whole")).unwrap();
            assert!(fs::read(&path).unwrap() == b"whole" && !left.exists());
        }
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_temporary_file_belongs_to_one_name_and_one_process() {
        assert_eq!(process_of(".a.csv.12-3.tmp", "a.csv", ".tmp"), Some(12));
        assert_eq!(process_of(".a.csv.12.tmp", "a.csv", ".tmp"), Some(12));
        for file in [".b.csv.12-3.tmp", ".a.csv.12-x.tmp", ".a.csv.x.tmp", "a.csv.12-3.tmp", ".a.csv.12-3"] {
            assert_eq!(process_of(file, "a.csv", ".tmp"), None, "{file}");
        }
        // numbers of processes come again: older than this one is not of this one
        let (now, own) = (SystemTime::now(), std::process::id());
        assert!(is_left(own, now - DAY, now) && !is_left(own, now, now));
    }
}
