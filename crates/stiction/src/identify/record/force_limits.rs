//! A force that stays at a limit.
//!
//! A sensor, an amplifier or the log itself writes nothing beyond its limit `L`. Of such a sample `F ≥ L` is known, and `F = L` is not: it is
//! censored, and a fit that takes it for an equality finds a mass that is too small. A drive at the end of its power writes the same number
//! again and again, too, and there it is the force. Which of both it is, the motion tells: inertia and friction that are fitted to the other
//! samples predict the force at the limit. If it is beyond, or if that cannot be told, these samples are left out.
//!
//! Noise pushes some samples above the limit, and of their neighbours just below only those remain whose noise is negative. So the samples
//! around them are left out as well, up to the first that is clear of the limit by more than noise.
use super::column_roles::ColumnRole;
use super::prepare::{PreparedMotion, REST_DEVIATIONS};
use super::raw_record::{PartAtLimit, RawRecord};
use super::{MotionRecord, Remark, Severity};
use crate::fit::{LinearOptions, linear};
use crate::number::{round, short};
use crate::signal::noise_deviation_between_kinks;
use std::ops::Range;

/// Fewest samples clear of the limit, for each coefficient of the model, that predict the force at the limit.
const SAMPLES_PER_COEFFICIENT: usize = 8;
/// Fewest stretches at the limit whose scatter tells how well their mean is known.
const MIN_STRETCHES: usize = 3;
/// Agreement: errors at the limit are at most this many times those elsewhere, and their mean is at most this many standard errors.
const AGREEMENT: f64 = 2.0;
/// Rounding of forces, as a share of them.
const ROUNDING: f64 = 1e-9;

/// The force at the limit.
struct Prediction {
    /// How much larger the motion asks it to be than the limit, on average \[N\].
    excess: f64,
    /// Whether it agrees with the limit.
    agrees: bool,
}

/// Decides about samples at a limit, which are marked as saturated: those that the motion contradicts remain marked with the neighbours that
/// noise may have brought there, and the others are not marked any more. What was decided is told.
pub(super) fn judge(raw: &RawRecord, prepared: &mut [PreparedMotion]) -> Option<Remark> {
    let at_limit: Vec<Vec<bool>> = prepared.iter().map(|p| p.motion.saturated.clone()).collect();
    if !at_limit.iter().flatten().any(|at| *at) {
        prepared.iter_mut().for_each(|p| p.motion.saturated.clear());
        return None;
    }
    for p in prepared.iter_mut() {
        p.motion.saturated = with_neighbours(&p.motion);
    }
    let told = description(raw);
    let prediction = predict(prepared, &at_limit);
    let left_out: usize = prepared.iter().map(|p| p.motion.saturated_samples()).sum();
    let all: usize = prepared.iter().map(|p| p.motion.len()).sum();
    let brief = |x: f64| short(round(x, 3));
    let (severity, text, use_them) = match prediction {
        Some(Prediction { agrees: true, .. }) => {
            let text =
                "inertia and friction in the rest of the record ask for no more, so that it is taken as measured";
            (Severity::Info, text.to_owned(), true)
        }
        Some(Prediction { excess, .. }) if excess > 0.0 => {
            let text = format!(
                "the motion asks for {} N more on average: it was cut off by the sensor or the log, and {left_out} of {all} samples, of which \
                 only a bound is known, were left out",
                brief(excess)
            );
            (Severity::Warning, text, false)
        }
        _ if 2 * left_out > all => {
            let text = "too little is left to tell whether it was cut off there; it is taken as measured, and if it was cut off, all levels \
                        and the mass are too small";
            (Severity::Critical, text.to_owned(), true)
        }
        _ => {
            let text = format!(
                "whether it was cut off there cannot be told from the rest of the record, so that {left_out} of {all} samples were left out"
            );
            (Severity::Warning, text, false)
        }
    };
    if use_them {
        prepared.iter_mut().for_each(|p| p.motion.saturated.clear());
    }
    Some(Remark::new(severity, format!("{}: {told}; {text}", raw.file_name())))
}

/// Where the force, or a part of it, stays, and for how many rows.
fn description(raw: &RawRecord) -> String {
    let brief = |x: f64| short(round(x, 4));
    let both = |limits: [f64; 2]| limits.map(brief).join(" and ");
    if !raw.parts_at_limit.is_empty() {
        let told = |part: &PartAtLimit| {
            let limits: Vec<String> = part.limits.iter().flatten().map(|x| brief(*x)).collect();
            format!(
                "{} stays at its limit of {} in {} of {} rows",
                part.name,
                limits.join(" and "),
                part.rows,
                raw.rows()
            )
        };
        let parts: Vec<String> = raw.parts_at_limit.iter().map(told).collect();
        return format!("in the expression of the force {}", parts.join(", "));
    }
    let force = raw.get(ColumnRole::Force).unwrap_or_default();
    let there = || force.iter().zip(&raw.at_limit).filter(|(f, at)| **at && f.is_finite()).map(|(f, _)| *f);
    let count = there().count();
    let [low, high] = there().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], f| [low.min(f), high.max(f)]);
    let limits = if low < 0.0 && high > 0.0 { both([low, high]) } else { brief(high) };
    format!("the force stays at its limit of {limits} N in {count} of {} rows", raw.rows())
}

/// Ranges of samples that are marked.
fn stretches(marked: &[bool]) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    for k in (0..marked.len()).filter(|&k| marked[k]) {
        match out.last_mut() {
            Some(last) if last.end == k => last.end += 1,
            _ => out.push(k..k + 1),
        }
    }
    out
}

/// Whether a stretch is at the upper limit: 1, or at the lower: −1.
fn side(motion: &MotionRecord, stretch: &Range<usize>) -> f64 {
    let [low, high] = motion.force.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[l, h], f| [l.min(*f), h.max(*f)]);
    let mean = motion.force[stretch.clone()].iter().sum::<f64>() / stretch.len() as f64;
    if mean >= 0.5 * (low + high) { 1.0 } else { -1.0 }
}

/// The marked samples and those on either side, up to the first that noise did not keep below the limit.
fn with_neighbours(motion: &MotionRecord) -> Vec<bool> {
    let force = &motion.force;
    let near = REST_DEVIATIONS * noise_deviation_between_kinks(force);
    let mut out = motion.saturated.clone();
    for stretch in stretches(&motion.saturated) {
        let side = side(motion, &stretch);
        let below = |edge: usize, k: &usize| side * (force[edge] - force[*k]) <= near;
        let (first, last) = (stretch.start, stretch.end - 1);
        let begin = (0..first).rev().take_while(|k| below(first, k)).last().unwrap_or(first);
        let end = (last + 1..force.len()).take_while(|k| below(last, k)).last().unwrap_or(last);
        // the first sample that is clear was chosen for its noise
        out[begin.saturating_sub(1)..(end + 2).min(force.len())].fill(true);
    }
    out
}

/// What Coulomb and viscous friction, inertia and the other forces, fitted to the sliding samples clear of the limit, predict at the limit.
fn predict(prepared: &[PreparedMotion], at_limit: &[Vec<bool>]) -> Option<Prediction> {
    let known_mass = prepared.iter().all(|p| p.motion.mass.is_some());
    let regressors = |m: &MotionRecord, k: usize| {
        let mut row = vec![m.velocity[k].signum(), m.velocity[k]];
        if !known_mass {
            row.push(m.acceleration[k]);
        }
        row.extend(m.terms.iter().map(|term| term.values[k]));
        row.push(1.0);
        row
    };
    let force = |m: &MotionRecord, k: usize| {
        m.force[k] - if known_mass { m.mass.unwrap_or(0.0) * m.acceleration[k] } else { 0.0 }
    };
    let slides = |p: &PreparedMotion, k: usize| p.motion.velocity[k].abs() > p.rest_speed;
    let (mut columns, mut y): (Vec<Vec<f64>>, Vec<f64>) = (Vec::new(), Vec::new());
    for p in prepared {
        let resolved = |k: usize| !p.unresolved.get(k).copied().unwrap_or(false);
        for k in (0..p.motion.len()).filter(|&k| slides(p, k) && resolved(k) && !p.motion.is_saturated(k)) {
            let row = regressors(&p.motion, k);
            columns.resize(row.len(), Vec::new());
            columns.iter_mut().zip(row).for_each(|(column, x)| column.push(x));
            y.push(force(&p.motion, k));
        }
    }
    if columns.is_empty() || y.len() < SAMPLES_PER_COEFFICIENT * columns.len() {
        return None;
    }
    let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
    let fit = |columns: &[&[f64]]| linear(columns, &y, &LinearOptions::default()).ok();
    // in one direction a constant force is part of the level
    let found = fit(&columns).or_else(|| fit(&columns[..columns.len() - 1]))?;
    let usual = (found.residual.iter().map(|r| r * r).sum::<f64>() / y.len() as f64).sqrt();
    let (mut sum, mut squares, mut count, mut largest) = (0.0, 0.0, 0.0, 0.0_f64);
    let mut means = Vec::new();
    for (p, at) in prepared.iter().zip(at_limit) {
        for stretch in stretches(at) {
            let side = side(&p.motion, &stretch);
            let sliding = stretch.filter(|&k| slides(p, k));
            let beyond = |k: usize| {
                let model: f64 = regressors(&p.motion, k).iter().zip(&found.values).map(|(x, factor)| x * factor).sum();
                side * (model - force(&p.motion, k))
            };
            let errors: Vec<f64> = sliding.map(beyond).collect();
            if errors.is_empty() {
                continue;
            }
            sum += errors.iter().sum::<f64>();
            squares += errors.iter().map(|e| e * e).sum::<f64>();
            count += errors.len() as f64;
            means.push(errors.iter().sum::<f64>() / errors.len() as f64);
            largest = p.motion.force.iter().fold(largest, |most, f| most.max(f.abs()));
        }
    }
    if means.is_empty() {
        return None;
    }
    let runs = means.len() as f64;
    let mean = means.iter().sum::<f64>() / runs;
    let scatter = (means.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (runs * (runs - 1.0))).sqrt();
    let rounding = ROUNDING * largest;
    let agrees = means.len() >= MIN_STRETCHES
        && (squares / count).sqrt() <= AGREEMENT * usual + rounding
        && mean <= AGREEMENT * scatter + rounding;
    Some(Prediction { excess: sum / count, agrees })
}
