//! Every controller against every property. A new controller is tested by being listed.
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use stiction_core::control::{Control, ControllerVisitor, MotionSample, Signals, for_each};
use stiction_core::{Dual, Lanes, Real, StateVector};

/// Signals number `k` of a jerky motion: slow and fast, with rests.
fn signals(k: u32) -> Signals<f64> {
    let draw = |j: f64| 2.0 * f64::uniform(3.0, 16.0 * f64::from(k) + j) - 1.0;
    let speed = 10f64.powf(2.0 * draw(0.0) - 2.0) * draw(1.0).signum();
    let rest = draw(2.0) < -0.8;
    let reference = MotionSample { x: draw(3.0), v: if rest { 0.0 } else { speed }, a: draw(4.0) };
    let measured =
        MotionSample { x: reference.x + 0.01 * draw(5.0), v: reference.v * (1.0 + 0.1 * draw(6.0)), a: draw(7.0) };
    let load = 1.0 + 0.5 * draw(8.0);
    Signals { reference, measured, load, commanded: draw(9.0), applied: draw(10.0) }
}
fn cast<R: Real>(s: &Signals<f64>, f: impl Fn(f64) -> R) -> Signals<R> {
    let motion = |m: &MotionSample<f64>| MotionSample { x: f(m.x), v: f(m.v), a: f(m.a) };
    Signals {
        reference: motion(&s.reference),
        measured: motion(&s.measured),
        load: f(s.load),
        commanded: f(s.commanded),
        applied: f(s.applied),
    }
}

/// Collects what is wrong with each controller.
struct Each<F>(F, usize);
macro_rules! property {
    ($test:ident, $Name:ident, |$control:ident: $C:ident, $label:ident| $body:block) => {
        struct $Name;
        impl Each<$Name> {
            fn check<$C: Control<f64>>($label: &'static str, $control: $C) $body
        }
        impl ControllerVisitor for Each<$Name> {
            fn visit<$C: Control<f64>>(&mut self, label: &'static str, control: $C) {
                Self::check(label, control);
                self.1 += 1;
            }
        }
        #[test]
        fn $test() {
            let mut all = Each($Name, 0);
            for_each(&mut all);
            let Each($Name, count) = all;
            assert!(count > 13, "the list of controllers is missing");
        }
    };
}

property!(single_precision_agrees, Single, |control: C, name| {
    // from the same memory, so that only one step differs
    let single = control.cast(|x| x as f32);
    let (mut w, mut scale, mut off, mut all) = (C::State::zero(), 0.0_f64, 0, 0);
    for k in 0..400 {
        let now = cast(&signals(k), |x| f64::from(x as f32));
        let ws: <C::With<f32> as Control<f32>>::State = w.map_into(|x| x as f32);
        w = ws.map_into(f64::from);
        let (next, u) = control.step(&w, &now, 1e-3);
        let us = f64::from(single.step(&ws, &cast(&now, |x| x as f32), 1e-3).1);
        scale = scale.max(u.abs());
        all += 1;
        // a few roundings of 6e-8, amplified where a position changes by little, or where a damper multiplies a small
        // difference of velocities
        off += u32::from((u - us).abs() > 1e-4 * (scale + 1.0));
        w = next;
    }
    // a threshold may be met one rounding earlier
    assert!(f64::from(off) < 0.02 * f64::from(all), "{name}: f32 and f64 differ in {off} of {all} samples");
});

property!(lanes_are_scalars_bit_for_bit, LaneByLane, |control: C, name| {
    const N: usize = 4;
    type L = Lanes<N>;
    let wide = control.cast(L::lit);
    let mut lanes = <C::With<L> as Control<L>>::State::zero();
    let mut alone = [C::State::zero(); N];
    for k in 0..200 {
        let each: [Signals<f64>; N] = std::array::from_fn(|i| signals(1000 * i as u32 + k));
        let gather = |f: &dyn Fn(&Signals<f64>) -> f64| Lanes(std::array::from_fn(|i| f(&each[i])));
        let motion = |f: &dyn Fn(&Signals<f64>) -> MotionSample<f64>| MotionSample {
            x: gather(&|s| f(s).x),
            v: gather(&|s| f(s).v),
            a: gather(&|s| f(s).a),
        };
        let now = Signals {
            reference: motion(&|s| s.reference),
            measured: motion(&|s| s.measured),
            load: gather(&|s| s.load),
            commanded: gather(&|s| s.commanded),
            applied: gather(&|s| s.applied),
        };
        let all;
        (lanes, all) = wide.step(&lanes, &now, L::lit(1e-3));
        for i in 0..N {
            let u;
            (alone[i], u) = control.step(&alone[i], &each[i], 1e-3);
            assert_eq!(u.to_bits(), all.0[i].to_bits(), "{name}: lane {i} gives {} instead of {u}", all.0[i]);
        }
    }
});

property!(dual_is_the_difference_quotient, Derivative, |control: C, name| {
    // by the measured position and velocity together; kinks are where left and right differ
    type D = Dual<f64, 1>;
    let dual = control.cast(D::constant);
    let (mut w, mut compared) = (C::State::zero(), 0);
    for k in 0..200 {
        let now = signals(k);
        let moved = |h: f64| {
            let measured = MotionSample { x: now.measured.x + h, v: now.measured.v + h, ..now.measured };
            control.step(&w, &Signals { measured, ..now }, 1e-3).1
        };
        let h = 1e-9;
        let (left, mid, right) = (moved(-h), moved(0.0), moved(h));
        let (low, high) = ((mid - left) / h, (right - mid) / h);
        let mut at = cast(&now, D::constant);
        (at.measured.x, at.measured.v) = (D::var(now.measured.x, 0), D::var(now.measured.v, 0));
        let (_, u) = dual.step(&w.map_into(D::constant), &at, D::constant(1e-3));
        // an argument may fold x·0.0 + -0.0
        assert_eq!(u.re, mid, "{name}");
        // rounding of the output over h, and the curvature within it
        let allowed = 1e-3 * (low.abs() + high.abs()) + 1e-15 * 1e3 * (mid.abs() + 1.0) / h;
        if (low - high).abs() < allowed {
            compared += 1;
            assert!((u.eps[0] - 0.5 * (low + high)).abs() < 2.0 * allowed, "{name}: {} and {low} {high}", u.eps[0]);
        }
        w = control.step(&w, &now, 1e-3).0;
    }
    assert!(compared > 100, "{name}: {compared} compared");
});

/// Inputs nobody should send, and some that everybody does.
const WILD: [f64; 16] =
    [0.0, -0.0, 1e-3, -1e-3, 1.0, -0.7, 1e-12, -1e-300, 5e-324, 1e6, -1e6, 1e30, -1e30, 1e150, f64::MAX, f64::MIN];

property!(never_a_nan, Sane, |control: C, name| {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let config = Config { cases: 300, failure_persistence: None, ..Config::default() };
    let wild = || prop::sample::select(WILD.as_slice());
    let inputs = prop::collection::vec((prop::collection::vec(wild(), 9), wild()), 1..12);
    let single = control.cast(|x| x as f32);
    TestRunner::new_with_rng(config, rng)
        .run(&inputs, |inputs| {
            let (mut w, mut ws) = (C::State::zero(), <C::With<f32> as Control<f32>>::State::zero());
            for (x, dt) in inputs {
                let motion = |i: usize| MotionSample { x: x[i], v: x[i + 1], a: x[i + 2] };
                let now =
                    Signals { reference: motion(0), measured: motion(3), load: x[6], commanded: x[7], applied: x[8] };
                let (u, us);
                (w, u) = control.step(&w, &now, dt.abs());
                prop_assert!(u.is_finite(), "{name} gives {u}");
                let narrow = cast(&now, |x| x.clamp(-1e30, 1e30) as f32);
                (ws, us) = single.step(&ws, &narrow, dt.abs().min(1e30) as f32);
                prop_assert!(us.is_finite(), "{name} gives {us} in f32");
                for i in 0..C::State::LEN {
                    prop_assert!(w.get(i).is_finite() && ws.get(i).is_finite(), "{name}: memory {i}");
                }
            }
            Ok(())
        })
        .unwrap_or_else(|e| panic!("{e}"));
});

property!(begins_at_zero_and_stays_there, Still, |control: C, name| {
    // at rest at the reference the command is zero, except for dither
    if ["dither", "loop"].contains(&name) {
        return;
    }
    let mut w = C::State::zero();
    let at = MotionSample::rest(0.3);
    for _ in 0..100 {
        let u;
        (w, u) = control.step(&w, &Signals::new(at, at), 1e-3);
        assert_eq!(u, 0.0, "{name}");
    }
});
