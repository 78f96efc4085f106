//! Log of the steps of the tour: a line for each on stderr, with the time it took.
use crate::progress::{Activity, above_bars};
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Reports steps.
pub struct StepLog {
    of: usize,
    done: usize,
    begin: Instant,
}

impl StepLog {
    /// A log for this number of steps.
    pub fn new(of: usize) -> Self {
        Self { of, done: 0, begin: Instant::now() }
    }
    /// Runs a step: `what` is shown meanwhile, and the `summary` of the result afterwards.
    pub fn step<T, E>(
        &mut self,
        what: &str,
        work: impl FnOnce() -> Result<T, E>,
        summary: impl FnOnce(&T) -> String,
    ) -> Result<T, E> {
        self.done += 1;
        let head = format!("{}/{} {what}", self.done, self.of);
        let activity = Activity::new(&head);
        let begin = Instant::now();
        let done = work();
        drop(activity);
        if let Ok(done) = &done {
            let line = format!("{head}: {} ({:.1} s)", summary(done), begin.elapsed().as_secs_f64());
            let _ = above_bars(|| writeln!(io::stderr(), "{line}"));
        }
        done
    }
    /// Time since the beginning.
    pub fn spent(&self) -> Duration {
        self.begin.elapsed()
    }
}
