//! A parameter file: a law, its values, and where they come from.
//!
//! ```toml
//! provenance = "fitted to the pendulum runs of May"
//! [model]
//! name = "lugre"
//! fc = 1.0
//! [model.reverse]     # for v < 0, where different
//! fc = 1.2
//! ```
//! A device has a table `[device]` that says what it is and where its values come from. An identified law has a table `[identified]` with standard errors, intervals and the data it was identified from.
//! The model of a law from a file has that file's text as `definition`, so that it needs no other file. `[model.load]` and `[model.noise]` hold the parameters of the other wrappers. Missing parameters have their defaults.
use crate::LawError;
use crate::device::{self, Device};
use crate::device_record::DeviceRecord;
use crate::identification_record::IdentificationRecord;
use crate::number::{round, short};
use crate::recipe::AssumedInput;
use crate::toml_text::{float, literal_text, multiline_string, string};
use crate::toml_tree::{self, SourceLocation, TomlEntry, TomlNode, TomlTable, TomlValue, unknown};
use crate::units::{LawUnits, of_rotation};
use crate::{Error, LawFile, ParameterGroup, Spec, is_file_name, law_file, output};
use std::path::Path;
use stiction_core::{models, registry};
use stiction_io::similar_names::similar;
use stiction_sim::laws;

/// The keys of the file.
pub(crate) const KEYS: [&str; 4] = ["provenance", "device", "model", "identified"];
/// The key of the model that holds a law file.
pub(crate) const DEFINITION: &str = "definition";
/// The tables within the model.
const TABLES: &[&str] =
    &[ParameterGroup::Reverse.prefix(), ParameterGroup::Load.prefix(), ParameterGroup::Noise.prefix()];

/// The contents of a parameter file.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterFile {
    /// Free text: who measured what, where, when.
    pub provenance: Option<String>,
    /// The law and its values.
    pub spec: Spec,
    /// How it was identified, if it was.
    pub identified: Option<IdentificationRecord>,
    /// The device it belongs to, if it says so.
    pub device: Option<DeviceRecord>,
}

impl From<Spec> for ParameterFile {
    fn from(spec: Spec) -> Self {
        Self { provenance: None, spec, identified: None, device: None }
    }
}

impl ParameterFile {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// [`Error::File`], or as [`ParameterFile::parse`].
    pub fn read(path: &Path) -> Result<Self, Error> {
        Self::parse(&toml_tree::read_text(path)?, path)
    }
    /// The law or device called `name`, or what a parameter file or law file holds: a path, or anything that ends in .toml.
    ///
    /// # Errors
    /// [`LawError::UnknownLaw`], or as [`ParameterFile::read`].
    pub fn find(name: &str) -> Result<Self, Error> {
        Self::find_in(name, Path::new(""))
    }
    /// The same with files relative to `folder`.
    ///
    /// # Errors
    /// As [`ParameterFile::find`].
    pub fn find_in(name: &str, folder: &Path) -> Result<Self, Error> {
        if is_file_name(name) {
            return Self::read(&folder.join(name));
        }
        match (Spec::new(name), device::find(name)) {
            (Ok(spec), _) => Ok(spec.into()),
            (Err(_), Some(device)) => Self::of_device(device),
            (Err(LawError::UnknownLaw { name, .. }), None) => {
                let near = similar(&name, laws::names().chain(device::ALL.iter().map(|device| device.name)));
                Err(LawError::UnknownLaw { name, near }.into())
            }
            (Err(error), None) => Err(error.into()),
        }
    }
    /// Law and values of a device of the library.
    ///
    /// # Errors
    /// None for devices that passed the check of the library.
    pub fn of_device(device: &Device) -> Result<Self, Error> {
        Self::parse(device.text, Path::new(&format!("devices/{}.toml", device.name)))
    }
    /// Sets parameters, `fc`, `reverse.fc`, ..., and computes others from known quantities by a recipe of the law, `from`; `set`
    /// takes precedence. Returns what the user should know: values that were assumed, noise that is none.
    ///
    /// # Errors
    /// [`Error::Law`]: an unknown name, a value out of bounds, or a condition between parameters that does not hold.
    pub fn assign(&mut self, set: &[(&str, f64)], from: &[(&str, f64)]) -> Result<Vec<String>, Error> {
        let mut notes = Vec::new();
        // before the recipe, which starts from these values, and again after it, because they take precedence
        set_all(&mut self.spec, set)?;
        if !from.is_empty() {
            for AssumedInput { param, value, own } in self.spec.apply_recipe(from)? {
                let (name, value, unit) = (param.name, short(round(value, 6)), param.unit);
                notes.push(if own {
                    format!("took {name} = {value} [{unit}] from the law")
                } else {
                    let doc = param.doc.trim().trim_end_matches('.');
                    format!("assumed {name} = {value} [{unit}] ({doc})")
                });
            }
            set_all(&mut self.spec, set)?;
        }
        self.spec.check()?;
        if let [amplitude, 0.0, 0.0, _] = self.spec.values(ParameterGroup::Noise)[..]
            && amplitude > 0.0
        {
            notes.push("without noise.frequency or noise.wave the noise is a constant force".to_owned());
        }
        Ok(notes)
    }
    /// Reads `text`; `path` is for error messages.
    ///
    /// # Errors
    /// Any error, with its position as [`Error::At`]. Unknown keys are errors, too.
    pub fn parse(text: &str, path: &Path) -> Result<Self, Error> {
        parse(text, path)
    }
    /// Writes the file at `path` atomically.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        Ok(output::write(path, |out| out.write_all(self.to_toml().as_bytes()))?)
    }
    /// Whether the motion that it describes is a rotation, if it says so.
    pub fn turns(&self) -> Option<bool> {
        let identified = self.identified.as_ref().and_then(|found| found.turns);
        let device = self.device.as_ref().and_then(|device| device.turns);
        identified.or(device)
    }
    /// The units of its numbers: those of a rotation if the file says that the motion turns, or else those of the law.
    pub fn units(&self) -> LawUnits {
        self.turns().map_or_else(|| LawUnits::of(self.spec.law()), LawUnits::new)
    }
    /// The moving mass or moment of inertia that was identified with the law.
    pub fn mass(&self) -> Option<f64> {
        self.identified.as_ref().and_then(|found| found.plant("mass")).filter(|mass| *mass > 0.0)
    }
    /// What the reader of the file should know of values that the data did not determine; none if there are none.
    pub fn note(&self) -> Option<String> {
        let unknown = &self.identified.as_ref()?.unknown;
        let known = |key: &&String| self.spec.get(key).is_ok();
        let held: Vec<String> = unknown
            .iter()
            .filter(known)
            .filter_map(|key| Some(format!("{key} = {}", short(round(self.spec.get(key).ok()?, 4)))))
            .collect();
        let verb = if held.len() == 1 { "was" } else { "were" };
        (!held.is_empty())
            .then(|| format!("{} {verb} not determined by the data that the law was identified from", held.join(", ")))
    }
    /// The file as text, with unit and meaning of each parameter. Every number reads back bit for bit.
    pub fn to_toml(&self) -> String {
        let mut out = String::new();
        if let Some(text) = &self.provenance {
            out += &format!("provenance = {}\n\n", multiline_string(text));
        }
        if let Some(device) = &self.device {
            device.write(&mut out);
        }
        out += &self.model_toml(self.turns() == Some(true));
        if let Some(identified) = &self.identified {
            identified.write(&mut out);
        }
        out
    }
    /// The table of the model, with the units of a rotation if `turns`.
    pub(crate) fn model_toml(&self, turns: bool) -> String {
        let mut out = format!("[model]\nname = {}\n", string(self.spec.law().name));
        if let Some(law) = LawFile::of(self.spec.law()) {
            out += &format!("{DEFINITION} = {}\n", literal_text(law.text()));
        }
        for part in ParameterGroup::ALL {
            let rows = self.spec.rows(part);
            if part != ParameterGroup::Law && !rows.is_empty() {
                out += &format!("\n[model.{}]\n", part.prefix());
            }
            let lines: Vec<_> = rows.iter().map(|(p, value)| format!("{} = {}", p.name, float(*value))).collect();
            let width = lines.iter().map(String::len).max().unwrap_or(0);
            let unknown = |key: String| self.identified.as_ref().is_some_and(|found| found.unknown.contains(&key));
            for ((p, _), line) in rows.iter().zip(&lines) {
                let note = if unknown(part.key(p.name)) { " (not determined by the data)" } else { "" };
                let unit = if turns { of_rotation(p.unit) } else { p.unit };
                out += &format!("{line:width$}  # [{unit}] {}{note}\n", p.doc.trim());
            }
        }
        out
    }
}

fn set_all(spec: &mut Spec, values: &[(&str, f64)]) -> Result<(), Error> {
    for (key, value) in values {
        spec.set(key, *value)?;
    }
    Ok(())
}

fn parse(text: &str, path: &Path) -> Result<ParameterFile, Error> {
    let top = SourceLocation::top(text, path);
    let (mut provenance, mut spec, mut identified, mut device) = (None, None, None, None);
    let table = TomlTable::parse(text, &top)?;
    if law_file::is_law(&table) {
        return Ok(LawFile::of_table(&table, text, &top)?.spec().into());
    }
    for TomlEntry { key, at, node } in table.0 {
        match key.as_str() {
            "provenance" => provenance = Some(node.text(&key)?.to_owned()),
            "model" => spec = Some(model(node.table(&key)?, &at)?),
            "device" => device = Some(DeviceRecord::read(node.table(&key)?, &at)?),
            "identified" => identified = Some(IdentificationRecord::read(node.table(&key)?)?),
            _ if in_model(&key) => return Err(at.error(Error::OutsideTable { name: key, table: "model" })),
            _ => return Err(at.error(unknown(&key, KEYS.map(str::to_owned).to_vec()))),
        }
    }
    let spec = spec.ok_or_else(|| top.error(Error::Missing { key: "[model]" }))?;
    Ok(ParameterFile { provenance, spec, identified, device })
}

fn model(table: &TomlTable, head: &SourceLocation) -> Result<Spec, Error> {
    let name = table.get("name").ok_or_else(|| head.error(Error::Missing { key: "name" }))?;
    let mut spec = match table.get(DEFINITION) {
        // the whole law file, so that this file needs no other
        Some(node) => defined_law(node, name, "name")?,
        None => Spec::new(name.text("name")?).map_err(|error| name.at.error(error))?,
    };
    fill(&mut spec, table, head, "model", &["name", DEFINITION])?;
    Ok(spec)
}

/// The law of a law file whose text is a value of another file, where `key` calls it `name`.
pub(crate) fn defined_law(text: &TomlNode, name: &TomlNode, key: &'static str) -> Result<Spec, Error> {
    let law = LawFile::parse(text.text(DEFINITION)?, Path::new(DEFINITION))
        .map_err(|error| text.at.error(error.into_unplaced()))?;
    if name.text(key)? != law.entry().name {
        let why = "differs from the name within the definition";
        return Err(name.at.error(Error::Conflict { key, why }));
    }
    Ok(law.spec())
}

/// Takes the values of a law and its wrappers from a table called `name`, all but the keys in `own`, and checks them.
pub(crate) fn fill(
    spec: &mut Spec,
    table: &TomlTable,
    head: &SourceLocation,
    name: &str,
    own: &[&str],
) -> Result<(), Error> {
    let mut places = Vec::new();
    for TomlEntry { key, at, node } in table.0.iter().filter(|entry| !own.contains(&entry.key.as_str())) {
        match (ParameterGroup::wrapper(key), &node.value) {
            (Some(part), _) => {
                for TomlEntry { key, at, node } in &node.table(&format!("{name}.{key}"))?.0 {
                    set(spec, &part.key(key), at, node)?;
                    places.push((part.key(key), &node.at));
                }
            }
            (None, TomlValue::Table(_)) => {
                let known = TABLES.iter().filter(|key| !own.contains(key)).map(|key| (*key).to_owned());
                return Err(at.error(unknown(key, known.collect())));
            }
            (None, _) => {
                set(spec, key, at, node)?;
                places.push((key.clone(), &node.at));
            }
        }
    }
    spec.check().map_err(|error| {
        // reported at the last value that takes part in the condition
        let LawError::Relation { values, .. } = &error else { return head.error(error) };
        let place = places.iter().rfind(|(key, _)| values.iter().any(|(name, ..)| name == key));
        place.map_or(head, |(_, at)| at).error(error)
    })
}

fn set(spec: &mut Spec, key: &str, at: &SourceLocation, node: &TomlNode) -> Result<(), Error> {
    // an unknown name is reported before a value of the wrong kind
    spec.get(key).map_err(|error| at.error(error))?;
    spec.set(key, node.number(key)?).map_err(|error| node.at.error(error))?;
    Ok(())
}

/// Whether a key belongs into `[model]` for some law.
fn in_model(key: &str) -> bool {
    let has = |law: &registry::LawEntry| law.params.iter().any(|p| p.name == key);
    key == "name" || key == DEFINITION || TABLES.contains(&key) || models::ALL.iter().any(has)
}
