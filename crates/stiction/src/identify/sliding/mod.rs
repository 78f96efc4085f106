//! Sliding friction from records of motion: `force = mass·a + offset + F(v)`.
//!
//! Samples that rest are left out ([`Samples`]); the levels, the viscous coefficient, the mass and the offset are linear
//! and follow from least squares; the Stribeck speed and exponent are sought, with the linear ones eliminated.
mod delay;
mod extra;
mod judge;
mod picture;
mod sample;
mod select;
mod shape;
mod solve;

pub use judge::{Judged, Leave, judge};
pub use sample::{Reduction, Samples, slides};
pub use select::{Candidate, Ranked, rank};
pub use shape::{Curve, Shape};
pub use solve::{How, Solved, solve};

use super::prepare::Prepared;
use super::{Estimate, Finding, Known, Residual, Score, Tabular, Tone};
use crate::NumericsError;
use crate::fit::InformationCriteria;
use crate::linalg::{dot, norm};
use crate::number::{interval, round, short};
use crate::{Error, Spec};

/// What is fitted, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// One law; the best of several without one.
    pub curve: Option<Curve>,
    /// Whether each direction has its own levels; tried both ways without a word, if the law is chosen, too.
    pub sided: Option<bool>,
    /// Whether a constant force is sought.
    pub offset: bool,
    /// How samples are taken.
    pub reduction: Reduction,
    /// The speed below which nothing slides \[m/s\]; from the noise without one.
    pub rest: Option<f64>,
    /// How fits are made.
    pub how: How,
    /// What is left out to judge a fit.
    pub leave: Leave,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            curve: None,
            sided: None,
            offset: true,
            reduction: Reduction::Blocks,
            rest: None,
            how: How::default(),
            leave: Leave::Records,
        }
    }
}

/// Fits sliding friction to records.
///
/// # Errors
/// [`Error::Samples`] for records that do not slide, or too little.
pub fn find(prepared: &[Prepared], options: &Options) -> Result<Finding, Error> {
    let mut samples = Samples::new(prepared, options.reduction, options.rest)?;
    if samples.len() < 16 {
        return Err(NumericsError::TooFew { what: "samples that slide", need: 16, have: samples.len() }.into());
    }
    if !samples.weight.is_empty() && samples.weight.iter().all(|w| *w == 0.0) {
        return Err(NumericsError::InvalidValue {
            name: "weight",
            value: 0.0,
            must: "above zero for samples that slide",
        }
        .into());
    }
    let mass = prepared.iter().any(|p| p.motion.mass.is_none());
    let load = spread(&samples.load) > 0.0;
    let base = Shape { curve: Curve::Viscous, sided: false, offset: options.offset, mass, load };
    if load {
        press(&mut samples, &base, &options.how)?;
    }
    let samples = samples;
    let mut finding = Finding::new("sliding", "Sliding friction");
    let ranked = rank(&samples, &base, options)?;
    let Candidate { solved, judged, information } = &ranked.candidates[ranked.chosen];
    finding.title = format!("Sliding friction: {}", solved.shape.title());
    let mean = if load { samples.load.iter().sum::<f64>() / samples.len() as f64 } else { 0.0 };
    finding.law = lawful(solved, &samples, &options.how, mean, &mut finding)?;
    for (i, name) in solved.names.iter().enumerate() {
        let mut estimate =
            Estimate::found(name, unit(name), solved.values[i], solved.error(i), solved.interval(i, 0.95));
        if solved.bound[i] {
            estimate.known = Known::Bound;
        } else if name == "offset" && estimate.known != Known::Well {
            // an offset is measured by its size in newton, not by its own value, which may be zero
            estimate.known = Known::Well;
        }
        finding.estimates.push(estimate);
    }
    if let Some(mass) = prepared.iter().find_map(|p| p.motion.mass).filter(|_| !mass) {
        finding.estimates.push(Estimate::given("mass", unit("mass"), mass));
    }
    scores(&mut finding, solved, (judged.as_ref(), information), &samples);
    if ranked.candidates.len() > 1 {
        finding.tables.push(select::table(&ranked.candidates));
    }
    select::remark(&ranked, &mut finding);
    finding.tables.push(correlations(solved));
    extra::doubts(&mut finding, solved, &samples);
    extra::lag(&mut finding, solved, &samples);
    if prepared.iter().all(|p| p.motion.mass != Some(0.0)) {
        delay::delay(&mut finding, solved, &samples, prepared[0].motion.step());
    }
    extra::branches(&mut finding, solved, &samples);
    let model = solved.model(&samples);
    for (name, range) in &samples.records {
        finding.residuals.push(Residual {
            name: name.clone(),
            what: "force [N]".to_owned(),
            t: samples.t[range.clone()].to_vec(),
            measured: samples.force[range.clone()].to_vec(),
            model: model[range.clone()].to_vec(),
        });
    }
    finding.pictures = picture::all(solved, &samples, &finding.residuals);
    finding.remarks.sort_by_key(|remark| remark.tone);
    Ok(finding)
}

/// The law: that of the fit, or, where a level or a coefficient is below zero, which no law takes, the next simpler one, fitted
/// by itself.
fn lawful(
    solved: &Solved,
    samples: &Samples,
    how: &How,
    mean: f64,
    finding: &mut Finding,
) -> Result<Option<Spec>, Error> {
    let mut simple = solved.clone();
    while simple.shape.linear().iter().any(|name| {
        let friction = !["mass", "offset", "fc.load", "reverse.fc.load", "fc", "reverse.fc"].contains(name);
        friction && simple.factor(name).is_some_and(|x| x < 0.0)
    }) {
        let curve = match simple.shape.curve {
            Curve::Stribeck(_) => Curve::Viscous,
            Curve::Viscous | Curve::Coulomb => Curve::Coulomb,
        };
        simple = solve(&Shape { curve, ..simple.shape }, samples, how)?;
    }
    if simple.shape != solved.shape {
        finding.remark(Tone::Doubt, format!("the law that is written is {}, fitted by itself", simple.shape.title()));
    }
    let level = |side: &str| {
        let of = |name: &str| simple.factor(&format!("{side}{name}")).unwrap_or(0.0);
        of("fc") + mean * of("fc.load")
    };
    if level("") < 0.0 || (simple.shape.sided && level("reverse.") < 0.0) {
        finding.remark(
            Tone::Bad,
            "no law is written: its level would be below zero; is the sign of force or velocity right?",
        );
        return Ok(None);
    }
    simple.shape.spec(&|name| simple.factor(name), mean).map(Some)
}

fn spread(x: &[f64]) -> f64 {
    let (low, high) = x.iter().fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(*x), high.max(*x)));
    if x.is_empty() { 0.0 } else { high - low }
}

/// Finds how friction grows with the load, so that the fall of a Stribeck curve grows alike.
fn press(samples: &mut Samples, base: &Shape, how: &How) -> Result<(), NumericsError> {
    let solved = solve(base, samples, &How { white: true, ..*how })?;
    let (level, slope) = (solved.get("fc").unwrap_or(1.0), solved.get("fc.load").unwrap_or(0.0));
    let mean = samples.load.iter().sum::<f64>() / samples.len() as f64;
    let there = level + slope * mean;
    if there > 0.0 {
        samples.factor = samples.load.iter().map(|load| ((level + slope * load) / there).max(0.0)).collect();
    }
    Ok(())
}

/// The unit of a parameter.
fn unit(name: &str) -> &'static str {
    match name.rsplit("reverse.").next().unwrap_or(name) {
        "mass" => "kg",
        "vs" => "m/s",
        "fv" => "N·s/m",
        "exponent" => "-",
        "fc.load" => "N/load",
        _ => "N",
    }
}

fn scores(
    finding: &mut Finding,
    solved: &Solved,
    (judged, information): (Option<&Judged>, &InformationCriteria),
    samples: &Samples,
) {
    let n = samples.len() as f64;
    let rms = norm(&solved.residual) / n.sqrt();
    let mean = samples.force.iter().sum::<f64>() / n;
    let spread = dot(&samples.force, &samples.force) - n * mean * mean;
    let explained = 1.0 - dot(&solved.residual, &solved.residual) / spread;
    if explained < 0.8 {
        let part = short(round(100.0 * explained.max(0.0), 2));
        let text = format!(
            "only {part} % of the variance of the force is explained: a force that depends on position (gravity, a spring: --known) or memory may be missing"
        );
        finding.remark(Tone::Bad, text);
    }
    if let Some(worse) = judged.map(|judged| judged.rms / rms).filter(|worse| *worse > 2.0) {
        let text = format!(
            "what was left out is predicted {} times worse than what was fitted: parts of the data do not agree (other masses or loads?)",
            short(round(worse, 2))
        );
        finding.remark(Tone::Bad, text);
    }
    let mut add =
        |key: &str, title: &str, value: f64, unit: &str| finding.scores.push(Score::new(key, title, value, unit));
    add("samples", "samples that slide", n, "");
    add("rms", "root mean square of the residual", rms, "N");
    add("relative", "residual over force", solved.relative, "");
    add("explained", "share of the variance explained", explained, "");
    if let Some(judged) = judged {
        add("validation", "root mean square on what was left out", judged.rms, "N");
    }
    add("aic", "Akaike's criterion", information.aic, "");
    add("bic", "Schwarz's criterion", information.bic_effective, "");
    add("condition", "condition of the terms", solved.condition, "");
    let slow = samples.resting as f64 / (samples.resting as f64 + n);
    if slow > 0.0 {
        let speeds = interval(samples.speeds(), 3);
        let part = short(round(100.0 * slow, 2));
        let text = format!("{part} % of the samples rest or turn and were left out; the others slide at {speeds} m/s");
        finding.remark(Tone::Plain, text);
    }
}

/// Correlations of the estimates.
fn correlations(solved: &Solved) -> Tabular {
    let n = solved.names.len();
    let matrix = solved.covariance.correlation();
    Tabular {
        key: "correlation".to_owned(),
        title: "Correlation of the estimates".to_owned(),
        heads: [String::new()].into_iter().chain(solved.names.iter().cloned()).collect(),
        rows: (0..n).map(|i| (solved.names[i].clone(), matrix[i * n..(i + 1) * n].to_vec())).collect(),
    }
}
