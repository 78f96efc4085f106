//! The real-time step against a tight integration of `rate`, stopping at every guard to jump.
use crate::{Property, all, ensure, reached, scale};
use stiction_core::{Input, Law, StateVector};

fn axpy<S: StateVector<f64>>(z: &S, h: f64, d: &S) -> S {
    let mut out = *z;
    for i in 0..S::LEN {
        out.set(i, z.get(i) + h * d.get(i));
    }
    out
}

/// One classical Runge-Kutta step of the flow.
fn rk4<M: Law<f64>>(m: &M, z: &M::State, u: &Input<f64>, h: f64) -> M::State {
    let a = m.rate(z, u);
    let b = m.rate(&axpy(z, h / 2.0, &a), u);
    let c = m.rate(&axpy(z, h / 2.0, &b), u);
    let d = m.rate(&axpy(z, h, &c), u);
    let mut out = *z;
    for i in 0..M::State::LEN {
        out.set(i, z.get(i) + h / 6.0 * (a.get(i) + 2.0 * b.get(i) + 2.0 * c.get(i) + d.get(i)));
    }
    out
}

/// Whether any guard rose through zero: all modes flip that way. Falling ones are kinks at most.
fn crossed<M: Law<f64>>(m: &M, a: &M::State, b: &M::State, u: &Input<f64>) -> bool {
    let (a, b) = (m.guards(a, u), m.guards(b, u));
    (0..<M::Guards as StateVector<f64>>::LEN).any(|i| a.get(i) < 0.0 && b.get(i) >= 0.0)
}

/// Integrates to `dt` with the step controlled by halving. Jumps only where a guard rises through zero, located by
/// bisection: a missing or late guard shows.
fn integrate<M: Law<f64>>(m: &M, z: &M::State, u: &Input<f64>, dt: f64, tolerance: f64) -> M::State {
    let (mut z, mut t, mut h) = (m.jump(z, u), 0.0, dt / 50.0);
    for _ in 0..100_000 {
        h = h.min(dt - t);
        let (whole, half) = (rk4(m, &z, u, h), rk4(m, &rk4(m, &z, u, h / 2.0), u, h / 2.0));
        let force = (m.force(&whole, u) - m.force(&half, u)).abs();
        // states that the force does not show at the moment count too
        let relative = |i| (whole.get(i) - half.get(i)).abs() / (z.get(i).abs() + half.get(i).abs()).max(1e-12);
        let drift = (0..M::State::LEN).map(relative).fold(0.0, f64::max);
        if crossed(m, &z, &half, u) {
            let (mut lo, mut hi) = (0.0, h);
            for _ in 0..60 {
                let mid = 0.5 * (lo + hi);
                if crossed(m, &z, &rk4(m, &z, u, mid), u) { hi = mid } else { lo = mid }
            }
            z = m.jump(&rk4(m, &z, u, hi), u);
            t += hi;
        } else if h > 1e-9 * dt && (force > tolerance || drift > 1e-9) {
            h /= 2.0;
            continue;
        } else {
            (z, t) = (half, t + h);
            h *= 2.0;
        }
        if t >= dt {
            return z;
        }
    }
    panic!("{}: the reference got stuck at {t} of {dt} s", M::NAME);
}

struct Follows;
impl Property for Follows {
    fn check<M: Law<f64>>(&self, m: &M) -> Result<(), String> {
        let scale = scale(m);
        for (k, (z, last)) in reached(m, 3, 24).into_iter().enumerate() {
            for v in [last, -last, 1e-5, -1e-3, 0.1] {
                let u = Input::at(v);
                // travels from well inside presliding to past most of it; longer ones are for `any_step_settles`
                for travel in [1.1e-7, 1.2e-6, 1.3e-5] {
                    let dt = if v == 0.0 { 1e-3 } else { travel / v.abs() };
                    let want = m.force(&integrate(m, &z, &u, dt, 1e-12 * scale), &u);
                    let parts = |n: u32| {
                        let end = (0..n).fold(z, |z, _| m.step(&z, &u, dt / f64::from(n)));
                        (m.force(&end, &u) - want).abs() / scale
                    };
                    // a few thousand reference steps of 1e-12 each, and rounding where a damper multiplies a difference
                    let small = 2e-8 * (1.0 + want.abs() / scale);
                    if M::EXACT {
                        ensure!(
                            parts(1) < small,
                            "state {k}, v = {v}, dt = {dt}: {want} missed by {}",
                            parts(1) * scale
                        );
                    } else {
                        // second order: four times the samples, a sixteenth of the error; half of that gain is asked for.
                        // The one sample that straddles a kink is of first order only: (1/1024)^2 of the whole.
                        let (coarse, fine) = (parts(256), parts(1024));
                        ensure!(
                            fine < (1e-6_f64).max(coarse / 8.0),
                            "state {k}, v = {v}, dt = {dt}: off by {coarse} in 256 parts, {fine} in 1024"
                        );
                        // at a kink one sample of the 1024 is of first order: 1/1024 of the force at most
                        ensure!(fine < 1e-3, "state {k}, v = {v}, dt = {dt}: {fine} off in 1024 parts");
                    }
                }
            }
        }
        Ok(())
    }
}
#[test]
fn step_follows_the_flow() {
    all(&Follows);
}

struct Samples;
impl Property for Samples {
    fn check<M: Law<f64>>(&self, m: &M) -> Result<(), String> {
        for (z, v) in reached(m, 9, 200) {
            let u = Input::at(v);
            let ((z1, f1), z2) = (m.sample(&z, &u, 1e-3), m.step(&z, &u, 1e-3));
            // shared work may round once or twice differently, which a damper of 300 N s/m makes 1e-13 of the force
            let f2 = m.force(&z2, &u);
            ensure!((f1 - f2).abs() <= 1e-12 * (f2.abs() + 1.0), "sample gives {f1}, step and force {f2}");
            ensure!((0..M::State::LEN).all(|i| z1.get(i).to_bits() == z2.get(i).to_bits()), "sample and step differ");
        }
        Ok(())
    }
}
#[test]
fn a_sample_is_a_step_and_its_force() {
    all(&Samples);
}

struct JumpsOnce;
impl Property for JumpsOnce {
    fn check<M: Law<f64>>(&self, m: &M) -> Result<(), String> {
        for (z, v) in reached(m, 4, 60) {
            let u = Input::at(v);
            let (once, twice) = (m.jump(&z, &u), m.jump(&m.jump(&z, &u), &u));
            for i in 0..M::State::LEN {
                ensure!(once.get(i).to_bits() == twice.get(i).to_bits(), "jump is not idempotent in state {i}");
                // a sample of no length is a jump and nothing else; dieterich stores a logarithm: one rounding each way
                let (none, jumped) = (m.step(&z, &u, 0.0).get(i), once.get(i));
                ensure!(
                    (none - jumped).abs() <= 1e-14 * jumped.abs(),
                    "a step of no length moves state {i} by {}",
                    none - jumped
                );
            }
        }
        Ok(())
    }
}
#[test]
fn nothing_happens_in_no_time() {
    all(&JumpsOnce);
}
