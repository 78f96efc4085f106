//! A scenario named on the command line.
use crate::error::CommandError;
use crate::stream;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use stiction::Error;
use stiction::number::short;
use stiction::recipe::AssumedInput;
use stiction::scenario::{Scenario, Template, VariedValue, embedded};
use stiction::{FileError, is_file_name};

/// A scenario and changes of its values.
#[derive(clap::Args)]
pub struct ScenarioArgs {
    /// A scenario ('stiction scenarios' lists them), or a file (a path or anything that ends in .toml).
    #[arg(value_name = "NAME|FILE.toml", value_parser = ScenarioNames, hide_possible_values = true)]
    scenario: String,
    /// Change a value of the scenario, as in body.block.mass=2; the end of a path is enough if it is unique, as in
    /// mass=2. Repeatable, the last one counts.
    #[arg(long, value_name = "PATH=VALUE")]
    pub set: Vec<String>,
    /// Longest computing time of a run in seconds, instead of run.max_seconds; 0: no limit.
    #[arg(long, value_name = "SECONDS")]
    max_seconds: Option<f64>,
}

impl ScenarioArgs {
    /// The same from a command that takes a scenario or something else.
    pub fn new(scenario: &str, set: &[String]) -> Self {
        Self { scenario: scenario.to_owned(), set: set.to_vec(), max_seconds: None }
    }
    /// Its name, without folder and ending.
    pub fn name(&self) -> String {
        let stem = Path::new(&self.scenario).file_stem().unwrap_or_default();
        if is_file_name(&self.scenario) { stem.to_string_lossy().into_owned() } else { self.scenario.clone() }
    }
    /// Reads it.
    pub fn load(&self) -> Result<Scenario, CommandError> {
        let scenario = self.with(&[])?;
        for (part, AssumedInput { param, value, own }) in &scenario.assumed {
            let whose = if *own { "the law's own" } else { "its default" };
            stream::note(format_args!("{part}: {} = {} [{}], {whose}", param.name, short(*value), param.unit));
        }
        scenario.notes.iter().for_each(stream::note);
        Ok(scenario)
    }
    /// Reads it as a template, with values that are to be identified or tuned.
    pub fn template(&self) -> Result<Template, CommandError> {
        let set: Vec<String> = self.set.iter().cloned().chain(self.time_limit()).collect();
        let template = self.parsed(&set).map_err(|error| match error {
            CommandError::Library(error) => self.suggest(error).into(),
            error => error,
        })?;
        template.notes.iter().for_each(stream::note);
        Ok(template)
    }
    /// The values by which a run is to be differentiated, by paths as in `--set`.
    pub fn vary(&self, paths: &[String]) -> Result<Vec<VariedValue>, CommandError> {
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        let set: Vec<String> = self.set.iter().cloned().chain(self.time_limit()).collect();
        let template = self.parsed(&set)?;
        Ok(paths.iter().map(|path| template.vary(path)).collect::<Result<_, _>>()?)
    }
    /// The assignment that stands for `--max-seconds`.
    fn time_limit(&self) -> Option<String> {
        self.max_seconds.map(|limit| format!("run.max_seconds={limit:e}"))
    }
    fn parsed(&self, set: &[String]) -> Result<Template, CommandError> {
        if is_file_name(&self.scenario) {
            let path = Path::new(&self.scenario);
            let text = fs::read_to_string(path)
                .map_err(|io| Error::File(FileError { path: path.to_owned(), action: "read", io }))?;
            return Ok(Template::parse(&text, path, set)?);
        }
        let Some(known) = embedded::find(&self.scenario) else {
            // returns the error about the name
            self.with(&[])?;
            return Err(Error::Missing { key: "[identify]" }.into());
        };
        Ok(Template::parse(known.text, Path::new(known.name), set)?)
    }
    /// Reads it with more changes.
    pub fn with(&self, more: &[String]) -> Result<Scenario, Error> {
        let limit = self.time_limit();
        let set: Vec<&String> = self.set.iter().chain(&limit).chain(more).collect();
        Scenario::find(&self.scenario, &set).map_err(|error| self.suggest(error))
    }
    /// Suggests the full path where only the end of a path was given, as sweeps accept it.
    fn suggest(&self, error: Error) -> Error {
        let Error::Set { text, error } = error else { return error };
        let Error::UnknownName { what: what @ "part of a scenario", name, near, known } = *error else {
            return Error::Set { text, error };
        };
        let path = text.split('=').next().unwrap_or_default().trim();
        let near = match self.parsed(&[]).map(|template| template.path(path)) {
            Ok(Ok((path, _))) => vec![path],
            Ok(Err(Error::AmbiguousName { known, .. })) => known,
            _ => near,
        };
        Error::Set { text, error: Box::new(Error::UnknownName { what, name, near, known }) }
    }
}

/// Accepts any text, and gives shell completion the names of the scenarios.
#[derive(Clone)]
pub struct ScenarioNames;

impl ScenarioNames {
    /// The names.
    pub fn all() -> impl Iterator<Item = &'static str> {
        embedded::ALL.iter().map(|entry| entry.name)
    }
}

impl TypedValueParser for ScenarioNames {
    type Value = String;
    fn parse_ref(&self, cmd: &clap::Command, arg: Option<&clap::Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(cmd, arg, value)
    }
    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Self::all().map(PossibleValue::new)))
    }
}
