//! Fit of a scenario to records.
use super::bound_record::{BoundRecord, SimulatedRecord};
use super::log::PlantLog;
use super::summary::{residuals, summarise};
use crate::NumericsError;
use crate::fit::{
    self, Fit, LeastSquaresProblem, NoiseModel, Parameter, ScreeningOptions, cma_search, nonlinear_from, screen,
};
use crate::identify::{FitProgress, FitStage, GlobalSearch};
use crate::identify::{IdentificationResult, ResidualSeries, Score};
use crate::scenario::{IdentificationTask, Template};
use crate::{Error, parallel};

/// Options of the fit of a scenario.
#[derive(Clone, Debug)]
pub struct PlantOptions {
    /// Constants that override those of record and scenario.
    pub constants: Vec<(String, f64)>,
    /// Relative tolerance of the simulations; by default that of the scenario.
    pub rtol: Option<f64>,
    /// Global search before the fit.
    pub search: GlobalSearch,
    /// The global search uses every n-th row of each record.
    pub thin: usize,
    /// Options of the least-squares fit. Its precision is the relative error of a simulation.
    pub fit: fit::FitOptions,
    /// State of an interrupted fit to resume from, without a global search.
    pub resume: Option<fit::FitState>,
    /// Confidence level of the intervals.
    pub level: f64,
}

impl Default for PlantOptions {
    fn default() -> Self {
        Self {
            constants: Vec::new(),
            rtol: Some(1e-6),
            search: GlobalSearch::Multistart(ScreeningOptions { samples: 60, fits: 3, evaluations: 40, seed: 1 }),
            thin: 4,
            fit: fit::FitOptions {
                noise: NoiseModel::correlated(),
                evaluations: 600,
                tolerance: 1e-4,
                precision: 1e-7,
                ..fit::FitOptions::default()
            },
            resume: None,
            level: 0.95,
        }
    }
}

/// A fit of a scenario.
#[derive(Clone, Debug)]
pub struct PlantFit {
    /// The identification result.
    pub result: IdentificationResult,
    /// The least-squares fit.
    pub fit: Fit,
    /// The scenario file with the estimated values, for the constants of the first record.
    pub scenario: String,
}

fn sections(template: &Template) -> Result<(Template, IdentificationTask), Error> {
    let scenario = template.build()?;
    let identify = scenario.identify.ok_or(Error::MissingKey {
        name: String::new(),
        key: "[identify]",
        doc: "what is identified: [identify.free], [identify.set], [identify.input] and [identify.match]",
    })?;
    if identify.free.is_empty() {
        return Err(NumericsError::TooFew { what: "numbers in [identify.free]", need: 1, have: 0 }.into());
    }
    let mut bare = template.clone();
    bare.remove_measures_and_plots();
    Ok((bare, identify))
}

/// Estimates the free parameters of a scenario from records. All records share the parameters; each has its own constants and
/// initial state. `watch` is called often and returns whether to continue.
///
/// # Errors
/// Errors of the scenario; a missing column or an invalid expression; [`Error::Simulation`] if it cannot be simulated with the
/// initial values.
pub fn fit(
    template: &Template,
    logs: &[PlantLog],
    options: &PlantOptions,
    watch: &mut dyn FnMut(&FitProgress<'_>) -> bool,
) -> Result<PlantFit, Error> {
    let (bare, identify) = sections(template)?;
    if logs.is_empty() {
        return Err(NumericsError::TooFew { what: "records", need: 1, have: 0 }.into());
    }
    let logs: Vec<PlantLog> = logs.iter().map(|log| log.without_repeated_times(identify.time.as_deref())).collect();
    let few: Vec<PlantLog> = logs.iter().map(|log| log.thin(options.thin)).collect();
    let bound = |log| BoundRecord::new(&bare, &identify, log, &options.constants, options.rtol);
    let bounds: Vec<BoundRecord<'_>> = logs.iter().map(bound).collect::<Result<_, _>>()?;
    let start: Vec<f64> = identify.free.iter().map(|p| p.start).collect();
    // errors are reported for the first simulation; later failures make the fit reject the step
    let first = outcomes(&bounds, &start)?;
    let scales = scales(&first);
    let count: usize = first.iter().flat_map(|o| o.model.iter().map(Vec::len)).sum();
    let value = |q: &[f64], out: &mut [f64]| residual(&bounds, &scales, q, out);
    let mut how = options.fit.clone();
    // the error of a simulation is noise in finite differences
    how.precision = how.precision.max(0.1 * options.rtol.unwrap_or(0.0));
    if let NoiseModel::Correlated { breaks, .. } = &mut how.noise
        && breaks.is_empty()
    {
        let mut at = 0;
        let lengths = first.iter().flat_map(|o| o.model.iter().map(Vec::len));
        breaks.extend(lengths.map(|n| {
            at += n;
            at
        }));
        breaks.pop();
    }
    let names: Vec<String> = identify.free.iter().map(|p| p.name.clone()).collect();
    let rms = |cost: f64| (2.0 * cost / count.max(1) as f64).sqrt();
    let mut parameters: Vec<Parameter> = identify.free.iter().cloned().map(Parameter::with_fixed_scale).collect();
    if options.resume.is_none() && options.search != GlobalSearch::None {
        let bounds: Vec<BoundRecord<'_>> = few.iter().map(bound).collect::<Result<_, _>>()?;
        let count = bounds.iter().map(|bound| bound.t.len() * scales.len()).sum();
        let value = |q: &[f64], out: &mut [f64]| residual(&bounds, &scales, q, out);
        let problem = LeastSquaresProblem::new(&parameters, count, &value);
        let quick = fit::FitOptions { noise: NoiseModel::White, tolerance: 1e-3, ..how.clone() };
        let best = match &options.search {
            GlobalSearch::Multistart(places) => {
                let ends = screen(&problem, &quick, places, &mut |sight| {
                    let (stage, done, rms) =
                        (FitStage::GlobalSearch, sight.done, (2.0 * sight.cost / count as f64).sqrt());
                    watch(&FitProgress { stage, done, rms, names: &names, values: sight.values, state: None })
                })?;
                ends.into_iter().next().map(|(_, place)| place)
            }
            GlobalSearch::CmaEs(cma) => Some(cma_search(&problem, &quick, cma)?.values),
            GlobalSearch::None => None,
        };
        parameters.iter_mut().zip(best.unwrap_or(start)).for_each(|(p, x)| p.start = x);
    }
    let problem = LeastSquaresProblem::new(&parameters, count, &value);
    let begin: Vec<f64> = parameters.iter().map(|p| p.start).collect();
    let state = options.resume.clone().unwrap_or_else(|| problem.begin(&begin));
    let most = how.evaluations.max(1) as f64;
    let fit = nonlinear_from(&problem, &how, &state, &mut |step| {
        let done = (step.state.evaluations as f64 / most).min(1.0);
        let (stage, rms, state) = (FitStage::LeastSquares, rms(step.cost), Some(step.state));
        watch(&FitProgress { stage, done, rms, names: &names, values: step.values, state })
    })?;
    let last = outcomes(&bounds, &fit.values)?;
    let result = summarise(&identify, &bounds, &last, &fit, options.level);
    let scenario = bounds[0].filled(template, &fit.values)?;
    Ok(PlantFit { result, fit, scenario })
}

fn outcomes(bounds: &[BoundRecord<'_>], q: &[f64]) -> Result<Vec<SimulatedRecord>, Error> {
    parallel::map(bounds, |bound| bound.simulate(q)).into_iter().collect()
}

/// Simulated less measured values, relative to the scale of each matched column; NaN where a simulation fails.
fn residual(bounds: &[BoundRecord<'_>], scales: &[f64], q: &[f64], out: &mut [f64]) {
    let runs = parallel::map(bounds, |bound| bound.simulate(q));
    let mut rows = out.iter_mut();
    for (run, bound) in runs.into_iter().zip(bounds) {
        let Ok(outcome) = run else {
            rows.by_ref().take(bound.t.len() * scales.len()).for_each(|row| *row = f64::NAN);
            continue;
        };
        for ((model, measured), scale) in outcome.model.iter().zip(&outcome.measured).zip(scales) {
            for (a, b) in model.iter().zip(measured) {
                if let Some(row) = rows.next() {
                    *row = (a - b) / scale;
                }
            }
        }
    }
}

/// Scale of each matched column: one for a single column, else the standard deviation of the measured values.
fn scales(first: &[SimulatedRecord]) -> Vec<f64> {
    let count = first.first().map_or(0, |o| o.measured.len());
    let scale = |i: usize| {
        let all = || first.iter().flat_map(move |o| o.measured[i].iter());
        let mean = all().sum::<f64>() / all().count().max(1) as f64;
        let square = all().map(|x| (x - mean) * (x - mean)).sum::<f64>() / all().count().max(1) as f64;
        if square > 0.0 { square.sqrt() } else { 1.0 }
    };
    if count == 1 { vec![1.0] } else { (0..count).map(scale).collect() }
}

/// Validates a scenario with these values on records that were not fitted: residuals, and the mean absolute error of each
/// record.
///
/// # Errors
/// As [`fit()`].
pub fn validate(
    template: &Template,
    logs: &[PlantLog],
    values: &[f64],
    options: &PlantOptions,
) -> Result<(Vec<ResidualSeries>, Vec<Score>), Error> {
    let (bare, identify) = sections(template)?;
    let logs: Vec<PlantLog> = logs.iter().map(|log| log.without_repeated_times(identify.time.as_deref())).collect();
    let bound = |log| BoundRecord::new(&bare, &identify, log, &options.constants, options.rtol);
    let bounds: Vec<BoundRecord<'_>> = logs.iter().map(bound).collect::<Result<_, _>>()?;
    let residuals = residuals(&identify, &bounds, &outcomes(&bounds, values)?);
    let score = |r: &ResidualSeries| {
        let mean = r.residuals().map(f64::abs).sum::<f64>() / r.t.len().max(1) as f64;
        Score::new("mae", &r.name, mean, "")
    };
    let scores = residuals.iter().map(score).collect();
    Ok((residuals, scores))
}
