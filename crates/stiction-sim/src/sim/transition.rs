//! The transition at one instant: contacts that come to rest, those that let go and memories that jump are one change.
//!
//! ```text
//! mark every contact whose velocity is zero as at rest
//! repeat
//!     decide all contacts at rest and all closed stops together
//!     choose the directions of contacts about to move, which may turn
//!     apply the jumps of all memories, each in the mode that its contact has now
//! until no memory changes and no contact turns, or no mode changes
//! ```
//!
//! A memory that jumps, and a contact that turns where its force is another one in reverse, change a force by a finite amount, so that what was
//! decided with the force before may no longer hold: it is decided again with the force after. A contact that has let go at this instant
//! keeps its direction, so every round but the last makes one more let go: there are at most as many as there are contacts.
use super::components::{ContactMode, ContactState};
use super::event_driven::EventDrivenRun;
use super::flow::NEGLIGIBLE;

impl EventDrivenRun<'_, '_> {
    /// Decides the modes of all contacts and stops at rest and the slip directions of contacts about to move, and updates
    /// contact states and guards, until both agree.
    pub(super) fn settle_modes(&mut self) {
        // as it was before this instant
        let several = self.flow.components.contacts.len() > 1;
        let kept =
            |contact: &ContactState<'_>| several && !contact.came_to_rest && self.flow.groups.keeps(&contact.row);
        let kept: Vec<bool> = self.flow.components.contacts.iter().map(kept).collect();
        self.decide_at_rest();
        let (mut taken_along, mut turned) = (Vec::new(), false);
        for (c, was_kept) in kept.into_iter().enumerate() {
            let decided = self.flow.components.contacts[c].mode;
            if self.choose_slip_direction(c, was_kept) {
                taken_along.push(c);
            }
            let contact = &mut self.flow.components.contacts[c];
            // `mark_at_rest` has turned the mode of one that came to rest, and others were decided with the force before
            turned |= contact.mode != decided || contact.came_to_rest && !contact.can_stick();
            contact.came_to_rest = false;
        }
        // they start with those that let go, and like those from almost no acceleration
        taken_along.into_iter().for_each(|c| self.flow.components.contacts[c].slip_start = self.t);
        self.flow.start_from_rest(&mut self.step.y0);
        let jumped = self.jump_memories();
        if jumped || turned {
            self.settle_after_jump();
        }
    }
    /// Memories have jumped or contacts have turned, and forces with them: decides again what is at rest.
    pub(super) fn settle_after_jump(&mut self) {
        for _ in 0..self.flow.components.contacts.len() {
            if !self.flow.constraint_forces.any() && self.flow.components.lossy_gears.is_empty() {
                return;
            }
            let before: Vec<ContactMode> = self.flow.components.contacts.iter().map(|contact| contact.mode).collect();
            self.decide_at_rest();
            let mut changed = false;
            for (c, old) in before.into_iter().enumerate() {
                let new = self.flow.components.contacts[c].mode;
                changed |= new != old;
                // one that others held
                if !matches!(old, ContactMode::Slip(_)) && matches!(new, ContactMode::Slip(_)) {
                    self.choose_slip_direction(c, matches!(old, ContactMode::Pinned(_)));
                }
            }
            if !changed {
                return;
            }
            self.flow.start_from_rest(&mut self.step.y0);
            if !self.jump_memories() {
                return;
            }
        }
    }
    /// Solves the complementarity problem of everything at rest; velocities satisfy its result exactly.
    fn decide_at_rest(&mut self) {
        let Self { flow, step, scratch, t, .. } = self;
        flow.decide_gears(*t, &step.y0, scratch);
        flow.form_groups();
        flow.rhs(*t, &step.y0, scratch);
        flow.resolve(*t, &step.y0, scratch);
        flow.groups.align(&mut step.y0, &flow.components.vi, &flow.motions);
        flow.start_released(*t, &mut step.y0);
        flow.rhs(*t, &step.y0, scratch);
    }
    /// Applies the jumps of the states of all contacts in the modes and velocities they have now; true if a state has changed. Every
    /// transition ends with this, so that the discrete states of every law belong to the state from which the next step starts.
    pub(super) fn jump_memories(&mut self) -> bool {
        let mut changed = false;
        for c in 0..self.flow.components.contacts.len() {
            changed |= self.jump_memory(c, None);
        }
        changed
    }
    /// The sliding velocities of these contacts have come to zero: all are at rest before any of them is decided.
    pub(super) fn come_to_rest(&mut self, contacts: &[usize]) {
        if let [c] = *contacts
            && self.reverses_alone(c)
        {
            return;
        }
        self.mark_at_rest(contacts);
        self.settle_modes();
    }
    /// A single contact that cannot stick, where nothing else is at rest: only the direction of slip changes.
    fn reverses_alone(&mut self, c: usize) -> bool {
        let flow = &self.flow;
        if !flow.linear_part.applies || flow.taylor.applies || flow.components.contacts.len() > 1 {
            return false;
        }
        self.mark_at_rest(&[c]);
        let contact = &self.flow.components.contacts[c];
        let (low, high) = contact.limits();
        let alone = low == high && contact.cusp.is_none();
        if alone && contact.came_to_rest {
            self.flow.rhs(self.t, &self.step.y0, &mut self.scratch);
            self.choose_slip_direction(c, false);
            self.flow.components.contacts[c].came_to_rest = false;
            self.jump_memory(c, None);
        }
        alone
    }
    /// The speed of the train that gear `g` leads has come to zero, and those of contacts of its shafts with it.
    pub(super) fn gear_comes_to_rest(&mut self, g: usize, resting: &[usize]) {
        let mut resting = resting.to_vec();
        for shaft in self.flow.components.gear_trains.iter().filter(|train| train.leader() == g).flat_map(|t| &t.shafts)
        {
            self.step.y0[shaft.v] = 0.0;
            resting.extend(shaft.contacts.iter().map(|(c, _)| *c));
        }
        resting.sort_unstable();
        resting.dedup();
        self.mark_at_rest(&resting);
        self.settle_modes();
    }
    /// Sets the velocities of these contacts to zero, exactly, and marks them as at rest.
    pub(super) fn mark_at_rest(&mut self, contacts: &[usize]) {
        let Self { flow, step, t, .. } = self;
        // a change of one velocity may move a neighbour that was put to rest before; in a chain the rest spreads by one body a round
        for _ in contacts {
            for &c in contacts {
                let row = flow.components.contacts[c].row;
                if row.nq == 0 || flow.components.contacts[c].mode == ContactMode::Stuck {
                    continue;
                }
                // together with all bodies that stick to this one
                let v = row.v(&step.y0, &flow.motions);
                let end = usize::from(row.nq == 2 && flow.groups.is_held(row.q[0].0));
                let (i, c) = row.q[end];
                let at_rest = if row.nq == 1 && row.nm == 0 { 0.0 } else { step.y0[row.v[end]] - v / c };
                flow.groups.set_velocity(i, at_rest, &mut step.y0, &flow.components.vi);
            }
        }
        for &c in contacts {
            let contact = &mut flow.components.contacts[c];
            let ContactMode::Slip(side) = contact.mode else { continue };
            if contact.came_to_rest {
                continue;
            }
            contact.slip_start = f64::NEG_INFINITY;
            contact.mode = ContactMode::Slip(-side);
            contact.came_to_rest = true;
            contact.load_memory(&step.y0);
            contact.rest_time = *t;
            contact.memory_at_rest.copy_from_slice(&contact.memory);
            contact.update_regularisation(&step.y0, &flow.motions, flow.rtol);
        }
    }
    /// A contact in slip mode at zero velocity slides in the direction of its acceleration.
    ///
    /// If others kept it at rest until now, that acceleration is the response to what the forces of those that let go fall short of what
    /// rest would take. Each of them lets go in the direction of its shortfall, so where all respond alike the direction is known
    /// without it; the acceleration itself begins at zero where a force reaches its limit, and is an error of the located instant.
    /// Returns whether it is taken along by others, which kept it at rest before.
    fn choose_slip_direction(&mut self, c: usize, was_kept: bool) -> bool {
        let Self { flow, step, t, .. } = self;
        let contact = &flow.components.contacts[c];
        let is_slow = contact.came_to_rest || contact.row.v(&step.y0, &flow.motions) == 0.0;
        if !matches!(contact.mode, ContactMode::Slip(_)) || !is_slow || contact.slip_start >= *t {
            return false;
        }
        let a = flow.sliding_acceleration(c);
        let (taken_along, rounding) = flow.released_directions(c, *t);
        let is_balanced = a.abs() <= rounding;
        let direction = match taken_along {
            // at the instant of release forces balance; motion begins in the direction in which the balance is lost
            [true, false] if was_kept || is_balanced => -1.0,
            [false, true] if was_kept || is_balanced => 1.0,
            [true, true] if is_balanced => self.jerk(c),
            _ if a.abs() > NEGLIGIBLE => a,
            _ => 0.0,
        };
        if direction != 0.0 {
            self.flow.components.contacts[c].mode = ContactMode::Slip(direction.signum());
        }
        was_kept && taken_along[0] != taken_along[1]
    }
    /// Which way the sliding acceleration of contact `c` begins to change: its change over a thousandth of the last step, over the whole of
    /// which forces vary smoothly. The rates of the present state are those computed last.
    fn jerk(&mut self, c: usize) -> f64 {
        let Self { flow, step, scratch, state, t, .. } = self;
        let (before, dt) = (flow.sliding_acceleration(c), 1e-3 * step.h);
        for ((later, y), rate) in state.iter_mut().zip(&step.y0).zip(&*scratch) {
            *later = y + dt * rate;
        }
        flow.rhs(*t + dt, state, scratch);
        let change = flow.sliding_acceleration(c) - before;
        flow.rhs(*t, &step.y0, scratch);
        change
    }
}
