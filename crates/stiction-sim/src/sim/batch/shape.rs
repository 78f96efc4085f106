//! A system taken apart into what all points of an ensemble share, and the numbers in which they differ.
use super::Unsupported;
use super::block::{BODIES, CONTACTS};
use crate::ParameterGroup;
use crate::sim::components::{Components, ConstraintRow, NormalLoad};
use crate::system::{NodeKind, Signal, System};
use stiction_core::Input;
use stiction_core::registry::LawEntry;

/// A speed at which a law is far from rest, and yet slow [m/s].
const REST: f64 = 1e-9;

/// Which coordinates and motions a displacement is between.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ends {
    pub q: Vec<usize>,
    pub m: Vec<usize>,
}

/// Which function a signal is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Form {
    Constant,
    Ramp,
    Step,
    Sine,
    Chirp,
    /// One that is the same at every point.
    Fixed(Signal),
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Spot {
    Coordinate(usize),
    Motion(usize),
    Ground,
}

/// What all points have in common.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shape {
    pub bodies: usize,
    pub law: &'static LawEntry,
    /// Numbers of memory of a contact, those of them that change continuously, and parameters of its law.
    pub memory: usize,
    pub flowing: Vec<usize>,
    pub params: usize,
    /// Guards of its law but for the velocity.
    pub guards: usize,
    /// Whether the force of the contact is a set of forces at rest, within which it sticks: then there is one body on one contact.
    pub sticks: bool,
    pub spots: Vec<Spot>,
    pub springs: Vec<Ends>,
    pub contacts: Vec<Ends>,
    pub forces: Vec<Ends>,
    /// Prescribed motions, then forces.
    pub signals: Vec<Form>,
}

fn ends(row: &ConstraintRow) -> Ends {
    Ends { q: row.coordinates().map(|(i, _)| i).collect(), m: row.m[..row.nm].iter().map(|(k, _)| *k).collect() }
}

impl Shape {
    /// The shape of a system, and its numbers in the order in which [`Point`](super::point::Point) reads them.
    pub fn of(system: &System, numbers: &mut Vec<f64>) -> Result<Self, Unsupported> {
        let part = |what, name: &String| Err(Unsupported::Part { what, name: name.clone() });
        if let Some(joint) = system.stops.first() {
            return part("stop", &joint.name);
        }
        if let Some(joint) = system.freewheels.first() {
            return part("freewheel", &joint.name);
        }
        if let Some(joint) = system.lossy_gears.first() {
            return part("gear with an efficiency", &joint.name);
        }
        if let Some((name, ..)) = system.plants.first() {
            return part("plant", name);
        }
        if let Some(slot) = system.controllers.first() {
            return part("controller", &slot.name);
        }
        if let Some((name, _)) = system.switches().next() {
            return Err(Unsupported::Part { what: "component that a signal switches", name: name.to_owned() });
        }
        let (bodies, contacts) = (system.bodies.len(), system.contacts.len());
        if !(1..=BODIES).contains(&bodies) {
            return Err(Unsupported::Bodies { count: bodies });
        }
        if !(1..=CONTACTS).contains(&contacts) {
            return Err(Unsupported::Contacts { count: contacts });
        }
        let mut parts = Components::new(system);
        numbers.clear();
        for body in &system.bodies {
            numbers.extend([body.mass, body.x, body.v]);
        }
        let mut spots = Vec::with_capacity(system.nodes.len());
        for place in system.nodes.iter().skip(1) {
            spots.push(match place.kind {
                NodeKind::Ground => Spot::Ground,
                NodeKind::Coordinate { index, scale, offset } => {
                    numbers.extend([scale, offset]);
                    Spot::Coordinate(index)
                }
                NodeKind::Motion(k) => Spot::Motion(k),
            });
        }
        let weights = |row: &ConstraintRow, numbers: &mut Vec<f64>| {
            numbers.extend(row.coordinates().map(|(_, c)| c));
            numbers.extend(row.m[..row.nm].iter().map(|(_, c)| c));
        };
        let mut springs = Vec::with_capacity(parts.springs.len());
        for spring in &parts.springs {
            let what = spring.parameters;
            if !what.is_linear() {
                return Err(Unsupported::Spring { name: spring.name.to_owned() });
            }
            numbers.extend([what.stiffness, what.rest, what.damping, spring.row.offset]);
            weights(&spring.row, numbers);
            springs.push(ends(&spring.row));
        }
        let law = system.contacts[0].component.entry;
        let mut contacts = Vec::with_capacity(contacts);
        let mut sticks = false;
        for (state, joint) in parts.contacts.iter_mut().zip(&system.contacts) {
            let contact = &joint.component;
            let no = |why| Err(Unsupported::Law { contact: joint.name.clone(), why });
            let z = vec![0.0; contact.law.len()];
            let held = [-1.0, 1.0].map(|dir| contact.law.hold(&z, &Input::at(0.0), dir));
            if contact.entry != law {
                return no("differs from the law of the first contact");
            } else if [ParameterGroup::Reverse, ParameterGroup::Load, ParameterGroup::Noise]
                .into_iter()
                .any(|part| contact.spec.has(part))
            {
                return no("has parameters for the reverse direction, a load map or noise");
            } else if contact.heating.is_some() {
                return no("warms up");
            } else if contact.law.band(&Input::at(0.0)) != 0.0 {
                return no("counts slow speeds as rest");
            }
            sticks = held != [0.0; 2] || has_set_at_rest(law);
            if sticks && !contact.law.is_empty() {
                return no("holds a body at rest and has memory");
            } else if sticks && (bodies > 1 || system.contacts.len() > 1 || state.row.nq != 1) {
                return no("holds a body at rest, and there is more than one body on one contact");
            } else if state.starting_position.is_some() && state.row.nm > 0 {
                return no("depends on a position that is prescribed");
            } else if state.is_singular_below(REST) || state.may_have_cusp() || state.may_have_rate_cusp() {
                return no("has no slope at rest");
            }
            let NormalLoad::Constant(load) = state.normal_load else {
                return Err(Unsupported::Load { contact: joint.name.clone() });
            };
            numbers.push(load);
            weights(&state.row, numbers);
            numbers.extend(contact.spec.values(ParameterGroup::Law));
            numbers.extend(&state.memory);
            contacts.push(ends(&state.row));
        }
        let mut forces = Vec::with_capacity(parts.applied_forces.len());
        for applied in &parts.applied_forces {
            weights(&applied.row, numbers);
            forces.push(ends(&applied.row));
        }
        let all = parts.motions.iter().copied().chain(parts.applied_forces.iter().map(|applied| applied.signal));
        let signals = all.map(|signal| form(signal, numbers)).collect();
        Ok(Self {
            bodies,
            law,
            memory: parts.contacts[0].law.len(),
            flowing: parts.contacts[0].which.clone(),
            guards: parts.contacts[0].law.guard_count() - 1,
            params: law.params.len(),
            sticks,
            spots,
            springs,
            contacts,
            forces,
            signals,
        })
    }
    /// Whether the law has modes: guards, or memory that only jumps.
    pub fn has_modes(&self) -> bool {
        self.guards > 0 || self.flowing.len() < self.memory
    }
    /// The signals that are sines.
    pub fn waves(&self) -> Vec<usize> {
        (0..self.signals.len()).filter(|k| self.signals[*k] == Form::Sine).collect()
    }
    /// The signals that are made of lines and are the same at every point, such as a force from a record.
    pub fn pieces(&self) -> Vec<usize> {
        let made_of_lines = |k: &usize| self.signals[*k].fixed().is_some_and(Signal::has_linear_pieces);
        (0..self.signals.len()).filter(made_of_lines).collect()
    }
    /// Whether one of the signals is not linear in time between its stops.
    pub fn is_uneven(&self, signal: usize) -> bool {
        match &self.signals[signal] {
            Form::Sine | Form::Chirp => true,
            Form::Fixed(signal) => !signal.is_piecewise_linear(),
            Form::Constant | Form::Ramp | Form::Step => false,
        }
    }
}

/// Whether a law with its usual parameters has a set of forces at rest: a point without friction has the shape of the others.
fn has_set_at_rest(law: &LawEntry) -> bool {
    let values: Vec<f64> = law.params.iter().map(|param| param.default).collect();
    law.build(&values).is_ok_and(|law| {
        let z = vec![0.0; law.len()];
        [-1.0, 1.0].into_iter().any(|dir| law.hold(&z, &Input::at(0.0), dir) != 0.0)
    })
}

/// Takes a signal apart.
fn form(signal: &Signal, numbers: &mut Vec<f64>) -> Form {
    match *signal {
        Signal::Constant(x) => {
            numbers.push(x);
            Form::Constant
        }
        Signal::Ramp { offset, slope, start, end } => {
            numbers.extend([offset, slope, start, end]);
            Form::Ramp
        }
        Signal::Step { before, after, at } => {
            numbers.extend([before, after, at]);
            Form::Step
        }
        Signal::Sine { mean, amplitude, omega, phase } => {
            numbers.extend([mean, amplitude, omega, phase]);
            Form::Sine
        }
        Signal::Chirp { amplitude, omega, rate, phase } => {
            numbers.extend([amplitude, omega, rate, phase]);
            Form::Chirp
        }
        _ => Form::Fixed(signal.clone()),
    }
}

impl Form {
    /// The signal, if it is the same at every point.
    pub fn fixed(&self) -> Option<&Signal> {
        if let Self::Fixed(signal) = self { Some(signal) } else { None }
    }
    /// The line that begins at `start`, if the signal is made of lines and the same at every point.
    pub fn line_at(&self, start: f64) -> Option<Signal> {
        let signal = self.fixed().filter(|signal| signal.has_linear_pieces())?;
        let [offset, slope, ..] = signal.eval(start, start);
        Some(Signal::Ramp { offset, slope, start, end: f64::INFINITY })
    }
    /// Puts a signal together again.
    pub fn signal(&self, next: &mut impl FnMut() -> f64) -> Signal {
        match self {
            Self::Constant => Signal::Constant(next()),
            Self::Ramp => Signal::Ramp { offset: next(), slope: next(), start: next(), end: next() },
            Self::Step => Signal::Step { before: next(), after: next(), at: next() },
            Self::Sine => Signal::Sine { mean: next(), amplitude: next(), omega: next(), phase: next() },
            Self::Chirp => Signal::Chirp { amplitude: next(), omega: next(), rate: next(), phase: next() },
            Self::Fixed(signal) => signal.clone(),
        }
    }
}
