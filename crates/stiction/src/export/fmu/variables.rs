//! The variables of a unit, in the order of their value references; `variables.c` counts in the same order.
use super::{FmiVersion, FmuPlan, MASS_BOUNDS, UnitKind};
use crate::units::of_rotation;

/// What a variable is for the importer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Causality {
    /// The time.
    Independent,
    /// Set by the importer at any time.
    Input,
    /// Given to the importer.
    Output,
    /// Neither.
    Local,
    /// Set by the importer at the start, or at an event.
    Parameter,
}

/// A variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its value reference.
    pub reference: usize,
    /// Its name, structured.
    pub name: String,
    /// What it is.
    pub doc: String,
    /// Its unit; none for a plain number.
    pub unit: Option<String>,
    /// What it is for the importer.
    pub causality: Causality,
    /// Whether it is true or false.
    pub is_boolean: bool,
    /// Its value at the start; none if it is computed.
    pub start: Option<f64>,
    /// Its bounds.
    pub bounds: Option<(f64, f64)>,
    /// Its usual size, of a state.
    pub nominal: Option<f64>,
    /// The reference of the state that it is the derivative of.
    pub derivative_of: Option<usize>,
    /// The reference of the state whose value it has: a state's own, the velocity of the derivative of a position. It depends on nothing else.
    pub equals: Option<usize>,
    /// Whether it is an event indicator.
    pub is_indicator: bool,
    /// Whether it is a parameter that does not change after the initialisation.
    pub is_fixed: bool,
}

impl Variable {
    /// Whether it is a continuous state.
    pub fn is_state(&self) -> bool {
        self.nominal.is_some()
    }
    /// Whether it is computed from the others at the start.
    pub fn is_initial_unknown(&self) -> bool {
        self.start.is_none() && (self.causality == Causality::Output || self.derivative_of.is_some())
    }
}

/// Counts the references.
#[derive(Default)]
pub(super) struct Table(pub Vec<Variable>);

impl Table {
    pub fn add(&mut self, name: &str, doc: &str, unit: &str, causality: Causality) -> &mut Variable {
        let at = self.0.len();
        self.0.push(Variable {
            reference: at,
            name: name.to_owned(),
            doc: doc.to_owned(),
            unit: (!matches!(unit, "-" | "")).then(|| unit.to_owned()),
            causality,
            is_boolean: false,
            start: None,
            bounds: None,
            nominal: None,
            derivative_of: None,
            equals: None,
            is_indicator: false,
            is_fixed: false,
        });
        &mut self.0[at]
    }
}

/// The units of a translation, or of a rotation.
pub(super) struct MotionUnits {
    pub position: &'static str,
    pub velocity: &'static str,
    pub acceleration: &'static str,
    pub force: &'static str,
    mass: &'static str,
}
pub(super) const LINEAR: MotionUnits =
    MotionUnits { position: "m", velocity: "m/s", acceleration: "m/s^2", force: "N", mass: "kg" };
pub(super) const ANGULAR: MotionUnits =
    MotionUnits { position: "rad", velocity: "rad/s", acceleration: "rad/s^2", force: "N·m", mass: "kg·m^2" };

/// A name within a structured name.
fn part(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if starts && name.chars().all(is_plain) {
        return name.to_owned();
    }
    // a quoted name; what no quoted name may have becomes a line
    let safe = |c: char| if c.is_ascii_graphic() && !matches!(c, '\'' | '"' | '\\' | '`') { c } else { '_' };
    format!("'{}'", name.chars().map(safe).collect::<String>())
}

/// The variables of a unit.
pub(super) fn of(plan: &FmuPlan) -> Vec<Variable> {
    let is_body = plan.kind == UnitKind::Body;
    let units = if plan.turns { ANGULAR } else { LINEAR };
    let mut table = Table::default();
    table.add("time", "Time", "s", Causality::Independent);
    if is_body {
        table.add("force", "Force applied to the body", units.force, Causality::Input).start = Some(0.0);
    } else {
        table.add("velocity", "Sliding velocity", units.velocity, Causality::Input).start = Some(0.0);
    }
    let load = match (plan.maps_load, plan.law.signed_load()) {
        (true, _) => "Load in its own unit; the load factor is law.load.base + law.load.slope times it",
        (false, true) => "Load over the load at which the parameters hold; it has a sign",
        (false, false) => "Load over the load at which the parameters hold; below zero it counts as zero",
    };
    table.add("load", load, "-", Causality::Input).start = Some(1.0);
    // states
    let first = table.0.len();
    let mut states: Vec<(String, String, String)> = Vec::new();
    if is_body {
        for (name, doc, unit, rate) in [
            ("position", "Position of the body", units.position, units.velocity),
            ("velocity", "Velocity of the body; exactly zero while it is held", units.velocity, units.acceleration),
        ] {
            let variable = table.add(name, doc, unit, Causality::Output);
            (variable.start, variable.nominal) = (Some(0.0), Some(1e-3));
            states.push((name.to_owned(), doc.to_owned(), rate.to_owned()));
        }
    }
    for (state, range) in plan.law.states.iter().zip(&plan.ranges) {
        let name = format!("memory.{}", part(state.name));
        let doc = "Memory of the law";
        let unit = if plan.turns { of_rotation(state.unit) } else { state.unit };
        let variable = table.add(&name, doc, unit, Causality::Local);
        (variable.start, variable.nominal) = (Some(0.0), Some(*range));
        states.push((name, doc.to_owned(), rate_unit(unit)));
    }
    for (i, (name, doc, unit)) in states.iter().enumerate() {
        let doc = format!("Derivative of: {}", doc.split(';').next().unwrap_or_default());
        let variable = table.add(&format!("der({name})"), &doc, unit, Causality::Local);
        variable.derivative_of = Some(first + i);
        // position, then velocity
        variable.equals = (is_body && i == 0).then_some(first + 1);
    }
    for state in first..first + states.len() {
        table.0[state].equals = Some(state);
    }
    table.add("friction", "Friction force on the body, against its motion", units.force, Causality::Output);
    if is_body {
        let variable = table.add("mass", "Mass or inertia of the body", units.mass, Causality::Parameter);
        (variable.start, variable.bounds) = (Some(plan.mass), Some(MASS_BOUNDS));
    }
    for (key, p) in &plan.params {
        // those of wrappers are in a group: reverse.fc, load.slope
        let (group, name) = key.split_once('.').unwrap_or(("", key));
        let group = if group.is_empty() { String::new() } else { format!("{group}.") };
        let of = if group == "reverse." { ", for motion backwards" } else { "" };
        let doc = format!("{}{of}", p.doc.trim().trim_end_matches('.'));
        let variable = table.add(&format!("law.{group}{}", part(name)), &doc, p.unit, Causality::Parameter);
        (variable.start, variable.bounds) = (Some(p.default), Some((p.min, p.max)));
    }
    let stuck = table.add("stuck", "Whether friction holds the body at rest", "-", Causality::Output);
    stuck.is_boolean = true;
    for i in 1..=plan.indicators() {
        table.add(&format!("event_indicator[{i}]"), "Zero crossings are events", "-", Causality::Local).is_indicator =
            true;
    }
    // a law has nothing to hold; FMI 2.0 counts indicators without naming them
    table.0.retain(|variable| {
        (is_body || !variable.is_boolean) && (plan.version == FmiVersion::Three || !variable.is_indicator)
    });
    table.0
}

/// The unit of a time derivative.
fn rate_unit(unit: &str) -> String {
    match unit {
        "-" | "" => "1/s".to_owned(),
        "s" => "-".to_owned(),
        unit => format!("{unit}/s"),
    }
}
