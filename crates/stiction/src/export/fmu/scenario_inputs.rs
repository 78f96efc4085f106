//! The inputs of a scenario in co-simulation: what an importer adds to the functions of time in it.
use super::variables::{ANGULAR, Causality, LINEAR, MotionUnits, Table};
use crate::system::{Load, Measurement, NodeKind, PlaneAnchor, Signal, System};

/// The function of time that an input is added to, by its index in the system.
#[derive(Clone, Copy, Debug)]
enum Target {
    Force(usize),
    Motion(usize),
    Load(usize),
    /// The reference of a controller.
    Reference(usize),
    /// A component of a force on a plane, along x and y.
    PlaneForce(usize, usize),
    PlaneMoment(usize),
    PlaneLoad(usize),
    /// A coordinate of the point that a spring on a plane is fixed to.
    PlanePoint(usize, usize),
}

/// What an input adds, over a step of the importer.
#[derive(Clone, Copy, Debug)]
enum Term {
    /// Its value.
    Value,
    /// Its integral from the first step on: a velocity, added to a position, which does not jump.
    Integral,
    /// Its value times the time since the step began: how fast another input changes.
    Rate,
}

/// An input: its target, and the scenario's own signal there.
pub(super) struct Input {
    target: Target,
    term: Term,
    own: Signal,
}

/// The function of time at a target.
fn place(system: &mut System, target: Target) -> Option<&mut Signal> {
    let plane = &mut system.plane_system;
    match target {
        Target::Force(i) => system.forces.get_mut(i).map(|(_, _, signal)| signal),
        Target::Motion(i) => system.motions.get_mut(i),
        Target::Load(i) => match &mut system.contacts.get_mut(i)?.component.load {
            Load::Signal(signal) => Some(signal),
            _ => None,
        },
        Target::Reference(i) => system.controllers.get_mut(i)?.controller.reference_mut(),
        Target::PlaneForce(i, axis) => plane.forces.get_mut(i)?.force.get_mut(axis),
        Target::PlaneMoment(i) => plane.forces.get_mut(i).map(|force| &mut force.moment),
        Target::PlaneLoad(i) => plane.bodies.get_mut(i).map(|body| &mut body.contact.load),
        Target::PlanePoint(i, axis) => match &mut plane.springs.get_mut(i)?.anchor {
            PlaneAnchor::Point(point) => point.get_mut(axis),
            PlaneAnchor::Body(_) => None,
        },
    }
}

/// The signals of a step that begins at `time`: those of the scenario, and the inputs. What is zero leaves them as they are.
pub(super) fn apply(system: &mut System, inputs: &[Input], time: f64, values: &[f64], integrals: &[f64]) {
    for input in inputs {
        if let Some(signal) = place(system, input.target) {
            *signal = input.own.clone();
        }
    }
    for ((input, value), integral) in inputs.iter().zip(values).zip(integrals) {
        let ramp = |offset: f64| Signal::Ramp { offset, slope: *value, start: time, end: f64::INFINITY };
        let (added, is_zero) = match input.term {
            Term::Value => (Signal::Constant(*value), *value == 0.0),
            Term::Integral => (ramp(*integral), *value == 0.0 && *integral == 0.0),
            Term::Rate => (ramp(0.0), *value == 0.0),
        };
        if let Some(signal) = place(system, input.target).filter(|_| !is_zero) {
            *signal = Signal::Sum(vec![signal.clone(), added]);
        }
    }
}

fn units(rotates: bool) -> MotionUnits {
    if rotates { ANGULAR } else { LINEAR }
}

/// Collects inputs and their variables.
struct Collector<'t> {
    table: &'t mut Table,
    inputs: Vec<Input>,
}

impl Collector<'_> {
    fn add(&mut self, name: &str, doc: &str, unit: &str, (target, term): (Target, Term), own: &Signal) {
        self.table.add(name, doc, unit, Causality::Input).start = Some(0.0);
        self.inputs.push(Input { target, term, own: own.clone() });
    }
}

const FORCE: &str = "Force added to that of the scenario";
const MOMENT: &str = "Moment added to that of the scenario";
const VELOCITY: &str = "Velocity added to that of the scenario";
const LOAD: &str = "Load added to that of the scenario";
const REFERENCE: &str = "Added to the reference of the scenario at the start of a step";
const REFERENCE_RATE: &str = "How fast the added reference changes within a step";
/// The coordinates of a plane.
const AXES: [(usize, &str); 2] = [(0, "x"), (1, "y")];

/// The inputs of a system, and their variables.
pub(super) fn of(system: &System, table: &mut Table) -> Vec<Input> {
    let mut out = Collector { table, inputs: Vec::new() };
    let rotates = |node: usize| system.nodes.get(node).is_some_and(|node| node.rotates);
    for (i, (name, node, own)) in system.forces.iter().enumerate() {
        let unit = units(rotates(node.0)).force;
        out.add(&format!("force.{name}.added"), FORCE, unit, (Target::Force(i), Term::Value), own);
    }
    for node in &system.nodes {
        if let NodeKind::Motion(i) = node.kind
            && let Some(own) = system.motions.get(i)
        {
            let (name, unit) = (format!("motion.{}.added_velocity", node.name), units(node.rotates).velocity);
            out.add(&name, VELOCITY, unit, (Target::Motion(i), Term::Integral), own);
        }
    }
    for (i, joint) in system.contacts.iter().enumerate() {
        if let Load::Signal(own) = &joint.component.load {
            let name = format!("contact.{}.added_load", joint.name);
            out.add(&name, LOAD, "-", (Target::Load(i), Term::Value), own);
        }
    }
    for (i, slot) in system.controllers.iter().enumerate() {
        let (Some(own), Some(measured)) = (slot.controller.reference(), slot.measurements.first()) else { continue };
        let [unit, rate] = match measured {
            Measurement::Position(node) => [units(rotates(node.0)).position, units(rotates(node.0)).velocity],
            Measurement::Velocity(node) => [units(rotates(node.0)).velocity, units(rotates(node.0)).acceleration],
            Measurement::Command(_) => ["-", "1/s"],
        };
        let name = format!("controller.{}.added_reference", slot.name);
        out.add(&name, REFERENCE, unit, (Target::Reference(i), Term::Value), own);
        let name = format!("{name}_rate");
        out.add(&name, REFERENCE_RATE, rate, (Target::Reference(i), Term::Rate), own);
    }
    on_plane(system, &mut out);
    out.inputs
}

/// Those of bodies on a plane.
fn on_plane(system: &System, out: &mut Collector<'_>) {
    let plane = &system.plane_system;
    for (i, force) in plane.forces.iter().enumerate() {
        let name = |what: &str| format!("plane_force.{}.added_{what}", force.name);
        for (axis, letter) in AXES {
            out.add(&name(letter), FORCE, LINEAR.force, (Target::PlaneForce(i, axis), Term::Value), &force.force[axis]);
        }
        // a point does not turn
        if plane.bodies.get(force.on).is_some_and(|body| body.radius.is_some()) {
            out.add(&name("moment"), MOMENT, ANGULAR.force, (Target::PlaneMoment(i), Term::Value), &force.moment);
        }
    }
    for (i, body) in plane.bodies.iter().enumerate() {
        let name = format!("plane_body.{}.added_load", body.name);
        out.add(&name, LOAD, "-", (Target::PlaneLoad(i), Term::Value), &body.contact.load);
    }
    for (i, spring) in plane.springs.iter().enumerate() {
        let PlaneAnchor::Point(point) = &spring.anchor else { continue };
        for (axis, letter) in AXES {
            let name = format!("plane_spring.{}.added_velocity_{letter}", spring.name);
            out.add(&name, VELOCITY, LINEAR.velocity, (Target::PlanePoint(i, axis), Term::Integral), &point[axis]);
        }
    }
}
