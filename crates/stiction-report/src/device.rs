//! A device whose friction is known: values, intervals, conditions and sources.
use crate::Report;
use crate::references::Source;
use crate::text::{command, digits, list, table, wrap};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use stiction::device::Device;
use stiction::identification_record::IdentificationRecord;
use stiction::number::short;
use stiction::units::of_rotation;
use stiction::{DeviceRecord, Error, ParameterFile, ParameterGroup};

/// A device, as data and as text.
#[derive(Serialize)]
pub struct DeviceReport {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub title: String,
    /// The law that describes it.
    pub law: &'static str,
    values: BTreeMap<String, f64>,
    /// Quantities identified together with the law.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    plant: BTreeMap<String, f64>,
    interval: BTreeMap<String, [f64; 2]>,
    /// Parameters that the record does not determine.
    unknown: Vec<String>,
    not_known: Vec<String>,
    conditions: BTreeMap<String, String>,
    /// The table of a publication.
    published: Option<String>,
    command: Option<String>,
    files: Vec<String>,
    sha256: Vec<String>,
    source: String,
    licence: String,
    cite: Vec<Source>,
    /// Whether the motion is a rotation.
    turns: bool,
    #[serde(skip)]
    rows: Vec<[String; 5]>,
}

impl DeviceReport {
    /// What its file says.
    ///
    /// # Errors
    /// [`Error`] of the file.
    pub fn new(device: &Device) -> Result<Self, Error> {
        let ParameterFile { spec, identified, device: about, .. } = ParameterFile::of_device(device)?;
        let about = about.unwrap_or_default();
        let DeviceRecord { title, source, licence, cite, published, turns, not_known, conditions } = about;
        let found = identified.unwrap_or_default();
        let values: Vec<_> = ParameterGroup::ALL
            .into_iter()
            .flat_map(|part| spec.rows(part).into_iter().map(move |(p, x)| (part.key(p.name), x, p)))
            .collect();
        let turns = turns.or(found.turns).unwrap_or(false);
        let row = |(key, x, p): &(String, f64, &stiction::core::Param)| {
            let unit = if turns { of_rotation(p.unit) } else { p.unit };
            [key.clone(), digits(*x), interval(&found, key), unit.to_owned(), p.doc.trim().to_owned()]
        };
        let rows = values.iter().map(row).collect();
        let cite = Source::keys().filter(|key| cite.iter().any(|own| own == key)).map(Source::new).collect();
        let identified = !found.command.is_empty();
        Ok(Self {
            name: device.name,
            title,
            law: spec.law().name,
            values: values.into_iter().map(|(key, x, _)| (key, x)).collect(),
            plant: found.plant.iter().cloned().collect(),
            interval: found.interval.iter().cloned().collect(),
            unknown: found.unknown,
            not_known,
            conditions: conditions.into_iter().collect(),
            published,
            command: identified.then_some(found.command),
            files: found.files,
            sha256: found.sha256,
            source,
            licence,
            cite,
            turns,
            rows,
        })
    }
    /// Who computed the values.
    pub fn origin(&self) -> &'static str {
        if self.published.is_some() { "published" } else { "identified" }
    }
}

impl Report for DeviceReport {
    fn text(&self) -> String {
        let mut out = wrap(&format!("{}  ", self.name), &self.title, 0);
        let mut section = |title: &str, body: String| {
            if !body.trim().is_empty() {
                out += &format!("\n{title}\n{body}");
            }
        };
        let mut rows = vec![["parameter", "value", "95 % interval", "unit", "meaning"].map(str::to_owned)];
        rows.extend(self.rows.iter().cloned());
        let units = if self.turns { ", for a rotation" } else { "" };
        section(&format!("Law {}{units}", self.law), table(&rows, &[1]));
        let plant = self.plant.iter().map(|(name, x)| [name.clone(), digits(*x)]).collect::<Vec<_>>();
        section("Identified together with the law", table(&plant, &[1]));
        section(
            "Conditions",
            table(&self.conditions.iter().map(|(k, t)| [k.clone(), t.clone()]).collect::<Vec<_>>(), &[]),
        );
        section("Not known", self.not_known.iter().map(|text| wrap("  - ", text, 4)).collect());
        section("Published as", self.published.as_ref().map(|text| wrap("  ", text, 2)).unwrap_or_default());
        section("Identified by", self.command.as_ref().map(|line| command(line)).unwrap_or_default());
        section("From", list(&self.files));
        section("Source", wrap("  ", &format!("{} ({})", self.source, self.licence), 2));
        let sources: Vec<_> = self.cite.iter().map(|source| [source.key.to_owned(), source.text()]).collect();
        section("Cited", table(&sources, &[]));
        let name = self.name;
        section(
            "Use",
            command(&format!("stiction curve {name} --range -0.1:0.1:5"))
                + &command(&format!("stiction params {name} -o {name}.toml")),
        );
        out
    }
    fn json(&self) -> Value {
        json!(self)
    }
}

/// The interval of a parameter, or why there is none.
fn interval(found: &IdentificationRecord, key: &str) -> String {
    if found.unknown.iter().any(|name| name == key) {
        return "not determined".to_owned();
    }
    let ends = found.interval.iter().find(|(name, _)| name == key).map(|(_, ends)| ends);
    ends.map_or_else(|| "-".to_owned(), |[low, high]| format!("{} to {}", short_of(*low), short_of(*high)))
}

fn short_of(x: f64) -> String {
    short(stiction::number::round(x, 4))
}
