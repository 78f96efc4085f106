//! The servo of Åström's slides: unit mass, LuGre friction, a PID that hunts; and the same with friction compensated.
use crate::rig::{ReferenceMotion, Rig, Rms, Sample, sine};
use stiction_core::Params;
use stiction_core::control::stability::Presliding;
use stiction_core::control::{
    Control, Feedforward, FeedforwardGains, FrictionObserver, MotionSample, ObserverGains, ServoPlant, StateFeedback,
};
use stiction_core::models::{LuGre, Viscous};

/// Kp 3, Kv 6, Ki 4 are the defaults.
fn base() -> StateFeedback<f64> {
    StateFeedback::nominal()
}
/// The law with every force times `k`.
pub fn scaled(k: f64) -> LuGre<f64> {
    let m = LuGre::<f64>::nominal();
    LuGre { fc: k * m.fc, fs: k * m.fs, sigma0: k * m.sigma0, sigma1: k * m.sigma1, sigma2: k * m.sigma2, ..m }
}
fn compensated(law: LuGre<f64>, mass: f64) -> (StateFeedback<f64>, Feedforward<LuGre<f64>, f64>) {
    (base(), Feedforward { law, gains: FeedforwardGains { share: 1.0, ahead: 0.0, mass } })
}
/// Positions of the servo, commanded to 1, over five seconds; by Runge and Kutta's method on the contact's side.
fn step_response(law: Option<LuGre<f64>>, control: &impl Control<f64>, dt: f64) -> Vec<f64> {
    let (samples, mut out) = ((5.0 / dt).round() as u32 + 1, Vec::new());
    let watch = |s: &Sample| out.push(s.at.x);
    let reference: ReferenceMotion<'_> = &|_| MotionSample::rest(1.0);
    fn go<L: stiction_core::Friction<f64>>(
        law: L,
        c: &impl Control<f64>,
        reference: ReferenceMotion<'_>,
        samples: u32,
        dt: f64,
        mut watch: impl FnMut(&Sample),
    ) {
        let mut rig = Rig::new(law, 1.0, 1);
        rig.exact = true;
        rig.run(c, reference, samples, dt, |s, _| watch(s));
    }
    match law {
        Some(law) => go(law, control, reference, samples, dt, watch),
        None => go(Viscous { fv: 0.0, gamma: 1.0 }, control, reference, samples, dt, watch),
    }
    out
}
fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}

#[test]
fn exact_model_leaves_the_linear_loop() {
    let law = LuGre::nominal();
    let at = |dt: f64| {
        let free = step_response(None, &base(), dt);
        let with = step_response(Some(law), &compensated(law, 1.0), dt);
        (distance(&free, &with), with)
    };
    let (off, with) = at(1e-4);
    // second order in the sample time (below): some 100 s⁻² times dt²
    assert!(off < 1e-6, "{off}");
    // x(5) of the linear loop in continuous time; the hold makes the sampled one late by half a sample, which moves x by
    // some 0.5 of it: 3e-5
    assert!((with.last().unwrap() - 1.1460418).abs() < 5e-5, "{:?}", with.last());
    // second order in the sample time: a factor of two is four, less where higher orders show
    let coarse = at(2e-4).0;
    assert!(coarse / off > 3.0 && coarse / off < 8.0, "{coarse} and {off}");
    // what the prediction is for: without it the hold leaves a hundred times more, in first order
    let late = distance(&step_response(None, &base(), 1e-4), &step_response(Some(law), &compensated(law, 0.0), 1e-4));
    assert!(late > 50.0 * off, "{late} and {off}");
}

/// rms of the error on a reference, after the beginning.
fn tracking(control: &impl Control<f64>, reference: ReferenceMotion<'_>) -> f64 {
    let mut rms = Rms::default();
    Rig::new(LuGre::nominal(), 1.0, 4).run(control, reference, 40_000, 1e-3, |s, _| {
        if s.t > 25.0 {
            rms.add(s.error());
        }
    });
    rms.get()
}
pub fn two_sines(t: f64) -> MotionSample<f64> {
    let (a, b) = (sine(0.7, 1.0)(t), sine(0.3, 0.37)(t));
    MotionSample { x: a.x + b.x, v: a.v + b.v, a: a.a + b.a }
}

#[test]
fn a_model_off_by_a_tenth_cuts_the_error_four_times() {
    let plain = StateFeedback { mass: 1.0, ..base() };
    for (name, reference) in [
        ("one sine", &sine(1.0, 1.0) as ReferenceMotion<'_>),
        ("two sines", &two_sines),
        ("fast sine", &sine(0.3, 3.0)),
    ] {
        let none = tracking(&plain, reference);
        for k in [0.9, 1.0, 1.1] {
            let (_, model) = compensated(scaled(k), 1.0);
            let with = tracking(&(plain, model), reference);
            assert!(with < none / 4.0, "{name}: {with} with a model times {k}, {none} without");
        }
    }
}

/// Swing at rest over the last quarter of four periods of the limit cycle; the linear loop itself needs 30 s to settle.
fn swing(control: &impl Control<f64>) -> f64 {
    let (mut lo, mut hi) = (f64::MAX, f64::MIN);
    Rig::new(LuGre::nominal(), 1.0, 4).run(control, &|_| MotionSample::rest(1.0), 100_000, 1e-3, |s, _| {
        if s.t > 75.0 {
            (lo, hi) = (lo.min(s.at.x), hi.max(s.at.x));
        }
    });
    hi - lo
}

#[test]
fn compensation_ends_hunting() {
    // the limit cycle's half amplitude is 0.0639
    let alone = swing(&base());
    assert!(alone > 0.1, "{alone}");
    // At 1 kHz the hold leaves a thousandth of friction at every turn: a tremor of some 3e-3, as on the slides.
    let with = swing(&compensated(LuGre::nominal(), 1.0));
    assert!(with < 0.04 * alone, "{with}");
    let observer = FrictionObserver::new(LuGre::nominal(), ObserverGains { kx: 0.0, kv: 0.01, ahead: 0.0, mass: 1.0 });
    let observed = swing(&(base(), observer));
    // where the model rests, the error bends its bristles on
    assert!(observed < 0.01 * alone, "{observed}");
}

#[test]
fn an_observer_finds_bristles_that_were_bent_before() {
    // At rest, with the law's bristles bent by 10 µm of which the controller does not know. Where the error model is
    // strictly positive real, the error vanishes; without injection it stays.
    let servo = StateFeedback { kx: 30.0, kv: 12.0, ki: 0.0, mass: 1.0, ..base() };
    let plant = ServoPlant { mass: 1.0, damping: 0.0, period: 1e-3, delay: 0.0 };
    let left = |kx: f64, kv: f64| {
        let injection = ObserverGains { kx, kv, ahead: 0.0, mass: 1.0 };
        let observer = FrictionObserver::new(LuGre::nominal(), injection);
        let bristles = Presliding::of(&LuGre::nominal());
        let [verdict] = injection.stability(&bristles, &plant, &[servo.ki, servo.kx, servo.kv]);
        assert_eq!(verdict.holds, kv > 0.0, "{verdict:?}");
        let (mut rig, mut rms) = (Rig::new(LuGre::nominal(), 1.0, 8), Rms::default());
        rig.bend(1e-5);
        rig.run(&(servo, observer), &|_| MotionSample::rest(0.0), 5000, 1e-3, |s, _| {
            if s.t > 1.0 {
                rms.add(s.error());
            }
        });
        rms.get()
    };
    let (none, some, more) = (left(0.0, 0.0), left(0.05, 0.1), left(0.5, 1.0));
    // without injection the error stays; with it, it decays during the first second, faster with larger gains
    assert!(some < 0.1 * none && more < 0.02 * none, "{none}, {some}, {more}");
}
