//! A delay of the inputs of a scenario of which a fit was not told.
//!
//! A command that reaches a drive later than the log says moves all that follows, and inertia and damping make up for it. What is left shows it: with
//! the change of the residuals by a delay `τ` of all inputs as one more column `d` beside the derivatives by the parameters, `d⊥` is what those leave of
//! it, and `τ = −d⊥·r/|d⊥|²`. The standard error is `w/|d⊥|` with the `w` of the intervals ([`super::intervals`]), and each record has a say of its own.
use super::bound_record::BoundRecord;
use super::record_residuals::ResidualsOfRecords;
use crate::fit::{Fit, LinearOptions, linear};
use crate::identify::{IdentificationResult, Severity};
use crate::linalg::dot;
use crate::number::{round, short};
use crate::scenario::IdentificationTask;

/// Delay of which the effect is computed, and the least that is told, over the usual time between rows.
const TRIED: f64 = 0.5;
const LEAST: f64 = 0.3;
/// Delays beyond so many rows are not told: over them nothing is linear.
const MOST: f64 = 10.0;
/// Standard errors from zero.
const SURE: f64 = 4.0;
/// Least share of the squares of the residuals that the delay explains: a model is never without error, and part of it looks like a delay.
const MIN_SHARE: f64 = 0.1;

/// A warning, if inputs seem to arrive later or earlier than these records say.
pub(super) fn remark(
    result: &mut IdentificationResult,
    identify: &IdentificationTask,
    (bounds, records): (&[BoundRecord<'_>], &ResidualsOfRecords<'_>),
    fit: &Fit,
) {
    // what depends on a parameter was looked for
    let Some(first) = bounds.first() else { return };
    let is_sought = |text: &str| first.over_parameters(text).is_ok_and(|delay| delay.has(|_| true));
    if identify.input.is_empty() || identify.input.iter().any(|input| is_sought(&input.delay)) {
        return;
    }
    let mut steps: Vec<f64> = bounds.iter().flat_map(|bound| bound.t.windows(2).map(|t| t[1] - t[0])).collect();
    if steps.is_empty() {
        return;
    }
    let middle = steps.len() / 2;
    let step = *steps.select_nth_unstable_by(middle, f64::total_cmp).1;
    let Some([late, error]) = estimate(records, fit, TRIED * step) else { return };
    if late.abs() <= SURE * error || !(LEAST * step..MOST * step).contains(&late.abs()) {
        return;
    }
    let most = short(round(MOST * step, 1));
    let text = format!(
        "the inputs seem to act {} ± {} s {} than the records say, as a command that is long on its way: what was fitted makes up for it, inertia and \
         damping above all; an input of [identify.input] takes a delay, {{ value = \"...\", delay = \"delay\" }}, and [identify.free] seeks it, delay = [{}]",
        short(round(late.abs(), 2)),
        short(round(error, 2)),
        if late > 0.0 { "later" } else { "earlier" },
        if late > 0.0 { format!("0, {most}") } else { format!("-{most}, 0") }
    );
    result.remark(Severity::Warning, text);
    result.remarks.sort_by_key(|remark| remark.severity);
}

/// The delay and its standard error \[s\]; none if it explains little, or if the records contradict each other.
fn estimate(records: &ResidualsOfRecords<'_>, fit: &Fit, tried: f64) -> Option<[f64; 2]> {
    let m = records.data;
    let [now, later] = [0.0, tried].map(|delay| records.at_delay(&fit.values, delay));
    let r = now.get(..m)?;
    let column: Vec<f64> = later.iter().zip(r).map(|(later, now)| (later - now) / tried).collect();
    if column.iter().chain(r).any(|x| !x.is_finite()) || column.iter().all(|x| *x == 0.0) {
        return None;
    }
    let rows = fit.residual.len();
    let free = (0..fit.values.len()).filter(|&j| !fit.bound[j]);
    let others: Vec<&[f64]> = free.map(|j| &fit.jacobian[j * rows..j * rows + m]).collect();
    let own =
        if others.is_empty() { column } else { linear(&others, &column, &LinearOptions::default()).ok()?.residual };
    let (square, along) = (dot(&own, &own), dot(&own, r));
    let late = -along / square;
    let share = along * along / square / dot(r, r);
    if share.is_nan() || share < MIN_SHARE {
        return None;
    }
    let mut at = 0;
    for length in &records.lengths {
        let part = at..at + length;
        at += length;
        if -dot(&own[part.clone()], &r[part]) * late < 0.0 {
            return None;
        }
    }
    let left: Vec<f64> = r.iter().zip(&own).map(|(r, d)| r + late * d).collect();
    Some([late, records.weight(&left) / square.sqrt()])
}
