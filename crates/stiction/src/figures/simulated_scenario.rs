//! Simulates embedded scenarios and evaluates the results.
use crate::Error;
use crate::scenario::Scenario;
use crate::sim::{NullObserver, Observer, RunSummary, Trace};
use crate::similar_names::similar;
use stiction_core::registry::DynLaw;

/// A simulated scenario.
pub(super) struct SimulatedScenario {
    scenario: Scenario,
    summary: RunSummary,
    trace: Trace,
}

/// Runs the embedded scenario `name` with the assignments in `set`, and keeps its trace.
pub(super) fn simulate(name: &str, set: &[impl AsRef<str>]) -> Result<SimulatedScenario, Error> {
    let mut trace = Trace::default();
    let (scenario, summary) = simulate_observed(name, set, &mut trace)?;
    Ok(SimulatedScenario { scenario, summary, trace })
}

/// The same without a trace: only the measures.
pub(super) fn simulate_measures(name: &str, set: &[impl AsRef<str>]) -> Result<SimulatedScenario, Error> {
    let (scenario, summary) = simulate_observed(name, set, &mut NullObserver)?;
    Ok(SimulatedScenario { scenario, summary, trace: Trace::default() })
}

/// The same with an observer.
pub(super) fn simulate_observed(
    name: &str,
    set: &[impl AsRef<str>],
    watch: &mut dyn Observer,
) -> Result<(Scenario, RunSummary), Error> {
    let scenario = Scenario::named(name, set)?;
    let summary = scenario.simulation()?.run(&scenario.options, watch)?;
    Ok((scenario, summary))
}

fn unknown<'a>(what: &'static str, name: &str, names: impl Iterator<Item = &'a str>) -> Error {
    let known: Vec<String> = names.map(str::to_owned).collect();
    let near = similar(name, known.iter().map(String::as_str)).into_iter().map(str::to_owned).collect();
    Error::UnknownName { what, name: name.to_owned(), near, known }
}

impl SimulatedScenario {
    /// A measure; NaN for an event that did not happen.
    pub fn measure(&self, name: &str) -> Result<f64, Error> {
        let names = || self.scenario.measures.iter().map(String::as_str);
        let at = names().position(|known| known == name).ok_or_else(|| unknown("measure", name, names()))?;
        Ok(self.summary.probes[at].unwrap_or(f64::NAN))
    }
    /// A column of the trace.
    pub fn column(&self, name: &str) -> Result<Vec<f64>, Error> {
        let i = self.place(name)?;
        Ok(self.trace.rows.iter().map(|row| row[i]).collect())
    }
    /// A column over another.
    pub fn points(&self, x: &str, y: &str) -> Result<Vec<(f64, f64)>, Error> {
        let (i, k) = (self.place(x)?, self.place(y)?);
        Ok(self.trace.rows.iter().map(|row| (row[i], row[k])).collect())
    }
    /// A column over another, from one time to another.
    pub fn between(&self, x: &str, y: &str, from: f64, to: f64) -> Result<Vec<(f64, f64)>, Error> {
        let (i, k) = (self.place(x)?, self.place(y)?);
        let rows = self.trace.rows.iter().filter(|row| (from..=to).contains(&row[0]));
        Ok(rows.map(|row| (row[i], row[k])).collect())
    }
    /// Times of events of a kind: `stick`, `reverse-`, ...
    pub fn times(&self, kind: &str) -> Vec<f64> {
        self.trace.events.iter().filter(|event| event.kind.is(kind)).map(|event| event.t).collect()
    }
    /// The summary of the run.
    pub fn summary(&self) -> &RunSummary {
        &self.summary
    }
    /// The law of its first contact.
    pub fn law(&self) -> Result<&dyn DynLaw, Error> {
        law(&self.scenario)
    }

    fn place(&self, name: &str) -> Result<usize, Error> {
        let names = || self.summary.columns.iter().map(|column| column.name.as_str());
        names().position(|known| known == name).ok_or_else(|| unknown("column", name, names()))
    }
}

/// The law of the first contact of a scenario.
pub(super) fn law(scenario: &Scenario) -> Result<&dyn DynLaw, Error> {
    let first = scenario.system.contacts.first();
    first.map(|joint| &*joint.component.law).ok_or_else(|| unknown("contact", "1", std::iter::empty()))
}

/// Energy dissipated by friction between two times: the difference of two runs. \[J\]
pub(super) fn dissipated(name: &str, set: &[impl AsRef<str>], from: f64, to: f64) -> Result<f64, Error> {
    let until = |end: f64| -> Result<f64, Error> {
        let mut scenario = Scenario::named(name, set)?;
        scenario.options.end = end;
        scenario.options.probes.clear();
        Ok(scenario.simulation()?.run(&scenario.options, &mut NullObserver)?.energy.friction)
    };
    Ok(until(to)? - until(from)?)
}
