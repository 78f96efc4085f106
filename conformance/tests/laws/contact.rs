//! A body on every law: the implicit step solves its equation.
use crate::{Property, all, ensure, random, reached};
use stiction_core::contact::{SlidingBody, step};
use stiction_core::{Friction, Input, Lanes, Law, Real, StateVector};

struct Solves;
impl Property for Solves {
    fn check<M: Law<f64>>(&self, m: &M) -> Result<(), String> {
        let decade = |k: u64, lo: f64, hi: f64| 10f64.powf(lo + (hi - lo) * random(13, k));
        let mut missed = 0;
        let states = reached(m, 14, 400);
        for (k, (z, v)) in states.iter().enumerate() {
            let k = 8 * k as u64;
            let (mass, dt) = (decade(k, -2.0, 2.0), decade(k + 1, -6.0, 0.0));
            let applied = 4.0 * (random(13, k + 2) - 0.5);
            let out = step(m, z, &Input::at(*v), &SlidingBody { mass, applied }, dt);
            // momentum: rounding of the impulse over dt
            let rounding = 1e-15 * (mass * (v.abs() + out.v.abs()) / dt + applied.abs() + out.force.abs());
            let balance = mass * (out.v - v) / dt - (applied - out.force);
            let dropped = out.stuck && v.abs() < m.band(&Input::at(*v));
            ensure!(dropped || balance.abs() <= 10.0 * rounding, "momentum off by {balance} N");
            let u = Input::at(out.v);
            let (memory, force) = m.sample(z, &u, dt);
            if out.stuck {
                let hold = m.hold(&memory, &u, 1.0).max(m.hold(&memory, &u, -1.0));
                // the sum of the sampled force and what is held rounds once
                ensure!(
                    out.v == 0.0 && (out.force - force).abs() <= hold * (1.0 + 1e-15) + 10.0 * rounding,
                    "stuck outside the set"
                );
                continue;
            }
            // the law at the new velocity, to what a change of v by one rounding makes of it
            let next = m.sample(z, &Input::at(out.v * (1.0 + 1e-13)), dt).1;
            let allowed = 1e-9 * (force.abs() + 1e-3) + 100.0 * rounding + 10.0 * (next - force).abs();
            // a mode that ends at rest makes the force step there: any value of the step holds the body
            let [rest, start] = [0.0, 1e-60 * out.v.signum()].map(|v| m.sample(z, &Input::at(v), dt).1);
            let between = out.v.abs() < 1e-30 && (out.force - rest) * (out.force - start) <= 0.0;
            missed += usize::from((force - out.force).abs() > allowed && !between);
        }
        // where the force jumps within the sample (a bristle snaps, a break-away) there may be no solution at all
        let jumps = ["bristle", "hysteresis", "reset-integrator"].contains(&M::NAME);
        let most = if jumps { states.len() / 20 } else { 0 };
        ensure!(missed <= most, "{missed} of {} steps miss the law", states.len());
        Ok(())
    }
}
#[test]
fn contact_solves_its_equation_on_every_law() {
    all(&Solves);
}

struct LaneByLane;
impl Property for LaneByLane {
    fn check<M: Law<f64>>(&self, m: &M) -> Result<(), String> {
        type L = Lanes<8>;
        let ml = m.cast(L::lit);
        for (g, group) in reached(m, 15, 160).chunks_exact(8).enumerate() {
            let draw = |k: usize, j: u64| random(16, 64 * g as u64 + 8 * k as u64 + j);
            let lanes = |f: &dyn Fn(usize) -> f64| Lanes(std::array::from_fn(f));
            let mass = lanes(&|k| 10f64.powf(4.0 * draw(k, 0) - 2.0));
            let (applied, dt) = (lanes(&|k| 4.0 * draw(k, 1) - 2.0), lanes(&|k| 10f64.powf(-6.0 * draw(k, 2))));
            let u = Input::at(lanes(&|k| group[k].1));
            let mut z = <M::With<L> as Friction<L>>::State::zero();
            for i in 0..M::State::LEN {
                z.set(i, lanes(&|k| group[k].0.get(i)));
            }
            let all = step(&ml, &z, &u, &SlidingBody { mass, applied }, dt);
            for (k, (z, v)) in group.iter().enumerate() {
                let one = step(m, z, &Input::at(*v), &SlidingBody { mass: mass.0[k], applied: applied.0[k] }, dt.0[k]);
                let same = one.v.to_bits() == all.v.0[k].to_bits() && one.force.to_bits() == all.force.0[k].to_bits();
                ensure!(same, "lane {k} gives {} instead of {}", all.v.0[k], one.v);
            }
        }
        Ok(())
    }
}
#[test]
fn contact_over_lanes_is_scalar_bit_for_bit() {
    all(&LaneByLane);
}
