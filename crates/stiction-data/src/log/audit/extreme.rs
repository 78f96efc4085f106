//! The lowest or highest value of a signal, found in one pass.
use super::report::Extreme;

/// Consecutive repetitions, and repetitions in all, that suggest saturation.
const MIN_CONSECUTIVE: u64 = 4;
const MIN_REPETITIONS: u64 = 8;
/// At saturation there are this many times more values than just inside.
const SATURATION_RATIO: u64 = 3;

/// Tracks the highest value; the lowest is that of the negated signal.
#[derive(Default)]
pub struct MaximumTracker {
    value: Option<f64>,
    count: u64,
    run: u64,
    longest: u64,
}

impl MaximumTracker {
    pub fn push(&mut self, x: f64) {
        match self.value {
            Some(value) if x < value => self.run = 0,
            Some(value) if x == value => {
                self.count += 1;
                self.run += 1;
            }
            _ => *self = Self { value: Some(x), count: 1, run: 1, longest: 1 },
        }
        self.longest = self.longest.max(self.run);
    }
    /// A missing number ends a run of repetitions.
    pub fn gap(&mut self) {
        self.run = 0;
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
        Some(Extreme { value: sign * value, count: self.count, longest: self.longest, saturated })
    }
}
