//! A parsed scenario whose values can be changed repeatedly.
use super::{Scenario, assignment, builder::Builder};
use crate::Error;
use crate::sim::StopFlag;
use crate::toml_tree::{SourceLocation, TomlNode, TomlTable};
use std::path::{Path, PathBuf};

/// A scenario that is parsed, but not built yet.
#[derive(Clone, Debug)]
pub struct Template {
    pub(super) root: TomlTable,
    pub(super) top: SourceLocation,
    pub(super) folder: PathBuf,
    /// Short paths of assignments, and what they stand for.
    pub notes: Vec<String>,
    stop: StopFlag,
}

impl Template {
    /// Reads `text` as [`Scenario::parse`] does.
    ///
    /// # Errors
    /// As [`Scenario::parse`], for errors of TOML and assignments.
    pub fn parse(text: &str, path: &Path, assignments: &[impl AsRef<str>]) -> Result<Self, Error> {
        let top = SourceLocation::top(text, path);
        let mut root = TomlTable::parse(text, &top)?;
        let mut notes = Vec::new();
        for assignment in assignments {
            notes.extend(assignment::assign_text(&mut root, assignment.as_ref())?);
        }
        Ok(Self {
            root,
            top,
            folder: path.parent().unwrap_or(Path::new("")).to_owned(),
            notes,
            stop: StopFlag::default(),
        })
    }
    /// Scenarios that are built from now on run until this flag is raised.
    pub fn stop_on(&mut self, stop: StopFlag) {
        self.stop = stop;
    }
    /// Sets the number at `path`, as `--set` does.
    ///
    /// # Errors
    /// [`Error::Set`] if the path does not exist.
    pub fn number(&mut self, path: &str, value: f64) -> Result<&mut Self, Error> {
        let at = SourceLocation::option(path);
        assignment::assign(&mut self.root, path, TomlNode::number_at(value, &at), &at)?;
        Ok(self)
    }
    /// Sets a signal through points in time at `path`, with straight lines between them.
    ///
    /// # Errors
    /// [`Error::Set`] if the path does not exist.
    pub fn signal(&mut self, path: &str, t: &[f64], y: &[f64]) -> Result<&mut Self, Error> {
        self.sampled_signal(path, [t, y], "linear", 0.0)
    }
    /// Sets a signal through points in time at `path`, with this interpolation between them, later by `delay`.
    ///
    /// # Errors
    /// [`Error::Set`] if the path does not exist.
    pub fn sampled_signal(
        &mut self,
        path: &str,
        [t, y]: [&[f64]; 2],
        interpolation: &str,
        delay: f64,
    ) -> Result<&mut Self, Error> {
        let at = SourceLocation::option(path);
        assignment::assign(&mut self.root, path, TomlNode::points_at([t, y], interpolation, delay, &at), &at)?;
        Ok(self)
    }
    /// Removes measures and plots, which may not be valid for a shorter run.
    pub fn remove_measures_and_plots(&mut self) {
        self.root.0.retain(|entry| !["measure", "plot"].contains(&entry.key.as_str()));
    }
    /// Builds the scenario.
    ///
    /// # Errors
    /// As [`Scenario::parse`].
    pub fn build(&self) -> Result<Scenario, Error> {
        let mut scenario = Builder::new(&self.root, &self.top, &self.folder).scenario()?;
        scenario.options.stop = self.stop.clone();
        Ok(scenario)
    }
    /// The scenario as TOML.
    pub fn text(&self) -> String {
        super::to_toml::toml(&self.root)
    }
    /// The scenario as TOML for another folder, and the files that it needs: present path, and name there.
    pub fn bundle(&self) -> (String, Vec<(PathBuf, String)>) {
        let mut root = self.root.clone();
        let files = super::to_toml::collect_files(&mut root, &self.folder);
        (super::to_toml::toml(&root), files)
    }
}
