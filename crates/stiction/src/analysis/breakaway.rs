//! Break-away: the force and the displacement at which a mass at rest starts to slide under a force that rises at a
//! constant rate.
//!
//! The definition of break-away depends on the kind of law:
//!
//! - a law that holds any force within limits (`coulomb`, `stiction`, `stribeck`, `karnopp`, `gear`, `rate-state`): the
//!   instant at which the contact begins to slip; its displacement is zero unless the contact crept before;
//! - any other law with a peak (`lugre`, `gms`, `hysteresis`, `armstrong`, `simscape`, ...): the first maximum of the
//!   friction force, from which it then falls by [`PEAK_FALL`] at least; for a random law by [`RANDOM_PEAK_FALL`] of its
//!   largest force;
//! - a law without a peak whose force levels off (`dahl`, `coulomb-tanh`, ...): the level, and the distance at which
//!   [`LEVEL_REACHED`] of it is reached;
//! - a law whose force does not level off (`viscous`): there is no break-away.
//!
//! Before the test the mass has never moved, or it has slid at a given speed, stopped, and rested for a dwell time under
//! the force that its bristles hold (zero for a law without bristles). Then the force rises.
use super::hysteresis::{impossible_value, is_random, with_final_memory};
use super::regression_line::{LineFit, fit_line};
use super::test_rig::{BODY, CONTACT, Drive, TestRig};
use crate::Error;
use crate::sim::{EventKind, Probe, SimulationOptions};
use crate::system::Signal;
use stiction_core::Input;
use stiction_core::registry::DynLaw;

/// Relative fall of the force after a maximum that counts as a peak.
pub const PEAK_FALL: f64 = 1e-4;
/// The same for a random law, relative to its largest force; smaller falls are noise.
pub const RANDOM_PEAK_FALL: f64 = 0.2;
/// Fraction of the final level at which the level counts as reached.
pub const LEVEL_REACHED: f64 = 0.99;
/// The ramp ends at this multiple of the largest force of the law at [`SPEEDS`].
const RAMP_FACTOR: f64 = 3.0;
/// If nothing has broken away by then, the ramp is repeated with these multiples of its duration.
const RAMP_EXTENSIONS: [f64; 3] = [1.0, 10.0, 100.0];
/// Speeds at which the largest steady force of the law is sought [m/s].
const SPEEDS: [f64; 10] = [1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0];
/// Maximum number of steps of a run. Runs with very small steps are stopped here: noise on `dieterich` or `ruina` at
/// creeping speeds.
const MAX_STEPS: u64 = 1_000_000;
/// A speed at which a velocity-dependent law should have nearly no force [m/s]; `dieterich` and `ruina` have much.
const CREEP_SPEED: f64 = 1e-12;
/// Relative rise of the force over the last tenth of the ramp below which it has levelled off.
const LEVEL_TOLERANCE: f64 = 1e-2;

/// A break-away test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BreakawayTest {
    /// Mass \[kg\], or inertia [kg·m²].
    pub mass: f64,
    /// Rise of the force [N/s or N·m/s].
    pub rate: f64,
    /// Dwell time at rest before the test \[s\].
    pub dwell: f64,
    /// Sliding speed before the rest [m/s or rad/s]; none: the contact has never moved.
    pub slid: Option<f64>,
}

/// The event or feature that defines a break-away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BreakawayCriterion {
    /// The contact slips.
    Slip,
    /// The friction force has its first maximum.
    Peak,
    /// The friction force levels off.
    Level,
    /// None.
    Nothing,
}
impl BreakawayCriterion {
    /// `slip`, `peak`, `level`, `none`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Slip => "slip",
            Self::Peak => "peak",
            Self::Level => "level",
            Self::Nothing => "none",
        }
    }
}

/// The result of a break-away test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Breakaway {
    /// The test.
    pub test: BreakawayTest,
    /// How it was detected.
    pub criterion: BreakawayCriterion,
    /// Friction force [N or N·m]; none if there is no break-away.
    pub force: Option<f64>,
    /// Displacement since the force began to rise [m or rad].
    pub distance: Option<f64>,
    /// Time since the force began to rise \[s\].
    pub time: Option<f64>,
}

/// Raises the force on a mass until it breaks away.
///
/// # Errors
/// [`Error::System`] for a test that is not possible, and as [`TestRig::run`].
pub fn breakaway(rig: &TestRig, test: &BreakawayTest) -> Result<Breakaway, Error> {
    check(test)?;
    let law = rig.spec.build()?;
    let load = rig.load.at(0.0);
    let at = |v: f64| Input { v, load };
    let mut memory = vec![0.0; law.len()];
    memory.iter_mut().zip(&rig.memory).for_each(|(z, x)| *z = *x);
    if let Some(v) = test.slid {
        law.settled(&at(v), &mut memory);
        law.jump(&mut memory, &at(0.0));
    }
    let rest = law.force(&memory, &at(0.0));
    let most = largest(law.as_ref(), &memory, load);
    if most <= 0.0 {
        return Ok(Breakaway {
            test: *test,
            criterion: BreakawayCriterion::Nothing,
            force: None,
            distance: None,
            time: None,
        });
    }
    let BreakawayTest { mass, rate, dwell, .. } = *test;
    let mut rig = TestRig { memory, ..rig.clone() };
    if dwell > 0.0 {
        // at rest: the bristles balance the force
        let still = Drive::Force { mass, force: Signal::Constant(rest) };
        let options = SimulationOptions { end: dwell, sample: dwell, rtol: 1e-10, ..SimulationOptions::default() };
        rig = with_final_memory(&rig, &rig.run(&still, &options)?)?;
    }
    let usual = RAMP_FACTOR * (most + rest.abs()) / rate;
    let mut found = None;
    // with a steep ramp the force may far exceed friction before the mass has moved
    for longer in RAMP_EXTENSIONS {
        found = ramp(&rig, test, law.as_ref(), most, (rest, longer * usual))?;
        if found.is_some() {
            break;
        }
    }
    Ok(found.unwrap_or(Breakaway {
        test: *test,
        criterion: BreakawayCriterion::Nothing,
        force: None,
        distance: None,
        time: None,
    }))
}

/// One ramp from the force `rest` over the time `end`.
fn ramp(
    rig: &TestRig,
    test: &BreakawayTest,
    law: &dyn DynLaw,
    most: f64,
    (rest, end): (f64, f64),
) -> Result<Option<Breakaway>, Error> {
    let BreakawayTest { mass, rate, .. } = *test;
    let at = |v: f64| Input { v, load: rig.load.at(0.0) };
    let holds = law.hold(&rig.memory, &at(0.0), 1.0) > 0.0;
    let force = Signal::Ramp { offset: rest, slope: rate, start: 0.0, end: f64::INFINITY };
    let [f, x, t] = [format!("{CONTACT}.force"), format!("{BODY}.x"), "t".to_owned()];
    let place = |show: &String| Probe::MaxAt { column: f.clone(), from: 0.0, to: end, show: show.clone() };
    let probes = vec![place(&f), place(&x), place(&t)];
    // a force that rises steeply with the speed needs an absolute tolerance far below the usual one
    let random = is_random(rig);
    let steep = !holds && !random && law.force(&rig.memory, &at(CREEP_SPEED)) > 1e-2 * most;
    let atol = if steep { 1e-40 } else { 0.0 };
    let options = SimulationOptions {
        end,
        sample: end / 4000.0,
        rtol: 1e-10,
        atol,
        probes,
        max_steps: MAX_STEPS,
        ..SimulationOptions::default()
    };
    let mut top = f64::NEG_INFINITY;
    let trace = rig.run_while(&Drive::Force { mass, force }, &options, |[_, _, v, force]| {
        top = top.max(force);
        let fall = if random { RANDOM_PEAK_FALL * most } else { PEAK_FALL * top };
        if holds { v == 0.0 } else { force >= top - fall }
    })?;
    let found = |criterion, force, x, t| {
        Some(Breakaway { test: *test, criterion, force: Some(force), distance: Some(x), time: Some(t) })
    };
    if holds && let Some(slip) = trace.events.iter().find(|e| e.kind == EventKind::SlipUp) {
        // the row before the event has the force at the end of sticking
        let row = slip.row.saturating_sub(1);
        return Ok(found(BreakawayCriterion::Slip, trace.force[row], trace.x[row], slip.t));
    }
    let last = trace.len() - 1;
    if let ([Some(force), Some(x), Some(t)], false) = (&trace.summary.probes[..], trace.summary.complete) {
        return Ok(found(BreakawayCriterion::Peak, *force, *x, *t));
    }
    let before = trace.t.partition_point(|&t| t < trace.t[last] - 0.1 * end).min(last);
    let level = trace.force[last];
    if (level - trace.force[before]).abs() <= if random { RANDOM_PEAK_FALL } else { LEVEL_TOLERANCE } * level.abs() {
        let row = trace.force.iter().position(|&f| f >= LEVEL_REACHED * level).unwrap_or(last);
        return Ok(found(BreakawayCriterion::Level, level, trace.x[row], trace.t[row]));
    }
    Ok(None)
}

fn check(test: &BreakawayTest) -> Result<(), Error> {
    let wrong = |key, value, must| Err(impossible_value("test", key, value, must));
    let positive = |x: f64| x > 0.0 && x.is_finite();
    if !positive(test.mass) {
        return wrong("mass", test.mass, "positive");
    }
    if !positive(test.rate) {
        return wrong("rate", test.rate, "positive");
    }
    if !(test.dwell >= 0.0 && test.dwell.is_finite()) {
        return wrong("dwell", test.dwell, "zero or more");
    }
    match test.slid {
        Some(v) if !positive(v) => wrong("slid", v, "positive"),
        _ => Ok(()),
    }
}

/// The largest force of a law at rest or in steady sliding.
fn largest(law: &dyn DynLaw, memory: &[f64], load: f64) -> f64 {
    let steady = SPEEDS.iter().map(|&v| law.steady(&Input { v, load }));
    steady.fold(law.hold(memory, &Input { v: 0.0, load }, 1.0), f64::max)
}

/// Regression of the break-away force over the decadic logarithm of a varied quantity [N per decade].
pub fn force_per_decade(results: &[Breakaway], what: fn(&BreakawayTest) -> f64) -> Option<LineFit> {
    let point = |b: &Breakaway| Some((what(&b.test).log10(), b.force?));
    let points: Vec<_> = results.iter().filter(|b| what(&b.test) > 0.0).filter_map(point).collect();
    fit_line(&points)
}
