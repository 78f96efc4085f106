//! Model selection: information criteria, and cross-validation in blocks.
use super::noise::effective_samples;
use crate::NumericsError;
use std::ops::Range;

/// Information criteria for models of the same data: the least is the best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InformationCriteria {
    /// Akaike's criterion, with the variance of the noise counted as a parameter.
    pub aic: f64,
    /// Akaike's criterion, corrected for small samples.
    pub aicc: f64,
    /// Schwarz's (Bayesian) criterion, which penalises parameters more.
    pub bic: f64,
    /// Schwarz's criterion with the effective number of samples: with autocorrelated noise the plain criterion favours too many
    /// parameters.
    pub bic_effective: f64,
    /// Effective number of independent samples.
    pub effective: f64,
}

impl InformationCriteria {
    /// From residuals and the number of fitted parameters.
    pub fn new(residual: &[f64], parameters: usize) -> Self {
        let (n, k) = (residual.len() as f64, parameters as f64 + 1.0);
        let mean = residual.iter().map(|r| r * r).sum::<f64>() / n;
        // −2 ln L per sample, at the maximum-likelihood variance
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
    /// Schwarz's criterion with a given number of samples, common to the models that are compared.
    pub fn schwarz(residual: &[f64], parameters: usize, samples: f64) -> f64 {
        let mean = residual.iter().map(|r| r * r).sum::<f64>() / residual.len() as f64;
        samples * ((std::f64::consts::TAU * mean).ln() + 1.0) + (parameters as f64 + 1.0) * samples.ln()
    }
}

/// Training and test samples of one fold.
#[derive(Clone, Debug, PartialEq)]
pub struct Fold {
    /// Training samples before and after the test block; either may be empty.
    pub train: [Range<usize>; 2],
    /// Test samples.
    pub test: Range<usize>,
}

/// Cross-validation of `n` samples in `folds` blocks, each of which is the test block once. `gap` samples on either side of it are
/// left out of training, so that autocorrelated noise does not leak into it.
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
