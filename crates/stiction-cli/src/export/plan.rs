//! Makes an export plan from the command line.
use super::args::ControllerArgs;
use crate::error::CommandError;
use crate::law::{assignments, finite};
use crate::scenario::ScenarioArgs;
use std::fs;
use std::path::Path;
use stiction::FileError;
use stiction::compensate::{CompensationMethod, CompensationStudy, ServoTask};
use stiction::core::{Param, models};
use stiction::export::{ExportPlan, controller_choice};
use stiction::number::short;
use stiction::scenario::{ControllerPart, Scenario, embedded};
use stiction::similar_names::similar;
use stiction::{Error, ParameterFile, ParameterGroup, device, is_file_name};

/// The plan that the command line describes, and notes to print after the export.
pub fn plan(args: &ControllerArgs) -> Result<(ExportPlan, Vec<String>), CommandError> {
    let path = Path::new(&args.source);
    let mut notes = Vec::new();
    let plan = if is_file_name(&args.source) {
        let text = fs::read_to_string(path)
            .map_err(|io| Error::File(FileError { path: path.to_owned(), action: "read", io }))?;
        if Scenario::looks_like_scenario(&text) {
            servo(args)?
        } else {
            let file = ParameterFile::parse(&text, path)?;
            notes.extend(file.note().map(|note| format!("{}: {note}", args.source)));
            law(args, file, &mut notes)?
        }
    } else if models::find(&args.source).is_some() || device::find(&args.source).is_some() {
        let file = ParameterFile::find(&args.source)?;
        notes.extend(file.note().map(|note| format!("{}: {note}", args.source)));
        law(args, file, &mut notes)?
    } else if embedded::find(&args.source).is_some() {
        servo(args)?
    } else {
        return Err(unknown_source(&args.source).into());
    };
    if !plan.estimates() {
        notes.push("no estimator: velocity and acceleration are measured".to_owned());
    }
    Ok((plan, notes))
}

fn unknown_source(name: &str) -> Error {
    let devices = device::ALL.iter().map(|device| device.name);
    let known = models::ALL.iter().map(|law| law.name).chain(devices).chain(embedded::ALL.iter().map(|s| s.name));
    let known: Vec<&str> = known.collect();
    let near = similar(name, known.iter().copied()).into_iter().map(str::to_owned).collect();
    let known = known.into_iter().map(str::to_owned).collect();
    Error::UnknownName { what: "law, device or scenario", name: name.to_owned(), near, known }
}

/// A plan without parts: name, limit and everything that does not depend on the source.
fn common(args: &ControllerArgs, period: f64, limit: f64) -> Result<ExportPlan, CommandError> {
    let number = |option, text: &Option<String>| text.as_deref().map(|text| finite(option, text)).transpose();
    let path = Path::new(&args.source);
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = match &args.name {
        Some(name) if is_name(name) => name.clone(),
        Some(_) => {
            let hint = "a name has lower-case letters, digits and '_', begins with a letter, and is not a keyword of Rust or C";
            return Err(CommandError::Usage { text: "--name is not a valid name in both languages", hint });
        }
        None => named(&stem),
    };
    Ok(ExportPlan {
        source: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        limit: number("--limit", &args.limit)?.unwrap_or(limit),
        jump: number("--jump", &args.jump)?,
        precision: args.precision.into(),
        load: args.load,
        ..ExportPlan::new(&name, number("--sample", &args.sample)?.unwrap_or(period))
    })
}

/// A valid name made from the name of a file.
fn named(stem: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    let name: String = stem.chars().map(plain).collect();
    let name = name.trim_matches('_');
    let first = if name.starts_with(|c: char| c.is_ascii_alphabetic()) { "" } else { "axis_" };
    format!("{first}{name}_controller").replace("__", "_")
}

/// Words that cannot be the name of a crate; in C, names are only prefixes, so any will do.
const KEYWORDS: [&str; 54] = [
    "abstract",
    "alloc",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "const",
    "continue",
    "core",
    "crate",
    "do",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "proc_macro",
    "pub",
    "ref",
    "return",
    "self",
    "static",
    "std",
    "struct",
    "super",
    "test",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "unsafe",
    "unsized",
    "use",
    "where",
    "while",
];

fn is_name(name: &str) -> bool {
    let letters = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    letters && name.starts_with(|c: char| c.is_ascii_lowercase()) && name.len() <= 48 && !KEYWORDS.contains(&name)
}

fn positive(option: &'static str, text: &Option<String>) -> Result<Option<f64>, CommandError> {
    let Some(text) = text else { return Ok(None) };
    let x = finite(option, text)?;
    if x > 0.0 {
        return Ok(Some(x));
    }
    Err(CommandError::Usage { text: "--mass is not above 0", hint: "a mass in kg, or an inertia in kg·m²" })
}

/// A controller for a law.
fn law(args: &ControllerArgs, file: ParameterFile, notes: &mut Vec<String>) -> Result<ExportPlan, CommandError> {
    if args.controller.is_some() {
        return Err(CommandError::Usage {
            text: "--controller is for scenarios",
            hint: "leave it out, or name a scenario",
        });
    }
    if args.sample.is_none() {
        return Err(CommandError::Usage { text: "a law has no sample time", hint: "give it with --sample SECONDS" });
    }
    let mut spec = file.spec;
    if spec.has(ParameterGroup::Noise) {
        notes.push("left out the random force: a controller cannot know it".to_owned());
        spec = spec.without(ParameterGroup::Noise);
    }
    if spec.has(ParameterGroup::Load) && !args.load {
        notes.push(
            "left out the effect of the load: the code assumes the nominal load; with --load it takes the load as an input"
                .to_owned(),
        );
        spec = spec.without(ParameterGroup::Load);
    }
    let identified = file.identified.as_ref().and_then(|found| found.plant("mass"));
    let mass = positive("--mass", &args.mass)?.or(identified.filter(|mass| *mass > 0.0));
    let mut numbers = assignments("--set", &args.set, None)?;
    numbers.extend(assignments("--gain", &args.gain, None)?);
    let method = args.method.as_deref().unwrap_or("feedforward");
    let estimator = args.estimator.as_deref().unwrap_or("kalman");
    if args.limit.is_none() {
        notes.push("the command is not limited: give the limit of the drive with --limit".to_owned());
    }
    let choice = controller_choice::ControllerChoice { method, estimator, mass, numbers };
    let parts = choice.parts(&spec)?;
    notes.extend(default_gains(&choice.default_gains(&parts)));
    notes.extend(parts.iter().find_map(idle_observer));
    let plan = ExportPlan { parts, ..common(args, f64::NAN, 1e9)? };
    let has = |names: &[&str]| plan.parts.iter().any(|part| names.contains(&part.entry.name));
    if !has(&["pid", "state-feedback"]) {
        notes.push(
            "without pid or state-feedback the command is the compensation alone: add it to that of your loop"
                .to_owned(),
        );
    }
    if has(&["adaptive", "adaptive-scale"]) {
        notes.push(
            "adaptation rates that are not set are defaults; 'stiction compensate' checks whether they are stable"
                .to_owned(),
        );
    }
    Ok(plan)
}

/// A note on gains that are left at their defaults, and how to set the first of them.
fn default_gains(open: &[(&str, &Param)]) -> Option<String> {
    let (part, first) = open.first()?;
    let gain = |(part, p): &(&str, &Param)| format!("{part}.{} = {} [{}]", p.name, short(p.default), p.unit);
    let all: Vec<String> = open.iter().map(gain).collect();
    Some(format!(
        "left at defaults, which do not know this axis: {}; set them, as in --set {part}.{}={}",
        all.join(", "),
        first.name,
        short(first.default)
    ))
}

/// A note on an observer that does not observe: nothing corrects it, and its law has no state to follow.
fn idle_observer(part: &ControllerPart) -> Option<String> {
    let without_state = part.law.as_ref().is_some_and(|law| law.law().states.is_empty());
    let idle = part.entry.name == "observer" && part.get("kx") == Some(0.0) && part.get("kv") == Some(0.0);
    (idle && without_state).then(|| {
        "the observer has no injection (kx = kv = 0) and its law has no bristles: it acts as feed-forward of the measured velocity"
            .to_owned()
    })
}

/// A controller from a scenario.
fn servo(args: &ControllerArgs) -> Result<ExportPlan, CommandError> {
    if args.estimator.is_some() {
        return Err(CommandError::Usage {
            text: "--estimator is for laws",
            hint: "a scenario has its own in [controller.NAME]",
        });
    }
    let mut template = ScenarioArgs::new(&args.source, &args.set).template()?;
    template.remove_measures_and_plots();
    let mass = positive("--mass", &args.mass)?;
    let (servo, mut parts): (_, Vec<ControllerPart>) = match &args.method {
        None => {
            let servo = template.servo(args.controller.as_deref())?;
            let parts = servo.parts.clone();
            (servo, parts)
        }
        Some(method) => {
            let study = CompensationStudy { controller: args.controller.clone(), mass, ..CompensationStudy::default() };
            let task = ServoTask::new(&template, &study)?;
            let mut parts = task.parts(&CompensationMethod::parse(method).map_err(as_option_method)?)?;
            // as in its runs, the controller does not measure the load
            for part in parts.iter_mut().filter(|_| !args.load) {
                part.law = part.law.take().map(|law| law.without(ParameterGroup::Load));
            }
            (task.servo, parts)
        }
    };
    controller_choice::set_numbers(&mut parts, None, &assignments("--gain", &args.gain, None)?)?;
    Ok(ExportPlan { parts, ..common(args, servo.period, servo.limit)? })
}

/// The same error, with the name that the option has in this command.
fn as_option_method(error: Error) -> Error {
    match error {
        Error::Conflict { key: "--with", why } => Error::Conflict { key: "--method", why },
        error => error,
    }
}
