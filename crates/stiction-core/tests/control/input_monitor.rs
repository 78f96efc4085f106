//! Samples that cannot be true.
use stiction_core::control::{Control, InputMonitor, Monitored, MotionSample, Pid, Signals};
use stiction_core::{Params, StateVector};

/// Commands and faults of a guarded PID for these positions.
fn guarded(positions: &[f64]) -> Vec<[f64; 2]> {
    let control = Monitored { control: Pid::<f64>::nominal(), monitor: InputMonitor { jump: 0.5 } };
    let mut w = StateVector::zero();
    let mut answer = |x: &f64| {
        let now = Signals::new(MotionSample { x: 1.0, v: 0.0, a: 0.0 }, MotionSample::rest(*x));
        let u;
        (w, u) = control.step(&w, &now, 1e-3);
        [u, w.1[3]]
    };
    positions.iter().map(&mut answer).collect()
}

#[test]
fn a_guard_leaves_out_what_cannot_be_true() {
    let plain = guarded(&[0.1, 0.2, 0.3, 0.4]);
    assert!(plain.iter().all(|[_, fault]| *fault == 0.0));
    // without the sample nothing has happened
    let nan = guarded(&[0.1, 0.2, f64::NAN, f64::INFINITY, 0.3, 0.4]);
    assert_eq!(nan.iter().map(|a| a[1]).collect::<Vec<_>>(), [0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
    assert_eq!([nan[2][0], nan[3][0]], [plain[1][0]; 2], "the last good command is held");
    assert_eq!([nan[4], nan[5]], [plain[2], plain[3]]);
    // a spike is two faults, there and back; a place that really jumped is one
    let fault = |x: &[f64]| guarded(x).iter().map(|a| a[1]).collect::<Vec<_>>();
    assert_eq!(fault(&[0.1, 0.9, 0.1, 0.2]), [0.0, 4.0, 4.0, 0.0]);
    assert_eq!(fault(&[0.1, 0.9, 0.95, 1.0]), [0.0, 4.0, 0.0, 0.0]);
    // far from zero at the beginning is no jump
    assert_eq!(fault(&[7.0, 7.1]), [0.0, 0.0]);
}

#[test]
fn a_guard_looks_at_the_wanted_motion_too() {
    let control = Monitored { control: Pid::<f64>::nominal(), monitor: InputMonitor::nominal() };
    let at = |reference: f64, measured: f64| {
        let now = Signals::new(MotionSample { x: 0.0, v: reference, a: 0.0 }, MotionSample::rest(measured));
        control.step(&StateVector::zero(), &now, 1e-3).0.1[3]
    };
    assert_eq!([at(0.0, 0.0), at(f64::NAN, 0.0), at(f64::NAN, f64::NAN), at(1e40, 0.0)], [0.0, 2.0, 3.0, 2.0]);
}
