//! Ctrl-C and SIGTERM as a flag.
use crate::error::CommandError;
use crate::stream;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use stiction::Error;
use stiction::FileError;

/// Time within which a command ends its work after the signal, or is ended.
const GRACE: Duration = Duration::from_millis(800);
/// Time between two checks.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// Signals that follow the first one sooner than this belong to it: 'timeout' sends one to the program and one to its group.
const ONE_SIGNAL: Duration = Duration::from_millis(200);

/// A flag that Ctrl-C and SIGTERM raise. A second signal ends the program at once.
pub fn interrupt() -> Result<Arc<AtomicBool>, CommandError> {
    let [came, raised] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
    for signal in [SIGINT, SIGTERM] {
        flag::register(signal, came.clone())
            .map_err(|io| Error::File(FileError { path: "the signals".into(), action: "listen to", io }))?;
    }
    let flag = raised.clone();
    thread::spawn(move || {
        let mut first: Option<Instant> = None;
        loop {
            if came.swap(false, Ordering::Relaxed) {
                flag.store(true, Ordering::Relaxed);
                if first.get_or_insert_with(Instant::now).elapsed() > ONE_SIGNAL {
                    std::process::exit(CommandError::INTERRUPTED.into());
                }
            }
            thread::sleep(CHECK_INTERVAL);
        }
    });
    Ok(raised)
}

/// Raises the flag of [`interrupt`] also when the terminal is closed, on Linux, unless the program was started to outlive it ('nohup').
#[cfg(all(feature = "lab", target_os = "linux"))]
pub fn at_hangup(raised: &Arc<AtomicBool>) {
    // the mask of signals that are ignored; the first bit is that of SIGHUP
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    if mask.is_some_and(|mask| mask & 1 == 0) {
        // without it the folder stays until the next lab
        let _ = flag::register(signal_hook::consts::SIGHUP, raised.clone());
    }
}

/// The flag of a command that ends its work with what there is, and a watch that ends the program if the work does not end
/// soon enough: a single step of a very large system may take minutes, and so may a very large picture.
pub struct Interrupt {
    raised: Arc<AtomicBool>,
    /// Nobody asks for the flag any more: results are written.
    writes: Arc<AtomicBool>,
    /// There is nothing more to watch.
    ended: Arc<AtomicBool>,
}

impl Interrupt {
    /// Listens to the signals. If the watch ends the program, it removes `folder`, in which an unfinished result is, and
    /// prints what is `kept`.
    pub fn new(folder: Option<PathBuf>, kept: &'static str) -> Result<Self, CommandError> {
        let [writes, ended] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
        let raised = interrupt()?;
        let (flag, writing, end) = (raised.clone(), writes.clone(), ended.clone());
        thread::spawn(move || {
            let mut since: Option<Instant> = None;
            while !end.load(Ordering::Relaxed) {
                if flag.load(Ordering::Relaxed) && since.get_or_insert_with(Instant::now).elapsed() > GRACE {
                    folder.map(fs::remove_dir_all);
                    let late = writing.load(Ordering::Relaxed);
                    let what = if late { "writing the results" } else { "the present step" };
                    stream::line("error", format_args!("interrupted: {what} takes too long; {kept}"));
                    std::process::exit(CommandError::INTERRUPTED.into());
                }
                thread::sleep(CHECK_INTERVAL);
            }
        });
        Ok(Self { raised, writes, ended })
    }
    /// The flag.
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.raised
    }
    /// The work has ended, one way or another. What there is after an interruption may take its time to be written; a signal that comes
    /// only now ends the program.
    pub fn end_of_work(&self) {
        self.writes.store(true, Ordering::Relaxed);
        self.ended.fetch_or(self.raised.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
    }
}
