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
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes `path` with `fill`. The data goes to a file beside it, which then takes its place, so that a reader sees
/// the old file or the new one, and a failure leaves nothing behind. What is not a plain file, such as a pipe, is
/// written to directly.
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
    let path = if old.is_some() { fs::canonicalize(path)? } else { path.to_owned() };
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
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = path.with_file_name(format!(".{}.{}-{count}.tmp", name.display(), std::process::id()));
        let file = File::options().write(true).create_new(true).open(&path)?;
        Ok(Self { path, file })
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}
