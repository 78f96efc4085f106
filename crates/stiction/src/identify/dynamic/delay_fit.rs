//! The delay between force and motion as a parameter of a fit along the motion.
//!
//! As in sliding ([`crate::identify::sliding`]): motion and force are moved against each other by an estimate of the delay, and the
//! derivative of the law's force by the delay is one more term. The fit is repeated, each time from the parameters of the last one, until
//! the rest of the delay is far below its standard error.
use super::DynamicOptions;
use super::friction_fit::{FrictionFit, fit};
use super::parameter_vector::force_jumps_at_reversal;
use super::predict::predict;
use super::trajectory::PlantForces;
use crate::identify::sliding::delay_fit::{ENOUGH, ITERATIONS, NO_DELAY};
use crate::identify::sliding::{self, DELAY, SlidingLaw, SlidingOptions};
use crate::identify::{
    FitProgress, ForceTerm, FreeParameter, GlobalSearch, Identifiability, IdentificationResult, MotionRecord,
    PreparedMotion, Severity,
};
use crate::signal::gradient;
use crate::{Error, Spec};

/// Fits a law and the delay of the force.
pub(super) fn fit_with_delay(
    motions: &[MotionRecord],
    law: &Spec,
    options: &DynamicOptions,
    watch: &mut dyn FnMut(&FitProgress<'_>) -> bool,
) -> Result<FrictionFit, Error> {
    let plain = DynamicOptions { delay: false, ..options.clone() };
    let moved = |delay: f64| motions.iter().map(|m| m.with_delay(delay)).collect::<Result<Vec<_>, _>>();
    let mut delay = in_sliding(motions);
    let mut fitted = fit(&moved(delay)?, law, &plain, watch)?;
    for _ in 0..ITERATIONS {
        let Some(found) = fitted.result.law.clone() else { break };
        let mut moved = moved(delay)?;
        let mut told = false;
        for motion in &mut moved {
            let values = slope(motion, &found, &fitted.result)?;
            told |= values.iter().any(|x| *x != 0.0);
            motion.terms.push(ForceTerm { name: DELAY.to_owned(), values });
        }
        if !told {
            break;
        }
        let again = DynamicOptions {
            free: free(&plain, &fitted.result),
            bounds: Vec::new(),
            search: GlobalSearch::None,
            resume: None,
            ..plain.clone()
        };
        let mut next = fit(&moved, &found, &again, watch)?;
        let Some(e) = next.result.estimates.iter_mut().find(|e| e.name == DELAY) else { break };
        let (rest, error) = (e.value, e.error);
        if !(rest.is_finite() && error.is_finite() && error > 0.0) {
            break;
        }
        "s".clone_into(&mut e.unit);
        e.value += delay;
        e.interval = e.interval.map(|x| x + delay);
        e.identifiability = Identifiability::Good;
        if rest.abs() <= ENOUGH * error {
            return Ok(next);
        }
        delay += rest;
        next.result.estimates.retain(|e| e.name != DELAY);
        fitted = next;
    }
    let mut out = fit(motions, law, &plain, watch)?;
    out.result.remark(Severity::Warning, NO_DELAY);
    Ok(out)
}

/// The delay that Coulomb and viscous friction with inertia tell, or zero: near enough for the fit of a law whose force changes within a
/// few samples.
fn in_sliding(motions: &[MotionRecord]) -> f64 {
    if motions.iter().any(|m| m.acceleration.is_empty()) {
        return 0.0;
    }
    // the cut-off of the filter is not known here: at most a quarter of the sampling rate
    let prepare = |m: &MotionRecord| PreparedMotion { motion: m.clone(), cutoff: 0.25 / m.step(), rest_speed: 0.0 };
    let prepared: Vec<PreparedMotion> = motions.iter().map(prepare).collect();
    let options = SlidingOptions { curve: Some(SlidingLaw::Viscous), delay: true, ..SlidingOptions::default() };
    let found = sliding::identify(&prepared, &options).ok();
    found.and_then(|found| found.estimate(DELAY).map(|e| e.value)).filter(|x| x.is_finite()).unwrap_or(0.0)
}

/// The derivative of the model's force by the delay.
fn slope(motion: &MotionRecord, law: &Spec, found: &IdentificationResult) -> Result<Vec<f64>, Error> {
    let value = |name: &str| found.estimate(name).map(|e| e.value);
    let plant = PlantForces {
        mass: value("mass").or(motion.mass).unwrap_or(0.0),
        offset: value("offset").unwrap_or(0.0),
        terms: motion.terms.iter().map(|term| value(&term.name).unwrap_or(0.0)).collect(),
    };
    let series = predict(motion, law, &plant)?;
    // the prediction begins after the first sample
    let lead = motion.len() - series.model.len();
    let other = |k: usize| {
        let terms: f64 = motion.terms.iter().zip(&plant.terms).map(|(term, factor)| factor * term.values[k]).sum();
        plant.mass * motion.acceleration.get(k).copied().unwrap_or(0.0) + terms
    };
    let force: Vec<f64> =
        (0..motion.len()).map(|k| series.model[k.saturating_sub(lead)] + other(k.max(lead))).collect();
    let mut out: Vec<f64> = gradient(&force, motion.step())?.into_iter().map(|slope| -slope).collect();
    if force_jumps_at_reversal(law.law().name)? {
        // the jump at a reversal has no derivative, and the samples next to it are not compared
        let turns =
            |k: usize| motion.velocity.get(k).zip(motion.velocity.get(k + 1)).is_some_and(|(a, b)| a * b <= 0.0);
        let near = |k: usize| (k.saturating_sub(2)..=k + 1).any(turns);
        out.iter_mut().enumerate().filter(|(k, _)| near(*k)).for_each(|(_, x)| *x = 0.0);
    }
    Ok(out)
}

/// The parameters that were fitted, within their bounds, from where they are now.
fn free(options: &DynamicOptions, found: &IdentificationResult) -> Vec<FreeParameter> {
    let law = found.law.as_ref();
    let own = |name: &str| law.is_some_and(|law| law.get(name).is_ok());
    let given = || options.bounds.iter().chain(&options.free);
    found
        .estimates
        .iter()
        .filter(|e| e.identifiability != Identifiability::Given && own(&e.name))
        .map(|e| {
            let bounded = given().find(|free| free.key == e.name).cloned();
            FreeParameter { start: Some(e.value), ..bounded.unwrap_or_else(|| FreeParameter::new(&e.name)) }
        })
        .collect()
}
