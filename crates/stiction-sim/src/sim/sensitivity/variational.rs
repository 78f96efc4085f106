//! The variational equation `S' = f_y·S + f_p` along a step of the run.
//!
//! The state within the step is its dense output. The equation is linear, with the same Jacobian as the equations of motion and
//! as stiff: it is solved by the Radau IIA method with three stages, of order 5 and L-stable, whose stages are then one linear
//! system and need no iteration. To differentiate the Rosenbrock step itself instead would need second derivatives of the
//! right-hand side, because the Jacobian is part of that step, and would follow the run's truncation error rather than its
//! solution.
//!
//! The step was chosen for the error of the state. That of S is controlled by itself: the step is solved in 1, 2, 4, ... parts
//! until two solutions agree to the tolerance.
use super::super::components::ContactMode;
use super::super::flow::Flow;
use super::super::matrix::Matrix;
use super::super::rosenbrock::Step;
use super::shadow::Shadow;
use super::{Parameter, RELATIVE_CHANGE, Sensitivity, SensitivityFlagKind};

/// The sensitivities by every parameter at a fraction of the step.
pub(super) struct Knot {
    pub theta: f64,
    pub s: Vec<Vec<f64>>,
}

/// Most parts of a step.
const MAX_PARTS: usize = 1024;
/// Two solutions of order 5, one in twice as many parts, differ by this many times the error of the better one.
const ERROR_RATIO: f64 = 31.0;

/// Relative error to which the partial derivatives by a parameter are known: ten times the square of the relative change.
const PARTIAL_ERROR: f64 = 10.0 * RELATIVE_CHANGE * RELATIVE_CHANGE;

/// The nodes of Radau IIA with three stages, (4 ∓ √6)/10 and 1, and its coefficients (Hairer and Wanner, Solving ODEs II, table
/// IV.5.6). The last row are the weights.
const ROOT6: f64 = 2.449_489_742_783_178;
const NODES: [f64; 3] = [(4.0 - ROOT6) / 10.0, (4.0 + ROOT6) / 10.0, 1.0];
const COEFFICIENTS: [[f64; 3]; 3] = [
    [(88.0 - 7.0 * ROOT6) / 360.0, (296.0 - 169.0 * ROOT6) / 1800.0, (-2.0 + 3.0 * ROOT6) / 225.0],
    [(296.0 + 169.0 * ROOT6) / 1800.0, (88.0 + 7.0 * ROOT6) / 360.0, (-2.0 - 3.0 * ROOT6) / 225.0],
    [(16.0 - ROOT6) / 36.0, (16.0 + ROOT6) / 36.0, 1.0 / 9.0],
];

/// f_y, row by row, and f_p by every parameter.
struct Linearised {
    by_y: Vec<f64>,
    by_p: Vec<Vec<f64>>,
}

impl Sensitivity<'_> {
    /// Follows a step of the run to its fraction `end`.
    pub fn follow_step(&mut self, run: &Flow<'_>, step: &Step, end: f64) {
        self.follow(run);
        let start: Vec<Vec<f64>> = self.parameters.iter().map(|parameter| parameter.s.clone()).collect();
        let mut coarse = self.solve(step, end, &start, self.parts);
        loop {
            let fine = self.solve(step, end, &start, 2 * self.parts);
            let error = self.difference(step, &coarse, &fine) / ERROR_RATIO;
            let parts = self.parts;
            if error <= 1.0 {
                // half as many parts have 2⁵ times the error
                self.parts = if error * 2.0 * ERROR_RATIO < 1.0 { (parts / 2).max(1) } else { parts };
                self.knots = fine;
                break;
            }
            if 2 * parts > MAX_PARTS {
                for k in 0..self.parameters.len() {
                    if !self.parameters[k].lost {
                        self.flag(step.t, k, SensitivityFlagKind::Unresolved);
                    }
                }
                let s = self.parameters.iter().map(|parameter| parameter.s.clone()).collect();
                self.parts = 1;
                self.knots = vec![Knot { theta: 0.0, s }];
                break;
            }
            (coarse, self.parts) = (fine, 2 * parts);
        }
        if let Some(last) = self.knots.last() {
            for (parameter, s) in self.parameters.iter_mut().zip(&last.s) {
                parameter.most.iter_mut().zip(s).for_each(|(most, s)| *most = most.max(s.abs()));
            }
        }
    }
    /// Ends the step: its last sensitivities are the present ones.
    pub fn end_step(&mut self) {
        if let Some(last) = self.knots.pop() {
            self.parameters.iter_mut().zip(last.s).for_each(|(parameter, s)| parameter.s = s);
        }
        self.knots.clear();
    }
    /// The sensitivities at a fraction of the step.
    pub fn at_fraction(&mut self, step: &Step, theta: f64) -> Vec<Vec<f64>> {
        let k = self.knots.partition_point(|knot| knot.theta <= theta).saturating_sub(1);
        let knots = std::mem::take(&mut self.knots);
        let out = match knots.get(k) {
            Some(knot) if theta > knot.theta => self.radau_step(step, (knot.theta, theta), &knot.s),
            Some(knot) => knot.s.clone(),
            None => self.parameters.iter().map(|parameter| parameter.s.clone()).collect(),
        };
        self.knots = knots;
        out
    }
    /// Solves the equation over a step to its fraction `end`, in equal parts.
    fn solve(&mut self, step: &Step, end: f64, start: &[Vec<f64>], parts: usize) -> Vec<Knot> {
        let mut out = vec![Knot { theta: 0.0, s: start.to_vec() }];
        for k in 0..parts {
            let (a, b) = (end * k as f64 / parts as f64, end * (k + 1) as f64 / parts as f64);
            let s = self.radau_step(step, (a, b), &out[k].s);
            out.push(Knot { theta: b, s });
        }
        out
    }
    /// The largest difference of two solutions at the end, in units of the tolerance: `rtol` of the derivative, or the tolerance
    /// of the state for a change of the parameter by its own size.
    fn difference(&self, step: &Step, coarse: &[Knot], fine: &[Knot]) -> f64 {
        let (Some(coarse), Some(fine)) = (coarse.last(), fine.last()) else { return 0.0 };
        let mut most = 0.0_f64;
        for ((parameter, a), b) in self.parameters.iter().zip(&coarse.s).zip(&fine.s).filter(|((p, _), _)| !p.lost) {
            for i in 0..self.numbers {
                let size = parameter.most[i].max(b[i].abs());
                let allowed = self.rtol.max(PARTIAL_ERROR) * (size + self.scale(i, &step.y0) / parameter.size);
                let ratio = (a[i] - b[i]).abs() / allowed;
                most = if ratio.is_nan() { f64::INFINITY } else { most.max(ratio) };
            }
        }
        most
    }
    fn linearise(&mut self, t: f64, y: &[f64]) -> Linearised {
        let (n, nu, m) = (self.base.flow.components.n, self.base.flow.components.nu, self.numbers);
        let mut powers = [0.0; 4];
        let Self { base, jacobian, .. } = self;
        base.flow.jacobian(t, y, &mut base.rates, &mut powers, jacobian);
        let vi = &base.flow.components.vi;
        let mut by_y = vec![0.0; m * m];
        for (q, &v) in vi.iter().enumerate() {
            by_y[q * m + v] = 1.0;
        }
        for r in 0..nu {
            let row = &mut by_y[(n + r) * m..(n + r + 1) * m];
            for (q, &v) in vi.iter().enumerate() {
                row[q] = jacobian.by_q.get(r, v - n);
            }
            for j in 0..nu {
                row[n + j] = jacobian.by_u.get(r, j);
            }
        }
        let f = self.base.rates(t, y)[..m].to_vec();
        let mut by_p = Vec::with_capacity(self.parameters.len());
        for parameter in &mut self.parameters {
            let mut out = vec![0.0; m];
            if !parameter.lost {
                parameter.with_laws_of(&self.base, |varied| {
                    varied.iter_mut().for_each(|varied| {
                        varied.rates(t, y);
                    });
                });
                for (i, out) in out.iter_mut().enumerate() {
                    let [a, b] = [0, 1].map(|k: usize| parameter.varied[k].rates[i]);
                    *out = parameter.quotient(f[i], [a, b]);
                }
                parameter.add_laws(&mut self.base, y, &mut out);
            }
            by_p.push(out);
        }
        Linearised { by_y, by_p }
    }
    /// One step of Radau IIA between two fractions of the step of the run.
    fn radau_step(&mut self, step: &Step, (a, b): (f64, f64), s: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let (m, h) = (self.numbers, (b - a) * step.h);
        let mut y = vec![0.0; step.y0.len()];
        let stages = NODES.map(|node| {
            let theta = a + node * (b - a);
            step.state(theta, &mut y);
            self.linearise(step.t + theta * step.h, &y)
        });
        let mut matrix = Matrix::full(3 * m);
        for (i, stage) in stages.iter().enumerate() {
            for (j, c) in COEFFICIENTS[i].iter().enumerate() {
                for r in 0..m {
                    for k in 0..m {
                        let x = stage.by_y[r * m + k];
                        if x != 0.0 {
                            matrix.add(i * m + r, j * m + k, -h * c * x);
                        }
                    }
                }
            }
            (0..m).for_each(|r| matrix.add(i * m + r, i * m + r, 1.0));
        }
        let mut pivots = vec![0; 3 * m];
        let solvable = m > 0 && matrix.factor(&mut pivots);
        let mut out = Vec::with_capacity(s.len());
        for (p, s) in s.iter().enumerate() {
            if !solvable || self.parameters[p].lost {
                out.push(vec![if m > 0 { f64::NAN } else { 0.0 }; m]);
                continue;
            }
            let mut k = vec![0.0; 3 * m];
            for (i, stage) in stages.iter().enumerate() {
                for r in 0..m {
                    let row = &stage.by_y[r * m..(r + 1) * m];
                    k[i * m + r] = stage.by_p[p][r] + row.iter().zip(s).map(|(a, s)| a * s).sum::<f64>();
                }
            }
            matrix.solve(&pivots, &mut k);
            let weights = COEFFICIENTS[2];
            out.push((0..m).map(|r| s[r] + h * (0..3).map(|i| weights[i] * k[i * m + r]).sum::<f64>()).collect());
        }
        out
    }
    /// All copies take over the modes of the run.
    pub(super) fn follow(&mut self, run: &Flow<'_>) {
        self.base.follow(run, &[], 0.0);
        self.parameters.iter_mut().for_each(|parameter| parameter.follow(run));
    }
}

impl<'s> Parameter<'s> {
    /// Adds to f_p what the parameters of laws contribute.
    fn add_laws(&self, base: &mut Shadow<'s>, y: &[f64], out: &mut [f64]) {
        let n = base.flow.components.n;
        let mut force = vec![0.0; n];
        for c in (0..self.laws.len()).filter(|&c| !self.laws[c].is_empty()) {
            let contact = &base.flow.components.contacts[c];
            if matches!(contact.mode, ContactMode::Pinned(_)) {
                continue;
            }
            let (row, at, which) = (contact.row, contact.at, contact.which.clone());
            let mut rates = vec![0.0; contact.memory.len()];
            row.subtract_force(self.law_by_parameters(base, c, y, &mut rates), &mut force);
            which.iter().enumerate().for_each(|(k, &i)| out[at + k] += rates[i]);
        }
        let groups = &base.flow.groups;
        for (i, &v) in base.flow.components.vi.iter().enumerate() {
            out[v] += if groups.is_full {
                (0..n).map(|j| groups.full[i * n + j] * force[j]).sum()
            } else {
                groups.inverse[i] * force[i]
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{COEFFICIENTS, NODES};

    #[test]
    fn the_method_has_its_order() {
        // quadrature of order 5, stages of order 3
        for degree in 0..5 {
            let exact = 1.0 / f64::from(degree + 1);
            let sum: f64 = COEFFICIENTS[2].iter().zip(NODES).map(|(w, x)| w * x.powi(degree)).sum();
            assert!((sum - exact).abs() < 1e-15, "degree {degree}");
            for (row, node) in COEFFICIENTS.iter().zip(NODES).filter(|_| degree < 3) {
                let sum: f64 = row.iter().zip(NODES).map(|(a, x)| a * x.powi(degree)).sum();
                assert!((sum - exact * node.powi(degree + 1)).abs() < 1e-15, "degree {degree}");
            }
        }
    }
}
