//! When the rounds of a fit end.

/// Most rounds of a fit.
pub(super) const ROUNDS: usize = 3;
/// Relative decrease of the cost at which the rounds end.
const COST_TOLERANCE: f64 = 0.01;

/// Whether a round has not found a place that is better than that of the round before.
pub(super) fn has_settled(cost: f64, before: f64) -> bool {
    cost > (1.0 - COST_TOLERANCE) * before
}
