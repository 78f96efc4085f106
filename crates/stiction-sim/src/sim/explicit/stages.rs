//! One step of an explicit method on the bare law.
use super::tableau::{MAX_STAGES, Tableau};
use crate::sim::flow::Flow;

/// One step with its scratch space.
pub(super) struct RungeKuttaStep {
    table: &'static Tableau,
    pub t: f64,
    pub h: f64,
    /// State at the start and at the end.
    pub y0: Vec<f64>,
    pub y1: Vec<f64>,
    k: Vec<Vec<f64>>,
    stage: Vec<f64>,
    /// Whether the last stage of the previous step is the first of this one.
    passed: bool,
}

impl RungeKuttaStep {
    pub fn new(table: &'static Tableau, y0: Vec<f64>) -> Self {
        let zeros = || vec![0.0; y0.len()];
        let k = table.c.iter().map(|_| zeros()).collect();
        Self { table, t: 0.0, h: 0.0, y1: zeros(), k, stage: zeros(), passed: false, y0 }
    }
    /// Rates at the start.
    pub fn begin(&mut self, flow: &mut Flow<'_>, t: f64) -> &[f64] {
        self.t = t;
        if !self.passed {
            rates(flow, t, &self.y0, &mut self.k[0]);
        }
        &self.k[0]
    }
    /// Attempts a step of length `h`.
    pub fn attempt(&mut self, flow: &mut Flow<'_>, h: f64) {
        self.h = h;
        for (i, row) in self.table.a.iter().enumerate() {
            combine(&self.y0, h, row.iter().copied(), &self.k, &mut self.stage);
            rates(flow, self.t + self.table.c[1 + i] * h, &self.stage, &mut self.k[1 + i]);
        }
        if self.table.first_same_as_last {
            // the last stage is evaluated at the end of the step
            std::mem::swap(&mut self.y1, &mut self.stage);
        } else {
            self.state(1.0, None);
        }
    }
    /// The state at a fraction of the step, written to `out`, or to `y1` if there is none.
    pub fn state(&mut self, theta: f64, out: Option<&mut [f64]>) {
        let weight = |w: &&[f64]| w.iter().rev().fold(0.0, |sum, w| (sum + w) * theta);
        let mut weights = [0.0; MAX_STAGES];
        weights.iter_mut().zip(self.table.dense).for_each(|(b, w)| *b = weight(w));
        combine(&self.y0, self.h, weights.into_iter(), &self.k, out.unwrap_or(&mut self.y1));
    }
    /// Square of the weighted RMS error of the last attempt, relative to the tolerance; zero for a method without an error estimate.
    pub fn error(&self, rtol: f64, atol: &[f64]) -> f64 {
        let ratio = |(i, atol): (usize, &f64)| {
            let e: f64 = self.table.error.iter().zip(&self.k).map(|(w, k)| w * k[i]).sum();
            let ratio = self.h * e / (atol + rtol * self.y0[i].abs().max(self.y1[i].abs()));
            ratio * ratio
        };
        atol.iter().enumerate().map(ratio).sum::<f64>() / atol.len().max(1) as f64
    }
    /// Accepts the step.
    pub fn accept(&mut self) {
        std::mem::swap(&mut self.y0, &mut self.y1);
        self.passed = self.table.first_same_as_last;
        if self.passed {
            let last = self.k.len() - 1;
            self.k.swap(0, last);
        }
    }
    /// To be called when the state was changed between steps: the first stage is evaluated again.
    pub fn restart(&mut self) {
        self.passed = false;
    }
}

/// `y + h Σ w_j k_j`.
fn combine(y: &[f64], h: f64, weights: impl Iterator<Item = f64>, k: &[Vec<f64>], out: &mut [f64]) {
    out.copy_from_slice(y);
    for (w, k) in weights.zip(k) {
        if w != 0.0 {
            out.iter_mut().zip(k).for_each(|(out, k)| *out += h * w * k);
        }
    }
}

/// The bare right-hand side, with signals evaluated at `t`.
fn rates(flow: &mut Flow<'_>, t: f64, y: &[f64], dy: &mut [f64]) {
    flow.from = t;
    flow.rhs(t, y, dy);
}
