//! Sliding friction from records of motion: `force = mass·a + offset + F(v)`, and other forces of unknown size.
//!
//! Samples at rest are left out ([`SlidingSamples`]). Friction levels, viscous coefficient, mass and offset are linear and
//! follow from least squares; the Stribeck speed and exponent follow from a nonlinear fit with the linear parameters
//! eliminated (variable projection). Masses, levels and viscous coefficients are not negative, unless the record shows that a
//! sign is wrong. Intervals are profile likelihoods.
mod channel_delay;
mod cross_validation;
mod curves;
pub(super) mod delay_fit;
mod differentiation_error;
mod held_fit;
mod identifiability;
mod intervals;
mod model;
mod model_selection;
mod normal_equations;
mod position_force;
mod regression;
mod samples;
mod sign;
mod unexplained;

pub(super) use channel_delay::tell_delay;
pub use cross_validation::{CrossValidation, ValidationError, cross_validate};
pub use delay_fit::DELAY;
pub(super) use identifiability::ONE_DIRECTION;
pub use model::{RegressionModel, SlidingLaw};
pub use model_selection::{Candidate, Ranking, rank_models};
pub use regression::{Constraints, RegressionFit, RegressionOptions, fit_model};
pub use samples::{Reduction, SlidingSamples, mark_sliding, rest_speed, sliding_mask};

use super::{
    Estimate, EstimateCovariance, Identifiability, IdentificationResult, ResidualSeries, ResultTable, Score, Severity,
};
use super::{ForceTerm, PreparedMotion};
use crate::NumericsError;
use crate::fit::{InformationCriteria, Loss};
use crate::linalg::{dot, norm};
use crate::number::{interval, round, short};
use crate::{Error, Spec};
use held_fit::{HeldFit, half_width, hold_unseen};

/// Options of the identification of sliding friction.
#[derive(Clone, Debug, PartialEq)]
pub struct SlidingOptions {
    /// The law; without one, the best of several is chosen.
    pub curve: Option<SlidingLaw>,
    /// Whether the directions have separate parameters; without a value both are tried, if the law is chosen as well.
    pub asymmetric: Option<bool>,
    /// Whether a constant force is estimated.
    pub offset: bool,
    /// Whether the delay between force and motion is estimated, beyond that of the preparation.
    pub delay: bool,
    /// Reduction of the samples.
    pub reduction: Reduction,
    /// Speed below which the body counts as resting \[m/s\]; by default from the noise.
    pub rest_speed: Option<f64>,
    /// Options of the regression.
    pub how: RegressionOptions,
    /// Cross-validation scheme.
    pub cross_validation: CrossValidation,
}

impl Default for SlidingOptions {
    fn default() -> Self {
        Self {
            curve: None,
            asymmetric: None,
            offset: true,
            delay: false,
            reduction: Reduction::Blocks,
            rest_speed: None,
            how: RegressionOptions::default(),
            cross_validation: CrossValidation::LeaveOneRecordOut,
        }
    }
}

/// Identifies sliding friction from records.
///
/// # Errors
/// [`Error::Numerics`] for records with too little sliding.
pub fn identify(prepared: &[PreparedMotion], options: &SlidingOptions) -> Result<IdentificationResult, Error> {
    let mass = prepared.iter().any(|p| p.motion.mass.is_none());
    let samples = usable_samples(prepared, options, mass)?;
    let base = base_model(&samples, options, mass);
    let offset = base.offset && samples.both_directions();
    let constant = RegressionModel { curve: SlidingLaw::Coulomb, offset, ..base };
    let wrong_sign = sign::is_wrong(&samples, &base, &options.how)
        .map_err(|error| identifiability::named(error, &constant, &samples.terms))?;
    let options =
        &SlidingOptions { how: RegressionOptions { unconstrained: wrong_sign, ..options.how }, ..options.clone() };
    let mut result = IdentificationResult::new("sliding", "Sliding friction");
    let curve = options.curve.unwrap_or(base.curve);
    let asked = RegressionModel { curve, asymmetric: options.asymmetric.unwrap_or(false), offset, ..base };
    let mut ranked =
        rank_models(&samples, &base, options).map_err(|error| identifiability::named(error, &asked, &samples.terms))?;
    let aligned = match options.delay {
        true => {
            let model = ranked.candidates[ranked.chosen].fitted.model;
            let samples_of = |prepared: &[PreparedMotion]| usable_samples(prepared, options, mass);
            delay_fit::align(prepared, &samples_of, &model, &options.how)?
        }
        false => None,
    };
    if options.delay && aligned.is_none() {
        result.remark(Severity::Warning, delay_fit::NO_DELAY);
    }
    let (prepared, samples, delay) = match aligned {
        Some(aligned) => {
            ranked = rank_models(&aligned.samples, &base_model(&aligned.samples, options, mass), options)?;
            (&aligned.prepared.clone()[..], aligned.samples, Some(aligned.delay))
        }
        None => (prepared, samples, None),
    };
    let load = spread(&samples.load) > 0.0;
    let Candidate { fitted, validation, information } = &ranked.candidates[ranked.chosen];
    result.title = format!("Sliding friction: {}", fitted.model.title());
    let HeldFit { fitted, intervals: bounds, contradiction } = hold_unseen(fitted, &samples, &options.how)?;
    let samples_of = |prepared: &[PreparedMotion]| usable_samples(prepared, options, mass);
    let bounds = &differentiation_error::widened(bounds, &fitted, prepared, &samples_of, &options.how);
    let fitted = &fitted;
    if let Some(text) = contradiction {
        result.remark(Severity::Warning, text.clone());
    }
    let mean = if load { samples.load.iter().sum::<f64>() / samples.len() as f64 } else { 0.0 };
    result.law = if wrong_sign { None } else { law(fitted, mean)? };
    let is_exact = fitted.residual.iter().all(|r| *r == 0.0);
    for (i, name) in fitted.names.iter().enumerate() {
        // what is held has none
        let error = Some(fitted.error(i)).filter(|error| *error > 0.0 || is_exact).unwrap_or(f64::NAN);
        let mut estimate = Estimate::new(name, unit(name), fitted.values[i], error, bounds[i]);
        if name == "offset" || model::TERMS.contains(&name.as_str()) {
            // the relative error of an offset or of another force is meaningless, since it may be zero
            estimate.identifiability = Identifiability::Good;
        } else if fitted.is_held(name) && bounds[i][1].is_finite() {
            estimate = estimate.at_bound(bounds[i]);
        } else {
            // the interval is wider than the standard error says where the curve bends
            estimate.identifiability = Estimate::judge(estimate.value, half_width(bounds[i]).max(estimate.error));
        }
        result.estimates.push(estimate);
    }
    if let Some(mass) = prepared.iter().find_map(|p| p.motion.mass).filter(|_| !mass) {
        result.estimates.push(Estimate::given("mass", unit("mass"), mass));
    }
    scores(&mut result, fitted, (validation.as_ref(), information), &samples);
    if ranked.candidates.len() > 1 {
        result.tables.push(model_selection::table(&ranked.candidates));
    }
    model_selection::remark(&ranked, &mut result);
    result.tables.push(correlations(fitted));
    let (names, matrix) = (fitted.names.clone(), fitted.covariance.matrix.clone());
    result.covariance = Some(EstimateCovariance { names, matrix });
    let right_sign = !wrong_sign && fitted.model.load;
    let told = right_sign && identifiability::level_without_load(&mut result, fitted, &samples);
    identifiability::assess(&mut result, fitted, &samples, told);
    if options.offset && !samples.both_directions() {
        identifiability::one_direction(&mut result);
    }
    identifiability::estimate_lag(&mut result, fitted, &samples, prepared[0].motion.step());
    // a force that no term describes would be taken for a delay
    let repeats = position_force::remark(&mut result, fitted, &samples)
        || usable_samples(prepared, &every_sample(options), mass)
            .is_ok_and(|all| position_force::remark_on_pitch(&mut result, fitted, &all));
    if !repeats && delay.is_none() && prepared.iter().all(|p| p.motion.mass != Some(0.0)) {
        channel_delay::delay(&mut result, fitted, &samples, prepared[0].motion.step());
    }
    if result.law.is_some() {
        unexplained::remarks(&mut result, fitted, &samples, prepared);
    }
    if options.how.loss == Loss::Square {
        identifiability::wild_samples(&mut result, fitted, &samples);
    }
    identifiability::compare_branches(&mut result, fitted, &samples);
    let model = fitted.model(&samples);
    for (name, range) in &samples.records {
        result.residuals.push(ResidualSeries {
            name: name.clone(),
            quantity: "force [N]".to_owned(),
            t: samples.t[range.clone()].to_vec(),
            measured: samples.force[range.clone()].to_vec(),
            model: model[range.clone()].to_vec(),
        });
    }
    result.curves = curves::curves(fitted, &samples, &result.residuals);
    name_terms(&mut result, &samples.terms);
    if let Some(delay) = delay {
        add_delay(&mut result, delay);
    }
    result.remarks.sort_by_key(|remark| remark.severity);
    Ok(result)
}

/// The samples that slide, with their friction levels relative to that at the mean load.
fn usable_samples(prepared: &[PreparedMotion], options: &SlidingOptions, mass: bool) -> Result<SlidingSamples, Error> {
    let mut samples = SlidingSamples::new(prepared, options.reduction, options.rest_speed)?;
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
    if samples.terms.len() > MAX_TERMS {
        let (name, value) = ("number of terms", samples.terms.len() as f64);
        return Err(NumericsError::InvalidValue { name, value, must: "at most 15" }.into());
    }
    let base = base_model(&samples, options, mass);
    if base.load {
        estimate_load_factors(&mut samples, &base, &options.how)?;
    }
    Ok(samples)
}

/// The same options without means over blocks, within which a short pitch passes.
fn every_sample(options: &SlidingOptions) -> SlidingOptions {
    SlidingOptions { reduction: Reduction::Decimate(1), ..options.clone() }
}

/// Coulomb and viscous friction with all that the samples and options add to it.
fn base_model(samples: &SlidingSamples, options: &SlidingOptions, mass: bool) -> RegressionModel {
    RegressionModel {
        curve: SlidingLaw::Viscous,
        asymmetric: false,
        offset: options.offset,
        mass,
        load: spread(&samples.load) > 0.0,
        terms: samples.terms.len(),
    }
}

/// Terms of a record; the delay may be one more.
const MAX_TERMS: usize = model::TERMS.len() - 1;

/// Turns the rest of the delay, which the fit gives, into the delay.
fn add_delay(result: &mut IdentificationResult, delay: f64) {
    for e in result.estimates.iter_mut().filter(|e| e.name == DELAY) {
        "s".clone_into(&mut e.unit);
        e.value += delay;
        e.interval = e.interval.map(|x| x + delay);
    }
}

/// Gives the coefficients of other forces the names that the caller chose.
fn name_terms(result: &mut IdentificationResult, terms: &[ForceTerm]) {
    let rename = |name: &mut String| {
        if let Some(term) = model::TERMS.iter().zip(terms).find_map(|(known, term)| (known == name).then_some(term)) {
            name.clone_from(&term.name);
        }
    };
    result.estimates.iter_mut().for_each(|e| rename(&mut e.name));
    result.covariance.iter_mut().flat_map(|covariance| &mut covariance.names).for_each(rename);
    for table in &mut result.tables {
        table.columns.iter_mut().for_each(rename);
        table.rows.iter_mut().for_each(|(name, _)| rename(name));
    }
}

/// The law of the fit; none if its level at the mean load is negative.
fn law(fitted: &RegressionFit, mean: f64) -> Result<Option<Spec>, Error> {
    let level = |side: &str| {
        let of = |name: &str| fitted.factor(&format!("{side}{name}")).unwrap_or(0.0);
        of("fc") + mean * of("fc.load")
    };
    if level("") < 0.0 || (fitted.model.asymmetric && level("reverse.") < 0.0) {
        return Ok(None);
    }
    fitted.model.spec(&|name| fitted.factor(name), mean).map(Some)
}

fn spread(x: &[f64]) -> f64 {
    let (low, high) = x.iter().fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(*x), high.max(*x)));
    if x.is_empty() { 0.0 } else { high - low }
}

/// Estimates the dependence of friction on the load, so that the Stribeck effect scales with the load as well.
fn estimate_load_factors(
    samples: &mut SlidingSamples,
    base: &RegressionModel,
    how: &RegressionOptions,
) -> Result<(), NumericsError> {
    let fitted = fit_model(base, samples, &RegressionOptions { white_noise: true, ..*how })?;
    let (level, slope) = (fitted.get("fc").unwrap_or(1.0), fitted.get("fc.load").unwrap_or(0.0));
    let mean = samples.load.iter().sum::<f64>() / samples.len() as f64;
    let there = level + slope * mean;
    if there > 0.0 {
        samples.load_factor = samples.load.iter().map(|load| ((level + slope * load) / there).max(0.0)).collect();
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
    result: &mut IdentificationResult,
    fitted: &RegressionFit,
    (validation, information): (Option<&ValidationError>, &InformationCriteria),
    samples: &SlidingSamples,
) {
    let n = samples.len() as f64;
    let rms = norm(&fitted.residual) / n.sqrt();
    let mean = samples.force.iter().sum::<f64>() / n;
    let spread = dot(&samples.force, &samples.force) - n * mean * mean;
    let explained = 1.0 - dot(&fitted.residual, &fitted.residual) / spread;
    if explained < 0.8 {
        let part = short(round(100.0 * explained.max(0.0), 2));
        let text = format!(
            "only {part} % of the variance of the force is explained: a force that depends on position (gravity, a spring: --term, or --known if its size is known) or memory may be missing"
        );
        result.remark(Severity::Critical, text);
    }
    if let Some(worse) = validation.map(|validation| validation.rms / rms).filter(|worse| *worse > 2.0) {
        let text = format!(
            "the data left out are predicted {} times worse than the fitted data: parts of the data do not agree (other masses or loads?)",
            short(round(worse, 2))
        );
        result.remark(Severity::Critical, text);
    }
    let mut add =
        |key: &str, title: &str, value: f64, unit: &str| result.scores.push(Score::new(key, title, value, unit));
    // some rows at the ends of records are not in a full block
    let used = (samples.resting + samples.saturated) as f64 + n;
    let rows = (samples.total as f64 / used).round();
    let title = if rows > 1.0 {
        format!("samples that slide, each of about {} rows", short(rows))
    } else {
        "samples that slide".to_owned()
    };
    add("samples", &title, n, "");
    if samples.saturated > 0 {
        add("saturated", "samples left out, since their force was cut off", samples.saturated as f64, "");
    }
    add("rms", "root mean square of the residual", rms, "N");
    add("relative", "residual over force", fitted.relative, "");
    add("explained", "share of the variance explained", explained, "");
    if let Some(validation) = validation {
        add("validation", "root mean square on what was left out", validation.rms, "N");
    }
    add("aic", "Akaike's criterion", information.aic, "");
    add("bic", "Schwarz's criterion", information.bic_effective, "");
    add("condition", "condition of the terms", fitted.condition, "");
    let slow = samples.resting as f64 / used;
    if slow > 0.0 {
        let speeds = interval(samples.speed_range(), 3);
        let part = short(round(100.0 * slow, 2));
        let text = format!(
            "{part} % of the samples are at rest or near a reversal and were left out; the others slide at {speeds} m/s"
        );
        result.remark(Severity::Info, text);
    }
}

/// Correlations of the estimates.
fn correlations(fitted: &RegressionFit) -> ResultTable {
    let n = fitted.names.len();
    let matrix = fitted.covariance.correlation();
    ResultTable {
        key: "correlation".to_owned(),
        title: "Correlation of the estimates".to_owned(),
        columns: [String::new()].into_iter().chain(fitted.names.iter().cloned()).collect(),
        rows: (0..n).map(|i| (fitted.names[i].clone(), matrix[i * n..(i + 1) * n].to_vec())).collect(),
    }
}
