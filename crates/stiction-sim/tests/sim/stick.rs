//! What other simulators get wrong: creep at rest, redundant contacts, double crossings, Zeno, sliding modes.
use crate::{contact, coulomb, options, simulate};
use stiction_sim::sim::{EventKind, RunSummary, SimulationOptions, Trace};
use stiction_sim::system::{Body, Contact, GROUND, Node, Signal, Spring, Stop, System};

fn body(system: &mut System, name: &str, mass: f64, v: f64) -> Node {
    system.body(name, Body { mass, v, ..Body::default() }).expect("a body")
}

fn run(system: &System, options: &SimulationOptions) -> (RunSummary, Trace) {
    // what would hang fails instead
    simulate(system, &SimulationOptions { max_steps: 20_000, ..options.clone() })
}

fn kinds(trace: &Trace) -> Vec<(usize, String)> {
    trace.events.iter().map(|event| (event.part, event.kind.name())).collect()
}

#[test]
fn a_held_load_does_not_drift_in_a_million_seconds() {
    for name in ["coulomb", "stiction", "stribeck", "karnopp"] {
        let mut system = System::new();
        let block = body(&mut system, "block", 1.0, 0.0);
        system.contact("table", block, GROUND, contact(name, &[])).expect("a contact");
        let limit = if name == "coulomb" { 1.0 } else { 1.5 };
        system.force("push", block, Signal::Constant(0.9 * limit)).expect("a force");
        let (summary, trace) = run(&system, &SimulationOptions { end: 1e6, ..SimulationOptions::default() });
        assert!(trace.events.is_empty(), "{name}: {:?}", trace.events);
        assert!(trace.rows.iter().all(|row| row[1] == 0.0 && row[2] == 0.0), "{name}");
        let force = summary.last("table.force").expect("a force");
        // one rounding
        assert!((force - 0.9 * limit).abs() < 1e-15, "{name}: {force}");
        // nothing happens, so there is nothing to compute
        assert!(summary.stats.steps < 100, "{name}: {:?}", summary.stats);
    }
}

#[test]
fn a_load_that_swings_below_the_limit_does_not_creep() {
    let mut system = System::new();
    let block = body(&mut system, "block", 1.0, 0.0);
    system.contact("table", block, GROUND, coulomb(1.0)).expect("a contact");
    let push = Signal::Sine { mean: 0.3, amplitude: 0.6, omega: 10.0, phase: 0.0 };
    system.force("push", block, push).expect("a force");
    let (summary, _) = run(&system, &SimulationOptions { end: 1e3, ..SimulationOptions::default() });
    assert_eq!((summary.last("block.x"), summary.last("block.v")), (Some(0.0), Some(0.0)));
}

#[test]
fn equal_contacts_in_parallel_share_the_force_and_release_together() {
    let mut system = System::new();
    let block = body(&mut system, "block", 1.0, 0.0);
    for name in ["left", "right"] {
        system.contact(name, block, GROUND, coulomb(1.0)).expect("a contact");
    }
    let ramp = Signal::Ramp { offset: 0.0, slope: 1.0, start: 0.0, end: f64::INFINITY };
    system.force("push", block, ramp).expect("a force");
    let (_, trace) = run(&system, &SimulationOptions { end: 3.0, ..SimulationOptions::default() });
    // columns: t, block.x, block.v, left.force, left.v, right.force, ...
    for row in trace.rows.iter().filter(|row| row[0] < 2.0) {
        // held forces are solved for, and the time of release is exact: rounding, here and below
        assert!((row[3] - 0.5 * row[0]).abs() < 1e-14 && (row[5] - 0.5 * row[0]).abs() < 1e-14, "{row:?}");
        assert_eq!(row[2], 0.0);
    }
    let mut told = kinds(&trace);
    told.sort();
    assert_eq!(told, [(0, "slip+".into()), (1, "slip+".into())]);
    assert!(trace.events.iter().all(|event| (event.t - 2.0).abs() < 1e-14), "{:?}", trace.events);
    // then 1 N/s beyond the limit: x = (t − 2)³/6
    let x = trace.rows.last().expect("a row")[1];
    assert!((x - 1.0 / 6.0).abs() < 1e-13, "{x}");
}

/// All modes of a stack of three at once: those that satisfy the laws give the accelerations, which are unique.
fn enumerate(masses: [f64; 3], limits: [f64; 3], forces: [f64; 3]) -> [f64; 3] {
    // how far rounding may move a difference of accelerations: by that of the lighter of the two bodies
    let near = |i: usize| 1e-12 / masses[i].min(masses[i.max(1) - 1]);
    // contact i is between body i and body i − 1, the first between body 0 and the ground
    for modes in 0..27 {
        let mode = [modes % 3, modes / 3 % 3, modes / 9];
        // unknowns: three accelerations, three friction forces
        let mut m = [[0.0; 7]; 6];
        for i in 0..3 {
            m[i][i] = masses[i];
            m[i][3 + i] = 1.0;
            if i < 2 {
                m[i][4 + i] = -1.0;
            }
            m[i][6] = forces[i];
            if mode[i] == 0 {
                m[3 + i][i] = 1.0;
                if i > 0 {
                    m[3 + i][i - 1] = -1.0;
                }
            } else {
                m[3 + i][3 + i] = 1.0;
                m[3 + i][6] = if mode[i] == 1 { limits[i] } else { -limits[i] };
            }
        }
        let x = gauss(m);
        let fits = (0..3).all(|i| {
            let a = x[i] - if i > 0 { x[i - 1] } else { 0.0 };
            match mode[i] {
                // rounding of the elimination
                0 => x[3 + i].abs() <= limits[i] + 1e-12,
                1 => a >= -near(i),
                _ => a <= near(i),
            }
        });
        if fits {
            return [x[0], x[1], x[2]];
        }
    }
    unreachable!("the problem has a solution")
}

fn gauss(mut m: [[f64; 7]; 6]) -> [f64; 6] {
    for k in 0..6 {
        let pivot = (k..6).max_by(|&a, &b| m[a][k].abs().total_cmp(&m[b][k].abs())).expect("a row");
        m.swap(k, pivot);
        for i in (0..6).filter(|&i| i != k) {
            let f = m[i][k] / m[k][k];
            let row = m[k];
            m[i].iter_mut().zip(row).for_each(|(x, y)| *x -= f * y);
        }
    }
    [0, 1, 2, 3, 4, 5].map(|i| m[i][6] / m[i][i])
}

/// Random numbers in 0..1 that are the same every time: xorshift.
fn noise() -> impl FnMut() -> f64 {
    let mut bits = 0x9e37_79b9_7f4a_7c15_u64;
    move || {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        (bits >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A stack of three at rest, and the forces on its bodies.
fn stack(masses: [f64; 3], limits: [f64; 3], forces: [f64; 3]) -> System {
    let mut system = System::new();
    let mut below = GROUND;
    for i in 0..3 {
        let node = body(&mut system, &format!("b{i}"), masses[i], 0.0);
        system.contact(&format!("c{i}"), node, below, coulomb(limits[i])).expect("a contact");
        system.force(&format!("f{i}"), node, Signal::Constant(forces[i])).expect("a force");
        below = node;
    }
    system
}

#[test]
fn a_stack_of_three_sticks_and_slips_as_enumeration_says() {
    let mut next = noise();
    // powers of ten over which masses are spread
    for spread in [0.0, 2.0, 6.0, 12.0] {
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..300 {
            let masses = [0; 3].map(|_| (0.2 + 3.0 * next()) * 10_f64.powf(spread * (next() - 0.5)));
            let limits = [0; 3].map(|_| 0.1 + 2.0 * next());
            let forces = [0; 3].map(|_| 6.0 * (next() - 0.5));
            let expected = enumerate(masses, limits, forces);
            let end = 1e-3;
            let system = stack(masses, limits, forces);
            let (summary, trace) =
                run(&system, &SimulationOptions { end, sample: end, ..SimulationOptions::default() });
            let what = || format!("{masses:?} {limits:?} {forces:?}: {:?}", trace.events);
            let found = [0, 1, 2].map(|i| summary.last(&format!("b{i}.v")).expect("v") / end);
            for i in 0..3 {
                // relative to what the forces could do to the body at most
                let near = 1e-9 * expected[i].abs() + 1e-12 * 10.0 / masses[i];
                assert!((found[i] - expected[i]).abs() < near, "{found:?} for {expected:?}: {}", what());
            }
            // forces are constant: what holds at first holds on, and what slips did so at once; where masses are twelve
            // powers of ten apart, an acceleration may look like rounding at first, and is told of as soon as it does not
            let early = |t: f64| spread > 6.0 && t < 1e-20;
            assert!(trace.events.iter().all(|event| early(event.t)), "{}", what());
            let sign = |i: usize, a: f64| if a.abs() < 1e-9 / masses[i] { 0 } else { a.signum() as i32 };
            let [a, b, c] = expected;
            seen.insert([sign(0, a), sign(1, b - a), sign(2, c - b)]);
        }
        assert!(seen.len() >= 15, "only {} of 27 modes were tried", seen.len());
    }
}

/// A light block on a heavy one that is pushed to and fro: the light one goes along, whatever it weighs.
#[test]
fn a_light_block_on_a_heavy_one_changes_nothing() {
    let told = |light: f64, heavy: f64, size: f64| {
        let mut system = System::new();
        let stiction = || contact("stiction", &[("fc", size), ("fs", 1.5 * size), ("fv", 0.4 * size)]);
        let a = body(&mut system, "light", light, 0.0);
        let b = body(&mut system, "heavy", heavy, 0.0);
        system.contact("a", a, b, stiction()).expect("a contact");
        system.contact("b", b, GROUND, stiction()).expect("a contact");
        let omega = std::f64::consts::TAU * 0.2;
        let push = Signal::Sine { mean: 0.0, amplitude: 3.0 * size, omega, phase: 0.0 };
        system.force("push", b, push).expect("a force");
        let (_, trace) = run(&system, &SimulationOptions { end: 30.0, ..SimulationOptions::default() });
        trace
    };
    let expected = kinds(&told(1.0, 1000.0, 1.0));
    assert_eq!(expected.len(), 12, "{expected:?}");
    assert!(expected[1..].iter().all(|(part, kind)| *part == 1 && kind.starts_with("reverse")), "{expected:?}");
    for light in [1e-6, 1e-5, 1e-3, 1e-1, 10.0] {
        let found = told(light, 1000.0, 1.0);
        assert_eq!(kinds(&found), expected, "{light}: {:?}", found.events);
    }
    // the same motion of bodies a million times as heavy, or as light
    for by in [1e-6, 1e6] {
        let scaled = told(by * 0.1, by * 1000.0, by);
        assert_eq!(kinds(&scaled), expected, "{by}");
        for (found, wanted) in scaled.events.iter().zip(&told(0.1, 1000.0, 1.0).events) {
            // both runs keep a tolerance of 1e-8
            assert!((found.t - wanted.t).abs() < 1e-6, "{by}: {found:?} for {wanted:?}");
        }
    }
}

/// A push above the limit moves at once; it is not first taken for held.
#[test]
fn a_heavy_block_beside_a_light_one_slips_at_once() {
    for ratio in [1e-6, 1e-3, 1.0, 1e3, 1e6] {
        let mut system = System::new();
        let light = body(&mut system, "light", 1.0, 0.0);
        let heavy = body(&mut system, "heavy", ratio, 0.0);
        system.contact("a", light, GROUND, coulomb(1.0)).expect("a contact");
        system.contact("b", heavy, GROUND, coulomb(1.0)).expect("a contact");
        system.force("push", heavy, Signal::Constant(1.5)).expect("a force");
        let (summary, trace) = run(&system, &SimulationOptions { end: 3.0, ..SimulationOptions::default() });
        assert!(trace.events.is_empty(), "{ratio}: {:?}", trace.events);
        // half a newton is left for 3 s
        let (v, wanted) = (summary.last("heavy.v").expect("v"), 1.5 / ratio);
        // a constant force: rounding
        assert!((v - wanted).abs() < 1e-14 * wanted, "{ratio}: {v}");
    }
}

/// Thirty blocks pushed at the top: every contact carries the whole push.
#[test]
fn a_tall_stack_carries_a_push_to_the_ground() {
    let mut system = System::new();
    let mut below = GROUND;
    for i in 0..30 {
        let node = body(&mut system, &format!("b{i}"), if i % 2 == 0 { 1e-3 } else { 1e3 }, 0.0);
        system.contact(&format!("c{i}"), node, below, coulomb(1.0)).expect("a contact");
        below = node;
    }
    system.force("push", below, Signal::Constant(0.9)).expect("a force");
    let (summary, trace) = run(&system, &SimulationOptions { end: 1.0, ..SimulationOptions::default() });
    assert!(trace.events.is_empty(), "{:?}", trace.events);
    for i in 0..30 {
        let force = summary.last(&format!("c{i}.force")).expect("a force");
        // rounding of thirty sums
        assert!((force - 0.9).abs() < 1e-12, "c{i}: {force}");
    }
}

/// On a body at rest nothing else asks for a short step, and the force is above the limit for a thousandth of a period.
#[test]
fn a_short_pulse_within_a_step_is_not_missed() {
    for share in [1e-1, 1e-2, 1e-3, 1e-4] {
        let mut system = System::new();
        let block = body(&mut system, "block", 1.0, 0.0);
        // sin is above cos(πs) for the share s of its period
        let limit = (std::f64::consts::PI * share).cos();
        system.contact("table", block, GROUND, coulomb(limit)).expect("a contact");
        let push = Signal::Sine { mean: 0.0, amplitude: 1.0, omega: 1.0, phase: 0.3 };
        system.force("push", block, push).expect("a force");
        let (summary, trace) = run(&system, &SimulationOptions { end: 19.5, ..SimulationOptions::default() });
        let slips = trace.events.iter().filter(|event| matches!(event.kind, EventKind::SlipUp | EventKind::SlipDown));
        // up at π/2 − 0.3 + 2πk, down half a period later: six times within 19.5 s
        assert_eq!(slips.count(), 6, "{share}: {:?}", kinds(&trace));
        assert_eq!(summary.last("block.v"), Some(0.0));
    }
}

#[test]
fn a_bouncing_ball_comes_to_rest() {
    for (e, lo) in [(0.0, 0.0), (0.5, 0.0), (0.9, 0.0), (0.5, -0.3), (0.9, 1e3)] {
        let mut system = System::new();
        let (g, v0) = (9.81, 2.0);
        let ball = system.body("ball", Body { x: lo, v: v0, ..Body::default() }).expect("a body");
        system.force("weight", ball, Signal::Constant(-g)).expect("a force");
        system.stop("floor", ball, GROUND, Stop { lo, hi: f64::INFINITY, restitution: e }).expect("a stop");
        // flights of 2v/g, each e times as long as the last: the sum ends at 2 v0/g/(1 − e)
        let zeno = 2.0 * v0 / g / (1.0 - e);
        let (summary, trace) = run(&system, &SimulationOptions { end: 2.0 * zeno, ..SimulationOptions::default() });
        let rest = trace.events.iter().find(|event| event.kind == EventKind::Rest).expect("rest");
        // what is cut off is the time of bounces too low to tell: by the tolerance, or by rounding of the place itself
        assert!((rest.t - zeno).abs() < 1e-6 * (1.0 + lo.abs()), "{e}: {} for {zeno}", rest.t);
        let near = 1e-12 * (1.0 + lo.abs());
        assert_eq!(summary.last("ball.v"), Some(0.0), "{e} {lo}");
        assert!((summary.last("ball.x").expect("x") - lo).abs() < near, "{e} {lo}");
        // the event is found to the last bit of the time
        assert!(trace.rows.iter().all(|row| row[1] > lo - near), "{e} {lo}: through the floor");
        let energy = summary.energy;
        // the bounces cut off have 1e-13 of the place times the weight; energies add up some hundred bounces
        assert!(
            (energy.impact - 0.5 * v0 * v0).abs() < 1e-11 * (1.0 + lo.abs())
                && energy.error().abs() < 1e-11 * (1.0 + lo.abs()),
            "{e} {lo}: {energy:?}"
        );
    }
}

#[test]
fn the_slip_variable_slides_along_zero_without_chatter() {
    // s = 1, no spring: a Coulomb contact of 1 N whose level fades with s; pushed by 0.3 N it must stay at v = 0 for
    // a while (Filippov), and then creep on its spring
    let mut system = System::new();
    let block = body(&mut system, "block", 1.0, 1e-3);
    let mut contact = contact("slip-variable", &[]);
    contact.memory = vec![0.9, 0.0];
    system.contact("table", block, GROUND, contact).expect("a contact");
    system.force("push", block, Signal::Constant(0.3)).expect("a force");
    let (summary, trace) = run(&system, &SimulationOptions { end: 0.5, ..SimulationOptions::default() });
    assert!(trace.events.len() < 10, "{:?}", kinds(&trace));
    assert_eq!(trace.events[0].kind, EventKind::Stick);
    // a tolerance of 1e-8 of less than 1e-4 J
    assert!(summary.energy.error().abs() < 1e-11, "{:?}", summary.energy);
    // in the end the spring of 1e4 N/m holds the load
    let x = summary.last("table.x").expect("x");
    assert!((x - 0.3e-4).abs() < 1e-6, "{x}");
}

#[test]
fn a_hand_that_starts_at_once_leaves_what_it_held_behind() {
    let mut system = System::new();
    let block = body(&mut system, "block", 1.0, 0.0);
    let ramp = Signal::Ramp { offset: 0.0, slope: 0.5, start: 0.5, end: f64::INFINITY };
    let hand = system.motion("hand", ramp, false).expect("a motion");
    system.contact("grip", block, hand, coulomb(1.0)).expect("a contact");
    let (summary, trace) = run(&system, &SimulationOptions { end: 2.0, ..SimulationOptions::default() });
    // 1 N for half a second brings it to the speed of the hand; until then it has gone half as far
    let kinds: Vec<_> = trace.events.iter().map(|event| (event.kind.name(), (event.t * 1e6).round())).collect();
    assert_eq!(kinds, [("slip-".into(), 0.5e6), ("stick".into(), 1e6)]);
    // parabolas: rounding
    assert!((summary.last("block.x").expect("x") - 0.625).abs() < 1e-14);
    let energy = summary.energy;
    assert!((energy.friction - 0.125).abs() < 1e-14 && energy.error().abs() < 1e-14, "{energy:?}");
}

/// A body on a law whose slope at rest has no bound, pushed from rest.
fn pushed(contact: Contact, mass: f64, push: Signal) -> System {
    let mut system = System::new();
    let block = body(&mut system, "block", mass, 0.0);
    system.contact("table", block, GROUND, contact).expect("a contact");
    system.force("push", block, push).expect("a force");
    system
}

#[test]
fn a_law_without_a_slope_at_rest_lets_go_as_its_closed_form() {
    for mass in [1e-3, 1.0, 1e3] {
        for rtol in [1e-4, 1e-6, 1e-8] {
            let system = pushed(contact("viscous", &[("gamma", 0.5), ("fv", 1.0)]), mass, Signal::Constant(1.7));
            let (summary, _) =
                run(&system, &SimulationOptions { end: 0.5 * mass, rtol, ..SimulationOptions::default() });
            // m v' = F - sqrt v takes v from 0 to u^2 in the time 2 m (-u - F ln(1 - u/F))
            let u = summary.last("block.v").expect("v").sqrt();
            let t = 2.0 * mass * (-u - 1.7 * (1.0 - u / 1.7).ln());
            // the tolerance is for a step, and there are some dozens
            assert!((t / (0.5 * mass) - 1.0).abs() < 30.0 * rtol, "mass {mass}, {rtol:e}: {t}");
        }
    }
}

#[test]
fn rate_and_state_creeps_below_its_level_and_runs_above() {
    let [mu0, a, b, dc, v0] = [0.6_f64, 0.01, 0.015, 1e-5, 1e-6];
    // below the level it heals: psi = ln(1 + v0 t/dc), as what it creeps is nothing beside v0
    let system = pushed(contact("dieterich", &[]), 1.0, Signal::Constant(0.5));
    let (summary, _) = run(&system, &SimulationOptions { end: 5.0, rtol: 1e-8, ..SimulationOptions::default() });
    let psi = (1.0 + v0 * 5.0 / dc).ln();
    let creep = 2.0 * v0 * (0.5_f64 / a).sinh() * (-(mu0 + b * psi) / a).exp();
    let v = summary.last("block.v").expect("v");
    // v is some 2.5e3 times the absolute tolerance, 1e-14; and what it creeps is 3e-5 of v0
    assert!((v / creep - 1.0).abs() < 1e-3, "{v:e} for {creep:e}");
    // above it: the same whether it starts at rest, or with next to no speed
    let ends = [0.0, 1e-9].map(|v| {
        let mut system = System::new();
        let block = body(&mut system, "block", 1.0, v);
        system.contact("table", block, GROUND, contact("dieterich", &[])).expect("a contact");
        system.force("push", block, Signal::Constant(1.7)).expect("a force");
        let (summary, _) = run(&system, &SimulationOptions { end: 1.0, rtol: 1e-8, ..SimulationOptions::default() });
        summary.last("block.v").expect("v")
    });
    // a tolerance of 1e-8 in every step
    assert!(ends[0] > 1.0 && (ends[0] / ends[1] - 1.0).abs() < 1e-7, "{ends:?}");
}

#[test]
fn rate_and_state_comes_to_rest_and_is_held() {
    for name in ["dieterich", "ruina"] {
        let mut system = System::new();
        let block = body(&mut system, "block", 1.0, 0.3);
        system.contact("table", block, GROUND, contact(name, &[])).expect("a contact");
        let (summary, trace) = run(&system, &SimulationOptions { end: 100.0, ..SimulationOptions::default() });
        assert_eq!(summary.last("block.v"), Some(0.0), "{name}");
        assert_eq!(kinds(&trace), [(0, String::from("stick"))], "{name}");
        // the default tolerance of 1e-8 of 0.045 J, in every step
        assert!(summary.energy.error().abs() < 1e-8, "{name}: {}", summary.energy.error());
    }
}

#[test]
fn bounces_with_friction_end_in_rest() {
    for restitution in [0.1, 0.5, 0.9] {
        for push in [1.5, 3.0, 10.0] {
            let mut system = System::new();
            let block = body(&mut system, "block", 1.0, 2.0);
            system.force("push", block, Signal::Constant(push)).expect("a force");
            system.contact("table", block, GROUND, coulomb(1.0)).expect("a contact");
            let stop = Stop { lo: f64::NEG_INFINITY, hi: 0.5, restitution };
            system.stop("wall", block, GROUND, stop).expect("a stop");
            let (summary, trace) = run(&system, &SimulationOptions { end: 20.0, ..SimulationOptions::default() });
            let (x, v) = (summary.last("block.x").expect("x"), summary.last("block.v").expect("v"));
            // it rests when a bounce is lower than 1e-13 of the place
            assert!(v == 0.0 && (x - 0.5).abs() < 1e-12, "{restitution}, {push}: {x}, {v}");
            // out under push + 1 and back under push - 1: each round takes e^2 (push - 1)/(push + 1) of the energy
            let speeds = restitution * ((push - 1.0) / (push + 1.0)).sqrt();
            let first = trace.events.iter().find(|e| e.kind == EventKind::Impact).expect("an impact");
            let out = restitution * (4.0 + 2.0 * 0.5 * (push - 1.0)).sqrt();
            let round = |out: f64| out / (push + 1.0) + out / ((push + 1.0) * (push - 1.0)).sqrt();
            let wanted = first.t + round(out) / (1.0 - speeds);
            // it rests when a bounce is lower than 1e-13 of the place, and is spared the rounds that are left
            let left = round((2.0 * (push + 1.0) * 1e-13 * 0.5_f64).sqrt()) / (1.0 - speeds);
            let rest = trace.events.iter().find(|e| e.kind == EventKind::Rest).expect("rest").t;
            assert!((wanted - rest).abs() < 1.1 * left, "{restitution}, {push}: {rest} for {wanted}, {left:e}");
        }
    }
}

#[test]
fn a_spring_slider_from_rest_runs_through_its_first_slip() {
    // below the critical stiffness (b - a) N/dc = 5e4 N/m: it sticks, creeps, slips and sticks again
    let options =
        [1e-6, 1e-8, 1e-10].map(|rtol| SimulationOptions { end: 1.6e4, rtol, ..SimulationOptions::default() });
    let finer = [1e-9, 1e-13, 1e-15].map(|atol| SimulationOptions { end: 1.6e4, atol, ..SimulationOptions::default() });
    for options in options.iter().chain(&finer) {
        let mut system = System::new();
        let block = body(&mut system, "block", 1.0, 0.0);
        let ramp = Signal::Ramp { offset: 0.0, slope: 1e-6, start: 0.0, end: f64::INFINITY };
        let plate = system.motion("plate", ramp, false).expect("a motion");
        system.spring("machine", plate, block, Spring::linear(5e3)).expect("a spring");
        system.contact("fault", block, GROUND, contact("dieterich", &[("normal", 100.0)])).expect("a contact");
        let (summary, _) = run(&system, options);
        let (rtol, atol) = (options.rtol, options.atol);
        // it has healed for hours, to some 70 N and 14 mm; when it slips it goes nearly all of that, and far more than it creeps
        let x = summary.last("block.x").expect("x");
        assert!(x > 1e-3 && x < 1.6e-2, "{rtol:e}, {atol:e}: {x}");
        let energy = summary.energy;
        // a few hundred steps, each of which may be off by the tolerance
        assert!(energy.error().abs() < 1e3 * rtol * energy.size(), "{rtol:e}, {atol:e}: {energy:?}");
    }
}

#[test]
fn every_power_and_every_direct_effect_starts_from_rest() {
    let mut speeds = Vec::new();
    for gamma in [0.05, 0.3, 0.5, 0.7, 0.8, 0.84, 0.88, 0.92, 0.94, 0.97, 0.99, 1.0] {
        let system = pushed(contact("viscous", &[("gamma", gamma), ("fv", 1.0)]), 1.0, Signal::Constant(1.7));
        let (summary, _) = run(&system, &SimulationOptions { end: 1.0, ..SimulationOptions::default() });
        speeds.push(summary.last("block.v").expect("v"));
    }
    // up to 1 m/s a lower power brakes more; the first power has a closed form
    assert!(speeds.is_sorted() && speeds[0] > 0.7, "{speeds:?}");
    let last = 1.7 * (1.0 - (-1.0_f64).exp());
    // a tolerance of 1e-8 in every step
    assert!((speeds[speeds.len() - 1] / last - 1.0).abs() < 1e-7, "{speeds:?}");
    for name in ["dieterich", "ruina"] {
        for a in [0.005, 0.01, 0.02, 0.03, 0.035, 0.05, 0.1] {
            // the same, but for that speed, as one that begins far above all tolerances
            let ends = [0.0, 1e-6].map(|v| {
                let mut system = System::new();
                let block = body(&mut system, "block", 1.0, v);
                system.contact("table", block, GROUND, contact(name, &[("a", a)])).expect("a contact");
                system.force("push", block, Signal::Constant(1.7)).expect("a force");
                let (summary, _) = run(&system, &SimulationOptions { end: 1.0, ..SimulationOptions::default() });
                summary.last("block.v").expect("v")
            });
            // 1e-6 m/s at the start are 1e-5 of the speed at the end
            assert!(ends[0] > 0.1 && (ends[0] / ends[1] - 1.0).abs() < 1e-4, "{name}, {a}: {ends:?}");
        }
    }
}

#[test]
fn events_that_are_near_each_other_do_not_hold_up_exact_steps() {
    // three blocks that come to rest and let go within ten nanoseconds of each other, each for itself
    let mut system = System::new();
    for k in 0..3 {
        let share = f64::from(k);
        let block = body(&mut system, &format!("block{k}"), 1.0, 1.5 + 2e-8 * share);
        let ramp = Signal::Ramp { offset: 5e-8 + 1e-8 * share, slope: -1.0, start: 0.0, end: f64::INFINITY };
        system.force(&format!("push{k}"), block, ramp).expect("a force");
        system.contact(&format!("table{k}"), block, GROUND, coulomb(1.0)).expect("a contact");
    }
    let (summary, trace) = run(&system, &SimulationOptions { end: 3.0, ..SimulationOptions::default() });
    assert!(trace.events.len() >= 3 && summary.stats.steps < 50, "{:?}", summary.stats);
}

/// Two bodies on springs and on dry friction, one of which swings from one reversal to the next within 41 ms, a single step: every reversal is told, so that they
/// alternate.
#[test]
fn every_reversal_is_told() {
    let mut system = System::new();
    let [b0, b1] = [("b0", 7.464_04), ("b1", 4.220_11)].map(|(name, x)| {
        let body = system.body(name, Body { x, ..Body::default() }).expect("a body");
        system.contact(&name.replace('b', "c"), body, GROUND, coulomb(0.01)).expect("a contact");
        body
    });
    system.spring("s0", b0, GROUND, Spring::linear(100.0)).expect("a spring");
    system.spring("s1", b1, b0, Spring::linear(100.0)).expect("a spring");
    for rtol in [1e-4, 1e-8] {
        let (_, trace) = simulate(&system, &options(10.0, rtol));
        for part in 0..2 {
            let own: Vec<EventKind> =
                trace.events.iter().filter(|event| event.part == part).map(|event| event.kind).collect();
            assert!(own.len() > 20, "{own:?}");
            assert!(own.windows(2).all(|pair| pair[0] != pair[1]), "{own:?}");
        }
    }
}
