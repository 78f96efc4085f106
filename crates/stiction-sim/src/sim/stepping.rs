//! Steps of an event-driven run: which stepper takes one, how long it is, and its repetition to an event in it.
use super::SimErrorKind;
use super::components::NormalLoad;
use super::event_driven::EventDrivenRun;
use super::event_locator::{Guard, ZeroCrossing};
use super::run_loop::Integrator;
use super::single_contact::SingleContact;
use super::step_size::{ORDER, RETAKE_OVERSHOOT, RETAKE_RANGE, after_rejected, clip_to_breakpoint, min_step};
use crate::SimError;

/// Most steps in a row that are as short as the resolution of the time. Within them the error test is relaxed, see
/// [`Step::error`].
const MAX_MINIMAL_STEPS: u32 = 200;

/// What takes a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stepper {
    /// The Taylor series, while the system is linear.
    Taylor,
    /// The kernel for one body on one contact.
    SingleContact,
    /// Rodas5P, for every system.
    Rosenbrock,
}

/// A step that was taken.
pub(super) struct TakenStep {
    pub stepper: Stepper,
    /// Whether it ends at a breakpoint.
    pub lands: bool,
    /// Whether it is known to have no event in it.
    pub is_clear: bool,
}

impl EventDrivenRun<'_, '_> {
    /// Takes a step towards `breakpoint` by the first stepper that applies.
    pub(super) fn take_step(&mut self, breakpoint: f64) -> Result<TakenStep, SimError> {
        if self.flow.taylor.applies {
            return Ok(TakenStep { stepper: Stepper::Taylor, lands: self.taylor_step(breakpoint), is_clear: false });
        }
        let most = match self.options.max_steps {
            0 => u64::MAX,
            most => most.saturating_sub(self.stats.steps).max(1),
        };
        if let Some((lands, is_clear)) = self.single_contact_steps(breakpoint, most) {
            return Ok(TakenStep { stepper: Stepper::SingleContact, lands, is_clear });
        }
        self.begin_step();
        Ok(TakenStep { stepper: Stepper::Rosenbrock, lands: self.attempt(breakpoint)?, is_clear: false })
    }
    /// Evaluates rates and Jacobian at the start of a Rosenbrock step.
    fn begin_step(&mut self) {
        self.step.begin(&mut self.flow, self.t);
        self.stats.jacobians += 1;
    }
    pub(super) fn first_crossing(&mut self) -> Option<ZeroCrossing> {
        self.locator.first(&mut self.flow, &self.step, self.speed_tolerance)
    }
    /// Locates an event that lies well within the step on a repeated step that ends just beyond it: the end of a step is more
    /// accurate than its dense output, its error is controlled, and nothing of it is computed far beyond the event. If the
    /// repeated step does not show the event, it was one of the dense output only, and the repeated step stands without it.
    /// One repetition for each step, which advances the time by at least a thousandth of it: so the run goes on.
    pub(super) fn retake(
        &mut self,
        seen: ZeroCrossing,
        taken: &mut TakenStep,
    ) -> Result<Option<ZeroCrossing>, SimError> {
        let (range, overshoot) = match seen.guard {
            // the zero of a load signal is known to rounding, and the force has a kink there: the step ends at it
            Guard::Load(c) if matches!(self.flow.components.contacts[c].normal_load, NormalLoad::Signal(_)) => {
                (min_step(self.t) / self.step.h..1.0 - 1e-9, 1.0 + 1e-12)
            }
            Guard::Velocity(_) if let Some(beyond) = self.beyond_turn(&seen, taken) => {
                (RETAKE_RANGE.start..1.0 / (1.0 + beyond), 1.0 + beyond)
            }
            _ => (RETAKE_RANGE, RETAKE_OVERSHOOT),
        };
        // the Taylor stepper has no truncation error
        let exact = taken.stepper == Stepper::Taylor;
        if exact || self.events_without_progress > 0 || !range.contains(&seen.theta) {
            return Ok(Some(seen));
        }
        let is_clear = self.repeat_step(overshoot * seen.theta * self.step.h, taken)?;
        Ok(if is_clear { None } else { self.first_crossing() })
    }
    /// How far beyond a turn the repeated step ends, if the stepper says so, relative to its length.
    fn beyond_turn(&self, seen: &ZeroCrossing, taken: &TakenStep) -> Option<f64> {
        let single = self.single.as_ref().filter(|_| taken.stepper == Stepper::SingleContact)?;
        single.beyond_turn(seen.theta)
    }
    /// Ends a step where it did not see a law: it sees its end. Returns the first crossing in it.
    pub(super) fn end_at_unseen(
        &mut self,
        crossing: Option<ZeroCrossing>,
        taken: &mut TakenStep,
    ) -> Result<Option<ZeroCrossing>, SimError> {
        let Some(theta) = self.locator.unseen else { return Ok(crossing) };
        let is_first = crossing.is_none_or(|crossing| theta < crossing.theta);
        // the Taylor stepper has no truncation error, and a shorter step would not advance the time
        if !is_first || taken.stepper == Stepper::Taylor || theta * self.step.h <= min_step(self.t) {
            return Ok(crossing);
        }
        let is_clear = self.repeat_step(theta * self.step.h, taken)?;
        Ok(if is_clear { None } else { self.first_crossing() })
    }
    /// Repeats a step with another length; whether it is known to have no event in it.
    fn repeat_step(&mut self, length: f64, taken: &mut TakenStep) -> Result<bool, SimError> {
        let kept = (self.h, self.control);
        self.h = length;
        // the first attempt counts as rejected
        self.stats.steps -= 1;
        self.stats.rejected += 1;
        self.stats.log_speed_steps -= u64::from(!self.step.log_speeds.is_empty());
        let mut repeated = None;
        if taken.stepper == Stepper::SingleContact {
            self.stats.single_contact_steps -= 1;
            repeated = self.single_contact_steps(f64::INFINITY, 1);
            if repeated.is_none() {
                self.begin_step();
            }
        }
        if repeated.is_none() {
            self.attempt(f64::INFINITY)?;
        }
        // the step that the error allowed before is the next one, unless the error has shortened this one
        if self.step.h >= length * (1.0 - 1e-12) {
            (self.h, self.control) = kept;
        }
        taken.lands = false;
        Ok(repeated.is_some_and(|(_, is_clear)| is_clear))
    }
    /// The longest step that signals and options allow.
    fn max_step_now(&self) -> f64 {
        if self.has_step_limits { self.max_resolved_step() } else { self.options.max_step }
    }
    /// Takes a step by the Taylor series; true if it ends at `breakpoint`.
    fn taylor_step(&mut self, breakpoint: f64) -> bool {
        let mut h = self.max_step_now().min(self.flow.taylor.longest);
        if self.events_without_progress > 0 {
            h = h.min(self.h);
        }
        let (h, lands) = clip_to_breakpoint(h, breakpoint - self.t, min_step(self.t));
        self.step.taylor_step(&mut self.flow, self.t, h);
        self.stats.steps += 1;
        self.stats.taylor_steps += 1;
        lands
    }
    /// Takes at most `most` steps in the single-contact kernel, up to one that has a row, a probe or an event in it. None if the
    /// kernel does not apply or finds no step; else whether the last step ends at `breakpoint`, and whether it is free of events.
    fn single_contact_steps(&mut self, breakpoint: f64, most: u64) -> Option<(bool, bool)> {
        if self.single.is_none()
            || self.events_without_progress > 0
            || self.has_step_limits
            || self.reversed_at_start == self.t
            || !SingleContact::holds(&self.flow)
        {
            return None;
        }
        let free = self.free_range_of_speeds();
        let single = self.single.as_mut()?;
        single.free = free;
        (single.t, single.h, single.control) = (self.t, self.h, self.control);
        (single.stop, single.limit) = (breakpoint, self.options.max_step);
        let each = self.recorder.needs_every_step() || !self.sections.is_empty() || self.sensitivity.is_some();
        single.due = if each { f64::NEG_INFINITY } else { self.recorder.next_row() };
        let found = single.go(&mut self.flow, &mut self.step, most);
        (self.t, self.h, self.control) = (single.t, single.h, single.control);
        self.t_remainder = 0.0;
        self.stats.steps += single.steps;
        self.stats.single_contact_steps += single.steps;
        self.stats.jacobians += single.steps;
        self.stats.rejected += single.rejected;
        self.flow.components.contacts[0].has_moved |= single.fastest > self.speed_tolerance;
        found.then_some((single.lands, single.clear))
    }
    /// Finds a step within the tolerance; true if it ends at `breakpoint`.
    fn attempt(&mut self, breakpoint: f64) -> Result<bool, SimError> {
        let (pace, shortest) =
            (self.max_step_now().min(self.step.log_speeds.longest).min(self.step.longest), self.shortest_step());
        let (mut rejected, mut stuck) = (false, false);
        loop {
            let (h, lands) = clip_to_breakpoint(self.h.min(pace), breakpoint - self.t, shortest);
            if h <= 0.0 || stuck {
                let finite = self.step.f0.iter().all(|x| x.is_finite());
                return self.fail(if finite { SimErrorKind::Stalled { step: h } } else { SimErrorKind::NotFinite });
            }
            let solved = self.step.attempt(&mut self.flow, h);
            // at the resolution of the time, a change of the state within the step counts as allowed error
            let blurred = h <= shortest && self.minimal_steps < MAX_MINIMAL_STEPS;
            let mut error = if solved { self.step.error(self.options.rtol, &self.atol, blurred) } else { f64::NAN };
            if error > 1.0 {
                let atol = self.step.tolerances_above_rounding(&self.flow, &self.atol);
                error = self.step.error(self.options.rtol, &atol, blurred);
            }
            if error <= 1.0 && !blurred && self.flow.has_unfelt_power() {
                // what the forces would do on the way that positions may be wrong by
                let quiet = self.speed_tolerance * self.flow.force_size();
                error = error.max(self.step.energy_error(self.options.rtol, quiet));
            }
            if error <= 1.0 {
                self.minimal_steps = if blurred { self.minimal_steps + 1 } else { 0 };
                self.step.finish();
                self.stats.steps += 1;
                self.stats.log_speed_steps += u64::from(!self.step.log_speeds.is_empty());
                // no growth after a rejected step, nor after an event without progress in time
                let next = h * self.control.accept(h, error, !rejected && self.events_without_progress == 0);
                self.h = if lands && h < self.h { self.h.max(next) } else { next };
                return Ok(lands);
            }
            self.stats.rejected += 1;
            (rejected, stuck) = (true, h <= shortest);
            self.h = h * after_rejected(error, ORDER);
        }
    }
    /// The shortest step. The speed of a contact that is singular at rest rises or falls by decades within the resolution of the
    /// time; what the rounding of the time leaves out is carried along, so that such steps may be shorter by another rounding.
    fn shortest_step(&self) -> f64 {
        min_step(self.t) * if self.step.log_speeds.is_fast { f64::EPSILON } else { 1.0 }
    }
}
