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
//! `[model.load]` and `[model.noise]` hold the parameters of the other wrappers. What is missing has its default.
use crate::{Error, Part, Place, Spec, near::near, number::short, output};
use std::fmt::Write;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use stiction_core::{models, registry::Entry};
use toml::de::{DeTable, DeValue};

/// The keys of the file.
const KEYS: &[&str] = &["provenance", "model"];
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
}

impl From<Spec> for File {
    fn from(spec: Spec) -> Self {
        Self { provenance: None, spec }
    }
}

impl File {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// [`Error::File`], or as [`File::parse`].
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text = read(path).map_err(|io| Error::File { path: path.to_owned(), action: "read", io })?;
        Self::parse(&text, path)
    }
    /// Reads `text`; `path` is for error messages.
    ///
    /// # Errors
    /// Whatever is wrong, as [`Error::At`] its place. An unknown key is wrong, too.
    pub fn parse(text: &str, path: &Path) -> Result<Self, Error> {
        Reader { text, path: path.to_owned() }.file()
    }
    /// Writes the file at `path`, whole or not at all.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        output::write(path, |out| out.write_all(self.to_toml().as_bytes()))
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
        out
    }
}

/// The text of a file, unless it is too large to be meant.
fn read(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// A number that TOML takes for a float.
fn float(x: f64) -> String {
    let mut text = short(x);
    if !text.contains(['.', 'e']) {
        text += ".0";
    }
    text
}

/// A TOML string; over several lines if it has several.
fn quote(text: &str) -> String {
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

/// One file while it is read.
struct Reader<'t> {
    text: &'t str,
    path: PathBuf,
}

/// A key or value with the place where it stands.
type At<T> = (Range<usize>, T);

impl<'t> Reader<'t> {
    fn file(&self) -> Result<File, Error> {
        let root = DeTable::parse(self.text).map_err(|error| {
            let message = error.message().replace('\n', ", ");
            self.at(&error.span().unwrap_or(0..0), Error::Toml { message })
        })?;
        let (mut provenance, mut spec) = (None, None);
        for ((span, key), (place, value)) in entries(root.get_ref()) {
            match key {
                "provenance" => provenance = Some(self.string(key, &place, value)?.to_owned()),
                "model" => spec = Some(self.model(&span, self.table(key, &place, value)?)?),
                _ if in_model(key) => {
                    return Err(self.at(&span, Error::Outside { name: key.to_owned(), table: "model" }));
                }
                _ => return Err(self.unknown(key, &span, KEYS)),
            }
        }
        let spec = spec.ok_or_else(|| self.at(&(0..0), Error::Missing { key: "[model]" }))?;
        Ok(File { provenance, spec })
    }

    fn model(&self, head: &Range<usize>, table: &DeTable<'t>) -> Result<Spec, Error> {
        let entries = entries(table);
        let Some((_, (place, name))) = entries.iter().find(|((_, key), _)| *key == "name") else {
            return Err(self.at(head, Error::Missing { key: "name" }));
        };
        let mut spec = Spec::new(self.string("name", place, name)?).map_err(|error| self.at(place, error))?;
        let mut places = Vec::new();
        for ((span, key), (place, value)) in entries {
            match (Part::wrapper(key), value) {
                _ if key == "name" => {}
                (Some(part), _) => {
                    let table = self.table(&format!("model.{key}"), &place, value)?;
                    for ((span, name), (place, value)) in self::entries(table) {
                        self.set(&mut spec, &part.key(name), &span, &place, value)?;
                        places.push((part.key(name), place));
                    }
                }
                (None, DeValue::Table(_)) => return Err(self.unknown(key, &span, TABLES)),
                (None, _) => {
                    self.set(&mut spec, key, &span, &place, value)?;
                    places.push((key.to_owned(), place));
                }
            }
        }
        spec.check().map_err(|error| {
            // a condition is broken by the last value given for it
            let Error::Relation { values, .. } = &error else { return self.at(head, error) };
            let place = places.iter().rfind(|(key, _)| values.iter().any(|(name, ..)| name == key));
            self.at(place.map_or(head, |(_, place)| place), error)
        })?;
        Ok(spec)
    }

    fn set(
        &self,
        spec: &mut Spec,
        key: &str,
        name: &Range<usize>,
        place: &Range<usize>,
        value: &DeValue<'t>,
    ) -> Result<(), Error> {
        // an unknown name is reported before a value of the wrong kind
        spec.get(key).map_err(|error| self.at(name, error))?;
        let number = number(value).ok_or_else(|| self.kind(key, "number", place, value))?;
        spec.set(key, number).map_err(|error| self.at(place, error))?;
        Ok(())
    }

    fn string<'v>(&self, key: &str, place: &Range<usize>, value: &'v DeValue<'t>) -> Result<&'v str, Error> {
        value.as_str().ok_or_else(|| self.kind(key, "string", place, value))
    }
    fn table<'v>(&self, key: &str, place: &Range<usize>, value: &'v DeValue<'t>) -> Result<&'v DeTable<'t>, Error> {
        value.as_table().ok_or_else(|| self.kind(key, "table", place, value))
    }
    fn kind(&self, key: &str, expected: &'static str, place: &Range<usize>, value: &DeValue<'_>) -> Error {
        self.at(place, Error::Kind { key: key.to_owned(), expected, found: value.type_str() })
    }
    fn unknown(&self, key: &str, span: &Range<usize>, known: &'static [&'static str]) -> Error {
        let near = near(key, known.iter().copied());
        self.at(span, Error::UnknownKey { name: key.to_owned(), near, known })
    }
    fn at(&self, span: &Range<usize>, error: Error) -> Error {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        error.at(Place { path: self.path.clone(), line, column })
    }
}

/// Whether a key belongs into `[model]`, for some law.
fn in_model(key: &str) -> bool {
    let has = |law: &Entry| law.params.iter().any(|p| p.name == key);
    key == "name" || TABLES.contains(&key) || models::ALL.iter().any(has)
}

/// The entries of a table in the order of the file, so that the first mistake is the first reported.
fn entries<'v, 't>(table: &'v DeTable<'t>) -> Vec<(At<&'v str>, At<&'v DeValue<'t>>)> {
    let mut all: Vec<_> = table
        .iter()
        .map(|(key, value)| ((key.span(), key.get_ref().as_ref()), (value.span(), value.get_ref())))
        .collect();
    all.sort_by_key(|((span, _), _)| span.start);
    all
}

/// A float, or an integer of any size as the nearest float.
fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Float(x) => x.as_str().parse().ok(),
        DeValue::Integer(i) if i.radix() == 10 => i.as_str().parse().ok(),
        DeValue::Integer(i) => i128::from_str_radix(i.as_str(), i.radix()).ok().map(|i| i as f64),
        _ => None,
    }
}
