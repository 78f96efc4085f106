//! The memory of a law at the beginning of a record, which nobody measured.
//!
//! Bristles may be bent to any degree when a log begins, and a fit that takes them as straight makes up for it with stiffness, damping and the
//! delay. So each record has one more unknown: the displacement `δ` by which a contact that had never moved was slowly moved before. For a law
//! with one deflection this is every memory there is; for one with several elements it is those on the curve of first loading.
//!
//! As for the delay ([`super::delay_fit`]): with the law of a first fit the best `δ` of each record is taken from a row of displacements, from
//! one in which nothing slides to the whole way of the record, and then the derivative of the force by `δ` is one more term of the fit, which is
//! repeated until the rest of `δ` is far below its standard error. So what the beginning does not tell is in the errors and intervals of all
//! parameters. A record that forgets its beginning before its first sample has no such term.
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

/// Repetitions at most. Each leaves an error of second order in what is left of the displacements.
const ITERATIONS: usize = 6;
/// The rest of a displacement that needs no repetition, in standard errors.
const ENOUGH: f64 = 0.05;
/// Displacements to each side that are tried before: each twice the last, so that the largest is a million times the smallest.
const TRIED: i32 = 21;
/// Half of the difference that gives the derivative, over the way of the record.
const DIFFERENCE: f64 = 1e-7;
/// A displacement is told where it is at least so many standard errors.
const TOLD: f64 = 3.0;
/// Name of the term of a record.
const BEGINNING: &str = "displacement before ";

/// Fits a law with memory, whose memory at the beginning of each record is unknown.
pub(super) fn fit_with_beginnings(
    motions: &[MotionRecord],
    law: &Spec,
    options: &DynamicOptions,
    watch: &mut dyn FnMut(&FitProgress<'_>) -> bool,
) -> Result<FrictionFit, Error> {
    let plain = DynamicOptions { profile: false, ..options.clone() };
    let mut begun = None;
    let mut fitted = fit_given_beginnings(motions, law, &plain, &mut |now| {
        begun = now.checkpoint.cloned().or(begun.take());
        watch(now)
    })?;
    // a stopped fit resumes from the first one, which has no terms of beginnings
    let mut watch = |now: &FitProgress<'_>| watch(&now.resumed_from(begun.as_ref()));
    let mut motions = motions.to_vec();
    for step in 0..ITERATIONS {
        let Some(found) = fitted.result.law.clone() else { break };
        let plant = |motion: &MotionRecord| forces_beside(motion, &fitted.result);
        if step == 0 {
            motions = parallel::map(&motions, |motion| nearest(motion, &found, &plant(motion), plain.skip));
        }
        let slopes = parallel::map(&motions, |motion| slope(motion, &found, &plant(motion)));
        let slopes: Vec<Vec<f64>> = slopes.into_iter().collect::<Result<_, _>>()?;
        let told: Vec<usize> = (0..motions.len()).filter(|&k| slopes[k].iter().any(|x| *x != 0.0)).collect();
        let as_fitted =
            |motions: &[MotionRecord]| motions.iter().map(|m| m.displaced).eq(fitted.displaced.iter().copied());
        if told.is_empty() && as_fitted(&motions) {
            break;
        }
        let mut with_terms = motions.clone();
        for &of in &told {
            for (k, motion) in with_terms.iter_mut().enumerate() {
                let values = if k == of { slopes[k].clone() } else { vec![0.0; motion.len()] };
                motion.terms.push(ForceTerm { name: format!("{BEGINNING}{of}"), values });
            }
        }
        let again = DynamicOptions {
            free: free(&plain, &fitted.result),
            bounds: Vec::new(),
            search: GlobalSearch::None,
            resume: None,
            ..plain.clone()
        };
        let next = fit_given_beginnings(&with_terms, &found, &again, &mut watch)?;
        let mut largest: f64 = 0.0;
        let mut moved = motions.clone();
        for &of in &told {
            let Some(e) = next.result.estimate(&format!("{BEGINNING}{of}")) else { continue };
            if e.value.is_finite() && e.error > 0.0 {
                largest = largest.max(e.value.abs() / e.error);
                moved[of].displaced += e.value;
            }
        }
        fitted = next;
        fitted.displaced = moved.iter().map(|motion| motion.displaced).collect();
        if largest <= ENOUGH || step + 1 == ITERATIONS {
            if options.profile {
                let again = DynamicOptions { profile: true, ..again };
                fitted = fit_given_beginnings(&with_terms, &found, &again, &mut watch)?;
            }
            break;
        }
        motions = moved;
    }
    tell(&mut fitted.result, &motions);
    Ok(fitted)
}

/// Forces beside friction as they were found.
fn forces_beside(motion: &MotionRecord, found: &IdentificationResult) -> PlantForces {
    let value = |name: &str| found.estimate(name).map(|e| e.value);
    PlantForces {
        mass: value("mass").or(motion.mass).unwrap_or(0.0),
        offset: value("offset").unwrap_or(0.0),
        terms: motion.terms.iter().map(|term| value(&term.name).unwrap_or(0.0)).collect(),
    }
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

/// The record with that displacement before it with which the law leaves the least residuals, but for the time that is skipped.
fn nearest(motion: &MotionRecord, law: &Spec, plant: &PlantForces, skip: f64) -> MotionRecord {
    let way = way(motion);
    let sizes = (0..TRIED).map(|k| way / f64::from(2_u32.pow(k.unsigned_abs())));
    let tried: Vec<f64> = sizes.flat_map(|size| [size, -size]).chain([motion.displaced]).collect();
    let left = |displaced: &f64| {
        let series = after(motion, *displaced, law, plant).ok()?;
        // the prediction begins after the first sample
        let lead = motion.len() - series.model.len();
        let begin = motion.t.first().copied().unwrap_or(0.0) + skip;
        let compared =
            (0..series.model.len()).filter(|k| motion.t[k + lead] >= begin && !motion.is_saturated(k + lead));
        let sum = compared.map(|k| (series.measured[k] - series.model[k]).powi(2)).sum::<f64>();
        sum.is_finite().then_some((sum, *displaced))
    };
    let best = tried.iter().rev().filter_map(left).min_by(|a, b| a.0.total_cmp(&b.0));
    MotionRecord { displaced: best.map_or(motion.displaced, |(_, displaced)| displaced), ..motion.clone() }
}

/// The derivative of the force by the displacement before, for each sample.
fn slope(motion: &MotionRecord, law: &Spec, plant: &PlantForces) -> Result<Vec<f64>, Error> {
    let by = DIFFERENCE * way(motion);
    let [more, less] = [by, -by].map(|by| after(motion, motion.displaced + by, law, plant));
    let (more, less) = (more?.model, less?.model);
    let lead = motion.len() - more.len();
    let mut out = vec![0.0; motion.len()];
    for (out, (more, less)) in out[lead..].iter_mut().zip(more.iter().zip(&less)) {
        let rate = (more - less) / (2.0 * by);
        *out = if rate.is_finite() { rate } else { 0.0 };
    }
    Ok(out)
}

/// Tells the displacements, which are no parameters of the law, and takes them out of the list of those.
fn tell(result: &mut IdentificationResult, motions: &[MotionRecord]) {
    let own = |name: &str| name.starts_with(BEGINNING);
    let mut texts = Vec::new();
    for (of, motion) in motions.iter().enumerate() {
        let Some(e) = result.estimate(&format!("{BEGINNING}{of}")) else { continue };
        let displaced = motion.displaced + e.value;
        if displaced.abs() > TOLD * e.error {
            texts.push(format!("{} by {} m", motion.name, short(round(displaced, 2))));
        }
    }
    result.estimates.retain(|e| !own(&e.name));
    if let Some(covariance) = &mut result.covariance {
        *covariance = covariance.only(|name| !own(name));
    }
    for table in result.tables.iter_mut().filter(|table| table.key == "correlation") {
        *table = table.only(|name| !own(name));
    }
    if !texts.is_empty() {
        let text = format!("the contact was already deflected when a record began: {}", texts.join(", "));
        result.remark(Severity::Info, text);
        result.remarks.sort_by_key(|remark| remark.severity);
    }
}
