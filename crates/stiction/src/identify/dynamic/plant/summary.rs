//! Result of a fit of a scenario.

use super::bound_record::{BoundRecord, SimulatedRecord};
use super::contact_law::ContactLaw;
use super::free_parameters::PriorResiduals;
use crate::Error;
use crate::data::audit::extremes;
use crate::fit::{Fit, Parameter};
use crate::identify::result::{TimeComparison, goodness_of_fit};
use crate::identify::{
    Estimate, EstimateCovariance, Identifiability, IdentificationResult, ResidualSeries, ResultTable, Severity,
};
use crate::number::{round, short};
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

/// What a summary needs beside the fit.
pub(super) struct FitReport<'a> {
    pub identify: &'a IdentificationTask,
    /// The parameters as they were fitted: some may be held.
    pub parameters: &'a [Parameter],
    pub priors: &'a PriorResiduals,
    /// Profile-likelihood intervals; empty if there are none.
    pub profiles: &'a [Option<[Option<f64>; 2]>],
    pub level: f64,
}

impl FitReport<'_> {
    /// What the standard error of parameter `j` is compared with: its value, if it has a sign of its own. The zero of a parameter that may
    /// have either sign, as that of a position, is a place like any other: its error is compared with the size of its changes, or else with
    /// what was known of it before, the standard deviation of a uniform distribution within its bounds.
    fn unit(&self, j: usize, value: f64) -> f64 {
        let own = if value == 0.0 { 1.0 } else { value.abs() };
        // the fit gives every parameter a size: that of the scenario counts
        let size = self.identify.free.get(j).and_then(|p| p.size);
        match self.parameters.get(j) {
            Some(p) if p.low < 0.0 && p.high > 0.0 => {
                let before = size.unwrap_or((p.high - p.low) / 12.0_f64.sqrt());
                value.abs().max(before)
            }
            _ => own,
        }
    }
    /// The same of all parameters of a fit.
    pub fn units(&self, fit: &Fit) -> Vec<f64> {
        fit.values.iter().enumerate().map(|(j, x)| self.unit(j, *x)).collect()
    }
}

pub(super) fn summarise(
    report: &FitReport<'_>,
    bounds: &[BoundRecord<'_>],
    last: &[SimulatedRecord],
    (fit, values): (&Fit, &[f64]),
) -> IdentificationResult {
    let FitReport { identify, priors, profiles, level, .. } = *report;
    let mut result = IdentificationResult::new("plant", "scenario fitted to records of what it does");
    let errors = fit.standard_errors();
    for (j, name) in fit.names.iter().enumerate() {
        if report.parameters.get(j).is_some_and(|p| p.low == p.high) {
            result.estimates.push(Estimate::given(name, "", fit.values[j]));
            continue;
        }
        // beyond the bounds of a parameter it has no meaning, as a negative friction
        let [low, high] = report.parameters.get(j).map_or([f64::NEG_INFINITY, f64::INFINITY], |p| [p.low, p.high]);
        let mut interval = fit.interval(j, level).map(|x| x.max(low).min(high));
        if let Some(Some([low, high])) = profiles.get(j) {
            interval = [low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY)];
        }
        let identifiability = Estimate::judge(report.unit(j, fit.values[j]), errors[j]);
        let mut e = Estimate { identifiability, ..Estimate::new(name, "", fit.values[j], errors[j], interval) };
        if let Some(reach) = fit.reach_from_bound(j, level) {
            e = e.at_bound(Estimate::interval_from_bound(fit.values[j], reach, [low, high]));
        }
        result.estimates.push(Estimate { value: values[j], ..e });
    }
    result.covariance = Some(covariance(report.parameters, fit));
    result.residuals = residuals(identify, bounds, last);
    result.curves = TimeComparison::of_records(&result.residuals, MAX_FIGURES);
    let free = fit.bound.iter().filter(|bound| !**bound).count();
    result.scores = goodness_of_fit(&result.residuals, free, "");
    result.tables.push(record_errors(&result.residuals));
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
    remark_on_profiles(&mut result, fit, profiles);
    remark_on_priors(&mut result, fit, priors);
    remark_on_means(&mut result, fit, values);
    for direction in &fit.identifiability_in(&report.units(fit), 0.5).unidentifiable {
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

/// Parameters that are not known and have the mean of what is possible in place of the best value.
fn remark_on_means(result: &mut IdentificationResult, fit: &Fit, values: &[f64]) {
    let names = result.estimates.iter().zip(fit.values.iter().zip(values));
    let moved =
        names.filter(|(e, (best, value))| e.identifiability == Identifiability::Unidentifiable && best != value);
    let brief = |x: &f64| short(round(*x, 3));
    let moved: Vec<String> =
        moved.map(|(e, (best, value))| format!("{} = {} for {}", e.name, brief(value), brief(best))).collect();
    if !moved.is_empty() {
        let text = format!(
            "what is not known has the mean of what records and bounds allow in place of the value that fits best, {}, and the others follow it",
            moved.join(", ")
        );
        result.remark(Severity::Info, text);
    }
}

/// Covariances of the parameters that are not held.
fn covariance(parameters: &[Parameter], fit: &Fit) -> EstimateCovariance {
    let free: Vec<usize> =
        (0..fit.values.len()).filter(|&j| parameters.get(j).is_none_or(|p| p.low < p.high)).collect();
    let names = free.iter().map(|&j| fit.names[j].clone()).collect();
    let matrix = free.iter().flat_map(|&i| free.iter().map(move |&j| fit.covariance.at(i, j))).collect();
    EstimateCovariance { names, matrix }
}

/// The errors of each record.
pub(super) fn record_errors(residuals: &[ResidualSeries]) -> ResultTable {
    let row = |r: &ResidualSeries| {
        let n = r.t.len().max(1) as f64;
        let mae = r.residuals().map(f64::abs).sum::<f64>() / n;
        let rms = (r.residuals().map(|x| x * x).sum::<f64>() / n).sqrt();
        (format!("{}: {}", r.name, r.quantity), vec![mae, rms])
    };
    let columns = ["record", "mean absolute error", "root of the mean square"].map(str::to_owned).to_vec();
    let rows = residuals.iter().map(row).collect();
    ResultTable { key: "records".to_owned(), title: "Records".to_owned(), columns, rows }
}

/// The law of the contact whose parameters follow from the fitted ones, if it is one. The motion is a rotation if all matched columns
/// are angles.
pub(super) fn add_laws<'a>(
    result: &mut IdentificationResult,
    laws: Vec<ContactLaw>,
    units: impl Iterator<Item = &'a str>,
) {
    let mut units = units.peekable();
    result.rotational = units.peek().is_some() && units.all(|unit| unit.starts_with("rad"));
    let count = laws.len();
    for ContactLaw { contact, spec, estimates } in laws {
        let row = |e: &Estimate| (e.name.clone(), vec![e.value, e.error, e.interval[0], e.interval[1]]);
        result.tables.push(ResultTable {
            key: format!("law of {contact}"),
            title: format!("Law of the contact {contact}: {}", spec.law().name),
            columns: ["parameter", "value", "std. error", "low", "high"].map(str::to_owned).to_vec(),
            rows: estimates.iter().map(row).collect(),
        });
        if count == 1 {
            result.law = Some(spec);
            result.law_estimates = estimates;
        }
    }
    if count == 0 {
        let text = "no law of a contact has a fitted parameter: what was found stands in the fitted scenario alone";
        result.remark(Severity::Info, text);
    } else if count > 1 {
        let text = "laws of several contacts were fitted: they stand in the fitted scenario, not in a parameter file";
        result.remark(Severity::Info, text);
    }
    result.remarks.sort_by_key(|remark| remark.severity);
}

/// What the profile likelihood leaves open.
fn remark_on_profiles(result: &mut IdentificationResult, fit: &Fit, profiles: &[Option<[Option<f64>; 2]>]) {
    for (name, profile) in fit.names.iter().zip(profiles) {
        let open = match profile {
            Some([None, None]) => "neither a lower nor an upper bound",
            Some([None, Some(_)]) => "no lower bound",
            Some([Some(_), None]) => "no upper bound",
            _ => continue,
        };
        result.remark(Severity::Warning, format!("the records give {open} of {name} within its range"));
    }
}

/// Share of the deviation of prior knowledge above which the records have told little.
const LITTLE_TOLD: f64 = 0.7;
/// Distance from prior knowledge, in its standard deviations, that is a contradiction: one in 400 by chance.
const CONTRADICTION: f64 = 3.0;

/// Which parameters are known from elsewhere rather than from the records, and which contradict what was known.
fn remark_on_priors(result: &mut IdentificationResult, fit: &Fit, priors: &PriorResiduals) {
    let errors = fit.standard_errors();
    for (j, name) in fit.names.iter().enumerate() {
        let Some(prior) = priors.of(j) else { continue };
        // a prior of a logarithm is relative
        let size = if fit.log[j] { fit.values[j] / prior.mean } else { 1.0 };
        let before = prior.deviation * size;
        let away = if fit.log[j] { prior.mean * (fit.values[j] / prior.mean).ln() } else { fit.values[j] - prior.mean };
        if away.abs() > CONTRADICTION * prior.deviation {
            let text = format!(
                "{name} = {} contradicts what was known of it, {} ± {}",
                short(round(fit.values[j], 4)),
                short(prior.mean),
                short(prior.deviation)
            );
            result.remark(Severity::Warning, text);
        }
        if !fit.bound[j] && errors[j] > LITTLE_TOLD * before {
            let text = format!(
                "these records tell little of {name}: ± {} with them, ± {} before; its value is mostly what was known before",
                short(round(errors[j], 2)),
                short(round(before, 2))
            );
            result.remark(Severity::Warning, text);
            // the interval stays: it is that of what was known before
            for e in
                result.estimates.iter_mut().filter(|e| e.name == *name && e.identifiability != Identifiability::AtBound)
            {
                e.identifiability = Identifiability::Unidentifiable;
            }
        }
    }
}

/// Tells forces that drive the scenario and stay at their largest value, as those do that a sensor cut off. Such an input is wrong there, and
/// no sample alone can be left out, because the motion depends on all that came before.
pub(super) fn remark_on_limits(
    result: &mut IdentificationResult,
    bounds: &[BoundRecord<'_>],
    q: &[f64],
) -> Result<(), Error> {
    for bound in bounds {
        for (path, values) in bound.forces(q)? {
            let limits = extremes(&values).into_iter().flatten().filter(|end| end.saturated && end.gradual);
            for end in limits {
                let text = format!(
                    "{}: the input {path} stays at {} in {} of {} rows: if a sensor or the log cut it off there, it is a wrong input, and what is \
                     fitted to this record is wrong as well; if the drive was at its limit, it is right",
                    bound.log.name,
                    short(round(end.value, 4)),
                    end.count,
                    values.len()
                );
                result.remark(Severity::Warning, text);
            }
        }
    }
    result.remarks.sort_by_key(|remark| remark.severity);
    Ok(())
}

/// Names the columns of the records that no expression uses. One that switches between two values is likely to matter.
pub(super) fn remark_on_unused(result: &mut IdentificationResult, bounds: &[BoundRecord<'_>]) -> Result<(), Error> {
    let (mut plain, mut switching): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for bound in bounds {
        for (name, values) in bound.unused_columns()? {
            let first = values.first().copied().unwrap_or(0.0);
            let other = values.iter().copied().find(|x| *x != first);
            let switches = other.is_some_and(|other| values.iter().all(|x| *x == first || *x == other));
            let list = if switches { &mut switching } else { &mut plain };
            if !list.contains(&name.as_str()) {
                list.push(name);
            }
        }
    }
    plain.retain(|name| !switching.contains(name));
    if !switching.is_empty() {
        let text = format!(
            "the scenario does not use {}, which switches between two values in these records: should it enable something?",
            switching.join(", ")
        );
        result.remark(Severity::Warning, text);
    }
    if !plain.is_empty() {
        result.remark(Severity::Info, format!("columns that the scenario does not use: {}", plain.join(", ")));
    }
    result.remarks.sort_by_key(|remark| remark.severity);
    Ok(())
}
