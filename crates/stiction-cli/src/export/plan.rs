//! Makes an export plan from the command line.
use super::args::ControllerArgs;
use crate::error::CommandError;
use crate::law::{assignments, finite, note_offset};
use crate::scenario::ScenarioArgs;
use std::fs;
use std::path::Path;
use stiction::FileError;
use stiction::core::models;
use stiction::export::{ControllerRequest, ExportPlan};
use stiction::scenario::{Scenario, embedded};
use stiction::similar_names::similar;
use stiction::{Error, ParameterFile, device, is_file_name};

/// The plan that the command line describes, and notes to print after the export.
pub fn plan(args: &ControllerArgs) -> Result<(ExportPlan, Vec<String>), CommandError> {
    let path = Path::new(&args.source);
    if is_file_name(&args.source) {
        let text = fs::read_to_string(path)
            .map_err(|io| Error::File(FileError { path: path.to_owned(), action: "read", io }))?;
        if Scenario::looks_like_scenario(&text) { servo(args) } else { law(args, ParameterFile::parse(&text, path)?) }
    } else if models::find(&args.source).is_some() || device::find(&args.source).is_some() {
        law(args, ParameterFile::find(&args.source)?)
    } else if embedded::find(&args.source).is_some() {
        servo(args)
    } else {
        Err(unknown_source(&args.source).into())
    }
}

pub(super) fn unknown_source(name: &str) -> Error {
    let devices = device::ALL.iter().map(|device| device.name);
    let known = models::ALL.iter().map(|law| law.name).chain(devices).chain(embedded::ALL.iter().map(|s| s.name));
    let known: Vec<&str> = known.collect();
    let near = similar(name, known.iter().copied()).into_iter().map(str::to_owned).collect();
    let known = known.into_iter().map(str::to_owned).collect();
    Error::UnknownName { what: "law, device or scenario", name: name.to_owned(), near, known }
}

/// What the options ask for, with these assignments to numbers of the controller.
fn request(args: &ControllerArgs, numbers: &[(&str, f64)]) -> Result<ControllerRequest, CommandError> {
    let number = |option, text: &Option<String>| text.as_deref().map(|text| finite(option, text)).transpose();
    Ok(ControllerRequest {
        method: args.method.clone(),
        estimator: args.estimator.clone(),
        sample: number("--sample", &args.sample)?,
        numbers: numbers.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect(),
        mass: number("--mass", &args.mass)?,
        limit: number("--limit", &args.limit)?,
        jump: number("--jump", &args.jump)?,
        load: args.load,
        controller: args.controller.clone(),
        precision: Some(args.precision.into()),
        name: args.name.clone(),
    })
}

/// A controller for a law.
fn law(args: &ControllerArgs, file: ParameterFile) -> Result<(ExportPlan, Vec<String>), CommandError> {
    let mut numbers = assignments("--set", &args.set, None)?;
    numbers.extend(assignments("--gain", &args.gain, None)?);
    note_offset(&file, "the controller compensates the law alone");
    Ok(request(args, &numbers)?.for_law(&args.source, file)?)
}

/// A controller from a scenario.
fn servo(args: &ControllerArgs) -> Result<(ExportPlan, Vec<String>), CommandError> {
    let template = ScenarioArgs::new(&args.source, &args.set).template()?;
    let numbers = assignments("--gain", &args.gain, None)?;
    Ok(request(args, &numbers)?.for_servo(&args.source, template)?)
}
