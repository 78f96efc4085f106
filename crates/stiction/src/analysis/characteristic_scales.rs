//! The scales of a law, measured: what is a large force, a slow speed, a short way for it.
//!
//! A law is asked for nothing but forces. Its steady curve is measured by sliding at speeds over twelve decades, its
//! presliding spring by a slow push from its first state. What a law does not have is replaced: a speed by a millimetre a
//! second, a length by the way of ten milliseconds. Experiments in these units treat a lubricated bearing and an
//! earthquake alike.
use super::hysteresis::is_random;
use super::law_stepper::LawStepper;
use super::test_rig::TestRig;
use crate::{Error, Spec};
use stiction_core::Input;
use stiction_core::registry::DynLaw;

/// Speeds at which steady forces are measured: decades, and speeds to a decade.
const DECADES: (i32, i32, i32) = (-10, 2, 6);
/// Ways at which the force of a slow push is measured: decades [m], and places to a decade.
const WAYS: (i32, i32, i32) = (-12, 0, 12);
/// Slow is this part of the law's speed.
pub const SLOW: f64 = 1e-3;
/// A fall of the steady curve by less is none.
const FALL: f64 = 1e-3;
/// Share of the force that must build up over a way to make a spring.
const SPRING: f64 = 0.5;
/// Where a law has no speed of its own [m/s].
const SPEED: f64 = 1e-3;
/// Where a law has no length of its own: the way in this time \[s\].
const TIME: f64 = 1e-2;

/// The scales of a law.
#[derive(Clone, Debug, PartialEq)]
pub struct CharacteristicScales {
    /// Largest force before sliding: at rest, in a slow push, or in slow sliding [N or N·m].
    pub peak: f64,
    /// Least force of steady sliding beyond it [N or N·m].
    pub kinetic: f64,
    /// Speed at which the steady curve has fallen half way, or risen to its level [m/s or rad/s].
    pub speed: f64,
    /// Way over which a slow push meets two thirds of the force, or over which the force follows a change of speed.
    pub length: f64,
    /// Stiffness of presliding [N/m]; none if the force does not build up over a way.
    pub stiffness: Option<f64>,
    /// Share of the peak that builds up over the way.
    pub share: f64,
    /// Whether a force is left as the speed vanishes.
    pub dry: bool,
    /// Largest force that it holds at v = 0, as a set [N or N·m].
    pub hold: f64,
    /// Whether speed and length are the law's own.
    pub own: [bool; 2],
    /// The steady curve `(v, F)`.
    pub curve: Vec<(f64, f64)>,
    /// The slow push `(x, F)`.
    pub push: Vec<(f64, f64)>,
}

fn grid((from, to, per): (i32, i32, i32)) -> impl Iterator<Item = f64> {
    (from * per..=to * per).map(move |k| 10_f64.powf(f64::from(k) / f64::from(per)))
}

impl CharacteristicScales {
    /// Measures a law under nominal load.
    ///
    /// # Errors
    /// As [`Spec::build`].
    pub fn measure(spec: &Spec) -> Result<Self, Error> {
        let law = spec.build()?;
        let law = law.as_ref();
        let random = is_random(&TestRig::new(spec));
        let steady = |v: f64| {
            let mut walk = LawStepper::new(law, 1.0);
            let force = walk.settle(v);
            if !random {
                return force;
            }
            // far beyond its memory at every sample: the mean of independent draws
            (0..256).map(|_| walk.go(v, 1e12).force).sum::<f64>() / 256.0
        };
        let curve: Vec<(f64, f64)> = grid(DECADES).map(|v| (v, steady(v))).collect();
        let fall = fall(&curve).filter(|_| !random);
        let (level, speed, dry, own) = match fall {
            Some((high, low)) => {
                let half = 0.5 * (curve[high].1 + curve[low].1);
                let at = (high..=low).find(|&k| curve[k].1 <= half).unwrap_or(low);
                (curve[low].1, curve[at].0, curve[0].1 > 0.1 * curve[high].1, true)
            }
            None => rising(&curve),
        };
        let slow = SLOW * speed;
        let mut walk = LawStepper::new(law, 1.0);
        let (mut before, mut push) = (0.0, Vec::new());
        for x in grid(WAYS) {
            push.push((x, walk.go(slow, (x - before) / slow).force));
            before = x;
        }
        let most = push.iter().map(|p| p.1).fold(0.0, f64::max);
        let mut rested = LawStepper::new(law, 1.0);
        rested.settle(speed);
        let hold = |z: &[f64]| law.hold(z, &Input::at(0.0), 1.0);
        let holds = hold(&vec![0.0; law.len()]).max(hold(&rested.memory));
        let high = fall.map_or(0.0, |(high, _)| curve[high].1);
        let peak = most.max(holds).max(high).max(level);
        let share = if most > 0.0 { ((most - push[0].1) / most).clamp(0.0, 1.0) } else { 0.0 };
        // a spring answers to the way: as much at another speed. What rises with time or speed does not
        let spring = share >= SPRING && holds < 0.5 * peak && at_any_speed(law, slow, &push, most);
        let reach = |part: f64| push.iter().find(|p| p.1 >= part * most.min(level)).copied();
        let stiffness = reach(0.1).filter(|_| spring).map(|(x, f)| f / x);
        let length = match reach(0.63).filter(|_| spring) {
            Some((x, _)) => Some(x),
            None => follows(law, speed, peak),
        };
        let own = [own, length.is_some()];
        let length = length.unwrap_or(speed * TIME);
        Ok(Self { peak, kinetic: level, speed, length, stiffness, share, dry, hold: holds, own, curve, push })
    }
    /// Time that goes with speed and length \[s\].
    pub fn time(&self) -> f64 {
        self.length / self.speed
    }
    /// The smaller of the two forces, below which nothing should slide.
    pub fn safe(&self) -> f64 {
        self.peak.min(self.kinetic)
    }
    /// A mass that the contact stops within a few lengths from its own speed, near its own frequency \[kg\].
    pub fn mass(&self) -> f64 {
        0.1 * self.peak * self.length / (self.speed * self.speed)
    }
    /// Absolute tolerance of simulations: below the smallest way and speed of interest. A law whose force is a logarithm of
    /// the speed down to nothing needs every speed to its last digits, however slow.
    pub fn atol(&self) -> f64 {
        let logarithmic = self.dry && self.stiffness.is_none() && self.hold == 0.0;
        if logarithmic { 1e-60 } else { (1e-6 * self.length.min(self.speed)).min(1e-9) }
    }
    /// The way at which a slow push meets `force`; none if it does not build up over a way.
    pub fn reach(&self, force: f64) -> Option<f64> {
        self.stiffness?;
        let k = self.push.iter().position(|p| p.1 >= force)?;
        let (x, f) = self.push[k];
        let (x0, f0) = if k > 0 { self.push[k - 1] } else { (0.0, 0.0) };
        Some(x0 + (x - x0) * (force - f0) / (f - f0))
    }
}

/// The largest fall of a curve: the places of its top and of its bottom.
fn fall(curve: &[(f64, f64)]) -> Option<(usize, usize)> {
    let (mut top, mut best, mut found) = (0, 0.0, None);
    for (k, &(_, f)) in curve.iter().enumerate() {
        if f > curve[top].1 {
            top = k;
        }
        // from a later top of a curve that rises with the speed there is no fall of interest
        if curve[top].1 - f > best {
            (best, found) = (curve[top].1 - f, Some((top, k)));
        }
    }
    found.filter(|&(high, _)| best > FALL * curve[high].1)
}

/// Level, speed and whether there is a force at rest, of a curve that does not fall.
fn rising(curve: &[(f64, f64)]) -> (f64, f64, bool, bool) {
    let at =
        |v: f64| curve.iter().min_by(|a, b| (a.0 / v).ln().abs().total_cmp(&(b.0 / v).ln().abs())).map_or(0.0, |p| p.1);
    if curve[0].1 > 0.1 * at(1.0) || curve[0].1 > 0.5 * at(SPEED) {
        return (curve[0].1, SPEED, true, false);
    }
    // levels off: ten times the speed, hardly more force
    let ten = DECADES.2 as usize;
    let flat = (0..curve.len() - ten).find(|&k| curve[k].1 > 0.0 && curve[k + ten].1 < 1.05 * curve[k].1);
    match flat {
        Some(k) => {
            let level = curve[k + ten].1;
            let speed = curve.iter().find(|p| p.1 >= 0.63 * level).map_or(SPEED, |p| p.0);
            (level, speed, false, true)
        }
        None => (at(1.0), 1.0, false, false),
    }
}

/// Whether a push at a tenth of the speed meets half the force at the same place, roughly.
fn at_any_speed(law: &dyn DynLaw, slow: f64, push: &[(f64, f64)], most: f64) -> bool {
    let Some(&(x, force)) = push.iter().find(|p| p.1 >= 0.5 * most) else { return false };
    let mut walk = LawStepper::new(law, 1.0);
    let (v, steps) = (0.1 * slow, 64);
    let mut last = 0.0;
    for _ in 0..steps {
        last = walk.go(v, x / v / f64::from(steps)).force;
    }
    (last - force).abs() < 0.3 * force
}

/// The way over which the force follows a doubled speed; none if it does so at once.
fn follows(law: &dyn DynLaw, speed: f64, peak: f64) -> Option<f64> {
    let mut walk = LawStepper::new(law, 1.0);
    walk.settle(speed);
    let v = 2.0 * speed;
    let first = walk.force(v);
    let (mut way, mut last, mut seen) = (0.0, first, Vec::new());
    for x in grid(WAYS) {
        last = walk.go(v, (x - way) / v).force;
        way = x;
        seen.push((x, last));
    }
    let change = last - first;
    if change.abs() < 1e-3 * peak {
        return None;
    }
    seen.iter().find(|(_, f)| (f - first) / change >= 0.63).map(|p| p.0)
}
