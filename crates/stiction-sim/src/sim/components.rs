//! The components of a system as the solver uses them: names and nodes are replaced by rows over the coordinates.
use super::critical_speeds::CriticalSpeeds;
use super::cusp::Cusp;
use super::flow::NEGLIGIBLE;
use super::gear_train::GearTrain;
use super::lossy_gear::LossyGearState;
pub(super) use super::normal_load::NormalLoad;
use super::pivoting::Candidate;
pub(super) use super::spring_state::SpringState;
use super::state::SampledState;
use super::switches::SwitchState;
use crate::ParameterGroup;
use crate::system::{
    Actuation, Connection, Contact, ContinuousController, Controller, ControllerInput, Load, Measurement, Node,
    NodeKind, SampledController, Signal, SignalDerivatives, Stop, System,
};
use stiction_core::registry::DynLaw;

/// A displacement that is linear in the coordinates `q` and the prescribed motions `m`: `offset + Σ c·q + Σ c·m`, over at most two nodes.
/// `q` and `m` hold pairs (index, coefficient); `nq` and `nm` say how many are used. For a contact or a stop: its row of the constraint Jacobian.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ConstraintRow {
    pub q: [(usize, f64); 2],
    pub nq: usize,
    /// Indices of the velocities of these coordinates in the state vector.
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
    /// Contribution of the coordinates to the velocity.
    #[inline(always)]
    pub fn own_speed(&self, y: &[f64]) -> f64 {
        let ([(_, a), (_, b)], [i, j]) = (self.q, self.v);
        match self.nq {
            0 => 0.0,
            1 => a * y[i],
            _ => a * y[i] + b * y[j],
        }
    }
    /// Subtracts a force along the displacement from the generalised forces on its coordinates.
    #[inline(always)]
    pub fn subtract_force(&self, f: f64, force: &mut [f64]) {
        for &(i, c) in &self.q[..self.nq] {
            force[i] -= c * f;
        }
    }
    /// Contribution of the prescribed motions to derivative number `k` of the displacement.
    #[inline(always)]
    pub fn driven(&self, motions: &[SignalDerivatives], k: usize) -> f64 {
        let [(i, a), (j, b)] = self.m;
        match self.nm {
            0 => 0.0,
            1 => a * motions[i][k],
            _ => a * motions[i][k] + b * motions[j][k],
        }
    }
    /// Whether a force along it moves a coordinate.
    pub fn responds(&self) -> bool {
        self.coordinates().any(|(_, c)| c != 0.0)
    }
    /// The velocity, if it differs from zero by more than the rounding of the velocities it is the difference of, and by more than what forces
    /// move that come only from evaluating a law at ±TINY.
    pub fn nonzero_speed(&self, y: &[f64], motions: &[SignalDerivatives]) -> Option<f64> {
        let v = self.v(y, motions);
        (v.abs() > 1e-13 * self.speed_size(y, motions) + NEGLIGIBLE).then_some(v)
    }
    /// Sum of the sizes of the velocities that its velocity is the difference of.
    pub fn speed_size(&self, y: &[f64], motions: &[SignalDerivatives]) -> f64 {
        self.speeds().map(|(i, c)| (c * y[i]).abs()).sum::<f64>() + self.driven(motions, 1).abs()
    }
    /// Bound of the rounding error of the displacement: its at most four sums and products, and the sum of a handful of terms by
    /// which a coordinate was interpolated, each round to half a unit in the last place.
    pub fn position_rounding(&self, y: &[f64], motions: &[SignalDerivatives]) -> f64 {
        let own: f64 = self.coordinates().map(|(i, c)| (c * y[i]).abs()).sum();
        8.0 * f64::EPSILON * (own + self.offset.abs() + self.driven(motions, 0).abs())
    }
    pub(super) fn new(system: &System, ends: [Node; 2], weights: [f64; 2], vi: &[usize]) -> Self {
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
        // both ends are on one coordinate if the bodies are geared
        if self.nq == 1 && self.q[0].0 == index {
            self.q[0].1 += c;
            return;
        }
        self.q[self.nq] = (index, c);
        self.v[self.nq] = v;
        self.nq += 1;
    }
}

/// The mode of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ContactMode {
    /// Slides, or is about to slide, in this direction (±1). A direction of 0 means the bare law on both sides of zero.
    Slip(f64),
    /// Sticks: its force is the constraint force.
    Stuck,
    /// Prevented from sliding by others, with its own force at the limit in this direction (±1), or with that of rest (0).
    Pinned(f64),
}

pub(super) struct ContactState<'s> {
    pub name: &'s str,
    pub law: &'s dyn DynLaw,
    pub row: ConstraintRow,
    pub normal_load: NormalLoad<'s>,
    /// From the load to the load factor of the law: value at zero load, and slope.
    pub load_map: [f64; 2],
    /// Indices of the law's states that change continuously, and the index of the first of them in the state vector.
    pub which: Vec<usize>,
    pub at: usize,
    /// All states of the law; those that change continuously are copied from the state vector.
    pub memory: Vec<f64>,
    pub mode: ContactMode,
    /// Sign of each guard of the law, from its second guard on (the first is the sliding velocity).
    pub guard_signs: Vec<f64>,
    /// Current normal load, and its rate.
    pub load: [f64; 2],
    /// Constraint force while it sticks [N or N·m].
    pub constraint_force: f64,
    /// The force that it exerted in the latest evaluation [N or N·m]; none while it sticks.
    pub force: f64,
    /// Time at which it last began to slide \[s\].
    pub slip_start: f64,
    /// It has just come to rest.
    pub came_to_rest: bool,
    /// While it sticks: direction in which it creeps beside another one that slides at its limit; 0 if there is none.
    pub creep_side: f64,
    /// Number of times it was started in the direction opposite to its mode at the start of the present step.
    pub restarts: u32,
    /// Time at which its velocity last became zero \[s\], and the states of its law just before they jumped there.
    pub rest_time: f64,
    pub memory_at_rest: Vec<f64>,
    /// The state that begins at the position of the contact, if there is one.
    pub starting_position: Option<usize>,
    /// It has moved since the start of the run.
    pub has_moved: bool,
    /// The direction of slip that was last told as an event; 0 if it stuck then, or nothing was told.
    pub told_side: f64,
    /// Regularisation speed and its lower bound [m/s or rad/s]; the smallest positive number if there is none.
    pub regularisation_speed: f64,
    pub min_regularisation_speed: f64,
    /// The slope of its law is unbounded, or nearly so, at rest.
    pub singular_at_rest: bool,
    /// Whether a rate of its law has a cusp at rest.
    pub has_rate_cusp: bool,
    /// The cusp at rest of its law, if it has one.
    pub cusp: Option<Cusp>,
    /// The speeds at which the functions of the speed in its law have extrema, if it is a law of equations.
    pub critical_speeds: Option<Box<CriticalSpeeds>>,
    /// A sliding velocity that is known beyond the rounding of the velocities it is the difference of, and this rounding.
    pub noted_speed: [f64; 2],
    /// Below this speed the slopes of the law are those at this speed [m/s or rad/s].
    pub slope_speed: f64,
    /// Its law contains noise.
    pub noisy: bool,
    /// Number of states of its law without noise and heating, which come first.
    pub own_states: usize,
    /// Index of the position within the noise among the states of the law, if it is one.
    pub noise_position: Option<usize>,
    /// No state of the law jumps, and its only guard is the sliding velocity.
    pub jump_free: bool,
    /// All states change continuously, and rates are not needed elsewhere.
    pub fully_continuous: bool,
    pub rates: Vec<f64>,
    pub rates2: Vec<f64>,
    pub rows: Vec<f64>,
    /// The lossy gear one of whose places it joins to the ground: that gear decides whether it sticks.
    pub gear: Option<usize>,
    /// Whether a signal that switches it is on; where it is off, its law has no force.
    pub is_on: bool,
}

impl ContactState<'_> {
    /// Finds the critical speeds of its law, which the contact has in the system.
    pub fn find_critical_speeds(&mut self, contact: &Contact) {
        let load = if let NormalLoad::Constant(load) = self.normal_load { Some(self.load_factor(load)) } else { None };
        self.critical_speeds = CriticalSpeeds::new(contact, load).map(Box::new);
    }
    /// Whether it sticks, and has a constraint force of its own: a lossy gear whose place it holds to the ground shares its torques with it.
    pub fn sticks_by_itself(&self) -> bool {
        self.mode == ContactMode::Stuck && self.gear.is_none()
    }
    /// The load factor of the law at this load. Its zero is a kink of the force: a contact presses and does not pull.
    #[inline(always)]
    pub fn load_factor(&self, load: f64) -> f64 {
        self.load_map[0] + self.load_map[1] * load
    }
}

pub(super) struct AppliedForce<'s> {
    pub row: ConstraintRow,
    pub signal: &'s Signal,
    /// Current force.
    pub force: f64,
}

pub(super) enum ControllerKind<'s> {
    Continuous(&'s dyn ContinuousController),
    Sampled { period: f64, control: &'s dyn SampledController, state: SampledState },
}

impl<'s> ControllerKind<'s> {
    /// What its first measurement should be, if it follows something.
    pub fn reference(&self) -> Option<&'s Signal> {
        match *self {
            Self::Continuous(control) => control.reference(),
            Self::Sampled { control, .. } => control.reference(),
        }
    }
}

pub(super) struct ControllerState<'s> {
    pub name: &'s str,
    pub kind: ControllerKind<'s>,
    /// For each measurement its row, and whether its velocity is measured. A command is a row without coordinates, whose
    /// offset is the value.
    pub measures: Vec<(ConstraintRow, bool)>,
    /// The measurements that are commands: index of the measurement, and index of the controller that gives the command.
    pub commands: Vec<(usize, usize)>,
    /// The row on which its output acts as a force, if it does.
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
    /// Computes the output of a continuous controller, and writes the rates of its states to `dy`.
    pub fn act(&mut self, t: f64, from: f64, y: &[f64], motions: &[SignalDerivatives], dy: &mut [f64]) {
        if let ControllerKind::Continuous(control) = self.kind {
            self.measure(y, motions);
            let own = self.at..self.at + self.states;
            self.output = control.eval(&ControllerInput { t, from, y: &self.y }, &y[own.clone()], &mut dy[own]);
        }
    }
}

/// The mode of a stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum StopMode {
    Free,
    /// In contact with the lower end (−1) or the upper end (+1).
    At(f64),
}

/// What a stop limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum StopKind {
    /// A displacement: the stop is closed where an end is reached.
    Displacement,
    /// A velocity, of a freewheel: it does not become positive, at any displacement. The stop is closed while the velocity is zero.
    Velocity,
    /// A velocity, of a rigid gear that a signal switches: it is zero as long as the gear is on, which is then closed with a force of either sign.
    Gear,
}

pub(super) struct StopState<'s> {
    pub name: &'s str,
    pub row: ConstraintRow,
    pub kind: StopKind,
    pub parameters: Stop,
    pub mode: StopMode,
    pub constraint_force: f64,
    /// Time at which its force last became zero \[s\].
    pub release_time: f64,
    /// When it was struck last.
    pub struck_at: f64,
    /// It was open until now, and is to be decided.
    pub was_open: bool,
    /// Whether a signal that switches it is on.
    pub is_on: bool,
}

impl StopState<'_> {
    /// It as a candidate for rest, number `part`, at its lower (−1) or upper (+1) end: it can only push there, but for a gear.
    pub fn candidate(&self, part: usize, end: f64) -> Candidate {
        match self.kind {
            StopKind::Gear => {
                Candidate { row: self.row, part, low: f64::NEG_INFINITY, high: f64::INFINITY, creeps: false }
            }
            _ => Candidate::stop(self.row, part, end),
        }
    }
    /// Whether it is a freewheel that overruns in state `y` although its velocity is zero: it may block.
    pub fn may_engage(&self, y: &[f64], motions: &[SignalDerivatives]) -> bool {
        self.kind == StopKind::Velocity
            && self.is_on
            && self.mode == StopMode::Free
            && self.row.responds()
            && self.row.nonzero_speed(y, motions).is_none()
    }
}

/// All components of a system, and the layout of its state vector: positions, then each velocity followed by the states of
/// the contacts of that body (so that the Jacobian of a chain is banded), then controller states, then three energies.
pub(super) struct Components<'s> {
    pub n: usize,
    /// Number of velocities, contact states and controller states.
    pub nu: usize,
    /// Index of the velocity of each coordinate in the state vector.
    pub vi: Vec<usize>,
    pub masses: Vec<f64>,
    pub motions: Vec<&'s Signal>,
    pub springs: Vec<SpringState<'s>>,
    pub contacts: Vec<ContactState<'s>>,
    pub stops: Vec<StopState<'s>>,
    pub applied_forces: Vec<AppliedForce<'s>>,
    pub controllers: Vec<ControllerState<'s>>,
    pub lossy_gears: Vec<LossyGearState<'s>>,
    pub gear_trains: Vec<GearTrain>,
    pub switches: Vec<SwitchState<'s>>,
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
                error_row: match (&j.component.error, j.component.third) {
                    (Some(error), _) => single(j.ends[usize::from(error.of_second)]),
                    (None, Some(third)) => single(third.node),
                    (None, None) => ConstraintRow::default(),
                },
                parameters: &j.component,
                force: 0.0,
                piece: None,
                shift: 0.0,
            })
            .collect();
        let controllers: Vec<_> = system
            .controllers
            .iter()
            .map(|slot| {
                let (kind, states) = match &slot.controller {
                    Controller::Continuous(control) => (ControllerKind::Continuous(&**control), control.states()),
                    Controller::Sampled { period, control } => {
                        let state = SampledState { memory: vec![0.0; control.memory()], ..SampledState::default() };
                        (ControllerKind::Sampled { period: *period, control: &**control, state }, 0)
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
                    Actuation::Load | Actuation::ThroughActuator(_) => None,
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
                let load_map = match contact.spec.values(ParameterGroup::Load)[..] {
                    [base, slope] => [base, slope],
                    _ => [0.0, 1.0],
                };
                let mut memory = contact.memory.clone();
                memory.resize(len, 0.0);
                ContactState {
                    name: &joint.name,
                    law: &*contact.law,
                    row: {
                        let [first, second] = system.levers(joint.ends, contact);
                        ConstraintRow::new(system, joint.ends, [first, -second], &vi)
                    },
                    normal_load,
                    load_map,
                    at,
                    memory,
                    mode: ContactMode::Slip(1.0),
                    guard_signs: vec![-1.0; contact.law.guard_count().saturating_sub(1)],
                    load: [1.0, 0.0],
                    constraint_force: 0.0,
                    force: 0.0,
                    slip_start: f64::NEG_INFINITY,
                    came_to_rest: false,
                    creep_side: 0.0,
                    restarts: 0,
                    rest_time: f64::NEG_INFINITY,
                    memory_at_rest: vec![0.0; len],
                    starting_position: contact.starting_position(),
                    has_moved: false,
                    told_side: 0.0,
                    regularisation_speed: f64::MIN_POSITIVE,
                    min_regularisation_speed: f64::MIN_POSITIVE,
                    singular_at_rest: false,
                    has_rate_cusp: false,
                    cusp: None,
                    critical_speeds: None,
                    noted_speed: [f64::NAN; 2],
                    slope_speed: f64::MIN_POSITIVE,
                    noisy: contact.noisy,
                    own_states: contact.entry.states.len(),
                    noise_position: contact.noise_position(),
                    jump_free: contact.law.guard_count() <= 1 && k == len,
                    fully_continuous: k == len && !contact.noisy,
                    rates: vec![0.0; len],
                    rates2: vec![0.0; len],
                    rows: vec![0.0; (1 + k) * (3 + k)],
                    which,
                    gear: None,
                    is_on: true,
                }
            })
            .collect::<Vec<_>>();
        let stop = |name: &'s str, row, kind, parameters| StopState {
            name,
            row,
            kind,
            parameters,
            mode: StopMode::Free,
            constraint_force: 0.0,
            release_time: f64::NEG_INFINITY,
            struck_at: f64::NEG_INFINITY,
            was_open: false,
            is_on: true,
        };
        let stops = system.stops.iter().map(|j| stop(&j.name, row(j.ends, 1.0), StopKind::Displacement, j.component));
        let anywhere = Stop { lo: f64::NEG_INFINITY, hi: f64::INFINITY, restitution: 0.0 };
        let freewheels =
            system.freewheels.iter().map(|j| stop(&j.name, row(j.ends, 1.0), StopKind::Velocity, anywhere));
        let gears = system
            .switched_gears
            .iter()
            .map(|j| stop(&j.name, row(j.ends, j.component.ratio), StopKind::Gear, anywhere));
        let stops = stops.chain(freewheels).chain(gears).collect();
        let applied_forces = system
            .forces
            .iter()
            .map(|(_, node, signal)| AppliedForce { row: single(*node), signal, force: 0.0 })
            .collect();
        let masses: Vec<f64> = system.bodies.iter().map(|body| body.mass).collect();
        let lossy_gears = LossyGearState::all(system, &vi);
        let switches = SwitchState::all(system, &contacts);
        let mut components = Self {
            n,
            nu: next - n,
            masses,
            motions: system.motions.iter().collect(),
            vi,
            springs,
            contacts,
            stops,
            applied_forces,
            controllers,
            lossy_gears,
            gear_trains: Vec::new(),
            switches,
        };
        components.form_trains();
        components.start_positions(system, 0.0);
        components
    }
    /// Puts the memory of laws that depend on the position to where their contacts are when a run starts at time `t`.
    pub fn start_positions(&mut self, system: &System, t: f64) {
        if self.contacts.iter().all(|contact| contact.starting_position.is_none()) {
            return;
        }
        let x: Vec<f64> = system.bodies.iter().map(|body| body.x).collect();
        let motions: Vec<SignalDerivatives> = self.motions.iter().map(|signal| signal.eval(t, t)).collect();
        for contact in &mut self.contacts {
            if let Some(i) = contact.starting_position {
                contact.memory[i] = contact.row.x(&x, &motions);
            }
        }
    }
}
