//! A fitted scenario on records that it was not fitted to.
use super::bound_record::BoundRecord;
use super::fit::{outcomes, sections};
use super::log::PlantLog;
use super::summary::{record_errors, remark_on_unused, residuals};
use super::{PlantFit, PlantOptions};
use crate::identify::result::{TimeComparison, goodness_of_fit};
use crate::identify::{Estimate, IdentificationResult, Remark, ResidualSeries, ResultTable, Score, Severity};
use crate::number::{round, short};
use crate::scenario::{IdentificationTask, Template};
use crate::{Error, NumericsError};

/// Key of the result of [`check`].
pub const CHECK: &str = "plant-check";
/// Records with a figure.
const MAX_FIGURES: usize = 8;

/// Validates a scenario with these values of its free parameters on records that were not fitted: residuals, and the mean
/// absolute error of each record.
///
/// # Errors
/// As [`super::fit()`].
pub fn validate(
    template: &Template,
    logs: &[PlantLog],
    values: &[f64],
    options: &PlantOptions,
) -> Result<(Vec<ResidualSeries>, Vec<Score>), Error> {
    let residuals = simulated(template, logs, values, options)?.residuals;
    let score = |r: &ResidualSeries| {
        let mean = r.residuals().map(f64::abs).sum::<f64>() / r.t.len().max(1) as f64;
        Score::new("mae", &r.name, mean, "")
    };
    let scores = residuals.iter().map(score).collect();
    Ok((residuals, scores))
}

/// Adds to a fit how well it predicts records that it was not fitted to: the mean absolute error of each, and the mean of these.
///
/// # Errors
/// As [`super::fit()`].
pub fn judge(
    fitted: &mut PlantFit,
    template: &Template,
    others: &[PlantLog],
    options: &PlantOptions,
) -> Result<(), Error> {
    let (_, scores) = validate(template, others, &fitted.fit.values, options)?;
    let mean = scores.iter().map(|s| s.value).sum::<f64>() / scores.len().max(1) as f64;
    let what = "mean absolute error on validation records";
    fitted.result.remark(Severity::Good, format!("{what}: {}", short(round(mean, 4))));
    fitted.result.scores.push(Score::new("judged", what, mean, ""));
    fitted.result.tables.push(ResultTable {
        key: "judged".to_owned(),
        title: "Validation records".to_owned(),
        columns: ["record", "mean absolute error"].map(str::to_owned).to_vec(),
        rows: scores.into_iter().map(|s| (s.title, vec![s.value])).collect(),
    });
    Ok(())
}

/// How well a scenario with these values of its free parameters repeats records, without fitting.
///
/// # Errors
/// As [`super::fit()`].
pub fn check(
    template: &Template,
    logs: &[PlantLog],
    values: &[f64],
    options: &PlantOptions,
) -> Result<IdentificationResult, Error> {
    let Simulated { residuals, names, remarks } = simulated(template, logs, values, options)?;
    let mut out = IdentificationResult::new(CHECK, "scenario with values that were found elsewhere");
    out.estimates = names.iter().zip(values).map(|(name, x)| Estimate::given(name, "", *x)).collect();
    out.scores = goodness_of_fit(&residuals, 0, "");
    // information criteria are meaningless without a fit
    out.scores.retain(|score| !["aic", "bic"].contains(&score.key.as_str()));
    let all = || residuals.iter().flat_map(|r| r.residuals().collect::<Vec<_>>());
    // of each series about its own mean: a simulation that rests at the mean has an error of one
    let spread: f64 = residuals.iter().map(|r| squares_about_mean(&r.measured)).sum();
    let relative = (all().map(|x| x * x).sum::<f64>() / spread).sqrt();
    out.scores.push(Score::new("relative", "error over the deviation of the records", relative, ""));
    let text = format!("the error is {:.1} % of the deviation of the records", 100.0 * relative);
    out.remark(if relative < 0.1 { Severity::Good } else { Severity::Warning }, text);
    out.tables.push(record_errors(&residuals));
    out.remarks.extend(remarks);
    out.curves = TimeComparison::of_records(&residuals, MAX_FIGURES);
    out.residuals = residuals;
    out.remarks.sort_by_key(|remark| remark.severity);
    Ok(out)
}

fn squares_about_mean(x: &[f64]) -> f64 {
    let mean = x.iter().sum::<f64>() / x.len().max(1) as f64;
    x.iter().map(|x| (x - mean) * (x - mean)).sum()
}

/// What a simulation of records gives.
struct Simulated {
    residuals: Vec<ResidualSeries>,
    /// Of the free parameters.
    names: Vec<String>,
    /// On columns that are not used.
    remarks: Vec<Remark>,
}

fn simulated(
    template: &Template,
    logs: &[PlantLog],
    values: &[f64],
    options: &PlantOptions,
) -> Result<Simulated, Error> {
    let (bare, identify): (Template, IdentificationTask) = sections(template)?;
    if logs.is_empty() {
        return Err(NumericsError::TooFew { what: "records", need: 1, have: 0 }.into());
    }
    crate::check::same_length("values of free parameters", values.len(), identify.free.len())?;
    let logs: Vec<PlantLog> = logs.iter().map(|log| log.without_repeated_times(identify.time.as_deref())).collect();
    let bound = |log| BoundRecord::new(&bare, &identify, log, &options.constants, options.rtol);
    let bounds: Vec<BoundRecord<'_>> = logs.iter().map(bound).collect::<Result<_, _>>()?;
    let residuals = residuals(&identify, &bounds, &outcomes(&bounds, values)?);
    let mut unused = IdentificationResult::default();
    remark_on_unused(&mut unused, &bounds)?;
    let names = identify.free.iter().map(|p| p.name.clone()).collect();
    Ok(Simulated { residuals, names, remarks: unused.remarks })
}
