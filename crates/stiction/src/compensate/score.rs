//! What a trial is worth.
use super::hunting::{Hunting, LEAST, hunting, swings};
use super::task::Task;
use super::trial::Trial;

/// The measures of a trial, from when on errors count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// Root mean square of the error [m or rad].
    pub rms: f64,
    /// Largest error [m or rad].
    pub peak: f64,
    /// From when on the error stays within the band, after the start \[s\]; none if it does not.
    pub settling: Option<f64>,
    /// Hunting, if there is any; see [`Task::is_steady`].
    pub hunting: Option<Hunting>,
    /// How often the error turned by more than a count.
    pub turns: usize,
    /// Root mean square of the command [N or N·m].
    pub effort: f64,
    /// Root mean square of the command's swing faster than the loop: of the command less its mean over the loop's time
    /// [N or N·m].
    pub shake: f64,
    /// Whether the command chatters: that swing, as a sine, is more than half of break-away.
    pub chatters: bool,
    /// Root mean square of the command's change from one sample to the next [N or N·m].
    pub noise: f64,
}

impl Score {
    /// Whether the run is too short to tell hunting from a disturbance: the error turned, but less often than three times.
    pub fn is_open(&self) -> bool {
        self.turns > 0 && self.turns < LEAST
    }
}

/// Share of break-away that a sine of the same rms must exceed to be called chatter: less hardly moves the contact.
const CHATTER: f64 = 0.5;
/// The measures of a trial; none if it failed or has no samples that count.
pub fn score(task: &Task, trial: &Trial) -> Option<Score> {
    let first = trial.t.iter().position(|t| *t >= task.from)?;
    if trial.failure.is_some() {
        return None;
    }
    let (t, e, u) = (&trial.t[first..], &trial.error[first..], &trial.command[first..]);
    let changes: Vec<f64> = u.windows(2).map(|w| w[1] - w[0]).collect();
    let count = task.count();
    let shake = shake(u, 1.0 / (task.setting.bandwidth() * task.servo.period));
    Some(Score {
        rms: rms(e),
        peak: e.iter().fold(0.0, |most: f64, x| most.max(x.abs())),
        settling: settling(&trial.t, &trial.error, task.band),
        // what swings faster than the loop is shaken, and does not hunt
        hunting: if task.is_steady() {
            hunting(t, e, count).filter(|h| h.period * task.setting.bandwidth() > 1.0)
        } else {
            None
        },
        turns: swings(e, count),
        effort: rms(u),
        shake,
        chatters: std::f64::consts::SQRT_2 * shake > CHATTER * task.setting.law.breakaway,
        noise: rms(&changes),
    })
}

/// Root mean square of `u` less its mean over `samples` around each, all or as many as there are.
pub fn shake(u: &[f64], samples: f64) -> f64 {
    let half = if samples.is_finite() { (0.5 * samples).ceil() as usize } else { u.len() };
    let sums: Vec<f64> = std::iter::once(0.0)
        .chain(u.iter().scan(0.0, |sum, x| {
            *sum += x;
            Some(*sum)
        }))
        .collect();
    let off = |(k, x): (usize, &f64)| {
        let (from, to) = (k.saturating_sub(half), (k + half + 1).min(u.len()));
        x - (sums[to] - sums[from]) / (to - from) as f64
    };
    rms(&u.iter().enumerate().map(off).collect::<Vec<_>>())
}

/// Root mean square; 0 of nothing.
pub fn rms(x: &[f64]) -> f64 {
    if x.is_empty() { 0.0 } else { (x.iter().map(|x| x * x).sum::<f64>() / x.len() as f64).sqrt() }
}

/// The time after the first sample from which on `error` stays within `band`.
pub fn settling(t: &[f64], error: &[f64], band: f64) -> Option<f64> {
    let start = t.first()?;
    match error.iter().rposition(|e| e.abs() > band) {
        None => Some(0.0),
        Some(last) => t.get(last + 1).map(|t| t - start),
    }
}
