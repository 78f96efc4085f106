//! Sampled controllers from the blocks of `stiction_core::control`.
use super::builder::Builder;
use super::component_table::ComponentTable;
use super::controller_assembly::assemble;
use super::keys::{Component, Key, ValueKind, number, optional, optional_with_default, required};
use super::{ControllerPart, contacts};
use crate::spec::check_value;
use crate::system::{
    Actuation, Controller, Encoder, FirstOrderLag, Measurement, SampledController, Servo, ServoConfig,
    SwitchedController,
};
use crate::toml_tree::{TomlEntry, TomlNode, unknown};
use crate::{Error, ParameterGroup, Spec};
use stiction_core::control::registry::{self, ControllerEntry, DynLoop, Role};

/// A table of one block; its parameters are explained under its own name.
const fn part(name: &'static str, doc: &'static str) -> Key {
    optional(name, ValueKind::Table, "", doc)
}

pub(super) static CONTROLLER: Component = Component {
    name: "controller",
    form: "[controller.NAME]",
    doc: "A controller on a processor: it measures a position by an encoder, and holds the sum of its parts until the next sample. With a lag its force is NAME-drive.u. Each part is a table of its parameters; 'stiction scenarios --keys PART' explains one.",
    keys: &[
        required("on", ValueKind::Node, "", "What its force acts on."),
        optional_with_default("measure", ValueKind::Node, "", "the same place", "Whose position it measures."),
        required("period", ValueKind::Number, "s", "Sample time."),
        optional_with_default("reference", ValueKind::Signal, "m, rad", "0", "Reference of that position."),
        number("quantum", "m, rad", 0.0, "Width of one count of the encoder; 0: none."),
        number("noise", "m, rad", 0.0, "Standard deviation of the sensor's noise, before counting."),
        number("seed", "", 1.0, "Seed of the noise, a whole number."),
        number("delay", "", 0.0, "Samples from measurement to command, a whole number."),
        number("limit", "N, N·m", 1e9, "Largest command."),
        optional_with_default(
            "enable",
            ValueKind::Signal,
            "",
            "1",
            "Factor of the command, read at samples: 1 is on, 0 is off. Its parts stand still while it is off.",
        ),
        number(
            "lag",
            "s",
            0.0,
            "Time constant of the actuator, a motor's winding or a valve; 0: the force is the command.",
        ),
        part(
            "difference",
            "Estimates the velocity: filtered difference. Without an estimator the true velocity is measured.",
        ),
        part("tracker", "Estimates the velocity: tracking differentiator."),
        part("kalman", "Estimates the velocity: Kalman filter."),
        part("pid", "Adds: PID."),
        part("state-feedback", "Adds: feedback of position and velocity, with an integral."),
        part("acceleration-feedback", "Adds: a gain times the commanded less the measured acceleration."),
        part("feedforward", "Adds: the force of a law at the reference or measured velocity; 'law' names it."),
        part("observer", "Adds: a friction observer, a law whose state the tracking error corrects; 'law' names it."),
        part("adaptive-scale", "Multiplies feedforward and observer by an adaptive factor."),
        part("adaptive", "Adds: friction with adaptive levels and viscous coefficient."),
        part("disturbance-observer", "Adds: a disturbance observer, which needs a mass but no law."),
        part("dither", "Adds: a fast vibration."),
        part("smooth-stop", "Freezes the controller while the body rests close to the reference."),
    ],
    law: false,
};

/// Adds controllers on processors.
pub(super) fn controllers(build: &mut Builder<'_>) -> Result<(), Error> {
    for s in build.each(&CONTROLLER)? {
        let on = build.named_node(&s, "on")?;
        let seen = if s.get("measure").is_some() { build.named_node(&s, "measure")? } else { on };
        let period = s.number("period")?;
        let encoder =
            Encoder { quantum: s.number("quantum")?, noise: s.number("noise")?, seed: s.whole_number("seed", 0.0)? };
        for (name, x) in [("quantum", encoder.quantum), ("noise", encoder.noise)] {
            s.check(name, x, x >= 0.0, "0 or more")?;
        }
        let delay = s.whole_number("delay", 0.0)?;
        s.check("delay", delay, delay <= 1e6, "a million at most")?;
        let limit = s.number("limit")?;
        s.check("limit", limit, limit > 0.0, "above 0")?;
        let parts = controller_parts(build, &s)?;
        let assembly = assembly(&s, &parts, limit)?;
        let reference = build.signal_or(&s, "reference", 0.0)?;
        let plan = ServoConfig { assembly, reference, encoder, period, delay: delay as usize };
        let mut control: Box<dyn SampledController> = Box::new(Servo::new(plan));
        if s.get("enable").is_some() {
            control = Box::new(SwitchedController { enable: build.signal(&s, "enable")?, control });
        }
        let controller = Controller::Sampled { period, control };
        let measures = vec![Measurement::Position(seen), Measurement::Velocity(seen)];
        let lag = s.number("lag")?;
        s.check("lag", lag, lag >= 0.0, "0 or more")?;
        let acts = if lag > 0.0 { Actuation::ThroughActuator(on) } else { Actuation::Force(on) };
        build.system.control(s.name(), controller, measures, acts).map_err(|error| s.at_key(error))?;
        if lag > 0.0 {
            let (name, command) = (format!("{}-drive", s.name()), Measurement::Command(s.name().to_owned()));
            let drive = Controller::Continuous(Box::new(FirstOrderLag { time: lag }));
            build.system.control(&name, drive, vec![command], Actuation::Force(on)).map_err(|error| s.at_key(error))?;
        }
    }
    Ok(())
}

/// The parts of a controller, in the order of its table, with the laws of compensators.
pub(super) fn controller_parts(build: &mut Builder<'_>, s: &ComponentTable<'_>) -> Result<Vec<ControllerPart>, Error> {
    let mut out = Vec::new();
    for TomlEntry { key, node, .. } in &s.table.0 {
        if let Some(entry) = registry::find(key) {
            let values = values(entry, node)?;
            let law = match entry.role() {
                Role::Compensator => Some(law(build, entry, node)?),
                _ => None,
            };
            out.push(ControllerPart { entry, values, law });
        }
    }
    Ok(out)
}

/// The controller of these parts; errors are reported at the part.
fn assembly(s: &ComponentTable<'_>, parts: &[ControllerPart], limit: f64) -> Result<DynLoop, Error> {
    let estimators: Vec<&'static str> =
        registry::ALL.iter().filter(|entry| entry.role() == Role::Estimator).map(|entry| entry.name).collect();
    s.at_most_one(&estimators)?;
    match assemble(parts, limit) {
        Ok((assembly, _)) => Ok(assembly),
        Err(Error::ExactlyOne { keys, given, .. }) => {
            Err(s.head.error(Error::ExactlyOne { name: s.path.clone(), keys, given }))
        }
        Err(error) => {
            let at = match &error {
                Error::Conflict { key, .. } => s.get(key).map(|node| &node.at),
                _ => None,
            };
            Err(at.unwrap_or(s.head).error(error))
        }
    }
}

/// The law that the table of a compensator names.
fn law(build: &mut Builder<'_>, entry: &'static ControllerEntry, node: &TomlNode) -> Result<Spec, Error> {
    let doc = "A law: its name or parameter file, or a table of it and its parameters.";
    let lacks = || node.at.error(Error::MissingKey { name: entry.name.to_owned(), key: "law", doc });
    let law = node.table(entry.name)?.get("law").ok_or_else(lacks)?;
    let spec = contacts::law_at(build, "law", law)?;
    spec.check().map_err(|error| law.at.error(error))?;
    Ok(spec)
}

/// The values of a block from its table; what is not given has its default.
pub(super) fn values(entry: &'static ControllerEntry, node: &TomlNode) -> Result<Vec<f64>, Error> {
    let table = node.table(entry.name)?;
    let lawful = entry.role() == Role::Compensator;
    let mut given = vec![None; entry.params.len()];
    for TomlEntry { key, at, node } in &table.0 {
        let found = entry.params.iter().zip(&mut given).find(|(param, _)| param.name == key);
        match found {
            Some((param, place)) => {
                let value = node.number(key)?;
                check_value(ParameterGroup::Law, param, value).map_err(|error| node.at.error(error))?;
                *place = Some(value);
            }
            None if lawful && key == "law" => {}
            None => {
                let names = entry.params.iter().map(|p| p.name.to_owned()).chain(lawful.then(|| "law".to_owned()));
                return Err(at.error(unknown(key, names.collect())));
            }
        }
    }
    let values: Vec<f64> = given.iter().zip(entry.params).map(|(given, p)| given.unwrap_or(p.default)).collect();
    let part = ControllerPart { entry, values, law: None };
    part.check(|i| given[i].is_some()).map_err(|error| node.at.error(error))?;
    Ok(part.values)
}
