//! Loads that pass through zero: a contact presses and does not pull, so the force has a kink there, whatever the law, and the
//! direction and memory of a contact follow its motion whether it presses or not.
use crate::{contact, coulomb, law, simulate, sine};
use stiction_sim::sim::{NullObserver, RunSummary, Simulation, SimulationOptions};
use stiction_sim::system::{Body, Contact, GROUND, Load, Signal, Spring, System};

fn run(system: &System, end: f64, rtol: f64) -> RunSummary {
    let options = SimulationOptions { end, rtol, ..SimulationOptions::default() };
    Simulation::new(system).expect("a system").run(&options, &mut NullObserver).expect("a run")
}

/// A body on the ground, under a contact with a load and under a force.
fn block(mass: f64, v: f64, contact: Contact, force: Signal) -> System {
    let mut system = System::new();
    let body = system.body("b0", Body { mass, v, ..Body::default() }).expect("a body");
    system.contact("c0", body, GROUND, contact).expect("a contact");
    system.force("f0", body, force).expect("a force");
    system
}

/// ∫ max(0, mean + sin ωτ) dτ from 0 to t, for 0 <= mean < 1: over whole periods, and over what is left.
fn pressed(mean: f64, omega: f64, t: f64) -> f64 {
    let period = std::f64::consts::TAU;
    let (falls, rises) = (period / 2.0 + mean.asin(), period - mean.asin());
    let area = |from: f64, to: f64| mean * (to - from) + from.cos() - to.cos();
    let until = |angle: f64| area(0.0, angle.min(falls)) + if angle > rises { area(rises, angle) } else { 0.0 };
    let periods = (omega * t / period).floor();
    (periods * until(period) + until(omega * t - periods * period)) / omega
}

#[test]
fn a_load_that_falls_through_zero() {
    // a body that slides through three gaps of the load, either way, at several tolerances
    for (side, rtol) in [(1.0, 1e-5), (-1.0, 1e-7), (1.0, 1e-9), (-1.0, 1e-11)] {
        let load = Signal::Sine { mean: 0.5, amplitude: 1.0, omega: 20.0, phase: 0.0 };
        let system = block(2.0, side * 10.0, coulomb(3.0).with_load(Load::Signal(load)), Signal::Constant(0.0));
        let v = run(&system, 0.9, rtol).last("b0.v").expect("a velocity");
        let exact = side * (10.0 - 1.5 * pressed(0.5, 20.0, 0.9));
        // the tolerance of some forty steps, at a speed of 10 m/s
        assert!((v - exact).abs() < 40.0 * rtol * 10.0, "{rtol:e}: {v} for {exact}, {:e}", v - exact);
    }
    // under a law with memory and a force whose frequency rises
    let values = [("sigma0", 6000.0), ("sigma1", 400.0), ("z0", 0.023), ("a", 0.8), ("fv", 0.0)];
    let load = Signal::Sine { mean: 0.5, amplitude: 1.0, omega: 20.0, phase: 0.0 };
    let push = Signal::Chirp { amplitude: 400.0, omega: 13.0, rate: 9.0, phase: 0.0 };
    let system = block(1.0, 0.0, contact("reset-integrator", &values).with_load(Load::Signal(load)), push);
    let [loose, tight] = [1e-8, 1e-11].map(|rtol| run(&system, 0.304_918, rtol).last("b0.v").expect("a velocity"));
    // the adversary's reference; its time is known to half a microsecond, in which the speed changes by some 1e-4
    assert!((tight + 3.663_499_4).abs() < 2e-4, "{tight}");
    // a hundred tolerances at a speed of 10 m/s
    assert!((loose - tight).abs() < 1e-5, "{loose} for {tight}");
}

#[test]
fn a_load_that_rises_from_zero_after_a_reversal() {
    // a body slides over another one and reverses while nothing presses; then the sliding force moves the other body
    for start in [0.1, 0.1 + 1e-9, 7.0 / 64.0] {
        let values = [("sigma0", 6e4), ("sigma1", 700.0), ("z0", 4e-5), ("a", 0.5), ("fv", 0.0)];
        let mut system = System::new();
        let b0 = system.body("b0", Body { mass: 6.0, v: 0.02, ..Body::default() }).expect("a body");
        let b1 = system.body("b1", Body { mass: 3.0, ..Body::default() }).expect("a body");
        let load = Signal::Ramp { offset: 0.0, slope: 6.0, start, end: 0.3 };
        let contact = contact("reset-integrator", &values).with_load(Load::Signal(load));
        system.contact("c0", b0, b1, contact).expect("a contact");
        system.force("f0", b0, Signal::Constant(-2.0)).expect("a force");
        let v = run(&system, start + 0.01, 1e-8).last("b1.v").expect("a velocity");
        // the level sigma0 z0 = 2.4 N times the load 6 N/s t, on 3 kg
        let exact = -2.4 * 6.0 * 0.01 * 0.01 / 6.0;
        assert!((v - exact).abs() < 1e-8 * exact.abs(), "{v} for {exact}");
    }
}

#[test]
fn a_mapped_load_is_judged_by_its_load_factor() {
    // the load goes through zero, the load factor 0.6 + 0.3 load does not; the same as a signal of its own is the same run
    for name in ["armstrong", "dahl", "dankowicz", "gms", "coulomb", "lugre"] {
        let values: &[(&str, f64)] = match name {
            "armstrong" => &[("fs", 1.0), ("vs", 0.008), ("fv", 0.0), ("sigma0", 3000.0), ("tau_lag", 1e-3)],
            _ => &[],
        };
        let mapped = [values, &[("load.base", 0.6), ("load.slope", 0.3)]].concat();
        let [raw, own] = [(&mapped[..], 1.0, -6.0), (values, 0.9, -1.8)].map(|(values, offset, slope)| {
            let load = Signal::Ramp { offset, slope, start: 0.1, end: 0.4 };
            let contact = Contact::new(&law(name, values)).expect("a contact").with_load(Load::Signal(load));
            let system = block(1.0, -0.1, contact, Signal::Constant(0.0));
            ["b0.x", "b0.v"].map(|column| run(&system, 0.33, 1e-8).last(column).expect("a column"))
        });
        // some hundred steps at the tolerance, with states of at most 0.1
        assert!(raw.iter().zip(own).all(|(raw, own)| (raw - own).abs() < 1e-7), "{name}: {raw:?} for {own:?}");
    }
}

#[test]
fn a_driven_contact_reverses_without_load() {
    let (fmax, delta) = (0.002, 1e-4);
    let x = |t: f64| 0.005 * (2.0 * t).sin() + 0.002 * (5.0 * t + 0.5).sin();
    let v = |t: f64| 0.01 * (2.0 * t).cos() + 0.01 * (5.0 * t + 0.5).cos();
    let mut system = System::new();
    let swings = |amplitude, omega, phase| Signal::Sine { mean: 0.0, amplitude, omega, phase };
    let motion = Signal::Sum(vec![swings(0.005, 2.0, 0.0), swings(0.002, 5.0, 0.5)]);
    let moved = system.motion("m0", motion, false).expect("a motion");
    let load = Signal::Sine { mean: 0.5, amplitude: 1.0, omega: 4.0, phase: 0.0 };
    let contact = contact("dankowicz", &[("fmax", fmax), ("delta", delta)]).with_load(Load::Signal(load));
    system.contact("c0", moved, GROUND, contact).expect("a contact");
    // between reversals the deflection approaches ±delta exponentially in the distance: its value at time `end`
    let deflection = |end: f64| {
        let (mut z, mut from, steps) = (0.0_f64, 0.0, 3200);
        let mut slide = |to: f64| {
            let distance = x(to) - x(from);
            let limit = delta * distance.signum();
            z = limit + (z - limit) * (-distance.abs() / delta).exp();
            from = to;
            z
        };
        for k in 0..steps {
            let [mut lo, mut hi] = [k, k + 1].map(|k| end * f64::from(k) / f64::from(steps));
            if v(lo) * v(hi) < 0.0 {
                for _ in 0..60 {
                    let middle = 0.5 * (lo + hi);
                    if v(lo) * v(middle) > 0.0 { lo = middle } else { hi = middle }
                }
                slide(lo);
            }
        }
        slide(end)
    };
    // after a reversal under load, and after ones without
    for end in [0.4, 1.3, 2.3, 3.1, 3.147_541] {
        let z = deflection(end);
        let summary = run(&system, end, 1e-8);
        let exact = fmax / delta * z * (0.5 + (4.0 * end).sin()).max(0.0);
        let force = summary.last("c0.force").expect("a force");
        // some ten reversals at the tolerance
        assert!((force - exact).abs() < 1e-7 * fmax, "{end}: {force} for {exact}");
        let found = summary.last("c0.z").expect("a state");
        assert!((found - z).abs() < 1e-7 * delta, "{end}: {found} for {z}");
    }
}

#[test]
fn a_body_reverses_before_the_load_rises() {
    for side in [1.0, -1.0] {
        let values = [("fc", 0.14), ("fs", 0.14), ("vs", 0.02), ("fv", 0.0), ("sigma0", 4000.0), ("tau_lag", 0.0079)];
        let load = Signal::Ramp { offset: 0.0, slope: 2.6, start: 0.3, end: 0.69 };
        let contact = contact("armstrong", &values).with_load(Load::Signal(load));
        let system = block(1.0, -0.06 * side, contact, Signal::Constant(0.25 * side));
        let v = run(&system, 0.31, 1e-8).last("b0.v").expect("a velocity");
        // the force alone until 0.3 s, then less the level 0.14 N times a load of 2.6/s
        let exact = side * (-0.06 + 0.25 * 0.31 - 0.14 * 1.3 * 1e-4);
        assert!((v - exact).abs() < 1e-9, "{v} for {exact}");
    }
}

#[test]
fn a_spring_that_ceases_to_press() {
    // the load is the force of a spring on which another body swings: 2 cos(3 t)
    for rtol in [1e-6, 1e-8, 1e-10] {
        let mut system = System::new();
        let swings = system.body("b1", Body { mass: 1.0, x: 1.0, ..Body::default() }).expect("a body");
        system.spring("s0", swings, GROUND, Spring::linear(9.0)).expect("a spring");
        let slides = system.body("b0", Body { mass: 1.0, v: 5.0, ..Body::default() }).expect("a body");
        let load = Load::Spring { name: "s0".to_owned(), gain: 2.0 / 9.0 };
        system.contact("c0", slides, GROUND, coulomb(1.0).with_load(load)).expect("a contact");
        let v = run(&system, 3.0, rtol).last("b0.v").expect("a velocity");
        // the cosine presses until π/2 and from 3π/2 to 5π/2; at 9 it does not
        let exact = 5.0 - 2.0 / 3.0 * (1.0 + 2.0);
        // some hundred steps at the tolerance
        assert!((v - exact).abs() < 100.0 * rtol, "{rtol:e}: {v} for {exact}, {:e}", v - exact);
    }
}

#[test]
fn a_spring_that_does_not_press_at_rest() {
    // nothing moves, and the force of the spring is zero: that is no event, at any time and scale
    for (start, stiffness) in [(0.0, 1.0), (0.0737, 2.7e9), (1e3, 1e-6)] {
        for name in ["gms", "reset-integrator", "coulomb", "dahl", "armstrong"] {
            let mut system = System::new();
            let body = system.body("b0", Body { mass: 2064.0, ..Body::default() }).expect("a body");
            system.spring("s0", body, GROUND, Spring::linear(stiffness)).expect("a spring");
            let load = Load::Spring { name: "s0".to_owned(), gain: 1.0 / stiffness };
            system.contact("c0", body, GROUND, contact(name, &[]).with_load(load)).expect("a contact");
            let options =
                SimulationOptions { start, end: start + 0.03, max_steps: 1000, ..SimulationOptions::default() };
            let (summary, trace) = simulate(&system, &options);
            assert!(summary.last("b0.x") == Some(0.0) && trace.events.is_empty(), "{name} from {start} s");
        }
    }
}

#[test]
fn a_gear_whose_torque_changes_its_sign() {
    // losses of |T| with T = sin(7 t), smaller where it is driven back: T < 0 against the motion
    let values = [("fc", 0.0), ("fs", 0.0), ("fv", 0.0), ("mu_drive", 0.3), ("mu_back", 0.1)];
    for rtol in [1e-6, 1e-8, 1e-10] {
        let gear = contact("gear", &values).with_load(Load::Signal(sine(1.0, 7.0)));
        let system = block(1.0, 5.0, gear, Signal::Constant(0.0));
        let v = run(&system, 2.0, rtol).last("b0.v").expect("a velocity");
        // 14 is two periods and 1.4336: each half period has an area of 2
        let rest = 14.0 - 2.0 * std::f64::consts::TAU;
        let exact = 5.0 - (2.0 * (0.3 + 0.1) * 2.0 + 0.3 * (1.0 - rest.cos())) / 7.0;
        assert!((v - exact).abs() < 100.0 * rtol, "{rtol:e}: {v} for {exact}, {:e}", v - exact);
    }
}

/// Laws limit the load to 1e12 times the nominal one: a load that grows beyond it ends the run with an error, at the time at which it does.
#[test]
fn a_load_beyond_what_laws_compute_with_is_an_error() {
    use stiction_sim::SimError;
    use stiction_sim::sim::{IntegrationMethod, SimErrorKind};
    for method in [IntegrationMethod::Rodas5P, IntegrationMethod::Rk4, IntegrationMethod::Network] {
        let load = Signal::Ramp { offset: 0.0, slope: 1e12, start: 0.0, end: f64::INFINITY };
        let system = block(1.0, 0.0, coulomb(1e-9).with_load(Load::Signal(load)), Signal::Constant(0.0));
        let options =
            SimulationOptions { end: 2.0, method, step: 0.01, max_step: 0.01, ..SimulationOptions::default() };
        let error = Simulation::new(&system).expect("a system").run(&options, &mut NullObserver).expect_err("an error");
        let SimError::Run { t, kind: SimErrorKind::LoadTooLarge { contact, factor } } = error else {
            panic!("{}: {error}", method.name());
        };
        // a step after it
        assert!((1.0..1.02).contains(&t) && factor > 1e12 && contact == "c0", "{}: {t} {factor}", method.name());
    }
}
