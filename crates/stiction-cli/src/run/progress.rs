//! How far a run has come, for somebody who waits: a bar on the terminal, after a second; in a log a line a minute.
use crate::stream;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// A shorter run needs no bar.
pub const PATIENCE: Duration = Duration::from_secs(1);
/// Time between two pictures of the bar.
pub const PACE: Duration = Duration::from_millis(100);
/// Time between two lines in a log.
pub const LOG: Duration = Duration::from_secs(60);
/// Steps between two looks at the clock.
const STEPS: u32 = 64;
const WIDTH: usize = 30;

/// A bar that shows the time of the run between its ends.
pub struct Progress {
    span: (f64, f64),
    begin: Instant,
    next: Instant,
    steps: u32,
    terminal: bool,
    shown: bool,
}

impl Progress {
    /// A bar for a run from `start` to `end`.
    pub fn new(start: f64, end: f64) -> Self {
        let begin = Instant::now();
        let terminal = io::stderr().is_terminal();
        let next = begin + if terminal { PATIENCE } else { LOG };
        Self { span: (start, end), begin, next, steps: 0, terminal, shown: false }
    }
    /// The run is at `t`.
    pub fn at(&mut self, t: f64) {
        self.steps = (self.steps + 1) % STEPS;
        if self.steps != 0 {
            return;
        }
        let now = Instant::now();
        if now >= self.next {
            self.next = now + if self.terminal { PACE } else { LOG };
            let done = ((t - self.span.0) / (self.span.1 - self.span.0)).clamp(0.0, 1.0);
            let spent = (now - self.begin).as_secs_f64();
            if self.terminal {
                self.shown = true;
                let _ = write!(io::stderr(), "\r{}\x1b[K", bar(done, spent));
            } else {
                stream::note(line(done, spent));
            }
        }
    }
    /// A part of the work is done; each call takes long enough for a look at the clock.
    pub fn show(&mut self, part: f64) {
        self.steps = STEPS - 1;
        self.at(self.span.0 + part * (self.span.1 - self.span.0));
    }
    /// Takes the bar away.
    pub fn end(&mut self) -> Duration {
        if self.shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
            self.shown = false;
        }
        self.begin.elapsed()
    }
}

fn bar(done: f64, spent: f64) -> String {
    picture(done) + &left(done, spent)
}

/// The same in a log.
fn line(done: f64, spent: f64) -> String {
    format!("{:.0} % done after {}{}", 100.0 * done, time(spent), left(done, spent))
}

fn left(done: f64, spent: f64) -> String {
    if done > 0.0 { format!(", {} left", time(spent * (1.0 - done) / done)) } else { String::new() }
}

/// The bar itself.
pub fn picture(done: f64) -> String {
    let full = (done * WIDTH as f64) as usize;
    format!("[{}{}] {:3.0} %", "#".repeat(full), ".".repeat(WIDTH - full), 100.0 * done)
}

/// A time that somebody waits: `90 s`, `40 min`, `7 h`.
pub fn time(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.0} h", s / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::{bar, line};

    #[test]
    fn shows_how_far_and_how_long() {
        assert_eq!(bar(0.5, 2.0), "[###############...............]  50 %, 2 s left");
        assert_eq!(bar(0.0, 2.0), "[..............................]   0 %");
        assert_eq!(line(0.25, 60.0), "25 % done after 60 s, 3 min left");
        assert!(bar(1.0, 2.0).ends_with("100 %, 0 s left"));
        assert!(bar(0.5, 600.0).ends_with("10 min left") && bar(0.1, 3600.0).ends_with("9 h left"));
    }
}
