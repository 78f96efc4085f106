//! How many points are done, at what rate, and how long it still takes: a bar on the terminal, or now and then a line in a
//! log.
use crate::run::progress::{LOG, PACE, PATIENCE, picture, time};
use crate::stream;
use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A bar that any thread may move on.
pub struct Bar {
    of: u64,
    /// Done by an earlier process, and by this one.
    before: u64,
    done: AtomicU64,
    begin: Instant,
    next: Mutex<Instant>,
    terminal: bool,
}

impl Bar {
    /// So many points, some of them done already.
    pub fn new(of: u64, before: u64) -> Self {
        let begin = Instant::now();
        let terminal = io::stderr().is_terminal();
        let first = begin + if terminal { PATIENCE } else { LOG };
        Self { of, before, done: AtomicU64::new(0), begin, next: Mutex::new(first), terminal }
    }
    /// One more is done.
    pub fn tick(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let now = Instant::now();
        // who finds another at it has nothing to add
        if let Ok(mut next) = self.next.try_lock()
            && now >= *next
        {
            let text = self.text(done, now - self.begin);
            if self.terminal {
                *next = now + PACE;
                let part = (self.before + done) as f64 / self.of as f64;
                let _ = write!(io::stderr(), "\r{} {text}\x1b[K", picture(part));
            } else {
                *next = now + LOG;
                stream::note(text);
            }
        }
    }
    fn text(&self, done: u64, spent: Duration) -> String {
        let all = self.before + done;
        let rate = done as f64 / spent.as_secs_f64();
        let left = time(self.of.saturating_sub(all) as f64 / rate);
        let rate = if rate < 10.0 { format!("{rate:.1}") } else { format!("{rate:.0}") };
        format!("{all} of {} points, {rate}/s, {left} left", self.of)
    }
    /// Takes the bar away.
    pub fn end(&self) -> Duration {
        if self.terminal {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
        self.begin.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::Bar;
    use std::time::Duration;

    #[test]
    fn time_left_is_at_the_rate_of_this_process() {
        // 100 in 10 s, 100 to go
        let text = Bar::new(400, 200).text(100, Duration::from_secs(10));
        assert_eq!(text, "300 of 400 points, 10/s, 10 s left");
    }
}
