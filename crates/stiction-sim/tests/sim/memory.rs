//! Laws with memory: their discrete states follow every reversal, so that errors fall with the tolerance.
use crate::{contact, coulomb, simulate, sine};
use stiction_core::models;
use stiction_sim::sim::{EventKind, NullObserver, Probe, RunSummary, Simulation, SimulationOptions, Trace};
use stiction_sim::system::{Body, Contact, GROUND, Signal, Spring, Stop, System};

fn run(system: &System, end: f64, rtol: f64, probes: &[Probe]) -> RunSummary {
    let options = SimulationOptions { end, rtol, probes: probes.to_vec(), ..SimulationOptions::default() };
    Simulation::new(system).expect("a system").run(&options, &mut NullObserver).expect("a run")
}

/// Two bodies, the upper on the lower under Coulomb friction and on a spring; the lower on the ground under this law.
fn carrier(law: Contact, [lower, upper]: [f64; 2], fc: f64, stiffness: f64, push: Signal, v: f64) -> System {
    let mut system = System::new();
    let b0 = system.body("b0", Body { mass: lower, ..Body::default() }).expect("a body");
    let b1 = system.body("b1", Body { mass: upper, v, ..Body::default() }).expect("a body");
    system.contact("c0", b0, GROUND, law).expect("a contact");
    system.contact("c1", b1, b0, coulomb(fc)).expect("a contact");
    system.spring("s1", b1, GROUND, Spring::linear(stiffness)).expect("a spring");
    system.force("f1", b1, push).expect("a force");
    system
}

/// Flags of a law must change at the reversal itself, also where the contact's body sticks to another moving one.
#[test]
fn stale_flags_after_a_reversal() {
    let stiffness = [("k1", 2e4), ("k2", 1e4), ("k3", 5e3), ("k4", 2e3)];
    let values = [&[("fc", 2.25), ("fs", 2.92), ("vs", 0.058)][..], &stiffness].concat();
    let system = carrier(contact("gms", &values), [0.7, 4.4], 3.06, 143.0, sine(5.0, 3.0), 0.58);
    let x = |rtol: f64| run(&system, 2.0, rtol, &[]).last("b0.x").expect("a column");
    // an independent program with steps of 0.25 µs, its flags changed at the end of each: good to its time step times the speed
    let exact = x(1e-10);
    assert!((exact + 0.096_651_0).abs() < 1e-6, "{exact}");
    for rtol in [1e-6, 1e-7, 1e-8] {
        // the tolerance times a size of 0.1 m; the flow of an element that slips adds the errors of some ten steps
        assert!((x(rtol) - exact).abs() < rtol, "{rtol:e}: {} for {exact}", x(rtol));
    }
}

/// Elements that slip stop to do so when another contact stops the body, in whichever order the contacts are listed: then the
/// force is frozen until the body moves again.
#[test]
fn a_contact_at_rest_beside_one_that_sticks() {
    let gms = [("fc", 0.007), ("fs", 0.01), ("vs", 1e-6), ("exponent", 1.0), ("sigma2", 6.0), ("c", 1.0)];
    let stiffness = [("k1", 5e4), ("k2", 2e4), ("k3", 1e4), ("k4", 6e3)];
    let contacts = [
        ("gms", [&gms[..], &stiffness].concat()),
        ("carlson-langer", vec![("fc", 0.008), ("fs", 0.008), ("vs", 4e-5)]),
    ];
    for order in [[0, 1], [1, 0]] {
        let mut system = System::new();
        let body = system.body("b0", Body { mass: 1.0, ..Body::default() }).expect("a body");
        for (law, values) in order.map(|k| &contacts[k]) {
            system.contact(law, body, GROUND, contact(law, values)).expect("a contact");
        }
        let push = Signal::Ramp { offset: 0.0, slope: 0.06, start: 0.0, end: f64::INFINITY };
        system.force("f0", body, push).expect("a force");
        let v = run(&system, 0.2, 1e-8, &[]).last("b0.v").expect("a velocity");
        // the simulator's own value at rtol 1e-11; Euler steps of 0.2 µs by another program give 1.09e-7, and without the flags of
        // rest the body does not move at all
        assert!((v - 1.101_769e-7).abs() < 1e-12, "{order:?}: {v:e}");
    }
}

/// A spring that slips does so until the velocity changes its sign: while another contact keeps the body at rest it has not, and
/// pulls with sigma0 z0, not with the break-away force of a spring that sticks.
#[test]
fn a_spring_that_slips_beside_a_contact_that_sticks() {
    let contacts = [
        ("reset-integrator", &[("sigma0", 1e5), ("sigma1", 0.0), ("z0", 1e-5), ("a", 0.5), ("fv", 0.0)][..]),
        ("coulomb", &[("fc", 1.0)]),
    ];
    for (order, side) in [([0, 1], 1.0), ([1, 0], 1.0), ([0, 1], -1.0), ([1, 0], -1.0)] {
        let mut system = System::new();
        let body = system.body("b0", Body { mass: 1.0, ..Body::default() }).expect("a body");
        for (law, values) in order.map(|k| contacts[k]) {
            system.contact(law, body, GROUND, contact(law, values)).expect("a contact");
        }
        let push = Signal::Ramp { offset: 3.0 * side, slope: -2.0 * side, start: 0.0, end: f64::INFINITY };
        system.force("f0", body, push).expect("a force");
        let (_, trace) = simulate(&system, &SimulationOptions { end: 1.6, ..SimulationOptions::default() });
        let wanted = if side > 0.0 { EventKind::SlipDown } else { EventKind::SlipUp };
        let released = trace.events.iter().find(|event| event.kind == wanted).expect("a release").t;
        // it stops near 1 s; then both pull with 1 N, against each other when the force is zero; the force is known to rounding
        assert!((released - 1.5).abs() < 1e-12, "{order:?}, {side}: {released}");
    }
}

/// A law without a set at rest whose guard is its deflection, on a body that nothing moves: there is nothing to happen.
#[test]
fn a_bouc_wen_contact_at_rest_has_no_events() {
    let values = [("alpha", 600.0), ("beta", 1e5), ("gamma", 0.9), ("delta", -0.01), ("nu", 2.0), ("fv", 0.004)];
    let mut system = System::new();
    let body = system.body("b0", Body { mass: 1.0, ..Body::default() }).expect("a body");
    system.contact("c0", body, GROUND, contact("bouc-wen", &values)).expect("a contact");
    assert_eq!(events(&system, 0.15, 1e-8), [""; 0]);
    // nor before a force begins to pull, from which it moves one way
    system.force("f0", body, Signal::Ramp { offset: 0.0, slope: 1.0, start: 0.1, end: 1.0 }).expect("a force");
    assert!(events(&system, 0.15, 1e-8).len() <= 1);
}

/// The kinds of events.
fn events(system: &System, end: f64, rtol: f64) -> Vec<String> {
    let options = SimulationOptions { end, rtol, ..SimulationOptions::default() };
    let mut trace = Trace::default();
    Simulation::new(system).expect("a system").run(&options, &mut trace).expect("a run");
    trace.events.iter().map(|event| event.kind.name()).collect()
}

const SLIDE: [(&str, f64); 11] = [
    ("fs", 2.9),
    ("fc1", 2.2),
    ("fc2", 2.2),
    ("k0", 1e5),
    ("k1", 2e4),
    ("k2", 1e4),
    ("f1", 2.0),
    ("z2", 1e-4),
    ("fv1", 1.0),
    ("fv2", 1.0),
    ("vs", 0.2),
];

#[test]
fn hysteresis_converges_once_it_slides() {
    let mut system = System::new();
    let b0 = system.motion("b0", sine(0.01, 3.0), false).expect("a motion");
    system.contact("c0", b0, GROUND, contact("hysteresis", &SLIDE)).expect("a contact");
    let rms = Probe::Rms { column: "c0.force".to_owned(), from: 0.0, to: 3.0 };
    for rtol in [1e-4, 1e-6, 1e-8, 1e-10] {
        let found = run(&system, 3.0, rtol, std::slice::from_ref(&rms)).probes[0].expect("a value");
        // an independent program that samples the equations six million times; the measure is a sum over the run's steps
        assert!((found - 2.505_339_13).abs() < 1e-7, "{rtol:e}: {found}");
        // the last loop closes where the force reaches its level: rounding decides which of the two guards is named
        let kinds: Vec<String> =
            events(&system, 3.0, rtol).iter().map(|kind| kind.replace("guard1+", "guard2+")).collect();
        // break-away, falling speed; then per half period: reversal, break-away at the end of the last loop, falling speed
        let half = |reverse: &str| [reverse, "guard2+", "guard3+"].map(str::to_owned).to_vec();
        let expected = [vec!["guard2+".to_owned(), "guard3+".to_owned()], half("reverse-"), half("reverse+")].concat();
        assert_eq!(kinds[..8], expected, "{rtol:e}");
    }
}

/// Between the two sliding curves a switch on the sign of the acceleration has no solution; the band of speeds has one.
#[test]
fn hysteresis_between_its_curves_slides_on_at_constant_speed() {
    for push in [66.0, 67.5, 69.0] {
        let mut system = System::new();
        let block = system.body("block", Body { v: 1.0, ..Body::default() }).expect("a body");
        system.contact("c0", block, GROUND, contact("hysteresis", &[])).expect("a contact");
        system.force("push", block, Signal::Constant(push)).expect("a force");
        let at = |column: &str, t: f64| Probe::At { column: column.to_owned(), t };
        let probes = [at("block.v", 1.0), at("block.v", 4.0), at("c0.force", 4.0), at("block.x", 4.0)];
        let found = [1e-5, 1e-8].map(|rtol| {
            let summary = run(&system, 5.0, rtol, &probes);
            assert!(summary.stats.events < 10 && summary.stats.steps < 1000, "{push}: {:?}", summary.stats);
            summary.probes.into_iter().map(|x| x.expect("a value")).collect::<Vec<f64>>()
        });
        let [v1, v4, force, x] = [0, 1, 2, 3].map(|k| found[1][k]);
        // at rest within the band, to the tolerance times the slope of the force there, 5 N per thousandth of the speed
        assert!((v1 - v4).abs() < 1e-8 && (force - push).abs() < 1e-4, "{push}: {v1} {v4} {force}");
        assert!((0.98..1.01).contains(&v4), "{push}: {v4}");
        // the loose run agrees to its tolerance, over four metres
        assert!((found[0][3] - x).abs() < 1e-4, "{push}: {} for {x}", found[0][3]);
    }
}

/// Where the curve for falling speed lies above, both curves are consistent; the state decides, and the solution is unique.
#[test]
fn hysteresis_with_exchanged_curves_has_one_solution() {
    let mut system = System::new();
    let block = system.body("block", Body { v: 1.0, ..Body::default() }).expect("a body");
    system.contact("c0", block, GROUND, contact("hysteresis", &[("fc2", 55.0)])).expect("a contact");
    let push = Signal::Sine { mean: 72.0, amplitude: 20.0, omega: 5.0, phase: 0.0 };
    system.force("push", block, push).expect("a force");
    let x = |rtol: f64| run(&system, 3.0, rtol, &[]).last("block.x").expect("a column");
    let exact = x(1e-10);
    for rtol in [1e-5, 1e-7] {
        // the band magnifies an error of the speed a thousandfold for the time that the speed is in it, some thousandths
        assert!((x(rtol) - exact).abs() < 10.0 * rtol * exact, "{rtol:e}: {} for {exact}", x(rtol));
    }
}

/// An impact turns the body around while it slides: presliding goes on from the friction just before the impact, which must not be
/// that of the last step before it.
#[test]
fn hysteresis_turned_around_by_a_stop_converges() {
    let mut system = System::new();
    let b0 = system.body("b0", Body { mass: 9.0, ..Body::default() }).expect("a body");
    system.spring("s0", b0, GROUND, Spring { rest: 0.43, ..Spring::linear(570.0) }).expect("a spring");
    let stop = Stop { lo: f64::NEG_INFINITY, hi: 0.057, restitution: 0.5 };
    system.stop("p0", b0, GROUND, stop).expect("a stop");
    let soft = [("k0", 4.5e5), ("k1", 4.5e4), ("k2", 2.25e4), ("f1", 42.0), ("z2", 2.8e-4)];
    let levels =
        [("fs", 52.0), ("fc1", 32.0), ("fc2", 30.0), ("vs", 0.33), ("exponent", 1.0), ("fv1", 0.3), ("fv2", 0.3)];
    let values = [&soft[..], &levels].concat();
    system.contact("c0", b0, GROUND, contact("hysteresis", &values)).expect("a contact");
    let v = |rtol: f64| run(&system, 0.071, rtol, &[]).last("b0.v").expect("a column");
    let exact = v(1e-12);
    for rtol in [1e-6, 1e-8, 1e-10] {
        // some ten times the tolerance, as everywhere; speeds are below 2 m/s
        assert!((v(rtol) - exact).abs() < 20.0 * rtol, "{rtol:e}: {} for {exact}", v(rtol));
    }
}

/// A force that makes a law slide both ways, some way beyond its break-away level.
fn level(law: &str) -> f64 {
    if law == "hysteresis" { 120.0 } else { 2.0 }
}

/// The systems in which reversals happen, and the columns that say how well they went.
fn systems(law: &str) -> [(&'static str, System, f64, [&'static str; 2]); 3] {
    let values: &[(&str, f64)] = match law {
        // bristles that are a hundred times as long snap a hundred times less often, with the same force
        "bristle" => &[("sigma", 200.0), ("delta", 1e-3)],
        // a Stribeck curve as wide as the speeds: at loose tolerances a step may pass over one of a millimetre per second
        "lugre" | "elasto-plastic" => &[("vs", 0.05)],
        _ => &[],
    };
    let contact = || contact(law, values);
    let push = level(law);
    // a prescribed motion that goes through presliding and sliding, both ways
    let mut moved = System::new();
    let block = moved.motion("block", sine(5e-3, 7.0), false).expect("a motion");
    moved.contact("c0", block, GROUND, contact()).expect("a contact");
    // the same under a force
    let mut pushed = System::new();
    let block = pushed.body("block", Body::default()).expect("a body");
    pushed.contact("c0", block, GROUND, contact()).expect("a contact");
    pushed.force("push", block, sine(push, 7.0)).expect("a force");
    // and under a body that sticks to another moving one most of the time
    let carried = carrier(contact(), [0.7, 4.4], 1.4 * push, 70.0 * push, sine(2.5 * push, 3.0), 0.3);
    [
        ("moved", moved, 1.5, ["c0.force", "c0.force"]),
        ("pushed", pushed, 1.0, ["block.x", "block.v"]),
        ("carried", carried, 1.0, ["b0.x", "b1.x"]),
    ]
}

/// Times at which the columns are compared, as fractions of the run.
const TIMES: [f64; 4] = [0.31, 0.57, 0.83, 1.0];

fn values(system: &System, end: f64, rtol: f64, columns: [&str; 2]) -> Vec<f64> {
    let at = |column: &str, part: f64| Probe::At { column: column.to_owned(), t: part * end };
    let probes: Vec<Probe> = columns.iter().flat_map(|column| TIMES.map(|part| at(column, part))).collect();
    run(system, end, rtol, &probes).probes.into_iter().map(|x| x.expect("a value")).collect()
}

#[test]
fn errors_fall_with_the_tolerance_for_every_law() {
    for entry in models::ALL {
        for (what, system, end, columns) in systems(entry.name) {
            let exact = values(&system, end, 1e-9, columns);
            let size = exact.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            for rtol in [1e-5, 1e-7] {
                let found = values(&system, end, rtol, columns);
                let error = found.iter().zip(&exact).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs())) / size;
                // the sum of the local errors between two events, each below the tolerance
                assert!(error < 10.0 * rtol, "{} {what}: {error:e} at {rtol:e}", entry.name);
            }
        }
    }
}

/// Noise never exceeds the friction that it is part of. Where it reaches that limit the force has a kink, as it has where friction that is
/// doubled or cancelled by the limited noise changes its sign: both are events, so that errors fall with the tolerance.
fn limited_noise(law: &str, values: &[(&str, f64)], noise: [f64; 3], push: Signal, end: f64) {
    let [amplitude, frequency, seed] = noise;
    let noise = [("noise.amplitude", amplitude), ("noise.frequency", frequency), ("noise.seed", seed)];
    let mut system = System::new();
    let b0 = system.body("b0", Body::default()).expect("a body");
    system.contact("c0", b0, GROUND, contact(law, &[values, &noise[..]].concat())).expect("a contact");
    system.force("f0", b0, push).expect("a force");
    let v = |rtol: f64| run(&system, end, rtol, &[]).last("b0.v").expect("a column");
    let exact = v(1e-12);
    for rtol in [1e-6, 1e-7, 1e-8, 1e-9] {
        // some hundred steps, each with an error of the tolerance at most, of speeds up to ten times that at the end; it was a thousand
        assert!((v(rtol) - exact).abs() < 20.0 * rtol * exact.abs(), "{law} {rtol:e}: {} for {exact}", v(rtol));
    }
}

#[test]
fn noise_armstrong() {
    let values = [
        ("fc", 0.5458724097247027),
        ("fs", 0.5458724097247027),
        ("vs", 0.014517241471936523),
        ("fv", 0.0),
        ("sigma0", 1149.627125017685),
        ("tau_lag", 0.002657416864716867),
        ("tau_dwell", 4.280199948091202),
    ];
    let push = Signal::Chirp {
        amplitude: 1.1516805198150797,
        omega: 3.3674752632172766,
        rate: 0.3014838831074416,
        phase: 0.0,
    };
    limited_noise("armstrong", &values, [0.016416114194594083, 0.7205855444726257, 80.0], push, 1.2);
}

#[test]
fn noise_reset_integrator() {
    let values = [("sigma0", 1000.0), ("sigma1", 80.0), ("z0", 0.0003), ("a", 0.2), ("fv", 0.0)];
    limited_noise("reset-integrator", &values, [0.1, 2.7265344679682664, 12.0], sine(0.8, 10.0), 1.0);
}
