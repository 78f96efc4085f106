//! A report as JSON.
use serde_json::{Map, Value, json};
use stiction::ParameterGroup;
use stiction::identify::report::IdentificationReport;
use stiction::identify::{Identifiability, IdentificationResult, Remark, Severity};

/// Everything except pictures and residuals.
pub fn report(report: &IdentificationReport) -> Value {
    json!({
        "stiction": report.version,
        "command": report.command,
        "data": report.inputs.iter().map(|input| json!({
            "file": input.name, "rows": input.rows, "sha256": input.sha256,
        })).collect::<Vec<_>>(),
        "remarks": remarks(&report.remarks),
        "findings": report.results.iter().map(result).collect::<Vec<_>>(),
    })
}

fn remarks(list: &[Remark]) -> Vec<Value> {
    let tone = |tone| match tone {
        Severity::Info => "plain",
        Severity::Good => "good",
        Severity::Warning => "doubt",
        Severity::Critical => "bad",
    };
    list.iter().map(|remark| json!({ "tone": tone(remark.severity), "text": remark.text })).collect()
}

fn result(result: &IdentificationResult) -> Value {
    let estimates: Map<String, Value> = result
        .estimates
        .iter()
        .map(|e| {
            let known = match e.identifiability {
                Identifiability::Good => "well",
                Identifiability::Weak => "loosely",
                Identifiability::Unidentifiable => "not",
                Identifiability::Given => "given",
                Identifiability::Held => "held",
                Identifiability::AtBound => "bound",
            };
            let value = json!({
                "value": e.value, "unit": e.unit, "error": e.error, "interval": e.interval, "known": known,
            });
            (e.name.clone(), value)
        })
        .collect();
    let scores: Map<String, Value> = result.scores.iter().map(|s| (s.key.clone(), json!(s.value))).collect();
    let law = result.law.as_ref().map(|spec| {
        let mut values = Map::new();
        for part in ParameterGroup::ALL {
            values.extend(spec.rows(part).iter().map(|(p, x)| (part.key(p.name), json!(x))));
        }
        json!({ "name": spec.law().name, "parameters": values })
    });
    let tables: Map<String, Value> = result
        .tables
        .iter()
        .map(|t| {
            let rows: Vec<Value> = t.rows.iter().map(|(name, x)| json!({ "name": name, "values": x })).collect();
            (t.key.clone(), json!({ "title": t.title, "columns": t.columns, "rows": rows }))
        })
        .collect();
    json!({
        "find": result.key,
        "title": result.title,
        "law": law,
        "estimates": estimates,
        "scores": scores,
        "remarks": remarks(&result.remarks),
        "tables": tables,
    })
}
