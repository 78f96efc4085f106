//! All that a run needs to go on from an instant, and how the system answers to small changes of it.
use super::flow::Flow;
use super::jacobian::Jacobian;
use super::parts::{Law, Mode, Parts, Rub};
use super::probes::Probes;
use super::run::Run;
use super::{Column, NullObserver, Simulation, SimulationOptions};
use crate::SimError;
use crate::system::{NodeKind, System};
use stiction_core::Input;

/// Slow sliding, for the limits of laws that are not held [m/s].
const SLOW: f64 = 1e-12;
/// A time in which every memory settles [s].
const EVER: f64 = 1e12;

/// The state of a system at an instant. Who sticks is not part of it: what does not slide is asked anew.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Positions, velocities, what flows of the contacts' memories, controllers; named by [`Simulation::states`].
    pub y: Vec<f64>,
    /// The whole memory of each contact, with what only jumps; of what flows, `y` counts.
    pub memory: Vec<Vec<f64>>,
}

/// What a number of the state is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateRole {
    /// Position of coordinate number so.
    Position(usize),
    /// Velocity of coordinate number so.
    Velocity(usize),
    /// State of contact number so.
    Memory(usize),
    /// State of a controller.
    Control,
}

/// A system to first order about a state: `d(y + δ)/dt = rate + matrix·δ`.
#[derive(Clone, Debug, PartialEq)]
pub struct Linearisation {
    /// Rates of the state.
    pub rate: Vec<f64>,
    /// Their derivatives, row by row.
    pub matrix: Vec<f64>,
    /// The contacts.
    pub contacts: Vec<LinearisedContact>,
}

/// A contact in a [`Linearisation`] system.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearisedContact {
    /// Its sliding velocity.
    pub v: f64,
    /// Its normal load.
    pub load: f64,
    /// How large its memory is in sliding.
    pub memory: f64,
    /// Its force.
    pub force: f64,
    /// It is held: its displacement cannot change.
    pub held: bool,
    /// Least and largest force it can have at rest. That of a law with bristles, which is not held, is where sliding
    /// would begin if the force were raised slowly.
    pub limits: (f64, f64),
    /// Its displacement: coordinates and their weights.
    pub row: Vec<(usize, f64)>,
    /// What a unit of its force does to the rates.
    pub push: Vec<f64>,
    /// Slope of its steady curve at this sliding velocity.
    pub slope: f64,
}

/// What a contact that does not slide is taken for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RestTreatment {
    /// What it is: held, or on the side it tends to.
    Natural,
    /// As far as it is not held, on this side of `v = 0`.
    Side(f64),
    /// Not there: its force is left out.
    Free,
}

impl State {
    pub(super) fn load(&self, parts: &mut Parts<'_>, y: &mut [f64]) {
        y[..self.y.len()].copy_from_slice(&self.y);
        for (rub, memory) in parts.rubs.iter_mut().zip(&self.memory) {
            rub.memory.copy_from_slice(memory);
            rub.recall(y);
        }
    }
    pub(super) fn save(parts: &Parts<'_>, y: &[f64]) -> Self {
        let memory = |rub: &Rub<'_>| {
            let mut memory = rub.memory.clone();
            rub.which.iter().enumerate().for_each(|(k, &i)| memory[i] = y[rub.at + k]);
            memory
        };
        Self { y: y[..parts.n + parts.nu].to_vec(), memory: parts.rubs.iter().map(memory).collect() }
    }
}

/// Name, unit and role of each number of the state.
pub(super) fn states(system: &System) -> Vec<(Column, StateRole)> {
    let parts = Parts::new(system);
    let blank = (Column { name: String::new(), unit: "-" }, StateRole::Control);
    let mut out = vec![blank; parts.n + parts.nu];
    for place in system.nodes.iter().rev() {
        if let NodeKind::Coordinate { index, .. } = place.kind {
            let (x, v) = if place.rotates { ("rad", "rad/s") } else { ("m", "m/s") };
            out[index] = (Column { name: format!("{}.x", place.name), unit: x }, StateRole::Position(index));
            out[parts.vi[index]] = (Column { name: format!("{}.v", place.name), unit: v }, StateRole::Velocity(index));
        }
    }
    for (c, (rub, joint)) in parts.rubs.iter().zip(&system.contacts).enumerate() {
        for (k, &i) in rub.which.iter().enumerate() {
            let state = joint.component.entry.states.get(i);
            let name = format!("{}.{}", joint.name, state.map_or("noise", |state| state.name));
            out[rub.at + k] = (Column { name, unit: state.map_or("-", |state| state.unit) }, StateRole::Memory(c));
        }
    }
    for steer in &parts.steers {
        for k in 0..steer.states {
            let state = match steer.law {
                Law::Continuous(control) => control.state(k),
                Law::Sampled { .. } => format!("w{}", k + 1),
            };
            out[steer.at + k].0.name = format!("{}.{state}", steer.name);
        }
    }
    out
}

impl Simulation<'_> {
    /// Name, unit and role of each number of a [`State`].
    pub fn states(&self) -> Vec<(Column, StateRole)> {
        states(self.system)
    }
    /// The state a run begins with.
    pub fn initial(&self) -> State {
        let flow = Flow::new(self.system);
        let mut y = vec![0.0; flow.len()];
        super::setup::initial(self.system, &flow, &mut y);
        State::save(&flow.parts, &y)
    }
    /// The system to first order about a state at time `t`; derivatives are exact.
    ///
    /// # Errors
    /// [`SimError::Run`] if the system cannot begin there.
    pub fn linearise(&self, state: &State, t: f64, rest: RestTreatment) -> Result<Linearisation, SimError> {
        let options = SimulationOptions { start: t, end: t + 1.0, ..SimulationOptions::default() };
        let mut ignore = NullObserver;
        let probes = Probes::new(&options, &self.columns, &[])?;
        let mut run = Run::new(self.system, &options, &mut ignore, probes);
        state.load(&mut run.flow.parts, &mut run.step.y0);
        run.begin()?;
        let Run { flow, step, .. } = &mut run;
        let mut touches: Vec<LinearisedContact> =
            (0..flow.parts.rubs.len()).map(|c| touch(flow, c, &step.y0)).collect();
        for (rub, touch) in flow.parts.rubs.iter_mut().zip(&mut touches) {
            match rest {
                RestTreatment::Natural => {}
                RestTreatment::Side(side) if matches!(rub.mode, Mode::Slip(_)) && touch.v == 0.0 => {
                    rub.mode = Mode::Slip(side)
                }
                RestTreatment::Free if touch.v == 0.0 => {
                    rub.mode = Mode::Pinned(1.0);
                    touch.force = rub.limits().1;
                }
                _ => {}
            }
        }
        flow.regroup();
        let (n, nu, len) = (flow.parts.n, flow.parts.nu, step.y0.len());
        let mut jacobian = Jacobian::new(n, nu, None);
        let (mut rate, mut powers) = (vec![0.0; len], [0.0; 4]);
        flow.jacobian(t, &step.y0, &mut rate, &mut powers, &mut jacobian);
        let (size, vi) = (n + nu, flow.parts.vi.clone());
        let mut matrix = vec![0.0; size * size];
        for (i, &at) in vi.iter().enumerate() {
            matrix[i * size + at] = 1.0;
            rate[i] = step.y0[at];
        }
        for i in 0..nu {
            let row = &mut matrix[(n + i) * size..(n + i + 1) * size];
            (0..nu).for_each(|j| row[n + j] = jacobian.by_u.get(i, j));
            vi.iter().enumerate().for_each(|(j, &at)| row[j] = jacobian.by_q.get(i, at - n));
        }
        rate.truncate(size);
        let mut answer = vec![0.0; n];
        for (c, touch) in touches.iter_mut().enumerate() {
            let row = flow.parts.rubs[c].row;
            flow.answer(&row, &mut answer);
            touch.push = vec![0.0; size];
            vi.iter().zip(&answer).for_each(|(&at, a)| touch.push[at] = -a);
            if rest == RestTreatment::Free && touch.v == 0.0 {
                rate.iter_mut().zip(&touch.push).for_each(|(rate, push)| *rate -= push * touch.force);
                touch.force = 0.0;
            }
        }
        Ok(Linearisation { rate, matrix, contacts: touches })
    }
}

/// A contact as it is in state `y`.
fn touch(flow: &Flow<'_>, c: usize, y: &[f64]) -> LinearisedContact {
    let rub = &flow.parts.rubs[c];
    let held = !matches!(rub.mode, Mode::Slip(_));
    let v = if held { 0.0 } else { rub.row.v(y, &flow.motions) };
    let u = Input { v, load: rub.load[0] };
    let (mut low, mut high) = rub.limits();
    if low == high {
        // the slowest sliding that the memory can tell from rest
        [low, high] = [-SLOW, SLOW].map(|v| rub.law.steady(&Input { v, ..u }));
    }
    let mut settled = vec![0.0; rub.law.len()];
    rub.law.settled(&u, &mut settled);
    let force = match rub.mode {
        Mode::Slip(_) => rub.law.force(&rub.memory, &u),
        Mode::Stuck => rub.held,
        Mode::Pinned(side) => {
            if side > 0.0 {
                high
            } else {
                low
            }
        }
    };
    let memory = settled.iter().fold(0.0_f64, |most, z| most.max(z.abs()));
    let slope = rub.law.tangent(&settled, &u, EVER)[1];
    LinearisedContact {
        v,
        load: u.load,
        memory,
        force,
        held,
        limits: (low, high),
        row: rub.row.coordinates().collect(),
        push: Vec::new(),
        slope,
    }
}
