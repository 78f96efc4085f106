//! A column that is not time.
use super::extreme::Top;
use super::quantum::quantum;
use super::report::{Cells, Signal};
use super::sample::{Sample, quantile};
use crate::log::{Chunk, Field};

/// Watches a signal.
pub struct Watch {
    name: String,
    unit: Option<String>,
    missing: Cells,
    infinite: Cells,
    count: u64,
    mean: f64,
    /// Sum of squared deviations from the mean.
    squares: f64,
    low: Top,
    high: Top,
    last: f64,
    rising: bool,
    sample: Sample,
}

impl Watch {
    pub fn new(field: &Field) -> Self {
        Self {
            name: field.name.clone(),
            unit: field.unit.clone(),
            missing: Cells::default(),
            infinite: Cells::default(),
            count: 0,
            mean: 0.0,
            squares: 0.0,
            low: Top::default(),
            high: Top::default(),
            last: f64::NEG_INFINITY,
            rising: true,
            sample: Sample::default(),
        }
    }
    pub fn take(&mut self, values: &[f64], chunk: &Chunk) {
        for (k, &x) in values.iter().enumerate() {
            self.sample.push(x);
            self.rising &= x > self.last;
            self.last = x;
            if !x.is_finite() {
                let cells = if x.is_nan() { &mut self.missing } else { &mut self.infinite };
                cells.add(chunk.place(k));
                self.low.gap();
                self.high.gap();
                continue;
            }
            // Welford's recursion: no cancellation however far the mean is from zero
            self.count += 1;
            let before = x - self.mean;
            self.mean += before / self.count as f64;
            self.squares += before * (x - self.mean);
            self.low.push(-x);
            self.high.push(x);
        }
    }
    pub fn finish(self) -> Signal {
        let values = self.sample.values();
        let differences = self.sample.differences();
        let largest = values.iter().filter(|x| x.is_finite()).fold(0.0_f64, |largest, x| largest.max(x.abs()));
        let quantum = quantum(&differences, largest);
        // how far a signal moves from one value to the next
        let mut moves: Vec<f64> = differences.iter().map(|d| d.abs()).filter(|d| *d > 0.0).collect();
        moves.sort_by(f64::total_cmp);
        let near = quantum.map_or_else(|| quantile(&moves, 0.5), |step| 2.5 * step);
        let near = if near.is_finite() { near } else { 0.0 };
        let (low, high) = (self.low.finish(-1.0, near, values), self.high.finish(1.0, near, values));
        let deviation = (self.squares / self.count.saturating_sub(1).max(1) as f64).sqrt();
        Signal {
            name: self.name,
            unit: self.unit,
            missing: self.missing,
            infinite: self.infinite,
            mean: if self.count > 0 { self.mean } else { f64::NAN },
            deviation,
            ends: low.zip(high).map(|(low, high)| [low, high]),
            quantum,
            rising: self.rising && self.count > 1,
        }
    }
}
