//! Whether the sign of force or velocity is wrong.
use super::model::{RegressionModel, SlidingLaw};
use super::regression::{RegressionOptions, fit_model};
use super::samples::SlidingSamples;
use crate::NumericsError;
use crate::statistics::student_t_quantile;

/// Whether friction drives the body on average: the mean level that opposes the motion is significantly below zero, or the mass
/// is, and no level speaks against it.
///
/// The mean level follows from constant friction alone. A curve that the data do not determine may have negative coefficients
/// although every sign is right.
///
/// # Errors
/// As [`fit_model`].
pub fn is_wrong(
    samples: &SlidingSamples,
    base: &RegressionModel,
    how: &RegressionOptions,
) -> Result<bool, NumericsError> {
    let offset = base.offset && samples.both_directions();
    let model = RegressionModel { curve: SlidingLaw::Coulomb, asymmetric: false, offset, ..*base };
    let fitted = fit_model(&model, samples, &RegressionOptions { unconstrained: true, ..*how })?;
    // the level at the mean load
    let mean = if base.load { samples.load.iter().sum::<f64>() / samples.len() as f64 } else { 0.0 };
    let terms: Vec<(usize, f64)> = [("fc", 1.0), ("fc.load", mean)]
        .into_iter()
        .filter_map(|(name, factor)| Some((fitted.names.iter().position(|known| known == name)?, factor)))
        .collect();
    let level: f64 = terms.iter().map(|(i, factor)| factor * fitted.values[*i]).sum();
    let covariance = &fitted.covariance;
    let variance: f64 = terms.iter().flat_map(|a| terms.iter().map(move |b| a.1 * b.1 * covariance.at(a.0, b.0))).sum();
    let freedom = terms.iter().map(|(i, _)| fitted.freedom[*i]).fold(f64::INFINITY, f64::min);
    let half = student_t_quantile(0.975, freedom) * variance.max(0.0).sqrt();
    let mass = fitted.names.iter().position(|name| name == "mass").map(|i| fitted.interval(i, 0.95));
    Ok(level + half < 0.0 || (level - half < 0.0 && mass.is_some_and(|[_, high]| high < 0.0)))
}
