//! Bad input: what is no number, jumps, is missing, late or too much.
use crate::rig::Rig;
use stiction_core::control::{
    DisturbanceObserver, FaultLimits, FaultTolerantLoop, Faults, Kalman, Loop, MotionSample, StateFeedback,
};
use stiction_core::models::LuGre;
use stiction_core::{Params, StateVector};

const COUNT: f64 = std::f64::consts::TAU / 4096.0;
const DT: f64 = 1e-3;
const MAX_FAULTY_SAMPLES: f64 = 5.0;

type Servo = FaultTolerantLoop<Kalman<f64>, (StateFeedback<f64>, DisturbanceObserver<f64>), f64>;

fn servo() -> Servo {
    let base = StateFeedback { kx: 100.0, kv: 20.0, ki: 200.0, mass: 1.0, ..StateFeedback::nominal() };
    let observer = DisturbanceObserver { cutoff: 20.0, ..DisturbanceObserver::nominal() };
    let estimator = Kalman { accel: 10.0, quantum: COUNT, noise: 1e-6 };
    let inner = Loop { estimator, control: (base, observer), limit: 30.0 };
    FaultTolerantLoop { inner, limits: FaultLimits { speed: 2.0, max_faulty_samples: MAX_FAULTY_SAMPLES, period: DT } }
}
/// Slow enough to be trusted: 0.5 rad/s at most.
fn reference(t: f64) -> MotionSample<f64> {
    MotionSample { x: 0.5 * t.sin(), v: 0.5 * t.cos(), a: -0.5 * t.sin() }
}

/// Four seconds; `spoil` changes what the servo is told at sample k: reference, position, time. Gives the errors of the true
/// position, and how often each fault was told.
fn run(spoil: impl Fn(u32, &mut MotionSample<f64>, &mut f64, &mut f64)) -> (Vec<f64>, [u32; 6]) {
    let servo = servo();
    let (mut rig, mut w, mut told, mut errors) =
        (Rig::new(LuGre::nominal(), 1.0, 4), StateVector::zero(), [0; 6], Vec::new());
    let mut t = 0.0;
    for k in 0..4000 {
        let (mut goal, mut x, mut dt) = (reference(t), (rig.at.x / COUNT).round() * COUNT, DT);
        errors.push(goal.x - rig.at.x);
        spoil(k, &mut goal, &mut x, &mut dt);
        let (u, faults): (f64, Faults<f64>);
        (w, u, faults) = servo.step(&w, &goal, x, dt);
        let list = [faults.missing, faults.jump, faults.lost, faults.clock, faults.reference, faults.saturated];
        told.iter_mut().zip(list).for_each(|(n, fault)| *n += u32::from(fault));
        assert_eq!(faults.any(), list.contains(&true));
        assert!(u.is_finite() && u.abs() <= 30.0, "{u} at sample {k}");
        assert!(numbers(&w).all(f64::is_finite), "{w:?} at sample {k}");
        // time that passes is that of the clock, if it is one
        let real = if dt.is_finite() && dt > 0.0 && dt < 1.0 { dt } else { DT };
        rig.push(u, real);
        t += real;
    }
    (errors, told)
}
/// Every number of a memory.
fn numbers<W: StateVector<f64>>(w: &W) -> impl Iterator<Item = f64> + '_ {
    (0..W::LEN).map(|i| w.get(i))
}
fn worst(errors: &[f64]) -> f64 {
    errors.iter().fold(0.0, |most: f64, e| most.max(e.abs()))
}
/// What the loop does when nothing is wrong, from when on it has settled.
fn usual() -> f64 {
    let (errors, told) = run(|_, _, _, _| {});
    // the first samples ask for more than there is: the body begins at rest and the reference does not
    assert_eq!(told[..5], [0; 5]);
    worst(&errors[1000..])
}
/// Samples after which the loop is what it was: the allowed faulty samples, and the time to settle. The slowest poles of
/// s³ + 20 s² + 100 s + 200 fall as exp(-3.1 t): in 1.5 s to a hundredth.
const RECOVERS: usize = MAX_FAULTY_SAMPLES as usize + 1500;

#[test]
fn numbers_that_are_none_are_left_out() {
    let usual = usual();
    for junk in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
        // one, as many as are allowed, and a tenth of a second
        for many in [1, MAX_FAULTY_SAMPLES as u32, 100] {
            let (errors, told) = run(|k, _, x, _| *x = if (2000..2000 + many).contains(&k) { junk } else { *x });
            assert_eq!(told[0], many);
            assert_eq!(told[2] > 0, f64::from(many) > MAX_FAULTY_SAMPLES, "lost {} of {many}", told[2]);
            let end = 2000 + many as usize;
            // up to the allowed number it does not show; after a tenth of a second blind it is back in time
            let blind = worst(&errors[2000..end + RECOVERS]);
            assert!(
                f64::from(many) > MAX_FAULTY_SAMPLES || blind < 2.0 * usual + COUNT,
                "{many} of {junk}: {blind} and {usual}"
            );
            // a tenth of a second at 0.5 rad/s, and as much again by what the loop pushes meanwhile
            assert!(blind < 0.2, "{many} of {junk}: {blind}");
            let after = worst(&errors[end + RECOVERS..]);
            assert!(after < 1.5 * usual, "{many} of {junk}: {after} and {usual}");
        }
    }
}

#[test]
fn a_jump_is_left_out_if_it_passes_and_believed_if_it_stays() {
    let usual = usual();
    let far = 50.0 * COUNT;
    let (errors, told) = run(|k, _, x, _| *x += if (2000..2003).contains(&k) { far } else { 0.0 });
    assert_eq!((told[0], told[1], told[2]), (0, 3, 0));
    assert!(worst(&errors[2000..]) < 2.0 * usual + COUNT, "{} and {usual}", worst(&errors[2000..]));
    // the encoder has slipped for good: the body follows its counts, and is off by the slip
    let (errors, told) = run(|k, _, x, _| *x += if k >= 2000 { far } else { 0.0 });
    assert_eq!(told[1], MAX_FAULTY_SAMPLES as u32 + 1);
    let counted: Vec<f64> = errors.iter().map(|e| e - far).collect();
    assert!(worst(&counted[2000 + RECOVERS..]) < 1.5 * usual + COUNT);
}

#[test]
fn a_clock_that_changes_is_told_and_used() {
    let usual = usual();
    // every tenth sample is missed
    let (errors, told) = run(|k, _, _, dt| *dt = if k % 10 == 9 { 2.0 * DT } else { DT });
    assert_eq!(told[3], 400);
    assert!(worst(&errors[1000..]) < 2.0 * usual, "{} and {usual}", worst(&errors[1000..]));
    // from 1 kHz to 500 Hz at run time
    let (errors, told) = run(|k, _, _, dt| *dt = if k >= 2000 { 2.0 * DT } else { DT });
    assert_eq!(told[3], 2000);
    assert!(worst(&errors[2000 + RECOVERS..]) < 2.0 * usual);
    // times that are none
    for junk in [f64::NAN, 0.0, -1.0, f64::INFINITY, 1e9] {
        let (errors, told) = run(|k, _, _, dt| *dt = if k == 2000 { junk } else { DT });
        assert_eq!(told[3], 1);
        assert!(worst(&errors[2000..]) < 2.0 * usual, "{junk}");
    }
}

#[test]
fn a_reference_that_is_none_holds_the_body_and_saturation_is_told() {
    let usual = usual();
    let (errors, told) = run(|k, goal, _, _| {
        if (2000..2050).contains(&k) {
            goal.x = f64::NAN;
        }
    });
    assert_eq!(told[4], 50);
    assert!(worst(&errors[2050 + RECOVERS..]) < 1.5 * usual);
    // a leap of the reference is more than the actuator gives, and the integral does not wind up
    let (errors, told) = run(|k, goal, _, _| goal.x += if (1500..1600).contains(&k) { 2.0 } else { 0.0 });
    assert!(told[5] > 20, "{told:?}");
    assert!(worst(&errors[1600 + RECOVERS..]) < 1.5 * usual, "{} and {usual}", worst(&errors[1600 + RECOVERS..]));
}
