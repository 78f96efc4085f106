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
//! Nothing is ignored: a key that no component knows is an error, with its place. [`keys`] lists them all.
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
mod identification_task;
pub mod keys;
mod measure;
mod mechanics;
mod plot_definition;
mod sampled_servo;
mod servo_settings;
mod signal;
mod springs;
mod template;
mod to_toml;
mod value_paths;

pub use controller_assembly::{ControllerState, assemble};
pub use identification_task::IdentificationTask;
pub use plot_definition::{PanelColumns, PlotDefinition};
pub use sampled_servo::DEFAULT_SAMPLE_TIME;
pub use servo_settings::{ControllerPart, ServoSettings};
pub use template::Template;

use crate::recipe::AssumedInput;
use crate::sim::{Simulation, SimulationOptions};
use crate::system::System;
use crate::toml_tree::{SourceLocation, TomlTable};
use crate::{Error, toml_tree};
use component_table::unknown_name;
use std::path::{Path, PathBuf};

/// What a scenario file says.
pub struct Scenario {
    /// What it shows, on one line.
    pub title: String,
    /// Free text.
    pub about: String,
    /// The system.
    pub system: System,
    /// How to run it, with a probe for each measure.
    pub options: SimulationOptions,
    /// Names of the measures, in the order of the probes.
    pub measures: Vec<String>,
    /// Pictures.
    pub plots: Vec<PlotDefinition>,
    /// Columns to keep in files; none: all.
    pub record: Vec<String>,
    /// Quantities of recipes that were not given: whose, and what they were taken to be.
    pub assumed: Vec<(String, AssumedInput)>,
    /// What a reader should know before the run: measures that begin after its end.
    pub notes: Vec<String>,
    /// The file that repeats it: as it was read, or with assignments applied and its files renamed as `inputs` says.
    pub text: String,
    /// Files that it reads, and the names that they must have beside `text`.
    pub inputs: Vec<(PathBuf, String)>,
    /// What is to be found from measured records, if it says so.
    pub identify: Option<IdentificationTask>,
    /// Columns it speaks of, and where.
    wanted: Vec<(String, SourceLocation)>,
    /// Chains, and how many blocks each has.
    chains: Vec<(String, usize)>,
}

impl Scenario {
    /// Whether a text looks like a scenario, and not like another file of this program.
    pub fn looks_like_scenario(text: &str) -> bool {
        let tables = ["run", "body", "controller", "contact"];
        TomlTable::parse(text, &SourceLocation::top(text, Path::new("")))
            .is_ok_and(|root| tables.iter().any(|key| root.get(key).is_some()))
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
    /// Reads `text`; `path` is for messages, and for the files that it names, which are sought beside it.
    ///
    /// # Errors
    /// Whatever is wrong, as [`Error::At`] its place, or [`Error::Set`] its assignment.
    pub fn parse(text: &str, path: &Path, set: &[impl AsRef<str>]) -> Result<Self, Error> {
        let top = SourceLocation::top(text, path);
        let mut root = TomlTable::parse(text, &top)?;
        for assignment in set {
            assignment::assign_text(&mut root, assignment.as_ref())?;
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut scenario = builder::Builder::new(&root, &top, folder).scenario()?;
        scenario.inputs = to_toml::collect_files(&mut root, folder);
        // as it is, comments and all, if nothing is different
        let same = set.is_empty() && scenario.inputs.is_empty();
        scenario.text = if same { text.to_owned() } else { to_toml::toml(&root) };
        Ok(scenario)
    }
    /// The system ready to run; all columns that the scenario speaks of are there.
    ///
    /// # Errors
    /// As [`Simulation::new`], or [`Error::UnknownName`] at the place of a column.
    pub fn simulation(&self) -> Result<Simulation<'_>, Error> {
        let simulation = Simulation::new(&self.system)?;
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
