//! A law as a file: parameters, states and equations in TOML.
//!
//! ```
//! use std::path::Path;
//! use stiction::{LawFile, core::Input};
//!
//! let law = LawFile::parse(
//!     r#"
//!     name = "my-dahl"
//!     summary = "Dahl's law"
//!     [params]
//!     fc    = { unit = "N",   default = 1.0, min = 1e-9, max = 1e9, doc = "Coulomb level" }
//!     sigma = { unit = "N/m", default = 1e4, min = 1e-3, max = 1e12 }
//!     [states]
//!     z = "m"
//!     [equations]
//!     rate.z = "v - sigma*abs(v)*z/fc"
//!     force  = "load*sigma*z"
//!     "#,
//!     Path::new("my-dahl.toml"),
//! )?;
//! let dahl = law.spec().build()?;
//! assert!((dahl.steady(&Input::at(0.1)) - 1.0).abs() < 1e-9);
//! # Ok::<(), stiction::Error>(())
//! ```
mod at_rest;
mod build;
mod compile;
mod compiled_law;
mod curve;
mod curve_reduction;
mod dimension;
mod equations;
mod keys;
mod modes;
mod nonnegative;
mod read;
mod registry_tables;
mod reserved_names;
mod source;
mod table;

pub use crate::error::LawFileError;
pub use dimension::Dimension;
pub(crate) use source::{Expression, LawSource};
pub(crate) use table::MeasuredTable;

use crate::toml_tree::{SourceLocation, TomlTable};
use crate::{Error, Spec};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use stiction_core::models;
use stiction_core::registry::LawEntry;

/// Laws read so far, by their text: a law is made once, however often it is read.
static READ: Mutex<BTreeMap<String, LawFile>> = Mutex::new(BTreeMap::new());

/// A law from a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LawFile {
    entry: &'static LawEntry,
    text: &'static str,
}

impl LawFile {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// [`Error::File`], or as [`LawFile::parse`].
    pub fn read(path: &Path) -> Result<Self, Error> {
        Self::parse(&crate::toml_tree::read_text(path)?, path)
    }
    /// Reads `text`; `path` is for error messages.
    ///
    /// # Errors
    /// Any error, with its position as [`Error::At`].
    pub fn parse(text: &str, path: &Path) -> Result<Self, Error> {
        let top = SourceLocation::top(text, path);
        Self::of_table(&TomlTable::parse(text, &top)?, text, &top)
    }
    pub(crate) fn of_table(table: &TomlTable, text: &str, top: &SourceLocation) -> Result<Self, Error> {
        let source = LawSource::read(table, top)?;
        let mut known = READ.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(law) = known.get(text) {
            // the last one read is the one that a name stands for
            stiction_sim::laws::add(law.entry);
            return Ok(*law);
        }
        let entry: &'static LawEntry = Box::leak(Box::new(build::entry(&source)?));
        let law = Self { entry, text: Box::leak(text.to_owned().into_boxed_str()) };
        known.insert(text.to_owned(), law);
        stiction_sim::laws::add(entry);
        Ok(law)
    }
    /// The law that an entry was read from; none for a built-in law.
    pub fn of(entry: &LawEntry) -> Option<Self> {
        let known = READ.lock().unwrap_or_else(PoisonError::into_inner);
        known.values().find(|law| law.entry == entry).copied()
    }
    /// The law as a registry sees it.
    pub fn entry(&self) -> &'static LawEntry {
        self.entry
    }
    /// The text of the file.
    pub fn text(&self) -> &'static str {
        self.text
    }
    /// For its table and each of its curves of which not all rows are kept: how many are, and how far the others are from the curve.
    ///
    /// # Errors
    /// As [`LawFile::parse`].
    pub fn kept_rows(&self) -> Result<Vec<String>, Error> {
        Ok(self.source()?.kept_rows())
    }
    /// Its equations as they are written.
    pub(crate) fn source(&self) -> Result<LawSource, Error> {
        let top = SourceLocation::top(self.text, Path::new(self.entry.name));
        LawSource::read(&TomlTable::parse(self.text, &top)?, &top)
    }
    /// The law with its defaults.
    pub fn spec(&self) -> Spec {
        Spec::of(self.entry)
    }
}

/// Whether a table is that of a law file.
pub(crate) fn is_law(table: &TomlTable) -> bool {
    table.get("equations").is_some() || table.get("table").is_some()
}

/// Whether the name is taken by a law of the program.
fn is_built_in(name: &str) -> bool {
    models::find(name).is_some() || ["auto", "prz", "asymmetric", "load", "noise", "stochastic"].contains(&name)
}
