//! The return map: from one crossing of a Poincaré section to a later one, or over a period of the excitation.
use crate::Error;
use crate::analysis::AnalysisError;
use crate::analysis::steady_motion::{SteadyVelocities, steady_velocities};
use crate::sim::{
    Event, EventKind, NullObserver, Observer, PoincareSection, RestTreatment, Simulation, SimulationOptions, StateRole,
    StopFlag, SystemState,
};
use crate::system::System;

/// When a run has returned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ReturnCondition {
    /// At upward crossing number `turns` of a section.
    Section {
        /// The section, with the drift of its coordinate.
        section: PoincareSection,
        /// Which crossing.
        turns: usize,
    },
    /// After a time \[s\].
    Period(f64),
}

/// The return map of a system. Its states are relative: positions minus the displacement of the steady motion since t = 0.
pub struct ReturnMap<'a> {
    pub simulation: &'a Simulation<'a>,
    /// Velocity of the steady motion of each state variable.
    pub drift: Vec<f64>,
    /// Whether the motion depends on each state variable.
    pub matters: Vec<bool>,
    /// Start time \[s\].
    pub t: f64,
    /// Longest time until the return \[s\].
    pub patience: f64,
    /// When it returns.
    pub returns: ReturnCondition,
    /// Tolerance of the runs.
    pub rtol: f64,
    /// Limit of the computing time of a run \[s\], and the flag that ends it.
    pub max_seconds: f64,
    pub stop: StopFlag,
}

/// The result of one application of the map.
pub struct ReturnPoint {
    /// The relative state.
    pub state: SystemState,
    /// Time of the return \[s\].
    pub time: f64,
}

impl<'a> ReturnMap<'a> {
    /// The map of a system from time `t` on; its runs have the limits of computing time of `limits`.
    ///
    /// # Errors
    /// If the system drifts apart.
    pub fn new(
        system: &System,
        simulation: &'a Simulation<'a>,
        t: f64,
        returns: ReturnCondition,
        limits: &SimulationOptions,
    ) -> Result<Self, Error> {
        let linear = simulation.linearise(&simulation.initial(), t, RestTreatment::Free)?;
        let frame: SteadyVelocities = steady_velocities(system, t, &linear).map_err(Error::Analysis)?;
        let states = simulation.states();
        let drift = |role: &StateRole| match role {
            StateRole::Position(i) => frame[*i].unwrap_or(0.0),
            _ => 0.0,
        };
        let matters = |role: &StateRole| !matches!(role, StateRole::Position(i) if frame[*i].is_none());
        Ok(Self {
            simulation,
            drift: states.iter().map(|(_, role)| drift(role)).collect(),
            matters: states.iter().map(|(_, role)| matters(role)).collect(),
            t,
            patience: f64::INFINITY,
            returns,
            rtol: 1e-12,
            max_seconds: limits.max_seconds,
            stop: limits.stop.clone(),
        })
    }
    fn moved(&self, state: &SystemState, by: f64) -> SystemState {
        let y = state.y.iter().zip(&self.drift).map(|(y, d)| y + d * by).collect();
        // every return starts at the same time, and sampled controllers with it
        SystemState { y, memory: state.memory.clone(), sampled: Vec::new() }
    }
    /// A relative state as an absolute state of the simulator at the start time.
    pub fn absolute(&self, state: &SystemState) -> SystemState {
        self.moved(state, self.t)
    }
    /// An absolute state of the simulator at the start time as a relative state.
    pub fn relative(&self, state: &SystemState) -> SystemState {
        self.moved(state, -self.t)
    }
    /// The velocity of the steady motion of a state variable.
    pub fn drift(&self, i: usize) -> f64 {
        self.drift[i]
    }
    /// Options of a run that returns.
    pub fn options(&self) -> SimulationOptions {
        let (end, sections) = match self.returns {
            ReturnCondition::Section { section, .. } => (self.t + self.patience, vec![section]),
            ReturnCondition::Period(period) => (self.t + period, Vec::new()),
        };
        SimulationOptions {
            start: self.t,
            end,
            rtol: self.rtol,
            sample: 0.5 * (end - self.t),
            sections,
            max_seconds: self.max_seconds,
            stop: self.stop.clone(),
            ..SimulationOptions::default()
        }
    }
    /// Runs from a state to its return; none if it does not return in time.
    ///
    /// # Errors
    /// As [`Simulation::run`].
    pub fn apply(&self, state: &SystemState, watch: &mut dyn Observer) -> Result<Option<ReturnPoint>, Error> {
        self.go(state, &self.options(), watch)
    }
    /// The same with the given number of rows; the return time is found first.
    ///
    /// # Errors
    /// As [`Simulation::run`].
    pub fn sampled(
        &self,
        state: &SystemState,
        rows: f64,
        watch: &mut dyn Observer,
    ) -> Result<Option<ReturnPoint>, Error> {
        let Some(ReturnPoint { time, .. }) = self.apply(state, &mut NullObserver)? else { return Ok(None) };
        // the run ends soon after the return, so that the rows of a fast cycle are not too close for a long run
        let (options, beyond) = (self.options(), self.t + 2.0 * time);
        let end = if turns(self.returns) == usize::MAX { options.end } else { options.end.min(beyond) };
        self.go(state, &SimulationOptions { end, sample: time / rows, ..options }, watch)
    }
    fn go(
        &self,
        state: &SystemState,
        options: &SimulationOptions,
        watch: &mut dyn Observer,
    ) -> Result<Option<ReturnPoint>, Error> {
        let turns = turns(self.returns);
        let mut until = Until { watch, left: turns };
        let summary = self.simulation.run_from(Some(&self.absolute(state)), options, &mut until)?;
        if self.stop.is_raised() {
            return Err(Error::Analysis(AnalysisError::Interrupted));
        }
        if until.left > 0 && turns < usize::MAX {
            return Ok(None);
        }
        let time = summary.t - self.t;
        // within the rounding of the time it has not left the section
        if time <= 1e3 * f64::EPSILON * summary.t.abs() {
            return Ok(None);
        }
        let mut state = self.moved(&summary.state, -summary.t);
        if let ReturnCondition::Section { section, .. } = self.returns {
            state.y[section.state] = section.value;
        }
        Ok(Some(ReturnPoint { state, time }))
    }
    /// Follows a state of a cycle to the section of this map.
    ///
    /// # Errors
    /// [`AnalysisError::NoMotion`] if it does not get there.
    pub fn anchor(&self, state: &SystemState) -> Result<SystemState, Error> {
        let ReturnCondition::Section { section, .. } = self.returns else { return Ok(state.clone()) };
        let once = ReturnMap {
            returns: ReturnCondition::Section { section, turns: 1 },
            drift: self.drift.clone(),
            matters: Vec::new(),
            stop: self.stop.clone(),
            ..*self
        };
        let found = once.apply(state, &mut NullObserver)?;
        found.map(|returned| returned.state).ok_or(Error::Analysis(AnalysisError::NoMotion { t: self.t }))
    }
    /// Indices of the state variables that are free on the section.
    pub fn free(&self) -> Vec<usize> {
        let fixed = match self.returns {
            ReturnCondition::Section { section, .. } => Some(section.state),
            ReturnCondition::Period(_) => None,
        };
        (0..self.matters.len()).filter(|&i| self.matters[i] && Some(i) != fixed).collect()
    }
}

/// The number of crossings until the return; unlimited if a period of time is the condition.
fn turns(returns: ReturnCondition) -> usize {
    match returns {
        ReturnCondition::Section { turns, .. } => turns,
        ReturnCondition::Period(_) => usize::MAX,
    }
}

/// Ends a run at a crossing of the section.
struct Until<'a> {
    watch: &'a mut dyn Observer,
    left: usize,
}

impl Observer for Until<'_> {
    fn row(&mut self, row: &[f64]) {
        self.watch.row(row);
    }
    fn event(&mut self, event: &Event) {
        if event.kind == EventKind::CrossUp {
            self.left = self.left.saturating_sub(1);
        }
        self.watch.event(event);
    }
    fn should_continue(&mut self, t: f64) -> bool {
        self.left > 0 && self.watch.should_continue(t)
    }
}
