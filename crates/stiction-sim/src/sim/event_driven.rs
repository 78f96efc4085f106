//! One step of the event-driven run: to its first event and through the transition there.
use super::bounces::{BounceSeries, stop_groups};
use super::breakpoints::has_step_limits;
use super::columns::TraceLayout;
use super::components::{ContactMode, StopKind, StopMode};
use super::event_locator::{EventLocator, Guard, ZeroCrossing};
use super::flow::{Flow, WORK};
use super::poincare::SectionState;
use super::recorder::{Recorder, StepOutput};
use super::rosenbrock::Step;
use super::run_loop::{Integrator, Results};
use super::sensitivity::{Cause, Sensitivity};
use super::setup::{detect_singular_slopes, initial, sample_controllers, tolerances};
use super::simultaneous::LimitsReached;
use super::single_contact::SingleContact;
use super::step_size::{StepSizeController, min_step};
use super::{SimErrorKind, SimulationOptions, SolverStatistics, SystemState};
use crate::SimError;
use crate::system::System;

/// Simultaneity window, as a fraction of the step: an event earlier than this in a step that itself begins at an event
/// happens, for the accuracy of the dense output, at the same time as the one before.
const SIMULTANEITY_WINDOW: f64 = 1e-6;
/// Most simultaneous events. Coupled contacts may well switch one after the other at one instant; beyond this number the
/// events are suspected to come from a step that is too long.
const MAX_SIMULTANEOUS_EVENTS: u32 = 4;
/// A run in progress.
pub(super) struct EventDrivenRun<'a, 's> {
    pub(super) options: &'a SimulationOptions,
    pub(super) recorder: Recorder<'a>,
    pub(super) flow: Flow<'s>,
    pub(super) step: Step,
    pub(super) locator: EventLocator,
    pub(super) layout: TraceLayout,
    pub(super) stats: SolverStatistics,
    pub(super) t: f64,
    /// What the rounding of `t` left out \[s\]: steps may be shorter than the resolution of the time.
    pub(super) t_remainder: f64,
    pub(super) h: f64,
    pub(super) atol: Vec<f64>,
    pub(super) speed_tolerance: f64,
    /// The row just before an event.
    pub(super) kept: Vec<f64>,
    pub(super) scratch: Vec<f64>,
    pub(super) state: Vec<f64>,
    pub(super) guards: Vec<f64>,
    pub(super) before: f64,
    /// Energy lost in impacts \[J\].
    pub(super) impact: f64,
    /// Elastic energy of springs that were switched off \[J\].
    pub(super) switching: f64,
    /// Stops struck in the present transition, and the names of those whose impact had no solution.
    pub(super) struck: Vec<usize>,
    pub(super) crushed: Vec<String>,
    /// The bounces at each stop, and the number of the group of stops that it may pass impulses to.
    pub(super) bounces: Vec<BounceSeries>,
    pub(super) stop_groups: Vec<usize>,
    /// Modes of contacts and stops before a change.
    pub(super) before_change: (Vec<ContactMode>, Vec<StopMode>),
    /// Number of events since time last advanced.
    pub(super) events_without_progress: usize,
    pub(super) control: StepSizeController,
    pub(super) sections: Vec<SectionState>,
    /// Number of successive steps that were as short as the resolution of the time.
    pub(super) minimal_steps: u32,
    /// Time of the last event \[s\], and number of events that followed each other within the simultaneity window.
    pub(super) last_event: f64,
    simultaneous_events: u32,
    /// Time at which a contact was last started in the direction opposite to its mode \[s\].
    pub(super) reversed_at_start: f64,
    /// Next breakpoint in time \[s\]: a jump or kink of a signal, a sample of a controller, the end of the run.
    pub(super) breakpoint: f64,
    /// Whether a signal, a noise or a controller limits the step size.
    pub(super) has_step_limits: bool,
    /// The kernel for systems of one body and one contact.
    pub(super) single: Option<Box<SingleContact>>,
    /// The derivatives by parameters, if they are wanted.
    pub(super) sensitivity: Option<Box<Sensitivity<'s>>>,
}

impl<'a, 's> EventDrivenRun<'a, 's> {
    pub(super) fn new(system: &'s System, options: &'a SimulationOptions, recorder: Recorder<'a>) -> Self {
        let mut flow = Flow { rtol: options.rtol, ..Flow::new(system) };
        let (base, mut atol) = tolerances(&flow, options);
        detect_singular_slopes(&mut flow, options, base, &mut atol);
        for (contact, joint) in flow.components.contacts.iter_mut().zip(&system.contacts) {
            contact.find_critical_speeds(&joint.component);
        }
        flow.components.start_positions(system, options.start);
        let mut step = Step::new(&flow);
        initial(system, &flow, &mut step.y0);
        let (len, locator, layout) =
            (Step::pad(&flow), EventLocator::new(&flow, &atol), TraceLayout::new(system, &flow));
        let single = SingleContact::new(system, &flow, options, &atol);
        let most_guards =
            flow.components.contacts.iter().map(|contact| contact.guard_signs.len() + 1).max().unwrap_or(0);
        flow.components.set_switches(options.start);
        Self {
            options,
            recorder,
            step,
            locator,
            layout,
            stats: SolverStatistics::default(),
            t: options.start,
            t_remainder: 0.0,
            h: 0.0,
            atol,
            speed_tolerance: base,
            kept: Vec::new(),
            scratch: vec![0.0; len],
            state: vec![0.0; len],
            guards: vec![0.0; most_guards],
            before: 0.0,
            impact: 0.0,
            switching: 0.0,
            struck: Vec::new(),
            crushed: Vec::new(),
            bounces: vec![BounceSeries::default(); flow.components.stops.len()],
            stop_groups: stop_groups(&flow),
            before_change: Default::default(),
            events_without_progress: 0,
            control: StepSizeController::default(),
            sections: options.sections.iter().map(SectionState::new).collect(),
            minimal_steps: 0,
            last_event: f64::NEG_INFINITY,
            simultaneous_events: 0,
            reversed_at_start: f64::NEG_INFINITY,
            breakpoint: f64::NEG_INFINITY,
            has_step_limits: has_step_limits(&flow),
            single,
            sensitivity: None,
            flow,
        }
    }
    /// Starts from a state, if there is one.
    pub(super) fn load(&mut self, state: Option<&SystemState>) {
        if let Some(state) = state {
            state.load(&mut self.flow.components, &mut self.step.y0);
        }
    }
    /// Decides the modes at the start, and writes the first row.
    fn start(&mut self) -> Result<(), SimError> {
        self.flow.from = self.t;
        self.before = self.flow.energy(self.t, &self.step.y0);
        let switched = self.flow.components.switching_at(self.t);
        if !switched.is_empty() {
            self.switching = self.flow.switch_components(self.t, &mut self.step.y0, self.speed_tolerance)?.lost;
        }
        let full = &self.flow.groups.full;
        if self.flow.has_plants() && (full.is_empty() || !full.iter().all(|x| x.is_finite())) {
            return self.fail(SimErrorKind::SingularMassMatrix);
        }
        for k in 0..self.flow.components.contacts.len() {
            let contact = &mut self.flow.components.contacts[k];
            let v = contact.row.v(&self.step.y0, &self.flow.motions);
            contact.mode = ContactMode::Slip(if v < 0.0 { -1.0 } else { 1.0 });
            contact.update_regularisation(&self.step.y0, &self.flow.motions, self.flow.rtol);
            if contact.is_regularised() && v.abs() < contact.release_velocity(1.0) {
                // too slow to slide
                self.step.y0[contact.row.v[0]] -= v / contact.row.q[0].1;
            }
        }
        for k in 0..self.flow.components.springs.len() {
            let spring = &mut self.flow.components.springs[k];
            if spring.has_kinks() {
                let (x, v) =
                    (spring.row.x(&self.step.y0, &self.flow.motions), spring.row.v(&self.step.y0, &self.flow.motions));
                spring.piece = Some(spring.piece_at(x, v));
            }
        }
        // a body that begins in contact with a stop stays there or leaves it
        for k in 0..self.flow.components.stops.len() {
            let stop = &mut self.flow.components.stops[k];
            let x = stop.row.x(&self.step.y0, &self.flow.motions);
            let near = stop.row.position_rounding(&self.step.y0, &self.flow.motions);
            if stop.kind == StopKind::Gear
                && stop.is_on
                && stop.row.nonzero_speed(&self.step.y0, &self.flow.motions).is_none()
            {
                stop.mode = StopMode::At(1.0);
            }
            if stop.kind == StopKind::Displacement
                && stop.is_on
                && stop.row.nonzero_speed(&self.step.y0, &self.flow.motions).is_none()
                && stop.row.responds()
            {
                stop.mode = match x {
                    x if (x - stop.parameters.lo).abs() <= near => StopMode::At(-1.0),
                    x if (x - stop.parameters.hi).abs() <= near => StopMode::At(1.0),
                    _ => StopMode::Free,
                };
            }
        }
        self.sample_controllers();
        self.close_gears();
        self.settle_modes();
        self.check_stick_slip_solution()?;
        self.check_first_sensitivities();
        self.begin_sections();
        self.first_step();
        self.fill_row();
        self.recorder.begin(self.t)?;
        self.report_switches(&switched);
        if !self.struck.is_empty() {
            // gears that were switched on at this instant
            self.update_modes(|_| {})?;
        }
        self.strike_closing_stops()
    }
    /// Calls the sampled controllers that are due.
    fn sample_controllers(&mut self) {
        sample_controllers(&mut self.flow, &self.step.y0, self.t, self.options.start);
    }
    /// Initial step size: a hundredth of the time scale of the state.
    fn first_step(&mut self) {
        self.flow.rhs(self.t, &self.step.y0, &mut self.scratch);
        let SimulationOptions { start, end, .. } = *self.options;
        self.h = (0.01 * self.time_scale()).min(1e-3 * (end - start)).max(self.min_initial_step());
    }
    /// Time scale \[s\] in which the state would change by its own size, from the rates computed last.
    fn time_scale(&self) -> f64 {
        let Self { step, scratch, atol, options, .. } = self;
        let mut rate = 0.0_f64;
        for ((y, f), atol) in step.y0.iter().zip(scratch).zip(atol) {
            rate = rate.max(f.abs() / (y.abs() + atol / options.rtol));
        }
        (1.0 / rate.max(1e-300)).max(self.min_initial_step())
    }
    /// A step that is well above the rounding of the time throughout the run.
    fn min_initial_step(&self) -> f64 {
        1e3 * f64::EPSILON * self.options.start.abs().max(self.options.end.abs())
    }
    /// Takes a step, to its first event and through the transition there.
    fn step_to_event(&mut self) -> Result<(), SimError> {
        if self.t >= self.breakpoint {
            self.breakpoint = self.next_breakpoint();
        }
        let breakpoint = self.breakpoint;
        let mut taken = self.take_step(breakpoint)?;
        let mut crossing = None;
        if !taken.is_clear {
            crossing = self.first_crossing();
            crossing = self.end_at_unseen(crossing, &mut taken)?;
        }
        if let Some(seen) = crossing {
            crossing = self.retake(seen, &mut taken)?;
        }
        if let Some(crossing) = crossing
            && self.is_spurious(&crossing)
        {
            self.reject_crossing(&crossing);
            return Ok(());
        }
        if self.reversed_at_start == self.step.t {
            self.report_reversals()?;
        }
        let cross = self.first_section(crossing.map_or(1.0, |crossing| crossing.theta));
        let crossing = if cross.is_some() { None } else { crossing };
        let theta = cross.map_or(crossing.map_or(1.0, |crossing| crossing.theta), |(theta, _)| theta);
        let (t, remainder) = if theta >= 1.0 && taken.lands {
            (breakpoint, 0.0)
        } else if self.step.log_speeds.is_fast {
            add_to_time(self.step.t, self.t_remainder + theta * self.step.h)
        } else {
            (self.step.t + theta * self.step.h, 0.0)
        };
        let together = match &crossing {
            Some(crossing) => {
                let Self { locator, flow, step, speed_tolerance, .. } = self;
                let resolution = min_step(step.t) / step.h;
                (
                    locator.coming_to_rest(flow, step, crossing, resolution, *speed_tolerance),
                    locator.letting_go(flow, step, crossing, resolution),
                )
            }
            None => (Vec::new(), LimitsReached::One),
        };
        self.follow_step(theta);
        self.record_step(theta, t)?;
        if self.recorder.is_cut {
            return Ok(());
        }
        self.move_to(theta, t, crossing.is_some())?;
        self.t_remainder = remainder;
        self.follow_to_end();
        self.update_slip_directions(crossing.as_ref());
        if let Some(crossing) = crossing {
            self.begin_transition(Cause::Guard(crossing.guard));
            self.event(crossing, (&together.0, &together.1))?;
            self.end_transition();
        } else {
            self.jump_memories();
        }
        if let Some((_, k)) = cross {
            self.cross(k)?;
        }
        // also a step that was shortened, to an event or a minimum, by less than the clock resolves
        if (taken.lands && theta >= 1.0 || t >= breakpoint) && t < self.options.end {
            self.begin_transition(Cause::Breakpoint);
            self.write_kink()?;
            self.write_row_before_switching()?;
            // a signal may have jumped: decide again which contacts at rest stick
            self.flow.from = self.t;
            self.sample_controllers();
            self.flow.set_motions(self.t);
            self.renew_spring_pieces()?;
            self.switch_components()?;
            self.strike_closing_stops()?;
            self.update_modes(|run| {
                run.release_moving_contacts();
                run.settle_modes();
            })?;
            self.end_transition();
            self.h = self.h.min(self.time_scale());
        }
        Ok(())
    }
    /// Whether event after event is found at the very start of steps that begin at an event. A long step does not resolve fast
    /// transients after an event, and its dense output may start in the wrong direction.
    fn is_spurious(&mut self, crossing: &ZeroCrossing) -> bool {
        if crossing.theta >= SIMULTANEITY_WINDOW || self.last_event != self.step.t {
            self.simultaneous_events = 0;
        }
        self.simultaneous_events += 1;
        // the Taylor stepper has no truncation error
        self.simultaneous_events > MAX_SIMULTANEOUS_EVENTS
            && self.step.h > 1e3 * min_step(self.t)
            && !self.flow.taylor.applies
    }
    /// Rejects a step with a spurious event. A contact with a single-valued law is first started in the opposite direction; if
    /// that does not help, and for all other guards, the step size is reduced.
    fn reject_crossing(&mut self, crossing: &ZeroCrossing) {
        self.stats.rejected += 1;
        if let Guard::Velocity(c) = crossing.guard
            && self.may_reverse(c)
        {
            self.reversed_at_start = self.t;
            self.flow.set_motions(self.t);
            let contact = &mut self.flow.components.contacts[c];
            contact.restarts += 1;
            let restarts = contact.restarts;
            if let ContactMode::Slip(side) = contact.mode {
                contact.mode = ContactMode::Slip(-side);
            }
            if contact.rest_time == self.t {
                // the states jump from what they were at rest, not from what the other direction made of them
                contact.memory.copy_from_slice(&contact.memory_at_rest);
                contact.store(&mut self.step.y0);
            }
            self.jump_memories();
            if restarts % 2 == 1 {
                self.h = self.step.h;
                return;
            }
        }
        self.h = 0.1 * self.step.h;
    }
    /// Whether the law of contact `c` is single-valued at rest, and the contact is at rest at the start of the step.
    fn may_reverse(&mut self, c: usize) -> bool {
        let Self { flow, step, speed_tolerance, .. } = self;
        flow.set_motions(step.t);
        let contact = &flow.components.contacts[c];
        let (low, high) = contact.limits();
        low == high && contact.row.v(&step.y0, &flow.motions).abs() <= 1e-6 * *speed_tolerance
    }
    /// Writes the rows due within the step up to its fraction `theta`, and shows it to the probes.
    fn record_step(&mut self, theta: f64, t: f64) -> Result<(), SimError> {
        let Self { flow, step, layout, state, recorder, sensitivity, .. } = self;
        let (span, sensitivity) = ((step.t, step.h), sensitivity.as_deref_mut());
        recorder.record_step(span, theta, t, &mut DenseRows { flow, step, layout, state, sensitivity })
    }
    fn move_to(&mut self, theta: f64, t: f64, event: bool) -> Result<(), SimError> {
        let Self { flow, step, state, .. } = self;
        step.state(theta, state);
        step.energies(flow, theta, state);
        if !state.iter().all(|x| x.is_finite()) {
            return self.fail(SimErrorKind::NotFinite);
        }
        for contact in flow.components.contacts.iter_mut().filter(|contact| !contact.has_moved) {
            contact.has_moved = contact.row.v(&step.y0, &flow.motions).abs() > self.speed_tolerance;
        }
        let turned = self.speed_tolerance;
        for gear in flow.components.lossy_gears.iter_mut().filter(|gear| !gear.has_moved) {
            gear.has_moved = gear.speed(&step.y0).abs() > turned;
        }
        std::mem::swap(state, &mut step.y0);
        // an event without progress in time may be one of an infinite series
        self.events_without_progress =
            if event && t - self.t <= 1e-14 * t.abs().max(1e-3) { self.events_without_progress + 1 } else { 0 };
        if self.events_without_progress > 0 {
            // the dense output of a long step may start in the wrong direction
            self.h *= 0.3;
        }
        self.t = t;
        flow.set_motions(t);
        step.note_speeds(flow, theta, &step.y0);
        flow.groups.align(&mut step.y0, &flow.components.vi, &flow.motions);
        // a body in contact with a moving stop is placed on it exactly
        for stop in &flow.components.stops {
            if let (StopMode::At(end), StopKind::Displacement) = (stop.mode, stop.kind) {
                let (at, (i, c)) = (if end > 0.0 { stop.parameters.hi } else { stop.parameters.lo }, stop.row.q[0]);
                step.y0[i] -= (stop.row.x(&step.y0, &flow.motions) - at) / c;
            }
        }
        Ok(())
    }
}

impl<'a> Integrator<'a> for EventDrivenRun<'a, '_> {
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
        self.start()
    }
    fn advance(&mut self) -> Result<(), SimError> {
        self.step_to_event()
    }
    fn work(&self) -> f64 {
        self.step.y0[self.flow.components.n + self.flow.components.nu + WORK]
    }
    fn load_factors(&self) -> impl Iterator<Item = (usize, f64)> {
        self.flow.components.contacts.iter().map(|contact| contact.load_factor(contact.load[0])).enumerate()
    }
    fn fill_row(&mut self) {
        self.layout.fill(&mut self.flow, self.t, &self.step.y0, &mut self.recorder.row);
        self.append_derivatives();
    }
    fn results(&mut self) -> Results {
        Results {
            energy: self.flow.energy_balance(self.t, &self.step.y0, self.before, [self.impact, self.switching]),
            stats: SolverStatistics { evaluations: self.flow.evaluations, ..self.stats },
            state: SystemState::save(&self.flow.components, &self.step.y0),
        }
    }
}

/// Rows by the dense output of a step.
struct DenseRows<'r, 's> {
    flow: &'r mut Flow<'s>,
    step: &'r Step,
    layout: &'r mut TraceLayout,
    state: &'r mut Vec<f64>,
    sensitivity: Option<&'r mut Sensitivity<'s>>,
}

impl StepOutput for DenseRows<'_, '_> {
    fn fill(&mut self, fraction: f64, t: f64, row: &mut Vec<f64>) {
        self.step.state(fraction, self.state);
        self.flow.set_motions(t);
        self.step.note_speeds(self.flow, fraction, self.state);
        self.layout.fill(self.flow, t, self.state, row);
        if let Some(sensitivity) = &mut self.sensitivity {
            sensitivity.append_in_step(self.flow, self.step, fraction, (t, self.state), row);
        }
    }
    fn fill_probed(&mut self, last: usize, fraction: f64, t: f64, row: &mut Vec<f64>) {
        if last >= self.layout.count_nodes() {
            return self.fill(fraction, t, row);
        }
        self.step.state(fraction, self.state);
        self.layout.nodes(self.flow, t, self.state, row);
    }
}

/// The time `t + dt`, and what its rounding leaves out.
fn add_to_time(t: f64, dt: f64) -> (f64, f64) {
    let sum = t + dt;
    // exact for dt not above t; a remainder that is larger than the rounding of dt itself says nothing
    let remainder = dt - (sum - t);
    (sum, if dt.abs() <= t.abs() { remainder } else { 0.0 })
}
