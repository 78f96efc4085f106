//! Identifies parameters of a scenario by simulating it.
use super::checkpoint::{Checkpoint, with_progress};
use super::records::{about_table, command};
use crate::data::table_args::TableArgs;
use crate::error::CommandError;
use crate::scenario::ScenarioArgs;
use std::path::{Path, PathBuf};
use stiction::identify::GlobalSearch;
use stiction::identify::dynamic::plant::{PlantLog, PlantOptions, fit, validate};
use stiction::identify::report::InputFile;
use stiction::identify::{IdentificationResult, ResultTable, Severity};
use stiction::number::{round, short};

/// Options of such a fit.
#[derive(clap::Args)]
pub struct PlantArgs {
    /// Identify the numbers that a scenario marks as free in its identify table, by simulation; a name or a file.
    #[arg(long, value_name = "NAME|FILE.toml")]
    pub scenario: Option<String>,
    /// Records used only for validation, not for the fit.
    #[arg(long, value_name = "DATA", num_args = 1.., requires = "scenario")]
    pub judge: Vec<PathBuf>,
}

/// An identified plant: the result, the scenario with the identified values, and the input files.
pub struct IdentifiedPlant {
    pub result: IdentificationResult,
    pub scenario: String,
    pub inputs: Vec<InputFile>,
}

/// Reads the logs and fits.
pub fn find(
    name: &str,
    set: &[String],
    files: &[PathBuf],
    args: &PlantArgs,
    layout: &TableArgs,
    output: Option<&Path>,
    resume: bool,
) -> Result<IdentifiedPlant, CommandError> {
    let template = ScenarioArgs::new(name, set).template()?;
    let mut inputs = Vec::new();
    let mut read = |path: &PathBuf| -> Result<PlantLog, CommandError> {
        let table = layout.open(path)?;
        let log = PlantLog::from_table(&table)?;
        inputs.push(about_table(path, &table, &log)?);
        Ok(log)
    };
    let logs: Vec<PlantLog> = files.iter().map(&mut read).collect::<Result<_, _>>()?;
    let others: Vec<PlantLog> = args.judge.iter().map(&mut read).collect::<Result<_, _>>()?;
    let digests: Vec<&str> = inputs.iter().map(|input| input.sha256.as_str()).collect();
    let mark = format!("{} {}", command().replace(" --resume", ""), digests.join(" "));
    let checkpoint = output.map(|dir| Checkpoint::new(dir, &mark));
    let resume = match (&checkpoint, resume) {
        (Some(checkpoint), true) => checkpoint.read()?,
        _ => None,
    };
    let constants = layout.constant.clone();
    let mut options = PlantOptions { constants, resume, ..PlantOptions::default() };
    if options.resume.is_some() {
        options.search = GlobalSearch::None;
    }
    let mut fitted = with_progress(checkpoint.as_ref(), |watch| fit(&template, &logs, &options, watch))?;
    if !others.is_empty() {
        let (_, scores) = validate(&template, &others, &fitted.fit.values, &options)?;
        let rows: Vec<(String, Vec<f64>)> = scores.iter().map(|s| (s.title.clone(), vec![s.value])).collect();
        let mean = scores.iter().map(|s| s.value).sum::<f64>() / scores.len().max(1) as f64;
        let text = format!("mean absolute error on validation records: {}", short(round(mean, 4)));
        fitted.result.remark(Severity::Good, text);
        fitted.result.scores.push(stiction::identify::Score::new(
            "judged",
            "mean absolute error on validation records",
            mean,
            "",
        ));
        fitted.result.tables.push(ResultTable {
            key: "judged".to_owned(),
            title: "Validation records".to_owned(),
            columns: ["record", "mean absolute error"].map(str::to_owned).to_vec(),
            rows,
        });
    }
    Ok(IdentifiedPlant { result: fitted.result, scenario: fitted.scenario, inputs })
}
