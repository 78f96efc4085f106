//! A run of bodies on a plane.
use super::columns::fill;
use super::flow::{PlaneFlow, SlidingMode};
use super::friction::ForceLevels;
use super::number::dot;
use super::step::PlaneStep;
use crate::SimError;
use crate::sim::recorder::{Recorder, StepOutput};
use crate::sim::root_finding::{NODES, first_zero};
use crate::sim::run_loop::{Integrator, Results};
use crate::sim::step_size::{
    ORDER, RETAKE_OVERSHOOT, RETAKE_RANGE, StepSizeController, after_rejected, clip_to_breakpoint, min_step,
};
use crate::sim::{EnergyBalance, Event, EventKind, SimErrorKind, SimulationOptions, SolverStatistics, SystemState};
use crate::system::PlaneSystem;
use stiction_core::Dual;

/// A sliding body counts as at rest below this share of `rtol` times its largest speed since it began to slide.
pub(super) const REST_SHARE: f64 = 1e-3;
/// Largest share of the time in which the present deceleration would end the sliding that a step covers.
const STOP_SHARE: f64 = 0.9;
/// Cosine of the largest angle by which the velocity of a body turns in a step: 60°.
const MAX_TURN: f64 = 0.5;
/// Forces are rounded to this share of their size, in sums of several.
const ROUNDING: f64 = 16.0 * f64::EPSILON;
/// Sliding begins with its velocity when the net force is this multiple of its rounding.
const ONSET_MARGIN: f64 = 64.0;
/// First step, as a share of the run.
const FIRST_STEP: f64 = 1e-3;
/// Most events without progress in time.
const MAX_EVENTS_WITHOUT_PROGRESS: usize = 200;

/// A run with events.
pub(in crate::sim) struct PlaneRun<'a, 's> {
    flow: PlaneFlow<'s>,
    options: &'a SimulationOptions,
    recorder: Recorder<'a>,
    step: PlaneStep,
    modes: Vec<SlidingMode>,
    /// The largest speed of each body since it began to slide [m/s].
    peaks: Vec<f64>,
    t: f64,
    h: f64,
    control: StepSizeController,
    /// Whether the step may be longer than the last; not after a rejected one.
    grows: bool,
    /// Whether this step repeats one with an event in it.
    retaken: bool,
    stats: SolverStatistics,
    events_at_this_time: usize,
    before: f64,
}

impl<'a, 's> PlaneRun<'a, 's> {
    pub fn new(
        system: &'s PlaneSystem,
        state: Option<&SystemState>,
        options: &'a SimulationOptions,
        recorder: Recorder<'a>,
    ) -> Self {
        let flow = PlaneFlow::new(system);
        let mut y = initial(system);
        if let Some(state) = state {
            y[..state.y.len()].copy_from_slice(&state.y);
        }
        y.resize(flow.len(), 0.0);
        let bodies = flow.bodies();
        Self {
            before: flow.energy(&flow.signals(options.start, options.start), &y),
            flow,
            options,
            recorder,
            step: PlaneStep::new(y),
            modes: vec![SlidingMode::Slide; bodies],
            peaks: vec![0.0; bodies],
            t: options.start,
            h: FIRST_STEP * (options.end - options.start),
            control: StepSizeController::default(),
            grows: true,
            retaken: false,
            stats: SolverStatistics::default(),
            events_at_this_time: 0,
        }
    }
    fn min_step(&self) -> f64 {
        min_step(self.t.abs().max(1e-3 * (self.options.end - self.options.start)))
    }
    fn speed(&self, body: usize, y: &[f64]) -> f64 {
        self.flow.speed(body, self.flow.motion(body, y))
    }
    /// What a body can hold at this instant, and the resultant on it.
    fn levels(&self, body: usize) -> (ForceLevels, [f64; 3]) {
        let signals = self.flow.signals(self.t, self.t);
        let (resultants, _) = self.flow.resultants(&signals, &self.step.y0);
        (self.flow.frictions[body].levels(self.flow.load(body, &signals)), resultants[body])
    }
    /// A body has no velocity: it sticks if the resultant is in the set at rest, and otherwise begins to slide. `reached`: the resultant was found to leave the
    /// set at this instant, whatever rounding says.
    fn leave_rest(&mut self, body: usize, reached: bool) -> SlidingMode {
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
    fn onset(&self, body: usize, levels: ForceLevels, resultant: [f64; 3]) -> Option<(f64, [f64; 3])> {
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
    fn report(&mut self, t: f64, body: usize, kind: EventKind) -> Result<(), SimError> {
        self.write_row()?;
        self.recorder.report(&Event { t, part: body, kind });
        Ok(())
    }
    /// Counts an event at this instant.
    fn count(&mut self, body: usize) -> Result<(), SimError> {
        self.events_at_this_time += 1;
        if self.events_at_this_time > MAX_EVENTS_WITHOUT_PROGRESS {
            let contact = self.flow.system.bodies[body].name.clone();
            return self.fail(SimErrorKind::Chatter { contact });
        }
        Ok(())
    }
    /// Bodies at rest that can no longer be held begin to slide; `reached` is one that was found to.
    fn break_away(&mut self, reached: Option<usize>) -> Result<(), SimError> {
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
    fn restart(&mut self) {
        (self.grows, self.control) = (true, StepSizeController::default());
        if self.sliding().next().is_none() {
            self.h = self.h.max(FIRST_STEP * (self.options.end - self.options.start));
        }
    }
    /// The longest step that the ends of sliding allow.
    fn stop_limit(&self) -> f64 {
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
    fn time_to_stop(&self, body: usize) -> Option<f64> {
        let [motion, acceleration] = [&self.step.y0, &self.step.f0].map(|y| self.flow.motion(body, y));
        let rate = self.flow.product(body, motion, acceleration);
        let (square, mass) = (self.flow.product(body, motion, motion), self.flow.system.bodies[body].mass);
        let noise = ROUNDING * self.levels(body).0.hold / mass * square.sqrt();
        (-rate > noise).then(|| square / -rate)
    }
    fn sliding(&self) -> impl Iterator<Item = usize> {
        (0..self.modes.len()).filter(|&body| self.modes[body] == SlidingMode::Slide)
    }
    /// Whether the contact of a sliding body has a set at rest at this instant.
    fn can_stick(&self, body: usize) -> bool {
        self.levels(body).0.onset > 0.0
    }
    /// Bodies whose speed counts as zero stick, or begin to slide anew.
    fn stop(&mut self) -> Result<(), SimError> {
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
    /// The square of the error of the last attempt, relative to the tolerance: the mean over the positions and velocities of all bodies as vectors, and the
    /// energies.
    fn error(&self) -> f64 {
        let Self { flow, step, options, .. } = self;
        let rtol = options.rtol;
        let atol = if options.atol > 0.0 { options.atol } else { 1e-3 * rtol };
        let error = step.error();
        let size = |x: [f64; 2]| dot(x, x).sqrt();
        let (mut sum, mut energy) = (0.0, f64::MIN_POSITIVE);
        for body in 0..flow.bodies() {
            let at = flow.position_at(body);
            let [r, angle, speed] = [&step.y0, &step.y1]
                .map(|y| [size(flow.position(body, y)), y[at + 2].abs(), self.speed(body, y)])
                .iter()
                .fold([0.0_f64; 3], |most, x| [0, 1, 2].map(|k| most[k].max(x[k])));
            let (position, angle) = (atol + rtol * r, atol + rtol * angle);
            // forces are rounded, and the net force of a body that has just begun to slide is far smaller than they
            let rounding = ROUNDING * self.levels(body).0.hold / flow.system.bodies[body].mass * step.h;
            let velocity = rtol * speed + atol.min(REST_SHARE * rtol * self.peaks[body]) + rounding + f64::MIN_POSITIVE;
            let e = (size(flow.position(body, error)) / position).hypot(error[at + 2] / angle);
            let f = self.speed(body, error) / velocity;
            sum += e * e + f * f;
            energy += 0.5 * flow.system.bodies[body].mass * speed * speed;
        }
        let at = flow.energies_at();
        energy += step.y1[at..].iter().map(|x| x.abs()).sum::<f64>();
        let energies = error[at..].iter().map(|e| (e / (rtol * energy)).powi(2)).fold(0.0, f64::max);
        (sum / (2 * flow.bodies()) as f64).max(energies)
    }
    /// Whether a body turns so far in the last attempt that it may have gone through zero.
    fn turns_too_far(&self) -> bool {
        self.sliding().any(|body| {
            let [a, b] = [&self.step.y0, &self.step.y1].map(|y| self.flow.motion(body, y));
            let most = MAX_TURN * self.flow.speed(body, a) * self.flow.speed(body, b);
            self.peaks[body] > 0.0 && self.flow.product(body, a, b) < most && self.can_stick(body)
        })
    }
    /// The first break-away in the last step, as a fraction of it, and the body.
    fn first_break_away(&self) -> Option<(f64, usize)> {
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
    fn reject(&mut self, h: f64) -> Result<(), SimError> {
        self.stats.rejected += 1;
        (self.h, self.grows) = (h, false);
        if h > 0.0 && self.t + h > self.t { Ok(()) } else { self.fail(SimErrorKind::Stalled { step: h }) }
    }
}

/// Positions and velocities at the start.
pub(in crate::sim) fn initial(system: &PlaneSystem) -> Vec<f64> {
    let positions = system.bodies.iter().flat_map(|body| [body.position[0], body.position[1], body.angle]);
    positions.chain(system.bodies.iter().flat_map(|body| [body.velocity[0], body.velocity[1], body.spin])).collect()
}

impl<'a> Integrator<'a> for PlaneRun<'a, '_> {
    fn recorder(&mut self) -> &mut Recorder<'a> {
        &mut self.recorder
    }
    fn time(&self) -> f64 {
        self.t
    }
    fn steps(&self) -> u64 {
        self.stats.steps
    }
    fn begin(&mut self) -> Result<(), SimError> {
        for body in 0..self.modes.len() {
            if self.speed(body, &self.step.y0) == 0.0 {
                self.leave_rest(body, false);
            }
            self.peaks[body] = self.speed(body, &self.step.y0);
        }
        self.fill_row();
        self.recorder.begin(self.t)
    }
    fn advance(&mut self) -> Result<(), SimError> {
        self.break_away(None)?;
        let breakpoint = self.flow.next_breakpoint(self.t).min(self.options.end);
        self.step.begin(&self.flow, &self.modes, self.t);
        self.stats.jacobians += 1;
        self.stats.evaluations += 9;
        let min_step = self.min_step();
        let most = self.flow.max_resolved_step(self.t).min(self.options.max_step).min(self.stop_limit());
        let (h, lands) = clip_to_breakpoint(self.h.min(most), breakpoint - self.t, min_step);
        let solved = self.step.attempt(&self.flow, &self.modes, h) && self.step.y1.iter().all(|y| y.is_finite());
        let squared = if solved { self.error() } else { f64::INFINITY };
        let shortest = h <= min_step;
        if !solved && shortest {
            return self.fail(SimErrorKind::NotFinite);
        }
        // a step at the resolution of the time cannot be better
        if !(squared <= 1.0 || shortest) {
            return self.reject(h * after_rejected(squared, ORDER));
        }
        if self.turns_too_far() && !shortest {
            return self.reject(0.5 * h);
        }
        self.step.finish();
        let event = self.first_break_away();
        if let Some((theta, _)) = event
            && RETAKE_RANGE.contains(&theta)
            && !self.retaken
            && self.sliding().next().is_some()
        {
            self.retaken = true;
            self.h = h * theta * RETAKE_OVERSHOOT;
            return Ok(());
        }
        self.stats.steps += 1;
        let (theta, reached) = event.map_or((1.0, None), |(theta, body)| (theta, Some(body)));
        let from = self.t;
        let t = if theta < 1.0 {
            from + theta * h
        } else if lands {
            breakpoint
        } else {
            from + h
        };
        let Self { flow, modes, step, recorder, .. } = self;
        recorder.record_step((from, h), theta, t, &mut PlaneRows { flow, modes, step })?;
        if t - self.t > min_step {
            self.events_at_this_time = 0;
        }
        let y = self.step.state(theta);
        self.step.y0 = y;
        self.t = t;
        if !self.retaken {
            self.h = h * self.control.accept(h, squared.min(1.0), self.grows);
        }
        (self.grows, self.retaken) = (true, false);
        for body in 0..self.modes.len() {
            self.peaks[body] = self.peaks[body].max(self.speed(body, &self.step.y0));
        }
        // rates at the end of the step, for what is left of it
        self.flow.rates(&self.modes, &self.flow.signals(t, t), &self.step.y0, &mut self.step.f0);
        self.stop()?;
        if reached.is_some() { self.break_away(reached) } else { Ok(()) }
    }
    fn fill_row(&mut self) {
        let Self { flow, modes, step, recorder, t, .. } = self;
        fill(flow, modes, (*t, *t), &step.y0, &mut recorder.row);
    }
    fn results(&mut self) -> Results {
        let Self { flow, step, t, .. } = self;
        let at = flow.energies_at();
        let [work, friction, damping] = [0, 1, 2].map(|k| step.y0[at + k]);
        let after = flow.energy(&flow.signals(*t, *t), &step.y0);
        Results {
            stats: self.stats,
            energy: EnergyBalance { work, friction, damping, impact: 0.0, before: self.before, after },
            state: SystemState { y: self.step.y0[..at].to_vec(), memory: Vec::new() },
        }
    }
}

/// Rows within a step.
struct PlaneRows<'r, 's> {
    flow: &'r PlaneFlow<'s>,
    modes: &'r [SlidingMode],
    step: &'r PlaneStep,
}

impl StepOutput for PlaneRows<'_, '_> {
    fn fill(&mut self, fraction: f64, t: f64, row: &mut Vec<f64>) {
        fill(self.flow, self.modes, (t, self.step.t), &self.step.state(fraction), row);
    }
}
