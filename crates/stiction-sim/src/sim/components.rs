//! The parts of a system as the solver sees them: rows over coordinates instead of names and nodes.
use crate::system::{
    Actuation, Connection, Contact, ContinuousController, Controller, ControllerInput, Load, Measurement, Node,
    NodeKind, SampledController, Signal, SignalDerivatives, Spring, Stop, System,
};
use stiction_core::registry::Model;

/// A displacement: `offset + Σ c·q + Σ c·motion`, over at most two nodes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ConstraintRow {
    pub q: [(usize, f64); 2],
    pub nq: usize,
    /// Where the velocities of these coordinates stand.
    pub v: [usize; 2],
    pub m: [(usize, f64); 2],
    pub nm: usize,
    pub offset: f64,
}

impl ConstraintRow {
    pub fn coordinates(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.q[..self.nq].iter().copied()
    }
    pub fn speeds(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.v[..self.nq].iter().copied().zip(self.q[..self.nq].iter().map(|&(_, c)| c))
    }
    #[inline(always)]
    pub fn x(&self, y: &[f64], motions: &[SignalDerivatives]) -> f64 {
        let [(i, a), (j, b)] = self.q;
        let x = match self.nq {
            0 => self.offset,
            1 => self.offset + a * y[i],
            _ => self.offset + a * y[i] + b * y[j],
        };
        if self.nm > 0 { x + self.driven(motions, 0) } else { x }
    }
    #[inline(always)]
    pub fn v(&self, y: &[f64], motions: &[SignalDerivatives]) -> f64 {
        let v = self.own_speed(y);
        if self.nm > 0 { v + self.driven(motions, 1) } else { v }
    }
    /// What the coordinates contribute to the velocity.
    #[inline(always)]
    pub fn own_speed(&self, y: &[f64]) -> f64 {
        let ([(_, a), (_, b)], [i, j]) = (self.q, self.v);
        match self.nq {
            0 => 0.0,
            1 => a * y[i],
            _ => a * y[i] + b * y[j],
        }
    }
    /// Takes a force along the displacement from the coordinates' own.
    #[inline(always)]
    pub fn subtract_force(&self, f: f64, force: &mut [f64]) {
        for &(i, c) in &self.q[..self.nq] {
            force[i] -= c * f;
        }
    }
    /// What the prescribed motions contribute to derivative `k` of the displacement.
    #[inline(always)]
    pub fn driven(&self, motions: &[SignalDerivatives], k: usize) -> f64 {
        let [(i, a), (j, b)] = self.m;
        match self.nm {
            0 => 0.0,
            1 => a * motions[i][k],
            _ => a * motions[i][k] + b * motions[j][k],
        }
    }
    fn new(system: &System, ends: [Node; 2], weights: [f64; 2], vi: &[usize]) -> Self {
        let mut row = Self::default();
        for (node, weight) in ends.into_iter().zip(weights) {
            match system.nodes[node.0].kind {
                NodeKind::Ground => {}
                NodeKind::Coordinate { index, scale, offset } => {
                    row.offset += weight * offset;
                    row.push(index, weight * scale, vi[index]);
                }
                NodeKind::Motion(k) => {
                    row.m[row.nm] = (k, weight);
                    row.nm += 1;
                }
            }
        }
        row
    }
    fn push(&mut self, index: usize, c: f64, v: usize) {
        // both ends on one coordinate, as geared bodies are
        if self.nq == 1 && self.q[0].0 == index {
            self.q[0].1 += c;
            return;
        }
        self.q[self.nq] = (index, c);
        self.v[self.nq] = v;
        self.nq += 1;
    }
}

/// How a contact is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ContactMode {
    /// Slides, or is about to, in this direction.
    Slip(f64),
    /// Held: its force is whatever keeps it so.
    Stuck,
    /// Kept from sliding by others, at the limit of its own force in this direction.
    Pinned(f64),
}

/// A normal load.
pub(super) enum NormalLoad<'s> {
    Constant(f64),
    Signal(&'s Signal),
    Spring(usize, f64),
    Control(usize),
}

impl NormalLoad<'_> {
    /// The load at time `t` of a step that began at `from`, with springs and controllers as they are then.
    #[inline(always)]
    pub fn at(&self, t: f64, from: f64, springs: &[SpringState<'_>], controllers: &[ControllerState<'_>]) -> f64 {
        match self {
            Self::Constant(x) => *x,
            Self::Signal(signal) => signal.eval(t, from)[0],
            Self::Spring(k, gain) => gain * springs[*k].force,
            Self::Control(k) => controllers[*k].output,
        }
    }
}

pub(super) struct ContactState<'s> {
    pub name: &'s str,
    pub law: &'s dyn Model,
    pub row: ConstraintRow,
    pub normal_load: NormalLoad<'s>,
    /// The states that flow, and where the first of them stands.
    pub which: Vec<usize>,
    pub at: usize,
    /// The whole memory; what flows is copied in from the solver's state.
    pub memory: Vec<f64>,
    pub mode: ContactMode,
    /// The side each guard of the law is on, from the second on.
    pub guard_signs: Vec<f64>,
    /// The load of the moment, and its rate.
    pub load: [f64; 2],
    /// Constraint force while stuck.
    pub constraint_force: f64,
    /// When it last began to slide.
    pub slip_start: f64,
    /// It has just come to rest.
    pub came_to_rest: bool,
    /// It has moved at all.
    pub has_moved: bool,
    /// The speed below which sliding has a side and nothing else, and the least that this may be.
    pub regularisation_speed: f64,
    pub min_regularisation_speed: f64,
    /// Its law bends near rest, so that its steps must be watched.
    pub singular_at_rest: bool,
    /// The speed at which the slope of its law at rest is taken.
    pub slope_speed: f64,
    /// Its law carries noise.
    pub noisy: bool,
    /// No number of the memory changes in a jump, and no guard but the velocity.
    pub jump_free: bool,
    /// The whole memory flows, and nobody asks for its rates.
    pub fully_continuous: bool,
    pub rates: Vec<f64>,
    pub rates2: Vec<f64>,
    pub rows: Vec<f64>,
}

pub(super) struct SpringState<'s> {
    pub name: &'s str,
    pub row: ConstraintRow,
    pub parameters: &'s Spring,
    /// Force of the moment.
    pub force: f64,
}

impl SpringState<'_> {
    /// Force and stiffness at stretch `x`, without damping.
    #[inline(always)]
    pub fn force_and_stiffness(&self, x: f64) -> (f64, f64) {
        let x = x - self.parameters.rest;
        match &self.parameters.curve {
            None => (self.parameters.stiffness * x, self.parameters.stiffness),
            Some(curve) => curve.at(x),
        }
    }
    pub fn energy(&self, x: f64) -> f64 {
        let x = x - self.parameters.rest;
        match &self.parameters.curve {
            None => 0.5 * self.parameters.stiffness * x * x,
            Some(curve) => curve.integral(x),
        }
    }
}

pub(super) struct AppliedForce<'s> {
    pub row: ConstraintRow,
    pub signal: &'s Signal,
}

pub(super) enum ControllerKind<'s> {
    Continuous(&'s dyn ContinuousController),
    /// `count` samples have been taken; the next is due at that many periods from the start.
    Sampled {
        period: f64,
        control: Box<dyn SampledController>,
        count: u64,
    },
}

pub(super) struct ControllerState<'s> {
    pub name: &'s str,
    pub kind: ControllerKind<'s>,
    /// ConstraintRow and whether its velocity is meant. A command is a row without coordinates, at its offset.
    pub measures: Vec<(ConstraintRow, bool)>,
    /// Commands among the measurements: which one, and whose.
    pub commands: Vec<(usize, usize)>,
    /// What it applied_forces, if anything.
    pub on: Option<ConstraintRow>,
    pub at: usize,
    pub states: usize,
    pub y: Vec<f64>,
    pub output: f64,
    pub rows: Vec<f64>,
}

impl ControllerState<'_> {
    pub fn measure(&mut self, y: &[f64], motions: &[SignalDerivatives]) {
        for (out, (row, speed)) in self.y.iter_mut().zip(&self.measures) {
            *out = if *speed { row.v(y, motions) } else { row.x(y, motions) };
        }
    }
    /// The output of a continuous controller, and the rates of its states into `dy`.
    pub fn act(&mut self, t: f64, from: f64, y: &[f64], motions: &[SignalDerivatives], dy: &mut [f64]) {
        if let ControllerKind::Continuous(control) = self.kind {
            self.measure(y, motions);
            let own = self.at..self.at + self.states;
            self.output = control.eval(&ControllerInput { t, from, y: &self.y }, &y[own.clone()], &mut dy[own]);
        }
    }
}

/// How a stop is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum StopMode {
    Free,
    /// Against the lower end (−1) or the upper one (+1).
    At(f64),
}

pub(super) struct StopState<'s> {
    pub name: &'s str,
    pub row: ConstraintRow,
    pub parameters: Stop,
    pub mode: StopMode,
    pub constraint_force: f64,
}

/// All parts of a system, and the layout of its state: positions, then each velocity followed by the memory of the
/// contacts that begin at it (so that a chain is banded), then controllers, then three energies.
pub(super) struct Components<'s> {
    pub n: usize,
    /// Velocities, memories and controller states.
    pub nu: usize,
    /// Where the velocity of each coordinate stands.
    pub vi: Vec<usize>,
    pub masses: Vec<f64>,
    pub motions: Vec<&'s Signal>,
    pub springs: Vec<SpringState<'s>>,
    pub contacts: Vec<ContactState<'s>>,
    pub stops: Vec<StopState<'s>>,
    pub applied_forces: Vec<AppliedForce<'s>>,
    pub controllers: Vec<ControllerState<'s>>,
}

impl<'s> Components<'s> {
    pub fn new(system: &'s System) -> Self {
        let n = system.bodies.len();
        let which: Vec<Vec<usize>> = system
            .contacts
            .iter()
            .map(|Connection { component: Contact { law, .. }, .. }| (0..law.len()).filter(|&i| law.flows(i)).collect())
            .collect();
        let home = |ends: &[Node; 2]| {
            let index = |node: &Node| match system.nodes[node.0].kind {
                NodeKind::Coordinate { index, .. } => Some(index),
                _ => None,
            };
            ends.iter().find_map(index)
        };
        let mut vi = Vec::with_capacity(n);
        let mut at = vec![0; system.contacts.len()];
        let mut next = n;
        let mut homes = vec![Vec::new(); n];
        let mut homeless = Vec::new();
        for (k, joint) in system.contacts.iter().enumerate() {
            match home(&joint.ends) {
                Some(i) => homes[i].push(k),
                None => homeless.push(k),
            }
        }
        for home in homes {
            vi.push(next);
            next += 1;
            for k in home {
                at[k] = next;
                next += which[k].len();
            }
        }
        for k in homeless {
            at[k] = next;
            next += which[k].len();
        }
        let row = |ends: [Node; 2], ratio: f64| ConstraintRow::new(system, ends, [1.0, -ratio], &vi);
        let single = |node: Node| ConstraintRow::new(system, [node, crate::system::GROUND], [1.0, 0.0], &vi);
        let springs: Vec<_> = system
            .springs
            .iter()
            .map(|j| SpringState {
                name: &j.name,
                row: row(j.ends, j.component.ratio),
                parameters: &j.component,
                force: 0.0,
            })
            .collect();
        let controllers: Vec<_> = system
            .controllers
            .iter()
            .map(|slot| {
                let (kind, states) = match &slot.controller {
                    Controller::Continuous(control) => (ControllerKind::Continuous(&**control), control.states()),
                    Controller::Sampled { period, control } => {
                        (ControllerKind::Sampled { period: *period, control: control.fresh(), count: 0 }, 0)
                    }
                };
                let measures: Vec<_> = slot
                    .measurements
                    .iter()
                    .map(|measure| match measure {
                        Measurement::Position(node) => (single(*node), false),
                        Measurement::Velocity(node) => (single(*node), true),
                        Measurement::Command(_) => (ConstraintRow::default(), false),
                    })
                    .collect();
                let whose = |(i, measure): (usize, &Measurement)| match measure {
                    Measurement::Command(name) => Some((i, system.controllers.iter().position(|c| c.name == *name)?)),
                    _ => None,
                };
                let commands = slot.measurements.iter().enumerate().filter_map(whose).collect();
                let on = match slot.actuation {
                    Actuation::Force(node) => Some(single(node)),
                    Actuation::Load | Actuation::Through(_) => None,
                };
                let at = next;
                next += states;
                let ny = measures.len();
                ControllerState {
                    name: &slot.name,
                    kind,
                    measures,
                    commands,
                    on,
                    at,
                    states,
                    y: vec![0.0; ny],
                    output: 0.0,
                    rows: vec![0.0; (1 + states) * (2 + ny + states)],
                }
            })
            .collect();
        let contacts = system
            .contacts
            .iter()
            .zip(which)
            .zip(at)
            .map(|((joint, which), at)| {
                let contact = &joint.component;
                let (len, k) = (contact.law.len(), which.len());
                let normal_load = match &contact.load {
                    Load::Signal(signal) if signal.is_constant() => NormalLoad::Constant(signal.at(0.0)),
                    Load::Signal(signal) => NormalLoad::Signal(signal),
                    Load::Spring { name, gain } => {
                        NormalLoad::Spring(springs.iter().position(|s| s.name == name).unwrap_or(0), *gain)
                    }
                    Load::Control(name) => {
                        NormalLoad::Control(controllers.iter().position(|s| s.name == name).unwrap_or(0))
                    }
                };
                let mut memory = contact.memory.clone();
                memory.resize(len, 0.0);
                ContactState {
                    name: &joint.name,
                    law: &*contact.law,
                    row: row(joint.ends, 1.0),
                    normal_load,
                    at,
                    memory,
                    mode: ContactMode::Slip(1.0),
                    guard_signs: vec![-1.0; contact.law.guard_count().saturating_sub(1)],
                    load: [1.0, 0.0],
                    constraint_force: 0.0,
                    slip_start: f64::NEG_INFINITY,
                    came_to_rest: false,
                    has_moved: false,
                    regularisation_speed: f64::MIN_POSITIVE,
                    min_regularisation_speed: f64::MIN_POSITIVE,
                    singular_at_rest: false,
                    slope_speed: f64::MIN_POSITIVE,
                    noisy: contact.noisy,
                    jump_free: contact.law.guard_count() <= 1 && k == len,
                    fully_continuous: k == len && !contact.noisy,
                    rates: vec![0.0; len],
                    rates2: vec![0.0; len],
                    rows: vec![0.0; (1 + k) * (3 + k)],
                    which,
                }
            })
            .collect();
        let stops = system
            .stops
            .iter()
            .map(|j| StopState {
                name: &j.name,
                row: row(j.ends, 1.0),
                parameters: j.component,
                mode: StopMode::Free,
                constraint_force: 0.0,
            })
            .collect();
        let applied_forces =
            system.forces.iter().map(|(_, node, signal)| AppliedForce { row: single(*node), signal }).collect();
        Self {
            n,
            nu: next - n,
            masses: system.bodies.iter().map(|body| body.mass).collect(),
            motions: system.motions.iter().collect(),
            vi,
            springs,
            contacts,
            stops,
            applied_forces,
            controllers,
        }
    }
}
