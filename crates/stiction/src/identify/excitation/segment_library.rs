//! The library of segments.
use super::segment::MIN_PERIOD_SAMPLES;
use super::segment_path::Multisine;
use super::{AxisLimits, Segment};
use crate::fit::Random;
use std::f64::consts::{PI, TAU};

/// Strokes, speeds and frequencies per decade.
const STEPS_PER_DECADE: f64 = 4.0;
/// The same for segments that only few laws need.
const COARSE_STEPS_PER_DECADE: f64 = 1.0;
/// The duration holds at least this many segments.
const MIN_SEGMENTS: f64 = 4.0;
/// Random sets of phases tried in addition to Schroeder's.
const PHASE_TRIALS: usize = 200;

/// A geometric sequence from `top` down to `least`.
fn down(top: f64, least: f64, decade: f64) -> impl Iterator<Item = f64> {
    let steps = ((top / least).log10() * decade + 1e-9).floor().max(-1.0);
    (0..=(steps as i64)).map(move |k| top * 10f64.powf(-(k as f64) / decade))
}

/// The multisine with the lowest crest factor: with Schroeder's phases, or with random ones.
pub(super) fn tones(seed: u32) -> Multisine {
    let n = Multisine::NUMBERS.len();
    let mut random = Random::new(seed);
    let mut best = Multisine::new(&(0..n).map(|k| -PI * (k * k) as f64 / n as f64).collect::<Vec<_>>());
    for _ in 0..PHASE_TRIALS {
        let next = Multisine::new(&(0..n).map(|_| TAU * random.uniform()).collect::<Vec<_>>());
        if next.crest() < best.crest() {
            best = next;
        }
    }
    best
}

/// All segments within the limits and the available time, with their numbers of samples.
pub(super) fn segments(limits: &AxisLimits, duration: f64, rate: f64, tones: &Multisine) -> Vec<(Segment, usize)> {
    let longest = duration / MIN_SEGMENTS;
    let least = limits.least();
    let mut all = Vec::new();
    for displacement in down(limits.stroke, least, STEPS_PER_DECADE) {
        // both strokes within the longest duration
        let speeds = |decade| down(limits.speed, 2.0 * displacement / longest, decade);
        all.extend(speeds(STEPS_PER_DECADE).map(|speed| Segment::Stroke { displacement, speed }));
        let frequency = limits.frequency.min(rate / MIN_PERIOD_SAMPLES).min(limits.speed / (PI * displacement));
        let frequency = frequency.min((0.5 * limits.acceleration() / displacement).sqrt() / PI);
        all.extend(
            down(frequency, 1.0 / longest, STEPS_PER_DECADE).map(|frequency| Segment::Sine { displacement, frequency }),
        );
    }
    for displacement in down(limits.stroke, least, COARSE_STEPS_PER_DECADE) {
        for fast in down(limits.speed, displacement / longest, COARSE_STEPS_PER_DECADE) {
            for slow in [0.1 * fast, 0.5 * fast] {
                all.push(Segment::Steps { displacement, slow, fast });
            }
            for time in down(0.25 * longest, 10.0 / rate, COARSE_STEPS_PER_DECADE) {
                all.push(Segment::Rest { time, displacement, speed: fast });
            }
        }
    }
    for displacement in down(limits.stroke, least, 0.5 * STEPS_PER_DECADE) {
        let [speed, acceleration] = tones.most;
        let frequency = (limits.speed / (TAU * speed * displacement))
            .min((limits.acceleration() / (acceleration * displacement)).sqrt() / TAU);
        let highest = Multisine::NUMBERS.iter().fold(1.0_f64, |a, b| a.max(*b));
        let frequency = frequency.min(limits.frequency.min(rate / MIN_PERIOD_SAMPLES) / highest);
        all.extend(
            down(frequency, 1.0 / longest, 0.5 * STEPS_PER_DECADE)
                .map(|frequency| Segment::Multisine { displacement, frequency }),
        );
    }
    // the period of a sine is rounded up to whole samples, so that it stays within the limits
    let ready = |segment: Segment| {
        let slower = |s: Segment| match s {
            Segment::Sine { displacement, frequency } => {
                Segment::Sine { displacement, frequency: rate / (rate / frequency).ceil() }
            }
            Segment::Multisine { displacement, frequency } => {
                Segment::Multisine { displacement, frequency: rate / (rate / frequency).ceil() }
            }
            s => s,
        };
        let segment = slower(segment);
        let count = segment.count(limits, rate, tones)?;
        (count as f64 <= longest * rate).then_some((segment, count))
    };
    all.into_iter().filter_map(ready).collect()
}
