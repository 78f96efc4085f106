//! The return map: from one crossing of a Poincaré section to a later one, or over a period of the excitation.
use crate::Error;
use crate::analysis::AnalysisError;
use crate::analysis::steady_motion::SteadyMotion;
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

/// The return map of a system. Its states are relative: positions minus the displacement of the steady motion since t = 0, and moved back in
/// each free direction to the same place.
pub struct ReturnMap<'a> {
    pub simulation: &'a Simulation<'a>,
    /// Velocity of the steady motion of each state variable.
    pub drift: Vec<f64>,
    /// The free directions of the steady motion; positions are the first states.
    pub free_directions: Vec<FreeDirection>,
    /// Number of state variables.
    pub states: usize,
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

/// A direction in which a part of the system moves at any speed.
#[derive(Clone, Debug)]
pub struct FreeDirection {
    /// The change of each position.
    direction: Vec<f64>,
    /// The first position that changes.
    first: usize,
    /// The value of this position in a relative state.
    origin: f64,
}

impl FreeDirection {
    fn new(direction: Vec<f64>) -> Self {
        Self { first: direction.iter().position(|d| *d != 0.0).unwrap_or(0), direction, origin: 0.0 }
    }
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
        let motion = SteadyMotion::new(system, t, &linear).map_err(Error::Analysis)?;
        let states = simulation.states();
        let drift = |role: &StateRole| match role {
            StateRole::Position(i) => motion.velocity[*i],
            _ => 0.0,
        };
        Ok(Self {
            simulation,
            drift: states.iter().map(|(_, role)| drift(role)).collect(),
            free_directions: motion.free.into_iter().map(FreeDirection::new).collect(),
            states: states.len(),
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
        SystemState { y, memory: state.memory.clone(), sampled: Vec::new(), switches: state.switches.clone() }
    }
    /// A relative state as an absolute state of the simulator at the start time.
    pub fn absolute(&self, state: &SystemState) -> SystemState {
        self.moved(state, self.t)
    }
    /// An absolute state of the simulator at the start time as a relative state.
    pub fn relative(&self, state: &SystemState) -> SystemState {
        self.relative_at(state, self.t)
    }
    /// An absolute state at time `t` as a relative state.
    fn relative_at(&self, state: &SystemState, t: f64) -> SystemState {
        let mut state = self.moved(state, -t);
        for FreeDirection { direction, first, origin } in &self.free_directions {
            let by = (state.y[*first] - origin) / direction[*first];
            state.y.iter_mut().zip(direction).for_each(|(y, d)| *y -= by * d);
            state.y[*first] = *origin;
        }
        state
    }
    /// Takes relative states from the place of this absolute state at the start time.
    pub fn set_origin(&mut self, state: &SystemState) {
        self.free_directions.iter_mut().for_each(|free| free.origin = state.y[free.first]);
    }
    /// Whether the state variable is a position whose mean velocity nothing determines.
    pub fn moves_freely(&self, state: usize) -> bool {
        self.free_directions.iter().any(|free| free.direction.get(state).is_some_and(|d| *d != 0.0))
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
        let mut state = self.relative_at(&summary.state, summary.t);
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
            free_directions: self.free_directions.clone(),
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
        let is_pivot = |i: usize| self.free_directions.iter().any(|free| free.first == i);
        (0..self.states).filter(|&i| !is_pivot(i) && Some(i) != fixed).collect()
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
