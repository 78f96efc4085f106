//! Freewheels: closed forms, and an independent integration.
use crate::{contact, coulomb, simulate};
use stiction_sim::sim::{RELATIVE_CHANGE, RunSummary, Simulation, SimulationOptions, Trace, VariedParameter};
use stiction_sim::system::{Body, Freewheel, GROUND, Node, Signal, Spring, Stop, System};

fn shaft(system: &mut System, name: &str, inertia: f64, v: f64) -> Node {
    system.body(name, Body { mass: inertia, v, rotates: true, ..Body::default() }).expect("a body")
}

fn until(end: f64, rtol: f64) -> SimulationOptions {
    SimulationOptions { end, rtol, ..SimulationOptions::default() }
}

fn last(summary: &RunSummary, name: &str) -> f64 {
    assert!(summary.complete, "{:?}", summary.failure);
    summary.last(name).expect("a column")
}

/// Time, component and name of each event.
fn events(system: &System, trace: &Trace) -> Vec<(f64, String)> {
    let simulation = Simulation::new(system).expect("a system");
    trace.events.iter().map(|e| (e.t, format!("{}.{}", simulation.part(e.part), e.kind.name()))).collect()
}

fn named(events: &[(f64, String)]) -> Vec<&str> {
    events.iter().map(|(_, name)| name.as_str()).collect()
}

/// A motor with a torque, a load with another, and a freewheel through which the motor drives the load.
fn drive([ja, jb]: [f64; 2], [va, vb]: [f64; 2], torques: [Signal; 2]) -> System {
    let mut system = System::new();
    let (motor, load) = (shaft(&mut system, "motor", ja, va), shaft(&mut system, "load", jb, vb));
    let [ta, tb] = torques;
    system.force("drive", motor, ta).expect("a force");
    system.force("drag", load, tb).expect("a force");
    system.freewheel("wheel", motor, load, Freewheel::default()).expect("a freewheel");
    system
}

#[test]
fn the_load_overruns_until_the_motor_catches_up() {
    let (ja, jb, torque) = (0.3, 0.5, 2.0);
    for (rtol, way) in [(1e-6, 1.0), (1e-10, 1.0), (1e-9, 1e6), (1e-9, 1e-6)] {
        // speeds and torques on another scale
        let torques = [Signal::Constant(way * torque), Signal::Constant(0.0)];
        let system = drive([ja, jb], [way, 3.0 * way], torques);
        let (caught, end) = (2.0 * ja / torque, 1.0);
        let (summary, trace) = simulate(&system, &until(end, rtol));
        let seen = events(&system, &trace);
        assert_eq!(named(&seen), ["wheel.engage"]);
        assert!((seen[0].0 - caught).abs() < 10.0 * rtol, "{}", seen[0].0);
        let speed = way * (3.0 + torque / (ja + jb) * (end - caught));
        let [a, b, force] = ["motor.v", "load.v", "wheel.force"].map(|name| last(&summary, name));
        assert!((a - speed).abs() < 20.0 * rtol * speed && a == b, "{a} and {b} for {speed}");
        assert!((force - way * jb * torque / (ja + jb)).abs() < 1e-12 * way * torque, "{force}");
        // no force before
        let at = summary.columns.iter().position(|c| c.name == "wheel.force").expect("a column");
        assert!(trace.rows.iter().filter(|row| row[0] < 0.99 * caught).all(|row| row[at] == 0.0));
        assert!(summary.energy.error().abs() < 50.0 * rtol * summary.energy.size(), "{:?}", summary.energy);
        // nothing is lost where it engages without a difference of speeds
        assert!(summary.energy.impact.abs() < 1e-12 * summary.energy.size(), "{:?}", summary.energy);
    }
}

#[test]
fn it_disengages_where_its_force_ends() {
    let (ja, jb, start, slope, drag) = (0.3, 0.5, 2.0, 1.6, 0.7);
    let fall = Signal::Ramp { offset: start, slope: -slope, start: 0.0, end: f64::INFINITY };
    let system = drive([ja, jb], [4.0, 4.0], [fall, Signal::Constant(-drag)]);
    let end = 4.0;
    let (summary, trace) = simulate(&system, &until(end, 1e-10));
    // while it blocks, its force is that on the load: jb·a + drag with a = (T − drag)/(ja + jb)
    let opens = (start + ja / jb * drag) / slope;
    let seen = events(&system, &trace);
    assert_eq!(named(&seen), ["wheel.disengage"]);
    assert!((seen[0].0 - opens).abs() < 1e-9, "{} for {opens}", seen[0].0);
    let common = 4.0 + ((start - drag) * opens - 0.5 * slope * opens * opens) / (ja + jb);
    let [a, b, force] = ["motor.v", "load.v", "wheel.force"].map(|name| last(&summary, name));
    let left = end - opens;
    let motor = common + ((start - slope * opens) * left - 0.5 * slope * left * left) / ja;
    assert!((b - (common - drag / jb * left)).abs() < 1e-8 && (a - motor).abs() < 1e-8, "{a} {b}");
    assert_eq!(force, 0.0);
}

/// A faster motor at the start: a plastic impact keeps the angular momentum and loses the energy of the difference.
#[test]
fn it_engages_with_a_plastic_impact() {
    let (ja, jb, va, vb) = (0.3, 0.5, 3.0, 1.0);
    let system = drive([ja, jb], [va, vb], [Signal::Constant(0.0), Signal::Constant(0.0)]);
    let (summary, trace) = simulate(&system, &until(1.0, 1e-9));
    assert_eq!(named(&events(&system, &trace)), ["wheel.impact", "wheel.engage"]);
    let common = (ja * va + jb * vb) / (ja + jb);
    let [a, b] = ["motor.v", "load.v"].map(|name| last(&summary, name));
    assert!((a - common).abs() < 1e-15 * 10.0 && a == b, "{a} {b} for {common}");
    let lost = 0.5 * ja * jb / (ja + jb) * (va - vb) * (va - vb);
    assert!((summary.energy.impact - lost).abs() < 1e-14, "{:?}", summary.energy);
}

/// The load runs into a stop with restitution e while the motor pushes it: both come back together with e of their speed, since the
/// motor may not be faster than the load. One that the load overruns is not taken along while it stays slower.
#[test]
fn an_impact_elsewhere_passes_through_it() {
    let e = 0.5;
    for (va, wanted) in [(1.0, [-e, -e]), (-2.0, [-2.0, -e])] {
        let mut system = System::new();
        let [a, b] = [("a", va, 0.7), ("b", 1.0, 0.4)]
            .map(|(name, v, mass)| system.body(name, Body { mass, v, ..Body::default() }).expect("a body"));
        system.freewheel("wheel", a, b, Freewheel::default()).expect("a freewheel");
        let stop = Stop { lo: f64::NEG_INFINITY, hi: 0.5, restitution: e };
        system.stop("wall", b, GROUND, stop).expect("a stop");
        let (summary, _) = simulate(&system, &until(0.8, 1e-9));
        let got = ["a.v", "b.v"].map(|name| last(&summary, name));
        assert!((0..2).all(|i| (got[i] - wanted[i]).abs() < 1e-12), "{got:?} for {wanted:?}");
    }
}

/// Driven by a shaft whose speed swings: the load is left where the shaft slows down faster than the load's own drag slows it.
#[test]
fn a_load_runs_on_where_its_drive_slows_down() {
    let (mean, swing, omega, inertia, drag) = (100.0, 15.0, 60.0, 6e-3, 1.5);
    let mut system = System::new();
    let load = shaft(&mut system, "load", inertia, mean);
    // the position of the shaft: its speed is mean + swing·sin(omega t)
    let turn = Signal::Ramp { offset: 0.0, slope: mean, start: 0.0, end: f64::INFINITY };
    let wave = Signal::Sine { mean: 0.0, amplitude: -swing / omega, omega, phase: std::f64::consts::FRAC_PI_2 };
    let crank = system.motion("crank", Signal::Sum(vec![turn, wave]), true).expect("a motion");
    system.force("drag", load, Signal::Constant(-drag)).expect("a force");
    system.freewheel("wheel", crank, load, Freewheel::default()).expect("a freewheel");
    let period = std::f64::consts::TAU / omega;
    let (summary, trace) = simulate(&system, &until(3.0 * period, 1e-10));
    let seen = events(&system, &trace);
    assert_eq!(named(&seen)[..3], ["wheel.disengage", "wheel.engage", "wheel.disengage"]);
    // the force inertia·swing·omega·cos(omega t) + drag ends
    let opens = (-drag / (inertia * swing * omega)).acos() / omega;
    assert!((seen[0].0 - opens).abs() < 1e-9, "{} for {opens}", seen[0].0);
    // and the speeds meet again
    let gap = |t: f64| swing * (omega * t).sin() - swing * (omega * opens).sin() + drag / inertia * (t - opens);
    let (mut low, mut high) = (opens + 0.25 * period, opens + period);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if gap(middle) < 0.0 { low = middle } else { high = middle }
    }
    assert!((seen[1].0 - low).abs() < 1e-9, "{} for {low}", seen[1].0);
    assert!((seen[2].0 - opens - period).abs() < 1e-9);
    assert!(summary.energy.error().abs() < 1e-8 * summary.energy.size(), "{:?}", summary.energy);
}

#[test]
fn derivatives_pass_through_it() {
    // v = 3 + T/(ja + jb)·(t − t₁) with t₁ = 2 ja/T, and x of the load 3 t + T/(ja + jb)·(t − t₁)²/2
    let (ja, jb, torque, end) = (0.3, 0.5, 2.0, 1.0);
    let build = |torque| drive([ja, jb], [1.0, 3.0], [Signal::Constant(torque), Signal::Constant(0.0)]);
    let h = RELATIVE_CHANGE * torque;
    let (system, low, high) = (build(torque), build(torque - h), build(torque + h));
    let parameter = VariedParameter { name: "torque".to_owned(), systems: [(-h, &low), (h, &high)] };
    let mut trace = Trace::default();
    let simulation = Simulation::new(&system).expect("a system");
    let (summary, report) =
        simulation.run_with_sensitivities(&[parameter], &until(end, 1e-9), &mut trace).expect("derivatives");
    assert!(report.flags.is_empty(), "{:?}", report.flags);
    let at = |name: &str| {
        let i = summary.columns.iter().position(|c| c.name == name).expect("a column");
        summary.row[summary.columns.len() + i - 1]
    };
    let (t1, by) = (2.0 * ja / torque, -2.0 * ja / (torque * torque));
    let tau = end - t1;
    let speed = tau / (ja + jb) - torque / (ja + jb) * by;
    let place = 0.5 * tau * tau / (ja + jb) - torque / (ja + jb) * tau * by;
    for (name, wanted) in [("motor.v", speed), ("load.v", speed), ("load.x", place)] {
        assert!((at(name) - wanted).abs() < 1e-8 * wanted.abs(), "{name}: {} for {wanted}", at(name));
    }
    assert!((report.events[0].dt[0] - by).abs() < 1e-8, "{:?}", report.events);
}

/// Three shafts in a row, with freewheels, springs, friction and torques that swing, against an integration by small steps in which a
/// velocity that must not become positive is brought back by a plastic impact. That is of first order in the step: two steps give the
/// error that is left.
#[test]
fn an_integration_by_small_steps_agrees() {
    let inertia = [0.4, 0.2, 0.3];
    let (torque, omega, stiffness, friction, end) = (2.0, 3.0, 5.0, [0.3, 0.2], 8.0);
    let mut system = System::new();
    let nodes: Vec<Node> = (0..3).map(|i| shaft(&mut system, &format!("s{i}"), inertia[i], 0.0)).collect();
    system.freewheel("first", nodes[0], nodes[1], Freewheel::default()).expect("a freewheel");
    system.freewheel("second", nodes[1], nodes[2], Freewheel::default()).expect("a freewheel");
    let swing = Signal::Sine { mean: 0.3, amplitude: torque, omega, phase: 0.0 };
    system.force("torque", nodes[0], swing).expect("a force");
    system.spring("back", nodes[0], GROUND, Spring::linear(stiffness)).expect("a spring");
    system.contact("one", nodes[1], GROUND, coulomb(friction[0])).expect("a contact");
    system.contact("two", nodes[2], GROUND, coulomb(friction[1])).expect("a contact");
    let (summary, trace) = simulate(&system, &until(end, 1e-9));
    let seen = events(&system, &trace);
    for name in ["first.engage", "first.disengage", "second.disengage"] {
        assert!(named(&seen).iter().filter(|seen| **seen == name).count() > 1, "{name}: {seen:?}");
    }
    let slow = |h: f64| {
        let (mut x, mut v) = ([0.0; 3], [0.0; 3]);
        let steps = (end / h).round() as usize;
        for k in 0..steps {
            let t = (k as f64 + 0.5) * h;
            v[0] += h / inertia[0] * (0.3 + torque * (omega * t).sin() - stiffness * x[0]);
            // friction and freewheels until nothing changes: each is a projection
            let mut carried = [0.0_f64; 2];
            for _ in 0..200 {
                let before = v;
                for i in 0..2 {
                    if v[i] > v[i + 1] {
                        let p = (v[i] - v[i + 1]) / (1.0 / inertia[i] + 1.0 / inertia[i + 1]);
                        v[i] -= p / inertia[i];
                        v[i + 1] += p / inertia[i + 1];
                    }
                }
                for i in 1..3 {
                    let loss = h * friction[i - 1] / inertia[i];
                    let free = v[i] + carried[i - 1];
                    carried[i - 1] = free.clamp(-loss, loss);
                    v[i] = free - carried[i - 1];
                }
                if (0..3).all(|i| (v[i] - before[i]).abs() < 1e-12) {
                    break;
                }
            }
            (0..3).for_each(|i| x[i] += h * v[i]);
        }
        [x[0], x[1], x[2]]
    };
    let (coarse, fine) = (slow(2e-4), slow(1e-4));
    for i in 0..3 {
        let got = last(&summary, &format!("s{i}.x"));
        let left = (coarse[i] - fine[i]).abs();
        assert!((got - fine[i]).abs() < 3.0 * left + 1e-6, "{i}: {got} for {} ± {left}", fine[i]);
        assert!(left < 1e-2, "{left}");
    }
}

/// Switched off while it blocks, and on again while the motor is faster: open in between, then an impact.
#[test]
fn a_switch_opens_and_closes_it() {
    let (ja, jb, torque) = (0.3, 0.5, 2.0);
    let enable = Signal::Pulses { low: 1.0, high: 0.0, start: 0.5, width: 0.25, period: 1.0, count: 1.0 };
    let mut system = System::new();
    let (motor, load) = (shaft(&mut system, "motor", ja, 1.0), shaft(&mut system, "load", jb, 1.0));
    system.force("drive", motor, Signal::Constant(torque)).expect("a force");
    system.freewheel("wheel", motor, load, Freewheel { enable }).expect("a freewheel");
    let (summary, trace) = simulate(&system, &until(1.0, 1e-10));
    let seen = events(&system, &trace);
    let wanted = ["wheel.disable", "wheel.disengage", "wheel.enable", "wheel.impact", "wheel.engage"];
    assert_eq!(named(&seen), wanted);
    assert_eq!(seen.iter().map(|event| event.0).collect::<Vec<_>>(), [0.5, 0.5, 0.75, 0.75, 0.75]);
    // all torque is in the momentum, whatever the freewheel does
    let momentum = ja + jb + torque * 1.0;
    let [a, b] = ["motor.v", "load.v"].map(|name| last(&summary, name));
    assert!((a - momentum / (ja + jb)).abs() < 1e-12 && a == b, "{a} {b}");
    let apart = torque / ja * 0.25;
    let lost = 0.5 * ja * jb / (ja + jb) * apart * apart;
    assert!((summary.energy.impact - lost).abs() < 1e-12, "{:?}", summary.energy);
    // a switch is on or off
    let enable = Signal::Sine { mean: 0.5, amplitude: 0.5, omega: 1.0, phase: 0.0 };
    let error = system.freewheel("other", load, GROUND, Freewheel { enable }).expect_err("no switch").to_string();
    assert!(error.contains("constant between"), "{error}");
}

/// Dry friction beside it holds the load until it slows down by more than that: no event but those of the closed form, and no force of
/// the freewheel between the two levels.
#[test]
fn friction_beside_it_holds_between_two_levels() {
    let (inertia, drag, friction, mean, swing, omega) = (0.01, 1.2, 0.02, 100.0, 15.0, 60.0);
    let mut system = System::new();
    let load = shaft(&mut system, "load", inertia, mean);
    let turn = Signal::Ramp { offset: 0.0, slope: mean, start: 0.0, end: f64::INFINITY };
    let wave = Signal::Sine { mean: 0.0, amplitude: -swing / omega, omega, phase: std::f64::consts::FRAC_PI_2 };
    let crank = system.motion("crank", Signal::Sum(vec![turn, wave]), true).expect("a motion");
    system.force("pull", load, Signal::Constant(-drag)).expect("a force");
    system.freewheel("wheel", crank, load, Freewheel::default()).expect("a freewheel");
    system.contact("ring", crank, load, coulomb(friction)).expect("a contact");
    let period = std::f64::consts::TAU / omega;
    let (_, trace) = simulate(&system, &until(2.9 * period, 1e-9));
    let seen = events(&system, &trace);
    let names = named(&seen);
    let cycle = ["wheel.disengage", "ring.slip-", "ring.stick", "wheel.engage"];
    assert!(names.len() >= 10, "{names:?}");
    for (k, name) in names.iter().enumerate() {
        // where it engages two come at one instant, in either order
        let wanted = if k % 4 >= 2 { cycle[2..].contains(name) } else { cycle[k % 4] == *name };
        assert!(wanted, "{k}: {names:?}");
    }
    // the force on the load is inertia·swing·omega·cos(omega t) + drag: friction alone passes on what is within its limits
    let at = |level: f64| ((level - drag) / (inertia * swing * omega)).acos() / omega;
    assert!((seen[0].0 - at(friction)).abs() < 1e-9 && (seen[1].0 - at(-friction)).abs() < 1e-9, "{seen:?}");
    assert_eq!(seen[2].0, seen[3].0);
}

/// A shaft at -1 rad/s under 1 N·m on 1 kg·m² reaches the freewheel on the ground at 1 s with the speed zero: it engages without an impact, and nothing
/// is lost. Switched on at a speed, it engages with one.
#[test]
fn a_freewheel_that_is_reached_by_its_speed_has_no_impact() {
    for enable in [Signal::Constant(1.0), Signal::Step { before: 0.0, after: 1.0, at: 1.5 }] {
        let late = enable != Signal::Constant(1.0);
        let mut system = System::new();
        let shaft = shaft(&mut system, "shaft", 1.0, -1.0);
        system.force("torque", shaft, Signal::Constant(1.0)).expect("a force");
        system.freewheel("wheel", shaft, GROUND, Freewheel { enable }).expect("a freewheel");
        let (summary, trace) = simulate(&system, &until(3.0, 1e-8));
        let events = events(&system, &trace);
        let switched = vec!["wheel.enable", "wheel.impact", "wheel.engage"];
        assert_eq!(named(&events), if late { switched } else { vec!["wheel.engage"] });
        // 0.5 rad/s at 1.5 s
        let lost = if late { 0.125 } else { 0.0 };
        assert!((summary.energy.impact - lost).abs() <= 1e-8 * lost, "{}", summary.energy.impact);
    }
}

/// Two bodies that stick to each other come to rest and press through a freewheel on one that friction holds. The error of the instant at which they reach
/// it, 1e-19 m/s, was a blow: it let go the one at rest, and with its force the two let go each other, though 0.043 N are less than what holds either.
#[test]
fn a_freewheel_that_is_reached_lets_nothing_go() {
    let mut system = System::new();
    let masses = [("b0", 0.1, 0.0), ("b1", 0.13, -0.07), ("b2", 0.1, 0.0), ("b3", 0.13, 0.065)];
    let [b0, b1, b2, b3] =
        masses.map(|(name, mass, v)| system.body(name, Body { mass, v, ..Body::default() }).expect("a body"));
    system.freewheel("w0", b0, b1, Freewheel::default()).expect("a freewheel");
    let ground = [("fc", 0.08), ("fs", 0.1), ("vs", 0.023), ("exponent", 2.5), ("fv", 0.0), ("band", 5.3e-6)];
    system.contact("c0", b0, GROUND, contact("karnopp", &ground)).expect("a contact");
    let between = [("fc", 0.039), ("fs", 0.052), ("fv", 0.0)];
    system.contact("c2", b2, b1, contact("stiction", &between)).expect("a contact");
    system.contact("c3", b3, b2, coulomb(0.043)).expect("a contact");
    system.force("f0", b3, Signal::Constant(-0.078)).expect("a force");
    for rtol in [1e-6, 1e-9, 1e-11] {
        let (summary, trace) = simulate(&system, &until(0.081, rtol));
        for body in ["b0", "b1", "b2"] {
            assert_eq!(last(&summary, &format!("{body}.v")), 0.0, "{body} at {rtol}: {:?}", trace.events);
        }
    }
}
