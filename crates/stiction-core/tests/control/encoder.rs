//! Slow motion seen by an encoder of 4096 counts a turn, sampled at 1 kHz.
use crate::rig::{Encoder, Rig, Rms, Wanted, sine};
use stiction_core::Params;
use stiction_core::control::{Control, DisturbanceObserver, Kalman, Loop, Motion, Quiet, SmoothStop, StateFeedback};
use stiction_core::models::LuGre;

const COUNT: f64 = std::f64::consts::TAU / 4096.0;

/// Over the last third of half a minute: rms of the true error and the range of the true position's error, in counts.
fn slow(control: &impl Control<f64>, wanted: Wanted<'_>, noise: f64) -> (f64, f64) {
    let (mut rms, mut lo, mut hi) = (Rms::default(), f64::MAX, f64::MIN);
    let encoder = Encoder { quantum: COUNT, noise: noise * COUNT, seed: 1.0 };
    Rig::new(LuGre::nominal(), 1.0, 4).run_encoded(control, wanted, 30_000, 1e-3, encoder, |s, _| {
        if s.t > 20.0 {
            rms.add(s.error());
            (lo, hi) = (lo.min(s.error()), hi.max(s.error()));
        }
    });
    (rms.get() / COUNT, (hi - lo) / COUNT)
}

#[test]
fn slow_motion_within_half_a_count() {
    let estimator = Kalman { accel: 3.0, quantum: COUNT, noise: 1e-6 };
    let base = StateFeedback { kx: 100.0, kv: 20.0, ki: 200.0, mass: 1.0, ..StateFeedback::nominal() };
    let plain = Loop { estimator, control: base, limit: 100.0 };
    let observer = DisturbanceObserver { cutoff: 50.0, ..DisturbanceObserver::nominal() };
    let stop = SmoothStop { band: 0.6 * COUNT, release: 1.1 * COUNT, still: 1e-2, fade: 1e9 };
    let quiet = Loop { estimator, control: Quiet { control: (base, observer), stop }, limit: 100.0 };
    let ramp = |speed: f64| move |t: f64| Motion { x: speed * t, v: speed, a: 0.0 };
    let rest = |_: f64| Motion::rest(0.3);
    // six counts a second, one count a second, a turn-round, and rest
    let cases: [(&str, Wanted<'_>); 4] =
        [("ramp", &ramp(0.01)), ("creep", &ramp(0.002)), ("turns", &sine(0.05, 0.2)), ("rest", &rest)];
    for (name, wanted) in cases {
        // noise of half a count to either side has a standard deviation of half a count over root 3
        for (noise, deviation) in [(0.0, 0.0), (0.5, 0.5 / 3.0_f64.sqrt())] {
            let (rms, _) = slow(&quiet, wanted, noise);
            assert!(rms < 0.5 + deviation, "{name} with noise {noise}: {rms} counts");
        }
    }
    // without, it hunts over several counts; with, it does not move at all
    let (rms, swing) = slow(&plain, &rest, 0.0);
    assert!(rms > 1.0 && swing > 2.0, "hunts by {swing} counts, rms {rms}");
    for noise in [0.0, 0.5] {
        let (_, swing) = slow(&quiet, &rest, noise);
        assert!(swing < 1e-6, "moves by {swing} counts");
    }
    let (rms, _) = slow(&plain, &ramp(0.002), 0.0);
    assert!(rms > 1.0, "stick-slip without: rms {rms}");
}
