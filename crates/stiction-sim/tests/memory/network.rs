//! A network takes memory in proportion to its bodies, all of it at the beginning.
use crate::heap::Mark;
use stiction_sim::sim::network::{BurridgeKnopoffChain, Network};
use stiction_sim::sim::{IntegrationMethod, NullObserver, Probe, Simulation, SimulationOptions};

/// Bytes per block of the network beside its system, and allocations during a few steps in which blocks slip.
fn measure(blocks: usize) -> (f64, usize) {
    // loaded within the first step, so that every block slips
    let system =
        BurridgeKnopoffChain { blocks, plate_speed: 20.0, ..BurridgeKnopoffChain::default() }.system().unwrap();
    let mark = Mark::new();
    let mut network = Network::new(&system).unwrap();
    let bytes = mark.live() as f64 / blocks as f64;
    network.step(0.1).unwrap();
    assert!(network.slipping() > blocks / 2);
    let mark = Mark::new();
    (0..5).for_each(|_| assert!(network.step(0.02).is_ok()));
    assert!(network.positions().iter().all(|x| x.is_finite() && *x > 0.0));
    (bytes, mark.count())
}

#[test]
fn memory_is_linear_in_the_blocks_and_steps_take_none() {
    let (small, large) = (measure(1000), measure(100_000));
    assert_eq!((small.1, large.1), (0, 0));
    // the same per block but for what does not depend on their number
    assert!((large.0 / small.0 - 1.0).abs() < 0.05 && large.0 < 1500.0, "{} and {} bytes per block", small.0, large.0);
}

/// Most bytes per block of a run with rows, events and a measure, beside its system.
fn run(blocks: usize) -> f64 {
    let system =
        BurridgeKnopoffChain { blocks, plate_speed: 20.0, ..BurridgeKnopoffChain::default() }.system().unwrap();
    let mark = Mark::new();
    let simulation = Simulation::new(&system).unwrap();
    let probes = vec![Probe::Mean { column: "b7.x".into(), from: 0.0, to: 0.2 }];
    let options = SimulationOptions {
        method: IntegrationMethod::Network,
        end: 0.2,
        step: 0.02,
        sample: 0.05,
        probes,
        ..SimulationOptions::default()
    };
    let summary = simulation.run(&options, &mut NullObserver).unwrap();
    assert!(summary.stats.events as usize >= blocks && summary.probes[0].unwrap() > 0.0);
    mark.peak() as f64 / blocks as f64
}

#[test]
fn a_run_with_rows_and_events_is_linear_too() {
    let (small, large) = (run(1000), run(50_000));
    // each block has eight columns, with a name of its own, and what the state is saved in at the end
    assert!((large / small - 1.0).abs() < 0.1 && large < 6000.0, "{small} and {large} bytes per block");
}
