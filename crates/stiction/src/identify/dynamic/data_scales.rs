//! What sizes a record has: where a search may look.
use crate::identify::Motion;

/// Sizes in a set of records. All above zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DataScales {
    /// Friction: nearly the largest \[N\].
    pub force: f64,
    /// Speeds while it moves: the slow tenth, and nearly the largest \[m/s\].
    pub speed: [f64; 2],
    /// Stiffness: change of force by change of place, where it is large \[N/m\].
    pub stiffness: f64,
    /// Time between samples \[s\].
    pub step: f64,
    /// The longest record \[s\].
    pub duration: f64,
    /// The load in the middle; one where there is none.
    pub load: f64,
    /// Force by acceleration, where both are large; one where no acceleration is known \[kg\].
    pub mass: f64,
}

/// The number below which a share `p` of the list lies; NaN for an empty one.
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
    /// The sizes in these records.
    pub fn of(motions: &[Motion]) -> Self {
        let friction: Vec<Vec<f64>> = motions.iter().map(friction).collect();
        let mut forces: Vec<f64> = friction.iter().flatten().map(|f| f.abs()).collect();
        let force = sound(quantile(&mut forces, 0.99), 1.0);
        let mut speeds: Vec<f64> = motions.iter().flat_map(|m| m.velocity.iter().map(|v| v.abs())).collect();
        let top = sound(quantile(&mut speeds, 0.995), 1e-3);
        // slower than this it rests, as far as one can see
        let mut moving: Vec<f64> = speeds.into_iter().filter(|v| *v > 1e-3 * top).collect();
        let slow = sound(quantile(&mut moving, 0.1), top);
        let stiffness = sound(stiffness(motions, &friction), force / (top * step(motions)));
        let mut loads: Vec<f64> = motions.iter().flat_map(|m| m.load.iter().copied()).collect();
        let load = sound(quantile(&mut loads, 0.5), 1.0);
        let duration = motions.iter().map(|m| m.step() * m.len() as f64).fold(0.0, f64::max);
        let mut pulls: Vec<f64> = motions.iter().flat_map(|m| m.force.iter().map(|f| f.abs())).collect();
        let mut rises: Vec<f64> = motions.iter().flat_map(|m| m.acceleration.iter().map(|a| a.abs())).collect();
        let mass = sound(quantile(&mut pulls, 0.95) / quantile(&mut rises, 0.95), 1.0);
        Self { mass, force, speed: [slow, top], stiffness, step: step(motions), duration: sound(duration, 1.0), load }
    }
    /// The distance over which friction builds up \[m\].
    pub fn presliding(&self) -> f64 {
        self.force / self.stiffness
    }
}

fn step(motions: &[Motion]) -> f64 {
    sound(motions.iter().map(Motion::step).fold(f64::INFINITY, f64::min), 1e-3)
}

/// The friction as far as it is known before a fit.
pub(super) fn friction(motion: &Motion) -> Vec<f64> {
    let mass = motion.mass.unwrap_or(0.0);
    if motion.acceleration.is_empty() { motion.force.clone() } else { motion.friction(mass) }
}

/// Nearly the steepest rise of the friction, over distances long enough to be more than noise.
fn stiffness(motions: &[Motion], friction: &[Vec<f64>]) -> f64 {
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
