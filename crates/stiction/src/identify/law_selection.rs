//! Selection of a law for a record, with or without memory.
//!
//! Static laws are ranked by their prediction of the sliding samples ([`sliding::rank_models`]). The chosen one is compared
//! with laws with memory, each fitted to the first half of every record and validated on the second half, including rest
//! and reversals. A law with memory is selected if its prediction is significantly better.
use super::dynamic::{self, PlantForces, predict};
use super::sliding::{self, ValidationError, mark_sliding};
use super::{Estimate, FreeParameter, Identifiability, MassOption};
use super::{IdentificationResult, MotionRecord, PreparedMotion, ResultTable, Score, Severity};
use crate::number::{round, short};
use crate::{Error, ParameterGroup, Spec};

/// Options of the selection.
#[derive(Clone, Debug)]
pub struct LawSelectionOptions {
    /// Options for the static laws.
    pub sliding: sliding::SlidingOptions,
    /// Maximum number of samples for which laws with memory are tried.
    pub max_samples: usize,
}

/// Parts of the validation half: an improvement in a single part may be chance.
const VALIDATION_PARTS: usize = 10;
/// Laws with memory, the simplest first.
const LAWS_WITH_MEMORY: [&str; 2] = ["dahl", "lugre"];

/// A candidate law.
#[derive(Clone)]
struct Candidate {
    law: Spec,
    /// Whether it is the static law.
    own: bool,
    /// Whether friction may fall with speed (Stribeck effect).
    falls: bool,
    /// Whether the directions have separate parameters.
    asymmetric: bool,
}

struct TriedLaw {
    name: String,
    count: usize,
    validation: ValidationError,
    /// RMS error of the sliding samples \[N\].
    sliding: f64,
    /// Estimated mass and its standard error.
    mass: Option<[f64; 2]>,
    /// Whether it has a Stribeck curve that neither sliding nor the transients determine.
    unseen: bool,
    /// Whether its contact is rigid as far as the samples tell, so that they do not tell a memory.
    rigid: bool,
}

/// Factor by which a law with memory may be worse in sliding; beyond it, the law has distorted its sliding curve to fit the
/// reversals.
const SLIDING_TOLERANCE: f64 = 1.1;

/// Selects a law. The first result is the selected one; the others are those it was compared with.
///
/// # Errors
/// As [`sliding::identify`].
pub fn select_law(
    prepared: &[PreparedMotion],
    how: &LawSelectionOptions,
    watch: &mut dyn FnMut(f64) -> bool,
) -> Result<Vec<IdentificationResult>, Error> {
    let mut static_result = sliding::identify(prepared, &how.sliding)?;
    let late = static_result.estimate(sliding::DELAY).map_or(0.0, |e| e.value);
    let prepared = &prepared.iter().map(|p| p.with_delay(late)).collect::<Result<Vec<_>, _>>()?;
    let motions = mark_sliding(prepared, how.sliding.rest_speed);
    let total: usize = motions.iter().map(MotionRecord::len).sum();
    if total > how.max_samples {
        let text = format!("laws with memory were not tried: {total} samples are too many; choose one with --model");
        static_result.remark(Severity::Info, text);
        return Ok(vec![static_result]);
    }
    let (first, slides) = halves(&motions);
    let mut tried: Vec<(TriedLaw, Option<Candidate>)> = Vec::new();
    let own = static_result.law.clone();
    let falls = own.as_ref().is_none_or(|own| own.law().name == "stribeck");
    let asymmetric = own.as_ref().is_some_and(|own| own.has(ParameterGroup::Reverse));
    let mut laws: Vec<Candidate> =
        own.iter().map(|own| Candidate { law: own.clone(), own: true, falls, asymmetric }).collect();
    for name in LAWS_WITH_MEMORY {
        let mut law = Spec::new(name)?;
        if let (Ok(_), Some(Ok(exponent))) = (law.get("exponent"), own.as_ref().map(|own| own.get("exponent"))) {
            // the exponent of the static law
            law.set("exponent", exponent)?;
        }
        laws.push(Candidate { law: law.clone(), own: false, falls, asymmetric });
        if !falls && law.get("fs").is_ok() {
            // a Stribeck effect that sliding does not show may appear in the transients
            laws.push(Candidate { law, own: false, falls: true, asymmetric });
        }
    }
    for (k, candidate) in laws.iter().enumerate() {
        if !watch(k as f64 / (laws.len() + 1) as f64) {
            return Ok(vec![static_result]);
        }
        let law = &candidate.law;
        let options = options(candidate, &motions, how, &static_result);
        // skip laws that cannot be fitted
        let Ok(fitted) = dynamic::fit(&first, law, &options, &mut |_| true) else { continue };
        // and fits that did not converge
        if !candidate.own && !fitted.fit.reason.converged() {
            continue;
        }
        let Some((validation, sliding)) = validate(&fitted.result, &displaced(&motions, &fitted.displaced), &slides)
        else {
            continue;
        };
        let count = fitted.parameters;
        let name = if candidate.falls && !falls {
            format!("{}, with a Stribeck curve", law.law().name)
        } else {
            law.law().name.to_owned()
        };
        let mass = fitted.result.estimate("mass").map(|mass| [mass.value, mass.error]);
        let lost = |name: &str| {
            fitted.result.estimate(name).is_some_and(|e| e.identifiability == Identifiability::Unidentifiable)
        };
        let unseen = candidate.falls && !falls && (lost("fs") || lost("vs"));
        tried.push((
            TriedLaw { name, count, validation, sliding, mass, unseen, rigid: fitted.abrupt && !candidate.own },
            (!candidate.own).then(|| candidate.clone()),
        ));
    }
    let own = tried.iter().find(|(_, law)| law.is_none()).map(|(own, _)| own);
    // a mass that contradicts sliding has been distorted to fit the reversals
    let heavy = static_result.estimate("mass").map(|mass| [mass.value, mass.error]);
    let agrees = |t: &TriedLaw| match (t.mass, heavy) {
        (Some([m, e]), Some([mass, error])) => {
            let off = (m - mass).abs();
            // an unknown standard error allows no deviation
            off <= (SLIDING_TOLERANCE - 1.0) * mass || off <= 4.0 * e.max(0.0).hypot(error)
        }
        _ => true,
    };
    let fair = |t: &TriedLaw| {
        agrees(t)
            && !t.unseen
            && !t.rigid
            && own.is_none_or(|own| {
                t.validation.is_better_than(&own.validation) && t.sliding <= SLIDING_TOLERANCE * own.sliding
            })
    };
    let fit: Vec<&(TriedLaw, Option<Candidate>)> = tried.iter().filter(|(t, law)| law.is_some() && fair(t)).collect();
    let best = fit.iter().min_by(|a, b| a.0.validation.rms.total_cmp(&b.0.validation.rms));
    // the simplest law that is not significantly worse than the best
    let better = best.and_then(|best| {
        fit.iter()
            .filter(|(t, _)| !best.0.validation.is_better_than(&t.validation))
            .min_by_key(|(t, _)| t.count)
            .copied()
    });
    let table = table(&tried);
    let brief = |x: f64| short(round(x, 4));
    let Some((best, Some(candidate))) = better else {
        static_result.remark(
            Severity::Good,
            "laws with memory predict the second half of the record no better, sliding included",
        );
        static_result.tables.push(table);
        static_result.remarks.sort_by_key(|remark| remark.severity);
        return Ok(vec![static_result]);
    };
    let law = &candidate.law;
    watch(laws.len() as f64 / (laws.len() + 1) as f64);
    let whole = dynamic::fit(&motions, law, &options(candidate, &motions, how, &static_result), &mut |_| true)?;
    if !whole.fit.reason.converged() {
        let text =
            format!("{} predicts the second half better, but its fit to the whole record did not converge", best.name);
        static_result.remark(Severity::Warning, text);
        static_result.tables.push(table);
        static_result.remarks.sort_by_key(|remark| remark.severity);
        return Ok(vec![static_result]);
    }
    if whole.abrupt {
        let text = format!(
            "{} predicts the second half better, but the whole record does not tell its contact from a rigid one, which has no memory",
            best.name
        );
        static_result.remark(Severity::Info, text);
        static_result.tables.push(table);
        static_result.remarks.sort_by_key(|remark| remark.severity);
        return Ok(vec![static_result]);
    }
    let mut result = whole.result;
    result.estimates.extend(static_result.estimate(sliding::DELAY).cloned());
    held_by_sliding(&mut result, &static_result);
    result.title = format!("The best law: {}", law.law().name);
    result.scores.push(Score::new("validation", "root mean square on the second half", best.validation.rms, "N"));
    let than = own.map_or_else(String::new, |own| {
        format!(
            " better than {}, which has no memory: {} against {} N",
            own.name,
            brief(best.validation.rms),
            brief(own.validation.rms)
        )
    });
    let text = format!("{} predicts the second half of the record{than}", best.name);
    result.remark(Severity::Good, text);
    result.tables.insert(0, table);
    compare_with_sliding(&mut result, &static_result);
    result.remarks.sort_by_key(|remark| remark.severity);
    Ok(vec![result, static_result])
}

/// Adds a warning if a law fitted along the motion is worse in sliding than a static law: it has then distorted its sliding
/// curve to fit the reversals.
///
/// # Errors
/// As [`sliding::identify`].
pub fn warn_about_sliding_misfit(
    result: &mut IdentificationResult,
    prepared: &[PreparedMotion],
    how: &sliding::SlidingOptions,
) -> Result<(), Error> {
    let static_result = sliding::identify(prepared, how)?;
    if static_result.law.is_none() {
        // a record that hardly slides: there is no sliding curve to compare with
        return Ok(());
    }
    let motions = mark_sliding(prepared, how.rest_speed);
    let slides: Vec<Vec<bool>> = motions.iter().map(|m| m.slides.clone()).collect();
    let errors = [&*result, &static_result].map(|found| {
        let begun =
            dynamic::with_displacements(&motions, found.law.as_ref()?, &|motion| PlantForces::found(motion, found))
                .ok()?;
        validate(found, &begun, &slides).map(|(_, sliding)| sliding)
    });
    // where the law with memory tells sliding better as well, the law of sliding is the one that lacks something: bristles follow slowly after a turn
    if !matches!(errors, [Some(along), Some(sliding)] if along < sliding) {
        compare_with_sliding(result, &static_result);
        result.remarks.sort_by_key(|remark| remark.severity);
    }
    if let [Some(along), Some(sliding)] = errors
        && along > SLIDING_TOLERANCE * sliding
    {
        let [along, sliding] = [along, sliding].map(|rms| short(round(rms, 3)));
        let text = format!(
            "in sliding this law has an error of {along} N, {} only {sliding} N: it distorts its sliding curve to fit the reversals; fix the sliding parameters (--set) or use --model auto",
            static_result.title.to_lowercase()
        );
        result.remark(Severity::Warning, text);
        result.remarks.sort_by_key(|remark| remark.severity);
    }
    Ok(())
}

/// What the static law says of a parameter of a law with memory: its name there, as laws with bristles call viscous friction
/// `sigma2`.
fn in_sliding<'a>(static_result: &'a IdentificationResult, key: &str) -> Option<&'a Estimate> {
    let name = if key.ends_with("sigma2") { key.replace("sigma2", "fv") } else { key.to_owned() };
    let known = |e: &&Estimate| matches!(e.identifiability, Identifiability::Good | Identifiability::Weak);
    static_result.estimate(&name).filter(known)
}

/// Remarks on parameters of the sliding curve that the fit along the motion moved to the edge of what sliding allows, or that
/// contradict it.
fn compare_with_sliding(result: &mut IdentificationResult, static_result: &IdentificationResult) {
    // what the parameters of a law file mean is not known by their names
    if result.law.as_ref().is_some_and(|law| law.law().program().is_some()) {
        return;
    }
    let mut remarks = Vec::new();
    for e in result.estimates.iter().filter(|e| e.identifiability.is_estimated()) {
        let Some(sliding) = in_sliding(static_result, &e.name) else { continue };
        let off = (e.value - sliding.value).abs();
        // at the edge of what sliding allows; or, fitted without sliding, apart from it
        let apart = e.interval.iter().any(|x| !x.is_finite())
            || e.interval[0] > sliding.interval[1]
            || e.interval[1] < sliding.interval[0];
        // a fifth of the value is a disagreement that matters for a compensator
        let edge = (off / (HELD_ERRORS * sliding.error) - 1.0).abs() < 0.01;
        if edge || apart && off > 0.2 * sliding.value.abs() {
            let [here, there, error] = [e.value, sliding.value, sliding.error].map(|x| short(round(x, 3)));
            remarks.push(format!(
                "{} = {here} {} disagrees with sliding alone, which gives {there} ± {error}: the law distorts its sliding curve to fit rest and reversals",
                e.name, e.unit
            ));
        }
    }
    remarks.into_iter().for_each(|text| result.remark(Severity::Warning, text));
}

/// A parameter that ended at the edge of what sliding allows is known from sliding, as far as that goes.
fn held_by_sliding(result: &mut IdentificationResult, static_result: &IdentificationResult) {
    for e in
        result.estimates.iter_mut().filter(|e| e.identifiability == Identifiability::AtBound && !e.name.ends_with("fs"))
    {
        let Some(sliding) = in_sliding(static_result, &e.name) else { continue };
        let reach = HELD_ERRORS * sliding.error;
        *e = Estimate {
            error: sliding.error,
            interval: [sliding.value - reach, sliding.value + reach],
            identifiability: Identifiability::Weak,
            ..e.clone()
        };
    }
}

/// Standard errors of sliding within which the parameters of the sliding curve are held: normal noise exceeds four once in
/// sixteen thousand.
const HELD_ERRORS: f64 = 4.0;

/// The free parameters of a candidate: of a law with memory those of the static law, and its stiffness and damping. Those of the
/// sliding curve are held to the uncertainty that sliding gives them.
fn options(
    candidate: &Candidate,
    motions: &[MotionRecord],
    how: &LawSelectionOptions,
    static_result: &IdentificationResult,
) -> dynamic::DynamicOptions {
    let Candidate { law, own, falls, asymmetric } = candidate;
    let (own, falls, asymmetric) = (*own, *falls, *asymmetric);
    let mass = if motions.iter().any(|m| m.mass.is_none()) { MassOption::Estimated } else { MassOption::Given };
    let mut free = Vec::new();
    for part in if asymmetric { &[ParameterGroup::Law, ParameterGroup::Reverse][..] } else { &[ParameterGroup::Law] } {
        for p in law.law().params {
            let key = part.key(p.name);
            let start = own.then(|| law.get(&key).ok()).flatten();
            let seek = match (p.name, part) {
                ("exponent" | "gamma" | "vd" | "shape", _) => continue,
                // without a Stribeck effect the static level equals the sliding level
                ("fs", _) if !falls => {
                    let level = law.get(&part.key("fc")).ok();
                    FreeParameter { low: level, high: level, ..FreeParameter::new(&key) }
                }
                ("vs", _) if !falls => continue,
                ("fc" | "fs" | "fv" | "sigma2", _) | (_, ParameterGroup::Law) => {
                    let free = FreeParameter { start, ..FreeParameter::new(&key) };
                    // a static level is an excess over the sliding level, and follows from the other parameters of the curve
                    match in_sliding(static_result, &key).filter(|_| !own && p.name != "fs") {
                        Some(e) if e.error > 0.0 => {
                            let reach = HELD_ERRORS * e.error;
                            free.within((e.value - reach).max(p.min), (e.value + reach).min(p.max))
                        }
                        _ => free,
                    }
                }
                _ => continue,
            };
            free.push(seek);
        }
    }
    // separate directions already contain an offset
    let mut options = dynamic::DynamicOptions {
        free,
        mass,
        offset: how.sliding.offset && !asymmetric,
        // whether there is a memory is asked within what the samples tell of it: stiffer, a law with memory is one without
        may_be_rigid: false,
        ..dynamic::DynamicOptions::default()
    };
    // far below the standard errors
    options.fit.tolerance = 1e-6;
    options
}

pub(super) fn cut(motion: &MotionRecord, from: usize, to: usize) -> MotionRecord {
    let part = |x: &[f64]| x.get(from..to).map(<[f64]>::to_vec).unwrap_or_default();
    MotionRecord {
        name: motion.name.clone(),
        t: part(&motion.t),
        position: part(&motion.position),
        velocity: part(&motion.velocity),
        acceleration: part(&motion.acceleration),
        force: part(&motion.force),
        load: part(&motion.load),
        weight: part(&motion.weight),
        slides: motion.slides.get(from..to).map(<[bool]>::to_vec).unwrap_or_default(),
        saturated: motion.saturated.get(from..to).map(<[bool]>::to_vec).unwrap_or_default(),
        unresolved: motion.unresolved.get(from..to).map(<[bool]>::to_vec).unwrap_or_default(),
        terms: motion.terms.iter().map(|term| term.with(part(&term.values))).collect(),
        mass: motion.mass,
        displaced: 0.0,
    }
}

/// The first halves of records, and which samples of the second ones slide.
pub(super) fn halves(motions: &[MotionRecord]) -> (Vec<MotionRecord>, Vec<Vec<bool>>) {
    let second = |m: &MotionRecord| m.slides.get(m.len() / 2..).map(<[bool]>::to_vec).unwrap_or_default();
    motions.iter().map(|m| (cut(m, 0, m.len() / 2), second(m))).unzip()
}

/// The whole records with these displacements of the contact before them, so that their second halves begin with the memory of the first.
pub(super) fn displaced(motions: &[MotionRecord], by: &[f64]) -> Vec<MotionRecord> {
    motions.iter().zip(by).map(|(motion, &displaced)| MotionRecord { displaced, ..motion.clone() }).collect()
}

/// Errors on samples that were not fitted, the last of each record: of all, and of those that slide, as `slides` tells.
pub(super) fn validate(
    found: &IdentificationResult,
    motions: &[MotionRecord],
    slides: &[Vec<bool>],
) -> Option<(ValidationError, f64)> {
    let law = found.law.as_ref()?;
    let mut squares = Vec::new();
    let mut sliding = Vec::new();
    for (motion, slides) in motions.iter().zip(slides) {
        let residual = predict(motion, law, &PlantForces::found(motion, found)).ok()?;
        // what is before the samples that are judged gives the law its memory; the prediction begins after the first sample
        let before = residual.t.len().saturating_sub(slides.len());
        let lead = (slides.len() + before).saturating_sub(residual.t.len());
        let first = before + motion.len() - residual.t.len();
        for (k, (r, slides)) in residual.residuals().skip(before).zip(&slides[lead..]).enumerate() {
            if !motion.is_comparable(first + k) {
                continue;
            }
            squares.push(r * r);
            if *slides {
                sliding.push(r * r);
            }
        }
    }
    let size = squares.len().div_ceil(VALIDATION_PARTS).max(1);
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len().max(1) as f64;
    let validation = ValidationError { rms: mean(&squares).sqrt(), folds: squares.chunks(size).map(mean).collect() };
    validation.rms.is_finite().then(|| (validation, mean(&sliding).sqrt()))
}

fn table(tried: &[(TriedLaw, Option<Candidate>)]) -> ResultTable {
    let mut sorted: Vec<&TriedLaw> = tried.iter().map(|(t, _)| t).collect();
    sorted.sort_by(|a, b| a.validation.rms.total_cmp(&b.validation.rms));
    ResultTable {
        key: "memory".to_owned(),
        title: "Laws fitted to the first half of every record, judged by the second, rest and turns included"
            .to_owned(),
        columns: ["law", "parameters", "all samples [N]", "those that slide [N]"].map(str::to_owned).to_vec(),
        rows: sorted.iter().map(|t| (t.name.clone(), vec![t.count as f64, t.validation.rms, t.sliding])).collect(),
    }
}
