//! A block on a table, pulled through a spring: built in Rust, simulated, asked for what happened.
//!
//! `cargo run -p stiction --example 04_simulate`
use stiction::sim::{Probe, Simulation, SimulationOptions, Trace};
use stiction::system::{Body, Contact, GROUND, Signal, Spring, System};
use stiction::{Error, Spec};

fn main() -> Result<(), Error> {
    let mut law = Spec::new("stribeck")?;
    law.set("fc", 1.0)?.set("fs", 1.5)?.set("vs", 0.05)?.set("fv", 0.1)?;

    let mut system = System::new();
    let block = system.body("block", Body { mass: 1.0, ..Body::default() })?;
    let hand =
        system.motion("hand", Signal::Ramp { offset: 0.0, slope: 0.1, start: 0.0, end: f64::INFINITY }, false)?;
    system.spring("pull", hand, block, Spring::linear(2.0))?;
    system.contact("table", block, GROUND, Contact::new(&law)?)?;

    let fastest = Probe::Max { column: "block.v".to_owned(), from: 0.0, to: 30.0 };
    let options = SimulationOptions { end: 30.0, probes: vec![fastest], ..SimulationOptions::default() };
    let mut trace = Trace::default();
    let summary = Simulation::new(&system)?.run(&options, &mut trace)?;

    for event in &trace.events {
        println!("{:9.6} s  {}", event.t, event.kind.name());
    }
    println!("largest speed {:.6} m/s", summary.probes[0].unwrap_or(f64::NAN));
    println!(
        "energy: {:.6} J in, {:.6} J into friction, closing error {:.1e} J",
        summary.energy.work,
        summary.energy.friction,
        summary.energy.error()
    );

    // it lets go when the spring pulls with the break-away force: 1.5 N / (2 N/m x 0.1 m/s)
    assert!((trace.events[0].t - 7.5).abs() < 1e-12);
    // and what went in is accounted for
    assert!(summary.energy.error().abs() < 1e-6 * summary.energy.work);
    Ok(())
}
