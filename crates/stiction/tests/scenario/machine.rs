//! Runs of small machines, for comparisons with closed forms.
use std::path::Path;
use stiction::Error;
use stiction::scenario::Scenario;
use stiction::sim::{Event, RunSummary, Trace};

/// Tolerance of the runs.
pub const RTOL: f64 = 1e-9;

pub fn parse(text: &str) -> Result<Scenario, Error> {
    Scenario::parse(text, Path::new("test.toml"), &[format!("run.rtol={RTOL}")])
}

/// A run: its events by name with their times, and its summary. Its energies balance.
pub fn run(text: &str) -> (Vec<(String, f64)>, RunSummary) {
    let scenario = parse(text).unwrap_or_else(|error| panic!("{error}"));
    let simulation = scenario.simulation().expect("a simulation");
    let mut trace = Trace::default();
    let summary = simulation.run(&scenario.options, &mut trace).expect("a run");
    let energy = summary.energy;
    // the energies are integrated with the tolerance of the states
    assert!(energy.error().abs() <= 100.0 * RTOL * energy.size(), "{energy:?}");
    let name = |event: &Event| format!("{}.{}", simulation.part(event.part), event.kind.name());
    (trace.events.iter().map(|event| (name(event), event.t)).collect(), summary)
}

pub fn last(summary: &RunSummary, column: &str) -> f64 {
    summary.last(column).unwrap_or_else(|| panic!("no column {column}"))
}

/// Compares to the errors of some tens of steps.
pub fn near(got: f64, wanted: f64, what: &str) {
    assert!((got - wanted).abs() < 100.0 * RTOL * wanted.abs(), "{what}: {got} for {wanted}");
}

/// The zero of a rising function.
pub fn root(f: impl Fn(f64) -> f64, [mut low, mut high]: [f64; 2]) -> f64 {
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if f(middle) < 0.0 { low = middle } else { high = middle }
    }
    low
}
