//! Energy: what bristles store, conditions of passivity, and velocities that gain.
use crate::law as spec;
use stiction::analysis::energy::search::SearchEffort;
use stiction::analysis::energy::{Excitation, StorageFunction, conditions, loop_energy, passivity};
use stiction::analysis::test_rig::TestRig;
use stiction::core::Input;
use stiction::sim::StopFlag;

/// LuGre slowly to |z| = Fs/σ0, then suddenly at `v`: with g = Fc there, `∫F v dt` over the way s is, by hand,
/// Fc·s + (Fs − Fc)·l − σ1·v·(Fs − Fc)/Fc·l + σ2·v·s, l = (Fc/σ0)·(1 − e^{−σ0 s/Fc}).
#[test]
fn a_sudden_slip_of_lugre_gives_what_the_formula_says() {
    let (fc, fs, sigma0, sigma1, sigma2) = (1.0, 1.5, 1e5, 316.227_766_016_837_96, 0.4);
    let (slow, way, v, s) = (1e-9, 2e-4, 0.5, 3e-5);
    // the slow piece settles the bristles at Fs; on it F = Fs once settled, and the same bristles before
    let cycle = Excitation::Pieces(vec![(slow, way), (v, s)]);
    let taken = cycle.work_by_simulation(&TestRig::new(&spec("lugre", &[])), 3).unwrap();
    let l = fc / sigma0 * -(-sigma0 * s / fc).exp_m1();
    let fast = fc * s + (fs - fc) * l - sigma1 * v * (fs - fc) / fc * l + sigma2 * v * s;
    // back to Fs: z starts at what is left of the jump, F = σ0 z + σ1 ż + σ2 v with the last two negligible at 1e-9 m/s
    let z = (fc + (fs - fc) * (-sigma0 * s / fc).exp()) / sigma0;
    let m = fs / sigma0;
    let back = fs * way - sigma0 * (m - z) * m * -(-way / m).exp_m1();
    // g differs from Fs by (v/vs)² = 1e-12 in the slow piece, and the damping there is 3e-7 of the force
    // the two of them, and runs at 1e-10 a step in which 1e-9 m/s lasts for 2e5 s
    assert!((taken.work - (fast + back)).abs() < 1e-5 * fast.abs(), "{} {}", taken.work, fast + back);
    assert!(taken.repeats && taken.is_certain() && taken.work < 0.0);
    // the quick way agrees
    let law = spec("lugre", &[]).build().unwrap();
    let quick = cycle.work_by_steps(law.as_ref(), false);
    // Simpson's rule on twelve samples of a piece that are e-folds apart
    assert!((quick.work / taken.work - 1.0).abs() < 0.02, "{} {}", quick.work, taken.work);
}

#[test]
fn conditions_hold_and_fail_where_they_should() {
    let holds = |name: &str, set: &[(&str, f64)]| conditions(&spec(name, set)).iter().any(|c| c.holds);
    // σ1 (Fs − Fc)/Fc = 158.1 for the defaults, and without a Stribeck effect there is nothing to gain
    assert!(!holds("lugre", &[]) && holds("lugre", &[("sigma2", 158.2)]) && !holds("lugre", &[("sigma2", 158.0)]));
    assert!(holds("lugre", &[("fs", 1.0)]) && holds("lugre", &[("sigma1", 0.0)]));
    // a damping that fades before the Stribeck level has fallen: the remedy of the slides
    assert!(holds("lugre", &[("vd", 1e-3)]) && !holds("lugre", &[("vd", 1.0)]));
    assert!(holds("dahl", &[]) && holds("bouc-wen", &[]) && holds("coulomb", &[]));
    assert!(holds("bouc-wen", &[("gamma", 0.5), ("delta", -0.49)]));
    assert!(conditions(&spec("hysteresis", &[])).is_empty());
    // the published condition is the first, and says who
    assert_eq!(conditions(&spec("lugre", &[]))[0].cite, Some("Astrom2008"));
}

/// A condition that holds is never contradicted, and laws that are known to give energy are caught.
#[test]
fn gains_are_found_and_never_against_a_proof() {
    let effort = SearchEffort { points: 60, starts: 1, halvings: 2, largest_family: false };
    for law in ["coulomb", "dahl", "bliman-sorine", "bouc-wen", "reset-integrator", "rate-state", "stribeck-tanh"] {
        let found = passivity(&spec(law, &[]), &effort, &StopFlag::default()).unwrap();
        assert!(found.proved() && !found.gains(), "{law} {}", found.relative());
    }
    let lugre = passivity(&spec("lugre", &[]), &effort, &StopFlag::default()).unwrap();
    assert!(lugre.gains() && !lugre.proved() && lugre.verdict().starts_with("not passive"));
    let proved = passivity(&spec("lugre", &[("sigma2", 200.0)]), &effort, &StopFlag::default()).unwrap();
    assert!(proved.proved() && !proved.gains(), "{}", proved.relative());
}

/// Generalised Maxwell slip gains, too: slowly, its slipping elements rise from Fc to Fs without a way; then they release
/// the difference of ½F²/k. By hand for one element: 2·(Fs² − Fc²)/(2k) in a cycle, at most.
#[test]
fn gms_gains_what_its_springs_got_for_nothing() {
    let one = [("alpha2", 0.0), ("alpha3", 0.0), ("alpha4", 0.0), ("sigma2", 0.0)];
    let law = spec("gms", &one);
    // fast: just far enough to slip at Fc; slow: long enough (1 s is a hundred times s/C) on no way to speak of
    let (k, fc, fs) = (1e5, 1.0, 1.5);
    let far = (fc + fs) / k * 1.0001;
    let cycle = vec![(0.1, far), (1e-12, 1e-12), (-0.1, far), (-1e-12, 1e-12)];
    let taken = Excitation::Pieces(cycle).work_by_simulation(&TestRig::new(&law), 4).unwrap();
    let gain = 2.0 * (fs * fs - fc * fc) / (2.0 * k);
    // slip at the end of the fast way costs Fc times 1e-4 of it, twice
    assert!(taken.is_certain() && (taken.work + gain).abs() < 1e-3 * gain, "{} {gain}", taken.work);
}

#[test]
fn a_loop_of_a_spring_loses_nothing_and_stores_half_k_x_squared() {
    // an elastic range of the elasto-plastic law: ½·σ0·X², without damping
    let law = spec("elasto-plastic", &[("sigma1", 0.0), ("sigma2", 0.0)]);
    let x = 5e-6;
    let found = loop_energy(&TestRig::new(&law), x, 1e-6).unwrap();
    let stored = 0.5 * 1e5 * x * x;
    // cubics through 2000 rows of a circle
    assert!((found.stored.unwrap() / stored - 1.0).abs() < 1e-6, "{found:?}");
    assert!(found.dissipated.abs() < 1e-9 * stored, "{found:?}");
    // Dahl, far: 4 Fc X lost, ½ Fc²/σ stored
    let dahl = loop_energy(&TestRig::new(&spec("dahl", &[])), 1.0, 1e-3).unwrap();
    // the knees cost 2·Fc·(Fc/σ)·(1 − ln 2)·2 of it, 6e-5
    assert!((dahl.dissipated / 4.0 - 1.0).abs() < 1e-3 && (dahl.stored.unwrap() / 5e-5 - 1.0).abs() < 1e-3, "{dahl:?}");
    assert!(loop_energy(&TestRig::new(&spec("hysteresis", &[])), 1e-4, 1e-3).unwrap().stored.is_none());
}

/// What bristles store is what a law supplies less what it loses: for Dahl's law dV/dt = F v − (σ²/Fc)|v|z².
#[test]
fn storage_is_a_part_of_the_supply() {
    let dahl = spec("dahl", &[]);
    let (law, storage) = (dahl.build().unwrap(), StorageFunction::of(&dahl).unwrap());
    for (z, v) in [(3e-5, 0.2), (-8e-5, 0.1), (5e-5, -0.3)] {
        let (dt, u) = (1e-9, Input::at(v));
        let mut memory = [z];
        law.step(&mut memory, &u, dt);
        let growth = (storage.at(&dahl, &memory) - storage.at(&dahl, &[z])) / dt;
        let lost = 1e8 * v.abs() * z * z;
        // a difference quotient over 1e-9 s, at rates of 3e3 a second
        assert!((law.force(&[z], &u) * v - lost - growth).abs() < 1e-4 * lost, "{growth}");
    }
}
