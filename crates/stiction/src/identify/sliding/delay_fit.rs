//! The delay between force and motion as a parameter of the fit.
//!
//! A force that is measured late by `τ` is `F(t − τ)`, with the force `F` of the model. Motion and force are moved against each other
//! by an estimate of `τ`, and the fit is repeated until the rest of the delay is far below its standard error. What remains is linear:
//! the derivative `−dF/dt` is one more term of the regression, so that the uncertainty of the delay is in the errors and intervals of all
//! parameters.
use super::channel_delay::estimate;
use super::model::{RegressionModel, SlidingLaw};
use super::regression::{RegressionOptions, fit_model};
use super::samples::SlidingSamples;
use crate::identify::{ForceTerm, PreparedMotion};
use crate::linalg::dot;
use crate::{Error, parallel};

/// Name of the parameter.
pub const DELAY: &str = "delay";
/// Repetitions at most; each leaves an error of second order in what is left of the delay.
pub const ITERATIONS: usize = 12;
/// Delays that are tried before, on either side of none: up to a tenth of a second, and eight samples at least. Channels that are farther
/// apart belong to different clocks.
pub const TRIED: i32 = 20;
const LONGEST: f64 = 0.1;
const LONGEST_SAMPLES: f64 = 8.0;
/// The rest of the delay that needs no repetition, in standard errors.
pub const ENOUGH: f64 = 0.05;
/// Remark on a delay that is sought in vain.
pub const NO_DELAY: &str = "the delay between force and motion cannot be told from this motion within ±0.1 s (or eight samples), and is taken as zero; needs more than a single sine";

/// The longest delay that is sought, for records with this step \[s\].
pub fn longest(step: f64) -> f64 {
    LONGEST.max(LONGEST_SAMPLES * step)
}

/// How samples are made of records.
pub(super) type SamplesOf<'a> = &'a (dyn Fn(&[PreparedMotion]) -> Result<SlidingSamples, Error> + Sync);

/// Records whose delay is taken out.
pub struct Aligned {
    pub prepared: Vec<PreparedMotion>,
    /// The samples that have neighbours; the last term is the derivative by the delay.
    pub samples: SlidingSamples,
    /// The delay that was taken out \[s\].
    pub delay: f64,
}

/// Estimates the delay with this model and takes it out; none if the motion does not tell it, so that
/// the estimates do not come to rest.
///
/// # Errors
/// [`Error::Numerics`] if a fit fails.
pub fn align(
    prepared: &[PreparedMotion],
    samples_of: SamplesOf<'_>,
    model: &RegressionModel,
    how: &RegressionOptions,
) -> Result<Option<Aligned>, Error> {
    let step = prepared.iter().map(|p| p.motion.step()).fold(0.0, f64::max);
    let mut delay = coarse(prepared, samples_of, model, how);
    for _ in 0..ITERATIONS {
        let moved = prepared.iter().map(|p| p.with_delay(delay)).collect::<Result<Vec<_>, _>>()?;
        let samples = samples_of(&moved)?;
        let fitted = fit_model(model, &samples, how)?;
        let Some([rest, error]) = estimate(&fitted, &samples).filter(|x| x.iter().all(|x| x.is_finite())) else {
            return Ok(None);
        };
        if rest.abs() <= ENOUGH * error {
            let force = fitted.model(&samples);
            let inner = samples.inner();
            let slope = |k: &usize| (force[k + 1] - force[k - 1]) / (samples.t[k + 1] - samples.t[k - 1]);
            let values = inner.iter().map(|k| -slope(k)).collect();
            let mut samples = samples.only(&inner);
            samples.terms.push(ForceTerm { name: DELAY.to_owned(), values });
            return Ok(Some(Aligned { prepared: moved, samples, delay }));
        }
        delay += rest;
        // at the bound of the search it is not determined
        if delay.abs() > longest(step) {
            return Ok(None);
        }
    }
    Ok(None)
}

/// The delay of several, with which Coulomb and viscous friction leave least: a delay of a large part of a period is beyond what a
/// derivative tells.
fn coarse(
    prepared: &[PreparedMotion],
    samples_of: SamplesOf<'_>,
    model: &RegressionModel,
    how: &RegressionOptions,
) -> f64 {
    let model = RegressionModel { curve: SlidingLaw::Viscous, ..*model };
    let how = RegressionOptions { white_noise: true, ..*how };
    let step = prepared.iter().map(|p| p.motion.step()).fold(0.0, f64::max);
    let longest = longest(step);
    // of the same residual the shortest delay
    let mut tried: Vec<i32> = (-TRIED..=TRIED).collect();
    tried.sort_by_key(|k| k.abs());
    let delays: Vec<f64> = tried.iter().map(|k| longest * f64::from(*k) / f64::from(TRIED)).collect();
    let left = |delay: &f64| -> Option<f64> {
        let moved = prepared.iter().map(|p| p.with_delay(*delay)).collect::<Result<Vec<_>, _>>().ok()?;
        let samples = samples_of(&moved).ok()?;
        let residual = fit_model(&model, &samples, &how).ok()?.residual;
        Some(dot(&residual, &residual) / residual.len() as f64)
    };
    let left = parallel::map(&delays, left);
    let best = delays.iter().zip(left).filter_map(|(delay, left)| Some((delay, left?)));
    best.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0.0, |(delay, _)| *delay)
}
