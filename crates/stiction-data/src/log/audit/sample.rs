//! A sample of many values: blocks of consecutive values, evenly spread.

/// Up to this many values of a column, all are kept.
pub const SAMPLE_ROWS: usize = 1 << 17;
/// Consecutive values of a block.
const BLOCK: usize = 64;

/// Blocks of values; every `stride`th block of the column.
#[derive(Default)]
pub struct BlockSample {
    values: Vec<f64>,
    seen: usize,
    /// One less than the stride.
    skipped: usize,
}

impl BlockSample {
    /// The next value.
    pub fn push(&mut self, value: f64) {
        let block = self.seen / BLOCK;
        self.seen = self.seen.wrapping_add(1);
        if !block.is_multiple_of(self.skipped + 1) {
            return;
        }
        if self.values.len() == SAMPLE_ROWS {
            // drop every other block
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
    /// The values kept.
    pub fn values(&self) -> &[f64] {
        &self.values
    }
    /// Finite differences of consecutive values.
    pub fn differences(&self) -> Vec<f64> {
        // if no block was dropped, all are one
        let block = if self.skipped == 0 { self.values.len().max(1) } else { BLOCK };
        let pairs = self.values.chunks(block).flat_map(|block| block.windows(2));
        pairs.map(|pair| pair[1] - pair[0]).filter(|d| d.is_finite()).collect()
    }
}

/// The quantile of sorted values, by linear interpolation.
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
    use super::{BLOCK, BlockSample, SAMPLE_ROWS, quantile};

    #[test]
    fn blocks_stay_together_and_spread_evenly() {
        let mut sample = BlockSample::default();
        (0..5 * SAMPLE_ROWS).for_each(|k| sample.push(k as f64));
        assert!(sample.values().len() <= SAMPLE_ROWS && sample.values().len() > SAMPLE_ROWS / 2);
        // the count is the clock: within a block it advances by one
        assert!(sample.differences().iter().all(|d| *d == 1.0));
        let starts: Vec<f64> = sample.values().chunks(BLOCK).map(|block| block[0]).collect();
        let step = starts[1] - starts[0];
        assert!(starts.windows(2).all(|pair| pair[1] - pair[0] == step));
        assert!(5.0 * SAMPLE_ROWS as f64 - starts[starts.len() - 1] <= step);
    }

    #[test]
    fn quantiles_of_few() {
        assert_eq!(quantile(&[1.0, 2.0, 3.0], 0.5), 2.0);
        assert_eq!(quantile(&[1.0, 2.0], 0.5), 1.5);
        assert_eq!(quantile(&[7.0], 0.95), 7.0);
        assert!(quantile(&[], 0.5).is_nan());
    }
}
