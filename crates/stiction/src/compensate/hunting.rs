//! Hunting: an error that swings to and fro by more than a count, and does not die out.
use crate::analysis::turns::turns;

/// A sustained oscillation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hunting {
    /// Half the mean swing [m or rad].
    pub amplitude: f64,
    /// Mean time of a swing and back \[s\].
    pub period: f64,
    /// How often it turned.
    pub turns: usize,
}

/// Fewer turns than this may be a disturbance that passes, or hunting too slow to be told.
pub const LEAST: usize = 3;
/// The last swings must have this share of the first, or it is dying out.
const LASTS: f64 = 0.5;
/// It goes on if it has turned within this many periods of the end.
const RECENT: f64 = 1.5;

/// Rows at which `x` turns by more than `quantum`; the ends of the record are no turns.
fn inner(x: &[f64], quantum: f64) -> Vec<usize> {
    let rows = turns(x, quantum);
    rows.get(1..rows.len().saturating_sub(1)).unwrap_or_default().to_vec()
}

/// How often `x` turns by more than `quantum`.
pub fn swings(x: &[f64], quantum: f64) -> usize {
    inner(x, quantum).len()
}

/// The hunting in samples `x` at times `t`; swings up to `quantum` do not count.
pub fn hunting(t: &[f64], x: &[f64], quantum: f64) -> Option<Hunting> {
    let rows = inner(x, quantum);
    if rows.len() < LEAST {
        return None;
    }
    let swings: Vec<f64> = rows.windows(2).map(|w| (x[w[1]] - x[w[0]]).abs()).collect();
    let (first, last) = swings.split_at(swings.len() / 2);
    // from a turn to the next of its kind: a way there may take longer than the way back
    let periods: Vec<f64> = rows.windows(3).map(|w| t[w[2]] - t[w[0]]).collect();
    let period = mean(&periods);
    let goes_on = t.last()? - t[rows[rows.len() - 1]] <= RECENT * period;
    (goes_on && mean(last) >= LASTS * mean(first)).then(|| Hunting {
        amplitude: 0.5 * mean(&swings),
        period,
        turns: rows.len(),
    })
}

fn mean(x: &[f64]) -> f64 {
    if x.is_empty() { 0.0 } else { x.iter().sum::<f64>() / x.len() as f64 }
}
