//! Transitions at an event: contact and stop modes change, contact states jump, stops are hit.
use super::components::{ContactMode, NormalLoad, StopKind, StopMode};
use super::event_driven::EventDrivenRun;
use super::event_locator::{Guard, ZeroCrossing};
use super::law_guards::guards_at;
use super::lossy_gear::{GearMode, gear_event};
use super::run_loop::Integrator;
use super::simultaneous::LimitsReached;
use super::spring_state::{SpringPiece, SpringState};
use super::{Event, EventKind, SimErrorKind};
use crate::SimError;
use stiction_core::Input;

/// Most events without progress in time; a contact that still switches then is reported as chattering.
const MAX_EVENTS_WITHOUT_PROGRESS: usize = 200;
/// Two speeds inside and outside of a band of speeds that count as rest differ from its end by this part: far more than rounding, and so little that
/// no other guard changes its sign between them.
const BESIDE: f64 = 1e-6;

impl EventDrivenRun<'_, '_> {
    /// Directions of slip at the end of a step. Where a velocity may change sign without an event, the velocity at the end of
    /// the step decides, wherever an event has put that end. `crossing` is that event: it decides about its own contact.
    pub(super) fn update_slip_directions(&mut self, crossing: Option<&ZeroCrossing>) {
        let Self { flow, step, locator, .. } = self;
        for (c, contact) in flow.components.contacts.iter_mut().enumerate() {
            if let ContactMode::Slip(side) = contact.mode
                && contact.row.v(&step.y0, &flow.motions) * side < 0.0
                && locator.is_unwatched(c)
                && crossing.is_none_or(|crossing| crossing.guard != Guard::Velocity(c))
            {
                contact.mode = ContactMode::Slip(-side);
            }
        }
    }
    /// Fails if no forces satisfy the stick and slip conditions.
    pub(super) fn check_stick_slip_solution(&self) -> Result<(), SimError> {
        if self.flow.no_stick_slip_solution { self.fail(SimErrorKind::NoStickSlipSolution) } else { Ok(()) }
    }
    /// Applies the jumps of the states of contact `c`, and updates the signs of its guards. `fired` is the guard whose event this
    /// is: its sign has changed, whatever rounding says. True if a state has changed.
    pub(super) fn jump_memory(&mut self, c: usize, fired: Option<usize>) -> bool {
        let Self { flow, step, .. } = self;
        let contact = &flow.components.contacts[c];
        if contact.jump_free {
            return false;
        }
        let v = match contact.mode {
            ContactMode::Slip(side) => {
                let v = contact.row.v(&step.y0, &flow.motions);
                // a contact between two prescribed motions at constant relative position is at rest, and not about to move
                let stands = contact.row.nq == 0 && contact.row.driven(&flow.motions, 2) == 0.0;
                if stands { v } else { contact.one_sided_velocity(side, v) }
            }
            _ => 0.0,
        };
        self.jump_memory_at(c, v, fired)
    }
    /// The same at sliding velocity `v`.
    fn jump_memory_at(&mut self, c: usize, v: f64, fired: Option<usize>) -> bool {
        let Self { flow, step, .. } = self;
        let contact = &mut flow.components.contacts[c];
        contact.load_memory(&step.y0);
        contact.rates.copy_from_slice(&contact.memory);
        contact.law.jump(&mut contact.memory, &Input { v, load: contact.load[0] });
        let changed = contact.rates != contact.memory;
        contact.store(&mut step.y0);
        if changed {
            self.pass_jump(c, v);
        }
        let Self { flow, step, t, guards, locator, .. } = self;
        if flow.components.contacts[c].guard_signs.is_empty() {
            return changed;
        }
        guards_at(flow, c, &step.y0, *t, 0.0, guards);
        let contact = &mut flow.components.contacts[c];
        for (k, side) in contact.guard_signs.iter_mut().enumerate() {
            let g = guards[k + 1];
            // if the states did not jump, the guard marks a kink of the law and goes on to its other sign
            if fired == Some(k + 1) && (!changed || g == 0.0) {
                *side = -*side;
            } else if g.abs() > locator.guard_rounding(c, k) || changed && g != 0.0 {
                *side = g.signum();
            }
        }
        changed
    }
    /// The sliding speed of contact `c` has an extremum that its law remembers: its states jump to what they are just beyond.
    fn pass_speed_extremum(&mut self, c: usize) {
        // at the extreme speed itself
        self.jump_memories();
        let Self { flow, step, .. } = self;
        let contact = &flow.components.contacts[c];
        if let ContactMode::Slip(side) = contact.mode {
            let v = contact.one_sided_velocity(side, contact.row.v(&step.y0, &flow.motions));
            // a few units in the last place beyond a maximum the speed is smaller, beyond a minimum larger
            let beyond = 1.0 - contact.law.extremum(&contact.memory) * 4.0 * f64::EPSILON;
            self.jump_memory_at(c, v * beyond, None);
        }
    }
    /// Where the force of a contact jumps at a reversal, writes a row with the force just before.
    fn write_row_before_reversal(&mut self, c: usize) -> Result<(), SimError> {
        let ContactMode::Slip(side) = self.flow.components.contacts[c].mode else { return Ok(()) };
        let Self { flow, step, layout, recorder, t, .. } = self;
        let row = &mut recorder.row;
        if !matches!(flow.components.contacts[c].normal_load, NormalLoad::Constant(_)) {
            // update the current load
            layout.fill(flow, *t, &step.y0, row);
        }
        let contact = &mut flow.components.contacts[c];
        contact.load_memory(&step.y0);
        let [before, after] = [side, -side].map(|side| {
            contact
                .law
                .force(&contact.memory, &Input { v: contact.regularised_velocity(side, 0.0), load: contact.load[0] })
        });
        if before == after || !before.is_finite() {
            return Ok(());
        }
        layout.fill(flow, *t, &step.y0, row);
        let at = layout.force(c);
        row[at..at + 2].copy_from_slice(&[before, 0.0]);
        self.append_derivatives();
        self.recorder.write(self.t)
    }
    /// Keeps the row of this instant, before something changes.
    fn keep_row(&mut self) {
        let Self { flow, step, layout, kept, t, .. } = self;
        layout.fill(flow, *t, &step.y0, kept);
        self.append_derivatives_to_kept();
    }
    /// Writes the kept row if the force of contact `c` has jumped since.
    fn write_jump(&mut self, c: usize) {
        self.fill_row();
        let Self { layout, recorder, kept, .. } = self;
        let at = layout.force(c);
        if (recorder.row[at] - kept[at]).abs() > 1e-12 * recorder.row[at].abs() {
            recorder.write_other(kept);
        }
    }
    /// Where the velocity of a prescribed motion jumps, writes a row with the values just before.
    pub(super) fn write_kink(&mut self) -> Result<(), SimError> {
        let Self { flow, t, .. } = self;
        if flow.components.motions.is_empty() {
            return Ok(());
        }
        flow.set_motions(*t);
        let before: Vec<f64> = flow.motions.iter().map(|jet| jet[1]).collect();
        let from = std::mem::replace(&mut flow.from, *t);
        flow.set_motions(*t);
        let jumps =
            flow.motions.iter().zip(&before).any(|(jet, v)| (jet[1] - v).abs() > 1e-12 * (jet[1].abs() + v.abs()));
        flow.from = from;
        if jumps { self.write_row() } else { Ok(()) }
    }
    pub(super) fn report_event(&mut self, part: usize, kind: EventKind) {
        let event = Event { t: self.t, part, kind };
        if let Some(contact) = self.flow.components.contacts.get_mut(part) {
            contact.told_side = match kind {
                EventKind::SlipUp | EventKind::ReverseUp => 1.0,
                EventKind::SlipDown | EventKind::ReverseDown => -1.0,
                EventKind::Stick => 0.0,
                _ => contact.told_side,
            };
        }
        self.note_event(&event);
        self.recorder.report(&event);
    }
    /// Reports the reversals of contacts that were started in the opposite direction at the start of the step.
    pub(super) fn report_reversals(&mut self) -> Result<(), SimError> {
        self.reversed_at_start = f64::NEG_INFINITY;
        for c in 0..self.flow.components.contacts.len() {
            let contact = &mut self.flow.components.contacts[c];
            let restarts = std::mem::take(&mut contact.restarts);
            if let ContactMode::Slip(side) = contact.mode
                && restarts % 2 == 1
            {
                self.write_row()?;
                self.report_event(c, if side > 0.0 { EventKind::ReverseUp } else { EventKind::ReverseDown });
            }
        }
        Ok(())
    }
    /// Calls `change`, which may change modes, and reports the changes as events.
    pub(super) fn update_modes(&mut self, change: impl FnOnce(&mut Self)) -> Result<(), SimError> {
        let (mut old, mut rested) = std::mem::take(&mut self.before_change);
        old.clear();
        rested.clear();
        old.extend(self.flow.components.contacts.iter().map(|contact| contact.mode));
        rested.extend(self.flow.components.stops.iter().map(|stop| stop.mode));
        let gears: Vec<GearMode> = self.flow.components.lossy_gears.iter().map(|gear| gear.mode).collect();
        change(self);
        self.check_stick_slip_solution()?;
        self.check_impact_solution()?;
        let mut told = self.take_impacts();
        let held = |mode| !matches!(mode, ContactMode::Slip(_));
        let contact_event = |(c, &old): (usize, &ContactMode)| {
            let contact = &self.flow.components.contacts[c];
            let kind = match (old, contact.mode) {
                (old, new) if held(old) && held(new) => None,
                (ContactMode::Slip(_), new) if held(new) => Some(EventKind::Stick),
                (old, ContactMode::Slip(s)) if held(old) => {
                    Some(if s > 0.0 { EventKind::SlipUp } else { EventKind::SlipDown })
                }
                // a contact that starts at rest may start in either direction: not an event
                (ContactMode::Slip(_), ContactMode::Slip(_)) if !contact.has_moved => None,
                // nor one that turns into the direction that was told last, having turned back without an event, at a speed that is noise
                (ContactMode::Slip(_), ContactMode::Slip(new)) if new == contact.told_side => None,
                (ContactMode::Slip(a), ContactMode::Slip(b)) if a != b => {
                    Some(if b > 0.0 { EventKind::ReverseUp } else { EventKind::ReverseDown })
                }
                _ => None,
            };
            kind.map(|kind| (c, kind))
        };
        let count = self.flow.components.contacts.len();
        let stop_event = |(b, &old): (usize, &StopMode)| {
            let stop = &self.flow.components.stops[b];
            let kind = match (stop.kind, old, stop.mode) {
                (StopKind::Displacement, StopMode::Free, StopMode::At(_)) => EventKind::Rest,
                (StopKind::Displacement, StopMode::At(_), StopMode::Free) => EventKind::Leave,
                (StopKind::Velocity, StopMode::Free, StopMode::At(_)) => EventKind::Engage,
                (StopKind::Velocity, StopMode::At(_), StopMode::Free) => EventKind::Disengage,
                _ => return None,
            };
            Some((count + b, kind))
        };
        let contacts = old.iter().enumerate().filter_map(contact_event);
        let stops = rested.iter().enumerate().filter_map(stop_event);
        // the cause first: impacts, and what they do to stops and contacts; without an impact contacts move the stops
        if told.is_empty() {
            told.extend(contacts.chain(stops));
        } else {
            told.extend(stops.chain(contacts));
        }
        self.before_change = (old, rested);
        let first = count + self.flow.components.stops.len() + self.flow.components.springs.len();
        for (g, (gear, old)) in self.flow.components.lossy_gears.iter().zip(gears).enumerate() {
            // one that starts at rest may start in either direction: not an event
            let starts = !gear.has_moved && old != GearMode::Held && gear.mode != GearMode::Held;
            told.extend(gear_event(gear, old).filter(|_| !starts).map(|kind| (first + g, kind)));
        }
        if !told.is_empty() {
            self.write_row()?;
            told.into_iter().for_each(|(part, kind)| self.report_event(part, kind));
        }
        Ok(())
    }
    /// Several contacts are at their limits: some let go, or they share the force in another way.
    fn share_anew(&mut self, changes: &[(usize, ContactMode)], stops: &[(usize, StopMode)], resting: &[usize]) {
        if changes.iter().any(|(_, mode)| matches!(mode, ContactMode::Slip(_))) {
            // with the forces of those that stuck until now, the others are decided
            for &(c, mode) in changes {
                if let (ContactMode::Slip(side), ContactMode::Stuck) = (mode, self.flow.components.contacts[c].mode) {
                    self.let_go(c, side);
                }
            }
            return self.settle_modes();
        }
        for &(c, mode) in changes {
            self.flow.components.contacts[c].mode = mode;
        }
        for &(b, mode) in stops {
            let stop = &mut self.flow.components.stops[b];
            stop.mode = mode;
            if mode == StopMode::Free {
                stop.release_time = self.t;
            }
        }
        if resting.is_empty() {
            // with the forces of this instant, at which limits are reached to rounding, others would be pinned
            self.flow.regroup();
            self.flow.release_unkept(self.t);
            self.jump_memories();
        } else {
            self.settle_modes();
        }
    }
    /// Contact `c` at rest begins to slip.
    fn let_go(&mut self, c: usize, side: f64) {
        let contact = &mut self.flow.components.contacts[c];
        (contact.mode, contact.slip_start) = (ContactMode::Slip(side), self.t);
        self.flow.release_with(c, self.t, &self.step.y0);
    }
    /// The transition at a zero crossing. At this instant the velocities of the contacts `resting` are zero, and forces have reached the limits
    /// `reached`, if it is an event of that kind.
    pub(super) fn event(
        &mut self,
        crossing: ZeroCrossing,
        (resting, reached): (&[usize], &LimitsReached),
    ) -> Result<(), SimError> {
        self.last_event = self.t;
        if self.events_without_progress > MAX_EVENTS_WITHOUT_PROGRESS {
            let part = match crossing.guard {
                Guard::Velocity(c)
                | Guard::Law(c, _)
                | Guard::Acceleration(c)
                | Guard::Upper(c)
                | Guard::Lower(c)
                | Guard::Load(c) => self.flow.components.contacts[c].name,
                Guard::Floor(b) | Guard::Ceiling(b) | Guard::Engage(b) | Guard::StopForce(b) => {
                    self.flow.components.stops[b].name
                }
                Guard::Spring(s, _) => self.flow.components.springs[s].name,
                Guard::GearSpeed(g) | Guard::GearFlank(g) | Guard::GearLimit(g, _) => {
                    self.flow.components.lossy_gears[g].name
                }
            };
            return self.fail(SimErrorKind::Chatter { contact: part.to_owned() });
        }
        match crossing.guard {
            Guard::Velocity(_) => {
                for &c in resting {
                    self.write_row_before_reversal(c)?;
                }
                self.update_modes(|run| run.come_to_rest(resting))
            }
            Guard::Law(c, k) => {
                let up = self.flow.components.contacts[c].guard_signs[k - 1] < 0.0;
                self.keep_row();
                let own_jumps = self.jump_memory(c, Some(k));
                let jumps = self.jump_memories() || own_jumps;
                self.write_jump(c);
                self.write_row()?;
                let number = k.min(255) as u8;
                self.report_event(c, if up { EventKind::GuardUp(number) } else { EventKind::GuardDown(number) });
                self.update_modes(|run| {
                    if !up && run.is_end_of_band(c, k) {
                        run.mark_at_rest(resting);
                        run.enter_band(c);
                    } else if !resting.is_empty() {
                        run.come_to_rest(resting);
                    } else if jumps {
                        run.settle_after_jump();
                    }
                })
            }
            Guard::Acceleration(c) => {
                self.pass_speed_extremum(c);
                if resting.is_empty() { Ok(()) } else { self.update_modes(|run| run.come_to_rest(resting)) }
            }
            Guard::Upper(c) | Guard::Lower(c) => {
                let side = if crossing.guard == Guard::Upper(c) { 1.0 } else { -1.0 };
                // the force at the end of stick belongs in the trace
                self.write_row()?;
                self.update_modes(|run| {
                    run.mark_at_rest(resting);
                    if let LimitsReached::Several(changes, stops) = reached {
                        return run.share_anew(changes, stops, resting);
                    }
                    // one that creeps beside another at its limit has come to rest: the other may stick
                    if run.flow.components.contacts[c].creep_side * side < 0.0 {
                        return run.settle_modes();
                    }
                    let kept = run.flow.is_kept(c);
                    if !kept {
                        run.let_go(c, side);
                        return run.settle_modes();
                    }
                    run.flow.components.contacts[c].mode = ContactMode::Pinned(side);
                    if !resting.is_empty() {
                        return run.settle_modes();
                    }
                    run.flow.regroup();
                    run.flow.release_unkept(run.t);
                    run.jump_memories();
                })
            }
            Guard::StopForce(b) => self.update_modes(|run| {
                // a stop that no longer pushes releases its body
                let stop = &mut run.flow.components.stops[b];
                (stop.mode, stop.release_time) = (StopMode::Free, run.t);
                run.mark_at_rest(resting);
                run.settle_modes();
            }),
            // a contact that begins or ceases to press: those at rest are decided again
            Guard::Load(_) => self.update_modes(|run| {
                run.mark_at_rest(resting);
                run.settle_modes();
            }),
            Guard::GearSpeed(g) => {
                // the torques before it rests or turns round
                self.write_row()?;
                self.update_modes(|run| run.gear_comes_to_rest(g, resting))
            }
            Guard::GearLimit(g, side) => {
                self.write_row()?;
                self.update_modes(|run| {
                    run.mark_at_rest(resting);
                    run.flow.let_gear_go(g, side, run.t);
                    run.settle_modes();
                })
            }
            // the torque is zero: the friction goes on without a jump, on the other flank
            Guard::GearFlank(g) => self.update_modes(|run| {
                if let GearMode::Turning { flank, .. } = &mut run.flow.components.lossy_gears[g].mode {
                    *flank = -*flank;
                }
                if !resting.is_empty() {
                    run.come_to_rest(resting);
                }
            }),
            // the force goes on without a jump, on its next piece
            Guard::Spring(s, guard) => {
                let spring = &self.flow.components.springs[s];
                if let Some(piece) = spring.piece {
                    self.change_spring_piece(s, spring.next_piece(piece, guard))?;
                }
                if resting.is_empty() { Ok(()) } else { self.update_modes(|run| run.come_to_rest(resting)) }
            }
            Guard::Floor(b) | Guard::Ceiling(b) | Guard::Engage(b) => {
                self.impact(b, if crossing.guard == Guard::Floor(b) { -1.0 } else { 1.0 })?;
                // those that the impact has left alone
                let Self { flow, step, .. } = self;
                let rests =
                    |&c: &usize| flow.components.contacts[c].row.nonzero_speed(&step.y0, &flow.motions).is_none();
                let resting: Vec<usize> = resting.iter().copied().filter(rests).collect();
                if resting.is_empty() { Ok(()) } else { self.update_modes(|run| run.come_to_rest(&resting)) }
            }
        }
    }
    /// Another piece of the force of spring `s` holds from now on.
    fn change_spring_piece(&mut self, s: usize, piece: SpringPiece) -> Result<(), SimError> {
        let Self { flow, .. } = self;
        let part = flow.components.contacts.len() + flow.components.stops.len() + s;
        let Some(old) = flow.components.springs[s].piece.replace(piece) else { return Ok(()) };
        let mut told = SpringState::piece_events(old, piece).peekable();
        if told.peek().is_some() {
            self.write_row()?;
        }
        told.for_each(|kind| self.report_event(part, kind));
        Ok(())
    }
    /// Velocities or prescribed motions have jumped: other pieces of the forces of springs may hold.
    pub(super) fn renew_spring_pieces(&mut self) -> Result<(), SimError> {
        for s in 0..self.flow.components.springs.len() {
            if let Some(piece) = self.flow.components.springs[s].piece_after_jump(&self.step.y0, &self.flow.motions) {
                self.change_spring_piece(s, piece)?;
            }
        }
        Ok(())
    }
    /// Whether guard `k` of the law of contact `c` is the one that changes its sign where the speed enters the band of speeds that count as rest
    /// (Karnopp). The guard decides, not the speed itself: at the located instant that is at the end of the band, on the one side or on the
    /// other, to the rounding of the clock and of the velocities whose difference it is.
    fn is_end_of_band(&mut self, c: usize, k: usize) -> bool {
        let contact = &mut self.flow.components.contacts[c];
        let load = contact.load[0];
        let v = contact.row.v(&self.step.y0, &self.flow.motions);
        let band = contact.law.band(&Input { v, load });
        if band <= 0.0 || contact.row.nq == 0 {
            return false;
        }
        let [inside, outside] = [1.0 - BESIDE, 1.0 + BESIDE].map(|share| {
            let u = Input { v: (share * band).copysign(v), load };
            let count = contact.law.guard_count();
            contact.law.guards(&contact.memory, &u, &mut self.guards[..count]);
            self.guards[k]
        });
        inside < 0.0 && outside > 0.0
    }
}
