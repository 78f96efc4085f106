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
//! A law that was identified has a table `[identified]` with errors, intervals and what it was identified from.
//! `[model.load]` and `[model.noise]` hold the parameters of the other wrappers. What is missing has its default.
use crate::FileError;
use crate::LawError;
use crate::identified::Identified;
use crate::tree::{At, Entry, Node, Table, Value, unknown};
use crate::{Error, Part, Spec, number::short, output};
use std::fmt::Write;
use std::io::{self, Read};
use std::path::Path;
use stiction_core::{models, registry};

/// The keys of the file.
const KEYS: [&str; 3] = ["provenance", "model", "identified"];
/// The tables within the model.
const TABLES: &[&str] = &[Part::Reverse.prefix(), Part::Load.prefix(), Part::Noise.prefix()];
/// A parameter file has a thousandth of this.
const MAX_BYTES: u64 = 1 << 20;

/// What a parameter file says.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// Free text: who measured what, where, when.
    pub provenance: Option<String>,
    /// The law and its values.
    pub spec: Spec,
    /// How it was identified, if it was.
    pub identified: Option<Identified>,
}

impl From<Spec> for File {
    fn from(spec: Spec) -> Self {
        Self { provenance: None, spec, identified: None }
    }
}

impl File {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// [`Error::File`], or as [`File::parse`].
    pub fn read(path: &Path) -> Result<Self, Error> {
        Self::parse(&read(path)?, path)
    }
    /// Reads `text`; `path` is for error messages.
    ///
    /// # Errors
    /// Whatever is wrong, as [`Error::At`] its place. An unknown key is wrong, too.
    pub fn parse(text: &str, path: &Path) -> Result<Self, Error> {
        parse(text, path)
    }
    /// Writes the file at `path`, whole or not at all.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        Ok(output::write(path, |out| out.write_all(self.to_toml().as_bytes()))?)
    }
    /// The file as text, with unit and meaning of each parameter. Every number reads back bit for bit.
    pub fn to_toml(&self) -> String {
        let mut out = String::new();
        if let Some(text) = &self.provenance {
            out += &format!("provenance = {}\n\n", quote(text));
        }
        out += &format!("[model]\nname = {}\n", quote(self.spec.law().name));
        for part in Part::ALL {
            let rows = self.spec.rows(part);
            if part != Part::Law && !rows.is_empty() {
                out += &format!("\n[model.{}]\n", part.prefix());
            }
            let lines: Vec<_> = rows.iter().map(|(p, value)| format!("{} = {}", p.name, float(*value))).collect();
            let width = lines.iter().map(String::len).max().unwrap_or(0);
            for ((p, _), line) in rows.iter().zip(&lines) {
                out += &format!("{line:width$}  # [{}] {}\n", p.unit, p.doc.trim());
            }
        }
        if let Some(identified) = &self.identified {
            identified.write(&mut out);
        }
        out
    }
}

/// The text of a file, unless it is too large to be meant.
pub(crate) fn read(path: &Path) -> Result<String, Error> {
    let text = || {
        let mut bytes = Vec::new();
        std::fs::File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    };
    text().map_err(|io| Error::File(FileError { path: path.to_owned(), action: "read", io }))
}

/// A number that TOML takes for a float.
pub(crate) fn float(x: f64) -> String {
    let mut text = short(x);
    if !text.contains(['.', 'e']) {
        text += ".0";
    }
    text
}

/// A TOML string; over several lines if it has several.
pub(crate) fn quote(text: &str) -> String {
    let lines = text.contains('\n');
    let mut out = String::from(if lines { "\"\"\"\n" } else { "\"" });
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' | '\t' => out.push(c),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out += if lines { "\"\"\"" } else { "\"" };
    out
}

fn parse(text: &str, path: &Path) -> Result<File, Error> {
    let top = At::top(text, path);
    let (mut provenance, mut spec, mut identified) = (None, None, None);
    for Entry { key, at, node } in Table::parse(text, &top)?.0 {
        match key.as_str() {
            "provenance" => provenance = Some(node.text(&key)?.to_owned()),
            "model" => spec = Some(model(node.table(&key)?, &at)?),
            "identified" => identified = Some(Identified::read(node.table(&key)?)?),
            _ if in_model(&key) => return Err(at.error(Error::Outside { name: key, table: "model" })),
            _ => return Err(at.error(unknown(&key, KEYS.map(str::to_owned).to_vec()))),
        }
    }
    let spec = spec.ok_or_else(|| top.error(Error::Missing { key: "[model]" }))?;
    Ok(File { provenance, spec, identified })
}

fn model(table: &Table, head: &At) -> Result<Spec, Error> {
    let name = table.get("name").ok_or_else(|| head.error(Error::Missing { key: "name" }))?;
    let mut spec = Spec::new(name.text("name")?).map_err(|error| name.at.error(error))?;
    fill(&mut spec, table, head, "model", &["name"])?;
    Ok(spec)
}

/// Takes the values of a law and its wrappers from a table called `name`, all but the keys in `own`, and checks them.
pub(crate) fn fill(spec: &mut Spec, table: &Table, head: &At, name: &str, own: &[&str]) -> Result<(), Error> {
    let mut places = Vec::new();
    for Entry { key, at, node } in table.0.iter().filter(|entry| !own.contains(&entry.key.as_str())) {
        match (Part::wrapper(key), &node.value) {
            (Some(part), _) => {
                for Entry { key, at, node } in &node.table(&format!("{name}.{key}"))?.0 {
                    set(spec, &part.key(key), at, node)?;
                    places.push((part.key(key), &node.at));
                }
            }
            (None, Value::Table(_)) => {
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
        // a condition is broken by the last value given for it
        let LawError::Relation { values, .. } = &error else { return head.error(error) };
        let place = places.iter().rfind(|(key, _)| values.iter().any(|(name, ..)| name == key));
        place.map_or(head, |(_, at)| at).error(error)
    })
}

fn set(spec: &mut Spec, key: &str, at: &At, node: &Node) -> Result<(), Error> {
    // an unknown name is reported before a value of the wrong kind
    spec.get(key).map_err(|error| at.error(error))?;
    spec.set(key, node.number(key)?).map_err(|error| node.at.error(error))?;
    Ok(())
}

/// Whether a key belongs into `[model]`, for some law.
fn in_model(key: &str) -> bool {
    let has = |law: &registry::Entry| law.params.iter().any(|p| p.name == key);
    key == "name" || TABLES.contains(&key) || models::ALL.iter().any(has)
}
