//! Stribeck curves with an exponent below one: their force has a cusp at rest, where its slope is unbounded.
//!
//! Unless said otherwise the references are those of an explicit Dormand-Prince method on the equations of motion, with a tolerance of 1e-12
//! relative to the sliding speed, which takes steps down to the rounding of the time at each reversal.
use crate::{contact, ramp, sine};
use stiction_sim::sim::{RunSummary, Simulation, SimulationOptions, Trace};
use stiction_sim::system::{Body, GROUND, Node, Signal, Spring, System};

fn run(system: &System, end: f64, rtol: f64) -> RunSummary {
    // what would hang fails instead; four hundred steps a release at the tightest tolerance
    let options = SimulationOptions { end, rtol, max_steps: 10_000, sample: end, ..SimulationOptions::default() };
    Simulation::new(system).expect("a system").run(&options, &mut Trace::default()).expect("a run")
}

fn body(system: &mut System, name: &str, mass: f64) -> Node {
    system.body(name, Body { mass, ..Body::default() }).expect("a body")
}

/// Compares a column at the end with its reference: a run of a few hundred to a few thousand steps, each with an error of rtol at most, of which
/// those after a release die away again.
fn agrees(system: &System, end: f64, column: &str, reference: f64) {
    for rtol in [1e-6, 1e-8, 1e-10] {
        let value = run(system, end, rtol).last(column).expect("a column");
        assert!((value / reference - 1.0).abs() < 100.0 * rtol, "{column} at {rtol:e}: {value:e} for {reference:e}");
    }
}

#[test]
fn stribeck_exponent_half_endless() {
    let mut system = System::new();
    let b = body(&mut system, "b", 0.5);
    let law =
        [("fc", 0.367145), ("fs", 0.57909), ("vs", 0.015392), ("exponent", 0.5), ("delta", 0.000158395), ("fv", 0.0)];
    system.contact("c", b, GROUND, contact("stribeck-dankowicz", &law)).expect("a contact");
    system.force("f", b, sine(0.503669, 2.68413)).expect("a force");
    agrees(&system, 0.98, "b.v", 0.011_064_773_599_49);
}

#[test]
fn stribeck_exponent_half_wrong() {
    let mut system = System::new();
    let b = body(&mut system, "b", 1.0);
    let table = system.motion("table", sine(3.0, 9.0), false).expect("a motion");
    let law = [("fc", 2000.0), ("fs", 2400.0), ("vs", 0.21), ("exponent", 0.5), ("delta", 0.042), ("fv", 0.0)];
    system.contact("c", b, table, contact("stribeck-dankowicz", &law)).expect("a contact");
    agrees(&system, 0.016, "b.v", 28.719_846_380_67);
    // the slopes at rest had entered the energies
    let energy = run(&system, 0.016, 1e-8).energy;
    assert!(energy.error().abs() < 1e-7 * energy.size(), "{energy:?}");
}

#[test]
fn stribeck_exponent_half_two_bodies() {
    let mut system = System::new();
    let [a, b] = ["a", "b"].map(|name| body(&mut system, name, 1.2404214660569362));
    let level = 0.011117622669838179;
    system.contact("still", a, GROUND, contact("stiction", &[("fc", level), ("fs", level)])).expect("a contact");
    let law = [
        ("fc", 0.0030761485535681352),
        ("fs", 0.004132074007781002),
        ("vs", 0.00041116242588735405),
        ("exponent", 0.5),
        ("delta", 7.718069962841332e-6),
        ("fv", 0.012714032224919632),
    ];
    system.contact("c", b, GROUND, contact("stribeck-dankowicz", &law)).expect("a contact");
    let push = Signal::Ramp { offset: 0.0, slope: 0.001502066738011641, start: 0.0, end: 2.9332530781887427 };
    system.force("f", b, push).expect("a force");
    agrees(&system, 30.52890621985299, "b.v", 0.025_319_382_898_67);
}

#[test]
fn stribeck_exponent_half_endless_two_bodies() {
    let mut system = System::new();
    let [a, b] = ["a", "b"].map(|name| body(&mut system, name, 1.036033628959796));
    let spring = Spring { damping: 0.14800388326506672, ..Spring::linear(30.47947250147849) };
    system.spring("s", a, b, spring).expect("a spring");
    let law = [
        ("fc", 13.103979469325772),
        ("fs", 15.89107075860183),
        ("vs", 0.1337432325507855),
        ("exponent", 0.5),
        ("delta", 8.903227371829325e-5),
        ("fv", 0.15879155869546413),
    ];
    system.contact("c", b, GROUND, contact("stribeck-dankowicz", &law)).expect("a contact");
    system.force("f", b, sine(15.89266002460429, 7.24658026455387)).expect("a force");
    // a dozen reversals, each of which sets the bristle swinging: its phase sums up their errors
    agrees(&system, 0.3807253205986222, "a.v", 0.029_825_163_617_6);
}

/// Speed at a time `end` after release from rest by a force that grows at `rate`, on a Stribeck curve that falls by `drop`. With w = ln v and
/// θ = ln τ the equation m·dv/dτ = rate·τ + drop·(1 − exp(−(v/vs)^a)) is dw/dθ = τ/(m·v)·(...), which is smooth, and on which
/// errors die away as 1/τ: the classical Runge-Kutta method from τ = 1e-17 of the end, where all solutions are near enough.
fn released([mass, drop, vs, exponent]: [f64; 4], rate: f64, end: f64) -> f64 {
    let slope = |theta: f64, w: f64| {
        let (tau, v) = (theta.exp(), w.exp());
        tau / (mass * v) * (rate * tau - drop * (-(v / vs).powf(exponent)).exp_m1())
    };
    let (mut theta, count) = ((1e-17 * end).ln(), 4000);
    let power = (1.0 - exponent) * drop / (mass * vs.powf(exponent)) * theta.exp();
    let mut w = (power.powf(1.0 / (1.0 - exponent)) + 0.5 * rate / mass * (2.0 * theta).exp()).ln();
    let h = (end.ln() - theta) / f64::from(count);
    for _ in 0..count {
        let a = slope(theta, w);
        let b = slope(theta + 0.5 * h, w + 0.5 * h * a);
        let c = slope(theta + 0.5 * h, w + 0.5 * h * b);
        let d = slope(theta + h, w + h * c);
        w += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
        theta += h;
    }
    w.exp()
}

#[test]
fn gear_exponent_half_breaks_away() {
    // gear without load is a Stribeck curve
    for law in ["gear", "stribeck"] {
        for exponent in [0.1, 0.35, 0.5, 0.75, 0.9, 0.99] {
            for (mass, mirror) in [(1.0, 1.0), (1e-5, -1.0), (1e5, 1.0)] {
                let mut system = System::new();
                let b = body(&mut system, "b", mass);
                let values = [("fc", 0.1), ("fs", 0.18), ("vs", 0.0005), ("exponent", exponent), ("fv", 0.0)];
                let mut gear = contact(law, &values);
                if law == "gear" {
                    let more = [("mu_drive", 0.0), ("mu_back", 0.0)];
                    gear = contact(law, &[&values[..], &more[..]].concat());
                }
                system.contact("c", b, GROUND, gear).expect("a contact");
                system.force("f", b, ramp(0.3 * mirror)).expect("a force");
                let exact = released([mass, 0.08, 0.0005, exponent], 0.3, 0.1);
                for rtol in [1e-5, 1e-7, 1e-9] {
                    let v = mirror * run(&system, 0.7, rtol).last("b.v").expect("v");
                    // a few steps have most of the error: rtol and the absolute tolerance, a thousandth of it, in each. The release is at
                    // 0.6 s, a time that is known to 1e-12 of it, as the balance of forces that ends stick
                    let allowed = 10.0 * (rtol * exact + 1e-3 * rtol) + 1e-10 * exact;
                    assert!((v - exact).abs() < allowed, "{law} {exponent} {mass} {rtol:e}: {v:e} for {exact:e}");
                }
            }
        }
    }
}

#[test]
fn a_cusp_at_rest_comes_to_rest() {
    for exponent in [0.2, 0.5, 0.8] {
        // m·dv/dt = −(fc + drop·exp(−(v/vs)^a)): the time to rest is an integral over v, by the midpoint rule in v^a
        let (fc, drop, vs, mass, v0) = (0.1, 0.08, 0.05, 2.0, 0.03);
        let count = 20_000;
        let exact: f64 = (0..count)
            .map(|k| {
                let (u, h) = ((f64::from(k) + 0.5) / f64::from(count), 1.0 / f64::from(count));
                // v = v0·u², whose powers are smoother at rest
                let v = v0 * u * u;
                mass * 2.0 * v0 * u * h / (fc + drop * (-(v / vs).powf(exponent)).exp())
            })
            .sum();
        let mut system = System::new();
        let b = system.body("b", Body { mass, v: v0, ..Body::default() }).expect("a body");
        let law = [("fc", fc), ("fs", fc + drop), ("vs", vs), ("exponent", exponent), ("fv", 0.0)];
        system.contact("c", b, GROUND, contact("stribeck", &law)).expect("a contact");
        let mut trace = Trace::default();
        let options = SimulationOptions { end: 1.0, max_steps: 1000, ..SimulationOptions::default() };
        let summary = Simulation::new(&system).expect("a system").run(&options, &mut trace).expect("a run");
        assert_eq!((summary.last("b.v"), trace.events.len()), (Some(0.0), 1));
        let t = trace.events[0].t;
        // the rule's error is about (1/20000)^2 of the whole
        assert!((t - exact).abs() < 1e-8 * exact, "{exponent}: {t} for {exact}");
    }
}

/// The velocity of a prescribed motion is known no better than it changes within the resolution of the clock; near a turning point that is
/// more than its relative rounding.
#[test]
fn a_release_near_the_turning_point_of_a_motion() {
    // the velocity of the table is 0.03 m/s and its acceleration 22 m/s² when the lowest body is released
    for k in -4..=4 {
        let mut system = System::new();
        let start = [2.0 * (1.0 + 1e-7 * f64::from(k)), -1e-7, 1.0 + 1e-7];
        let table = system.motion("table", sine(0.391, 7.58), false).expect("a motion");
        let mut below = table;
        let laws = [
            ("stribeck", &[("fc", 4.64), ("fs", 6.55), ("vs", 0.0158), ("exponent", 0.5), ("fv", 0.0)][..]),
            (
                "lugre",
                &[("fc", 6.36), ("fs", 6.36), ("vs", 0.632), ("sigma0", 3690.0), ("sigma1", 0.0), ("sigma2", 0.207)],
            ),
            ("carlson-langer", &[("fc", 2.3), ("fs", 3.18), ("vs", 22.6)]),
        ];
        let bodies = [("b0", 0.5), ("b1", 0.501), ("b2", 0.501)];
        for (((name, mass), v), (law, values)) in bodies.into_iter().zip(start).zip(laws) {
            let b = system.body(name, Body { mass, v, ..Body::default() }).expect("a body");
            system.contact(&name.replace('b', "c"), b, below, contact(law, values)).expect("a contact");
            if name == "b1" {
                system.spring("s0", b, GROUND, Spring::linear(243.0)).expect("a spring");
            }
            below = b;
        }
        let summary = run(&system, 0.68, 1e-10);
        assert!(summary.failure.is_none(), "{k}: {:?}", summary.failure);
    }
}

/// Bodies on a table that swings, under friction proportional to the root of the sliding speed: at every reversal the slope of the law is unbounded. A step that ended
/// at a reversal erred by a thousand times what its estimate showed, so that now and then a run was far less accurate than a looser one.
#[test]
fn every_reversal_is_as_accurate_as_asked() {
    let mut worst = [0.0_f64; 2];
    for k in 0..20 {
        let mut system = System::new();
        let table = system.motion("table", sine(0.02 + 2e-4 * f64::from(k), 4.56), false).expect("a motion");
        let lower = system.body("lower", Body { mass: 0.144, ..Body::default() }).expect("a body");
        let root = [("fv", 0.141), ("gamma", 0.5)];
        system.contact("base", lower, table, contact("viscous", &root)).expect("a contact");
        if k % 2 == 0 {
            let upper = system.body("upper", Body { mass: 0.3, ..Body::default() }).expect("a body");
            system.contact("top", upper, lower, contact("viscous", &[("fv", 0.1), ("gamma", 0.5)])).expect("a contact");
            system.spring("spring", upper, GROUND, Spring::linear(0.7)).expect("a spring");
        }
        let v = |rtol| run(&system, 4.0, rtol).last("lower.v").expect("a column");
        let exact = v(1e-10);
        for (worst, rtol) in worst.iter_mut().zip([1e-7, 1e-8]) {
            *worst = worst.max((v(rtol) - exact).abs() / (0.09 * rtol));
        }
    }
    // friction damps what was before: it is the steps of the last reversals that count, and few of them come near their tolerance
    assert!(worst.iter().all(|error| *error < 2.0), "{worst:?} tolerances");
}
