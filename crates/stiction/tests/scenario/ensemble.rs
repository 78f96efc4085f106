//! Ensembles in lanes against the ordinary simulator, and against themselves.
use crate::law;
use stiction::core::Real;
use stiction::dispatch::Level;
use stiction::scenario::Scenario;
use stiction::sim::batch::{Ensemble, Outcome, Unsupported};
use stiction::sim::{CrossingDirection, NullObserver, Probe, Simulation, SimulationOptions};
use stiction::{Error, system};
use stiction::{LawError, SimError};
use system::{Body, Contact, GROUND, Signal, Spring, Stop, System};

/// Stiffness and pull of point `i`, drawn evenly.
fn point(i: u64) -> [f64; 2] {
    let draw = |k: u64| f64::uniform(5.0, (2 * i + k) as f64);
    [1.0 + 3.0 * draw(0), 0.5 + 2.5 * draw(1)]
}

/// The block of the scenario a7 at a point.
fn stick_slip([stiffness, pull]: [f64; 2]) -> Result<System, Error> {
    let set = [format!("spring.pull.stiffness={stiffness}"), format!("motion.hand.position.ramp.slope={pull}")];
    Ok(Scenario::named("a7", &set)?.system)
}

fn options(end: f64, probes: Vec<Probe>) -> SimulationOptions {
    SimulationOptions { end, rtol: 1e-4, atol: 1e-7, probes, ..SimulationOptions::default() }
}

fn ensemble(system: &System, options: &SimulationOptions) -> Ensemble {
    Ensemble::new(system, options).expect("a sound system").unwrap_or_else(|why| panic!("{why}"))
}

fn run(ensemble: &Ensemble, threads: usize, points: std::ops::Range<u64>) -> Vec<Outcome> {
    ensemble.run_on(threads, points, &|i, numbers| ensemble.read(&stick_slip(point(i))?, numbers))
}

fn bits(outcomes: &[Outcome]) -> Vec<Vec<Option<u64>>> {
    outcomes
        .iter()
        .map(|o| o.as_ref().map_or(Vec::new(), |o| o.iter().map(|x| x.map(f64::to_bits)).collect()))
        .collect()
}

/// Measures of every kind of the scenario language.
fn probes() -> Vec<Probe> {
    let (x, v, force) = ("block.x".to_owned(), "block.v".to_owned(), "table.force".to_owned());
    let (part, kind) = ("table".to_owned(), "reverse-".to_owned());
    let (from, to) = (2.0, 7.5);
    vec![
        Probe::Final { column: x.clone() },
        Probe::Max { column: v.clone(), from, to },
        Probe::Min { column: v.clone(), from, to },
        Probe::Range { column: "pull.stretch".to_owned(), from, to },
        Probe::Mean { column: v.clone(), from, to },
        Probe::Rms { column: "pull.force".to_owned(), from, to },
        Probe::Max { column: force.clone(), from, to },
        Probe::Period { part: part.clone(), kind: kind.clone(), every: Some(1) },
        Probe::Count { part: part.clone(), kind: kind.clone() },
        Probe::At { column: x.clone(), t: 3.3 },
        Probe::MaxAt { column: v.clone(), from, to, show: "t".to_owned() },
        Probe::Event { part, kind, nth: 1, column: "t".to_owned(), from: 0.0 },
        Probe::Cross {
            column: x.clone(),
            value: 1.0,
            way: CrossingDirection::Rising,
            nth: 1,
            from: 0.0,
            show: "t".to_owned(),
        },
        Probe::Settle { column: "hand.x".to_owned(), value: 0.0, band: 1e3, from: 1.0 },
    ]
}

#[test]
fn instructions_width_threads_and_neighbours_change_no_bit() {
    let options = options(7.6, probes());
    let system = stick_slip(point(0)).unwrap();
    let whole = bits(&run(&ensemble(&system, &options), 1, 0..24));
    assert!(whole.iter().all(|o| o.len() == options.probes.len()));
    // each level has its own width
    for level in Level::ALL.into_iter().filter(|level| level.available()) {
        for threads in [1, 3] {
            let other = run(&ensemble(&system, &options).at(level), threads, 0..24);
            assert!(bits(&other) == whole, "{} on {threads} threads", level.name());
        }
    }
    let engine = ensemble(&system, &options);
    let parts = [run(&engine, 1, 0..7), run(&engine, 1, 7..8), run(&engine, 2, 8..24)];
    assert!(parts.iter().flat_map(|part| bits(part)).collect::<Vec<_>>() == whole, "in parts");
}

/// A block slows down to the Stribeck speed, and a rising force takes it away again: a long step through the lowest speed must see it. Lanes passed
/// over it at every tolerance, and were off by as much as the speed itself.
#[test]
fn lanes_see_the_lowest_speed_of_a_step() {
    let values = [("fc", 0.98), ("fs", 1.1), ("vs", 0.003), ("sigma0", 46_000.0), ("sigma1", 300.0), ("sigma2", 0.0)];
    let slope = |i: u64| 1.36 + 3e-3 * i as f64;
    let block = |i: u64| {
        let mut system = System::new();
        let block = system.body("block", Body { mass: 0.62, v: 0.56, ..Body::default() }).unwrap();
        system.contact("table", block, GROUND, contact("lugre", &values)).unwrap();
        system
            .force("pull", block, Signal::Ramp { offset: 0.0, slope: slope(i), start: 0.0, end: f64::INFINITY })
            .unwrap();
        system
    };
    let last = vec![Probe::Final { column: "block.v".to_owned() }];
    for rtol in [1e-5, 1e-7, 1e-9] {
        let options =
            SimulationOptions { end: 0.85, rtol, atol: 1e-3 * rtol, probes: last.clone(), ..Default::default() };
        let engine = ensemble(&block(0), &options);
        let outcomes = engine.run_on(1, 0..31, &|i, numbers| engine.read(&block(i), numbers));
        for (i, outcome) in outcomes.iter().enumerate() {
            let tight = SimulationOptions { rtol: 1e-10, max_step: 1e-3, ..options.clone() };
            let system = block(i as u64);
            let exact = Simulation::new(&system).unwrap().run(&tight, &mut NullObserver).unwrap().probes[0].unwrap();
            let found = outcome.as_ref().unwrap()[0].unwrap();
            // the speed at the end changes by 20 times what changes the least speed, where the body barely gets away
            assert!(
                (found - exact).abs() < 20.0 * 100.0 * rtol * 0.56,
                "{} at {rtol}: {found} for {exact}",
                slope(i as u64)
            );
        }
    }
}

#[test]
fn trajectories_are_within_1e4_of_the_simulator() {
    let times: Vec<f64> = (1..=40).map(|i| 0.5 * f64::from(i)).collect();
    let at = |t: &f64| Probe::At { column: "block.x".to_owned(), t: *t };
    let options = options(20.0, times.iter().map(at).collect());
    let engine = ensemble(&stick_slip(point(0)).unwrap(), &options);
    let outcomes = run(&engine, 2, 0..12);
    for (i, outcome) in outcomes.iter().enumerate() {
        let system = stick_slip(point(i as u64)).unwrap();
        let tight = SimulationOptions { rtol: 1e-9, atol: 1e-12, ..options.clone() };
        let exact = Simulation::new(&system).unwrap().run(&tight, &mut NullObserver).unwrap().probes;
        let exact: Vec<f64> = exact.into_iter().flatten().collect();
        let size = exact.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
        let found = outcome.as_ref().unwrap().iter().map(|x| x.unwrap());
        let worst = found.zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        // the relative tolerance of the engine
        assert!(worst / size < 1e-4, "point {i}: {:e}", worst / size);
    }
}

/// The engine's answers for one system against the simulator's at a tight tolerance.
fn agrees(system: &System, end: f64, probes: Vec<Probe>, tolerance: f64) {
    let options = options(end, probes);
    let engine = ensemble(system, &options);
    let outcomes = engine.run(0..3, &|_, numbers| engine.read(system, numbers));
    let tight = SimulationOptions { rtol: 1e-9, atol: 1e-12, ..options.clone() };
    let wanted = Simulation::new(system).unwrap().run(&tight, &mut NullObserver).unwrap().probes;
    assert_eq!(outcomes.len(), 3);
    for outcome in &outcomes {
        for ((probe, found), wanted) in options.probes.iter().zip(outcome.as_ref().unwrap()).zip(&wanted) {
            let near = match (found, wanted) {
                (Some(a), Some(b)) => (a - b).abs() <= tolerance * b.abs().max(1e-3),
                (a, b) => a == b,
            };
            assert!(near, "{probe:?}: {found:?}, not {wanted:?}");
        }
    }
}

#[test]
fn every_measure_is_that_of_the_simulator() {
    // ten times what a trajectory may be off: peaks and crossings are sharper than positions
    agrees(&stick_slip([2.0, 2.0]).unwrap(), 8.0, probes(), 1e-3);
}

fn contact(name: &str, values: &[(&str, f64)]) -> Contact {
    Contact::new(&law(name, values)).unwrap()
}

#[test]
fn several_bodies_belts_dampers_and_waves() {
    let probes = |names: &[&str]| -> Vec<Probe> {
        let each = |name: &&str| {
            let column = (*name).to_owned();
            [
                Probe::Final { column: column.clone() },
                Probe::Mean { column: column.clone(), from: 1.0, to: 3.0 },
                Probe::Max { column, from: 0.0, to: 4.0 },
            ]
        };
        names.iter().flat_map(each).collect()
    };
    // two masses on a belt that starts to move, joined by a damped spring, pushed by a wave
    let mut system = System::new();
    let a = system.body("a", Body { mass: 1.0, ..Body::default() }).unwrap();
    let b = system.body("b", Body { mass: 0.5, x: 0.2, ..Body::default() }).unwrap();
    let travel = Signal::Ramp { offset: 0.0, slope: 0.3, start: 0.5, end: 3.0 };
    let belt = system.motion("belt", travel, false).unwrap();
    let join = Spring { rest: 0.1, damping: 0.4, ..Spring::linear(30.0) };
    system.spring("join", b, a, join).unwrap();
    system.spring("wall", a, GROUND, Spring::linear(20.0)).unwrap();
    let wave = Signal::Sine { mean: 0.1, amplitude: 0.8, omega: 7.0, phase: 0.3 };
    system.force("push", b, wave).unwrap();
    let values = [("fc", 1.0), ("fs", 1.5), ("vs", 0.05), ("sigma0", 1e3), ("sigma1", 20.0)];
    system.contact("left", a, belt, contact("lugre", &values)).unwrap();
    system.contact("right", b, belt, contact("lugre", &values)).unwrap();
    // forces and speeds of bristles are sharper than positions, too, and two bodies have both
    agrees(&system, 4.0, probes(&["a.x", "b.v", "left.force", "right.v", "join.force", "push.force", "left.z"]), 2e-3);
    // one mass, laws with two memories and with none
    for (name, values) in [("bliman-sorine", &[][..]), ("coulomb-tanh", &[("fc", 0.5)]), ("dahl", &[])] {
        let mut system = System::new();
        let block = system.body("a", Body { v: 0.1, ..Body::default() }).unwrap();
        system.force("push", block, Signal::Sine { mean: 0.0, amplitude: 2.0, omega: 3.0, phase: 0.0 }).unwrap();
        system.contact("left", block, GROUND, contact(name, values)).unwrap();
        agrees(&system, 4.0, probes(&["a.x", "a.v", "left.force"]), 2e-3);
    }
}

#[test]
fn a_point_that_fails_stops_no_other() {
    let engine =
        ensemble(&stick_slip(point(0)).unwrap(), &options(2.0, vec![Probe::Final { column: "block.x".to_owned() }]));
    let outcomes = engine.run(0..24, &|i, numbers| {
        engine.read(&stick_slip(point(i))?, numbers)?;
        match i {
            3 => Err(SimError::Unsupported(Unsupported::Shape)),
            5 => {
                numbers[0] = -1.0;
                Ok(())
            }
            7 => {
                // the break-away level below that of Coulomb
                let fs = numbers.iter().position(|x| *x == 6.0).unwrap();
                numbers[fs] = 1.0;
                Ok(())
            }
            9 => {
                numbers.pop();
                numbers.pop();
                Ok(())
            }
            _ => Ok(()),
        }
    });
    assert_eq!(outcomes.len(), 24);
    for (i, outcome) in outcomes.iter().enumerate() {
        assert_eq!(outcome.is_err(), [3, 5, 7, 9].contains(&i), "{i}: {outcome:?}");
    }
    assert!(matches!(outcomes[7], Err(SimError::Law(LawError::Relation { .. }))));
}

#[test]
fn what_needs_the_simulator_says_so() {
    let block = |contact: Contact| {
        let mut system = System::new();
        let block = system.body("block", Body::default()).unwrap();
        system.contact("table", block, GROUND, contact).unwrap();
        (system, block)
    };
    let why = |system: &System| match Ensemble::new(system, &SimulationOptions::default()).unwrap() {
        Ok(ensemble) => ensemble.outside_lanes().cloned(),
        Err(why) => Some(why),
    };
    assert_eq!(why(&block(contact("lugre", &[])).0), None);
    let holds = Unsupported::Law { contact: "table".to_owned(), why: "holds a body at rest" };
    assert_eq!(why(&block(contact("coulomb", &[])).0), Some(holds));
    let modes = Unsupported::Law { contact: "table".to_owned(), why: "has modes" };
    assert_eq!(why(&block(contact("gms", &[])).0), Some(modes));
    assert!(matches!(why(&block(contact("lugre", &[("reverse.fc", 0.9)])).0), Some(Unsupported::Law { .. })));
    let (mut system, node) = block(contact("lugre", &[]));
    system.stop("wall", node, GROUND, Stop { lo: -1.0, hi: 1.0, restitution: 0.5 }).unwrap();
    assert_eq!(why(&system), Some(Unsupported::Part { what: "stop", name: "wall".to_owned() }));
}

#[test]
fn the_cycle_dies_at_the_critical_pull() {
    // figure A10 with sigma2 = 0.2 and k = 2: no stick again above this pull
    const CRITICAL: f64 = 1.936_841_815_44;
    let build = |pull: f64| -> Result<System, Error> {
        let set = ["contact.table.sigma2=0.2".to_owned(), format!("motion.hand.position.ramp.slope={pull:?}")];
        Ok(Scenario::named("a7", &set)?.system)
    };
    let count = Probe::Count { part: "table".to_owned(), kind: "reverse-".to_owned() };
    let engine = ensemble(&build(1.0).unwrap(), &options(12.0, vec![count]));
    // the solver's error allows to tell pulls a thousandth apart
    let pulls: Vec<f64> = (-4..4).map(|i| CRITICAL + (f64::from(i) + 0.5) * 1e-3).collect();
    let outcomes = engine.run(0..8, &|i, numbers| engine.read(&build(pulls[i as usize])?, numbers));
    for (pull, outcome) in pulls.iter().zip(outcomes) {
        assert_eq!(outcome.unwrap()[0] > Some(0.0), *pull < CRITICAL, "{pull}");
    }
}

#[test]
fn values_become_numbers_straight_or_not_at_all() {
    let engine = ensemble(&stick_slip(point(0)).unwrap(), &options(1.0, Vec::new()));
    let samples: Vec<Vec<f64>> = (0..3).map(|i| point(i).to_vec()).collect();
    let direct =
        engine.direct(&samples, &|values| Ok(stick_slip([values[0], values[1]])?)).unwrap().expect("both are numbers");
    let (mut built, mut written) = (Vec::new(), Vec::new());
    engine.read(&stick_slip(point(9)).unwrap(), &mut built).unwrap();
    direct.write(&point(9), &mut written);
    assert_eq!(built, written);
    // none of the values may be changed alone: fs >= fc
    let levels = |values: &[f64]| {
        let set = ["fc", "fs"].map(|name| format!("contact.table.{name}={}", values[usize::from(name == "fs")]));
        Ok(Scenario::named("a7", &set)?.system)
    };
    let samples = [vec![1.0, 1.0], vec![1.2, 1.2], vec![1.5, 1.7]];
    assert!(engine.direct(&samples, &levels).unwrap().is_some());
    // equal in all samples, but two numbers
    let both = |values: &[f64]| Ok(stick_slip([values[0], values[1]])?);
    let direct = engine.direct(&[vec![2.0, 2.0], vec![3.0, 3.0]], &both).unwrap().expect("both are numbers");
    engine.read(&stick_slip([5.0, 7.0]).unwrap(), &mut built).unwrap();
    direct.write(&[5.0, 7.0], &mut written);
    assert_eq!(built, written);
    // a recipe makes four parameters of it
    let recipe =
        |values: &[f64]| Ok(Scenario::named("a7", &[format!("contact.table.from.normal={}", values[0])])?.system);
    assert!(engine.direct(&[vec![9.0], vec![10.0]], &recipe).unwrap().is_none());
}
