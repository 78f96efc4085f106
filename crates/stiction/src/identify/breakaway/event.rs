//! Measurement of a break-away.
use super::change_point::{ChangePoint, MotionSignal, change_point};
use super::force_bound::{earliest, largest_mass};
use super::rest_phases::{StartFromRest, phases};
use crate::fit::{LinearFit, LinearOptions, NoiseModel, linear};
use crate::identify::MotionRecord;
use std::ops::Range;

/// Samples before the change point for each sample after it: enough to fit the stuck phase, few enough for a parabola.
const SAMPLES_BEFORE: usize = 4;
/// Fewest samples of a window before and after the change point.
const MIN_SAMPLES: [usize; 2] = [24, 4];

/// Twice the logarithm of the Bayes factor that counts as strong evidence (Kass1995).
const STRONG_EVIDENCE: f64 = 10.0;

/// A break-away.
#[derive(Clone, Debug, PartialEq)]
pub struct BreakawayEvent {
    /// Index of the motion.
    pub motion: usize,
    /// Time \[s\].
    pub t: f64,
    /// Standard error of the time \[s\].
    pub t_error: f64,
    /// 1 or −1.
    pub direction: f64,
    /// Driving force, positive along the motion \[N\]. Under a fast force bristles yield before the motion is visible, and the
    /// peak of friction is slightly earlier and lower.
    pub force: f64,
    /// Standard error of the force: of the force itself, and of the time multiplied by the rate of the force \[N\]. Yielding
    /// before break-away shifts the time in addition: for Nouri's slide by 0.2 % of the force, about one standard error.
    pub error: f64,
    /// Displacement since the force began to rise in this direction, positive along the motion \[m\].
    pub distance: f64,
    /// Time of rest before break-away \[s\]; NaN if the rest began before the record.
    pub dwell: f64,
    /// Rate of the force [N/s].
    pub rate: f64,
    /// Load; NaN if unknown.
    pub load: f64,
    /// Twice the logarithm of the Bayes factor in its favour.
    pub gain: f64,
    /// The signal with the most precise change point.
    pub signal: MotionSignal,
    /// Sample at which the force begins to rise.
    pub begin: usize,
    /// Samples used for the change point.
    pub window: Range<usize>,
}

/// The break-aways of a motion, and the number of starts without break-away.
pub(super) fn events(index: usize, motion: &MotionRecord) -> (Vec<BreakawayEvent>, usize) {
    let all = phases(&motion.position, &motion.velocity);
    let mass = largest_mass(motion, &all.found);
    let found: Vec<BreakawayEvent> =
        all.found.iter().filter_map(|phase| measure(index, motion, phase, all.step, mass)).collect();
    let found: Vec<BreakawayEvent> = found.into_iter().filter(|event| is_below_limit(motion, event)).collect();
    let refused = all.found.len() - found.len();
    (found, refused)
}

/// Whether the force at a break-away was not cut off. Of one that was, only a lower bound is known.
fn is_below_limit(motion: &MotionRecord, event: &BreakawayEvent) -> bool {
    let at = ((event.t - motion.t[0]) / motion.step()).max(0.0) as usize;
    // the force at the instant is that of a line through the samples before
    !(at.saturating_sub(MIN_SAMPLES[1])..=at + 1).any(|k| motion.is_saturated(k))
}

/// A signal, its samples, and the quantisation step of its sensor.
type Seen<'a> = (MotionSignal, &'a [f64], f64);

/// Signals for the detection of the change point. With a position, the velocity is usually its derivative and adds nothing. An
/// acceleration is used only if it was neither smoothed, which would make it rise too early, nor derived from a quantised
/// position.
fn signals<'a>(motion: &'a MotionRecord, rest: &Range<usize>, step: f64) -> Vec<Seen<'a>> {
    let MotionRecord { acceleration, velocity, position, .. } = motion;
    let mut out: Vec<Seen<'a>> = Vec::new();
    if position.is_empty() {
        out.push((MotionSignal::Velocity, velocity, 0.0));
    } else {
        out.push((MotionSignal::Position, position, step));
    }
    let rough = || is_rough(&acceleration[rest.start..rest.start + rest.len() / 2]).unwrap_or(step == 0.0);
    if !acceleration.is_empty() && (position.is_empty() || rough()) {
        out.push((MotionSignal::Acceleration, acceleration, 0.0));
    }
    out
}

/// Whether the noise is nearly white: the correlation of neighbours is below one half. None without noise.
fn is_rough(x: &[f64]) -> Option<bool> {
    let middle = mean(x);
    let all: f64 = x.iter().map(|x| (x - middle).powi(2)).sum();
    let next: f64 = x.windows(2).map(|x| (x[0] - middle) * (x[1] - middle)).sum();
    (all > 0.0).then_some(next < 0.5 * all)
}

/// The change point in a window, at sample `earliest` or later, by the most precise signal.
fn best(signals: &[Seen<'_>], window: &Range<usize>, earliest: usize) -> Option<ChangePoint> {
    let from = earliest.saturating_sub(window.start);
    let seen = signals.iter().filter_map(|(signal, y, step)| change_point(&y[window.clone()], *signal, *step, from));
    seen.min_by(|a, b| a.error.total_cmp(&b.error))
}

/// First detection of the change point, in windows around the first clear motion that are doubled until one shows it. Each
/// window is first limited to the rising force, since unloading is a change as well, then extended beyond the peak, since the
/// force of a soft drive falls with the motion.
fn first(
    signals: &[Seen<'_>],
    phase: &StartFromRest,
    earliest: usize,
    peak: usize,
) -> Option<(ChangePoint, Range<usize>)> {
    let (rest, clear, end) = (phase.rest.start, phase.rest.end.max(earliest), phase.motion.end);
    let mut after = MIN_SAMPLES[1];
    loop {
        let before = 2 * after + (SAMPLES_BEFORE * after).max(MIN_SAMPLES[0]);
        let from = clear.saturating_sub(before).max(rest);
        let whole = from..(clear + after).min(end);
        let rising = from..whole.end.min(peak.max(clear));
        let windows = if rising == whole { vec![rising] } else { vec![rising, whole.clone()] };
        for window in windows {
            match best(signals, &window, earliest) {
                Some(found) if found.gain > STRONG_EVIDENCE => return Some((found, window)),
                _ => {}
            }
        }
        if whole == (rest..end) {
            return None;
        }
        after *= 2;
    }
}

/// Refinement of the change point in shrinking windows, since the later motion biases the estimate; ends when the evidence is
/// no longer strong.
fn closer(
    signals: &[Seen<'_>],
    phase: &StartFromRest,
    earliest: usize,
    peak: usize,
) -> Option<(ChangePoint, Range<usize>)> {
    let rest = phase.rest.start;
    let (mut found, mut window) = first(signals, phase, earliest, peak)?;
    loop {
        let at = window.start as f64 + found.at;
        let after = ((window.end as f64 - at) / 2.0).round() as usize;
        let middle = at.round() as usize;
        let next = middle.saturating_sub((SAMPLES_BEFORE * after).max(MIN_SAMPLES[0])).max(rest)
            ..(middle + after).min(window.end);
        if after < MIN_SAMPLES[1] || next.len() >= window.len() {
            return Some((found, window));
        }
        match best(signals, &next, earliest) {
            Some(seen) if seen.gain > STRONG_EVIDENCE => (found, window) = (seen, next),
            _ => return Some((found, window)),
        }
    }
}

fn measure(index: usize, motion: &MotionRecord, phase: &StartFromRest, step: f64, mass: f64) -> Option<BreakawayEvent> {
    let earliest = earliest(motion, phase, mass);
    let signals = signals(motion, &phase.rest, step);
    let span = phase.rest.start..phase.motion.end;
    let along = |k: &usize| phase.direction * motion.force[*k];
    let peak = span.max_by(|a, b| along(a).total_cmp(&along(b))).unwrap_or(phase.motion.end);
    let (found, window) = closer(&signals, phase, earliest, peak)?;
    let ChangePoint { at, error, gain, signal } = found;
    let step = motion.step();
    let (at, error) = (window.start as f64 + at, error * step);
    let (t, d) = (motion.t[0] + at * step, phase.direction);
    // the last sample before motion
    let stuck = (at.floor() as usize).clamp(window.start + 3, window.end - 1);
    let near = stuck - (stuck - phase.rest.start).min(MIN_SAMPLES[0])..stuck + 1;
    let force = straight(&motion.t, &motion.force, near.clone(), t)?;
    let (rate, own) = (force.values[1], force.covariance.at(0, 0).max(0.0).sqrt());
    let force_error = own.hypot(rate * error);
    // motion against the force is elastic recovery, not break-away
    if d * force.values[0] <= 2.0 * force_error {
        return None;
    }
    let from = turn(&motion.force[phase.rest.start..=stuck], d) + phase.rest.start;
    let way = if motion.position.is_empty() {
        let v = &motion.velocity[from..=stuck];
        v.windows(2).map(|v| 0.5 * (v[0] + v[1]) * step).sum::<f64>()
    } else {
        let there = straight(&motion.t, &motion.position, near.clone(), t)?.values[0];
        there - about(&motion.position, from, phase.rest.clone())
    };
    Some(BreakawayEvent {
        motion: index,
        t,
        t_error: error,
        direction: d,
        force: d * force.values[0],
        error: force_error,
        distance: d * way,
        dwell: if phase.stopped { t - motion.t[phase.rest.start] } else { f64::NAN },
        rate: d * rate,
        load: if motion.load.is_empty() { f64::NAN } else { mean(&motion.load[near]) },
        gain,
        signal,
        begin: from,
        window,
    })
}

/// Regression line through samples: value at `at`, and slope.
fn straight(t: &[f64], y: &[f64], range: Range<usize>, at: f64) -> Option<LinearFit> {
    let since: Vec<f64> = t[range.clone()].iter().map(|t| t - at).collect();
    let one = vec![1.0; since.len()];
    let options = LinearOptions { noise: NoiseModel::White, ..LinearOptions::default() };
    linear(&[&one, &since], &y[range], &options).ok()
}

/// The sample at which the force begins to rise in direction `d`: the last one at the minimum, within noise.
fn turn(force: &[f64], d: f64) -> usize {
    let low = force.iter().fold(f64::INFINITY, |low, f| low.min(d * f));
    let n = force.len() as f64;
    // second differences of a slow force are noise with six times its variance; times the expected maximum of n samples
    let bends: f64 = force.windows(3).map(|f| (f[0] - 2.0 * f[1] + f[2]).powi(2)).sum();
    let noise = (bends / (6.0 * (n - 2.0).max(1.0))).sqrt() * (2.0 * n.ln()).sqrt();
    force.iter().rposition(|f| d * f <= low + noise).unwrap_or(0)
}

/// The mean of a few samples up to `at`, within `range`.
fn about(x: &[f64], at: usize, range: Range<usize>) -> f64 {
    mean(&x[at.saturating_sub(MIN_SAMPLES[1]).max(range.start)..=at])
}

fn mean(x: &[f64]) -> f64 {
    x.iter().sum::<f64>() / x.len() as f64
}
