//! One step by [`rodas5p`](crate::sim::rodas5p), with the exact Jacobian.
use super::flow::{PlaneFlow, SlidingMode};
use crate::sim::matrix::Matrix;
use crate::sim::rodas5p::{D, GAMMA, H, LinearisedSystem, NODES, STAGES, dense_output, stages};
use stiction_core::Dual;

/// Derivatives computed at a time.
const DERIVATIVES: usize = 4;

/// A step with its scratch space.
pub(super) struct PlaneStep {
    pub t: f64,
    pub h: f64,
    pub y0: Vec<f64>,
    pub y1: Vec<f64>,
    /// Rates at the start.
    pub f0: Vec<f64>,
    k: [Vec<f64>; STAGES],
    dense: [Vec<f64>; 3],
    by_t: Vec<f64>,
    jacobian: Matrix,
    zero: Matrix,
    matrix: Matrix,
    pivots: Vec<usize>,
}

impl PlaneStep {
    pub fn new(t: f64, y0: Vec<f64>) -> Self {
        let n = y0.len();
        let vector = || vec![0.0; n];
        Self {
            t,
            h: 0.0,
            y1: vector(),
            f0: vector(),
            k: std::array::from_fn(|_| vector()),
            dense: std::array::from_fn(|_| vector()),
            by_t: vector(),
            jacobian: Matrix::full(n),
            zero: Matrix::full(n),
            matrix: Matrix::full(n),
            pivots: vec![0; n],
            y0,
        }
    }
    /// Starts a step at time `t` from the state in `y0`: evaluates rates and Jacobian.
    pub fn begin(&mut self, flow: &PlaneFlow<'_>, modes: &[SlidingMode], t: f64) {
        self.t = t;
        flow.rates(modes, &flow.signals(t, t), &self.y0, &mut self.f0);
        let n = self.y0.len();
        let mut rates = vec![Dual::<f64, DERIVATIVES>::constant(0.0); n];
        // the time is the last of the variables
        for first in (0..=n).step_by(DERIVATIVES) {
            let signals = flow.signals_by_time(t, t, n.wrapping_sub(first));
            let y: Vec<_> = self.y0.iter().enumerate().map(|(i, &y)| Dual::var(y, i.wrapping_sub(first))).collect();
            flow.rates(modes, &signals, &y, &mut rates);
            for (i, rate) in rates.iter().enumerate() {
                for (j, by) in (first..).zip(rate.eps) {
                    if j < n {
                        self.jacobian.set(i, j, by);
                    } else if j == n {
                        self.by_t[i] = by;
                    }
                }
            }
        }
    }
    /// Attempts a step of length `h`; false if the matrix is singular.
    pub fn attempt(&mut self, flow: &PlaneFlow<'_>, modes: &[SlidingMode], h: f64) -> bool {
        self.h = h;
        let Self { t, y0, y1, f0, k, by_t, jacobian, zero, matrix, pivots, .. } = self;
        matrix.shift(1.0 / (h * GAMMA), jacobian, zero);
        if !matrix.factor(pivots) {
            return false;
        }
        let rate = vec![0.0; y0.len()];
        let mut system = LinearisedPlane { flow, modes, t: *t, h, f0, by_t, matrix, pivots, rate };
        stages::<_, _, _, 1>(&mut system, 1.0 / h, y0, y1, k);
        y1.iter_mut().zip(&k[STAGES - 1]).for_each(|(y, k)| *y += k);
        true
    }
    /// The estimated error of each state at the end.
    pub fn error(&self) -> &[f64] {
        &self.k[STAGES - 1]
    }
    /// Prepares the dense output of an accepted step.
    pub fn finish(&mut self) {
        for (weights, out) in H.iter().zip(&mut self.dense) {
            for (i, out) in out.iter_mut().enumerate() {
                *out = weights.iter().zip(&self.k).map(|(w, k)| w * k[i]).sum();
            }
        }
    }
    /// The state at a fraction of the step.
    pub fn state(&self, theta: f64) -> Vec<f64> {
        if theta >= 1.0 {
            return self.y1.clone();
        }
        let at = |i: usize| dense_output(theta, self.y0[i], self.y1[i], [0, 1, 2].map(|k| self.dense[k][i]));
        (0..self.y0.len()).map(at).collect()
    }
}

/// The equations about the start of a step.
struct LinearisedPlane<'a, 's> {
    flow: &'a PlaneFlow<'s>,
    modes: &'a [SlidingMode],
    t: f64,
    h: f64,
    f0: &'a [f64],
    by_t: &'a [f64],
    matrix: &'a Matrix,
    pivots: &'a [usize],
    rate: Vec<f64>,
}

impl LinearisedSystem<f64> for LinearisedPlane<'_, '_> {
    fn solve(&mut self, i: usize, y: &[f64], k: &mut [f64]) {
        let Self { flow, modes, t, h, f0, by_t, matrix, pivots, rate } = self;
        if i == 0 {
            rate.copy_from_slice(f0);
        } else {
            flow.rates(modes, &flow.signals(*t + NODES[i] * *h, *t), y, rate);
        }
        let hd = *h * D[i];
        for ((k, rate), by_t) in k.iter_mut().zip(&*rate).zip(*by_t) {
            *k += rate + hd * by_t;
        }
        matrix.solve(pivots, k);
    }
}
