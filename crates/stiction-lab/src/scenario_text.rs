//! Scenarios that the browser sends as text: checked while they are written, and stored to be run.
use crate::error::Refusal;
use axum::http::StatusCode;
use serde_json::{Value, json};
use std::path::Path;
use stiction::scenario::{Scenario, Template};

/// Longest text of a scenario.
pub const MAX_TEXT: usize = 1 << 20;
/// Most columns that an answer names: a chain has millions.
const MAX_NAMED: usize = 1000;
/// The name under which messages speak of it.
const NAME: &str = "scenario.toml";
const NO_CHANGES: &[&str] = &[];

/// A text whose TOML is read as the scenario itself does it, and that names no file but those of the folder, by their plain names.
pub struct CheckedText {
    text: String,
}

impl CheckedText {
    /// Takes a text from the browser, or says why not. A file is judged by its name alone, whether it exists or not.
    pub fn new(text: String) -> Result<Self, Refusal> {
        if text.len() > MAX_TEXT {
            return Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "the scenario is longer than 1 MB"));
        }
        let template = Template::parse(&text, Path::new(NAME), NO_CHANGES).map_err(|error| Refusal::from(&error))?;
        if let Some(path) = template.named_files().into_iter().find(|name| !is_plain(name)) {
            return Err(Refusal::new(StatusCode::FORBIDDEN, format!("the lab does not open '{path}'")).hint(
                "drop the file on the page of log files, and write its name without a folder; 'stiction run' opens files anywhere",
            ));
        }
        Ok(Self { text })
    }
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// What a scenario is, or what is wrong with it and where.
pub fn check(text: String, folder: &Path) -> Value {
    let checked = match CheckedText::new(text) {
        Ok(checked) => checked,
        Err(refusal) => return refusal.json(),
    };
    let text = checked.as_str();
    let found = Scenario::parse(text, &folder.join(NAME), NO_CHANGES).and_then(|scenario| {
        let simulation = scenario.simulation()?;
        let columns = simulation.columns();
        let named: Vec<Value> =
            columns.iter().take(MAX_NAMED).map(|c| json!({ "name": c.name, "unit": c.unit })).collect();
        Ok(json!({
            "title": scenario.title, "notes": scenario.notes, "columns": named, "count": columns.len(), "end": scenario.options.end,
            "links": links(text),
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

/// Whether a name is that of a file of the folder that is no file of the lab itself: no folder in it, and no point in front.
pub fn is_plain(name: &str) -> bool {
    !name.starts_with('.')
        && !name.contains(['/', '\\', ':'])
        && Path::new(name).file_name().is_some_and(|last| last == name)
}

#[cfg(test)]
mod tests {
    use super::CheckedText;

    fn taken(text: &str) -> bool {
        CheckedText::new(text.to_owned()).is_ok()
    }

    /// Also in a text that other readers of TOML refuse: a whole number above 2⁶³.
    #[test]
    fn files_elsewhere_are_refused_in_every_form() {
        let force = |name: &str| format!("[force.f]\non = \"b\"\nforce = {{ table = {{ file = '{name}' }} }}\n");
        let large = "[body.b]\nmass = 10000000000000000000\n";
        for name in [
            "/etc/passwd",
            "/etc/nothing-of-the-kind",
            "../x",
            "a/b.csv",
            "..",
            ".lock",
            "",
            "C:x",
            "a\\b",
            "/dev/stdin",
        ] {
            assert!(!taken(&force(name)), "{name}");
            assert!(!taken(&format!("{large}{}", force(name))), "{name}");
            assert!(name.contains(['/', '\\']) <= !taken(&format!("[contact.c]\nlaw = '{name}'\n")), "{name}");
        }
        assert!(taken(&format!("{large}{}", force("log.csv"))));
        assert!(taken("title = \"/\"\n[contact.c]\nlaw = \"mine.toml\"\n"));
        assert!(!taken("mass = \n"), "what cannot be read is not taken");
    }
}
