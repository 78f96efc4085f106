//! Event location: the first zero crossing of any guard function within a step.
use super::components::{ConstraintRow, ContactMode, NormalLoad, StopKind, StopMode};
use super::flow::{Flow, NEGLIGIBLE, TINY};
use super::law_guards::guards_at;
use super::modes::LIMIT_ROUNDING;
use super::normal_load::load_at;
use super::regularisation::VELOCITY_ROUNDING;
use super::root_finding::{NODES, first_crossing, first_zero, local_minimum, near_miss, refine_root};
use super::rosenbrock::Step;
use super::spring_state::{PieceEnd, SpringForce};
use stiction_core::model::GUARD_ROUNDING;

/// Relative rounding of a sliding velocity as far as it is none of a difference: a few terms, each with a dense output or a sine in it.
const TERMS_ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Rounding of the time over [`VELOCITY_ROUNDING`], both relative: it is rounded once, by half a unit in the last place, and may be so at both ends of a step.
const TIME_PER_VELOCITY_ROUNDING: f64 = f64::EPSILON / VELOCITY_ROUNDING;

/// A guard function: its zero crossing is an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Guard {
    /// Sliding velocity of a contact.
    Velocity(usize),
    /// Guard of a contact's law, numbered from 1.
    Law(usize, usize),
    /// Acceleration of a contact whose law remembers an extremum of its speed.
    Acceleration(usize),
    /// Distance of the constraint force of a sticking contact from its upper and lower limit.
    Upper(usize),
    Lower(usize),
    /// Load factor of a contact that exerts its own force: it begins or ceases to press.
    Load(usize),
    /// Distance of a stop from its lower and upper end.
    Floor(usize),
    Ceiling(usize),
    /// Velocity of a freewheel that overruns.
    Engage(usize),
    /// Force of a stop in contact.
    StopForce(usize),
    /// A kink of the force of a spring.
    Spring(usize, PieceEnd),
    /// Speed of a lossy gear.
    GearSpeed(usize),
    /// The torque of a lossy gear that turns goes over to the other flank.
    GearFlank(usize),
    /// How far a lossy gear at rest is from turning in this direction (±1).
    GearLimit(usize, f64),
}

/// A zero crossing: the guard, and the fraction of the step at which it happens.
#[derive(Clone, Copy, Debug)]
pub(super) struct ZeroCrossing {
    pub theta: f64,
    pub guard: Guard,
}

/// Locates events; holds the scratch space.
pub(super) struct EventLocator {
    /// State vectors at the five sample points of the step; the first is the start.
    pub(super) nodes: Vec<Vec<f64>>,
    filled: bool,
    /// The first fraction of the step searched last at which it did not see what a law does, see [`unseen`](super::unseen).
    pub unseen: Option<f64>,
    /// Scratch: rates at a sample point.
    pub(super) scratch: Vec<f64>,
    pub(super) state: Vec<f64>,
    pub(super) guards: Vec<f64>,
    /// Absolute tolerance of each state.
    pub(super) atol: Vec<f64>,
    /// Values of the guards of a law at the sample points.
    values: Vec<[f64; 5]>,
    /// Contacts whose velocity may change sign in the step without an event.
    unwatched: Vec<bool>,
    /// Contacts that stick at a speed above zero in the step.
    stick_speed: Vec<bool>,
    /// Rounding of each law guard of each contact in the step.
    pub(super) guard_rounding: Vec<Vec<f64>>,
    /// Distance from the upper and lower limit of each sticking contact, and the size of the forces it is the difference of.
    pub(super) room: Vec<[[f64; 5]; 3]>,
    /// Forces of the stops, and the size of the forces they are the difference of.
    stop_forces: Vec<[[f64; 5]; 2]>,
}

impl EventLocator {
    /// `atol`: the absolute tolerance of each state.
    pub fn new(flow: &Flow<'_>, atol: &[f64]) -> Self {
        let most = flow.components.contacts.iter().map(|contact| contact.guard_signs.len() + 1).max().unwrap_or(0);
        let len = Step::pad(flow);
        Self {
            nodes: vec![vec![0.0; len]; 5],
            filled: false,
            unseen: None,
            scratch: vec![0.0; len],
            state: vec![0.0; len],
            guards: vec![0.0; most],
            atol: atol.to_vec(),
            values: vec![[0.0; 5]; most],
            unwatched: vec![false; flow.components.contacts.len()],
            stick_speed: vec![false; flow.components.contacts.len()],
            guard_rounding: flow
                .components
                .contacts
                .iter()
                .map(|contact| vec![0.0; contact.guard_signs.len()])
                .collect(),
            room: vec![[[0.0; 5]; 3]; flow.components.contacts.len()],
            stop_forces: vec![[[0.0; 5]; 2]; flow.components.stops.len()],
        }
    }
    pub(super) fn fill(&mut self, step: &Step) {
        if !self.filled {
            for i in 0..step.numbers() {
                self.nodes.iter_mut().zip(step.at(i, NODES)).for_each(|(node, x)| node[i] = x);
            }
            self.nodes[0].copy_from_slice(&step.y0);
            step.state(1.0, &mut self.nodes[4]);
            self.filled = true;
        }
    }
    /// Whether the velocity of contact `c` may have changed sign without an event in the step searched last. The velocity at
    /// the end of the step, wherever an event puts it, then decides the direction of slip.
    pub fn is_unwatched(&self, c: usize) -> bool {
        self.unwatched[c]
    }
    /// Values of guard `k` of the law of contact `c`, counted from 0, up to this one are rounding, in the step searched last.
    pub fn guard_rounding(&self, c: usize, k: usize) -> f64 {
        self.guard_rounding[c][k]
    }
    /// The first event in the step. The search reads: it changes neither modes nor the discrete states of laws. A
    /// velocity that starts within `speed_tolerance` may change sign by as much without an event, if the force of its contact is
    /// the same on both sides of zero: see [`Self::is_unwatched`].
    pub fn first(&mut self, flow: &mut Flow<'_>, step: &Step, speed_tolerance: f64) -> Option<ZeroCrossing> {
        (self.filled, self.unseen) = (false, None);
        let mut best: Option<ZeroCrossing> = None;
        let count = flow.components.contacts.len();
        for c in 0..count {
            let contact = &flow.components.contacts[c];
            let laws = contact.guard_signs.len();
            let pressed = self.load_factor(flow, step, c, speed_tolerance, &mut best);
            self.unwatched[c] = false;
            self.stick_speed[c] = has_stick_speed(flow, step, c);
            let mut speed_rounding = 0.0;
            match flow.components.contacts[c].mode {
                // without a force, no velocity is special
                ContactMode::Slip(_) if !flow.components.contacts[c].is_on => self.unwatched[c] = true,
                ContactMode::Slip(side) => {
                    let row = flow.components.contacts[c].row;
                    let (values, rounding) = self.velocities(flow, step, &row);
                    let most = values.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
                    speed_rounding = TERMS_ROUNDING * values[0].abs() + rounding;
                    self.note_unseen_minimum(&values, side, speed_tolerance);
                    self.note_passed_speed(flow, step, c, &values);
                    if self.stick_speed[c] {
                        let values = values.map(|v| over_stick_speed(flow, step, c, v));
                        self.consider(flow, step, Guard::Velocity(c), values, side, 0.0, &mut best);
                    } else if let Some(cusp) = flow.components.contacts[c].cusp.filter(|cusp| cusp.start_speed > 0.0) {
                        let noise = 1e-13 * most + cusp.start_speed;
                        self.consider(flow, step, Guard::Velocity(c), values, side, noise, &mut best);
                    } else if most < speed_tolerance
                        && flow.components.contacts[c].reverses_continuously(&step.y0, pressed)
                    {
                        self.unwatched[c] = true;
                    } else {
                        // a contact that was just released starts with almost no acceleration: rounding must not stick it again
                        let starts = flow.components.contacts[c].slip_start == step.t;
                        let noise = velocity_noise((&values, rounding), speed_tolerance);
                        let noise = noise + if starts { 1e-6 * most } else { 0.0 };
                        // near zero from the start: a reversal by less than the tolerance is not known to happen
                        let is_smooth = most >= speed_tolerance
                            && values[0].abs() <= speed_tolerance
                            && first_crossing(&values, side, noise).is_some()
                            && flow.components.contacts[c].reverses_continuously(&step.y0, pressed);
                        self.unwatched[c] = is_smooth;
                        let noise = if is_smooth { noise.max(speed_tolerance) } else { noise };
                        self.consider(flow, step, Guard::Velocity(c), values, side, noise, &mut best);
                    }
                }
                ContactMode::Stuck | ContactMode::Pinned(_) => {}
            }
            if laws > 0 {
                self.fill(step);
                for node in 0..5 {
                    self.guards_at(flow, step, c, node, 0.0);
                    for (k, values) in self.values[..laws].iter_mut().enumerate() {
                        values[node] = self.guards[k + 1];
                    }
                }
                // a guard may magnify the rounding of the velocity
                self.guards_at(flow, step, c, 0, speed_rounding);
                for k in 0..laws {
                    let values = self.values[k];
                    let magnified = (self.guards[k + 1] - values[0]).abs();
                    self.guard_rounding[c][k] = magnified;
                }
                for k in 0..laws {
                    let values = self.values[k];
                    let most = values.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
                    self.guard_rounding[c][k] = (self.guard_rounding[c][k] + GUARD_ROUNDING * most).max(NEGLIGIBLE);
                    let noise = self.guard_rounding[c][k];
                    let side = flow.components.contacts[c].guard_signs[k];
                    self.consider(flow, step, Guard::Law(c, k + 1), values, side, noise, &mut best);
                }
                self.speed_extremum(flow, step, c, speed_tolerance, &mut best);
            }
        }
        if flow.constraint_forces.any() {
            self.held(flow, step, &mut best);
        }
        self.stops(flow, step, speed_tolerance, &mut best);
        self.spring_kinks(flow, step, speed_tolerance, &mut best);
        self.gears(flow, step, speed_tolerance, &mut best);
        best
    }
    /// The zero of a load factor is a kink of the force, whichever way it is passed. A contact that sticks exerts no force of its
    /// own; its limits are watched instead. Returns the largest load in the step: under that it is decided whether a contact may
    /// stick within it.
    fn load_factor(
        &mut self,
        flow: &mut Flow<'_>,
        step: &Step,
        c: usize,
        tolerance: f64,
        best: &mut Option<ZeroCrossing>,
    ) -> f64 {
        let contact = &flow.components.contacts[c];
        if contact.mode == ContactMode::Stuck || matches!(contact.normal_load, NormalLoad::Constant(_)) {
            return contact.load[0];
        }
        let factors = NODES.map(|theta| self.value(flow, step, Guard::Load(c), theta));
        let most = factors.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let contact = &flow.components.contacts[c];
        let noise = match contact.normal_load {
            NormalLoad::Constant(_) | NormalLoad::Signal(_) => 0.0,
            // places and speeds are known to the tolerance, and so is what a spring makes of them
            NormalLoad::Spring(k, gain) => {
                let spring = &flow.components.springs[k];
                let (x, v) = (spring.row.x(&step.y0, &flow.motions), spring.row.v(&step.y0, &flow.motions));
                let SpringForce { by_x, by_v, .. } = spring.at(x, v);
                (contact.load_map[1] * gain * (by_x.abs() + by_v) * tolerance).abs()
            }
            NormalLoad::Control(_) => GUARD_ROUNDING * most,
        };
        // the step after the event starts just beyond the zero, on the other side; a factor that starts at zero, as a ramp may, is on
        // the side to which it goes
        if let Some(first) = factors.iter().find(|x| x.abs() > noise.max(NEGLIGIBLE)) {
            self.consider(flow, step, Guard::Load(c), factors, first.signum(), noise, best);
        }
        let pressed = factors.iter().fold(factors[0], |most, x| most.max(*x));
        let contact = &flow.components.contacts[c];
        let [base, slope] = contact.load_map;
        if slope == 0.0 { contact.load[0] } else { (pressed - base) / slope }
    }
    /// The velocity along a row at the sample points, and its rounding: that of the velocities whose difference it is, and of the time for that of a
    /// prescribed motion. Two surfaces that move together slide on each other at a speed that is known only to this, however small it is.
    pub(super) fn velocities(&self, flow: &mut Flow<'_>, step: &Step, row: &ConstraintRow) -> ([f64; 5], f64) {
        let (mut out, mut size) = ([0.0; 5], [0.0; 5]);
        for (v, c) in row.speeds() {
            for ((out, size), x) in out.iter_mut().zip(&mut size).zip(step.at(v, NODES)) {
                *out += c * x;
                *size += (c * x).abs();
            }
        }
        if row.nm > 0 {
            for ((out, size), theta) in out.iter_mut().zip(&mut size).zip(NODES) {
                flow.set_motions(step.t + theta * step.h);
                let driven = row.driven(&flow.motions, 1);
                *out += driven;
                *size += driven.abs() + TIME_PER_VELOCITY_ROUNDING * (row.driven(&flow.motions, 2) * step.t).abs();
            }
        }
        let is_difference = row.nq + row.nm > 1;
        let most = size.into_iter().fold(0.0, f64::max);
        (out, if is_difference { VELOCITY_ROUNDING * most } else { 0.0 })
    }
    /// The law's guards at a sample point, with a sliding speed that is larger by `faster`.
    fn guards_at(&mut self, flow: &mut Flow<'_>, step: &Step, c: usize, node: usize, faster: f64) {
        let theta = NODES[node];
        flow.set_motions(step.t + theta * step.h);
        guards_at(flow, c, &self.nodes[node], step.t + theta * step.h, faster, &mut self.guards);
    }
    /// The extremum of the sliding speed that the law of contact `c` remembers next.
    fn speed_extremum(
        &mut self,
        flow: &mut Flow<'_>,
        step: &Step,
        c: usize,
        speed_tolerance: f64,
        best: &mut Option<ZeroCrossing>,
    ) {
        let contact = &flow.components.contacts[c];
        let (ContactMode::Slip(side), kind) = (contact.mode, contact.law.extremum(&contact.memory)) else { return };
        if kind == 0.0 {
            return;
        }
        let values = NODES.map(|theta| self.value(flow, step, Guard::Acceleration(c), theta));
        // an acceleration that changes the speed by less than its tolerance within the step is not resolved
        self.consider(flow, step, Guard::Acceleration(c), values, kind * side, speed_tolerance / step.h, best);
    }
    /// Limits of sticking contacts and forces of stops.
    fn held(&mut self, flow: &mut Flow<'_>, step: &Step, best: &mut Option<ZeroCrossing>) {
        self.fill(step);
        for node in 0..5 {
            flow.rhs(step.t + NODES[node] * step.h, &self.nodes[node], &mut self.scratch);
            flow.solve_constraint_forces();
            for (contact, room) in flow.components.contacts.iter().zip(&mut self.room) {
                if contact.sticks_by_itself() {
                    let (low, high) = contact.limits();
                    room[0][node] = high - contact.constraint_force;
                    room[1][node] = contact.constraint_force - low;
                    room[2][node] = contact.constraint_force.abs() + low.abs() + high.abs();
                }
            }
            for (stop, push) in flow.components.stops.iter().zip(&mut self.stop_forces) {
                if let StopMode::At(end) = stop.mode {
                    push[0][node] = stop.constraint_force * end;
                    // applied and inertia force on each body
                    let forces = stop.row.coordinates().map(|(i, c)| {
                        (flow.force[i].abs() + (flow.force[i] + flow.reaction(i)).abs())
                            / c.abs().max(f64::MIN_POSITIVE)
                    });
                    push[1][node] = forces.fold(0.0, f64::max);
                }
            }
        }
        for c in 0..self.room.len() {
            let [upper, lower, size] = self.room[c];
            if flow.components.contacts[c].sticks_by_itself() {
                let noise = LIMIT_ROUNDING * size.iter().fold(0.0_f64, |a, &b| a.max(b));
                self.consider(flow, step, Guard::Upper(c), upper, 1.0, noise, best);
                self.consider(flow, step, Guard::Lower(c), lower, 1.0, noise, best);
            }
        }
        for b in 0..self.stop_forces.len() {
            let [push, sizes] = self.stop_forces[b];
            if flow.components.stops[b].mode != StopMode::Free && flow.components.stops[b].kind != StopKind::Gear {
                let most = push.iter().chain(&sizes).fold(0.0_f64, |most, v| most.max(v.abs()));
                self.consider(flow, step, Guard::StopForce(b), push, 1.0, 1e-12 * most, best);
            }
        }
    }
    fn stops(&mut self, flow: &mut Flow<'_>, step: &Step, speed_tolerance: f64, best: &mut Option<ZeroCrossing>) {
        for b in 0..flow.components.stops.len() {
            let (row, what, mode) =
                (flow.components.stops[b].row, flow.components.stops[b].parameters, flow.components.stops[b].mode);
            if mode != StopMode::Free
                || !flow.components.stops[b].is_on
                || flow.components.stops[b].kind == StopKind::Gear
            {
                continue;
            }
            if flow.components.stops[b].kind == StopKind::Velocity {
                // one that others keep at rest may not begin to move
                if !flow.groups.keeps(&row) {
                    self.freewheel(flow, step, b, speed_tolerance, best);
                }
                continue;
            }
            let mut size = 0.0_f64;
            let x = NODES.map(|theta| {
                flow.set_motions(step.t + theta * step.h);
                let (mut x, driven) = (row.offset, row.driven(&flow.motions, 0));
                let mut parts = x.abs() + driven.abs();
                for (i, c) in row.coordinates() {
                    let own = c * step.at(i, [theta])[0];
                    (x, parts) = (x + own, parts + own.abs());
                }
                size = size.max(parts);
                x + driven
            });
            // rounding, see `ConstraintRow::position_rounding`
            let rounding = 8.0 * f64::EPSILON * size;
            flow.set_motions(step.t);
            let rests = row.nonzero_speed(&step.y0, &flow.motions).is_none();
            let error: f64 = row.coordinates().map(|(_, c)| c.abs() * speed_tolerance).sum();
            for (guard, room) in
                [(Guard::Floor(b), x.map(|x| x - what.lo)), (Guard::Ceiling(b), x.map(|x| what.hi - x))]
            {
                if room[0].is_finite() {
                    // a body that leaves the end from rest is still there to within the error of the step
                    let noise = if rests && room[0].abs() <= rounding { rounding + error } else { rounding };
                    // a body that starts slightly beyond the end is leaving, unless it moves further in
                    let noise = noise + (-room[0] * (1.0 + 1e-9)).max(0.0);
                    self.consider(flow, step, guard, room, 1.0, noise, best);
                }
            }
        }
    }
    /// The velocity of a freewheel that overruns.
    fn freewheel(
        &mut self,
        flow: &mut Flow<'_>,
        step: &Step,
        b: usize,
        speed_tolerance: f64,
        best: &mut Option<ZeroCrossing>,
    ) {
        let row = flow.components.stops[b].row;
        let (values, rounding) = self.velocities(flow, step, &row);
        let values = values.map(|v| -v);
        // one that was just released starts with almost no acceleration: rounding must not block it again
        let starts = flow.components.stops[b].release_time == step.t;
        let most = values.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        let noise = velocity_noise((&values, rounding), speed_tolerance) + if starts { 1e-6 * most } else { 0.0 };
        let noise = noise + (-values[0] * (1.0 + 1e-9)).max(0.0);
        self.consider(flow, step, Guard::Engage(b), values, 1.0, noise, best);
    }
    /// Ends of the pieces of springs whose force has kinks.
    fn spring_kinks(&mut self, flow: &mut Flow<'_>, step: &Step, tolerance: f64, best: &mut Option<ZeroCrossing>) {
        for s in 0..flow.components.springs.len() {
            let Some(piece) = flow.components.springs[s].piece else { continue };
            let row = flow.components.springs[s].row;
            for &kind in flow.components.springs[s].piece_ends(piece) {
                let guard = Guard::Spring(s, kind);
                let values = NODES.map(|theta| self.value(flow, step, guard, theta));
                if !values[0].is_finite() {
                    continue;
                }
                flow.set_motions(step.t);
                let rounding = match kind {
                    PieceEnd::Limit(_) => GUARD_ROUNDING * values.iter().fold(0.0_f64, |most, x| most.max(x.abs())),
                    // of a body that leaves the end from rest, the place is known to the error of the step
                    _ if row.nonzero_speed(&step.y0, &flow.motions).is_none() => {
                        let error: f64 = row.coordinates().map(|(_, c)| c.abs() * tolerance).sum();
                        row.position_rounding(&step.y0, &flow.motions) + if values[0] <= error { error } else { 0.0 }
                    }
                    _ => row.position_rounding(&step.y0, &flow.motions),
                };
                // a step begins where the event before was located, slightly beyond it or not quite there
                let noise = rounding + (-values[0] * (1.0 + 1e-9)).max(0.0);
                self.consider(flow, step, guard, values, 1.0, noise, best);
            }
        }
    }
    #[allow(clippy::too_many_arguments, reason = "one place decides for every kind of guard")]
    pub(super) fn consider(
        &mut self,
        flow: &mut Flow<'_>,
        step: &Step,
        guard: Guard,
        values: [f64; 5],
        side: f64,
        noise: f64,
        best: &mut Option<ZeroCrossing>,
    ) {
        let found = match guard {
            Guard::Law(c, k) => self.first_kink_or_jump(flow, step, (c, k), (&values, side, noise), best),
            _ => self.first_beyond(flow, step, guard, (&values, side, noise), best),
        };
        if let Some(theta) = found
            && best.is_none_or(|crossing| theta < crossing.theta)
        {
            *best = Some(ZeroCrossing { theta, guard });
        }
    }
    /// The first zero of a guard beyond which it exceeds `noise`, given its values at the sample points, if it comes before `best`.
    pub(super) fn first_beyond(
        &mut self,
        flow: &mut Flow<'_>,
        step: &Step,
        guard: Guard,
        (values, side, noise): (&[f64; 5], f64, f64),
        best: &Option<ZeroCrossing>,
    ) -> Option<f64> {
        match first_crossing(values, side, noise) {
            Some((lo, _)) if best.is_some_and(|crossing| crossing.theta <= lo) => None,
            Some(_) => first_zero(&mut |theta| self.value(flow, step, guard, theta), values, side, noise),
            None => {
                // between the samples a guard that is not a polynomial may reach further than the quartic through them
                let polynomial = matches!(
                    guard,
                    Guard::Velocity(_)
                        | Guard::Engage(_)
                        | Guard::Floor(_)
                        | Guard::Ceiling(_)
                        | Guard::Spring(..)
                        | Guard::GearSpeed(_)
                );
                (!polynomial).then(|| near_miss(values, side)).flatten().and_then(|bottom| {
                    let (at, g) = local_minimum(|theta| side * self.value(flow, step, guard, theta), bottom);
                    let value = |theta: f64| self.value(flow, step, guard, theta);
                    (g < -noise).then(|| refine_root(value, side, NODES[bottom - 1], at))
                })
            }
        }
    }
    /// The value of a guard at a fraction of the step.
    pub(super) fn value(&mut self, flow: &mut Flow<'_>, step: &Step, guard: Guard, theta: f64) -> f64 {
        let t = step.t + theta * step.h;
        flow.set_motions(t);
        match guard {
            Guard::Velocity(c) => {
                let row = flow.components.contacts[c].row;
                let own: f64 = row.speeds().map(|(v, c)| c * step.at(v, [theta])[0]).sum();
                let v = own + row.driven(&flow.motions, 1);
                if self.stick_speed[c] { over_stick_speed(flow, step, c, v) } else { v }
            }
            Guard::Law(c, k) => {
                // to the last bit the state in which the law jumps: a guard that is only almost crossed there changes nothing
                step.state(theta, &mut self.state);
                flow.groups.align(&mut self.state, &flow.components.vi, &flow.motions);
                guards_at(flow, c, &self.state, t, 0.0, &mut self.guards);
                self.guards[k]
            }
            Guard::Acceleration(c) => {
                step.state(theta, &mut self.state);
                flow.rhs(t, &self.state, &mut self.scratch);
                flow.sliding_acceleration(c)
            }
            Guard::Load(c) => {
                step.state(theta, &mut self.state);
                let load = load_at(flow, c, t, &self.state);
                flow.components.contacts[c].load_factor(load)
            }
            Guard::Upper(c) | Guard::Lower(c) => {
                step.state(theta, &mut self.state);
                flow.rhs(t, &self.state, &mut self.scratch);
                flow.solve_constraint_forces();
                let contact = &flow.components.contacts[c];
                let (low, high) = contact.limits();
                if guard == Guard::Upper(c) { high - contact.constraint_force } else { contact.constraint_force - low }
            }
            Guard::StopForce(b) => {
                step.state(theta, &mut self.state);
                flow.rhs(t, &self.state, &mut self.scratch);
                flow.solve_constraint_forces();
                let stop = &flow.components.stops[b];
                if let StopMode::At(end) = stop.mode { stop.constraint_force * end } else { 0.0 }
            }
            Guard::Engage(b) => {
                let row = flow.components.stops[b].row;
                let own: f64 = row.speeds().map(|(v, c)| c * step.at(v, [theta])[0]).sum();
                -own - row.driven(&flow.motions, 1)
            }
            Guard::Floor(b) | Guard::Ceiling(b) => {
                let stop = &flow.components.stops[b];
                let own: f64 = stop.row.coordinates().map(|(i, c)| c * step.at(i, [theta])[0]).sum();
                let x = own + stop.row.offset + stop.row.driven(&flow.motions, 0);
                if guard == Guard::Floor(b) { x - stop.parameters.lo } else { stop.parameters.hi - x }
            }
            Guard::GearSpeed(g) => {
                let place = flow.components.lossy_gears[g].places[0];
                place.speeds().map(|(v, c)| c * step.at(v, [theta])[0]).sum()
            }
            Guard::GearFlank(_) | Guard::GearLimit(..) => {
                step.state(theta, &mut self.state);
                flow.gear_guard(guard, t, &self.state, &mut self.scratch)
            }
            Guard::Spring(s, kind) => {
                let spring = &flow.components.springs[s];
                let own: f64 = spring.row.coordinates().map(|(i, c)| c * step.at(i, [theta])[0]).sum();
                let speed: f64 = spring.row.speeds().map(|(v, c)| c * step.at(v, [theta])[0]).sum();
                let x = own + spring.row.offset + spring.row.driven(&flow.motions, 0);
                let v = speed + spring.row.driven(&flow.motions, 1);
                spring.piece.map_or(f64::INFINITY, |piece| spring.piece_guard(piece, kind, x, v))
            }
        }
    }
}

/// Whether contact `c` sticks at a speed above zero: a regularised contact that is stepped in the logarithm of its speed, or that inertia
/// stops. Without load it does not stick. The load at the start of the step decides, so that the guard is one function throughout the
/// step: a load that begins within it is an event of its own.
fn has_stick_speed(flow: &mut Flow<'_>, step: &Step, c: usize) -> bool {
    if !flow.components.contacts[c].is_regularised() {
        return false;
    }
    if step.log_speeds.has(c) {
        return true;
    }
    flow.set_motions(step.t);
    let load = load_at(flow, c, step.t, &step.y0);
    let contact = &mut flow.components.contacts[c];
    let kept = std::mem::replace(&mut contact.load[0], load);
    contact.load_memory(&step.y0);
    let can_stick = contact.can_stick();
    contact.load[0] = kept;
    can_stick
}

/// The velocity guard of contact `c`: its velocity, less the speed at which it sticks; or, where it is stepped in the logarithm of its
/// speed, the logarithm of their ratio, signed by the side.
fn over_stick_speed(flow: &Flow<'_>, step: &Step, c: usize, v: f64) -> f64 {
    let contact = &flow.components.contacts[c];
    let ContactMode::Slip(side) = contact.mode else { return v };
    if step.log_speeds.has(c) {
        side * ((v * side).max(TINY) / contact.regularisation_speed).ln()
    } else {
        v - side * contact.regularisation_speed
    }
}

/// Sliding velocities within a step count as zero up to this one: rounding of the step's states and of their difference, and far below the tolerance.
pub(super) fn velocity_noise((velocities, rounding): (&[f64; 5], f64), speed_tolerance: f64) -> f64 {
    let most = velocities.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    1e-13 * most + 1e-12 * speed_tolerance + rounding
}
