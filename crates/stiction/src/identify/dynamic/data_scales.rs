//! Characteristic scales of records, for search ranges.
use crate::identify::MotionRecord;

/// Characteristic scales of a set of records, all positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DataScales {
    /// Friction: 99th percentile \[N\].
    pub force: f64,
    /// Speed in motion: 10th percentile, and nearly the largest \[m/s\].
    pub speed: [f64; 2],
    /// Stiffness: 90th percentile of the slope of friction over displacement \[N/m\].
    pub stiffness: f64,
    /// The stiffness from which on samples do not tell a contact from a rigid one: friction goes from one side to the other within less than the
    /// body moves in the sample after a turn, of which only the displacement is known, not when it turned \[N/m\].
    pub rigid_stiffness: f64,
    /// Sampling step \[s\].
    pub step: f64,
    /// Duration of the longest record \[s\].
    pub duration: f64,
    /// Median load; one without a load.
    pub load: f64,
    /// Mass: ratio of the 95th percentiles of force and acceleration; one without acceleration \[kg\].
    pub mass: f64,
}

/// The quantile `p` of a list; NaN for an empty one.
pub(super) fn quantile(list: &mut [f64], p: f64) -> f64 {
    if list.is_empty() {
        return f64::NAN;
    }
    let k = ((list.len() - 1) as f64 * p).round() as usize;
    *list.select_nth_unstable_by(k, f64::total_cmp).1
}

fn sound(x: f64, otherwise: f64) -> f64 {
    if x > 0.0 && x.is_finite() { x } else { otherwise }
}

impl DataScales {
    /// The scales of these records.
    pub fn of(motions: &[MotionRecord]) -> Self {
        let friction: Vec<Vec<f64>> = motions.iter().map(friction).collect();
        let mut forces: Vec<f64> = friction.iter().flatten().map(|f| f.abs()).collect();
        let force = sound(quantile(&mut forces, 0.99), 1.0);
        let mut speeds: Vec<f64> = motions.iter().flat_map(|m| m.velocity.iter().map(|v| v.abs())).collect();
        let top = sound(quantile(&mut speeds, 0.995), 1e-3);
        // slower samples count as resting
        let mut moving: Vec<f64> = speeds.into_iter().filter(|v| *v > 1e-3 * top).collect();
        let slow = sound(quantile(&mut moving, 0.1), top);
        let stiffness = sound(stiffness(motions, &friction), force / (top * step(motions)));
        // without turns, a sample of slow motion is the shortest way that is known
        let moved = sound(quantile(&mut moved_after_turns(motions, slow), 0.5), slow * step(motions));
        let mut loads: Vec<f64> = motions.iter().flat_map(|m| m.load.iter().copied()).collect();
        let load = sound(quantile(&mut loads, 0.5), 1.0);
        let duration = motions.iter().map(|m| m.step() * m.len() as f64).fold(0.0, f64::max);
        let mut pulls: Vec<f64> = motions.iter().flat_map(|m| m.force.iter().map(|f| f.abs())).collect();
        let mut rises: Vec<f64> = motions.iter().flat_map(|m| m.acceleration.iter().map(|a| a.abs())).collect();
        let mass = sound(quantile(&mut pulls, 0.95) / quantile(&mut rises, 0.95), 1.0);
        Self {
            mass,
            force,
            speed: [slow, top],
            stiffness,
            rigid_stiffness: 2.0 * force / moved,
            step: step(motions),
            duration: sound(duration, 1.0),
            load,
        }
    }
    /// Displacement over which friction builds up \[m\].
    pub fn presliding(&self) -> f64 {
        self.force / self.stiffness
    }
}

fn step(motions: &[MotionRecord]) -> f64 {
    sound(motions.iter().map(MotionRecord::step).fold(f64::INFINITY, f64::min), 1e-3)
}

/// Friction with the given mass, before a fit.
pub(super) fn friction(motion: &MotionRecord) -> Vec<f64> {
    let mass = motion.mass.unwrap_or(0.0);
    if motion.acceleration.is_empty() { motion.force.clone() } else { motion.friction(mass) }
}

/// How far the body moves in the sample after each turn, with its mean acceleration from motion in one direction, faster than `slow`, to motion in the
/// other \[m\]. Noise about zero makes no turns.
fn moved_after_turns(motions: &[MotionRecord], slow: f64) -> Vec<f64> {
    let mut out = Vec::new();
    for motion in motions {
        let moving = |k: &usize| motion.velocity[*k].abs() >= slow;
        let mut last: Option<usize> = None;
        for k in (0..motion.len()).filter(moving) {
            if let Some(before) = last.filter(|before| motion.velocity[*before] * motion.velocity[k] < 0.0) {
                let change = (motion.velocity[k] - motion.velocity[before]).abs();
                out.push(change / (motion.t[k] - motion.t[before]) * motion.step().powi(2));
            }
            last = Some(k);
        }
    }
    out
}

/// Steep slopes of friction over displacement, over distances that exceed the noise.
fn stiffness(motions: &[MotionRecord], friction: &[Vec<f64>]) -> f64 {
    let mut slopes = Vec::new();
    for (motion, friction) in motions.iter().zip(friction) {
        let dt = motion.step();
        let place: Vec<f64> = if motion.position.is_empty() {
            let move_on = |x: &mut f64, v: &f64| {
                *x += v * dt;
                Some(*x)
            };
            motion.velocity.iter().scan(0.0, move_on).collect()
        } else {
            motion.position.clone()
        };
        let (low, high) = place.iter().fold((f64::INFINITY, -f64::INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
        let part = (high - low) / 100.0;
        let mut from = 0;
        for k in 0..place.len() {
            let by = place[k] - place[from];
            if by.abs() >= part && part > 0.0 {
                slopes.push(((friction[k] - friction[from]) / by).abs());
                from = k;
            }
        }
    }
    quantile(&mut slopes, 0.9)
}
