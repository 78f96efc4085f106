//! Every law away from its neutral parameters and at load 1.7, against values that `reference/values.py` computes from the
//! equations by other means: Taylor series, quadrature, root finding, and events written out leg by leg.
#[path = "../../../tests/common/agree.rs"]
mod agree;
use agree::{ROUNDING, agree, near};
use stiction_core::models::{
    Armstrong, BlimanSorine, BoucWen, Coulomb, CoulombSat, CoulombTanh, Dahl, Dankowicz, Dieterich, ElastoPlastic,
    Gear, Gms, Karnopp, LuGre, RateState, ResetIntegrator, Ruina, Simscape, SlipVariable, Stiction, Stribeck,
    StribeckDankowicz, StribeckSat, StribeckTanh, Viscous,
};
use stiction_core::{Friction, Input, StateVector};

const LOAD: f64 = 1.7;
/// Velocity and duration of each leg: a slow and a fast one, then three reversals.
const SHORT: [(f64, f64); 5] = [(1.1e-3, 0.017), (5.3e-3, 0.002), (-2.9e-3, 0.0075), (1.7e-3, 0.002), (-6e-4, 0.013)];
const SPEEDS: [f64; 2] = [1.3e-3, -4.7e-3];
/// One speed more, where a smoothed step is not yet flat.
const NEAR: [f64; 3] = [1.1e-4, 1.3e-3, -4.7e-3];
/// For the laws of rate and state, with a rest between.
const SLOW: [(f64, f64); 5] = [(2e-6, 3.0), (-1.1e-5, 0.8), (0.0, 2.5), (7e-6, 1.4), (-2e-6, 0.9)];
const CREEP: [f64; 2] = [2e-6, -4e-5];

fn at(v: f64) -> Input<f64> {
    Input { v, load: LOAD }
}

/// The steady curve, and the force with the settled memory.
#[track_caller]
fn steady<M: Friction<f64>>(m: &M, speeds: &[f64], want: &[f64]) {
    assert_eq!(speeds.len(), want.len());
    for (&v, &w) in speeds.iter().zip(want) {
        agree(m.steady(&at(v)), w);
        agree(m.force(&m.settled(&at(v)), &at(v)), w);
    }
}

/// The force after each leg, walked from the zero memory with `n` samples a leg; returns the memory.
#[track_caller]
fn walk<M: Friction<f64>>(m: &M, legs: &[(f64, f64)], want: &[f64], n: u32, tolerance: f64) -> M::State {
    assert_eq!(legs.len(), want.len());
    let mut z = M::State::zero();
    for (&(v, t), &w) in legs.iter().zip(want) {
        let mut force = m.force(&z, &at(v));
        for _ in 0..n {
            (z, force) = m.sample(&z, &at(v), t / f64::from(n));
        }
        near(force, w, tolerance);
        near(m.force(&z, &at(v)), w, tolerance);
    }
    z
}

/// A law whose step is exact: one sample a leg, and again three.
#[track_caller]
fn exact<M: Friction<f64>>(m: &M, legs: &[(f64, f64)], want: &[f64]) -> M::State {
    walk(m, legs, want, 3, ROUNDING);
    walk(m, legs, want, 1, ROUNDING)
}

/// A law whose step is of second order: the error falls with the square of the number of samples. A thousand a leg leave
/// at most 4.5e-7 of the force (`elasto-plastic`; the others 1e-7), four thousand a sixteenth of that.
#[track_caller]
fn second_order<M: Friction<f64>>(m: &M, legs: &[(f64, f64)], want: &[f64]) -> M::State {
    walk(m, legs, want, 1000, 1e-6);
    walk(m, legs, want, 4000, 1e-6 / 16.0)
}

#[test]
fn static_laws() {
    let (fc, fs, vs, exponent, fv) = (0.9, 1.6, 2.3e-3, 1.4, 0.37);
    let stribeck = [2.28934560010682, -1.61015493731908];
    steady(&Coulomb { fc }, &SPEEDS, &[1.53, -1.53]);
    steady(&Viscous { fv, gamma: 0.8 }, &SPEEDS, &[0.00181700618619148, -0.00508019064497892]);
    steady(&Stiction { fc, fs, fv }, &SPEEDS, &[1.530481, -1.531739]);
    steady(&Stribeck { fc, fs, vs, exponent, fv }, &SPEEDS, &stribeck);
    let karnopp = Karnopp { fc, fs, vs, exponent, fv, band: 2e-4 };
    steady(&karnopp, &SPEEDS, &stribeck);
    steady(&karnopp, &[1.9e-4, -1.9e-4], &[2.72, -2.72]);
    assert_eq!(karnopp.band(&at(0.0)), 2e-4);
    agree(Coulomb { fc }.hold(&[], &at(0.0), 1.0), 1.53);
    agree(Stiction { fc, fs, fv }.hold(&[], &at(0.0), 1.0), 2.72);
    agree(Stribeck { fc, fs, vs, exponent, fv }.hold(&[], &at(0.0), 1.0), 2.72);
    agree(karnopp.hold(&[], &at(0.0), 1.0), 2.72);

    steady(&CoulombSat { fc, ksat: 600.0 }, &NEAR, &[0.10098, 1.1934, -1.53]);
    steady(&CoulombTanh { fc, ktanh: 600.0 }, &NEAR, &[0.100833632066199, 0.998641260121845, -1.5191667119239]);
    let want = [0.178455229379771, 1.78579538808332, -1.61015493731908];
    steady(&StribeckSat { fc, fs, vs, exponent, fv, ksat: 600.0 }, &NEAR, &want);
    let want = [0.178196622071141, 1.49443827352873, -1.59876641889087];
    steady(&StribeckTanh { fc, fs, vs, exponent, fv, ktanh: 600.0 }, &NEAR, &want);
    let want = [0.774387261179705, 2.4756733922332, -2.02867451568359];
    steady(&Simscape { fc, fs, vbrk: 2.3e-3, fv }, &NEAR, &want);
}

#[test]
fn gear_driving_and_back_driven() {
    let m =
        Gear { fc: 0.011, fs: 0.023, vs: 0.13, exponent: 1.4, fv: 0.017, mu_drive: 0.12, mu_back: 0.045, torque: 1.9 };
    for (load, forward, backward, holds) in [
        (1.7, 0.406731489618739, -0.162030260452961, [0.4106, 0.16835]),
        (-0.6, 0.0704314896187392, -0.153480260452961, [0.0743, 0.1598]),
    ] {
        agree(m.steady(&Input { v: 0.09, load }), forward);
        agree(m.steady(&Input { v: -0.31, load }), backward);
        agree(m.hold(&[], &Input { v: 0.0, load }, 1.0), holds[0]);
        agree(m.hold(&[], &Input { v: 0.0, load }, -1.0), holds[1]);
    }
}

#[test]
fn lugre_with_fading_damping_and_a_power_law() {
    let m = LuGre {
        fc: 0.9,
        fs: 1.6,
        vs: 2.3e-3,
        exponent: 1.4,
        sigma0: 7.1e4,
        sigma1: 210.0,
        sigma2: 0.37,
        gamma: 0.8,
        vd: 3.1e-3,
    };
    steady(&m, &SPEEDS, &[2.29068160629301, -1.61349612796405]);
    let want = [1.58880892337927, 1.53182302486211, -1.22271405413908, 0.073319789026679, -1.23489765384807];
    exact(&m, &SHORT, &want);
}

#[test]
fn dahl_of_three_shapes() {
    let m = Dahl { fc: 1.3, sigma: 9e4, shape: 1.4 };
    steady(&m, &SPEEDS, &[2.21, -2.21]);
    let want = [1.43138478245644, 1.70954436160549, -1.25274809712567, -0.441517616167625, -1.08321304036867];
    exact(&m, &SHORT, &want);
    let want = [1.60445286186532, 1.91930161382081, -1.29392857170961, -0.559038568304103, -1.24790511094236];
    exact(&Dahl { shape: 1.0, ..m }, &SHORT, &want);
    let want = [1.78080603081223, 2.11301841695166, -1.28024197258412, -0.613993799582586, -1.38170072858915];
    exact(&Dahl { shape: 0.7, ..m }, &SHORT, &want);
}

#[test]
fn dankowicz_and_stribeck_dankowicz() {
    let m = Dankowicz { fmax: 1.3, delta: 1.2e-5 };
    steady(&m, &SPEEDS, &[2.21, -2.21]);
    let want = [1.74482463609124, 2.01769529335175, -1.51984771533761, -0.599577377312829, -1.36928567102576];
    exact(&m, &SHORT, &want);
    let m = StribeckDankowicz { fc: 0.9, fs: 1.6, vs: 2.3e-3, exponent: 1.4, delta: 1.2e-5, fv: 0.37 };
    steady(&m, &SPEEDS, &[2.28934560010682, -1.61015493731908]);
    let want = [1.86642763799914, 1.44232916019022, -1.25846941700149, -0.582172604380089, -1.58127262944109];
    exact(&m, &SHORT, &want);
}

#[test]
fn bliman_sorine() {
    let m = BlimanSorine { f1: 2.1, f2: 0.7, eta: 0.3, eps: 1.9e-5 };
    steady(&m, &SPEEDS, &[2.38, -2.38]);
    let want = [2.69050501372032, 2.61367237853829, -2.89977366805343, -0.041602450001851, -2.17552087693113];
    exact(&m, &SHORT, &want);
}

#[test]
fn elasto_plastic() {
    let m = ElastoPlastic {
        fc: 0.9,
        fs: 1.6,
        vs: 2.3e-3,
        exponent: 1.4,
        sigma0: 7.1e4,
        sigma1: 210.0,
        sigma2: 0.37,
        stick: 0.4,
    };
    steady(&m, &SPEEDS, &[2.28934560010682, -1.61015493731908]);
    let want = [1.9871943145729, 1.5567498110957, -1.88031315500223, 0.0930182471024727, -1.57522687117696];
    second_order(&m, &SHORT, &want);
}

#[test]
fn bouc_wen_of_both_knees() {
    let m = BoucWen { alpha: 9e4, beta: 7e4, gamma: 0.6, delta: -0.15, nu: 1.0, fv: 0.37 };
    steady(&m, &SPEEDS, &[4.85762385714286, -4.85888185714286]);
    let want = [2.16254400575281, 2.92914173756809, -1.14261781152727, -0.477885091174535, -1.43259043210614];
    exact(&m, &SHORT, &want);
    let m = BoucWen { delta: 0.25, nu: 1.7, ..m };
    steady(&m, &SPEEDS, &[2.1690329442152, -2.1702909442152]);
    let want = [1.81943094247734, 2.06829554985762, -1.25432766836763, -0.677749176656169, -1.47643846760281];
    second_order(&m, &SHORT, &want);
}

#[test]
fn reset_integrator_stuck_and_slipping() {
    let m = ResetIntegrator { sigma0: 6.1e4, sigma1: 170.0, z0: 1.4e-5, a: 0.35, fv: 0.37 };
    steady(&m, &SPEEDS, &[1.452281, -1.453539]);
    let legs = [(1.1e-3, 0.009), (5.3e-3, 0.002), (-2.9e-3, 0.0075), (1.7e-3, 0.002), (-6e-4, 0.013), (-2.9e-3, 0.004)];
    exact(&m, &legs, &[1.7042575, 1.453761, -1.92413425, -0.11704925, -1.87456125, -1.452873]);
}

#[test]
fn gms_with_four_different_elements() {
    let m = Gms {
        fc: 0.9,
        fs: 1.6,
        vs: 2.3e-3,
        exponent: 1.4,
        c: 130.0,
        sigma2: 0.37,
        k1: 9e4,
        k2: 6e4,
        k3: 2.6e4,
        k4: 1.1e4,
        alpha1: 1.3,
        alpha2: 0.7,
        alpha3: 1.9,
        alpha4: 0.4,
    };
    steady(&m, &SPEEDS, &[2.28934560010682, -1.61015493731908]);
    let want = [2.14611381564851, 2.00886836979456, -1.18799663107509, -0.105434631075092, -1.78539106260582];
    exact(&m, &SHORT, &want);
}

#[test]
fn armstrong_lag_and_dwell() {
    let m = Armstrong { fc: 0.9, fs: 1.6, vs: 2.3e-3, fv: 0.37, sigma0: 7.1e4, tau_lag: 6e-3, tau_dwell: 0.03 };
    steady(&m, &SPEEDS, &[2.43235779083095, -1.76165499707816]);
    let legs = [
        (1.1e-3, 0.031),
        (5.3e-3, 0.004),
        (0.0, 0.02),
        (1.7e-3, 0.009),
        (-2.9e-3, 0.019),
        (6e-4, 0.01),
        (-1.1e-3, 0.014),
    ];
    let want = [
        2.50093894633876,
        1.94741658512524,
        1.94545558512524,
        2.08154476615107,
        -1.82410357425971,
        -1.09883057425971,
        -2.04382077643318,
    ];
    exact(&m, &legs, &want);
}

#[test]
fn slip_variable() {
    let m = SlipVariable { fs: 1.6, fc: 0.9, fv: 0.37, ks: 9e3, ds: 90.0, tau_lag: 0.013, tau_reset: 4e-3, vs: 0.03 };
    steady(&m, &[0.023, -0.05], &[2.19489916671955, -1.62133979789191]);
    let legs = [(4e-3, 0.011), (0.05, 0.006), (-0.011, 0.009), (6e-3, 0.012)];
    let want = [1.27715979511702, 2.30641115172927, -0.865539848466675, 2.18887489071364];
    let z = second_order(&m, &legs, &want);
    // s alone is exact
    agree(m.hold(&z, &at(0.0), 1.0), 0.181749861441795);
}

#[test]
fn rate_and_state() {
    let m = RateState { mu0: 0.55, a: 0.012, b: 0.017, v0: 3e-6, theta0: 0.02, d0: 1.3e-5, normal: 2.3 };
    steady(&m, &CREEP, &[2.55912300720655, -2.46472269402097]);
    let want = [2.49332550591036, -2.52270130636253, 0.0, 2.5406594895264, -2.51737725346107];
    let z = exact(&m, &SLOW, &want);
    agree(m.hold(&z, &at(0.0), 1.0), 2.49340931519397);
}

#[test]
fn dieterich_and_ruina_with_two_states() {
    let (mu0, a, b, dc, b2, dc2, v0, normal) = (0.55, 0.012, 0.017, 1.3e-5, -0.006, 4.1e-5, 3e-6, 2.3);
    let m = Dieterich { mu0, a, b, dc, b2, dc2, v0, normal };
    steady(&m, &CREEP, &[2.1489146314273, -2.16062794461689]);
    exact(&m, &SLOW, &[2.14120470641157, -2.19320813630037, 0.0, 2.18012221947953, -2.12712679210672]);
    let m = Ruina { mu0, a, b, dc, b2, dc2, v0, normal };
    steady(&m, &CREEP, &[2.1489146314273, -2.16062794461689]);
    exact(&m, &SLOW, &[2.14014413765794, -2.17889325549215, 0.0, 2.15087187691884, -2.10095515452389]);
}
