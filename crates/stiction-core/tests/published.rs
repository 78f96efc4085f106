//! Published and independently computed values. Those not printed in a paper come from `reference/values.py`,
//! which evaluates the papers' equations in 50 digits by other means (quadrature, root finding, Taylor series).
#[path = "../../../tests/common/agree.rs"]
#[allow(dead_code, reason = "a tolerance of its own is not needed here")]
mod agree;
use agree::agree;
use stiction_core::models::{
    BlimanSorine, CoulombSat, CoulombTanh, Dahl, Hysteresis, LuGre, RateState, SlipVariable, Stribeck, StribeckSat,
    StribeckTanh,
};
use stiction_core::{Friction, Input, Params, StateVector};

/// Moves a law from `from` through `to` at a slow constant speed, in one sample each.
fn travel<M: Friction<f64>>(m: &M, z: M::State, path: &[f64]) -> Vec<f64> {
    let (mut z, mut at, mut forces) = (z, 0.0, Vec::new());
    for &x in path {
        let u = Input::at(if x < at { -1e-9 } else { 1e-9 });
        z = m.step(&z, &u, (x - at).abs() / 1e-9);
        at = x;
        forces.push(m.force(&z, &u));
    }
    forces
}

#[test]
fn olsson_figure_1() {
    let m = SlipVariable::<f64>::nominal();
    let f = |v: f64| m.steady(&Input::at(v));
    agree(f(0.001), 1.49968797251875);
    agree(f(0.01), 1.47007005302986);
    agree(f(0.04), 1.19911061399761);
    agree(f(0.1), 1.06084939981994);
    agree(f(0.5), 1.3);
    // the minimum, by golden section: flat, so its place is good to the root of a rounding
    let (mut a, mut b) = (0.05, 0.15);
    for _ in 0..100 {
        let (c, d) = (b - 0.618_033_988_75 * (b - a), a + 0.618_033_988_75 * (b - a));
        if f(c) < f(d) { b = d } else { a = c }
    }
    assert!((a - 0.0836609507157169).abs() < 1e-7, "{a}");
    agree(f(a), 1.05586175226759);
}

#[test]
fn dahl_loop() {
    let m = Dahl::<f64>::nominal();
    let turns: Vec<f64> = (0..40).map(|k| if k % 2 == 0 { 3e-4 } else { -3e-4 }).collect();
    let f = travel(&m, [0.0], &turns);
    agree(f[38], 0.99505475368673);
    agree(f[39], -0.99505475368673);
    // area of the closed loop, by Simpson's rule on one branch; error (6/1000)^4/180 of the whole
    let (n, mut z, mut area) = (1000, [-f[38] / m.sigma], 0.0);
    let u = Input::at(1.0);
    for _ in 0..n {
        let h = 6e-4 / f64::from(n);
        let mid = m.step(&z, &u, h / 2.0);
        let end = m.step(&mid, &u, h / 2.0);
        area += h / 6.0 * (m.force(&z, &u) + 4.0 * m.force(&mid, &u) + m.force(&end, &u));
        z = end;
    }
    // the rule's error of 1e-11 of the area, and a thousand roundings
    assert!((2.0 * area - 8.01978098525308e-4).abs() < 1e-14, "{area}");
    for (shape, want) in [(0.5, 0.75), (1.5, 5.0 / 9.0), (2.0, 0.5)] {
        agree(travel(&Dahl { shape, ..m }, [0.0], &[1e-4])[0], want);
    }
    // rate independence: the same travel at a hundred thousand times the speed
    let fast = m.step(&[0.0], &Input::at(1e-4), 1.0);
    let slow = m.step(&[0.0], &Input::at(1e-9), 1e5);
    agree(fast[0], slow[0]);
}

#[test]
fn bliman_sorine_path_and_peak() {
    let m = BlimanSorine::<f64>::nominal();
    let f = travel(&m, [0.0; 2], &[2e-3, -2e-3, 2e-3, 1e-3, 2e-3]);
    let want = [1.10766439385907, -1.02732161542197, 1.02880419683456, -1.51207419242239, 1.31124029698576];
    f.iter().zip(want).for_each(|(f, w)| agree(*f, w));
    // Bliman and Sorine's closed form for the peak, as the slides give it
    let s = m.eta * m.eps / (1.0 - m.eta) * (m.f1 / (m.eta * m.f2)).ln();
    // printed with eight and eleven digits
    assert!((s - 7.3240819e-4).abs() < 1e-11, "{s}");
    let at = |s| travel(&m, [0.0; 2], &[s])[0];
    assert!((at(s) - 1.2884499141).abs() < 1e-10);
    assert!(at(s) > at(s * 0.999) && at(s) > at(s * 1.001));
}

#[test]
fn ruina_rice_steady_and_step() {
    let m = RateState::<f64>::nominal();
    for (v, want) in [(1e-8, 0.772793535282335), (1e-6, 0.710562793495328), (1e-4, 0.682119634260388)] {
        agree(m.steady(&Input::at(v)), want);
    }
    let (z, u) = (m.settled(&Input::at(1e-6)), Input::at(1e-5));
    agree(m.force(&z, &u), 0.727610274417712);
    for (t, want) in [(0.1, 0.726268610557879), (1.0, 0.715008513196305), (5.0, 0.694080375862969)] {
        agree(m.force(&m.step(&z, &u, t), &u), want);
    }
}

#[test]
fn nouri_branch_and_spring_tests() {
    let m = Hysteresis::<f64>::nominal();
    for (z, want) in [
        (5e-5, 47.2106757807188),
        (1e-4, 72.1495871881256),
        (2e-4, 96.0170345305709),
        (1e-3, 143.801699825867),
        (1.40495750435333e-3, 160.0),
    ] {
        agree(m.branch(z).0, want);
    }
    // loaded to a force and released: where the force comes back to zero is the plastic residual
    for (force, loaded, residual) in [
        (20.0, 1.99373880365269e-5, 2.65203316693181e-6),
        (40.0, 6.20938954810786e-5, 2.22191194080248e-5),
        (60.0, 2.02478752176666e-4, 1.30542485373301e-4),
        (75.0, 5.77478752176666e-4, 4.69384192521484e-4),
    ] {
        let f = travel(&m, StateVector::zero(), &[loaded, residual]);
        agree(f[0], force);
        // a force of zero, to rounding of the displacements times the stiffness k0
        assert!(f[1].abs() < 1e-12 * force + 1e-15 * m.k0, "{} N left at the residual", f[1]);
    }
}

#[test]
fn nouri_nested_loops() {
    // quasi-static: the path is slow, but not so slow that 20 N s/m would not show in the tenth digit
    let m = Hysteresis::<f64> { fv1: 0.0, fv2: 0.0, ..Hysteresis::nominal() };
    let path = [0.5, -0.4, 0.3, -0.2, 0.1, -0.05, 0.1, -0.2, 0.3, -0.4, 0.5, 0.6].map(|x| x * 1e-3);
    let want = [
        71.9008499129333,
        -67.9008499129333,
        63.9008499129333,
        -59.9008499129333,
        49.2104303640073,
        -37.3576316710436,
        49.2104303640073,
        -59.9008499129333,
        63.9008499129333,
        -67.9008499129333,
        71.9008499129333,
        75.9008499129333,
    ];
    for (f, w) in travel(&m, StateVector::zero(), &path).iter().zip(want) {
        agree(*f, w);
    }
    let walk: Vec<f64> = (1..=40).map(f64::from).map(|k| 2e-3 * (0.7 * k * k + 0.3 * k + 0.2).sin()).collect();
    let f = travel(&m, StateVector::zero(), &walk);
    for (k, want) in [(1, 80.0), (5, 48.5770503537674), (10, -80.0), (20, -80.0), (28, -80.0), (40, 80.0)] {
        agree(f[k - 1], want);
    }
    agree(f.iter().sum(), 446.496512204864);
}

#[test]
fn andersson_equations_8_to_12() {
    let s = Stribeck::<f64> { fc: 1.0, fs: 1.5, vs: 0.1, exponent: 1.0, fv: 0.4 };
    let (sat, tanh) = (StribeckSat::<f64>::nominal(), StribeckTanh::<f64>::nominal());
    let want = [
        (-0.2, [-1.0, -1.0, -1.14766764161831, -1.14766764161831, -1.14766764161831]),
        (0.0005, [0.5, 0.46211715726001, 1.49770623959634, 0.748953119798171, 0.692223326421388]),
        (0.01, [1.0, 0.999999995877693, 1.45641870901798, 1.45641870901798, 1.45641870303066]),
        (0.2, [1.0, 1.0, 1.14766764161831, 1.14766764161831, 1.14766764161831]),
    ];
    for (v, w) in want {
        let u = Input::at(v);
        agree(CoulombSat::<f64>::nominal().steady(&u), w[0]);
        agree(CoulombTanh::<f64>::nominal().steady(&u), w[1]);
        agree(s.steady(&u), w[2]);
        agree(sat.steady(&u), w[3]);
        agree(tanh.steady(&u), w[4]);
    }
}

#[test]
fn lugre_from_rest() {
    // the set of Canudas de Wit et al. 1995 is the default
    let (m, u) = (LuGre::<f64>::nominal(), Input::at(5e-4));
    agree(m.force(&m.step(&[0.0], &u, 0.02), &u), 0.790110022708665);
}
