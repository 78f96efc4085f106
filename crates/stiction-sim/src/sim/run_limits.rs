//! What ends a run before its time: the limits of steps and of computing time, a stop flag, and a lack of progress.
use super::step_size::min_step;
use super::{SimErrorKind, SimulationOptions};
use crate::SimError;
use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Attempts over which progress is measured, rejected steps included: less than a second of computing for a small system. Steps
/// may be as short as this at the start of a run, after an impact or in a fast transient, but then they lengthen.
const PROGRESS_WINDOW: u64 = 1 << 18;
/// Time between two readings of the clock that [`RunLimits`] aims at \[s\]: far below the second within which a run ends,
/// far above the time that a reading takes.
const READING_INTERVAL: Duration = Duration::from_millis(2);
/// Most steps between two readings of the clock.
const MAX_STRIDE: u64 = 1 << 12;

/// A flag that ends runs from outside, for example on Ctrl-C: a run whose options hold it ends after the current step, with
/// what it has, and is not complete. Clones share the flag.
#[derive(Clone, Default)]
pub struct StopFlag(Option<Arc<AtomicBool>>);

impl StopFlag {
    /// The flag that others raise.
    pub fn new(flag: Arc<AtomicBool>) -> Self {
        Self(Some(flag))
    }
    /// Whether the flag is raised.
    pub fn is_raised(&self) -> bool {
        self.0.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

impl Debug for StopFlag {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "StopFlag({})", self.is_raised())
    }
}

/// Flags are equal if they are the same flag.
impl PartialEq for StopFlag {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        }
    }
}

/// The computing time of a run and its limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct ComputingTime {
    began: Instant,
    limit: Option<Duration>,
}

impl ComputingTime {
    pub fn new(max_seconds: f64) -> Self {
        // zero and times beyond what a duration holds: no limit
        let limit = Duration::try_from_secs_f64(max_seconds).ok().filter(|limit| !limit.is_zero());
        Self { began: Instant::now(), limit }
    }
    /// Whether the limit is exceeded `now`.
    pub fn is_over(&self, now: Instant) -> bool {
        self.limit.is_some_and(|limit| now.saturating_duration_since(self.began) > limit)
    }
}

/// Whether a run gets on: the attempts since it was last looked at, and the time then.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ProgressWindow {
    attempts: u64,
    from: f64,
}

impl ProgressWindow {
    /// Begins with `attempts` so far, at time `t`.
    pub fn new(attempts: u64, t: f64) -> Self {
        Self { attempts, from: t }
    }
    /// At time `t`, after this many attempts: why a run to `end` cannot go on, at the end of a window.
    pub fn check(&mut self, attempts: u64, t: f64, end: f64) -> Option<SimErrorKind> {
        let steps = attempts - self.attempts;
        if steps < PROGRESS_WINDOW {
            return None;
        }
        let Self { from, .. } = std::mem::replace(self, Self::new(attempts, t));
        let (mean, remaining) = ((t - from) / steps as f64, end - t);
        // steps that the clock of the run could no longer tell apart at its end
        (remaining > 0.0 && mean < min_step(end)).then_some(SimErrorKind::NoProgress { steps, from, remaining })
    }
}

/// Watches a run from step to step.
#[derive(Clone, Debug)]
pub(super) struct RunLimits {
    max_steps: u64,
    max_seconds: f64,
    end: f64,
    time: ComputingTime,
    /// Calls so far, the call at which the clock is read next, the calls between two readings, and the last reading.
    calls: u64,
    next_reading: u64,
    stride: u64,
    last_reading: Instant,
    progress: ProgressWindow,
}

impl RunLimits {
    pub fn new(options: &SimulationOptions) -> Self {
        let time = ComputingTime::new(options.max_seconds);
        Self {
            max_steps: options.max_steps,
            max_seconds: options.max_seconds,
            end: options.end,
            time,
            calls: 0,
            next_reading: 1,
            stride: 1,
            last_reading: time.began,
            progress: ProgressWindow::new(0, options.start),
        }
    }
    /// Why the run cannot go on after an attempt that ended at `t`, with `steps` accepted so far; none if it can. To be called
    /// after every attempt.
    #[inline]
    pub fn exceeded(&mut self, steps: u64, t: f64) -> Option<SimErrorKind> {
        self.calls += 1;
        let remaining = self.end - t;
        if self.max_steps > 0 && steps >= self.max_steps && remaining > 0.0 {
            return Some(SimErrorKind::MaxSteps { limit: self.max_steps, remaining, busiest: None });
        }
        if self.calls >= self.next_reading { self.look(t, remaining) } else { None }
    }
    /// Fails if the computing time is exceeded, for work within a step at time `t`.
    pub fn check_time(&self, t: f64) -> Result<(), SimError> {
        if self.time.is_over(Instant::now()) {
            let kind = SimErrorKind::MaxSeconds { limit: self.max_seconds, remaining: self.end - t, busiest: None };
            return Err(SimError::Run { t, kind });
        }
        Ok(())
    }
    /// Reads the clock, and compares the time with that at the start of the window.
    #[cold]
    fn look(&mut self, t: f64, remaining: f64) -> Option<SimErrorKind> {
        let now = Instant::now();
        if remaining > 0.0 && self.time.is_over(now) {
            return Some(SimErrorKind::MaxSeconds { limit: self.max_seconds, remaining, busiest: None });
        }
        let spent = now.saturating_duration_since(self.last_reading);
        self.stride = if spent > READING_INTERVAL { self.stride / 2 } else { self.stride * 2 }.clamp(1, MAX_STRIDE);
        (self.last_reading, self.next_reading) = (now, self.calls + self.stride);
        self.progress.check(self.calls, t, self.end)
    }
}

#[cfg(test)]
mod tests {
    use super::{PROGRESS_WINDOW, RunLimits, StopFlag};
    use crate::sim::{SimErrorKind, SimulationOptions};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    fn first_failure(options: &SimulationOptions, step: f64, most: u64) -> Option<(u64, SimErrorKind)> {
        let mut limits = RunLimits::new(options);
        (1..=most).find_map(|n| limits.exceeded(n, n as f64 * step).map(|kind| (n, kind)))
    }

    #[test]
    fn the_step_limit_holds_at_the_step() {
        let options = SimulationOptions { end: 10.0, max_steps: 7, ..SimulationOptions::default() };
        let kind = SimErrorKind::MaxSteps { limit: 7, remaining: 3.0, busiest: None };
        assert_eq!(first_failure(&options, 1.0, 20), Some((7, kind)));
        // reached with the end
        assert_eq!(first_failure(&options, 2.0, 20), None);
    }

    #[test]
    fn the_time_limit_holds() {
        let options = SimulationOptions { end: 1e9, max_seconds: 1e-9, ..SimulationOptions::default() };
        assert!(matches!(first_failure(&options, 1.0, 1 << 16), Some((_, SimErrorKind::MaxSeconds { .. }))));
    }

    #[test]
    fn steps_that_do_not_count_at_the_end_are_no_progress() {
        let options = SimulationOptions { end: 1e20, max_seconds: 0.0, ..SimulationOptions::default() };
        // 16 units in the last place of 1e20 are 3.6e5
        let found = first_failure(&options, 1e5, 3 * PROGRESS_WINDOW);
        assert!(matches!(found, Some((n, SimErrorKind::NoProgress { .. })) if n < 2 * PROGRESS_WINDOW), "{found:?}");
        assert_eq!(first_failure(&options, 1e6, 3 * PROGRESS_WINDOW), None);
    }

    #[test]
    fn clones_of_a_flag_share_it() {
        let raised = Arc::new(AtomicBool::new(false));
        let flag = StopFlag::new(raised.clone());
        let other = flag.clone();
        raised.store(true, Ordering::Relaxed);
        assert!(other.is_raised() && other == flag && other != StopFlag::default() && !StopFlag::default().is_raised());
    }
}
