//! The time column.
use super::report::{CellCount, Gaps, SamplingIntervals, TimeAudit};
use super::sample::{BlockSample, quantile};
use crate::log::{Chunk, Field};
use std::collections::BTreeMap;

/// An interval is a gap if it is longer than this many medians.
const GAP_FACTOR: f64 = 1.5;
/// Sampling is uniform if intervals differ by less than this share of the median.
const JITTER_TOLERANCE: f64 = 0.01;
/// Classes of the histogram of intervals per factor of e: fine enough to count gaps.
const BINS_PER_E: f64 = 1000.0;
/// Intervals outside of this range are counted in the first and the last class.
const MIN_INTERVAL: f64 = 1e-15;
const MAX_INTERVAL: f64 = 1e15;

/// Collects the statistics of the time column.
pub struct TimeAuditor {
    name: String,
    unit: Option<String>,
    span: Option<[f64; 2]>,
    sample: BlockSample,
    /// Histogram of the logarithm of the intervals.
    classes: BTreeMap<i32, u64>,
    count: u64,
    range: [f64; 2],
    row: u64,
    repeated: CellCount,
    backwards: CellCount,
    first_step_back: [f64; 2],
    missing: CellCount,
}

impl TimeAuditor {
    pub fn new(field: &Field) -> Self {
        Self {
            name: field.name.clone(),
            unit: field.unit.clone(),
            span: None,
            sample: BlockSample::default(),
            classes: BTreeMap::new(),
            count: 0,
            range: [f64::INFINITY, 0.0],
            row: 0,
            repeated: CellCount::default(),
            backwards: CellCount::default(),
            first_step_back: [0.0; 2],
            missing: CellCount::default(),
        }
    }
    pub fn take(&mut self, values: &[f64], chunk: &Chunk) {
        for (k, &t) in values.iter().enumerate() {
            self.sample.push(t);
            if !t.is_finite() {
                self.missing.add(chunk.position(k));
                continue;
            }
            if let Some([_, last]) = self.span {
                self.interval(t - last, chunk.position(k), [t, last]);
            }
            self.span.get_or_insert([t, t])[1] = t;
        }
    }
    fn interval(&mut self, step: f64, position: (u64, Option<u64>), times: [f64; 2]) {
        if step == 0.0 {
            self.repeated.add(position);
        } else if step < 0.0 {
            if self.backwards.count == 0 {
                self.first_step_back = times;
            }
            self.backwards.add(position);
        } else {
            if step > self.range[1] {
                self.row = position.0;
            }
            self.range = [self.range[0].min(step), self.range[1].max(step)];
            self.count += 1;
            let class = (step.clamp(MIN_INTERVAL, MAX_INTERVAL).ln() * BINS_PER_E).round() as i32;
            *self.classes.entry(class).or_default() += 1;
        }
    }
    pub fn finish(self) -> TimeAudit {
        let mut steps: Vec<f64> = self.sample.differences();
        steps.retain(|step| *step > 0.0);
        steps.sort_by(f64::total_cmp);
        let [median, p5, p95] = [0.5, 0.05, 0.95].map(|share| quantile(&steps, share));
        let span = self.span.unwrap_or([f64::NAN; 2]);
        let whole = self.repeated.count + self.backwards.count == 0;
        let mean = if whole {
            (span[1] - span[0]) / self.count as f64
        } else {
            steps.iter().sum::<f64>() / steps.len() as f64
        };
        let uniform =
            whole && self.count > 0 && self.range.iter().all(|step| (step / median - 1.0).abs() <= JITTER_TOLERANCE);
        let long = ((GAP_FACTOR * median).clamp(MIN_INTERVAL, MAX_INTERVAL).ln() * BINS_PER_E).round() as i32;
        let count = if median.is_finite() { self.classes.range(long..).map(|(_, count)| count).sum() } else { 0 };
        let gaps = Gaps { count, longest: self.range[1], row: self.row };
        let step = SamplingIntervals { median, mean, p5, p95, range: self.range };
        let Self { name, unit, repeated, backwards, first_step_back, missing, .. } = self;
        TimeAudit { name, unit, span, step, uniform, gaps, repeated, backwards, first_step_back, missing }
    }
}
