//! Identifies parameters of a scenario by simulating it.
use super::args::Args;
use super::checkpoint::{Checkpoint, with_progress};
use super::many_fits::KeptRefits;
use super::records::{command, digest, digest_of_bytes};
use crate::data::table_args::TableArgs;
use crate::error::CommandError;
use crate::law::{LawArgs, assignments};
use crate::scenario::ScenarioArgs;
use std::path::PathBuf;
use stiction::FileError;
use stiction::fit::NoiseModel;
use stiction::identify::IdentificationResult;
use stiction::identify::dynamic::plant::{self, PlantLog, PlantOptions, fit, judge};
use stiction::identify::report::InputFile;
use stiction::is_file_name;
use stiction::scenario::{PriorKnowledge, Template};

/// Options of such a fit.
#[derive(Clone, clap::Args)]
pub struct PlantArgs {
    /// Identify the numbers that a scenario marks as free in its identify table, by simulation; a name or a file.
    #[arg(long, value_name = "NAME|FILE.toml")]
    pub scenario: Option<String>,
    /// Records used only for validation, not for the fit.
    #[arg(long, value_name = "DATA", num_args = 1.., requires = "scenario")]
    pub judge: Vec<PathBuf>,
    /// What is known of a parameter before, for example from a data sheet: its value and the standard deviation; counts as
    /// one more measurement; repeatable.
    #[arg(long, value_name = "NAME=VALUE±SD", requires = "scenario", value_parser = prior)]
    pub prior: Vec<PriorKnowledge>,
}

/// `fc=0.02±0.005`, or `fc=0.02+-0.005`.
fn prior(text: &str) -> Result<PriorKnowledge, String> {
    let form = || "write NAME=VALUE±SD, as in fc=0.02±0.005 or fc=0.02+-0.005".to_owned();
    let (name, value) = text.split_once('=').ok_or_else(form)?;
    let (mean, deviation) = value.split_once('±').or_else(|| value.split_once("+-")).ok_or_else(form)?;
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite()).ok_or_else(form);
    let (mean, deviation) = (number(mean)?, number(deviation)?);
    if deviation > 0.0 {
        Ok(PriorKnowledge { name: name.trim().to_owned(), mean, deviation })
    } else {
        Err("the standard deviation must be above zero".to_owned())
    }
}

/// A scenario with its identified values, and the files that it reads by their names: laws, parameters, tables.
pub struct FittedScenario {
    pub text: String,
    pub files: Vec<(String, Vec<u8>)>,
    /// The refits of a bootstrap.
    pub refits: Option<KeptRefits>,
}

/// An identified plant: the result, the scenario with the identified values, and the input files.
pub struct IdentifiedPlant {
    pub result: IdentificationResult,
    pub scenario: FittedScenario,
    pub inputs: Vec<InputFile>,
}

/// The template of the scenario, and the parameters that `--set` holds at a value.
fn template(name: &str, set: &[String]) -> Result<(Template, Vec<(String, f64)>), CommandError> {
    let none: &[String] = &[];
    let task = ScenarioArgs::new(name, none).template()?.build()?.identify.unwrap_or_default();
    let (mut held, mut changed) = (Vec::new(), Vec::new());
    for text in set {
        let holds = text.split_once('=').map_or(Ok(false), |(name, _)| task.holds(name.trim()))?;
        if holds { &mut held } else { &mut changed }.push(text.clone());
    }
    let held = assignments("--set", &held, None)?.into_iter().map(|(name, x)| (name.to_owned(), x)).collect();
    Ok((ScenarioArgs::new(name, &changed).template()?, held))
}

/// The logs of these files, and what the report says of each.
fn read(files: &[PathBuf], layout: &TableArgs, inputs: &mut Vec<InputFile>) -> Result<Vec<PlantLog>, CommandError> {
    let one = |path: &PathBuf| {
        let table = layout.open(path)?;
        let log = PlantLog::from_table(&table)?;
        inputs.push(log.about(&table, digest(path)?));
        Ok(log)
    };
    files.iter().map(one).collect()
}

/// Whether a file is a scenario with a table `[identify]`, as a fit writes it.
pub fn is_fitted_scenario(name: &str) -> bool {
    let none: &[String] = &[];
    is_file_name(name) && Template::find(name, none).is_ok_and(|template| template.has_task())
}

/// Compares a scenario with records: that of --scenario with the values in the file of --check, or that file itself.
pub fn check(file: &str, args: &Args) -> Result<(IdentificationResult, Vec<InputFile>), CommandError> {
    let fitted = is_fitted_scenario(file);
    let name = args.plant.scenario.as_deref().unwrap_or(file);
    let (template, hold) = template(name, &args.dynamic.set)?;
    let free = template.build()?.identify.unwrap_or_default().free;
    // the values in the file by their names
    let known: Vec<(String, f64)> = if fitted {
        let other = ScenarioArgs::new(file, &[]).template()?.build()?.identify.unwrap_or_default().free;
        other.into_iter().map(|p| (p.name, p.start)).collect()
    } else {
        let law = LawArgs::new(file, &[], &[]).file()?;
        free.iter().filter_map(|p| Some((p.name.clone(), law.fitted_value(&p.name)?))).collect()
    };
    let value = |p: &stiction::fit::Parameter| {
        let given = hold.iter().chain(&known).find(|(name, _)| *name == p.name).map(|(_, x)| *x);
        let missing = || CommandError::NoFittedValue { path: PathBuf::from(file), name: p.name.clone() };
        given.ok_or_else(missing)
    };
    let values: Vec<f64> = free.iter().map(value).collect::<Result<_, _>>()?;
    let mut inputs = Vec::new();
    let logs = read(&args.files, &args.layout, &mut inputs)?;
    let options = PlantOptions { constants: args.layout.constant.clone(), ..PlantOptions::default() };
    Ok((plant::check(&template, &logs, &values, &options)?, inputs))
}

/// Reads the logs and fits.
pub fn find(name: &str, args: &Args) -> Result<IdentifiedPlant, CommandError> {
    let (layout, output, resume) = (&args.layout, args.output.as_deref(), args.dynamic.resume);
    let (mut template, hold) = template(name, &args.dynamic.set)?;
    // what is missing is said before the fit
    let device = if args.many.any() { args.many.open()? } else { None };
    let mut inputs = Vec::new();
    let logs = read(&args.files, layout, &mut inputs)?;
    let others = read(&args.plant.judge, layout, &mut inputs)?;
    // read before the fit, which takes a while: the files may change meanwhile
    let files = template.bundle().1.into_iter().map(|(path, name)| {
        let bytes = std::fs::read(&path).map_err(|io| stiction::Error::from(FileError::read(&path, io)))?;
        Ok((name, bytes))
    });
    let files = files.collect::<Result<Vec<(String, Vec<u8>)>, CommandError>>()?;
    let digests: Vec<&str> = inputs.iter().map(|input| input.sha256.as_str()).collect();
    let mut model = template.text().into_bytes();
    files.iter().for_each(|(_, bytes)| model.extend(bytes));
    let mark = format!("{} {} {}", command().replace(" --resume", ""), digests.join(" "), digest_of_bytes(&model)?);
    let checkpoint = output.map(|dir| Checkpoint::new(dir, &mark));
    let resume = match (&checkpoint, resume) {
        (Some(checkpoint), true) => checkpoint.read()?,
        _ => None,
    };
    let constants = layout.constant.clone();
    let mut options = PlantOptions {
        constants,
        free: args.dynamic.free.clone(),
        bounds: args.dynamic.bounds.clone(),
        hold,
        priors: args.plant.prior.clone(),
        profile: args.dynamic.profile,
        resume,
        ..PlantOptions::default()
    };
    options.fit.loss = args.robust.unwrap_or_default();
    if args.white {
        options.fit.noise = NoiseModel::White;
    }
    if let Some(device) = &device {
        args.many.check(&**device, &template, &logs, &options)?;
    }
    let told = args.many.search(device.as_deref(), &mut template, &logs, &mut options)?;
    let mut fitted = with_progress(checkpoint.as_ref(), |watch| fit(&template, &logs, &options, watch))?;
    if !others.is_empty() {
        judge(&mut fitted, &template, &others, &options)?;
    }
    let refits = args.many.refit(device.as_deref(), &template, &logs, &options, &mut fitted)?;
    fitted.result.remarks.extend(told);
    let scenario = FittedScenario { text: fitted.scenario.bundle().0, files, refits };
    Ok(IdentifiedPlant { result: fitted.result, scenario, inputs })
}
