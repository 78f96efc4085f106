//! Explicit Runge–Kutta methods, for teaching and comparison.
//!
//! They integrate the bare law as a textbook would: the force at the present velocity, `sgn 0 = 0`, no stick and no events.
//! Euler's method therefore chatters about `v = 0` and its position drifts, and an adaptive method stalls where a Coulomb
//! contact comes to rest. Jumps of contact states, impacts and sampled controllers are handled between steps. An impact is told
//! where a stop was open after the step before: a body that rests at a stop is put back after every step.
mod stages;
mod tableau;

use super::columns::TraceLayout;
use super::components::{ContactMode, ControllerKind, StopState};
use super::flow::{Flow, WORK};
use super::impact_law::StopContact;
use super::recorder::{Recorder, StepOutput};
use super::run_loop::{Integrator, Results};
use super::setup::{initial, sample_controllers, tolerances};
use super::step_size::{after_accepted, after_rejected};
use super::{Event, EventKind, SimErrorKind, SimulationOptions, SolverStatistics, SystemState};
use crate::SimError;
use crate::system::System;
use stages::RungeKuttaStep;
use stiction_core::Input;
use tableau::Tableau;
pub(super) use tableau::tableau;

/// A run by an explicit method.
pub(super) struct ExplicitRun<'a, 's> {
    options: &'a SimulationOptions,
    recorder: Recorder<'a>,
    flow: Flow<'s>,
    step: RungeKuttaStep,
    layout: TraceLayout,
    stats: SolverStatistics,
    t: f64,
    /// The next step size: the fixed step, or what the last error allows.
    h: f64,
    /// The tolerance of positions.
    tolerance: f64,
    atol: Vec<f64>,
    state: Vec<f64>,
    before: f64,
    impact: f64,
    switching: f64,
    /// The stops that were in contact after the last step: a body that rests there is put back after every step.
    touching: Vec<bool>,
}

impl<'a, 's> ExplicitRun<'a, 's> {
    /// For the method with this Butcher tableau.
    pub(super) fn new(
        table: &'static Tableau,
        system: &'s System,
        options: &'a SimulationOptions,
        recorder: Recorder<'a>,
    ) -> Self {
        let mut flow = Flow::new(system);
        flow.components.start_positions(system, options.start);
        let mut y = vec![0.0; flow.len()];
        initial(system, &flow, &mut y);
        // a direction of zero: the bare law on both sides of zero and at zero
        flow.components.contacts.iter_mut().for_each(|contact| contact.mode = ContactMode::Slip(0.0));
        flow.regroup();
        let (tolerance, atol) = tolerances(&flow, options);
        flow.components.set_switches(options.start);
        Self {
            options,
            recorder,
            step: RungeKuttaStep::new(table, y),
            layout: TraceLayout::new(system, &flow),
            stats: SolverStatistics::default(),
            t: options.start,
            h: if options.step > 0.0 { options.step } else { 1e-3 * (options.end - options.start) },
            tolerance,
            atol,
            state: vec![0.0; flow.len()],
            before: 0.0,
            impact: 0.0,
            switching: 0.0,
            touching: vec![false; flow.components.stops.len()],
            flow,
        }
    }
    /// Starts from a state, if there is one.
    pub(super) fn load(&mut self, state: Option<&SystemState>) {
        if let Some(state) = state {
            state.load(&mut self.flow.components, &mut self.step.y0);
        }
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
    /// The end of the run, the next sample of a controller, or the next time at which something is switched.
    fn next_breakpoint(&self) -> f64 {
        let due = self.flow.components.controllers.iter().map(|controller| match &controller.kind {
            ControllerKind::Continuous(_) => f64::INFINITY,
            ControllerKind::Sampled { period, state, .. } => state.due(*period, self.options.start),
        });
        let switches = self.flow.components.switches.iter().map(|switch| switch.signal.next_breakpoint(self.t));
        due.chain(switches).fold(self.options.end, f64::min)
    }
    /// Attempts one step.
    fn attempt(&mut self) -> Result<(), SimError> {
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
            let next = h * after_accepted(error, order);
            self.h = if lands { self.h.max(next) } else { next };
        }
        self.stats.steps += 1;
        let t = if lands { breakpoint } else { self.step.t + h };
        if !self.step.y1.iter().all(|x| x.is_finite()) {
            return self.fail(SimErrorKind::NotFinite);
        }
        let Self { flow, step, layout, state, recorder, .. } = self;
        let span = (step.t, step.h);
        recorder.record_step(span, 1.0, t, &mut BareRows { flow, step, layout, state })?;
        if recorder.is_cut {
            return Ok(());
        }
        self.step.accept();
        self.t = t;
        if t < self.options.end && sample_controllers(&mut self.flow, &self.step.y0, t, self.options.start) {
            self.step.restart();
        }
        if t < self.options.end && self.flow.components.has_switched(t) {
            self.write_row()?;
            for (part, is_on) in self.flow.components.switching_at(t) {
                let kind = if is_on { EventKind::Enable } else { EventKind::Disable };
                self.recorder.report(&Event { t, part, kind });
            }
            self.switching += self.flow.switch_components(t, &mut self.step.y0, self.tolerance)?.lost;
            self.step.restart();
            self.write_row()?;
        }
        let impacts = self.between()?;
        if !impacts.is_empty() {
            self.fill_row();
            impacts.iter().for_each(|impact| self.recorder.report(impact));
        }
        Ok(())
    }
    /// Handles what happens between steps: contact states jump, and bodies beyond a stop rebound. Returns the impacts.
    fn between(&mut self) -> Result<Vec<Event>, SimError> {
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
        let touched = std::mem::replace(&mut self.touching, vec![false; flow.components.stops.len()]);
        if contacts.is_empty() {
            return Ok(Vec::new());
        }
        contacts.iter().for_each(|c| self.touching[c.stop] = true);
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
        let struck = contacts.iter().zip(&result.impulses).filter(|(c, p)| **p != 0.0 && !touched[c.stop]);
        let first = flow.components.contacts.len();
        Ok(struck.map(|(c, _)| Event { t: *t, part: first + c.stop, kind: EventKind::Impact }).collect())
    }
}

impl<'a> Integrator<'a> for ExplicitRun<'a, '_> {
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
        self.flow.from = self.t;
        self.before = self.flow.energy(self.t, &self.step.y0);
        if self.flow.components.has_switched(self.t) {
            self.switching = self.flow.switch_components(self.t, &mut self.step.y0, self.tolerance)?.lost;
        }
        if self.flow.has_plants() && !self.flow.groups.full.iter().all(|x| x.is_finite()) {
            return self.fail(SimErrorKind::SingularMassMatrix);
        }
        sample_controllers(&mut self.flow, &self.step.y0, self.t, self.options.start);
        let impacts = self.between()?;
        self.fill_row();
        self.recorder.begin(self.t)?;
        impacts.iter().for_each(|impact| self.recorder.report(impact));
        if self.options.method.is_adaptive() {
            self.first_step();
        }
        Ok(())
    }
    fn advance(&mut self) -> Result<(), SimError> {
        self.attempt()
    }
    fn work(&self) -> f64 {
        self.step.y0[self.flow.components.n + self.flow.components.nu + WORK]
    }
    fn load_factors(&self) -> impl Iterator<Item = (usize, f64)> {
        self.flow.components.contacts.iter().map(|contact| contact.load_factor(contact.load[0])).enumerate()
    }
    fn fill_row(&mut self) {
        self.flow.from = self.t;
        self.layout.fill(&mut self.flow, self.t, &self.step.y0, &mut self.recorder.row);
    }
    fn results(&mut self) -> Results {
        Results {
            energy: self.flow.energy_balance(self.t, &self.step.y0, self.before, [self.impact, self.switching]),
            stats: SolverStatistics { evaluations: self.flow.evaluations, ..self.stats },
            state: SystemState::save(&self.flow.components, &self.step.y0),
        }
    }
}

/// Rows by the interpolant of a step.
struct BareRows<'r, 's> {
    flow: &'r mut Flow<'s>,
    step: &'r mut RungeKuttaStep,
    layout: &'r mut TraceLayout,
    state: &'r mut Vec<f64>,
}

impl StepOutput for BareRows<'_, '_> {
    fn fill(&mut self, fraction: f64, t: f64, row: &mut Vec<f64>) {
        self.step.state(fraction, Some(self.state));
        self.flow.from = t;
        self.layout.fill(self.flow, t, self.state, row);
    }
}
