//! The experiments of the papers against values computed by others, at the default tolerance.
use crate::{contact, law, ramp, simulate};
use stiction_sim::sim::{Probe, RunSummary, SimulationOptions, Trace};
use stiction_sim::system::{
    Actuation, Body, Contact, Controller, Feedback, GROUND, Measurement, Node, Signal, Spring, System,
};
use stiction_sim::{SimError, Spec};

/// A unit mass on a table.
fn block(spec: &Spec, v: f64) -> Result<(System, Node), SimError> {
    let mut system = System::new();
    let block = system.body("block", Body { v, ..Body::default() })?;
    system.contact("table", block, GROUND, Contact::new(spec).expect("a contact"))?;
    Ok((system, block))
}

/// A unit mass on a table, pulled through a spring by a motion.
fn pulled(spec: &Spec, stiffness: f64, motion: Signal) -> Result<System, SimError> {
    let (mut system, block) = block(spec, 0.0)?;
    let hand = system.motion("hand", motion, false)?;
    system.spring("spring", hand, block, Spring::linear(stiffness))?;
    Ok(system)
}

fn run(system: &System, end: f64, probes: Vec<Probe>) -> (RunSummary, Trace, Vec<(f64, String)>) {
    let options = SimulationOptions { end, probes, ..SimulationOptions::default() };
    run_with(system, &options)
}

fn run_with(system: &System, options: &SimulationOptions) -> (RunSummary, Trace, Vec<(f64, String)>) {
    let (summary, trace) = simulate(system, options);
    let events = trace.events.iter().map(|event| (event.t, event.kind.name())).collect();
    (summary, trace, events)
}

fn event(part: &str, kind: &str, nth: i32, column: &str) -> Probe {
    Probe::Event { part: part.into(), kind: kind.into(), nth, column: column.into(), from: 0.0 }
}
fn most(column: &str, from: f64) -> Probe {
    Probe::Max { column: column.into(), from, to: f64::INFINITY }
}
fn least(column: &str, from: f64) -> Probe {
    Probe::Min { column: column.into(), from, to: f64::INFINITY }
}
fn at(column: &str, t: f64) -> Probe {
    Probe::At { column: column.into(), t }
}

/// Compares answers with values given to `digits` significant digits.
#[track_caller]
fn agree(summary: &RunSummary, values: &[f64], digits: f64) {
    assert_eq!(summary.probes.len(), values.len());
    for (k, (got, wanted)) in summary.probes.iter().zip(values).enumerate() {
        let got = got.unwrap_or(f64::NAN);
        assert!((got - wanted).abs() <= 10f64.powf(-digits) * wanted.abs(), "probe {k}: {got} for {wanted}");
    }
}

/// The Coulomb level that goes with µ = 0.1, m = 1, g = 9.81.
const FC: f64 = 0.981;

#[test]
fn g1_a_sliding_block_stops_and_stays() {
    let (system, _) = block(&law("coulomb", &[("fc", 1.0)]), 0.05).expect("a system");
    let (summary, _, events) = run(&system, 1.0, vec![]);
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].1, "stick");
    // the motion is a parabola: rounding
    assert!((events[0].0 - 0.05).abs() < 1e-14);
    assert_eq!(summary.last("block.v"), Some(0.0));
    assert!((summary.last("block.x").expect("x") - 0.00125).abs() < 1e-15);
}

#[test]
fn g5_a_force_that_swings_beyond_the_limit() {
    let (mut system, node) = block(&law("coulomb", &[("fc", 1.0)]), 0.0).expect("a system");
    system.force("u", node, Signal::Sine { mean: 0.0, amplitude: 1.5, omega: 1.0, phase: 0.0 }).expect("a force");
    let (_, _, events) = run(&system, 20.0, vec![]);
    // release where 1.5 sin t = 1; stick where 1.5 (cos t0 - cos t) = t - t0
    let slip = (1.0_f64 / 1.5).asin();
    // a linear mode under a sine is exact: rounding, which the slope of `rest` hardly changes
    assert!((events[0].0 - slip).abs() < 1e-12, "{events:?}");
    assert_eq!(events[0].1, "slip+");
    let rest = |t: f64| 1.5 * (slip.cos() - t.cos()) - (t - slip);
    assert!(rest(events[1].0).abs() < 1e-12, "{events:?}");
    assert_eq!(events[1].1, "stick");
}

#[test]
fn b1_coulomb_swings_about_a_moved_wall() {
    let system = pulled(&law("coulomb", &[("fc", FC)]), 100.0, Signal::Constant(0.1)).expect("a system");
    let turns = [0.18038, 0.03924, 0.14114, 0.07848, 0.10190];
    let probes = (1..5)
        .map(|k| event("table", "reverse", k, "block.x"))
        .chain([event("table", "stick", 1, "block.x"), event("table", "stick", 1, "t")]);
    let (summary, _, events) = run(&system, 3.0, probes.collect());
    // closed forms, and modes that are linear
    agree(&summary, &[turns[0], turns[1], turns[2], turns[3], turns[4], std::f64::consts::FRAC_PI_2], 9.0);
    assert_eq!(events.last().expect("an event").1, "stick");
}

#[test]
fn b5_dankowicz() {
    let spec = law("dankowicz", &[("fmax", FC), ("delta", 1e-5)]);
    let system = pulled(&spec, 100.0, Signal::Constant(0.1)).expect("a system");
    let probes = (1..4).map(|k| event("table", "reverse", k, "block.x")).collect();
    let (summary, _, _) = run(&system, 3.0, probes);
    // reference values of ten digits, computed at a tolerance of 1e-8 here
    agree(&summary, &[0.1803810877, 0.0392361322, 0.1411477182], 8.0);
}

#[test]
fn g4_tanh_stops_too_far() {
    let (system, _) = block(&law("coulomb-tanh", &[("fc", 1.0), ("ktanh", 100.0)]), 0.05).expect("a system");
    let (summary, _, _) = run(&system, 1.0, vec![]);
    let error = summary.last("block.x").expect("x") - 0.00125;
    // a tolerance of 1e-8 of a path of 1.3e-3
    assert!((error - 8.2221733e-5).abs() < 1e-11, "{error}");
}

#[test]
fn a7_lugre_stick_slip() {
    let spec = law(
        "lugre",
        &[
            ("fc", 3.0),
            ("fs", 6.0),
            ("vs", 0.1),
            ("exponent", 1.0),
            ("sigma0", 1000.0),
            ("sigma1", 2.0 * 1000f64.sqrt()),
            ("sigma2", 0.0),
        ],
    );
    let system = pulled(&spec, 2.0, ramp(2.0)).expect("a system");
    let probes = vec![
        Probe::Period { part: "table".into(), kind: "reverse+".into(), every: Some(1) },
        most("block.v", 30.0),
        least("block.v", 30.0),
        most("spring.stretch", 30.0),
        least("spring.stretch", 30.0),
    ];
    let (summary, _, _) = run(&system, 40.0, probes);
    // reference values of seven to eight digits
    agree(&summary, &[4.6385527, 4.5998458, -0.02488064, 3.3383686, -0.33836857], 6.5);
}

#[test]
fn lugre_of_1995() {
    let spec = law("lugre", &[("vs", 1e-3)]);
    let system = pulled(&spec, 2.0, ramp(0.1)).expect("a system");
    let (summary, _, _) = run(&system, 30.0, vec![at("block.x", 30.0)]);
    // a tolerance of 1e-8
    agree(&summary, &[2.545101904], 8.0);
}

#[test]
fn o5_slip_variable_stick_slip() {
    let system = pulled(&law("slip-variable", &[]), 2.0, ramp(0.1)).expect("a system");
    let probes = vec![
        event("table", "guard1+", 1, "t"),
        event("table", "guard1+", 2, "t"),
        event("table", "guard1+", 3, "t"),
        most("block.v", 0.0),
        Probe::Period { part: "table".into(), kind: "guard1+".into(), every: Some(1) },
    ];
    let (summary, _, _) = run(&system, 25.0, probes);
    // reference values of nine to ten digits; a tolerance of 1e-8 over three cycles
    agree(&summary, &[7.50147873, 14.07392442, 20.64637011, 0.3797526432, 6.572445692], 7.0);
}

fn servo(compensated: bool) -> System {
    let spec = law("lugre", &[]);
    let (mut system, node) = block(&spec, 0.0).expect("a system");
    let friction = compensated.then(|| (spec.build().expect("a law"), 1));
    let pid = Feedback {
        gains: vec![3.0, 6.0],
        ki: 4.0,
        reference: Signal::Constant(1.0),
        extra: Signal::Constant(0.0),
        friction,
    };
    let measures = vec![Measurement::Position(node), Measurement::Velocity(node)];
    system
        .control("pid", Controller::Continuous(Box::new(pid)), measures, Actuation::Force(node))
        .expect("a controller");
    system
}

#[test]
fn a12_hunting() {
    let system = servo(false);
    let probes = vec![
        Probe::Max { column: "block.x".into(), from: 0.0, to: 20.0 },
        Probe::Period { part: "table".into(), kind: "reverse+".into(), every: Some(1) },
        most("block.x", 350.0),
        least("block.x", 350.0),
    ];
    let (summary, _, _) = run(&system, 400.0, probes);
    let [overshoot, _, hi, lo] = [0, 1, 2, 3].map(|k| summary.probes[k].expect("an answer"));
    // printed with eight and seven digits
    assert!((overshoot - 1.5004732).abs() < 1e-7, "{overshoot}");
    assert!((0.5 * (hi - lo) - 0.06390251).abs() < 1e-8, "{}", 0.5 * (hi - lo));
}

#[test]
fn a13_compensated() {
    let (summary, _, _) = run(&servo(true), 20.0, vec![at("block.x", 5.0)]);
    // printed with eight digits
    agree(&summary, &[1.1460418], 7.0);
}

#[test]
fn karnopp_rests_in_his_band_and_holds() {
    let spec = law("karnopp", &[("fc", 1.0), ("fs", 1.5), ("fv", 0.0), ("vs", 1e-3), ("band", 1e-4)]);
    let (mut system, node) = block(&spec, 0.05).expect("a system");
    // a push that the contact holds, until it grows beyond Fs at 15 s
    system.force("push", node, ramp(0.1)).expect("a force");
    let (summary, _, events) = run(&system, 20.0, vec![at("block.v", 14.9), at("block.x", 14.9), at("block.x", 1.0)]);
    let kinds: Vec<&str> = events.iter().map(|(_, kind)| kind.as_str()).collect();
    assert_eq!(kinds, ["guard1-", "stick", "slip+", "guard1+"]);
    // exact between events: rounding of 15 s
    assert!((events[2].0 - 15.0).abs() < 1e-12, "{events:?}");
    assert_eq!(summary.probes[0], Some(0.0));
    assert_eq!(summary.probes[1], summary.probes[2]);
    // what the band swallows is in the audit: m band²/2
    // the event is where the speed is the band, to rounding; the audit closes to the tolerance of 1e-8 of 1.25e-3 J
    assert!((summary.energy.impact - 0.5e-8).abs() < 1e-17);
    assert!(summary.energy.error().abs() < 1e-11);
}

#[test]
fn a_belt_that_stops_at_once_leaves_the_block_sliding() {
    // carried along by the belt until that stops at 1 s; then m v = 0.5 is worn down by 1 N
    let mut system = System::new();
    let node = system.body("block", Body { v: 0.5, ..Body::default() }).expect("a body");
    let belt = Signal::Ramp { offset: 0.0, slope: 0.5, start: 0.0, end: 1.0 };
    let belt = system.motion("belt", belt, false).expect("a motion");
    system.contact("c", node, belt, contact("coulomb", &[("fc", 1.0)])).expect("a contact");
    let (summary, _, events) = run(&system, 3.0, vec![]);
    let kinds: Vec<&str> = events.iter().map(|(_, kind)| kind.as_str()).collect();
    assert_eq!(kinds, ["slip+", "stick"]);
    // parabolas: rounding, here and below
    assert!((events[0].0 - 1.0).abs() < 1e-14 && (events[1].0 - 1.5).abs() < 1e-12, "{events:?}");
    // half a metre with the belt, then v²/2a
    assert!((summary.last("block.x").expect("x") - 0.625).abs() < 1e-12);
    assert!(summary.energy.error().abs() < 1e-12, "{:?}", summary.energy);
}
