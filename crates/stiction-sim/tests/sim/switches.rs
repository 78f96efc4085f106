//! Components that a signal switches: closed forms before and after the instant.
use crate::{contact, coulomb, simulate};
use stiction_sim::sim::batch::Ensemble;
use stiction_sim::sim::{IntegrationMethod, NullObserver, RunSummary, Simulation, SimulationOptions, Trace};
use stiction_sim::system::{Body, Contact, Curve, GROUND, Heating, Node, Signal, Spring, Stop, System};

fn body(system: &mut System, name: &str, mass: f64, x: f64, v: f64) -> Node {
    system.body(name, Body { mass, x, v, rotates: false }).expect("a body")
}

fn until(end: f64) -> SimulationOptions {
    SimulationOptions { end, rtol: 1e-10, ..SimulationOptions::default() }
}

fn last(summary: &RunSummary, name: &str) -> f64 {
    assert!(summary.complete, "{:?}", summary.failure);
    summary.last(name).expect("a column")
}

fn events(system: &System, trace: &Trace) -> Vec<(f64, String)> {
    let simulation = Simulation::new(system).expect("a system");
    trace.events.iter().map(|e| (e.t, format!("{}.{}", simulation.part(e.part), e.kind.name()))).collect()
}

/// The values of a column at an instant, in the order of the rows.
fn at(system: &System, trace: &Trace, name: &str, t: f64) -> Vec<f64> {
    let simulation = Simulation::new(system).expect("a system");
    let k = simulation.columns().iter().position(|c| c.name == name).expect("a column");
    trace.rows.iter().filter(|row| row[0] == t).map(|row| row[k]).collect()
}

/// Off at `from`, on again at `to`.
fn window(from: f64, to: f64) -> Signal {
    Signal::Pulses { low: 1.0, high: 0.0, start: from, width: to - from, period: to - from, count: 1.0 }
}

fn off(at: f64) -> Signal {
    Signal::Step { before: 1.0, after: 0.0, at }
}

fn on(at: f64) -> Signal {
    Signal::Step { before: 0.0, after: 1.0, at }
}

fn closes(summary: &RunSummary) {
    // the error of a run at this tolerance
    assert!(summary.energy.error().abs() < 1e-8 * summary.energy.size(), "{:?}", summary.energy);
}

/// A body on a spring, let go at rest: `x = a cos(w t)`; from the switch on it flies freely, and the elastic energy is lost. Coupled again it
/// oscillates about the place where that happened.
#[test]
fn a_spring_that_is_switched_off_lets_the_body_fly() {
    let (mass, stiffness, rest, a) = (2.0, 50.0, 0.3, 0.1);
    let (w, t1, t2, end) = (5.0, 0.4, 1.1, 1.7);
    let mut system = System::new();
    let block = body(&mut system, "block", mass, rest + a, 0.0);
    system.spring("pull", block, GROUND, Spring { rest, ..Spring::linear(stiffness) }).expect("a spring");
    system.switch("pull", window(t1, t2)).expect("a switch");
    let (summary, trace) = simulate(&system, &until(end));
    let (x1, v) = (a * f64::cos(w * t1), -a * w * f64::sin(w * t1));
    let x2 = rest + x1 + v * (t2 - t1);
    let (x, speed) = (x2 + v / w * f64::sin(w * (end - t2)), v * f64::cos(w * (end - t2)));
    assert!((last(&summary, "block.x") - x).abs() < 1e-9 && (last(&summary, "block.v") - speed).abs() < 1e-9);
    // linear, and therefore exact but for rounding
    let lost = 0.5 * stiffness * x1 * x1;
    assert!((summary.energy.switching - lost).abs() < 1e-12, "{:?} for {lost}", summary.energy);
    closes(&summary);
    // rows on both sides of the instant
    let force = at(&system, &trace, "pull.force", t1);
    assert!((force[0] - stiffness * x1).abs() < 1e-9 && *force.last().expect("a row") == 0.0, "{force:?}");
    assert!(at(&system, &trace, "pull.force", t2).iter().all(|f| *f == 0.0));
    assert!(trace.rows.iter().filter(|row| row[0] > t1 && row[0] < t2).all(|row| (row[2] - v).abs() < 1e-9));
}

/// The same by every explicit method that is fine enough, and by one run after another from the states between, also where these meet at the
/// instants themselves.
#[test]
fn explicit_methods_and_continued_runs_switch_at_the_same_instants() {
    let (w, t1, t2) = (5.0, 0.4, 1.1);
    let mut system = System::new();
    let block = body(&mut system, "block", 1.0, 0.1, 0.0);
    system.spring("pull", block, GROUND, Spring::linear(w * w)).expect("a spring");
    system.switch("pull", window(t1, t2)).expect("a switch");
    let v = -0.1 * w * f64::sin(w * t1);
    let x = 0.1 * f64::cos(w * t1) + v * (t2 - t1) + v / w * f64::sin(w * 0.6);
    let simulation = Simulation::new(&system).expect("a system");
    for method in [IntegrationMethod::Rk4, IntegrationMethod::DormandPrince] {
        let options = SimulationOptions { method, step: 1e-3, ..until(1.7) };
        let summary = simulation.run(&options, &mut NullObserver).expect("a run");
        assert!((last(&summary, "block.x") - x).abs() < 1e-8, "{}: {}", method.name(), last(&summary, "block.x"));
        assert!(summary.energy.error().abs() < 1e-8 && summary.energy.switching > 0.0, "{:?}", summary.energy);
    }
    // a contact, too: 0.05 s of friction, 0.25 s without, 0.25 s of friction, against a force of twice as much, which turns the body
    let mut sliding = System::new();
    let slider = body(&mut sliding, "block", 1.0, 0.0, -0.3);
    sliding.force("push", slider, Signal::Constant(2.0)).expect("a force");
    sliding.contact("table", slider, GROUND, coulomb(1.0)).expect("a contact");
    sliding.switch("table", window(0.05, 0.3)).expect("a switch");
    for method in [IntegrationMethod::Rk4, IntegrationMethod::DormandPrince] {
        let options = SimulationOptions { method, step: 1e-3, ..until(0.55) };
        let summary = Simulation::new(&sliding).expect("a system").run(&options, &mut NullObserver).expect("a run");
        // -0.3 + 0.05·3 + 0.25·2 + 0.25·1
        assert!((last(&summary, "block.v") - 0.6).abs() < 1e-9, "{}: {}", method.name(), last(&summary, "block.v"));
    }
    for cuts in [[0.2, 0.7, 1.5], [t1, t2, 1.3], [0.1, t1, t2]] {
        let (mut state, mut start, mut lost) = (None, 0.0, 0.0);
        for end in cuts.into_iter().chain([1.7]) {
            let options = SimulationOptions { start, ..until(end) };
            let summary = simulation.run_from(state.as_ref(), &options, &mut NullObserver).expect("a run");
            closes(&summary);
            (start, lost) = (end, lost + summary.energy.switching);
            if end == 1.7 {
                assert!((last(&summary, "block.x") - x).abs() < 1e-9, "{cuts:?}: {}", last(&summary, "block.x"));
            }
            state = Some(summary.state);
        }
        let energy = 0.5 * (w * 0.1 * f64::cos(w * t1)).powi(2);
        assert!((lost - energy).abs() < 1e-9, "{cuts:?}: {lost} for {energy}");
    }
}

/// A clutch with a spring behind it: two shafts turn at different speeds, and the coupling begins without a torque however far they have turned
/// against each other. The relative motion is an oscillation, and the momentum is kept.
#[test]
fn a_coupling_begins_relaxed_where_the_shafts_are() {
    let (ja, jb, stiffness, t1, end) = (0.3, 0.6, 45.0, 10.0, 10.25);
    for ratio in [1.0, -2.5] {
        let mut system = System::new();
        let turning = |v| Body { mass: if v > 5.0 { ja } else { jb }, v, rotates: true, ..Body::default() };
        let first = system.body("first", turning(30.0)).expect("a body");
        let second = system.body("second", turning(1.0)).expect("a body");
        let spring = Spring { ratio, ..Spring::linear(stiffness) };
        system.spring("coupling", first, second, spring).expect("a spring");
        system.switch("coupling", on(t1)).expect("a switch");
        let (summary, _) = simulate(&system, &until(end));
        // x = a − ratio·b with inertia 1/(1/ja + ratio²/jb)
        let inertia = 1.0 / (1.0 / ja + ratio * ratio / jb);
        let (w, v) = ((stiffness / inertia).sqrt(), 30.0 - ratio);
        let torque = stiffness * v / w * f64::sin(w * (end - t1));
        assert!((last(&summary, "coupling.force") - torque).abs() < 1e-7 * torque.abs(), "{ratio}");
        let [a, b] = ["first.v", "second.v"].map(|name| last(&summary, name));
        assert!((ratio * ja * a + jb * b - (ratio * ja * 30.0 + jb)).abs() < 1e-9, "{ratio}: {a} {b}");
        assert_eq!(summary.energy.switching, 0.0);
        closes(&summary);
    }
}

/// A surface that gives is where it was when it is switched on with the body in the gap; pressed in at that time, it lets go at the place of the body.
#[test]
fn a_gap_moves_only_as_far_as_it_must() {
    for (x, edge) in [(0.5, 0.0), (-0.2, -0.2)] {
        let mut system = System::new();
        let ball = body(&mut system, "ball", 1.0, x, 0.0);
        system.force("weight", ball, Signal::Constant(-1.0)).expect("a force");
        let floor = Spring { gap: Some([0.0, f64::INFINITY]), ..Spring::linear(1e4) };
        system.spring("floor", ball, GROUND, floor).expect("a spring");
        system.contact("guide", ball, GROUND, contact("viscous", &[("fv", 40.0)])).expect("a contact");
        system.switch("floor", on(1e-9)).expect("a switch");
        let (summary, _) = simulate(&system, &until(100.0));
        // it comes to rest where the surface carries its weight
        assert!((last(&summary, "ball.x") - (edge - 1e-4)).abs() < 1e-8, "{x}: {}", last(&summary, "ball.x"));
    }
}

/// Off, a contact does not slow the body down: `v` falls by `fc/m·t` while it is on, and is constant while it is off.
#[test]
fn a_contact_that_is_off_has_no_friction() {
    let (mass, fc, t1, t2) = (2.0, 3.0, 0.5, 1.25);
    let mut system = System::new();
    let block = body(&mut system, "block", mass, 0.0, 2.0);
    system.contact("table", block, GROUND, coulomb(fc)).expect("a contact");
    system.switch("table", window(t1, t2)).expect("a switch");
    let (summary, trace) = simulate(&system, &until(4.0));
    let (v1, a) = (2.0 - fc / mass * t1, fc / mass);
    let way = 2.0 * t1 - 0.5 * a * t1 * t1 + v1 * (t2 - t1) + 0.5 * v1 * v1 / a;
    assert!((last(&summary, "block.x") - way).abs() < 1e-9, "{}", last(&summary, "block.x"));
    let seen = events(&system, &trace);
    let names: Vec<_> = seen.iter().map(|event| event.1.as_str()).collect();
    assert_eq!(names, ["table.disable", "table.enable", "table.stick"]);
    assert!(seen[0].0 == t1 && seen[1].0 == t2 && (seen[2].0 - t2 - v1 / a).abs() < 1e-9, "{seen:?}");
    let force = at(&system, &trace, "table.force", t1);
    assert!(force[0] == fc && *force.last().expect("a row") == 0.0, "{force:?}");
    assert!(trace.rows.iter().filter(|row| row[0] > t1 && row[0] < t2).all(|row| (row[2] - v1).abs() < 1e-12));
    assert!((summary.energy.friction - 0.5 * mass * 4.0).abs() < 1e-9, "{:?}", summary.energy);
    closes(&summary);
}

/// A brake that holds a body against a force lets it go at the instant at which it is released, and catches it again.
#[test]
fn a_brake_that_is_released_lets_go_at_once() {
    for name in ["coulomb", "stribeck", "elasto-plastic", "lugre", "dahl"] {
        let mut system = System::new();
        let block = body(&mut system, "block", 1.0, 0.0, 0.0);
        system.force("push", block, Signal::Constant(0.2)).expect("a force");
        system.contact("brake", block, GROUND, contact(name, &[])).expect("a contact");
        system.switch("brake", window(0.5, 0.75)).expect("a switch");
        let (summary, trace) = simulate(&system, &until(2.0));
        let v = at(&system, &trace, "block.v", 0.75);
        let before = at(&system, &trace, "block.v", 0.5)[0];
        assert!((v[0] - before - 0.05).abs() < 1e-9, "{name}: {v:?} from {before}");
        closes(&summary);
        let own: Contact = contact(name, &[]);
        if own.holds() {
            let seen = events(&system, &trace);
            let wanted = [(0.5, "brake.disable"), (0.5, "brake.slip+"), (0.75, "brake.enable")];
            assert!(seen.iter().zip(wanted).all(|(e, want)| (e.0, e.1.as_str()) == want), "{name}: {seen:?}");
            assert_eq!(seen[3].1, "brake.stick", "{name}: {seen:?}");
            assert_eq!(last(&summary, "block.v"), 0.0);
        }
    }
}

/// What comes after a contact is switched on is what comes in a run of its own, of a contact that has never moved, with the same speed.
#[test]
fn a_contact_begins_anew_where_it_is_switched_on() {
    let laws = [
        "coulomb",
        "karnopp",
        "lugre",
        "gms",
        "reset-integrator",
        "bouc-wen",
        "slip-variable",
        "coulomb-tanh",
        "armstrong",
    ];
    for name in laws {
        let build = |v: f64, enable: Option<Signal>| {
            let mut system = System::new();
            let block = body(&mut system, "block", 1.0, 0.0, v);
            let hand = system.motion("hand", Signal::Constant(0.0), false).expect("a motion");
            system.spring("pull", block, hand, Spring::linear(30.0)).expect("a spring");
            system.contact("table", block, GROUND, contact(name, &[])).expect("a contact");
            if let Some(enable) = enable {
                system.switch("table", enable).expect("a switch");
            }
            system
        };
        // an undamped oscillation by whole periods in between
        let period = std::f64::consts::TAU / 30.0_f64.sqrt();
        let plain = build(1.0, None);
        let (first, _) = simulate(&plain, &until(0.7));
        let late = build(1.0, Some(on(2.0 * period)));
        let (second, _) = simulate(&late, &until(2.0 * period + 0.7));
        for column in ["block.x", "block.v", "table.force"] {
            let [a, b] = [&first, &second].map(|summary| last(summary, column));
            assert!((a - b).abs() < 1e-6 * a.abs().max(1.0), "{name} {column}: {a} {b}");
        }
        closes(&second);
    }
}

/// What has warmed up cools down exponentially while the contact is off, and the friction is that of the temperature after it.
#[test]
fn what_is_warm_cools_down_while_it_is_off() {
    let heating = Heating { capacity: 2.0, conductance: 3.0, softening: 0.0 };
    let mut system = System::new();
    let block = body(&mut system, "block", 1.0, 0.0, 1.0);
    system.contact("table", block, GROUND, coulomb(1.0).with_heating(heating, 50.0)).expect("a contact");
    system.switch("table", Signal::Constant(0.0)).expect("a switch");
    let (summary, _) = simulate(&system, &until(1.0));
    assert!((last(&summary, "table.temperature") - 50.0 * f64::exp(-1.5)).abs() < 1e-7);
    assert_eq!([last(&summary, "table.heat"), last(&summary, "block.v")], [0.0, 1.0]);
}

/// Two bodies with different speeds: a clutch between them equalises these while it is on, and leaves them alone while it is off.
#[test]
fn a_clutch_between_two_bodies_keeps_the_momentum() {
    let mut system = System::new();
    let a = body(&mut system, "a", 1.0, 0.0, 3.0);
    let b = body(&mut system, "b", 2.0, 0.0, 0.0);
    system.contact("clutch", a, b, coulomb(4.0)).expect("a contact");
    system.switch("clutch", on(1.0)).expect("a switch");
    let (summary, trace) = simulate(&system, &until(2.0));
    assert_eq!([last(&summary, "a.v"), last(&summary, "b.v")], [1.0, 1.0]);
    // the relative speed of 3 m/s falls by 4 + 2 m/s²
    assert!(events(&system, &trace).iter().any(|e| e.1 == "clutch.stick" && (e.0 - 1.5).abs() < 1e-9));
    assert!((summary.energy.friction - 3.0).abs() < 1e-9);
}

/// A stop that is drawn back lets the body pass; one that is put there while the body is beyond it has no solution.
#[test]
fn a_stop_is_there_while_it_is_on() {
    let build = |enable: Signal| {
        let mut system = System::new();
        let ball = body(&mut system, "ball", 1.0, 1.0, -1.0);
        let stop = Stop { lo: 0.0, hi: f64::INFINITY, restitution: 1.0 };
        system.stop("floor", ball, GROUND, stop).expect("a stop");
        system.switch("floor", enable).expect("a switch");
        system
    };
    for (enable, x) in [(on(0.5), 1.0), (off(0.5), -1.0), (off(1.5), 1.0), (window(0.2, 0.9), 1.0), (on(1.0), 1.0)] {
        let system = build(enable.clone());
        let (summary, _) = simulate(&system, &until(2.0));
        assert!((last(&summary, "ball.x") - x).abs() < 1e-9, "{enable:?}: {}", last(&summary, "ball.x"));
        closes(&summary);
    }
    let system = build(on(1.5));
    let error = Simulation::new(&system).expect("a system").run(&until(2.0), &mut NullObserver).expect_err("outside");
    assert!(error.to_string().contains("'floor' is switched on at a displacement of -0.5"), "{error}");
    assert!(error.hint().is_some_and(|hint| hint.contains("between lo and hi")));
    // a stop that holds a body lets it go
    let mut system = System::new();
    let block = body(&mut system, "block", 1.0, 0.0, 0.0);
    system.force("push", block, Signal::Constant(-2.0)).expect("a force");
    system.stop("pin", block, GROUND, Stop { lo: 0.0, hi: f64::INFINITY, restitution: 0.0 }).expect("a stop");
    system.switch("pin", off(1.0)).expect("a switch");
    let (summary, trace) = simulate(&system, &until(2.0));
    assert!((last(&summary, "block.x") + 1.0).abs() < 1e-9);
    assert_eq!(events(&system, &trace), ["pin.disable", "pin.leave"].map(|name| (1.0, name.to_owned())));
}

/// A spring that would begin with a force, and a law whose position would be lost, are not switched.
#[test]
fn what_a_switch_would_falsify_is_refused() {
    let spring = |y: Vec<f64>| {
        let mut system = System::new();
        let block = body(&mut system, "block", 1.0, 0.0, 0.0);
        let curve = Curve::linear(vec![-1.0, 0.0, 1.0], y).expect("a curve");
        system.spring("pull", block, GROUND, Spring { curve: Some(curve), ..Spring::linear(0.0) }).expect("a spring");
        system.switch("pull", on(1.0)).map_err(|error| error.to_string())
    };
    assert_eq!(spring(vec![-4.0, 0.0, 6.0]), Ok(()));
    for y in [vec![4.0, 5.0, 6.0], vec![4.0, 0.0, -6.0]] {
        let error = spring(y).expect_err("a force where it begins");
        assert!(error.contains("does not pass through zero"), "{error}");
    }
}

#[test]
fn a_switch_is_on_or_off() {
    let mut system = System::new();
    let block = body(&mut system, "block", 1.0, 0.0, 1.0);
    system.contact("table", block, GROUND, coulomb(1.0)).expect("a contact");
    for (enable, text) in [
        (Signal::Constant(0.5), "enable = 0.5 must be 1, which is on, or 0, which is off"),
        (Signal::Step { before: 1.0, after: 2.0, at: 3.0 }, "enable = 2 must be"),
        (Signal::Sum(vec![on(1.0), on(2.0)]), "enable = 2 must be"),
        (Signal::Ramp { offset: 0.0, slope: 1.0, start: 0.0, end: 1.0 }, "enable must be constant between its jumps"),
    ] {
        let error = system.switch("table", enable).expect_err("not a switch");
        assert!(error.to_string().contains(text) && error.hint().contains("pulses"), "{error}");
    }
    assert!(
        system.switch("tabel", on(1.0)).expect_err("no component").to_string().contains("no spring, contact, stop")
    );
    system
        .switch("table", Signal::Sum(vec![on(1.0), Signal::Step { before: 0.0, after: -1.0, at: 2.0 }]))
        .expect("a switch");
    // one by one, not in lanes
    let refused = Ensemble::new(&system, &until(1.0)).expect("options").err().map(|why| why.to_string());
    assert_eq!(refused.as_deref(), Some("'table' is a component that a signal switches"));
    let options = SimulationOptions { method: IntegrationMethod::Network, step: 1e-3, ..until(1.0) };
    let error = Simulation::new(&system).expect("a system").run(&options, &mut NullObserver).expect_err("a network");
    assert!(error.to_string().contains("a component that a signal switches"), "{error}");
}
