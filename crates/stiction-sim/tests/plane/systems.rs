//! Systems and runs for these tests.
use stiction_sim::Spec;
use stiction_sim::sim::{RunSummary, Simulation, SimulationOptions, Trace};
use stiction_sim::system::{Plane, PlaneAnchor, PlaneBody, PlaneContact, PlaneForce, PlaneSpring, Signal, System};

pub fn law(name: &str, values: &[(&str, f64)]) -> Spec {
    let mut spec = Spec::new(name).expect("a law");
    for (key, value) in values {
        spec.set(key, *value).expect("a parameter");
    }
    spec
}

pub fn coulomb(fc: f64) -> Spec {
    law("coulomb", &[("fc", fc)])
}

/// A body of 1 kg.
pub fn body(spec: &Spec, position: [f64; 2], velocity: [f64; 2]) -> PlaneBody {
    let contact = PlaneContact::new(spec).expect("a law of the speed");
    PlaneBody {
        name: "block".to_owned(),
        mass: 1.0,
        position,
        velocity,
        radius: None,
        inertia: None,
        angle: 0.0,
        spin: 0.0,
        contact,
    }
}

/// A slope without gravity across it, so that the force along it is `force` for 1 kg: the law's levels are forces.
pub fn slope(force: f64, downhill: f64) -> Plane {
    Plane { tilt: std::f64::consts::FRAC_PI_4, downhill, gravity: force * 2.0_f64.sqrt() }
}

pub fn system(plane: Plane, body: PlaneBody) -> System {
    let mut system = System::new();
    system.plane(plane).expect("a plane");
    system.plane_body(body).expect("a body");
    system
}

pub fn with_force(mut system: System, force: [Signal; 2]) -> System {
    system
        .plane_force(PlaneForce { name: "hand".to_owned(), on: 0, force, moment: Signal::Constant(0.0) })
        .expect("a force");
    system
}

/// A spring to a moving point.
pub fn spring(stiffness: f64, damping: f64, point: [Signal; 2], direction: Option<f64>) -> PlaneSpring {
    let (name, anchor) = ("pull".to_owned(), PlaneAnchor::Point(Box::new(point)));
    PlaneSpring { name, on: 0, anchor, stiffness, damping, length: 0.0, direction }
}

pub fn ramp(slope: f64) -> Signal {
    Signal::Ramp { offset: 0.0, slope, start: 0.0, end: f64::INFINITY }
}

pub fn run(system: &System, options: &SimulationOptions) -> (RunSummary, Trace) {
    let mut trace = Trace::default();
    let summary = Simulation::new(system).expect("a system").run(options, &mut trace).expect("a run");
    (summary, trace)
}

pub fn until(end: f64) -> SimulationOptions {
    SimulationOptions { end, ..SimulationOptions::default() }
}

/// The last values of columns.
pub fn last<const N: usize>(summary: &RunSummary, names: [&str; N]) -> [f64; N] {
    names.map(|name| summary.last(name).expect("a column"))
}

/// A vector turned by an angle.
pub fn turned([x, y]: [f64; 2], angle: f64) -> [f64; 2] {
    let (sin, cos) = angle.sin_cos();
    [x * cos - y * sin, x * sin + y * cos]
}

/// Asserts that the energy balance closes to `share` of its largest term.
pub fn assert_balance(summary: &RunSummary, share: f64) {
    let energy = summary.energy;
    assert!(energy.error().abs() <= share * energy.size(), "{energy:?}: {:e}", energy.error());
}
