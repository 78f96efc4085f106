//! Delay between the channels of force and motion.
use super::delay_fit::longest;
use super::identifiability::brief;
use super::regression::RegressionFit;
use super::samples::SlidingSamples;
use super::{IdentificationResult, Severity};
use crate::fit::{LinearOptions, NoiseModel, linear};
use crate::linalg::dot;

/// Smallest delay that is reported, in samples: channels that are read one after another differ by as much.
pub(super) const MIN_DELAY: f64 = 0.3;
/// Standard errors from zero: normal noise exceeds four once in sixteen thousand.
const SURE: f64 = 4.0;
/// Share of the derivative by the delay that the other regressors must leave unexplained: derivatives of the motion are not known
/// better, those near the ends of a record above all.
const MIN_SHARE: f64 = 1e-3;
/// Iterations; each leaves an error of third order in the delay.
const ITERATIONS: usize = 4;
/// Maximum number of samples used, from the beginning: the delay is the same everywhere.
const MAX_SAMPLES: usize = 100_000;

/// Delay of the force relative to the motion, and its standard error \[s\].
///
/// A force delayed by `τ` is `F(t − τ) ≈ F − τ·F′ + τ²/2·F″`, where `F` is the force of the model. It is linear in its
/// coefficients, which are estimated again together with the delay. Inertia distinguishes a delay from friction unless the
/// motion is a single sine: then the regressors are linearly dependent, and there is no result.
pub(super) fn estimate(fitted: &RegressionFit, samples: &SlidingSamples) -> Option<[f64; 2]> {
    delay_after(ITERATIONS, fitted, samples).map(|delay| [delay.late, delay.error])
}

/// A delay, its standard error \[s\], and whether it differs from zero by more than chance.
struct Delay {
    late: f64,
    error: f64,
    is_sure: bool,
}

/// The delay after so many iterations.
fn delay_after(iterations: usize, fitted: &RegressionFit, samples: &SlidingSamples) -> Option<Delay> {
    let mut inner = samples.inner();
    inner.truncate(MAX_SAMPLES);
    let pick = |x: &[f64]| inner.iter().filter_map(|&k| x.get(k).copied()).collect::<Vec<f64>>();
    let mut terms = Vec::new();
    let exponent = fitted.model.exponent().or(fitted.get("exponent")).unwrap_or(1.0);
    fitted.model.regressors(samples, fitted.get("vs").unwrap_or(1.0), exponent, &mut terms);
    let terms: Vec<&[f64]> = terms.chunks_exact(samples.len().max(1)).collect();
    let mut columns = vec![Vec::new()];
    columns.extend(terms.iter().map(|term| pick(term)));
    let breaks: Vec<usize> = (1..inner.len()).filter(|&j| inner[j] != inner[j - 1] + 1).collect();
    let weight = pick(&samples.weight);
    let weights = Some(weight.as_slice()).filter(|weight| !weight.is_empty());
    let noise = NoiseModel::Correlated { lag: None, whiten: true, breaks };
    let force = pick(&samples.force);
    let mut factors: Vec<f64> =
        fitted.model.linear_names().iter().map(|name| fitted.factor(name).unwrap_or(0.0)).collect();
    let (mut late, mut error, mut is_sure) = (0.0, f64::INFINITY, false);
    for round in 1..=iterations {
        // standard errors are needed in the last iteration only
        let noise = if round == iterations { noise.clone() } else { NoiseModel::White };
        let options = LinearOptions { weights, noise, ..LinearOptions::default() };
        let model = |k: usize| terms.iter().zip(&factors).map(|(term, factor)| factor * term[k]).sum::<f64>();
        let around = |k: &usize| ([model(k - 1), model(*k), model(k + 1)], 0.5 * (samples.t[k + 1] - samples.t[k - 1]));
        let slopes: Vec<[f64; 2]> = inner
            .iter()
            .map(around)
            .map(|([before, here, after], h)| [(after - before) / (2.0 * h), (after - 2.0 * here + before) / (h * h)])
            .collect();
        // derivative of the force by the delay
        columns[0] = slopes.iter().map(|[first, second]| late * second - first).collect();
        let shift = |[first, second]: &[f64; 2]| late * first - 0.5 * late * late * second;
        let moved: Vec<f64> =
            force.iter().zip(&slopes).zip(&columns[0]).map(|((f, s), d)| f + shift(s) + late * d).collect();
        let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let alone = linear(&columns[1..], columns[0], &LinearOptions { weights, ..LinearOptions::default() }).ok()?;
        if dot(&alone.residual, &alone.residual) <= MIN_SHARE.powi(2) * dot(columns[0], columns[0]) {
            return None;
        }
        let fit = linear(&columns, &moved, &options).ok()?;
        late = fit.values[0];
        error = fit.covariance.standard_errors()[0];
        is_sure = fit.differs_from_zero(0, SURE);
        factors.copy_from_slice(&fit.values[1..]);
    }
    Some(Delay { late, error, is_sure })
}

/// Adds a warning if the force is significantly delayed or early.
///
/// To first order already: the second one is a smoothing of the model's force, and where noise of the acceleration prevails in it, a delay of about a
/// sample leaves less to either side.
pub fn delay(result: &mut IdentificationResult, fitted: &RegressionFit, samples: &SlidingSamples, step: f64) {
    let Some(linear) = delay_after(1, fitted, samples).filter(|delay| delay.is_sure) else { return };
    let Some(Delay { late, error, is_sure }) = delay_after(ITERATIONS, fitted, samples) else { return };
    // beyond what --delay auto seeks, the expansion in powers of the delay means nothing
    if is_sure && late * linear.late > 0.0 && (MIN_DELAY * step..longest(step)).contains(&late.abs()) {
        result.remark(Severity::Warning, tell_delay([late, error]));
    }
}

/// What to say of a delay with this standard error.
pub(in crate::identify) fn tell_delay([late, error]: [f64; 2]) -> String {
    let word = if late > 0.0 { "later" } else { "earlier" };
    format!(
        "the force seems {} ± {} s {word} than the motion, which biases mass and friction; --delay {} corrects it, --delay auto estimates it with the law",
        brief(late.abs()),
        brief(error),
        brief(late)
    )
}
