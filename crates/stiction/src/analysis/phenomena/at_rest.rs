//! At rest: whether the law holds a load, and whether a vibrating load causes drift.
use super::mass_on_law::MassOnLaw;
use crate::Error;
use crate::system::Signal;
use std::f64::consts::TAU;

/// Load to hold, in parts of the force below which nothing should slide.
const LOAD: f64 = 0.5;
/// Load and vibration for drift: their sum stays within the elastic range of the elasto-plastic law's defaults, 70 %.
const BIAS: f64 = 0.4;
const DITHER: f64 = 0.2;
/// Times, in units of the law's: over which a load is raised, and for which it then rests.
const LOAD_RISE_TIME: f64 = 100.0;
const REST_TIME: f64 = 1e4;
/// Angular frequency of the vibration, in units of the law's time: thirty times below that of the mass on its bristles.
const OMEGA: f64 = 0.1;
/// Cycles of vibration, of which the second half counts.
const CYCLES: f64 = 60.0;

fn rise(bench: &MassOnLaw<'_>, part: f64) -> (Signal, f64) {
    let (load, end) = (part * bench.scales.no_slip_force(), LOAD_RISE_TIME * bench.scales.time());
    (Signal::Ramp { offset: 0.0, slope: load / end, start: 0.0, end }, end)
}

/// Speed of creep under a constant load, over the law's own.
pub fn creep(bench: &MassOnLaw<'_>) -> Result<f64, Error> {
    let (load, risen) = rise(bench, LOAD);
    let half = 0.5 * REST_TIME * bench.scales.time();
    let x = bench.pushed(load, &[risen + half, risen + 2.0 * half])?;
    Ok((x[1] - x[0]).abs() / half / bench.scales.speed)
}

/// Drift in a cycle of vibration, over the law's own length.
pub fn drift(bench: &MassOnLaw<'_>) -> Result<f64, Error> {
    let (load, risen) = rise(bench, BIAS);
    let omega = OMEGA / bench.scales.time();
    let amplitude = DITHER * bench.scales.no_slip_force();
    let force = Signal::Sum(vec![load, Signal::Sine { mean: 0.0, amplitude, omega, phase: 0.0 }]);
    // whole cycles, so that the vibration itself does not count
    let at = |cycles: f64| ((risen * omega / TAU).ceil() + cycles) * TAU / omega;
    let x = bench.pushed(force, &[at(0.5 * CYCLES), at(CYCLES)])?;
    Ok((x[1] - x[0]).abs() / (0.5 * CYCLES) / bench.scales.length)
}
