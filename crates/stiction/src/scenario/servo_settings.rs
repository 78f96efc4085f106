//! The servo of a scenario with its parts, so that other controllers can replace it.
use super::builder::Builder;
use super::component_table::{ComponentTable, unknown_name};
use super::controller::{self, CONTROLLER};
use super::template::Template;
use super::{chain, contacts, mechanics, springs};
use crate::LawError;
use crate::parameter_file::DEFINITION;
use crate::system::{GROUND, NodeKind, Signal};
use crate::toml_tree::{SourceLocation, TomlEntry, TomlNode, TomlTable};
use crate::{Error, LawFile, ParameterGroup, Spec};
use stiction_core::control::registry::{self, ControllerEntry, Role};

/// A part of a controller with its parameters, and its law if it has one.
#[derive(Clone, Debug)]
pub struct ControllerPart {
    /// The kind of part.
    pub entry: &'static ControllerEntry,
    /// Values of its parameters.
    pub values: Vec<f64>,
    /// The law of a compensator.
    pub law: Option<Spec>,
}

impl ControllerPart {
    /// The part called `name` with its defaults; none if it does not exist.
    pub fn new(name: &str) -> Option<Self> {
        let entry = registry::find(name)?;
        Some(Self { entry, values: entry.params.iter().map(|p| p.default).collect(), law: None })
    }
    /// The value of a parameter; none if it has no such parameter.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.entry.params.iter().zip(&self.values).find(|(p, _)| p.name == name).map(|(_, x)| *x)
    }
    /// Sets a parameter, clamped to its bounds. A parameter that it does not have is ignored.
    pub fn set(&mut self, name: &str, value: f64) {
        if let Some((p, x)) = self.entry.params.iter().zip(&mut self.values).find(|(p, _)| p.name == name) {
            *x = value.clamp(p.min, p.max);
        }
    }
    /// Sets a parameter.
    ///
    /// # Errors
    /// [`Error::UnknownKey`] if it has no such parameter, [`Error::Law`] if the value is out of bounds.
    pub fn put(&mut self, name: &str, value: f64) -> Result<(), Error> {
        let names = || self.entry.params.iter().map(|p| p.name.to_owned()).collect();
        let found = self.entry.params.iter().position(|p| p.name == name);
        let i = found.ok_or_else(|| crate::toml_tree::unknown(name, names()))?;
        crate::spec::check_value(ParameterGroup::Law, &self.entry.params[i], value)?;
        self.values[i] = value;
        Ok(())
    }
    /// Checks the conditions between its parameters; `given` tells which of them were given.
    ///
    /// # Errors
    /// [`Error::Law`].
    pub fn check(&self, given: impl Fn(usize) -> bool) -> Result<(), Error> {
        let Self { entry, values, .. } = self;
        let Some(relation) = entry.relations.iter().find(|relation| !(relation.holds)(values)) else { return Ok(()) };
        let words: Vec<&str> = relation.text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let about = || entry.params.iter().zip(values).enumerate().filter(|(_, (p, _))| words.contains(&p.name));
        Err(Error::Law(LawError::Relation {
            law: entry.name,
            part: ParameterGroup::Law,
            text: relation.text,
            values: about().map(|(_, (p, x))| (p.name.to_owned(), p, *x)).collect(),
            assumed: about().filter(|(i, _)| !given(*i)).map(|(_, (p, _))| p.name.to_owned()).collect(),
        }))
    }
}

/// The settings of a servo, `[controller.NAME]`.
#[derive(Clone, Debug)]
pub struct ServoSettings {
    /// Name.
    pub name: String,
    /// Column of the position that it measures.
    pub position: String,
    /// Unit of that.
    pub unit: &'static str,
    /// Sample time \[s\].
    pub period: f64,
    /// Reference position.
    pub reference: Signal,
    /// Width of one count of the encoder; 0: none.
    pub quantum: f64,
    /// Standard deviation of the sensor's noise.
    pub noise: f64,
    /// Samples from measurement to command.
    pub delay: f64,
    /// Largest command.
    pub limit: f64,
    /// Time constant of the actuator \[s\].
    pub lag: f64,
    /// Mass or inertia of the body that it pushes; none if that is not one body.
    pub mass: Option<f64>,
    /// Contacts of that body: their names and laws.
    pub contacts: Vec<(String, Spec)>,
    /// Its parts, in the order of the file.
    pub parts: Vec<ControllerPart>,
}

impl Template {
    /// The servo called `name`, or the only one.
    ///
    /// # Errors
    /// Any error of the scenario; [`Error::MissingKey`] if there is no servo, [`Error::UnknownName`] if not this one,
    /// [`Error::ExactlyOne`] if there are several to choose from.
    pub fn servo(&self, name: Option<&str>) -> Result<ServoSettings, Error> {
        // checks the whole scenario
        self.build()?;
        let mut build = Builder::new(&self.root, &self.top, &self.folder);
        let sections = build.each(&CONTROLLER)?;
        let names: Vec<&str> = sections.iter().map(ComponentTable::name).collect();
        let section = match name {
            Some(name) => {
                let found = sections.iter().find(|s| s.name() == name);
                found.ok_or_else(|| unknown_name("controller", name, &names))?
            }
            None => match &sections[..] {
                [one] => one,
                [] => {
                    return Err(build.lacks(
                        "[controller.NAME]",
                        "a servo to compare methods on: [controller.NAME] ('stiction scenarios --keys controller'), or a [control.NAME] with kp and kv, such as 'stiction scenarios axis' has",
                    ));
                }
                [_, second, ..] => {
                    let why = "is not the only controller: say which with --controller NAME";
                    return Err(second.head.error(Error::Conflict { key: "controller", why }));
                }
            },
        };
        mechanics::run(&mut build)?;
        mechanics::nodes(&mut build)?;
        chain::chains(&mut build)?;
        springs::springs(&mut build)?;
        contacts::contacts(&mut build)?;
        let on = build.named_node(section, "on")?;
        let seen = if section.get("measure").is_some() { build.named_node(section, "measure")? } else { on };
        let system = &build.system;
        let place = &system.nodes[seen.0];
        let (position, unit) = (format!("{}.x", place.name), if place.rotates { "rad" } else { "m" });
        let mass = match system.nodes[on.0].kind {
            NodeKind::Coordinate { index, scale: 1.0, .. } => system.bodies.get(index).map(|body| body.mass),
            _ => None,
        };
        let rubs = system.contacts.iter().filter(|joint| on != GROUND && joint.ends.contains(&on));
        let contacts = rubs.map(|joint| (joint.name.clone(), joint.component.spec.clone())).collect();
        Ok(ServoSettings {
            name: section.name().to_owned(),
            position,
            unit,
            period: section.number("period")?,
            reference: build.signal_or(section, "reference", 0.0)?,
            quantum: section.number("quantum")?,
            noise: section.number("noise")?,
            delay: section.number("delay")?,
            limit: section.number("limit")?,
            lag: section.number("lag")?,
            mass: mass.filter(|m| *m > 0.0),
            contacts,
            parts: controller::controller_parts(&mut build, section)?,
        })
    }
    /// The same scenario with exactly these parts in its servo.
    ///
    /// # Errors
    /// [`Error::UnknownName`] if there is no such servo.
    pub fn with_parts(&self, servo: &str, parts: &[ControllerPart]) -> Result<Self, Error> {
        let mut other = self.clone();
        let inner =
            |node: &TomlNode| node.table("controller").map(|t| t.0.iter().map(|e| e.key.clone()).collect::<Vec<_>>());
        let known = other.root.get("controller").map(inner).transpose()?.unwrap_or_default();
        let at = SourceLocation::option("--with");
        let table =
            other.root.get_mut("controller").and_then(|node| node.table_mut()).and_then(|all| all.get_mut(servo));
        let table = table.and_then(TomlNode::table_mut).ok_or_else(|| unknown_name("controller", servo, &known))?;
        table.0.retain(|line| registry::find(&line.key).is_none());
        let line = |(key, node): (&str, TomlNode)| TomlEntry { key: key.to_owned(), at: at.clone(), node };
        table.0.extend(parts.iter().map(|part| line((part.entry.name, part_node(part, &at)))));
        Ok(other)
    }
}

fn numbers<'a>(rows: impl Iterator<Item = (&'a str, f64)>, at: &SourceLocation) -> Vec<TomlEntry> {
    rows.map(|(key, x)| TomlEntry { key: key.to_owned(), at: at.clone(), node: TomlNode::number_at(x, at) }).collect()
}

fn part_node(part: &ControllerPart, at: &SourceLocation) -> TomlNode {
    let mut rows = numbers(part.entry.params.iter().map(|p| p.name).zip(part.values.iter().copied()), at);
    if let (Role::Compensator, Some(law)) = (part.entry.role(), &part.law) {
        rows.push(TomlEntry { key: "law".to_owned(), at: at.clone(), node: law_node(law, at) });
    }
    TomlNode::table_at(TomlTable(rows), at)
}

/// A law as a table, without random force and load map, which a controller does not have.
fn law_node(law: &Spec, at: &SourceLocation) -> TomlNode {
    let rows = |part: ParameterGroup| numbers(law.rows(part).into_iter().map(|(p, x)| (p.name, x)), at);
    let mut table =
        vec![TomlEntry { key: "law".to_owned(), at: at.clone(), node: TomlNode::text_at(law.law().name, at) }];
    if let Some(file) = LawFile::of(law.law()) {
        let node = TomlNode::text_at(file.text(), at);
        table.push(TomlEntry { key: DEFINITION.to_owned(), at: at.clone(), node });
    }
    table.extend(rows(ParameterGroup::Law));
    if law.has(ParameterGroup::Reverse) {
        let node = TomlNode::table_at(TomlTable(rows(ParameterGroup::Reverse)), at);
        table.push(TomlEntry { key: ParameterGroup::Reverse.prefix().to_owned(), at: at.clone(), node });
    }
    TomlNode::table_at(TomlTable(table), at)
}
