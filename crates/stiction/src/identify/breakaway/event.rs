//! One break-away, measured.
use super::change_point::{ChangePoint, MotionSignal, change_point};
use super::rest_phases::{StartFromRest, phases};
use crate::fit::{LinearFit, LinearOptions, Noise, linear};
use crate::identify::Motion;
use std::ops::Range;

/// Samples before the change for each sample after it: enough to know what stuck is like, not so many that a parabola is
/// wrong.
const SAMPLES_BEFORE: usize = 4;
/// Samples at least that a window has on either side of the change.
const MIN_SAMPLES: [usize; 2] = [24, 4];

/// Twice the logarithm of odds that count as strong (Kass1995).
const STRONG_EVIDENCE: f64 = 10.0;

/// A break-away.
#[derive(Clone, Debug, PartialEq)]
pub struct BreakawayEvent {
    /// Which motion it is in.
    pub motion: usize,
    /// When \[s\].
    pub t: f64,
    /// Standard error of that \[s\].
    pub t_error: f64,
    /// 1 or −1.
    pub direction: f64,
    /// The force that drives, positive along the motion \[N\]. Bristles under a fast force are under way before it shows: their
    /// friction had its peak a little earlier and lower.
    pub force: f64,
    /// Its standard error: of the force by itself, and of the instant times the rate of the force. A contact that yields
    /// more and more before it lets go shifts the instant besides: of Nouri's slide by 0.2 % of the force, about once this error.
    pub error: f64,
    /// The way since the force began to rise in this direction, positive along the motion \[m\].
    pub distance: f64,
    /// Time of rest before it \[s\]; NaN if the rest began before the record.
    pub dwell: f64,
    /// How fast the force rose [N/s].
    pub rate: f64,
    /// What pressed; NaN if it is not known.
    pub load: f64,
    /// Twice the logarithm of the odds for it.
    pub gain: f64,
    /// What showed it best.
    pub signal: MotionSignal,
    /// The sample from which the force rose.
    pub begin: usize,
    /// The samples that were looked at.
    pub window: Range<usize>,
}

/// The break-aways of a motion, and how many starts of motion were no break-away.
pub(super) fn events(index: usize, motion: &Motion) -> (Vec<BreakawayEvent>, usize) {
    let all = phases(&motion.position, &motion.velocity);
    let found: Vec<BreakawayEvent> =
        all.found.iter().filter_map(|phase| measure(index, motion, phase, all.step)).collect();
    let refused = all.found.len() - found.len();
    (found, refused)
}

/// A signal, its samples, and the step of its sensor.
type Seen<'a> = (MotionSignal, &'a [f64], f64);

/// Signals that may show the change. Beside a position, a velocity is most often its slope and tells nothing new; and an
/// acceleration counts only if it was not smoothed, or it would rise before the motion begins, nor made from a position in
/// steps: it is then exactly still between them.
fn signals<'a>(motion: &'a Motion, rest: &Range<usize>, step: f64) -> Vec<Seen<'a>> {
    let Motion { acceleration, velocity, position, .. } = motion;
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

/// Whether each sample has noise of its own: neighbours have less than half of it in common. None without any.
fn is_rough(x: &[f64]) -> Option<bool> {
    let middle = mean(x);
    let all: f64 = x.iter().map(|x| (x - middle).powi(2)).sum();
    let next: f64 = x.windows(2).map(|x| (x[0] - middle) * (x[1] - middle)).sum();
    (all > 0.0).then_some(next < 0.5 * all)
}

/// The change in a window, by the signal that tells it best.
fn best(signals: &[Seen<'_>], window: &Range<usize>) -> Option<ChangePoint> {
    let seen = signals.iter().filter_map(|(signal, y, step)| change_point(&y[window.clone()], *signal, *step));
    seen.min_by(|a, b| a.error.total_cmp(&b.error))
}

/// The change seen for the first time: in windows about the first clear motion that double until one shows it. Each while
/// the force rises, for taking it off is a change by itself; then beyond its peak, for a soft drive loses its force by the
/// motion.
fn first(signals: &[Seen<'_>], phase: &StartFromRest, peak: usize) -> Option<(ChangePoint, Range<usize>)> {
    let (rest, clear, end) = (phase.rest.start, phase.rest.end, phase.motion.end);
    let mut after = MIN_SAMPLES[1];
    loop {
        let before = 2 * after + (SAMPLES_BEFORE * after).max(MIN_SAMPLES[0]);
        let from = clear.saturating_sub(before).max(rest);
        let whole = from..(clear + after).min(end);
        let rising = from..whole.end.min(peak.max(clear));
        let windows = if rising == whole { vec![rising] } else { vec![rising, whole.clone()] };
        for window in windows {
            match best(signals, &window) {
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

/// The change seen closer and closer: what happens long after it pulls the estimate away from where it began. It ends where
/// the evidence is no longer strong.
fn closer(signals: &[Seen<'_>], phase: &StartFromRest, peak: usize) -> Option<(ChangePoint, Range<usize>)> {
    let rest = phase.rest.start;
    let (mut found, mut window) = first(signals, phase, peak)?;
    loop {
        let at = window.start as f64 + found.at;
        let after = ((window.end as f64 - at) / 2.0).round() as usize;
        let middle = at.round() as usize;
        let next = middle.saturating_sub((SAMPLES_BEFORE * after).max(MIN_SAMPLES[0])).max(rest)
            ..(middle + after).min(window.end);
        if after < MIN_SAMPLES[1] || next.len() >= window.len() {
            return Some((found, window));
        }
        match best(signals, &next) {
            Some(seen) if seen.gain > STRONG_EVIDENCE => (found, window) = (seen, next),
            _ => return Some((found, window)),
        }
    }
}

fn measure(index: usize, motion: &Motion, phase: &StartFromRest, step: f64) -> Option<BreakawayEvent> {
    let signals = signals(motion, &phase.rest, step);
    let span = phase.rest.start..phase.motion.end;
    let along = |k: &usize| phase.direction * motion.force[*k];
    let peak = span.max_by(|a, b| along(a).total_cmp(&along(b))).unwrap_or(phase.motion.end);
    let (found, window) = closer(&signals, phase, peak)?;
    let ChangePoint { at, error, gain, signal } = found;
    let step = motion.step();
    let (at, error) = (window.start as f64 + at, error * step);
    let (t, d) = (motion.t[0] + at * step, phase.direction);
    // the last stuck sample
    let stuck = (at.floor() as usize).clamp(window.start + 3, window.end - 1);
    let near = stuck - (stuck - window.start).min(MIN_SAMPLES[0])..stuck + 1;
    let force = straight(&motion.t, &motion.force, near.clone(), t)?;
    let (rate, own) = (force.values[1], force.covariance.at(0, 0).max(0.0).sqrt());
    let force_error = own.hypot(rate * error);
    // what moves against the force springs back
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

/// The line through samples, with the value at `t` and the slope.
fn straight(t: &[f64], y: &[f64], range: Range<usize>, at: f64) -> Option<LinearFit> {
    let since: Vec<f64> = t[range.clone()].iter().map(|t| t - at).collect();
    let one = vec![1.0; since.len()];
    let options = LinearOptions { noise: Noise::White, ..LinearOptions::default() };
    linear(&[&one, &since], &y[range], &options).ok()
}

/// The sample from which the force rises in direction `d`: the last that is as far against it as any, but for noise.
fn turn(force: &[f64], d: f64) -> usize {
    let low = force.iter().fold(f64::INFINITY, |low, f| low.min(d * f));
    let n = force.len() as f64;
    // second differences of a slow force are noise alone, of six times its variance; the least of n samples lies below
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
