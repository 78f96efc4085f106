//! Every run ends: limits of steps and of computing time, the stop flag, lack of progress, numbers near the largest one, stops
//! without room between them. What there was until then is kept.
use crate::{contact, coulomb, ramp, sine};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use stiction_sim::SimError;
use stiction_sim::sim::batch::Ensemble;
use stiction_sim::sim::{
    Event, IntegrationMethod, NullObserver, Observer, Probe, RunSummary, SimErrorKind, Simulation, SimulationOptions,
    StopFlag, Trace,
};
use stiction_sim::system::{Body, Contact, GROUND, Node, Signal, Spring, Stop, System};

/// A system that never comes to an end with `end = 1e9`: bodies swing without damping, and all solvers take short steps.
fn swinging(bodies: usize, friction: fn() -> Contact) -> System {
    let mut system = System::new();
    for k in 0..bodies {
        let node = system.body(&format!("b{k}"), Body { x: 1.0, ..Body::default() }).expect("a body");
        system.spring(&format!("s{k}"), node, GROUND, Spring::linear(100.0)).expect("a spring");
        system.contact(&format!("c{k}"), node, GROUND, friction()).expect("a contact");
        system.force(&format!("f{k}"), node, sine(5.0, 10.0)).expect("a force");
    }
    system
}

fn lugre() -> Contact {
    contact("lugre", &[])
}

fn thick() -> Contact {
    contact("viscous", &[("fv", 1.0)])
}

fn dry() -> Contact {
    coulomb(0.1)
}

/// The same for each way of taking steps: the kernel of one contact, the general stepper, Taylor series, fixed steps with and
/// without friction networks, adaptive explicit steps.
fn ways() -> Vec<(&'static str, System, SimulationOptions)> {
    let options = |method, step| SimulationOptions { end: 1e9, method, step, ..SimulationOptions::default() };
    let plain = options(IntegrationMethod::Rodas5P, 0.0);
    let explicit = options(IntegrationMethod::DormandPrince, 0.0);
    vec![
        // explicit steps need a law that is not stiff
        ("one contact", swinging(1, lugre), plain.clone()),
        ("general", swinging(2, lugre), plain.clone()),
        ("series", swinging(1, dry), plain),
        ("euler", swinging(1, thick), options(IntegrationMethod::Euler, 1e-3)),
        ("dormand-prince", swinging(1, thick), explicit),
        ("network", swinging(3, dry), options(IntegrationMethod::Network, 1e-3)),
    ]
}

fn run(system: &System, options: &SimulationOptions) -> Result<RunSummary, SimError> {
    Simulation::new(system).expect("a system").run(options, &mut NullObserver)
}

fn kind(result: Result<RunSummary, SimError>) -> SimErrorKind {
    match result {
        Err(SimError::Run { kind, .. }) => kind,
        other => panic!("no failure: {other:?}"),
    }
}

#[test]
fn the_limit_of_computing_time_holds_for_every_stepper() {
    for (way, system, options) in ways() {
        let begun = Instant::now();
        let found = kind(run(&system, &SimulationOptions { max_seconds: 0.05, ..options }));
        assert!(matches!(found, SimErrorKind::MaxSeconds { limit: 0.05, .. }), "{way}: {found}");
        // the clock is read every few milliseconds; the rest is for a busy machine
        assert!(begun.elapsed() < Duration::from_secs(2), "{way}: {:?}", begun.elapsed());
    }
}

#[test]
fn the_limit_of_steps_holds_for_every_stepper() {
    for (way, system, options) in ways() {
        let options = SimulationOptions { max_steps: 300, ..options };
        let simulation = Simulation::new(&system).expect("a system");
        let summary = simulation.run_to_failure(None, &options, &mut NullObserver).expect("a run");
        let found = summary.failure.expect("a failure").kind;
        assert!(matches!(found, SimErrorKind::MaxSteps { limit: 300, .. }), "{way}: {found}");
        // rejected steps do not count
        assert_eq!(summary.stats.steps, 300, "{way}");
    }
}

#[test]
fn the_limit_of_steps_counts_accepted_steps_in_lanes_too() {
    let system = swinging(1, lugre);
    let probes = vec![Probe::Final { column: "b0.x".to_owned() }];
    let options = SimulationOptions { end: 1.0, probes, ..SimulationOptions::default() };
    let attempt = |max_steps| {
        let options = SimulationOptions { max_steps, ..options.clone() };
        let ensemble = Ensemble::new(&system, &options).expect("valid").expect("supported");
        let outcome = ensemble.run(0..1, &|_, numbers| ensemble.read(&system, numbers)).remove(0);
        (outcome, ensemble.attempts())
    };
    let (outcome, attempts) = attempt(0);
    assert!(outcome.is_ok(), "{outcome:?}");
    // the smallest limit that is enough
    let (mut low, mut high) = (0, attempts);
    while high - low > 1 {
        let middle = (low + high) / 2;
        match attempt(middle).0 {
            Ok(_) => high = middle,
            Err(SimError::Run { kind: SimErrorKind::MaxSteps { limit, .. }, .. }) if limit == middle => low = middle,
            other => panic!("{other:?}"),
        }
    }
    assert!(high < attempts, "{high} of {attempts}");
}

#[test]
fn a_limit_that_events_use_up_says_whose_they_are() {
    // a bristle snaps whenever it has gone its length of 0.1 mm on average: 16 of them at 1 m/s, 160 000 times a second
    let mut system = System::new();
    let node = system.body("b", Body { mass: 1e6, v: 1.0, ..Body::default() }).expect("a body");
    let bristle = contact("bristle", &[("sigma", 1.0), ("delta", 1e-4)]);
    system.contact("brush", node, GROUND, bristle).expect("a contact");
    let found = kind(run(&system, &SimulationOptions { max_steps: 2000, ..SimulationOptions::default() }));
    let SimErrorKind::MaxSteps { busiest: Some(busiest), .. } = &found else { panic!("{found}") };
    assert!(busiest.part == "brush" && busiest.events > 1900, "{found}");
    // two thousand draws: a few per cent
    assert!((busiest.rate / 160_000.0 - 1.0).abs() < 0.1, "{found}");
    assert!(found.to_string().contains("events of 'brush'") && found.hint().contains("bristle"), "{found}");
    // without events there is nothing to say
    let found = kind(run(&swinging(1, thick), &SimulationOptions { max_steps: 50, ..SimulationOptions::default() }));
    assert!(matches!(found, SimErrorKind::MaxSteps { busiest: None, .. }), "{found}");
}

#[test]
fn a_network_with_a_step_beyond_its_numbers_is_refused() {
    let mut system = System::new();
    let node = system.body("b", Body::default()).expect("a body");
    let hand = system.motion("hand", ramp(0.1), false).expect("a motion");
    system.spring("s", node, hand, Spring::linear(10.0)).expect("a spring");
    system.contact("c", node, GROUND, coulomb(1.0)).expect("a contact");
    for end in [1e158, 1e160, 1e200, 1e307] {
        let options = SimulationOptions { end, method: IntegrationMethod::Network, ..SimulationOptions::default() };
        assert!(matches!(kind(run(&system, &options)), SimErrorKind::InvalidOption { key: "step", .. }), "{end}");
    }
}

#[test]
fn the_stop_flag_ends_every_stepper() {
    for (way, system, options) in ways() {
        let raised = Arc::new(AtomicBool::new(false));
        let options = SimulationOptions { stop: StopFlag::new(raised.clone()), ..options };
        let begun = Instant::now();
        let signal = thread::spawn(move || {
            thread::sleep(Duration::from_millis(50));
            raised.store(true, Ordering::Relaxed);
        });
        let summary = run(&system, &options).expect("a run that was stopped");
        signal.join().expect("the signal");
        assert!(!summary.complete && summary.failure.is_none() && summary.t > 0.0, "{way}");
        assert!(begun.elapsed() < Duration::from_secs(1), "{way}: {:?}", begun.elapsed());
    }
}

#[test]
fn lanes_keep_the_limit_of_time_and_the_stop_flag() {
    let system = swinging(1, lugre);
    let probes = vec![Probe::Final { column: "b0.x".to_owned() }];
    let options = SimulationOptions { end: 1e9, max_steps: u64::MAX, probes, ..SimulationOptions::default() };
    let limited = SimulationOptions { max_seconds: 0.05, ..options.clone() };
    let ensemble = Ensemble::new(&system, &limited).expect("valid").expect("supported");
    let outcomes = ensemble.run(0..4, &|_, numbers| ensemble.read(&system, numbers));
    assert_eq!(outcomes.len(), 4);
    for outcome in outcomes {
        assert!(matches!(outcome, Err(SimError::Run { kind: SimErrorKind::MaxSeconds { .. }, .. })), "{outcome:?}");
    }
    let stop = StopFlag::new(Arc::new(AtomicBool::new(true)));
    let ensemble = Ensemble::new(&system, &SimulationOptions { stop, ..options }).expect("valid").expect("supported");
    // what has not ended has no outcome
    assert!(ensemble.run(0..4, &|_, numbers| ensemble.read(&system, numbers)).is_empty());
}

#[test]
fn an_end_out_of_reach_is_no_progress() {
    let system = swinging(1, dry);
    let options = SimulationOptions { end: 1e308, ..SimulationOptions::default() };
    assert!(matches!(kind(run(&system, &options)), SimErrorKind::NoProgress { remaining: 1e308, .. }));
    // a system that comes to rest gets there
    let mut system = System::new();
    let node = system.body("b", Body { v: 1.0, ..Body::default() }).expect("a body");
    system.contact("c", node, GROUND, contact("stribeck", &[])).expect("a contact");
    assert!(run(&system, &options).expect("a run").complete);
}

#[test]
fn times_whose_distance_is_not_a_number_are_refused() {
    let system = swinging(1, dry);
    let options = SimulationOptions { start: -1e308, end: 1e308, ..SimulationOptions::default() };
    assert!(matches!(kind(run(&system, &options)), SimErrorKind::InvalidOption { key: "end", .. }));
    let options = SimulationOptions { max_seconds: f64::NAN, ..SimulationOptions::default() };
    assert!(matches!(kind(run(&system, &options)), SimErrorKind::InvalidOption { key: "max_seconds", .. }));
}

/// Two contacts on one block under a force that grows by 1e308 N/s: a step searched 2^40 intervals for events.
#[test]
fn a_force_near_the_largest_number_is_an_error() {
    for slope in [1e308, 1e300, -1e308, 1e200] {
        let mut system = System::new();
        let block = system.body("block", Body::default()).expect("a body");
        for name in ["left", "right"] {
            system.contact(name, block, GROUND, coulomb(1.0)).expect("a contact");
        }
        system.force("push", block, ramp(slope)).expect("a force");
        let begun = Instant::now();
        let result = run(&system, &SimulationOptions { end: 5.0, ..SimulationOptions::default() });
        let ended = match result {
            Err(SimError::Run { kind: SimErrorKind::NotFinite | SimErrorKind::Stalled { .. }, .. }) => true,
            // x = slope·t³/6 is still a number
            Ok(summary) => (summary.last("block.x").expect("x") / (slope * 125.0 / 6.0) - 1.0).abs() < 1e-9,
            _ => false,
        };
        assert!(ended && begun.elapsed() < Duration::from_secs(5), "{slope:e}: {:?}", begun.elapsed());
    }
}

fn ball(system: &mut System, x: f64) -> Node {
    let ball = system.body("ball", Body { mass: 0.1, x, ..Body::default() }).expect("a body");
    system.force("weight", ball, Signal::Constant(-0.981)).expect("a force");
    ball
}

#[test]
fn a_floor_that_is_never_reached_does_not_matter() {
    for lo in [-1e308, -f64::MAX, -1e200, f64::NEG_INFINITY] {
        let mut system = System::new();
        let node = ball(&mut system, 1.0);
        system.stop("floor", node, GROUND, Stop { lo, hi: f64::INFINITY, restitution: 0.7 }).expect("a stop");
        let summary = run(&system, &SimulationOptions { end: 3.0, ..SimulationOptions::default() }).expect("a run");
        // x = 1 − g·t²/2, exact to rounding of 44
        assert!((summary.last("ball.x").expect("x") - (1.0 - 9.81 * 4.5)).abs() < 1e-12, "{lo:e}");
    }
}

/// A ball on the floor under a ceiling that comes down at 0.5 m/s from 2 m: it is reached after 4 s at the latest.
#[test]
fn a_body_crushed_between_stops_is_an_error_that_names_them() {
    for restitution in [0.0, 0.3, 0.7, 0.9] {
        for rtol in [1e-5, 1e-8, 1e-11] {
            let mut system = System::new();
            let node = ball(&mut system, 1.0);
            let hand = system.motion("hand", Signal::Ramp { offset: 2.0, slope: -0.5, start: 0.0, end: 100.0 }, false);
            let stop = Stop { lo: 0.0, hi: f64::INFINITY, restitution };
            system.stop("floor", node, GROUND, stop).expect("a stop");
            system.stop("ceiling", hand.expect("a motion"), node, stop).expect("a stop");
            let options = SimulationOptions { end: 10.0, rtol, max_steps: 200_000, ..SimulationOptions::default() };
            let Err(SimError::Run { t, kind }) = run(&system, &options) else { panic!("crushed, and no error") };
            assert_eq!(kind, SimErrorKind::NoRoom { stops: vec!["floor".to_owned(), "ceiling".to_owned()] });
            // the room is 2 − 0.5·t; it counts as closed within the tolerance of positions, rtol/1000, from both sides
            assert!((t - 4.0).abs() <= 8.0 * 1e-3 * rtol + 1e-12, "{restitution} {rtol:e}: {t}");
        }
    }
}

#[test]
fn two_bodies_in_a_row_are_crushed_too_and_a_wall_that_stops_in_time_crushes_nothing() {
    for (end, crushes) in [(100.0, true), (3.9, false)] {
        let mut system = System::new();
        let a = system.body("a", Body { x: 0.5, v: 1.0, ..Body::default() }).expect("a body");
        let b = system.body("b", Body { mass: 3.0, x: 1.0, ..Body::default() }).expect("a body");
        let wall = Signal::Ramp { offset: 2.0, slope: -0.5, start: 0.0, end };
        let wall = system.motion("wall", wall, false).expect("a motion");
        let stop = Stop { lo: 0.0, hi: f64::INFINITY, restitution: 0.0 };
        for (name, from, to) in [("left", a, GROUND), ("between", b, a), ("right", wall, b)] {
            system.stop(name, from, to, stop).expect("a stop");
        }
        let options = SimulationOptions { end: 10.0, max_steps: 200_000, ..SimulationOptions::default() };
        let result = run(&system, &options);
        if crushes {
            let found = kind(result);
            assert!(matches!(&found, SimErrorKind::NoRoom { stops } if stops.len() == 3), "{found}");
        } else {
            assert!(result.expect("room enough").complete);
        }
    }
}

#[test]
fn a_failed_run_keeps_what_there_was() {
    for (way, system, options) in ways() {
        let options = SimulationOptions { end: 100.0, sample: 0.01, max_steps: 300, ..options };
        let simulation = Simulation::new(&system).expect("a system");
        let mut trace = Trace::default();
        let summary = simulation.run_to_failure(None, &options, &mut trace).expect("a summary");
        let failure = summary.failure.as_ref().expect("a failure");
        assert!(!summary.complete && matches!(failure.kind, SimErrorKind::MaxSteps { .. }), "{way}");
        assert!(failure.t == summary.t && summary.t > 0.0 && summary.t < 100.0, "{way}: {}", summary.t);
        // every row up to then, and one at the end
        let last = trace.rows.last().expect("rows");
        assert!(trace.rows.len() as f64 > summary.t / 0.01 && last[0] == summary.t, "{way}");
        assert_eq!(last, &summary.row, "{way}");
    }
}

/// Keeps rows, and those at peaks of some columns.
struct Peaks {
    columns: Vec<usize>,
    trace: Trace,
}
impl Observer for Peaks {
    fn row(&mut self, row: &[f64]) {
        self.trace.row(row);
    }
    fn event(&mut self, event: &Event) {
        self.trace.event(event);
    }
    fn peak_columns(&self) -> Vec<usize> {
        self.columns.clone()
    }
}

fn rows(system: &System, options: &SimulationOptions, columns: &[usize]) -> Vec<Vec<f64>> {
    let mut peaks = Peaks { columns: columns.to_vec(), trace: Trace::default() };
    Simulation::new(system).expect("a system").run(options, &mut peaks).expect("a run");
    assert!(peaks.trace.rows.windows(2).all(|pair| pair[0][0] <= pair[1][0]), "rows are in order");
    peaks.trace.rows
}

/// A body that swings eleven times between two rows.
#[test]
fn peaks_between_rows_are_kept() {
    for friction in [
        coulomb(1e-9),
        contact("lugre", &[("fc", 1e-9), ("fs", 1e-9), ("sigma2", 0.0)]),
        contact("viscous", &[("fv", 1e-9)]),
    ] {
        let mut system = System::new();
        let node = system.body("b", Body { x: 1.0, ..Body::default() }).expect("a body");
        system.spring("s", node, GROUND, Spring::linear(100.0)).expect("a spring");
        system.contact("c", node, GROUND, friction).expect("a contact");
        let period = std::f64::consts::TAU / 10.0;
        let options = SimulationOptions { end: 110.0 * period, sample: 11.0 * period, ..SimulationOptions::default() };
        let found = rows(&system, &options, &[1, 2]);
        let most = |column: usize| found.iter().fold(0.0_f64, |most, row| most.max(row[column].abs()));
        // the parabola through three samples of a step of an eighth of a period misses the top by less
        assert!((most(1) - 1.0).abs() < 1e-3 && (most(2) - 10.0).abs() < 1e-2, "{} {}", most(1), most(2));
        // at most two for each column between two rows, and those at events
        let plain = rows(&system, &options, &[]).len();
        assert!(found.len() > plain && found.len() <= plain * 5, "{} {plain}", found.len());
    }
}

#[test]
fn rows_that_resolve_the_motion_get_no_others() {
    let mut system = System::new();
    let node = system.body("b", Body { x: 1.0, ..Body::default() }).expect("a body");
    system.spring("s", node, GROUND, Spring::linear(100.0)).expect("a spring");
    system.contact("c", node, GROUND, contact("viscous", &[("fv", 0.1)])).expect("a contact");
    let options = SimulationOptions { end: 6.0, sample: 0.005, ..SimulationOptions::default() };
    assert_eq!(rows(&system, &options, &[1, 2, 3]), rows(&system, &options, &[]));
}

/// Ends the run after this many rows.
struct StopsAfter {
    rows: usize,
    times: Vec<f64>,
}
impl Observer for StopsAfter {
    fn row(&mut self, row: &[f64]) {
        self.times.push(row[0]);
    }
    fn event(&mut self, _: &Event) {}
    fn should_continue(&mut self, _: f64) -> bool {
        self.times.len() < self.rows
    }
}

#[test]
fn a_run_stopped_within_a_step_ends_with_its_last_row() {
    // a block at rest: one step with many rows in it, and its release at 0.5 s
    let mut system = System::new();
    let block = system.body("block", Body::default()).expect("a body");
    system.contact("table", block, GROUND, contact("coulomb", &[("fc", 1.0)])).expect("a contact");
    system.force("push", block, ramp(2.0)).expect("a force");
    let mut observer = StopsAfter { rows: 5000, times: Vec::new() };
    let options = SimulationOptions { end: 1.0, sample: 1e-6, ..SimulationOptions::default() };
    let summary = Simulation::new(&system).expect("a system").run(&options, &mut observer).expect("a run");
    assert!(!summary.complete && summary.t < 0.02, "{}", summary.t);
    assert_eq!(observer.times.last(), Some(&summary.t));
    assert_eq!(summary.row[0], summary.t);
    // no hole, and none twice
    assert!(observer.times.windows(2).all(|t| t[1] > t[0] && t[1] - t[0] < 1.5e-6));
}
