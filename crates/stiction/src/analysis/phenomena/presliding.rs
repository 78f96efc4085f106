//! Before sliding: what is left after a load, loops, and loops within loops.
use super::Phenomenon;
use super::mass_on_law::MassOnLaw;
use crate::Error;
use crate::analysis::hysteresis::{HarmonicMotion, drive_harmonic};
use crate::analysis::nonlocal_memory::memory_checks;
use crate::system::{Curve, Signal};

/// Load that comes and goes, in parts of the break-away force.
const LOAD: f64 = 0.9;
/// Force at the reversals of a loop, on the virgin curve: beyond the elastic range of the elasto-plastic law, and so far
/// that inner loops of three tenths are no longer elastic.
const REVERSAL_FORCE: f64 = 0.9;
/// Duration of loading, and of unloading, in units of the law's time; the rest after it takes three times as long.
const LOADING_TIME: f64 = 300.0;
/// Speed of loops, in speeds of the law.
const LOOP_SPEED: f64 = 1e-4;

/// Way left after a load over the way under it; none without a spring.
pub fn residual_displacement(bench: &MassOnLaw<'_>) -> Result<Option<f64>, Error> {
    if bench.scales.stiffness.is_none() {
        return Ok(None);
    }
    let (load, t) = (LOAD * bench.scales.peak, LOADING_TIME * bench.scales.time());
    let curve = Curve::linear(vec![0.0, t, 2.0 * t], vec![0.0, load, 0.0]);
    let curve = curve.map_err(|problem| Error::Curve { problem, values: [load, t] })?;
    let x = bench.pushed(Signal::Table(curve), &[t, 5.0 * t])?;
    Ok(Some((x[1] / x[0]).abs()))
}

/// Amplitude of a loop whose first way ends at 90 % of the break-away force; none without a spring.
fn amplitude(bench: &MassOnLaw<'_>) -> Option<f64> {
    bench.scales.displacement_at(REVERSAL_FORCE * bench.scales.peak)
}

/// Area of a slow loop over its bounding box; none without a spring.
pub fn loop_fill_ratio(bench: &MassOnLaw<'_>) -> Result<Option<f64>, Error> {
    amplitude(bench).map(|x| filled(bench, x)).transpose()
}

fn filled(bench: &MassOnLaw<'_>, x: f64) -> Result<f64, Error> {
    let motion =
        HarmonicMotion { omega: Some(LOOP_SPEED * bench.scales.speed / x), cycles: 30, ..HarmonicMotion::new(x) };
    let driven = drive_harmonic(&bench.rig(), &motion)?;
    let [low, high] = driven.last.turns;
    Ok(driven.last.area / (2.0 * x * (high - low)))
}

/// Part of the outer amplitude that the inner loop of the check has.
const INNER_AMPLITUDE: f64 = 0.3;

/// Closure error of an inner loop, relative to the range of the force; none without a spring, or if the inner loop is
/// elastic and closes trivially.
pub fn closure_error(bench: &MassOnLaw<'_>) -> Result<Option<f64>, Error> {
    let Some(x) = amplitude(bench) else { return Ok(None) };
    if !Phenomenon::Hysteresis.criterion().is_met(filled(bench, INNER_AMPLITUDE * x)?) {
        return Ok(None);
    }
    let found = memory_checks(&bench.rig(), x, LOOP_SPEED * bench.scales.speed)?;
    Ok(found.into_iter().find(|check| check.name == "return point").map(|check| check.error))
}
