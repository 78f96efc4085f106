//! A disc that slides and spins.
use crate::systems::{assert_balance, body, coulomb, last, law, ramp, run, slope, system, turned, until};
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use stiction_sim::sim::SimulationOptions;
use stiction_sim::system::{Plane, PlaneBody, PlaneForce, Signal, System};

/// A disc of 1 kg and radius 0.1 m under a friction of 1 N.
fn disc(velocity: [f64; 2], spin: f64) -> PlaneBody {
    PlaneBody { radius: Some(0.1), spin, ..body(&coulomb(1.0), [0.0; 2], velocity) }
}

#[test]
fn sliding_and_spin_end_together_with_one_ratio() {
    for (velocity, spin) in [([1.0, 0.0], 1.0), ([0.3, 0.2], 40.0), ([0.0, 1.0], -10.0)] {
        let system = system(Plane::default(), disc(velocity, spin));
        let options = SimulationOptions { rtol: 1e-10, ..until(6.0) };
        let (summary, trace) = run(&system, &options);
        assert_eq!(trace.events.len(), 1, "{:?}", trace.events);
        assert_eq!(last(&summary, ["block.vx", "block.vy", "block.omega"]), [0.0; 3]);
        assert_balance(&summary, 1e-9);
        // runs that end shortly before the stop: the distance of the ratio from its limit falls with a power of the time left, so that the limit of
        // a geometric sequence is that of Farkas2003, 0.653, here 0.653002 by the root of d′ = 2ε·(d − ε·d′)
        let stop = trace.events[0].t;
        let [a, b, c] = [1e-4, 1e-6, 1e-8].map(|left| {
            let (near, _) = run(&system, &SimulationOptions { rtol: 1e-10, ..until(stop * (1.0 - left)) });
            let [speed, omega] = last(&near, ["block.speed", "block.omega"]);
            speed / (0.1 * omega.abs())
        });
        let limit = c - (c - b) * (c - b) / (c - 2.0 * b + a);
        // the next power
        assert!((limit - 0.653_002).abs() < 1e-3 && (c - limit).abs() < (b - limit).abs(), "{a} {b} {c}: {limit}");
    }
}

#[test]
fn without_spin_it_is_a_point_and_without_velocity_a_brake() {
    let (sliding, trace) = run(&system(Plane::default(), disc([1.0, 0.0], 0.0)), &until(2.0));
    // v²/2 over f/m; stops after 1 s
    assert!((last(&sliding, ["block.x"])[0] - 0.5).abs() < 1e-8 && (trace.events[0].t - 1.0).abs() < 1e-8);
    assert_eq!(last(&sliding, ["block.angle"]), [0.0]);
    // moment 2/3·f·R on the inertia R²/2: ω falls by 4/(3R) per second
    let (spinning, trace) = run(&system(Plane::default(), disc([0.0; 2], 10.0)), &until(2.0));
    let time = 10.0 * 0.1 * 0.75;
    assert!((trace.events[0].t / time - 1.0).abs() < 1e-8, "{:?}", trace.events);
    assert!((last(&spinning, ["block.angle"])[0] - 5.0 * time).abs() < 1e-7);
    assert_eq!(last(&spinning, ["block.x", "block.y"]), [0.0; 2]);
}

/// Place and angle after `time` by the classical Runge-Kutta method, with force and moment summed over cells of the disc.
fn cells(velocity: [f64; 2], spin: f64, slope: f64, time: f64) -> [f64; 3] {
    let (rings, spokes, radius, steps) = (40, 80, 0.1, 400);
    let rate = |[_, _, _, vx, vy, w]: [f64; 6]| {
        let (mut fx, mut fy, mut moment) = (0.0, 0.0, 0.0);
        for i in 0..rings {
            let r = radius * (f64::from(i) + 0.5) / f64::from(rings);
            for j in 0..spokes {
                let (sin, cos) = (TAU * (f64::from(j) + 0.5) / f64::from(spokes)).sin_cos();
                let slip = [vx - w * r * sin, vy + w * r * cos];
                let share = r / slip[0].hypot(slip[1]);
                fx += share * slip[0];
                fy += share * slip[1];
                moment += share * r * (cos * slip[1] - sin * slip[0]);
            }
        }
        let element = TAU / f64::from(spokes) * radius / f64::from(rings) / (PI * radius * radius);
        let inertia = 0.5 * radius * radius;
        [vx, vy, w, -element * fx, -element * fy - slope, -element * moment / inertia]
    };
    let mut y = [0.0, 0.0, 0.0, velocity[0], velocity[1], spin];
    let h = time / f64::from(steps);
    let moved = |y: [f64; 6], k: [f64; 6], h: f64| std::array::from_fn::<f64, 6, _>(|i| y[i] + h * k[i]);
    for _ in 0..steps {
        let a = rate(y);
        let b = rate(moved(y, a, 0.5 * h));
        let c = rate(moved(y, b, 0.5 * h));
        let d = rate(moved(y, c, h));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
    }
    [y[0], y[1], y[2]]
}

#[test]
fn a_sum_over_cells_finds_the_same_path() {
    for (velocity, spin, downhill) in [([0.6, 0.0], 9.0, 0.3), ([0.2, 0.5], -12.0, 0.0)] {
        let system = system(slope(downhill, -FRAC_PI_2), disc(velocity, spin));
        let (summary, _) = run(&system, &until(0.5));
        let found = last(&summary, ["block.x", "block.y", "block.angle"]);
        for (a, b) in found.iter().zip(cells(velocity, spin, downhill, 0.5)) {
            // 3200 cells
            assert!((a - b).abs() < 1e-4 * (1.0 + b.abs()), "{a} for {b}");
        }
    }
}

fn pushed(force: [f64; 2], moment: f64) -> System {
    let mut system = system(Plane::default(), disc([0.0; 2], 0.0));
    let name = "hand".to_owned();
    system.plane_force(PlaneForce { name, on: 0, force: force.map(ramp), moment: ramp(moment) }).expect("a force");
    system
}

#[test]
fn force_and_moment_share_the_limit() {
    // alone: f and 2/3·f·R; together by the limit curve, which is below the ellipse through the two and above the straight line
    let time = |force: [f64; 2], moment: f64| run(&pushed(force, moment), &until(2.0)).1.events[0].t;
    assert!((time([0.6, 0.8], 0.0) - 1.0).abs() < 1e-12);
    assert!((time([0.0; 2], 0.1 * 2.0 / 3.0) - 1.0).abs() < 1e-12);
    let both = time([0.6, 0.8], -0.1 * 2.0 / 3.0);
    assert!(both > 0.5 && both < 1.0 / 2.0_f64.sqrt() + 0.1, "{both}");
    // the limit is reached where no direction of motion dissipates less than the push supplies
    let least = (1..2000)
        .map(|k| {
            let (v, u) = (5e-4 * f64::from(k), 1.0 - 5e-4 * f64::from(k));
            power(v, u) / (v + 2.0 / 3.0 * u)
        })
        .fold(f64::INFINITY, f64::min);
    // sums over cells, and a table of directions
    assert!((both - least).abs() < 1e-4, "{both} for {least}");
}

/// Mean slip speed of a disc of radius 1 at the speed v and the spin u.
fn power(v: f64, u: f64) -> f64 {
    let (mut sum, mut area) = (0.0, 0.0);
    for i in 0..60 {
        let r = (f64::from(i) + 0.5) / 60.0;
        for j in 0..60 {
            let (sin, cos) = (TAU * (f64::from(j) + 0.5) / 60.0).sin_cos();
            sum += r * (v - u * r * sin).hypot(u * r * cos);
            area += r;
        }
    }
    sum / area
}

#[test]
fn motion_begins_with_the_nearest_force() {
    // far beyond the limit the first accelerations are those of force and moment less friction along them: compare with a run of short steps
    let (summary, _) = run(&pushed([30.0, 40.0], 5.0), &until(0.2));
    let [vx, vy, omega] = last(&summary, ["block.vx", "block.vy", "block.omega"]);
    assert!((vy / vx - 4.0 / 3.0).abs() < 1e-8 && omega > 0.0, "{vx} {vy} {omega}");
    assert_balance(&summary, 1e-7);
}

#[test]
fn a_turned_frame_turns_the_disc() {
    let options = SimulationOptions { rtol: 1e-12, ..until(2.0) };
    let thrown = |angle: f64| {
        let system = system(slope(0.3, -FRAC_PI_2 + angle), disc(turned([0.5, 0.1], angle), 8.0));
        let (summary, _) = run(&system, &options);
        last(&summary, ["block.x", "block.y", "block.angle"])
    };
    let [x, y, angle] = thrown(0.0);
    let [a, b, other] = thrown(1.1);
    let [c, d] = turned([x, y], 1.1);
    // the tolerance, in a motion of 0.1 m and some radians
    assert!((a - c).abs() < 1e-11 && (b - d).abs() < 1e-11 && (angle - other).abs() < 1e-10, "{a} {b} {other}");
}

#[test]
fn a_disc_takes_coulomb_friction_alone() {
    let stribeck = PlaneBody { radius: Some(0.1), ..body(&law("stribeck", &[]), [0.0; 2], [0.0; 2]) };
    assert!(System::new().plane_body(stribeck).is_err());
    let point = PlaneBody { spin: 1.0, ..body(&coulomb(1.0), [0.0; 2], [0.0; 2]) };
    assert!(System::new().plane_body(point).is_err());
    let mut system = system(Plane::default(), body(&coulomb(1.0), [0.0; 2], [0.0; 2]));
    let force = [Signal::Constant(0.0), Signal::Constant(0.0)];
    let twist = PlaneForce { name: "twist".to_owned(), on: 0, force, moment: Signal::Constant(1.0) };
    assert!(system.plane_force(twist).is_err());
}
