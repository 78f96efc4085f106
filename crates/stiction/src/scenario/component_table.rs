//! A table of a scenario while it is read; its component defines the allowed keys.
use super::keys::{Component, DefaultValue, Key};
use crate::SystemError;
use crate::system::SystemErrorKind;
use crate::toml_tree::{SourceLocation, TomlNode, TomlTable, unknown};
use crate::{Error, similar_names::similar};

/// One table of a scenario.
#[derive(Clone)]
pub(super) struct ComponentTable<'a> {
    /// Full name, `body.block`.
    pub path: String,
    pub table: &'a TomlTable,
    pub head: &'a SourceLocation,
    pub component: &'static Component,
}

impl<'a> ComponentTable<'a> {
    /// The table; a key that its component does not have is an error. Tables with the parameters of a law are checked
    /// later, with the law.
    pub fn new(
        path: &str,
        table: &'a TomlTable,
        head: &'a SourceLocation,
        component: &'static Component,
    ) -> Result<Self, Error> {
        let section = Self { path: path.to_owned(), table, head, component };
        let strange = |key: &str| component.key(key).is_none();
        if let Some(entry) = table.0.iter().find(|entry| !component.law && strange(&entry.key)) {
            return Err(entry.at.error(unknown(&entry.key, section.names())));
        }
        Ok(section)
    }
    /// The table at `node`.
    pub fn of(path: &str, node: &'a TomlNode, component: &'static Component) -> Result<Self, Error> {
        Self::new(path, node.table(path)?, &node.at, component)
    }
    /// Its own name.
    pub fn name(&self) -> &str {
        self.path.split_once('.').map_or(&self.path, |(_, name)| name)
    }
    pub fn names(&self) -> Vec<String> {
        self.component.keys.iter().map(|key| key.name.to_owned()).collect()
    }
    fn key(&self, name: &str) -> Result<&'static Key, Error> {
        self.component.key(name).ok_or_else(|| self.head.error(unknown(name, self.names())))
    }
    /// The value of `key`.
    pub fn get(&self, key: &str) -> Option<&'a TomlNode> {
        self.table.get(key)
    }
    /// The value of a required key.
    pub fn required(&self, key: &str) -> Result<&'a TomlNode, Error> {
        match self.get(key) {
            Some(node) => Ok(node),
            None => Err(self.lacks(self.key(key)?)),
        }
    }
    fn lacks(&self, key: &Key) -> Error {
        self.head.error(Error::MissingKey { name: self.path.clone(), key: key.name, doc: key.doc })
    }
    /// A number, or its default.
    pub fn number(&self, name: &str) -> Result<f64, Error> {
        let key = self.key(name)?;
        match (self.optional_number(name)?, key.default) {
            (Some(x), _) | (None, DefaultValue::Number(x)) => Ok(x),
            _ => Err(self.lacks(key)),
        }
    }
    /// A number that may be left out.
    pub fn optional_number(&self, name: &str) -> Result<Option<f64>, Error> {
        let key = self.key(name)?;
        let Some(node) = self.get(name) else { return Ok(None) };
        let x = node.number(name)?;
        // infinite only where that is the default, as for a ramp without end
        let may = matches!(key.default, DefaultValue::Number(default) if default.is_infinite());
        if x.is_finite() || (may && !x.is_nan()) {
            return Ok(Some(x));
        }
        Err(node.at.error(self.value(key.name, x, "finite")))
    }
    /// A whole number.
    pub fn whole_number(&self, name: &str, least: f64) -> Result<f64, Error> {
        let x = self.number(name)?;
        self.check(name, x, x.fract() == 0.0 && (least..=1e9).contains(&x), "a whole number in range")?;
        Ok(x)
    }
    /// Returns an error if the value is not `right`.
    pub fn check(&self, name: &str, x: f64, right: bool, must: &'static str) -> Result<(), Error> {
        if right {
            return Ok(());
        }
        let at = self.get(name).map_or(self.head, |node| &node.at);
        Err(at.error(self.value(self.key(name)?.name, x, must)))
    }
    fn value(&self, key: &'static str, value: f64, requirement: &'static str) -> Error {
        Error::System(SystemError {
            name: self.path.clone(),
            kind: SystemErrorKind::InvalidValue { key, value, requirement },
        })
    }
    /// Numbers in a list; empty if the key is missing.
    pub fn numbers(&self, name: &str) -> Result<Vec<f64>, Error> {
        let Some(node) = self.get(name) else { return Ok(Vec::new()) };
        node.list(name)?.iter().map(|item| item.number(name)).collect()
    }
    /// Strings in a list with their positions; a single string is a list of one.
    pub fn texts(&self, name: &str) -> Result<Vec<(&'a str, &'a SourceLocation)>, Error> {
        let Some(node) = self.get(name) else { return Ok(Vec::new()) };
        if let Ok(text) = node.text(name) {
            return Ok(vec![(text, &node.at)]);
        }
        node.list(name)?.iter().map(|item| Ok((item.text(name)?, &item.at))).collect()
    }
    pub fn text(&self, name: &str) -> Result<Option<&'a str>, Error> {
        self.get(name).map(|node| node.text(name)).transpose()
    }
    pub fn flag(&self, name: &str) -> Result<bool, Error> {
        self.get(name).map_or(Ok(false), |node| node.flag(name))
    }
    /// The one of these keys that is given; exactly one must be.
    pub fn exactly_one(&self, keys: &[&'static str]) -> Result<(&'static str, &'a TomlNode), Error> {
        match self.at_most_one(keys)? {
            Some(found) => Ok(found),
            None => {
                let (name, keys, given) = (self.path.clone(), keys.to_vec(), Vec::new());
                Err(self.head.error(Error::ExactlyOne { name, keys, given }))
            }
        }
    }
    /// The one of these keys that is given, if any; at most one may be.
    pub fn at_most_one(&self, keys: &[&'static str]) -> Result<Option<(&'static str, &'a TomlNode)>, Error> {
        let found: Vec<_> = keys.iter().filter_map(|key| Some((*key, self.get(key)?))).collect();
        match found[..] {
            [] => Ok(None),
            [one] => Ok(Some(one)),
            [_, (_, second), ..] => {
                let (name, keys) = (self.path.clone(), keys.to_vec());
                let given = found.iter().map(|(key, _)| *key).collect();
                Err(second.at.error(Error::ExactlyOne { name, keys, given }))
            }
        }
    }
    /// A value from a list of words; the first is the default.
    pub fn choice(&self, name: &'static str, words: &[&'static str]) -> Result<&'static str, Error> {
        let Some(node) = self.get(name) else { return Ok(words[0]) };
        let text = node.text(name)?;
        words.iter().copied().find(|word| *word == text).ok_or_else(|| node.at.error(unknown_name(name, text, words)))
    }
    /// An error of the system, at the position of the key that caused it.
    pub fn at_key(&self, error: impl Into<Error>) -> Error {
        let error = error.into();
        let Error::System(SystemError { kind: problem, .. }) = &error else { return self.head.error(error) };
        let keys: &[&str] = match problem {
            SystemErrorKind::InvalidValue { key, .. } | SystemErrorKind::NotASwitch { key } => &[key],
            SystemErrorKind::NoRelativeMotion
            | SystemErrorKind::MixedUnits { .. }
            | SystemErrorKind::NoLever
            | SystemErrorKind::MotionJumps { .. }
            | SystemErrorKind::InvalidGear => &["between", "on"],
            SystemErrorKind::UnknownLoad { .. } => &["load", "command"],
            SystemErrorKind::GainCount { .. } => &["gains"],
            SystemErrorKind::MemoryLength { .. } => &["memory"],
            SystemErrorKind::OutsideStop { .. } => &["lo", "hi"],
            _ => &[],
        };
        let node = keys.iter().find_map(|key| self.get(key));
        node.map_or(self.head, |node| &node.at).error(error)
    }
}

/// The error of an unknown name, with the existing names.
pub(super) fn unknown_name<S: AsRef<str>>(what: &'static str, name: &str, known: &[S]) -> Error {
    let known: Vec<String> = known.iter().map(|name| name.as_ref().to_owned()).collect();
    let near = similar(name, known.iter().map(String::as_str)).into_iter().map(str::to_owned).collect();
    Error::UnknownName { what, name: name.to_owned(), near, known }
}
