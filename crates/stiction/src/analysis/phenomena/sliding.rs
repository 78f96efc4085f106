//! In sliding: the steady curve, the lag behind the speed, the jump through v = 0.
use super::mass_on_law::MassOnLaw;
use crate::Error;
use crate::analysis::hysteresis::is_random;
use crate::analysis::law_stepper::LawStepper;
use std::f64::consts::TAU;
use stiction_core::Input;

/// Swing of the speed about the law's own.
const SPEED_AMPLITUDE: f64 = 0.6;
/// Frequencies in units of the law's time: decades, and frequencies to a decade.
const DECADES: (i32, i32, i32) = (-4, 3, 2);
/// Samples and periods of a swing, of which the last counts; for a random law their mean.
const SAMPLES: u32 = 256;
const PERIODS: u32 = 4;
const RANDOM: u32 = 400;
/// Speed at which a law without memory and without a jump has no force, in speeds of the law.
const VANISHING_SPEED: f64 = 1e-9;

/// Fall of the steady force over its peak.
pub fn force_drop(bench: &MassOnLaw<'_>) -> f64 {
    let curve = &bench.scales.curve;
    let (mut top, mut most) = (0.0_f64, 0.0_f64);
    for (_, force) in curve {
        top = top.max(*force);
        most = most.max((top - force) / top);
    }
    // a random law's steady force is a mean with an error of its own
    if random(bench) { 0.0 } else { most }
}

/// Force at rising less force at falling speed, over the peak, where that is largest.
pub fn lag(bench: &MassOnLaw<'_>) -> Result<f64, Error> {
    let law = bench.spec.build()?;
    let (scales, random, (from, to, per)) = (bench.scales, random(bench), DECADES);
    let at = |k: i32| {
        let omega = 10_f64.powf(f64::from(k) / f64::from(per)) / scales.time();
        let mut walk = LawStepper::new(law.as_ref(), 1.0);
        walk.settle(scales.speed);
        let dt = TAU / omega / f64::from(SAMPLES);
        let mut period = || {
            let at = |k: u32| {
                scales.speed * (1.0 + SPEED_AMPLITUDE * (TAU * (f64::from(k) + 0.5) / f64::from(SAMPLES)).sin())
            };
            let forces: Vec<f64> = (0..SAMPLES).map(|k| walk.advance(at(k), dt).force).collect();
            // the mean speed is passed upwards at θ = 0 and downwards at θ = π: between two samples
            let between = |a: u32, b: u32| 0.5 * (forces[a as usize] + forces[b as usize]);
            (between(SAMPLES - 1, 0) - between(SAMPLES / 2 - 1, SAMPLES / 2)) / scales.peak
        };
        if random {
            return (0..RANDOM).map(|_| period()).sum::<f64>() / f64::from(RANDOM);
        }
        (0..PERIODS).map(|_| period()).last().unwrap_or(0.0)
    };
    let step = if random { 2 * per } else { 1 };
    let all = (from * per..=to * per).step_by(step as usize).map(at);
    Ok(all.fold(0.0, |most: f64, x| if x.abs() > most.abs() { x } else { most }))
}

fn random(bench: &MassOnLaw<'_>) -> bool {
    is_random(&bench.rig())
}

/// Jump of the force through v = 0, or the set of forces there, over the peak.
pub fn jump_at_zero_velocity(bench: &MassOnLaw<'_>) -> Result<f64, Error> {
    let (law, scales) = (bench.spec.build()?, bench.scales);
    let crawl = VANISHING_SPEED * scales.speed;
    let passes = |slid: Option<f64>| {
        let mut walk = LawStepper::new(law.as_ref(), 1.0);
        if let Some(v) = slid {
            walk.settle(v);
        }
        let set = 2.0 * law.hold(&walk.memory, &Input::at(0.0), 1.0);
        let up = walk.force(crawl);
        let down = walk.force(-crawl);
        (up - down).abs().max(set) / scales.peak
    };
    Ok([None, Some(SLOW_SLIDING_SPEED * scales.speed), Some(scales.speed)].into_iter().map(passes).fold(0.0, f64::max))
}

/// Slow sliding, in speeds of the law.
const SLOW_SLIDING_SPEED: f64 = 1e-2;
