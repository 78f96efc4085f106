//! What `stiction phenomena` prints.
pub mod claims;
pub mod law_report;
pub mod matrix;
pub mod requirements;

use serde_json::{Value, json};
use stiction::analysis::phenomena::published_claims::{claims_about, contradictions, undocumented_phenomena};
use stiction::analysis::phenomena::{ExperimentResult, PhenomenaReport, Verdict};

/// A measured value with three digits.
pub fn figure(result: &ExperimentResult) -> String {
    let short = |x: f64| stiction::number::short(stiction::number::round(x, 3) + 0.0);
    // zero within rounding is zero
    result.value.map_or("-".to_owned(), |x| if x.abs() < 1e-12 { "0".to_owned() } else { short(x) })
}

/// The symbol of a cell of the table.
pub fn mark(result: &ExperimentResult) -> &'static str {
    match (result.verdict, result.value) {
        (Verdict::Yes, _) => "+",
        (Verdict::Open, _) => "o",
        (Verdict::No, Some(_)) => ".",
        (Verdict::No, None) => " ",
    }
}

/// The results of a law as JSON.
pub fn value(report: &PhenomenaReport) -> Value {
    let s = &report.scales;
    let cell = |c: &ExperimentResult| {
        let note = if c.note.is_empty() { Value::Null } else { json!(c.note) };
        (
            c.criterion.key.to_owned(),
            json!({ "shown": c.verdict.name(), "figure": c.value, "threshold": c.criterion.threshold, "note": note }),
        )
    };
    let claim = |c: stiction::analysis::phenomena::published_claims::Claim| json!({ "phenomenon": c.phenomenon.criterion().key, "shows": c.shows, "cite": c.cite, "place": c.place });
    json!({
        "law": report.spec.law().name,
        "phenomena": report.results.iter().map(cell).collect::<serde_json::Map<_, _>>(),
        "scales": { "peak": s.peak, "kinetic": s.kinetic, "speed": s.speed, "length": s.length, "stiffness": s.stiffness, "mass": s.mass() },
        "cost": { "ns": report.cost.ns, "states": report.cost.states, "params": report.cost.params },
        "claims": claims_about(report.spec.law().name).into_iter().map(claim).collect::<Vec<_>>(),
        "differs": contradictions(report).into_iter().map(|d| json!({ "claim": claim(d.claim), "shown": d.result.verdict.name(), "figure": d.result.value })).collect::<Vec<_>>(),
        "unsaid": undocumented_phenomena(report).iter().map(|c| c.criterion.key).collect::<Vec<_>>(),
    })
}
