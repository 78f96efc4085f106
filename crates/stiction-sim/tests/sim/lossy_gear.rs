//! Rigid gears with losses: closed forms, rest, self-locking, energy, and an independent decision at rest.
use crate::{law, noise};
use stiction_sim::sim::{EventKind, RunSummary, Simulation, SimulationOptions, Trace};
use stiction_sim::system::{Body, Curve, Efficiency, GROUND, LossyGear, Signal, Spring, System};

fn constant(forward: f64, backward: f64, ratio: f64) -> LossyGear {
    LossyGear { ratio, forward: Efficiency::Constant(forward), backward: Efficiency::Constant(backward) }
}
fn body(mass: f64, v: f64) -> Body {
    Body { mass, v, rotates: true, ..Body::default() }
}
fn line(offset: f64, slope: f64) -> Signal {
    Signal::Ramp { offset, slope, start: 0.0, end: f64::INFINITY }
}
fn sine(amplitude: f64, omega: f64) -> Signal {
    Signal::Sine { mean: 0.0, amplitude, omega, phase: 0.0 }
}

/// Two inertias, a gear between them, and a torque on each.
fn drive(gear: LossyGear, bodies: [Body; 2], torques: [Signal; 2]) -> System {
    let mut system = System::new();
    let [a, b] = [("a", bodies[0]), ("b", bodies[1])].map(|(name, body)| system.body(name, body).expect("a body"));
    system.lossy_gear("gear", a, b, gear).expect("a gear");
    let [first, second] = torques;
    system.force("first", a, first).expect("a force");
    system.force("second", b, second).expect("a force");
    system
}
fn run(system: &System, end: f64) -> (RunSummary, Trace) {
    let mut trace = Trace::default();
    let options = SimulationOptions { end, rtol: 1e-9, ..SimulationOptions::default() };
    let summary = Simulation::new(system).expect("a system").run(&options, &mut trace).expect("a run");
    let energy = summary.energy;
    // the tolerance of the run
    assert!(energy.error().abs() <= 1e-7 * energy.size(), "{energy:?}");
    assert!(energy.friction >= -1e-9 * energy.size(), "{energy:?}");
    (summary, trace)
}

#[test]
fn power_in_both_directions_is_lost_as_the_efficiency_says() {
    for (ratio, [first, second], wanted) in [
        // forward: 0.8·(3 − 2a) = (1.5a)/ratio²… counted at the first: (0.8·2 + 8/4) a = 0.8·3
        (2.0, [3.0, 0.0], 0.8 * 3.0 / (0.8 * 2.0 + 8.0 / 4.0)),
        // backward: the load pulls the motor along, (2 + 0.6·8/4) a = 0.6·5/2
        (2.0, [0.0, 5.0], 0.6 * 5.0 / 2.0 / (2.0 + 0.6 * 8.0 / 4.0)),
        // the second turns the other way
        (-2.0, [3.0, 0.0], 0.8 * 3.0 / (0.8 * 2.0 + 8.0 / 4.0)),
        (-2.0, [0.0, 5.0], -0.6 * 5.0 / 2.0 / (2.0 + 0.6 * 8.0 / 4.0)),
    ] {
        let torques = [first, second].map(Signal::Constant);
        let system = drive(constant(0.8, 0.6, ratio), [body(2.0, 0.0), body(8.0, 0.0)], torques);
        let (summary, _) = run(&system, 1.0);
        let (v, w) = (summary.last("a.v").expect("a.v"), summary.last("b.v").expect("b.v"));
        assert!((v - wanted).abs() < 1e-12 * wanted.abs(), "{ratio}, {first}, {second}: {v} is not {wanted}");
        assert!((v - ratio * w).abs() < 1e-14 * v.abs(), "{v} and {w}");
    }
}

/// The example LossyGearDemo1 of the Modelica Standard Library: in each mode the acceleration is a sine and a line, so that speeds and the times of
/// events follow from integrals and the roots of one function each.
#[test]
fn the_demo_of_modelica_agrees_with_its_closed_form() {
    let omega = std::f64::consts::TAU;
    let system =
        drive(constant(0.5, 0.5, 2.0), [body(1.0, 0.0), body(1.5, 0.0)], [sine(10.0, omega), line(-10.0, 2.5)]);
    let (summary, trace) = run(&system, 0.5);
    let (f1, f2) = (|t: f64| 10.0 * (omega * t).sin(), |t: f64| -5.0 + 1.25 * t);
    let (m1, m2) = (1.0, 1.5 / 4.0);
    let integral = |[w1, w2]: [f64; 2], from: f64, to: f64| {
        let one = |t: f64| w1 * -10.0 / omega * (omega * t).cos() + w2 * (-5.0 * t + 0.625 * t * t);
        (one(to) - one(from)) / (w1 * m1 + w2 * m2)
    };
    let root = |g: &dyn Fn(f64) -> f64, mut low: f64, mut high: f64| {
        assert!(g(low) * g(high) < 0.0, "no root between {low} and {high}");
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if g(low) * g(middle) <= 0.0 { high = middle } else { low = middle }
        }
        0.5 * (low + high)
    };
    // at the start the load drives the motor backward; while the motor holds against it, power goes backward
    let [forward, backward] = [[0.5, 1.0], [1.0, 0.5]];
    let stick = root(&|t| integral(backward, 0.0, t), 0.05, 0.2);
    // κ = μ₂f₁ − μ₁f₂ stays positive until then: the load's flank
    assert!((0..=100).all(|k| m2 * f1(stick * f64::from(k) / 100.0) - m1 * f2(stick * f64::from(k) / 100.0) > 0.0));
    let slip = root(&|t| 0.5 * f1(t) + f2(t), stick, 0.25);
    assert!(0.5 * f1(stick) + f2(stick) < 0.0 && f1(stick) + 0.5 * f2(stick) > 0.0, "rest is possible");
    let found: Vec<_> = trace.events.iter().map(|event| (event.kind, event.t)).collect();
    assert_eq!(found.iter().map(|event| event.0).collect::<Vec<_>>()[..2], [EventKind::Stick, EventKind::SlipUp]);
    for (event, t) in found.iter().zip([stick, slip]) {
        assert!((event.1 - t).abs() < 1e-8, "{event:?} is not at {t}");
    }
    let again = root(&|t| integral(forward, slip, t), slip + 0.02, 0.5);
    assert!((0..=100).all(|k| {
        let t = slip + (again - slip) * f64::from(k) / 100.0;
        m2 * f1(t) - m1 * f2(t) > 0.0
    }));
    assert!((found[2].1 - again).abs() < 1e-8, "{found:?}, {again}");
    assert_eq!(found[2].0, EventKind::Stick);
    assert!(summary.energy.friction > 0.0);
}

/// A contact with the ground that slides and holds with `fc`.
fn friction(fc: f64) -> stiction_sim::system::Contact {
    stiction_sim::system::Contact::new(&law("coulomb", &[("fc", fc)])).expect("a contact")
}

/// A worm with a load of s = 5 N·m, seen at the worm: it holds without a torque of the motor, and turns backward once the motor gives
/// what its bearing and the mesh take, 0.3 + 0.2·5.
#[test]
fn a_worm_locks_itself_and_breaks_away_exactly() {
    for (slope, forward) in [(-1.0, false), (20.0, true)] {
        let gear = constant(0.4, -0.2, 40.0);
        let torques = [line(0.0, slope), Signal::Constant(-200.0)];
        let mut system = drive(gear, [body(2e-3, 0.0), body(1.0, 0.0)], torques);
        let worm = system.node("a").expect("a body");
        system.contact("bearing", worm, GROUND, friction(0.3)).expect("a contact");
        let (_, trace) = run(&system, 1.35);
        let first = trace.events.iter().find(|event| event.kind != EventKind::Stick).expect("it breaks away");
        let (kind, at) = if forward {
            (EventKind::SlipUp, (5.0 / 0.4 + 0.3) / 20.0)
        } else {
            (EventKind::SlipDown, 0.3 + 0.2 * 5.0)
        };
        assert_eq!(first.kind, kind, "{:?}", trace.events);
        assert!((first.t - at).abs() < 1e-12 * at + 1e-14, "{} is not {at}", first.t);
        // until then nothing moves, and the bearing and the mesh share the torques
        let held = trace.rows.iter().filter(|row| row[0] < at);
        assert!(held.into_iter().all(|row| row[1..5].iter().all(|x| *x == 0.0)), "it creeps");
    }
}

/// A fast heavy shaft: where the torque on the first is zero, power goes over to the other direction.
#[test]
fn power_reverses_where_nothing_is_transmitted() {
    let torques = [sine(1.0, 10.0), Signal::Constant(0.0)];
    let system = drive(constant(0.7, 0.5, 1.0), [body(1.0, 100.0), body(3.0, 0.0)], torques);
    let (_, trace) = run(&system, 1.0);
    let zero = |k: usize| std::f64::consts::PI * k as f64 / 10.0;
    let kinds = [EventKind::TouchLow, EventKind::TouchHigh, EventKind::TouchLow];
    assert_eq!(trace.events.iter().map(|event| event.kind).collect::<Vec<_>>(), kinds);
    for (k, event) in trace.events.iter().enumerate() {
        assert!((event.t - zero(k + 1)).abs() < 1e-13, "{} is not {}", event.t, zero(k + 1));
    }
}

/// With efficiencies of one it is the gear without losses.
#[test]
fn without_losses_it_is_the_rigid_gear() {
    let end = |lossy: bool| {
        let mut system = System::new();
        let a = system.body("a", Body { mass: 0.3, x: 0.2, rotates: true, ..Body::default() }).expect("a body");
        let b = system.body("b", body(2.0, 0.0)).expect("a body");
        if lossy {
            system.lossy_gear("gear", a, b, constant(1.0, 1.0, 3.0)).expect("a gear");
        } else {
            system.gear("gear", a, b, 1.0 / 3.0).expect("a gear");
        }
        system.spring("spring", a, GROUND, Spring { damping: 0.02, ..Spring::linear(4.0) }).expect("a spring");
        system.contact("table", b, GROUND, friction(0.3)).expect("a contact");
        system.force("shake", b, sine(2.0, 1.7)).expect("a force");
        let (summary, trace) = run(&system, 10.0);
        let stuck = trace.events.iter().filter(|event| event.kind == EventKind::Stick).count();
        (summary.last("a.x").expect("a.x"), summary.last("b.x").expect("b.x"), stuck)
    };
    let ([x, y], [v, w]) = ([false, true].map(|lossy| end(lossy).0), [false, true].map(|lossy| end(lossy).1));
    // the tolerance of the runs
    assert!((x - y).abs() < 1e-7 && (v - w).abs() < 1e-7, "{x}, {y}; {v}, {w}");
}

/// An efficiency that changes with the speed, against an integration by Runge and Kutta.
#[test]
fn an_efficiency_over_speed_agrees_with_an_independent_integration() {
    let curve = Curve::cubic(vec![0.0, 1.0, 4.0, 10.0], vec![0.5, 0.7, 0.8, 0.6]).expect("a curve");
    let eta = |u: f64| curve.at(u.abs()).0;
    let gear = LossyGear { ratio: 2.0, forward: Efficiency::Curve(curve.clone()), backward: Efficiency::Constant(0.4) };
    let torques = [Signal::Constant(5.0), Signal::Constant(-2.0)];
    let (summary, _) = run(&drive(gear, [body(1.0, 0.0), body(2.0, 0.0)], torques), 2.0);
    let rate = |u: f64| (eta(u) * 5.0 - 1.0) / (eta(u) + 0.5);
    let (mut u, dt) = (0.0, 1e-4);
    for _ in 0..20_000 {
        let k1 = rate(u);
        let k2 = rate(u + 0.5 * dt * k1);
        let k3 = rate(u + 0.5 * dt * k2);
        let k4 = rate(u + dt * k3);
        u += dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
    let v = summary.last("a.v").expect("a.v");
    assert!((v - u).abs() < 1e-8 * u, "{v} is not {u}");
}

#[test]
fn what_could_hold_a_place_otherwise_is_refused() {
    let attach = |add: &dyn Fn(&mut System)| {
        let torques = [Signal::Constant(0.0), Signal::Constant(0.0)];
        let mut system = drive(constant(0.5, 0.5, 1.0), [body(1.0, 0.0), body(1.0, 0.0)], torques);
        system.body("c", body(1.0, 0.0)).expect("a body");
        add(&mut system);
        Simulation::new(&system).err().map(|error| error.to_string())
    };
    let nodes = |system: &System| ["b", "c"].map(|name| system.node(name).expect("a body"));
    let clutch = attach(&|system| {
        let [b, c] = nodes(system);
        system.contact("clutch", b, c, friction(1.0)).expect("a contact");
    });
    assert_eq!(
        clutch.as_deref(),
        Some(
            "'clutch': a contact that sticks to anything but the ground cannot be attached to a place of a gear with an efficiency"
        )
    );
    let second = attach(&|system| {
        let [b, c] = nodes(system);
        system.lossy_gear("other", c, b, constant(0.5, 0.5, 1.0)).expect("a gear");
    });
    assert!(second.is_some_and(|error| error.contains("second place is that of another gear")));
    let row = attach(&|system| {
        let [b, c] = nodes(system);
        system.lossy_gear("other", b, c, constant(0.5, 0.5, 1.0)).expect("a gear");
    });
    assert_eq!(row, None);
    let ring = attach(&|system| {
        let [a, b] = ["a", "b"].map(|name| system.node(name).expect("a body"));
        system.lossy_gear("other", b, a, constant(0.5, 0.5, 1.0)).expect("a gear");
    });
    assert!(ring.is_some_and(|error| error.contains("cannot be coupled")));
    let bristles = attach(&|system| {
        let [b, c] = nodes(system);
        let lugre = stiction_sim::system::Contact::new(&law("lugre", &[])).expect("a contact");
        system.contact("clutch", b, c, lugre).expect("a contact");
    });
    assert_eq!(bristles, None);
    let torques = [Signal::Constant(0.0), Signal::Constant(0.0)];
    let jams = drive(constant(0.5, -0.2, 1.0), [body(1.0, 0.0), body(5.0, 0.0)], torques);
    assert!(Simulation::new(&jams).err().is_some_and(|error| error.to_string().contains("jams")));
}

/// Time stepping: in each step the speed after it satisfies the law with one of the four rays, all contacts at their limits against it, or it is
/// zero. First order in the step, whatever happens within.
fn time_stepping(case: &Case, end: f64, steps: usize) -> [f64; 2] {
    let (mut x, mut u, dt) = (0.0, 0.0, end / steps as f64);
    let [m1, m2] = case.inertia;
    for step in 0..steps {
        let t = (step as f64 + 0.5) * dt;
        let f1 = case.torque[0] * (case.omega[0] * t).sin();
        let f2 = case.torque[1] * (case.omega[1] * t).sin() + case.mean - case.stiffness * (x + 0.5 * dt * u);
        let rays = [
            (1.0, [1.0, case.eta[0]]),
            (1.0, [-case.eta[1], -1.0]),
            (-1.0, [case.eta[1], 1.0]),
            (-1.0, [-1.0, -case.eta[0]]),
        ];
        let next = rays.into_iter().find_map(|(side, [r1, r2])| {
            let [g1, g2] = [f1 - side * case.friction[0], f2 - side * case.friction[1]];
            // m1 (v − u) = dt (g1 − n r1), m2 (v − u) = dt (g2 + n r2)
            let n = (m2 * g1 - m1 * g2) / (m2 * r1 + m1 * r2);
            let v = u + dt * (g1 - n * r1) / m1;
            (n >= 0.0 && v * side > 0.0).then_some(v)
        });
        let v = next.unwrap_or(0.0);
        x += dt * 0.5 * (u + v);
        u = v;
    }
    [x, u]
}

#[derive(Debug)]
struct Case {
    inertia: [f64; 2],
    eta: [f64; 2],
    torque: [f64; 2],
    omega: [f64; 2],
    mean: f64,
    stiffness: f64,
    friction: [f64; 2],
    ratio: f64,
}

#[test]
fn random_drives_agree_with_time_stepping() {
    let mut count = 0;
    let mut next = || {
        count += 1;
        noise(count)
    };
    let (mut stuck, mut turned) = (0, 0);
    for number in 0..60 {
        let mut between = |low: f64, high: f64| low + (high - low) * 0.5 * (1.0 + next());
        let mut case = Case {
            inertia: [between(0.5, 2.0), between(0.5, 2.0)],
            eta: [between(0.2, 1.0), between(-0.2, 1.0)],
            torque: [between(0.0, 5.0), between(0.0, 5.0)],
            omega: [between(1.0, 9.0), between(1.0, 9.0)],
            mean: between(-3.0, 3.0),
            stiffness: if number % 2 == 0 { 0.0 } else { between(0.0, 10.0) },
            friction: [0, 1].map(|k| if (number >> (1 + k)) % 2 == 0 { 0.0 } else { between(0.0, 0.6) }),
            ratio: between(0.3, 3.0) * if number % 3 == 0 { -1.0 } else { 1.0 },
        };
        if case.friction[1] > 0.0 {
            // else rest and motion may both be possible, and the steps prefer motion
            case.eta[1] = case.eta[1].abs();
        }
        let i = case.ratio;
        let gear = constant(case.eta[0], case.eta[1], i);
        let second = Signal::Sum(vec![sine(i * case.torque[1], case.omega[1]), Signal::Constant(i * case.mean)]);
        let bodies = [body(case.inertia[0], 0.0), body(i * i * case.inertia[1], 0.0)];
        let mut system = drive(gear, bodies, [sine(case.torque[0], case.omega[0]), second]);
        let [a, b] = ["a", "b"].map(|name| system.node(name).expect("a body"));
        system.spring("spring", b, GROUND, Spring::linear(i * i * case.stiffness)).expect("a spring");
        for (k, node) in [a, b].into_iter().enumerate() {
            let lever = if k == 0 { 1.0 } else { i.abs() };
            if case.friction[k] > 0.0 {
                let name = format!("friction{k}");
                system.contact(&name, node, GROUND, friction(lever * case.friction[k])).expect("a contact");
            }
        }
        let (summary, trace) = run(&system, 4.0);
        stuck += trace.events.iter().filter(|event| event.kind == EventKind::Stick).count();
        turned += trace
            .events
            .iter()
            .filter(|event| matches!(event.kind, EventKind::TouchHigh | EventKind::TouchLow))
            .count();
        let [coarse, fine] = [40_000, 80_000].map(|steps| time_stepping(&case, 4.0, steps));
        for (k, name) in ["a.x", "a.v"].into_iter().enumerate() {
            let found = summary.last(name).expect(name);
            // twice the change of the last halving bounds the error of a method of first order; plus what a stop within a step makes of it
            let error = 3.0 * (fine[k] - coarse[k]).abs() + 2e-4;
            assert!((found - fine[k]).abs() < error, "{number}: {name} = {found}, not {} ± {error}: {case:?}", fine[k]);
        }
    }
    assert!(stuck > 60 && turned > 60, "{stuck} and {turned}");
}

/// With efficiencies of one, a contact under any law at either place moves and holds as on a rigid gear without losses, whose rest
/// another piece of code decides.
#[test]
fn without_losses_every_law_rubs_as_on_the_rigid_gear() {
    let mut compared = 0;
    for entry in stiction_core::models::ALL {
        let law = stiction_sim::Spec::new(entry.name).expect("a law");
        // the load of one is a torque with a sign, and the bristles of the other are slow to follow on either gear
        if entry.signed_load() || entry.name == "bristle" {
            continue;
        }
        for first in [true, false] {
            let end = |lossy: bool| -> Result<_, stiction_sim::SimError> {
                let mut system = System::new();
                let a = system.body("a", body(0.3, 0.0)).expect("a body");
                let b = system.body("b", body(2.0, 0.0)).expect("a body");
                if lossy {
                    system.lossy_gear("gear", a, b, constant(1.0, 1.0, 1.5)).expect("a gear");
                } else {
                    system.gear("gear", a, b, 1.0 / 1.5).expect("a gear");
                }
                let contact = stiction_sim::system::Contact::new(&law).expect("a contact");
                let at = if first { a } else { b };
                system.contact("rub", at, GROUND, contact).expect("a contact");
                system.force("shake", a, Signal::Sum(vec![sine(2.0, 3.0), sine(1.1, 7.1)])).expect("a force");
                system.spring("spring", b, GROUND, Spring { damping: 0.1, ..Spring::linear(1.0) }).expect("a spring");
                let options = SimulationOptions { end: 2.0, rtol: 1e-8, ..SimulationOptions::default() };
                let mut trace = Trace::default();
                let summary = Simulation::new(&system).expect("a system").run(&options, &mut trace)?;
                let name = if first { "a" } else { "b" };
                Ok([format!("{name}.x"), format!("{name}.v")].map(|column| summary.last(&column).expect("a column")))
            };
            let (rigid, lossy) = (end(false), end(true));
            let place = if first { "first" } else { "second" };
            let (Ok([x, v]), Ok([found_x, found_v])) = (&rigid, &lossy) else {
                panic!("{} at the {place}: {rigid:?} and {lossy:?}", entry.name);
            };
            compared += 1;
            // a hundred times the tolerance of both runs
            let near = |a: f64, b: f64| (a - b).abs() < 1e-6 * (1.0 + a.abs());
            assert!(near(*x, *found_x) && near(*v, *found_v), "{} at the {place}: {rigid:?} and {lossy:?}", entry.name);
        }
    }
    assert!(compared >= 50, "{compared}");
}

/// A bearing at its limit whose load falls while the gear rests, beside a block that sticks: the limits of the bearing are part of those of the
/// gear, and are not watched on their own.
#[test]
fn a_bearing_whose_load_falls_beside_a_block_that_sticks() {
    let gear = constant(0.5, 0.5, 1.0);
    // at rest the mesh takes what the bearing leaves: f₁ = 1, f₂ = −1.2
    let torques = [Signal::Constant(1.0), Signal::Constant(-1.2)];
    let mut system = drive(gear, [body(1.0, 0.0), body(1.0, 0.0)], torques);
    let a = system.node("a").expect("a body");
    let load = stiction_sim::system::Load::Signal(line(1.0, -0.5));
    system.contact("bearing", a, GROUND, friction(0.9).with_load(load)).expect("a contact");
    let block = system.body("block", body(1.0, 0.0)).expect("a body");
    system.contact("floor", block, GROUND, friction(1.0)).expect("a contact");
    system.force("push", block, sine(0.5, 3.0)).expect("a force");
    let (summary, trace) = run(&system, 2.0);
    assert_eq!(trace.events, [], "nothing moves");
    assert_eq!(summary.last("a.x"), Some(0.0));
}
