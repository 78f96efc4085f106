//! Random parameters within their bounds, wild inputs: never a NaN, never a panic.
use crate::{Property, all};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use stiction_core::contact::{self, SlidingBody};
use stiction_core::{Friction, Input, Law, Real, StateVector};

/// Inputs nobody should send, and some that everybody does.
const WILD: [f64; 16] =
    [0.0, -0.0, 1e-3, -1e-3, 1.0, -0.7, 1e-12, -1e-300, 5e-324, 1e6, -1e6, 1e30, -1e30, 1e150, f64::MAX, f64::MIN];

/// Parameters at these places (0 to 1) of their ranges, logarithmic where the range spans decades; relations are
/// mended by moving towards the defaults.
fn parameters<M: Law<f64>>(places: &[f64]) -> Vec<f64> {
    let mut share = 1.0;
    loop {
        let p: Vec<f64> = M::PARAMS
            .iter()
            .zip(places)
            .map(|(p, &x)| {
                let lo = p.min.max(1e-12 * p.max);
                // one draw in ten on either bound itself
                let x = if x < 0.1 {
                    0.0
                } else if x > 0.9 {
                    1.0
                } else {
                    x
                };
                let lo = if x == 0.0 { p.min } else { lo };
                let wild = if x == 0.0 {
                    p.min
                } else if p.min >= 0.0 && p.max / lo > 100.0 {
                    lo * (p.max / lo).powf(x)
                } else {
                    p.min + (p.max - p.min) * x
                };
                (p.default + (wild.clamp(p.min, p.max) - p.default) * share).clamp(p.min, p.max)
            })
            .collect();
        if M::check(&p).is_ok() {
            return p;
        }
        share *= 0.5;
    }
}

/// Runs a sequence of inputs; the first NaN found, if any.
fn run<R: Real, M: Friction<R>>(m: &M, inputs: &[(f64, f64, f64)], nan: impl Fn(R) -> bool) -> Option<String> {
    let mut z = M::State::zero();
    for &(v, load, dt) in inputs {
        let u = Input { v: R::lit(v), load: R::lit(load) };
        let dt = R::lit(dt.abs());
        let mut seen =
            vec![("force", m.force(&z, &u)), ("steady", m.steady(&u)), ("hold", m.hold(&z, &u, R::lit(1.0)))];
        let body = SlidingBody { mass: R::lit(1.0), applied: R::lit(v) };
        let out = contact::step(m, &z, &u, &body, dt + R::lit(1e-6));
        seen.extend([("contact velocity", out.v), ("contact force", out.force)]);
        let rate = m.rate(&z, &Input::at(R::lit(1e-3)));
        seen.extend((0..M::State::LEN).map(|i| ("rate", rate.get(i))));
        z = m.step(&z, &u, dt);
        seen.extend((0..M::State::LEN).map(|i| ("state", z.get(i))));
        if let Some((what, _)) = seen.into_iter().find(|(_, x)| nan(*x)) {
            return Some(format!("{what} is NaN at v = {v:e}, load = {load:e}, dt = {dt:?}"));
        }
    }
    None
}

struct Sane;
impl Property for Sane {
    const SETS: u64 = 1;
    fn check<M: Law<f64>>(&self, _: &M) -> Result<(), String> {
        let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        let config = Config { cases: 400, failure_persistence: None, ..Config::default() };
        let wild = || prop::sample::select(WILD.as_slice());
        let strategy =
            (prop::collection::vec(0.0..=1.0, M::PARAMS.len()), prop::collection::vec((wild(), wild(), wild()), 1..12));
        TestRunner::new_with_rng(config, rng)
            .run(&strategy, |(places, inputs)| {
                let p = parameters::<M>(&places);
                let m = M::from_slice(&p);
                let bad = run(&m, &inputs, f64::is_nan);
                prop_assert!(bad.is_none(), "{} with {p:?}", bad.unwrap_or_default());
                // single precision has its own, narrower range
                let inputs: Vec<_> = inputs
                    .iter()
                    .map(|&(v, n, t)| (v.clamp(-1e30, 1e30), n.clamp(-1e6, 1e6), t.clamp(-1e12, 1e12)))
                    .collect();
                let nominal = M::nominal().cast(|x| x as f32);
                let bad = run(&nominal, &inputs, f32::is_nan);
                prop_assert!(bad.is_none(), "{} in f32", bad.unwrap_or_default());
                Ok(())
            })
            .map_err(|e| e.to_string())
    }
}
#[test]
fn never_a_nan() {
    all(&Sane);
}

struct Passive;
impl Property for Passive {
    const SETS: u64 = 1;
    fn check<M: Law<f64>>(&self, _: &M) -> Result<(), String> {
        let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        let config = Config { cases: 300, failure_persistence: None, ..Config::default() };
        let strategy = (prop::collection::vec(0.0..=1.0, M::PARAMS.len()), -9.0..3.0_f64);
        TestRunner::new_with_rng(config, rng)
            .run(&strategy, |(places, decade)| {
                let p = parameters::<M>(&places);
                for v in [10f64.powf(decade), -(10f64.powf(decade))] {
                    let f = M::from_slice(&p).steady(&Input::at(v));
                    prop_assert!(f * v >= 0.0, "steady force {f} at v = {v} with {p:?}");
                }
                Ok(())
            })
            .map_err(|e| e.to_string())
    }
}
#[test]
fn steady_sliding_dissipates_for_all_admissible_parameters() {
    all(&Passive);
}
