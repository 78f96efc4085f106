//! Cross-validation of a regression model.
use super::model::RegressionModel;
use super::regression::{RegressionOptions, fit_model};
use super::samples::SlidingSamples;
use crate::NumericsError;
use crate::fit::{block_folds, effective_samples};
use std::ops::Range;

/// Cross-validation scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrossValidation {
    /// Leave one record out at a time.
    LeaveOneRecordOut,
    /// Leave out one of this many blocks of time at a time.
    Blocks(usize),
}

/// Prediction error on data that were left out.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidationError {
    /// RMS of all errors \[N\].
    pub rms: f64,
    /// Mean square error of each fold \[N²\].
    pub folds: Vec<f64>,
}

/// Training and test samples of a fold.
pub type RecordFold = (Vec<Range<usize>>, Range<usize>);

/// The folds of a scheme.
pub fn splits(samples: &SlidingSamples, cross_validation: CrossValidation) -> Result<Vec<RecordFold>, NumericsError> {
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
            // correlated noise would leak into the training data: leave out a correlation length on each side
            let gap = (n as f64 / effective_samples(&samples.force).max(1.0)).ceil() as usize;
            let gap = gap.min(n / (4 * folds).max(1));
            Ok(block_folds(n, folds, gap)?.into_iter().map(|split| (split.train.to_vec(), split.test)).collect())
        }
    }
}

/// Fits all folds but one and predicts that one, for each fold.
///
/// # Errors
/// [`NumericsError`], if the model cannot be fitted without one of the folds.
pub fn cross_validate(
    model: &RegressionModel,
    samples: &SlidingSamples,
    cross_validation: CrossValidation,
    how: &RegressionOptions,
) -> Result<ValidationError, NumericsError> {
    let (mut sum, mut count, mut folds) = (0.0, 0, Vec::new());
    for (train, test) in splits(samples, cross_validation)? {
        // standard errors are not needed
        let fitted = fit_model(
            model,
            &samples.thinned_in_ranges(&train, MAX_SAMPLES),
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

/// Maximum number of samples of each fit.
const MAX_SAMPLES: usize = 8_000;

impl ValidationError {
    /// Whether `self` is significantly better than `other`: the mean difference over the folds exceeds its standard error.
    pub fn is_better_than(&self, other: &Self) -> bool {
        let differences: Vec<f64> = other.folds.iter().zip(&self.folds).map(|(o, s)| o - s).collect();
        let n = differences.len() as f64;
        let mean = differences.iter().sum::<f64>() / n;
        let spread = differences.iter().map(|d| (d - mean) * (d - mean)).sum::<f64>() / (n - 1.0).max(1.0);
        mean > (spread / n).sqrt()
    }
}
