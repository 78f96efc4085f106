//! A run needs no more memory the longer it gets, and a small system none at all from step to step.
use crate::heap::Mark;
use stiction_sim::Spec;
use stiction_sim::sim::{IntegrationMethod, NullObserver, Simulation, SimulationOptions, SolverStatistics};
use stiction_sim::system::{Body, Contact, GROUND, Signal, System};

/// Allocations, largest memory [bytes] and cost of a run.
fn measure(system: &System, options: &SimulationOptions) -> (usize, isize, SolverStatistics) {
    let simulation = Simulation::new(system).expect("a system");
    let mark = Mark::new();
    let stats = simulation.run(options, &mut NullObserver).expect("a run").stats;
    (mark.count(), mark.peak(), stats)
}

fn block(law: &str) -> (System, stiction_sim::system::Node) {
    let mut system = System::new();
    let block = system.body("block", Body::default()).expect("a body");
    let contact = Contact::new(&Spec::new(law).expect("a law")).expect("a contact");
    system.contact("table", block, GROUND, contact).expect("a contact");
    (system, block)
}

#[test]
fn a_lugre_block_does_not_allocate_between_steps() {
    for method in IntegrationMethod::ALL {
        let (mut system, block) = block("lugre");
        let ramp = Signal::Ramp { offset: 2.0, slope: 1.0, start: 0.0, end: f64::INFINITY };
        system.force("push", block, ramp).expect("a force");
        // it breaks away, and slides faster and faster; rows of a trace on the way
        let run = |end: f64| {
            let options = SimulationOptions {
                method,
                end,
                step: 1e-4,
                rtol: 1e-6,
                max_step: 5e-3,
                sample: 1e-2,
                ..SimulationOptions::default()
            };
            measure(&system, &options)
        };
        let ((short, _, few), (long, _, many)) = (run(0.2), run(1.0));
        assert!(many.steps > few.steps + 20, "{}: {few:?} {many:?}", method.name());
        // more steps, more rows, no more allocations
        assert_eq!(long, short, "{}: {few:?} {many:?}", method.name());
    }
}

#[test]
fn events_leave_nothing_behind() {
    // stick and slip at 500 rad/s: four events in each period
    let (mut system, block) = block("coulomb");
    let push = Signal::Sine { mean: 0.0, amplitude: 1.2, omega: 500.0, phase: 0.0 };
    system.force("push", block, push).expect("a force");
    let run =
        |end| measure(&system, &SimulationOptions { end, rtol: 1e-6, sample: 0.1, ..SimulationOptions::default() });
    let ((_, small, few), (_, large, many)) = (run(0.5), run(5.0));
    assert!(few.events > 100 && many.events > 1500, "{few:?} {many:?}");
    assert_eq!(small, large, "{few:?} {many:?}");
}
