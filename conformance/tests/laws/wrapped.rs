//! Every law in every wrapper: a neutral wrapper changes nothing, an active one does in every method what it says.
use crate::{Property, all, ensure, motion, parameters, reached, scale};
use stiction_core::wrap::{Affine, Asymmetric, Loaded, Noise, Stochastic};
use stiction_core::{Friction, Input, Law, Params, StateVector};

/// Everything a law answers at one instant, as numbers.
fn answers<M: Friction<f64>>(m: &M, z: &M::State, u: &Input<f64>) -> Vec<f64> {
    let all = |s: &M::State| (0..M::State::LEN).map(|i| s.get(i)).collect::<Vec<_>>();
    let guards = m.guards(z, u);
    let (sampled, force) = m.sample(z, u, 1e-3);
    let mut out = vec![m.force(z, u), m.steady(u), m.hold(z, u, 1.0), m.hold(z, u, -1.0), m.band(u), force];
    out.extend((0..<M::Guards as StateVector<f64>>::LEN).map(|i| guards.get(i)));
    for s in [&m.rate(z, u), &m.settled(u), &m.step(z, u, 1e-3), &m.jump(z, u), &sampled] {
        out.extend(all(s));
    }
    out
}

struct Faithful;
impl Property for Faithful {
    fn check<M: Law<f64>>(&self, m: &M) -> Result<(), String> {
        let other = M::from_slice(&parameters::<M>(7));
        let sides = Asymmetric { forward: *m, reverse: other };
        let map = Affine { base: 0.3, slope: 0.02 };
        let loaded = Loaded { law: *m, map };
        for (z, v) in reached(m, 11, 60) {
            let u = Input { v, load: 1.3 };
            let law = if v < 0.0 { &other } else { m };
            // a slide that does not go on is first ended by the law of its direction
            let end = |u: &Input<f64>| match m.slides(&z) {
                slid if slid == 0.0 || slid * u.v > 0.0 => z,
                slid => (if slid < 0.0 { &other } else { m }).jump(&z, &u.with_v(0.0)),
            };
            let (mut one, ended) = (answers(law, &z, &u), answers(law, &end(&u), &u));
            // the memory of a moment, and what becomes of it
            let (guards, states) = (<M::Guards as StateVector<f64>>::LEN, M::State::LEN);
            let rates = 6 + guards + 2 * states;
            one[5] = ended[5];
            one[rates..].copy_from_slice(&ended[rates..]);
            let both = answers(&sides, &z, &u);
            // hold asks for a direction, not for the present velocity, and reaches to the end of the set of that direction's law
            let rest = u.with_v(0.0);
            let hold = [(m, 1.0), (&other, -1.0)].map(|(law, dir)| {
                let about_to_move = u.with_v(dir * 1e-30);
                let z_dir = law.jump(&end(&about_to_move), &about_to_move);
                law.hold(&z_dir, &rest, dir) + dir * (law.force(&z_dir, &rest) - m.force(&z, &rest))
            });
            ensure!(both[2..4] == hold, "asymmetric hold {:?} instead of {hold:?}", &both[2..4]);
            ensure!(
                both[..2] == one[..2] && both[4..] == one[4..],
                "asymmetric differs from the law of its direction at v = {v}"
            );
            let plain = answers(m, &z, &Input { v, load: map.base + map.slope * 40.0 });
            ensure!(
                answers(&loaded, &z, &Input { v, load: 40.0 }) == plain,
                "loaded differs from the law at the mapped load"
            );
        }
        Ok(())
    }
}
#[test]
fn wrappers_forward_every_method() {
    all(&Faithful);
}

/// No force of beginning motion lies beyond the end of the set at rest, so that a body at rest always has a solution: an applied
/// force beyond an end of the set moves it to that side, one within is held.
fn set_covers_both_sides<M: Friction<f64>>(m: &M, z: &M::State, load: f64) -> Result<(), String> {
    let rest = Input { v: 0.0, load };
    let centre = m.force(z, &rest);
    for dir in [-1.0, 1.0] {
        // so slow that even the steep middle of rate-and-state is left
        let moving = rest.with_v(dir * 1e-60);
        let begins = m.force(&m.jump(z, &moving), &moving);
        let (hold, beyond) = (m.hold(z, &rest, dir), dir * (begins - centre));
        // rounding of the difference, of a sum of a few forces, and the viscous force at that speed
        let rounding = 1e-14 * (centre.abs() + begins.abs() + hold.abs()) + 1e-15;
        ensure!(beyond <= hold + rounding, "begins {beyond} beyond the force at rest, held {hold}, dir {dir}");
    }
    Ok(())
}

struct SetAtRest;
impl Property for SetAtRest {
    fn check<M: Law<f64>>(&self, m: &M) -> Result<(), String> {
        let noise = Noise { amplitude: 0.05, frequency: 30.0, wave: 100.0, seed: 5.0 };
        for seed in 0..4 {
            let sides = Asymmetric { forward: *m, reverse: M::from_slice(&parameters::<M>(seed)) };
            let noisy = Stochastic { law: sides, noise };
            for (k, (z, v)) in reached(m, seed, 60).into_iter().enumerate() {
                let load = if k % 4 == 0 { 0.0 } else { 1.3 };
                // the state of coming to rest, and that of resting
                for v in [v.signum() * 1e-60, 0.0] {
                    let u = Input { v, load };
                    set_covers_both_sides(m, &m.jump(&z, &u), load)?;
                    let z = sides.jump(&z, &u);
                    set_covers_both_sides(&sides, &z, load)?;
                    set_covers_both_sides(&noisy, &(z, [k as f64, 0.3]), load)?;
                }
            }
        }
        Ok(())
    }
}
#[test]
fn the_set_at_rest_contains_the_forces_of_both_sides() {
    all(&SetAtRest);
}

/// The set of forces at rest, from its lower to its upper end.
fn set_at_rest<M: Friction<f64>>(m: &M, z: &M::State) -> [f64; 2] {
    let rest = Input::at(0.0);
    let centre = m.force(z, &rest);
    [centre - m.hold(z, &rest, -1.0), centre + m.hold(z, &rest, 1.0)]
}

/// Seen in the mirror, a contact with other parameters in reverse is one with its parameters exchanged: it moves the other way and its force has the
/// other sign, also after it was at rest, which belongs to neither direction.
struct Mirrored;
impl Property for Mirrored {
    fn check<M: Law<f64>>(&self, m: &M) -> Result<(), String> {
        if !M::ODD {
            return Ok(());
        }
        let scale = scale(m);
        for seed in 0..4 {
            let other = M::from_slice(&parameters::<M>(seed));
            let here = Asymmetric { forward: *m, reverse: other };
            let there = Asymmetric { forward: other, reverse: *m };
            let (mut z, mut w) = (M::State::zero(), M::State::zero());
            for (k, (v, dt)) in motion(20 + seed, 400).enumerate() {
                // what goes on at rest, such as ageing, goes on by the law of the forward direction
                let dt = if v == 0.0 { 0.0 } else { dt };
                (z, w) = (here.step(&z, &Input::at(v), dt), there.step(&w, &Input::at(-v), dt));
                let (force, mirrored) = (here.force(&z, &Input::at(v)), there.force(&w, &Input::at(-v)));
                // rounding of a difference of forces grows with the number of steps
                let close = |a: f64, b: f64| (a + b).abs() <= 1e-11 * scale;
                ensure!(v == 0.0 || close(force, mirrored), "step {k}: {force} at {v}, mirrored {mirrored}");
                // comes to rest, and goes on from there
                let rest = Input::at(0.0);
                (z, w) = (here.jump(&z, &rest), there.jump(&w, &rest));
                let ([low, high], [from, to]) = (set_at_rest(&here, &z), set_at_rest(&there, &w));
                ensure!(
                    close(low, to) && close(high, from),
                    "step {k}: at rest after {v} {low} to {high}, mirrored {from} to {to}"
                );
            }
        }
        Ok(())
    }
}
#[test]
fn a_law_in_the_mirror_is_the_law_with_its_directions_exchanged() {
    all(&Mirrored);
}

struct Noisy;
impl Property for Noisy {
    fn check<M: Law<f64>>(&self, m: &M) -> Result<(), String> {
        let noise = Noise { amplitude: 0.05, frequency: 30.0, wave: 100.0, seed: 5.0 };
        let (noisy, quiet) = (Stochastic { law: *m, noise }, Stochastic { law: *m, noise: Noise::nominal() });
        let mut place = [0.0; 2];
        let mut heard = false;
        for (z, v) in reached(m, 12, 60) {
            let u = Input::at(v);
            let (a, b) = (noisy.force(&(z, place), &u), quiet.force(&(z, place), &u));
            ensure!(b == m.force(&z, &u) && quiet.steady(&u) == m.steady(&u), "silence is heard");
            ensure!((a - b).abs() <= b.abs() && a * b >= 0.0, "noise of {} drives a friction of {b}", a - b);
            heard |= a != b;
            // flow and step move the noise alike, by the pace of time and distance
            let ((_, end), (_, rate)) = (noisy.step(&(z, place), &u, 1e-4), noisy.rate(&(z, place), &u));
            let moved = end[0] + end[1] - place[0] - place[1];
            // phases below some tens: rounding of their sum
            ensure!(
                (moved - rate[1] * 1e-4).abs() < 1e-13,
                "the noise moves by {moved}, its rate says {}",
                rate[1] * 1e-4
            );
            // after the flow, a jump counts whole cells and leaves the force
            let far = (z, [place[0], place[1] + 3.0]);
            let jumped = noisy.jump(&(m.jump(&z, &u), far.1), &u);
            ensure!(
                jumped.1[1] < 1.0 && jumped.1[0] == place[0] + 3.0,
                "a jump does not count the cells: {:?}",
                jumped.1
            );
            place = end;
        }
        ensure!(heard, "no noise at all");
        Ok(())
    }
}
#[test]
fn noise_is_carried_by_friction() {
    all(&Noisy);
}
