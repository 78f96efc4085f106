//! Closed cycles and symmetry.
use crate::{Property, all, ensure, motion, scale};
use stiction_core::{Input, Law, StateVector};

struct Dissipates;
impl Property for Dissipates {
    fn check<M: Law<f64>>(&self, m: &M) -> Result<(), String> {
        for amplitude in [1e-7, 1e-6, 1e-5, 1e-4, 1e-3] {
            for omega in [0.1, 10.0] {
                let (mut z, n) = (M::State::zero(), 2000);
                let mut work = [0.0; 4];
                for work in &mut work {
                    for k in 0..n {
                        let phase = |k: usize| std::f64::consts::TAU * k as f64 / n as f64;
                        let dx = amplitude * (phase(k + 1).sin() - phase(k).sin());
                        let dt = phase(1) / omega;
                        let u = Input::at(dx / dt);
                        let before = m.force(&z, &u);
                        z = m.step(&z, &u, dt);
                        *work += 0.5 * (before + m.force(&z, &u)) * dx;
                    }
                }
                // an elastic cycle returns what it took, up to the trapezoidal rule: (2 pi/n)^2 of force times travel
                let slack = 1e-5 * scale(m) * amplitude;
                ensure!(work[3] >= -slack, "a cycle of {amplitude} m at {omega} rad/s gives back {} J", -work[3]);
            }
        }
        Ok(())
    }
}
#[test]
fn closed_cycles_dissipate() {
    all(&Dissipates);
}

struct Odd;
impl Property for Odd {
    fn check<M: Law<f64>>(&self, m: &M) -> Result<(), String> {
        let (mut a, mut b) = (M::State::zero(), M::State::zero());
        let mut differs = false;
        for (v, dt) in motion(2, 2000) {
            let (u, w) = (Input::at(v), Input::at(-v));
            a = m.step(&a, &u, dt);
            b = m.step(&b, &w, dt);
            differs |= m.force(&a, &u) != -m.force(&b, &w);
        }
        ensure!(differs != M::ODD, "claims ODD = {} but mirrored motions say otherwise", M::ODD);
        Ok(())
    }
}
struct Linear;
impl Property for Linear {
    fn check<M: Law<f64>>(&self, m: &M) -> Result<(), String> {
        let mut bent = M::State::LEN > 0;
        for side in [-1.0, 1.0] {
            let at = |v: f64| m.force(&M::State::zero(), &Input::at(side * v));
            for (a, b) in [(1e-9, 1e-4), (1e-4, 1e-2), (1e-3, 1.0), (0.1, 30.0)] {
                let (ends, mid) = (at(a) + at(b), at(0.5 * (a + b)));
                // rounding of a few operations
                bent |= (ends - 2.0 * mid).abs() > 1e-14 * ends.abs();
            }
        }
        ensure!(!(bent && M::LINEAR), "claims to be linear in speed, and is not");
        Ok(())
    }
}
#[test]
fn linear_where_claimed() {
    all(&Linear);
}

#[test]
fn odd_where_claimed_and_only_there() {
    all(&Odd);
}
