//! One law, with all measured values.
use super::figure;
use crate::phenomena::claims;
use crate::text::{digits, table};
use stiction::analysis::phenomena::PhenomenaReport;
use stiction::units::LawUnits;

/// The page of a law.
pub fn text(report: &PhenomenaReport) -> String {
    let law = report.spec.law();
    let LawUnits { displacement: way, speed, force } = LawUnits::of(law);
    let s = &report.scales;
    let mut out = format!("{}\n\n", law.name);
    let rows: Vec<[String; 4]> = report
        .results
        .iter()
        .map(|result| {
            let note = if result.note.is_empty() { result.criterion.value } else { &result.note };
            [result.criterion.key.to_owned(), result.verdict.name().to_owned(), figure(result), note.to_owned()]
        })
        .collect();
    out += &table(&rows, &[2]);
    out += "\nMeasured scales\n";
    let row = |name: &str, value: f64, unit: &str, own: bool| {
        [
            name.to_owned(),
            format!("{} {unit}", digits(value)),
            if own { "" } else { "assumed: the law has none" }.to_owned(),
        ]
    };
    let mut rows = vec![
        row("largest force before sliding", s.peak, force, true),
        row("least force of sliding", s.kinetic, force, true),
        row("speed", s.speed, speed, s.is_characteristic[0]),
        row("length", s.length, way, s.is_characteristic[1]),
        row("mass of experiments", s.mass(), if way == "rad" { "kg·m²" } else { "kg" }, true),
    ];
    if let Some(stiffness) = s.stiffness {
        rows.push(row("presliding stiffness", stiffness, &format!("{force}/{way}"), true));
    }
    out += &table(&rows, &[]);
    let cost = &report.cost;
    out += &format!(
        "\nCost: {:.0} ns a sample, here and now; memory {}, parameters {}\n",
        cost.ns, cost.states, cost.params
    );
    out + &claims::text(std::slice::from_ref(report))
}
