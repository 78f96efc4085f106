//! An audit as JSON.
use super::DataReport;
use serde_json::{Map, Value, json};
use stiction::data::audit::{CellCount, Extreme, SignalAudit, TimeAudit};

/// All results of an audit.
pub fn value(report: &DataReport) -> Value {
    let audit = &report.audit;
    let columns: Vec<Value> = report
        .fields
        .iter()
        .map(|f| json!({ "name": f.name, "unit": f.unit, "rows": f.rows, "text": f.text.is_some() }))
        .collect();
    let constants: Map<String, Value> = report.constants.iter().map(|c| (c.name.clone(), json!(c.value))).collect();
    json!({
        "file": report.name,
        "format": report.format,
        "columns": columns,
        "constants": constants,
        "rows": audit.rows,
        "cut": report.read.truncated,
        "time": audit.time.as_ref().map(time),
        "signals": audit.signals.iter().map(signal).collect::<Vec<_>>(),
        "delay": delay(report),
    })
}

fn delay(report: &DataReport) -> Option<Value> {
    let delay = report.delay.as_ref()?;
    Some(json!({
        "first": delay.between.0,
        "second": delay.between.1,
        "samples": delay.found.samples,
        "time": report.audit.time.as_ref().map(|time| time.step.median * delay.found.samples),
        "correlation": delay.found.correlation,
    }))
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
