//! What the pages can ask for: each request becomes the arguments of a command. Names of files, laws and scenarios are looked up, and
//! everything else stands behind an option, so that no text from the browser is taken for an option or a path.
use crate::error::Refusal;
use crate::job::{Arguments, Jobs};
use crate::scenario_text::{CheckedText, is_plain};
use crate::workspace::Workspace;
use serde::Deserialize;
use std::fs;
use stiction::core::models;
use stiction::scenario::embedded;

/// Longest text of an option.
const MAX_OPTION: usize = 2000;

/// A request for a job.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum JobRequest {
    /// Look at a file.
    Data { file: String },
    /// Identify friction, or judge the law of a job on this record.
    Identify {
        file: String,
        #[serde(default)]
        options: Vec<(IdentifyOption, String)>,
        check: Option<u32>,
    },
    /// Run a scenario, with some of its numbers changed.
    Run {
        scenario: ScenarioSource,
        #[serde(default)]
        set: Vec<(String, f64)>,
    },
    /// Compare methods of compensation on a servo.
    Compensate {
        scenario: ScenarioSource,
        /// The job whose law the methods know; else that of the scenario.
        model: Option<u32>,
        methods: Vec<String>,
    },
    /// Write the controller or law of a job as source code, or as a page.
    Export { model: u32, what: ExportKind, sample: Option<f64> },
    /// List what can be varied and measured.
    SweepList { scenario: ScenarioSource },
    /// Run a scenario at many values.
    Sweep { scenario: ScenarioSource, vary: Vec<VariedRange>, measure: String },
    /// Go on with a job that was stopped.
    Resume { job: u32 },
}

/// Options of `stiction identify` that the page offers.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum IdentifyOption {
    Model,
    Find,
    Time,
    Position,
    Velocity,
    Acceleration,
    Force,
    Load,
    Known,
    Mass,
    Filter,
    Delay,
    Rest,
    Leave,
    /// Without a value.
    Profile,
}

impl IdentifyOption {
    fn name(self) -> &'static str {
        match self {
            Self::Model => "--model",
            Self::Find => "--find",
            Self::Time => "--time",
            Self::Position => "--position",
            Self::Velocity => "--velocity",
            Self::Acceleration => "--acceleration",
            Self::Force => "--force",
            Self::Load => "--load",
            Self::Known => "--known",
            Self::Mass => "--mass",
            Self::Filter => "--filter",
            Self::Delay => "--delay",
            Self::Rest => "--rest",
            Self::Leave => "--leave",
            Self::Profile => "--profile",
        }
    }
}

/// A scenario of the program by its name, or a text.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ScenarioSource {
    /// The name under which a text is stored; without a text, that of a scenario of the program.
    name: String,
    text: Option<String>,
}

/// Values of a number of a scenario: so many, evenly spaced.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariedRange {
    path: String,
    from: f64,
    to: f64,
    count: u32,
    /// On a logarithmic scale.
    log: bool,
}

/// What can be written of a law.
#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
pub enum ExportKind {
    ControllerC,
    ControllerRust,
    LawC,
    LawPython,
    LawMatlab,
    Page,
}

impl JobRequest {
    /// The arguments; scenarios that are texts are stored. `number` is that of the job.
    pub fn arguments(self, folder: &Workspace, jobs: &Jobs, number: u32) -> Result<Arguments, Refusal> {
        let mut words: Vec<String>;
        let output = match self {
            Self::Data { file } => {
                words = vec!["data".into(), stored(folder, file)?];
                None
            }
            Self::Identify { file, options, check } => {
                words = vec!["identify".into(), stored(folder, file)?];
                for (option, value) in options {
                    if option == IdentifyOption::Profile {
                        words.push(option.name().into());
                        continue;
                    }
                    if value.trim().is_empty() {
                        continue;
                    }
                    // a law by its name, perhaps with a number behind it, and no file
                    let word = value.chars().all(|c| c.is_ascii_alphanumeric() || "-:.".contains(c));
                    if option == IdentifyOption::Model && (!word || folder.path().join(&value).exists()) {
                        return Err(Refusal::bad("name a law of the program"));
                    }
                    words.push(option_value(option.name(), &value, folder)?);
                }
                if let Some(model) = check {
                    words.push(format!("--check={}", jobs.model(model)?));
                }
                Some(format!("{}-{number}", if check.is_some() { "check" } else { "found" }))
            }
            Self::Run { scenario, set } => {
                words = vec!["run".into(), scenario.store(folder)?];
                for (path, value) in &set {
                    words.push(format!("--set={}={value}", value_path(path)?));
                }
                Some(format!("run-{number}"))
            }
            Self::Compensate { scenario, model, methods } => {
                words = vec!["compensate".into(), scenario.store(folder)?];
                if let Some(model) = model {
                    words.push(format!("--model={}", jobs.model(model)?));
                }
                if !methods.is_empty() {
                    let word =
                        |method: &String| method.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'-' || c == b'+');
                    if !methods.iter().all(word) {
                        return Err(Refusal::bad("methods are words"));
                    }
                    words.push(format!("--with={}", methods.join(",")));
                }
                Some(format!("compensation-{number}"))
            }
            Self::Export { model, what, sample } => {
                let model = jobs.model(model)?;
                let (kind, target) = match what {
                    ExportKind::ControllerC => ("controller", Some("c")),
                    ExportKind::ControllerRust => ("controller", Some("rust")),
                    ExportKind::LawC => ("law", Some("c")),
                    ExportKind::LawPython => ("law", Some("python")),
                    ExportKind::LawMatlab => ("law", Some("matlab")),
                    ExportKind::Page => ("page", None),
                };
                words = vec!["export".into(), kind.into(), model];
                words.extend(target.map(|target| format!("--target={target}")));
                if kind == "controller" {
                    words.push(format!("--sample={}", sample.unwrap_or(1e-3)));
                }
                Some(format!("export-{number}{}", if kind == "page" { ".html" } else { "" }))
            }
            Self::Resume { job } => return jobs.resumed(job),
            Self::SweepList { scenario } => {
                words = vec!["sweep".into(), scenario.store(folder)?];
                None
            }
            Self::Sweep { scenario, vary, measure } => {
                words = vec!["sweep".into(), scenario.store(folder)?];
                for VariedRange { path, from, to, count, log } in &vary {
                    let scale = if *log { "log:" } else { "" };
                    words.push(format!("--vary={}={scale}{from}:{to}:{count}", value_path(path)?));
                }
                words.push(option_value("--measure", &measure, folder)?);
                Some(format!("sweep-{number}.parquet"))
            }
        };
        // a file of the same name may have been dropped
        let output = output.map(|name| folder.free_name(&name));
        if let Some(output) = &output {
            words.extend(["-o".into(), output.clone()]);
        }
        Ok(Arguments { words, output })
    }
}

/// An option with its value as one word, so that a value that begins with a dash stays a value.
fn option_value(option: &str, value: &str, folder: &Workspace) -> Result<String, Refusal> {
    let value = value.trim();
    if value.len() > MAX_OPTION || value.contains(['\0', '\n', '\r']) {
        return Err(Refusal::bad(format!("{option}: the text is too long, or has several lines")));
    }
    if folder.leads_outside(value) {
        return Err(Refusal::bad(format!("{option}: the lab does not open '{value}'")));
    }
    Ok(format!("{option}={value}"))
}

/// The path of a number in a scenario.
fn value_path(path: &str) -> Result<&str, Refusal> {
    let fine = |c: char| c.is_alphanumeric() || "._-\"".contains(c);
    if !path.is_empty() && path.len() <= MAX_OPTION && path.chars().all(fine) {
        return Ok(path);
    }
    Err(Refusal::bad("a value of a scenario is named by its path, as in spring.pull.stiffness"))
}

/// The name of an uploaded file.
fn stored(folder: &Workspace, file: String) -> Result<String, Refusal> {
    let there = is_plain(&file) && folder.path().join(&file).is_file();
    if there { Ok(file) } else { Err(Refusal::not_found("file")) }
}

impl ScenarioSource {
    /// The name of the scenario, or of the file in which its text is now.
    fn store(self, folder: &Workspace) -> Result<String, Refusal> {
        let entry = embedded::find(&self.name);
        match (self.text, entry) {
            (None, Some(entry)) => Ok(entry.name.to_owned()),
            (Some(text), Some(entry)) if text == entry.text => Ok(entry.name.to_owned()),
            (Some(text), _) => {
                let checked = CheckedText::new(text)?;
                let stem = self.name.trim_end_matches(".toml");
                let name = folder.free_name(&format!("{stem}.toml"));
                fs::write(folder.path().join(&name), checked.as_str())?;
                Ok(name)
            }
            (None, None) => Err(Refusal::not_found("scenario")),
        }
    }
}

/// The laws that a page of sliders can show, by name with their first line.
pub fn laws() -> Vec<(&'static str, String)> {
    let summary = |doc: &str| stiction::law_documentation::LawDocumentation::parse(doc).summary.clone();
    models::ALL.iter().map(|law| (law.name, summary(law.doc))).collect()
}
