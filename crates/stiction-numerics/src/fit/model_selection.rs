//! Which model: information criteria, and records left out in blocks.
use super::noise::effective_samples;
use crate::NumericsError;
use std::ops::Range;

/// What a choice between models of one set of data needs: the least is the best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InformationCriteria {
    /// Akaike's criterion, with the variance of the noise counted as a parameter.
    pub aic: f64,
    /// The same, corrected for few samples.
    pub aicc: f64,
    /// Schwarz's criterion: dearer parameters.
    pub bic: f64,
    /// Schwarz's criterion with as many samples as the residuals are worth: noise that remembers would make every
    /// parameter look like news.
    pub bic_effective: f64,
    /// How many independent samples the residuals are worth.
    pub effective: f64,
}

impl InformationCriteria {
    /// From residuals and the number of parameters that were fitted to them.
    pub fn new(residual: &[f64], parameters: usize) -> Self {
        let (n, k) = (residual.len() as f64, parameters as f64 + 1.0);
        let mean = residual.iter().map(|r| r * r).sum::<f64>() / n;
        // −2 ln L per sample, at the variance that makes it least
        let each = (std::f64::consts::TAU * mean).ln() + 1.0;
        let effective = effective_samples(residual);
        let aic = n * each + 2.0 * k;
        Self {
            aic,
            aicc: aic + 2.0 * k * (k + 1.0) / (n - k - 1.0),
            bic: n * each + k * n.ln(),
            bic_effective: effective * each + k * effective.ln(),
            effective,
        }
    }
}

impl InformationCriteria {
    /// Schwarz's criterion with a number of samples that all models which are compared have in common.
    pub fn schwarz(residual: &[f64], parameters: usize, samples: f64) -> f64 {
        let mean = residual.iter().map(|r| r * r).sum::<f64>() / residual.len() as f64;
        samples * ((std::f64::consts::TAU * mean).ln() + 1.0) + (parameters as f64 + 1.0) * samples.ln()
    }
}

/// Samples to fit to, and samples to judge by.
#[derive(Clone, Debug, PartialEq)]
pub struct Fold {
    /// For the fit: what is before and what is after the others; either may be empty.
    pub train: [Range<usize>; 2],
    /// Left out.
    pub test: Range<usize>,
}

/// Splits of `n` samples into `folds` blocks, each left out once. `gap` samples on either side of it are left out of the fit,
/// so that noise that remembers does not tell what is judged.
pub fn block_folds(n: usize, folds: usize, gap: usize) -> Result<Vec<Fold>, NumericsError> {
    if folds < 2 || folds > n {
        return Err(NumericsError::InvalidValue {
            name: "folds",
            value: folds as f64,
            must: "two at least, and at most one per sample",
        });
    }
    let edge = |k: usize| k * n / folds;
    let split = |k: usize| {
        let test = edge(k)..edge(k + 1);
        Fold { train: [0..test.start.saturating_sub(gap), (test.end + gap).min(n)..n], test }
    };
    Ok((0..folds).map(split).collect())
}
