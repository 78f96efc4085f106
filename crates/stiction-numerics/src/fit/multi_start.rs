//! Global search: fits from many starts within the bounds, or CMA-ES followed by a fit.
use super::cma::{CmaOptions, Minimum, minimise_from};
use super::levenberg_marquardt::cost;
use super::{
    Fit, FitOptions, LeastSquaresProblem, Loss, Random, ScreeningProgress, SearchJournal, nonlinear, nonlinear_from,
};
use crate::NumericsError;

/// The best fit, and all local minima found.
#[derive(Clone, Debug)]
pub struct MultiStart {
    /// The best fit.
    pub fit: Fit,
    /// Cost and parameters of the minimum reached from each start, best first.
    pub minima: Vec<(f64, Vec<f64>)>,
    /// Number of starts that reached the best cost within 0.1 %: a single one may be chance.
    pub agreeing: usize,
}

pub(super) fn bounded(problem: &LeastSquaresProblem<'_>) -> Result<Vec<[f64; 2]>, NumericsError> {
    problem.check()?;
    let limit = |p: &super::Parameter| {
        let low = if p.log && p.low <= 0.0 { f64::NAN } else { p.low };
        let bad = if low.is_finite() { p.high } else { low };
        if bad.is_finite() {
            Ok([p.inner(low), p.inner(p.high)])
        } else {
            Err(NumericsError::InvalidValue {
                name: "bound",
                value: bad,
                must: "a number for a search all over, above zero for a logarithm",
            })
        }
    };
    problem.parameters.iter().map(limit).collect()
}

/// Fits from `count` starts: the start values of the parameters, and a Latin hypercube within the bounds. The same seed gives the
/// same fits.
pub fn multi_start(
    problem: &LeastSquaresProblem<'_>,
    options: &FitOptions,
    count: usize,
    seed: u32,
) -> Result<MultiStart, NumericsError> {
    let bounds = bounded(problem)?;
    let mut random = Random::new(seed);
    let others = count.saturating_sub(1);
    let slices: Vec<Vec<usize>> = bounds.iter().map(|_| random.shuffled(others)).collect();
    let named: Vec<f64> = problem.parameters.iter().map(|p| p.start).collect();
    let mut starts = vec![named];
    for k in 0..others {
        let place: Vec<f64> = bounds
            .iter()
            .zip(&slices)
            .map(|([low, high], slice)| low + (high - low) * (slice[k] as f64 + random.uniform()) / others as f64)
            .collect();
        starts.push(problem.outer(&place));
    }
    let mut fits: Vec<Fit> = Vec::with_capacity(count);
    let mut error = None;
    for start in starts {
        match nonlinear_from(problem, options, &problem.begin(&start), &mut |_| true) {
            Ok(fit) if fit.cost.is_finite() => fits.push(fit),
            Ok(_) => {}
            Err(why) => error = error.or(Some(why)),
        }
    }
    // costs of robust fits with different scales cannot be compared; their standard deviations can
    let own = options.loss != Loss::Square && options.scale.is_none();
    let rank = |fit: &Fit| if own { fit.sigma } else { fit.cost };
    fits.sort_by(|a, b| rank(a).total_cmp(&rank(b)));
    let minima: Vec<(f64, Vec<f64>)> = fits.iter().map(|fit| (fit.cost, fit.values.clone())).collect();
    let Some(fit) = fits.into_iter().next() else {
        return Err(error.unwrap_or(NumericsError::TooFew { what: "starts", need: 1, have: 0 }));
    };
    let agreeing = minima.iter().filter(|(cost, _)| *cost <= fit.cost * 1.001).count();
    Ok(MultiStart { fit, minima, agreeing })
}

/// CMA-ES within the bounds, then a fit from the best point. What the journal has of the search is not computed again. `observer` returns
/// whether to continue.
pub fn cma_search(
    problem: &LeastSquaresProblem<'_>,
    options: &FitOptions,
    how: &CmaOptions,
    journal: &mut SearchJournal,
    observer: &mut dyn FnMut(&ScreeningProgress<'_>) -> bool,
) -> Result<Fit, NumericsError> {
    let bounds = bounded(problem)?;
    // fixed parameters have no range
    let free: Vec<usize> = (0..bounds.len()).filter(|&j| bounds[j][1] > bounds[j][0]).collect();
    if free.is_empty() {
        return nonlinear(problem, options);
    }
    let base = problem.inner(&problem.parameters.iter().map(|p| p.start).collect::<Vec<_>>());
    let place = |cube: &[f64]| {
        let mut u = base.clone();
        for (&j, x) in free.iter().zip(cube) {
            u[j] = bounds[j][0] + x * (bounds[j][1] - bounds[j][0]);
        }
        u
    };
    let start: Vec<f64> = free.iter().map(|&j| (base[j] - bounds[j][0]) / (bounds[j][1] - bounds[j][0])).collect();
    let value = |cube: &[f64]| {
        let residual = problem.residual(&place(cube));
        match options.scale {
            Some(scale) => cost(&residual, options.loss, scale),
            None if options.loss == Loss::Square => cost(&residual, options.loss, 1.0),
            // the sum of absolute values is robust and needs no scale
            None => residual.iter().map(|r| r.abs()).sum(),
        }
    };
    let mut watch = |best: &Minimum, journal: &SearchJournal| {
        let values = problem.outer(&place(&best.point));
        let done = (best.evaluations as f64 / how.evaluations.max(1) as f64).min(1.0);
        observer(&ScreeningProgress { done, cost: best.cost, values: &values, journal })
    };
    let minimum = minimise_from(&start, &value, how, journal, &mut watch);
    let best = problem.outer(&place(&minimum.point));
    let mut fit = nonlinear_from(problem, options, &problem.begin(&best), &mut |_| true)?;
    fit.state.evaluations += minimum.evaluations;
    Ok(fit)
}
