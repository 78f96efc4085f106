//! What a fit through a plant tells.
use super::super::score::scores;
use super::bind::{Bound, Outcome};
use crate::fit::Fit;
use crate::identify::{Estimate, Finding, Known, Residual, Tabular, Tone};
use crate::scenario::Identify;

pub(super) fn residuals(identify: &Identify, bounds: &[Bound<'_>], outcomes: &[Outcome]) -> Vec<Residual> {
    let mut out = Vec::new();
    for (bound, outcome) in bounds.iter().zip(outcomes) {
        let pairs = outcome.model.iter().zip(&outcome.measured);
        for (((name, _), unit), (model, measured)) in identify.matches.iter().zip(&outcome.units).zip(pairs) {
            let (model, measured, t) = (model.clone(), measured.clone(), bound.t.clone());
            out.push(Residual { name: bound.log.name.clone(), what: format!("{name} [{unit}]"), t, measured, model });
        }
    }
    out
}

pub(super) fn report(identify: &Identify, bounds: &[Bound<'_>], last: &[Outcome], fit: &Fit, level: f64) -> Finding {
    let mut finding = Finding::new("plant", "scenario fitted to records of what it does");
    let errors = fit.errors();
    for (j, name) in fit.names.iter().enumerate() {
        let mut e = Estimate::found(name, "", fit.values[j], errors[j], fit.interval(j, level));
        if fit.bound[j] {
            e = e.held();
        }
        finding.estimates.push(e);
    }
    finding.residuals = residuals(identify, bounds, last);
    let free = fit.bound.iter().filter(|bound| !**bound).count();
    finding.scores = scores(&finding.residuals, free, "");
    let row = |r: &Residual| {
        let n = r.t.len().max(1) as f64;
        let mae = r.rest().map(f64::abs).sum::<f64>() / n;
        let rms = (r.rest().map(|x| x * x).sum::<f64>() / n).sqrt();
        (format!("{}: {}", r.name, r.what), vec![mae, rms])
    };
    let heads = ["record", "mean absolute error", "root of the mean square"].map(str::to_owned).to_vec();
    let rows = finding.residuals.iter().map(row).collect();
    finding.tables.push(Tabular { key: "records".to_owned(), title: "Records".to_owned(), heads, rows });
    if !fit.reason.converged() {
        finding.remark(Tone::Doubt, format!("the fit did not arrive: {}", fit.reason.text()));
    }
    for e in finding.estimates.clone() {
        match e.known {
            Known::Bound if e.value == 0.0 => {
                finding.remark(Tone::Plain, format!("{} = 0 fits best: these records show nothing of it", e.name));
            }
            Known::Bound => finding.remark(Tone::Doubt, format!("{} ended at its bound: widen it, or hold it", e.name)),
            Known::Not => finding.remark(Tone::Bad, format!("{} is not known from these records", e.name)),
            _ => {}
        }
    }
    let verdict = fit.verdict(0.5);
    for direction in &verdict.unknown {
        let names: Vec<&str> = direction.terms.iter().map(|(name, _)| name.as_str()).collect();
        if names.len() > 1 {
            let text = format!("only together are {} known: hold one of them", names.join(", "));
            finding.remark(Tone::Bad, text);
            for e in finding.estimates.iter_mut().filter(|e| names.contains(&e.name.as_str())) {
                *e = e.clone().open();
            }
        }
    }
    finding.remarks.sort_by_key(|remark| remark.tone);
    finding
}
