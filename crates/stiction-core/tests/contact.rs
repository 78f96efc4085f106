//! The set-valued contact.
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use stiction_core::contact::{SlidingBody, solve_in_loop, step};
use stiction_core::models::{BoucWen, Coulomb, ElastoPlastic, Karnopp, LuGre, Stiction, Stribeck};
use stiction_core::wrap::{Asymmetric, Noise, Stochastic};
use stiction_core::{Dual, Friction, Input, Lanes, Law, Params, Real, StateVector};

fn body(applied: f64) -> SlidingBody<f64> {
    SlidingBody { mass: 1.0, applied }
}
const DT: f64 = 1e-3;

#[test]
fn sticks_to_the_last_bit() {
    let m = Stribeck::<f64>::nominal();
    let mut v = 0.0;
    // a hundred thousand samples under a load of 0.9 of the limit, shaken a little: not one bit of motion
    for k in 0..100_000 {
        let applied = 1.35 + 0.1 * f64::from(k % 7) / 7.0;
        let out = step(&m, &[], &Input::at(v), &body(applied), DT);
        v = out.v;
        assert_eq!((out.v.to_bits(), out.force, out.stuck), (0, applied, true));
    }
}
#[test]
fn lets_go_exactly_at_hold() {
    for (name, hold, out) in [
        ("stribeck", 1.5, &(|f| step(&Stribeck::nominal(), &[], &Input::at(0.0), &body(f), DT)) as &dyn Fn(f64) -> _),
        ("stiction", 1.5, &|f| step(&Stiction::nominal(), &[], &Input::at(0.0), &body(f), DT)),
        ("coulomb", 1.0, &|f| step(&Coulomb::nominal(), &[], &Input::at(0.0), &body(f), DT)),
        ("karnopp", 1.5, &|f| step(&Karnopp::nominal(), &[], &Input::at(0.0), &body(f), DT)),
    ] {
        for dir in [-1.0, 1.0] {
            let at = out(dir * hold);
            assert_eq!((at.v, at.force, at.stuck), (0.0, dir * hold, true), "{name}");
            // the next number beyond
            let beyond = out(dir * f64::from_bits(hold.to_bits() + 1));
            assert!(!beyond.stuck && beyond.v * dir > 0.0, "{name}: {beyond:?}");
        }
    }
}
#[test]
fn stops_and_stays_where_gros_says() {
    // G1: mass 1, Fc 1, v0 0.05: at rest after 0.05 s. Implicit Euler with h ends within one sample and never drifts.
    let (m, h) = (Coulomb::<f64>::nominal(), 0.007);
    let (mut v, mut x, mut t) = (0.05, 0.0, 0.0);
    let mut stopped = None;
    for _ in 0..1000 {
        v = step(&m, &[], &Input::at(v), &body(0.0), h).v;
        x += h * v;
        t += h;
        if v == 0.0 && stopped.is_none() {
            stopped = Some((t, x));
        }
    }
    let (t, place) = stopped.expect("it stops");
    assert!((0.05..0.05 + h).contains(&t), "{t}");
    // first order: half a sample of the initial speed
    assert!((place - 0.00125).abs() < 0.5 * h * 0.05, "{place}");
    assert_eq!(x, place, "not one bit of drift");
}
#[test]
fn solves_its_equation() {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let config = Config { cases: 3000, failure_persistence: None, ..Config::default() };
    let decades = |lo: f64, hi: f64| (lo..hi).prop_map(|e: f64| 10f64.powf(e));
    let strategy = (-1.0..1.0_f64, -5.0..5.0_f64, decades(-6.0, 0.0), decades(-2.0, 3.0), decades(-4.0, 0.0));
    TestRunner::new_with_rng(config, rng)
        .run(&strategy, |(v, applied, dt, mass, vs)| {
            let m = Stribeck { vs, ..Stribeck::nominal() };
            let out = step(&m, &[], &Input::at(v), &SlidingBody { mass, applied }, dt);
            // momentum balance: rounding of the impulse, over dt
            let balance = mass * (out.v - v) / dt - (applied - out.force);
            let rounding = 1e-15 * (mass * v.abs() / dt + applied.abs() + 1.5);
            prop_assert!(balance.abs() <= 10.0 * rounding, "balance {balance}");
            if out.stuck {
                prop_assert!(out.v == 0.0 && out.force.abs() <= 1.5);
            } else {
                // the law at the new velocity; twelve iterations leave 1e-9 even on the steepest curve here
                let law = m.force(&[], &Input::at(out.v));
                prop_assert!((law - out.force).abs() <= 1e-9 + 100.0 * rounding, "law {law}, contact {}", out.force);
                prop_assert!(out.force * out.v >= 0.0);
            }
            Ok(())
        })
        .unwrap();
}
#[test]
fn directions_may_differ() {
    let m = Asymmetric { forward: Coulomb { fc: 1.0 }, reverse: Coulomb { fc: 2.0 } };
    let out = |f| step(&m, &[], &Input::at(0.0), &body(f), DT);
    assert!(out(1.0).stuck && !out(1.01).stuck && out(-2.0).stuck && !out(-2.01).stuck);
    assert!(out(-2.01).v < 0.0);
}
#[test]
fn karnopp_drops_the_momentum_of_its_band() {
    let m = Karnopp { band: 1e-3, ..Karnopp::nominal() };
    // too fast to be stopped by Fs within this sample, but inside the band
    let out = step(&m, &[], &Input::at(9e-4), &body(0.5), 1e-5);
    assert_eq!((out.v, out.force, out.stuck), (0.0, 0.5, true));
    let out = step(&m, &[], &Input::at(1.1e-3), &body(0.5), 1e-5);
    assert!(!out.stuck && out.v > 1e-3);
}
#[test]
fn noise_moves_the_limits_not_the_body() {
    let noise = Noise { amplitude: 0.1, frequency: 50.0, wave: 0.0, seed: 3.0 };
    let m = Stochastic { law: Coulomb { fc: 1.0 }, noise };
    let mut z = <(_, _) as StateVector<f64>>::zero();
    for _ in 0..10_000 {
        let out = step(&m, &z, &Input::at(0.0), &body(0.5), DT);
        assert_eq!((out.v, out.force), (0.0, 0.5));
        z = m.step(&z, &Input::at(0.0), DT);
    }
}
#[test]
fn stiff_bristles_come_to_rest_at_any_sample_time() {
    // A LuGre contact is not set-valued: under load it moves by its bristles and comes to rest where they carry it. At
    // 0.1 s a sample is five thousand times the period of body and bristles; explicit coupling would run away.
    let m = LuGre::<f64>::nominal();
    for dt in [1e-4, 1e-2, 0.1, 10.0] {
        let (mut v, mut x, mut z) = (0.0, 0.0, [0.0]);
        for _ in 0..3000 {
            let out = step(&m, &z, &Input::at(v), &body(0.5), dt);
            (v, z) = (out.v, out.memory);
            x += dt * v;
        }
        // 0.3 s or more: body and bristles settle as exp(-158 t), to 1e-20; the iteration of a step leaves 1e-9 of the
        // force
        assert!(v.abs() < 1e-12, "dt = {dt}: v = {v}");
        assert!((m.sigma0 * z[0] - 0.5).abs() < 1e-9, "dt = {dt}: the bristles carry {}", m.sigma0 * z[0]);
        // a Dahl spring from rest: x = -(g/sigma0) ln(1 - F/g) with g = Fs at rest; larger where it overshot
        // the error of the force, over the stiffness of the spring, leaves 1e-8 of the travel
        let least = -(1.5 / 1e5) * (1.0 - 0.5 / 1.5_f64).ln();
        assert!(x > (1.0 - 1e-8) * least && x < 1.6 * least, "dt = {dt}: x = {x}, at least {least}");
    }
}
#[test]
fn a_lane_does_not_depend_on_its_neighbours() {
    // Newton inside Newton: a lane that had converged went on with the others, and its derivative moved the outer root
    // from -6.8e-5 to -0.113 m/s
    let m = ElastoPlastic::<f64>::nominal();
    let (z, v, dt) = (-9.792304378452524e-6, -4.166927249607799e-6, 0.09037458235509267);
    let body = SlidingBody { mass: 0.21149062832073356, applied: -1.3089041135638146 };
    let alone = step(&m, &[z], &Input::at(v), &body, dt);
    let ml = m.cast(Lanes::<2>::lit);
    for k in 0..200 {
        let other = f64::from(k);
        let pair = |a: f64, b: f64| Lanes([a, b]);
        let bodies = SlidingBody {
            mass: pair(body.mass, 0.1 + 0.3 * other),
            applied: pair(body.applied, 3.0 * (0.7 * other).sin()),
        };
        let u = Input::at(pair(v, 0.1 * (1.3 * other).cos()));
        let both = step(&ml, &[pair(z, 1e-5 * (0.9 * other).sin())], &u, &bodies, pair(dt, dt / (1.0 + other)));
        assert_eq!((both.v.0[0].to_bits(), both.force.0[0].to_bits()), (alone.v.to_bits(), alone.force.to_bits()));
    }
}
/// A step, and the same with the law in one place of a loop, as bits.
fn both_ways<M: Law<f64>>(m: &M, z: &M::State, u: &Input<f64>, body: &SlidingBody<f64>, dt: f64) -> [Vec<u64>; 2] {
    type D = Dual<f64, 1>;
    let rest = u.with_v(0.0);
    // zeros beyond the end
    let numbers = |z: &M::State| -> [f64; 4] { std::array::from_fn(|i| z.get(i)) };
    let hold = |z: &[f64; 4], dir: f64| {
        let mut memory = M::State::zero();
        z.iter().enumerate().for_each(|(i, x)| memory.set(i, *x));
        m.hold(&memory, &rest, dir)
    };
    let sample = |v: f64| {
        let (dual, zd) = (m.cast(D::constant), z.map_into(D::constant));
        let force = dual.sample(&zd, &Input { v: D::var(v, 0), load: D::constant(u.load) }, D::constant(dt)).1;
        (force.re, force.eps[0], numbers(&m.step(z, &u.with_v(v), dt)))
    };
    let written_out = step(m, z, u, body, dt);
    let in_loop = solve_in_loop(u, body, dt, m.band(u), numbers(z), hold, sample);
    let bits = |v: f64, force: f64, stuck: bool, memory: [f64; 4]| {
        let all = [v, force, f64::from(u8::from(stuck))].into_iter().chain(memory);
        all.map(|x| if x.is_nan() { f64::NAN } else { x }.to_bits()).collect::<Vec<u64>>()
    };
    [
        bits(written_out.v, written_out.force, written_out.stuck, numbers(&written_out.memory)),
        bits(in_loop.v, in_loop.force, in_loop.stuck, in_loop.memory),
    ]
}
/// Code of a law with a long sample has it in one place of a loop.
#[test]
fn a_step_with_the_law_in_one_place_has_the_same_bits() {
    fn try_law<M: Law<f64>>() {
        let m = M::nominal();
        for k in 0..2000 {
            let draw = |j: u32| f64::uniform(f64::from(k), f64::from(j));
            let decades = |j: u32, low: f64, high: f64| 10f64.powf(low + (high - low) * draw(j));
            let v = if k % 8 == 7 { 0.0 } else { decades(0, -7.0, 0.0) * if draw(1) < 0.5 { 1.0 } else { -1.0 } };
            let u = Input { v, load: 0.5 + draw(2) };
            let mut z = M::State::zero();
            (0..M::State::LEN).for_each(|i| z.set(i, 4e-5 * (draw(3) - 0.5)));
            let applied = if k % 100 == 99 { f64::NAN } else { 6.0 * (draw(5) - 0.5) };
            let body = SlidingBody { mass: decades(6, -3.0, 2.0), applied };
            let [written_out, in_loop] = both_ways(&m, &z, &u, &body, decades(7, -7.0, 1.0));
            assert_eq!(written_out, in_loop, "{}, {k}", M::NAME);
        }
    }
    try_law::<Coulomb<f64>>();
    try_law::<Stribeck<f64>>();
    try_law::<Karnopp<f64>>();
    try_law::<LuGre<f64>>();
    try_law::<ElastoPlastic<f64>>();
    try_law::<BoucWen<f64>>();
}
#[test]
fn lanes_decide_for_themselves() {
    let m = Stribeck::<Lanes<4>>::nominal();
    let applied = Lanes([0.0, 1.4, 1.6, -3.0]);
    let out =
        step(&m, &[], &Input::at(Lanes([0.0; 4])), &SlidingBody { mass: Lanes([1.0; 4]), applied }, Lanes([DT; 4]));
    assert_eq!(out.stuck.0.map(|m| m != 0), [true, true, false, false]);
    assert!(out.v.0[2] > 0.0 && out.v.0[3] < 0.0);
    for k in 0..4 {
        let one = step(&Stribeck::nominal(), &[], &Input::at(0.0), &body(applied.0[k]), DT);
        assert_eq!((one.v.to_bits(), one.force.to_bits()), (out.v.0[k].to_bits(), out.force.0[k].to_bits()));
    }
}

/// What is not a number holds nothing: a diverged motion or a faulty sensor does not look like a body at rest.
#[test]
fn not_a_number_is_passed_on() {
    let nan = f64::NAN;
    for (v, load, mass, applied) in
        [(nan, 1.0, 1.0, 0.5), (0.1, nan, 1.0, 0.5), (0.1, 1.0, nan, 0.5), (0.1, 1.0, 1.0, nan)]
    {
        let (u, body) = (Input { v, load }, SlidingBody { mass, applied });
        for (name, out) in [
            ("coulomb", step(&Coulomb::nominal(), &[], &u, &body, DT)),
            ("stribeck", step(&Stribeck::nominal(), &[], &u, &body, DT)),
            ("karnopp", step(&Karnopp::nominal(), &[], &u, &body, DT)),
        ] {
            assert!(!out.stuck && out.v.is_nan() && out.force.is_nan(), "{name} at {u:?} {body:?}: {out:?}");
        }
        let out = step(&LuGre::nominal(), &[1e-6], &u, &body, DT);
        assert!(!out.stuck && out.v.is_nan() && out.force.is_nan() && out.memory[0].is_nan(), "lugre: {out:?}");
    }
}
