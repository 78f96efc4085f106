//! Performance measures of a closed-loop run.
use super::chatter::{jumps, least_amplitude};
use super::closed_loop_run::ClosedLoopRun;
use super::hunting::{Hunting, MIN_REVERSALS, hunting, reversal_count};
use super::task::ServoTask;

/// Performance of a run, evaluated from [`ServoTask::from`] on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Performance {
    /// Root mean square of the error [m or rad].
    pub rms: f64,
    /// Largest error [m or rad].
    pub peak: f64,
    /// Settling time: time after the start from which the error stays within the band \[s\]; none if it does not settle.
    pub settling: Option<f64>,
    /// Hunting, if detected; evaluated only if [`ServoTask::is_steady`].
    pub hunting: Option<Hunting>,
    /// Number of reversals of the error by more than one count.
    pub error_reversals: usize,
    /// Root mean square of the command [N or N·m].
    pub effort: f64,
    /// RMS of the command components faster than the loop: the command less its moving average over the time constant of
    /// the loop [N or N·m].
    pub chatter_rms: f64,
    /// Whether the command chatters: it goes to and fro by more than half the break-away force, faster than the loop, or in jumps, six or more in
    /// a row, while the reference does not turn. Jumps of an error that hunts are hunting.
    pub chatters: bool,
    /// Amplitude of the chatter [N or N·m]; 0 without.
    pub chatter_amplitude: f64,
    /// Amplitude of a command that jumps in this way, also while the error hunts [N or N·m].
    pub jumps: Option<f64>,
    /// RMS of the change of the command from one sample to the next [N or N·m].
    pub command_change_rms: f64,
}

impl Performance {
    /// Whether the run is too short to distinguish hunting from a transient: the error reversed, but fewer than three times.
    pub fn is_inconclusive(&self) -> bool {
        self.error_reversals > 0 && self.error_reversals < MIN_REVERSALS
    }
}

/// The performance of a run; none if it failed or has no samples to evaluate.
pub fn evaluate(task: &ServoTask, run: &ClosedLoopRun) -> Option<Performance> {
    let first = run.t.iter().position(|t| *t >= task.from)?;
    if run.failure.is_some() {
        return None;
    }
    let (t, e, u) = (&run.t[first..], &run.error[first..], &run.command[first..]);
    let changes: Vec<f64> = u.windows(2).map(|w| w[1] - w[0]).collect();
    let resolution = task.resolution();
    let chatter_rms = chatter_rms(u, 1.0 / (task.setting.bandwidth() * task.servo.period));
    // oscillations faster than the loop are chatter, not hunting
    let hunting = if task.is_steady() {
        hunting(t, e, resolution).filter(|h| h.period * task.setting.bandwidth() > 1.0)
    } else {
        None
    };
    let jumps = jumps(task, t, u);
    let sine = Some(std::f64::consts::SQRT_2 * chatter_rms).filter(|amplitude| *amplitude > least_amplitude(task));
    let chatter = jumps.filter(|_| hunting.is_none()).or(sine);
    Some(Performance {
        rms: rms(e),
        peak: e.iter().fold(0.0, |most: f64, x| most.max(x.abs())),
        settling: settling(&run.t, &run.error, task.band),
        hunting,
        error_reversals: reversal_count(e, resolution),
        effort: rms(u),
        chatter_rms,
        chatters: chatter.is_some(),
        chatter_amplitude: chatter.unwrap_or(0.0),
        jumps,
        command_change_rms: rms(&changes),
    })
}

/// RMS of `u` less its moving average over `samples` samples, or over all available ones near the ends.
pub fn chatter_rms(u: &[f64], samples: f64) -> f64 {
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

/// Root mean square; 0 for an empty list.
pub fn rms(x: &[f64]) -> f64 {
    if x.is_empty() { 0.0 } else { (x.iter().map(|x| x * x).sum::<f64>() / x.len() as f64).sqrt() }
}

/// Settling time: time after the first sample from which `error` stays within `band`.
pub fn settling(t: &[f64], error: &[f64], band: f64) -> Option<f64> {
    let start = t.first()?;
    match error.iter().rposition(|e| e.abs() > band) {
        None => Some(0.0),
        Some(last) => t.get(last + 1).map(|t| t - start),
    }
}
