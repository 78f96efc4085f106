//! Phases of rest and motion: candidates for break-aways, which [`super::change_point`] confirms.
use crate::identify::record::sensor::quantisation_step;
use std::ops::Range;

/// Fewest samples of a phase of rest.
pub(super) const MIN_REST_SAMPLES: usize = 8;
/// Largest median speed of a phase of rest, relative to the threshold. Noise alone has 0.13, since the threshold is at least
/// five standard deviations; a steady passage through zero has 0.5.
const REST_SPEED_SHARE: f64 = 0.25;
/// Speeds below this share of the largest count as zero in a record without noise.
const SPEED_FLOOR: f64 = 1e-6;

/// A motion that starts from rest.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StartFromRest {
    /// Samples of the preceding rest.
    pub rest: Range<usize>,
    /// Samples of the motion.
    pub motion: Range<usize>,
    /// Whether the rest began within the record.
    pub stopped: bool,
    /// Direction of the motion.
    pub direction: f64,
}

/// Phases of rest and motion of a record.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RestPhases {
    /// Quantisation step of the position sensor; zero without visible quantisation.
    pub step: f64,
    /// Motions that start from rest.
    pub found: Vec<StartFromRest>,
}

/// RMS of the record at rest: the lowest decile of blocks of a twentieth of the record. In shorter blocks filtered noise has few
/// independent samples, and the lowest values would be too small. If the rests are shorter than that, all blocks contain motion:
/// blocks of half the length then have less than half the RMS, which noise alone cannot explain while they have four independent
/// samples (lowest decile of chi-square with four degrees of freedom: 0.52 of the RMS).
fn rest_noise(x: &[f64]) -> f64 {
    let mut size = (x.len() / 20).clamp(MIN_REST_SAMPLES, 1024);
    let mut noise = block_noise(x, size);
    while size >= 8 * MIN_REST_SAMPLES {
        size /= 2;
        let shorter = block_noise(x, size);
        if shorter < 0.5 * noise {
            noise = shorter;
        }
    }
    noise
}

/// The lowest decile of the RMS of blocks.
fn block_noise(x: &[f64], size: usize) -> f64 {
    let mut all: Vec<f64> = x.chunks_exact(size).map(|x| x.iter().map(|x| x * x).sum::<f64>() / size as f64).collect();
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 10).map_or(0.0, |square| square.sqrt())
}

/// Centre of the sparsest decade of a list of logarithms: after break-away a body passes quickly through the speeds between rest
/// and motion. Of several, the lowest.
fn sparsest_decade(list: &[f64]) -> f64 {
    let mut x = list.to_vec();
    x.sort_by(f64::total_cmp);
    let (low, high) = (x[x.len() / 10], x[x.len() - 1]);
    let width = 10.0_f64.ln().min(0.5 * (high - low));
    let (mut fewest, mut at) = (usize::MAX, low + 0.5 * width);
    for k in 0..=50 {
        let from = low + (high - width - low) * f64::from(k) / 50.0;
        let count = x.partition_point(|x| *x <= from + width) - x.partition_point(|x| *x <= from);
        if count < fewest {
            (fewest, at) = (count, from + 0.5 * width);
        }
    }
    at
}

/// The largest apparent speed caused by a single quantisation step: where the position stays within one step for a while.
fn quantisation_speed(x: &[f64], v: &[f64], step: f64) -> f64 {
    let (step, half) = (1.01 * step, 4 * MIN_REST_SAMPLES);
    let mut most = 0.0_f64;
    for k in half..x.len().saturating_sub(half) {
        let around = &x[k - half..=k + half];
        // the cheap condition first
        if (around[0] - around[2 * half]).abs() <= step && around.iter().all(|x| (x - around[0]).abs() <= step) {
            most = most.max(v[k].abs());
        }
    }
    most
}

fn median(x: &mut [f64]) -> f64 {
    let half = x.len() / 2;
    if x.is_empty() { f64::NAN } else { *x.select_nth_unstable_by(half, f64::total_cmp).1 }
}

/// The last sample at which the speed is below the geometric mean of the speed at rest and the peak speed, and the direction at
/// the peak. Visible yielding before break-away still counts as rest.
fn runs_away(v: &[f64], start: usize, motion: &Range<usize>, noise: f64) -> (usize, f64) {
    let size = |k: &usize| v[*k].abs();
    let peak = motion.clone().max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(motion.start);
    let mut speeds: Vec<f64> = v[start..=peak].iter().map(|v| v.abs()).collect();
    let quarter = speeds.len() / 4;
    let slow = *speeds.select_nth_unstable_by(quarter, f64::total_cmp).1;
    let half_way = ((slow + noise) * v[peak].abs()).sqrt();
    let last = (start..peak).rev().find(|k| size(k) <= half_way).unwrap_or(motion.start);
    ((last + 1).max(start + MIN_REST_SAMPLES).min(motion.end - 1).max(start + 1), v[peak].signum())
}

/// Detects rest and motion. The threshold of speed lies in the sparsest decade of speeds, above the expected maximum of the
/// noise and above the speed caused by one quantisation step.
pub(super) fn phases(x: &[f64], v: &[f64]) -> RestPhases {
    let top = v.iter().fold(0.0_f64, |top, v| top.max(v.abs()));
    let step = quantisation_step(x);
    let quantisation_speed = if step > 0.0 { quantisation_speed(x, v, step) } else { 0.0 };
    let noise = rest_noise(v).max(SPEED_FLOOR * top).max(quantisation_speed);
    if top == 0.0 || v.len() < 2 * MIN_REST_SAMPLES {
        return RestPhases { step, found: Vec::new() };
    }
    let logs: Vec<f64> = v.iter().map(|v| (v.abs() + noise).ln()).collect();
    let likely = (rest_noise(v).max(SPEED_FLOOR * top) * (2.0 * (v.len() as f64).ln()).sqrt()).max(quantisation_speed);
    let threshold = sparsest_decade(&logs).exp().max(1.5 * likely);
    let mut moves: Vec<Range<usize>> = Vec::new();
    for (k, v) in v.iter().enumerate() {
        if v.abs() > threshold {
            match moves.last_mut() {
                // too short for a phase of rest
                Some(last) if k - last.end < MIN_REST_SAMPLES => last.end = k + 1,
                _ => moves.push(k..k + 1),
            }
        }
    }
    let mut found = Vec::new();
    for (i, motion) in moves.iter().enumerate() {
        let rest = if i == 0 { 0 } else { moves[i - 1].end }..motion.start;
        let mut speeds: Vec<f64> = v[rest.clone()].iter().map(|v| v.abs()).collect();
        if rest.len() >= MIN_REST_SAMPLES && median(&mut speeds) < REST_SPEED_SHARE * threshold {
            let (clear, direction) = runs_away(v, rest.start, motion, noise);
            found.push(StartFromRest { rest: rest.start..clear, motion: clear..motion.end, stopped: i > 0, direction });
        }
    }
    RestPhases { step, found }
}
