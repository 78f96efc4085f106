//! The order of every method of the list, measured: slopes of error over step and over tolerance, against closed forms.
use crate::{contact, sine, skip};
use std::f64::consts::{FRAC_PI_2, PI};
use stiction_sim::Spec;
use stiction_sim::sim::{IntegrationMethod, NullObserver, Probe, RunSummary, Simulation, SimulationOptions, Trace};
use stiction_sim::system::{Body, Contact, GROUND, Load, Node, Plant, Signal, Spring, System};

fn body(x: f64, v: f64) -> (System, Node) {
    let mut system = System::new();
    let node = system.body("block", Body { x, v, ..Body::default() }).expect("a body");
    (system, node)
}

fn run(system: &System, options: &SimulationOptions) -> RunSummary {
    Simulation::new(system).expect("a system").run(options, &mut NullObserver).expect("a run")
}

/// Steps of one length: a fixed-step method takes them, an adaptive one is held to them under a tolerance that is no
/// limit. (Its first steps are shorter, and make no error to speak of.)
fn fixed(method: IntegrationMethod, h: f64, end: f64) -> SimulationOptions {
    SimulationOptions { method, end, step: h, max_step: h, rtol: 0.1, atol: 1.0, ..SimulationOptions::default() }
}

/// The slope of log(error) over log(size), by least squares.
pub fn slope(sizes: &[f64], mut error: impl FnMut(f64) -> f64) -> f64 {
    let points: Vec<[f64; 2]> = sizes.iter().map(|&size| [size.ln(), error(size).max(1e-300).ln()]).collect();
    let n = points.len() as f64;
    let [mx, my] = [0, 1].map(|k| points.iter().map(|p| p[k]).sum::<f64>() / n);
    let (xy, xx) =
        points.iter().fold((0.0, 0.0), |(xy, xx), [x, y]| (xy + (x - mx) * (y - my), xx + (x - mx) * (x - mx)));
    xy / xx
}

/// A smooth problem: a system, its end, and the position and velocity there.
struct Smooth {
    name: &'static str,
    system: System,
    column: &'static str,
    end: f64,
    exact: [f64; 2],
}

/// x'' + 0.4 x' + 4 x = 0 from x = 1 at rest.
fn decaying() -> Smooth {
    let (mut system, node) = body(1.0, 0.0);
    system.spring("spring", node, GROUND, Spring { damping: 0.4, ..Spring::linear(4.0) }).expect("a spring");
    let (d, w, t) = (0.2, (4.0_f64 - 0.04).sqrt(), 3.0_f64);
    let (s, c) = (w * t).sin_cos();
    let decay = (-d * t).exp();
    let exact = [decay * (c + d / w * s), -decay * s * (w + d * d / w)];
    Smooth { name: "decaying", system, column: "block", end: t, exact }
}

/// x'' = sin 3t − x' under a viscous law, from rest: the right-hand side depends on time.
fn driven() -> Smooth {
    let (mut system, node) = body(0.0, 0.0);
    system.contact("oil", node, GROUND, contact("viscous", &[("fv", 1.0), ("gamma", 1.0)])).expect("a contact");
    system.force("push", node, sine(1.0, 3.0)).expect("a force");
    // v = (sin 3t − 3 cos 3t + 3 e^{−t})/10, and x its integral
    let t = 2.0_f64;
    let (s, c) = (3.0 * t).sin_cos();
    let decay = (-t).exp();
    let v = (s - 3.0 * c + 3.0 * decay) / 10.0;
    let x = ((1.0 - c) / 3.0 - s + 3.0 * (1.0 - decay)) / 10.0;
    Smooth { name: "driven", system, column: "block", end: t, exact: [x, v] }
}

/// A pendulum let go at 2 rad comes to rest at −2 rad after half of its period 2π/(ω agm(1, cos 1)).
fn pendulum() -> Smooth {
    let mut system = System::new();
    let plant = Plant::Pendulum { mass: 1.0, length: 1.0, inertia: 0.0, gravity: 4.0 };
    system.plant("p", plant, &[2.0], &[0.0]).expect("a plant");
    let (mut a, mut b) = (1.0_f64, 1.0_f64.cos());
    for _ in 0..8 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    Smooth { name: "pendulum", system, column: "p.angle", end: PI / (2.0 * a), exact: [-2.0, 0.0] }
}

/// The problems that a method takes.
fn problems(method: IntegrationMethod) -> Vec<Smooth> {
    let mut all = vec![decaying(), driven()];
    all.extend(method.supports_all_components().then(pendulum));
    all
}

impl Smooth {
    fn error(&self, options: &SimulationOptions) -> f64 {
        let summary = run(&self.system, options);
        let [x, v] = ["x", "v"].map(|k| summary.last(&format!("{}.{k}", self.column)).expect("a column"));
        (x - self.exact[0]).hypot(v - self.exact[1])
    }
}

/// Errors of a method at these counts of steps are above rounding and small enough to be ruled by their first term. They are
/// several, because the shorter steps of an adaptive method at both ends shift the others and so change the error a little.
fn counts(method: IntegrationMethod) -> [f64; 8] {
    let [from, to] = match method.order() {
        1 => [400.0, 3200.0],
        3 => [80.0, 270.0],
        _ => [45.0, 150.0_f64],
    };
    std::array::from_fn(|i| (from * (to / from).powf(i as f64 / 7.0)).round())
}

#[test]
fn every_method_has_its_order_on_smooth_problems() {
    for method in IntegrationMethod::ALL {
        for problem in problems(method) {
            let sizes = counts(method).map(|n| problem.end / n);
            let found = slope(&sizes, |h| problem.error(&fixed(method, h, problem.end)));
            let order = f64::from(method.order());
            eprintln!("{:>17} {:>9}: {found:.3}", method.name(), problem.name);
            // a higher order than promised happens where leading terms cancel; a lower one is a mistake. The next term
            // of the error bends the slope by some percent at these steps.
            assert!(found > order - 0.2 && found < order + 1.2, "{} on {}: {found}", method.name(), problem.name);
        }
    }
}

/// With an error estimate of one order less, the step is as tolerance^(1/p), and the error as step^p: as the tolerance.
#[test]
fn the_error_follows_the_tolerance() {
    for method in IntegrationMethod::ALL.into_iter().filter(|method| method.is_adaptive()) {
        for problem in problems(method) {
            let tolerance = |rtol| SimulationOptions { method, rtol, end: problem.end, ..SimulationOptions::default() };
            let found = slope(&[1e-4, 1e-5, 1e-6, 1e-7, 1e-8], |rtol| problem.error(&tolerance(rtol)));
            eprintln!("{:>17} {:>9}: {found:.3}", method.name(), problem.name);
            assert!((0.75..1.3).contains(&found), "{} on {}: {found}", method.name(), problem.name);
        }
    }
}

#[test]
fn rows_between_steps_keep_the_order() {
    // the interpolants are of one order less than the step or as good, whose local error is of the step's own order
    for method in IntegrationMethod::ALL {
        let problem = driven();
        let sizes = counts(method).map(|n| problem.end / n);
        let found = slope(&sizes, |h| {
            let mut trace = Trace::default();
            // no multiple of any step
            let options = SimulationOptions { sample: 0.012_345, ..fixed(method, h, problem.end) };
            Simulation::new(&problem.system).expect("a system").run(&options, &mut trace).expect("a run");
            let v = |t: f64| ((3.0 * t).sin() - 3.0 * (3.0 * t).cos() + 3.0 * (-t).exp()) / 10.0;
            trace.rows.iter().map(|row| (row[2] - v(row[0])).abs()).fold(0.0, f64::max)
        });
        let order = f64::from(method.order());
        eprintln!("{:>17} dense: {found:.3}", method.name());
        // the largest of all rows bends the slope more than the last state does
        assert!(found > order - 0.4, "{}: {found}", method.name());
    }
}

/// A block dragged by thick oil: v' = −λ(v − cos t), the test of Prothero and Robinson. The stiffer, the more an
/// implicit method may lose of its order; Rodas5P is made to keep four.
#[test]
fn rodas5p_on_a_stiff_problem() {
    for lambda in [1e2, 1e4, 1e6] {
        let w = 1.0 / (1.0 + 1.0 / (lambda * lambda));
        let exact = |t: f64| w * (t.cos() + t.sin() / lambda);
        let (mut system, node) = body(0.0, exact(0.0));
        let hand = system.motion("hand", sine(1.0, 1.0), false).expect("a motion");
        system.spring("oil", node, hand, Spring::damper(lambda)).expect("a damper");
        let error = |options: &SimulationOptions| {
            // errors do not pile up here, so the last step tells nothing of the others: all rows do
            let mut trace = Trace::default();
            Simulation::new(&system).expect("a system").run(options, &mut trace).expect("a run");
            trace.rows.iter().map(|row| (row[2] - exact(row[0])).abs()).fold(0.0, f64::max)
        };
        let found = slope(&[0.2, 0.14, 0.1, 0.07, 0.05], |h| error(&fixed(IntegrationMethod::Rodas5P, h, 2.0)));
        eprintln!("stiff {lambda:e}: {found:.3}");
        assert!(found > 3.9, "{lambda:e}: {found}");
        // between the steps an order is lost, so the error is not quite as the tolerance; but it stays near it
        for rtol in [1e-5, 1e-7, 1e-9] {
            let found = error(&SimulationOptions { rtol, end: 2.0, ..SimulationOptions::default() });
            assert!(found < 10.0 * rtol, "{lambda:e} at {rtol:e}: {found:e}");
        }
    }
}

/// B1 of the papers: x_k of the swings by hand, each a half cosine about 0.1 ∓ Fc/k.
#[test]
fn events_keep_the_order_coulomb() {
    let (fc, k) = (0.981, 100.0);
    let (mut system, node) = body(0.0, 0.0);
    // a law in two parts, if equal ones, is not known to be linear: between events it takes the steps that have an order
    let two_parts = contact("coulomb", &[("fc", fc), ("reverse.fc", fc)]);
    system.contact("table", node, GROUND, two_parts).expect("a contact");
    let wall = system.motion("wall", Signal::Constant(0.1), false).expect("a motion");
    system.spring("spring", wall, node, Spring::linear(k)).expect("a spring");
    // after four turns, each half a period of π/10 s: a fifth of one into the fifth swing
    let (turn, mid) = (0.07848, 0.1 - fc / k);
    let t = 4.0 * PI / 10.0 + PI / 50.0;
    let exact = mid + (turn - mid) * (PI / 5.0).cos();
    let error = |rtol: f64| {
        let stick = Probe::Event { part: "table".into(), kind: "stick".into(), nth: 1, column: "t".into(), from: 0.0 };
        let probes = vec![Probe::At { column: "block.x".into(), t }, stick];
        let probes = run(&system, &SimulationOptions { end: 2.0, rtol, probes, ..SimulationOptions::default() }).probes;
        (probes[0].expect("x") - exact).abs() + 0.01 * (probes[1].expect("stick") - FRAC_PI_2).abs()
    };
    let found = slope(&[1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9], error);
    eprintln!("b1: {found:.3}");
    // as on smooth problems; an event found with a lower order than the steps would show as 0.8 or less
    assert!((0.8..1.5).contains(&found), "{found}");
}

/// Where all is linear between events, nothing is left to the tolerance.
#[test]
fn linear_modes_have_no_error() {
    // B1 as above; and pushed by a wave, which Coulomb's force turns around: sin t = 2/3 lets go
    let (mut system, node) = body(0.0, 0.0);
    system.contact("table", node, GROUND, contact("coulomb", &[("fc", 0.981)])).expect("a contact");
    let wall = system.motion("wall", Signal::Constant(0.1), false).expect("a motion");
    system.spring("spring", wall, node, Spring::linear(100.0)).expect("a spring");
    let summary = run(&system, &SimulationOptions { end: 2.0, rtol: 0.1, ..SimulationOptions::default() });
    // each of five swings to the other side of 0.1 loses 2 Fc/k; then the spring no longer overcomes friction
    let last = 0.1 + (0.1 - 5.0 * 2.0 * 0.981 / 100.0);
    let x = summary.last("block.x").expect("x");
    // rounding of five swings
    assert!((x - last).abs() < 1e-14, "{x} for {last}");
    assert!(summary.energy.error().abs() < 1e-14, "{:?}", summary.energy);

    let (mut system, node) = body(0.0, 0.0);
    system.contact("table", node, GROUND, contact("coulomb", &[("fc", 1.0)])).expect("a contact");
    system.force("push", node, sine(1.5, 1.0)).expect("a force");
    let t = 2.0;
    let probes = vec![Probe::At { column: "block.v".into(), t }];
    let summary = run(&system, &SimulationOptions { end: 20.0, rtol: 0.1, probes, ..SimulationOptions::default() });
    let start = (2.0_f64 / 3.0).asin();
    let v = 1.5 * (start.cos() - t.cos()) - (t - start);
    let found = summary.probes[0].expect("v");
    // rounding of a sum of closed forms; the energies add up some dozen modes
    assert!((found - v).abs() < 1e-14, "{found} for {v}");
    assert!(summary.energy.error().abs() < 1e-12, "{:?}", summary.energy);
}

fn a7() -> System {
    let values = [("fc", 3.0), ("fs", 6.0), ("vs", 0.1), ("exponent", 1.0), ("sigma0", 1e3), ("sigma2", 0.0)];
    let (mut system, node) = body(0.0, 0.0);
    let mut spec = Spec::new("lugre").expect("a law");
    for (key, value) in values.into_iter().chain([("sigma1", 2.0 * 1e3_f64.sqrt())]) {
        spec.set(key, value).expect("a parameter");
    }
    system.contact("table", node, GROUND, Contact::new(&spec).expect("a contact")).expect("a contact");
    let ramp = Signal::Ramp { offset: 0.0, slope: 2.0, start: 0.0, end: f64::INFINITY };
    let hand = system.motion("hand", ramp, false).expect("a motion");
    system.spring("spring", hand, node, Spring::linear(2.0)).expect("a spring");
    system
}

#[test]
fn events_keep_the_order_lugre() {
    // 12 s hold two slips and four reversals, each with the kink of |v|
    let system = a7();
    let at = |rtol| run(&system, &SimulationOptions { end: 12.0, rtol, ..SimulationOptions::default() });
    let reference = at(1e-12).last("block.x").expect("x");
    let found = slope(&[1e-5, 1e-6, 1e-7, 1e-8, 1e-9], |rtol| (at(rtol).last("block.x").expect("x") - reference).abs());
    eprintln!("a7: {found:.3}");
    assert!((0.75..1.3).contains(&found), "{found}");
}

/// The Jacobian must be exact for the order to hold, and a load that comes from a spring is its longest chain.
#[test]
fn a_load_from_a_spring_keeps_the_order() {
    let (mut system, node) = body(0.3, 0.0);
    system.spring("press", node, GROUND, Spring { rest: -1.0, damping: 0.2, ..Spring::linear(2.0) }).expect("a spring");
    let hand = system.motion("hand", sine(0.5, 2.0), false).expect("a motion");
    system.spring("pull", node, hand, Spring::linear(7.0)).expect("a spring");
    let load = Load::Spring { name: "press".into(), gain: 0.5 };
    let contact = contact("coulomb-tanh", &[("fc", 1.0), ("ktanh", 1.0)]).with_load(load);
    system.contact("table", node, GROUND, contact).expect("a contact");
    let at = |options: &SimulationOptions| run(&system, options).last("block.x").expect("x");
    let exact = at(&SimulationOptions { end: 2.0, rtol: 1e-12, ..SimulationOptions::default() });
    let found = slope(&[0.05, 0.04, 0.03, 0.02], |h| (at(&fixed(IntegrationMethod::Rodas5P, h, 2.0)) - exact).abs());
    eprintln!("load from a spring: {found:.3}");
    assert!((4.7..6.5).contains(&found), "{found}");
}

#[test]
fn the_energy_audit_closes_with_the_tolerance() {
    let system = a7();
    let found = slope(&[1e-4, 1e-5, 1e-6, 1e-7, 1e-8], |rtol| {
        run(&system, &SimulationOptions { end: 12.0, rtol, ..SimulationOptions::default() }).energy.error().abs()
    });
    eprintln!("energy: {found:.3}");
    // the energies are not part of the error estimate, but computed by the same stages
    assert!((0.7..1.5).contains(&found), "{found}");
    for method in IntegrationMethod::ALL {
        let problem = driven();
        let error = |n: f64| run(&problem.system, &fixed(method, problem.end / n, problem.end)).energy.error().abs();
        // a second term of the error bends the slope in proportion to the step: it is extrapolated to zero
        let [a, b, c] = [75.0, 150.0, 300.0].map(|n| error(n).log2());
        let found = 2.0 * (b - c) - (a - b);
        eprintln!("energy {:>17}: {found:.3}", method.name());
        // the third term, and the shorter steps at both ends
        assert!(found > f64::from(method.order()) - 0.3, "{}: {found}", method.name());
    }
}

#[test]
fn what_a_method_integrates_exactly() {
    let ramp = Signal::Ramp { offset: 0.0, slope: 1.0, start: 0.0, end: f64::INFINITY };
    for method in IntegrationMethod::ALL {
        // uniform motion for all; a constant force from order 2 on; a force that grows evenly, x = t³/6, from order 3 on
        for (force, x, order) in
            [(Signal::Constant(0.0), 1.0, 1), (Signal::Constant(2.0), 2.0, 2), (ramp.clone(), 7.0 / 6.0, 3)]
        {
            let (mut system, node) = body(0.0, 1.0);
            system.force("push", node, force).expect("a force");
            let found = run(&system, &fixed(method, 0.125, 1.0)).last("block.x").expect("x");
            if method.order() >= order {
                // rounding of 1, which the weights of Rodas5P magnify
                assert!((found - x).abs() < 1e-13, "{}: {found} for {x}", method.name());
            } else {
                assert!((found - x).abs() > 1e-3, "{}: {found} for {x}", method.name());
            }
        }
    }
}

/// A contact on a Stribeck curve that is not even in the speed turns within a step: the law beyond is a reflection, whose
/// second derivative jumps. What a step sees of it, a share ε of its length, costs ε²h³ and would leave the order 3 in the end; a repeated
/// step ends beyond the turn by no more than the uncertainty of its place, ε ∝ h², and the order is that of the stages.
#[test]
fn a_turn_of_a_curved_law_keeps_the_order() {
    #[cfg(target_arch = "x86_64")]
    if !std::is_x86_feature_detected!("fma") {
        return skip("without fused products the kernel is not used, and the order is 3");
    }
    let (mut system, node) = body(0.0, 0.9);
    let law = contact("stribeck", &[("fc", 1.0), ("fs", 1.5), ("vs", 0.5), ("exponent", 1.0), ("fv", 0.1)]);
    system.contact("table", node, GROUND, law).expect("a contact");
    let ramp = Signal::Ramp { offset: 0.0, slope: -9.0, start: 0.0, end: f64::INFINITY };
    system.force("push", node, ramp).expect("a force");
    let place = |options: &SimulationOptions| run(&system, options).last("block.x").expect("a place");
    let end = 0.9;
    let exact =
        place(&SimulationOptions { end, max_step: 1e-3, rtol: 1e-13, atol: 1e-16, ..SimulationOptions::default() });
    // beyond them the errors are rounding
    let counts = [6.0, 12.0, 24.0, 48.0];
    // the worst of several places of the turn within its step
    let error = |count: f64| {
        let phases = (0..7).map(|j| count * (1.0 + f64::from(j) / 12.0));
        phases.map(|n| (place(&fixed(IntegrationMethod::Rodas5P, end / n, end)) - exact).abs()).fold(0.0, f64::max)
    };
    let order = -slope(&counts, error);
    // the next term bends the slope
    assert!(order > 5.0, "{order}");
}
