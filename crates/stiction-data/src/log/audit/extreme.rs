//! The lowest or highest value of a signal, found in one pass.
use super::report::Extreme;

/// Consecutive repetitions, and repetitions in all, that suggest saturation.
const MIN_CONSECUTIVE: u64 = 4;
const MIN_REPETITIONS: u64 = 8;
/// At saturation there are this many times more values than just inside.
const SATURATION_RATIO: u64 = 3;

/// A signal without noise that is cut off rises to the value before each run of repetitions; of one that is all noise, three values in a row
/// rise once in six times. One that switches between levels never does so.
const RUNS_PER_RISE: u64 = 8;

/// Tracks the highest value; the lowest is that of the negated signal.
pub struct MaximumTracker {
    value: Option<f64>,
    count: u64,
    run: u64,
    longest: u64,
    /// Runs of repetitions after three values below, and those that these three rise to.
    runs: u64,
    rises: u64,
    /// The last three values, the latest first; NaN where there are none.
    before: [f64; 3],
}

impl Default for MaximumTracker {
    fn default() -> Self {
        Self { value: None, count: 0, run: 0, longest: 0, runs: 0, rises: 0, before: [f64::NAN; 3] }
    }
}

impl MaximumTracker {
    pub fn push(&mut self, x: f64) {
        match self.value {
            Some(value) if x < value => self.run = 0,
            Some(value) if x == value => {
                self.count += 1;
                self.run += 1;
                if self.run == 1 {
                    self.enter(x);
                }
            }
            _ => {
                *self = Self { value: Some(x), count: 1, run: 1, longest: 1, runs: 0, rises: 0, before: self.before };
                self.enter(x);
            }
        }
        self.longest = self.longest.max(self.run);
        self.before = [x, self.before[0], self.before[1]];
    }
    /// Counts a run of repetitions of `x`, if the three values before are below it.
    fn enter(&mut self, x: f64) {
        if self.before.iter().all(|before| *before < x) {
            let [last, second, third] = self.before;
            self.runs += 1;
            self.rises += u64::from(last > second && second > third);
        }
    }
    /// A missing number ends a run of repetitions.
    pub fn gap(&mut self) {
        self.run = 0;
        self.before = [f64::NAN; 3];
    }
    /// `near` is the distance below the maximum within which a value counts as just inside; `sample` are values of the signal,
    /// multiplied with `sign` here.
    pub fn finish(self, sign: f64, near: f64, sample: &[f64]) -> Option<Extreme> {
        let value = self.value?;
        let count = |range: std::ops::RangeInclusive<f64>| {
            sample.iter().filter(|x| range.contains(&(sign * **x))).count() as u64
        };
        // the maximum itself is not inside
        let (at, within) = (count(value..=value), count(value - near..=value.next_down()));
        let saturated =
            self.longest >= MIN_CONSECUTIVE && self.count >= MIN_REPETITIONS && at > SATURATION_RATIO * within;
        let gradual = self.rises > 0 && self.rises * RUNS_PER_RISE >= self.runs;
        Some(Extreme { value: sign * value, count: self.count, longest: self.longest, saturated, gradual })
    }
}
