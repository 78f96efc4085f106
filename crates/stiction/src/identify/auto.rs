//! The best law for a record, with memory or without.
//!
//! Laws of sliding are ranked by what they predict of the samples that slide ([`sliding::rank`]). The one chosen is then set
//! against laws with memory, each fitted to the first half of every record and judged by the second, rest and reversals
//! included. A law with memory is taken if it predicts better by more than chance.
use super::dynamic::{self, Free, Mass, force_fit, predict};
use super::sliding::{self, Judged, slides};
use super::{Finding, Motion, Prepared, Score, Tabular, Tone};
use crate::number::{round, short};
use crate::{Error, ParameterGroup, Spec};

/// How the best law is sought.
#[derive(Clone, Debug)]
pub struct Auto {
    /// The search among laws of sliding.
    pub sliding: sliding::Options,
    /// Most samples for which laws with memory are tried.
    pub most: usize,
}

/// Parts of what is left out: what a law predicts better in one only may be chance.
const PARTS: usize = 10;
/// Laws with memory: simple ones first.
const MEMORY: [&str; 2] = ["dahl", "lugre"];

/// A law to be tried.
#[derive(Clone)]
struct Candidate {
    law: Spec,
    /// Whether it is the law of sliding itself.
    own: bool,
    /// Whether its level may fall with speed.
    falls: bool,
    /// Whether each direction has levels of its own.
    sided: bool,
}

struct Tried {
    name: String,
    count: usize,
    judged: Judged,
    /// The same of samples that slide.
    sliding: f64,
    /// The mass it takes, and its error.
    mass: Option<[f64; 2]>,
}

/// How much worse a law with memory may predict sliding: more, and it has bent the curve to follow the turns.
const WORSE: f64 = 1.1;

/// Finds the best law. The first finding is the one to use; the others are what it was compared with.
///
/// # Errors
/// As [`sliding::find`].
pub fn auto(prepared: &[Prepared], how: &Auto, watch: &mut dyn FnMut(f64) -> bool) -> Result<Vec<Finding>, Error> {
    let mut still = sliding::find(prepared, &how.sliding)?;
    let motions: Vec<Motion> = prepared.iter().map(|p| p.motion.clone()).collect();
    let total: usize = motions.iter().map(Motion::len).sum();
    if total > how.most {
        let text = format!("laws with memory were not tried: {total} samples are too many; choose one with --model");
        still.remark(Tone::Plain, text);
        return Ok(vec![still]);
    }
    let (first, second): (Vec<Motion>, Vec<Motion>) =
        motions.iter().map(|m| (cut(m, 0, m.len() / 2), cut(m, m.len() / 2, m.len()))).unzip();
    let rest = how.sliding.rest;
    let slides: Vec<Vec<bool>> = second
        .iter()
        .zip(prepared)
        .map(|(m, p)| slides(&m.velocity, rest.unwrap_or(p.rest), p.cutoff, m.step()))
        .collect();
    let mut tried: Vec<(Tried, Option<Candidate>)> = Vec::new();
    let own = still.law.clone();
    let falls = own.as_ref().is_none_or(|own| own.law().name == "stribeck");
    let sided = own.as_ref().is_some_and(|own| own.has(ParameterGroup::Reverse));
    let mut laws: Vec<Candidate> =
        own.iter().map(|own| Candidate { law: own.clone(), own: true, falls, sided }).collect();
    for name in MEMORY {
        let mut law = Spec::new(name)?;
        if let (Ok(_), Some(Ok(exponent))) = (law.get("exponent"), own.as_ref().map(|own| own.get("exponent"))) {
            // the exponent of the curve that was found
            law.set("exponent", exponent)?;
        }
        laws.push(Candidate { law: law.clone(), own: false, falls, sided });
        if !falls && law.get("fs").is_ok() {
            // a fall that sliding did not show may show in what is remembered
            laws.push(Candidate { law, own: false, falls: true, sided });
        }
    }
    for (k, candidate) in laws.iter().enumerate() {
        if !watch(k as f64 / (laws.len() + 1) as f64) {
            return Ok(vec![still]);
        }
        let law = &candidate.law;
        let options = options(candidate, &motions, how);
        // a law that cannot be fitted is no candidate
        let Ok(fitted) = force_fit(&first, law, &options, &mut |_| true) else { continue };
        // nor is one that is still on its way
        if !candidate.own && !fitted.fit.reason.converged() {
            continue;
        }
        let Some((judged, sliding)) = judge(&fitted.finding, &second, &slides) else { continue };
        let count = fitted.fit.bound.iter().filter(|bound| !**bound).count();
        let name = if candidate.falls && !falls {
            format!("{}, with a Stribeck curve", law.law().name)
        } else {
            law.law().name.to_owned()
        };
        let mass = fitted.finding.estimate("mass").map(|mass| [mass.value, mass.error]);
        tried.push((Tried { name, count, judged, sliding, mass }, (!candidate.own).then(|| candidate.clone())));
    }
    let own = tried.iter().find(|(_, law)| law.is_none()).map(|(own, _)| own);
    // a mass that sliding contradicts is bent to follow the turns, as a curve may be
    let heavy = still.estimate("mass").map(|mass| [mass.value, mass.error]);
    let agrees = |t: &Tried| match (t.mass, heavy) {
        (Some([m, e]), Some([mass, error])) => {
            let off = (m - mass).abs();
            // an error that is not known excuses nothing
            off <= (WORSE - 1.0) * mass || off <= 4.0 * e.max(0.0).hypot(error)
        }
        _ => true,
    };
    let fair =
        |t: &Tried| agrees(t) && own.is_none_or(|own| t.judged.beats(&own.judged) && t.sliding <= WORSE * own.sliding);
    let fit: Vec<&(Tried, Option<Candidate>)> = tried.iter().filter(|(t, law)| law.is_some() && fair(t)).collect();
    let best = fit.iter().min_by(|a, b| a.0.judged.rms.total_cmp(&b.0.judged.rms));
    // the simplest of those that the best does not beat
    let better = best.and_then(|best| {
        fit.iter().filter(|(t, _)| !best.0.judged.beats(&t.judged)).min_by_key(|(t, _)| t.count).copied()
    });
    let table = table(&tried);
    let brief = |x: f64| short(round(x, 4));
    let Some((best, Some(candidate))) = better else {
        still.remark(Tone::Good, "laws with memory predict the second half of the record no better, sliding included");
        still.tables.push(table);
        still.remarks.sort_by_key(|remark| remark.tone);
        return Ok(vec![still]);
    };
    let law = &candidate.law;
    watch(laws.len() as f64 / (laws.len() + 1) as f64);
    let whole = force_fit(&motions, law, &options(candidate, &motions, how), &mut |_| true)?;
    if !whole.fit.reason.converged() {
        let text = format!("{} predicts the second half better, but its fit to the whole did not arrive", best.name);
        still.remark(Tone::Doubt, text);
        still.tables.push(table);
        still.remarks.sort_by_key(|remark| remark.tone);
        return Ok(vec![still]);
    }
    let mut finding = whole.finding;
    finding.title = format!("The best law: {}", law.law().name);
    finding.scores.push(Score::new("validation", "root mean square on the second half", best.judged.rms, "N"));
    let than = own.map_or_else(String::new, |own| {
        format!(
            " better than {}, which has no memory: {} against {} N",
            own.name,
            brief(best.judged.rms),
            brief(own.judged.rms)
        )
    });
    let text = format!("{} predicts the second half of the record{than}", best.name);
    finding.remark(Tone::Good, text);
    finding.tables.insert(0, table);
    finding.remarks.sort_by_key(|remark| remark.tone);
    Ok(vec![finding, still])
}

/// Says so if a law that was fitted along the motion is worse where the body slides than a law of sliding is: it has then bent
/// its curve to follow the turns.
///
/// # Errors
/// As [`sliding::find`].
pub fn bent(finding: &mut Finding, prepared: &[Prepared], how: &sliding::Options) -> Result<(), Error> {
    let still = sliding::find(prepared, how)?;
    let motions: Vec<Motion> = prepared.iter().map(|p| p.motion.clone()).collect();
    let slides: Vec<Vec<bool>> = prepared
        .iter()
        .map(|p| slides(&p.motion.velocity, how.rest.unwrap_or(p.rest), p.cutoff, p.motion.step()))
        .collect();
    let errors = [&*finding, &still].map(|found| judge(found, &motions, &slides).map(|(_, sliding)| sliding));
    if let [Some(along), Some(sliding)] = errors
        && along > WORSE * sliding
    {
        let [along, sliding] = [along, sliding].map(|rms| short(round(rms, 3)));
        let text = format!(
            "where the body slides this law misses by {along} N, and {} by {sliding} N: it bends its curve to follow the turns; hold what slides (--set) or let --model auto choose",
            still.title.to_lowercase()
        );
        finding.remark(Tone::Doubt, text);
        finding.remarks.sort_by_key(|remark| remark.tone);
    }
    Ok(())
}

/// What is sought of a law: of a law with memory what the law of sliding shows, and its stiffness and damping.
fn options(candidate: &Candidate, motions: &[Motion], how: &Auto) -> dynamic::Options {
    let Candidate { law, own, falls, sided } = candidate;
    let (own, falls, sided) = (*own, *falls, *sided);
    let mass = if motions.iter().any(|m| m.mass.is_none()) { Mass::Free } else { Mass::Known };
    let mut free = Vec::new();
    for part in if sided { &[ParameterGroup::Law, ParameterGroup::Reverse][..] } else { &[ParameterGroup::Law] } {
        for p in law.law().params {
            let key = part.key(p.name);
            let start = own.then(|| law.get(&key).ok()).flatten();
            let seek = match (p.name, part) {
                ("exponent" | "gamma" | "vd" | "shape", _) => continue,
                // a level that does not fall: that of rest is that of sliding
                ("fs", _) if !falls => {
                    let level = law.get(&part.key("fc")).ok();
                    Free { low: level, high: level, ..Free::new(&key) }
                }
                ("vs", _) if !falls => continue,
                ("fc" | "fs" | "fv" | "sigma2", _) | (_, ParameterGroup::Law) => Free { start, ..Free::new(&key) },
                _ => continue,
            };
            free.push(seek);
        }
    }
    // two directions have an offset of themselves
    let mut options =
        dynamic::Options { free, mass, offset: how.sliding.offset && !sided, ..dynamic::Options::default() };
    // a thousandth of a standard error is enough
    options.fit.tolerance = 1e-6;
    options
}

fn cut(motion: &Motion, from: usize, to: usize) -> Motion {
    let part = |x: &[f64]| x.get(from..to).map(<[f64]>::to_vec).unwrap_or_default();
    Motion {
        name: motion.name.clone(),
        t: part(&motion.t),
        position: part(&motion.position),
        velocity: part(&motion.velocity),
        acceleration: part(&motion.acceleration),
        force: part(&motion.force),
        load: part(&motion.load),
        weight: part(&motion.weight),
        mass: motion.mass,
    }
}

/// Errors on records that the law has not seen, of all samples and of those that slide.
fn judge(found: &Finding, motions: &[Motion], slides: &[Vec<bool>]) -> Option<(Judged, f64)> {
    let law = found.law.as_ref()?;
    let value = |name: &str| found.estimate(name).map(|e| e.value);
    let mut squares = Vec::new();
    let mut sliding = Vec::new();
    for (motion, slides) in motions.iter().zip(slides) {
        let mass = value("mass").or(motion.mass).unwrap_or(0.0);
        let residual = predict(motion, law, mass, value("offset").unwrap_or(0.0)).ok()?;
        // the first sample is where it begins
        let lead = slides.len() - residual.t.len();
        for (r, slides) in residual.rest().zip(&slides[lead..]) {
            squares.push(r * r);
            if *slides {
                sliding.push(r * r);
            }
        }
    }
    let size = squares.len().div_ceil(PARTS).max(1);
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len().max(1) as f64;
    let judged = Judged { rms: mean(&squares).sqrt(), folds: squares.chunks(size).map(mean).collect() };
    judged.rms.is_finite().then(|| (judged, mean(&sliding).sqrt()))
}

fn table(tried: &[(Tried, Option<Candidate>)]) -> Tabular {
    let mut sorted: Vec<&Tried> = tried.iter().map(|(t, _)| t).collect();
    sorted.sort_by(|a, b| a.judged.rms.total_cmp(&b.judged.rms));
    Tabular {
        key: "memory".to_owned(),
        title: "Laws fitted to the first half of every record, judged by the second, rest and turns included"
            .to_owned(),
        heads: ["law", "parameters", "all samples [N]", "those that slide [N]"].map(str::to_owned).to_vec(),
        rows: sorted.iter().map(|t| (t.name.clone(), vec![t.count as f64, t.judged.rms, t.sliding])).collect(),
    }
}
