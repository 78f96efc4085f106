//! Where bodies on a plane begin and end to slide.
use super::flow::SlidingMode;
use super::friction::ForceLevels;
use super::number::dot;
use super::run::{FIRST_STEP, PlaneRun, REST_SHARE, ROUNDING};
use crate::SimError;
use crate::sim::root_finding::{NODES, first_zero};
use crate::sim::run_loop::Integrator;
use crate::sim::step_size::StepSizeController;
use crate::sim::{Event, EventKind, SimErrorKind};
use stiction_core::Dual;

/// Largest share of the time in which the present deceleration would end the sliding that a step covers.
const STOP_SHARE: f64 = 0.9;
/// Cosine of the largest angle by which the velocity of a body turns in a step: 60°.
const MAX_TURN: f64 = 0.5;
/// Sliding begins with its velocity when the net force is this multiple of its rounding.
const ONSET_MARGIN: f64 = 64.0;
/// Most events without progress in time.
const MAX_EVENTS_WITHOUT_PROGRESS: usize = 200;

impl PlaneRun<'_, '_> {
    /// What a body can hold at this instant, and the resultant on it.
    pub(super) fn levels(&self, body: usize) -> (ForceLevels, [f64; 3]) {
        let signals = self.flow.signals(self.t, self.t);
        let (resultants, _) = self.flow.resultants(&signals, &self.step.y0);
        (self.flow.frictions[body].levels(self.flow.load(body, &signals)), resultants[body])
    }
    /// A body has no velocity: it sticks if the resultant is in the set at rest, and otherwise begins to slide. `reached`: the resultant was found to leave the
    /// set at this instant, whatever rounding says.
    pub(super) fn leave_rest(&mut self, body: usize, reached: bool) -> SlidingMode {
        let (levels, resultant) = self.levels(body);
        let held = self.flow.frictions[body].required_hold(resultant) <= levels.hold && levels.hold > 0.0;
        let at = self.flow.velocity_at(body);
        self.step.y0[at..at + 3].fill(0.0);
        (self.peaks[body], self.modes[body]) = (0.0, SlidingMode::Stick);
        if held && !reached {
            return SlidingMode::Stick;
        }
        if levels.onset == 0.0 {
            // a law without a set at rest has a force that is defined at zero
            self.modes[body] = SlidingMode::Slide;
        } else if let Some((time, velocity)) = self.onset(body, levels, resultant) {
            self.modes[body] = SlidingMode::Slide;
            self.step.y0[at..at + 3].copy_from_slice(&velocity);
            self.t = (self.t + time).min(self.options.end);
        }
        self.modes[body]
    }
    /// The first moment of sliding, from rest: a time after which the net force is above its rounding, and the velocity then, the leading terms of
    /// the solution. None if the resultant only touches the set.
    pub(super) fn onset(&self, body: usize, levels: ForceLevels, resultant: [f64; 3]) -> Option<(f64, [f64; 3])> {
        let (flow, t) = (&self.flow, self.t);
        let friction = &flow.frictions[body];
        let onset = friction.slip_onset(resultant, levels.onset);
        // rates of the resultant and of the level, along the motion of the others
        let signals = flow.signals_by_time::<1>(t, t, 0);
        let mut rates = vec![0.0; self.step.y0.len()];
        flow.rates(&self.modes, &flow.signals(t, t), &self.step.y0, &mut rates);
        let y: Vec<_> = self.step.y0.iter().zip(&rates).map(|(&re, &rate)| Dual { re, eps: [rate] }).collect();
        let (resultants, _) = flow.resultants(&signals, &y);
        let load = flow.load(body, &signals);
        let level_rate = if load.re > 0.0 { levels.onset * load.eps[0] / load.re } else { 0.0 };
        let rate = dot(resultants[body].map(|x| x.eps[0]), onset.direction);
        let mass = flow.system.bodies[body].mass;
        let jerk = (rate - friction.resistance(onset.direction, level_rate)) / mass;
        let noise = ONSET_MARGIN * ROUNDING * levels.hold / mass;
        let acceleration = onset.acceleration.max(0.0);
        let time = if acceleration > noise { self.min_step() } else { self.min_step().max(noise / jerk) };
        let speed = (acceleration + 0.5 * jerk * time) * time;
        (speed > 0.0 && time.is_finite()).then(|| (time, onset.direction.map(|d| d * speed)))
    }
    pub(super) fn report(&mut self, t: f64, body: usize, kind: EventKind) -> Result<(), SimError> {
        self.write_row()?;
        self.recorder.report(&Event { t, part: body, kind });
        Ok(())
    }
    /// Counts an event at this instant.
    pub(super) fn count(&mut self, body: usize) -> Result<(), SimError> {
        self.events_at_this_time += 1;
        if self.events_at_this_time > MAX_EVENTS_WITHOUT_PROGRESS {
            let contact = self.flow.system.bodies[body].name.clone();
            return self.fail(SimErrorKind::Chatter { contact });
        }
        Ok(())
    }
    /// Bodies at rest that can no longer be held begin to slide; `reached` is one that was found to.
    pub(super) fn break_away(&mut self, reached: Option<usize>) -> Result<(), SimError> {
        for body in 0..self.modes.len() {
            if self.modes[body] == SlidingMode::Slide {
                continue;
            }
            let (levels, resultant) = self.levels(body);
            let required = self.flow.frictions[body].required_hold(resultant);
            if reached == Some(body) || required > levels.hold * (1.0 + ROUNDING) {
                self.count(body)?;
                self.write_row()?;
                let t = self.t;
                if self.leave_rest(body, true) == SlidingMode::Slide {
                    self.report(t, body, EventKind::SlipUp)?;
                    self.restart();
                }
            }
        }
        Ok(())
    }
    /// The step size is chosen anew; at rest nothing keeps it small.
    pub(super) fn restart(&mut self) {
        (self.grows, self.control) = (true, StepSizeController::default());
        if self.sliding().next().is_none() {
            self.h = self.h.max(FIRST_STEP * (self.options.end - self.options.start));
        }
    }
    /// The longest step that the ends of sliding allow.
    pub(super) fn stop_limit(&self) -> f64 {
        let mut limit = f64::INFINITY;
        for body in self.sliding() {
            if let Some(left) = self.time_to_stop(body) {
                limit = limit.min(STOP_SHARE * left);
            }
        }
        limit
    }
    /// The time in which the present deceleration ends the sliding of a body; none if there is no deceleration beyond rounding. Needs the rates at the start
    /// of the step.
    pub(super) fn time_to_stop(&self, body: usize) -> Option<f64> {
        let [motion, acceleration] = [&self.step.y0, &self.step.f0].map(|y| self.flow.motion(body, y));
        let rate = self.flow.product(body, motion, acceleration);
        let (square, mass) = (self.flow.product(body, motion, motion), self.flow.system.bodies[body].mass);
        let noise = ROUNDING * self.levels(body).0.hold / mass * square.sqrt();
        (-rate > noise).then(|| square / -rate)
    }
    pub(super) fn sliding(&self) -> impl Iterator<Item = usize> {
        (0..self.modes.len()).filter(|&body| self.modes[body] == SlidingMode::Slide)
    }
    /// Whether the contact of a sliding body has a set at rest at this instant.
    pub(super) fn can_stick(&self, body: usize) -> bool {
        self.levels(body).0.onset > 0.0
    }
    /// Bodies whose speed counts as zero stick, or begin to slide anew.
    pub(super) fn stop(&mut self) -> Result<(), SimError> {
        let slow: Vec<usize> = self
            .sliding()
            .filter(|&body| {
                let speed = self.speed(body, &self.step.y0);
                let unresolved = || self.time_to_stop(body).is_some_and(|left| left < self.min_step());
                let still = speed <= REST_SHARE * self.options.rtol * self.peaks[body];
                (still || self.peaks[body] > 0.0 && unresolved()) && self.can_stick(body)
            })
            .collect();
        for body in slow {
            self.count(body)?;
            // the rest of the way, along which kinetic energy and the work of the other forces go to friction
            let (motion, left) = (self.flow.motion(body, &self.step.y0), self.time_to_stop(body).unwrap_or(0.0));
            let way = motion.map(|v| 0.5 * v * left);
            let kinetic = 0.5 * self.flow.system.bodies[body].mass * self.flow.product(body, motion, motion);
            let (lost, at) = (kinetic + dot(self.levels(body).1, way), self.flow.position_at(body));
            self.step.y0[at..at + 3].iter_mut().zip(way).for_each(|(x, way)| *x += way);
            let at = self.flow.energies_at();
            self.step.y0[at + 1] += lost;
            let t = self.t;
            let kind = match self.leave_rest(body, false) {
                SlidingMode::Stick => EventKind::Stick,
                SlidingMode::Slide => EventKind::ReverseUp,
            };
            self.report(t, body, kind)?;
            self.restart();
        }
        Ok(())
    }
    /// Whether a body turns so far in the last attempt that it may have gone through zero.
    pub(super) fn turns_too_far(&self) -> bool {
        self.sliding().any(|body| {
            let [a, b] = [&self.step.y0, &self.step.y1].map(|y| self.flow.motion(body, y));
            let most = MAX_TURN * self.flow.speed(body, a) * self.flow.speed(body, b);
            self.peaks[body] > 0.0 && self.flow.product(body, a, b) < most && self.can_stick(body)
        })
    }
    /// The first break-away in the last step, as a fraction of it, and the body.
    pub(super) fn first_break_away(&self) -> Option<(f64, usize)> {
        let Self { flow, step, modes, .. } = self;
        let sticking = (0..modes.len()).filter(|&body| modes[body] == SlidingMode::Stick);
        let first = |body: usize| {
            let friction = &flow.frictions[body];
            let signals = |theta: f64| flow.signals(step.t + theta * step.h, step.t);
            let hold = |signals: &[_]| friction.levels(flow.load(body, signals)).hold;
            let mut margin = |theta: f64| {
                let signals = signals(theta);
                let (resultants, _) = flow.resultants(&signals, &step.state(theta));
                let (hold, required) = (hold(&signals), friction.required_hold(resultants[body]));
                (hold - required) * (hold + required)
            };
            let values = NODES.map(&mut margin);
            let level = hold(&signals(0.0));
            let noise = 0.25 * ROUNDING * level * level;
            Some((first_zero(&mut margin, &values, 1.0, noise)?, body))
        };
        sticking.filter_map(first).min_by(|a, b| a.0.total_cmp(&b.0))
    }
}
