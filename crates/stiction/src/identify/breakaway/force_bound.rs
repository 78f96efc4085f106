//! A lower bound of the break-away force, which tells break-away from yielding.
//!
//! The break-away force is the largest friction force between rest and sliding. Friction is the force less inertia, u − m·a, so every
//! moment before clear motion gives a lower bound of it, and break-away cannot have happened while the force was below the largest of
//! them. A contact that yields in stages moves faster from each stage on, as it does from break-away on; but there the force goes on
//! rising without accelerating the body.
//!
//! If the mass is not known, the motion itself bounds it. Friction opposes the motion, so that an impulse of the force is at least the
//! momentum gained. And friction at lower speeds is at most that at rest or that at the highest speed, because it first falls and then
//! rises with speed; both are at most the largest force up to the highest speed, which bounds the momentum lost.
use super::rest_phases::StartFromRest;
use crate::identify::MotionRecord;
use std::ops::Range;

/// Shortest block of samples over which force and acceleration are averaged.
const SHORTEST_BLOCK: usize = 4;
/// Median of the absolute value of a normal variable of variance one.
const NORMAL_MEDIAN: f64 = 0.674_489_750_196_081_7;

/// Force and acceleration along a direction, averaged over all blocks of one length.
struct Blocks {
    forces: Vec<f64>,
    accelerations: Vec<f64>,
    /// Expected largest noise of the force, and of the acceleration.
    noise: [f64; 2],
}

/// Blocks of many lengths: short ones are noisy, and long ones lag behind a change.
fn blocks<'a>(motion: &'a MotionRecord, range: &Range<usize>, d: f64) -> impl Iterator<Item = Blocks> + use<'a> {
    let n = range.len();
    let along = |x: &[f64]| x[range.clone()].iter().map(|x| d * x).collect::<Vec<f64>>();
    let (force, speed) = (along(&motion.force), along(&motion.velocity));
    let mut sums = vec![0.0; n + 1];
    for (k, u) in force.iter().enumerate() {
        sums[k + 1] = sums[k] + u;
    }
    let sizes = move || (0..).map(|i| SHORTEST_BLOCK << i).take_while(move |size| 4 * size < n);
    // expected maximum of normal noise, at most
    let most = (2.0 * ((n * sizes().count()).max(2) as f64).ln()).sqrt();
    sizes().map(move |size| {
        let seconds = size as f64 * motion.step();
        let forces: Vec<f64> = (0..n - size).map(|k| (sums[k + size] - sums[k]) / size as f64).collect();
        let accelerations = (0..n - size).map(|k| (speed[k + size] - speed[k]) / seconds).collect();
        // second differences cancel a steady rise: those of independent means have six times their variance, those of a speed
        // three times the variance of a difference
        let noise = [
            most * deviation(&second_differences(&forces, size)) / 6.0_f64.sqrt(),
            most * deviation(&second_differences(&speed, size)) / 3.0_f64.sqrt() / seconds,
        ];
        Blocks { forces, accelerations, noise }
    })
}

/// The largest mass with which friction opposes the motions after these starts and stays below the largest force before them.
pub(super) fn largest_mass(motion: &MotionRecord, starts: &[StartFromRest]) -> f64 {
    if let Some(mass) = motion.mass {
        return mass;
    }
    let mut mass = f64::INFINITY;
    for start in starts {
        let (peak, _) = largest(&motion.velocity, start.motion.clone(), start.direction);
        let (_, most) = largest(&motion.force, start.rest.start..peak + 1, start.direction);
        for Blocks { forces, accelerations, noise } in blocks(motion, &start.motion, start.direction) {
            for (u, a) in forces.iter().zip(&accelerations) {
                let (spare, change) = (if *a > 0.0 { *u } else { most - u } + noise[0], a.abs() - noise[1]);
                if spare > 0.0 && change > 0.0 {
                    mass = mass.min(spare / change);
                }
            }
        }
    }
    mass
}

/// The first sample of a start at which break-away is possible: there the force reaches the largest lower bound `f` of the break-away
/// force. A friction force F at speed v is such a bound if it exceeds the force F₁ at top speed v₁. Otherwise a part of it may be
/// viscous, but sliding friction lies below the straight line from break-away to top speed: F ≤ f + (F₁ − f)·v/v₁.
pub(super) fn earliest(motion: &MotionRecord, start: &StartFromRest, mass: f64) -> usize {
    let d = start.direction;
    let (peak, top) = largest(&motion.velocity, start.motion.clone(), d);
    let range = start.rest.start..peak + 1;
    let (mut bound, mut reached) = (f64::NEG_INFINITY, 0);
    for Blocks { forces, accelerations, noise } in blocks(motion, &range, d) {
        let size = range.len() - forces.len();
        let at_top = forces.last().copied().unwrap_or(0.0) + noise[0];
        let bounds = forces.iter().zip(&accelerations).enumerate().map(|(k, (u, a))| {
            let friction = u - mass * a.max(0.0) - noise[0] - mass * noise[1];
            let ends = [k, k + size].map(|k| d * motion.velocity[range.start + k] / top);
            let share = ends[0].max(ends[1]).clamp(0.0, 1.0);
            if friction < at_top { (friction - share * at_top) / (1.0 - share) } else { friction }
        });
        let most = bounds.fold(f64::NEG_INFINITY, f64::max);
        if most > bound {
            bound = most;
            reached = forces.iter().position(|u| *u >= bound).unwrap_or(0);
        }
    }
    range.start + reached
}

/// The largest value along a direction, and its sample.
fn largest(x: &[f64], range: Range<usize>, d: f64) -> (usize, f64) {
    let first = range.start;
    range.max_by(|a, b| (d * x[*a]).total_cmp(&(d * x[*b]))).map_or((first, 0.0), |k| (k, d * x[k]))
}

/// Second differences at a distance of `lag` samples.
fn second_differences(x: &[f64], lag: usize) -> Vec<f64> {
    (lag..x.len().saturating_sub(lag)).map(|k| x[k + lag] - 2.0 * x[k] + x[k - lag]).collect()
}

/// Standard deviation of normal noise with outliers, by the median of absolute values.
fn deviation(x: &[f64]) -> f64 {
    let mut sizes: Vec<f64> = x.iter().map(|x| x.abs()).collect();
    let half = sizes.len() / 2;
    if sizes.is_empty() { 0.0 } else { *sizes.select_nth_unstable_by(half, f64::total_cmp).1 / NORMAL_MEDIAN }
}
