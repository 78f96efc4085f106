//! What `stiction phenomena` prints.
pub mod claims;
pub mod law_report;
pub mod matrix;
pub mod requirements;

use serde_json::{Value, json};
use stiction::analysis::phenomena::claims::{differences, of, unsaid};
use stiction::analysis::phenomena::{Cell, Report, Shown};

/// A figure for a reader: three digits.
pub fn figure(cell: &Cell) -> String {
    let short = |x: f64| stiction::number::short(stiction::number::round(x, 3) + 0.0);
    // what is zero but for rounding is zero
    cell.figure.map_or("-".to_owned(), |x| if x.abs() < 1e-12 { "0".to_owned() } else { short(x) })
}

/// A letter for a cell of the table.
pub fn mark(cell: &Cell) -> &'static str {
    match (cell.shown, cell.figure) {
        (Shown::Yes, _) => "+",
        (Shown::Open, _) => "o",
        (Shown::No, Some(_)) => ".",
        (Shown::No, None) => " ",
    }
}

/// A law's outcome as JSON.
pub fn value(report: &Report) -> Value {
    let s = &report.scales;
    let cell = |c: &Cell| {
        let note = if c.note.is_empty() { Value::Null } else { json!(c.note) };
        (
            c.kind.key.to_owned(),
            json!({ "shown": c.shown.name(), "figure": c.figure, "threshold": c.kind.threshold, "note": note }),
        )
    };
    let claim = |c: stiction::analysis::phenomena::claims::Claim| json!({ "phenomenon": c.what.kind().key, "shows": c.shows, "cite": c.cite, "place": c.place });
    json!({
        "law": report.spec.law().name,
        "phenomena": report.cells.iter().map(cell).collect::<serde_json::Map<_, _>>(),
        "scales": { "peak": s.peak, "kinetic": s.kinetic, "speed": s.speed, "length": s.length, "stiffness": s.stiffness, "mass": s.mass() },
        "cost": { "ns": report.cost.ns, "states": report.cost.states, "params": report.cost.params },
        "claims": of(report.spec.law().name).into_iter().map(claim).collect::<Vec<_>>(),
        "differs": differences(report).into_iter().map(|d| json!({ "claim": claim(d.claim), "shown": d.cell.shown.name(), "figure": d.cell.figure })).collect::<Vec<_>>(),
        "unsaid": unsaid(report).iter().map(|c| c.kind.key).collect::<Vec<_>>(),
    })
}
