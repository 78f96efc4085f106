//! Selection among regression models.
use super::cross_validation::{CrossValidation, ValidationError, cross_validate};
use super::model::{RegressionModel, SlidingLaw};
use super::regression::{RegressionFit, fit_model};
use super::samples::SlidingSamples;
use super::{IdentificationResult, ResultTable, Severity, SlidingOptions};
use crate::NumericsError;
use crate::fit::InformationCriteria;
use crate::linalg::{dot, norm};
use crate::number::{round, short};
use crate::parallel;
use crate::statistics::fisher_f_quantile;

/// Folds in time, where records cannot be left out.
const VALIDATION_BLOCKS: usize = 5;

/// A fitted candidate model.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its fit.
    pub fitted: RegressionFit,
    /// Cross-validation error; none if too few samples remain for the fit.
    pub validation: Option<ValidationError>,
    /// Information criteria.
    pub information: InformationCriteria,
}

/// Candidate models in the order of their validation error.
#[derive(Clone, Debug)]
pub struct Ranking {
    /// The best first.
    pub candidates: Vec<Candidate>,
    /// Index of the chosen model: the one with the fewest parameters that is not significantly worse than the best.
    pub chosen: usize,
    /// Whether Stribeck models were excluded because friction rises with speed.
    pub stribeck_excluded: bool,
}

/// Fits the requested model, or all plausible ones, and ranks them.
///
/// # Errors
/// [`NumericsError`], if no model can be fitted.
pub fn rank_models(
    samples: &SlidingSamples,
    base: &RegressionModel,
    options: &SlidingOptions,
) -> Result<Ranking, NumericsError> {
    let models = models(base, options, samples);
    let all = parallel::map(&models, |model| -> Result<Candidate, NumericsError> {
        let fitted = fit_model(model, samples, &options.how)?;
        // if the fit needs every record, leave out blocks of time instead
        let validation = cross_validate(model, samples, options.cross_validation, &options.how)
            .or_else(|_| cross_validate(model, samples, CrossValidation::Blocks(VALIDATION_BLOCKS), &options.how))
            .ok();
        let information = InformationCriteria::new(&fitted.residual, model.count());
        Ok(Candidate { fitted, validation, information })
    });
    let mut candidates = Vec::new();
    let mut error = None;
    let curve_is_given = options.curve.is_some();
    let mut stribeck_excluded = false;
    for candidate in all {
        match candidate {
            // friction that rises from low speed is not a Stribeck effect
            Ok(Candidate { fitted, .. }) if fitted.drop().is_some_and(|[drop, _]| drop <= 0.0) && !curve_is_given => {
                stribeck_excluded = true
            }
            Ok(candidate) => candidates.push(candidate),
            Err(why) => error = error.or(Some(why)),
        }
    }
    if !curve_is_given {
        let stribeck = |c: &Candidate| !c.fitted.model.is_linear();
        let found = candidates.iter().any(stribeck);
        candidates = without_chance_effects(candidates);
        stribeck_excluded |= found && !candidates.iter().any(stribeck);
    }
    if candidates.is_empty() {
        return Err(error.unwrap_or(NumericsError::TooFew {
            what: "samples that slide",
            need: 16,
            have: samples.len(),
        }));
    }
    // the same effective number of samples for all: that of the best fit, whose residuals are closest to noise
    let size = |c: &Candidate| norm(&c.fitted.residual);
    let best = candidates.iter().min_by(|a, b| size(a).total_cmp(&size(b))).map(|c| c.information.effective);
    for c in &mut candidates {
        let count = best.unwrap_or(c.information.effective);
        c.information.bic_effective = InformationCriteria::schwarz(&c.fitted.residual, c.fitted.model.count(), count);
    }
    // without cross-validation, the Bayesian information criterion decides
    let blind = candidates.iter().any(|c| c.validation.is_none());
    let error = |c: &Candidate| match &c.validation {
        Some(validation) if !blind => validation.rms,
        _ => c.information.bic_effective,
    };
    candidates.sort_by(|a, b| error(a).total_cmp(&error(b)).then(a.fitted.model.count().cmp(&b.fitted.model.count())));
    let chosen = (0..candidates.len())
        .filter(|&k| match (&candidates[0].validation, &candidates[k].validation) {
            (Some(best), Some(this)) if !blind => k == 0 || !best.is_better_than(this),
            _ => k == 0,
        })
        .min_by_key(|&k| (candidates[k].fitted.model.count(), k))
        .unwrap_or(0);
    Ok(Ranking { candidates, chosen, stribeck_excluded })
}

/// Confidence with which a Stribeck effect is taken as seen.
const STRIBECK_CONFIDENCE: f64 = 0.95;
/// Confidence with which the directions are taken as different. Several curves are tried, and each may differ by chance.
const ASYMMETRY_CONFIDENCE: f64 = 0.99;

/// Whether chance explains that a model with `extra` more parameters leaves this fit, and the one without them a sum of squares of
/// `without`: Fisher's test, for noise that is correlated. The correlation inflates variances of these parameters by `inflation`, so that there are
/// as many times fewer independent samples.
pub(super) fn is_chance(with: &RegressionFit, without: f64, extra: usize, inflation: f64, confidence: f64) -> bool {
    let squares = dot(&with.residual, &with.residual);
    let freedom = (with.residual.len() as f64 - with.model.count() as f64).max(1.0);
    let extra = extra.max(1) as f64;
    let quantile = fisher_f_quantile(confidence, extra, (freedom / inflation).max(1.0));
    without - squares <= extra * quantile * inflation * squares / freedom
}

/// The candidates without those that chance explains: with a Stribeck effect, compared with the same model without it, and with separate
/// directions, compared with the same model for both. Where that is not there, because its Stribeck effect has the wrong sign, it is compared
/// with the one for both without a Stribeck effect.
fn without_chance_effects(candidates: Vec<Candidate>) -> Vec<Candidate> {
    let find = |model: RegressionModel| candidates.iter().find(|other| other.fitted.model == model);
    let chance = |c: &Candidate, without: Option<&Candidate>, inflation: f64, confidence: f64| {
        without.is_some_and(|without| {
            let extra = c.fitted.model.count().saturating_sub(without.fitted.model.count());
            let squares = dot(&without.fitted.residual, &without.fitted.residual);
            is_chance(&c.fitted, squares, extra, inflation, confidence)
        })
    };
    let keep = |c: &Candidate| {
        let model = c.fitted.model;
        let most = |of: &dyn Fn(&str) -> bool| {
            let all = c.fitted.names.iter().zip(&c.fitted.inflation);
            all.filter(|(name, _)| of(name)).map(|(_, inflation)| *inflation).fold(1.0, f64::max)
        };
        let straight = RegressionModel { curve: SlidingLaw::Viscous, ..model };
        if !model.is_linear() && chance(c, find(straight), most(&|_| true), STRIBECK_CONFIDENCE) {
            return false;
        }
        let both = |model: RegressionModel| find(RegressionModel { asymmetric: false, ..model });
        let sided = |name: &str| {
            let forward = name.strip_prefix("reverse.").unwrap_or(name);
            c.fitted.names.iter().any(|other| other.strip_prefix("reverse.") == Some(forward))
        };
        let same = both(model).or_else(|| both(straight));
        !(model.asymmetric && chance(c, same, most(&sided), ASYMMETRY_CONFIDENCE))
    };
    let keep: Vec<bool> = candidates.iter().map(keep).collect();
    candidates.into_iter().zip(keep).filter(|(_, keep)| *keep).map(|(c, _)| c).collect()
}

fn models(base: &RegressionModel, options: &SlidingOptions, samples: &SlidingSamples) -> Vec<RegressionModel> {
    let curves = match options.curve {
        Some(curve) => vec![curve],
        None => vec![
            SlidingLaw::Coulomb,
            SlidingLaw::Viscous,
            SlidingLaw::Stribeck(10),
            SlidingLaw::Stribeck(20),
            SlidingLaw::Stribeck(0),
        ],
    };
    let both = samples.both_directions();
    let sides = match (options.asymmetric, options.curve) {
        (Some(asymmetric), _) => vec![asymmetric],
        (None, Some(_)) => vec![false],
        (None, None) => vec![false, true],
    };
    let mut out = Vec::new();
    for &asymmetric in &sides {
        for &curve in &curves {
            // with one direction only, neither asymmetry nor offset is identifiable
            if asymmetric && curve == SlidingLaw::Coulomb && base.offset && options.curve.is_none() {
                // two levels are equivalent to one level and an offset
                continue;
            }
            let model = RegressionModel { curve, asymmetric: asymmetric && both, offset: base.offset && both, ..*base };
            if !out.contains(&model) {
                out.push(model);
            }
        }
    }
    out
}

/// Table of the candidates, the best first.
pub fn table(candidates: &[Candidate]) -> ResultTable {
    let row = |c: &Candidate| {
        let n = c.fitted.residual.len() as f64;
        let validation = c.validation.as_ref().map_or(f64::NAN, |validation| validation.rms);
        let numbers = vec![
            c.fitted.model.count() as f64,
            validation,
            norm(&c.fitted.residual) / n.sqrt(),
            c.information.aic,
            c.information.bic_effective,
        ];
        (c.fitted.model.title(), numbers)
    };
    ResultTable {
        key: "candidates".to_owned(),
        title: "Laws that were tried, best validation first".to_owned(),
        columns: ["law", "parameters", "validation [N]", "rms [N]", "AIC", "BIC"].map(str::to_owned).to_vec(),
        rows: candidates.iter().map(row).collect(),
    }
}

/// Remarks on the choice.
pub fn remark(Ranking { candidates, chosen, stribeck_excluded }: &Ranking, result: &mut IdentificationResult) {
    if *stribeck_excluded {
        result.remark(
            Severity::Info,
            "no Stribeck effect is seen: at low speed the level does not rise above that of fast sliding",
        );
    }
    let chosen = *chosen;
    if candidates.len() < 2 {
        return;
    }
    if candidates.iter().any(|c| c.validation.is_none()) {
        result.remark(
            Severity::Warning,
            "too few samples for cross-validation: the law was chosen by Schwarz's criterion",
        );
        return;
    }
    let best = &candidates[0];
    let title = |c: &Candidate| c.fitted.model.title();
    let rms =
        |c: &Candidate| c.validation.as_ref().map_or_else(String::new, |j| format!("{} N", short(round(j.rms, 4))));
    let text = if chosen == 0 {
        format!("{} predicts best what was left out ({})", title(best), rms(best))
    } else {
        let this = &candidates[chosen];
        format!(
            "{} is the simplest law that predicts as well as the best within the standard error ({} against {} of {})",
            title(this),
            rms(this),
            rms(best),
            title(best)
        )
    };
    result.remark(Severity::Good, text);
}
