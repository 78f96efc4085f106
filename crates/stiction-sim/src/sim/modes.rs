//! Which contacts stick and which slip: one complementarity problem on accelerations for all contacts at rest.
//!
//! At rest a contact carries any force λ within its limits [L, U]; accelerations are `a = a_free − G·λ` with
//! `G = J·A·Jᵀ`. The conditions are `a = 0` where `L < λ < U`, `a ≥ 0` where `λ = U`, `a ≤ 0` where `λ = L`: those of
//! the convex programme `min ½λᵀGλ − λᵀa_free` over the box. A solution always exists; the accelerations are unique,
//! and so are the forces unless contacts are redundant (G singular). Redundant contacts share the force by the least norm, see
//! [`LeastNorm`]. Solved by least-index pivoting, see [`ComplementarityProblem`]; a stop is a contact that can only push.
use super::components::{Components, ConstraintRow, ContactMode, ContactState, StopMode};
use super::flow::Flow;
use super::groups::RigidGroups;
use super::least_norm::{LeastNorm, dot};
use super::log_speed::{Direction, independent_directions};
use super::matrix::Matrix;
use super::pivoting::{BoundStatus, Candidate, ComplementarityProblem};

/// A relative acceleration at a stop below this fraction of the accelerations that it is the difference of is rounding: each of them is
/// a sum of a few forces over a mass.
pub(super) const ACCELERATION_ROUNDING: f64 = 1e-15;

/// The force of a freewheel that engages, as a fraction of the forces at rest, is larger than this: the error of a located instant at which it
/// begins. One that is open by mistake engages as soon as its velocity becomes positive.
const PRESSED: f64 = 1e-9;

/// Rounding of a balance of forces at their limits, relative to these forces: a sum of some ten terms, each of some operations.
pub(super) const LIMIT_ROUNDING: f64 = 1e-14;

/// The constraint forces of sticking contacts and of stops, from the reactions r: `J·Jᵀ·λ = −J·r`, the solution of least
/// norm.
#[derive(Default)]
pub(super) struct ConstraintForces {
    rows: Vec<(usize, ConstraintRow)>,
    system: Option<LeastNorm>,
    wanted: Vec<f64>,
    forces: Vec<f64>,
}

impl ConstraintForces {
    /// Collects the active constraints.
    pub fn note(&mut self, parts: &Components<'_>) {
        let contacts =
            parts.contacts.iter().enumerate().filter(|(_, contact)| contact.sticks_by_itself() && contact.row.nq > 0);
        let stops = parts.stops.iter().enumerate().filter(|(_, stop)| stop.mode != StopMode::Free && stop.row.nq > 0);
        self.rows.clear();
        self.rows.extend(contacts.map(|(i, contact)| (i, contact.row)));
        self.rows.extend(stops.map(|(i, stop)| (parts.contacts.len() + i, stop.row)));
        let k = self.rows.len();
        if k < 2 {
            self.system = None;
            return;
        }
        let rows: Vec<ConstraintRow> = self.rows.iter().map(|(_, row)| *row).collect();
        let creeps =
            |(part, _): &(usize, ConstraintRow)| parts.contacts.get(*part).is_some_and(ContactState::is_regularised);
        let creeps: Vec<bool> = self.rows.iter().map(creeps).collect();
        self.system = LeastNorm::new(parts.n, &rows, |a| creeps[a], |a, b| dot(&rows[a], &rows[b]));
        for list in [&mut self.wanted, &mut self.forces] {
            list.resize(k, 0.0);
        }
    }
    /// Whether any constraint is active.
    pub fn any(&self) -> bool {
        !self.rows.is_empty()
    }
}

impl Flow<'_> {
    /// Decides for every contact at rest and every stop in contact whether it stays so at time `t` in state `y`. `dy` is scratch
    /// space.
    pub fn resolve(&mut self, t: f64, y: &[f64], dy: &mut [f64]) {
        self.components.contacts.iter_mut().for_each(|contact| contact.creep_side = 0.0);
        // a freewheel without speed may block, unless its force has just become zero
        for stop in &mut self.components.stops {
            stop.was_open = stop.release_time < t && stop.may_engage(y, &self.motions);
            if stop.was_open {
                stop.mode = StopMode::At(1.0);
            }
        }
        let turning = self.turn_without_set();
        for _ in 0..=self.components.contacts.len() + self.components.stops.len() {
            if !self.resolve_once(t, y, dy) {
                break;
            }
        }
        self.regroup();
        if self.pin_kept_contacts() {
            self.regroup();
        }
        for c in turning {
            let contact = &mut self.components.contacts[c];
            if let ContactMode::Slip(side) = contact.mode
                && !self.groups.keeps(&contact.row)
            {
                contact.mode = ContactMode::Slip(-side);
            }
        }
        self.note_creep_sides(y);
    }
    /// A contact that has just come to rest and has no set of forces there is expected to turn, unless others keep it at rest. Then
    /// its force is that of the direction in which it moved last, which is another one where the force falls across rest. Gives them
    /// that direction, and returns their numbers.
    fn turn_without_set(&mut self) -> Vec<usize> {
        let mut turning = Vec::new();
        for (c, contact) in self.components.contacts.iter_mut().enumerate() {
            if let ContactMode::Slip(side) = contact.mode
                && contact.came_to_rest
                && contact.row.nq > 0
                && !contact.can_stick()
            {
                contact.mode = ContactMode::Slip(-side);
                turning.push(c);
            }
        }
        turning
    }
    /// Notes in which direction contacts creep while they stick: that of a contact beside them that slides at its limit.
    fn note_creep_sides(&mut self, y: &[f64]) {
        for c in 0..self.components.contacts.len() {
            let creeping = &self.components.contacts[c];
            if creeping.mode != ContactMode::Stuck || !creeping.is_regularised() {
                continue;
            }
            let beside = |other: &ContactState<'_>| match other.mode {
                ContactMode::Slip(side) if other.row.v(y, &self.motions) == 0.0 && other.can_stick() => {
                    let mut held = RigidGroups::new(self.components.n);
                    held.hold(&other.row);
                    held.keeps(&creeping.row).then(|| side * dot(&other.row, &creeping.row).signum())
                }
                _ => None,
            };
            let side = self.components.contacts.iter().find_map(beside).unwrap_or(0.0);
            self.components.contacts[c].creep_side = side;
        }
    }
    /// A contact that cannot stick by itself, but that others keep from sliding, is at rest: its discrete states are those of rest, not of
    /// beginning motion, and its force is that of rest, also where its law becomes so steep later on that a set of forces at rest stands for it. True if there is one.
    fn pin_kept_contacts(&mut self) -> bool {
        let mut any = false;
        for contact in &mut self.components.contacts {
            if let ContactMode::Slip(side) = contact.mode
                && (!contact.jump_free || contact.may_be_regularised())
                && contact.row.nq > 0
                && !contact.can_stick()
                && self.groups.keeps(&contact.row)
            {
                contact.mode = ContactMode::Pinned(if contact.may_be_regularised() { 0.0 } else { side });
                any = true;
            }
        }
        any
    }
    /// Whether contacts that are released at time `t` take contact `c` along backwards, and whether forwards; and the rounding of the
    /// acceleration of `c` in the balance of forces at their limits.
    pub fn released_directions(&self, c: usize, t: f64) -> ([bool; 2], f64) {
        let (mut directions, mut size) = ([false; 2], 0.0);
        if self.components.contacts.len() < 2 {
            return (directions, size);
        }
        let row = &self.components.contacts[c].row;
        let mut answer = vec![0.0; self.components.n];
        for (i, contact) in self.components.contacts.iter().enumerate() {
            if let ContactMode::Slip(side) = contact.mode
                && i != c
                && contact.slip_start == t
            {
                self.answer(&contact.row, &mut answer);
                let response: f64 = row.coordinates().map(|(i, c)| c * answer[i]).sum();
                directions[0] |= side * response < 0.0;
                directions[1] |= side * response > 0.0;
                size += (response * contact.constraint_force).abs();
            }
        }
        (directions, LIMIT_ROUNDING * size)
    }
    /// Solves once with the present forces of sliding contacts; true if a contact begins to slip and its sliding force differs
    /// from the limit, or no longer keeps others from creeping, so that the problem must be solved again.
    fn resolve_once(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> bool {
        let candidates = self.candidates(t, y);
        let (candidates, kept) = self.leave_out_kept(candidates);
        if candidates.is_empty() {
            return false;
        }
        // release all candidates: accelerations without their forces, and their response to forces
        for c in &candidates {
            match self.components.contacts.get_mut(c.part) {
                // exerts no force while marked so
                Some(contact) => contact.mode = ContactMode::Stuck,
                None => self.components.stops[c.part - self.components.contacts.len()].mode = StopMode::Free,
            }
        }
        self.regroup_without();
        self.rhs(t, y, dy);
        let (n, g) = (self.components.n, self.responses(&candidates));
        let acceleration = |c: &Candidate| {
            let driven = c.row.driven(&self.motions, 2);
            let own = |(i, x): (usize, f64)| x * self.acceleration[i];
            let size: f64 = c.row.coordinates().map(|part| own(part).abs()).sum();
            let a = driven + c.row.coordinates().map(own).sum::<f64>();
            // bodies that accelerate alike, such as those that fall side by side, need no force between them: the stop stays closed
            let is_stop = c.part >= self.components.contacts.len();
            if is_stop && a.abs() <= ACCELERATION_ROUNDING * (size + driven.abs()) { 0.0 } else { a }
        };
        let free: Vec<f64> = candidates.iter().map(acceleration).collect();
        let problem = ComplementarityProblem { n, g: &g, free: &free, candidates: &candidates };
        let decisions = if let [_] = &candidates[..] {
            problem.solve_single().map(|(set, force, still)| vec![(set, force, still, false)])
        } else {
            problem.solve().map(|(sets, force)| {
                let mut held = problem.held(&sets);
                let decision = |j: usize| {
                    let (a, kept) = problem.residual_acceleration(j, (&sets, &force), &held);
                    let still = a == 0.0;
                    if still && !kept && candidates[j].part < self.components.contacts.len() {
                        // exactly at its limit it sticks on, and keeps others that are at theirs
                        held.hold(&candidates[j].row);
                    }
                    (sets[j], force[j], still, still && kept)
                };
                (0..candidates.len()).map(decision).collect()
            })
        };
        let Some(mut decisions) = decisions else {
            self.no_stick_slip_solution = true;
            return false;
        };
        // a freewheel that was open stays so where nothing presses it: both solve the problem
        let finite = |x: f64| if x.is_finite() { x.abs() } else { 0.0 };
        let size =
            candidates.iter().zip(&decisions).map(|(c, d)| finite(c.low) + finite(c.high) + d.1.abs()).sum::<f64>();
        for (c, decision) in candidates.iter().zip(&mut decisions) {
            let stop = c.part.checked_sub(self.components.contacts.len()).map(|b| &self.components.stops[b]);
            if stop.is_some_and(|stop| stop.was_open) && decision.1.abs() <= PRESSED * size {
                decision.0 = BoundStatus::Low;
            }
        }
        let is_released = |j: usize| decisions[j].0 != BoundStatus::Free && !decisions[j].2;
        let first = self.first_released(&candidates, &kept, |j| is_released(j).then_some(decisions[j].0));
        let mut again = !first.is_empty();
        for (j, (c, (set, force, still, kept))) in candidates.iter().zip(decisions).enumerate() {
            if first.is_empty() || first.contains(&j) {
                again |= self.decide(c, set, force, still, kept, t);
            } else if let Some(stop) = c.part.checked_sub(self.components.contacts.len()) {
                self.components.stops[stop].mode = StopMode::At(if c.high > 0.0 { 1.0 } else { -1.0 });
            }
        }
        again || self.begins_to_creep(&kept)
    }
    /// Those of the released candidates whose forces are another matter once they are released than the ends of their sets, with which all were
    /// decided: the others are decided again, with those forces. First what alone keeps a contact from creeping, then what only passes rest; none if
    /// all are released as they were decided. `released` is the end at which a candidate is, if it is released.
    fn first_released(
        &self,
        candidates: &[Candidate],
        kept: &[usize],
        released: impl Fn(usize) -> Option<BoundStatus>,
    ) -> Vec<usize> {
        let keepers = self.only_keepers(candidates, kept).into_iter().filter(|&j| released(j).is_some());
        let keepers: Vec<usize> = keepers.collect();
        if !keepers.is_empty() {
            return keepers;
        }
        let passes = |&j: &usize| released(j).is_some_and(|end| self.passes_rest(&candidates[j], end));
        (0..candidates.len()).filter(passes).collect()
    }
    /// Whether a candidate slid until now, turns without staying at rest, and then has another force than the limit of its set: it never
    /// exerts that limit. What was at rest until now is decided with the force that it goes on with, so that a contact does not let go because of a
    /// force that does not occur.
    fn passes_rest(&self, candidate: &Candidate, set: BoundStatus) -> bool {
        let side = if set == BoundStatus::High { 1.0 } else { -1.0 };
        let limit = if set == BoundStatus::High { candidate.high } else { candidate.low };
        self.components
            .contacts
            .get(candidate.part)
            .is_some_and(|contact| contact.came_to_rest && contact.drops_from(limit, side))
    }
    /// The candidates without which one of the `kept` contacts would creep.
    fn only_keepers(&self, candidates: &[Candidate], kept: &[usize]) -> Vec<usize> {
        if kept.is_empty() {
            return Vec::new();
        }
        let creeps_without = |&j: &usize| {
            let mut held = RigidGroups::new(self.components.n);
            candidates.iter().enumerate().filter(|&(i, _)| i != j).for_each(|(_, c)| {
                held.hold(&c.row);
            });
            kept.iter().any(|&c| !held.keeps(&self.components.contacts[c].row))
        };
        (0..candidates.len()).filter(creeps_without).collect()
    }
    #[allow(clippy::too_many_arguments, reason = "one decision")]
    fn decide(&mut self, c: &Candidate, set: BoundStatus, force: f64, still: bool, kept: bool, t: f64) -> bool {
        let count = self.components.contacts.len();
        let Some(contact) = self.components.contacts.get_mut(c.part) else {
            let stop = &mut self.components.stops[c.part - count];
            let end = if c.high > 0.0 { 1.0 } else { -1.0 };
            stop.mode = if set == BoundStatus::Free { StopMode::At(end) } else { StopMode::Free };
            stop.constraint_force = force;
            return false;
        };
        contact.constraint_force = force;
        let side = if set == BoundStatus::High { 1.0 } else { -1.0 };
        match set {
            BoundStatus::Free => contact.mode = ContactMode::Stuck,
            // at its limit, but prevented from sliding by other contacts
            _ if kept => contact.mode = ContactMode::Pinned(side),
            // exactly at its limit: it slips when the force grows further
            _ if still => contact.mode = ContactMode::Stuck,
            _ => {
                contact.mode = ContactMode::Slip(side);
                // from now on with its sliding force, even if it is a candidate because it came to rest
                (contact.slip_start, contact.came_to_rest) = (t, false);
                return contact.drops_from(force, side);
            }
        }
        false
    }
    fn candidates(&mut self, t: f64, y: &[f64]) -> Vec<Candidate> {
        let mut out = Vec::new();
        let motions = &self.motions;
        for (part, contact) in self.components.contacts.iter_mut().enumerate() {
            let held = !matches!(contact.mode, ContactMode::Slip(_));
            let rests = held || contact.came_to_rest || (contact.row.v(y, motions) == 0.0 && contact.slip_start < t);
            if contact.row.nq == 0 || !rests || contact.gear.is_some() {
                continue;
            }
            let (low, high) = contact.limits();
            if contact.can_stick() {
                out.push(Candidate { row: contact.row, part, low, high, creeps: contact.is_regularised() });
            } else if held {
                // the load is gone, and with it the friction limit; or the force falls across v = 0, so that there is no set at rest
                let middle = 0.5 * (low + high);
                contact.mode = match contact.mode {
                    ContactMode::Pinned(side) if side != 0.0 => ContactMode::Slip(side),
                    _ => ContactMode::Slip(if contact.constraint_force < middle { -1.0 } else { 1.0 }),
                };
            }
        }
        for (k, stop) in self.components.stops.iter().enumerate() {
            // a stop between prescribed motions does not respond to forces
            if let StopMode::At(end) = stop.mode
                && stop.row.nq > 0
            {
                out.push(stop.candidate(self.components.contacts.len() + k, end));
            }
        }
        out
    }
    /// Takes those out of the candidates that only creep, and that others which hold exactly keep at rest: they do not creep, and
    /// their force is that of their law at rest. Also returns their numbers.
    fn leave_out_kept(&mut self, mut candidates: Vec<Candidate>) -> (Vec<Candidate>, Vec<usize>) {
        let contacts = &mut self.components.contacts;
        let creeps = |c: &Candidate| c.creeps;
        if !candidates.iter().any(creeps) {
            return (candidates, Vec::new());
        }
        let mut held = RigidGroups::new(self.components.n);
        candidates.iter().filter(|c| !creeps(c)).for_each(|c| {
            held.hold(&c.row);
        });
        let kept: Vec<usize> = candidates.iter().filter(|c| creeps(c) && held.keeps(&c.row)).map(|c| c.part).collect();
        candidates.retain(|c| !kept.contains(&c.part));
        kept.iter().for_each(|&c| contacts[c].mode = ContactMode::Pinned(0.0));
        (candidates, kept)
    }
    /// Whether one of these contacts, so far kept at rest, is so no longer.
    fn begins_to_creep(&self, kept: &[usize]) -> bool {
        if kept.is_empty() {
            return false;
        }
        let held = self.exactly_held();
        kept.iter().any(|&c| !held.keeps(&self.components.contacts[c].row))
    }
    /// The rigid groups of what sticks exactly: stops, and contacts that do not creep.
    fn exactly_held(&self) -> RigidGroups {
        let mut held = RigidGroups::new(self.components.n);
        let sticks = |contact: &&ContactState<'_>| contact.mode == ContactMode::Stuck && !contact.is_regularised();
        for contact in self.components.contacts.iter().filter(sticks) {
            held.hold(&contact.row);
        }
        for stop in self.components.stops.iter().filter(|stop| stop.mode != StopMode::Free) {
            held.hold(&stop.row);
        }
        held
    }
    /// Groups without any active constraint but those of lossy gears; contacts marked as stuck exert no force.
    fn regroup_without(&mut self) {
        self.groups.reset();
        self.hold_gears();
        let coupled = self.has_plants();
        self.groups.settle(&self.components.masses, coupled);
    }
    /// Removes all constraints for an impulse in state `y`: only masses react to it. Undone by [`Flow::regroup`].
    pub fn release_all(&mut self, y: &[f64]) {
        self.regroup_without();
        // the inverse of a full mass matrix still contains the constraints
        self.set_plants(y);
    }
    /// Accelerations of all coordinates under a unit force along `row`.
    pub fn answer(&self, row: &ConstraintRow, out: &mut [f64]) {
        let n = self.components.n;
        out.fill(0.0);
        for (i, c) in row.coordinates() {
            if self.groups.is_full {
                out.iter_mut().enumerate().for_each(|(k, out)| *out += self.groups.full[k * n + i] * c);
            } else {
                out[i] += self.groups.inverse[i] * c;
            }
        }
    }
    /// The matrix G: accelerations of the candidates (rows) under unit forces along each of them (columns).
    pub fn responses(&self, candidates: &[Candidate]) -> Matrix {
        let mut g = Matrix::full(candidates.len());
        let mut answer = vec![0.0; self.components.n];
        for (j, c) in candidates.iter().enumerate() {
            self.answer(&c.row, &mut answer);
            for (i, other) in candidates.iter().enumerate() {
                g.add(i, j, other.row.coordinates().map(|(q, x)| x * answer[q]).sum());
            }
        }
        g
    }
    /// Contacts beside a creeping contact `c` that rest in slip mode, their force at its limit, begin to slide with it.
    pub fn release_with(&mut self, c: usize, t: f64, y: &[f64]) {
        let creeping = &self.components.contacts[c];
        if !creeping.is_regularised() {
            return;
        }
        let mut held = RigidGroups::new(self.components.n);
        held.hold(&creeping.row);
        for contact in &mut self.components.contacts {
            let rests = matches!(contact.mode, ContactMode::Slip(_)) && contact.row.v(y, &self.motions) == 0.0;
            if rests && contact.can_stick() && held.keeps(&contact.row) {
                contact.slip_start = t;
            }
        }
    }
    /// Contacts that others kept at rest, their forces at a limit, and that nothing keeps any more begin to slide at time `t`, each in the
    /// direction of its limit. Where several contacts reach their limits at one instant, rounding decides which of them holds the others; the
    /// last one that lets go takes all of them along.
    pub fn release_unkept(&mut self, t: f64) {
        let mut any = false;
        for contact in &mut self.components.contacts {
            if let ContactMode::Pinned(side) = contact.mode
                && contact.is_pinned_at_limit()
                && !self.groups.keeps(&contact.row)
            {
                (contact.mode, contact.slip_start, any) = (ContactMode::Slip(side), t, true);
            }
        }
        if any {
            self.regroup();
        }
    }
    /// Whether the other active constraints prevent contact `c` from sliding.
    pub fn is_kept(&self, c: usize) -> bool {
        let mut held = RigidGroups::new(self.components.n);
        for (i, contact) in self.components.contacts.iter().enumerate() {
            if i != c && contact.mode == ContactMode::Stuck {
                held.hold(&contact.row);
            }
        }
        for stop in self.components.stops.iter().filter(|stop| stop.mode != StopMode::Free) {
            held.hold(&stop.row);
        }
        !held.hold(&self.components.contacts[c].row)
    }
    /// Gives regularised contacts that are released at time `t` their release velocity, at which their forces are in equilibrium;
    /// those that slide already keep theirs.
    pub fn start_released(&mut self, t: f64, y: &mut [f64]) {
        let slides = |contact: &&ContactState<'_>| {
            contact.is_regularised() && contact.row.nq > 0 && matches!(contact.mode, ContactMode::Slip(_))
        };
        if !self.components.contacts.iter().any(|contact| slides(&contact) && contact.slip_start == t) {
            return;
        }
        let contacts = &self.components.contacts;
        let sliding: Vec<usize> = (0..contacts.len()).filter(|&c| slides(&&contacts[c])).collect();
        for (&c, direction) in sliding.iter().zip(self.starting_directions(&sliding, y)) {
            let contact = &self.components.contacts[c];
            let (ContactMode::Slip(side), Some(direction)) = (contact.mode, direction) else { continue };
            let change = contact.release_velocity(side) - contact.row.v(y, &self.motions);
            if contact.slip_start == t && change * side > 0.0 {
                direction.iter().for_each(|&(v, b)| y[v] += b * change);
            }
        }
    }
    /// For each of these contacts the direction in the velocities that changes its sliding velocity and none of the others; nor that of
    /// a contact that is about to slide from rest, which would else begin on the wrong side of zero. None for one that follows
    /// from the others.
    pub fn starting_directions(&self, which: &[usize], y: &[f64]) -> Vec<Option<Direction>> {
        let contacts = &self.components.contacts;
        let starts = |c: &usize| {
            let contact = &contacts[*c];
            let slips = matches!(contact.mode, ContactMode::Slip(_)) && contact.row.nq > 0;
            slips && !which.contains(c) && contact.row.v(y, &self.motions) == 0.0
        };
        let starting: Vec<usize> = (0..contacts.len()).filter(starts).collect();
        let rows: Vec<ConstraintRow> = which.iter().chain(&starting).map(|&c| contacts[c].row).collect();
        let mut directions = independent_directions(self, &rows);
        directions.truncate(which.len());
        directions
    }
    /// Computes the constraint forces from the accelerations of the last [`Flow::rhs`]; of least norm where redundant.
    pub fn solve_constraint_forces(&mut self) {
        if let [(part, row)] = &self.constraint_forces.rows[..] {
            // a single constraint: the reaction of any of its coordinates
            let (part, (i, c)) = (*part, row.q[0]);
            return self.note_held(part, -self.reaction(i) / c);
        }
        let mut holds = std::mem::take(&mut self.constraint_forces);
        if let Some(system) = &mut holds.system {
            for (wanted, (_, row)) in holds.wanted.iter_mut().zip(&holds.rows) {
                *wanted = row.coordinates().map(|(i, c)| -c * self.reaction(i)).sum();
            }
            system.solve(&holds.wanted, &mut holds.forces);
            for (k, &force) in holds.forces.iter().enumerate() {
                self.note_held(holds.rows[k].0, force);
            }
        }
        self.constraint_forces = holds;
    }
    fn note_held(&mut self, part: usize, force: f64) {
        let count = self.components.contacts.len();
        match self.components.contacts.get_mut(part) {
            Some(contact) => contact.constraint_force = force,
            None => self.components.stops[part - count].constraint_force = force,
        }
    }
}
