//! How many of several things are done, for somebody who waits: a line on the terminal.
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts up to a number.
pub struct Tally {
    of: usize,
    done: AtomicUsize,
    terminal: bool,
}

impl Tally {
    /// Nothing of so many is done.
    pub fn new(of: usize) -> Self {
        Self { of, done: AtomicUsize::new(0), terminal: io::stderr().is_terminal() }
    }
    /// One more, and what it was.
    pub fn count(&self, what: &str) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if self.terminal {
            // the last one takes the line away
            let line = if done < self.of { format!("{done} of {}: {what}", self.of) } else { String::new() };
            let _ = write!(io::stderr(), "\r{line}\x1b[K");
        }
    }
}
