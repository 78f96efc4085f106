//! Progress of long computations: a bar on a terminal, after a second; where stderr is not a terminal, a line a
//! minute, or every so many seconds as the variable `STICTION_PROGRESS_SECONDS` says.
//!
//! `indicatif` draws; the remaining time is estimated here, because after `--resume` only the points of this process
//! count for the rate.
use crate::stream;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex};
use std::time::{Duration, Instant};
use stiction::printable;

/// Time before a bar is shown.
const BAR_DELAY: Duration = Duration::from_secs(1);
/// Time between two drawings of the bar.
const REDRAW_INTERVAL: Duration = Duration::from_millis(100);
/// Time between two lines in a log: a minute, or what the environment says.
static LOG_INTERVAL: LazyLock<Duration> = LazyLock::new(|| {
    let given = std::env::var("STICTION_PROGRESS_SECONDS").ok().and_then(|text| text.parse::<f64>().ok());
    let seconds = given.filter(|seconds| (0.1..=86400.0).contains(seconds));
    Duration::from_secs_f64(seconds.unwrap_or(60.0))
});
/// Steps of a simulation between two checks of the clock.
const STEPS_PER_CHECK: u32 = 64;
/// Length of a bar that shows a fraction.
const BAR_LENGTH: u64 = 1000;

/// All bars of this process, one below the other; other lines on stderr are printed above them.
static BARS: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// Writes to stderr above the bars.
pub fn above_bars<T>(write: impl FnOnce() -> T) -> T {
    BARS.suspend(write)
}

/// Progress of a computation. Any thread may report.
pub struct Progress {
    bar: ProgressBar,
    span: (f64, f64),
    /// Points done by an earlier process, by this one, and in all.
    before: u64,
    done: AtomicU64,
    of: u64,
    calls: AtomicU32,
    begin: Instant,
    next: Mutex<Instant>,
    terminal: bool,
}

impl Progress {
    fn new(span: (f64, f64), before: u64, of: u64, template: &str) -> Self {
        let begin = Instant::now();
        let terminal = io::stderr().is_terminal();
        let bar = ProgressBar::with_draw_target(Some(BAR_LENGTH), ProgressDrawTarget::hidden());
        // a template that is wrong shows the default bar
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style.progress_chars("##."));
        let next = Mutex::new(begin + if terminal { BAR_DELAY } else { *LOG_INTERVAL });
        let (done, calls) = (AtomicU64::new(0), AtomicU32::new(0));
        Self { bar, span, before, done, of, calls, begin, next, terminal }
    }
    /// Of a simulation from `start` to `end`, see [`Progress::at`].
    pub fn of_time(start: f64, end: f64) -> Self {
        Self::new((start, end), 0, 0, "[{bar:30}] {percent:>3} %{msg}")
    }
    /// Of work that reports fractions, see [`Progress::show`].
    pub fn of_fraction() -> Self {
        Self::of_time(0.0, 1.0)
    }
    /// Of so many points, some of them done by an earlier process, see [`Progress::count_point`].
    pub fn of_points(of: u64, before: u64) -> Self {
        Self::new((0.0, 1.0), before, of, "[{bar:30}] {percent:>3} % {msg}")
    }
    /// Of so many named items, see [`Progress::count_item`]: on a terminal only.
    pub fn of_items(of: usize) -> Self {
        Self::new((0.0, 1.0), 0, of as u64, "{msg}")
    }
    /// The simulation is at `t`.
    pub fn at(&self, t: f64) {
        if self.calls.fetch_add(1, Ordering::Relaxed) % STEPS_PER_CHECK == STEPS_PER_CHECK - 1 {
            self.show((t - self.span.0) / (self.span.1 - self.span.0));
        }
    }
    /// This fraction of the work is done.
    pub fn show(&self, fraction: f64) {
        if let Some(spent) = self.due() {
            let done = fraction.clamp(0.0, 1.0);
            let spent = spent.as_secs_f64();
            if self.terminal { self.draw(done, time_left(done, spent)) } else { stream::note(log_line(done, spent)) }
        }
    }
    /// One more point is done.
    pub fn count_point(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(spent) = self.due() {
            let text = points_line(self.before, done, self.of, spent);
            let fraction = (self.before + done) as f64 / self.of as f64;
            if self.terminal { self.draw(fraction, text) } else { stream::note(text) }
        }
    }
    /// One more item is done, and what it was.
    pub fn count_item(&self, what: &str) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if self.terminal {
            self.draw(done as f64 / self.of as f64, format!("{done} of {}: {}", self.of, printable(what)));
        }
    }
    /// Time since the beginning, if it is time to show something.
    fn due(&self) -> Option<Duration> {
        let now = Instant::now();
        // another thread is showing the progress already
        let mut next = self.next.try_lock().ok().filter(|next| now >= **next)?;
        *next = now + if self.terminal { REDRAW_INTERVAL } else { *LOG_INTERVAL };
        Some(now - self.begin)
    }
    fn draw(&self, fraction: f64, text: String) {
        if self.bar.is_hidden() {
            BARS.add(self.bar.clone());
        }
        self.bar.set_message(text);
        self.bar.set_position((fraction * BAR_LENGTH as f64) as u64);
    }
    /// Removes the bar; how long the work took.
    pub fn end(&self) -> Duration {
        self.bar.finish_and_clear();
        self.begin.elapsed()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A line that shows what is being done, until it is dropped: on a terminal only.
pub struct Activity(ProgressBar);

impl Activity {
    /// Shows `what`.
    pub fn new(what: &str) -> Self {
        let style = ProgressStyle::with_template("{msg} ...").unwrap_or_else(|_| ProgressStyle::default_spinner());
        let bar = BARS.add(ProgressBar::new_spinner().with_style(style));
        bar.set_message(what.to_owned());
        bar.tick();
        Self(bar)
    }
}

impl Drop for Activity {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

fn log_line(done: f64, spent: f64) -> String {
    format!("{:.0} % done after {}{}", 100.0 * done, time(spent), time_left(done, spent))
}

fn time_left(done: f64, spent: f64) -> String {
    if done > 0.0 { format!(", {} left", time(spent * (1.0 - done) / done)) } else { String::new() }
}

fn points_line(before: u64, done: u64, of: u64, spent: Duration) -> String {
    let all = before + done;
    let rate = done as f64 / spent.as_secs_f64();
    let left = time(of.saturating_sub(all) as f64 / rate);
    let rate = if rate < 10.0 { format!("{rate:.1}") } else { format!("{rate:.0}") };
    format!("{all} of {of} points, {rate}/s, {left} left")
}

/// A waiting time: `90 s`, `40 min`, `7 h`.
fn time(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.0} h", s / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::{log_line, points_line, time_left};
    use std::time::Duration;

    #[test]
    fn says_how_far_and_how_long() {
        assert_eq!((time_left(0.5, 2.0), time_left(0.0, 2.0)), (", 2 s left".to_owned(), String::new()));
        assert_eq!(
            (time_left(0.5, 600.0), time_left(0.1, 3600.0)),
            (", 10 min left".to_owned(), ", 9 h left".to_owned())
        );
        assert_eq!(log_line(0.25, 60.0), "25 % done after 60 s, 3 min left");
    }

    #[test]
    fn time_left_is_at_the_rate_of_this_process() {
        // 100 in 10 s, 100 to go
        assert_eq!(points_line(200, 100, 400, Duration::from_secs(10)), "300 of 400 points, 10/s, 10 s left");
    }
}
