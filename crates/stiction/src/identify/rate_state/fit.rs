//! Fit of velocity steps.
use super::rosenbrock::RosenbrockIntegrator;
use super::spring_slider::{SpringSlider, StateEvolution};
use super::summary::summarise;
use crate::Error;
use crate::LawError;
use crate::NumericsError;
use crate::check::{all_finite, increasing, same_length};
use crate::fit::{self, LeastSquaresProblem, NoiseModel, Parameter, ScreeningOptions, nonlinear_from, screen};
use crate::identify::IdentificationResult;
use crate::identify::{FitProgress, FitStage, FreeParameter};
use crate::similar_names::similar;
use stiction_core::{Dual, Real};

/// A record of velocity steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VelocitySteps {
    /// Name.
    pub name: String,
    /// Time \[s\].
    pub t: Vec<f64>,
    /// Friction coefficient.
    pub friction: Vec<f64>,
    /// Velocity of the load point during the interval that ends at each sample; for the first sample, the velocity before
    /// \[m/s\].
    pub velocity: Vec<f64>,
    /// Samples before which the velocity jumped at an unknown time within the sampling interval.
    pub unsure: Vec<usize>,
}

/// Ratio of successive velocities that counts as a step.
const STEP_RATIO: f64 = 1.2;

/// The rows without repeated times: a trace repeats the time of a jump, with the first row before the jump.
fn without_repeated_times(t: &[f64]) -> Vec<usize> {
    (0..t.len()).filter(|&k| k == 0 || t[k] != t[k - 1]).collect()
}

impl VelocitySteps {
    /// From the velocity of the load point. The instant of a step is known only if the record contains it twice, before and
    /// after the step.
    pub fn from_velocity(name: &str, t: &[f64], friction: &[f64], velocity: &[f64]) -> Self {
        let rows = without_repeated_times(t);
        let pick = |x: &[f64]| rows.iter().filter_map(|&k| x.get(k).copied()).collect::<Vec<f64>>();
        let velocity = pick(velocity);
        let twice = |j: usize| rows[j] + 1 != rows[j + 1];
        let jumps = |w: &[f64]| w[0] > 0.0 && w[1] > 0.0 && (w[1] / w[0]).max(w[0] / w[1]) > STEP_RATIO;
        let unsure = velocity.windows(2).enumerate().filter(|(j, w)| jumps(w) && !twice(*j)).map(|(j, _)| j + 1);
        let unsure = unsure.collect();
        Self { name: name.to_owned(), t: pick(t), friction: pick(friction), velocity, unsure }
    }
    /// From the displacement of the load point. Steps should coincide with samples; a step within an interval appears as an
    /// intermediate velocity.
    pub fn from_displacement(name: &str, t: &[f64], friction: &[f64], displacement: &[f64]) -> Self {
        let rows = without_repeated_times(t);
        let pick = |x: &[f64]| rows.iter().filter_map(|&k| x.get(k).copied()).collect::<Vec<f64>>();
        let (t, friction, displacement) = (pick(t), pick(friction), pick(displacement));
        let pairs = t.windows(2).zip(displacement.windows(2));
        let mut velocity: Vec<f64> = pairs.map(|(t, x)| (x[1] - x[0]) / (t[1] - t[0])).collect();
        if let Some(first) = velocity.first().copied() {
            velocity.insert(0, first);
        }
        Self { name: name.to_owned(), t, friction, velocity, unsure: Vec::new() }
    }
    fn check(&self) -> Result<(), NumericsError> {
        increasing(&self.t)?;
        same_length("friction", self.friction.len(), self.t.len())?;
        same_length("velocity", self.velocity.len(), self.t.len())?;
        all_finite("friction", &self.friction)?;
        all_finite("velocity", &self.velocity)?;
        if let Some(v) = self.velocity.iter().find(|v| **v <= 0.0) {
            return Err(NumericsError::InvalidValue {
                name: "velocity of the load point",
                value: *v,
                must: "above zero",
            });
        }
        if self.velocity.windows(2).all(|w| w[0] == w[1]) {
            return Err(NumericsError::ConstantSignal { what: "velocities of the load point" });
        }
        Ok(())
    }
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
    /// Whether friction may have a linear trend over displacement, as by wear.
    pub trend: bool,
    /// Bounds and initial values of `mu0`, `a`, `b`, `dc`, `b2`, `dc2`, `k` or `trend`; equal bounds fix a parameter.
    pub constraints: Vec<FreeParameter>,
    /// Global search before the fit.
    pub search: ScreeningOptions,
    /// Options of the least-squares fit.
    pub fit: fit::FitOptions,
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
            trend: false,
            constraints: Vec::new(),
            search: ScreeningOptions { samples: 300, ..ScreeningOptions::default() },
            fit: fit::FitOptions { noise: NoiseModel::correlated(), evaluations: 400, ..fit::FitOptions::default() },
            tolerance: 1e-9,
            level: 0.95,
        }
    }
}

/// The friction of a slider along a record; NaN after an instability.
pub fn simulate(
    slider: &SpringSlider<f64>,
    evolution: StateEvolution,
    states: usize,
    steps: &VelocitySteps,
    tolerance: f64,
) -> Vec<f64> {
    let mut out = Vec::with_capacity(steps.t.len());
    let emit = &mut |x: f64| out.push(x);
    match states {
        2 => simulate_over::<f64, 3>(slider, evolution, steps, tolerance, |x| x, emit),
        _ => simulate_over::<f64, 2>(slider, evolution, steps, tolerance, |x| x, emit),
    }
    out.resize(steps.t.len(), f64::NAN);
    out
}

fn simulate_over<R: Real, const N: usize>(
    slider: &SpringSlider<R>,
    law: StateEvolution,
    steps: &VelocitySteps,
    tolerance: f64,
    value: impl Fn(R) -> f64 + Copy,
    emit: &mut impl FnMut(R),
) {
    let Some(first) = steps.velocity.first() else { return };
    let mut solver: RosenbrockIntegrator<R, N> =
        RosenbrockIntegrator { slider: *slider, law, y: slider.steady(*first), h: 0.0, tolerance };
    emit(solver.y[0]);
    for (t, v) in steps.t.windows(2).zip(steps.velocity.windows(2)) {
        if v[0] != v[1] {
            // the response after a step is fast
            solver.h *= 1e-3;
        }
        if !solver.advance(t[1] - t[0], v[1], value) {
            return;
        }
        emit(solver.y[0]);
    }
}

/// Parameters with their units: those of the slider, then the trend.
pub(super) const PARAMETERS: [(&str, &str); 8] =
    [("mu0", "-"), ("a", "-"), ("b", "-"), ("dc", "m"), ("b2", "-"), ("dc2", "m"), ("k", "1/m"), ("trend", "1/m")];
const PARAMETER_COUNT: usize = PARAMETERS.len();

fn slider<R: Real>(q: &[R], v0: f64) -> SpringSlider<R> {
    SpringSlider { mu0: q[0], a: q[1], b: [q[2], q[4]], dc: [q[3], q[5]], k: q[6], v0: R::lit(v0) }
}

/// Residuals, model less measured, and their derivatives if `slopes` is given.
fn residual(
    records: &[VelocitySteps],
    options: &RateStateOptions,
    v0: f64,
    q: &[f64],
    out: &mut [f64],
    slopes: Option<&mut [f64]>,
) {
    let total = out.len();
    let mut at = 0;
    let mut slopes = slopes;
    for steps in records {
        let mut x = 0.0;
        let far: Vec<f64> = (0..steps.t.len())
            .map(|k| {
                x += if k > 0 { steps.velocity[k] * (steps.t[k] - steps.t[k - 1]) } else { 0.0 };
                x
            })
            .collect();
        let rows = at..at + steps.t.len();
        let trend = q[PARAMETER_COUNT - 1];
        match &mut slopes {
            None => {
                let mu = simulate(&slider(q, v0), options.evolution, options.states, steps, options.tolerance);
                for (k, row) in rows.clone().enumerate() {
                    out[row] = mu[k] + trend * far[k] - steps.friction[k];
                }
            }
            Some(slopes) => {
                type D = Dual<f64, 8>;
                let dual: Vec<D> = q.iter().enumerate().map(|(i, x)| D::var(*x, i)).collect();
                let mut k = 0;
                let emit = &mut |mu: D| {
                    out[at + k] = mu.re + trend * far[k] - steps.friction[k];
                    for (j, d) in mu.eps.iter().enumerate() {
                        slopes[j * total + at + k] = *d;
                    }
                    slopes[(PARAMETER_COUNT - 1) * total + at + k] = far[k];
                    k += 1;
                };
                let (law, tolerance) = (options.evolution, options.tolerance);
                match options.states {
                    2 => simulate_over::<D, 3>(&slider(&dual, v0), law, steps, tolerance, |x| x.re, emit),
                    _ => simulate_over::<D, 2>(&slider(&dual, v0), law, steps, tolerance, |x| x.re, emit),
                }
                // no derivatives after an instability
                for row in at + k..rows.end {
                    out[row] = f64::NAN;
                    (0..PARAMETER_COUNT).for_each(|j| slopes[j * total + row] = f64::NAN);
                }
            }
        }
        at = rows.end;
    }
}

/// Initial values and bounds, from the size and steepness of the changes of friction.
fn parameters(records: &[VelocitySteps], options: &RateStateOptions) -> Result<Vec<Parameter>, Error> {
    let all = || records.iter().flat_map(|r| r.friction.iter());
    let (low, high) = all().fold((f64::INFINITY, -f64::INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
    let span = (high - low).max(1e-9);
    let speeds = || records.iter().flat_map(|r| r.velocity.iter());
    let (slow, fast) = speeds().fold((f64::INFINITY, 0.0_f64), |(l, h), v| (l.min(*v), h.max(*v)));
    let decade = (fast / slow).ln().max(0.1);
    let (mut steep, mut far, mut near_by) = (0.0_f64, 0.0_f64, f64::INFINITY);
    for r in records {
        let mut way = 0.0;
        for k in 1..r.t.len() {
            let dx = r.velocity[k] * (r.t[k] - r.t[k - 1]);
            steep = steep.max(((r.friction[k] - r.friction[k - 1]) / dx).abs());
            way += dx;
            near_by = near_by.min(dx);
        }
        far = far.max(way);
    }
    let steep = steep.max(span / far);
    let mu = records.first().and_then(|r| r.friction.first()).copied().unwrap_or(0.5);
    let effect = span / decade;
    let two = options.states == 2;
    let off = |p: Parameter| if two { p } else { p.fixed(0.0) };
    let mut list = vec![
        Parameter::new("mu0", mu).within(low - 3.0 * span, high + 3.0 * span).with_scale(span),
        Parameter::new("a", effect).within(0.01 * effect, 30.0 * effect).log(),
        Parameter::new("b", effect).within(1e-4 * effect, 100.0 * effect).log(),
        Parameter::new("dc", (near_by * far).sqrt()).within(0.1 * near_by, far).log(),
        off(Parameter::new("b2", 0.3 * effect).within(1e-4 * effect, 100.0 * effect)),
        Parameter::new("dc2", 0.3 * far).within(0.1 * near_by, far).log(),
        Parameter::new("k", 3.0 * steep).within(0.3 * steep, 1000.0 * steep).log(),
        Parameter::new("trend", 0.0).within(-10.0 * span / far, 10.0 * span / far).with_scale(0.1 * span / far),
    ];
    if two {
        list[4].log = true;
    } else {
        list[5] = Parameter::new("dc2", 1.0).fixed(1.0);
    }
    if !options.trend {
        list[7] = Parameter::new("trend", 0.0).fixed(0.0);
    }
    for known in &options.constraints {
        let Some(p) = list.iter_mut().find(|p| p.name == known.key) else {
            let near =
                similar(&known.key, PARAMETERS.iter().map(|(name, _)| *name)).into_iter().map(str::to_owned).collect();
            return Err(Error::Law(LawError::UnknownParam { law: "rate and state", name: known.key.clone(), near }));
        };
        p.low = known.low.unwrap_or(p.low);
        p.high = known.high.unwrap_or(p.high);
        p.start = known.start.unwrap_or(p.start).clamp(p.low, p.high.max(p.low));
        p.log = known.log.unwrap_or(p.log) && p.low > 0.0;
    }
    Ok(list)
}

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
    let Some(first) = records.first() else {
        return Err(NumericsError::TooFew { what: "records", need: 1, have: 0 }.into());
    };
    if !(1..=2).contains(&options.states) {
        return Err(
            NumericsError::InvalidValue { name: "states", value: options.states as f64, must: "one or two" }.into()
        );
    }
    let v0 = options.v0.unwrap_or(first.velocity[0]);
    let mut parameters = parameters(records, options)?;
    let names: Vec<String> = parameters.iter().map(|p| p.name.clone()).collect();
    let count: usize = records.iter().map(|r| r.t.len()).sum();
    let value = |q: &[f64], out: &mut [f64]| residual(records, options, v0, q, out, None);
    let slope = |q: &[f64], out: &mut [f64]| {
        residual(records, options, v0, q, &mut vec![0.0; count], Some(out));
    };
    let rms = |cost: f64| (2.0 * cost / count as f64).sqrt();
    let problem = LeastSquaresProblem::new(&parameters, count, &value).with_jacobian(&slope);
    let quick = fit::FitOptions { noise: NoiseModel::White, ..options.fit.clone() };
    let best = screen(&problem, &quick, &options.search, &mut |sight| {
        let (stage, done, rms) = (FitStage::GlobalSearch, sight.done, rms(sight.cost));
        watch(&FitProgress { stage, done, rms, names: &names, values: sight.values, state: None })
    })?
    .swap_remove(0)
    .1;
    parameters.iter_mut().zip(best).for_each(|(p, x)| p.start = x);
    let problem = LeastSquaresProblem::new(&parameters, count, &value).with_jacobian(&slope);
    let mut how = options.fit.clone();
    if let NoiseModel::Correlated { breaks, .. } = &mut how.noise
        && breaks.is_empty()
    {
        let mut at = 0;
        breaks.extend(records.iter().take(records.len() - 1).map(|r| {
            at += r.t.len();
            at
        }));
    }
    let start: Vec<f64> = parameters.iter().map(|p| p.start).collect();
    let found = nonlinear_from(&problem, &how, &problem.begin(&start), &mut |step| {
        let done = (step.state.evaluations as f64 / how.evaluations.max(1) as f64).min(1.0);
        let (stage, rms, state) = (FitStage::LeastSquares, rms(step.cost), Some(step.state));
        watch(&FitProgress { stage, done, rms, names: &names, values: step.values, state })
    })?;
    Ok(summarise(records, options, v0, &found))
}
