//! Result of a fit of a scenario.

use super::bound_record::{BoundRecord, SimulatedRecord};
use crate::fit::Fit;
use crate::identify::result::{TimeComparison, goodness_of_fit};
use crate::identify::{Estimate, Identifiability, IdentificationResult, ResidualSeries, ResultTable, Severity};
use crate::scenario::IdentificationTask;

/// Records with a figure.
const MAX_FIGURES: usize = 8;

pub(super) fn residuals(
    identify: &IdentificationTask,
    bounds: &[BoundRecord<'_>],
    outcomes: &[SimulatedRecord],
) -> Vec<ResidualSeries> {
    let mut out = Vec::new();
    for (bound, outcome) in bounds.iter().zip(outcomes) {
        let pairs = outcome.model.iter().zip(&outcome.measured);
        for (((name, _), unit), (model, measured)) in identify.matches.iter().zip(&outcome.units).zip(pairs) {
            let (model, measured, t) = (model.clone(), measured.clone(), bound.t.clone());
            out.push(ResidualSeries {
                name: bound.log.name.clone(),
                quantity: format!("{name} [{unit}]"),
                t,
                measured,
                model,
            });
        }
    }
    out
}

pub(super) fn summarise(
    identify: &IdentificationTask,
    bounds: &[BoundRecord<'_>],
    last: &[SimulatedRecord],
    fit: &Fit,
    level: f64,
) -> IdentificationResult {
    let mut result = IdentificationResult::new("plant", "scenario fitted to records of what it does");
    let errors = fit.standard_errors();
    for (j, name) in fit.names.iter().enumerate() {
        let mut e = Estimate::new(name, "", fit.values[j], errors[j], fit.interval(j, level));
        if fit.bound[j] {
            e = e.at_bound();
        }
        result.estimates.push(e);
    }
    result.residuals = residuals(identify, bounds, last);
    result.curves = TimeComparison::of_records(&result.residuals, MAX_FIGURES);
    let free = fit.bound.iter().filter(|bound| !**bound).count();
    result.scores = goodness_of_fit(&result.residuals, free, "");
    let row = |r: &ResidualSeries| {
        let n = r.t.len().max(1) as f64;
        let mae = r.residuals().map(f64::abs).sum::<f64>() / n;
        let rms = (r.residuals().map(|x| x * x).sum::<f64>() / n).sqrt();
        (format!("{}: {}", r.name, r.quantity), vec![mae, rms])
    };
    let columns = ["record", "mean absolute error", "root of the mean square"].map(str::to_owned).to_vec();
    let rows = result.residuals.iter().map(row).collect();
    result.tables.push(ResultTable { key: "records".to_owned(), title: "Records".to_owned(), columns, rows });
    if !fit.reason.converged() {
        result.remark(Severity::Warning, format!("the fit did not converge: {}", fit.reason.text()));
    }
    for e in result.estimates.clone() {
        match e.identifiability {
            Identifiability::AtBound if e.value == 0.0 => {
                result.remark(Severity::Info, format!("{} = 0 fits best: these records show no effect of it", e.name));
            }
            Identifiability::AtBound => result.remark(
                Severity::Warning,
                format!("{} ended at its bound: widen the bound, or fix the parameter", e.name),
            ),
            Identifiability::Unidentifiable => {
                result.remark(Severity::Critical, format!("{} is not known from these records", e.name))
            }
            _ => {}
        }
    }
    for direction in &fit.identifiability(0.5).unidentifiable {
        let names: Vec<&str> = direction.terms.iter().map(|(name, _)| name.as_str()).collect();
        if names.len() > 1 {
            let text = format!("only together are {} known: hold one of them", names.join(", "));
            result.remark(Severity::Critical, text);
            for e in result.estimates.iter_mut().filter(|e| names.contains(&e.name.as_str())) {
                *e = e.clone().unidentifiable();
            }
        }
    }
    result.remarks.sort_by_key(|remark| remark.severity);
    result
}
