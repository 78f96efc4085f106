//! A system ready to run.
use super::columns::columns;
use super::event_driven::EventDrivenRun;
use super::explicit::{self, ExplicitRun};
use super::flow::Flow;
use super::network::NetworkRun;
use super::plane::{self, PlaneRun};
use super::probes::Probes;
use super::recorder::Recorder;
use super::run_loop;
use super::setup::initial;
use super::state::states;
use super::{
    Column, IntegrationMethod, Observer, RunFailure, RunSummary, SensitivityReport, SimErrorKind, SimulationOptions,
    StateRole, SystemState, VariedParameter,
};
use crate::SimError;
use crate::system::{Controller, System};

/// Most numbers in a matrix: a gigabyte. A run holds three of them.
const MAX_MATRIX: usize = 1 << 27;
/// Number of bodies and contacts below which even full matrices are far smaller than that.
const SMALL_SYSTEM: usize = 1000;

/// A system ready to run.
pub struct Simulation<'s> {
    pub(super) system: &'s System,
    pub(super) columns: Vec<Column>,
}

impl<'s> Simulation<'s> {
    /// Prepares a system.
    ///
    /// # Errors
    /// [`SimError::System`] if the system as a whole is invalid.
    pub fn new(system: &'s System) -> Result<Self, SimError> {
        system.check()?;
        let columns = if system.is_planar() { plane::columns(&system.plane_system) } else { columns(system) };
        Ok(Self { system, columns })
    }
    /// The columns of the trace.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }
    /// The name of component number `part` of an [`Event`](super::Event).
    pub fn part(&self, part: usize) -> &str {
        self.system.parts().nth(part).unwrap_or("")
    }
    /// Name, unit and role of each component of a [`SystemState`].
    pub fn states(&self) -> Vec<(Column, StateRole)> {
        if self.system.is_planar() { plane::states(&self.system.plane_system) } else { states(self.system) }
    }
    /// The initial state of a run.
    pub fn initial(&self) -> SystemState {
        if self.system.is_planar() {
            return SystemState { y: plane::initial(&self.system.plane_system), ..SystemState::default() };
        }
        let flow = Flow::new(self.system);
        let mut y = vec![0.0; flow.len()];
        initial(self.system, &flow, &mut y);
        SystemState { switches: Vec::new(), ..SystemState::save(&flow.components, &y) }
    }
    /// Refuses controllers that would be sampled more than a billion times: surely a mistake.
    fn check_periods(&self, options: &SimulationOptions) -> Result<(), SimError> {
        for slot in &self.system.controllers {
            if let Controller::Sampled { period, .. } = slot.controller
                && (options.end - options.start) / period > 1e9
            {
                let requirement = "at least a billionth of the run";
                let kind = SimErrorKind::InvalidOption { key: "period", value: period, requirement };
                return Err(SimError::Run { t: options.start, kind });
            }
        }
        Ok(())
    }
    /// Refuses systems whose matrices would not fit into memory.
    fn check_size(&self, options: &SimulationOptions) -> Result<(), SimError> {
        let small = self.system.bodies.len() + self.system.contacts.len() < SMALL_SYSTEM;
        if small || options.method == IntegrationMethod::Network {
            return Ok(());
        }
        let flow = Flow::new(self.system);
        let states = flow.components.nu;
        let width = flow.band().map_or(states, |band| 3 * band + 1);
        if states.saturating_mul(width) <= MAX_MATRIX {
            return Ok(());
        }
        Err(SimError::Run { t: options.start, kind: SimErrorKind::TooLarge { states, width } })
    }
    /// Runs the system from its initial state; `observer` receives rows and events.
    ///
    /// # Errors
    /// [`SimError::Run`] for invalid options, or if the run cannot continue; rows and events up to then have been delivered.
    pub fn run(&self, options: &SimulationOptions, observer: &mut dyn Observer) -> Result<RunSummary, SimError> {
        self.run_from(None, options, observer)
    }
    /// Runs the system from a state, of this system or of one with the same components.
    ///
    /// # Errors
    /// As [`Simulation::run`].
    pub fn run_from(
        &self,
        state: Option<&SystemState>,
        options: &SimulationOptions,
        observer: &mut dyn Observer,
    ) -> Result<RunSummary, SimError> {
        let mut summary = self.run_to_failure(state, options, observer)?;
        match summary.failure.take() {
            Some(RunFailure { t, kind }) => Err(SimError::Run { t, kind }),
            None => Ok(summary),
        }
    }
    /// As [`Simulation::run_from`], but a run that had to stop returns the summary of what there is, with
    /// [`RunSummary::failure`].
    ///
    /// # Errors
    /// [`SimError`] if the run could not start.
    pub fn run_to_failure(
        &self,
        state: Option<&SystemState>,
        options: &SimulationOptions,
        observer: &mut dyn Observer,
    ) -> Result<RunSummary, SimError> {
        let probes = self.check_run(options)?;
        let recorder = Recorder::new(options, observer, probes);
        if self.system.is_planar() {
            let mut run = PlaneRun::new(&self.system.plane_system, state, options, recorder);
            return run_loop::run(&mut run, options.end, &self.columns, |part| self.part(part).to_owned());
        }
        if let Some(table) = explicit::tableau(options.method) {
            let mut run = ExplicitRun::new(table, self.system, options, recorder);
            run.load(state);
            return run_loop::run(&mut run, options.end, &self.columns, |part| self.part(part).to_owned());
        }
        if options.method == IntegrationMethod::Network {
            let mut run = NetworkRun::new(self.system, state, options, recorder)?;
            return run_loop::run(&mut run, options.end, &self.columns, |part| self.part(part).to_owned());
        }
        let mut run = EventDrivenRun::new(self.system, options, recorder);
        run.load(state);
        run_loop::run(&mut run, options.end, &self.columns, |part| self.part(part).to_owned())
    }
    /// The names of the derivatives that follow the columns in the rows of a run with these parameters: for each parameter,
    /// those of all columns but the time.
    pub fn derivative_names(&self, parameters: &[VariedParameter<'_>]) -> Vec<String> {
        let name =
            |parameter: &VariedParameter<'_>, column: &Column| format!("d {} / d {}", column.name, parameter.name);
        let of = |parameter| self.columns[1..].iter().map(move |column| name(parameter, column));
        parameters.iter().flat_map(of).collect()
    }
    /// As [`Simulation::run_to_failure`] from the initial state, with the derivatives of all columns by parameters: they follow
    /// the columns in each row that the observer receives, in the order of [`Simulation::derivative_names`], and are NaN where
    /// they do not exist. The run itself is the same as without them.
    ///
    /// # Errors
    /// [`SimErrorKind::NoSensitivity`] where they are not available; else as [`Simulation::run_to_failure`].
    pub fn run_with_sensitivities(
        &self,
        parameters: &[VariedParameter<'_>],
        options: &SimulationOptions,
        observer: &mut dyn Observer,
    ) -> Result<(RunSummary, SensitivityReport), SimError> {
        if self.system.is_planar() {
            return self.not_on_plane(options, "derivatives by parameters");
        }
        let probes = self.check_run(options)?;
        let mut run = EventDrivenRun::new(self.system, options, Recorder::new(options, observer, probes));
        run.differentiate(self.system, parameters, self.columns.len())?;
        let summary = run_loop::run(&mut run, options.end, &self.columns, |part| self.part(part).to_owned())?;
        Ok((summary, run.take_sensitivities()))
    }
    /// The error of what bodies on a plane do not have.
    pub(super) fn not_on_plane<T>(&self, options: &SimulationOptions, what: &'static str) -> Result<T, SimError> {
        Err(SimError::Run { t: options.start, kind: SimErrorKind::NotOnPlane { what } })
    }
    /// Checks a run before it starts; returns its probes.
    fn check_run(&self, options: &SimulationOptions) -> Result<Probes, SimError> {
        check_options(options)?;
        self.system.check_start(options.start)?;
        self.check_periods(options)?;
        if self.system.is_planar() {
            if options.method != IntegrationMethod::Rodas5P {
                return self.not_on_plane(options, "methods other than rodas5p");
            }
            if !options.sections.is_empty() {
                return self.not_on_plane(options, "sections");
            }
        }
        if explicit::tableau(options.method).is_some()
            && let Some(joint) = self.system.contacts.iter().find(|joint| joint.component.peak != 1.0)
        {
            let kind = SimErrorKind::PeakWithoutRest { contact: joint.name.clone(), method: options.method.name() };
            return Err(SimError::Run { t: options.start, kind });
        }
        if explicit::tableau(options.method).is_some()
            && let Some(joint) = self.system.lossy_gears.first()
        {
            let kind = SimErrorKind::NotWithLossyGear { gear: joint.name.clone(), what: "explicit methods" };
            return Err(SimError::Run { t: options.start, kind });
        }
        if explicit::tableau(options.method).is_some()
            && let Some(joint) = self.system.switched_gears.first()
        {
            let kind =
                SimErrorKind::SwitchedGearWithoutEvents { gear: joint.name.clone(), method: options.method.name() };
            return Err(SimError::Run { t: options.start, kind });
        }
        let names: Vec<&str> = self.system.parts().collect();
        let probes = Probes::new(options, &self.columns, &names)?;
        self.check_size(options)?;
        Ok(probes)
    }
}

/// Checks the ranges of all options.
pub fn check_options(options: &SimulationOptions) -> Result<(), SimError> {
    let SimulationOptions { start, end, rtol, atol, max_step, step, sample, max_seconds, .. } = *options;
    let wrong = |key, value, requirement| {
        Err(SimError::Run { t: start, kind: SimErrorKind::InvalidOption { key, value, requirement } })
    };
    if !start.is_finite() {
        return wrong("start", start, "finite");
    }
    if !(end > start && end.is_finite()) {
        return wrong("end", end, "after the start");
    }
    if !(1e-13..=0.1).contains(&rtol) {
        return wrong("rtol", rtol, "between 1e-13 and 0.1");
    }
    if !(0.0..=1.0).contains(&atol) {
        return wrong("atol", atol, "between 0 and 1");
    }
    if max_step.is_nan() || max_step <= 0.0 {
        return wrong("max_step", max_step, "positive");
    }
    if !(0.0..f64::INFINITY).contains(&step) {
        return wrong("step", step, "zero or more");
    }
    if !(0.0..f64::INFINITY).contains(&sample) {
        return wrong("sample", sample, "zero or more");
    }
    if max_seconds.is_nan() || max_seconds < 0.0 {
        return wrong("max_seconds", max_seconds, "zero or more");
    }
    if !(end - start).is_finite() {
        return wrong("end", end, "at a finite distance from the start");
    }
    if sample > 0.0 && (end - start) / sample > 1e9 {
        return wrong("sample", sample, "at least a billionth of the run");
    }
    Ok(())
}
