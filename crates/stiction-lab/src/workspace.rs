//! The folder in which the lab works: uploaded files, and the results of jobs. It is removed at the end; the folder of a lab that was
//! killed is removed by the next one.
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// Names of such folders begin so.
const PREFIX: &str = "stiction-lab-";
/// Held as long as the lab runs.
const LOCK: &str = ".lock";
/// Longest name of a file.
const MAX_NAME: usize = 60;

/// The folder.
#[derive(Debug)]
pub struct Workspace {
    path: PathBuf,
    _lock: File,
}

impl Workspace {
    /// A new folder below `above`, which only the user can open.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn new(above: &Path, name: &str) -> io::Result<Self> {
        remove_leftovers(above);
        let path = above.join(format!("{PREFIX}{name}"));
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::DirBuilderExt;
            builder.mode(0o700);
        }
        builder.create(&path)?;
        let lock = File::create_new(path.join(LOCK))?;
        lock.lock()?;
        Ok(Self { path, _lock: lock })
    }
    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }
    /// A name for a file that the browser calls `given`: letters, digits, points, dashes and underlines, and not there yet.
    pub fn free_name(&self, given: &str) -> String {
        let plain = plain_name(given);
        let (stem, ending) = plain.rsplit_once('.').map_or((plain.as_str(), ""), |(stem, ending)| (stem, ending));
        let numbered = |k: usize| match (k, ending) {
            (1, _) => plain.clone(),
            (k, "") => format!("{stem}-{k}"),
            (k, ending) => format!("{stem}-{k}.{ending}"),
        };
        (1..).map(numbered).find(|name| !self.path.join(name).exists()).unwrap_or(plain.clone())
    }
    /// Whether a text names something that is there, but outside the folder.
    pub fn leads_outside(&self, text: &str) -> bool {
        let given = Path::new(text);
        let plain = given.components().count() == 1 && given.file_name().is_some();
        !plain && !text.is_empty() && self.path.join(given).symlink_metadata().is_ok()
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// The last part of a name, of characters that mean nothing to shells, paths and pages; it does not begin with a dash or a point.
fn plain_name(given: &str) -> String {
    let last = given.rsplit(['/', '\\']).next().unwrap_or_default();
    let keep = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
    let name: String = last.chars().map(keep).collect();
    let name = name.trim_start_matches(['-', '.']).trim_end_matches(['-', '.']);
    // the end has the format
    let name = &name[name.len().saturating_sub(MAX_NAME)..];
    let name = name.trim_start_matches(['-', '.']);
    if name.is_empty() { "data".to_owned() } else { name.to_owned() }
}

/// Removes the folders of labs that no longer run: nobody holds their lock.
fn remove_leftovers(above: &Path) {
    let entries = fs::read_dir(above).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX)) {
        // folders of other users are not theirs to open, and links are not followed
        if entry.file_type().is_ok_and(|kind| kind.is_dir())
            && let Ok(lock) = File::open(entry.path().join(LOCK))
            && !matches!(lock.try_lock(), Err(TryLockError::WouldBlock | TryLockError::Error(_)))
        {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Workspace, plain_name};
    use std::fs;

    #[test]
    fn names_are_harmless() {
        for (given, name) in [
            ("log.csv", "log.csv"),
            ("../../etc/passwd", "passwd"),
            ("C:\\logs\\my log.csv", "my-log.csv"),
            ("--output=x", "output-x"),
            (".bashrc", "bashrc"),
            ("<img src=x>.csv", "img-src-x-.csv"),
            ("", "data"),
            ("..", "data"),
            ("µ", "data"),
        ] {
            assert_eq!(plain_name(given), name, "{given}");
        }
        assert!(plain_name(&format!("{}.csv", "a".repeat(500))).ends_with("a.csv"));
    }

    #[test]
    fn folders_of_the_dead_are_removed_and_others_stay() {
        let above = std::env::temp_dir().join(format!("stiction-workspaces-{}", std::process::id()));
        let _ = fs::remove_dir_all(&above);
        fs::create_dir(&above).unwrap();
        let dead = above.join("stiction-lab-dead");
        fs::create_dir(&dead).unwrap();
        fs::write(dead.join(".lock"), "").unwrap();
        let first = Workspace::new(&above, "1").unwrap();
        assert!(!dead.exists() && first.path().exists());
        let second = Workspace::new(&above, "2").unwrap();
        assert!(first.path().exists(), "the lock is held");
        fs::write(second.path().join("log.csv"), "").unwrap();
        assert_eq!(second.free_name("x/log.csv"), "log-2.csv");
        assert!(
            second.leads_outside("/etc") && second.leads_outside("../stiction-lab-1") && second.leads_outside("..")
        );
        assert!(!second.leads_outside("log.csv") && !second.leads_outside("2*x/3") && !second.leads_outside(""));
        let path = second.path().to_owned();
        drop(second);
        assert!(!path.exists());
        drop(first);
        fs::remove_dir_all(&above).unwrap();
    }
}
