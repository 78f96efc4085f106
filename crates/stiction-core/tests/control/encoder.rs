//! Slow motion measured by an encoder of 4096 counts a turn, sampled at 1 kHz.
use crate::rig::{Encoder, ReferenceMotion, Rig, Rms, sine};
use stiction_core::Params;
use stiction_core::control::{
    Control, DisturbanceObserver, Kalman, Loop, MotionSample, SmoothStop, StateFeedback, WithSmoothStop,
};
use stiction_core::models::LuGre;

const COUNT: f64 = std::f64::consts::TAU / 4096.0;

/// Over the last third of half a minute: rms of the true error and the range of the true position's error, in counts.
fn slow(control: &impl Control<f64>, reference: ReferenceMotion<'_>, noise: f64) -> (f64, f64) {
    let (mut rms, mut lo, mut hi) = (Rms::default(), f64::MAX, f64::MIN);
    let encoder = Encoder { quantum: COUNT, noise: noise * COUNT, seed: 1.0 };
    Rig::new(LuGre::nominal(), 1.0, 4).run_encoded(control, reference, 30_000, 1e-3, encoder, |s, _| {
        if s.t > 20.0 {
            rms.add(s.error());
            (lo, hi) = (lo.min(s.error()), hi.max(s.error()));
        }
    });
    (rms.get() / COUNT, (hi - lo) / COUNT)
}

/// A smooth stop of this band, in counts.
fn stop(band: f64) -> SmoothStop<f64> {
    SmoothStop { band: band * COUNT, release: 2.0 * band * COUNT, still: 1e-2, fade: 1e9 }
}
/// A stiff servo as industry builds it, without and with what keeps it from hunting.
fn servo(stop: SmoothStop<f64>) -> (impl Control<f64>, impl Control<f64>) {
    let estimator = Kalman { accel: 10.0, quantum: COUNT, noise: 1e-6 };
    let base = StateFeedback { kx: 100.0, kv: 20.0, ki: 200.0, mass: 1.0, ..StateFeedback::nominal() };
    let observer = DisturbanceObserver { cutoff: 20.0, ..DisturbanceObserver::nominal() };
    let quiet = WithSmoothStop { control: (base, observer), stop };
    (Loop { estimator, control: base, limit: 100.0 }, Loop { estimator, control: quiet, limit: 100.0 })
}
/// Noise before counting, in counts to either side, and its standard deviation.
const NOISES: [(f64, f64); 2] = [(0.0, 0.0), (0.5, 0.5 * 0.577_350_269_189_625_7)];

#[test]
fn slow_motion_within_half_a_count() {
    let (plain, quiet) = servo(stop(0.3));
    let ramp = |speed: f64| move |t: f64| MotionSample { x: speed * t, v: speed, a: 0.0 };
    // six counts a second, one count a second, a turn-round
    let cases: [(&str, ReferenceMotion<'_>); 3] =
        [("ramp", &ramp(0.01)), ("creep", &ramp(0.002)), ("turns", &sine(0.05, 0.2))];
    for (name, reference) in cases {
        for (noise, deviation) in NOISES {
            let (rms, _) = slow(&quiet, reference, noise);
            assert!(rms < 0.5 + deviation, "{name} with noise {noise}: {rms} counts");
        }
    }
    let (rms, _) = slow(&plain, &ramp(0.002), 0.0);
    assert!(rms > 1.0, "stick-slip without: rms {rms}");
}

#[test]
fn rest_within_half_a_count_and_no_hunting() {
    // Goals are whole counts: nothing finer can be commanded of this encoder.
    let (plain, quiet) = servo(stop(0.3));
    // Between two counts the integral never rests, and a band that holds no count never begins; one that does ends it.
    let between = |_: f64| MotionSample::rest(195.5 * COUNT);
    let (rms, swing) = slow(&plain, &between, 0.0);
    assert!(rms > 1.0 && swing > 2.0, "hunts by {swing} counts, rms {rms}");
    for band in [0.3, 0.6] {
        let sees = stop(band).stability(1.5, 100.0, COUNT)[1].holds;
        let (_, swing) = slow(&servo(stop(band)).1, &between, 0.0);
        // at rest but for rounding
        assert_eq!(swing < 1e-6, sees, "a band of {band} counts: moves by {swing} counts");
    }
    for goal in [50.0, 100.0, 196.0] {
        let rest = move |_: f64| MotionSample::rest(goal * COUNT);
        for (noise, deviation) in NOISES {
            let (rms, swing) = slow(&quiet, &rest, noise);
            assert!(rms < 0.5 + deviation, "at {goal} with noise {noise}: {rms} counts");
            // it does not move at all
            assert!(swing < 1e-6, "at {goal} with noise {noise}: moves by {swing} counts");
        }
    }
}
