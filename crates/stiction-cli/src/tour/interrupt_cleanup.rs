//! Ctrl-C during a tour removes the unfinished folder and ends the program.
use crate::error::CommandError;
use crate::interrupt::interrupt;
use crate::stream;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// Time between two checks.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);
/// Attempts to remove the folder: a file may be written meanwhile.
const MAX_ATTEMPTS: usize = 5;

/// While it exists, Ctrl-C removes the folder, without any check in the steps of the tour.
pub struct InterruptCleanup {
    /// The temporary folder; none once it has been moved to its final path.
    folder: Arc<Mutex<Option<PathBuf>>>,
    over: Arc<AtomicBool>,
}

impl InterruptCleanup {
    /// Guards a folder.
    pub fn new(folder: PathBuf) -> Result<Self, CommandError> {
        let raised = interrupt()?;
        let (folder, over) = (Arc::new(Mutex::new(Some(folder))), Arc::new(AtomicBool::new(false)));
        let (shared, end) = (folder.clone(), over.clone());
        thread::spawn(move || {
            while !end.load(Ordering::Relaxed) {
                if raised.load(Ordering::Relaxed) {
                    // the lock is held until the program ends, so that the folder is not moved to its final path any more
                    let folder = shared.lock();
                    if let Ok(Some(path)) = folder.as_deref() {
                        let _ = (0..MAX_ATTEMPTS).find(|_| fs::remove_dir_all(path).is_ok());
                    }
                    stream::line("error", "interrupted: nothing was written");
                    std::process::exit(CommandError::INTERRUPTED.into());
                }
                thread::sleep(CHECK_INTERVAL);
            }
        });
        Ok(Self { folder, over })
    }
    /// Moves the folder to its final path, which Ctrl-C does not interrupt.
    pub fn finish<T>(self, put: impl FnOnce() -> Result<T, CommandError>) -> Result<T, CommandError> {
        let mut folder = self.folder.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let done = put();
        *folder = None;
        done
    }
}

impl Drop for InterruptCleanup {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
    }
}
