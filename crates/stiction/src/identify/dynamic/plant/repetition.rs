//! When the repetitions of a fit end.

/// How often a fit is made at most.
pub(super) const MOST_FITS: usize = 3;
/// Relative decrease of the cost at which the repetitions end.
const COST_TOLERANCE: f64 = 0.01;

/// Whether a fit has not found a place that is better than that of the fit before.
pub(super) fn has_settled(cost: f64, before: f64) -> bool {
    cost > (1.0 - COST_TOLERANCE) * before
}
