//! `IntegrationMethod::Network`: rows, events, energies and answers of the fixed-step method.
use crate::{contact, simulate, sine};
use stiction_sim::SimError;
use stiction_sim::SystemError;
use stiction_sim::sim::network::{BurridgeKnopoffChain, Network};
use stiction_sim::sim::{IntegrationMethod, NullObserver, Probe, Simulation, SimulationOptions, Trace};
use stiction_sim::system::{Body, Curve, GROUND, Plant, Signal, Spring, System, SystemErrorKind};

fn network(step: f64, end: f64) -> SimulationOptions {
    SimulationOptions { method: IntegrationMethod::Network, step, end, ..SimulationOptions::default() }
}

/// A block under a force that swings beyond the limit: sticks and slips twice a period.
fn swinging() -> System {
    let mut system = System::new();
    let block = system.body("block", Body::default()).expect("a body");
    system.contact("table", block, GROUND, contact("coulomb", &[("fc", 1.0)])).expect("a contact");
    system.force("push", block, sine(1.5, 1.0)).expect("a force");
    system
}

#[test]
fn events_are_those_of_the_event_driven_method_at_the_end_of_a_step() {
    let system = swinging();
    let (_, exact) = simulate(&system, &SimulationOptions { end: 20.0, ..SimulationOptions::default() });
    let h = 1e-3;
    let (summary, found) = simulate(&system, &network(h, 20.0));
    let kinds = |trace: &Trace| trace.events.iter().map(|e| e.kind.name()).collect::<Vec<_>>();
    assert_eq!(kinds(&found), kinds(&exact));
    assert!(exact.events.len() > 10 && summary.stats.events == exact.events.len() as u64);
    for (a, b) in found.events.iter().zip(&exact.events) {
        // a slip shows at the end of its step; a stick is early or late by the error of the speed, some steps
        assert!((a.t - b.t).abs() < 5.0 * h && (a.t / h - (a.t / h).round()).abs() < 1e-6, "{} for {}", a.t, b.t);
    }
    // rows by the clock alone: a thousand and one
    assert_eq!(found.rows.len(), 1001);
    let held = found.rows.iter().filter(|row| row[4] == 0.0).count();
    assert!(held > 100, "{held}");
    for row in found.rows.iter().filter(|row| row[4] == 0.0 && row[0] > 0.0 && row[2] == 0.0) {
        // what holds carries what pushes, but for a row between a step that slid and one that held
        assert!((row[3] - row[5]).abs() < 2.0 * h || (row[3].abs() - 1.0).abs() < 2.0 * h, "{row:?}");
    }
}

/// Implicit Euler takes a swing of frequency ω from E to E/(1 + h²ω²) in every step: the closing error is what is gone.
#[test]
fn the_closing_error_is_what_the_method_takes() {
    let mut system = System::new();
    let block = system.body("block", Body { x: 1.0, ..Body::default() }).expect("a body");
    system.spring("spring", block, GROUND, Spring::linear(4.0)).expect("a spring");
    let (h, steps) = (0.01, 700);
    let summary = simulate(&system, &network(h, h * f64::from(steps))).0;
    let left = 2.0 * (1.0 + 4.0 * h * h).powi(-steps);
    // rounding of 700 steps
    assert!((summary.energy.after - left).abs() < 1e-12, "{} for {left}", summary.energy.after);
    assert!((summary.energy.error() - (2.0 - left)).abs() < 1e-12, "{:?}", summary.energy);
    // half-way nothing is lost
    let summary = simulate(&system, &SimulationOptions { theta: 0.5, ..network(h, 7.0) }).0;
    assert!(summary.energy.error().abs() < 1e-12 && (summary.energy.after - 2.0).abs() < 1e-12);
}

/// Springs, dampers, a curve, forces, motions and contacts of all kinds. Half-way and without stick the books close to
/// rounding, but for the curve, of which a step only knows the tangent.
#[test]
fn the_books_know_every_part() {
    let build = |bent: bool, rubs: bool| {
        let mut system = System::new();
        let ramp = Signal::Ramp { offset: 0.3, slope: 0.7, start: 0.0, end: f64::INFINITY };
        let hand = system.motion("hand", ramp, false).expect("a motion");
        let belt = Signal::Ramp { offset: 0.0, slope: -0.4, start: 0.0, end: f64::INFINITY };
        let belt = system.motion("belt", belt, false).expect("a motion");
        let a = system.body("a", Body { mass: 2.0, v: 1.0, ..Body::default() }).expect("a body");
        let b = system.body("b", Body { x: 0.5, ..Body::default() }).expect("a body");
        system.spring("pull", hand, a, Spring { damping: 0.6, rest: 0.1, ..Spring::linear(5.0) }).expect("a spring");
        system.spring("ab", a, b, Spring { damping: 0.2, ..Spring::linear(3.0) }).expect("a spring");
        system.spring("drag", b, belt, Spring::damper(0.3)).expect("a damper");
        system.force("push", b, Signal::Constant(0.8)).expect("a force");
        if bent {
            let (x, y) = (vec![-3.0, -1.0, 0.0, 1.0, 3.0], vec![-9.0, -2.0, 0.0, 2.0, 9.0]);
            let curve = Curve::cubic(x, y).expect("a curve");
            system.spring("hard", b, hand, Spring { curve: Some(curve), ..Spring::linear(0.0) }).expect("a spring");
        }
        if rubs {
            // never at rest: the belt runs faster than the block
            system.contact("rub", b, belt, contact("viscous", &[("fv", 0.5), ("gamma", 1.0)])).expect("a contact");
            system.contact("floor", a, GROUND, contact("coulomb", &[("fc", 0.4)])).expect("a contact");
        }
        system
    };
    let books =
        |bent, rubs, theta, h| simulate(&build(bent, rubs), &SimulationOptions { theta, ..network(h, 3.0) }).0.energy;
    let energy = books(false, false, 0.5, 0.01);
    // without kinks and curves: rounding of 300 steps
    assert!(energy.work.abs() > 1.0 && energy.damping > 0.1 && energy.error().abs() < 1e-12, "{energy:?}");
    // with the rest of it, and at other parts: the error is of the method's first order and has its sign
    let exact = simulate(&build(true, true), &SimulationOptions { end: 3.0, ..SimulationOptions::default() }).0.energy;
    for theta in [0.5, 0.75, 1.0] {
        let [long, short] = [4e-3, 1e-3].map(|h| books(true, true, theta, h));
        // first order: a quarter of the step, a quarter of the error; a kink costs a little
        assert!(long.error().abs() < 0.02 && short.error().abs() < 0.3 * long.error().abs(), "{theta}: {long:?}");
        for (name, a, b) in [
            ("work", short.work, exact.work),
            ("friction", short.friction, exact.friction),
            ("damping", short.damping, exact.damping),
            ("after", short.after, exact.after),
        ] {
            // first order, at steps of 1e-3
            assert!((a - b).abs() < 5e-3 * (1.0 + b.abs()), "{theta} {name}: {a} for {b}");
        }
    }
}

#[test]
fn at_rest_the_work_of_the_plate_is_all_stored() {
    // a rough chain lets go from some 80 on: before, it takes one step to find out that all hold, and the rest is exact
    let system = BurridgeKnopoffChain { blocks: 60, ..BurridgeKnopoffChain::default() }.system().unwrap();
    let (summary, trace) = simulate(&system, &network(0.02, 60.0));
    assert_eq!((summary.energy.friction, trace.events.len()), (0.0, 0));
    assert!(summary.energy.work > 10.0 && summary.stats.steps == 1, "{:?}", summary.stats);
    // that step takes k·Δs²/2 of each of sixty plate springs
    let taken = 60.0 * 0.5 * (0.01 * 0.02_f64).powi(2);
    // rounding of a sum of 60 springs
    assert!((summary.energy.error() - taken).abs() < 1e-12 * summary.energy.work, "{:?}", summary.energy);
}

#[test]
fn rows_of_sleepers_show_what_pulls_them() {
    let system =
        BurridgeKnopoffChain { blocks: 3, plate_speed: 0.01, roughness: 0.0, ..BurridgeKnopoffChain::default() }
            .system()
            .unwrap();
    let (summary, trace) = simulate(&system, &SimulationOptions { sample: 10.0, ..network(0.02, 95.0) });
    let at = |name: &str| summary.columns.iter().position(|c| c.name == name).expect("a column");
    for row in &trace.rows {
        // all blocks pull with the stretch of their plate springs
        for k in 0..3 {
            // exact at rest: rounding
            assert!((row[at(&format!("f{k}.force"))] - 0.01 * row[0]).abs() < 1e-12, "{}", row[0]);
            assert!((row[at(&format!("p{k}.force"))] + 0.01 * row[0]).abs() < 1e-12, "{}", row[0]);
        }
    }
    assert_eq!(trace.rows.len(), 11);
}

#[test]
fn a_run_goes_on_from_where_another_ended() {
    let mut system = swinging();
    let block = system.node("block").expect("a node");
    let other = system.body("other", Body::default()).expect("a body");
    system.spring("spring", block, other, Spring::linear(3.0)).expect("a spring");
    let bristles = [("sigma0", 300.0), ("sigma1", 2.0)];
    system.contact("floor", other, GROUND, contact("lugre", &bristles)).expect("a contact");
    let simulation = Simulation::new(&system).expect("a system");
    let whole = simulation.run(&network(0.01, 8.0), &mut NullObserver).expect("a run");
    let half = simulation.run(&network(0.01, 4.0), &mut NullObserver).expect("a run");
    let rest = SimulationOptions { start: 4.0, ..network(0.01, 8.0) };
    let rest = simulation.run_from(Some(&half.state), &rest, &mut NullObserver).expect("a run");
    // the rounds of a step end within 1e-10 of their forces
    for (a, b) in rest.row.iter().zip(&whole.row) {
        assert!((a - b).abs() < 1e-7, "{a} for {b}");
    }
    assert!((half.energy.friction + rest.energy.friction - whole.energy.friction).abs() < 1e-7);
}

#[test]
fn the_run_is_that_of_the_library() {
    let system = BurridgeKnopoffChain { blocks: 40, ..BurridgeKnopoffChain::default() }.system().unwrap();
    let mut network_ = Network::new(&system).unwrap();
    network_.run_until(200.0, 0.02, |_| {}).unwrap();
    // rows far apart: where rows come, a sleeper is stopped for them, and nothing else changes
    for sample in [200.0, 0.7] {
        let (summary, _) = simulate(&system, &SimulationOptions { sample, ..network(0.02, 200.0) });
        for (i, x) in network_.positions().iter().enumerate() {
            assert_eq!(summary.last(&format!("b{i}.x")), Some(*x), "{sample}");
        }
    }
}

#[test]
fn probes_look_between_the_steps() {
    let mut system = System::new();
    system.body("block", Body { v: 2.0, ..Body::default() }).expect("a body");
    let column = || "block.x".to_owned();
    let probes = vec![
        Probe::At { column: column(), t: 0.333 },
        Probe::Mean { column: column(), from: 0.25, to: 0.65 },
        Probe::Cross { column: column(), value: 1.0, way: Default::default(), nth: 1, from: 0.0, show: "t".into() },
        Probe::Final { column: column() },
    ];
    let (summary, _) = simulate(&system, &SimulationOptions { probes, ..network(0.1, 1.0) });
    for (found, wanted) in summary.probes.iter().zip([0.666, 0.9, 0.5, 2.0]) {
        // even motion is exact, but for rounding
        assert!((found.expect("an answer") - wanted).abs() < 1e-12, "{found:?} for {wanted}");
    }
}

#[test]
fn what_a_network_cannot_have_is_refused() {
    let mut system = System::new();
    let plant = Plant::Pendulum { mass: 1.0, length: 1.0, inertia: 0.0, gravity: 9.81 };
    system.plant("p", plant, &[0.1], &[0.0]).expect("a plant");
    let error =
        Simulation::new(&system).expect("a system").run(&network(0.01, 1.0), &mut NullObserver).expect_err("a plant");
    assert!(
        matches!(
            error,
            SimError::System(SystemError { kind: SystemErrorKind::UnsupportedInNetwork { what: "a plant" }, .. })
        ),
        "{error:?}"
    );
    let system = swinging();
    let simulation = Simulation::new(&system).expect("a system");
    let error = simulation
        .run(&SimulationOptions { theta: 0.3, ..network(0.01, 1.0) }, &mut NullObserver)
        .expect_err("too early");
    assert_eq!(error.to_string(), "at t = 0: theta = 0.3 must be from 0.5 to 1");
}

/// A ball that slides until it rolls, at v₀/(1 + m r²/I). The force that holds it at zero slip is that of a stiff penalty: with short steps it is
/// known no better than the velocities times that stiffness, and the iteration must not ask for more.
#[test]
fn a_ball_rolls_at_every_step_size() {
    let mut system = System::new();
    let ball = system.body("ball", Body { mass: 0.7, v: 2.0, ..Body::default() }).expect("a body");
    let spin = system.body("spin", Body { mass: 4e-4, rotates: true, ..Body::default() }).expect("a body");
    let mut lane = contact("coulomb", &[("fc", 3.5)]);
    lane.radius = Some(0.05);
    system.contact("lane", ball, spin, lane).expect("a contact");
    for h in [0.05, 0.01, 0.005, 2e-3, 1e-3, 5e-4, 2e-4] {
        let summary = simulate(&system, &network(h, 0.6)).0;
        let v = summary.last("ball.v").expect("a column");
        let rolling = 2.0 / (1.0 + 4e-4 / (0.7 * 0.05 * 0.05));
        // rounding in every step, times the condition of a matrix with a penalty of 1e6
        let near = 0.6 / h * 1e6 * f64::EPSILON * 2.0;
        assert!((v - rolling).abs() < near, "{h}: {v} for {rolling}");
    }
}
