//! What a law leaves, held against reasons that distort it without making the fit look bad: a level that changes while the machine warms up, a mass
//! that is not the given one, records that are not of the same machine.
//!
//! Each is a coefficient more in a linear fit of the residuals, beside those of the law. It is told if it differs from zero by more than chance, and if
//! it stands for a share of the force that matters.
use super::identifiability::brief;
use super::regression::RegressionFit;
use super::samples::SlidingSamples;
use super::{IdentificationResult, PreparedMotion, Severity};
use crate::fit::{LinearFit, LinearOptions, NoiseModel, linear};
use std::ops::Range;

/// Standard errors from zero: normal noise exceeds four once in sixteen thousand.
const SURE: f64 = 4.0;
/// Share of the force, or of the mass, below which a difference does not matter: friction of one machine repeats no better from day to day.
const SHARE: f64 = 0.05;
/// Fewest samples for each coefficient of the fit of a record by itself.
const SAMPLES_PER_COEFFICIENT: usize = 8;

/// Remarks on what distorts this fit.
pub fn remarks(
    result: &mut IdentificationResult,
    fitted: &RegressionFit,
    samples: &SlidingSamples,
    prepared: &[PreparedMotion],
) {
    let all = 0..samples.len();
    let friction = fitted.friction(samples);
    let level = rms(&friction);
    let moves = |x: &[f64]| x.iter().any(|a| *a != x[0]);
    if let Some([change, error]) = change_of_level(fitted, samples)
        && change.abs() > SHARE * level
    {
        let text = format!(
            "friction changes in the course of a record, by {} ± {} N from its beginning to its end: a machine that warms up, a load that changes, or a \
             law that does not suit; the values are means over the time",
            brief(change),
            brief(error)
        );
        result.remark(Severity::Warning, text);
    }
    let given = prepared.iter().find_map(|p| p.motion.mass).filter(|mass| *mass > 0.0);
    if let Some(mass) = given.filter(|_| !fitted.model.mass && moves(&samples.a))
        && let Some((fit, names)) = own_fit(&fitted.residual, samples, all)
        && let Some(at) = names.iter().position(|name| *name == "mass")
    {
        let (more, error) = (fit.values[at], fit.covariance.standard_errors()[at]);
        if fit.differs_from_zero(at, SURE) && more.abs() > SHARE * mass {
            let text = format!(
                "the motion tells a mass of {} ± {} kg, not the given {} kg: friction makes up for the difference; without --mass it is identified",
                brief(mass + more),
                brief(error),
                brief(mass)
            );
            result.remark(Severity::Warning, text);
        }
    }
    if let Some(text) = different_record(fitted, samples) {
        result.remark(Severity::Warning, text);
    }
}

/// How much the level of friction rises from the beginning to the end of the longest record, with its standard error \[N\]; none if that may be chance.
fn change_of_level(fitted: &RegressionFit, samples: &SlidingSamples) -> Option<[f64; 2]> {
    let ends = |range: &Range<usize>| Some([*samples.t.get(range.start)?, *samples.t.get(range.end.checked_sub(1)?)?]);
    let longest =
        samples.records.iter().filter_map(|(_, range)| ends(range)).fold(0.0_f64, |most, [a, b]| most.max(b - a));
    if longest <= 0.0 {
        return None;
    }
    let mut column = vec![0.0; samples.len()];
    for (_, range) in &samples.records {
        let Some([begin, end]) = ends(range) else { continue };
        for k in range.clone() {
            column[k] = samples.sign[k] * (samples.t[k] - 0.5 * (begin + end)) / longest;
        }
    }
    let mut others: Vec<&[f64]> = vec![&samples.sign, &samples.v, &samples.a];
    // in one direction a constant force is the level
    if samples.both_directions() {
        others.insert(0, &samples.constant);
    }
    let fit = loop {
        let columns: Vec<&[f64]> = std::iter::once(&column[..]).chain(others.iter().copied()).collect();
        match linear(&columns, &fitted.residual, &options(samples.breaks.clone())) {
            Ok(fit) => break fit,
            // a body without acceleration has no inertia, one at one speed no viscous friction of its own
            Err(_) => others.pop()?,
        };
    };
    fit.differs_from_zero(0, SURE).then(|| [fit.values[0], fit.covariance.standard_errors()[0]])
}

/// What tells that a record is not like the others; none if all agree.
fn different_record(fitted: &RegressionFit, samples: &SlidingSamples) -> Option<String> {
    if samples.records.len() < 2 {
        return None;
    }
    let level = rms(&fitted.friction(samples));
    let mut worst: Option<(f64, String)> = None;
    for (record, range) in samples.records.iter().filter(|(_, range)| !range.is_empty()) {
        let Some((fit, names)) = own_fit(&fitted.residual[range.clone()], samples, range.clone()) else { continue };
        for (at, ((name, value), error)) in
            names.iter().zip(&fit.values).zip(fit.covariance.standard_errors()).enumerate()
        {
            let (unit, size) = match *name {
                "mass" => ("kg", fitted.get("mass").unwrap_or(0.0)),
                _ => ("N", level),
            };
            let sure = value.abs() / error;
            // viscous friction and level exchange shares where speeds hardly differ
            if *name != "fv"
                && fit.differs_from_zero(at, SURE)
                && value.abs() > SHARE * size
                && worst.as_ref().is_none_or(|(most, _)| sure > *most)
            {
                let text = format!(
                    "{record} does not agree with the other records: by itself it has {} ± {} {unit} {} {name}; records of different masses, loads or \
                     temperatures are to be identified one by one",
                    brief(value.abs()),
                    brief(error),
                    if *value > 0.0 { "more" } else { "less" }
                );
                worst = Some((sure, text));
            }
        }
    }
    worst.map(|(_, text)| text)
}

/// A fit of these residuals, of the samples in a range, by inertia, a constant force, a level and viscous friction, as far as the motion there tells them
/// apart, and what its coefficients are.
fn own_fit(residual: &[f64], samples: &SlidingSamples, range: Range<usize>) -> Option<(LinearFit, Vec<&'static str>)> {
    let mut columns: Vec<(&'static str, &[f64])> =
        [("mass", &samples.a), ("offset", &samples.constant), ("fc", &samples.sign), ("fv", &samples.v)]
            .into_iter()
            .map(|(name, column)| (name, &column[range.clone()]))
            .collect();
    let (signs, constants) = (&samples.sign[range.clone()], &samples.constant[range.clone()]);
    if signs.iter().zip(constants).all(|(a, b)| a == b) || signs.iter().zip(constants).all(|(a, b)| *a == -b) {
        columns.retain(|(name, _)| *name != "offset");
    }
    if residual.len() < SAMPLES_PER_COEFFICIENT * columns.len() {
        return None;
    }
    let breaks = samples.breaks.iter().filter(|at| range.contains(at) && **at > range.start).map(|at| at - range.start);
    let lists: Vec<&[f64]> = columns.iter().map(|(_, x)| *x).collect();
    let fit = linear(&lists, residual, &options(breaks.collect())).ok()?;
    Some((fit, columns.iter().map(|(name, _)| *name).collect()))
}

fn options(breaks: Vec<usize>) -> LinearOptions<'static> {
    LinearOptions { noise: NoiseModel::Correlated { lag: None, whiten: true, breaks }, ..LinearOptions::default() }
}

fn rms(x: &[f64]) -> f64 {
    (x.iter().map(|x| x * x).sum::<f64>() / x.len().max(1) as f64).sqrt()
}
