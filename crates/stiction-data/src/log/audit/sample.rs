//! Some of many values: whole blocks, evenly spread.

/// Values of a column up to which all are kept.
pub const KEEP: usize = 1 << 17;
/// Neighbours that stay together.
const BLOCK: usize = 64;

/// Blocks of values; every `stride`th block of the column.
#[derive(Default)]
pub struct Sample {
    values: Vec<f64>,
    seen: usize,
    /// One less than the stride.
    skipped: usize,
}

impl Sample {
    /// The next value.
    pub fn push(&mut self, value: f64) {
        let block = self.seen / BLOCK;
        self.seen = self.seen.wrapping_add(1);
        if !block.is_multiple_of(self.skipped + 1) {
            return;
        }
        if self.values.len() == KEEP {
            // every other block goes
            let mut at = 0;
            self.values.retain(|_| {
                at += 1;
                ((at - 1) / BLOCK).is_multiple_of(2)
            });
            self.skipped = 2 * self.skipped + 1;
            if !block.is_multiple_of(self.skipped + 1) {
                return;
            }
        }
        self.values.push(value);
    }
    /// All that was kept.
    pub fn values(&self) -> &[f64] {
        &self.values
    }
    /// Finite differences of neighbours.
    pub fn differences(&self) -> Vec<f64> {
        // without gaps the blocks are one
        let block = if self.skipped == 0 { self.values.len().max(1) } else { BLOCK };
        let pairs = self.values.chunks(block).flat_map(|block| block.windows(2));
        pairs.map(|pair| pair[1] - pair[0]).filter(|d| d.is_finite()).collect()
    }
}

/// The value below which this share of the sorted values lies.
pub fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * sorted.len().saturating_sub(1) as f64;
    let (below, part) = (place.floor() as usize, place.fract());
    match (sorted.get(below), sorted.get(below + 1)) {
        (Some(a), Some(b)) => a + part * (b - a),
        (Some(a), None) => *a,
        _ => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, KEEP, Sample, quantile};

    #[test]
    fn blocks_stay_together_and_spread_evenly() {
        let mut sample = Sample::default();
        (0..5 * KEEP).for_each(|k| sample.push(k as f64));
        assert!(sample.values().len() <= KEEP && sample.values().len() > KEEP / 2);
        // the count is the clock: within a block it advances by one
        assert!(sample.differences().iter().all(|d| *d == 1.0));
        let starts: Vec<f64> = sample.values().chunks(BLOCK).map(|block| block[0]).collect();
        let step = starts[1] - starts[0];
        assert!(starts.windows(2).all(|pair| pair[1] - pair[0] == step));
        assert!(5.0 * KEEP as f64 - starts[starts.len() - 1] <= step);
    }

    #[test]
    fn quantiles_of_few() {
        assert_eq!(quantile(&[1.0, 2.0, 3.0], 0.5), 2.0);
        assert_eq!(quantile(&[1.0, 2.0], 0.5), 1.5);
        assert_eq!(quantile(&[7.0], 0.95), 7.0);
        assert!(quantile(&[], 0.5).is_nan());
    }
}
