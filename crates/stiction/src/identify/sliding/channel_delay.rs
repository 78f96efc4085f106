//! A delay between the channels.
use super::identifiability::brief;
use super::regression::RegressionFit;
use super::samples::SlidingSamples;
use super::{IdentificationResult, Severity};
use crate::fit::{LinearOptions, Noise, linear};

/// The least part of a sample that counts as a delay: instants of channels that are read one after another differ by as much.
const MIN_DELAY: f64 = 0.3;
/// Rounds of the search; each leaves an error of third order in the delay.
const ITERATIONS: usize = 4;
/// Samples that are looked at: the first ones, for a delay is the same everywhere.
const MOST: usize = 100_000;

/// How much later than the motion the force is, and the standard error of that \[s\].
///
/// Force that is `τ` late is `F(t − τ) ≈ F − τ·F′ + τ²/2·F″`, where `F` is what mass and law make of the motion. It is linear
/// in its factors, and those are sought anew with the delay. Inertia tells a delay from all that friction does, if the
/// motion is more than one sine; with one sine the columns depend on each other, and nothing is said.
fn estimate(fitted: &RegressionFit, samples: &SlidingSamples) -> Option<[f64; 2]> {
    let cut = |k: usize| samples.breaks.binary_search(&k).is_ok();
    // a stretch without its ends
    let inner: Vec<usize> =
        (1..samples.len().saturating_sub(1)).filter(|&k| !cut(k) && !cut(k + 1)).take(MOST).collect();
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
    let noise = Noise::Correlated { lag: None, whiten: true, breaks };
    let force = pick(&samples.force);
    let mut factors: Vec<f64> =
        fitted.model.linear_names().iter().map(|name| fitted.factor(name).unwrap_or(0.0)).collect();
    let (mut late, mut error) = (0.0, f64::INFINITY);
    for round in 1..=ITERATIONS {
        // errors are asked for in the end
        let noise = if round == ITERATIONS { noise.clone() } else { Noise::White };
        let options = LinearOptions { weights, noise, ..LinearOptions::default() };
        let model = |k: usize| terms.iter().zip(&factors).map(|(term, factor)| factor * term[k]).sum::<f64>();
        let around = |k: &usize| ([model(k - 1), model(*k), model(k + 1)], 0.5 * (samples.t[k + 1] - samples.t[k - 1]));
        let slopes: Vec<[f64; 2]> = inner
            .iter()
            .map(around)
            .map(|([before, here, after], h)| [(after - before) / (2.0 * h), (after - 2.0 * here + before) / (h * h)])
            .collect();
        // by how much the force moves with the delay from where it is
        columns[0] = slopes.iter().map(|[first, second]| late * second - first).collect();
        let shift = |[first, second]: &[f64; 2]| late * first - 0.5 * late * late * second;
        let moved: Vec<f64> =
            force.iter().zip(&slopes).zip(&columns[0]).map(|((f, s), d)| f + shift(s) + late * d).collect();
        let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let fit = linear(&columns, &moved, &options).ok()?;
        late = fit.values[0];
        error = fit.covariance.standard_errors()[0];
        factors.copy_from_slice(&fit.values[1..]);
    }
    Some([late, error])
}

/// Says so if the force seems late or early.
pub fn delay(result: &mut IdentificationResult, fitted: &RegressionFit, samples: &SlidingSamples, step: f64) {
    let Some([late, error]) = estimate(fitted, samples) else { return };
    if late.abs() > 4.0 * error && late.abs() > MIN_DELAY * step {
        let word = if late > 0.0 { "later" } else { "earlier" };
        result.remark(
            Severity::Warning,
            format!(
                "the force seems {} ± {} s {word} than the motion, and mass and friction are off by that; --delay {} moves it back",
                brief(late.abs()),
                brief(error),
                brief(late)
            ),
        );
    }
}
