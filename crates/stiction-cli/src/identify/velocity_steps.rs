//! Velocity-step experiments of rate-and-state friction.
use super::args::Args;
use super::parse::ModelChoice;
use super::records::{digest, roles};
use crate::error::CommandError;
use crate::law::assignments;
use crate::progress::Progress;
use crate::time_window::time_window;
use std::path::PathBuf;
use stiction::identify::rate_state::{
    LoadPointOption, RateStateOptions, StepRecordSet, Trend, VelocityStepOptions, VelocitySteps,
};
use stiction::identify::{FitProgress, FitStage, FreeParameter, IdentificationResult, RawRecord, Smoothing};

/// Options of such a fit.
#[derive(Clone, clap::Args)]
pub struct VelocityStepArgs {
    /// Times at which the load point changes its velocity (s), separated by commas; default: found in its motion. For
    /// velocity steps.
    #[arg(long, value_name = "T,T...", value_delimiter = ',', allow_hyphen_values = true)]
    pub steps: Vec<f64>,
    /// Use only this part of the record (s); either end may be left out. For velocity steps.
    #[arg(long, value_name = "FROM:TO", value_parser = time_window, allow_hyphen_values = true)]
    pub window: Option<[f64; 2]>,
    /// Linear trend of friction over the travel of the load point or over time; default: travel. For velocity steps.
    #[arg(long, value_name = "travel|time|none", value_parser = trend)]
    pub trend: Option<Trend>,
}

fn trend(text: &str) -> Result<Trend, String> {
    match text {
        "travel" => Ok(Trend::Travel),
        "time" => Ok(Trend::Time),
        "none" => Ok(Trend::None),
        _ => Err("write travel, time or none".to_owned()),
    }
}

/// What the records are made of, by the options.
fn step_options(args: &Args) -> Result<VelocityStepOptions, CommandError> {
    let load = match args.filter {
        _ if !args.steps.steps.is_empty() => LoadPointOption::StepsAt(args.steps.steps.clone()),
        Smoothing::Auto => LoadPointOption::Auto,
        Smoothing::None => LoadPointOption::Recorded,
        Smoothing::Spline => LoadPointOption::Spline,
        Smoothing::Butterworth { .. } | Smoothing::SavitzkyGolay { .. } => {
            return Err(CommandError::Usage {
                text: "this filter would blur the steps of a load point",
                hint: "with velocity steps --filter is auto (straight between steps), none or spline",
            });
        }
    };
    Ok(VelocityStepOptions { load, window: args.steps.window })
}

/// Reads the columns of one record of friction against time, with the velocity or the displacement of the load point.
fn columns(path: &PathBuf, args: &Args) -> Result<RawRecord, CommandError> {
    let table = args.layout.open(path)?;
    let raw = roles(&args.columns, &args.layout, false).read(&table)?;
    if let Some(time) = &raw.audit.time {
        time.check().map_err(|problem| stiction::DataError::content(path, problem))?;
    }
    Ok(raw)
}

/// Reads all files.
pub fn read(args: &Args) -> Result<StepRecordSet, CommandError> {
    let options = step_options(args)?;
    let mut out = StepRecordSet::default();
    for path in &args.files {
        let raw = columns(path, args)?;
        let samples = |error| CommandError::Samples { path: path.clone(), error };
        let steps = VelocitySteps::of_columns(&raw, &options).map_err(samples)?;
        out.push(steps, raw, digest(path)?);
    }
    Ok(out)
}

/// The records of all files if every one is a velocity step.
pub fn recognise(args: &Args) -> Option<StepRecordSet> {
    if args.columns.moving_mass() {
        return None;
    }
    let options = step_options(args).ok()?;
    let mut out = StepRecordSet::default();
    for path in &args.files {
        let raw = columns(path, args).ok()?;
        out.push(VelocitySteps::recognise(&raw, &options)?, raw, digest(path).ok()?);
    }
    Some(out)
}

/// Fits them: the given law, or the best of several.
pub fn find(args: &Args, read: &StepRecordSet) -> Result<IdentificationResult, CommandError> {
    let mut constraints: Vec<FreeParameter> = args.dynamic.bounds.clone();
    for (name, value) in assignments("--set", &args.dynamic.set, None)? {
        constraints.push(FreeParameter::new(name).within(value, value));
    }
    let options = RateStateOptions {
        constraints,
        trend: args.steps.trend.unwrap_or_default(),
        white_noise: args.white,
        ..RateStateOptions::default()
    };
    let bar = Progress::of_fraction();
    let mut watch = |progress: &FitProgress<'_>| {
        bar.show(match progress.stage {
            FitStage::GlobalSearch => 0.3 * progress.done,
            FitStage::LeastSquares => 0.3 + 0.5 * progress.done,
        });
        true
    };
    let model = if let ModelChoice::Steps(model) = args.model { Some(model) } else { None };
    let found = read.identify(model, &options, &mut watch);
    bar.end();
    Ok(found?)
}
