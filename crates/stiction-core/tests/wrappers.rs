//! The wrappers: asymmetry, load, noise.
use stiction_core::contact::{SlidingBody, step};
use stiction_core::models::{Coulomb, Hysteresis, LuGre};
use stiction_core::wrap::{Affine, Asymmetric, Loaded, Noise, Stochastic};
use stiction_core::{Friction, Input, Params, StateVector};

const N: usize = 1 << 16;

/// A record of noise alone: on a constant force far above it, sampled `n` times at `dt` and velocity `v`.
fn record(noise: Noise<f64>, v: f64, dt: f64, n: usize) -> Vec<f64> {
    let m = Stochastic { law: Coulomb { fc: 128.0 }, noise };
    let mut z = <(_, _) as StateVector<f64>>::zero();
    (0..n)
        .map(|_| {
            z = m.step(&z, &Input::at(v), dt);
            m.force(&z, &Input::at(v)) - 128.0 * v.signum()
        })
        .collect()
}
fn nominal() -> Noise<f64> {
    Noise { amplitude: 0.2, frequency: 50.0, wave: 0.0, seed: 1.0 }
}
fn deviation(x: &[f64]) -> f64 {
    let mean = x.iter().sum::<f64>() / x.len() as f64;
    (x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / x.len() as f64).sqrt()
}

#[test]
fn standard_deviation_mean_and_crossings() {
    // 65 s at 1 kHz hold 65*50/0.292 = 11000 pulses, so the variance is known to 2 % and its root to 1 %; five times that
    for seed in [1.0, 2.0, 77.0] {
        let x = record(Noise { seed, ..nominal() }, 1.0, 1e-3, N);
        let (sd, mean) = (deviation(&x), x.iter().sum::<f64>() / N as f64);
        assert!((sd / 0.2 - 1.0).abs() < 0.05, "seed {seed}: {sd}");
        // no power at zero frequency: the mean of a record falls with its length, not with its root
        assert!(mean.abs() < 0.2 / 1000.0, "seed {seed}: mean {mean}");
        let up = x.windows(2).filter(|w| w[0] < 0.0 && w[1] >= 0.0).count() as f64 / (N as f64 * 1e-3);
        // Rice's formula is for Gaussian noise; five pulses overlapping are close to it
        assert!((up / 50.0 - 1.0).abs() < 0.06, "seed {seed}: {up} upward crossings per second");
    }
}
#[test]
fn typical_frequency_by_its_moments() {
    // Rice: f = sqrt(<P'^2>/<P^2>)/2 pi, whatever the distribution; three records of 11000 pulses know it to 0.5 %
    let mut sum = 0.0;
    for seed in [1.0, 2.0, 3.0] {
        let x = record(Noise { seed, ..nominal() }, 1.0, 1e-4, 10 * N);
        let slopes: Vec<f64> = x.windows(2).map(|w| (w[1] - w[0]) / 1e-4).collect();
        sum += deviation(&slopes) / deviation(&x) / std::f64::consts::TAU;
    }
    // a difference over 1e-4 s takes (pi f h)^2/6 = 4e-5 off
    assert!((sum / 3.0 / 50.0 - 1.0).abs() < 0.02, "{}", sum / 3.0);
}
#[test]
fn spectrum_is_a_band() {
    // power by direct Fourier sums, averaged over 16 bins around each frequency
    let x = record(nominal(), 1.0, 1e-3, N);
    let power = |f: f64| {
        let bin = 1.0 / (N as f64 * 1e-3);
        let one = |f: f64| {
            let (mut c, mut s) = (0.0, 0.0);
            for (k, x) in x.iter().enumerate() {
                let phase = std::f64::consts::TAU * f * k as f64 * 1e-3;
                c += x * phase.cos();
                s += x * phase.sin();
            }
            c * c + s * s
        };
        (0..16).map(|k| one(f + bin * f64::from(k))).sum::<f64>() / 16.0
    };
    let middle = power(50.0);
    assert!(power(0.5) < 2e-3 * middle, "no drift");
    assert!(power(300.0) < 1e-3 * middle, "no white noise");
    assert!(power(25.0) > 0.1 * middle && power(70.0) > 0.1 * middle, "a band, not a line");
}
#[test]
fn seed_and_sampling() {
    assert_eq!(record(nominal(), 1.0, 1e-3, 100), record(nominal(), 1.0, 1e-3, 100));
    assert_ne!(record(nominal(), 1.0, 1e-3, 100), record(Noise { seed: 2.0, ..nominal() }, 1.0, 1e-3, 100));
    // a function of time, however it is sampled
    let (coarse, fine) = (record(nominal(), 1.0, 1e-3, 1000), record(nominal(), 1.0, 1e-4, 10_000));
    for (k, c) in coarse.iter().enumerate() {
        // ten thousand steps of the phase, each rounded: 1e-13 in all, times a slope of the noise of 2 pi; a force near
        // 128 rounds by 3e-14
        assert!((c - fine[10 * k + 9]).abs() < 1e-10, "sample {k}");
    }
}
#[test]
fn tied_to_distance() {
    let noise = Noise { frequency: 0.0, wave: 1e4, ..nominal() };
    // at rest it stands still, and what can be held with it
    let m = Stochastic { law: Coulomb { fc: 1.0 }, noise };
    let z = m.step(&<(_, _) as StateVector<f64>>::zero(), &Input::at(1e-3), 1e-2);
    let rested = m.step(&z, &Input::at(0.0), 100.0);
    let hold = |z| m.hold(z, &Input::at(0.0), 1.0);
    assert!(hold(&z) != 1.0 && hold(&z) == hold(&rested));
    let (slow, fast) = (record(noise, 1e-3, 1e-3, 1000), record(noise, -1e-2, 1e-4, 1000));
    for (a, b) in slow.iter().zip(&fast) {
        // a thousand steps of the phase, each rounded; a force near 128 rounds by 3e-14
        assert!((a - b).abs() < 1e-10, "the same distance, the same force");
    }
}
#[test]
fn noise_cannot_drive_a_body() {
    // an amplitude half the friction level: the noise often asks for more than there is, and is limited to it
    let m = Stochastic { law: Coulomb { fc: 1.0 }, noise: Noise { amplitude: 0.5, ..nominal() } };
    let mut z = <(_, _) as StateVector<f64>>::zero();
    let mut limited = false;
    for _ in 0..20_000 {
        z = m.step(&z, &Input::at(1.0), 1e-3);
        let (f, still) = (m.force(&z, &Input::at(1.0)), m.force(&z, &Input::at(0.0)));
        assert!((0.0..=2.0).contains(&f) && still == 0.0, "{f} {still}");
        limited |= f == 0.0;
        let out = step(&m, &z, &Input::at(0.0), &SlidingBody { mass: 1.0, applied: 0.0 }, 1e-3);
        assert!(out.stuck && out.v == 0.0);
    }
    assert!(limited, "the limit was never tried");
}
#[test]
fn load_is_affine() {
    // Nouri: break-away grows by 3 % per bar
    let m = Loaded { law: Coulomb { fc: 80.0 }, map: Affine { base: 1.0, slope: 0.03 } };
    let f = |bar: f64| m.steady(&Input { v: 1.0, load: bar });
    // forces near 80 round by 1e-14
    assert!((f(1.0) - f(0.0) - 2.4).abs() < 1e-12, "2.4 N/bar");
    assert_eq!(f(-100.0), 0.0, "a contact cannot pull");
    assert_eq!(m.hold(&[], &Input { v: 0.0, load: 2.0 }, 1.0), f(2.0));
}
#[test]
fn asymmetric_keeps_each_side() {
    let (a, b) = (LuGre::<f64>::nominal(), LuGre { fc: 0.7, fs: 0.9, ..LuGre::nominal() });
    let m = Asymmetric { forward: a, reverse: b };
    assert_eq!(m.steady(&Input::at(0.1)), a.steady(&Input::at(0.1)));
    assert_eq!(m.steady(&Input::at(-0.1)), b.steady(&Input::at(-0.1)));
    // memory goes on through a reversal
    let z = m.step(&[0.0], &Input::at(1e-3), 0.1);
    assert_eq!(m.step(&z, &Input::at(-1e-3), 1e-3), b.step(&z, &Input::at(-1e-3), 1e-3));
}

/// A slide forwards at 0.03 N, then presliding backwards under a law that breaks away at 0.02 N, and forwards again. The force that the
/// second reversal remembers is the force there, though it is beyond what the law for the way back could carry in its own direction.
#[test]
fn hysteresis_turns_at_the_force_it_has() {
    let law = |level: f64| {
        let names = <Hysteresis<f64> as Params<f64>>::PARAMS;
        let mut values: Vec<f64> = names.iter().map(|p| p.default).collect();
        let own =
            [("k0", 1000.0), ("k1", 100.0), ("k2", 70.0), ("f1", 0.02), ("z2", 8e-5), ("vs", 6e-4), ("exponent", 1.0)];
        let levels = [("fs", level), ("fc1", level), ("fc2", level), ("fv1", 0.0), ("fv2", 0.0)];
        for (name, value) in own.into_iter().chain(levels) {
            let i = names.iter().position(|p| p.name == name).expect("a parameter");
            values[i] = value;
        }
        Hysteresis::from_slice(&values)
    };
    let both = Asymmetric { forward: law(0.03), reverse: law(0.02) };
    let mut z = StateVector::<f64>::zero();
    let go = |z: &mut _, v: f64, steps: usize| {
        for _ in 0..steps {
            *z = both.step(z, &Input::at(v), 1e-3);
        }
    };
    go(&mut z, 1e-3, 1000);
    assert_eq!(both.force(&z, &Input::at(1e-3)), 0.03);
    // a micrometre back takes about k0 times that off
    go(&mut z, -1e-5, 100);
    let back = both.force(&z, &Input::at(-1e-5));
    assert!(0.028 < back && back < 0.0295, "{back}");
    let forwards = both.jump(&z, &Input::at(1e-30));
    // the sum of a few roundings
    let after = both.force(&forwards, &Input::at(1e-30));
    assert!((after - back).abs() < 1e-15, "{back} becomes {after}");
}
