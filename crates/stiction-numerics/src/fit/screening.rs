//! Multi-start with screening: many points within the bounds are evaluated, and fits start from the best of them.
use super::levenberg_marquardt::cost;
use super::multi_start::bounded;
use super::nonlinear::minimum;
use super::{FitOptions, LeastSquaresProblem, Loss, Parameter, Random, SearchJournal};
use crate::NumericsError;
use crate::parallel;

/// Options of the screening.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScreeningOptions {
    /// Number of points evaluated, a Latin hypercube within the bounds.
    pub samples: usize,
    /// Number of fits from the best of these points; one more begins at the start values of the parameters.
    pub fits: usize,
    /// Maximum number of residual evaluations of each fit: it need only come near its minimum.
    pub evaluations: usize,
    /// Seed of the random numbers.
    pub seed: u32,
}

impl Default for ScreeningOptions {
    fn default() -> Self {
        Self { samples: 200, fits: 11, evaluations: 40, seed: 1 }
    }
}

/// Progress of the screening.
#[derive(Debug)]
pub struct ScreeningProgress<'a> {
    /// Completed fraction, from 0 to 1.
    pub done: f64,
    /// Least cost so far.
    pub cost: f64,
    /// Parameters of that cost.
    pub values: &'a [f64],
    /// What is finished, to continue from.
    pub journal: &'a SearchJournal,
}

/// Points of a Latin hypercube within the bounds, in the coordinates of a fit: a parameter that is fitted by its logarithm is spread evenly by
/// factors.
///
/// # Errors
/// As [`super::multi_start`].
pub fn latin_hypercube(parameters: &[Parameter], samples: usize, seed: u32) -> Result<Vec<Vec<f64>>, NumericsError> {
    let problem = LeastSquaresProblem::new(parameters, usize::MAX, &|_, _| {});
    let bounds = bounded(&problem)?;
    let mut random = Random::new(seed);
    let slices: Vec<Vec<usize>> = bounds.iter().map(|_| random.shuffled(samples)).collect();
    let mut places: Vec<Vec<f64>> = Vec::with_capacity(samples);
    for k in 0..samples {
        let u: Vec<f64> = bounds
            .iter()
            .zip(&slices)
            .map(|([low, high], slice)| low + (high - low) * (slice[k] as f64 + random.uniform()) / samples as f64)
            .collect();
        places.push(problem.outer(&u));
    }
    Ok(places)
}

/// Cost and parameters at the end of each fit, best first; on several processors. What the journal has of the search is not computed again.
/// `observer` returns whether to continue.
///
/// # Errors
/// As [`super::multi_start`].
pub fn screen(
    problem: &LeastSquaresProblem<'_>,
    options: &FitOptions,
    how: &ScreeningOptions,
    journal: &mut SearchJournal,
    observer: &mut dyn FnMut(&ScreeningProgress<'_>) -> bool,
) -> Result<Vec<(f64, Vec<f64>)>, NumericsError> {
    let places = latin_hypercube(problem.parameters, how.samples, how.seed)?;
    // the scale of a robust loss is not known before a fit; the sum of squares ranks the points well enough
    let (loss, scale) = options.scale.map_or((Loss::Square, 1.0), |scale| (options.loss, scale));
    let value = |place: &Vec<f64>| {
        let mut out = vec![0.0; problem.count];
        (problem.residual)(place, &mut out);
        cost(&out, loss, scale)
    };
    let costs = journal.costs(places.len(), || parallel::map(&places, value));
    let mut ranked: Vec<(f64, Vec<f64>)> = costs.into_iter().zip(places).collect();
    ranked.retain(|(cost, _)| cost.is_finite());
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    let named: Vec<f64> = problem.parameters.iter().map(|p| p.start).collect();
    let mut starts = vec![named];
    starts.extend(ranked.iter().take(how.fits).map(|(_, place)| place.clone()));
    let options =
        FitOptions { evaluations: how.evaluations, tolerance: options.tolerance.max(1e-6), ..options.clone() };
    let mut ends: Vec<(f64, Vec<f64>)> = ranked.into_iter().take(1).collect();
    if let Some((cost, values)) = ends.first()
        && !observer(&ScreeningProgress { done: 0.0, cost: *cost, values, journal })
    {
        return Ok(ends);
    }
    let mut error = None;
    let batch = 4;
    for (k, starts) in starts.chunks(batch).enumerate() {
        let found = journal.part(starts.len(), || {
            let found = parallel::map(starts, |start| minimum(problem, &options, start));
            found.into_iter().map(|found| found.map_err(|why| error = error.take().or(Some(why))).ok()).collect()
        });
        ends.extend(found.into_iter().flatten().filter(|(cost, _)| cost.is_finite()));
        ends.sort_by(|a, b| a.0.total_cmp(&b.0));
        let done = ((k + 1) * batch) as f64 / (how.fits + 1) as f64;
        if let Some((cost, values)) = ends.first()
            && !observer(&ScreeningProgress { done: done.min(1.0), cost: *cost, values, journal })
        {
            break;
        }
    }
    if ends.is_empty() {
        return Err(error.unwrap_or(NumericsError::TooFew { what: "starts", need: 1, have: 0 }));
    }
    Ok(ends)
}
