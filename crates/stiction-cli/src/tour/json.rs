//! The numbers of a tour as JSON.
use super::Tour;
use super::steps::Step;
use super::test_rig::{FORCE, NOMINAL, POSITION, PRESSURE, RECORDS, Sensor};
use super::text::unit;
use crate::identify::json::report;
use serde_json::{Value, json};
use stiction_report::Report;

/// All of them.
pub fn summary(tour: &Tour) -> Value {
    let sensor = |s: &Sensor| json!({ "noise": s.noise, "step": s.step });
    let step = |step: &Step| report(&step.report);
    json!({
        "rig": {
            "scenarios": RECORDS.map(|(name, _)| name),
            "logs": RECORDS.map(|(_, file)| file),
            "sensors": { "position": sensor(&POSITION), "force": sensor(&FORCE), "pressure": sensor(&PRESSURE) },
            "nominal_pressure": NOMINAL,
        },
        "numbers": tour.rows.iter().map(|row| json!({
            "step": row.step, "name": row.name, "unit": unit(&row.found), "true": row.truth, "identified": row.found.value,
            "interval": row.found.interval, "holds": row.holds(),
        })).collect::<Vec<_>>(),
        "held": tour.held(),
        "check": {
            "law": tour.check.score("relative"), "coulomb_viscous": tour.baseline.score("relative"),
        },
        "steps": {
            "breakaway": step(&tour.found.breakaway),
            "presliding": step(&tour.found.presliding),
            "sliding": step(&tour.found.sliding),
            "dynamic": step(&tour.found.dynamic),
            "check": step(&tour.check),
            "baseline": step(&tour.baseline),
        },
        "compensate": { "command": tour.compare.shown(&tour.dir), "found": tour.compared.json() },
        "next": tour.next().iter().map(|(line, _)| line.shown(&tour.dir)).collect::<Vec<_>>(),
    })
}
