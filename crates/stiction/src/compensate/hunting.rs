//! Hunting: a sustained oscillation of the error by more than one encoder count.
use crate::analysis::turning_points::turning_points;

/// A sustained oscillation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hunting {
    /// Amplitude: half the mean peak-to-peak swing [m or rad].
    pub amplitude: f64,
    /// Mean period \[s\].
    pub period: f64,
    /// Number of reversals.
    pub turns: usize,
}

/// Fewer reversals than this may be a transient, or hunting too slow to be detected.
pub const MIN_REVERSALS: usize = 3;
/// The later half of the swings must have at least this share of the earlier half; otherwise the oscillation decays.
const SUSTAINED_SHARE: f64 = 0.5;
/// The oscillation persists if its last reversal is within this many periods of the end.
const RECENT_PERIODS: f64 = 1.5;

/// Rows at which `x` reverses by more than `quantum`; the ends of the record do not count.
fn reversals(x: &[f64], quantum: f64) -> Vec<usize> {
    let rows = turning_points(x, quantum);
    rows.get(1..rows.len().saturating_sub(1)).unwrap_or_default().to_vec()
}

/// Number of reversals of `x` by more than `quantum`.
pub fn reversal_count(x: &[f64], quantum: f64) -> usize {
    reversals(x, quantum).len()
}

/// Detects hunting in samples `x` at times `t`; swings up to `quantum` are ignored.
pub fn hunting(t: &[f64], x: &[f64], quantum: f64) -> Option<Hunting> {
    let rows = reversals(x, quantum);
    if rows.len() < MIN_REVERSALS {
        return None;
    }
    let swings: Vec<f64> = rows.windows(2).map(|w| (x[w[1]] - x[w[0]]).abs()).collect();
    let (first, last) = swings.split_at(swings.len() / 2);
    // between reversals of the same kind, since the two half-periods may differ
    let periods: Vec<f64> = rows.windows(3).map(|w| t[w[2]] - t[w[0]]).collect();
    let period = mean(&periods);
    let goes_on = t.last()? - t[rows[rows.len() - 1]] <= RECENT_PERIODS * period;
    (goes_on && mean(last) >= SUSTAINED_SHARE * mean(first)).then(|| Hunting {
        amplitude: 0.5 * mean(&swings),
        period,
        turns: rows.len(),
    })
}

fn mean(x: &[f64]) -> f64 {
    if x.is_empty() { 0.0 } else { x.iter().sum::<f64>() / x.len() as f64 }
}
