//! What the tour is at: a line for each step, on stderr, with the time it took.
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Tells of steps.
pub struct Progress {
    of: usize,
    done: usize,
    begin: Instant,
    terminal: bool,
}

impl Progress {
    /// So many steps.
    pub fn new(of: usize) -> Self {
        Self { of, done: 0, begin: Instant::now(), terminal: io::stderr().is_terminal() }
    }
    /// A step: what it is while it goes on, and what came of it.
    pub fn step<T, E>(
        &mut self,
        what: &str,
        work: impl FnOnce() -> Result<T, E>,
        said: impl FnOnce(&T) -> String,
    ) -> Result<T, E> {
        self.done += 1;
        let head = format!("{}/{} {what}", self.done, self.of);
        if self.terminal {
            let _ = write!(io::stderr(), "{head} ...\r");
        }
        let begin = Instant::now();
        let done = work();
        if self.terminal {
            let _ = write!(io::stderr(), "\x1b[K");
        }
        if let Ok(done) = &done {
            let _ = writeln!(io::stderr(), "{head}: {} ({:.1} s)", said(done), begin.elapsed().as_secs_f64());
        }
        done
    }
    /// Time since the beginning.
    pub fn spent(&self) -> Duration {
        self.begin.elapsed()
    }
}
