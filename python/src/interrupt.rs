//! Ctrl-C while the library computes: Python runs its signal handlers only when it is asked to.
use crate::error::PythonError;
use pyo3::types::PyAnyMethods;
use pyo3::{Bound, PyAny, PyErr, PyResult, Python};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Time between two questions to Python, which take its lock: far above the time that one takes, and below the tenth of a
/// second within which Ctrl-C is to end a computation.
const QUESTION_INTERVAL: Duration = Duration::from_millis(30);
/// Time between two readings of the clock that [`Interrupt`] aims at.
const READING_INTERVAL: Duration = Duration::from_millis(2);
/// Most calls between two readings of the clock, so that a few slow steps after many fast ones do not delay it.
const MAX_STRIDE: u32 = 64;

/// Asks Python now and then whether a computation should go on.
pub struct Interrupt {
    asked: Instant,
    read: Instant,
    stride: u32,
    calls: u32,
    raised: Option<PyErr>,
}

impl Interrupt {
    /// Begins now.
    pub fn new() -> Self {
        let now = Instant::now();
        Self { asked: now, read: now, stride: 1, calls: 0, raised: None }
    }
    /// Whether to go on; to be called after every step, without the lock.
    #[inline]
    pub fn should_continue(&mut self) -> bool {
        self.calls += 1;
        self.calls < self.stride || self.look()
    }
    #[cold]
    fn look(&mut self) -> bool {
        let now = Instant::now();
        let slow = now - self.read > READING_INTERVAL;
        self.stride = if slow { self.stride / 2 } else { self.stride * 2 }.clamp(1, MAX_STRIDE);
        (self.read, self.calls) = (now, 0);
        if now - self.asked >= QUESTION_INTERVAL && self.raised.is_none() {
            self.asked = now;
            self.raised = Python::attach(|py| py.check_signals()).err();
        }
        self.raised.is_none()
    }
    /// The exception of the signal's handler, if there was one.
    ///
    /// # Errors
    /// That exception: KeyboardInterrupt, unless the user has a handler of his own.
    pub fn end(self) -> Result<(), PyErr> {
        self.raised.map_or(Ok(()), Err)
    }
}

/// Does work whose steps may take longer than the user waits for Ctrl-C, in a thread of its own. `work` is given a flag that says
/// whether to stop. After Ctrl-C the work is left to itself: it ends when it next asks, and its result is dropped.
///
/// # Errors
/// The exception of the signal's handler, or an error if the work panicked.
pub fn in_background<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Arc<AtomicBool>) -> T + Send + 'static,
) -> Result<T, PythonError> {
    in_background_with(py, work, |_| Ok(()))
}

/// The same, and calls `look` while it waits, with the lock, for progress.
///
/// # Errors
/// The exception of the signal's handler or of `look`, or an error if the work panicked.
pub fn in_background_with<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Arc<AtomicBool>) -> T + Send + 'static,
    mut look: impl FnMut(Python<'_>) -> PyResult<()>,
) -> Result<T, PythonError> {
    let stop = Arc::new(AtomicBool::new(false));
    let (sender, mut receiver) = sync_channel(1);
    let flag = stop.clone();
    thread::spawn(move || {
        // nobody receives it after Ctrl-C
        let _ = sender.send(work(&flag));
    });
    loop {
        let waiting = &mut receiver;
        match py.detach(move || waiting.recv_timeout(QUESTION_INTERVAL)) {
            Ok(done) => return Ok(done),
            Err(RecvTimeoutError::Disconnected) => return Err(PythonError::new("the computation panicked", None)),
            Err(RecvTimeoutError::Timeout) => {
                py.check_signals().and_then(|()| look(py)).inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
            }
        }
    }
}

/// How far a computation is, in thousandths; any thread may say so.
#[derive(Clone, Default)]
pub struct Share(Arc<AtomicU32>);

impl Share {
    /// The completed share, from 0 to 1.
    pub fn set(&self, share: f64) {
        self.0.store((1000.0 * share.clamp(0.0, 1.0)) as u32, Ordering::Relaxed);
    }
}

/// As [`in_background`], and tells `progress`, if there is one, how many thousandths are done.
///
/// # Errors
/// As [`in_background_with`].
pub fn in_background_told<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Arc<AtomicBool>, &Share) -> T + Send + 'static,
) -> Result<T, PythonError> {
    let share = Share::default();
    let told = share.clone();
    in_background_with(
        py,
        move |stop| work(stop, &told),
        |_| match progress {
            Some(progress) => progress.call1((share.0.load(Ordering::Relaxed),)).map(drop),
            None => Ok(()),
        },
    )
}
