//! A survey of the whole range before a fit: many places looked at, the best of them gone down from.
use super::levenberg_marquardt::cost;
use super::multi_start::bounded;
use super::{FitOptions, LeastSquaresProblem, Loss, Random, nonlinear_from};
use crate::NumericsError;
use crate::parallel;

/// How a survey is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScreeningOptions {
    /// Places that are looked at: a Latin hypercube, which has one in each slice of every parameter.
    pub places: usize,
    /// Fits from the best of these, and one more from the start that the parameters name.
    pub fits: usize,
    /// Residuals that each of these fits may compute: it need only find its valley.
    pub evaluations: usize,
    /// Seed of the random numbers.
    pub seed: u32,
}

impl Default for ScreeningOptions {
    fn default() -> Self {
        Self { places: 200, fits: 11, evaluations: 40, seed: 1 }
    }
}

/// A survey under way.
#[derive(Debug)]
pub struct ScreeningProgress<'a> {
    /// How much is done, from 0 to 1.
    pub done: f64,
    /// The least cost so far.
    pub cost: f64,
    /// Where.
    pub values: &'a [f64],
}

/// Cost and parameters where the fits ended, best first; on several processors. `watch` says whether to go on.
///
/// # Errors
/// As [`super::multi_start`].
pub fn screen(
    problem: &LeastSquaresProblem<'_>,
    options: &FitOptions,
    how: &ScreeningOptions,
    watch: &mut dyn FnMut(&ScreeningProgress<'_>) -> bool,
) -> Result<Vec<(f64, Vec<f64>)>, NumericsError> {
    let bounds = bounded(problem)?;
    let mut random = Random::new(how.seed);
    let slices: Vec<Vec<usize>> = bounds.iter().map(|_| random.shuffled(how.places)).collect();
    let mut places: Vec<Vec<f64>> = Vec::with_capacity(how.places);
    for k in 0..how.places {
        let u: Vec<f64> = bounds
            .iter()
            .zip(&slices)
            .map(|([low, high], slice)| low + (high - low) * (slice[k] as f64 + random.uniform()) / how.places as f64)
            .collect();
        places.push(problem.outer(&u));
    }
    // a robust loss without a scale cannot be had before a fit; squares rank the places well enough
    let (loss, scale) = options.scale.map_or((Loss::Square, 1.0), |scale| (options.loss, scale));
    let value = |place: &Vec<f64>| {
        let mut out = vec![0.0; problem.count];
        (problem.residual)(place, &mut out);
        cost(&out, loss, scale)
    };
    let mut ranked: Vec<(f64, Vec<f64>)> = parallel::map(&places, value).into_iter().zip(places).collect();
    ranked.retain(|(cost, _)| cost.is_finite());
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    let named: Vec<f64> = problem.parameters.iter().map(|p| p.start).collect();
    let mut starts = vec![named];
    starts.extend(ranked.iter().take(how.fits).map(|(_, place)| place.clone()));
    let options =
        FitOptions { evaluations: how.evaluations, tolerance: options.tolerance.max(1e-6), ..options.clone() };
    let mut ends: Vec<(f64, Vec<f64>)> = ranked.into_iter().take(1).collect();
    let mut error = None;
    let batch = 4;
    for (k, starts) in starts.chunks(batch).enumerate() {
        let found =
            parallel::map(starts, |start| nonlinear_from(problem, &options, &problem.begin(start), &mut |_| true));
        for found in found {
            match found {
                Ok(fit) if fit.cost.is_finite() => ends.push((fit.cost, fit.values)),
                Ok(_) => {}
                Err(why) => error = error.or(Some(why)),
            }
        }
        ends.sort_by(|a, b| a.0.total_cmp(&b.0));
        let done = ((k + 1) * batch) as f64 / (how.fits + 1) as f64;
        if let Some((cost, values)) = ends.first()
            && !watch(&ScreeningProgress { done: done.min(1.0), cost: *cost, values })
        {
            break;
        }
    }
    if ends.is_empty() {
        return Err(error.unwrap_or(NumericsError::TooFew { what: "starts", need: 1, have: 0 }));
    }
    Ok(ends)
}
