//! Checks of a fit: identifiability, frictional lag, differences between rising and falling speed.
use super::channel_delay::MIN_DELAY;
use super::model::{RegressionModel, SlidingLaw, TERMS};
use super::regression::{RegressionFit, RegressionOptions, fit_model};
use super::samples::SlidingSamples;
use super::{Estimate, ForceTerm, Identifiability, IdentificationResult, ResultTable, Severity};
use crate::error::IdentificationError;
use crate::fit::{LinearOptions, NoiseModel, linear};
use crate::number::{interval, round, short};
use crate::{Error, NumericsError};

pub(super) fn brief(x: f64) -> String {
    short(round(x, 3))
}

/// Samples on either side that determine whether the speed rises or falls.
const TREND_SAMPLES: usize = 3;
/// Whether a parameter is a mass, a friction level or a speed, which are never negative.
fn is_level(name: &str) -> bool {
    !["offset", "fc.load", "fv"].iter().any(|end| name.ends_with(end)) && !TERMS.contains(&name)
}

/// The error of a fit, with the names of what it cannot tell apart; those of other forces are the caller's.
pub fn named(error: NumericsError, model: &RegressionModel, terms: &[ForceTerm]) -> Error {
    let NumericsError::DependentColumns { sum } = &error else { return error.into() };
    let known = model.linear_names();
    let own = |name: &&'static str| {
        let term = TERMS.iter().zip(terms).find(|(term, _)| *term == name);
        term.map_or_else(|| (*name).to_owned(), |(_, term)| term.name.clone())
    };
    let names: Vec<String> = sum.iter().filter_map(|(k, _)| known.get(*k)).map(own).collect();
    if names.len() < 2 { error.into() } else { IdentificationError::NotToldApart { names }.into() }
}

/// Remarks on parameters that the record does not determine, and on the motion that would.
///
/// `told`: what loads that hardly differ leave open was said.
pub fn assess(result: &mut IdentificationResult, fitted: &RegressionFit, samples: &SlidingSamples, told: bool) {
    let [slow, fast] = samples.speed_range();
    if !told {
        stribeck_effect(result, fitted, slow, fast);
    }
    if fast < 2.0 * slow && fitted.model.curve != SlidingLaw::Coulomb {
        result.remark(
            Severity::Critical,
            format!(
                "speeds hardly differ ({} m/s), so the Coulomb level and viscous friction are hardly distinguishable; needs other speeds",
                interval([slow, fast], 3)
            ),
        );
    }
    let negative = |name: &str| fitted.names.iter().zip(&fitted.values).any(|(n, x)| n == name && *x < 0.0);
    let levels: Vec<&str> =
        fitted.names.iter().map(String::as_str).filter(|name| is_level(name) && negative(name)).collect();
    if result.law.is_none() && told {
        // nothing is left to say
    } else if result.law.is_none() && !levels.is_empty() {
        let verb = if levels.len() == 1 { "is" } else { "are" };
        let text = format!(
            "{} {verb} negative: the sign of force or velocity may be wrong; no law is written",
            levels.join(", ")
        );
        result.remark(Severity::Critical, text);
    } else if result.law.is_none() {
        result.remark(Severity::Critical, "no law is written: its friction level at the mean load is below zero");
    }
    for i in 0..fitted.names.len() {
        let (known, name) = (result.estimates[i].identifiability, fitted.names[i].as_str());
        let by_load = told && ["fc", "fc.load", "fv"].iter().any(|end| name.ends_with(end));
        if by_load || ["fs", "vs", "exponent"].iter().any(|end| name.ends_with(end)) {
            continue;
        }
        if known == Identifiability::AtBound {
            let [_, high] = result.estimates[i].interval;
            let why = match name {
                "fv" | "reverse.fv" => "friction falls with speed: a Stribeck curve, or heating",
                "mass" => "needs stronger accelerations, or a delay between force and motion is in the way",
                _ => "the curve is not determined down to there",
            };
            result.remark(
                Severity::Warning,
                format!("{name} would be negative, and is held at zero (at most {}): {why}", brief(high)),
            );
        } else if matches!(known, Identifiability::Unidentifiable | Identifiability::Weak) {
            let part = if fitted.values[i] == 0.0 { f64::INFINITY } else { fitted.error(i) / fitted.values[i].abs() };
            let needs = match name {
                "mass" => "needs stronger accelerations",
                "fv" | "reverse.fv" => "needs higher speeds",
                _ => "needs a longer record",
            };
            result.remark(
                Severity::Warning,
                format!("{name} has a standard error of {} %; {needs}", brief(100.0 * part)),
            );
        }
    }
}

/// With a load, `fc` is the level that is left without one, and follows by extrapolation from the loads of the record. Of loads that hardly differ
/// it may be far below zero although friction opposes the motion at each of them: then neither it nor the growth with the load is known, but their
/// sum at the mean load. Whether that was so.
pub fn level_without_load(result: &mut IdentificationResult, fitted: &RegressionFit, samples: &SlidingSamples) -> bool {
    let below = result.estimates.iter().any(|e| e.name.ends_with("fc") && e.interval[1] < 0.0);
    if result.law.is_some() && !below {
        return false;
    }
    let range = samples.load.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], x| [a.min(*x), b.max(*x)]);
    // the level without a load is no further away than the loads are from each other: the record tells it
    if range[0].abs().min(range[1].abs()) <= range[1] - range[0] {
        if let (Some(level), Some(growth)) = (fitted.get("fc"), fitted.get("fc.load"))
            && below
        {
            let text = format!(
                "friction vanishes at a load of {}: is the zero of the load off by that?",
                brief(-level / growth)
            );
            result.remark(Severity::Warning, text);
        }
        return false;
    }
    let mean = samples.load.iter().sum::<f64>() / samples.len().max(1) as f64;
    let level = fitted.get("fc").unwrap_or(0.0) + mean * fitted.get("fc.load").unwrap_or(0.0);
    let mut unknown = |names: &[&str]| {
        let estimates = result.estimates.iter_mut().filter(|e| names.contains(&e.name.as_str()));
        estimates.for_each(|e| *e = e.clone().unidentifiable());
    };
    unknown(&["fc", "fc.load", "reverse.fc"]);
    let what = if result.law.is_some() {
        format!("known only together, as {} N at the mean load", brief(level))
    } else {
        unknown(&["fs", "reverse.fs", "fv", "reverse.fv", "vs", "exponent"]);
        "not known, nor is the curve: it would be negative at the mean load, and no law is written".to_owned()
    };
    let text = format!(
        "loads of {} do not tell the level without load from its growth with the load: fc and fc.load are {what}; needs other loads and speeds, a simpler \
         law (--model coulomb), or a fit without --load",
        interval(range, 6)
    );
    result.remark(Severity::Critical, text);
    true
}

/// In one direction, a constant force cannot be told from the friction level.
pub fn one_direction(result: &mut IdentificationResult) {
    let level =
        |e: &&mut Estimate| ["fc", "fs"].contains(&e.name.as_str()) && e.identifiability == Identifiability::Good;
    result.estimates.iter_mut().filter(level).for_each(|e| e.identifiability = Identifiability::Weak);
    result.remark(Severity::Warning, ONE_DIRECTION);
}

/// Remark on a record of one direction.
pub const ONE_DIRECTION: &str = "it slides in one direction only: fc contains any constant force, such as gravity or the offset of the sensor; needs motion in both directions, or --no-offset if there is none";

/// What the record says of the Stribeck effect.
fn stribeck_effect(result: &mut IdentificationResult, fitted: &RegressionFit, slow: f64, fast: f64) {
    let Some([drop, error]) = fitted.drop() else { return };
    let of = |name: &str| result.estimate(name).map_or([f64::NAN; 2], |e| e.interval);
    let (vs, fs) = (of("vs"), of("fs"));
    if vs == [0.0, f64::INFINITY] {
        for name in ["fs", "vs", "exponent", "reverse.fs"] {
            mark(result, name);
        }
        let text = format!(
            "not identifiable from this record: fs, vs; between {} and {} m/s the force falls by no more than its noise, and no Stribeck effect is written; needs sliding below {} m/s",
            brief(slow),
            brief(fast),
            brief(slow)
        );
        result.remark(Severity::Critical, text);
    } else if result.estimate("fs").is_some_and(|e| e.identifiability == Identifiability::Unidentifiable) {
        let text = format!(
            "fs is not identifiable from this record: it is {} N at least; the Stribeck effect reaches below the slowest sliding ({} m/s), and {} N, which the law has, continues the curve from there; needs sliding below {} m/s",
            brief(fs[0]),
            brief(slow),
            brief(fitted.get("fs").unwrap_or(0.0)),
            brief(slow)
        );
        result.remark(Severity::Critical, text);
    } else if vs[1].is_infinite() {
        let text = format!(
            "vs is not identifiable from this record: it is {} m/s at least; friction still falls at the fastest sliding ({} m/s); needs faster sliding",
            brief(vs[0]),
            brief(fast)
        );
        result.remark(Severity::Critical, text);
    } else if drop < 2.0 * error {
        let text = format!("the Stribeck effect is small: {} ± {} N", brief(drop), brief(error));
        result.remark(Severity::Warning, text);
    }
}

/// Marks an estimate as unidentifiable; its interval stays.
fn mark(result: &mut IdentificationResult, name: &str) {
    for e in result.estimates.iter_mut().filter(|e| e.name == name) {
        *e = Estimate { identifiability: Identifiability::Unidentifiable, error: f64::INFINITY, ..e.clone() };
    }
}

/// Frictional lag: friction follows the earlier speed, `F(v(t − τ)) ≈ F(v) − τ·F′(v)·a`. Where the curve is straight, this
/// term cannot be distinguished from inertia, and the lag is not identifiable. Nor is one that is short against the time `step` between samples:
/// channels that are read one after another differ by as much, and derivatives of the motion are not known better.
pub fn estimate_lag(result: &mut IdentificationResult, fitted: &RegressionFit, samples: &SlidingSamples, step: f64) {
    if !matches!(fitted.model.curve, SlidingLaw::Stribeck(_)) {
        return;
    }
    let Some([drop, error]) = fitted.drop().filter(|[drop, error]| *drop > 2.0 * error) else { return };
    let (vs, exponent) =
        (fitted.get("vs").unwrap_or(1.0), fitted.model.exponent().or(fitted.get("exponent")).unwrap_or(1.0));
    let back = fitted.factor("reverse.drop").unwrap_or(drop);
    let level = |v: f64| if v < 0.0 { -back } else { drop } * (-(v.abs() / vs).powf(exponent)).exp();
    // the mean of F′(v)·a over a block is the change of F over the duration of the block
    let column: Vec<f64> = (0..samples.len())
        .map(|k| {
            let (v, a) = (samples.v[k], samples.a[k]);
            let half = 1e-4 * vs;
            let [from, to] = match samples.block_velocities.get(k).map(|block| block.at) {
                Some([from, _, to]) if (to - from).abs() > half => [from, to],
                _ => [v - half, v + half],
            };
            let signed_load = samples.load_factor.get(k).copied().unwrap_or(1.0);
            -signed_load * a * (level(to) - level(from)) / (to - from)
        })
        .collect();
    let columns: [&[f64]; 2] = [&column, &samples.a];
    let noise = NoiseModel::Correlated { lag: None, whiten: true, breaks: samples.breaks.clone() };
    let Ok(fit) = linear(&columns, &fitted.residual, &LinearOptions { noise, ..LinearOptions::default() }) else {
        return;
    };
    let (tau, spread) = (fit.values[0], fit.covariance.standard_errors()[0]);
    if !spread.is_finite() || error <= 0.0 {
        return;
    }
    let estimate = Estimate::new("lag", "s", tau, spread, fit.interval(0, 0.95));
    let sure = tau.abs() > 2.0 * spread && tau.abs() > MIN_DELAY * step;
    let text = if sure && tau > 0.0 {
        format!("friction lags behind velocity by {} ± {} s", brief(tau), brief(spread))
    } else if sure {
        format!(
            "friction leads velocity by {} ± {} s: look for a delay between the channels",
            brief(-tau),
            brief(spread)
        )
    } else {
        format!("no frictional lag is seen ({} ± {} s)", brief(tau), brief(spread))
    };
    result.remark(if tau < 0.0 && sure { Severity::Warning } else { Severity::Info }, text);
    if sure
        && let Some(mass) = result.estimates.iter_mut().find(|e| e.name == "mass" && e.identifiability.is_estimated())
    {
        // lag and inertia are correlated: correct the mass for the estimated lag
        let (more, spread) = (fit.values[1], fit.covariance.standard_errors()[1]);
        let half = (0.5 * (mass.interval[1] - mass.interval[0])).hypot(2.0 * spread);
        mass.value += more;
        mass.error = mass.error.hypot(spread);
        mass.interval = [mass.value - half, mass.value + half];
    }
    result.estimates.push(Estimate {
        identifiability: if sure { Identifiability::Good } else { Identifiability::Unidentifiable },
        ..estimate
    });
}

/// Residuals beyond so many robust standard deviations are no noise: normal noise exceeds eight once in 10¹⁵ samples.
const WILD_DEVIATIONS: f64 = 8.0;
/// More of them than this share belong to what the law does not describe.
const WILD_SHARE: f64 = 0.02;

/// Wild samples are said to be slow if four fifths of them are among the slowest fifth of all; of spikes, chance puts one fifth there.
const SLOW_SHARE: f64 = 0.2;

/// A remark on a few wild samples, which least squares follow.
pub fn wild_samples(result: &mut IdentificationResult, fitted: &RegressionFit, samples: &SlidingSamples) {
    let mut sizes: Vec<f64> = fitted.residual.iter().map(|r| r.abs()).collect();
    let middle = sizes.len() / 2;
    if sizes.is_empty() {
        return;
    }
    // the median of the absolute value of normal noise is 0.6745 standard deviations
    let spread = *sizes.select_nth_unstable_by(middle, f64::total_cmp).1 / 0.6745;
    let speeds = fitted.residual.iter().zip(&samples.v).filter(|(r, _)| r.abs() > WILD_DEVIATIONS * spread);
    let wild: Vec<f64> = speeds.map(|(_, v)| v.abs()).collect();
    if spread <= 0.0 || wild.is_empty() || wild.len() as f64 >= WILD_SHARE * sizes.len() as f64 {
        return;
    }
    let mut all: Vec<f64> = samples.v.iter().map(|v| v.abs()).collect();
    let slowest = (SLOW_SHARE * all.len() as f64) as usize;
    let slow = *all.select_nth_unstable_by(slowest, f64::total_cmp).1;
    let slow_wild = wild.iter().filter(|v| **v <= slow).count();
    let (are, lie) = if wild.len() == 1 { ("sample", "lies") } else { ("samples", "lie") };
    let text = format!("{} {are} {lie} more than {WILD_DEVIATIONS} standard deviations from the law", wild.len());
    if wild.len() > 1 && slow_wild as f64 >= (1.0 - SLOW_SHARE) * wild.len() as f64 {
        let fastest = wild.iter().copied().filter(|v| *v <= slow).fold(0.0, f64::max);
        let text = format!(
            "{text}, almost all of them slower than {0} m/s: the law or the speed is less exact near rest than elsewhere; --rest {0} leaves them out",
            brief(fastest)
        );
        result.remark(Severity::Info, text);
    } else {
        result.remark(Severity::Warning, format!("{text}: spikes of a sensor? --robust tukey takes their weight away"));
    }
}

/// Separate fits for rising and falling speed (Nouri2004): levels and viscous coefficients with standard errors.
pub fn compare_branches(result: &mut IdentificationResult, fitted: &RegressionFit, samples: &SlidingSamples) {
    // mass and other forces are fixed, so that the branches differ by friction alone
    let curve = SlidingLaw::Viscous;
    let model = RegressionModel { curve, asymmetric: false, offset: false, mass: false, load: false, terms: 0 };
    let mut friction = fitted.friction(samples);
    let slope = fitted.get("fc.load").unwrap_or(0.0);
    friction.iter_mut().zip(&samples.signed_load).for_each(|(f, load)| *f -= slope * load);
    if fitted.model.asymmetric {
        return;
    }
    // the sign of the sample's own acceleration would sort samples by their noise: use the neighbours
    let trend = |k: usize| {
        let (from, to) = (k.checked_sub(TREND_SAMPLES)?, k + TREND_SAMPLES);
        let cut = samples.breaks.partition_point(|at| *at <= from);
        let whole = to < samples.len() && samples.breaks.get(cut).is_none_or(|at| *at > to);
        whole.then(|| samples.v[k] * (samples.v[to] - samples.v[from]))
    };
    let mut rows = Vec::new();
    let mut found = Vec::new();
    for (name, rising) in [("rising speed", true), ("falling speed", false)] {
        let here: Vec<usize> =
            (0..samples.len()).filter(|&k| trend(k).is_some_and(|trend| (trend > 0.0) == rising)).collect();
        let ranges: Vec<_> = here.iter().map(|&k| k..k + 1).collect();
        let mut part = samples.in_ranges(&ranges);
        part.force = here.iter().map(|&k| friction[k]).collect();
        part.breaks = (1..here.len()).filter(|&j| here[j] != here[j - 1] + 1).collect();
        let Ok(fit) = fit_model(&model, &part, &RegressionOptions::default()) else { return };
        rows.push((name.to_owned(), vec![fit.values[0], fit.error(0), fit.values[1], fit.error(1)]));
        found.push(fit);
    }
    let [up, down] = &found[..] else { return };
    result.tables.push(ResultTable {
        key: "branches".to_owned(),
        title: "Rising and falling speed, each by itself, as a level and a slope".to_owned(),
        columns: ["", "fc [N]", "± [N]", "fv [N·s/m]", "± [N·s/m]"].map(str::to_owned).to_vec(),
        rows,
    });
    let (difference, error) = (up.values[0] - down.values[0], up.error(0).hypot(down.error(0)));
    if difference.abs() > 3.0 * error && difference.abs() > 0.02 * up.values[0].abs() {
        result.remark(
            Severity::Warning,
            format!(
                "rising and falling speed differ: their levels by {} ± {} N; a law without memory does not show this",
                brief(difference),
                brief(error)
            ),
        );
    }
}
