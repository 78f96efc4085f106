//! Stick and break-away.
use crate::systems::{assert_balance, body, coulomb, last, law, ramp, run, slope, spring, system, until, with_force};
use std::f64::consts::FRAC_PI_2;
use stiction_sim::Spec;
use stiction_sim::sim::{SimError, Simulation, SimulationOptions};
use stiction_sim::system::{Body, Plane, PlaneContact, Signal, System};

#[test]
fn a_held_block_does_not_move() {
    let system = system(slope(0.999_999, 0.7), body(&coulomb(1.0), [0.3, -0.2], [0.0; 2]));
    let (summary, trace) = run(&system, &until(1e9));
    assert_eq!(last(&summary, ["block.x", "block.y", "block.vx", "block.vy"]), [0.3, -0.2, 0.0, 0.0]);
    assert!(trace.events.is_empty());
    assert_eq!(summary.energy.friction, 0.0);
}

#[test]
fn break_away_is_where_the_resultant_reaches_the_ellipse() {
    // a force (rt, c): along a grain at an angle g with ratio b, (x/1)² + (y/b)² = fs²
    for (grain, across, law) in [
        (0.0, 1.0, coulomb(1.0)),
        (0.0, 0.5, coulomb(1.0)),
        (0.8, 0.5, coulomb(1.0)),
        (-0.3, 2.0, law("stribeck", &[("fc", 0.7), ("fs", 1.0)])),
        (0.0, 1.0, law("stiction", &[("fc", 0.7), ("fs", 1.0)])),
    ] {
        let (rate, constant) = (0.7, 0.3);
        let mut block = body(&law, [0.0; 2], [0.0; 2]);
        (block.contact.grain, block.contact.across) = (grain, across);
        let flat = system(Plane::default(), block);
        let pushed = with_force(flat, [ramp(rate), Signal::Constant(constant)]);
        let (sin, cos) = f64::sin_cos(grain);
        let margin = |t: f64| {
            let (x, y) = (rate * t, constant);
            let (u, w) = (x * cos + y * sin, (y * cos - x * sin) / across);
            u * u + w * w - 1.0
        };
        let (mut low, mut high) = (0.0, 10.0);
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            if margin(middle) < 0.0 { low = middle } else { high = middle }
        }
        let (summary, trace) = run(&pushed, &until(low + 1.0));
        let event = trace.events[0];
        assert!(event.kind.is("slip") && (event.t - low).abs() < 1e-14, "{} for {low}", event.t);
        assert_eq!(trace.events.len(), 1);
        // rows before it are at rest
        assert!(trace.rows.iter().filter(|row| row[0] < event.t).all(|row| row[1..6].iter().all(|&x| x == 0.0)));
        assert_balance(&summary, 1e-7);
    }
}

#[test]
fn sliding_begins_normal_to_the_ellipse() {
    // just after break-away on the ellipse of the force (x, y), the velocity is along (x, y/b²)
    let mut block = body(&coulomb(1.0), [0.0; 2], [0.0; 2]);
    block.contact.across = 0.5;
    let pushed = with_force(system(Plane::default(), block), [ramp(1.0), ramp(0.4)]);
    let (summary, trace) = run(&pushed, &until(1.0));
    let begin = trace.events[0].t;
    assert!((begin - (1.0_f64 + 0.64).sqrt().recip()).abs() < 1e-14);
    let (summary, _) = (run(&pushed, &until(begin + 1e-5)).0, summary);
    let [vx, vy] = last(&summary, ["block.vx", "block.vy"]);
    // the direction turns at a rate of order one
    assert!((vy / vx - 0.4 / 0.25).abs() < 1e-4, "{vx} {vy}");
}

#[test]
fn a_jump_beyond_the_disc_takes_the_nearest_point_of_the_set() {
    // the acceleration is the distance from the set: for a disc p − f along the force, for an ellipse to its nearest point
    let jump = |force: [f64; 2], across: f64| {
        let mut block = body(&coulomb(1.0), [0.0; 2], [0.0; 2]);
        block.contact.across = across;
        let step = force.map(|after| Signal::Step { before: 0.0, after, at: 0.5 });
        let (summary, trace) = run(&with_force(system(Plane::default(), block), step), &until(0.5 + 1e-6));
        assert_eq!(trace.events[0].t, 0.5);
        last(&summary, ["block.vx", "block.vy"]).map(|v| v / 1e-6)
    };
    let [x, y] = jump([3.0, 4.0], 1.0);
    // a microsecond at a constant force: exact but for rounding of the time
    assert!((x - 2.4).abs() < 1e-8 && (y - 3.2).abs() < 1e-8, "{x} {y}");
    let (force, b) = ([1.2, 1.3], 0.4_f64);
    let distance = |k: i32| {
        let angle = 1e-4 * f64::from(k);
        (force[0] - angle.cos()).hypot(force[1] - b * angle.sin())
    };
    let nearest = (0..15_708).map(distance).fold(f64::INFINITY, f64::min);
    let [x, y] = jump(force, b);
    // the table has steps of 1e-4, and a minimum
    assert!((x.hypot(y) - nearest).abs() < 1e-7, "{} for {nearest}", x.hypot(y));
}

#[test]
fn a_load_that_falls_lets_go() {
    let mut block = body(&coulomb(1.0), [0.0; 2], [0.0; 2]);
    block.contact.load = Signal::Ramp { offset: 1.0, slope: -0.1, start: 0.0, end: 10.0 };
    let (summary, trace) = run(&system(slope(0.5, 0.0), block), &until(6.0));
    assert!((trace.events[0].t - 5.0).abs() < 1e-13, "{:?}", trace.events);
    // a = 0.1·τ: x = 0.1/6, v = 0.05
    let [x, vx] = last(&summary, ["block.x", "block.vx"]);
    assert!((x - 0.1 / 6.0).abs() < 1e-9 && (vx - 0.05).abs() < 1e-9, "{x} {vx}");
}

#[test]
fn levels_for_one_newton_are_coefficients() {
    // 2 kg at 30°, coefficient 0.6 above tan 30° = 0.577: held; 0.57: slides with g·(sin − µ·cos)
    let plane = Plane { tilt: 30.0_f64.to_radians(), downhill: 0.0, gravity: 9.81 };
    let block = |mu: f64| {
        let mut block = body(&coulomb(mu), [0.0; 2], [0.0; 2]);
        (block.mass, block.contact.nominal) = (2.0, Some(1.0));
        run(&system(plane, block), &until(1.0)).0
    };
    assert_eq!(last(&block(0.6), ["block.vx"]), [0.0]);
    let [vx] = last(&block(0.57), ["block.vx"]);
    let exact = 9.81 * (plane.tilt.sin() - 0.57 * plane.tilt.cos());
    assert!((vx - exact).abs() < 1e-9, "{vx} for {exact}");
}

#[test]
fn laws_without_a_set_at_rest_have_none() {
    // viscous friction: v = (p/c)·(1 − exp(−c·t)), and no events
    let (summary, trace) =
        run(&system(slope(0.5, 0.0), body(&law("viscous", &[("fv", 2.0)]), [0.0; 2], [0.0; 2])), &until(1.0));
    let [vx] = last(&summary, ["block.vx"]);
    assert!((vx - 0.25 * (1.0 - (-2.0_f64).exp())).abs() < 1e-8 && trace.events.is_empty(), "{vx}");
    // a smooth law creeps
    let (summary, _) =
        run(&system(slope(0.5, 0.0), body(&law("coulomb-tanh", &[("fc", 1.0)]), [0.0; 2], [0.0; 2])), &until(1.0));
    assert!(last(&summary, ["block.vx"])[0] > 0.0);
}

#[test]
fn wild_scales() {
    // lengths of 1e-9 m and forces of 1e6 N, long after time zero
    for (mass, force, speed, start) in [(1e-9, 1e-12, 1e-9, 0.0), (1e6, 1e6, 30.0, 1e6), (1e-3, 1.0, 1e-6, 1e4)] {
        let mut block = body(&coulomb(force), [0.0; 2], [0.8 * speed, 0.6 * speed]);
        block.mass = mass;
        let time = mass * speed / force;
        let options = SimulationOptions {
            start,
            atol: 1e-12 * (speed * time).min(1.0),
            ..until(start + 2.0 * time + 1e-3 * start)
        };
        let (summary, trace) = run(&system(Plane::default(), block), &options);
        let [x, y, vx] = last(&summary, ["block.x", "block.y", "block.vx"]);
        let far = 0.5 * speed * time;
        // a step has at least 16 units in the last place of the time
        assert!(
            (trace.events[0].t - start - time).abs() < 1e-8 * time + 16.0 * f64::EPSILON * start,
            "{:?}",
            trace.events
        );
        assert!((x - 0.8 * far).abs() < 1e-8 * far && (y - 0.6 * far).abs() < 1e-8 * far && vx == 0.0, "{x} {y}");
    }
}

#[test]
fn what_a_plane_does_not_have_is_refused() {
    for name in ["gms", "karnopp", "dahl"] {
        assert!(PlaneContact::new(&Spec::new(name).expect("a law")).is_err(), "{name}");
    }
    assert!(PlaneContact::new(&law("coulomb", &[("reverse.fc", 2.0)])).is_err());
    let mut mixed = system(Plane::default(), body(&coulomb(1.0), [0.0; 2], [0.0; 2]));
    mixed.body("other", Body::default()).expect("a body");
    assert!(matches!(Simulation::new(&mixed), Err(SimError::System(_))));
    let mut tilted = System::new();
    assert!(tilted.plane(Plane { tilt: FRAC_PI_2, ..Plane::default() }).is_err());
    let jump = Signal::Step { before: 0.0, after: 1.0, at: 1.0 };
    let mut pulled = system(Plane::default(), body(&coulomb(1.0), [0.0; 2], [0.0; 2]));
    assert!(pulled.plane_spring(spring(1.0, 0.0, [jump, Signal::Constant(0.0)], None)).is_err());
}
