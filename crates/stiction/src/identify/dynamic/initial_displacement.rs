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
use super::delay_fit::from_there;
use super::friction_fit::{FrictionFit, fit_with_known_displacements};
use super::predict::predict;
use super::trajectory::PlantForces;
use crate::identify::{FitProgress, ForceTerm, IdentificationResult, MotionRecord, ResidualSeries, Severity};
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
const DISPLACEMENT_BEFORE: &str = "displacement before ";

/// Whether a term of a fit is the displacement before a record.
pub(super) fn is_displacement(name: &str) -> bool {
    name.starts_with(DISPLACEMENT_BEFORE)
}

/// Fits a law with memory to records before each of which the contact was displaced by nobody knows how much.
pub(super) fn fit_with_displacements(
    motions: &[MotionRecord],
    law: &Spec,
    options: &DynamicOptions,
    watch: &mut dyn FnMut(&FitProgress<'_>) -> bool,
) -> Result<FrictionFit, Error> {
    let plain = DynamicOptions { profile: false, ..options.clone() };
    let (mut checkpoint, mut done, goes_on) = (None, 0.0_f64, Cell::new(true));
    let first = fit_with_known_displacements(motions, law, &plain, &mut |now| {
        checkpoint = now.checkpoint.cloned().or(checkpoint.take());
        done = now.done;
        goes_on.set(watch(now));
        goes_on.get()
    })?;
    if !goes_on.get() {
        return Ok(first);
    }
    let displaced = nearest_displacements(motions, &first.result, options);
    let with = |(motion, &displaced): (&MotionRecord, _)| MotionRecord { displaced, ..motion.clone() };
    let near: Vec<MotionRecord> = motions.iter().zip(&displaced).map(with).collect();
    let is_fitted = near.iter().zip(motions).all(|(near, motion)| near.displaced == motion.displaced);
    // a stopped fit resumes from the first one, which has no terms of displacements
    let mut watch = |now: &FitProgress<'_>| {
        done = done.max(now.done);
        watch(&now.after(done, checkpoint.as_ref()))
    };
    repeat_with_displacements(near, law, options, (&first, is_fitted), &mut watch)
}

/// For each record the displacement of a row with which what was found leaves least.
pub(super) fn nearest_displacements(
    motions: &[MotionRecord],
    found: &IdentificationResult,
    options: &DynamicOptions,
) -> Vec<f64> {
    let Some(law) = &found.law else { return motions.iter().map(|motion| motion.displaced).collect() };
    parallel::map(motions, |motion| nearest(motion, law, &PlantForces::found(motion, found), options.skip).displaced)
}

/// The same from a fit of nearly the same records, of which nothing is searched for in a row again.
pub(super) fn fit_from(
    motions: &[MotionRecord],
    law: &Spec,
    options: &DynamicOptions,
    from: &FrictionFit,
    watch: &mut dyn FnMut(&FitProgress<'_>) -> bool,
) -> Result<FrictionFit, Error> {
    if has_unknown_displacement(law, options)? {
        return repeat_with_displacements(motions.to_vec(), law, options, (from, false), watch);
    }
    fit_with_known_displacements(motions, law, &from_there(options, from), watch)
}

/// Whether the memory of this law at the beginning of a record is not known.
pub(super) fn has_unknown_displacement(law: &Spec, options: &DynamicOptions) -> Result<bool, Error> {
    Ok(!options.settled && !law.build()?.is_empty())
}

/// Fits with a term for the displacement before each record, and repeats it with what the term tells, from a fit that was made of these records,
/// or of similar ones.
fn repeat_with_displacements(
    mut motions: Vec<MotionRecord>,
    law: &Spec,
    options: &DynamicOptions,
    (from, is_fitted): (&FrictionFit, bool),
    watch: &mut dyn FnMut(&FitProgress<'_>) -> bool,
) -> Result<FrictionFit, Error> {
    let goes_on = Cell::new(true);
    let mut watch = |now: &FitProgress<'_>| {
        goes_on.set(goes_on.get() && watch(now));
        goes_on.get()
    };
    let again = |found: &FrictionFit, profile: bool| DynamicOptions { profile, ..from_there(options, found) };
    // the last fit, and the records with their terms as they were fitted
    let mut fitted = from.clone();
    let mut last = is_fitted.then(|| motions.clone());
    let mut closed = vec![false; motions.len()];
    for _ in 0..ITERATIONS {
        let Some(found) = fitted.result.law.clone().filter(|_| goes_on.get()) else { break };
        let plant = |motion: &MotionRecord| PlantForces::found(motion, &fitted.result);
        let slopes = parallel::map(&motions, |motion| slope(motion, &found, &plant(motion), options.skip));
        let told: Vec<usize> = (0..motions.len()).filter(|&k| !closed[k] && slopes[k].is_some()).collect();
        let is_same = |(motion, last): (&MotionRecord, &MotionRecord)| {
            motion.displaced == last.displaced && motion.terms.len() == last.terms.len()
        };
        if told.is_empty() && last.as_ref().is_some_and(|last| motions.iter().zip(last).all(is_same)) {
            break;
        }
        let mut with_terms = motions.clone();
        for &of in &told {
            for (k, motion) in with_terms.iter_mut().enumerate() {
                let own = slopes[k].as_ref().filter(|_| k == of);
                let values = own.map_or_else(|| vec![0.0; motion.len()], Clone::clone);
                motion.terms.push(ForceTerm { name: format!("{DISPLACEMENT_BEFORE}{of}"), values });
            }
        }
        match fit_with_known_displacements(&with_terms, law, &again(&fitted, false), &mut watch) {
            Ok(next) => (fitted, last) = (next, Some(with_terms)),
            // what was fitted before is kept
            Err(_) if last.is_some() => break,
            Err(error) => return Err(error),
        }
        let Some(found) = fitted.result.law.clone() else { break };
        let mut ended = true;
        for &of in &told {
            let Some(e) = fitted.result.estimate(&format!("{DISPLACEMENT_BEFORE}{of}")) else { continue };
            if e.value.abs() <= ENOUGH * e.error {
                continue;
            }
            ended = false;
            let plant = PlantForces::found(&motions[of], &fitted.result);
            match nearer(&motions[of], e.value, &found, &plant, options.skip) {
                Some(displaced) => motions[of].displaced = displaced,
                None => closed[of] = true,
            }
        }
        if ended {
            break;
        }
    }
    let last = last.unwrap_or(motions);
    if options.profile && goes_on.get() {
        fitted = fit_with_known_displacements(&last, law, &again(&fitted, true), &mut |_| true)?;
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
    motion.t[k] >= motion.t[0] + skip && motion.is_comparable(k)
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
pub fn with_displacements(
    motions: &[MotionRecord],
    law: &Spec,
    plant: &(dyn Fn(&MotionRecord) -> PlantForces + Sync),
) -> Result<Vec<MotionRecord>, Error> {
    if law.build()?.is_empty() {
        return Ok(motions.to_vec());
    }
    Ok(parallel::map(motions, |motion| with_displacement(motion, law, &plant(motion))))
}

/// One of them: the best of a row of displacements, and steps of least squares from there.
fn with_displacement(motion: &MotionRecord, law: &Spec, plant: &PlantForces) -> MotionRecord {
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
        let rest = fitted.result.estimate(&format!("{DISPLACEMENT_BEFORE}{of}"));
        let displaced = motion.displaced + rest.map_or(0.0, |e| e.value);
        fitted.displaced[of] = displaced;
        // bristles that are fully bent have no term, and tell the side alone
        if rest.map_or(displaced != 0.0, |e| displaced.abs() > TOLD * e.error) {
            texts.push(format!("{} m ({})", short(round(displaced, 2)), motion.name));
        }
    }
    let result = &mut fitted.result;
    result.estimates.retain(|e| !is_displacement(&e.name));
    if let Some(covariance) = &mut result.covariance {
        *covariance = covariance.only(|name| !is_displacement(name));
    }
    for table in result.tables.iter_mut().filter(|table| table.key == "correlation") {
        *table = table.only(|name| !is_displacement(name));
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
