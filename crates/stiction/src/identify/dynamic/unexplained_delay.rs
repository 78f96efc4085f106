//! A delay between force and motion of which a fit along the motion was not told.
//!
//! A force that is late by `τ` differs by `−τ dF/dt` from what the law makes of the motion, and stiffness and damping of bristles, which act where the
//! force changes, make up for it. What is left shows it all the same: with the derivative of the force by the delay as one more column beside the
//! derivatives by the parameters, the residuals tell `τ` in one linear step, and by how much it would move the parameters: where one of them would leave its
//! interval, it matters. It is told, not taken out: a law that does not suit leaves as much.
use super::DynamicOptions;
use super::delay_fit::slopes;
use super::friction_fit::FrictionFit;
use super::parameter_vector::force_jumps_at_reversal;
use super::trajectory::DrivenTrajectory;
use crate::fit::{LinearFit, LinearOptions, NoiseModel, StopReason, linear};
use crate::identify::sliding::delay_fit::longest;
use crate::identify::sliding::tell_delay;
use crate::identify::{MotionRecord, Severity};
use crate::{Error, Spec};

/// A warning, if the force of these records is significantly delayed or early for the law that was fitted.
///
/// # Errors
/// Those of a prediction with the fitted law.
pub(super) fn remark(
    fitted: &mut FrictionFit,
    motions: &[MotionRecord],
    law: &Spec,
    options: &DynamicOptions,
) -> Result<(), Error> {
    // of a force that jumps at a reversal, sliding tells it
    if fitted.abrupt || fitted.fit.reason == StopReason::Stopped || force_jumps_at_reversal(law.law().name)? {
        return Ok(());
    }
    let Some([late, error]) = estimate(fitted, motions, options)? else { return Ok(()) };
    let step = motions.iter().map(MotionRecord::step).fold(0.0, f64::max);
    // beyond what --delay auto seeks, the derivative means nothing
    if late.abs() < longest(step) {
        fitted.result.remark(Severity::Warning, tell_delay([late, error]));
        fitted.result.remarks.sort_by_key(|remark| remark.severity);
    }
    Ok(())
}

/// Standard errors from zero: normal noise exceeds four once in sixteen thousand.
const SURE: f64 = 4.0;
/// Standard errors by which a parameter that leaves its interval is moved.
const LEAVES: f64 = 2.0;

/// The delay and its standard error \[s\]; none if the records do not tell it from none, or if no parameter would leave its interval for it.
fn estimate(
    fitted: &FrictionFit,
    motions: &[MotionRecord],
    options: &DynamicOptions,
) -> Result<Option<[f64; 2]>, Error> {
    let Some(law) = &fitted.result.law else { return Ok(None) };
    let (mut column, mut breaks) = (Vec::new(), Vec::new());
    for (motion, &displaced) in motions.iter().zip(&fitted.displaced) {
        let measured = MotionRecord { displaced, ..motion.clone() };
        let [slope, _] = slopes(&measured, &measured, 0.0, law, &fitted.result, None)?;
        if !column.is_empty() {
            breaks.push(column.len());
        }
        // sample k of the trajectory ends at time k + 1 of the motion
        column.extend(DrivenTrajectory::new(&measured, options, false).compared().map(|k| slope[k + 1]));
    }
    let fit = &fitted.fit;
    let (m, n) = (fit.residual.len(), fit.values.len());
    if column.len() != m || column.iter().all(|x| *x == 0.0) {
        return Ok(None);
    }
    let free = (0..n).filter(|&j| !fit.bound[j]).map(|j| &fit.jacobian[j * m..(j + 1) * m]);
    let columns: Vec<&[f64]> = std::iter::once(&column[..]).chain(free).collect();
    let noise = NoiseModel::Correlated { lag: None, whiten: true, breaks };
    // without a result where the parameters make up for all of it
    let found = linear(&columns, &fit.residual, &LinearOptions { noise, ..LinearOptions::default() });
    let errors = fit.standard_errors();
    let moved = |found: &LinearFit| {
        let free = (0..n).filter(|&j| !fit.bound[j]);
        free.zip(&found.values[1..]).any(|(j, by)| by.abs() > LEAVES * errors[j])
    };
    let told = found.ok().filter(|found| found.differs_from_zero(0, SURE) && moved(found));
    Ok(told.map(|found| [found.values[0], found.covariance.standard_errors()[0]]))
}
