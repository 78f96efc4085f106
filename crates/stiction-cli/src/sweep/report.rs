//! What a sweep found, over all its points.
use crate::text::table;
use serde_json::{Value, json};
use stiction::number::{round, short};
use stiction::sweep::{Plan, Tally};

/// In JSON.
pub fn value(tally: &Tally) -> Value {
    let number = |x: f64| x.is_finite().then_some(x);
    let measures: Vec<Value> = tally
        .measures
        .iter()
        .map(|m| {
            json!({ "name": m.name, "unit": m.unit, "points": m.count, "min": number(m.min), "max": number(m.max) })
        })
        .collect();
    let reasons: Vec<Value> =
        tally.reasons.iter().map(|(reason, count)| json!({ "reason": reason, "points": count })).collect();
    json!({ "points": tally.points, "failed": tally.failed, "reasons": reasons, "measures": measures })
}

/// To read.
pub fn text(tally: &Tally) -> String {
    let mut rows = vec![["", "points", "least", "largest"].map(str::to_owned)];
    for m in &tally.measures {
        let head = if m.unit.is_empty() { m.name.clone() } else { format!("{} [{}]", m.name, m.unit) };
        let number = |x: f64| if x.is_finite() { short(round(x, 6)) } else { "-".to_owned() };
        rows.push([head, m.count.to_string(), number(m.min), number(m.max)]);
    }
    let mut out = table(&rows, &[1, 2, 3]);
    if tally.failed > 0 {
        let points = |n: u64| if n == 1 { "1 point".to_owned() } else { format!("{n} points") };
        out += &format!("\n{} failed\n", points(tally.failed));
        let rows: Vec<_> = tally.reasons.iter().map(|(reason, n)| [n.to_string(), reason.clone()]).collect();
        out += &table(&rows, &[0]);
    }
    out
}

/// What varies, on one line.
pub fn head(name: &str, plan: &Plan) -> String {
    let axes: Vec<String> = plan.axes.iter().map(|axis| format!("{} = {}", axis.name, axis.spread)).collect();
    format!("{name}: {} points, {}, {}\n\n", plan.count(), plan.design, axes.join(", "))
}
