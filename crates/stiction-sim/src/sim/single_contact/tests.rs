//! The kernel beside the steps of all systems: the same step but for rounding, or as accurate as it estimates.
use super::SingleContact;
use super::fused::Fused;
use super::fused_lanes::FusedLanes;
use crate::Spec;
use crate::sim::SimulationOptions;
use crate::sim::components::ContactMode;
use crate::sim::flow::Flow;
use crate::sim::law_guards::guards_at;
use crate::sim::rosenbrock::Step;
use crate::sim::setup::tolerances;
use crate::system::{
    Actuation, Body, Contact, Controller, Feedback, GROUND, Measurement, Node, Signal, Spring, System,
};
use stiction_core::{Input, Lanes, Real};

const T: f64 = 0.37;
/// Steps beside one whose stages are in lanes.
const PIECES: u32 = 10;

/// One step from state `y` of length `h` by both; false if the kernel's is shorter, for
/// the contact turns in it or its error is beyond all tolerance.
fn compare(name: &str, system: &System, y: &[f64], h: f64) -> bool {
    let mut flow = Flow::new(system);
    let count = flow.components.n + flow.components.nu;
    flow.from = T;
    flow.set_motions(T);
    let side = flow.components.contacts[0].row.v(y, &flow.motions).signum();
    flow.components.contacts[0].mode = ContactMode::Slip(side);
    let mut guards = [0.0; 8];
    guards_at(&mut flow, 0, y, T, 0.0, &mut guards);
    for (side, guard) in flow.components.contacts[0].guard_signs.iter_mut().zip(&guards[1..]) {
        *side = guard.signum();
    }
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
    (fast.t, fast.h, fast.limit, fast.stop, fast.due) = (T, h, h, 1e9, 1e9);
    assert!(fast.go(&mut flow, &mut kernel, 1), "{name}: no step");
    if fast.length != h {
        assert!(!fast.clear || fast.rejected > 0, "{name}: shorter without a reason");
        return false;
    }
    if fast.in_lanes && !fast.clear {
        // across a kink of the law no method is as accurate as it estimates
        return false;
    }
    // one step of the same method is the same but for rounding; where stages are in lanes the usual steps are short ones
    let pieces = if fast.in_lanes { PIECES } else { 1 };
    let mut end = [0.0; 8];
    kernel.energies(&mut flow, 1.0, &mut end);
    // an energy is known to the share of its growth that a state is known to of its own
    let share = (0..count).filter(|&i| kernel.y1[i] != y[i]);
    let share = share.map(|i| fast.work.error[i].sqrt() / (kernel.y1[i] - y[i]).abs()).fold(0.0, f64::max);
    let estimate = |i: usize| match (fast.in_lanes, i < count) {
        (false, _) => 0.0,
        (true, true) => fast.work.error[i].sqrt(),
        (true, false) => share * (end[i] - y[i]).abs(),
    };
    for piece in 0..pieces {
        let at = T + h * f64::from(piece) / f64::from(pieces);
        usual.begin(&mut flow, at);
        assert!(usual.attempt(&mut flow, h / f64::from(pieces)), "{name}: singular");
        usual.finish();
        let (mut wanted, mut found) = ([0.0; 8], [0.0; 8]);
        let ends = (f64::from(piece) + 1.0) / f64::from(pieces);
        // the estimate is one of the end
        let thetas = if pieces == 1 { &[(0.3, 0.3), (1.0, 1.0)][..] } else { &[(1.0, ends)] };
        let is_compared = pieces == 1 || piece + 1 == pieces;
        for &(part, theta) in thetas {
            for (step, out, theta) in [(&mut usual, &mut wanted, part), (&mut kernel, &mut found, theta)] {
                step.state(theta, out);
                step.energies(&mut flow, theta, out);
            }
            for (i, (a, b)) in wanted.iter().zip(&found).enumerate() {
                // sums of a few dozen products, the largest of them hundreds of times the result
                let size = a.abs() + if i < count { (a - y[i]).abs() } else { 1e-3 };
                let allowed = 1e-11 * size + estimate(i);
                assert!(
                    !is_compared || (a - b).abs() <= allowed,
                    "{name}, {i} at {theta} of {h}: {a:e} and {b:e}, estimate {:e}",
                    estimate(i)
                );
            }
        }
        let len = usual.y0.len().min(wanted.len());
        usual.y0[..len].copy_from_slice(&wanted[..len]);
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
    for entry in stiction_core::models::ALL.iter().filter(|entry| super::laws::kernel(entry, false).is_some()) {
        let mut compared = 0;
        let values: Vec<f64> = entry.params.iter().map(|param| param.default).collect();
        let law = entry.build(&values).expect("defaults are sound");
        for (belt, v) in [(0.0, 0.05), (0.0, -0.2), (0.4, 0.1), (-0.3, 2.0)] {
            let system = pulled(entry.name, belt);
            // on its way to where it settles
            let mut memory = [0.0; 2];
            law.settled(&Input { v: v - belt, load: 1.0 }, &mut memory[..entry.states.len()]);
            let y = [0.03, v, 0.5 * memory[0], 0.5 * memory[1], 0.0, 0.0, 0.0, 0.0];
            for h in [1e-8, 1e-6, 1e-4] {
                compared += usize::from(compare(entry.name, &system, &y, h));
            }
        }
        // in states without meaning the forces of rate and state are too large for the longer steps
        assert!(compared >= 4, "{}: {compared} of 12", entry.name);
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
        if super::laws::kernel(crate::laws::find(law).expect("a law"), false).is_some() {
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
    assert_eq!(contact.law.force(&[z], &Input::at(0.0)), 0.7);
    system.contact("table", block, GROUND, contact).expect("a contact");
    let mut trace = crate::sim::Trace::default();
    let options = SimulationOptions { end: 1.0, ..SimulationOptions::default() };
    let summary = crate::sim::Simulation::new(&system).expect("a system").run(&options, &mut trace).expect("a run");
    assert_eq!((summary.last("block.x"), summary.last("block.v")), (Some(0.0), Some(0.0)));
}

#[test]
fn each_lane_has_the_bits_of_a_single_number() {
    let numbers = (-60..60).map(|k| 1.37_f64.powi(k)).flat_map(|x| [x, -x]).chain([0.0, 708.39, 709.9, 1e-17, -750.0]);
    let numbers: Vec<f64> = numbers.collect();
    for four in numbers.windows(4) {
        let lanes = FusedLanes(Lanes([four[0], four[1], four[2], four[3]]));
        let check = |name: &str, lanes: FusedLanes, single: &dyn Fn(Fused) -> Fused| {
            for (x, found) in four.iter().zip(lanes.0.0) {
                let wanted = single(Fused(*x)).0;
                assert!(found.to_bits() == wanted.to_bits() || found.is_nan() && wanted.is_nan(), "{name} of {x:e}");
            }
        };
        check("exp", lanes.exp(), &Fused::exp);
        check("exp_m1", lanes.exp_m1(), &Fused::exp_m1);
        check("ln", lanes.ln(), &Fused::ln);
        check("ln_1p", lanes.ln_1p(), &Fused::ln_1p);
        check("tanh", lanes.tanh(), &Fused::tanh);
        check("sqrt", lanes.sqrt(), &Fused::sqrt);
        check("powf", lanes.abs().powf(FusedLanes::lit(1.3)), &|x| x.abs().powf(Fused(1.3)));
        let few = FusedLanes::lit(3.0);
        check("decay", FusedLanes::select_decay(few.lt(lanes), lanes, few), &|x| {
            let three = Fused(3.0);
            Fused::select_decay(three.lt(x), x, three)
        });
    }
}
