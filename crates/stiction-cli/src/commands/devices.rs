//! `stiction devices`.
use crate::error::CommandError;
use crate::stream;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use stiction::device::{self, Device};
use stiction::identification_record::IdentificationRecord;
use stiction::number::short;
use stiction::similar_names::similar;
use stiction::units::of_rotation;
use stiction::{DeviceRecord, Error, ParameterFile, ParameterGroup};
use stiction_report::references::Source;
use stiction_report::text::{command, digits, list, table, wrap};

/// List machines with known friction, or show one with its sources.
///
/// The name of a device goes wherever the name of a law goes: 'stiction curve emps-axis --at 0.1'. 'stiction params NAME' prints its
/// parameter file.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction devices\n  stiction devices emps-axis\n  stiction devices franka-joint-1 --json\n  stiction devices --json"
)]
pub struct Args {
    /// A device.
    #[arg(value_name = "NAME", value_parser = DeviceNames, hide_possible_values = true)]
    name: Option<String>,
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    match &args.name {
        Some(name) => {
            let Some(device) = device::find(name) else { return Err(unknown(name).into()) };
            let page = Page::new(device)?;
            if json { stream::json(&page) } else { stream::text(&page.text()) }
        }
        None => {
            let pages = device::ALL.iter().map(Page::new).collect::<Result<Vec<_>, _>>()?;
            if json { stream::json(&pages) } else { stream::text(&overview(&pages)) }
        }
    }
}

fn unknown(name: &str) -> Error {
    let known = || device::ALL.iter().map(|device| device.name);
    let near = similar(name, known()).into_iter().map(str::to_owned).collect();
    Error::UnknownName { what: "device", name: name.to_owned(), near, known: known().map(str::to_owned).collect() }
}

fn overview(pages: &[Page]) -> String {
    let mut rows = vec![["name", "law", "values", "what it is"].map(str::to_owned)];
    rows.extend(pages.iter().map(|page| [page.name, page.law, page.origin(), page.title.as_str()].map(str::to_owned)));
    table(&rows, &[]) + "\n'stiction devices NAME' shows values, intervals and sources of one.\n"
}

/// A device, as data and as text.
#[derive(Serialize)]
struct Page {
    name: &'static str,
    title: String,
    law: &'static str,
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

impl Page {
    fn new(device: &Device) -> Result<Self, CommandError> {
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
    fn origin(&self) -> &'static str {
        if self.published.is_some() { "published" } else { "identified" }
    }
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

/// Accepts any text, and gives shell completion the names of the devices.
#[derive(Clone)]
struct DeviceNames;

impl TypedValueParser for DeviceNames {
    type Value = String;
    fn parse_ref(&self, cmd: &clap::Command, arg: Option<&clap::Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(cmd, arg, value)
    }
    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(device::ALL.iter().map(|device| PossibleValue::new(device.name))))
    }
}
