//! A controller to export as a user asks for it: from a law or from the servo of a scenario, with what is not given filled in.
use super::controller::ExportPlan;
use super::controller_choice::{ControllerChoice, set_numbers};
use crate::compensate::{CompensationMethod, CompensationStudy, ServoTask};
use crate::error::ControllerRequestError;
use crate::number::short;
use crate::scenario::{ControllerPart, Template};
use crate::{Error, ParameterFile, ParameterGroup};
use std::path::Path;
use stiction_core::Param;
use stiction_core::program::Precision;

/// What is asked for. Numbers are by names as in `pid.kp`, or the bare name if it is unique.
#[derive(Clone, Debug, Default)]
pub struct ControllerRequest {
    /// Parts joined by `+`; by default `feedforward` for a law, and the parts of the scenario for a scenario.
    pub method: Option<String>,
    /// Estimator of the velocity, for laws; by default `kalman`.
    pub estimator: Option<String>,
    /// Sample time \[s\]; a scenario has its own.
    pub sample: Option<f64>,
    /// Numbers of the parts; of a law, too, if it is one.
    pub numbers: Vec<(String, f64)>,
    /// Moving mass or inertia; by default the identified one, or that of the scenario.
    pub mass: Option<f64>,
    /// Largest command [N or N·m]; a scenario has its own.
    pub limit: Option<f64>,
    /// Largest change of the position in a sample [m or rad].
    pub jump: Option<f64>,
    /// Whether the normal load is an input.
    pub load: bool,
    /// The servo, if the scenario has several.
    pub controller: Option<String>,
    /// Precision of the code.
    pub precision: Option<Precision>,
    /// Name of the crate and prefix in C; by default made from the name of the source.
    pub name: Option<String>,
}

impl ControllerRequest {
    /// A controller for a law, and what the user should know of it. `source` names the law or its file.
    ///
    /// # Errors
    /// [`ControllerRequestError`], and as [`ControllerChoice::parts`].
    pub fn for_law(&self, source: &str, file: ParameterFile) -> Result<(ExportPlan, Vec<String>), Error> {
        if self.controller.is_some() {
            return Err(ControllerRequestError::ForScenarios.into());
        }
        let period = self.sample.ok_or(ControllerRequestError::NoSampleTime)?;
        let mut notes: Vec<String> = file.note().map(|note| format!("{source}: {note}")).into_iter().collect();
        let mut spec = file.spec;
        if spec.has(ParameterGroup::Noise) {
            notes.push("left out the random force: a controller cannot know it".to_owned());
            spec = spec.without(ParameterGroup::Noise);
        }
        if spec.has(ParameterGroup::Load) && !self.load {
            notes.push(
                "left out the effect of the load: the code assumes the nominal load; with --load it takes the load as an input"
                    .to_owned(),
            );
            spec = spec.without(ParameterGroup::Load);
        }
        let identified = file.identified.as_ref().and_then(|found| found.plant("mass"));
        if self.limit.is_none() {
            notes.push("the command is not limited: give the limit of the drive with --limit".to_owned());
        }
        let choice = ControllerChoice {
            method: self.method.as_deref().unwrap_or("feedforward"),
            estimator: self.estimator.as_deref().unwrap_or("kalman"),
            mass: self.mass()?.or(identified.filter(|mass| *mass > 0.0)),
            numbers: self.numbers(),
        };
        let parts = choice.parts(&spec)?;
        notes.extend(default_gains(&choice.default_gains(&parts)));
        notes.extend(parts.iter().find_map(idle_observer));
        let plan = ExportPlan { parts, ..self.plan(source, period, 1e9)? };
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
        notes.extend(measured_velocity(&plan));
        Ok((plan, notes))
    }
    /// The controller of a scenario, and what the user should know of it. `source` names the scenario or its file.
    ///
    /// # Errors
    /// [`ControllerRequestError`], and as [`Template::servo`] and [`ServoTask::new`].
    pub fn for_servo(&self, source: &str, mut template: Template) -> Result<(ExportPlan, Vec<String>), Error> {
        if self.estimator.is_some() {
            return Err(ControllerRequestError::ForLaws.into());
        }
        template.remove_measures_and_plots();
        let mass = self.mass()?;
        let (servo, mut parts): (_, Vec<ControllerPart>) = match &self.method {
            None => {
                let servo = template.servo(self.controller.as_deref())?;
                let parts = servo.parts.clone();
                (servo, parts)
            }
            Some(method) => {
                let controller = self.controller.clone();
                let study = CompensationStudy { controller, mass, ..CompensationStudy::default() };
                let task = ServoTask::new(&template, &study)?;
                let mut parts = task.parts(&CompensationMethod::parse(method).map_err(as_option_method)?)?;
                // as in its runs, the controller does not measure the load
                for part in parts.iter_mut().filter(|_| !self.load) {
                    part.law = part.law.take().map(|law| law.without(ParameterGroup::Load));
                }
                (task.servo, parts)
            }
        };
        set_numbers(&mut parts, None, &self.numbers())?;
        let plan = ExportPlan { parts, ..self.plan(source, self.sample.unwrap_or(servo.period), servo.limit)? };
        let notes = measured_velocity(&plan).into_iter().collect();
        Ok((plan, notes))
    }
    /// A plan without parts: name, limit and everything that does not depend on the source.
    fn plan(&self, source: &str, period: f64, limit: f64) -> Result<ExportPlan, Error> {
        let path = Path::new(source);
        let name = match &self.name {
            Some(name) if is_name(name) => name.clone(),
            Some(_) => return Err(ControllerRequestError::Name.into()),
            None => named(&path.file_stem().unwrap_or_default().to_string_lossy()),
        };
        Ok(ExportPlan {
            source: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            limit: self.limit.unwrap_or(limit),
            jump: self.jump,
            precision: self.precision.unwrap_or(Precision::Double),
            load: self.load,
            ..ExportPlan::new(&name, period)
        })
    }
    fn mass(&self) -> Result<Option<f64>, Error> {
        match self.mass {
            Some(mass) if mass <= 0.0 => Err(ControllerRequestError::Mass.into()),
            mass => Ok(mass),
        }
    }
    fn numbers(&self) -> Vec<(&str, f64)> {
        self.numbers.iter().map(|(name, value)| (name.as_str(), *value)).collect()
    }
}

fn measured_velocity(plan: &ExportPlan) -> Option<String> {
    (!plan.estimates()).then(|| "no estimator: velocity and acceleration are measured".to_owned())
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

/// The same error, with the name that the method has here.
fn as_option_method(error: Error) -> Error {
    match error {
        Error::Conflict { key: "--with", why } => Error::Conflict { key: "--method", why },
        error => error,
    }
}
