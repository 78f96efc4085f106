//! Steps of the simulator that the adversary once found wrong, or too short, on systems reduced to the fewest components.
use crate::{contact, simulate, sine};
use stiction_sim::sim::{RunSummary, SimulationOptions};
use stiction_sim::system::{Body, GROUND, Heating, System};

fn options(end: f64, rtol: f64) -> SimulationOptions {
    SimulationOptions { end, rtol, max_steps: 50_000, ..SimulationOptions::default() }
}

fn last(summary: &RunSummary, column: &str) -> f64 {
    summary.last(column).expect("a column")
}

/// Viscous friction with noise in a contact that warms up. Noise is followed in quarters of its cells, at the rate of the position within
/// it: taken for it, the rate of the temperature, of 1e10 K/s, allowed steps of 1e-8 s.
#[test]
fn noise_in_a_contact_that_warms_up_keeps_its_own_pace() {
    let (mass, fv, amplitude, omega) = (3.634e-4, 2.8e-5, 1.25, 0.046);
    let mut system = System::new();
    let body = system.body("b0", Body { mass, ..Body::default() }).expect("a body");
    let noise = 4.8e-11;
    let values =
        [("fv", fv), ("gamma", 1.0), ("noise.amplitude", noise), ("noise.frequency", omega), ("noise.seed", 6.0)];
    let heating = Heating { capacity: 1.78e-13, conductance: 3.12e-15, softening: 0.0 };
    system.contact("c0", body, GROUND, contact("viscous", &values).with_heating(heating, 0.0)).expect("a contact");
    system.force("f0", body, sine(amplitude, omega)).expect("a force");
    let end = 63.0;
    let (summary, _) = simulate(&system, &options(end, 1e-8));
    // m v' = A sin(ωt) − fv v from rest; noise of some times its standard deviation moves the speed by as much over fv
    let rate = fv / mass;
    let wave = rate * (omega * end).sin() - omega * (omega * end).cos() + omega * (-rate * end).exp();
    let v = amplitude / mass * wave / (rate * rate + omega * omega);
    let found = last(&summary, "b0.v");
    assert!((found - v).abs() < 1e-6 * v.abs() + 10.0 * noise / fv, "{found} for {v}");
    // some hundred for the force, and four for each of the ten cells of the noise
    assert!(summary.stats.steps < 1000, "{} steps", summary.stats.steps);
}
