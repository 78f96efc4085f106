//! Corners that once went wrong: each test is named after what happened there.
use crate::{contact, coulomb, ramp, simulate};
use std::sync::{Arc, Mutex};
use stiction_sim::SimError;
use stiction_sim::SystemError;
use stiction_sim::sim::{RunSummary, SimErrorKind, Simulation, SimulationOptions, Trace};
use stiction_sim::system::{
    Actuation, Body, Controller, ControllerInput, Curve, GROUND, Load, Measurement, Node, Plant, SampledController,
    Signal, Spring, Stop, System, SystemErrorKind,
};

fn body(system: &mut System, name: &str, mass: f64, x: f64, v: f64) -> Node {
    system.body(name, Body { mass, x, v, rotates: false }).expect("a body")
}
fn sine(mean: f64, amplitude: f64) -> Signal {
    Signal::Sine { mean, amplitude, omega: 1.0, phase: 0.0 }
}
fn run(system: &System, end: f64) -> (RunSummary, Vec<(usize, String, f64)>) {
    let options = SimulationOptions { end, max_steps: 20_000, ..SimulationOptions::default() };
    let (summary, trace) = simulate(system, &options);
    (summary, trace.events.iter().map(|event| (event.part, event.kind.name(), event.t)).collect())
}

#[test]
fn a_load_that_passes_zero_leaves_what_rests_at_rest() {
    for (mean, v) in [(0.0, 10.0), (0.0, 0.0), (0.5, 0.0), (-0.5, 0.0)] {
        let mut system = System::new();
        let a = body(&mut system, "a", 1.0, 0.0, v);
        let b = body(&mut system, "b", 3.0, 0.0, v);
        let clutch = coulomb(2.0).with_load(Load::Signal(sine(mean, 1.0)));
        system.contact("clutch", a, b, clutch).expect("a contact");
        let (summary, events) = run(&system, 20.0);
        assert!(events.len() < 20, "{mean} {v}: {} events", events.len());
        // the step in which the load comes back sees a little of it before its time: by the tolerance of speeds, 1e-11
        let still = |name| (summary.last(name).expect("a speed") - v).abs() < 1e-10;
        assert!(still("a.v") && still("b.v"), "{mean}");
    }
}

#[test]
fn a_force_that_turns_lifts_a_body_off_its_stop() {
    let mut system = System::new();
    let node = body(&mut system, "a", 1.0, 0.0, 0.0);
    system.stop("s", node, GROUND, Stop { lo: 0.0, hi: f64::INFINITY, restitution: 0.0 }).expect("a stop");
    system
        .force("push", node, Signal::Ramp { offset: -1.0, slope: 1.0, start: 0.0, end: f64::INFINITY })
        .expect("a force");
    let (summary, events) = run(&system, 4.0);
    assert_eq!(events.iter().map(|event| event.1.as_str()).collect::<Vec<_>>(), ["leave"]);
    // held until 1 s, then x = (t − 1)³/6
    // between events all is linear, so that the solution is exact: rounding, here and below
    assert!((summary.last("a.x").expect("x") - 4.5).abs() < 1e-12);
}

#[test]
fn a_moving_wall_pushes_a_body_and_lets_it_go() {
    let mut system = System::new();
    let node = body(&mut system, "a", 1.0, 0.0, 0.0);
    let wall = Signal::Sine { mean: 0.0, amplitude: 1.0, omega: 1.0, phase: -std::f64::consts::FRAC_PI_2 };
    let wall = system.motion("wall", Signal::Sum(vec![wall, Signal::Constant(1.0)]), false).expect("a motion");
    system.stop("s", node, wall, Stop { lo: 0.0, hi: f64::INFINITY, restitution: 0.0 }).expect("a stop");
    let (summary, _) = run(&system, 4.0);
    // the wall is fastest at π/2, with 1 m/s at x = 1: there the body leaves it
    let wanted = 1.0 + (4.0 - std::f64::consts::FRAC_PI_2);
    assert!((summary.last("a.x").expect("x") - wanted).abs() < 1e-11, "{:?}", summary.last("a.x"));
}

#[test]
fn a_blow_on_a_body_that_leans_on_a_wall_is_one_impact() {
    for restitution in [0.0, 0.25, 1.0] {
        let mut system = System::new();
        let a = body(&mut system, "a", 1.0, -1.0, 1.0);
        let b = body(&mut system, "b", 1.0, 0.0, 0.0);
        let far = f64::NEG_INFINITY;
        system.stop("wall", b, GROUND, Stop { lo: far, hi: 0.0, restitution: 0.0 }).expect("a stop");
        system.stop("ab", a, b, Stop { lo: far, hi: 0.0, restitution }).expect("a stop");
        system.force("lean", b, Signal::Constant(1.0)).expect("a force");
        let (summary, events) = run(&system, 3.0);
        // b on the wall is as rigid as the wall: a rebounds from it with its own restitution, and b stays
        assert_eq!((summary.last("a.v"), summary.last("b.v")), (Some(-restitution), Some(0.0)));
        assert!(events.iter().all(|event| event.0 == 1 && event.1 != "leave"), "{events:?}");
    }
}

#[test]
fn redundant_contacts_share_anew_when_the_force_turns() {
    let mut system = System::new();
    let node = body(&mut system, "block", 1.0, 0.0, 0.0);
    system.contact("g", node, GROUND, coulomb(1.0)).expect("a contact");
    system.contact("h", node, GROUND, coulomb(2.0)).expect("a contact");
    let curve = Curve::linear(vec![0.0, 2.5, 7.5, 8.5], vec![0.0, 2.5, -2.5, -3.5]).expect("a curve");
    system.force("push", node, Signal::Table(curve)).expect("a force");
    let (_, events) = run(&system, 8.4);
    // together they hold 3 N: nothing moves before 8 s
    assert!(events.iter().all(|event| (event.2 - 8.0).abs() < 1e-12), "{events:?}");
    assert_eq!(events.len(), 2);
}

#[test]
fn a_plant_without_inertia_is_refused() {
    let mut system = System::new();
    let plant = Plant::CartPendulum { cart: 1e-16, mass: 1.0, length: 1.0, inertia: 0.0, gravity: 9.81 };
    system.plant("p", plant, &[], &[]).expect("a plant");
    let error = Simulation::new(&system).expect("a system").run(&SimulationOptions::default(), &mut Trace::default());
    assert!(matches!(error, Err(SimError::Run { kind: SimErrorKind::SingularMassMatrix, .. })), "{error:?}");
}

#[test]
fn a_stop_is_checked_where_the_run_begins() {
    let mut system = System::new();
    let node = body(&mut system, "a", 1.0, 0.0, 0.0);
    let hand = system.motion("hand", ramp(-1.0), false).expect("a motion");
    system.stop("s", node, hand, Stop { lo: -1.0, hi: 1.0, restitution: 0.0 }).expect("a stop");
    let simulation = Simulation::new(&system).expect("a system");
    let late = SimulationOptions { start: 1.5, end: 2.0, ..SimulationOptions::default() };
    let error = simulation.run(&late, &mut Trace::default());
    assert!(
        matches!(error, Err(SimError::System(SystemError { kind: SystemErrorKind::OutsideStop { x }, .. })) if x == 1.5),
        "{error:?}"
    );
}

#[test]
fn an_elastic_gear_joins_two_things() {
    let mut system = System::new();
    let node = body(&mut system, "a", 1.0, 0.0, 0.0);
    let gear = || Spring { ratio: 2.0, ..Spring::linear(1.0) };
    assert!(system.spring("g", node, node, gear()).is_err());
    assert!(system.spring("g", GROUND, GROUND, gear()).is_err());
}

/// Notes when it is called.
struct Clock(Arc<Mutex<Vec<f64>>>);
impl SampledController for Clock {
    fn sample(&self, _memory: &mut [f64], now: &ControllerInput<'_>) -> f64 {
        self.0.lock().expect("the list").push(now.t);
        0.0
    }
}

#[test]
fn the_clock_of_a_sampled_controller_does_not_drift() {
    let times = Arc::new(Mutex::new(Vec::new()));
    let mut system = System::new();
    let node = body(&mut system, "a", 1.0, 0.0, 0.0);
    let controller = Controller::Sampled { period: 1e-3, control: Box::new(Clock(Arc::clone(&times))) };
    system.control("c", controller, vec![Measurement::Position(node)], Actuation::Force(node)).expect("a controller");
    for start in [0.0, 0.3] {
        times.lock().expect("the list").clear();
        let options = SimulationOptions { start, end: start + 14.0, ..SimulationOptions::default() };
        Simulation::new(&system).expect("a system").run(&options, &mut Trace::default()).expect("a run");
        let times = times.lock().expect("the list");
        assert_eq!(times.len(), 14_000);
        assert!(times.iter().enumerate().all(|(k, &t)| t == start + k as f64 * 1e-3), "{start}");
    }
}

#[test]
fn a_wall_that_hits_a_body_does_work() {
    let mut system = System::new();
    let node = body(&mut system, "a", 1.0, 0.5, 0.0);
    let wall = system.motion("wall", ramp(1.0), false).expect("a motion");
    system.stop("s", node, wall, Stop { lo: 0.0, hi: f64::INFINITY, restitution: 0.0 }).expect("a stop");
    let (summary, _) = run(&system, 1.0);
    // the impulse m v at the speed v of the wall: 1 J, of which half is lost
    // closed form: rounding
    assert!((summary.energy.work - 1.0).abs() < 1e-12 && (summary.energy.impact - 0.5).abs() < 1e-12);
    assert!(summary.energy.error().abs() < 1e-12, "{:?}", summary.energy);
}

/// Where a unit mass under sin t on a contact of the given Coulomb level is at time `end`, from rest: it breaks away at
/// arcsin(level) and slides until its velocity cos t₀ − cos t − level·(t − t₀) is zero.
fn slid(level: f64, end: f64) -> f64 {
    let start = level.asin();
    let v = |t: f64| start.cos() - t.cos() - level * (t - start);
    // it accelerates up to π − t₀
    let (mut sliding, mut stopped) = (std::f64::consts::PI - start, 2.0 * std::f64::consts::PI);
    for _ in 0..100 {
        let t = 0.5 * (sliding + stopped);
        if v(t) > 0.0 { sliding = t } else { stopped = t }
    }
    let t = sliding.min(end);
    start.cos() * (t - start) - (t.sin() - start.sin()) - 0.5 * level * (t - start).powi(2)
}

#[test]
fn false_stop_just_after_break_away() {
    for k in 0..40 {
        // from 0.8 to 0.9998, closer and closer to the amplitude
        let level = 1.0 - 0.2 * 0.5_f64.powf(f64::from(k) / 4.0);
        for (end, mirror) in [(3.0, 1.0), (1.87, 1.0), (3.0, -1.0)] {
            let mut system = System::new();
            let node = body(&mut system, "a", 1.0, 0.0, 0.0);
            system.contact("c", node, GROUND, coulomb(level)).expect("a contact");
            system.force("f", node, sine(0.0, mirror)).expect("a force");
            let (summary, _) = run(&system, end);
            let (x, exact) = (mirror * summary.last("a.x").expect("x"), slid(level, end));
            // linear between events, so exact but for rounding: of the displacement, which is a difference of numbers of size 1
            assert!((x - exact).abs() < 1e-11 * exact + 1e-15, "{level} {end} {mirror}: {x:e} for {exact:e}");
        }
    }
}

#[test]
fn false_stop_in_a_stack() {
    // the lower body carries the upper one, which never slides: they move as one body of mass 2
    for level in [0.8, 0.97, 0.999, 0.9997] {
        let mut system = System::new();
        let lower = body(&mut system, "lower", 1.5, 0.0, 0.0);
        let upper = body(&mut system, "upper", 0.5, 0.0, 0.0);
        system.contact("below", lower, GROUND, coulomb(2.0 * level)).expect("a contact");
        system.contact("between", upper, lower, coulomb(1.0)).expect("a contact");
        system.force("f", lower, sine(0.0, 2.0)).expect("a force");
        let (summary, _) = run(&system, 3.0);
        for name in ["lower.x", "upper.x"] {
            let (x, exact) = (summary.last(name).expect("x"), slid(level, 3.0));
            // steps with error control: the relative tolerance 1e-8, and the absolute one of a thousandth of it
            assert!((x - exact).abs() < 1e-8 * exact + 1e-11, "{level} {name}: {x:e} for {exact:e}");
        }
    }
}

#[test]
fn gear_friction_without_load_still_sticks() {
    // friction of its own, and a load signal that falls to zero, or below it, while the body slides
    for low in [0.0, -0.3] {
        let mut system = System::new();
        let node = system.body("a", Body { mass: 1.0, x: 0.0, v: 0.1, rotates: true }).expect("a body");
        let gear = contact("gear", &[("fc", 0.01), ("fs", 0.02), ("fv", 0.0), ("mu_back", 0.0), ("mu_drive", 0.0)]);
        let load = Signal::Ramp { offset: 0.1, slope: low - 0.1, start: 0.0, end: 1.0 };
        system.contact("c", node, GROUND, gear.with_load(Load::Signal(load))).expect("a contact");
        system.force("f", node, Signal::Constant(0.005)).expect("a force");
        let (summary, events) = run(&system, 30.0);
        assert_eq!(events.iter().map(|event| event.1.as_str()).collect::<Vec<_>>(), ["stick"], "{low}");
        assert_eq!(summary.last("a.v"), Some(0.0), "{low}");
    }
}

#[test]
fn strongly_damped_bristles_reverse_alike_with_and_without_another_body() {
    // the reversal lies within a long step, whose dense output was off by as much as the speed after it
    let law = [("fc", 0.02), ("fs", 0.03), ("vs", 0.008), ("sigma0", 2.0), ("sigma1", 2.0), ("sigma2", 0.0)];
    let speed = |others: u32, rtol: f64| {
        let mut system = System::new();
        let node = body(&mut system, "a", 0.05, 0.0, -1.0);
        for k in 0..others {
            body(&mut system, &format!("b{k}"), 2.0, 0.0, 0.0);
        }
        system.contact("c", node, GROUND, contact("lugre", &law)).expect("a contact");
        let options = SimulationOptions { end: 2.2, rtol, ..SimulationOptions::default() };
        let mut trace = Trace::default();
        let summary = Simulation::new(&system).expect("a system").run(&options, &mut trace).expect("a run");
        summary.last("a.v").expect("v")
    };
    let exact = speed(0, 1e-12);
    for (others, rtol) in [(0, 1e-6), (1, 1e-6), (1, 1e-8), (3, 1e-8), (1, 1e-10)] {
        // an error of rtol of the initial speed, 1 m/s, has decayed by orders of magnitude
        let v = speed(others, rtol);
        assert!((v - exact).abs() < rtol, "{others} {rtol:e}: {v} for {exact}");
    }
}
