//! A run of bodies on a plane.
use super::columns::fill;
use super::flow::{PlaneFlow, SlidingMode};
use super::number::dot;
use super::step::PlaneStep;
use crate::SimError;
use crate::sim::recorder::{Recorder, StepOutput};
use crate::sim::run_loop::{Integrator, Results};
use crate::sim::step_size::{
    ORDER, RETAKE_OVERSHOOT, RETAKE_RANGE, StepSizeController, after_rejected, clip_to_breakpoint, min_step,
};
use crate::sim::{EnergyBalance, SimErrorKind, SimulationOptions, SolverStatistics, SystemState};
use crate::system::PlaneSystem;

/// A sliding body counts as at rest below this share of `rtol` times its largest speed since it began to slide.
pub(super) const REST_SHARE: f64 = 1e-3;
/// Forces are rounded to this share of their size, in sums of several.
pub(super) const ROUNDING: f64 = 16.0 * f64::EPSILON;
/// First step, as a share of the run.
pub(super) const FIRST_STEP: f64 = 1e-3;

/// A run with events.
pub(in crate::sim) struct PlaneRun<'a, 's> {
    pub(super) flow: PlaneFlow<'s>,
    pub(super) options: &'a SimulationOptions,
    pub(super) recorder: Recorder<'a>,
    pub(super) step: PlaneStep,
    pub(super) modes: Vec<SlidingMode>,
    /// The largest speed of each body since it began to slide [m/s].
    pub(super) peaks: Vec<f64>,
    pub(super) t: f64,
    pub(super) h: f64,
    pub(super) control: StepSizeController,
    /// Whether the step may be longer than the last; not after a rejected one.
    pub(super) grows: bool,
    /// Whether this step repeats one with an event in it.
    pub(super) retaken: bool,
    pub(super) stats: SolverStatistics,
    pub(super) events_at_this_time: usize,
    pub(super) before: f64,
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
            step: PlaneStep::new(options.start, y),
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
    pub(super) fn min_step(&self) -> f64 {
        min_step(self.t.abs().max(1e-3 * (self.options.end - self.options.start)))
    }
    pub(super) fn speed(&self, body: usize, y: &[f64]) -> f64 {
        self.flow.speed(body, self.flow.motion(body, y))
    }
    /// The square of the error of the last attempt, relative to the tolerance: the mean over the positions and velocities of all bodies as vectors, and the
    /// energies.
    fn error(&self) -> f64 {
        let Self { flow, step, options, .. } = self;
        let rtol = options.rtol;
        let atol = if options.atol > 0.0 { options.atol } else { 1e-3 * rtol };
        let error = step.error();
        let size = |x: [f64; 2]| dot(x, x).sqrt();
        let (mut sum, mut energy, mut energy_atol) = (0.0, f64::MIN_POSITIVE, 0.0);
        for body in 0..flow.bodies() {
            let at = flow.position_at(body);
            let [r, angle, speed] = [&step.y0, &step.y1]
                .map(|y| [size(flow.position(body, y)), y[at + 2].abs(), self.speed(body, y)])
                .iter()
                .fold([0.0_f64; 3], |most, x| [0, 1, 2].map(|k| most[k].max(x[k])));
            let (position, angle) = (atol + rtol * r, atol + rtol * angle);
            // where atol is not given, a body is followed until its speed is far below the largest
            let slow = if options.atol > 0.0 { atol } else { atol.min(REST_SHARE * rtol * self.peaks[body]) };
            // forces are rounded, and the net force of a body that has just begun to slide is far smaller than they
            let rounding = ROUNDING * self.levels(body).0.hold / flow.system.bodies[body].mass * step.h;
            let velocity = rtol * speed + slow + rounding + f64::MIN_POSITIVE;
            let e = (size(flow.position(body, error)) / position).hypot(error[at + 2] / angle);
            let f = self.speed(body, error) / velocity;
            sum += e * e + f * f;
            let mass = flow.system.bodies[body].mass;
            energy += 0.5 * mass * speed * speed;
            // what an error of atol in the velocity makes of the kinetic energy
            energy_atol += mass * speed * slow;
        }
        for body in 0..flow.bodies() {
            if let (Some(bristles), Some(z)) = (flow.frictions[body].bristles(), flow.deflection(body, error)) {
                sum += (size(z) / (rtol * bristles.range())).powi(2);
            }
        }
        let at = flow.energies_at();
        energy += step.y1[at..].iter().map(|x| x.abs()).sum::<f64>();
        let energies = error[at..].iter().map(|e| (e / (rtol * energy + energy_atol)).powi(2)).fold(0.0, f64::max);
        (sum / (2 * flow.bodies()) as f64).max(energies)
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
    let velocities = system.bodies.iter().flat_map(|body| [body.velocity[0], body.velocity[1], body.spin]);
    let deflections = system.bodies.iter().filter(|body| !body.contact.law.is_empty()).flat_map(|_| [0.0; 2]);
    positions.chain(velocities).chain(deflections).collect()
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
    fn work(&self) -> f64 {
        self.step.y0[self.flow.energies_at()]
    }
    fn load_factors(&self) -> impl Iterator<Item = (usize, f64)> {
        let signals = self.flow.signals(self.t, self.step.t);
        let factor = move |body: usize| self.flow.load(body, &signals) * self.flow.frictions[body].nominal_factor;
        (0..self.modes.len()).map(factor).enumerate()
    }
    fn fill_row(&mut self) {
        // a signal that jumps at this time has the value before
        let Self { flow, modes, step, recorder, t, .. } = self;
        fill(flow, modes, (*t, step.t), &step.y0, &mut recorder.row);
    }
    fn results(&mut self) -> Results {
        let Self { flow, step, t, .. } = self;
        let at = flow.energies_at();
        let [work, friction, damping] = [0, 1, 2].map(|k| step.y0[at + k]);
        let after = flow.energy(&flow.signals(*t, step.t), &step.y0);
        Results {
            stats: self.stats,
            energy: EnergyBalance {
                work,
                friction,
                damping,
                impact: 0.0,
                switching: 0.0,
                before: self.before,
                after,
                largest_work: 0.0,
            },
            state: SystemState { y: self.step.y0[..at].to_vec(), ..SystemState::default() },
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
