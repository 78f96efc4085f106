//! Laws with memory: their discrete states follow every reversal, so that errors fall with the tolerance.
use crate::{contact, coulomb, sine};
use stiction_core::models;
use stiction_sim::sim::{NullObserver, Probe, RunSummary, Simulation, SimulationOptions, Trace};
use stiction_sim::system::{Body, Contact, GROUND, Signal, Spring, System};

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
        let kinds = events(&system, 3.0, rtol);
        // break-away, falling speed; then per half period: reversal, break-away beyond the last loop, falling speed
        let half = |reverse: &str| [reverse, "guard1+", "guard3+"].map(str::to_owned).to_vec();
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
