//! The return map: from a crossing of a section to a later one, or over a period of what drives the system.
use crate::Error;
use crate::analysis::AnalysisError;
use crate::analysis::steady_motion::{SteadyVelocities, steady_velocities};
use crate::sim::{
    Event, EventKind, NullObserver, Observer, PoincareSection, RestTreatment, Simulation, SimulationOptions, State,
    StateRole,
};
use crate::system::System;

/// When a run comes back to where it is asked again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ReturnCondition {
    /// At the crossing upwards number `turns` of a section.
    Section {
        /// The section, with the drift of its coordinate.
        section: PoincareSection,
        /// Which crossing.
        turns: usize,
    },
    /// After a time \[s\].
    Period(f64),
}

/// The return map of a system. Its states are relative: positions less what carries them along has gone since t = 0.
pub struct ReturnMap<'a> {
    pub simulation: &'a Simulation<'a>,
    /// Speed of even motion of each number of the state.
    pub drift: Vec<f64>,
    /// Whether each number of the state matters.
    pub matters: Vec<bool>,
    /// When it begins \[s\].
    pub t: f64,
    /// How long to wait for the return \[s\].
    pub patience: f64,
    /// When it returns.
    pub returns: ReturnCondition,
    /// Tolerance of the runs.
    pub rtol: f64,
}

/// What came of one application.
pub struct ReturnPoint {
    /// The state, moved back along the drift.
    pub state: State,
    /// How long it took \[s\].
    pub time: f64,
}

impl<'a> ReturnMap<'a> {
    /// The map of a system from time `t` on.
    ///
    /// # Errors
    /// If the system drifts apart.
    pub fn new(
        system: &System,
        simulation: &'a Simulation<'a>,
        t: f64,
        returns: ReturnCondition,
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
        })
    }
    fn moved(&self, state: &State, by: f64) -> State {
        let y = state.y.iter().zip(&self.drift).map(|(y, d)| y + d * by).collect();
        State { y, memory: state.memory.clone() }
    }
    /// A state at the map's beginning as the simulator has it.
    pub fn absolute(&self, state: &State) -> State {
        self.moved(state, self.t)
    }
    /// A state of the simulator's at the map's beginning, relative to what carries it along.
    pub fn relative(&self, state: &State) -> State {
        self.moved(state, -self.t)
    }
    /// The drift of a number of the state.
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
            ..SimulationOptions::default()
        }
    }
    /// Runs from a state to its return; none if it does not return in time.
    ///
    /// # Errors
    /// As [`Simulation::run`].
    pub fn apply(&self, state: &State, watch: &mut dyn Observer) -> Result<Option<ReturnPoint>, Error> {
        self.go(state, &self.options(), watch)
    }
    /// The same with so many rows in the time to return, which is found first.
    ///
    /// # Errors
    /// As [`Simulation::run`].
    pub fn sampled(&self, state: &State, rows: f64, watch: &mut dyn Observer) -> Result<Option<ReturnPoint>, Error> {
        let Some(ReturnPoint { time, .. }) = self.apply(state, &mut NullObserver)? else { return Ok(None) };
        self.go(state, &SimulationOptions { sample: time / rows, ..self.options() }, watch)
    }
    fn go(
        &self,
        state: &State,
        options: &SimulationOptions,
        watch: &mut dyn Observer,
    ) -> Result<Option<ReturnPoint>, Error> {
        let turns = match self.returns {
            ReturnCondition::Section { turns, .. } => turns,
            ReturnCondition::Period(_) => usize::MAX,
        };
        let mut until = Until { watch, left: turns };
        let summary = self.simulation.run_from(Some(&self.absolute(state)), options, &mut until)?;
        if until.left > 0 && turns < usize::MAX {
            return Ok(None);
        }
        let time = summary.t - self.t;
        let mut state = self.moved(&summary.state, -summary.t);
        if let ReturnCondition::Section { section, .. } = self.returns {
            state.y[section.state] = section.value;
        }
        Ok(Some(ReturnPoint { state, time }))
    }
    /// Brings a state of a cycle to this map's section.
    ///
    /// # Errors
    /// [`AnalysisError::NoMotion`] if it does not get there.
    pub fn anchor(&self, state: &State) -> Result<State, Error> {
        let ReturnCondition::Section { section, .. } = self.returns else { return Ok(state.clone()) };
        let once = ReturnMap {
            returns: ReturnCondition::Section { section, turns: 1 },
            drift: self.drift.clone(),
            matters: Vec::new(),
            ..*self
        };
        let found = once.apply(state, &mut NullObserver)?;
        found.map(|returned| returned.state).ok_or(Error::Analysis(AnalysisError::NoMotion { t: self.t }))
    }
    /// The numbers of the state that a return may change.
    pub fn free(&self) -> Vec<usize> {
        let fixed = match self.returns {
            ReturnCondition::Section { section, .. } => Some(section.state),
            ReturnCondition::Period(_) => None,
        };
        (0..self.matters.len()).filter(|&i| self.matters[i] && Some(i) != fixed).collect()
    }
}

/// Ends a run at a crossing.
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
