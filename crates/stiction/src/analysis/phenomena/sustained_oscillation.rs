//! Sustained oscillations: stick-slip and hunting.
use super::mass_on_law::MassOnLaw;
use crate::Error;
use crate::analysis::hysteresis::is_random;
use crate::system::Spring;

/// If a mass does not oscillate permanently, the experiment is repeated with a multiple of the mass, which viscous friction
/// damps less.
const MASS_FACTOR: f64 = 100.0;
/// A spring so soft that the peak force stretches it by so many lengths of the law.
const SPRING_STRETCH: f64 = 300.0;
/// Its damping ratio with the mass: without it, oscillations of a law without a falling curve would not decay.
const DAMPING: f64 = 0.05;
/// Speed of the hand, in speeds of the law.
const DRIVE_SPEED: f64 = 0.3;
/// Time for stick-slip, in the time it takes to load the spring to the peak force, and in swings of the mass on it.
const LOADING_TIMES: f64 = 8.0;
const OSCILLATION_PERIODS: f64 = 60.0;
/// Smallest ratio of the amplitudes of two consecutive thirds of the run for a sustained oscillation.
const MIN_AMPLITUDE_RATIO: f64 = 0.8;
/// Rest is below this part of the speed of the hand.
const REST_SPEED: f64 = 0.1;

/// The step of the servo, in lengths of the law.
const STEP: f64 = 300.0;
/// Gains for a mass, a time and a step of one, and a break-away force of 1.5: those of the slides' example (Astrom2008).
const GAINS: [f64; 3] = [3.0, 6.0, 4.0];
/// Time for hunting in times of the servo.
const HUNTING_TIME: f64 = 300.0;

/// The larger of two swings, the second with the heavier mass; the first is enough if there is one.
fn either(bench: &MassOnLaw<'_>, swing: fn(&MassOnLaw<'_>) -> Result<f64, Error>) -> Result<f64, Error> {
    let first = swing(bench);
    // a random law is not periodic with any mass
    if matches!(first, Ok(size) if size > 0.0) || is_random(&bench.rig()) {
        return first;
    }
    match (first, swing(&bench.heavier(MASS_FACTOR))) {
        (Ok(a), Ok(b)) => Ok(a.max(b)),
        (Err(_), Ok(b)) if b > 0.0 => Ok(b),
        (first, _) => first,
    }
}

/// Swing of the velocity over the speed of the hand; 0 if it fades, or never comes to rest.
pub fn stick_slip(bench: &MassOnLaw<'_>) -> Result<f64, Error> {
    either(bench, stick_slip_once)
}

/// Swing of the position over the step; 0 if it fades.
pub fn hunting(bench: &MassOnLaw<'_>) -> Result<f64, Error> {
    either(bench, hunting_once)
}

fn stick_slip_once(bench: &MassOnLaw<'_>) -> Result<f64, Error> {
    let scales = bench.scales;
    let (stiffness, mass, pull) =
        (scales.peak / (SPRING_STRETCH * scales.length), bench.mass, DRIVE_SPEED * scales.speed);
    let damping = 2.0 * DAMPING * (stiffness * mass).sqrt();
    let swing = std::f64::consts::TAU * (mass / stiffness).sqrt();
    let end = LOADING_TIMES * scales.peak / (stiffness * pull) + OSCILLATION_PERIODS * swing;
    let [before, after] = bench.pulled(Spring { damping, ..Spring::linear(stiffness) }, pull, end)?;
    let [first, last] = [before, after].map(|[lo, hi]| hi - lo);
    let lasts = last >= MIN_AMPLITUDE_RATIO * first && after[0] < REST_SPEED * pull;
    Ok(if lasts { last / pull } else { 0.0 })
}

fn hunting_once(bench: &MassOnLaw<'_>) -> Result<f64, Error> {
    let (scales, mass) = (bench.scales, bench.mass);
    // the step grows with the mass, so that the speed is the same: slower than any lag of the law
    let step = STEP * scales.length * (mass / scales.mass());
    // a force of two thirds of the peak moves the mass by the step in this time, about
    let time = (1.5 * mass * step / scales.peak).sqrt();
    let [kp, kv, ki] = GAINS;
    let gains = [kp * mass / (time * time), kv * mass / time, ki * mass / (time * time * time)];
    let [before, after] = bench.under_servo(gains, step, HUNTING_TIME * time)?;
    let [first, last] = [before, after].map(|[lo, hi]| hi - lo);
    Ok(if last >= MIN_AMPLITUDE_RATIO * first { last / step } else { 0.0 })
}
