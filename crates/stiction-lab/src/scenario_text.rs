//! Scenarios that the browser sends as text: checked while they are written, and stored to be run.
use crate::error::Refusal;
use crate::workspace::Workspace;
use axum::http::StatusCode;
use serde_json::{Value, json};
use std::path::Path;
use stiction::scenario::Scenario;

/// Longest text of a scenario.
pub const MAX_TEXT: usize = 1 << 20;
/// The name under which messages speak of it.
const NAME: &str = "scenario.toml";

/// Refuses a text that names a file outside the folder: from the browser no path is taken.
pub fn refuse_paths(text: &str, folder: &Workspace) -> Result<(), Refusal> {
    if text.len() > MAX_TEXT {
        return Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "the scenario is longer than 1 MB"));
    }
    // what is no TOML is told by the check itself
    let Ok(root) = text.parse::<toml::Table>() else { return Ok(()) };
    match outside(&toml::Value::Table(root), folder) {
        None => Ok(()),
        Some(path) => Err(Refusal::new(StatusCode::FORBIDDEN, format!("the lab does not open '{path}'")).hint(
            "drop the file on the page, and write its name without a folder; 'stiction run' opens files anywhere",
        )),
    }
}

fn outside(value: &toml::Value, folder: &Workspace) -> Option<String> {
    match value {
        toml::Value::String(text) => folder.leads_outside(text).then(|| text.clone()),
        toml::Value::Array(list) => list.iter().find_map(|item| outside(item, folder)),
        toml::Value::Table(table) => table.values().find_map(|item| outside(item, folder)),
        _ => None,
    }
}

/// What a scenario is, or what is wrong with it and where.
pub fn check(text: &str, folder: &Workspace) -> Value {
    if let Err(refusal) = refuse_paths(text, folder) {
        return refusal.json();
    }
    let none: [&str; 0] = [];
    let found = Scenario::parse(text, &folder.path().join(NAME), &none).and_then(|scenario| {
        let columns = scenario.simulation()?.columns().iter().map(|c| json!({ "name": c.name, "unit": c.unit })).collect::<Vec<_>>();
        Ok(json!({
            "title": scenario.title, "notes": scenario.notes, "columns": columns, "end": scenario.options.end, "links": links(text),
        }))
    });
    found.unwrap_or_else(|error| Refusal::from(&error).json())
}

/// What joins two bodies, for the moving picture: kind and ends.
fn links(text: &str) -> Vec<Value> {
    let root = text.parse::<toml::Table>().unwrap_or_default();
    let mut links = Vec::new();
    for (kind, parts) in &root {
        for part in parts.as_table().into_iter().flat_map(|table| table.values()) {
            let ends = part.get("between").and_then(toml::Value::as_array).into_iter().flatten();
            let ends: Vec<&str> = ends.filter_map(toml::Value::as_str).collect();
            if let [first, second] = ends[..] {
                links.push(json!({ "kind": kind, "between": [first, second] }));
            }
        }
    }
    links
}

/// Whether a name is that of a file of the folder, without any folder in it.
pub fn is_plain(name: &str) -> bool {
    Path::new(name).file_name().is_some_and(|last| last == name)
}
