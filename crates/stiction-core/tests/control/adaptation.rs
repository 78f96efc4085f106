//! Compensation that learns: from a model that is wrong by half, and under noise for ever.
use crate::rig::{ReferenceMotion, Rig, Rms};
use crate::servo::{scaled, two_sines};
use stiction_core::control::{
    Adaptive, AdaptiveScale, AdaptiveScaleGains, Control, Feedforward, FeedforwardGains, FrictionObserver,
    MotionSample, ObserverGains, Signals, StateFeedback,
};
use stiction_core::models::LuGre;
use stiction_core::{Params, Real, StateVector};

fn base() -> StateFeedback<f64> {
    StateFeedback { mass: 1.0, ..StateFeedback::nominal() }
}
fn scale() -> AdaptiveScaleGains<f64> {
    // lambda = kx/kv
    AdaptiveScaleGains { gamma: 10.0, lambda: 0.5, ..AdaptiveScaleGains::nominal() }
}
fn adaptive(k: f64) -> Adaptive<f64> {
    let (gain_c, gain_x, gain_v) = (100.0, 100.0, 100.0);
    Adaptive { fc: k, fx: 0.5 * k, fv: 0.4 * k, gain_c, gain_x, gain_v, lambda: 0.5, ..Adaptive::nominal() }
}
/// rms of the error after 15 s of 25, and the memory at the end.
fn learn<C: Control<f64>>(control: &C) -> (f64, C::State) {
    let (mut rms, mut end) = (Rms::default(), C::State::zero());
    let reference: ReferenceMotion<'_> = &two_sines;
    Rig::new(LuGre::nominal(), 1.0, 4).run(control, reference, 25_000, 1e-3, |s, w| {
        end = *w;
        if s.t > 15.0 {
            rms.add(s.error());
        }
    });
    (rms.get(), end)
}

#[test]
fn one_factor_converges_from_half_wrong() {
    for k in [0.5, 1.5] {
        let law = scaled(k);
        let gains = FeedforwardGains { share: 1.0, ahead: 0.0, mass: 1.0 };
        let control = Feedforward { law, gains };
        let fixed = learn(&(base(), control)).0;
        let (rms, end) = learn(&(base(), AdaptiveScale { control, gains: scale() }));
        let theta = 1.0 + end.1.1[0];
        // the hold and the corners of the motion leave some 1e-3
        assert!((theta * k - 1.0).abs() < 5e-3, "theta {theta} for a model times {k}");
        // a hundredth of the error of the model, which was a half; twice that
        assert!(rms < 0.02 * fixed, "{rms} adaptive, {fixed} fixed");
    }
}

#[test]
fn levels_and_viscosity_converge_from_half_wrong() {
    for k in [0.5, 1.5] {
        let gains = FeedforwardGains { share: 1.0, ahead: 0.0, mass: 1.0 };
        let fixed = learn(&(base(), Feedforward { law: scaled(k), gains })).0;
        let (rms, end) = learn(&(base(), adaptive(k)));
        let [_, fc, _, fv] = end.1;
        let (fc, fv) = (k + fc, 0.4 * k + fv);
        // Coulomb and viscous friction are told apart slowly: the sum at the usual speed is what the motion shows
        let usual = 0.5;
        assert!((fc + usual * fv - 1.0 - usual * 0.4).abs() < 0.05, "fc {fc}, fv {fv}");
        assert!((fc - 1.0).abs() < 0.2, "fc {fc}");
        // as for one factor: what remains is the corners of the motion
        assert!(rms < 0.02 * fixed, "{rms} adaptive, {fixed} fixed");
    }
}

/// Runs a controller on noise alone: uniform, of the scale given, in position and velocity.
fn shaken<C: Control<f64>>(control: &C, steps: u32, noise: f64, mut watch: impl FnMut(&C::State, f64)) {
    let mut w = C::State::zero();
    for k in 0..steps {
        let draw = |j: f64| noise * (2.0 * f64::uniform(7.0, 4.0 * f64::from(k) + j) - 1.0);
        let reference = MotionSample { x: 0.0, v: 0.1, a: 0.0 };
        let measured = MotionSample { x: draw(0.0), v: 0.1 + draw(1.0), a: 0.0 };
        let u;
        (w, u) = control.step(&w, &Signals::new(reference, measured), 1e-3);
        watch(&w, u);
    }
}

#[test]
fn a_million_steps_of_noise_leave_the_factor_bounded() {
    let control = FrictionObserver::new(LuGre::nominal(), ObserverGains { kv: 0.01, ..ObserverGains::nominal() });
    // wild noise, no remedy but the projection
    let gains = scale();
    let (mut lo, mut hi) = (f64::MAX, f64::MIN);
    shaken(&AdaptiveScale { control, gains }, 1_000_000, 10.0, |w, u| {
        (lo, hi) = (lo.min(w.1[0]), hi.max(w.1[0]));
        assert!(u.is_finite());
    });
    assert!(gains.low - 1.0 <= lo && hi <= gains.high - 1.0, "{lo} to {hi}");
    assert!(hi - lo > 0.5, "noise that moves nothing proves nothing");
}

#[test]
fn a_million_steps_of_noise_leave_all_estimates_bounded() {
    let a = adaptive(1.0);
    let (mut lo, mut hi) = ([f64::MAX; 3], [f64::MIN; 3]);
    shaken(&a, 1_000_000, 10.0, |w, _| {
        for (i, (begin, x)) in [(a.fc, w[1]), (a.fx, w[2]), (a.fv, w[3])].into_iter().enumerate() {
            (lo[i], hi[i]) = (lo[i].min(begin + x), hi[i].max(begin + x));
        }
    });
    // the sum of begin and difference may round
    for (i, most) in [a.max_c, a.max_x, a.max_v].into_iter().enumerate() {
        assert!(lo[i] >= -1e-12 && hi[i] <= most * (1.0 + 1e-12), "{i}: {} to {}", lo[i], hi[i]);
    }
    assert!(hi[0] - lo[0] > 1.0, "noise that moves nothing proves nothing");
}

#[test]
fn dead_zone_and_leak_stop_the_drift() {
    // Noise in the velocity turns the direction of friction with it, and so teaches a lower level: drift.
    let end = |gains: AdaptiveScaleGains<f64>| {
        let mut last = 0.0;
        let control = Feedforward {
            law: LuGre::nominal(),
            gains: FeedforwardGains { ahead: 0.0, ..FeedforwardGains::nominal() },
        };
        shaken(&AdaptiveScale { control, gains }, 100_000, 0.12, |w, _| last = w.1[0]);
        last
    };
    let drifts = end(scale());
    assert!(drifts.abs() > 0.3, "{drifts}");
    // |s| is at most 0.12 (1 + lambda)
    assert_eq!(end(AdaptiveScaleGains { dead: 0.18, ..scale() }), 0.0);
    let leaky = end(AdaptiveScaleGains { leak: 20.0, ..scale() });
    assert!(leaky.abs() < 0.5 * drifts.abs(), "{leaky} and {drifts}");
}
