//! An audit as JSON.
use serde_json::{Map, Value, json};
use stiction::data::DataFile;
use stiction::data::audit::delay::Delay;
use stiction::data::audit::{Audit, CellCount, Extreme, SignalAudit, TimeAudit};

/// A delay between two columns, and the time of a sample with its unit.
pub struct DelayEstimate {
    pub between: (String, String),
    pub found: Delay,
    pub step: Option<(f64, Option<String>)>,
}

/// All results of an audit.
pub fn report(table: &DataFile, audit: &Audit, lag: Option<&DelayEstimate>, cut: bool) -> Value {
    let columns: Vec<Value> = table
        .fields()
        .iter()
        .map(|f| json!({ "name": f.name, "unit": f.unit, "rows": f.rows, "text": f.text.is_some() }))
        .collect();
    let constants: Map<String, Value> = table.constants().iter().map(|c| (c.name.clone(), json!(c.value))).collect();
    json!({
        "file": table.name(),
        "format": table.format().to_string(),
        "columns": columns,
        "constants": constants,
        "rows": audit.rows,
        "cut": cut,
        "time": audit.time.as_ref().map(time),
        "signals": audit.signals.iter().map(signal).collect::<Vec<_>>(),
        "delay": lag.map(delay),
    })
}

fn delay(lag: &DelayEstimate) -> Value {
    let DelayEstimate { between: (a, b), found, step } = lag;
    json!({
        "first": a,
        "second": b,
        "samples": found.samples,
        "time": step.as_ref().map(|(step, _)| step * found.samples),
        "correlation": found.correlation,
    })
}

fn cells(cells: &CellCount) -> Value {
    let (row, line) = cells.first.map_or((None, None), |(row, line)| (Some(row), line));
    json!({ "count": cells.count, "first_row": row, "first_line": line })
}

fn time(time: &TimeAudit) -> Value {
    let step = &time.step;
    json!({
        "column": time.name,
        "unit": time.unit,
        "span": time.span,
        "step": {
            "median": step.median, "mean": step.mean, "p5": step.p5, "p95": step.p95,
            "min": if step.range[0].is_finite() { json!(step.range[0]) } else { Value::Null }, "max": step.range[1],
        },
        "uniform": time.uniform,
        "gaps": { "count": time.gaps.count, "longest": time.gaps.longest, "row": time.gaps.row },
        "repeated": cells(&time.repeated),
        "backwards": cells(&time.backwards),
        "missing": cells(&time.missing),
    })
}

fn signal(signal: &SignalAudit) -> Value {
    let end =
        |e: Extreme| json!({ "value": e.value, "count": e.count, "longest": e.longest, "saturated": e.saturated });
    let [low, high] = signal.extremes.map_or([Value::Null, Value::Null], |ends| ends.map(end));
    json!({
        "name": signal.name,
        "unit": signal.unit,
        "missing": cells(&signal.missing),
        "infinite": cells(&signal.infinite),
        "min": low,
        "max": high,
        "mean": signal.mean,
        "deviation": signal.deviation,
        "constant": signal.constant(),
        "quantum": signal.resolution,
        "rising": signal.increasing,
    })
}
