//! The conditions of stability against closed forms and against what the loops do.
use stiction_core::control::stability::{Presliding, dissipative, positive_real};
use stiction_core::control::{
    AccelerationFeedback, Adaptive, AdaptiveScaleGains, Control, DisturbanceObserver, Kalman, MotionSample,
    ObserverGains, Pid, ServoPlant, Signals, StateFeedback,
};
use stiction_core::models::{Dahl, Gms, LuGre};
use stiction_core::{Friction, Params, StateVector};

fn plant() -> ServoPlant {
    ServoPlant { mass: 1.0, damping: 0.0, period: 1e-3, delay: 0.0 }
}

#[test]
fn bristles_of_a_law() {
    let m = LuGre::<f64>::nominal();
    let of = Presliding::of(&m);
    // the rate and the force are linear in the deflection from rest: rounding
    assert!((of.stiffness / m.sigma0 - 1.0).abs() < 1e-12, "{of:?}");
    // a difference of slopes a hundredth of the stiffness apart
    assert!((of.damping / m.sigma1 - 1.0).abs() < 1e-9, "{of:?}");
    let dahl = Dahl::<f64>::nominal();
    let of = Presliding::of(&dahl);
    assert!((of.stiffness / dahl.sigma - 1.0).abs() < 1e-12 && of.damping == 0.0, "{of:?}");
    let gms = Gms::<f64>::nominal();
    let stiff =
        (gms.force(&gms.step(&[0.0; 8], &stiction_core::Input::at(1e-9), 1.0), &stiction_core::Input::at(0.0))) / 1e-9;
    // the elements are linear until they slide: rounding of a difference of forces
    assert!((Presliding::of(&gms).stiffness / stiff - 1.0).abs() < 1e-9, "{}", Presliding::of(&gms).stiffness / stiff);
}

#[test]
fn positive_real_by_hand() {
    // Injection of the position error: Re (sigma1 jw + sigma0)/(kp - m w² + j kd w) > 0 at every w exactly where
    // sigma1 kd > m sigma0
    let law = LuGre::<f64>::nominal();
    let edge = law.sigma0 / law.sigma1;
    let bristles = Presliding::of(&law);
    let check = |injection: ObserverGains<f64>, gains: [f64; 3]| injection.stability(&bristles, &plant(), &gains)[0];
    let position = ObserverGains { kx: 1.0, kv: 0.0, ..ObserverGains::nominal() };
    assert!(check(position, [0.0, 3.0, 1.01 * edge]).holds);
    assert!(!check(position, [0.0, 3.0, 0.99 * edge]).holds);
    // With kv (s + lambda) the real part is sigma0 lambda kp + w² (kd (sigma0 + sigma1 lambda) - m sigma0 lambda - sigma1 kp)
    // + m sigma1 w⁴: never negative for gains as small as the slides'
    let both = ObserverGains { kx: 0.5, kv: 1.0, ..ObserverGains::nominal() };
    assert!(check(both, [0.0, 3.0, 6.0]).holds);
    // the bracket's root in kd, where the square in w has a double root: (bracket)² = 4 sigma0 lambda kp m sigma1
    let (lambda, kp) = (100.0, 3.0);
    let bracket = -2.0 * (law.sigma0 * lambda * kp * law.sigma1).sqrt();
    let kd = (bracket + law.sigma0 * lambda + law.sigma1 * kp) / (law.sigma0 + law.sigma1 * lambda);
    let steep = ObserverGains { kx: lambda, kv: 1.0, ..ObserverGains::nominal() };
    assert!(check(steep, [0.0, kp, 1.01 * kd]).holds && !check(steep, [0.0, kp, 0.99 * kd]).holds, "{kd}");
    // an unstable denominator is never positive real
    assert!(!positive_real("", &[1.0, 1.0, 0.0, 0.0], &[1.0, -1.0, 1.0, 0.0]).holds);
    assert!(!check(both, [40.0, 3.0, 6.0]).holds);
}

#[test]
fn dissipativity_of_lugre() {
    let m = LuGre::<f64>::nominal();
    assert!(!dissipative(&m).holds, "the slides' set is not passive");
    // sigma1 (1.5 - 1)/1
    let enough = LuGre { sigma2: 0.51 * m.sigma1, ..m };
    let verdict = dissipative(&enough);
    // a difference of slopes a hundredth apart, as above
    assert!(verdict.holds && (verdict.margin - 0.01 * m.sigma1).abs() < 1e-9, "{verdict:?}");
}

#[test]
fn phase_margins_in_closed_form() {
    // velocity feedback alone on a mass: kd/(m s) crosses at kd/m, 90 degrees less what hold and delay take
    let late = ServoPlant { delay: 2e-3, ..plant() };
    let servo = StateFeedback { kx: 0.0, kv: 100.0, ki: 0.0, ..StateFeedback::nominal() };
    let [_, margin] = servo.stability(&late);
    let want = std::f64::consts::FRAC_PI_2 - 100.0 * (0.5e-3 + 2e-3);
    // the sweep steps by 0.9 % in frequency
    assert!((margin.margin - want).abs() < 5e-3, "{margin:?}, {want}");
    assert!(!servo.stability(&ServoPlant { delay: 0.02, ..plant() })[1].holds);
    // a filter of tau takes atan(w tau) at the crossing, which it moves: w sqrt(1 + (w tau)²) = kd/m
    let pid = Pid { kp: 0.0, ki: 0.0, kd: 100.0, filter: 0.01, ..Pid::nominal() };
    let w = ((((1.0 + 4.0 * 1e4 * 1e-4_f64).sqrt()) - 1.0) / (2.0 * 1e-4)).sqrt();
    let want = std::f64::consts::FRAC_PI_2 - (w * 0.01).atan() - w * 0.5e-3;
    let got = pid.stability(&plant())[1];
    assert!((got.margin - want).abs() < 5e-3, "{got:?}, {want}");
    // Hurwitz: kv kx > m ki
    let edge = |ki: f64| StateFeedback { ki, ..StateFeedback::nominal() }.stability(&plant())[0];
    assert!(edge(17.9).holds && !edge(18.1).holds);
    // closed form: rounding
    assert!((edge(9.0).margin - 1.0).abs() < 1e-12, "twice the integral is the end: {:?}", edge(9.0));
}

/// The largest speed of a free mass under a controller after `steps` samples, from a speed of 1: what grows is unstable.
fn growth<C: Control<f64>>(control: &C, mass: f64, steps: u32) -> f64 {
    let (mut w, mut applied, mut at) = (C::State::zero(), 0.0, MotionSample { x: 0.0, v: 1.0, a: 0.0 });
    let mut most = 0.0_f64;
    for k in 0..steps {
        let now = Signals { applied, ..Signals::new(MotionSample::rest(0.0), at) };
        (w, applied) = control.step(&w, &now, 1e-3);
        // a kick after the beginning
        let a = (applied + f64::from(u8::from(k == 1))) / mass;
        at = MotionSample { x: 0.0, v: at.v + 1e-3 * a, a };
        most = if k + 10 > steps { most.max(applied.abs()) } else { 0.0 };
    }
    most
}

#[test]
fn acceleration_feedback_is_stable_to_its_limit() {
    // mass (2 tau + dt)/dt = 5
    let at = |gain: f64| AccelerationFeedback { gain, mass: 1.0, tau: 2e-3 };
    assert!(at(4.9).stability(&plant(), 0.0)[0].holds && growth(&at(4.9), 1.0, 1000) < 1e-3);
    assert!(!at(5.1).stability(&plant(), 0.0)[0].holds && growth(&at(5.1), 1.0, 1000) > 10.0);
    // both conditions say the same where nothing is late
    assert!(at(4.9).stability(&plant(), 0.0)[1].holds && !at(5.1).stability(&plant(), 0.0)[1].holds);
    // half of that gain bears a delay until the phase where it crosses one is used up
    let half = |delay: f64, lag: f64| at(2.5).stability(&ServoPlant { delay, ..plant() }, lag)[1].margin;
    let theta = (half(0.0, 0.0) - half(1e-4, 0.0)) / 0.1;
    // there |1 - 2/3 exp(-j theta)| = 2.5/3
    let crossing = (1.0 - 2.0 / 3.0 * theta.cos()).hypot(2.0 / 3.0 * theta.sin());
    // theta is a difference of margins, which round by 1e-15, over 0.1
    assert!((crossing - 2.5 / 3.0).abs() < 1e-12, "{theta} {crossing}");
    assert!(half(5e-3, 0.0) < 0.0 && half(0.0, 0.0) > 0.0 && half(1e-3, 1e-3) < half(0.0, 1e-3));
    assert!(at(0.9).stability(&ServoPlant { delay: 1.0, ..plant() }, 1.0)[1].holds);
}

#[test]
fn disturbance_observer_is_stable_to_its_limit() {
    // a fast observer that takes the body for heavier than it is: (1 - e^-1) r < 2
    let at = |mass: f64| DisturbanceObserver { mass, cutoff: 1000.0, ..DisturbanceObserver::nominal() };
    let edge = 2.0 / (1.0 - (-1.0_f64).exp());
    let real = plant();
    assert!(at(0.99 * edge).stability(&real, 0.0)[0].holds && growth(&at(0.99 * edge), 1.0, 3000) < 10.0);
    assert!(!at(1.01 * edge).stability(&real, 0.0)[0].holds && growth(&at(1.01 * edge), 1.0, 3000) > 1e5);
    // phase: a velocity late by tau = 1/cutoff takes 45 degrees
    let slow = DisturbanceObserver { cutoff: 10.0, ..DisturbanceObserver::nominal() };
    let got = slow.stability(&real, 0.1)[1].margin;
    // closed form: rounding
    assert!((got - (std::f64::consts::FRAC_PI_4 - 10.0 * 1.5e-3)).abs() < 1e-12, "{got}");
}

#[test]
fn sampled_adaptation_is_stable_to_its_limit() {
    // m ds/dt = -kv s + F (theta_true - theta), solved exactly over a sample, with theta moved by the s of the sample
    // before: the determinant of one sample is 1 where gamma F² dt = kv
    let run = |gamma: f64| {
        let (kv, f, dt) = (6.0, 1.0, 1e-3_f64);
        let (mut s, mut theta, mut most) = (0.0, 0.5, 0.0_f64);
        for k in 0..20_000 {
            let (old, target) = (s, f * (1.0 - theta) / kv);
            s = target + (s - target) * (-kv * dt).exp();
            theta += dt * gamma * f * old;
            if k > 19_000 {
                most = most.max((theta - 1.0_f64).abs());
            }
        }
        most
    };
    let check = |gamma: f64| {
        AdaptiveScaleGains { gamma, high: 1.0, ..AdaptiveScaleGains::nominal() }.stability(&plant(), 6.0, 1.0, 0.0)[0]
            .holds
    };
    // off by a sixth, the swing falls or grows by half a thousandth a sample
    assert!(check(5000.0) && run(5000.0) < 0.05, "{}", run(5000.0));
    assert!(!check(7000.0) && run(7000.0) > 100.0, "{}", run(7000.0));
    let all =
        |gain: f64| Adaptive { gain_c: gain, gain_v: 0.0, ..Adaptive::nominal() }.stability(&plant(), 6.0, 1.0, 0.0)[0];
    assert!(all(5900.0).holds && !all(6100.0).holds);
    // noise: a dead zone of three deviations, or a leak
    let quiet = |dead: f64, leak: f64| {
        AdaptiveScaleGains { dead, leak, ..AdaptiveScaleGains::nominal() }.stability(&plant(), 6.0, 1.0, 0.1)[1].holds
    };
    assert!(quiet(0.31, 0.0) && !quiet(0.29, 0.0) && quiet(0.0, 0.1));
}

#[test]
fn kalman_gains_lie_in_the_triangle() {
    for accel in [1e-6, 1.0, 1e6] {
        for dt in [1e-6, 1e-3, 1.0] {
            let verdict = Kalman { accel, ..Kalman::nominal() }.stability(dt)[0];
            assert!(verdict.holds, "{accel} {dt}: {verdict:?}");
        }
    }
}
