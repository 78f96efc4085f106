//! Fit of a scenario to records.
use super::bound_record::{BoundRecord, SimulatedRecord};
use super::contact_law::contact_laws;
use super::free_parameters::{PriorResiduals, arrange};
use super::global_search::{self, Plant};
use super::log::PlantLog;
use super::record_residuals::ResidualsOfRecords;
use super::repetition::{MOST_FITS, has_settled};
use super::summary::{FitReport, add_laws, remark_on_limits, remark_on_unused, summarise};
use super::unknown_values::with_means;
use super::{input_delay, intervals};
use crate::NumericsError;
use crate::fit::{
    self, Fit, LeastSquaresProblem, NoiseModel, Parameter, ScreeningOptions, nonlinear_from, profile_likelihood,
};
use crate::identify::IdentificationResult;
use crate::identify::{FitCheckpoint, FitProgress, FitStage, FreeParameter, GlobalSearch, RoundState};
use crate::scenario::{IdentificationTask, PriorKnowledge, Template};
use crate::{Error, parallel};

/// Options of the fit of a scenario.
#[derive(Clone, Debug)]
pub struct PlantOptions {
    /// Constants that override those of record and scenario.
    pub constants: Vec<(String, f64)>,
    /// The only parameters that are fitted, if there are any; bounds and initial values that are given replace those of the scenario.
    pub free: Vec<FreeParameter>,
    /// Bounds that replace those of the scenario.
    pub bounds: Vec<FreeParameter>,
    /// Parameters that are held at a value.
    pub hold: Vec<(String, f64)>,
    /// What is known of parameters before, in place of what the scenario says.
    pub priors: Vec<PriorKnowledge>,
    /// Whether intervals are those of the profile likelihood.
    pub profile: bool,
    /// Relative tolerance of the simulations; by default that of the scenario.
    pub rtol: Option<f64>,
    /// Global search before the fit.
    pub search: GlobalSearch,
    /// The global search uses every n-th row of each record.
    pub thin: usize,
    /// Options of the least-squares fit. Its precision is the relative error of a simulation.
    pub fit: fit::FitOptions,
    /// State of an interrupted fit to resume from.
    pub resume: Option<FitCheckpoint>,
    /// Confidence level of the intervals.
    pub level: f64,
}

impl Default for PlantOptions {
    fn default() -> Self {
        Self {
            constants: Vec::new(),
            free: Vec::new(),
            bounds: Vec::new(),
            hold: Vec::new(),
            priors: Vec::new(),
            profile: false,
            rtol: Some(1e-6),
            search: GlobalSearch::Multistart(ScreeningOptions { samples: 40, fits: 2, evaluations: 120, seed: 1 }),
            thin: 4,
            fit: fit::FitOptions {
                noise: NoiseModel::correlated(),
                evaluations: 200,
                tolerance: 1e-4,
                // steps of 0.3 %: over shorter ones an event that appears or vanishes outweighs all else
                precision: 1e-5,
                ..fit::FitOptions::default()
            },
            resume: None,
            level: 0.95,
        }
    }
}

impl PlantOptions {
    /// Options of a fit whose residuals are simulations: their error is noise in finite differences.
    pub(super) fn settings(&self) -> fit::FitOptions {
        let precision = self.fit.precision.max(0.1 * self.rtol.unwrap_or(0.0));
        fit::FitOptions { precision, ..self.fit.clone() }
    }
}

/// A fit of a scenario.
#[derive(Clone, Debug)]
pub struct PlantFit {
    /// The identification result.
    pub result: IdentificationResult,
    /// The least-squares fit.
    pub fit: Fit,
    /// The scenario with the estimated values, for the constants of the first record.
    pub scenario: Template,
}

pub(super) fn sections(template: &Template) -> Result<(Template, IdentificationTask), Error> {
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

/// Relative change of the weight of prior knowledge at which the rounds end: standard errors are not known better.
const WEIGHT_TOLERANCE: f64 = 0.1;

/// Estimates the free parameters of a scenario from records. All records share the parameters; each has its own constants and
/// initial state. `watch` is called often and returns whether to continue.
///
/// What is known before counts as one more measurement of each such parameter. The weight of the records against it follows from
/// their residuals: with the standard deviation σ and 1 + 2 Σρ residuals per independent observation, a record counts
/// as much as that number of independent observations. Fit and weight are repeated until they agree. Every round begins without the
/// scaling that the one before has gathered: where an event appears or vanishes, a difference quotient may be huge, and
/// would shorten all later steps.
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
    let (parameters, priors) = arrange(&identify, options)?;
    let priors = PriorResiduals::new(&parameters, &priors);
    let mut parameters: Vec<Parameter> = parameters.into_iter().map(Parameter::with_fixed_scale).collect();
    let start: Vec<f64> = parameters.iter().map(|p| p.start).collect();
    // errors are reported for the first simulation; later failures make the fit reject the step
    let first = outcomes(&bounds, &start)?;
    let scales = scales(&first);
    let names: Vec<String> = identify.free.iter().map(|p| p.name.clone()).collect();
    let mut checkpoint = options.resume.clone().unwrap_or_default();
    if options.search != GlobalSearch::None {
        let plant =
            Plant { bare: &bare, identify: &identify, priors: &priors, scales: &scales, start: &start, options };
        let best = global_search::search(&plant, &few, &parameters, &mut checkpoint.search, &mut |sight| {
            let (stage, done, rms, values) = (FitStage::GlobalSearch, sight.done, sight.rms, sight.values);
            let so_far = FitCheckpoint { search: sight.journal.clone(), round: None };
            watch(&FitProgress { stage, done, rms, names: &names, values, checkpoint: Some(&so_far) })
        })?;
        parameters.iter_mut().zip(best.unwrap_or(start)).for_each(|(p, x)| p.start = x);
    }
    let records = ResidualsOfRecords::new(&bounds, &scales, &priors);
    let mut how = options.settings();
    records.separate(&mut how.noise);
    let begin: Vec<f64> = parameters.iter().map(|p| p.start).collect();
    let mut weight = records.weight(&records.at(&begin));
    let mut place = begin;
    let (mut round, mut best) = (0, f64::INFINITY);
    let mut state = checkpoint.round.take().map(|stopped| {
        (round, weight, best) = (stopped.number - 1, stopped.weight, stopped.cost_before);
        stopped.fit
    });
    let fit = loop {
        round += 1;
        let value = |q: &[f64], out: &mut [f64]| records.write(q, weight, out);
        let problem = LeastSquaresProblem::new(&parameters, records.count(), &value);
        let from = state.take().unwrap_or_else(|| problem.begin(&place));
        let most = (from.evaluations + how.evaluations).max(1) as f64;
        let rms = |cost: f64| (2.0 * cost / records.data as f64).sqrt();
        let mut stopped = false;
        let mut fit = nonlinear_from(&problem, &how, &from, &mut |step| {
            let done = (step.state.evaluations as f64 / most).min(1.0);
            let (stage, rms) = (FitStage::LeastSquares, rms(step.cost));
            checkpoint.round = Some(RoundState { number: round, weight, cost_before: best, fit: step.state.clone() });
            let (values, checkpoint) = (step.values, Some(&checkpoint));
            let goes_on = watch(&FitProgress { stage, done, rms, names: &names, values, checkpoint });
            stopped |= !goes_on;
            goes_on
        })?;
        let next = records.weight(&fit.residual);
        let agrees = priors.count() == 0 || (next / weight - 1.0).abs() <= WEIGHT_TOLERANCE;
        let settled = has_settled(fit.cost, best);
        if (agrees && settled) || round >= MOST_FITS || stopped {
            if options.fit.noise != NoiseModel::White {
                // the residuals at the end count, not those with which the round began
                intervals::widen(&mut fit, &records.lengths, next);
            }
            let profiles = if options.profile && !stopped { profiles(&problem, options, &fit) } else { Vec::new() };
            break (fit, profiles);
        }
        // costs with different weights cannot be compared
        best = if agrees { fit.cost } else { f64::INFINITY };
        weight = if agrees { weight } else { next };
        place = fit.values;
    };
    let (mut fit, profiles) = fit;
    let report = FitReport {
        identify: &identify,
        parameters: &parameters,
        priors: &priors,
        profiles: &profiles,
        level: options.level,
    };
    let values = with_means(&fit, &parameters, &report.units(&fit));
    let last = outcomes(&bounds, &values)?;
    let mut result = summarise(&report, &bounds, &last, (&fit, &values));
    remark_on_unused(&mut result, &bounds)?;
    remark_on_limits(&mut result, &bounds, &values)?;
    input_delay::remark(&mut result, &identify, (&bounds, &records), &fit);
    fit.values = values;
    let laws = contact_laws(&bounds[0], &parameters, &fit, &result.estimates, options.level)?;
    add_laws(&mut result, laws, identify.matches.iter().zip(&last[0].units).map(|(_, unit)| *unit));
    let scenario = bounds[0].filled(template, &fit.values)?;
    Ok(PlantFit { result, fit, scenario })
}

/// Profile-likelihood intervals of all parameters; none for those that are held or at a bound.
fn profiles(problem: &LeastSquaresProblem<'_>, options: &PlantOptions, fit: &Fit) -> Vec<Option<[Option<f64>; 2]>> {
    let quick = fit::FitOptions { noise: NoiseModel::White, tolerance: 1e-3, evaluations: 60, ..options.settings() };
    let profile =
        |j: usize| (!fit.bound[j]).then(|| profile_likelihood(problem, &quick, fit, j, options.level).ok()).flatten();
    (0..fit.values.len()).map(|j| profile(j).map(|profile| profile.interval)).collect()
}

pub(super) fn outcomes(bounds: &[BoundRecord<'_>], q: &[f64]) -> Result<Vec<SimulatedRecord>, Error> {
    parallel::map(bounds, |bound| bound.simulate(q)).into_iter().collect()
}

/// Scale of each matched column: one for a single column, else the standard deviation of the measured values.
pub(super) fn scales(first: &[SimulatedRecord]) -> Vec<f64> {
    let count = first.first().map_or(0, |o| o.measured.len());
    let scale = |i: usize| {
        let all = || first.iter().flat_map(move |o| o.measured[i].iter());
        let mean = all().sum::<f64>() / all().count().max(1) as f64;
        let square = all().map(|x| (x - mean) * (x - mean)).sum::<f64>() / all().count().max(1) as f64;
        if square > 0.0 { square.sqrt() } else { 1.0 }
    };
    if count == 1 { vec![1.0] } else { (0..count).map(scale).collect() }
}
