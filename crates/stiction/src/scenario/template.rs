//! A parsed scenario whose values can be changed repeatedly.
use super::law_replacement;
use super::{Scenario, assignment, builder::Builder, component_table::unknown_name, embedded};
use crate::sim::StopFlag;
use crate::toml_tree::{self, SourceLocation, TomlEntry, TomlNode, TomlTable, TomlValue};
use crate::{Error, Spec, is_file_name};
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
    /// The embedded scenario called `name`, or the file at this path, if it is a path or ends in .toml.
    ///
    /// # Errors
    /// [`Error::UnknownName`], [`Error::File`], or as [`Template::parse`].
    pub fn find(name: &str, assignments: &[impl AsRef<str>]) -> Result<Self, Error> {
        if is_file_name(name) {
            let path = Path::new(name);
            return Self::parse(&toml_tree::read_text(path)?, path, assignments);
        }
        let names: Vec<&str> = embedded::ALL.iter().map(|entry| entry.name).collect();
        let entry = embedded::find(name).ok_or_else(|| unknown_name("scenario", name, &names))?;
        Self::parse(entry.text, Path::new(&format!("{name}.toml")), assignments)
    }
    /// Applies an assignment, `path=value`. The end of a path is enough if it is unique.
    ///
    /// # Errors
    /// [`Error::Set`], or [`Error::Assignment`] if it is not of this form.
    pub fn assign(&mut self, assignment: &str) -> Result<&mut Self, Error> {
        self.notes.extend(assignment::assign_text(&mut self.root, assignment)?);
        Ok(self)
    }
    /// Puts another law in the contact, clutch or brake called `name`, `table` or `contact.table`; what it said of its law before
    /// is gone.
    ///
    /// # Errors
    /// [`Error::Set`] if there is no such component, or several.
    pub fn replace_law(&mut self, name: &str, law: &Spec) -> Result<&mut Self, Error> {
        law_replacement::replace_law(&mut self.root, name, law)?;
        Ok(self)
    }
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
    /// Makes a value the initial value of a parameter to identify; its bounds are widened if they do not hold it. Without such a
    /// parameter nothing changes.
    pub fn initial_value(&mut self, name: &str, value: f64) -> &mut Self {
        let at = SourceLocation::option(name);
        let number = |x: f64| TomlNode::number_at(x, &at);
        let section = self.root.get_mut("identify").and_then(TomlNode::table_mut);
        let free = section.and_then(|table| table.get_mut("free")).and_then(TomlNode::table_mut);
        let Some(node) = free.and_then(|table| table.get_mut(name)) else { return self };
        let entry = |key: &str, node: TomlNode| TomlEntry { key: key.to_owned(), at: at.clone(), node };
        // bounds alone are a list
        if let TomlValue::List(list) = &node.value
            && let [low, high] = &list[..]
        {
            *node = TomlNode::table_at(TomlTable(vec![entry("low", low.clone()), entry("high", high.clone())]), &at);
        }
        let Some(table) = node.table_mut() else { return self };
        for (key, widen) in [("low", f64::min as fn(f64, f64) -> f64), ("high", f64::max)] {
            if let Some(bound) = table.get_mut(key)
                && let TomlValue::Number(x) = bound.value
            {
                *bound = number(widen(x, value));
            }
        }
        table.0.retain(|entry| entry.key != "start");
        table.0.push(entry("start", number(value)));
        self
    }
    /// Whether it has an identification task, as scenarios have and parameter files have not.
    pub fn has_task(&self) -> bool {
        self.root.get("identify").is_some()
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
