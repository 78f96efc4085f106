//! Laws by name and the simulator: stick-slip, events, order of convergence, networks.
mod band;
mod bounces;
mod convergence;
mod corners;
mod creep;
mod cusp;
mod dispatch;
mod experiments;
mod explicit;
mod freewheel;
mod gaps;
mod gear_train;
mod held_together;
mod impacts;
#[path = "../../../../tests/common/law.rs"]
mod law;
mod limits;
mod loads;
mod lossy_gear;
mod measures;
mod memory;
mod network;
mod network_run;
#[path = "../../../../tests/common/noise.rs"]
mod noise;
mod order;
mod passing;
mod power_series;
mod random;
mod robust;
mod rounding;
mod sensitivity;
mod set_at_rest;
mod simultaneous;
mod singular;
#[path = "../../../../tests/common/skip.rs"]
mod skip;
mod spec;
mod steps;
mod stick;
mod switched_gears;
mod switches;

use law::law;
use noise::noise;
use skip::skip;
use stiction_sim::Spec;
use stiction_sim::sim::{RunSummary, Simulation, SimulationOptions, Trace};
use stiction_sim::system::{Contact, Signal, System};

/// Runs a system, and keeps its samples and events.
fn simulate(system: &System, options: &SimulationOptions) -> (RunSummary, Trace) {
    let mut trace = Trace::default();
    let summary = Simulation::new(system).expect("a system").run(options, &mut trace).expect("a run");
    (summary, trace)
}

/// Until `end`, in a bounded number of steps.
fn options(end: f64, rtol: f64) -> SimulationOptions {
    SimulationOptions { end, rtol, max_steps: 50_000, ..SimulationOptions::default() }
}

/// The last value of a column.
fn last(summary: &RunSummary, column: &str) -> f64 {
    summary.last(column).expect("a column")
}

/// A contact under a law with these values.
fn contact(name: &str, values: &[(&str, f64)]) -> Contact {
    Contact::new(&law(name, values)).expect("a contact")
}

/// A contact under Coulomb friction.
fn coulomb(fc: f64) -> Contact {
    contact("coulomb", &[("fc", fc)])
}

/// Rises from zero at t = 0 on.
fn ramp(slope: f64) -> Signal {
    Signal::Ramp { offset: 0.0, slope, start: 0.0, end: f64::INFINITY }
}

/// Swings about zero, from zero upwards.
fn sine(amplitude: f64, omega: f64) -> Signal {
    Signal::Sine { mean: 0.0, amplitude, omega, phase: 0.0 }
}
