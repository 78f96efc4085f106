//! How well a shape predicts samples that it was not fitted to.
use super::model::RegressionModel;
use super::regression::{RegressionOptions, fit_model};
use super::samples::SlidingSamples;
use crate::NumericsError;
use crate::fit::{block_folds, effective_samples};
use std::ops::Range;

/// What is left out at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrossValidation {
    /// One record after another.
    LeaveOneRecordOut,
    /// One of so many stretches of time after another.
    Blocks(usize),
}

/// Errors of prediction.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidationError {
    /// Root of the mean square of all errors \[N\].
    pub rms: f64,
    /// Mean square of each part left out \[N²\].
    pub folds: Vec<f64>,
}

/// Samples to fit to, and samples to judge by.
pub type Fold = (Vec<Range<usize>>, Range<usize>);

/// What is left out, and what is fitted to instead.
pub fn splits(samples: &SlidingSamples, cross_validation: CrossValidation) -> Result<Vec<Fold>, NumericsError> {
    let n = samples.len();
    match cross_validation {
        CrossValidation::LeaveOneRecordOut if samples.records.len() > 1 => {
            let others = |test: &Range<usize>| vec![0..test.start, test.end..n];
            Ok(samples
                .records
                .iter()
                .map(|(_, test)| (others(test), test.clone()))
                .filter(|(_, t)| !t.is_empty())
                .collect())
        }
        cross_validation => {
            let folds = if let CrossValidation::Blocks(folds) = cross_validation { folds } else { 5 };
            // noise with memory would tell the neighbours what is judged: a memory's length is left out on each side
            let gap = (n as f64 / effective_samples(&samples.force).max(1.0)).ceil() as usize;
            let gap = gap.min(n / (4 * folds).max(1));
            Ok(block_folds(n, folds, gap)?.into_iter().map(|split| (split.train.to_vec(), split.test)).collect())
        }
    }
}

/// Fits to all but one part, predicts that part, and so on.
///
/// # Errors
/// [`Flaw`], if a part is needed to fit at all.
pub fn cross_validate(
    model: &RegressionModel,
    samples: &SlidingSamples,
    cross_validation: CrossValidation,
    how: &RegressionOptions,
) -> Result<ValidationError, NumericsError> {
    let (mut sum, mut count, mut folds) = (0.0, 0, Vec::new());
    for (train, test) in splits(samples, cross_validation)? {
        // errors are not asked for
        let fitted = fit_model(
            model,
            &samples.thinned_in_ranges(&train, MOST),
            &RegressionOptions { white_noise: true, ..*how },
        )?;
        let part = samples.in_ranges(std::slice::from_ref(&test));
        let square: f64 = fitted.model(&part).iter().zip(&part.force).map(|(m, f)| (f - m) * (f - m)).sum();
        folds.push(square / part.len().max(1) as f64);
        sum += square;
        count += part.len();
    }
    Ok(ValidationError { rms: (sum / count.max(1) as f64).sqrt(), folds })
}

/// Samples that each fit looks at.
const MOST: usize = 8_000;

impl ValidationError {
    /// Whether `self` is better than `other` by more than chance: the mean of the differences over the folds beside their
    /// standard error.
    pub fn is_better_than(&self, other: &Self) -> bool {
        let differences: Vec<f64> = other.folds.iter().zip(&self.folds).map(|(o, s)| o - s).collect();
        let n = differences.len() as f64;
        let mean = differences.iter().sum::<f64>() / n;
        let spread = differences.iter().map(|d| (d - mean) * (d - mean)).sum::<f64>() / (n - 1.0).max(1.0);
        mean > (spread / n).sqrt()
    }
}
