//! The state of a simulation at an instant: enough to start another run from there.
use super::Column;
use super::components::{Components, ContactState, ControllerKind};
use super::setup::update_commands;
use crate::system::{NodeKind, System};

/// The state of a system at an instant. Contact modes are not part of it: contacts at rest are decided again at the start of a
/// run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SystemState {
    /// Positions, velocities, continuous contact states, controller states; named by
    /// [`Simulation::states`](super::Simulation::states).
    pub y: Vec<f64>,
    /// All states of each contact, including those that only jump; for continuous states `y` holds the current values.
    pub memory: Vec<Vec<f64>>,
    /// What sampled controllers remember, one of each, in the order of the controllers; empty if they begin anew.
    pub sampled: Vec<SampledState>,
    /// One for each component that a signal switches: none where it is off; where it is on, how far the rest position of a spring has moved, and
    /// zero for others. Empty if all are as their signals say at the start of the run.
    pub switches: Vec<Option<f64>>,
}

/// A sampled controller between two samples.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SampledState {
    /// Time of its first sample \[s\], an absolute one: the state continues a run, it does not start one at another time. None before it.
    pub first: Option<f64>,
    /// How many samples it has taken.
    pub count: u64,
    /// Its output, held until the next sample.
    pub output: f64,
    /// What the controller itself remembers.
    pub memory: Vec<f64>,
}

impl SampledState {
    /// Time of the next sample \[s\] in a run that starts at `start`: not a running sum of periods, which would drift.
    pub(super) fn due(&self, period: f64, start: f64) -> f64 {
        self.first.unwrap_or(start) + self.count as f64 * period
    }
}

/// What a state is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateRole {
    /// Position of the coordinate with this index.
    Position(usize),
    /// Velocity of the coordinate with this index.
    Velocity(usize),
    /// State of the contact with this index.
    Memory(usize),
    /// State of a controller.
    Control,
}

impl SystemState {
    pub(super) fn load(&self, parts: &mut Components<'_>, y: &mut [f64]) {
        y[..self.y.len()].copy_from_slice(&self.y);
        parts.load_switches(&self.switches);
        for (contact, memory) in parts.contacts.iter_mut().zip(&self.memory) {
            contact.memory.copy_from_slice(memory);
            contact.load_memory(y);
        }
        let sampled = parts.controllers.iter_mut().filter(|one| matches!(one.kind, ControllerKind::Sampled { .. }));
        for (controller, kept) in sampled.zip(&self.sampled) {
            if let ControllerKind::Sampled { state, .. } = &mut controller.kind {
                state.clone_from(kept);
                controller.output = kept.output;
            }
        }
        update_commands(&mut parts.controllers);
    }
    pub(super) fn save(parts: &Components<'_>, y: &[f64]) -> Self {
        let memory = |contact: &ContactState<'_>| {
            let mut memory = contact.memory.clone();
            contact.which.iter().enumerate().for_each(|(k, &i)| memory[i] = y[contact.at + k]);
            memory
        };
        let sampled = parts.controllers.iter().filter_map(|controller| match &controller.kind {
            ControllerKind::Sampled { state, .. } => Some(state.clone()),
            ControllerKind::Continuous(_) => None,
        });
        Self {
            y: y[..parts.n + parts.nu].to_vec(),
            memory: parts.contacts.iter().map(memory).collect(),
            sampled: sampled.collect(),
            switches: parts.save_switches(),
        }
    }
}

/// Name, unit and role of each state.
pub(super) fn states(system: &System) -> Vec<(Column, StateRole)> {
    let parts = Components::new(system);
    let blank = (Column { name: String::new(), unit: "-" }, StateRole::Control);
    let mut out = vec![blank; parts.n + parts.nu];
    for place in system.nodes.iter().rev() {
        if let NodeKind::Coordinate { index, .. } = place.kind {
            let (x, v) = if place.rotates { ("rad", "rad/s") } else { ("m", "m/s") };
            out[index] = (Column { name: format!("{}.x", place.name), unit: x }, StateRole::Position(index));
            out[parts.vi[index]] = (Column { name: format!("{}.v", place.name), unit: v }, StateRole::Velocity(index));
        }
    }
    for (c, (contact, joint)) in parts.contacts.iter().zip(&system.contacts).enumerate() {
        for (k, &i) in contact.which.iter().enumerate() {
            let shown = joint.component.shown_states().find(|state| state.2 == i);
            let (name, unit, _) = shown.unwrap_or(("noise", "-", i));
            let name = format!("{}.{name}", joint.name);
            out[contact.at + k] = (Column { name, unit }, StateRole::Memory(c));
        }
    }
    for controller in &parts.controllers {
        for k in 0..controller.states {
            let state = match controller.kind {
                ControllerKind::Continuous(control) => control.state(k),
                ControllerKind::Sampled { .. } => format!("w{}", k + 1),
            };
            out[controller.at + k].0.name = format!("{}.{state}", controller.name);
        }
    }
    out
}
