//! A report as JSON.
use serde_json::{Map, Value, json};
use stiction::ParameterGroup;
use stiction::identify::report::Report;
use stiction::identify::{Finding, Known, Remark, Tone};

/// All of it but pictures and residuals.
pub fn report(report: &Report) -> Value {
    json!({
        "stiction": report.version,
        "command": report.command,
        "data": report.inputs.iter().map(|input| json!({
            "file": input.name, "rows": input.rows, "sha256": input.sha256,
        })).collect::<Vec<_>>(),
        "remarks": remarks(&report.remarks),
        "findings": report.findings.iter().map(finding).collect::<Vec<_>>(),
    })
}

fn remarks(list: &[Remark]) -> Vec<Value> {
    let tone = |tone| match tone {
        Tone::Plain => "plain",
        Tone::Good => "good",
        Tone::Doubt => "doubt",
        Tone::Bad => "bad",
    };
    list.iter().map(|remark| json!({ "tone": tone(remark.tone), "text": remark.text })).collect()
}

fn finding(finding: &Finding) -> Value {
    let estimates: Map<String, Value> = finding
        .estimates
        .iter()
        .map(|e| {
            let known = match e.known {
                Known::Well => "well",
                Known::Loosely => "loosely",
                Known::Not => "not",
                Known::Given => "given",
                Known::Bound => "bound",
            };
            let value = json!({
                "value": e.value, "unit": e.unit, "error": e.error, "interval": e.interval, "known": known,
            });
            (e.name.clone(), value)
        })
        .collect();
    let scores: Map<String, Value> = finding.scores.iter().map(|s| (s.key.clone(), json!(s.value))).collect();
    let law = finding.law.as_ref().map(|spec| {
        let mut values = Map::new();
        for part in ParameterGroup::ALL {
            values.extend(spec.rows(part).iter().map(|(p, x)| (part.key(p.name), json!(x))));
        }
        json!({ "name": spec.law().name, "parameters": values })
    });
    let tables: Map<String, Value> = finding
        .tables
        .iter()
        .map(|t| {
            let rows: Vec<Value> = t.rows.iter().map(|(name, x)| json!({ "name": name, "values": x })).collect();
            (t.key.clone(), json!({ "title": t.title, "columns": t.heads, "rows": rows }))
        })
        .collect();
    json!({
        "find": finding.key,
        "title": finding.title,
        "law": law,
        "estimates": estimates,
        "scores": scores,
        "remarks": remarks(&finding.remarks),
        "tables": tables,
    })
}
