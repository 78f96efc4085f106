//! Derivatives by dual numbers against differences, for velocity, every state and every parameter.
use crate::{Property, all, ensure, reached, scale};
use stiction_core::{Dual, Friction, Input, Law, StateVector};

type D = Dual<f64, 1>;

/// Force after one sample, with variable number `i` (velocity, states, parameters) moved by `delta`.
fn force<M: Law<f64>>(p: &[f64], z: &M::State, v: f64, dt: f64, i: usize, delta: f64) -> f64 {
    let (mut p, mut z, mut v) = (p.to_vec(), *z, v);
    match i.checked_sub(1) {
        None => v += delta,
        Some(k) if k < M::State::LEN => z.set(k, z.get(k) + delta),
        Some(k) => p[k - M::State::LEN] += delta,
    }
    let (m, u) = (M::from_slice(&p), Input::at(v));
    m.force(&m.step(&z, &u, dt), &u)
}

/// The same derivative, by dual numbers.
fn slope<M: Law<f64>>(m: &M, z: &M::State, v: f64, dt: f64, i: usize) -> f64 {
    let mut n = 1 + M::State::LEN;
    let md = m.cast(|x| {
        n += 1;
        D::var(x, if n - 1 == i { 0 } else { 1 })
    });
    let mut zd: <M::With<D> as Friction<D>>::State = z.map_into(D::constant);
    if (1..=M::State::LEN).contains(&i) {
        zd.set(i - 1, D::var(z.get(i - 1), 0));
    }
    let u = Input { v: D::var(v, if i == 0 { 0 } else { 1 }), load: D::constant(1.0) };
    md.force(&md.step(&zd, &u, D::constant(dt)), &u).eps[0]
}

struct Differentiates;
impl Property for Differentiates {
    fn check<M: Law<f64>>(&self, m: &M) -> Result<(), String> {
        // the law's own values, but off a bound, where there is only one side
        let mut p = Vec::new();
        let _ = m.cast(|x| {
            let param = &M::PARAMS[p.len()];
            p.push(if x == param.min { x + 1e-3 * x.abs().max(1e-9) } else { x });
            x
        });
        let m = &M::from_slice(&p);
        let (scale, mut tried, mut compared) = (scale(m), 0, 0);
        for (z, last) in reached(m, 5, 40) {
            for (v, dt) in [(last, 1e-6), (3e-5, 1e-2), (-2e-3, 1e-3), (0.11, 1e-4)] {
                for i in 0..1 + M::State::LEN + p.len() {
                    let x = match i.checked_sub(1) {
                        None => v,
                        Some(k) if k < M::State::LEN => z.get(k),
                        Some(k) => p[k - M::State::LEN],
                    };
                    // the force may jump at rest; flags and counts have no derivative
                    if i == 0 && v == 0.0 {
                        continue;
                    }
                    if i > 0 && i <= M::State::LEN && M::STATES[i - 1].unit == "-" && x.abs() == x.abs().round() {
                        continue;
                    }
                    let h = 1e-5 * x.abs().max(1e-9);
                    let f = |d: f64| force::<M>(&p, &z, v, dt, i, d);
                    // a kink within reach, or noise above the difference: left and right disagree, nothing to compare
                    let (left, mid, right) = (f(-h), f(0.0), f(h));
                    let (low, high, central) = ((mid - left) / h, (right - mid) / h, (right - left) / (2.0 * h));
                    let noise = 1e-13 * scale / h;
                    tried += 1;
                    if (low - high).abs() > 0.02 * central.abs() + noise {
                        continue;
                    }
                    compared += 1;
                    let got = slope(m, &z, v, dt, i);
                    // second difference bounds the truncation, rounding of the force the rest
                    let allowed = (low - high).abs() + 1e-5 * central.abs() + 10.0 * noise;
                    ensure!(
                        (got - central).abs() <= allowed,
                        "variable {i} at {x}, v = {v}, dt = {dt}: dual {got}, difference {central}"
                    );
                }
            }
        }
        ensure!(compared * 10 > tried * 8, "only {compared} of {tried} derivatives could be compared");
        Ok(())
    }
}
#[test]
fn dual_is_the_difference_quotient() {
    all(&Differentiates);
}

/// A number of the memory that does not flow has no rate, and one that flows has one somewhere.
struct Flows;
impl Property for Flows {
    fn check<M: Law<f64>>(&self, m: &M) -> Result<(), String> {
        let mut moved = vec![false; M::State::LEN];
        for (z, last) in reached(m, 6, 60) {
            for v in [last, 3e-5, -2e-3, 0.11] {
                let rate = m.rate(&z, &Input::at(v));
                for (i, moved) in moved.iter_mut().enumerate() {
                    *moved |= rate.get(i) != 0.0;
                }
            }
        }
        for (i, moved) in moved.into_iter().enumerate() {
            ensure!(M::flows(i) == moved, "state {} flows: said {}, seen {moved}", M::STATES[i].name, M::flows(i));
        }
        Ok(())
    }
}
#[test]
fn what_does_not_flow_has_no_rate() {
    all(&Flows);
}
