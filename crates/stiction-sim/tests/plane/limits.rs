//! Tolerances, ends of runs and places at which something is not defined.
use super::systems::{body, coulomb, law, ramp, run, slope, spring, system, until, with_force};
use stiction_sim::SimError;
use stiction_sim::sim::{NullObserver, SimErrorKind, Simulation, SimulationOptions};
use stiction_sim::system::{Curve, Signal, SystemErrorKind};

/// A body in a curved path: with the absolute tolerance of 1e-3 m/s it takes fewer steps than with the default, and is right to that.
#[test]
fn a_larger_atol_is_taken() {
    let curved = || {
        let moving = body(&law("stribeck", &[("fv", 0.3)]), [0.0; 2], [1.0, 0.0]);
        let force = Signal::Sine { mean: 3.0, amplitude: 2.0, omega: 5.0, phase: 0.0 };
        with_force(system(slope(2.0, 0.3), moving), [Signal::Constant(1.0), force])
    };
    let [fine, coarse] = [0.0, 1e-3].map(|atol| run(&curved(), &SimulationOptions { atol, ..until(3.0) }).0);
    assert!(2 * coarse.stats.steps < fine.stats.steps, "{} {}", coarse.stats.steps, fine.stats.steps);
    for column in ["block.vx", "block.vy"] {
        let [a, b] = [&fine, &coarse].map(|run| run.last(column).expect("a column"));
        // an error of atol in each of some steps
        assert!((a - b).abs() < 1e-2, "{column}: {a} {b}");
    }
}

/// A force that jumps from 1 N to 5 N at the end of the run: its last value is that before the jump.
#[test]
fn an_end_at_a_jump_shows_the_value_before_it() {
    let jump = Signal::Table(Curve::hold(vec![0.0, 2.0, 9.0], vec![1.0, 5.0, 5.0]).expect("a curve"));
    let pushed =
        with_force(system(slope(0.0, 0.0), body(&coulomb(0.5), [0.0; 2], [0.3, 0.0])), [jump, Signal::Constant(0.0)]);
    let (summary, trace) = run(&pushed, &until(2.0));
    let at = summary.columns.iter().position(|column| column.name == "hand.fx").expect("a column");
    assert_eq!((summary.row[at], trace.rows[trace.rows.len() - 1][at]), (1.0, 1.0));
}

/// A spring with a length whose ends start at the same place is refused; one whose body runs through its other end is not: the force turns
/// round there, and the energy is kept.
#[test]
fn a_spring_with_a_length_has_no_direction_at_its_other_end() {
    let pulled = |x: f64, v: f64| {
        let mut pulled = system(slope(0.0, 0.0), body(&coulomb(0.0), [x, 0.0], [v, 0.0]));
        let mut spring = spring(4.0, 0.0, [Signal::Constant(0.0), Signal::Constant(0.0)], None);
        spring.length = 0.5;
        pulled.plane_spring(spring).expect("a spring");
        pulled
    };
    let refused = Simulation::new(&pulled(0.0, 1.0)).expect("a system").run(&until(1.0), &mut NullObserver);
    let Err(SimError::System(error)) = refused else { panic!("{:?}", refused.map(|summary| summary.t)) };
    assert_eq!(error.kind, SystemErrorKind::NoSpringDirection);
    let (summary, _) = run(&pulled(-1.0, 3.0), &until(1.0));
    let x = summary.last("block.x").expect("a column");
    // ω = 2: it reaches the other end at ωt = atan(ωl/v) before and leaves it with the same speed; to the tolerance over a kink
    let (w, l, v): (f64, f64, f64) = (2.0, 0.5, 3.0);
    // before: x + l = a sin(ωt + φ) with −1 + 0.5 = −0.5 at the start
    let (a, phase) = (0.5_f64.hypot(v / w), (-0.5_f64).atan2(v / w));
    let t1 = ((l / a).asin() - phase) / w;
    let speed = a * w * (w * t1 + phase).cos();
    // after: x − l = b sin(ω(t − t1) + ψ) with −l and the same speed
    let (b, psi) = (l.hypot(speed / w), (-l).atan2(speed / w));
    let exact = l + b * (w * (1.0 - t1) + psi).sin();
    assert!((x - exact).abs() < 1e-6, "{x} for {exact}");
}

/// Laws limit the load; a run that would exceed the limit ends with an error.
#[test]
fn a_load_beyond_what_laws_compute_with_is_an_error() {
    let mut pressed = body(&coulomb(1e-9), [0.0; 2], [0.0; 2]);
    pressed.contact.load = ramp(1e12);
    let error = Simulation::new(&system(slope(0.0, 0.0), pressed))
        .expect("a system")
        .run(&SimulationOptions { max_step: 0.01, ..until(2.0) }, &mut NullObserver);
    let Err(SimError::Run { t, kind: SimErrorKind::LoadTooLarge { contact, .. } }) = error else { panic!("no error") };
    assert!((1.0..1.02).contains(&t) && contact == "block", "{t} {contact}");
}
