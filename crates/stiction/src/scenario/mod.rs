//! Scenario files: a system, how to run it, what to measure and what to show, in TOML.
//!
//! ```
//! use stiction::scenario::Scenario;
//!
//! let text = r#"
//!     [run]
//!     end = 30
//!     [body.block]
//!     mass = 1
//!     [motion.hand]
//!     position = { ramp = { slope = 0.1 } }
//!     [spring.pull]
//!     between = ["hand", "block"]
//!     stiffness = 2
//!     [contact.table]
//!     between = ["block", "ground"]
//!     law = "lugre"
//!     fs = 2
//! "#;
//! let scenario = Scenario::parse(text, "pull.toml".as_ref(), &["run.end=5"])?;
//! assert_eq!(scenario.options.end, 5.0);
//! # Ok::<(), stiction::Error>(())
//! ```
//! Nothing is ignored: an unknown key is an error with its position. [`keys`] lists all keys.
mod assignment;
mod builder;
mod chain;
mod component_table;
mod contacts;
mod control;
mod controller;
mod controller_assembly;
mod curve_points;
pub mod embedded;
mod formula;
mod freewheel;
mod identification_task;
mod inline_law;
pub mod keys;
mod law_replacement;
mod lossy_gear;
mod measure;
mod mechanics;
mod plane;
mod planetary;
mod plot_definition;
mod plot_quantity;
mod sampled_servo;
mod servo_settings;
mod signal;
mod springs;
mod switch;
mod switched_damper;
mod template;
mod to_toml;
mod value_paths;
mod varied;

pub use controller_assembly::{ControllerStateInfo, assemble};
pub use identification_task::{IdentificationTask, InputSignal, PriorKnowledge};
pub use plot_definition::{PanelColumns, PlotDefinition, PlotStyle};
pub use plot_quantity::PlotQuantity;
pub use sampled_servo::DEFAULT_SAMPLE_TIME;
pub use servo_settings::{ControllerPart, ServoSettings};
pub use template::Template;
pub use varied::{DerivativeColumn, VariedValue, derivative_notes};

use crate::recipe::AssumedInput;
use crate::sim::{Column, Simulation, SimulationOptions};
use crate::system::System;
use crate::toml_tree::{SourceLocation, TomlTable};
use crate::{Error, is_file_name, toml_tree};
use component_table::unknown_name;
use std::path::{Path, PathBuf};

/// A scenario: a system, how to simulate it, what to measure and what to plot.
pub struct Scenario {
    /// Title.
    pub title: String,
    /// Free text.
    pub about: String,
    /// The system.
    pub system: System,
    /// Options of the simulation, with a probe for each measure.
    pub options: SimulationOptions,
    /// Names of the measures, in the order of the probes.
    pub measures: Vec<String>,
    /// Plots.
    pub plots: Vec<PlotDefinition>,
    /// Columns to write to files; empty: all.
    pub record: Vec<String>,
    /// Quantities of recipes that were not given: the component, and the assumed value.
    pub assumed: Vec<(String, AssumedInput)>,
    /// What a reader should know before the run: short paths of assignments, parameters that replace those of a file,
    /// measures that begin after its end.
    pub notes: Vec<String>,
    /// Measures without a value, and why.
    pub no_value: Vec<(String, String)>,
    /// The text of a file with the same scenario: the original, or with assignments applied and files renamed as in
    /// `inputs`.
    pub text: String,
    /// Files that it reads, and their names in `text`.
    pub inputs: Vec<(PathBuf, String)>,
    /// The identification task, if it has one.
    pub identify: Option<IdentificationTask>,
    /// Columns that it names, with their positions.
    wanted: Vec<(String, SourceLocation)>,
    /// Columns and formulas of its pictures, with their positions.
    shown: Vec<(String, SourceLocation)>,
    /// Chains and their numbers of blocks.
    chains: Vec<(String, usize)>,
}

impl Scenario {
    /// Whether a text looks like a scenario rather than another file of this program.
    pub fn looks_like_scenario(text: &str) -> bool {
        let tables = ["run", "body", "controller", "contact", "plane_body"];
        TomlTable::parse(text, &SourceLocation::top(text, Path::new("")))
            .is_ok_and(|root| tables.iter().any(|key| root.get(key).is_some()))
    }
    /// The embedded scenario called `name`, or the file at this path, if it is a path or ends in .toml; with the assignments in
    /// `set`.
    ///
    /// # Errors
    /// As [`Scenario::named`] and [`Scenario::read`].
    pub fn find(name: &str, set: &[impl AsRef<str>]) -> Result<Self, Error> {
        if is_file_name(name) { Self::read(Path::new(name), set) } else { Self::named(name, set) }
    }
    /// Reads the file at `path` and applies the assignments `path=value` in `set`.
    ///
    /// # Errors
    /// [`Error::File`], or as [`Scenario::parse`].
    pub fn read(path: &Path, set: &[impl AsRef<str>]) -> Result<Self, Error> {
        Self::parse(&toml_tree::read_text(path)?, path, set)
    }
    /// The embedded scenario called `name`, with the assignments in `set`.
    ///
    /// # Errors
    /// [`Error::UnknownName`], or as [`Scenario::parse`].
    pub fn named(name: &str, set: &[impl AsRef<str>]) -> Result<Self, Error> {
        let names: Vec<&str> = embedded::ALL.iter().map(|entry| entry.name).collect();
        let entry = embedded::find(name).ok_or_else(|| unknown_name("scenario", name, &names))?;
        Self::parse(entry.text, format!("{name}.toml").as_ref(), set)
    }
    /// Reads `text`; `path` is for messages and for files that it names, which are relative to its folder.
    ///
    /// # Errors
    /// Any error, with its position as [`Error::At`], or with its assignment as [`Error::Set`].
    pub fn parse(text: &str, path: &Path, set: &[impl AsRef<str>]) -> Result<Self, Error> {
        let top = SourceLocation::top(text, path);
        let mut root = TomlTable::parse(text, &top)?;
        let mut notes = Vec::new();
        for assignment in set {
            notes.extend(assignment::assign_text(&mut root, assignment.as_ref())?);
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut scenario = builder::Builder::new(&root, &top, folder).scenario()?;
        scenario.notes.splice(0..0, notes);
        scenario.inputs = to_toml::collect_files(&mut root, folder);
        // the original text with its comments, if nothing was changed
        let same = set.is_empty() && scenario.inputs.is_empty();
        scenario.text = if same { text.to_owned() } else { to_toml::toml(&root) };
        Ok(scenario)
    }
    /// The pictures that it defines, or the usual one of these columns.
    pub fn plots_of(&self, columns: &[Column]) -> Vec<PlotDefinition> {
        if self.plots.is_empty() { vec![PlotDefinition::usual(columns, &self.system)] } else { self.plots.clone() }
    }
    /// The simulation; checks that all columns that the scenario names exist.
    ///
    /// # Errors
    /// As [`Simulation::new`], or [`Error::UnknownName`] at the position of a column, or the error of a formula of a picture.
    pub fn simulation(&self) -> Result<Simulation<'_>, Error> {
        let simulation = Simulation::new(&self.system)?;
        for (text, at) in &self.shown {
            let missing = |error| chain::missing_block(&self.chains, text).unwrap_or(error);
            PlotQuantity::new(text, simulation.columns()).map_err(|error| at.error(missing(error)))?;
        }
        let columns: Vec<&str> = simulation.columns().iter().map(|column| column.name.as_str()).collect();
        let strange = |(name, _): &&(String, SourceLocation)| !columns.contains(&name.as_str());
        match self.wanted.iter().find(strange) {
            Some((name, at)) => {
                let error =
                    chain::missing_block(&self.chains, name).unwrap_or_else(|| unknown_name("column", name, &columns));
                Err(at.error(error))
            }
            None => Ok(simulation),
        }
    }
}
