//! The lowest or highest value, as values pass.
use super::report::Extreme;

/// Repetitions in a row, and in all, that make one think of a limit.
const REPEATED: u64 = 4;
const OFTEN: u64 = 8;
/// At a limit there are so many times more values than just within.
const CROWDED: u64 = 3;

/// Follows the highest value; the lowest is that of the negative.
#[derive(Default)]
pub struct Top {
    value: Option<f64>,
    count: u64,
    run: u64,
    longest: u64,
}

impl Top {
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
    /// Interrupted by a missing number.
    pub fn gap(&mut self) {
        self.run = 0;
    }
    /// `near` is how far below the top a value counts as just within; `sample` are values, with `sign` times them looked
    /// at.
    pub fn finish(self, sign: f64, near: f64, sample: &[f64]) -> Option<Extreme> {
        let value = self.value?;
        let count = |range: std::ops::RangeInclusive<f64>| {
            sample.iter().filter(|x| range.contains(&(sign * **x))).count() as u64
        };
        // the top itself is not within
        let (at, within) = (count(value..=value), count(value - near..=value.next_down()));
        let saturated = self.longest >= REPEATED && self.count >= OFTEN && at > CROWDED * within;
        Some(Extreme { value: sign * value, count: self.count, longest: self.longest, saturated })
    }
}
