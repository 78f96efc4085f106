//! Steps of a whole system by [`rodas5p`](super::rodas5p). Each step factors one matrix and evaluates the right-hand side eight
//! times.
//!
//! Positions are eliminated (their rate is the velocity), so the matrix has the size of velocities, contact and controller
//! states. The energies are quadratures, on which no other state depends: they stay out of the stages and are computed at the
//! end.
use super::flow::Flow;
use super::jacobian::Jacobian;
use super::log_speed::LogSpeeds;
use super::matrix::Matrix;
use super::rodas5p::{D, ERROR_WEIGHTS, GAMMA, H, LinearisedSystem, NODES, STAGES, WEIGHTS, add, dense_output, stages};
use super::step_size::min_step;
use super::taylor::TaylorSeries;

/// State vectors are padded to a multiple of this length, so that sums over stages use whole vector registers.
const CHUNK: usize = 4;

/// One step with its scratch space.
pub(super) struct Step {
    pub t: f64,
    pub h: f64,
    /// State at the start and at the end, the latter without the energies.
    pub y0: Vec<f64>,
    pub y1: Vec<f64>,
    /// Rates at the start.
    pub f0: Vec<f64>,
    pub jacobian: Jacobian,
    /// The stages, one after the other, each of `wide` numbers.
    pub(super) k: Vec<f64>,
    /// The powers at each stage.
    pub(super) powers: [[f64; 4]; STAGES],
    /// The three coefficients of the dense output, each of `wide` numbers, of the last accepted step.
    dense: Vec<f64>,
    /// What the energies grow by, if a kernel took the step: see [`Step::load`].
    growth: Option<[[f64; CHUNK]; 4]>,
    /// The Taylor series, if the step was taken by it.
    pub(super) series: TaylorSeries,
    /// The contacts that are stepped in the logarithm of their speed.
    pub(super) log_speeds: LogSpeeds,
    /// The longest step that laws with a cusp in a rate allow.
    pub(super) longest: f64,
    pub(super) rate: Vec<f64>,
    stage: Vec<f64>,
    /// A state of zeros.
    zero: Vec<f64>,
    matrix: Matrix,
    pivots: Vec<usize>,
    n: usize,
    nu: usize,
    wide: usize,
}

impl Step {
    pub fn new(flow: &Flow<'_>) -> Self {
        let (n, nu, band) = (flow.components.n, flow.components.nu, flow.band());
        let (pad, wide) = (Self::pad(flow), (n + nu).next_multiple_of(CHUNK));
        Self {
            t: 0.0,
            h: 0.0,
            y0: vec![0.0; pad],
            y1: vec![0.0; pad],
            f0: vec![0.0; wide],
            jacobian: Jacobian::new(n, nu, band),
            k: vec![0.0; STAGES * wide],
            powers: [[0.0; 4]; STAGES],
            dense: vec![0.0; H.len() * wide],
            growth: None,
            series: TaylorSeries::default(),
            log_speeds: LogSpeeds::default(),
            longest: f64::INFINITY,
            rate: vec![0.0; wide],
            stage: vec![0.0; wide],
            zero: vec![0.0; wide],
            matrix: band.map_or_else(|| Matrix::full(nu), |band| Matrix::banded(nu, band)),
            pivots: vec![0; nu],
            n,
            nu,
            wide,
        }
    }
    /// Padded length of a state vector.
    pub fn pad(flow: &Flow<'_>) -> usize {
        flow.len().next_multiple_of(CHUNK)
    }
    /// Number of states without the energies.
    pub fn numbers(&self) -> usize {
        self.n + self.nu
    }
    /// Starts a step at time `t` from the state in `y0`: evaluates rates and Jacobian.
    pub fn begin(&mut self, flow: &mut Flow<'_>, t: f64) {
        self.series.is_on = false;
        self.growth = None;
        self.t = t;
        flow.from = t;
        flow.jacobian(t, &self.y0, &mut self.f0, &mut self.powers[0], &mut self.jacobian);
        self.longest = flow.longest_at_rate_cusps(&self.y0, &self.f0);
        self.log_speeds.begin(flow, t, &self.y0, &mut self.f0, &mut self.jacobian);
    }
    /// Attempts a step of length `h`; false if the matrix is singular.
    pub fn attempt(&mut self, flow: &mut Flow<'_>, h: f64) -> bool {
        self.h = h;
        if !self.log_speeds.is_empty() {
            return self.attempt_any_size(flow);
        }
        // small systems of common sizes: fixed-size arrays on the stack
        match (self.n, self.nu) {
            (1, 1) => self.attempt_fixed_size::<1, 1, 4>(flow),
            (1, 2) => self.attempt_fixed_size::<1, 2, 4>(flow),
            (1, 3) => self.attempt_fixed_size::<1, 3, 4>(flow),
            (1, 4) => self.attempt_fixed_size::<1, 4, 8>(flow),
            (2, 2) => self.attempt_fixed_size::<2, 2, 4>(flow),
            (2, 3) => self.attempt_fixed_size::<2, 3, 8>(flow),
            (2, 4) => self.attempt_fixed_size::<2, 4, 8>(flow),
            (3, 3) => self.attempt_fixed_size::<3, 3, 8>(flow),
            (4, 4) => self.attempt_fixed_size::<4, 4, 8>(flow),
            _ => self.attempt_any_size(flow),
        }
    }
    fn attempt_any_size(&mut self, flow: &mut Flow<'_>) -> bool {
        let Self {
            t,
            h,
            y0,
            y1,
            f0,
            jacobian,
            k,
            powers,
            log_speeds,
            rate,
            stage,
            zero,
            matrix,
            pivots,
            n,
            nu,
            wide,
            ..
        } = self;
        matrix.shift(1.0 / (*h * GAMMA), &jacobian.by_u, &jacobian.by_q);
        if !matrix.factor(pivots) {
            return false;
        }
        let mut each = k.chunks_exact_mut((*wide).max(1));
        let mut k: [&mut [f64]; STAGES] = std::array::from_fn(|_| each.next().unwrap_or_default());
        let y0 = &y0[..*wide];
        let size = (*n, *n + *nu);
        let mut system =
            AnySizeSystem { flow, t: *t, h: *h, y0, f0, rate, powers, jacobian, log_speeds, matrix, pivots, size };
        let in_logarithms = !system.log_speeds.is_empty();
        // in logarithms of speeds the stages are summed by themselves
        let start = if in_logarithms { &*zero } else { y0 };
        stages::<_, _, _, CHUNK>(&mut system, 1.0 / *h, start, stage, &mut k);
        stage.iter_mut().zip(&*k[STAGES - 1]).for_each(|(y, k)| *y += k);
        if in_logarithms {
            log_speeds.end(flow, *t + *h, (y0, stage), y1);
        } else {
            y1[..*wide].copy_from_slice(stage);
        }
        true
    }
    /// Takes over a step computed by a kernel: its dense output, and what the energies grow by over its length, at the end and as the
    /// coefficients of a dense output.
    pub fn load(&mut self, dense: &[[f64; CHUNK]; 3], energies: &[[f64; CHUNK]; 4]) {
        self.series.is_on = false;
        self.log_speeds.clear();
        self.dense.copy_from_slice(dense.as_flattened());
        self.growth = Some(*energies);
    }
    /// Square of the weighted RMS error of the last attempt. `blurred`: the change of the state within the step is added to the
    /// allowed error, for steps at the resolution of the time.
    pub fn error(&self, rtol: f64, atol: &[f64], blurred: bool) -> f64 {
        let blur = f64::from(u8::from(blurred));
        let last = &self.k[(STAGES - 1) * self.wide..];
        if !self.log_speeds.is_empty() {
            let mut last = last.to_vec();
            let sum = self.log_speeds.error(rtol, self.h, &mut last);
            return (sum + self.sum_of_squares(&last, rtol, atol, blur)) / atol.len() as f64;
        }
        // a system without states has no error
        self.sum_of_squares(last, rtol, atol, blur) / atol.len().max(1) as f64
    }
    /// Square of the largest error of an energy in the last attempt, relative to `rtol` of that energy, what has flowed so far and what
    /// its largest power would bring within the step, and to `quiet`, an energy without meaning. Of a force that moves nothing it is the only error. The stages are at
    /// times that are rounded, and a power that changes by its range within the step is uncertain by as much as it changes in that rounding:
    /// long after time zero a short step cannot be more accurate, and need not be.
    pub fn energy_error(&self, rtol: f64, quiet: f64) -> f64 {
        let (errors, at) = (self.quadrature(&ERROR_WEIGHTS), self.n + self.nu);
        let ratio = |p: usize| {
            let values = || self.powers.iter().map(|power| power[p]);
            let (least, most) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
            let allowed = rtol * (self.y0[at + p].abs() + self.h * most.abs().max(least.abs()));
            errors[p] / (allowed + min_step(self.t) * (most - least) + quiet.max(f64::MIN_POSITIVE))
        };
        (0..3).map(|p| ratio(p) * ratio(p)).fold(0.0, f64::max)
    }
    #[inline(always)]
    fn sum_of_squares(&self, last: &[f64], rtol: f64, atol: &[f64], blur: f64) -> f64 {
        let mut sum = 0.0;
        for (((e, a), b), atol) in last.iter().zip(&self.y0).zip(&self.y1).zip(atol) {
            let ratio = e / (atol + rtol * a.abs().max(b.abs()) + blur * (b - a).abs());
            sum += ratio * ratio;
        }
        sum
    }
    /// Prepares the dense output of an accepted step.
    pub fn finish(&mut self) {
        for (weights, out) in H.iter().zip(self.dense.chunks_exact_mut(self.wide.max(1))) {
            for (chunk, out) in out.as_chunks_mut().0.iter_mut().enumerate() {
                *out = weighed(&self.k, self.wide / CHUNK, weights, chunk);
            }
        }
    }
    /// State number `i` at fractions of the step, by dense output.
    #[inline(always)]
    pub fn at<const N: usize>(&self, i: usize, theta: [f64; N]) -> [f64; N] {
        if self.series.is_on {
            return self.series.at(i, theta);
        }
        if !self.log_speeds.is_empty() {
            return theta.map(|theta| self.log_speed_state(i, theta));
        }
        let d = [0, 1, 2].map(|row| self.dense[row * self.wide + i]);
        let (y0, y1) = (self.y0[i], self.y1[i]);
        theta.map(|theta| dense_output(theta, y0, y1, d))
    }
    /// State number `i` at a fraction of a step in logarithms of speeds.
    #[inline(never)]
    fn log_speed_state(&self, i: usize, theta: f64) -> f64 {
        if theta >= 1.0 {
            return self.y1[i];
        }
        self.log_speeds.at(i, (theta, self.h), &self.y0, |i| self.increment(i, theta))
    }
    /// Component `i` of the sum of stages at a fraction of a step in logarithms of speeds.
    fn increment(&self, i: usize, theta: f64) -> f64 {
        let d = [0, 1, 2].map(|row| self.dense[row * self.wide + i]);
        dense_output(theta, 0.0, self.log_speeds.increment_at_end(i), d)
    }
    /// Notes the sliding velocities of a step in logarithms of speeds in its state `y` at a fraction of it, for which the motions are set.
    pub fn note_speeds(&self, flow: &mut Flow<'_>, theta: f64, y: &[f64]) {
        if !self.log_speeds.is_empty() {
            let t = self.t + theta * self.h;
            self.log_speeds.note_speeds_at(flow, (t, y), |i| self.increment(i, theta));
        }
    }
    /// All states without the energies at a fraction of the step.
    pub fn state(&self, theta: f64, out: &mut [f64]) {
        let out = &mut out[..self.n + self.nu];
        if theta >= 1.0 {
            out.copy_from_slice(&self.y1[..out.len()]);
            return;
        }
        if self.series.is_on {
            out.copy_from_slice(&self.series.state(theta, out.len())[..out.len()]);
            return;
        }
        if !self.log_speeds.is_empty() {
            return out.iter_mut().enumerate().for_each(|(i, out)| *out = self.log_speed_state(i, theta));
        }
        let (a, rest) = self.dense.split_at(self.wide);
        let (b, c) = rest.split_at(self.wide);
        let ends = self.y0.iter().zip(&self.y1);
        for ((out, (&y0, &y1)), ((&a, &b), &c)) in out.iter_mut().zip(ends).zip(a.iter().zip(b).zip(c)) {
            *out = dense_output(theta, y0, y1, [a, b, c]);
        }
    }
    /// The energies at a fraction of the step, written to the state.
    pub fn energies(&mut self, flow: &mut Flow<'_>, theta: f64, out: &mut [f64]) {
        if self.series.is_on {
            return self.taylor_energies(flow, theta, out);
        }
        let at = self.n + self.nu;
        let integral = |row: usize| match &self.growth {
            Some(growth) => growth[row].map(|x| self.h * x),
            None => self.quadrature(&WEIGHTS[row]),
        };
        let grown = integral(0);
        if theta >= 1.0 {
            for p in 0..3 {
                out[at + p] = self.y0[at + p] + grown[p];
            }
            return;
        }
        let [a, b, c] = [1, 2, 3].map(integral);
        for p in 0..3 {
            let y0 = self.y0[at + p];
            out[at + p] = dense_output(theta, y0, y0 + grown[p], [a[p], b[p], c[p]]);
        }
    }
    /// `h·Σ w_i·(power + its derivatives times the stage + h d_i ∂power/∂t)`; the derivatives are those at the start of the
    /// step, so the stages are summed first.
    fn quadrature(&self, weights: &[f64; STAGES]) -> [f64; 4] {
        let (mut sum, mut by_t) = ([0.0; 4], 0.0);
        for ((power, w), d) in self.powers.iter().zip(weights).zip(&D) {
            add(&mut sum, *w, power);
            by_t += w * d;
        }
        add(&mut sum, self.h * by_t, &self.jacobian.power_t);
        for (chunk, by) in self.jacobian.power.chunks(CHUNK).enumerate() {
            for (total, by) in weighed(&self.k, self.wide / CHUNK, weights, chunk).iter().zip(by) {
                add(&mut sum, *total, by);
            }
        }
        sum.map(|x| self.h * x)
    }
}

/// The weighted sum of all stages, for one chunk of the `per` chunks of a stage.
#[inline(always)]
fn weighed(k: &[f64], per: usize, weights: &[f64; STAGES], chunk: usize) -> [f64; CHUNK] {
    let (mut sum, (k, _)) = ([0.0; CHUNK], k.as_chunks::<CHUNK>());
    if let (1, Some(k)) = (per, k.first_chunk::<STAGES>()) {
        weights.iter().zip(k).for_each(|(w, k)| add(&mut sum, *w, k));
        return sum;
    }
    for (w, k) in weights.iter().zip(k.iter().skip(chunk).step_by(per)) {
        add(&mut sum, *w, k);
    }
    sum
}

/// A system of any size: a matrix on the heap, full or banded.
struct AnySizeSystem<'a, 'f, 's> {
    flow: &'f mut Flow<'s>,
    t: f64,
    h: f64,
    y0: &'a [f64],
    f0: &'a [f64],
    rate: &'a mut [f64],
    powers: &'a mut [[f64; 4]; STAGES],
    jacobian: &'a Jacobian,
    log_speeds: &'a mut LogSpeeds,
    matrix: &'a Matrix,
    pivots: &'a [usize],
    /// Number of positions, and of all states.
    size: (usize, usize),
}

impl LinearisedSystem<f64> for AnySizeSystem<'_, '_, '_> {
    fn solve(&mut self, i: usize, y: &[f64], k: &mut [f64]) {
        let t = self.t + NODES[i] * self.h;
        let rate = if i == 0 {
            self.f0
        } else {
            if self.log_speeds.is_empty() {
                self.flow.rates(t, y, self.rate, &mut self.powers[i]);
            } else {
                // `y` is a sum of stages here
                self.log_speeds.rates(self.flow, t, (self.y0, y), self.rate, &mut self.powers[i]);
            }
            &*self.rate
        };
        k.iter_mut().zip(rate).for_each(|(k, f)| *k += f);
        let (n, all) = self.size;
        let (by_e, hd) = (self.h * GAMMA, self.h * D[i]);
        let (kq, ku) = k[..all].split_at_mut(n);
        if hd != 0.0 {
            ku.iter_mut().zip(&self.jacobian.by_t).for_each(|(k, t)| *k += hd * t);
            if !self.log_speeds.is_empty() {
                kq.iter_mut().zip(self.log_speeds.positions_by_t()).for_each(|(k, t)| *k += hd * t);
            }
        }
        // positions: e·kq − kv = rq, so kq = (rq + kv)/e, and rq enters the other equations through the Jacobian
        let vi = &self.flow.components.vi;
        self.jacobian.by_q.times_at(kq, vi, n, by_e, ku);
        self.matrix.solve(self.pivots, ku);
        for (kq, &v) in kq.iter_mut().zip(vi) {
            *kq = (*kq + ku[v - n]) * by_e;
        }
    }
}
