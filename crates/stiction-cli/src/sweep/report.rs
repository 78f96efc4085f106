//! The results of a sweep over all its points.
use serde_json::{Value, json};
use stiction::number::{round, short};
use stiction::sweep::{ResultSummary, Shard, SweepPlan};
use stiction_report::text::table;

/// The results as JSON.
pub fn value(tally: &ResultSummary) -> Value {
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

/// The results as text.
pub fn text(tally: &ResultSummary) -> String {
    let mut rows = vec![["", "points", "least", "largest"].map(str::to_owned)];
    for m in &tally.measures {
        let head = if m.unit.is_empty() { m.name.clone() } else { format!("{} [{}]", m.name, m.unit) };
        let number = |x: f64| if x.is_finite() { short(round(x, 6)) } else { "-".to_owned() };
        rows.push([head, m.count.to_string(), number(m.min), number(m.max)]);
    }
    let mut out = table(&rows, &[1, 2, 3]);
    if tally.failed > 0 {
        out += &format!("\n{} failed\n", count(tally.failed, "point"));
        let rows: Vec<_> = tally.reasons.iter().map(|(reason, n)| [n.to_string(), reason.clone()]).collect();
        out += &table(&rows, &[0]);
    }
    out
}

/// A number of things, with the plural.
pub fn count(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// The varied values on one line.
pub fn head(name: &str, plan: &SweepPlan, shard: Shard) -> String {
    let axes: Vec<String> = plan.axes.iter().map(|axis| format!("{} = {}", axis.name, axis.distribution)).collect();
    let all = count(plan.count(), "point");
    let own = shard.points(plan.count());
    let points = match own.end - own.start {
        part if shard == Shard::WHOLE || part == plan.count() => all,
        part => format!("shard {shard}, {} of {all}", short(part as f64)),
    };
    format!("{name}: {points}, {}, {}\n\n", plan.design, axes.join(", "))
}
