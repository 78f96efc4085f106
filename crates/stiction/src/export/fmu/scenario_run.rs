//! A scenario in co-simulation: the simulator takes one step of the importer after the other.
use super::scenario_inputs::{self, Input};
use super::variables::{Causality, Table, Variable};
use super::{build_mark, guid};
use crate::scenario::{Scenario, Template};
use crate::sim::{Event, NullObserver, Observer, SampledState, SimulationOptions, SystemState};
use crate::{Error, error::FmuError};
use std::path::Path;

/// Numbers of a scenario that have no effect in a unit: the importer chooses them.
const OF_THE_IMPORTER: [&str; 3] = ["run.start", "run.end", "run.sample"];

/// The step of methods with a fixed step that are given none, as a part of the run.
const FIXED_STEP: f64 = 1e-3;

/// All that changes in a run: it is saved and set again as a whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScenarioState {
    time: f64,
    /// None before the initialisation.
    system: Option<SystemState>,
    /// The inputs, and what their integrals are: the displacement that an added velocity has made so far.
    inputs: Vec<f64>,
    displacements: Vec<f64>,
    /// The outputs after the time.
    outputs: Vec<f64>,
    parameters: Vec<f64>,
}

/// A scenario in the hands of an importer. Without inputs it moves as `stiction run` does, but for the last digits: every step starts the
/// integrator anew.
pub struct ScenarioRun {
    template: Template,
    token: String,
    scenario: Scenario,
    inputs: Vec<Input>,
    variables: Vec<Variable>,
    state: ScenarioState,
    start: ScenarioState,
}

impl ScenarioRun {
    /// Reads the scenario of a unit, as [`ScenarioUnit::resource`](super::ScenarioUnit::resource) writes it; `path` says where it stands, for
    /// files that it names.
    ///
    /// # Errors
    /// [`FmuError::OtherBuild`] if another version of this library made it; as [`Template::parse`] and [`Template::build`].
    pub fn read(text: &str, path: &Path) -> Result<Self, Error> {
        build_mark::check(text)?;
        Self::new(Template::parse(text, path, &[""; 0])?, guid(text))
    }
    /// A scenario in a unit with this token.
    ///
    /// # Errors
    /// As [`Template::build`].
    pub(super) fn new(mut template: Template, token: String) -> Result<Self, Error> {
        template.remove_measures_and_plots();
        let scenario = template.build()?;
        let mut table = Table::default();
        table.add("time", "Time", "s", Causality::Independent);
        let inputs = scenario_inputs::of(&scenario.system, &mut table);
        for column in scenario.simulation()?.columns().iter().skip(1) {
            table.add(&column.name, "Column of the trace", column.unit, Causality::Output);
        }
        let mut parameters = template.numbers();
        // an end that is infinite stays so: importers neither write nor read such numbers alike; start, end and sample are those of each step
        parameters.retain(|(path, value, _)| value.is_finite() && !OF_THE_IMPORTER.contains(&path.as_str()));
        parameters.sort_by(|a, b| a.0.cmp(&b.0));
        for (path, value, unit) in &parameters {
            let variable = table.add(path, "Number of the scenario", unit, Causality::Parameter);
            (variable.start, variable.is_fixed) = (Some(*value), true);
        }
        let state = ScenarioState {
            inputs: vec![0.0; inputs.len()],
            displacements: vec![0.0; inputs.len()],
            outputs: vec![0.0; table.0.iter().filter(|v| v.causality == Causality::Output).count()],
            parameters: parameters.iter().map(|(_, value, _)| *value).collect(),
            ..ScenarioState::default()
        };
        Ok(Self { template, token, scenario, inputs, variables: table.0, start: state.clone(), state })
    }
    /// What tells this unit from all others.
    pub fn token(&self) -> &str {
        &self.token
    }
    /// The variables, in the order of their value references.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }
    /// The title of the scenario.
    pub(super) fn title(&self) -> &str {
        &self.scenario.title
    }
    /// The proposed start and end \[s\].
    pub(super) fn span(&self) -> [f64; 2] {
        [self.scenario.options.start, self.scenario.options.end]
    }
    /// The state.
    pub fn state(&self) -> &ScenarioState {
        &self.state
    }
    /// Sets the state.
    ///
    /// # Errors
    /// If the scenario cannot be built with its parameters.
    pub fn set_state(&mut self, state: &ScenarioState) -> Result<(), Error> {
        let rebuilds = state.parameters != self.state.parameters;
        self.state = state.clone();
        if rebuilds { self.build() } else { Ok(()) }
    }
    /// As it was at first.
    ///
    /// # Errors
    /// As [`ScenarioRun::set_state`].
    pub fn reset(&mut self) -> Result<(), Error> {
        self.set_state(&self.start.clone())
    }
    /// Where a variable is: what it is, and its place among its kind.
    fn place(&self, reference: usize) -> Option<(Causality, usize)> {
        let inputs = self.state.inputs.len();
        let first_parameter = 1 + inputs + self.state.outputs.len();
        let causality = self.variables.get(reference)?.causality;
        Some(match causality {
            Causality::Input => (causality, reference - 1),
            Causality::Output => (causality, reference - 1 - inputs),
            Causality::Parameter => (causality, reference - first_parameter),
            Causality::Independent | Causality::Local => (causality, 0),
        })
    }
    /// The value of a variable; none if there is no such variable.
    pub fn get(&self, reference: usize) -> Option<f64> {
        match self.place(reference)? {
            (Causality::Input, i) => self.state.inputs.get(i).copied(),
            (Causality::Output, i) => self.state.outputs.get(i).copied(),
            (Causality::Parameter, i) => self.state.parameters.get(i).copied(),
            _ => Some(self.state.time),
        }
    }
    /// Sets an input, or, before the initialisation ends, a parameter; whether there is such a variable.
    pub fn set(&mut self, reference: usize, value: f64) -> bool {
        let place = match self.place(reference) {
            Some((Causality::Input, i)) => self.state.inputs.get_mut(i),
            Some((Causality::Parameter, i)) if self.state.system.is_none() => self.state.parameters.get_mut(i),
            _ => None,
        };
        place.map(|place| *place = value).is_some()
    }
    /// Builds the scenario with the present parameters.
    fn build(&mut self) -> Result<(), Error> {
        let mut template = self.template.clone();
        let names = self.variables.iter().filter(|v| v.causality == Causality::Parameter).map(|v| v.name.as_str());
        for ((path, value), first) in names.zip(&self.state.parameters).zip(&self.start.parameters) {
            if value != first {
                template.number(path, *value)?;
            }
        }
        let scenario = template.build()?;
        let outputs = self.variables.iter().filter(|v| v.causality == Causality::Output).map(|v| &v.name);
        // a number of blocks makes another system
        if !scenario.simulation()?.columns().iter().skip(1).map(|column| &column.name).eq(outputs) {
            return Err(FmuError::OtherOutputs.into());
        }
        self.inputs = scenario_inputs::of(&scenario.system, &mut Table::default());
        self.scenario = scenario;
        Ok(())
    }
    /// Ends the initialisation: builds the scenario with its parameters, and computes the outputs at the start.
    ///
    /// # Errors
    /// As [`Template::build`], and those of the simulator.
    pub fn initialise(&mut self, time: f64) -> Result<(), Error> {
        self.build()?;
        self.state.time = time;
        self.apply_inputs();
        let simulation = self.scenario.simulation()?;
        let options = SimulationOptions { start: time, end: time + 1e-3, ..self.options() };
        let mut first = FirstRow::default();
        simulation.run_from(None, &options, &mut first)?;
        self.state.system = Some(simulation.initial());
        self.state.outputs = first.0.get(1..).unwrap_or_default().to_vec();
        Ok(())
    }
    /// Takes a step; if it fails, the state is as before.
    ///
    /// # Errors
    /// Those of the simulator.
    pub fn step(&mut self, time: f64, length: f64) -> Result<(), Error> {
        self.state.time = time;
        if length <= 0.0 {
            return Ok(());
        }
        self.apply_inputs();
        let options = SimulationOptions { start: time, end: time + length, sample: length, ..self.options() };
        let simulation = self.scenario.simulation()?;
        let summary = simulation.run_from(self.state.system.as_ref(), &options, &mut NullObserver)?;
        self.state.outputs = summary.row.get(1..).unwrap_or_default().to_vec();
        self.state.system = Some(summary.state);
        self.state.time = time + length;
        for (displacement, velocity) in self.state.displacements.iter_mut().zip(&self.state.inputs) {
            *displacement += velocity * length;
        }
        Ok(())
    }
    fn options(&self) -> SimulationOptions {
        let own = self.scenario.options.clone();
        // of the whole run, not of each step of the importer
        let step = if own.step > 0.0 { own.step } else { FIXED_STEP * (own.end - own.start) };
        SimulationOptions { step, probes: Vec::new(), sections: Vec::new(), ..own }
    }
    /// The signals of the coming step: those of the scenario, and the inputs.
    fn apply_inputs(&mut self) {
        let ScenarioState { time, inputs, displacements, .. } = &self.state;
        scenario_inputs::apply(&mut self.scenario.system, &self.inputs, *time, inputs, displacements);
    }
}

/// Keeps the first row and ends the run.
#[derive(Default)]
struct FirstRow(Vec<f64>);

impl Observer for FirstRow {
    fn row(&mut self, row: &[f64]) {
        if self.0.is_empty() {
            self.0 = row.to_vec();
        }
    }
    fn event(&mut self, _: &Event) {}
    fn should_continue(&mut self, _: f64) -> bool {
        false
    }
}

impl ScenarioState {
    /// As numbers, for serialising: each list after its length.
    pub fn numbers(&self) -> Vec<f64> {
        let mut out = vec![self.time, f64::from(u8::from(self.system.is_some()))];
        let mut list = |values: &[f64]| {
            out.push(values.len() as f64);
            out.extend(values);
        };
        [&self.inputs, &self.displacements, &self.outputs, &self.parameters]
            .into_iter()
            .for_each(|values| list(values));
        if let Some(system) = &self.system {
            list(&system.y);
            list(&[system.memory.len() as f64]);
            system.memory.iter().for_each(|memory| list(memory));
            list(&[system.sampled.len() as f64]);
            for SampledState { first, count, output, memory } in &system.sampled {
                list(&[first.is_some().into(), first.unwrap_or_default(), *count as f64, *output]);
                list(memory);
            }
            // not a number: it is off
            let switches: Vec<f64> = system.switches.iter().map(|shift| shift.unwrap_or(f64::NAN)).collect();
            list(&switches);
        }
        out
    }
    /// Reads what [`ScenarioState::numbers`] gives; none if it is not of the same form as `like`.
    pub fn read(numbers: &[f64], like: &Self) -> Option<Self> {
        let mut rest = numbers.iter().copied();
        let mut out = Self { time: rest.next()?, ..Self::default() };
        let has_system = rest.next()? != 0.0;
        let mut list = || {
            let count = rest.next().filter(|n| *n >= 0.0 && *n <= numbers.len() as f64)? as usize;
            let values: Vec<f64> = rest.by_ref().take(count).collect();
            (values.len() == count).then_some(values)
        };
        out.inputs = list()?;
        out.displacements = list()?;
        out.outputs = list()?;
        out.parameters = list()?;
        if has_system {
            let y = list()?;
            let count = *list()?.first()?;
            let memory = (0..count as usize).map(|_| list()).collect::<Option<Vec<_>>>()?;
            let count = *list()?.first()?;
            let mut controller = || {
                let [started, first, count, output] = list()?[..] else { return None };
                let first = (started != 0.0).then_some(first);
                Some(SampledState { first, count: count as u64, output, memory: list()? })
            };
            let sampled = (0..count as usize).map(|_| controller()).collect::<Option<Vec<_>>>()?;
            let switches = list()?.into_iter().map(|shift| (!shift.is_nan()).then_some(shift)).collect();
            out.system = Some(SystemState { y, memory, sampled, switches });
        }
        let same = |a: &[f64], b: &[f64]| a.len() == b.len();
        let fits = same(&out.inputs, &like.inputs)
            && same(&out.displacements, &like.displacements)
            && same(&out.outputs, &like.outputs)
            && same(&out.parameters, &like.parameters)
            && rest.next().is_none();
        fits.then_some(out)
    }
}
