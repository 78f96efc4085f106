//! What the rounding of a state leaves unknown of its change in a step.
//!
//! The rate of a number depends on other numbers, and these are rounded: with the Jacobian J, the rate of `y_i` is known to
//! `ε Σ_j |J_ij y_j|`, and its change in a step to h times that, or to what decays meanwhile. Shorter steps have smaller errors of this kind, but
//! more of them: their sum stays. So an error of a step below it is allowed, whatever the tolerance.
use super::flow::Flow;
use super::rosenbrock::Step;

/// What is unknown of the change of a number in a step of length `h`: its rate has the slopes `others` by other numbers, given as pairs (slope,
/// number), and the slope `own` by itself.
pub(super) fn unknown_change(h: f64, own: f64, others: impl Iterator<Item = (f64, f64)>) -> f64 {
    let rate: f64 = others.map(|(slope, y)| (slope * y).abs()).sum();
    f64::EPSILON * rate / (1.0 / h + own.abs())
}

impl Step {
    /// Absolute tolerances for the last attempt, each with what rounding leaves unknown added to it.
    #[cold]
    pub fn tolerances_above_rounding(&self, flow: &Flow<'_>, atol: &[f64]) -> Vec<f64> {
        let (n, vi) = (flow.components.n, &flow.components.vi);
        let (by_q, by_u, y) = (&self.jacobian.by_q, &self.jacobian.by_u, &self.y0);
        let unknown = |i: usize| {
            if i < n {
                return unknown_change(self.h, 0.0, std::iter::once((1.0, y[vi[i]])));
            }
            let row = i - n;
            let columns = by_u.columns(row);
            let others = columns.clone().filter(|&j| j != row).map(|j| (by_u.get(row, j), y[n + j]));
            let positions = vi.iter().enumerate().filter(|&(_, v)| columns.contains(&(v - n)));
            let positions = positions.map(|(q, v)| (by_q.get(row, v - n), y[q]));
            unknown_change(self.h, by_u.get(row, row), others.chain(positions))
        };
        atol.iter().enumerate().map(|(i, atol)| atol + unknown(i)).collect()
    }
}
