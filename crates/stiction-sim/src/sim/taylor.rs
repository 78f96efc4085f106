//! Steps by a Taylor series, without truncation error, for linear systems: linear springs, piecewise linear motions, forces
//! that are piecewise linear or sinusoidal, contacts that stick or slide with a force linear in the velocity (Coulomb). The
//! equations of motion then have constant coefficients, and the series is summed to rounding. A step is at most an eighth of
//! the shortest period, so that five samples resolve the motion for event location.
#![allow(
    clippy::needless_range_loop,
    reason = "index loops of known length are what the compiler unrolls, and read like the formula"
)]
use super::components::ContactMode;
use super::flow::{Flow, TINY};
use super::linear_part::{LinearPart, MAX_STATES};
use super::rodas5p::add;
use super::rosenbrock::Step;
use crate::system::Signal;
use std::f64::consts::TAU;
use stiction_core::Input;

/// Most terms: over an eighth of a period the last is below 1e-25 of the first.
const MAX_TERMS: usize = 24;

/// Gauss–Legendre quadrature with six points: nodes on 0..1 and weights. Exact to degree 11; over an eighth of a period the
/// power, which has twice the frequency, is integrated to 1e-13.
const GAUSS_NODES: [f64; 6] = [
    0.033_765_242_898_423_99,
    0.169_395_306_766_867_74,
    0.380_690_406_958_401_55,
    0.619_309_593_041_598_5,
    0.830_604_693_233_132_2,
    0.966_234_757_101_576,
];
const GAUSS_WEIGHTS: [f64; 6] = [
    0.085_662_246_189_585_18,
    0.180_380_786_524_069_3,
    0.233_956_967_286_345_52,
    0.233_956_967_286_345_52,
    0.180_380_786_524_069_3,
    0.085_662_246_189_585_18,
];

/// The linear system `dy/dt = at + Σ y_j·by[j]`, without its terms in time.
#[derive(Clone, Debug, Default)]
pub(super) struct TaylorStepper {
    /// Whether the system is linear in its present modes.
    pub applies: bool,
    at: [f64; MAX_STATES],
    by: [[f64; MAX_STATES]; MAX_STATES],
    /// The longest step \[s\].
    pub longest: f64,
}

/// The Taylor series of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct TaylorSeries {
    /// Whether the last step was taken by its series.
    pub is_on: bool,
    terms: Vec<[f64; MAX_STATES]>,
}

impl TaylorSeries {
    /// Component `i` of the state at fractions of the step.
    #[inline(always)]
    pub fn at<const N: usize>(&self, i: usize, theta: [f64; N]) -> [f64; N] {
        let mut out = [0.0; N];
        for term in self.terms.iter().rev() {
            for k in 0..N {
                out[k] = out[k] * theta[k] + term[i];
            }
        }
        out
    }
    /// The whole state of `numbers` components.
    pub fn state(&self, theta: f64, numbers: usize) -> [f64; MAX_STATES] {
        let mut out = [0.0; MAX_STATES];
        match numbers {
            0..=2 => self.sum::<2>(theta, &mut out),
            3..=4 => self.sum::<4>(theta, &mut out),
            _ => self.sum::<MAX_STATES>(theta, &mut out),
        }
        out
    }
    #[inline(always)]
    fn sum<const W: usize>(&self, theta: f64, out: &mut [f64; MAX_STATES]) {
        // even and odd powers apart: two independent chains of operations
        let (mut even, mut odd, square) = ([0.0; W], [0.0; W], theta * theta);
        let (pairs, last) = self.terms.as_chunks::<2>();
        if let [last] = last {
            even.copy_from_slice(&last[..W]);
        }
        for [a, b] in pairs.iter().rev() {
            for k in 0..W.min(MAX_STATES) {
                even[k] = even[k] * square + a[k];
                odd[k] = odd[k] * square + b[k];
            }
        }
        for k in 0..W.min(MAX_STATES) {
            out[k] = even[k] + theta * odd[k];
        }
    }
}

impl Flow<'_> {
    /// Updates the coefficients, if the system is linear. Those of the linear part have just been computed.
    pub(super) fn update_taylor(&mut self) {
        let Self { components, linear_part, taylor, .. } = self;
        let wave =
            |&(k, ..): &(usize, usize, f64, f64)| matches!(components.applied_forces[k].signal, Signal::Sine { .. });
        taylor.applies = linear_part.applies
            && components.nu == components.n
            && !components.contacts.is_empty()
            && components.contacts.iter().all(|contact| contact.mode == ContactMode::Stuck || contact.law.is_linear())
            && linear_part.nonlinear_forces.iter().all(wave);
        if !taylor.applies {
            return;
        }
        (taylor.at, taylor.by) = (linear_part.at, linear_part.by);
        for (slide, contact) in linear_part.sliding_contacts.iter().zip(&mut components.contacts) {
            let ContactMode::Slip(side) = contact.mode else { continue };
            let u = Input { v: side * TINY, load: contact.load[0] };
            contact.law.partials(&[], &u, &[], false, &mut contact.rows);
            let (f, slope) = (contact.rows[0], contact.rows[1]);
            for (v, gain) in slide.v.into_iter().zip(slide.gain) {
                taylor.at[v] -= gain * (f + slope * slide.drift);
                for (w, c) in slide.v.into_iter().zip(slide.c) {
                    taylor.by[w][v] -= gain * slope * c;
                }
            }
        }
        let n = components.n;
        let size = |from: usize| {
            let row = |&v: &usize| (from..from + n).map(|j| taylor.by[j][v].abs()).sum::<f64>();
            components.vi.iter().map(row).fold(0.0, f64::max)
        };
        let (swing, decay) = (size(0).sqrt(), size(n));
        let waves = components.applied_forces.iter().map(|applied| match applied.signal {
            Signal::Sine { omega, .. } => omega.abs(),
            _ => 0.0,
        });
        taylor.longest = TAU / 8.0 / (swing + decay);
        // with strong damping the stiff method takes longer steps
        taylor.applies = decay <= 2.0 * waves.fold(swing, f64::max);
    }
}

impl Step {
    /// Takes a step of length `h` from state `y0` at time `t`.
    pub fn taylor_step(&mut self, flow: &mut Flow<'_>, t: f64, h: f64) {
        (self.t, self.h, flow.from) = (t, h, t);
        match self.numbers() {
            0..=2 => self.expand::<2>(flow),
            3..=4 => self.expand::<4>(flow),
            _ => self.expand::<MAX_STATES>(flow),
        }
        let all = self.numbers();
        self.log_speeds.clear();
        self.series.is_on = true;
        self.y1[..all].copy_from_slice(&self.series.state(1.0, all)[..all]);
    }
    /// The terms of the series for `W` components.
    #[inline(always)]
    fn expand<const W: usize>(&mut self, flow: &Flow<'_>) {
        let (t, h) = (self.t, self.h);
        let (all, LinearPart { by_t, nonlinear_forces, .. }, TaylorStepper { at, by, .. }) =
            (self.numbers(), &flow.linear_part, &flow.taylor);
        let mut term = [0.0; MAX_STATES];
        term[..all].copy_from_slice(&self.y0[..all]);
        let terms = &mut self.series.terms;
        terms.clear();
        terms.push(term);
        let mut waves = [[0.0; W]; MAX_TERMS];
        for &(applied, v, _, gain) in nonlinear_forces {
            wave(flow.components.applied_forces[applied].signal, t, h, |k, x| waves[k][v] += gain * x);
        }
        let (mut most, mut small, mut order) = (term.map(f64::abs), 0, 1.0);
        for k in 0..MAX_TERMS {
            let (constant, slope) = match k {
                0 => (1.0, flow.linear_part.since(t)),
                1 => (0.0, h),
                _ => (0.0, 0.0),
            };
            let (mut rates, gain) = (waves[k], h / order);
            for i in 0..W.min(MAX_STATES) {
                rates[i] += constant * at[i] + slope * by_t[i];
            }
            for j in 0..all {
                for i in 0..W.min(MAX_STATES) {
                    rates[i] += term[j] * by[j][i];
                }
            }
            for i in 0..W.min(MAX_STATES) {
                term[i] = rates[i] * gain;
            }
            order += 1.0;
            terms.push(term);
            // one term of a sinusoid may vanish between two that do not
            let mut rounds = true;
            for i in 0..all {
                most[i] = most[i].max(term[i].abs());
                rounds &= term[i].abs() <= 1e-17 * most[i];
            }
            small = if rounds { small + 1 } else { 0 };
            if small == 2 {
                break;
            }
        }
    }
    /// The energies at a fraction of such a step, written to the state.
    pub fn taylor_energies(&mut self, flow: &mut Flow<'_>, theta: f64, out: &mut [f64]) {
        let (n, all) = (flow.components.n, self.numbers());
        let mut sum = [0.0; 4];
        // no velocity, no power
        if !flow.components.motions.is_empty()
            || self.series.terms.iter().any(|term| term[n..all].iter().any(|v| *v != 0.0))
        {
            for (place, weight) in GAUSS_NODES.iter().zip(GAUSS_WEIGHTS) {
                let (at, mut powers) = (theta * place, [0.0; 4]);
                let state = self.series.state(at, all);
                flow.rates(self.t + at * self.h, &state, &mut self.rate, &mut powers);
                add(&mut sum, weight * theta * self.h, &powers);
            }
        }
        for p in 0..3 {
            out[all + p] = self.y0[all + p] + sum[p];
        }
    }
}

/// The terms of the series of a sinusoidal signal over a step.
fn wave(signal: &Signal, t: f64, h: f64, mut term: impl FnMut(usize, f64)) {
    let Signal::Sine { mean, amplitude, omega, phase } = signal else { return };
    let (sin, cos) = (omega * t + phase).sin_cos();
    let mut size = *amplitude;
    term(0, *mean);
    for (k, shape) in [sin, cos, -sin, -cos].into_iter().cycle().take(MAX_TERMS).enumerate() {
        term(k, size * shape);
        size *= omega * h / (k + 1) as f64;
    }
}

#[cfg(test)]
mod tests {
    use super::{GAUSS_NODES, GAUSS_WEIGHTS};

    #[test]
    fn the_quadrature_has_its_degree() {
        for degree in 0..=12 {
            let sum: f64 = GAUSS_NODES.iter().zip(GAUSS_WEIGHTS).map(|(x, w)| w * x.powi(degree)).sum();
            let error = (sum - 1.0 / f64::from(degree + 1)).abs();
            // rounding up to degree 11, and beyond it the quadrature's own error
            assert_eq!(error < 1e-15, degree < 12, "degree {degree}: {error:e}");
        }
    }
}
