//! A law under harmonic motion: its steady hysteresis loop, and how it depends on amplitude and frequency.
//!
//! The displacement is `mean + amplitude·sin(ωt)`, reached from zero along a straight line if the mean is not zero. It
//! continues until the force is periodic. Without a frequency the motion is quasi-static: its largest
//! speed is [`QUASI_STATIC_SPEED`].
//!
//! The shape of the loop depends on the kind of law: a set-valued law (`coulomb`, `stribeck`, ...) jumps at the reversals,
//! and its area comes from the sliding between them; a law of velocity only (`viscous`, `coulomb-tanh`, ...) has a loop
//! that vanishes with the speed; bristles and presliding springs (`dahl`, `lugre`, `gms`, `hysteresis`, `bouc-wen`, ...)
//! have a loop at any speed; laws that age (`rate-state`, `armstrong`, ...) have one that depends on the time a cycle
//! takes. The loop of a random law is that of its last cycle, and differs from the one before.
use super::loops::{ForcePath, HysteresisLoop, LoopDetection, find_loops, loop_difference};
use super::regression_line::fit_line;
use super::test_rig::{Drive, RigTrace, TestRig, path};
use crate::SystemError;
use crate::sim::SimulationOptions;
use crate::system::{Signal, SystemErrorKind};
use crate::{Error, ParameterGroup};
use std::f64::consts::TAU;

/// Largest speed of a quasi-static motion [m/s or rad/s].
pub const QUASI_STATIC_SPEED: f64 = 1e-6;
/// Relative difference of the force from one cycle to the next below which it is periodic.
const PERIODICITY_TOLERANCE: f64 = 1e-8;
/// Cycles of one simulation, including half a cycle after the last reversal.
const CYCLES_PER_RUN: f64 = 2.5;
/// Cycles for a random law, which is never periodic.
const RANDOM_CYCLES: f64 = 4.5;
/// Rows in a cycle; the force on them is good to `(2π/rows)⁴`. Odd, so that no row falls on a reversal, where rounding
/// would decide on which side of a jump it lies.
pub const ROWS_PER_CYCLE: f64 = 2001.0;

/// A harmonic motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HarmonicMotion {
    /// Amplitude [m or rad].
    pub amplitude: f64,
    /// Angular frequency [rad/s]; none: quasi-static.
    pub omega: Option<f64>,
    /// Mean displacement [m or rad].
    pub mean: f64,
    /// Maximum number of cycles; then the last one is used.
    pub cycles: u32,
}
impl HarmonicMotion {
    /// A quasi-static motion about zero.
    pub fn new(amplitude: f64) -> Self {
        Self { amplitude, omega: None, mean: 0.0, cycles: 100 }
    }
    /// The angular frequency, also of a quasi-static motion.
    pub fn frequency(&self) -> f64 {
        self.omega.unwrap_or(QUASI_STATIC_SPEED / self.amplitude)
    }
    fn check(&self) -> Result<(), Error> {
        let wrong = |key, value, must| Err(impossible_value("motion", key, value, must));
        if !(self.amplitude > 0.0 && self.amplitude.is_finite()) {
            return wrong("amplitude", self.amplitude, "positive");
        }
        match self.omega {
            Some(omega) if !(omega > 0.0 && omega.is_finite()) => return wrong("omega", omega, "positive"),
            _ => {}
        }
        if !self.mean.is_finite() {
            return wrong("mean", self.mean, "finite");
        }
        Ok(())
    }
}

/// The response of a law to a harmonic motion.
#[derive(Clone, Debug)]
pub struct HysteresisResult {
    /// The motion.
    pub motion: HarmonicMotion,
    /// The loop of the last cycle.
    pub last: HysteresisLoop,
    /// The last cycles.
    pub trace: RigTrace,
    /// Number of simulated cycles.
    pub cycles: f64,
    /// Whether the force is periodic.
    pub repeats: bool,
}
impl HysteresisResult {
    /// Its last loop as points `(x, F)`.
    pub fn points(&self) -> Vec<(f64, f64)> {
        self.last.points(&self.trace.path())
    }
}

impl RigTrace {
    /// Force over displacement.
    pub fn path(&self) -> ForcePath<'_> {
        ForcePath { t: &self.t, x: &self.x, force: &self.force, timed: true }
    }
}

/// The error of a value that is not allowed.
pub(super) fn impossible_value(name: &str, key: &'static str, value: f64, requirement: &'static str) -> Error {
    Error::System(SystemError {
        name: name.to_owned(),
        kind: SystemErrorKind::InvalidValue { key, value, requirement },
    })
}

/// Whether a law is random, by itself or by its wrapper.
pub fn is_random(rig: &TestRig) -> bool {
    rig.spec.has(ParameterGroup::Noise) || rig.spec.law().shows.contains(&"randomness")
}

/// Solver settings with a tight tolerance, because loops are compared with each other.
pub(super) fn tight_options(start: f64, end: f64, sample: f64) -> SimulationOptions {
    SimulationOptions { start, end, sample, rtol: 1e-10, ..SimulationOptions::default() }
}

/// The rig with the final states of a run; the states of wrappers start again.
pub(super) fn with_final_memory(rig: &TestRig, trace: &RigTrace) -> Result<TestRig, Error> {
    let mut memory: Vec<f64> = trace.memory.iter().filter_map(|list| list.last().copied()).collect();
    memory.resize(rig.spec.build()?.len(), 0.0);
    Ok(TestRig { memory, ..rig.clone() })
}

/// Drives a law harmonically until its force is periodic.
///
/// # Errors
/// [`Error::System`] for a motion that is not possible, and as [`TestRig::run`].
pub fn drive_harmonic(rig: &TestRig, motion: &HarmonicMotion) -> Result<HysteresisResult, Error> {
    motion.check()?;
    let HarmonicMotion { amplitude, mean, .. } = *motion;
    let omega = motion.frequency();
    let period = TAU / omega;
    let mut rig = rig.clone();
    if mean != 0.0 {
        let speed = amplitude * omega;
        let approach = Drive::Position(path(&[0.0, mean], speed)?);
        rig = with_final_memory(&rig, &rig.run(&approach, &tight_options(0.0, mean.abs() / speed, 0.0))?)?;
    }
    let random = is_random(&rig);
    let sine = Drive::Position(Signal::Sine { mean, amplitude, omega, phase: 0.0 });
    let block = if random { RANDOM_CYCLES } else { CYCLES_PER_RUN };
    let mut cycles = 0.0;
    loop {
        let trace =
            rig.run(&sine, &tight_options(cycles * period, (cycles + block) * period, period / ROWS_PER_CYCLE))?;
        cycles += block;
        let mut found = find_loops(&trace.path(), &LoopDetection::default());
        let (Some(last), Some(before)) = (found.pop(), found.pop()) else {
            let (key, value, must) = ("amplitude", amplitude, "much larger than the rounding error of the mean");
            return Err(impossible_value("motion", key, value, must));
        };
        let repeats = loop_difference(&trace.path(), &before, &last).is_some_and(|d| d <= PERIODICITY_TOLERANCE);
        if repeats || random || cycles >= f64::from(motion.cycles) {
            return Ok(HysteresisResult { motion: *motion, last, trace, cycles, repeats });
        }
        rig = with_final_memory(&rig, &trace)?;
    }
}

/// How the loops of one amplitude depend on frequency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateDependence {
    /// The amplitude.
    pub amplitude: f64,
    /// Exponent of the area: `area ~ ω^p`; none if an area is not positive.
    pub area: Option<f64>,
    /// Exponent of the width.
    pub width: Option<f64>,
    /// Relative spread of the area: 0 for a law without rate dependence.
    pub spread: f64,
}

/// How loops depend on frequency, for each amplitude that was driven with several.
pub fn rate_dependence(driven: &[HysteresisResult]) -> Vec<RateDependence> {
    let mut amplitudes: Vec<f64> = driven.iter().map(|d| d.motion.amplitude).collect();
    amplitudes.sort_by(f64::total_cmp);
    amplitudes.dedup();
    let of = |amplitude: f64| {
        let list: Vec<&HysteresisResult> = driven.iter().filter(|d| d.motion.amplitude == amplitude).collect();
        let exponent = |what: fn(&HysteresisLoop) -> f64| {
            let points: Vec<_> = list.iter().map(|d| (d.motion.frequency().ln(), what(&d.last).ln())).collect();
            fit_line(&points).map(|line| line.slope)
        };
        let areas = || list.iter().map(|d| d.last.area);
        let (most, least) = (areas().fold(f64::NEG_INFINITY, f64::max), areas().fold(f64::INFINITY, f64::min));
        let spread = if most == least { 0.0 } else { (most - least) / most.abs().max(least.abs()) };
        let (area, width) = (exponent(|l| l.area)?, exponent(|l| l.width));
        Some(RateDependence { amplitude, area: Some(area), width, spread })
    };
    amplitudes.into_iter().filter_map(of).collect()
}
