//! The memory of a law at the beginning of a record, which nobody measured.
//!
//! Bristles may be bent to any degree when a log begins, and a fit that takes them as straight makes up for it with stiffness, damping and the
//! delay. So each record has one more unknown: the displacement `δ` by which a contact that had never moved was slowly moved before. For a law
//! with one deflection this is every memory there is; for one with several elements it is those on the curve of first loading.
//!
//! As for the delay ([`super::delay_fit`]): with the law of a first fit the best `δ` of each record is taken from a row of displacements, from
//! one in which nothing slides to the whole way of the record, and then the derivative of the force by `δ` is one more term of the fit, which is
//! repeated until the rest of `δ` is far below its standard error. So what the beginning does not tell is in the errors and intervals of all
//! parameters.
//!
//! The force saturates: bristles that are fully bent do not tell how far they were moved. A step of `δ` counts only if it leaves less, within the way of the
//! record. A record whose step does not keeps its `δ` without a term from then on, as one that has forgotten its beginning before its first
//! sample.
use super::DynamicOptions;
use super::delay_fit::free;
use super::friction_fit::{FrictionFit, fit_given_beginnings};
use super::predict::predict;
use super::trajectory::PlantForces;
use crate::identify::{
    FitProgress, ForceTerm, GlobalSearch, IdentificationResult, MotionRecord, ResidualSeries, Severity,
};
use crate::number::{round, short};
use crate::{Error, Spec, parallel};
use std::cell::Cell;

/// Repetitions at most. Each leaves an error of second order in what is left of the displacements.
const ITERATIONS: usize = 6;
/// The rest of a displacement that needs no repetition, in standard errors.
const ENOUGH: f64 = 0.05;
/// Displacements to each side that are tried before: each twice the last, so that the largest is a million times the smallest.
const TRIED: i32 = 21;
/// A step that leaves more is halved so often at most.
const HALVED: i32 = 4;
/// Half of the difference that gives the derivative, over the way of the record.
const DIFFERENCE: f64 = 1e-7;
/// Least force that the displacement by the way of a record makes up for, over the force itself: differences over [`DIFFERENCE`] are exact to a hundredth of it.
const LEAST: f64 = 1e-7;
/// A displacement is told where it is at least so many standard errors.
const TOLD: f64 = 3.0;
/// Name of the term of a record.
const BEGINNING: &str = "displacement before ";

/// Whether a term of a fit is that of the beginning of a record.
pub(super) fn is_beginning(name: &str) -> bool {
    name.starts_with(BEGINNING)
}

/// Fits a law with memory, whose memory at the beginning of each record is unknown.
pub(super) fn fit_with_beginnings(
    motions: &[MotionRecord],
    law: &Spec,
    options: &DynamicOptions,
    watch: &mut dyn FnMut(&FitProgress<'_>) -> bool,
) -> Result<FrictionFit, Error> {
    let plain = DynamicOptions { profile: false, ..options.clone() };
    let (mut begun, done, goes_on) = (None, Cell::new(0.0_f64), Cell::new(true));
    let mut fitted = fit_given_beginnings(motions, law, &plain, &mut |now| {
        begun = now.checkpoint.cloned().or(begun.take());
        done.set(now.done);
        goes_on.set(watch(now));
        goes_on.get()
    })?;
    // a stopped fit resumes from the first one, which has no terms of beginnings
    let mut watch = |now: &FitProgress<'_>| {
        done.set(done.get().max(now.done));
        goes_on.set(goes_on.get() && watch(&now.after(done.get(), begun.as_ref())));
        goes_on.get()
    };
    let repeated = |found: &IdentificationResult, profile: bool| DynamicOptions {
        free: free(&plain, found),
        bounds: Vec::new(),
        search: GlobalSearch::None,
        resume: None,
        profile,
        ..plain.clone()
    };
    // records with their displacements and terms, as they were fitted last
    let mut last = motions.to_vec();
    let mut motions = motions.to_vec();
    let mut closed = vec![false; motions.len()];
    for step in 0..ITERATIONS {
        let Some(found) = fitted.result.law.clone().filter(|_| goes_on.get()) else { break };
        let plant = |motion: &MotionRecord| PlantForces::found(motion, &fitted.result);
        if step == 0 {
            motions = parallel::map(&motions, |motion| nearest(motion, &found, &plant(motion), plain.skip));
        }
        let slopes = parallel::map(&motions, |motion| slope(motion, &found, &plant(motion), plain.skip));
        let told: Vec<usize> = (0..motions.len()).filter(|&k| !closed[k] && slopes[k].is_some()).collect();
        let is_fitted = motions.iter().zip(&last).all(|(motion, last)| motion.displaced == last.displaced);
        if told.is_empty()
            && is_fitted
            && last.iter().zip(&motions).all(|(last, motion)| last.terms.len() == motion.terms.len())
        {
            break;
        }
        let mut with_terms = motions.clone();
        for &of in &told {
            for (k, motion) in with_terms.iter_mut().enumerate() {
                let own = slopes[k].as_ref().filter(|_| k == of);
                let values = own.map_or_else(|| vec![0.0; motion.len()], Clone::clone);
                motion.terms.push(ForceTerm { name: format!("{BEGINNING}{of}"), values });
            }
        }
        // what was fitted before is kept if this fails
        let Ok(next) = fit_given_beginnings(&with_terms, law, &repeated(&fitted.result, false), &mut watch) else {
            break;
        };
        (fitted, last) = (next, with_terms);
        let Some(found) = fitted.result.law.clone() else { break };
        let mut ended = true;
        for &of in &told {
            let Some(e) = fitted.result.estimate(&format!("{BEGINNING}{of}")) else { continue };
            if e.value.abs() <= ENOUGH * e.error {
                continue;
            }
            ended = false;
            let plant = PlantForces::found(&motions[of], &fitted.result);
            match nearer(&motions[of], e.value, &found, &plant, plain.skip) {
                Some(displaced) => motions[of].displaced = displaced,
                None => closed[of] = true,
            }
        }
        if ended {
            break;
        }
    }
    if options.profile && goes_on.get() {
        fitted = fit_given_beginnings(&last, law, &repeated(&fitted.result, true), &mut |_| true)?;
    }
    tell(&mut fitted, &last);
    Ok(fitted)
}

/// The way of a record, along which the contact moves \[m\].
fn way(motion: &MotionRecord) -> f64 {
    if motion.position.is_empty() {
        return motion.step() * motion.velocity.iter().map(|v| v.abs()).sum::<f64>();
    }
    motion.position.windows(2).map(|x| (x[1] - x[0]).abs()).sum()
}

fn after(motion: &MotionRecord, displaced: f64, law: &Spec, plant: &PlantForces) -> Result<ResidualSeries, Error> {
    predict(&MotionRecord { displaced, ..motion.clone() }, law, plant)
}

/// What a law leaves of a record after this displacement, as a sum of squares without the time that is skipped.
fn left(motion: &MotionRecord, displaced: f64, law: &Spec, plant: &PlantForces, skip: f64) -> Option<f64> {
    let series = after(motion, displaced, law, plant).ok()?;
    // the prediction begins after the first sample
    let lead = motion.len() - series.model.len();
    let rows = (0..series.model.len()).filter(|k| is_compared(motion, k + lead, skip));
    let sum = rows.map(|k| (series.measured[k] - series.model[k]).powi(2)).sum::<f64>();
    sum.is_finite().then_some(sum)
}

fn is_compared(motion: &MotionRecord, k: usize, skip: f64) -> bool {
    motion.t[k] >= motion.t[0] + skip && !motion.is_saturated(k)
}

/// The record with that displacement before it with which the law leaves least.
fn nearest(motion: &MotionRecord, law: &Spec, plant: &PlantForces, skip: f64) -> MotionRecord {
    let way = way(motion);
    let sizes = (0..TRIED).map(|k| way / f64::from(2_u32.pow(k.unsigned_abs())));
    // of equals the smallest, and that of before
    let tried: Vec<f64> = sizes.flat_map(|size| [size, -size]).chain([motion.displaced]).collect();
    let both = |displaced: &f64| Some((left(motion, *displaced, law, plant, skip)?, *displaced));
    let best = tried.iter().rev().filter_map(both).min_by(|a, b| a.0.total_cmp(&b.0));
    MotionRecord { displaced: best.map_or(motion.displaced, |(_, displaced)| displaced), ..motion.clone() }
}

/// Records that a law was not fitted to, with those displacements before them with which it leaves least: what was before a record is no property of the law.
pub fn with_beginnings(
    motions: &[MotionRecord],
    law: &Spec,
    plant: &(dyn Fn(&MotionRecord) -> PlantForces + Sync),
) -> Result<Vec<MotionRecord>, Error> {
    if law.build()?.is_empty() {
        return Ok(motions.to_vec());
    }
    Ok(parallel::map(motions, |motion| begun(motion, law, &plant(motion))))
}

/// One of them: the best of a row of displacements, and steps of least squares from there.
fn begun(motion: &MotionRecord, law: &Spec, plant: &PlantForces) -> MotionRecord {
    let mut motion = nearest(motion, law, plant, 0.0);
    for _ in 0..ITERATIONS {
        let Some(slope) = slope(&motion, law, plant, 0.0) else { break };
        let Ok(series) = after(&motion, motion.displaced, law, plant) else { break };
        let lead = motion.len() - series.model.len();
        let rows = || (0..series.model.len()).filter(|k| is_compared(&motion, k + lead, 0.0));
        let square: f64 = rows().map(|k| slope[k + lead].powi(2)).sum();
        let by = rows().map(|k| slope[k + lead] * (series.measured[k] - series.model[k])).sum::<f64>() / square;
        match nearer(&motion, by, law, plant, 0.0) {
            Some(displaced) => motion.displaced = displaced,
            None => break,
        }
    }
    motion
}

/// The displacement after this step, or a part of it, that leaves less; none if no part does.
fn nearer(motion: &MotionRecord, by: f64, law: &Spec, plant: &PlantForces, skip: f64) -> Option<f64> {
    let (way, before) = (way(motion), left(motion, motion.displaced, law, plant, skip)?);
    let steps = (0..=HALVED).map(|k| motion.displaced + by * 0.5_f64.powi(k));
    steps.map(|x| x.clamp(-way, way)).find(|x| left(motion, *x, law, plant, skip).is_some_and(|sum| sum < before))
}

/// The derivative of the force by the displacement before, for each sample; none if it is nothing but rounding.
fn slope(motion: &MotionRecord, law: &Spec, plant: &PlantForces, skip: f64) -> Option<Vec<f64>> {
    let way = way(motion);
    let by = DIFFERENCE * way;
    let [more, less] = [by, -by].map(|by| after(motion, motion.displaced + by, law, plant));
    let (more, less) = (more.ok()?.model, less.ok()?.model);
    let lead = motion.len() - more.len();
    let mut out = vec![0.0; motion.len()];
    for (out, (more, less)) in out[lead..].iter_mut().zip(more.iter().zip(&less)) {
        let rate = (more - less) / (2.0 * by);
        *out = if rate.is_finite() { rate } else { 0.0 };
    }
    let largest = |list: &mut dyn Iterator<Item = f64>| list.fold(0.0_f64, |most, x| most.max(x.abs()));
    let rows = || (0..out.len()).filter(|&k| is_compared(motion, k, skip));
    let moved = way * largest(&mut rows().map(|k| out[k]));
    (moved > LEAST * largest(&mut more.iter().copied())).then_some(out)
}

/// Tells the displacements, which are no parameters of the law, and takes them out of the list of those.
fn tell(fitted: &mut FrictionFit, last: &[MotionRecord]) {
    let mut texts = Vec::new();
    for (of, motion) in last.iter().enumerate() {
        let rest = fitted.result.estimate(&format!("{BEGINNING}{of}"));
        let displaced = motion.displaced + rest.map_or(0.0, |e| e.value);
        fitted.displaced[of] = displaced;
        // bristles that are fully bent have no term, and tell the side alone
        if rest.map_or(displaced != 0.0, |e| displaced.abs() > TOLD * e.error) {
            texts.push(format!("{} m ({})", short(round(displaced, 2)), motion.name));
        }
    }
    let result = &mut fitted.result;
    result.estimates.retain(|e| !is_beginning(&e.name));
    if let Some(covariance) = &mut result.covariance {
        *covariance = covariance.only(|name| !is_beginning(name));
    }
    for table in result.tables.iter_mut().filter(|table| table.key == "correlation") {
        *table = table.only(|name| !is_beginning(name));
    }
    if !texts.is_empty() {
        let text = format!(
            "the contact was not relaxed when a record began, but as after a slow displacement by {}",
            texts.join(", ")
        );
        result.remark(Severity::Info, text);
        result.remarks.sort_by_key(|remark| remark.severity);
    }
}
