//! Which contacts come to rest, and which let go, at the instant of an event.
//!
//! The clock resolves an instant to the shortest step. A velocity is zero at that instant if it was clearly not zero within the step before,
//! and at the end of that resolution has changed its sign or is within its own rounding. The same holds for the distance of a force from
//! its limit.
//!
//! Where several contacts are at their limits at one instant, the forces balance there with all of them at their limits, and the problem at
//! rest has no unique solution in terms of who moves. What is lost just after the instant decides: the problem is solved with the forces a
//! little later, where they exceed the limits by more than rounding. If nothing moves there, the contacts can share the forces in another
//! way, as two on one body do when the force on it has turned.
use super::components::{ContactMode, StopMode};
use super::event_locator::{EventLocator, Guard, ZeroCrossing, velocity_noise};
use super::flow::Flow;
use super::modes::LIMIT_ROUNDING;
use super::root_finding::NODES;
use super::rosenbrock::Step;
use super::step_size::RETAKE_OVERSHOOT;

/// The limits that forces of contacts at rest reach at one instant.
pub(super) enum LimitsReached {
    /// That of one contact, which lets go unless others keep it.
    One,
    /// Those of several: the contacts at rest and the stops whose modes are others with the forces a little later. A contact that sticks or is
    /// pinned now may let go, be pinned or stick then, and a freewheel without speed may block; the contact of the event itself need not
    /// be among those that let go.
    Several(Vec<(usize, ContactMode)>, Vec<(usize, StopMode)>),
}

impl EventLocator {
    /// The contacts whose sliding velocity becomes zero at the instant of the event `found`, in a step with these modes; `resolution` is
    /// that of the clock as a fraction of the step. The contact of the event itself comes first, if it is such an event.
    pub fn coming_to_rest(
        &mut self,
        flow: &mut Flow<'_>,
        step: &Step,
        found: &ZeroCrossing,
        resolution: f64,
        speed_tolerance: f64,
    ) -> Vec<usize> {
        let own = if let Guard::Velocity(c) = found.guard { Some(c) } else { None };
        let mut out: Vec<usize> = own.into_iter().collect();
        let count = flow.components.contacts.len();
        if count > 1 {
            let instant = [found.theta, (found.theta + resolution).min(1.0)];
            let others = (0..count).filter(|&c| Some(c) != own);
            out.extend(others.filter(|&c| self.vanishes(flow, step, c, instant, speed_tolerance)));
        }
        out
    }
    /// What the contacts at rest do at the instant of the event `found`, where it is the limit of one contact and others are at their limits
    /// or reach them at the same instant. Forces may then be shared in another way than in the step: the contacts stay at rest while any
    /// forces within all limits balance. [`LimitsReached::One`] if no other is at its limit, or if forces a little later are at their limits
    /// still, to rounding.
    pub fn letting_go(
        &mut self,
        flow: &mut Flow<'_>,
        step: &Step,
        found: &ZeroCrossing,
        resolution: f64,
    ) -> LimitsReached {
        let (Guard::Upper(own) | Guard::Lower(own)) = found.guard else { return LimitsReached::One };
        let others = || (0..flow.components.contacts.len()).filter(|&c| c != own);
        let is_pinned = others().any(|c| flow.components.contacts[c].is_pinned_at_limit());
        if !is_pinned {
            let stuck: Vec<usize> = others().filter(|&c| flow.components.contacts[c].sticks_by_itself()).collect();
            if stuck.is_empty() {
                return LimitsReached::One;
            }
            self.constraint_forces_at(flow, step, (found.theta + resolution).min(1.0));
            let reaches = |&c: &usize| {
                let contact = &flow.components.contacts[c];
                let (low, high) = contact.limits();
                let [upper, lower, size] = self.room[c];
                let noise = LIMIT_ROUNDING * size.iter().fold(0.0_f64, |a, &b| a.max(b));
                let force = contact.constraint_force;
                let is_at = |room: [f64; 5], now: f64| now <= noise && room[0] > 2.0 * noise;
                is_at(upper, high - force) || is_at(lower, force - low)
            };
            if !stuck.iter().any(reaches) {
                return LimitsReached::One;
            }
        }
        let later = found.theta + (RETAKE_OVERSHOOT - 1.0);
        self.constraint_forces_at(flow, step, later);
        let before: Vec<_> = flow
            .components
            .contacts
            .iter()
            .map(|contact| (contact.mode, contact.slip_start, contact.came_to_rest, contact.creep_side))
            .collect();
        let stops: Vec<_> = flow.components.stops.iter().map(|stop| stop.mode).collect();
        let has_failed = flow.no_stick_slip_solution;
        flow.resolve(step.t + later * step.h, &self.state, &mut self.scratch);
        flow.no_stick_slip_solution = has_failed;
        let mut changes = Vec::new();
        for (c, (contact, old)) in flow.components.contacts.iter_mut().zip(before).enumerate() {
            if contact.mode != old.0 && !matches!(old.0, ContactMode::Slip(_)) {
                changes.push((c, contact.mode));
            }
            (contact.mode, contact.slip_start, contact.came_to_rest, contact.creep_side) = old;
        }
        let mut changed_stops = Vec::new();
        for (b, (stop, old)) in flow.components.stops.iter_mut().zip(stops).enumerate() {
            if stop.mode != old {
                changed_stops.push((b, stop.mode));
            }
            stop.mode = old;
        }
        flow.regroup();
        if changes.is_empty() { LimitsReached::One } else { LimitsReached::Several(changes, changed_stops) }
    }
    fn constraint_forces_at(&mut self, flow: &mut Flow<'_>, step: &Step, theta: f64) {
        step.state(theta, &mut self.state);
        flow.rhs(step.t + theta * step.h, &self.state, &mut self.scratch);
        flow.solve_constraint_forces();
    }
    fn vanishes(
        &mut self,
        flow: &mut Flow<'_>,
        step: &Step,
        c: usize,
        [from, to]: [f64; 2],
        speed_tolerance: f64,
    ) -> bool {
        let contact = &flow.components.contacts[c];
        let ContactMode::Slip(side) = contact.mode else { return false };
        // those that have just been released leave zero; those with a cusp or a stick speed come to rest at another speed
        if self.is_unwatched(c) || contact.slip_start == step.t || contact.cusp.is_some() || contact.is_regularised() {
            return false;
        }
        let can_stick = contact.can_stick();
        let row = contact.row;
        let (velocities, rounding) = self.velocities(flow, step, &row);
        let noise = velocity_noise((&velocities, rounding), speed_tolerance);
        let moved = NODES.iter().zip(&velocities).any(|(theta, v)| *theta < from && v * side > noise);
        // a contact that cannot stick may also become slower and slower without ever coming to rest
        let at_most = if can_stick { noise } else { -noise };
        moved && side * self.value(flow, step, Guard::Velocity(c), to) <= at_most
    }
}
