//! Comparison of a law with the measured friction along the motion.
use crate::identify::MotionRecord;
use crate::identify::result::{FrictionComparison, ResidualSeries, ResultCurves, TimeComparison};

/// Friction over displacement and velocity, and a section of it over time, for the longest record.
pub(super) fn comparison(motions: &[MotionRecord], residuals: &[ResidualSeries]) -> Vec<ResultCurves> {
    let longest = residuals.iter().enumerate().max_by_key(|(_, series)| series.t.len());
    let Some((series, motion)) = longest.and_then(|(k, series)| Some((series, motions.get(k)?))) else {
        return Vec::new();
    };
    // the samples of the series among those of the motion
    let first = motion.t.partition_point(|t| *t < series.t.first().copied().unwrap_or(0.0) - 0.5 * motion.step());
    let n = series.t.len().min(motion.len().saturating_sub(first));
    let part = |x: &[f64]| x.get(first..first + n).map(<[f64]>::to_vec).unwrap_or_default();
    let position = if motion.position.len() == motion.len() { part(&motion.position) } else { Vec::new() };
    let friction = FrictionComparison {
        quantity: series.quantity.clone(),
        position,
        velocity: part(&motion.velocity),
        measured: series.measured[..n].to_vec(),
        model: series.model[..n].to_vec(),
    };
    vec![ResultCurves::FrictionComparison(friction), ResultCurves::TimeComparison(TimeComparison::new(series, n))]
}
