//! What a parameter file says about the device its values belong to.
//!
//! ```toml
//! [device]
//! title = "Dynamixel MX-64 servo"
//! source = "https://github.com/Rhoban/bam at 1b5a1ce"
//! licence = "Apache-2.0"
//! cite = ["Duclusaud2025"]                       # keys in docs/references.bib
//! published = "model M1, bam/params/mx64/m1.json"  # values of others; without it they are those of [identified]
//! turns = true                                    # rotation: rad and N·m
//! not_known = ["the static level"]
//! [device.conditions]
//! temperature = "not stated"
//! load = "a pendulum"
//! speed = "not stated"
//! ```
use crate::Error;
use crate::toml_text::{key as quoted, multiline_string};
use crate::toml_tree::{SourceLocation, TomlEntry, TomlNode, TomlTable, unknown};

/// The device that values belong to, and where they come from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeviceRecord {
    /// What it is, in one line.
    pub title: String,
    /// Where record or table are to be had.
    pub source: String,
    /// The licence of record or table.
    pub licence: String,
    /// Keys of the sources in the list of references.
    pub cite: Vec<String>,
    /// The table that the values are from, if others published them; else they were identified from a record.
    pub published: Option<String>,
    /// Whether the motion is a rotation, with units rad and N·m.
    pub turns: Option<bool>,
    /// What the values do not tell.
    pub not_known: Vec<String>,
    /// The conditions of the measurement, by name.
    pub conditions: Vec<(String, String)>,
}

const KEYS: [&str; 8] = ["title", "source", "licence", "cite", "published", "turns", "not_known", "conditions"];
/// Conditions that every device states, if only as not known.
pub const CONDITIONS: [&str; 3] = ["temperature", "load", "speed"];

impl DeviceRecord {
    pub(crate) fn read(table: &TomlTable, head: &SourceLocation) -> Result<Self, Error> {
        let mut out = Self::default();
        let texts = |node: &TomlNode, key: &str| -> Result<Vec<String>, Error> {
            node.list(key)?.iter().map(|item| item.text(key).map(str::to_owned)).collect()
        };
        for TomlEntry { key, at, node } in &table.0 {
            match key.as_str() {
                "title" => out.title = node.text(key)?.to_owned(),
                "source" => out.source = node.text(key)?.to_owned(),
                "licence" => out.licence = node.text(key)?.to_owned(),
                "cite" => out.cite = texts(node, key)?,
                "published" => out.published = Some(node.text(key)?.to_owned()),
                "turns" => out.turns = Some(node.flag(key)?),
                "not_known" => out.not_known = texts(node, key)?,
                "conditions" => {
                    for TomlEntry { key, node, .. } in &node.table(key)?.0 {
                        out.conditions.push((key.clone(), node.text(key)?.to_owned()));
                    }
                }
                _ => return Err(at.error(unknown(key, KEYS.map(str::to_owned).to_vec()))),
            }
        }
        for (key, text) in [("title", &out.title), ("source", &out.source), ("licence", &out.licence)] {
            if text.trim().is_empty() {
                return Err(head.error(Error::Missing { key }));
            }
        }
        Ok(out)
    }
    pub(crate) fn write(&self, out: &mut String) {
        let list =
            |items: &[String]| items.iter().map(|item| multiline_string(item)).collect::<Vec<_>>().join(",\n    ");
        *out += "[device]\n";
        for (key, text) in [("title", &self.title), ("source", &self.source), ("licence", &self.licence)] {
            *out += &format!("{key} = {}\n", multiline_string(text));
        }
        if let Some(text) = &self.published {
            *out += &format!("published = {}\n", multiline_string(text));
        }
        if let Some(turns) = self.turns {
            *out += &format!("turns = {turns}  # {}\n", if turns { "rad, N·m" } else { "m, N" });
        }
        for (key, items) in [("cite", &self.cite), ("not_known", &self.not_known)] {
            if !items.is_empty() {
                *out += &format!("{key} = [{}]\n", list(items));
            }
        }
        if !self.conditions.is_empty() {
            *out += "\n[device.conditions]\n";
            for (key, text) in &self.conditions {
                *out += &format!("{} = {}\n", quoted(key), multiline_string(text));
            }
        }
        out.push('\n');
    }
}
