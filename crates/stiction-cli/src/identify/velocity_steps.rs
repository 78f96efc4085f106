//! Velocity-step experiments of rate-and-state friction.
use super::args::Args;
use super::parse::ModelChoice;
use super::records::{about, roles};
use crate::error::CommandError;
use crate::law::assignments;
use crate::progress::Progress;
use std::path::PathBuf;
use stiction::NumericsError;
use stiction::identify::rate_state::{
    LoadPointOption, RateStateOptions, StateEvolution, Trend, VelocityStepOptions, VelocitySteps, fit, select_evolution,
};
use stiction::identify::report::InputFile;
use stiction::identify::{
    ColumnRole, FitProgress, FitStage, FreeParameter, IdentificationResult, RawRecord, Remark, Smoothing,
};

/// Options of such a fit.
#[derive(clap::Args)]
pub struct VelocityStepArgs {
    /// Times at which the load point changes its velocity (s), separated by commas; default: found in its motion. For
    /// velocity steps.
    #[arg(long, value_name = "T,T...", value_delimiter = ',', allow_hyphen_values = true)]
    pub steps: Vec<f64>,
    /// Use only this part of the record (s); either end may be left out. For velocity steps.
    #[arg(long, value_name = "FROM:TO", value_parser = window, allow_hyphen_values = true)]
    pub window: Option<[f64; 2]>,
    /// Linear trend of friction over the travel of the load point or over time; default: travel. For velocity steps.
    #[arg(long, value_name = "travel|time|none", value_parser = trend)]
    pub trend: Option<Trend>,
}

fn window(text: &str) -> Result<[f64; 2], String> {
    let help = || "write FROM:TO in seconds, as in 120:900 or 120:".to_owned();
    let (from, to) = text.split_once(':').ok_or_else(help)?;
    let number = |text: &str, open: f64| match text.trim() {
        "" => Ok(open),
        text => text.parse::<f64>().map_err(|_| help()),
    };
    let [from, to] = [number(from, f64::NEG_INFINITY)?, number(to, f64::INFINITY)?];
    if from < to { Ok([from, to]) } else { Err("the window begins before it ends".to_owned()) }
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

/// The record of velocity steps in these columns.
fn record(raw: &RawRecord, options: &VelocityStepOptions) -> Result<VelocitySteps, NumericsError> {
    let roles = [ColumnRole::Time, ColumnRole::Force, ColumnRole::Velocity, ColumnRole::Position, ColumnRole::Weight];
    let [time, force, velocity, position, weight] = roles.map(|role| raw.get(role));
    let (t, friction) = (time.unwrap_or_default(), force.unwrap_or_default());
    // rows with a number in every column that is used
    let whole: Vec<usize> = (0..t.len())
        .filter(|&k| {
            [Some(t), Some(friction), velocity.or(position), weight]
                .iter()
                .flatten()
                .all(|x| x.get(k).is_some_and(|x| x.is_finite()))
        })
        .collect();
    let pick = |x: &[f64]| whole.iter().filter_map(|&k| x.get(k).copied()).collect::<Vec<f64>>();
    let (t, friction) = (pick(t), pick(friction));
    let steps = match (velocity, position) {
        (Some(velocity), _) => VelocitySteps::from_velocity(&raw.name, &t, &friction, &pick(velocity), options),
        (None, Some(far)) => VelocitySteps::from_displacement(&raw.name, &t, &friction, &pick(far), options),
        (None, None) => {
            return Err(NumericsError::TooFew { what: "velocities of the load point", need: t.len(), have: 0 });
        }
    }?;
    Ok(match weight {
        Some(weight) => steps.with_weights(&t, &pick(weight), options),
        None => steps,
    })
}

/// The records of all files, and what the report says of the files.
pub struct StepRecords {
    records: Vec<VelocitySteps>,
    pub inputs: Vec<InputFile>,
    pub remarks: Vec<Remark>,
}

/// Reads all files.
pub fn read(args: &Args) -> Result<StepRecords, CommandError> {
    let options = step_options(args)?;
    let mut out = StepRecords { records: Vec::new(), inputs: Vec::new(), remarks: Vec::new() };
    for path in &args.files {
        let raw = columns(path, args)?;
        let steps = record(&raw, &options).map_err(|error| CommandError::Samples { path: path.clone(), error })?;
        out.inputs.push(about(path, &raw)?);
        out.remarks.extend(raw.remarks.iter().cloned());
        out.records.push(steps);
    }
    Ok(out)
}

/// The records of all files if every one is a velocity step: a load point that goes one way at few velocities.
pub fn recognise(args: &Args) -> Option<StepRecords> {
    if args.columns.moving_mass() {
        return None;
    }
    let options = step_options(args).ok()?;
    let mut out = StepRecords { records: Vec::new(), inputs: Vec::new(), remarks: Vec::new() };
    for path in &args.files {
        let raw = columns(path, args).ok()?;
        let moves = raw.get(ColumnRole::Velocity).map(|v| (v, false));
        let moves = moves.or(raw.get(ColumnRole::Position).map(|x| (x, true)))?;
        if !VelocitySteps::goes_one_way(moves.0, moves.1) {
            return None;
        }
        let steps = record(&raw, &options).ok()?;
        if !steps.is_velocity_step() {
            return None;
        }
        out.inputs.push(about(path, &raw).ok()?);
        out.remarks.extend(raw.remarks.iter().cloned());
        out.records.push(steps);
    }
    Some(out)
}

/// Fits them: the given law, or the best of several.
pub fn find(args: &Args, read: &StepRecords) -> Result<IdentificationResult, CommandError> {
    let mut constraints: Vec<FreeParameter> = args.dynamic.bounds.clone();
    for (name, value) in assignments("--set", &args.dynamic.set, None)? {
        constraints.push(FreeParameter::new(name).within(value, value));
    }
    let mut options = RateStateOptions {
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
    let found = match args.model {
        ModelChoice::Steps(evolution, states) => {
            (options.evolution, options.states) = (evolution, states);
            fit(&read.records, &options, &mut watch)
        }
        _ => select_evolution(&read.records, &options, &mut watch),
    };
    bar.end();
    Ok(found?)
}

/// `ruina` and `ruina:2`.
pub fn model(text: &str) -> Option<(StateEvolution, usize)> {
    let (name, states) = text.split_once(':').unwrap_or((text, "1"));
    let evolution = match name {
        "dieterich" => StateEvolution::Ageing,
        "ruina" => StateEvolution::Slip,
        "prz" | "perrin" => StateEvolution::PerrinRiceZheng,
        "nagata" => StateEvolution::Nagata,
        _ => return None,
    };
    let states = states.parse().ok().filter(|states| (1..=2).contains(states))?;
    Some((evolution, states))
}
