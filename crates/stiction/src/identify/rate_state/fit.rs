//! Fit of velocity steps.
use super::intervals::{Interval, all_intervals, unsteady};
use super::model::{COUNT, FittedStep, MAX_FITTED_STEPS, Model, PARAMETERS};
use super::noise::{Distances, NoiseEstimate, Whitening, estimate};
use super::record::VelocitySteps;
use super::search::search;
use super::spring_slider::StateEvolution;
use super::summary::summarise;
use super::thinning::{gap_after, thinned};
use crate::Error;
use crate::LawError;
use crate::NumericsError;
use crate::fit::{self, Fit, LeastSquaresProblem, Parameter, ScreeningOptions, nonlinear_from};
use crate::identify::{FitProgress, FitStage, FreeParameter};
use crate::identify::{IdentificationResult, ResultTable, Severity};
use crate::similar_names::similar;

/// A linear trend of friction, as by wear or by a drift of an instrument.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trend {
    /// None.
    None,
    /// Over the travel of the load point.
    #[default]
    Travel,
    /// Over time.
    Time,
}

/// Options of the fit of velocity steps.
#[derive(Clone, Debug)]
pub struct RateStateOptions {
    /// State evolution law.
    pub evolution: StateEvolution,
    /// Number of states: one or two.
    pub states: usize,
    /// Reference speed; by default the first velocity \[m/s\].
    pub v0: Option<f64>,
    /// Linear trend of friction.
    pub trend: Trend,
    /// Bounds and initial values of `mu0`, `a`, `b`, `dc`, `b2`, `dc2`, `k`, `c` or `trend`; equal bounds fix a parameter.
    pub constraints: Vec<FreeParameter>,
    /// Global search before the fit.
    pub search: ScreeningOptions,
    /// Options of the least-squares fit.
    pub fit: fit::FitOptions,
    /// Take residuals as independent of each other.
    pub white_noise: bool,
    /// Intervals by profile likelihood; else from the curvature at the minimum.
    pub profile: bool,
    /// Relative tolerance of the simulation.
    pub tolerance: f64,
    /// Confidence level of the intervals.
    pub level: f64,
}

impl Default for RateStateOptions {
    fn default() -> Self {
        Self {
            evolution: StateEvolution::Ageing,
            states: 1,
            v0: None,
            trend: Trend::default(),
            constraints: Vec::new(),
            search: ScreeningOptions { samples: 600, evaluations: 60, ..ScreeningOptions::default() },
            fit: fit::FitOptions { evaluations: 200, ..fit::FitOptions::default() },
            white_noise: false,
            profile: true,
            tolerance: 1e-9,
            level: 0.95,
        }
    }
}

/// What records tell about the scales of the parameters.
pub(super) struct Scales {
    /// Range of friction.
    pub friction: [f64; 2],
    /// Change of friction per unit of the logarithm of velocity.
    pub effect: f64,
    /// Travel between two samples, and of a whole record \[m\].
    pub travel: [f64; 2],
}

impl Scales {
    fn new(records: &[VelocitySteps]) -> Self {
        let all = || records.iter().flat_map(|r| r.friction.iter());
        let (low, high) = all().fold((f64::INFINITY, -f64::INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
        let speeds = || records.iter().flat_map(|r| r.load.velocity.iter().copied()).filter(|v| *v > 0.0);
        let (slow, fast) = speeds().fold((f64::INFINITY, 0.0_f64), |(l, h), v| (l.min(v), h.max(v)));
        let decade = (fast / slow).ln().max(0.1);
        let (mut near, mut far) = (f64::INFINITY, 0.0_f64);
        for r in records {
            let (Some(from), Some(to)) = (r.t.first(), r.t.last()) else { continue };
            near = near.min(slow * (to - from) / (r.t.len().max(2) - 1) as f64);
            for i in r.load.steps().into_iter().filter(|&i| r.load.velocity[i] > 0.0) {
                let gap = gap_after(&r.t, r.load.start[i]);
                near = if gap > 0.0 { near.min(r.load.velocity[i] * gap) } else { near };
            }
            far = far.max(r.load.travel(&r.t).last().copied().unwrap_or(0.0));
        }
        Self { friction: [low, high], effect: (high - low).max(1e-9) / decade, travel: [near, far.max(near)] }
    }
}

/// Names, initial values and bounds. The bounds come from what a record can show at all: distances between a tenth of a sample's travel
/// and ten times the whole, effects between a thousandth and a thousand times the change of friction, and a spring that
/// stretches by such effects over such distances. None comes from a slope of the data, which noise would make as steep as it likes.
fn parameters(scales: &Scales, options: &RateStateOptions) -> Result<Vec<Parameter>, Error> {
    let [low, high] = scales.friction;
    let span = (high - low).max(1e-9);
    let effect = scales.effect;
    let [near, far] = scales.travel;
    let distance = |p: Parameter| p.within(0.1 * near, 10.0 * far).log();
    let middle = (near * far).sqrt();
    let mut list = vec![
        Parameter::new("mu0", low).within(low - 30.0 * span, high + 30.0 * span).with_scale(span),
        Parameter::new("a", effect).within(1e-3 * effect, 1e3 * effect).log(),
        Parameter::new("b", effect).within(-1e3 * effect, 1e3 * effect).with_scale(effect),
        distance(Parameter::new("dc", middle)),
        Parameter::new("b2", 0.3 * effect).within(-1e3 * effect, 1e3 * effect).with_scale(effect),
        distance(Parameter::new("dc2", 0.3 * far)),
        Parameter::new("k", effect / middle).within(1e-2 * effect / far, 1e3 * effect / near).log(),
        Parameter::new("c", 1.0).within(0.0, 100.0).with_scale(1.0),
        Parameter::new("trend", 0.0),
    ];
    let length = match options.trend {
        Trend::Time => 1.0,
        _ => far,
    };
    list[8] =
        Parameter::new("trend", 0.0).within(-30.0 * span / length, 30.0 * span / length).with_scale(span / length);
    if options.trend == Trend::None {
        list[8] = Parameter::new("trend", 0.0).fixed(0.0);
    }
    if options.states < 2 {
        list[4] = Parameter::new("b2", 0.0).fixed(0.0);
        list[5] = Parameter::new("dc2", 1.0).fixed(1.0);
    }
    if options.evolution == StateEvolution::Nagata {
        // c/b appears in the law
        for j in [2, 4] {
            if !(list[j].low == list[j].high) {
                list[j] =
                    Parameter::new(&list[j].name.clone(), list[j].start).within(1e-4 * effect, 1e3 * effect).log();
            }
        }
    } else {
        list[7] = Parameter::new("c", 0.0).fixed(0.0);
    }
    for known in &options.constraints {
        let used = |name: &str| match name {
            "b2" | "dc2" => options.states == 2,
            "trend" => options.trend != Trend::None,
            "c" => options.evolution == StateEvolution::Nagata,
            _ => true,
        };
        let Some(p) = list.iter_mut().find(|p| p.name == known.key && used(&p.name)) else {
            let names = PARAMETERS.iter().map(|(name, _)| *name).filter(|name| used(name));
            let near = similar(&known.key, names).into_iter().map(str::to_owned).collect();
            return Err(Error::Law(LawError::UnknownParam { law: "rate and state", name: known.key.clone(), near }));
        };
        let positive = matches!(p.name.as_str(), "a" | "dc" | "dc2" | "k");
        if let Some(high) = known.high.filter(|high| positive && *high <= 0.0) {
            let name = PARAMETERS.iter().find(|(name, _)| *name == p.name).map_or("parameter", |(name, _)| *name);
            return Err(NumericsError::InvalidValue { name, value: high, must: "above zero" }.into());
        }
        // a lower bound of zero is none
        p.low = known.low.filter(|low| !positive || *low > 0.0).unwrap_or(p.low.min(known.high.unwrap_or(p.low)));
        p.high = known.high.unwrap_or(p.high).max(p.low);
        let middle = if p.log && p.low > 0.0 { (p.low * p.high).sqrt() } else { 0.5 * (p.low + p.high) };
        let start = if p.start >= p.low && p.start <= p.high { p.start } else { middle };
        p.start = known.start.unwrap_or(start).clamp(p.low, p.high.max(p.low));
        p.log = known.log.unwrap_or(p.log) && p.low > 0.0;
    }
    Ok(list)
}

/// A fit with what its report needs beside the numbers.
pub(super) struct RateStateFit {
    pub fit: Fit,
    /// Interval of each parameter; none where the data give no bound.
    pub intervals: Vec<Interval>,
    pub noise: NoiseEstimate,
    pub fitted: Vec<FittedStep>,
    /// Steps whose times are uncertain and were not fitted.
    pub held_steps: usize,
    /// Deviation of friction at the start from steady sliding, in standard errors.
    pub unsteady: f64,
    /// Twice the negative logarithm of the likelihood.
    pub deviance: f64,
    /// Measured and modelled friction of all records: residuals, model less measured.
    pub residual: Vec<f64>,
    pub v0: f64,
}

/// Standard deviations within which successive changes of velocity are one change that takes its time.
const ONE_CHANGE: f64 = 12.0;

/// The steps whose times are uncertain: the most uncertain ones are fitted, as many as there is room for; also how many are not.
fn fitted_steps(records: &[VelocitySteps]) -> (Vec<FittedStep>, usize) {
    let mut out: Vec<FittedStep> = Vec::new();
    for (record, r) in records.iter().enumerate() {
        for i in r.load.steps() {
            let (time, deviation) = (r.load.start[i], r.load.uncertainty[i]);
            if !(deviation > 0.0 && deviation.is_finite()) {
                continue;
            }
            match out.last_mut() {
                Some(last)
                    if last.record == record
                        && time - r.load.start[last.last] < ONE_CHANGE * deviation.max(last.deviation) =>
                {
                    last.last = i;
                    last.deviation = last.deviation.min(deviation);
                }
                _ => out.push(FittedStep { record, first: i, last: i, time, deviation }),
            }
        }
    }
    out.sort_by(|a, b| b.deviation.total_cmp(&a.deviation));
    let rest = out.len().saturating_sub(MAX_FITTED_STEPS);
    out.truncate(MAX_FITTED_STEPS);
    out.sort_by_key(|step| (step.record, step.first));
    (out, rest)
}

/// Samples of a record beyond which friction is averaged over intervals of a thousandth of the time since the last step, over which it
/// hardly changes.
const MAX_SAMPLES: usize = 20_000;
const FINE_PER_DECADE: f64 = 2300.0;
const FINE_BEFORE: usize = 4000;

/// Standard deviations that the time of a step may move.
const STEP_REACH: f64 = 6.0;

/// Fits a spring slider to friction at velocity steps. All records share the parameters. `watch` is called often and returns
/// whether to continue.
///
/// # Errors
/// [`Error::Numerics`] for invalid records or records without a step, [`Error::Law`] for an unknown name in
/// [`RateStateOptions::constraints`].
pub fn fit(
    records: &[VelocitySteps],
    options: &RateStateOptions,
    watch: &mut dyn FnMut(&FitProgress<'_>) -> bool,
) -> Result<IdentificationResult, Error> {
    records.iter().try_for_each(VelocitySteps::check)?;
    let dense: Vec<VelocitySteps> = records
        .iter()
        .map(|r| if r.t.len() > MAX_SAMPLES { thinned(r, FINE_PER_DECADE, FINE_BEFORE) } else { r.clone() })
        .collect();
    let averaged = dense.iter().zip(records).any(|(a, b)| a.t.len() != b.t.len());
    let records = &dense[..];
    let Some(first) = records.first() else {
        return Err(NumericsError::TooFew { what: "records", need: 1, have: 0 }.into());
    };
    if !(1..=2).contains(&options.states) {
        return Err(
            NumericsError::InvalidValue { name: "states", value: options.states as f64, must: "one or two" }.into()
        );
    }
    let v0 = options.v0.unwrap_or(first.load.velocity[0]);
    let scales = Scales::new(records);
    let mut list = parameters(&scales, options)?;
    let mut names: Vec<String> = list.iter().map(|p| p.name.clone()).collect();
    let ends = search(records, options, v0, &list, scales.travel, scales.effect, &mut |done, rms, values| {
        let stage = FitStage::GlobalSearch;
        watch(&FitProgress { stage, done, rms, names: &names, values, checkpoint: None })
    });
    let Some(best) = ends.first() else {
        return Err(NumericsError::TooFew { what: "starts", need: 1, have: 0 }.into());
    };
    list.iter_mut().zip(best).for_each(|(p, x)| p.start = *x);
    let mut model = Model::new(records, options, v0);
    let (steps, held_steps) = fitted_steps(records);
    for (i, step) in steps.iter().enumerate() {
        let load = &records[step.record].load;
        let end = records[step.record].t.last().copied().unwrap_or(step.time);
        let next = load.start.get(step.last + 1).copied().unwrap_or(end);
        let reach = STEP_REACH * step.deviation;
        // half-way to the neighbours at most
        let low = step.time - reach.min(0.5 * (step.time - load.start[step.first - 1]));
        let high = step.time + reach.min(0.5 * (next - load.start[step.last]));
        let name = format!("step{}", i + 1);
        list.push(Parameter::new(&name, step.time).within(low, high).with_scale(step.deviation));
        names.push(name);
    }
    model.fitted = steps;
    let (samples, rows) = (model.samples(), model.rows());
    let distances = Distances::new(records);
    let mut q: Vec<f64> = list.iter().map(|p| p.start).collect();
    let mut raw = vec![0.0; samples];
    let rms = |x: &[f64]| (x.iter().map(|x| x * x).sum::<f64>() / x.len().max(1) as f64).sqrt();
    model.raw_residual(&q, &mut raw);
    // where simulation is exact, its own error is the noise
    let floor = options.tolerance * (scales.friction[1].abs() + scales.effect);
    model.noise = rms(&raw).max(floor);
    model.whitening = Some(distances.whitening(None));
    let mut noise = NoiseEstimate { wander: None, white: model.noise, effective: samples as f64, freedom: Vec::new() };
    let mut found: Option<Fit> = None;
    let rest = &q[COUNT..];
    let mut starts: Vec<Vec<f64>> =
        distinct(&ends).into_iter().map(|start| start[..COUNT].iter().chain(rest).copied().collect()).collect();
    // what is left of correlation in the whitened residuals, as where a law does not quite describe the answer to a step, widens the
    // intervals
    let mut breaks = Vec::new();
    let mut end = 0;
    for r in records {
        end += r.t.len();
        if end < rows {
            breaks.push(end);
        }
    }
    let left = fit::NoiseModel::Correlated { lag: None, whiten: true, breaks };
    let left = if options.white_noise { fit::NoiseModel::White } else { left };
    let how = fit::FitOptions { noise: left, ..options.fit.clone() };
    for round in 0..ROUNDS {
        let value = |q: &[f64], out: &mut [f64]| model.residual(q, out);
        let slope = |q: &[f64], out: &mut [f64]| model.jacobian(q, out);
        let problem = LeastSquaresProblem::new(&list, rows, &value).with_jacobian(&slope);
        // the first rounds follow several minima of the search, each from where it was
        let mut ends: Vec<Fit> = Vec::new();
        for start in &starts {
            let end = nonlinear_from(&problem, &how, &problem.begin(start), &mut |step| {
                let share = (step.state.evaluations as f64 / how.evaluations.max(1) as f64).min(1.0);
                let done = (round as f64 + share) / ROUNDS as f64;
                let (stage, rms, values) = (FitStage::LeastSquares, noise.white, step.values);
                watch(&FitProgress { stage, done, rms, names: &names, values, checkpoint: None })
            })?;
            ends.push(end);
        }
        ends.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        starts = ends.iter().map(|end| end.values.clone()).collect();
        if round > 0 {
            starts.truncate(1);
        }
        let end = ends.swap_remove(0);
        q.clone_from(&end.values);
        let free: Vec<usize> = (0..list.len()).filter(|&j| !end.bound[j]).collect();
        found = Some(end);
        if round + 1 == ROUNDS {
            break;
        }
        model.raw_residual(&q, &mut raw);
        let mut jacobian = vec![0.0; samples * list.len()];
        model.raw_jacobian(&q, samples, &mut jacobian);
        let columns: Vec<&[f64]> = free.iter().map(|&j| &jacobian[j * samples..(j + 1) * samples]).collect();
        if options.white_noise || rms(&raw) <= floor {
            noise.white = rms(&raw) * (samples as f64 / (samples as f64 - free.len() as f64).max(1.0)).sqrt();
        } else {
            noise = estimate(&distances, &raw, &columns);
        }
        if noise.white < floor {
            // the same wander beside more white noise
            if let Some(wander) = &mut noise.wander {
                wander.share *= (noise.white / floor).powi(2);
            }
            noise.white = floor;
        }
        model.noise = noise.white;
        model.whitening = Some(distances.whitening(noise.wander));
    }
    let Some(mut found) = found else {
        return Err(NumericsError::TooFew { what: "rounds", need: 1, have: 0 }.into());
    };
    let mut intervals = Vec::new();
    for _ in 0..MAX_REFITS {
        let (ends, better) = all_intervals(&model, &list, options, &found, &noise.freedom)?;
        intervals = ends;
        let Some(start) = better else { break };
        // a profile found a lower minimum: the fit goes on from there
        let value = |q: &[f64], out: &mut [f64]| model.residual(q, out);
        let slope = |q: &[f64], out: &mut [f64]| model.jacobian(q, out);
        let problem = LeastSquaresProblem::new(&list, rows, &value).with_jacobian(&slope);
        let next = nonlinear_from(&problem, &how, &problem.begin(&start), &mut |_| true)?;
        if next.cost >= found.cost {
            break;
        }
        q.clone_from(&next.values);
        found = next;
    }
    model.raw_residual(&q, &mut raw);
    let unsteady = unsteady(&model, &found);
    let fitted = model.fitted.clone();
    let squares: f64 = found.residual.iter().map(|r| r * r).sum();
    let spread = model.whitening.as_ref().map_or(0.0, Whitening::log_variance);
    let deviance = spread + samples as f64 * model.noise.powi(2).ln() + squares;
    let all = RateStateFit { fit: found, intervals, noise, fitted, held_steps, unsteady, deviance, residual: raw, v0 };
    let mut result = summarise(records, options, &all);
    if averaged {
        let text = "the record is long: friction was averaged over a thousandth of the time since the last step";
        result.remark(Severity::Info, text);
    }
    Ok(result)
}

/// The best of the ageing law and the slip law with one state, and of the better one with two, by Schwarz's criterion.
///
/// # Errors
/// As [`fit()`].
pub fn select_evolution(
    records: &[VelocitySteps],
    options: &RateStateOptions,
    watch: &mut dyn FnMut(&FitProgress<'_>) -> bool,
) -> Result<IdentificationResult, Error> {
    let criterion = |result: &IdentificationResult| result.score("bic").unwrap_or(f64::INFINITY);
    let mut tried = Vec::new();
    let mut best: Option<(StateEvolution, IdentificationResult)> = None;
    for (evolution, states) in [(StateEvolution::Ageing, 1), (StateEvolution::Slip, 1), (StateEvolution::Ageing, 2)] {
        // two states with the evolution that was better with one
        let evolution = match &best {
            Some((better, _)) if states == 2 => *better,
            _ => evolution,
        };
        let result = fit(records, &RateStateOptions { evolution, states, ..options.clone() }, watch)?;
        tried.push((result.title.clone(), vec![result.score("rms").unwrap_or(f64::NAN), criterion(&result)]));
        if best.as_ref().is_none_or(|(_, other)| criterion(&result) < criterion(other)) {
            best = Some((evolution, result));
        }
    }
    let Some((_, mut result)) = best else {
        return Err(NumericsError::TooFew { what: "laws", need: 1, have: 0 }.into());
    };
    result.tables.push(ResultTable {
        key: "laws".to_owned(),
        title: "Laws that were tried".to_owned(),
        columns: ["law", "rms", "Schwarz's criterion"].map(str::to_owned).to_vec(),
        rows: tried,
    });
    Ok(result)
}

/// Minima of the search that are followed, and the relative difference of parameters that makes them two.
const FOLLOWED: usize = 4;
const DISTINCT: f64 = 0.02;

/// The best minima that differ from each other.
fn distinct(ends: &[Vec<f64>]) -> Vec<&Vec<f64>> {
    let mut out: Vec<&Vec<f64>> = Vec::new();
    let same = |a: &[f64], b: &[f64]| a.iter().zip(b).take(COUNT - 1).all(|(a, b)| (a - b).abs() <= DISTINCT * a.abs());
    for end in ends {
        if out.len() < FOLLOWED && !out.iter().any(|other| same(other, end)) {
            out.push(end);
        }
    }
    out
}

/// Rounds of fits, each with the noise of the residuals of the one before.
const ROUNDS: usize = 4;

/// Fits after a profile that went below the minimum.
const MAX_REFITS: usize = 3;
