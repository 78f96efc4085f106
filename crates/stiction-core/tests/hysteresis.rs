//! Nouri's presliding hysteresis: the properties that define nonlocal memory.
use stiction_core::models::Hysteresis;
use stiction_core::{Friction, Input, Params, StateVector};

type Memory = <Hysteresis<f64> as Friction<f64>>::State;

fn law() -> Hysteresis<f64> {
    Hysteresis::nominal()
}
/// Moves by `dx` in one sample at a slow, constant speed.
fn shift(z: &Memory, dx: f64) -> Memory {
    law().step(z, &Input::at(1e-9 * dx.signum()), dx.abs() / 1e-9)
}
fn force(z: &Memory) -> f64 {
    // at the speed of `shift`, in whatever direction the memory last moved
    law().force(z, &Input::at(0.0))
}
fn virgin() -> Memory {
    <Memory as StateVector<f64>>::zero()
}
/// Visits positions and returns the memory at the end.
fn path(z: Memory, from: f64, to: &[f64]) -> Memory {
    to.iter().fold((z, from), |(z, at), &x| (shift(&z, x - at), x)).0
}
#[track_caller]
fn close(a: f64, b: f64) {
    // positions are sums of a dozen moves: 1e-19 m each, times k0
    assert!((a - b).abs() < 1e-11, "{a} instead of {b}");
}

#[test]
fn return_point_memory() {
    // leave a branch, make any excursion within it, come back to the point where it was left: the force is the same
    let z = path(virgin(), 0.0, &[5e-4, -1e-4]);
    for excursion in [[2e-4, -5e-5, 1e-4, -1e-4], [4.9e-4, -9e-5, 4.8e-4, -1e-4], [0.0, -9.9e-5, -5e-5, -1e-4]] {
        close(force(&path(z, -1e-4, &excursion)), force(&z));
    }
}
#[test]
fn wiping_out() {
    // a larger excursion erases all smaller ones: what follows does not know them
    let with = path(virgin(), 0.0, &[3e-4, -2e-4, 1e-4, -5e-5, 5e-5, -3.5e-4]);
    let without = path(virgin(), 0.0, &[3e-4, -3.5e-4]);
    for x in [-3e-4, -1e-4, 1e-4, 3.4e-4, 4e-4] {
        close(force(&path(with, -3.5e-4, &[x])), force(&path(without, -3.5e-4, &[x])));
    }
}
#[test]
fn congruent_minor_loops() {
    // the same pair of turning points gives the same loop, wherever on whatever history it sits; only its height differs
    let shape = |history: &[f64]| {
        let z = path(virgin(), 0.0, history);
        let base = force(&z);
        let end = history[history.len() - 1];
        let places = (1..=20).map(|k| end + 1e-5 * f64::from(if k <= 10 { k } else { 20 - k }));
        places
            .scan((z, end), |(z, at), x| {
                *z = shift(z, x - *at);
                *at = x;
                Some(force(z) - base)
            })
            .collect::<Vec<_>>()
    };
    let (a, b) = (shape(&[5e-4, 1e-4]), shape(&[4e-4, -3e-4, 3.5e-4, 1e-4]));
    a.iter().zip(&b).for_each(|(a, b)| close(*a, *b));
    assert!((a[9] - a[19]).abs() > 10.0, "a real loop");
}
#[test]
fn sampling_does_not_matter() {
    // one long step that turns no corner equals a thousand short ones, loops closing and breaking away on the way
    for path_to in [&[3e-4, -2e-4, 1e-4][..], &[6e-4, -6e-4, 3e-4, -1e-4], &[2e-3, 1.9e-3, 1.95e-3]] {
        let z = path(virgin(), 0.0, path_to);
        for move_by in [5e-4, -5e-4, 2e-3, -2e-3] {
            let one = shift(&z, move_by);
            let many = (0..1000).fold(z, |z, _| shift(&z, move_by / 1000.0));
            // a thousand roundings of the position
            assert!((force(&one) - force(&many)).abs() < 1e-9, "{} {}", force(&one), force(&many));
        }
    }
}
#[test]
fn loop_area_is_the_energy_lost() {
    // N2: between +-60 N; the area was computed by quadrature of the branch function (reference/values.py)
    let turn = 2.02478752176666e-4;
    let mut z = path(virgin(), 0.0, &[turn, -turn]);
    let (n, mut area) = (4000, 0.0);
    for dir in [1.0, -1.0] {
        for _ in 0..n {
            let before = force(&z);
            z = shift(&z, dir * 2.0 * turn / f64::from(n));
            area += 0.5 * (before + force(&z)) * dir * 2.0 * turn / f64::from(n);
        }
    }
    // trapezoidal rule: curvature k0^2/f1 times h^2/12
    assert!((area - 0.0219536908049745).abs() < 1e-6 * area, "{area}");
}
#[test]
fn breaks_away_at_the_force_and_forgets() {
    let m = law();
    let before = shift(&virgin(), 7.0247e-4);
    let after = shift(&virgin(), 7.0248e-4);
    assert!(force(&before) < 80.0 && force(&before) > 79.999);
    let slow = Input::at(1e-9);
    // in force, 1e-7 is fv1 v = 2e-8 and the rest of the travel beyond break-away
    assert!((m.force(&after, &slow) - 80.0).abs() < 1e-7, "force goes on continuously, up to fv1 v = 2e-8");
    // sliding: force follows the curve for rising speed, then that for falling speed
    let fast = m.step(&after, &Input::at(1.0), 0.1);
    let rising = m.force(&fast, &Input::at(1.0));
    let faster = m.step(&fast, &Input::at(2.0), 0.1);
    let falling = m.step(&faster, &Input::at(1.0), 0.1);
    // what is left of the Stribeck part at this speed
    assert!((rising - 70.0).abs() < 1e-6, "Fc1 + fv1 v, the Stribeck part gone: {rising}");
    // a sum of two terms: rounding
    assert!((m.force(&falling, &Input::at(1.0)) - 65.0).abs() < 1e-12, "Fc2 + fv2 v");
    // sticking goes on from the sliding force
    let slowed = m.step(&falling, &Input::at(1e-6), 1e-3);
    // the viscous part goes with the speed
    let last = m.force(&slowed, &Input::at(1e-6)) - m.fv2 * 1e-6;
    let stuck = m.step(&slowed, &Input::at(0.0), 1.0);
    // rounding of the displacement times k0
    assert!((m.force(&stuck, &Input::at(0.0)) - last).abs() < 1e-11);
    // from there a branch leads down, another up to break-away again
    assert!(force(&shift(&stuck, -1e-4)) < last - 70.0);
    assert!(m.force(&shift(&stuck, 2e-3), &slow) > 79.9);
}
#[test]
fn a_full_memory_forgets_only_the_innermost_loops() {
    // twenty nested reversals, then straight out: the outer ones still close where they should
    let turns: Vec<f64> = (0..20).map(|k| 5e-4 * 0.9_f64.powi(k) * if k % 2 == 0 { 1.0 } else { -1.0 }).collect();
    let z = path(virgin(), 0.0, &turns);
    let direct = path(virgin(), 0.0, &turns[..2]);
    close(force(&path(z, turns[19], &[6e-4])), force(&path(direct, turns[1], &[6e-4])));
}
#[test]
fn load_scales_the_force_and_not_the_distance() {
    let m = law();
    let z = path(virgin(), 0.0, &[3e-4, -1e-4]);
    let f = |load: f64| m.force(&z, &Input { v: 0.0, load });
    assert_eq!(f(2.0), 2.0 * f(1.0));
    assert_eq!(f(0.0), 0.0);
}
