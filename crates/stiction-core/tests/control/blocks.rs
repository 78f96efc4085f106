//! What is true of one block alone.
use crate::rig::{Encoder, Rig, Rms};
use stiction_core::control::stability::Presliding;
use stiction_core::control::{
    AccelerationFeedback, Control, DisturbanceObserver, Dither, Estimator, Feedforward, FeedforwardGains,
    FilteredDifference, FrictionObserver, Kalman, MotionSample, ObserverGains, Pid, ServoPlant, Signals, SmoothStop,
    StateFeedback, TrackingDifferentiator, WithSmoothStop,
};
use stiction_core::models::{Coulomb, LuGre};
use stiction_core::{Friction, Input, Params, StateVector};

const DT: f64 = 1e-3;

fn at(reference: f64, measured: f64) -> Signals<f64> {
    Signals::new(MotionSample::rest(reference), MotionSample::rest(measured))
}

#[test]
fn pid_is_its_formula() {
    let pid = Pid { kp: 2.0, ki: 3.0, kd: 0.5, filter: 0.0, ..Pid::nominal() };
    let mut w = StateVector::zero();
    let y = |k: u32| (0.01 * f64::from(k)).sin();
    let mut integral = 0.0;
    for k in 0..1000 {
        let u;
        (w, u) = pid.step(&w, &at(0.3, y(k)), DT);
        let e = 0.3 - y(k);
        let slope = if k == 0 { 0.0 } else { -(y(k) - y(k - 1)) / DT };
        let want = 2.0 * e + integral + 0.5 * slope;
        integral += DT * 3.0 * e;
        // rounding of a difference over dt
        assert!((u - want).abs() < 1e-11, "{k}: {u} and {want}");
    }
}

#[test]
fn the_integral_does_not_wind_up() {
    // ten seconds against the limit, then the error turns: with back-calculation the command turns at once
    let turn = |windup: f64| {
        let pid = Pid { kp: 1.0, ki: 10.0, kd: 0.0, windup, limit: 1.0, ..Pid::nominal() };
        let mut w = StateVector::zero();
        for _ in 0..10_000 {
            w = pid.step(&w, &at(1.0, 0.0), DT).0;
        }
        let mut samples = 0;
        loop {
            let u;
            (w, u) = pid.step(&w, &at(-0.1, 0.0), DT);
            assert!(u.abs() <= 1.0);
            if u < 0.0 || samples > 100_000 {
                return samples;
            }
            samples += 1;
        }
    };
    // the integral rests where kp e + I = limit + ki e windup: at 1 here, and 10·0.1 per second takes a second off; one
    // that only its own limit holds would not fare better than that, one without any would need a hundred
    assert!(turn(0.01) < 1000, "{}", turn(0.01));
    assert!(turn(0.01) <= turn(1e6), "{} and {}", turn(0.01), turn(1e6));
}

#[test]
fn estimators_follow_a_ramp_exactly() {
    fn end<E: Estimator<f64>>(e: E) -> MotionSample<f64> {
        let (mut w, mut measured) = (E::State::zero(), MotionSample::rest(0.0));
        for k in 0..20_000 {
            (w, measured) = e.step(&w, 5.0 + 0.2 * f64::from(k) * DT, DT);
        }
        measured
    }
    let truth = 5.0 + 0.2 * 19_999.0 * DT;
    // the tracker is late by some samples in position, as Han's is
    let cases = [
        ("difference", end(FilteredDifference { tau: 0.02 }), 1e-9),
        ("tracker", end(TrackingDifferentiator::nominal()), 0.2 * 20.0 * DT),
        ("kalman", end(Kalman::nominal()), 1e-9),
    ];
    // a slope of positions near 9, which round by 2e-15, over a sample: 2e-12, and another sample for the acceleration
    for (name, measured, late) in cases {
        assert!((measured.v - 0.2).abs() < 1e-9, "{name}: {measured:?}");
        assert!((measured.x - truth).abs() <= late, "{name}: {measured:?}, {truth}");
        assert!(measured.a.abs() < 1e-6, "{name}: {measured:?}");
    }
}

#[test]
fn kalman_gains_solve_the_riccati_equation() {
    // the covariance of position and velocity, iterated to rest
    let k = Kalman { accel: 2.0, quantum: 1e-3, noise: 2e-4 };
    let dt = 1e-2_f64;
    let r = k.noise * k.noise + k.quantum * k.quantum / 12.0;
    let q = k.accel * k.accel;
    let (mut pxx, mut pxv, mut pvv) = (1.0, 0.0, 1.0);
    let mut gains = [0.0; 2];
    for _ in 0..20_000 {
        // x += v dt + a dt²/2, v += a dt
        let (a, b, c) = (pxx + 2.0 * dt * pxv + dt * dt * pvv, pxv + dt * pvv, pvv);
        let (a, b, c) = (a + q * dt.powi(4) / 4.0, b + q * dt.powi(3) / 2.0, c + q * dt * dt);
        gains = [a / (a + r), b / (a + r)];
        (pxx, pxv, pvv) = ((1.0 - gains[0]) * a, (1.0 - gains[0]) * b, c - gains[1] * b);
    }
    let [alpha, beta] = k.gains(dt);
    // the iteration has converged to rounding; the closed form subtracts nearly equal numbers
    assert!((alpha - gains[0]).abs() < 1e-12 && (beta - gains[1] * dt).abs() < 1e-12, "{alpha} {beta}, {gains:?}");
}

#[test]
fn filters_see_slow_motion_through_counts() {
    // 0.02 rad/s by an encoder of 4096 counts: a plain difference shows 0 or 1.5 rad/s
    let encoder = Encoder { quantum: std::f64::consts::TAU / 4096.0, noise: 0.0, seed: 1.0 };
    fn error<E: Estimator<f64>>(e: E, encoder: Encoder) -> f64 {
        let (mut w, mut rms) = (E::State::zero(), Rms::default());
        for k in 0..20_000 {
            let measured;
            (w, measured) = e.step(&w, encoder.read(0.02 * f64::from(k) * DT, k), DT);
            if k > 10_000 {
                rms.add(measured.v - 0.02);
            }
        }
        rms.get()
    }
    let plain = error(FilteredDifference { tau: 0.0 }, encoder);
    let cases = [
        ("difference", error(FilteredDifference { tau: 0.1 }, encoder)),
        ("tracker", error(TrackingDifferentiator { accel: 1.0, smooth: 200.0 }, encoder)),
        ("kalman", error(Kalman { accel: 1.0, quantum: encoder.quantum, noise: 1e-6 }, encoder)),
    ];
    for (name, error) in cases {
        assert!(error < 0.06 * plain && error < 0.5 * 0.02, "{name}: {error}, plain {plain}");
    }
    let [settles, shows] = FilteredDifference { tau: 0.1 }.stability(encoder.quantum, 0.02, DT);
    assert!(settles.holds && shows.holds);
    assert!(!FilteredDifference { tau: 0.0 }.stability(encoder.quantum, 0.02, DT)[1].holds);
    let [smooth, follows] = TrackingDifferentiator::nominal().stability(50.0);
    assert!(smooth.holds && follows.holds && !TrackingDifferentiator::nominal().stability(200.0)[1].holds);
}

#[test]
fn feedforward_is_the_law() {
    let law = LuGre::<f64>::nominal();
    let ff = Feedforward { law, gains: FeedforwardGains { share: 0.8, ahead: 1.0, mass: 0.0 } };
    let (mut w, mut z) = (StateVector::zero(), [0.0]);
    for k in 0..1000 {
        let v = 0.01 * (0.05 * f64::from(k)).sin();
        let now = Signals::new(MotionSample { x: 0.0, v, a: 0.0 }, MotionSample::rest(0.0));
        let (u, force);
        (w, u) = ff.step(&w, &now, DT);
        (z, force) = law.sample(&z, &Input::at(v), DT);
        assert_eq!(u, 0.8 * force);
    }
    let check = |ahead: f64, share: f64| FeedforwardGains { share, ahead, mass: 0.0 }.stability(0.1)[0].holds;
    assert!(check(1.0, 2.0) && check(0.0, 0.9) && !check(0.0, 1.0));
}

#[test]
fn observer_without_injection_is_feedforward_and_with_it_pulls_out_of_rest() {
    let law = LuGre::<f64>::nominal();
    let step = |kx: f64| {
        let observer = FrictionObserver::new(law, ObserverGains { kx, ..ObserverGains::nominal() });
        let (mut w, mut u) = (StateVector::zero(), 0.0);
        for _ in 0..2000 {
            (w, u) = observer.step(&w, &at(1e-3, 0.0), DT);
        }
        u
    };
    assert_eq!(step(0.0), 0.0);
    // behind by 1 mm for two seconds: the bristles bend by 1e-3·kx a second, and no further than they can
    let bent = law.sigma0 * 1e-5 + law.sigma1 * 5e-6;
    // rounding of two thousand sums
    assert!((step(5e-3) - bent).abs() < 1e-12, "{}", step(5e-3));
    let most = step(10.0);
    // the limit of the bristles: a few roundings
    assert!((most - law.fs).abs() < 1e-12, "{most}");
}

#[test]
fn dither_is_a_sine_and_frees_the_contact() {
    let dither = Dither { amplitude: 1.0, frequency: 7.0, ..Dither::nominal() };
    let mut w = StateVector::zero();
    for k in 0..1000 {
        let u;
        (w, u) = dither.step(&w, &at(0.0, 0.0), DT);
        let want = (std::f64::consts::TAU * 7.0 * f64::from(k) * DT).sin();
        // the polynomial of the sine is good to 6e-8
        assert!((u - want).abs() < 1e-7, "{k}: {u} and {want}");
    }
    // a body on Coulomb friction, pushed by a fifth of what it takes to move it
    let law = Coulomb { fc: 1.0 };
    let rest = Presliding::of(&law);
    assert_eq!(rest, Presliding { breakaway: 1.0, stiffness: 0.0, damping: 0.0 });
    let plant = ServoPlant { mass: 1.0, damping: 0.0, period: 1e-4, delay: 0.0 };
    let shake = Dither { amplitude: 10.0, ..Dither::for_law(&rest, &plant, 1e-4) };
    assert!(shake.stability(&rest, &plant, 10.0).iter().all(|v| v.holds), "{:?}", shake.stability(&rest, &plant, 10.0));
    let drift = |amplitude: f64| {
        let (mut rig, mut w) = (Rig::new(law, 1.0, 4), StateVector::zero());
        let (d, mut speed) = (Dither { amplitude, ..shake }, 0.0);
        for k in 0..20_000 {
            let u;
            (w, u) = d.step(&w, &at(0.0, 0.0), 1e-4);
            rig.push(u + 0.2, 1e-4);
            if k >= 10_000 {
                speed += rig.at.v / 10_000.0;
            }
        }
        speed
    };
    assert_eq!(drift(0.0), 0.0);
    // on average Coulomb friction is Fc 2/pi asin(v/V), V the speed of the shake
    let omega = std::f64::consts::TAU * shake.frequency;
    let want = 10.0 / omega * (0.2 * std::f64::consts::FRAC_PI_2).sin();
    // friction takes a part of the shake's speed, a tenth of its force
    assert!((drift(10.0) / want - 1.0).abs() < 0.15, "{} and {want}", drift(10.0));
    let ripple = Dither::for_law(&rest, &plant, 1e-4).ripple(1.0);
    // a square root and its square: a few roundings of 1e-4
    assert!((ripple - 1e-4).abs() < 1e-18, "{ripple}");
}

#[test]
fn pulses_push_towards_the_goal() {
    let pulses = Dither { amplitude: 2.0, frequency: 10.0, shape: 2.0, duty: 0.3, dead: 0.01 };
    let sum = |reference: f64| {
        let (mut w, mut sum) = (StateVector::zero(), 0.0);
        for _ in 0..1000 {
            let u;
            (w, u) = pulses.step(&w, &at(reference, 0.0), DT);
            sum += u * DT;
        }
        sum
    };
    // three tenths of a second at 2 N; one sample in a period at the edge of each pulse
    assert!((sum(1.0) - 0.6).abs() <= 0.021 && (sum(-1.0) + 0.6).abs() <= 0.021, "{}", sum(1.0));
    assert_eq!(sum(0.005), 0.0);
    let values = |shape: f64| [2.0, 10.0, shape, 0.3, 0.01];
    assert!(Dither::<f64>::check(&values(2.0)).is_ok() && Dither::<f64>::check(&values(0.5)).is_err());
}

/// Acceleration of a mass under a constant force of 1 N, against a constant force of -0.5 N nobody knows of.
fn pushed<C: Control<f64>>(control: &C) -> f64 {
    let (mut w, mut applied, mut v, mut a) = (C::State::zero(), 0.0, 0.0, 0.0);
    for _ in 0..5000 {
        let now =
            Signals { applied, commanded: 1.0, ..Signals::new(MotionSample::rest(0.0), MotionSample { x: 0.0, v, a }) };
        let share;
        (w, share) = control.step(&w, &now, DT);
        applied = 1.0 + share;
        a = (applied - 0.5) / 2.0;
        v += DT * a;
    }
    a
}

#[test]
fn acceleration_feedback_makes_friction_small() {
    let feedback = AccelerationFeedback { gain: 8.0, mass: 2.0, tau: 0.05 };
    // commanded/m - F/(m + gain)
    let a = pushed(&feedback);
    // a hundred time constants: the filter has settled to rounding
    assert!((a - (0.5 - 0.5 / 10.0)).abs() < 1e-12, "{a}");
}

#[test]
fn disturbance_observer_finds_the_force() {
    let observer = DisturbanceObserver { mass: 2.0, ..DisturbanceObserver::nominal() };
    // settled: the filter forgets its beginning within 0.1 s of 5 s
    assert!((pushed(&observer) - 0.5).abs() < 1e-12, "{}", pushed(&observer));
    // half of it is half of it
    let half = DisturbanceObserver { share: 0.5, ..observer };
    assert!((pushed(&half) - 0.375).abs() < 1e-12, "{}", pushed(&half));
    let limited = DisturbanceObserver { limit: 0.1, ..observer };
    assert!((pushed(&limited) - 0.3).abs() < 1e-12, "{}", pushed(&limited));
}

#[test]
fn smooth_stop_freezes_and_releases() {
    let stop = SmoothStop { band: 1e-3, release: 2e-3, still: 1e-3, fade: 1e9 };
    let quiet = WithSmoothStop { control: StateFeedback::<f64>::nominal(), stop };
    let mut w = StateVector::zero();
    let mut push = |reference: f64, measured: f64, times: u32| {
        let mut u = 0.0;
        for _ in 0..times {
            (w, u) = quiet.step(&w, &at(reference, measured), DT);
        }
        u
    };
    let far = push(0.01, 0.0, 100);
    assert!(far > push(0.01, 0.0, 1) * 0.9);
    let near = push(0.01, 0.0095, 1);
    // the command fades by ten seconds over `fade`
    let kept = |u: f64| (u / near - 1.0).abs() < 1e-7;
    assert!(kept(push(0.01, 0.0095, 10_000)), "the integral grows within the band");
    assert!(kept(push(0.01, 0.0085, 10_000)), "leaves before the release");
    assert!(push(0.01, 0.0075, 1000) > near, "does not leave at the release");
    let [holds, sees] = stop.stability(1.5, 100.0, 1e-3);
    assert!(holds.holds && sees.holds && !stop.stability(0.1, 100.0, 1e-3)[0].holds);
}

#[test]
fn sampling_twice_as_fast_shows_the_same_estimate() {
    // a function of time, however it is sampled: the disturbance observer's filter is exact
    let run = |dt: f64, n: u32| {
        let d = DisturbanceObserver::<f64>::nominal();
        let (mut w, mut u) = (StateVector::zero(), 0.0);
        for _ in 0..n {
            let now = Signals { applied: 0.7, ..at(0.0, 0.0) };
            (w, u) = d.step(&w, &now, dt);
        }
        u
    };
    // rounding of forty steps of a filter
    assert!((run(1e-3, 20) - run(5e-4, 40)).abs() < 1e-14);
    assert!((run(1e-3, 20) - 0.7 * (1.0 - (-50.0 * 0.02_f64).exp())).abs() < 1e-14);
}
