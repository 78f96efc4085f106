//! The break-away force and its dependence on force rate and dwell time.
//!
//! The force on a mass rises until it has slid by several characteristic lengths; the break-away force is the largest
//! friction force until then. The first maximum, which `stiction breakaway` uses, is not suitable here: the force of a law
//! without damping oscillates on its bristles.
//!
//! Forces and rests are quick or slow compared with the law's own times. There are two: the characteristic length over the speed, for
//! memories that change with the displacement, and the time in which break-away changes at rest, for those that change by themselves, as by
//! creep or cooling. The quickest rise takes a tenth of the shorter one at most, the slowest ten times the longer one at least.
use super::mass_on_law::{MAX_STEPS as MOST_STEPS, MassOnLaw};
use crate::Error;
use crate::analysis::hysteresis::{is_random, with_final_memory};
use crate::analysis::test_rig::Drive;
use crate::sim::{Probe, SimulationOptions};
use crate::system::Signal;
use stiction_core::Input;

/// Time in which the force rises to its peak, in units of the law's time: the default, and the values compared.
const RISE_TIME: f64 = 1e3;
const RISE_TIMES: [f64; 4] = [10.0, 100.0, 1e3, 1e4];
/// After dwell times the force rises quickly, so that the rise does not add to the dwell time.
const SHORT_RISE_TIME: f64 = 10.0;
/// Times of rest, in units of the law's.
const DWELL_TIMES: [f64; 4] = [0.1, 10.0, 1e3, 1e5];
/// Times at rest over which the law's own time is sought: first and last decade \[s\], and number per decade.
const REST_DECADES: (i32, i32, i32) = (-9, 9, 6);
/// Change of break-away at rest, relative to the peak, from which on there is such a time.
const MIN_CHANGE: f64 = 1e-3;
/// From 63 % to 95 % of the change an exponential takes three times as long, the fraction t/(t + τ) eleven times. A change that goes on over more
/// than two decades, as a logarithm's does, has no time of its own.
const LONGEST_TAIL: f64 = 100.0;
/// Displacement after which it has broken away, in characteristic lengths.
const BREAKAWAY_DISPLACEMENT: f64 = 20.0;
/// Largest applied force, relative to the peak.
const MAX_FORCE: f64 = 3.0;
/// Speed at which it has broken away, in speeds of the law: beyond, viscous friction may exceed it.
const BREAKAWAY_SPEED: f64 = 3.0;

/// Break-away forces.
pub struct BreakawayForces {
    /// The largest, of a contact that never moved or slid and rested, over the least force of sliding.
    pub ratio: Option<f64>,
    /// Spread over the rate of the force.
    pub rate: Option<f64>,
    /// Growth with the time of rest.
    pub dwell: Option<f64>,
}

/// Measures them.
pub fn breakaway_forces(bench: &MassOnLaw<'_>) -> Result<BreakawayForces, Error> {
    if !bench.scales.is_characteristic[0] && !bench.scales.dry {
        return Ok(BreakawayForces { ratio: None, rate: None, dwell: None });
    }
    let all = |list: Vec<Result<f64, Error>>| list.into_iter().collect::<Result<Vec<f64>, Error>>();
    let (mut rises, mut dwells, mut short) = (RISE_TIMES.to_vec(), DWELL_TIMES.to_vec(), SHORT_RISE_TIME);
    if let Some(own) = time_at_rest(bench)?.map(|time| time / bench.scales.time()) {
        // the rise adds to the time of rest: it is shorter than the change, and the shortest rest is shorter than the rise
        short = short.min(0.1 * own);
        rises.extend([0.1 * own, 10.0 * own].into_iter().filter(|x| *x < RISE_TIMES[0] || *x > RISE_TIMES[3]));
        dwells[0] = dwells[0].min(0.01 * own);
        dwells[3] = dwells[3].max(10.0 * own);
    }
    let rates = all(rises.iter().map(|rise| force(bench, *rise, None)).collect())?;
    let rests = all(dwells.iter().map(|rest| force(bench, short, Some(*rest))).collect())?;
    let usual = all(vec![force(bench, RISE_TIME, None), force(bench, RISE_TIME, Some(DWELL_TIMES[2]))])?;
    let range = |list: &[f64]| list.iter().fold((f64::INFINITY, 0.0_f64), |(lo, hi), f| (lo.min(*f), hi.max(*f)));
    let (low, high) = range(&rates);
    Ok(BreakawayForces {
        ratio: Some(range(&usual).1 / bench.scales.kinetic),
        rate: Some((high - low) / high),
        dwell: Some(rests[rests.len() - 1] / rests[0] - 1.0),
    })
}

/// The time in which the force that a contact withstands changes at rest, after sliding at the law's speed; none if it does not change, or has
/// no time of its own.
fn time_at_rest(bench: &MassOnLaw<'_>) -> Result<Option<f64>, Error> {
    if is_random(&bench.rig()) {
        return Ok(None);
    }
    let law = bench.spec.build()?;
    let rest = Input::at(0.0);
    let mut memory = vec![0.0; law.len()];
    law.settled(&Input::at(bench.scales.speed), &mut memory);
    law.jump(&mut memory, &rest);
    let level = |memory: &[f64]| law.force(memory, &rest) + law.hold(memory, &rest, 1.0);
    let (first, mut before, mut seen) = (level(&memory), 0.0, Vec::new());
    let (from, to, per) = REST_DECADES;
    for time in (from * per..=to * per).map(|k| 10_f64.powf(f64::from(k) / f64::from(per))) {
        law.step(&mut memory, &rest, time - before);
        before = time;
        seen.push((time, level(&memory)));
    }
    let change = seen.last().map_or(0.0, |(_, last)| last - first);
    if change.is_nan() || change.abs() < MIN_CHANGE * bench.scales.peak {
        return Ok(None);
    }
    let reaches = |part: f64| seen.iter().find(|(_, level)| (level - first) / change >= part).map(|(time, _)| *time);
    let (Some(time), Some(end)) = (reaches(0.63), reaches(0.95)) else { return Ok(None) };
    Ok((end <= LONGEST_TAIL * time).then_some(time))
}

/// The break-away force of a contact that never moved, or that slid at its own speed and then rested.
fn force(bench: &MassOnLaw<'_>, rise: f64, rested: Option<f64>) -> Result<f64, Error> {
    let (scales, mass) = (bench.scales, bench.mass);
    let law = bench.spec.build()?;
    let mut rig = bench.rig();
    let mut offset = 0.0;
    if let Some(rest) = rested {
        let at = |v: f64| Input { v, load: 1.0 };
        rig.memory = vec![0.0; law.len()];
        law.settled(&at(scales.speed), &mut rig.memory);
        law.jump(&mut rig.memory, &at(0.0));
        // the force that its bristles hold
        offset = law.force(&rig.memory, &at(0.0));
        let end = rest * scales.time();
        let still = Drive::Force { mass, force: Signal::Constant(offset) };
        rig = with_final_memory(&rig, &rig.run(&still, &options(bench, end, end))?)?;
    }
    let slope = scales.peak / (rise * scales.time());
    let end = (MAX_FORCE * scales.peak - offset) / slope;
    let drive = Drive::Force { mass, force: Signal::Ramp { offset, slope, start: 0.0, end: f64::INFINITY } };
    let column = format!("{}.force", crate::analysis::test_rig::CONTACT);
    let probe = Probe::Max { column, from: 0.0, to: end };
    let options = SimulationOptions { probes: vec![probe], ..options(bench, end, end / 500.0) };
    // without a presliding spring no displacement marks break-away
    let far = if scales.stiffness.is_some() { BREAKAWAY_DISPLACEMENT * scales.length } else { f64::INFINITY };
    let fast = BREAKAWAY_SPEED * scales.speed;
    let trace = rig.run_while(&drive, &options, |[_, x, v, _]| x < far && v < fast)?;
    // rows at events have the forces on either side of a jump
    let seen = trace.force.iter().copied().chain(trace.summary.probes.iter().flatten().copied());
    Ok(seen.fold(0.0, f64::max))
}

fn options(bench: &MassOnLaw<'_>, end: f64, sample: f64) -> SimulationOptions {
    SimulationOptions {
        end,
        sample,
        rtol: 1e-8,
        atol: bench.scales.atol(),
        max_steps: MOST_STEPS,
        ..SimulationOptions::default()
    }
}
