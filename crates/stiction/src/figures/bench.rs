//! A run of an embedded scenario, and what an experiment takes from it.
use super::{Outcome, Value};
use crate::Error;
use crate::scenario::Scenario;
use crate::sim::{Summary, Trace};

/// A run with its trace.
pub(super) struct Run {
    pub trace: Trace,
    pub summary: Summary,
    measures: Vec<String>,
}

/// Runs the embedded scenario `name` with the assignments in `set`.
pub(super) fn run(name: &str, set: &[impl AsRef<str>]) -> Result<Run, Error> {
    let scenario = Scenario::named(name, set)?;
    let mut trace = Trace::default();
    let summary = scenario.simulation()?.run(&scenario.options, &mut trace)?;
    Ok(Run { trace, summary, measures: scenario.measures })
}

impl Run {
    /// What a measure of the scenario found; not a number if it did not happen.
    pub fn measure(&self, name: &str) -> f64 {
        let at = self.measures.iter().position(|measure| measure == name);
        at.and_then(|at| self.summary.probes[at]).unwrap_or(f64::NAN)
    }
    /// A column of the trace; not numbers if there is none of this name.
    pub fn column(&self, name: &str) -> Vec<f64> {
        let at = self.summary.columns.iter().position(|column| column.name == name);
        self.trace.rows.iter().map(|row| at.map_or(f64::NAN, |at| row[at])).collect()
    }
    /// One column over another.
    pub fn line(&self, x: &str, y: &str) -> Vec<(f64, f64)> {
        self.column(x).into_iter().zip(self.column(y)).collect()
    }
}

impl Outcome {
    /// Adds a figure.
    pub(super) fn value(&mut self, key: impl Into<String>, unit: &'static str, value: f64) {
        self.values.push(Value { key: key.into(), unit, value });
    }
}

/// `n + 1` places from `a` to `b`.
pub(super) fn span(a: f64, b: f64, n: u32) -> impl Iterator<Item = f64> + Clone {
    (0..=n).map(move |k| a + (b - a) * f64::from(k) / f64::from(n))
}
