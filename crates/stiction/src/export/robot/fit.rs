//! The friction of a joint fitted to a law: a level and a viscous coefficient, over speeds and loads.
use crate::analysis::characteristic_scales::CharacteristicScales;
use crate::analysis::steady_curve::{AtRest, SteadyCurve, load_factor};
use crate::error::RobotError;
use crate::fit::nonnegative;
use crate::number::round;
use crate::{Error, Spec};

/// Speeds of the fit, in each direction.
const SPEEDS: u32 = 200;
/// The fastest speed where none is given, over the speed that is characteristic of the law.
const FASTEST: f64 = 100.0;
/// The fastest speed of a law without a characteristic speed [m/s or rad/s].
const FASTEST_DEFAULT: f64 = 1.0;

/// Digits of the fitted numbers.
const DIGITS: usize = 12;

/// The friction that a joint of a simulator has: `F = coulomb·sgn v + viscous·v` while it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointFriction {
    /// Level of dry friction [N or N·m].
    pub coulomb: f64,
    /// Viscous coefficient [N·s/m or N·m·s/rad].
    pub viscous: f64,
    /// The force that sets the joint in motion, where the simulator has one of its own [N or N·m]; not below `coulomb`.
    pub breakaway: f64,
}

impl JointFriction {
    /// The force at a velocity.
    pub fn force(&self, v: f64) -> f64 {
        self.viscous * v + if v == 0.0 { 0.0 } else { self.coulomb.copysign(v) }
    }
}

/// Where the friction is fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct FitRange {
    /// Slowest and fastest speed [m/s or rad/s].
    pub speeds: [f64; 2],
    /// Loads, in the unit that the law expects.
    pub loads: Vec<f64>,
}

impl FitRange {
    /// All speeds up to a hundred times that which is characteristic of the law, the larger one of both directions, or to 1 m/s (rad/s)
    /// for a law without one, under a load of 1.
    pub fn of_scales(scales: &[CharacteristicScales; 2]) -> Self {
        let own = scales.iter().filter(|scales| scales.is_characteristic[0]).map(|scales| FASTEST * scales.speed);
        let fastest = own.reduce(f64::max).unwrap_or(FASTEST_DEFAULT);
        Self { speeds: [0.0, fastest], loads: vec![1.0] }
    }
    /// The speeds: evenly spaced, without rest.
    fn grid(&self) -> Vec<f64> {
        let [slow, fast] = self.speeds;
        // a range from rest begins one interval above it
        let (first, count) = if slow > 0.0 { (0, SPEEDS - 1) } else { (1, SPEEDS) };
        (first..=SPEEDS - 1 + first).map(|k| slow + (fast - slow) * f64::from(k) / f64::from(count)).collect()
    }
}

/// A point of the fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitPoint {
    /// Velocity [m/s or rad/s].
    pub v: f64,
    /// Load, in the unit that the law expects.
    pub load: f64,
    /// The steady force of the law [N or N·m].
    pub law: f64,
    /// The force of the joint [N or N·m].
    pub joint: f64,
}

/// How far the joint is from the law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residual {
    /// Root of the mean square [N or N·m].
    pub rms: f64,
    /// Largest magnitude [N or N·m].
    pub max: f64,
    /// The mean magnitude of the law's force, to compare with [N or N·m].
    pub mean_force: f64,
}

/// A joint's friction fitted to a law.
#[derive(Clone, Debug, PartialEq)]
pub struct FrictionFit {
    /// The friction of the joint.
    pub friction: JointFriction,
    /// Where it was fitted.
    pub range: FitRange,
    /// Both forces at the points of the fit: for each load forwards, then backwards.
    pub points: Vec<FitPoint>,
    /// Their difference.
    pub residual: Residual,
    /// The force that sets the law in motion, forwards and backwards, for the mean of the loads [N or N·m].
    pub breakaway: [f64; 2],
    /// The mean of the load factors over that of nominal load, to which dry forces are proportional.
    pub load_ratio: f64,
}

/// The steady forces of a law at these velocities.
pub(super) fn steady(spec: &Spec, v: &[f64], load: f64) -> Result<Vec<f64>, Error> {
    let told = |error: crate::analysis::steady_curve::InputLimitError| RobotError::NoSteadyForce {
        message: error.to_string(),
        hint: error.hint(),
    };
    load_factor(spec, load).map_err(told)?;
    let law = spec.build()?;
    Ok(SteadyCurve::new(law.as_ref(), v.to_vec(), load).map_err(told)?.force)
}

impl FrictionFit {
    /// Fits level and viscous coefficient, neither below zero, to the steady forces of a law by least squares, in both directions. The
    /// force of break-away is the largest one before the law slides, for the mean of the loads and directions. `scales` are those of the law
    /// forwards and backwards.
    ///
    /// # Errors
    /// [`RobotError`] for speeds that are no range, no loads, or a law without friction there; as [`Spec::build`].
    pub fn new(spec: &Spec, range: FitRange, scales: &[CharacteristicScales; 2]) -> Result<Self, Error> {
        let [slow, fast] = range.speeds;
        if !(slow >= 0.0 && fast > slow && fast.is_finite()) {
            return Err(RobotError::Speeds { range: range.speeds }.into());
        }
        if range.loads.is_empty() {
            return Err(RobotError::NoLoad.into());
        }
        let forwards = range.grid();
        let v: Vec<f64> = forwards.iter().copied().chain(forwards.iter().map(|v| -v)).collect();
        let mut points = Vec::new();
        for &load in &range.loads {
            let forces = steady(spec, &v, load)?;
            points.extend(v.iter().zip(forces).map(|(&v, law)| FitPoint { v, load, law, joint: 0.0 }));
        }
        let friction = least_squares(&points);
        let each = range.loads.iter().map(|load| breakaway(spec, *load, scales)).collect::<Result<Vec<_>, _>>()?;
        let breakaway = [0, 1].map(|way| each.iter().map(|both| both[way]).sum::<f64>() / each.len() as f64);
        let mean = 0.5 * (breakaway[0] + breakaway[1]);
        let friction = JointFriction { breakaway: mean.max(friction.coulomb), ..friction };
        points.iter_mut().for_each(|point| point.joint = friction.force(point.v));
        let mean = |of: fn(&FitPoint) -> f64| points.iter().map(of).sum::<f64>() / points.len() as f64;
        let residual = Residual {
            rms: mean(|p| (p.law - p.joint).powi(2)).sqrt(),
            max: points.iter().map(|p| (p.law - p.joint).abs()).fold(0.0, f64::max),
            mean_force: mean(|p| p.law.abs()),
        };
        if residual.mean_force == 0.0 {
            return Err(RobotError::NoFriction { law: spec.law().name }.into());
        }
        // what a nominal load adds is the dry friction, of which nothing is left
        let unloaded = range.loads.iter().all(|load| spec.load_factor(*load) == 0.0);
        if unloaded && spec.load_factor(1.0) != 0.0 {
            let differs = |(a, b): (f64, &FitPoint)| (a - b.law).abs() > 1e-9 * a.abs();
            if steady(spec, &v, 1.0)?.into_iter().zip(&points).any(differs) {
                return Err(RobotError::Unloaded { law: spec.law().name }.into());
            }
        }
        let load_ratio = range.loads.iter().map(|load| ratio(spec, *load)).sum::<f64>() / range.loads.len() as f64;
        Ok(Self { friction, range, points, residual, breakaway, load_ratio })
    }
}

/// The force that sets the law in motion under a load, forwards and backwards: the set of forces at rest, or the peak of slow motion,
/// which is measured at nominal load and is proportional to the load.
fn breakaway(spec: &Spec, load: f64, scales: &[CharacteristicScales; 2]) -> Result<[f64; 2], Error> {
    let law = spec.build()?;
    let [low, high] = AtRest::new(law.as_ref(), load).held;
    let held = [high, -low];
    Ok([0, 1].map(|way| {
        let scales = &scales[way];
        if scales.hold > 0.5 * scales.peak { held[way] } else { scales.peak * ratio(spec, load) }
    }))
}

/// The load factor over that of a load of 1.
fn ratio(spec: &Spec, load: f64) -> f64 {
    let nominal = spec.load_factor(1.0);
    if nominal == 0.0 { 1.0 } else { (spec.load_factor(load) / nominal).max(0.0) }
}

/// Level and viscous coefficient, neither below zero.
fn least_squares(points: &[FitPoint]) -> JointFriction {
    // the speed in units of the fastest one, so that both columns are of one size
    let fast = points.iter().map(|p| p.v.abs()).fold(0.0, f64::max);
    let (mut gram, mut right) = ([0.0; 4], [0.0; 2]);
    for p in points {
        let columns = [1.0_f64.copysign(p.v), p.v / fast];
        for i in 0..2 {
            (0..2).for_each(|j| gram[2 * i + j] += columns[i] * columns[j]);
            right[i] += columns[i] * p.law;
        }
    }
    let found = nonnegative(&gram, &right, &[true; 2]);
    // the normal equations leave thirteen digits or so of sixteen
    let [coulomb, viscous] = [found[0], found[1] / fast].map(|x| round(x, DIGITS));
    JointFriction { coulomb, viscous, breakaway: coulomb }
}
