//! A scenario whose numbers and signals are put in again and again.
use super::{Scenario, assignment, builder::Builder};
use crate::Error;
use crate::toml_tree::{SourceLocation, TomlNode, TomlTable};
use std::path::{Path, PathBuf};

/// A scenario that was read, but not interpreted yet.
#[derive(Clone, Debug)]
pub struct Template {
    pub(super) root: TomlTable,
    pub(super) top: SourceLocation,
    pub(super) folder: PathBuf,
}

impl Template {
    /// Reads `text` as [`Scenario::parse`] does.
    ///
    /// # Errors
    /// As [`Scenario::parse`], for what TOML and assignments can have wrong.
    pub fn parse(text: &str, path: &Path, assignments: &[impl AsRef<str>]) -> Result<Self, Error> {
        let top = SourceLocation::top(text, path);
        let mut root = TomlTable::parse(text, &top)?;
        for assignment in assignments {
            assignment::assign_text(&mut root, assignment.as_ref())?;
        }
        Ok(Self { root, top, folder: path.parent().unwrap_or(Path::new("")).to_owned() })
    }
    /// Puts a number where `path` leads to, as `--set` does.
    ///
    /// # Errors
    /// [`Error::Set`] if it leads nowhere.
    pub fn number(&mut self, path: &str, value: f64) -> Result<&mut Self, Error> {
        let at = SourceLocation::option(path);
        assignment::assign(&mut self.root, path, TomlNode::number_at(value, &at), &at)?;
        Ok(self)
    }
    /// Puts a signal through points in time where `path` leads to.
    ///
    /// # Errors
    /// [`Error::Set`] if it leads nowhere.
    pub fn signal(&mut self, path: &str, t: &[f64], y: &[f64]) -> Result<&mut Self, Error> {
        let at = SourceLocation::option(path);
        assignment::assign(&mut self.root, path, TomlNode::points_at(t, y, &at), &at)?;
        Ok(self)
    }
    /// Leaves out measures and pictures, which may ask for what a shorter run does not have.
    pub fn strip(&mut self) {
        self.root.0.retain(|entry| !["measure", "plot"].contains(&entry.key.as_str()));
    }
    /// The scenario as it now is.
    ///
    /// # Errors
    /// As [`Scenario::parse`].
    pub fn build(&self) -> Result<Scenario, Error> {
        Builder::new(&self.root, &self.top, &self.folder).scenario()
    }
    /// The file that says all this.
    pub fn text(&self) -> String {
        super::to_toml::toml(&self.root)
    }
    /// The same for another folder, and the files that belong beside it: where each is now, and its name there.
    pub fn bundle(&self) -> (String, Vec<(PathBuf, String)>) {
        let mut root = self.root.clone();
        let files = super::to_toml::collect_files(&mut root, &self.folder);
        (super::to_toml::toml(&root), files)
    }
}
