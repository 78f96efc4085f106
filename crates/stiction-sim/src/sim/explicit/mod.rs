//! Explicit Runge–Kutta methods, for teaching and comparison.
//!
//! They integrate the bare law as a textbook would: the force at the present velocity, `sgn 0 = 0`, no stick and no events.
//! Euler's method therefore chatters about `v = 0` and its position drifts, and an adaptive method stalls where a Coulomb
//! contact comes to rest. Jumps of contact states, impacts and sampled controllers are handled between steps.
mod stages;
mod tableau;

use super::columns::TraceLayout;
use super::components::{ContactMode, ControllerKind, StopState};
use super::flow::{Flow, WORK};
use super::impact_law::StopContact;
use super::probes::Probes;
use super::run_limits::RunLimits;
use super::setup::{due, initial, sample_controllers, tolerances};
use super::step_size::{after_accepted, after_rejected};
use super::{
    Column, EnergyBalance, Observer, RunFailure, RunSummary, SimErrorKind, SimulationOptions, SolverStatistics,
    SystemState,
};
use crate::SimError;
use crate::system::System;
use stages::RungeKuttaStep;
use stiction_core::Input;
use tableau::Tableau;
pub(super) use tableau::tableau;

/// Step limit of an adaptive method where `max_steps` is zero; rejected steps count.
const DEFAULT_MAX_ATTEMPTS: u64 = 1_000_000;

/// Runs a system by the explicit method with this Butcher tableau.
pub(super) fn run(
    table: &'static Tableau,
    (system, columns): (&System, &[Column]),
    state: Option<&SystemState>,
    options: &SimulationOptions,
    observer: &mut dyn Observer,
    probes: Probes,
) -> Result<RunSummary, SimError> {
    let mut run = ExplicitRun::new(table, system, options, observer, probes);
    if let Some(state) = state {
        state.load(&mut run.flow.components, &mut run.step.y0);
    }
    run.begin()?;
    let (complete, failure) = RunFailure::split(run.advance_to_end())?;
    if failure.is_some() {
        // the last state belongs in the trace, if it has numbers
        let _ = run.write_row();
    }
    Ok(RunSummary {
        t: run.t,
        complete,
        failure,
        columns: columns.to_vec(),
        stats: SolverStatistics { evaluations: run.flow.evaluations, ..run.stats },
        energy: run.energy(),
        probes: run.probes.answers(complete.then_some(&run.row)),
        state: SystemState::save(&run.flow.components, &run.step.y0),
        row: run.row,
    })
}

struct ExplicitRun<'a, 's> {
    options: &'a SimulationOptions,
    observer: &'a mut dyn Observer,
    flow: Flow<'s>,
    step: RungeKuttaStep,
    layout: TraceLayout,
    probes: Probes,
    stats: SolverStatistics,
    t: f64,
    /// The next step size: the fixed step, or what the last error allows.
    h: f64,
    atol: Vec<f64>,
    sample: f64,
    due: u64,
    row: Vec<f64>,
    state: Vec<f64>,
    before: f64,
    impact: f64,
    limits: RunLimits,
}

impl<'a, 's> ExplicitRun<'a, 's> {
    fn new(
        table: &'static Tableau,
        system: &'s System,
        options: &'a SimulationOptions,
        observer: &'a mut dyn Observer,
        probes: Probes,
    ) -> Self {
        let mut flow = Flow::new(system);
        let mut y = vec![0.0; flow.len()];
        initial(system, &flow, &mut y);
        // a direction of zero: the bare law on both sides of zero and at zero
        flow.components.contacts.iter_mut().for_each(|contact| contact.mode = ContactMode::Slip(0.0));
        flow.regroup();
        let (_, atol) = tolerances(&flow, options);
        let layout = TraceLayout::new(system, &flow);
        let span = options.end - options.start;
        let max_steps = match options.max_steps {
            0 if options.method.is_adaptive() => DEFAULT_MAX_ATTEMPTS,
            most => most,
        };
        let limits = RunLimits::new(&SimulationOptions { max_steps, ..options.clone() });
        Self {
            options,
            observer,
            step: RungeKuttaStep::new(table, y),
            layout,
            probes,
            stats: SolverStatistics::default(),
            t: options.start,
            h: if options.step > 0.0 { options.step } else { 1e-3 * span },
            atol,
            sample: if options.sample > 0.0 { options.sample } else { 1e-3 * span },
            due: 1,
            row: Vec::new(),
            state: vec![0.0; flow.len()],
            before: 0.0,
            impact: 0.0,
            limits,
            flow,
        }
    }
    fn fail<T>(&self, kind: SimErrorKind) -> Result<T, SimError> {
        Err(SimError::Run { t: self.t, kind })
    }
    fn begin(&mut self) -> Result<(), SimError> {
        self.flow.from = self.t;
        self.before = self.flow.energy(self.t, &self.step.y0);
        if self.flow.has_plants() && !self.flow.groups.full.iter().all(|x| x.is_finite()) {
            return self.fail(SimErrorKind::SingularMassMatrix);
        }
        sample_controllers(&mut self.flow, &self.step.y0, self.t, self.options.start);
        self.between()?;
        self.write_row()?;
        self.probes.begin(&self.row);
        if self.options.method.is_adaptive() {
            self.first_step();
        }
        Ok(())
    }
    /// Runs to the end; false if the observer or the stop flag ended the run.
    fn advance_to_end(&mut self) -> Result<bool, SimError> {
        while self.t < self.options.end {
            self.advance()?;
            if !self.observer.should_continue(self.t) || self.options.stop.is_raised() {
                self.write_row()?;
                return Ok(false);
            }
            if let Some(kind) = self.limits.exceeded(self.stats.steps + self.stats.rejected, self.t) {
                return self.fail(kind);
            }
        }
        self.write_row()?;
        Ok(true)
    }
    /// Initial step size as in the event-driven method: a hundredth of the time scale of the state.
    fn first_step(&mut self) {
        let rates = self.step.begin(&mut self.flow, self.t).to_vec();
        let mut rate = 0.0_f64;
        for ((f, y), atol) in rates.iter().zip(&self.step.y0).zip(&self.atol) {
            rate = rate.max(f.abs() / (y.abs() + atol / self.options.rtol));
        }
        self.h = (0.01 / rate.max(1e-300)).min(1e-3 * (self.options.end - self.options.start));
    }
    /// The end of the run, or the next sample of a controller.
    fn next_breakpoint(&self) -> f64 {
        let due = self.flow.components.controllers.iter().map(|controller| match &controller.kind {
            ControllerKind::Continuous(_) => f64::INFINITY,
            ControllerKind::Sampled { period, count, .. } => due(self.options.start, *period, *count),
        });
        due.fold(self.options.end, f64::min)
    }
    /// Attempts one step.
    fn advance(&mut self) -> Result<(), SimError> {
        let (breakpoint, adaptive) = (self.next_breakpoint(), self.options.method.is_adaptive());
        let mut h = self.h.min(self.options.max_step);
        // a step that ends within rounding of the breakpoint ends at it
        let lands = self.t + h >= breakpoint - 1e-9 * h;
        if lands {
            h = breakpoint - self.t;
        }
        let finite = self.step.begin(&mut self.flow, self.t).iter().all(|x| x.is_finite());
        if !finite {
            return self.fail(SimErrorKind::NotFinite);
        }
        if h.is_nan() || h <= 4.0 * f64::EPSILON * self.t.abs() {
            return self.fail(SimErrorKind::Stalled { step: h });
        }
        self.step.attempt(&mut self.flow, h);
        if adaptive {
            let error = self.step.error(self.options.rtol, &self.atol);
            let order = f64::from(self.options.method.order());
            if error.is_nan() || error > 1.0 {
                self.stats.rejected += 1;
                self.h = h * after_rejected(error, order);
                return Ok(());
            }
            let next = h * after_accepted(error, order, true);
            self.h = if lands { self.h.max(next) } else { next };
        }
        self.stats.steps += 1;
        let t = if lands { breakpoint } else { self.step.t + h };
        if !self.step.y1.iter().all(|x| x.is_finite()) {
            return self.fail(SimErrorKind::NotFinite);
        }
        self.samples(t)?;
        self.step.accept();
        self.t = t;
        if t < self.options.end && sample_controllers(&mut self.flow, &self.step.y0, t, self.options.start) {
            self.step.restart();
        }
        self.between()?;
        Ok(())
    }
    /// Handles what happens between steps: contact states jump, and bodies beyond a stop rebound.
    fn between(&mut self) -> Result<(), SimError> {
        let Self { flow, step, t, impact, .. } = self;
        flow.set_motions(*t);
        for contact in flow.components.contacts.iter_mut().filter(|contact| !contact.jump_free) {
            contact.load_memory(&step.y0);
            let v = contact.row.v(&step.y0, &flow.motions);
            contact.law.jump(&mut contact.memory, &Input { v, load: contact.load[0] });
            contact.store(&mut step.y0);
            step.restart();
        }
        let (y, motions) = (&step.y0, &flow.motions);
        let in_contact = |(stop, state): (usize, &StopState<'_>)| {
            let (end, gap) = state.nearest_end(y, motions);
            (gap <= 0.0 && state.row.responds()).then_some(StopContact { stop, end })
        };
        let contacts: Vec<StopContact> = flow.components.stops.iter().enumerate().filter_map(in_contact).collect();
        if contacts.is_empty() {
            return Ok(());
        }
        let before = flow.energy(*t, &step.y0);
        flow.move_onto_stops(&contacts, false, &mut step.y0);
        let restitution: Vec<f64> =
            contacts.iter().map(|c| flow.components.stops[c.stop].parameters.restitution).collect();
        let Some(result) = flow.strike(&contacts, &restitution, &mut step.y0) else {
            let stop = flow.components.stops[contacts[0].stop].name.to_owned();
            return self.fail(SimErrorKind::NoRoom { stops: vec![stop] });
        };
        step.y0[flow.components.n + flow.components.nu + WORK] += result.work;
        *impact += before + result.work - flow.energy(*t, &step.y0);
        step.restart();
        Ok(())
    }
    /// Writes the rows due within the step, and shows the step to the probes.
    fn samples(&mut self, t: f64) -> Result<(), SimError> {
        let Self { flow, step, layout, probes, row, state, observer, sample, due, options, limits, .. } = self;
        loop {
            let at = options.start + *due as f64 * *sample;
            // the last row is written at the end
            if at > t || at >= options.end - 1e-9 * *sample {
                break;
            }
            step.state(((at - step.t) / step.h).min(1.0), Some(state));
            flow.from = at;
            layout.fill(flow, at, state, row);
            if !row.iter().all(|x| x.is_finite()) {
                return Err(SimError::Run { t: at, kind: SimErrorKind::NotFinite });
            }
            observer.row(row);
            *due += 1;
            // a long step may contain many rows
            if due.is_multiple_of(4096) {
                if !observer.should_continue(at) || options.stop.is_raised() {
                    break;
                }
                limits.check_time(at)?;
            }
        }
        if probes.last_in_steps().is_some() {
            probes.step(1.0, t, |fraction, row| {
                step.state(fraction, Some(state));
                flow.from = step.t + fraction * step.h;
                layout.fill(flow, flow.from, state, row);
            });
        }
        Ok(())
    }
    fn write_row(&mut self) -> Result<(), SimError> {
        let Self { flow, step, layout, row, observer, t, .. } = self;
        flow.from = *t;
        layout.fill(flow, *t, &step.y0, row);
        if !row.iter().all(|x| x.is_finite()) {
            return self.fail(SimErrorKind::NotFinite);
        }
        observer.row(row);
        Ok(())
    }
    fn energy(&mut self) -> EnergyBalance {
        let after = self.flow.energy(self.t, &self.step.y0);
        let at = self.flow.components.n + self.flow.components.nu;
        let [work, friction, damping] = [0, 1, 2].map(|k| self.step.y0[at + k]);
        EnergyBalance { work, friction, damping, impact: self.impact, before: self.before, after }
    }
}
