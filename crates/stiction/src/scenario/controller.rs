//! Controllers on a processor: the blocks of `stiction_core::control` by their names.
use super::build::Builder;
use super::contacts;
use super::keys::{Component, Key, Kind, may, must, num, or};
use super::section::Section;
use crate::spec::check_value;
use crate::system::{Acts, Controller, Encoder, Lag, Measure, Plan, Servo};
use crate::tree::{Entry as Line, Node, unknown};
use crate::{Error, Part};
use stiction_core::control::registry::{self, Assembly, Block, BuildError, Entry, Role, Sensor, Sum};

/// A table of one block; its parameters are explained under its own name.
const fn part(name: &'static str, doc: &'static str) -> Key {
    may(name, Kind::Table, "", doc)
}

pub(super) static CONTROLLER: Component = Component {
    name: "controller",
    form: "[controller.NAME]",
    doc: "A controller on a processor: it measures a position by an encoder, and holds the sum of its parts until the next sample. With a lag its force is NAME-drive.u. Each part is a table of its parameters; 'stiction scenarios --keys PART' explains one.",
    keys: &[
        must("on", Kind::Node, "", "What it pushes."),
        or("measure", Kind::Node, "", "what it pushes", "Whose position it measures."),
        must("period", Kind::Number, "s", "Sample time."),
        or("reference", Kind::Signal, "m, rad", "0", "Where that should be."),
        num("quantum", "m, rad", 0.0, "Width of one count of the encoder; 0: none."),
        num("noise", "m, rad", 0.0, "Standard deviation of the sensor's noise, before counting."),
        num("seed", "", 1.0, "Seed of the noise, a whole number."),
        num("delay", "", 0.0, "Samples from measurement to command, a whole number."),
        num("limit", "N, N·m", 1e9, "Largest command."),
        num(
            "lag",
            "s",
            0.0,
            "Time constant of the actuator, a motor's winding or a valve; 0: the force is the command.",
        ),
        part("difference", "Estimates the velocity: filtered difference. Without an estimator it is known."),
        part("tracker", "Estimates the velocity: tracking differentiator."),
        part("kalman", "Estimates the velocity: Kalman filter."),
        part("pid", "Adds: PID."),
        part("state-feedback", "Adds: feedback of position and velocity, with an integral."),
        part("acceleration-feedback", "Adds: what the body lacks in acceleration."),
        part("feedforward", "Adds: a law on the wanted or seen velocity; 'law' says which."),
        part("observer", "Adds: a law whose bristles the error corrects; 'law' says which."),
        part("adaptive-scale", "Multiplies feedforward and observer by a factor that learns."),
        part("adaptive", "Adds: friction whose levels and viscosity are learned."),
        part("disturbance-observer", "Adds: what the body does not do as it was told to."),
        part("dither", "Adds: a shake."),
        part("smooth-stop", "Silences all this where the body rests close enough."),
    ],
    law: false,
};

/// Adds controllers on processors.
pub(super) fn controllers(build: &mut Builder<'_>) -> Result<(), Error> {
    for s in build.each(&CONTROLLER)? {
        let on = build.place(&s, "on")?;
        let seen = if s.get("measure").is_some() { build.place(&s, "measure")? } else { on };
        let period = s.number("period")?;
        let encoder = Encoder { quantum: s.number("quantum")?, noise: s.number("noise")?, seed: s.whole("seed", 0.0)? };
        for (name, x) in [("quantum", encoder.quantum), ("noise", encoder.noise)] {
            s.check(name, x, x >= 0.0, "0 or more")?;
        }
        let delay = s.whole("delay", 0.0)?;
        s.check("delay", delay, delay <= 1e6, "a million at most")?;
        let limit = s.number("limit")?;
        s.check("limit", limit, limit > 0.0, "above 0")?;
        let assembly = Assembly { sensor: sensor(&s)?, control: control(build, &s)?, limit };
        let reference = build.signal_or(&s, "reference", 0.0)?;
        let plan = Plan { assembly, reference, encoder, period, delay: delay as usize };
        let controller = Controller::Sampled { period, control: Box::new(Servo::new(plan)) };
        let measures = vec![Measure::Position(seen), Measure::Velocity(seen)];
        let lag = s.number("lag")?;
        s.check("lag", lag, lag >= 0.0, "0 or more")?;
        let acts = if lag > 0.0 { Acts::Through(on) } else { Acts::Force(on) };
        build.system.control(s.name(), controller, measures, acts).map_err(|error| s.blame(error))?;
        if lag > 0.0 {
            let (name, command) = (format!("{}-drive", s.name()), Measure::Command(s.name().to_owned()));
            let drive = Controller::Continuous(Box::new(Lag { time: lag }));
            build.system.control(&name, drive, vec![command], Acts::Force(on)).map_err(|error| s.blame(error))?;
        }
    }
    Ok(())
}

/// The estimator, if there is one.
fn sensor(s: &Section<'_>) -> Result<Option<Box<dyn Sensor>>, Error> {
    let names: Vec<&'static str> = of(Role::Estimator).map(|entry| entry.name).collect();
    let Some((name, node)) = s.few(&names)? else { return Ok(None) };
    let Some(entry) = registry::find(name) else { return Ok(None) };
    made(entry.build_sensor(&values(entry, node)?), node).map(Some)
}

/// All that adds up, in the order of the table of keys, and the smooth stop around it.
fn control(build: &mut Builder<'_>, s: &Section<'_>) -> Result<Box<dyn Block>, Error> {
    let mut parts: Vec<Box<dyn Block>> = Vec::new();
    let mut models: Vec<Box<dyn Block>> = Vec::new();
    let mut modelled = false;
    for entry in s.component.keys.iter().filter_map(|key| registry::find(key.name)) {
        let node = s.get(entry.name);
        match (entry.role(), node) {
            (Role::Control, Some(node)) => {
                if entry.name == "disturbance-observer" && modelled {
                    let why = "takes all friction for its own: it stands instead of a model, not beside one";
                    return Err(node.at.error(Error::Clash { key: entry.name, why }));
                }
                modelled |= entry.name == "adaptive";
                parts.push(made(entry.build(&values(entry, node)?), node)?);
            }
            (Role::Compensator, Some(node)) => models.push(compensator(build, entry, node)?),
            // after all models, whether it is there or not
            (Role::Wrapper, node) if entry.name == "adaptive-scale" => {
                modelled |= !models.is_empty();
                let sum = Box::new(Sum(std::mem::take(&mut models)));
                match node {
                    Some(node) if sum.0.is_empty() => {
                        let why = "needs a feedforward or an observer to multiply";
                        return Err(node.at.error(Error::Clash { key: entry.name, why }));
                    }
                    Some(node) => parts.push(made(entry.build_around(&values(entry, node)?, sum), node)?),
                    None => parts.extend(sum.0),
                }
            }
            (Role::Wrapper, Some(node)) if !parts.is_empty() => {
                let sum = Box::new(Sum(std::mem::take(&mut parts)));
                parts.push(made(entry.build_around(&values(entry, node)?, sum), node)?);
            }
            _ => {}
        }
    }
    if parts.is_empty() {
        let keys: Vec<&'static str> = of(Role::Control).chain(of(Role::Compensator)).map(|entry| entry.name).collect();
        return Err(s.head.error(Error::OneOf { name: s.path.clone(), keys, given: Vec::new() }));
    }
    Ok(Box::new(Sum(parts)))
}

/// What was built of values that were checked before.
fn made<T>(built: Result<T, BuildError>, node: &Node) -> Result<T, Error> {
    built.map_err(|_| node.at.error(Error::Clash { key: "controller", why: "cannot be built of this" }))
}

fn of(role: Role) -> impl Iterator<Item = &'static Entry> {
    registry::ALL.iter().filter(move |entry| entry.role() == role)
}

/// A compensator around the law that its table names.
fn compensator(build: &mut Builder<'_>, entry: &'static Entry, node: &Node) -> Result<Box<dyn Block>, Error> {
    let values = values(entry, node)?;
    let doc = "A law: its name or parameter file, or a table of it and its parameters.";
    let lacks = || node.at.error(Error::Lacks { name: entry.name.to_owned(), key: "law", doc });
    let law = node.table(entry.name)?.get("law").ok_or_else(lacks)?;
    let spec = contacts::law_at(build, "law", law)?;
    spec.compensator(entry, &values).map_err(|error| law.at.error(error))
}

/// The values of a block from its table; what is not given has its default.
pub(super) fn values(entry: &'static Entry, node: &Node) -> Result<Vec<f64>, Error> {
    let table = node.table(entry.name)?;
    let lawful = entry.role() == Role::Compensator;
    let mut given = vec![None; entry.params.len()];
    for Line { key, at, node } in &table.0 {
        let found = entry.params.iter().zip(&mut given).find(|(param, _)| param.name == key);
        match found {
            Some((param, place)) => {
                let value = node.number(key)?;
                check_value(Part::Law, param, value).map_err(|error| node.at.error(error))?;
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
    if let Some(relation) = entry.relations.iter().find(|relation| !(relation.holds)(&values)) {
        let words: Vec<&str> = relation.text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let about = |name: &str| words.contains(&name);
        let rows = entry.params.iter().zip(&values).filter(|(p, _)| about(p.name));
        let assumed = entry.params.iter().zip(&given).filter(|(p, given)| about(p.name) && given.is_none());
        let error = Error::Relation {
            law: entry.name,
            part: Part::Law,
            text: relation.text,
            values: rows.map(|(p, x)| (p.name.to_owned(), p, *x)).collect(),
            assumed: assumed.map(|(p, _)| p.name.to_owned()).collect(),
        };
        return Err(node.at.error(error));
    }
    Ok(values)
}
