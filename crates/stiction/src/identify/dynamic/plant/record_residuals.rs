//! The residuals of all records, and of prior knowledge after them.
use super::bound_record::BoundRecord;
use super::correlation::variance_inflation;
use super::free_parameters::PriorResiduals;
use crate::fit::NoiseModel;
use crate::parallel;

/// Residuals of records: simulated less measured values, relative to the scale of each matched column, record by record and
/// column by column; then those of the priors.
pub(super) struct ResidualsOfRecords<'a> {
    bounds: &'a [BoundRecord<'a>],
    scales: &'a [f64],
    priors: &'a PriorResiduals,
    /// Number of residuals of all records.
    pub data: usize,
    /// Number of residuals of each record.
    pub lengths: Vec<usize>,
}

impl<'a> ResidualsOfRecords<'a> {
    pub fn new(bounds: &'a [BoundRecord<'a>], scales: &'a [f64], priors: &'a PriorResiduals) -> Self {
        let lengths: Vec<usize> = bounds.iter().map(|bound| bound.t.len() * scales.len()).collect();
        Self { bounds, scales, priors, data: lengths.iter().sum(), lengths }
    }
    pub fn count(&self) -> usize {
        self.data + self.priors.count()
    }
    /// The residuals of the records; NaN where a simulation fails.
    pub fn at(&self, q: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.count()];
        self.write(q, 0.0, &mut out);
        out
    }
    /// The residuals of the records if all inputs came later by `delay` \[s\]; NaN where a simulation fails.
    pub fn at_delay(&self, q: &[f64], delay: f64) -> Vec<f64> {
        let mut out = vec![0.0; self.data];
        self.write_data(q, delay, &mut out);
        out
    }
    /// The residuals of records and priors, the latter times `weight`.
    pub fn write(&self, q: &[f64], weight: f64, out: &mut [f64]) {
        let (data, known) = out.split_at_mut(self.data);
        self.priors.write(q, weight, known);
        self.write_data(q, 0.0, data);
    }
    fn write_data(&self, q: &[f64], delay: f64, data: &mut [f64]) {
        let runs = parallel::map(self.bounds, |bound| bound.simulate_delayed(q, delay));
        let mut rows = data.iter_mut();
        for (run, length) in runs.into_iter().zip(&self.lengths) {
            let Ok(outcome) = run else {
                rows.by_ref().take(*length).for_each(|row| *row = f64::NAN);
                continue;
            };
            for ((model, measured), scale) in outcome.model.iter().zip(&outcome.measured).zip(self.scales) {
                for (a, b) in model.iter().zip(measured) {
                    if let Some(row) = rows.next() {
                        *row = (a - b) / scale;
                    }
                }
            }
        }
    }
    /// Every record and matched column begins a new series, and so do the priors.
    pub fn separate(&self, noise: &mut NoiseModel) {
        let NoiseModel::Correlated { breaks, .. } = noise else { return };
        if !breaks.is_empty() {
            return;
        }
        let mut at = 0;
        for length in &self.lengths {
            for _ in self.scales {
                at += length / self.scales.len();
                breaks.push(at);
            }
        }
        breaks.retain(|at| *at < self.count());
    }
    /// The weight of a standard deviation of prior knowledge against the residuals: σ √(1 + 2 Σρ).
    pub fn weight(&self, residual: &[f64]) -> f64 {
        let data = &residual[..self.data.min(residual.len())];
        let mut series: Vec<&[f64]> = Vec::new();
        let mut at = 0;
        for length in &self.lengths {
            let each = length / self.scales.len().max(1);
            for _ in self.scales {
                series.extend(data.get(at..at + each));
                at += each;
            }
        }
        let square = data.iter().map(|r| r * r).sum::<f64>() / data.len().max(1) as f64;
        let weight = (square * variance_inflation(&series)).sqrt();
        if weight > 0.0 && weight.is_finite() { weight } else { 1.0 }
    }
}
