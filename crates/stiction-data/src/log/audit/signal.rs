//! A column other than time.
use super::extreme::MaximumTracker;
use super::quantisation::quantisation_step;
use super::report::{CellCount, Extreme, SignalAudit};
use super::sample::{BlockSample, quantile};
use crate::log::{Chunk, Field};

/// Collects the statistics of a signal.
pub struct SignalAuditor {
    name: String,
    unit: Option<String>,
    missing: CellCount,
    infinite: CellCount,
    count: u64,
    mean: f64,
    /// Sum of squared deviations from the mean.
    squares: f64,
    low: MaximumTracker,
    high: MaximumTracker,
    last: f64,
    increasing: bool,
    sample: BlockSample,
}

impl SignalAuditor {
    pub fn new(field: &Field) -> Self {
        Self {
            name: field.name.clone(),
            unit: field.unit.clone(),
            missing: CellCount::default(),
            infinite: CellCount::default(),
            count: 0,
            mean: 0.0,
            squares: 0.0,
            low: MaximumTracker::default(),
            high: MaximumTracker::default(),
            last: f64::NEG_INFINITY,
            increasing: true,
            sample: BlockSample::default(),
        }
    }
    pub fn take(&mut self, values: &[f64], chunk: &Chunk) {
        for (k, &x) in values.iter().enumerate() {
            self.sample.push(x);
            self.increasing &= x > self.last;
            self.last = x;
            if !x.is_finite() {
                let cells = if x.is_nan() { &mut self.missing } else { &mut self.infinite };
                cells.add(chunk.position(k));
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
    pub fn finish(self) -> SignalAudit {
        let resolution = resolution(&self.sample);
        let extremes = ends(self.low, self.high, &self.sample, resolution);
        let deviation = (self.squares / self.count.saturating_sub(1).max(1) as f64).sqrt();
        SignalAudit {
            name: self.name,
            unit: self.unit,
            missing: self.missing,
            infinite: self.infinite,
            mean: if self.count > 0 { self.mean } else { f64::NAN },
            deviation,
            extremes,
            resolution,
            increasing: self.increasing && self.count > 1,
        }
    }
}

fn resolution(sample: &BlockSample) -> Option<f64> {
    let largest = sample.values().iter().filter(|x| x.is_finite()).fold(0.0_f64, |largest, x| largest.max(x.abs()));
    quantisation_step(&sample.differences(), largest)
}

/// The lowest and the highest value.
fn ends(
    low: MaximumTracker,
    high: MaximumTracker,
    sample: &BlockSample,
    resolution: Option<f64>,
) -> Option<[Extreme; 2]> {
    // changes from one value to the next
    let mut changes: Vec<f64> = sample.differences().iter().map(|d| d.abs()).filter(|d| *d > 0.0).collect();
    changes.sort_by(f64::total_cmp);
    let near = resolution.map_or_else(|| quantile(&changes, 0.5), |step| 2.5 * step);
    let near = if near.is_finite() { near } else { 0.0 };
    let (low, high) = (low.finish(-1.0, near, sample.values()), high.finish(1.0, near, sample.values()));
    low.zip(high).map(|(low, high)| [low, high])
}

/// The lowest and the highest of these values; none if there is no number.
pub fn extremes(values: &[f64]) -> Option<[Extreme; 2]> {
    let (mut low, mut high, mut sample) =
        (MaximumTracker::default(), MaximumTracker::default(), BlockSample::default());
    for &x in values {
        sample.push(x);
        if x.is_finite() {
            low.push(-x);
            high.push(x);
        } else {
            low.gap();
            high.gap();
        }
    }
    let resolution = resolution(&sample);
    ends(low, high, &sample, resolution)
}
