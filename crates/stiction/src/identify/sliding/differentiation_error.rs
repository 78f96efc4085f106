//! The error of differentiation in the intervals of a sliding fit.
//!
//! Standard errors tell what noise does. Without noise, what remains is the error of the derivatives: it is the same in every record of
//! this motion, and no number of samples reduces it. The velocity and acceleration of a motion that is not smoothed are known by schemes of
//! sixth and fourth order. Where the samples resolve the motion, the error of the higher order is the smaller one, so that its effect on a
//! parameter is less than the difference of the estimates with either. Every interval is widened by that difference.
use super::delay_fit::SamplesOf;
use super::regression::{self, RegressionFit, RegressionOptions};
use crate::identify::PreparedMotion;

/// These intervals of a fit, widened by the error of differentiation; as they are if all motions are smoothed.
pub fn widened(
    intervals: Vec<[f64; 2]>,
    fitted: &RegressionFit,
    prepared: &[PreparedMotion],
    samples_of: SamplesOf<'_>,
    how: &RegressionOptions,
) -> Vec<[f64; 2]> {
    if prepared.iter().all(|record| record.lower_order.is_none()) {
        return intervals;
    }
    let lower: Vec<PreparedMotion> =
        prepared.iter().map(|record| record.with_lower_order().unwrap_or_else(|| record.clone())).collect();
    let other = samples_of(&lower).ok().and_then(|samples| {
        // the fit with a delay has the derivative by the delay as one more term, which these samples lack
        let complete = samples.terms.len() >= fitted.model.terms;
        complete.then(|| regression::fit_from(&fitted.model, &samples, how, &fitted.held).ok()).flatten()
    });
    let Some(other) = other else { return intervals };
    let widen = |(i, [low, high]): (usize, [f64; 2])| {
        let shift = (other.values[i] - fitted.values[i]).abs();
        let positive = low >= 0.0 && fitted.model.is_nonnegative(&fitted.names[i]);
        [if positive { (low - shift).max(0.0) } else { low - shift }, high + shift]
    };
    intervals.into_iter().enumerate().map(widen).collect()
}
