//! What is true of one law, and identities between laws.
use stiction_core::models::*;
use stiction_core::{Friction, Input, Params, StateVector};

/// A repeatable jerky motion: (velocity, duration).
fn motion(n: u32) -> impl Iterator<Item = (f64, f64)> {
    (0..n).map(|k| {
        let k = f64::from(k);
        let v = 2e-3 * (0.9 * k + 0.1 * k * k).sin() * (0.013 * k).cos();
        (v, 1e-3 + 0.9e-3 * (1.7 * k).cos())
    })
}

/// Forces of a law along [`motion`].
fn forces<M: Friction<f64>>(m: &M, n: u32) -> Vec<f64> {
    let mut z = M::State::zero();
    motion(n)
        .map(|(v, dt)| {
            let u = Input::at(v);
            z = m.step(&z, &u, dt);
            m.force(&z, &u)
        })
        .collect()
}

/// The same force along a motion, to `tolerance` of the largest one.
#[track_caller]
fn same(a: &impl Friction<f64>, b: &impl Friction<f64>, tolerance: f64) {
    let (a, b) = (forces(a, 3000), forces(b, 3000));
    let scale = a.iter().fold(0.0, |s: f64, f| s.max(f.abs()));
    assert!(scale > 0.1, "nothing happened");
    for (k, (a, b)) in a.iter().zip(&b).enumerate() {
        assert!((a - b).abs() <= tolerance * scale, "sample {k}: {a} and {b}");
    }
}

// Identities hold up to the few roundings in which the formulas differ.
const ROUNDING: f64 = 1e-13;

#[test]
fn dankowicz_is_dahl() {
    same(&Dankowicz { fmax: 1.3, delta: 2e-5 }, &Dahl { fc: 1.3, sigma: 1.3 / 2e-5, shape: 1.0 }, ROUNDING);
}
#[test]
fn lugre_without_stribeck_and_damping_is_dahl() {
    let lugre = LuGre { fc: 1.2, fs: 1.2, sigma1: 0.0, sigma2: 0.0, ..LuGre::nominal() };
    same(&lugre, &Dahl { fc: 1.2, sigma: 1e5, shape: 1.0 }, ROUNDING);
}
#[test]
fn stribeck_dankowicz_without_stribeck_is_dankowicz_and_viscous() {
    let both = StribeckDankowicz { fc: 1.1, fs: 1.1, fv: 7.0, ..StribeckDankowicz::nominal() };
    let parts = Dankowicz { fmax: 1.1, delta: both.delta };
    let viscous = Viscous { fv: 7.0, gamma: 1.0 };
    let (a, b, c) = (forces(&both, 3000), forces(&parts, 3000), forces(&viscous, 3000));
    for k in 0..a.len() {
        assert!((a[k] - b[k] - c[k]).abs() < ROUNDING * 1.1, "sample {k}");
    }
}
#[test]
fn bouc_wen_with_nu_1_and_even_shares_is_dahl() {
    // gamma = delta: dz/dt = alpha v (1 - z/Fc) loading, alpha v unloading: Dahl only while loading from rest
    let (m, d) = (BoucWen::<f64>::nominal(), Dahl { fc: 1.0, sigma: 1e5, shape: 1.0 });
    let u = Input::at(1e-3);
    let (mut a, mut b) = ([0.0], [0.0]);
    for _ in 0..3000 {
        (a, b) = (m.step(&a, &u, 1e-5), d.step(&b, &u, 1e-5));
        // second order: 1e-8 m is 1e-3 of a length, its square 1e-6, over 12
        assert!((m.force(&a, &u) - d.force(&b, &u)).abs() < 1e-7);
    }
}
#[test]
fn bouc_wen_that_hardens_grows_as_its_closed_form() {
    // the benchmark of Noel and Schoukens: gamma + delta = -0.3
    let m = BoucWen::<f64> { alpha: 5e4, beta: 1e3, gamma: 0.8, delta: -1.1, nu: 1.0, fv: 0.0 };
    // the force has no limit; the number for it is beyond all machines
    assert!(!m.settles() && m.steady(&Input::at(0.1)) == 1e30);
    assert_eq!(m.step(&[0.0], &Input::at(0.1), 1e9), [1e30]);
    let (up, down) = (Input::at(0.01), Input::at(-0.01));
    // loading from zero: dz/ds = alpha + 0.3 beta z; unloading to zero: dz/ds = -(alpha - 1.9 beta z)
    let loaded = |s: f64| 5e4 / 300.0 * (300.0 * s).exp_m1();
    for (n, dt) in [(1, 0.1), (1000, 1e-4)] {
        let z = (0..n).fold([0.0], |z, _| m.step(&z, &up, dt));
        assert!((z[0] / loaded(1e-3) - 1.0).abs() < 1e-12, "{z:?}");
        let z = (0..n).fold(z, |z, _| m.step(&z, &down, 0.3 * dt));
        let (limit, s) = (5e4 / 1900.0, 3e-4);
        let back = -limit + (loaded(1e-3) + limit) * f64::exp(-1900.0 * s);
        assert!((z[0] - back).abs() < 1e-12 * loaded(1e-3), "{z:?} {back}");
    }
    // a hardening law of another exponent would be infinite after a finite travel
    assert!(
        BoucWen::<f64>::check(&[5e4, 1e3, 0.8, -1.1, 2.0, 0.0]).is_err()
            && BoucWen::<f64>::check(&[5e4, 1e3, 0.8, -1.1, 1.0, 0.0]).is_ok()
    );
}
#[test]
fn gms_with_one_element_is_a_stop_operator() {
    let fc = 1.4;
    let gms = Gms { fc, fs: fc, sigma2: 0.0, k1: 8e4, alpha2: 0.0, alpha3: 0.0, alpha4: 0.0, ..Gms::nominal() };
    // Prandtl's element, by its textbook recursion
    let mut f: f64 = 0.0;
    let stop: Vec<f64> = motion(3000)
        .map(|(v, dt)| {
            f = (f + 8e4 * v * dt).clamp(-fc, fc);
            f
        })
        .collect();
    for (a, b) in forces(&gms, 3000).iter().zip(&stop) {
        assert!((a - b).abs() < ROUNDING * fc, "{a} {b}");
    }
    // and so is the reset integrator without excess and damping
    same(&gms, &ResetIntegrator { sigma0: 8e4, sigma1: 0.0, z0: fc / 8e4, a: 0.0, fv: 0.0 }, ROUNDING);
}
#[test]
fn karnopp_outside_its_band_is_stribeck() {
    let (k, s) = (Karnopp::<f64>::nominal(), Stribeck::<f64>::nominal());
    for v in [2e-6, -1e-3, 0.5] {
        assert_eq!(k.steady(&Input::at(v)), s.steady(&Input::at(v)));
    }
    assert_eq!(k.steady(&Input::at(-5e-7)), -1.5);
}
#[test]
fn simscape_peaks_at_its_break_away_speed() {
    let m = Simscape::<f64>::nominal();
    let f = |v: f64| m.steady(&Input::at(v)) - m.fv * v;
    // the peak misses Fs by 1 - tanh 10 = 4e-9, and the slope there is that of tanh, 8e-8 of Fc/vc
    assert!((f(1e-3) - 1.5).abs() < 1e-8);
    assert!(f(0.9e-3) < f(1e-3) && f(1.1e-3) < f(1e-3));
}

#[test]
fn constructors_from_what_an_engineer_knows() {
    // Astrom's slides, set A7 with g = 10: mu 0.3, m 1, lc 3 mm; critical damping of s^2 + (sigma1/m) s + sigma0/m
    let m = LuGre::<f64>::from_contact(0.3, 10.0, 3e-3, 1.0);
    // one or two roundings in each of these
    assert!((m.steady(&Input::at(1.0)) - 3.0).abs() < 1e-15, "mu N, without Stribeck and viscous parts");
    assert!((m.settled(&Input::at(1.0))[0] - 3e-3).abs() < 1e-17, "the bristles bend by lc");
    assert!((m.sigma1 * m.sigma1 - 4.0 * m.sigma0).abs() < 1e-12 * m.sigma0, "no overshoot, no delay");
    // Olsson: the spring reaches the break-away force at the presliding distance
    let s = SlipVariable::<f64>::presliding(2.0, 5e-5);
    // one rounding
    assert!((s.force(&[0.0, 5e-5], &Input::at(0.0)) - 2.0).abs() < 1e-15);
    assert!(s.guards(&[0.0, 5.001e-5], &Input::at(0.0))[1] > 0.0);
}
#[test]
fn lugre_deflection_stays_in_its_bound() {
    let m = LuGre::<f64>::nominal();
    let bound = m.fs / m.sigma0;
    // slow enough to come near the bound, which is reached as v -> 0
    let mut z = [0.0];
    let mut largest: f64 = 0.0;
    for (v, dt) in motion(20_000) {
        z = m.step(&z, &Input::at(0.02 * v), 1000.0 * dt);
        assert!(z[0].abs() <= bound, "{} > {bound}", z[0]);
        largest = largest.max(z[0].abs());
    }
    assert!(largest > 0.95 * bound, "the bound was never tried: {largest}");
}
#[test]
fn lugre_dissipation_identity() {
    // Astrom's theorem 2 in length units: int z v - dV = int |v| z^2/g, here from v and z alone by Simpson's rule
    let m = LuGre::<f64>::nominal();
    let g = |v: f64| m.settled(&Input::at(v.abs().max(1e-300)))[0];
    let (mut z, mut supplied, mut lost) = (1.2e-5, 0.0, 0.0);
    let first = z;
    for (v, dt) in motion(4000) {
        let (u, h) = (Input::at(v), dt / 20.0);
        for _ in 0..20 {
            let mid = m.step(&[z], &u, h / 2.0)[0];
            let end = m.step(&[mid], &u, h / 2.0)[0];
            supplied += h / 6.0 * (z + 4.0 * mid + end) * v;
            lost += h / 6.0 * (z * z + 4.0 * mid * mid + end * end) * v.abs() / g(v);
            z = end;
        }
    }
    let stored = 0.5 * (z * z - first * first);
    assert!(lost > 0.0);
    // Simpson on a hundredth of a length: 1e-8/2880 of each term
    assert!((supplied - stored - lost).abs() < 1e-9 * lost, "{supplied} - {stored} != {lost}");
}
#[test]
fn lugre_fading_damping_leaves_steady_curve_and_stiffness() {
    let m = LuGre::<f64>::nominal();
    let faded = LuGre { vd: 1e-3, ..m };
    for v in [1e-4, 1e-2, 1.0] {
        let (a, b) = (m.steady(&Input::at(v)), faded.steady(&Input::at(v)));
        // roundings, which a damper of 300 N s/m amplifies
        assert!((a - b).abs() < 1e-12, "damping acts only while z moves");
    }
    // from rest at speed v the damper alone speaks: sigma1 v e^{-(v/vd)^2}, here at v = vd
    let f = |m: &LuGre<f64>| m.force(&[0.0], &Input::at(1e-3)) - m.sigma2 * 1e-3;
    // rounding of a ratio
    assert!((f(&faded) / f(&m) - (-1.0_f64).exp()).abs() < 1e-15);
}

/// Mean displacement per cycle of a bristle law held by a constant force while a small vibration shakes it: with the
/// force given, the displacement follows from `dF = dF/dx dx`; here the law is driven so that its force returns.
fn drift<M: Friction<f64>>(m: &M) -> f64 {
    // shake the force between 0.3 and 0.5 of Fc by moving slowly until it is reached, both ways, many times
    let (mut z, mut x, mut xs) = (M::State::zero(), 0.0, Vec::new());
    for cycle in 0..200 {
        for (target, v) in [(0.5, 1e-6), (0.3, -1e-6)] {
            let u = Input::at(v);
            for _ in 0..100_000 {
                if (m.force(&z, &Input::at(0.0)) - target) * v >= 0.0 {
                    break;
                }
                z = m.step(&z, &u, 5e-3);
                x += v * 5e-3;
            }
        }
        if cycle >= 100 {
            xs.push(x);
        }
    }
    (xs[xs.len() - 1] - xs[0]) / 99.0
}
#[test]
fn elasto_plastic_does_not_drift_where_lugre_does() {
    let lugre = LuGre { fs: 1.0, sigma1: 0.0, sigma2: 0.0, ..LuGre::nominal() };
    let ep = ElastoPlastic { fs: 1.0, sigma1: 0.0, sigma2: 0.0, ..ElastoPlastic::nominal() };
    // LuGre loads with slope sigma0 (1 - F/Fc) and unloads with sigma0 (1 + F/Fc): per cycle
    // (Fc/sigma0) (ln(0.7/0.5) - ln(1.5/1.3)) of travel
    let want = 1e-5 * ((0.7_f64 / 0.5).ln() - (1.5_f64 / 1.3).ln());
    // the turning points are met to one sample of 5 nm
    assert!((drift(&lugre) - want).abs() < 1e-8, "{} instead of {want}", drift(&lugre));
    // positions are sums of 1e4 moves of 5 nm, which round by 1e-21
    assert!(drift(&ep).abs() < 1e-15, "{}", drift(&ep));
}

#[test]
fn armstrong_break_away_grows_with_dwell_time() {
    let m = Armstrong::<f64> { fv: 0.0, ..Armstrong::nominal() };
    let fast = Input::at(0.1);
    let sliding = m.settled(&fast);
    let peak = |dwell: f64| {
        let mut z = m.step(&sliding, &Input::at(0.0), dwell);
        let (u, mut peak) = (Input::at(1e-2), 0.0_f64);
        for _ in 0..2000 {
            z = m.step(&z, &u, 1e-6);
            peak = peak.max(m.force(&z, &u));
        }
        peak
    };
    // from almost nothing (the excess left at 0.1 m/s is 1e-4 of it), half way at tau_dwell, all in the end; the peak is
    // met to one sample of 10 nm times the stiffness: 1 mN
    assert!((peak(1e-6) - 1.0).abs() < 2e-3, "{}", peak(1e-6));
    assert!((peak(0.1) - 1.25).abs() < 2e-3, "{}", peak(0.1));
    assert!((peak(1e4) - 1.5).abs() < 2e-3, "{}", peak(1e4));
}
#[test]
fn gear_loses_more_when_driving() {
    let m = Gear::<f64>::nominal();
    let f = |v: f64, load: f64| m.steady(&Input { v, load });
    let unloaded = f(1.0, 0.0);
    // two differences of torques below one: rounding
    assert!((f(1.0, 1.0) - unloaded - m.mu_drive * m.torque).abs() < 1e-15);
    assert!((f(1.0, -1.0) - unloaded - m.mu_back * m.torque).abs() < 1e-15);
    assert_eq!(f(-1.0, -1.0), -f(1.0, 1.0), "turned round as a whole it is the same gear");
    let hold = |load: f64, dir: f64| m.hold(&[], &Input { v: 0.0, load }, dir);
    assert!(hold(1.0, 1.0) > hold(1.0, -1.0));
}
#[test]
fn rate_state_forms_agree_where_they_should() {
    // far above v0 and theta0 the slides' form and the classic one differ by constants only: compare a velocity step
    let slides = RateState::<f64> { v0: 1e-12, theta0: 1e-6, ..RateState::nominal() };
    let classic = Dieterich::<f64> { v0: 1e-6, ..Dieterich::nominal() };
    let (slow, fast) = (Input::at(1e-6), Input::at(1e-5));
    let (mut a, mut b) = (slides.settled(&slow), classic.settled(&slow));
    let (fa, fb) = (slides.force(&a, &slow), classic.force(&b, &slow));
    for _ in 0..50 {
        // ln(1 + x) for ln x: 1e-6 at the least x met
        let (da, db) = (slides.force(&a, &fast) - fa, classic.force(&b, &fast) - fb);
        assert!((da - db).abs() < 1e-7, "{da} {db}");
        (a, b) = (slides.step(&a, &fast, 0.1), classic.step(&b, &fast, 0.1));
    }
}
#[test]
fn ruina_evolves_with_slip_only_dieterich_also_at_rest() {
    let (r, d) = (Ruina::<f64>::nominal(), Dieterich::<f64>::nominal());
    let (slow, rest) = (Input::at(1e-6), Input::at(0.0));
    let (zr, zd) = (r.settled(&slow), d.settled(&slow));
    assert_eq!(r.step(&zr, &rest, 100.0), zr);
    // theta grows by the time rested: from dc/v = 10 s to 110 s
    let grown = d.step(&zd, &rest, 100.0)[0] - zd[0];
    // rounding of a logarithm near ten
    assert!((grown - 11.0_f64.ln()).abs() < 1e-12, "{grown}");
    // classic formula at laboratory speed: mu0 + a ln(v/v0), state at its value for v0
    let f = r.force(&zr, &Input::at(1e-4));
    // rounding of a sum of two terms
    assert!((f - (0.6 + 0.01 * 100.0_f64.ln())).abs() < 1e-14, "{f}");
    // smooth and odd through rest
    assert_eq!(r.force(&zr, &rest), 0.0);
    assert_eq!(r.force(&zr, &Input::at(-1e-30)), -r.force(&zr, &Input::at(1e-30)));
}
#[test]
fn bristles_are_random_but_repeatable() {
    let m = Bristle::<f64>::nominal();
    let other = Bristle { seed: 2.0, ..m };
    assert_eq!(forces(&m, 500), forces(&m, 500));
    assert_ne!(forces(&m, 500), forces(&other, 500));
    // the same travel in one sample or in many: no bristle snaps more than eight times in 20 um here
    let u = Input::at(1e-3);
    let one = m.step(&StateVector::<f64>::zero(), &u, 0.02);
    let many = (0..1000).fold(StateVector::<f64>::zero(), |z, _| m.step(&z, &u, 2e-5));
    for i in 0..16 {
        let (a, b): (f64, f64) = (StateVector::<f64>::get(&one, i), StateVector::<f64>::get(&many, i));
        // positions are sums of a thousand moves of 20 nm, which round by 1e-21 each
        assert!((a - b).abs() < 1e-16, "bristle {i}: {a} {b}");
    }
}
#[test]
fn guards_change_sign_where_the_force_bends() {
    // kinks that no jump shows: a simulator stops there only if the guard is right
    let at = |guard: &dyn Fn(f64) -> f64, kink: f64| {
        assert!(guard(0.999 * kink) < 0.0 && guard(1.001 * kink) > 0.0, "no sign change at {kink}");
    };
    let sat = CoulombSat::<f64>::nominal();
    at(&|v| sat.guards(&[], &Input::at(v))[1], 1.0 / sat.ksat);
    let sat = StribeckSat::<f64>::nominal();
    at(&|v| sat.guards(&[], &Input::at(-v))[1], 1.0 / sat.ksat);
    let karnopp = Karnopp::<f64>::nominal();
    at(&|v| karnopp.guards(&[], &Input::at(v))[1], karnopp.band);
    let slip = SlipVariable::<f64>::nominal();
    at(&|x| slip.guards(&[0.1, x], &Input::at(0.0))[1], slip.fs / slip.ks);
    let plastic = ElastoPlastic::<f64>::nominal();
    at(&|z| plastic.guards(&[z], &Input::at(1e-9))[1], plastic.stick * plastic.fc / plastic.sigma0);
    at(&|z| plastic.guards(&[z], &Input::at(1e-9))[2], plastic.fs / plastic.sigma0);
    // Nouri: a lone virgin reversal closes at its mirror image, a later one at the reversal before it
    let h = Hysteresis::<f64>::nominal();
    let moved = |z: &_, dx: f64| h.step(z, &Input::at(1e-9_f64.copysign(dx)), dx.abs() / 1e-9);
    let lone = moved(&moved(&StateVector::<f64>::zero(), 1e-4), -1e-5);
    let flowed = |z: &_, x: f64| {
        // the flow moves x alone; a step would already have closed the loop
        let mut z = *z;
        StateVector::<f64>::set(&mut z, 0, x);
        h.guards(&z, &Input::at(-1e-9))[1]
    };
    at(&|x| flowed(&lone, -x), 1e-4);
    let nested = moved(&moved(&lone, 5e-6), -1e-6);
    at(&|below| flowed(&nested, 9.5e-5 - below), 5e-6);
}
#[test]
fn viscous_power_law() {
    let m = Viscous { fv: 2.0, gamma: 0.5 };
    assert_eq!(m.steady(&Input::at(-0.25)), -1.0);
    assert_eq!(m.steady(&Input::at(0.0)), 0.0);
}
