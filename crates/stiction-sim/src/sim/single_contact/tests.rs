//! The kernel beside the steps of all systems: the same step, but for rounding.
use super::SingleContact;
use crate::Spec;
use crate::sim::SimulationOptions;
use crate::sim::components::ContactMode;
use crate::sim::flow::Flow;
use crate::sim::rosenbrock::Step;
use crate::sim::setup::tolerances;
use crate::system::{
    Actuation, Body, Contact, Controller, Feedback, GROUND, Measurement, Node, Signal, Spring, System,
};

const T: f64 = 0.37;

/// One step from state `y` of length `h` by both; false if the kernel's is shorter, for
/// the contact turns in it or its error is beyond all tolerance.
fn compare(name: &str, system: &System, y: &[f64], h: f64) -> bool {
    let mut flow = Flow::new(system);
    let count = flow.components.n + flow.components.nu;
    flow.from = T;
    flow.set_motions(T);
    let side = flow.components.contacts[0].row.v(y, &flow.motions).signum();
    flow.components.contacts[0].mode = ContactMode::Slip(side);
    flow.regroup();
    assert!(SingleContact::holds(&flow), "{name}");
    // whatever the error, the step is taken
    let options = SimulationOptions { rtol: 0.1, atol: 1.0, ..SimulationOptions::default() };
    let (_, mut atol) = tolerances(&flow, &options);
    atol.fill(1e6);
    let mut fast = SingleContact::new(system, &flow, &options, &atol).expect("a kernel");
    let [mut usual, mut kernel] = [0; 2].map(|_| Step::new(&flow));
    for step in [&mut usual, &mut kernel] {
        step.y0[..count].copy_from_slice(&y[..count]);
    }
    usual.begin(&mut flow, T);
    assert!(usual.attempt(&mut flow, h), "{name}: singular");
    usual.finish();
    (fast.t, fast.h, fast.limit, fast.stop, fast.due) = (T, h, h, 1e9, 1e9);
    assert!(fast.go(&mut flow, &mut kernel, 1), "{name}: no step");
    if fast.length != h {
        assert!(!fast.clear || fast.rejected > 0, "{name}: shorter without a reason");
        return false;
    }
    let mut energies = [[0.0; 8]; 2];
    for theta in [0.3, 1.0] {
        for (step, out) in [&mut usual, &mut kernel].into_iter().zip(&mut energies) {
            step.state(theta, out);
            step.energies(&mut flow, theta, out);
        }
        for (i, (a, b)) in energies[0].iter().zip(&energies[1]).enumerate() {
            // sums of a few dozen products, the largest of them hundreds of times the result
            let size = a.abs() + if i < count { (a - y[i]).abs() } else { 1e-3 };
            assert!((a - b).abs() <= 1e-11 * size, "{name}, {i} at {theta}: {a:e} and {b:e}");
        }
    }
    true
}

/// The ground, or a belt of this speed.
fn under(system: &mut System, belt: f64) -> Node {
    let ramp = Signal::Ramp { offset: 0.02, slope: belt, start: 0.0, end: f64::INFINITY };
    if belt == 0.0 { GROUND } else { system.motion("belt", ramp, false).expect("a belt") }
}

/// A body on a contact, pulled by a spring with a damper, pushed by a force, against a belt or the ground.
fn pulled(law: &str, belt: f64) -> System {
    let mut system = System::new();
    let block = system.body("block", Body { mass: 1.3, ..Body::default() }).expect("a body");
    let ramp = |slope| Signal::Ramp { offset: 0.02, slope, start: 0.0, end: f64::INFINITY };
    let hand = system.motion("hand", ramp(0.3), false).expect("a motion");
    system.spring("spring", hand, block, Spring::linear(7.0)).expect("a spring");
    system.spring("damper", block, GROUND, Spring { damping: 0.4, ..Spring::linear(0.0) }).expect("a damper");
    system.force("push", block, ramp(0.7)).expect("a force");
    let under = under(&mut system, belt);
    let contact = Contact::new(&Spec::new(law).expect("a law")).expect("a contact");
    system.contact("table", block, under, contact).expect("a contact");
    system
}

#[test]
fn every_law_takes_the_same_step() {
    for entry in stiction_core::models::ALL.iter().filter(|entry| super::laws::kernel(entry).is_some()) {
        let mut compared = 0;
        for (belt, v) in [(0.0, 0.05), (0.0, -0.2), (0.4, 0.1), (-0.3, 2.0)] {
            let system = pulled(entry.name, belt);
            let memory = |i: usize| entry.states.get(i).map_or(0.0, |_| 2e-6 * (1.0 + i as f64));
            let y = [0.03, v, memory(0), memory(1), 0.0, 0.0, 0.0, 0.0];
            for h in [1e-6, 1e-4] {
                compared += usize::from(compare(entry.name, &system, &y, h));
            }
        }
        // in states without meaning the forces of rate and state are too large for the longer steps
        assert!(compared >= 4, "{}: {compared} of 8", entry.name);
    }
}

#[test]
fn controllers_take_the_same_step() {
    for (law, belt) in [("lugre", 0.0), ("lugre", 0.4), ("dahl", 0.0), ("coulomb-tanh", -0.3), ("stribeck", 0.0)] {
        let mut system = System::new();
        let block = system.body("block", Body::default()).expect("a body");
        let pid = Feedback {
            gains: vec![3.0, 6.0],
            ki: 4.0,
            reference: Signal::Constant(1.0),
            extra: Signal::Constant(0.2),
            friction: None,
        };
        let measures = vec![Measurement::Position(block), Measurement::Velocity(block)];
        let controller = Controller::Continuous(Box::new(pid));
        system.control("pid", controller, measures, Actuation::Force(block)).expect("a controller");
        let contact = Contact::new(&Spec::new(law).expect("a law")).expect("a contact");
        let under = under(&mut system, belt);
        system.contact("table", block, under, contact).expect("a contact");
        let y = [0.6, 0.02, 3e-6, 0.1, 0.0, 0.0, 0.0, 0.0];
        if super::laws::kernel(crate::laws::find(law).expect("a law")).is_some() {
            assert!(compare(law, &system, &y, 1e-4), "{law} turns");
        }
    }
}

#[test]
fn what_is_in_balance_rests_without_noise() {
    let mut system = System::new();
    let block = system.body("block", Body::default()).expect("a body");
    system.force("push", block, Signal::Constant(0.7)).expect("a force");
    // the bristles carry the force to the last bit
    let (spec, z) = (Spec::new("lugre").expect("a law"), 0.7 / 1e5);
    let contact = Contact { memory: vec![z], ..Contact::new(&spec).expect("a contact") };
    assert_eq!(contact.law.force(&[z], &stiction_core::Input::at(0.0)), 0.7);
    system.contact("table", block, GROUND, contact).expect("a contact");
    let mut trace = crate::sim::Trace::default();
    let options = SimulationOptions { end: 1.0, ..SimulationOptions::default() };
    let summary = crate::sim::Simulation::new(&system).expect("a system").run(&options, &mut trace).expect("a run");
    assert_eq!((summary.last("block.x"), summary.last("block.v")), (Some(0.0), Some(0.0)));
}
