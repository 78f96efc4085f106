//! The characteristic scales of a law: force, speed, length and stiffness.
//!
//! They are measured from forces only: the steady curve by sliding at speeds over twelve decades, the presliding stiffness
//! by a slow displacement from the initial state. A law without a characteristic speed gets a millimetre per second, a law
//! without a characteristic length the distance of ten milliseconds. In these units the same experiments suit a lubricated
//! bearing and an earthquake fault.
use super::hysteresis::is_random;
use super::law_stepper::LawStepper;
use super::test_rig::TestRig;
use crate::{Error, Spec};
use stiction_core::Input;
use stiction_core::registry::DynLaw;

/// Speeds of the steady curve: first and last decade, and number per decade.
const DECADES: (i32, i32, i32) = (-10, 2, 6);
/// Displacements of the slow presliding test: first and last decade [m], and number per decade.
const DISPLACEMENT_DECADES: (i32, i32, i32) = (-12, 0, 12);
/// Speed of slow tests, relative to the characteristic speed.
pub const SLOW: f64 = 1e-3;
/// Smallest relative fall of the steady curve that counts.
const MIN_RELATIVE_FALL: f64 = 1e-3;
/// Fraction of the force that must build up over a displacement to count as a presliding spring.
const SPRING: f64 = 0.5;
/// Speed for laws without a characteristic speed [m/s].
const SPEED: f64 = 1e-3;
/// Time whose distance is the length of laws without a characteristic length \[s\].
const TIME: f64 = 1e-2;

/// The characteristic scales of a law.
#[derive(Clone, Debug, PartialEq)]
pub struct CharacteristicScales {
    /// Largest force before sliding: at rest, in slow presliding, or in slow sliding [N or N·m].
    pub peak: f64,
    /// Smallest force of steady sliding beyond the peak [N or N·m].
    pub kinetic: f64,
    /// Speed at which the steady curve has fallen half way, or risen to its level [m/s or rad/s].
    pub speed: f64,
    /// Displacement at which slow presliding reaches two thirds of the force, or over which the force follows a change of
    /// speed.
    pub length: f64,
    /// Stiffness of presliding [N/m]; none if the force does not build up over a displacement.
    pub stiffness: Option<f64>,
    /// Fraction of the peak that builds up over the displacement.
    pub presliding_share: f64,
    /// Whether the steady force stays finite as the speed vanishes (dry friction).
    pub dry: bool,
    /// Largest sticking force of a set-valued law [N or N·m].
    pub hold: f64,
    /// Whether speed and length are characteristic of the law, rather than the defaults.
    pub is_characteristic: [bool; 2],
    /// The steady curve `(v, F)`.
    pub curve: Vec<(f64, f64)>,
    /// The slow presliding curve `(x, F)`.
    pub presliding_curve: Vec<(f64, f64)>,
}

/// A law in motion in one direction: velocities and forces count in it.
struct DirectedStepper<'a> {
    stepper: LawStepper<'a>,
    dir: f64,
}

impl<'a> DirectedStepper<'a> {
    fn new(law: &'a dyn DynLaw, dir: f64) -> Self {
        Self { stepper: LawStepper::new(law, 1.0), dir }
    }
    fn force(&mut self, v: f64) -> f64 {
        self.dir * self.stepper.force(self.dir * v)
    }
    fn advance(&mut self, v: f64, dt: f64) -> f64 {
        self.dir * self.stepper.advance(self.dir * v, dt).force
    }
    fn settle(&mut self, v: f64) -> f64 {
        self.dir * self.stepper.settle(self.dir * v)
    }
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
        Self::measure_towards(spec, 1.0)
    }
    /// Measures a law under nominal load in motion forwards (`dir` = 1) or backwards (-1). Speeds, displacements and forces count in that direction.
    ///
    /// # Errors
    /// As [`Spec::build`].
    pub fn measure_towards(spec: &Spec, dir: f64) -> Result<Self, Error> {
        let law = spec.build()?;
        let law = law.as_ref();
        let random = is_random(&TestRig::new(spec));
        let steady = |v: f64| {
            let mut walk = DirectedStepper::new(law, dir);
            let force = walk.settle(v);
            if !random {
                return force;
            }
            // steps far longer than the correlation time: the mean of independent samples
            (0..256).map(|_| walk.advance(v, 1e12)).sum::<f64>() / 256.0
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
        let mut walk = DirectedStepper::new(law, dir);
        let (mut before, mut presliding_curve) = (0.0, Vec::new());
        for x in grid(DISPLACEMENT_DECADES) {
            presliding_curve.push((x, walk.advance(slow, (x - before) / slow)));
            before = x;
        }
        let most = presliding_curve.iter().map(|p| p.1).fold(0.0, f64::max);
        let mut rested = DirectedStepper::new(law, dir);
        rested.settle(speed);
        let hold = |z: &[f64]| law.hold(z, &Input::at(0.0), dir);
        let holds = hold(&vec![0.0; law.len()]).max(hold(&rested.stepper.memory));
        let high = fall.map_or(0.0, |(high, _)| curve[high].1);
        let peak = most.max(holds).max(high).max(level);
        let presliding_share = if most > 0.0 { ((most - presliding_curve[0].1) / most).clamp(0.0, 1.0) } else { 0.0 };
        // the force of a spring depends on the displacement, not on time or speed
        let spring =
            presliding_share >= SPRING && holds < 0.5 * peak && at_any_speed(law, dir, slow, &presliding_curve, most);
        let reach = |part: f64| presliding_curve.iter().find(|p| p.1 >= part * most.min(level)).copied();
        let stiffness = reach(0.1).filter(|_| spring).map(|(x, f)| f / x);
        let length = match reach(0.63).filter(|_| spring) {
            Some((x, _)) => Some(x),
            None => follows(law, dir, speed, peak),
        };
        let is_characteristic = [own, length.is_some()];
        let length = length.unwrap_or(speed * TIME);
        Ok(Self {
            peak,
            kinetic: level,
            speed,
            length,
            stiffness,
            presliding_share,
            dry,
            hold: holds,
            is_characteristic,
            curve,
            presliding_curve,
        })
    }
    /// Time that goes with speed and length \[s\].
    pub fn time(&self) -> f64 {
        self.length / self.speed
    }
    /// The smaller of peak and kinetic force, below which the contact should not slide.
    pub fn no_slip_force(&self) -> f64 {
        self.peak.min(self.kinetic)
    }
    /// A mass that the contact stops from its characteristic speed within a few characteristic lengths \[kg\].
    pub fn mass(&self) -> f64 {
        0.1 * self.peak * self.length / (self.speed * self.speed)
    }
    /// Absolute tolerance of simulations: below the smallest displacement and speed of interest. A law whose force depends
    /// on the logarithm of the speed needs the relative accuracy of arbitrarily low speeds.
    pub fn atol(&self) -> f64 {
        let logarithmic = self.dry && self.stiffness.is_none() && self.hold == 0.0;
        if logarithmic { 1e-60 } else { (1e-6 * self.length.min(self.speed)).min(1e-9) }
    }
    /// The displacement at which slow presliding reaches `force`; none without a presliding spring.
    pub fn displacement_at(&self, force: f64) -> Option<f64> {
        self.stiffness?;
        let k = self.presliding_curve.iter().position(|p| p.1 >= force)?;
        let (x, f) = self.presliding_curve[k];
        let (x0, f0) = if k > 0 { self.presliding_curve[k - 1] } else { (0.0, 0.0) };
        Some(x0 + (x - x0) * (force - f0) / (f - f0))
    }
}

/// The largest fall of a curve: the indices of its maximum and minimum.
fn fall(curve: &[(f64, f64)]) -> Option<(usize, usize)> {
    let (mut top, mut best, mut found) = (0, 0.0, None);
    for (k, &(_, f)) in curve.iter().enumerate() {
        if f > curve[top].1 {
            top = k;
        }
        // only falls from the highest maximum so far count
        if curve[top].1 - f > best {
            (best, found) = (curve[top].1 - f, Some((top, k)));
        }
    }
    found.filter(|&(high, _)| best > MIN_RELATIVE_FALL * curve[high].1)
}

/// Level and speed of a curve that does not fall, whether the force stays finite at rest, and whether the speed is
/// characteristic.
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

/// Whether presliding at a tenth of the speed reaches about the same force at the same displacement.
fn at_any_speed(law: &dyn DynLaw, dir: f64, slow: f64, presliding_curve: &[(f64, f64)], most: f64) -> bool {
    let Some(&(x, force)) = presliding_curve.iter().find(|p| p.1 >= 0.5 * most) else { return false };
    let mut walk = DirectedStepper::new(law, dir);
    let (v, steps) = (0.1 * slow, 64);
    let mut last = 0.0;
    for _ in 0..steps {
        last = walk.advance(v, x / v / f64::from(steps));
    }
    (last - force).abs() < 0.3 * force
}

/// The displacement over which the force adapts to a doubled speed; none if it adapts at once.
fn follows(law: &dyn DynLaw, dir: f64, speed: f64, peak: f64) -> Option<f64> {
    let mut walk = DirectedStepper::new(law, dir);
    walk.settle(speed);
    let v = 2.0 * speed;
    let first = walk.force(v);
    let (mut way, mut last, mut seen) = (0.0, first, Vec::new());
    for x in grid(DISPLACEMENT_DECADES) {
        last = walk.advance(v, (x - way) / v);
        way = x;
        seen.push((x, last));
    }
    let change = last - first;
    if change.abs() < 1e-3 * peak {
        return None;
    }
    seen.iter().find(|(_, f)| (f - first) / change >= 0.63).map(|p| p.0)
}
