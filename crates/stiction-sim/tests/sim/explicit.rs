//! The explicit methods do what the textbooks warn of, and nothing worse.
use crate::contact;
use stiction_sim::SimError;
use stiction_sim::sim::{
    IntegrationMethod, NullObserver, Probe, RunSummary, SimErrorKind, Simulation, SimulationOptions, Trace,
};
use stiction_sim::system::{
    Actuation, Body, Contact, Controller, Feedback, GROUND, Measurement, Node, Plant, SampledFeedback, Signal, Spring,
    Stop, System,
};

fn block(contact: Contact, v: f64) -> (System, Node) {
    let mut system = System::new();
    let node = system.body("block", Body { v, ..Body::default() }).expect("a body");
    system.contact("table", node, GROUND, contact).expect("a contact");
    (system, node)
}

fn run(system: &System, options: &SimulationOptions) -> Result<RunSummary, SimError> {
    Simulation::new(system).expect("a system").run(options, &mut NullObserver)
}

fn explicit() -> impl Iterator<Item = IntegrationMethod> {
    IntegrationMethod::ALL.into_iter().filter(|method| !method.has_events())
}

#[test]
fn the_list_is_sound() {
    assert_eq!(IntegrationMethod::ALL[0], IntegrationMethod::default());
    for method in IntegrationMethod::ALL {
        assert_eq!(IntegrationMethod::find(method.name()), Some(method));
    }
    assert_eq!(IntegrationMethod::find("leapfrog"), None);
}

/// G2: the mean velocity r − h·Fc/2, r being what is left of v0 after whole steps of h·Fc (MODELS.md, section 4, 7).
#[test]
fn g2_euler_chatters_and_drifts() {
    for (h, drift) in [(0.03, 0.005), (0.007, -0.0025)] {
        let (system, _) = block(contact("coulomb", &[("fc", 1.0)]), 0.05);
        let mut trace = Trace::default();
        let options = SimulationOptions {
            method: IntegrationMethod::Euler,
            step: h,
            sample: h,
            end: 1000.0 * h,
            ..SimulationOptions::default()
        };
        Simulation::new(&system).expect("a system").run(&options, &mut trace).expect("a run");
        // two steps are one round of the chatter
        let (a, b) = (&trace.rows[100], &trace.rows[900]);
        let found = (b[1] - a[1]) / (b[0] - a[0]);
        // sums of a thousand steps: rounding
        assert!((found - drift).abs() < 1e-12, "{h}: {found} for {drift}");
        // in a band of h·Fc, in both directions
        let v: Vec<f64> = trace.rows[100..].iter().map(|row| row[2]).collect();
        assert!(v.iter().all(|v| v.abs() < h) && v.windows(2).all(|v| v[0] * v[1] < 0.0));
        // what the rows show as force is the bare law
        // rounding of a force of one
        assert!(trace.rows[100..].iter().all(|row| (row[3] - row[2].signum()).abs() < 1e-12));
        assert!(trace.events.is_empty());
    }
}

#[test]
fn at_exactly_zero_the_bare_law_gives_nothing() {
    // sgn 0 = 0: a force far below the limit moves a block from rest, which is the fault the event-driven method mends
    let (mut system, node) = block(contact("coulomb", &[("fc", 1.0)]), 0.0);
    system.force("push", node, Signal::Constant(0.1)).expect("a force");
    let euler =
        SimulationOptions { method: IntegrationMethod::Euler, step: 0.5, end: 1.0, ..SimulationOptions::default() };
    // half a step of 0.1 N, then the law wakes up: v = 0.05, then 0.05 + 0.5·(0.1 − 1)
    // two steps by hand: rounding
    assert!((run(&system, &euler).expect("a run").last("block.v").expect("v") + 0.4).abs() < 1e-12);
    assert_eq!(run(&system, &SimulationOptions::default()).expect("a run").last("block.v"), Some(0.0));
}

#[test]
fn an_adaptive_explicit_method_stalls_at_a_coulomb_stop() {
    for method in explicit().filter(|method| method.is_adaptive()) {
        let (system, _) = block(contact("coulomb", &[("fc", 1.0)]), 0.05);
        let options = SimulationOptions { method, max_steps: 20_000, ..SimulationOptions::default() };
        match run(&system, &options) {
            Err(SimError::Run { t, kind: SimErrorKind::MaxSteps { .. } | SimErrorKind::Stalled { .. } }) => {
                // the steps before the stop are shorter than this
                assert!((t - 0.05).abs() < 1e-4, "{}: {t}", method.name());
            }
            other => panic!("{}: {other:?}", method.name()),
        }
        // where nothing is set-valued it arrives: tanh stops too far, as G4 says
        let (system, _) = block(contact("coulomb-tanh", &[("fc", 1.0), ("ktanh", 100.0)]), 0.05);
        let end = run(&system, &SimulationOptions { method, ..SimulationOptions::default() }).expect("a run");
        // a tolerance of 1e-8 of a speed of 0.05, in each of some steps
        assert!((end.last("block.x").expect("x") - 0.00125 - 8.2221733e-5).abs() < 1e-9, "{}", method.name());
    }
}

#[test]
fn the_step_limit_holds_for_every_method() {
    for method in IntegrationMethod::ALL {
        let (system, _) = block(contact("lugre", &[]), 0.05);
        let options = SimulationOptions { method, max_steps: 3, ..SimulationOptions::default() };
        let found = run(&system, &options);
        assert!(matches!(found, Err(SimError::Run { kind: SimErrorKind::MaxSteps { limit: 3, .. }, .. })), "{found:?}");
    }
}

#[test]
fn impacts_are_counted_by_explicit_methods() {
    for method in explicit() {
        // a fall of 1 m with g = 10 m/s², elastic: impacts at (2k + 1)·√0.2 s, 1 m high again; plastic: one, and rest
        for (restitution, expected) in [(1.0, 6.0), (0.0, 1.0)] {
            let mut system = System::new();
            let ball = system.body("ball", Body { x: 1.0, ..Body::default() }).expect("a body");
            system.force("weight", ball, Signal::Constant(-10.0)).expect("a force");
            let floor = Stop { lo: 0.0, hi: f64::INFINITY, restitution };
            system.stop("floor", ball, GROUND, floor).expect("a stop");
            let probes = vec![Probe::Count { part: "floor".to_owned(), kind: "impact".to_owned() }];
            // Euler's method gains height: with this step less than 1 %
            let options = SimulationOptions {
                method,
                step: 1e-4,
                max_step: 1e-3,
                end: 5.3,
                probes,
                ..SimulationOptions::default()
            };
            let summary = run(&system, &options).expect("a run");
            assert_eq!(summary.probes, vec![Some(expected)], "{} {restitution}", method.name());
        }
    }
}

#[test]
fn a_step_that_is_too_long_for_a_stiff_law_is_reported() {
    let (system, _) = block(contact("lugre", &[]), 0.05);
    let options =
        SimulationOptions { method: IntegrationMethod::Rk4, step: 0.5, end: 1e4, ..SimulationOptions::default() };
    let found = run(&system, &options);
    assert!(matches!(found, Err(SimError::Run { kind: SimErrorKind::NotFinite, .. })), "{found:?}");
}

/// All parts at once, nothing set-valued: every method must agree with the event-driven one.
#[test]
fn every_method_tells_the_same_story() {
    let mut system = System::new();
    let cart = system.body("cart", Body { mass: 2.0, ..Body::default() }).expect("a body");
    let hand = system
        .motion("hand", Signal::Sine { mean: 0.0, amplitude: 0.3, omega: 2.0, phase: 0.0 }, false)
        .expect("a motion");
    system.spring("pull", cart, hand, Spring { damping: 0.5, ..Spring::linear(8.0) }).expect("a spring");
    system.contact("oil", cart, GROUND, contact("stribeck-tanh", &[("ktanh", 5.0)])).expect("a contact");
    let plant = Plant::Pendulum { mass: 1.0, length: 0.5, inertia: 0.0, gravity: 9.81 };
    let arm = system.plant("p", plant, &[1.0], &[0.0]).expect("a plant")[0];
    let feedback = |ki| Feedback {
        gains: vec![2.0, 0.5],
        ki,
        reference: Signal::Constant(0.2),
        extra: Signal::Constant(0.0),
        friction: None,
    };
    let measures = |node| vec![Measurement::Position(node), Measurement::Velocity(node)];
    let held = Controller::Sampled { period: 0.1, control: Box::new(SampledFeedback::new(feedback(1.0), 0.1)) };
    system.control("held", held, measures(arm), Actuation::Force(arm)).expect("a controller");
    let pid = Controller::Continuous(Box::new(feedback(1.0)));
    system.control("pid", pid, measures(cart), Actuation::Force(cart)).expect("a controller");
    let columns = ["cart.x", "cart.v", "p.angle.x", "p.angle.v", "pid.u", "held.u"];
    let probes: Vec<Probe> = columns.iter().map(|c| Probe::At { column: (*c).into(), t: 1.234 }).collect();
    let reference =
        run(&system, &SimulationOptions { end: 2.0, probes: probes.clone(), ..SimulationOptions::default() })
            .expect("a run");
    for method in explicit() {
        let options =
            SimulationOptions { method, step: 5e-4, end: 2.0, probes: probes.clone(), ..SimulationOptions::default() };
        let found = run(&system, &options).expect("a run");
        // Euler is of first order, with forces of some tens of newtons; the others leave h³ and better, with 1e-8 in
        // the reference
        let near = if method == IntegrationMethod::Euler { 2e-2 } else { 1e-6 };
        for (k, (a, b)) in found.probes.iter().zip(&reference.probes).enumerate() {
            let (a, b) = (a.expect("a value"), b.expect("a value"));
            assert!((a - b).abs() < near, "{} {}: {a} for {b}", method.name(), columns[k]);
        }
        for name in columns {
            let (a, b) = (found.last(name).expect("a value"), reference.last(name).expect("a value"));
            assert!((a - b).abs() < near, "{} {name}: {a} for {b}", method.name());
        }
        assert!((found.energy.friction - reference.energy.friction).abs() < near);
        assert!(found.energy.error().abs() < 2.0 * near, "{}: {}", method.name(), found.energy.error());
    }
}

#[test]
fn a_stop_turns_a_ball_round_between_steps() {
    for method in explicit() {
        let mut system = System::new();
        let ball = system.body("ball", Body { x: 1.0, ..Body::default() }).expect("a body");
        system.force("weight", ball, Signal::Constant(-10.0)).expect("a force");
        let stop = Stop { lo: 0.0, hi: f64::INFINITY, restitution: 0.5 };
        system.stop("floor", ball, GROUND, stop).expect("a stop");
        // one bounce at √0.2 s with √20 m/s; the steps find it to their own length
        let options =
            SimulationOptions { method, step: 1e-4, max_step: 1e-4, end: 0.7, ..SimulationOptions::default() };
        let end = run(&system, &options).expect("a run");
        let (fall, t) = (0.2_f64.sqrt(), 0.7 - 0.2_f64.sqrt());
        let x = 0.5 * 10.0 * fall * t - 5.0 * t * t;
        // a step of 0.1 ms is 0.7 mm at the speeds before and after, and g·h·v is 4.5 mJ: three and four times that
        assert!((end.last("ball.x").expect("x") - x).abs() < 2e-3, "{}", method.name());
        assert!((end.energy.impact - 7.5).abs() < 2e-2, "{}: {}", method.name(), end.energy.impact);
    }
}

/// They integrate the bare law, without a state of rest: a peak would have no effect.
#[test]
fn a_peak_of_what_is_held_at_rest_is_refused() {
    for method in explicit() {
        let options = SimulationOptions { method, step: 1e-3, end: 0.05, ..SimulationOptions::default() };
        let (system, _) = block(contact("coulomb", &[]).with_peak(1.5), 0.1);
        let error = run(&system, &options).expect_err("an error");
        let SimError::Run { kind: SimErrorKind::PeakWithoutRest { contact, .. }, .. } = error else {
            panic!("{}: {error}", method.name());
        };
        assert_eq!(contact, "table");
        let (system, _) = block(Contact::new(&crate::law("coulomb", &[])).expect("a contact").with_peak(1.0), 0.1);
        run(&system, &options).expect("a run");
    }
}
