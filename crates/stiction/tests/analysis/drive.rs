//! A law on the rig: what is prescribed is followed, what happens is found.
use crate::rig;
use stiction::Error;
use stiction::analysis::test_rig::{Drive, path};
use stiction::core::models::ALL;
use stiction::sim::{EventKind, SimulationOptions};
use stiction::system::{Curve, Signal};

fn until(end: f64) -> SimulationOptions {
    SimulationOptions { end, ..SimulationOptions::default() }
}
fn sine(amplitude: f64, omega: f64) -> Signal {
    Signal::Sine { mean: 0.0, amplitude, omega, phase: 0.0 }
}

/// Whatever moves the law the same way gives the same force: position and velocity of one motion, for every law.
#[test]
fn position_and_velocity_are_the_same_motion() {
    for law in ALL {
        let rig = rig(law.name, &[]);
        let (x, w) = (2e-5, 3.0);
        let velocity = Signal::Sine { mean: 0.0, amplitude: x * w, omega: w, phase: std::f64::consts::FRAC_PI_2 };
        let [a, b] =
            [Drive::Position(sine(x, w)), Drive::Velocity(velocity)].map(|d| rig.run(&d, &until(4.0)).unwrap());
        assert_eq!(a.len(), b.len(), "{}", law.name);
        let most = a.force.iter().fold(0.0_f64, |m, f| m.max(f.abs()));
        // the phases of the two signals differ by roundings of pi/2, and the tolerance is 1e-8
        let worst = a.force.iter().zip(&b.force).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-5 * most, "{}: {worst} of {most}", law.name);
        // a motion is given: rounding of its sine
        assert!(a.x.iter().zip(&a.t).all(|(got, t)| (got - x * (w * t).sin()).abs() < 1e-18 + 1e-15 * x));
        assert_eq!(a.memory.len(), law.states.len());
    }
}

/// At a turn the trace has Coulomb's force on both sides, at the very place.
#[test]
fn a_force_that_jumps_is_there_twice() {
    let trace = rig("coulomb", &[("fc", 2.0)]).run(&Drive::Position(sine(1e-3, 1.0)), &until(6.0)).unwrap();
    let turns: Vec<_> = trace.events.iter().map(|e| (e.kind, trace.force[e.row - 1], trace.force[e.row])).collect();
    assert_eq!(turns, [(EventKind::ReverseDown, 2.0, -2.0), (EventKind::ReverseUp, -2.0, 2.0)]);
    for event in &trace.events {
        assert_eq!(trace.t[event.row - 1], trace.t[event.row]);
        // the sine is flat there: 1e-3 to the last bit but one
        assert!((trace.x[event.row].abs() - 1e-3).abs() < 1e-18);
    }
}

/// A contact that a motion keeps still has stuck: Armstrong's break-away grows with the time of rest by his own formula.
#[test]
fn a_motion_that_stands_still_lets_armstrong_rest() {
    let values = [("fc", 1.0), ("fs", 1.5), ("tau_dwell", 0.1), ("vs", 1e-3), ("fv", 0.0), ("sigma0", 1e5)];
    for dwell in [0.02, 0.1, 1.0] {
        let v = 0.02;
        let path = Curve::linear(vec![0.0, 0.2, 0.2 + dwell, 0.4 + dwell], vec![0.0, 0.2 * v, 0.2 * v, 0.4 * v]);
        let position = Signal::Table(path.unwrap());
        let trace = rig("armstrong", &values).run(&Drive::Position(position), &until(0.3 + dwell)).unwrap();
        let breaks: Vec<_> = trace.events.iter().filter(|e| e.kind == EventKind::GuardUp(1)).collect();
        assert_eq!(breaks.len(), 2, "{:?}", trace.events);
        // the excess of sliding at w = v, and what has come back of it when the spring reaches the level
        let kept = 0.5 / (1.0 + (v / 1e-3_f64).powi(2));
        let t = breaks[1].t - 0.2;
        let level = 1.0 + kept + (0.5 - kept) * t / (t + 0.1);
        // the spring has kept the force of sliding, and is pulled on; to the tolerance of the run
        let spring = 1.0 + kept + 1e5 * v * (t - dwell);
        assert!((spring - level).abs() < 1e-8 * level, "{dwell}: {spring}, {level}");
        assert!(t > dwell && t < dwell + 0.01);
    }
}

#[test]
fn a_path_goes_through_its_points_at_constant_speed() {
    let Signal::Table(_) = path(&[0.0, 2.0, 2.0, -1.0], 0.5).unwrap() else { panic!("no table") };
    let signal = path(&[0.0, 2.0, 2.0, -1.0], 0.5).unwrap();
    for (t, x) in [(0.0, 0.0), (2.0, 1.0), (4.0, 2.0), (5.0, 1.5), (10.0, -1.0), (12.0, -1.0)] {
        // rounding of an interpolation
        assert!((signal.at(t) - x).abs() < 1e-15, "{t}");
    }
    assert!(matches!(path(&[1.0], 1.0), Err(Error::Curve { .. })));
}

/// A mass under a constant force beyond Coulomb's: x = (u − Fc)/m·t²/2, and the run ends when told to.
#[test]
fn a_pushed_mass_and_an_early_end() {
    let drive = Drive::Force { mass: 2.0, force: Signal::Constant(3.0) };
    let trace = rig("coulomb", &[("fc", 1.0)]).run_while(&drive, &until(10.0), |[.., v, _]| v < 1.0).unwrap();
    assert!(!trace.summary.complete);
    let last = trace.len() - 1;
    // a parabola, which the solver takes without error: rounding
    assert!((trace.x[last] - 0.5 * trace.t[last].powi(2)).abs() < 1e-12);
}

#[test]
fn what_cannot_be_is_refused() {
    let chirp = Signal::Chirp { amplitude: 1.0, omega: 1.0, rate: 1.0, phase: 0.0 };
    let rig = rig("coulomb", &[]);
    assert!(matches!(rig.run(&Drive::Velocity(chirp), &until(1.0)), Err(Error::Conflict { key: "velocity", .. })));
    let drive = Drive::Force { mass: 0.0, force: Signal::Constant(1.0) };
    assert!(matches!(rig.run(&drive, &until(1.0)), Err(Error::System(_))));
}
