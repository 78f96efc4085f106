//! The folder in which the lab works: uploaded files, and the results of jobs. It is removed at the end; the folder of a lab that was
//! killed is removed by the next one.
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Names of such folders begin so.
const PREFIX: &str = "stiction-lab-";
/// Names of folders that are being made, before their lock is held.
const UNFINISHED: &str = "stiction-new-lab-";
/// Held as long as the lab runs.
const LOCK: &str = ".lock";
/// Time after which a folder that is still being made, or that has no lock, belongs to nobody.
const ABANDONED: Duration = Duration::from_secs(60);
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
        // under another name until the lock is held: a lab that starts at the same time must not find it free
        let [path, unfinished] = [PREFIX, UNFINISHED].map(|prefix| above.join(format!("{prefix}{name}")));
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::DirBuilderExt;
            builder.mode(0o700);
        }
        builder.create(&unfinished)?;
        let lock = File::create_new(unfinished.join(LOCK)).and_then(|lock| {
            lock.lock()?;
            fs::rename(&unfinished, &path)?;
            Ok(lock)
        });
        let lock = lock.inspect_err(|_| {
            let _ = fs::remove_dir_all(&unfinished);
        })?;
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
    for entry in fs::read_dir(above).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let finished = name.starts_with(PREFIX);
        if (finished || name.starts_with(UNFINISHED)) && is_private(&entry.path()) && is_left(&entry.path(), finished) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Whether a path is a folder, not a link to one, that this user alone can write to: nobody else can have put anything into it.
fn is_private(path: &Path) -> bool {
    let Ok(data) = path.symlink_metadata() else { return false };
    #[cfg(unix)]
    let own = {
        use std::os::unix::fs::MetadataExt;
        data.uid() == rustix::process::geteuid().as_raw() && data.mode() & 0o022 == 0
    };
    #[cfg(not(unix))]
    let own = true;
    data.is_dir() && own
}

/// Whether nobody uses a private folder: its lock is free, and it was not made just now.
fn is_left(folder: &Path, finished: bool) -> bool {
    let path = folder.join(LOCK);
    // anything but a plain file, such as a pipe, would let the opening wait
    let lock = path.symlink_metadata().is_ok_and(|data| data.is_file()).then(|| File::open(&path));
    let age = || folder.symlink_metadata().and_then(|data| data.modified()).ok()?.elapsed().ok();
    let old = || age().is_some_and(|age| age > ABANDONED);
    match lock {
        Some(Ok(lock)) => lock.try_lock().is_ok() && (finished || old()),
        Some(Err(_)) => false,
        None => old(),
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
        #[cfg(unix)]
        fs::set_permissions(&dead, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
        fs::write(dead.join(".lock"), "").unwrap();
        let first = Workspace::new(&above, "1").unwrap();
        assert!(!dead.exists() && first.path().exists());
        let second = Workspace::new(&above, "2").unwrap();
        assert!(first.path().exists(), "the lock is held");
        fs::write(second.path().join("log.csv"), "").unwrap();
        assert_eq!(second.free_name("x/log.csv"), "log-2.csv");
        assert_eq!(fs::read_dir(&above).unwrap().count(), 2, "nothing unfinished is left");
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
    /// Labs that start at the same time keep their folders.
    #[test]
    fn labs_that_start_together_leave_each_other_alone() {
        let above = std::env::temp_dir().join(format!("stiction-workspaces-together-{}", std::process::id()));
        let _ = fs::remove_dir_all(&above);
        fs::create_dir(&above).unwrap();
        let lab = |k: usize| {
            let above = above.clone();
            move || (0..50).map(|j| Workspace::new(&above, &format!("{k}-{j}")).unwrap()).collect::<Vec<_>>()
        };
        let labs: Vec<_> = (0..4).map(|k| std::thread::spawn(lab(k))).collect();
        let labs: Vec<_> = labs.into_iter().flat_map(|lab| lab.join().unwrap()).collect();
        assert!(labs.iter().all(|lab| lab.path().join(".lock").is_file()));
        drop(labs);
        assert_eq!(fs::read_dir(&above).unwrap().count(), 0);
        fs::remove_dir(&above).unwrap();
    }

    /// A pipe as lock, a folder of anybody, a folder without a lock, and one that is being made: none of them hinders the start.
    #[test]
    #[cfg(unix)]
    fn what_others_leave_neither_hinders_nor_goes_too_early() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        use std::time::{Duration, SystemTime};
        let above = std::env::temp_dir().join(format!("stiction-workspaces-others-{}", std::process::id()));
        let _ = fs::remove_dir_all(&above);
        fs::create_dir(&above).unwrap();
        let folder = |name: &str, mode: u32| {
            let path = above.join(name);
            fs::create_dir(&path).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            path
        };
        let pipe = |path: &std::path::Path| {
            let made = std::process::Command::new("mkfifo").arg(path.join(".lock")).status().unwrap();
            assert!(made.success());
        };
        let aged = |path: &std::path::Path| {
            let before = SystemTime::now() - Duration::from_secs(600);
            fs::File::open(path).unwrap().set_modified(before).unwrap();
        };
        let [piped, open] = [folder("stiction-lab-piped", 0o700), folder("stiction-lab-open", 0o777)];
        pipe(&piped);
        pipe(&open);
        let elsewhere = folder("elsewhere", 0o700);
        symlink(&elsewhere, above.join("stiction-lab-link")).unwrap();
        let [bare, unfinished] = [folder("stiction-lab-bare", 0o700), folder("stiction-new-lab-x", 0o700)];
        fs::write(unfinished.join(".lock"), "").unwrap();
        drop(Workspace::new(&above, "first").unwrap());
        assert!([&piped, &open, &bare, &unfinished].iter().all(|path| path.exists()), "they are new");
        [&piped, &open, &bare, &unfinished, &elsewhere].iter().for_each(|path| aged(path));
        drop(Workspace::new(&above, "second").unwrap());
        assert_eq!(
            [&piped, &open, &bare, &unfinished, &elsewhere].map(|path| path.exists()),
            [false, true, false, false, true]
        );
        fs::remove_dir_all(&above).unwrap();
    }
}
