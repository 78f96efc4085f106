//! The friction of a spring slider along records, and its derivatives.
use super::fit::{RateStateOptions, Trend};
use super::load_point::LoadPoint;
use super::noise::Whitening;
use super::record::VelocitySteps;
use super::rosenbrock::{RosenbrockIntegrator, Stretch};
use super::spring_slider::{SpringSlider, StateEvolution};
use stiction_core::{Dual, Real};

/// Parameters with their units: those of the slider, then the trend; fitted times of steps follow.
pub(super) const PARAMETERS: [(&str, &str); 9] = [
    ("mu0", "-"),
    ("a", "-"),
    ("b", "-"),
    ("dc", "m"),
    ("b2", "-"),
    ("dc2", "m"),
    ("k", "1/m"),
    ("c", "-"),
    ("trend", "1/m"),
];
pub(super) const COUNT: usize = PARAMETERS.len();
pub(super) const TREND: usize = COUNT - 1;
/// Parameters of the slider but mu0, whose derivative is one.
const SLIDER: usize = COUNT - 2;
/// Most times of steps that are fitted.
pub(super) const MAX_FITTED_STEPS: usize = 5;
type D = Dual<f64, { SLIDER + MAX_FITTED_STEPS }>;

pub(super) fn slider<R: Real>(q: &[R], v0: f64) -> SpringSlider<R> {
    SpringSlider { mu0: q[0], a: q[1], b: [q[2], q[4]], dc: [q[3], q[5]], k: q[6], c: q[7], v0: R::lit(v0) }
}

/// The friction of a slider along a record; NaN after an instability.
pub fn simulate(
    slider: &SpringSlider<f64>,
    evolution: StateEvolution,
    states: usize,
    steps: &VelocitySteps,
    tolerance: f64,
) -> Vec<f64> {
    along(slider, evolution, states, &steps.load, &steps.load.start, &steps.t, tolerance)
}

fn along(
    slider: &SpringSlider<f64>,
    evolution: StateEvolution,
    states: usize,
    load: &LoadPoint,
    starts: &[f64],
    t: &[f64],
    tolerance: f64,
) -> Vec<f64> {
    let mut out = Vec::with_capacity(t.len());
    let emit = &mut |x: f64| out.push(x);
    match states {
        2 => simulate_over::<f64, 3>(slider, evolution, load, starts, t, tolerance, |x| x, emit),
        _ => simulate_over::<f64, 2>(slider, evolution, load, starts, t, tolerance, |x| x, emit),
    }
    out.resize(t.len(), f64::NAN);
    out
}

#[allow(clippy::too_many_arguments, reason = "a slider, its motion, its samples, and how to read its numbers")]
fn simulate_over<R: Real, const N: usize>(
    slider: &SpringSlider<R>,
    law: StateEvolution,
    load: &LoadPoint,
    starts: &[R],
    t: &[f64],
    tolerance: f64,
    value: impl Fn(R) -> f64 + Copy,
    emit: &mut impl FnMut(R),
) {
    let (Some(first), Some(end)) = (load.velocity.first(), t.last()) else { return };
    let mut solver: RosenbrockIntegrator<R, N> =
        RosenbrockIntegrator { slider: *slider, law, y: slider.steady(*first), tolerance };
    emit(solver.y[0]);
    let mut k = 1;
    for (i, velocity) in load.velocity.iter().enumerate() {
        let to = starts.get(i + 1).copied().unwrap_or(R::lit(*end));
        let last = i + 1 == load.velocity.len();
        let until = if last { t.len() } else { k + t[k..].partition_point(|t| *t <= value(to)) };
        let stretch = Stretch { from: starts[i], to, load: *velocity };
        if !solver.advance(&stretch, &t[k..until], value, emit) {
            return;
        }
        k = until;
    }
}

/// A step whose time is fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FittedStep {
    pub record: usize,
    /// The stretches that move with it: one, or those of a change of velocity that takes its time.
    pub first: usize,
    pub last: usize,
    /// Its time by the load point, and the standard deviation of that \[s\].
    pub time: f64,
    pub deviation: f64,
}

/// Residuals of all records in units of their noise.
pub(super) struct Model<'a> {
    pub records: &'a [VelocitySteps],
    pub evolution: StateEvolution,
    pub states: usize,
    pub tolerance: f64,
    pub v0: f64,
    /// What the trend is linear in, for each record.
    pub trend: Vec<Vec<f64>>,
    pub fitted: Vec<FittedStep>,
    /// How to whiten residuals; none leaves them as they are.
    pub whitening: Option<Whitening>,
    /// Standard deviation of the white part of the noise.
    pub noise: f64,
}

impl<'a> Model<'a> {
    pub fn new(records: &'a [VelocitySteps], options: &RateStateOptions, v0: f64) -> Self {
        let over = |r: &VelocitySteps| match options.trend {
            Trend::Time => r.t.iter().map(|t| t - r.t[0]).collect(),
            Trend::None | Trend::Travel => r.load.travel(&r.t),
        };
        Self {
            records,
            evolution: options.evolution,
            states: options.states,
            tolerance: options.tolerance,
            v0,
            trend: records.iter().map(over).collect(),
            fitted: Vec::new(),
            whitening: None,
            noise: 1.0,
        }
    }
    pub fn samples(&self) -> usize {
        self.records.iter().map(|r| r.t.len()).sum()
    }
    /// Number of residuals: samples, and what the load point says of each fitted step.
    pub fn rows(&self) -> usize {
        self.samples() + self.fitted.len()
    }
    fn starts(&self, record: usize, q: &[f64]) -> Vec<f64> {
        let mut starts = self.records[record].load.start.clone();
        for (i, step) in self.fitted.iter().enumerate().filter(|(_, step)| step.record == record) {
            let shift = q[COUNT + i] - step.time;
            starts[step.first..=step.last].iter_mut().for_each(|t| *t += shift);
        }
        starts
    }
    /// Model less measured.
    pub fn raw_residual(&self, q: &[f64], out: &mut [f64]) {
        let slider = slider(q, self.v0);
        let mut at = 0;
        for (j, r) in self.records.iter().enumerate() {
            let starts = self.starts(j, q);
            let mu = along(&slider, self.evolution, self.states, &r.load, &starts, &r.t, self.tolerance);
            for (k, mu) in mu.iter().enumerate() {
                out[at + k] = mu + q[TREND] * self.trend[j][k] - r.friction[k];
            }
            at += r.t.len();
        }
    }
    /// The derivatives of that, column by column of `rows` numbers.
    pub fn raw_jacobian(&self, q: &[f64], rows: usize, out: &mut [f64]) {
        let mut dual: Vec<D> = q[..COUNT].iter().map(|x| D::lit(*x)).collect();
        for (i, x) in dual.iter_mut().enumerate().skip(1).take(SLIDER) {
            *x = D::var(q[i], i - 1);
        }
        let slider = slider(&dual, self.v0);
        let mut at = 0;
        for (j, r) in self.records.iter().enumerate() {
            let mut starts: Vec<D> = self.starts(j, q).iter().map(|t| D::lit(*t)).collect();
            for (i, step) in self.fitted.iter().enumerate().filter(|(_, step)| step.record == j) {
                starts[step.first..=step.last].iter_mut().for_each(|t| *t = D::var(t.re, SLIDER + i));
            }
            let mut k = 0;
            let emit = &mut |mu: D| {
                let row = at + k;
                out[row] = 1.0;
                for i in 0..SLIDER {
                    out[(i + 1) * rows + row] = mu.eps[i];
                }
                out[TREND * rows + row] = self.trend[j][k];
                for i in 0..self.fitted.len() {
                    out[(COUNT + i) * rows + row] = mu.eps[SLIDER + i];
                }
                k += 1;
            };
            let (law, tolerance) = (self.evolution, self.tolerance);
            match self.states {
                2 => simulate_over::<D, 3>(&slider, law, &r.load, &starts, &r.t, tolerance, |x| x.re, emit),
                _ => simulate_over::<D, 2>(&slider, law, &r.load, &starts, &r.t, tolerance, |x| x.re, emit),
            }
            // no derivatives after an instability
            for row in at + k..at + r.t.len() {
                (0..COUNT + self.fitted.len()).for_each(|j| out[j * rows + row] = f64::NAN);
            }
            at += r.t.len();
        }
    }
    /// Residuals of deviation one.
    pub fn residual(&self, q: &[f64], out: &mut [f64]) {
        let samples = self.samples();
        self.raw_residual(q, &mut out[..samples]);
        self.scale(&mut out[..samples]);
        for (i, step) in self.fitted.iter().enumerate() {
            out[samples + i] = (q[COUNT + i] - step.time) / step.deviation;
        }
    }
    /// Their derivatives.
    pub fn jacobian(&self, q: &[f64], out: &mut [f64]) {
        let (samples, rows) = (self.samples(), self.rows());
        out.fill(0.0);
        self.raw_jacobian(q, rows, out);
        for column in out.chunks_exact_mut(rows) {
            self.scale(&mut column[..samples]);
        }
        for (i, step) in self.fitted.iter().enumerate() {
            out[(COUNT + i) * rows + samples + i] = 1.0 / step.deviation;
        }
    }
    /// Whitens a series of samples and divides it by the noise.
    pub fn scale(&self, x: &mut [f64]) {
        if let Some(whitening) = &self.whitening {
            whitening.apply(x);
        }
        x.iter_mut().for_each(|x| *x /= self.noise);
    }
}
