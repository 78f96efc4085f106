//! A TOML document in which every key and value has its position, for errors with line and column.
use crate::{Error, FileError, Position, similar_names::similar};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use toml::de::{DeTable, DeValue};

/// Largest file that is read: a thousand times the size of a usual scenario or parameter file.
const MAX_BYTES: u64 = 1 << 20;

/// The text of a scenario or parameter file.
pub(crate) fn read_text(path: &Path) -> Result<String, Error> {
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

/// A text that was read.
#[derive(Debug)]
struct Source {
    path: PathBuf,
    text: String,
    /// Whether it was given on the command line, `--set text`, rather than in a file.
    option: bool,
}

/// A position in a text.
#[derive(Clone, Debug)]
pub(crate) struct SourceLocation {
    source: Arc<Source>,
    start: usize,
}

impl SourceLocation {
    /// The beginning of a file.
    pub fn top(text: &str, path: &Path) -> Self {
        let source = Source { path: path.to_owned(), text: text.to_owned(), option: false };
        Self { source: Arc::new(source), start: 0 }
    }
    /// An assignment on the command line.
    pub fn option(text: &str) -> Self {
        let source = Source { path: PathBuf::new(), text: text.to_owned(), option: true };
        Self { source: Arc::new(source), start: 0 }
    }
    /// Whether it is an assignment on the command line.
    pub fn is_option(&self) -> bool {
        self.source.option
    }
    /// The folder of the file.
    pub fn folder(&self) -> &Path {
        self.source.path.parent().unwrap_or(Path::new(""))
    }
    fn on(&self, start: usize) -> Self {
        Self { source: self.source.clone(), start }
    }
    /// The position of a character of the string that begins here, from one. The quotes stand before the first; an escape, which
    /// formulas do not have, would count as one character.
    pub fn within_text(&self, character: usize) -> Self {
        let rest = self.source.text.get(self.start..).unwrap_or("");
        let quotes = ["\"\"\"\n", "\"\"\"", "'''\n", "'''", "\"", "'"];
        let quotes = quotes.into_iter().find(|quotes| rest.starts_with(quotes)).map_or(0, str::len);
        let rest = rest.get(quotes..).unwrap_or("");
        let offset = rest.char_indices().nth(character.saturating_sub(1)).map_or(rest.len(), |(offset, _)| offset);
        self.on(self.start + quotes + offset)
    }
    /// The error at this position. An error that already has a position, in another file, keeps it.
    pub fn error(&self, error: impl Into<Error>) -> Error {
        let error = error.into();
        if matches!(error, Error::At { .. } | Error::Set { .. }) {
            return error;
        }
        let Source { path, text, option } = &*self.source;
        if *option {
            return Error::Set { text: text.clone(), error: Box::new(error) };
        }
        let before = text.get(..self.start).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        error.at(Position { path: path.clone(), line, column })
    }
}

/// A value and its position.
#[derive(Clone, Debug)]
pub(crate) struct TomlNode {
    pub at: SourceLocation,
    pub value: TomlValue,
    /// Name of its TOML type.
    kind: &'static str,
}

/// A TOML value.
#[derive(Clone, Debug)]
pub(crate) enum TomlValue {
    Number(f64),
    Text(String),
    Flag(bool),
    List(Vec<TomlNode>),
    Table(TomlTable),
    /// A date, or a number that cannot be represented.
    Other,
}

/// A table in the order of the file, so that the first error in the file is reported first.
#[derive(Clone, Debug, Default)]
pub(crate) struct TomlTable(pub Vec<TomlEntry>);

/// A key and its value.
#[derive(Clone, Debug)]
pub(crate) struct TomlEntry {
    pub key: String,
    pub at: SourceLocation,
    pub node: TomlNode,
}

impl TomlTable {
    /// Parses `text`; `top` is the position of its start.
    pub fn parse(text: &str, top: &SourceLocation) -> Result<Self, Error> {
        let root = DeTable::parse(text).map_err(|error| {
            let message = error.message().replace('\n', ", ");
            top.on(error.span().map_or(0, |span| span.start)).error(Error::Toml { message })
        })?;
        Ok(table(root.get_ref(), top))
    }
    pub fn get(&self, key: &str) -> Option<&TomlNode> {
        self.0.iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }
    pub fn get_mut(&mut self, key: &str) -> Option<&mut TomlNode> {
        self.0.iter_mut().find(|entry| entry.key == key).map(|entry| &mut entry.node)
    }
}

impl TomlNode {
    /// An empty table.
    pub fn empty(at: &SourceLocation) -> Self {
        Self { at: at.clone(), value: TomlValue::Table(TomlTable::default()), kind: "table" }
    }
    /// A table at a position.
    pub fn table_at(table: TomlTable, at: &SourceLocation) -> Self {
        Self { value: TomlValue::Table(table), ..Self::empty(at) }
    }
    /// The table, if it is one, for changes.
    pub fn table_mut(&mut self) -> Option<&mut TomlTable> {
        if let TomlValue::Table(table) = &mut self.value { Some(table) } else { None }
    }
    /// The value at another position.
    pub fn moved(self, at: &SourceLocation) -> Self {
        Self { at: at.clone(), ..self }
    }
    /// A string at a position.
    pub fn text_at(text: &str, at: &SourceLocation) -> Self {
        Self { at: at.clone(), value: TomlValue::Text(text.to_owned()), kind: "string" }
    }
    /// A number at a position.
    pub fn number_at(x: f64, at: &SourceLocation) -> Self {
        Self { at: at.clone(), value: TomlValue::Number(x), kind: "float" }
    }
    /// A signal through points at a position.
    pub fn points_at([x, y]: [&[f64]; 2], interpolation: &str, delay: f64, at: &SourceLocation) -> Self {
        let list = |items: Vec<Self>| Self { at: at.clone(), value: TomlValue::List(items), kind: "array" };
        let pair = |(x, y): (&f64, &f64)| list(vec![Self::number_at(*x, at), Self::number_at(*y, at)]);
        let points = list(x.iter().zip(y).map(pair).collect());
        let table = |entries: Vec<(&str, Self)>| {
            let entry = |(key, node): (&str, Self)| TomlEntry { key: key.to_owned(), at: at.clone(), node };
            let entries = entries.into_iter().map(entry).collect();
            Self { at: at.clone(), value: TomlValue::Table(TomlTable(entries)), kind: "table" }
        };
        let mut keys = vec![("points", points)];
        if interpolation != "linear" {
            keys.push(("interpolation", Self::text_at(interpolation, at)));
        }
        if delay != 0.0 {
            keys.push(("delay", Self::number_at(delay, at)));
        }
        table(vec![("table", table(keys))])
    }
    pub fn number(&self, key: &str) -> Result<f64, Error> {
        if let TomlValue::Number(x) = self.value { Ok(x) } else { Err(self.wrong(key, "number")) }
    }
    pub fn text(&self, key: &str) -> Result<&str, Error> {
        if let TomlValue::Text(text) = &self.value { Ok(text) } else { Err(self.wrong(key, "string")) }
    }
    pub fn flag(&self, key: &str) -> Result<bool, Error> {
        if let TomlValue::Flag(flag) = self.value { Ok(flag) } else { Err(self.wrong(key, "flag")) }
    }
    pub fn list(&self, key: &str) -> Result<&[TomlNode], Error> {
        if let TomlValue::List(list) = &self.value { Ok(list) } else { Err(self.wrong(key, "list")) }
    }
    pub fn table(&self, key: &str) -> Result<&TomlTable, Error> {
        if let TomlValue::Table(table) = &self.value { Ok(table) } else { Err(self.wrong(key, "table")) }
    }
    /// The error that the value of `key` has the wrong type.
    pub fn wrong(&self, key: &str, expected: &'static str) -> Error {
        self.at.error(Error::WrongType { key: key.to_owned(), expected, found: self.kind })
    }
}

/// The error that `key` is not allowed in a table.
pub(crate) fn unknown(key: &str, known: Vec<String>) -> Error {
    let near = similar(key, known.iter().map(String::as_str)).into_iter().map(str::to_owned).collect();
    Error::UnknownKey { name: key.to_owned(), near, known }
}

fn table(table: &DeTable<'_>, top: &SourceLocation) -> TomlTable {
    let entries = table.iter().map(|(key, value)| TomlEntry {
        key: key.get_ref().to_string(),
        at: top.on(key.span().start),
        node: node(value.get_ref(), top.on(value.span().start), top),
    });
    let mut all: Vec<TomlEntry> = entries.collect();
    all.sort_by_key(|entry| entry.at.start);
    TomlTable(all)
}

fn node(value: &DeValue<'_>, at: SourceLocation, top: &SourceLocation) -> TomlNode {
    let kind = value.type_str();
    let value = match value {
        DeValue::Float(_) | DeValue::Integer(_) => number(value).map_or(TomlValue::Other, TomlValue::Number),
        DeValue::String(text) => TomlValue::Text(text.to_string()),
        DeValue::Boolean(flag) => TomlValue::Flag(*flag),
        DeValue::Array(list) => {
            TomlValue::List(list.iter().map(|item| node(item.get_ref(), top.on(item.span().start), top)).collect())
        }
        DeValue::Table(inner) => TomlValue::Table(table(inner, top)),
        DeValue::Datetime(_) => TomlValue::Other,
    };
    TomlNode { at, value, kind }
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
