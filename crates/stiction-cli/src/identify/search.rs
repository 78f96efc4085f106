//! Identifies what the options ask for, from the files.
use super::args::{Args, IdentificationTarget};
use super::plant::FittedScenario;
use super::{along_motion, parse, plant, records, velocity_steps};
use crate::error::CommandError;
use crate::law::{LawArgs, assignments};
use crate::progress::Progress;
use stiction::Error;
use stiction::identify::breakaway;
use stiction::identify::rate_state::StepRecordSet;
use stiction::identify::report::IdentificationReport;
use stiction::identify::sliding::{self, Reduction, RegressionOptions};
use stiction::identify::{LawCheck, MotionRecord, MotionTask, Remark, Severity, check_term_names, repeated};
use stiction_report::text::digits;

/// Reads the files and identifies what the options ask for; also returns the scenario with its values, if a scenario was fitted.
/// The report names `command`.
pub fn identify(args: &Args, command: String) -> Result<(IdentificationReport, Option<FittedScenario>), CommandError> {
    let report = IdentificationReport {
        command,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        ..IdentificationReport::default()
    };
    if let Some(file) = args.checked_plant() {
        let (result, inputs) = plant::check(file, args)?;
        let (remarks, results) = (repeated(&inputs), vec![result]);
        return Ok((IdentificationReport { inputs, remarks, results, ..report }, None));
    }
    if let Some(name) = &args.plant.scenario {
        let found = plant::find(name, args)?;
        let result = found.result;
        let (remarks, rotational) = (repeated(&found.inputs), Some(result.rotational));
        return Ok((
            IdentificationReport { inputs: found.inputs, remarks, rotational, results: vec![result], ..report },
            Some(found.scenario),
        ));
    }
    let steps = match args.model {
        parse::ModelChoice::Steps(..) => Some(velocity_steps::read(args)?),
        parse::ModelChoice::Auto if args.find.is_none() && args.check.is_none() && args.columns.term.is_empty() => {
            velocity_steps::recognise(args)
        }
        _ => None,
    };
    if let Some(read) = steps {
        let results = vec![velocity_steps::find(args, &read)?];
        let fastest = read.fastest();
        let StepRecordSet { inputs, mut remarks, .. } = read;
        remarks.extend(repeated(&inputs));
        return Ok((IdentificationReport { inputs, remarks, results, fastest, ..report }, None));
    }
    if args.steps.window.is_some() || !args.steps.steps.is_empty() || args.steps.trend.is_some() {
        return Err(CommandError::Usage {
            text: "--window, --steps and --trend are for velocity steps, and this record does not look like one",
            hint: "leave them out, or say which law: --model dieterich",
        });
    }
    let checked = args.check.as_deref().map(|name| LawArgs::new(name, &[], &[]).file()).transpose()?;
    check_term_names(&args.columns.term, args.model.law()).map_err(Error::from)?;
    let check = checked.as_ref().map(|file| LawCheck { file, offset: !args.no_offset, rest: args.rest });
    let terms = match &check {
        Some(check) => check.terms(&args.columns.term).map_err(Error::from)?,
        None => args.columns.term.clone(),
    };
    let recipe = |k: usize| {
        let mut recipe = records::recipe(&args.columns, args.filter, args.drop, k, args.files.len())?;
        let known = check.as_ref().and_then(LawCheck::delay);
        if let Some(delay) = known.filter(|_| args.columns.given_delay().is_none()) {
            recipe.delay = delay;
        }
        Ok(recipe)
    };
    let mut read = records::read(&args.files, &args.columns, &args.layout, &terms, &recipe)?;
    let found = check.as_ref().map(|check| check.run(&read.prepared)).transpose()?;
    let results = match task(args)? {
        _ if found.is_some() => found.into_iter().collect(),
        MotionTask::AlongMotion(law, options) => along_motion::find(&law, *options, args, &read)?,
        task => {
            let bar = Progress::of_fraction();
            let found = task.identify(&read, &mut |now| {
                bar.show(now.share());
                true
            });
            bar.end();
            found?
        }
    };
    let remark = unit_remark(args, &read.motions(), read.rotational);
    read.remarks.extend(remark);
    let IdentificationReport { command, version, .. } = report;
    Ok((IdentificationReport { command, version, ..IdentificationReport::of_records(read, results) }, None))
}

/// What the options ask for.
fn task(args: &Args) -> Result<MotionTask, CommandError> {
    let pressed = || breakaway::BreakawayOptions { load: args.load_name.clone(), load_unit: args.load_unit.clone() };
    Ok(match (&args.model, args.find) {
        (_, Some(IdentificationTarget::Presliding)) => MotionTask::Presliding,
        (_, Some(IdentificationTarget::Breakaway)) => MotionTask::Breakaway(pressed()),
        (_, Some(IdentificationTarget::Load)) => MotionTask::Load(pressed()),
        (parse::ModelChoice::Law(law), _) => {
            let mut law = law.clone();
            for (name, value) in assignments("--set", &args.dynamic.set, law.law().params.first())? {
                law.set(name, value)?;
            }
            MotionTask::AlongMotion(law, Box::new(args.dynamic.options(!args.no_offset, args.columns.fits_delay())))
        }
        (parse::ModelChoice::Auto, None) => MotionTask::BestLaw(slide(args)),
        _ => MotionTask::Sliding(slide(args)),
    })
}

/// Largest speed \[m/s\] and travel \[m\] of a straight motion that are taken without a remark: fast linear motors reach
/// some 10 m/s, gantries and storage cranes some 10 m. Millimetres that are read as metres lie far beyond.
const PLAUSIBLE_SPEED: f64 = 20.0;
const PLAUSIBLE_TRAVEL: f64 = 50.0;

/// A remark on a motion that is faster or longer than those of machine axes, if it is not a rotation.
fn unit_remark(args: &Args, motions: &[MotionRecord], turns: Option<bool>) -> Option<Remark> {
    if turns == Some(true) {
        return None;
    }
    let fastest = motions.iter().flat_map(|m| &m.velocity).fold(0.0_f64, |most, v| most.max(v.abs()));
    let range = |x: &[f64]| x.iter().fold((f64::MAX, f64::MIN), |(lo, hi), x| (lo.min(*x), hi.max(*x)));
    let travel = motions.iter().map(|m| range(&m.position)).fold(0.0_f64, |most, (lo, hi)| most.max(hi - lo));
    let what = if fastest > PLAUSIBLE_SPEED {
        format!("sliding at {} m/s", digits(fastest))
    } else if travel > PLAUSIBLE_TRAVEL {
        format!("a travel of {} m", digits(travel))
    } else {
        return None;
    };
    let (option, name) = match (args.columns.position(), args.columns.velocity()) {
        (None, Some(name)) => ("velocity", name),
        (name, _) => ("position", name.unwrap_or("NAME")),
    };
    let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let scaled = if plain { format!("1e-3*{name}") } else { format!("1e-3*({name})") };
    Some(Remark::new(Severity::Warning, format!("{what}: is the {option} in mm? --{option} '{scaled}'")))
}

/// Options for fitting laws of sliding.
fn slide(args: &Args) -> sliding::SlidingOptions {
    sliding::SlidingOptions {
        curve: args.model.curve(),
        asymmetric: if args.asymmetric { Some(true) } else { None },
        offset: !args.no_offset,
        delay: args.columns.fits_delay(),
        reduction: args.decimate.map_or(Reduction::Blocks, Reduction::Decimate),
        rest_speed: args.rest,
        how: RegressionOptions {
            loss: args.robust.unwrap_or_default(),
            white_noise: args.white,
            ..RegressionOptions::default()
        },
        cross_validation: args.leave,
    }
}
