//! A scenario as a unit: its text, and the library with the simulator.
use super::description::{ModelDescription, able};
use super::scenario_run::ScenarioRun;
use super::variables::Variable;
use super::xml::Element;
use super::{FmiVersion, Platform, archive, build_mark, guid};
use crate::export::OutputFile;
use crate::scenario::Template;
use crate::{Error, FileError, error::FmuError};
use std::path::{Path, PathBuf};
use std::{env, fs};

/// A scenario ready to be written as a unit for co-simulation.
pub struct ScenarioUnit {
    /// The version of the interface.
    pub version: FmiVersion,
    /// The name of the unit, an identifier in C.
    pub identifier: String,
    run: ScenarioRun,
    text: String,
    /// Files that the scenario reads: where they are, and their names in the unit.
    files: Vec<(PathBuf, String)>,
}

impl ScenarioUnit {
    /// A unit of a scenario called `name`, which may be the path of a file.
    ///
    /// # Errors
    /// As [`Template::build`].
    pub fn new(name: &str, template: &Template, version: FmiVersion) -> Result<Self, Error> {
        let (text, files) = template.bundle();
        let text = build_mark::mark(&text);
        let run = ScenarioRun::new(template.clone(), guid(&text))?;
        let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
        let stem = Path::new(name).file_stem().unwrap_or_default().to_string_lossy();
        let identifier = format!("stiction_{}_scenario", stem.chars().map(plain).collect::<String>());
        Ok(Self { version, identifier, run, text, files })
    }
    /// The variables, in the order of their value references.
    pub fn variables(&self) -> &[Variable] {
        self.run.variables()
    }
    /// The scenario as it stands in the unit: the build that made it, and its text.
    pub fn resource(&self) -> &str {
        &self.text
    }
    /// The model description.
    pub fn model_description(&self) -> String {
        let [start, end] = self.run.span();
        let cosimulation = Element::new("CoSimulation").set("modelIdentifier", &self.identifier);
        let abilities: &[&'static str] = match self.version {
            FmiVersion::Two => &[
                "canHandleVariableCommunicationStepSize",
                "canNotUseMemoryManagementFunctions",
                "canGetAndSetFMUstate",
                "canSerializeFMUstate",
            ],
            FmiVersion::Three => {
                &["canGetAndSetFMUState", "canSerializeFMUState", "canHandleVariableCommunicationStepSize"]
            }
        };
        ModelDescription {
            version: self.version,
            identifier: &self.identifier,
            token: self.run.token(),
            description: self.run.title().to_owned(),
            naming: "flat",
            interfaces: vec![able(cosimulation, abilities)],
            variables: self.run.variables(),
            indicators: None,
            start,
            stop: end,
            step: (end - start) / 1000.0,
        }
        .document()
    }
    /// The unit as one file, with this library.
    ///
    /// # Errors
    /// [`Error::File`] if a file of the scenario cannot be read; [`FmuError::OtherLibrary`] if the library is of another build.
    pub fn archive(&self, library: &Path) -> Result<Vec<u8>, Error> {
        let read = |path: &Path| fs::read(path).map_err(|io| Error::from(FileError::read(path, io)));
        let file = |path: String, bytes: Vec<u8>| OutputFile { path, bytes };
        let mut files = vec![
            file("modelDescription.xml".to_owned(), self.model_description().into_bytes()),
            file("resources/scenario.toml".to_owned(), self.text.clone().into_bytes()),
        ];
        for (path, name) in &self.files {
            files.push(file(format!("resources/{name}"), read(path)?));
        }
        let platform = Platform::here().ok_or(FmuError::NoScenarioLibrary)?;
        let bytes = read(library)?;
        if !build_mark::is_in(&bytes) {
            return Err(FmuError::OtherLibrary { path: library.to_owned() }.into());
        }
        let library = file(platform.path(self.version, &self.identifier), bytes);
        archive::pack(&files, Some(&library))
    }
    /// The library with the simulator, beside the program that is running.
    ///
    /// # Errors
    /// [`FmuError::NoScenarioLibrary`] if it is not there.
    pub fn library() -> Result<PathBuf, Error> {
        let name = Platform::here().map(|platform| format!("libstiction_unit.{}", platform.ending));
        let program = env::current_exe().ok();
        let folder = program.as_deref().and_then(Path::parent);
        // a test program stands in the folder below
        let folders = folder.into_iter().chain(folder.and_then(Path::parent));
        let found =
            folders.filter_map(|folder| name.as_ref().map(|name| folder.join(name))).find(|path| path.is_file());
        found.ok_or_else(|| FmuError::NoScenarioLibrary.into())
    }
}
