//! Impacts at stops: which stops are struck at one instant, and when a series of bounces has come to its end.
//!
//! **Simultaneous.** At an impact every stop takes part that is in contact at that instant: the stop that was reached, all
//! stops that are closed, and every other stop whose own impact could not be told from it, because to let it happen now
//! changes positions and velocities by less than their tolerances, or because it is within the resolution of position and time.
//! The [impact law](super::impact_law) treats them together.
//!
//! **In turn.** A light body between two heavy ones is struck by them in turn, ever sooner: the gaps shrink faster than the speeds, and
//! are below the rounding of positions while the speeds still differ. What follows is determined all the same, because the order of
//! the blows is: a stop that was struck at this instant and parts is not struck again until it closes. So the blows go on at one instant, with
//! positions as they are, until no stop closes by more than its tolerance. Where the blows are infinitely many (inelastic collapse) the speeds
//! converge geometrically to a common one; where they are not, all part.
//!
//! **The end of a series of bounces.** A body that leaves a stop with speed w against a closing acceleration a rises by
//! `w²/2a`, is back after `2w/a` with speed w, and leaves with e·w. The flights are a geometric series with ratio e: infinitely
//! many impacts within the time `2w/(a·(1 − e))`, and then rest. The body is put to rest at once when
//!
//! - nothing is lost: the height is within the tolerance of the position, and the remaining time is at most that in which a
//!   changes the speed by its tolerance τ, `2w/(a·(1 − e)) ≤ τ/a`, which is `w ≤ ½(1 − e)·τ`. The speed is within its tolerance
//!   too, and after that time the body is at rest in either case. With e = 1 there is no such time, and `w ≤ τ` is enough:
//!   bounces and rest differ by less than the tolerances for ever;
//! - the position does not determine the flights: their speed falls more slowly than that of a geometric series, and an error of the position
//!   within its tolerance shifts an impact by a whole flight. That error over w is a flight `2w/a` if the height is below a quarter of the
//!   tolerance: from there on, the tolerance leaves open where in a flight the body is. Viscous friction does so, which takes a share of the
//!   speed that is proportional to it: `w ~ 1/n` after n impacts, the flights have no limit in time, and there are some 1/τ of them before
//!   `w ≤ τ`. So do the errors of the steps, where the position is known less well than the speed: they bring as much as the impacts take;
//! - or the numbers have no digits left: an impact is located within δ, the rounding of position and time, which leaves an
//!   energy of `a·δ` open. A flight is not resolved if its height is below δ; and it need not become lower if the energy
//!   that an impact takes, `½w²(1 − e²)/e²` in terms of the speed after it, is less than `a·δ`. (The second only where the
//!   height is within the tolerance, so that a restitution of almost 1 bounces on.) Both ends of a flight are open, so that heights may stay at twice that; and
//!   friction may take a share of the speed as well, or alone with e = 1. So where a geometric series has halved its speed in n impacts, and
//!   takes more than that now, e is `½^(1/(n + 1))` if that is less, and δ is twice as large.
//!
//! The first two hold for a stop by itself. Another stop that passes impulses to it may strike before its series is over, and
//! make another series of it; put to rest alone, it would no longer take the energy that the impacts of the other one bring. So
//! stops whose flights are that near to each other in time come to rest together, when all of them may.
use super::components::{ConstraintRow, ContactMode, StopKind, StopMode, StopState};
use super::event_driven::EventDrivenRun;
use super::flow::WORK;
use super::impact_law::StopContact;
use super::modes::ACCELERATION_ROUNDING;
use super::run_loop::Integrator;
use super::step_size::min_step;
use super::{EventKind, SimErrorKind};
use crate::SimError;

/// The next step after an impact, in units of the predicted time of flight: the next impact is then in the middle of the step.
/// On the dense output of a step that is much longer than the flight, the flight is lost in the error of the step.
const STEP_PER_FLIGHT: f64 = 2.0;

/// Most blows at one instant. A body of mass m between two of mass M is struck some `π·√(M/m)` times if nothing is lost, so this is enough for masses
/// that differ by nine powers of ten; what closes after that is struck at the next instant.
const MAX_BLOWS: usize = 100_000;

/// A stop at its nearer end.
struct Nearness {
    /// That end: the lower (−1) or the upper (+1).
    end: f64,
    /// The way to it.
    gap: f64,
    /// The speed towards it.
    closing: f64,
    /// The gap that cannot be told from none: the rounding of positions, and the way within the shortest step in time.
    resolution: f64,
}

impl EventDrivenRun<'_, '_> {
    /// Stop `stop` has reached its lower (−1) or upper (+1) end.
    pub(super) fn impact(&mut self, stop: usize, end: f64) -> Result<(), SimError> {
        if let Some(stops) = self.stops_without_room() {
            return self.fail(SimErrorKind::NoRoom { stops });
        }
        let struck = &self.flow.components.stops[stop];
        let v = struck.row.v(&self.step.y0, &self.flow.motions);
        if v * end < 0.0 && struck.kind == StopKind::Displacement {
            // already moving away
            return Ok(());
        }
        self.update_modes(|run| run.strike_in_turn(Some(StopContact { stop, end })))
    }
    /// At the start, and where the velocity of a prescribed motion jumps: strikes the stops that are in contact and close.
    pub(super) fn strike_closing_stops(&mut self) -> Result<(), SimError> {
        if self.has_closing_stop() { self.update_modes(|run| run.strike_in_turn(None)) } else { Ok(()) }
    }
    /// Whether a stop in contact is closing.
    pub(super) fn has_closing_stop(&self) -> bool {
        let (y, motions) = (&self.step.y0, &self.flow.motions);
        let closes = |c: StopContact| {
            let row = &self.flow.components.stops[c.stop].row;
            let closes = |v: f64| v * c.end > 0.0 || self.flow.components.stops[c.stop].kind == StopKind::Gear;
            row.nonzero_speed(y, motions).is_some_and(closes)
        };
        self.closed_stops().any(closes)
    }
    /// The stops that are closed, or touch.
    fn closed_stops(&self) -> impl Iterator<Item = StopContact> {
        let (y, motions) = (&self.step.y0, &self.flow.motions);
        let closed = move |(k, stop): (usize, &StopState<'_>)| match stop.mode {
            StopMode::At(end) => Some(StopContact { stop: k, end }),
            StopMode::Free => {
                let (end, gap) = stop.nearest_end(y, motions);
                let touches = gap <= stop.row.position_rounding(y, motions) && stop.row.responds();
                touches.then_some(StopContact { stop: k, end })
            }
        };
        self.flow.components.stops.iter().enumerate().filter_map(closed)
    }
    /// A contact whose law has a band of speeds that count as rest comes to rest when it enters the band. Friction is bounded and carries no
    /// impulse: only masses and closed stops react, and other contacts slide in the direction that results.
    pub(super) fn enter_band(&mut self, c: usize) {
        let row = self.flow.components.contacts[c].row;
        let closed: Vec<StopContact> =
            self.closed_stops().filter(|c| self.flow.components.stops[c.stop].row.responds()).collect();
        let before = self.flow.energy(self.t, &self.step.y0);
        self.pass_arrest(c, &closed);
        let Self { flow, step, t, .. } = self;
        let Some(result) = flow.arrest(&row, &closed, &mut step.y0) else {
            self.crushed = self.stops_in_conflict(&closed);
            return;
        };
        for (k, c) in closed.iter().enumerate() {
            if result.at_rest[k] && result.impulses[k] != 0.0 {
                flow.components.stops[c.stop].mode = StopMode::At(c.end);
            }
        }
        step.y0[flow.components.n + flow.components.nu + WORK] += result.work;
        self.impact += before + result.work - flow.energy(*t, &step.y0);
        flow.renew_spring_pieces(&step.y0);
        self.release_moving_contacts();
        self.come_to_rest(&[c]);
    }
    /// All stops in contact at this instant, with `hit` among them.
    fn stops_in_contact(&mut self, hit: Option<StopContact>) -> Vec<StopContact> {
        self.flow.rhs(self.t, &self.step.y0, &mut self.scratch);
        let mut out = Vec::new();
        for (k, stop) in self.flow.components.stops.iter().enumerate().filter(|(_, stop)| stop.row.responds()) {
            let row = &stop.row;
            if let Some(hit) = hit.filter(|hit| hit.stop == k) {
                out.push(hit);
            } else if let StopMode::At(end) = stop.mode {
                out.push(StopContact { stop: k, end });
            } else {
                let Nearness { end, gap, closing, resolution } = self.nearness(stop);
                let (position, speed) = self.row_tolerances(row);
                // one that opens is open, however small its gap is: a blow reaches what is behind it when it has closed again
                let opens = end * self.opening_speed(row) < 0.0;
                // to close it now changes the position by `gap`, and the speed by what it would gain on the way
                let is_near = gap <= position && !opens;
                let gain = if closing > speed { self.row_acceleration(row).abs() * gap / closing } else { 0.0 };
                // or it was closed within the resolution, and not if it was struck at this instant and parts
                let parts = opens && (self.t - stop.struck_at) * -closing <= resolution;
                if is_near && gain <= speed || gap <= resolution && !parts {
                    out.push(StopContact { stop: k, end });
                }
            }
        }
        out
    }
    /// What has the sign of the velocity along a row just after this instant: the velocity, or where that is zero the acceleration computed last.
    fn opening_speed(&self, row: &ConstraintRow) -> f64 {
        let (y, motions) = (&self.step.y0, &self.flow.motions);
        row.nonzero_speed(y, motions).unwrap_or_else(|| {
            let own = |(i, c): (usize, f64)| (c * self.flow.acceleration[i]).abs();
            let size = row.coordinates().map(own).sum::<f64>() + row.driven(motions, 2).abs();
            let acceleration = self.row_acceleration(row);
            if acceleration.abs() > ACCELERATION_ROUNDING * size { acceleration } else { 0.0 }
        })
    }
    /// Strikes the stops in contact, and then those that this makes close, until none closes.
    pub(super) fn strike_in_turn(&mut self, hit: Option<StopContact>) {
        self.strike(hit);
        for _ in 0..MAX_BLOWS {
            if !self.crushed.is_empty() || !self.has_blow_to_come() {
                break;
            }
            self.strike(None);
        }
    }
    /// Whether a stop whose gap is not resolved closes by more than its tolerance.
    fn has_blow_to_come(&self) -> bool {
        let free = |stop: &&StopState| stop.mode == StopMode::Free && stop.row.responds();
        self.flow.components.stops.iter().filter(free).any(|stop| {
            let near = self.nearness(stop);
            near.gap <= near.resolution && near.closing > self.row_tolerances(&stop.row).1
        })
    }
    fn nearness(&self, stop: &StopState) -> Nearness {
        let (y, motions) = (&self.step.y0, &self.flow.motions);
        let (end, gap) = stop.nearest_end(y, motions);
        let closing = end * stop.row.v(y, motions);
        let resolution = stop.row.position_rounding(y, motions) + closing.abs() * min_step(self.t);
        Nearness { end, gap, closing, resolution }
    }
    /// Applies the impact law to all stops in contact, and decides all modes anew.
    fn strike(&mut self, hit: Option<StopContact>) {
        // the states of laws first belong to the velocities just before the impact: a law may remember its last sliding force
        self.jump_memories();
        let contacts = self.stops_in_contact(hit);
        let stops = &self.flow.components.stops;
        let old: Vec<StopMode> = contacts.iter().map(|c| stops[c.stop].mode).collect();
        let coefficients: Vec<f64> = contacts.iter().map(|c| stops[c.stop].parameters.restitution).collect();
        // a freewheel that was reached by its speed has the speed zero at this instant, but for the error of the instant
        let is_reached = |c: &StopContact| stops[c.stop].kind == StopKind::Velocity && hit == Some(*c);
        let reached: Vec<bool> = contacts.iter().map(is_reached).collect();
        let closing = |(c, reached): (&StopContact, &bool)| {
            !reached && stops[c.stop].row.nonzero_speed(&self.step.y0, &self.flow.motions).is_some()
        };
        let moved: Vec<bool> = contacts.iter().zip(&reached).map(closing).collect();
        self.cancel_reached_speeds(&contacts, &reached);
        let speeds: Vec<f64> = self.flow.components.vi.iter().map(|&v| self.step.y0[v]).collect();
        let modes: Vec<ContactMode> = self.flow.components.contacts.iter().map(|contact| contact.mode).collect();
        let before = self.flow.energy(self.t, &self.step.y0);
        let mut restitution = coefficients.clone();
        let (result, flight) = loop {
            let Some(result) = self.flow.strike(&contacts, &restitution, &mut self.step.y0) else {
                self.crushed = self.stops_in_conflict(&contacts);
                return;
            };
            for (k, c) in contacts.iter().enumerate() {
                let is_gear = self.flow.components.stops[c.stop].kind == StopKind::Gear;
                let takes_part = old[k] != StopMode::Free || result.impulses[k] != 0.0 || hit == Some(*c) || is_gear;
                let rests = (result.at_rest[k] || reached[k]) && takes_part;
                self.flow.components.stops[c.stop].mode = if rests { StopMode::At(c.end) } else { StopMode::Free };
            }
            self.release_struck_contacts(&speeds);
            self.flow.renew_spring_pieces(&self.step.y0);
            self.flow.groups.align(&mut self.step.y0, &self.flow.components.vi, &self.flow.motions);
            self.flow.rhs(self.t, &self.step.y0, &mut self.scratch);
            let (mut flight, mut ends) = (f64::INFINITY, false);
            for (k, c) in contacts.iter().enumerate() {
                if restitution[k] == 0.0 || result.impulses[k] == 0.0 || result.at_rest[k] {
                    continue;
                }
                if self.is_last_bounce(c) {
                    (restitution[k], ends) = (0.0, true);
                } else {
                    flight = flight.min(self.flight(c.stop, c.end, 0.0).duration());
                }
            }
            if !ends {
                break (result, flight);
            }
            // again, from the velocities and modes before
            self.flow.components.vi.iter().zip(&speeds).for_each(|(&v, speed)| self.step.y0[v] = *speed);
            self.flow.components.contacts.iter_mut().zip(&modes).for_each(|(contact, mode)| contact.mode = *mode);
        };
        contacts.iter().zip(&result.impulses).filter(|(_, p)| **p != 0.0).for_each(|(c, _)| self.count_bounce(c));
        self.pass_impact(&contacts, &restitution, &speeds);
        let work_at = self.flow.components.n + self.flow.components.nu + WORK;
        self.step.y0[work_at] += result.work;
        let placed = self.stops_to_place(&contacts, &result.impulses);
        self.flow.move_onto_stops(&placed, true, &mut self.step.y0);
        if moved.contains(&true) {
            self.impact += before + result.work - self.flow.energy(self.t, &self.step.y0);
        }
        self.h = self.h.min(STEP_PER_FLIGHT * flight).max(min_step(self.t));
        self.settle_modes();
        for (k, c) in contacts.iter().enumerate().filter(|(k, _)| result.impulses[*k] != 0.0) {
            let stop = &mut self.flow.components.stops[c.stop];
            stop.struck_at = self.t;
            let opens = old[k] != StopMode::Free && stop.mode == StopMode::Free;
            if (moved[k] || opens) && !self.struck.contains(&c.stop) {
                self.struck.push(c.stop);
            }
        }
    }
    /// Freewheels that were `reached` have the speed zero at this instant, and all that sticks together moves as one: what the error of the instant has left
    /// is no blow, and lets nothing go.
    fn cancel_reached_speeds(&mut self, contacts: &[StopContact], reached: &[bool]) {
        if !reached.contains(&true) {
            return;
        }
        let mut groups = self.flow.groups.clone();
        for (c, _) in contacts.iter().zip(reached).filter(|(_, reached)| **reached) {
            groups.hold(&self.flow.components.stops[c.stop].row);
        }
        groups.align(&mut self.step.y0, &self.flow.components.vi, &self.flow.motions);
    }
    /// The stops among `contacts` onto whose ends bodies are placed after an impact with these impulses: those that are closed, and those that
    /// were struck together. What is left of their gaps comes from the rounding of the instant, at the speed of this impact: at the lower
    /// speeds of later ones it would be a time that can be told, and impacts of one instant would follow one another.
    fn stops_to_place(&self, contacts: &[StopContact], impulses: &[f64]) -> Vec<StopContact> {
        let is_struck = |impulse: &f64| *impulse != 0.0;
        let together = impulses.iter().filter(|p| is_struck(p)).count() > 1;
        let is_closed = |c: &StopContact| self.flow.components.stops[c.stop].mode != StopMode::Free;
        let placed = contacts.iter().zip(impulses).filter(|(c, p)| is_closed(c) || together && is_struck(p));
        placed.map(|(c, _)| *c).collect()
    }
    /// Fails if an impact had no solution.
    pub(super) fn check_impact_solution(&self) -> Result<(), SimError> {
        if self.crushed.is_empty() { Ok(()) } else { self.fail(SimErrorKind::NoRoom { stops: self.crushed.clone() }) }
    }
    /// The stops that were struck, as events; the list is emptied.
    pub(super) fn take_impacts(&mut self) -> Vec<(usize, EventKind)> {
        let count = self.flow.components.contacts.len();
        self.struck.drain(..).map(|stop| (count + stop, EventKind::Impact)).collect()
    }
    /// After an impact: every contact whose velocity changed slides. `before` are the velocities before it.
    fn release_struck_contacts(&mut self, before: &[f64]) {
        let Self { flow, step, .. } = self;
        for contact in flow.components.contacts.iter_mut() {
            let row = &contact.row;
            let size: f64 = row.coordinates().map(|(i, c)| (c * before[i]).abs()).sum();
            if let Some(v) = row.nonzero_speed(&step.y0, &flow.motions)
                && v.abs() > 1e-13 * size
            {
                contact.mode = ContactMode::Slip(v.signum());
            }
        }
        flow.regroup();
    }
    /// After a jump of velocities: every contact with a nonzero velocity slides, and stops that open are left.
    pub(super) fn release_moving_contacts(&mut self) {
        let Self { flow, step, .. } = self;
        let (y, motions) = (&step.y0, &flow.motions);
        for contact in flow.components.contacts.iter_mut() {
            if let Some(v) = contact.row.nonzero_speed(y, motions) {
                contact.mode = ContactMode::Slip(v.signum());
            }
        }
        for stop in flow.components.stops.iter_mut() {
            if let StopMode::At(end) = stop.mode
                && stop.kind != StopKind::Gear
                && stop.row.nonzero_speed(y, motions).is_some_and(|v| v * end < 0.0)
            {
                stop.mode = StopMode::Free;
            }
        }
        flow.regroup();
    }
}
