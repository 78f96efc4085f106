//! Sliding.
use crate::systems::{
    assert_balance, body, coulomb, last, law, ramp, run, slope, spring, system, turned, until, with_force,
};
use std::f64::consts::FRAC_PI_2;
use stiction_sim::Spec;
use stiction_sim::sim::{RunSummary, SimulationOptions, Trace};
use stiction_sim::system::{Body, Contact, GROUND, Plane, Signal, Spring, System};

/// Time and place at which a body of 1 kg stops under the constant force p·(0, −1) against Coulomb friction f > p, from (0, 0) with velocity `v`:
/// the integrals of motion follow from d(f·s + P·v)/dt = p² − f², and from the rates of s², s·c, c², s·w, c·w with s = |v|, c = P·v, w across P.
fn stop(f: f64, p: f64, v: [f64; 2]) -> (f64, [f64; 2]) {
    let (s, c, w) = (v[0].hypot(v[1]), -p * v[1], v[0]);
    let time = (f * s + c) / (f * f - p * p);
    let along = (2.0 * f * s * c + c * c + p * p * s * s) / (4.0 * (f * f - p * p) * p);
    let across = w * (2.0 * f * s + c) / (4.0 * f * f - p * p);
    (time, [across, -along])
}

#[test]
fn a_block_on_a_slope_stops_when_and_where_the_closed_form_says() {
    for (p, v) in [(0.6, [1.0, 0.0]), (0.6, [0.7, 0.9]), (0.1, [-2.0, 0.5]), (0.97, [0.3, 0.3]), (0.5, [0.0, -1.0])] {
        let (time, [x, y]) = stop(1.0, p, v);
        let system = system(slope(p, -FRAC_PI_2), body(&coulomb(1.0), [0.0, 0.0], v));
        let options = SimulationOptions { rtol: 1e-10, ..until(1.5 * time) };
        let (summary, trace) = run(&system, &options);
        let [found_x, found_y, vx, vy] = last(&summary, ["block.x", "block.y", "block.vx", "block.vy"]);
        assert_eq!([vx, vy], [0.0, 0.0]);
        let size = x.hypot(y);
        // a hundred times the tolerance: some fifty steps
        assert!(
            (found_x - x).abs() < 1e-8 * size && (found_y - y).abs() < 1e-8 * size,
            "{p}: {found_x} {found_y} for {x} {y}"
        );
        assert_eq!(trace.events.len(), 1, "{:?}", trace.events);
        assert!((trace.events[0].t / time - 1.0).abs() < 1e-8, "{p}: {} for {time}", trace.events[0].t);
        assert_balance(&summary, 1e-9);
    }
}

#[test]
fn the_error_of_the_stop_follows_the_tolerance() {
    let (_, [x, y]) = stop(1.0, 0.6, [0.7, 0.9]);
    let error = |rtol: f64| {
        let system = system(slope(0.6, -FRAC_PI_2), body(&coulomb(1.0), [0.0, 0.0], [0.7, 0.9]));
        let (summary, _) = run(&system, &SimulationOptions { rtol, ..until(5.0) });
        let [a, b] = last(&summary, ["block.x", "block.y"]);
        (a - x).hypot(b - y)
    };
    for rtol in [1e-4, 1e-6, 1e-8, 1e-10, 1e-12] {
        // a hundred times the tolerance, and rounding
        assert!(error(rtol) < 100.0 * rtol + 1e-13, "{rtol:e}: {:e}", error(rtol));
    }
}

#[test]
fn a_pushed_block_creeps_down_the_slope() {
    // pushed sideways at u by a guide along the slope, it slides so that friction, at full level along the motion, carries the slope's force:
    // sin β = p/f, with tan β the ratio of the speeds down and sideways; with grain, b·sin β for the direction in which friction is scaled
    let (f, p, u) = (1.0, 0.6, 0.05);
    for across in [1.0, 0.7] {
        let mut block = body(&coulomb(f), [0.0, 0.0], [0.0, 0.0]);
        block.contact.across = across;
        let mut system = system(slope(p, -FRAC_PI_2), block);
        system.plane_spring(spring(200.0, 20.0, [ramp(u), Signal::Constant(0.0)], Some(0.0))).expect("a spring");
        let (summary, _) = run(&system, &until(10.0));
        let [vx, vy] = last(&summary, ["block.vx", "block.vy"]);
        // λ = f·(u, b²w)/√(u² + b²w²): f·b²w = p·√(u² + b²w²)
        let w = p * u / (across * (f * f * across * across - p * p).sqrt());
        assert!((vx - u).abs() < 1e-8 && (vy + w).abs() < 1e-7, "{vx} {vy} for {w}");
        assert_balance(&summary, 1e-7);
    }
}

/// Stick-slip of a block pulled through a spring at 30°: on the plane, and in the simulator of one direction.
fn pulled(spec: &Spec, options: &SimulationOptions) -> [(RunSummary, Trace); 2] {
    let (sin, cos) = 0.5_f64.sin_cos();
    let mut plane = system(Plane { gravity: 0.0, ..Plane::default() }, body(spec, [0.0; 2], [0.0; 2]));
    plane.plane_spring(spring(20.0, 0.1, [ramp(0.1 * cos), ramp(0.1 * sin)], None)).expect("a spring");
    let mut line = System::new();
    let block = line.body("block", Body::default()).expect("a body");
    let hand = line.motion("hand", ramp(0.1), false).expect("a motion");
    line.spring("pull", block, hand, Spring { damping: 0.1, ..Spring::linear(20.0) }).expect("a spring");
    line.contact("table", block, GROUND, Contact::new(spec).expect("a law")).expect("a contact");
    let found = [run(&plane, options), run(&line, options)];
    let [x, y] = last(&found[0].0, ["block.x", "block.y"]);
    let [along] = last(&found[1].0, ["block.x"]);
    assert!((x.hypot(y) - along).abs() < 1e-7 && (y * cos - x * sin).abs() < 1e-9, "{x} {y} for {along}");
    let [a, b] = [found[0].0.energy, found[1].0.energy];
    assert!((a.friction - b.friction).abs() < 1e-7 && (a.work - b.work).abs() < 1e-7, "{a:?} {b:?}");
    assert_balance(&found[0].0, 1e-8);
    found
}

#[test]
fn along_one_direction_it_is_the_simulator_of_one_direction() {
    let spec = law("stribeck", &[("fc", 1.0), ("fs", 1.5), ("vs", 0.02), ("fv", 0.4)]);
    let [(_, events), (_, expected)] = pulled(&spec, &SimulationOptions { rtol: 1e-10, ..until(10.0) });
    assert!(expected.events.len() > 8, "{}", expected.events.len());
    let kinds = |trace: &Trace| trace.events.iter().map(|e| e.kind.is("stick")).collect::<Vec<_>>();
    assert_eq!(kinds(&events), kinds(&expected));
    for (a, b) in events.events.iter().zip(&expected.events) {
        // the time of an event is the integral of all before; the rate of its guard is of order one
        assert!((a.t - b.t).abs() < 1e-7, "{} for {}", a.t, b.t);
    }
}

#[test]
fn bristles_along_one_direction_are_the_law_of_one_direction() {
    let spec = law("lugre", &[("fc", 1.0), ("fs", 1.5), ("vs", 0.02), ("sigma0", 1e4), ("sigma1", 100.0)]);
    let [(plane, trace), (line, _)] = pulled(&spec, &SimulationOptions { rtol: 1e-10, ..until(5.0) });
    assert!(trace.events.is_empty());
    let [zx, zy] = last(&plane, ["block.zx", "block.zy"]);
    let [z] = last(&line, ["table.z"]);
    // of a range of 1.5e-4 m
    assert!((zx.hypot(zy) - z.abs()).abs() < 1e-9, "{zx} {zy} for {z}");
}

#[test]
fn plastic_bristles_along_one_direction_are_the_law_of_one_direction() {
    let values = [("fc", 1.0), ("fs", 1.5), ("vs", 0.02), ("sigma0", 1e4), ("sigma1", 100.0), ("sigma2", 0.3)];
    let [(plane, trace), (line, _)] =
        pulled(&law("elasto-plastic", &values), &SimulationOptions { rtol: 1e-10, ..until(5.0) });
    assert!(trace.events.is_empty());
    let [zx, zy] = last(&plane, ["block.zx", "block.zy"]);
    let [z] = last(&line, ["table.z"]);
    // of a range of 1.5e-4 m
    assert!((zx.hypot(zy) - z.abs()).abs() < 1e-9, "{zx} {zy} for {z}");
}

/// A force of 0.2 that turns, beside a constant one of 0.4: plastic bristles with an elastic range of 0.7 follow it without drift, in every direction, whereas those of
/// LuGre drift.
#[test]
fn plastic_bristles_do_not_drift_below_their_range() {
    let drift = |spec: &Spec| {
        let wave = |mean, phase| Signal::Sine { mean, amplitude: 0.2, omega: 20.0, phase };
        let block = system(Plane { gravity: 0.0, ..Plane::default() }, body(spec, [0.0; 2], [0.0; 2]));
        let system = with_force(block, [wave(0.4, FRAC_PI_2), wave(0.0, 0.0)]);
        let turns = |count: f64| count * std::f64::consts::TAU / 20.0;
        let options = |count: f64| SimulationOptions { rtol: 1e-10, ..until(turns(count)) };
        let [from, to] = [20.0, 60.0].map(|count| last(&run(&system, &options(count)).0, ["block.x", "block.y"]));
        (to[0] - from[0]).hypot(to[1] - from[1])
    };
    let values = [("fc", 1.0), ("fs", 1.2), ("vs", 0.02), ("sigma0", 1e4), ("sigma1", 200.0), ("sigma2", 0.0)];
    let (plastic, lugre) = (drift(&law("elasto-plastic", &values)), drift(&law("lugre", &values)));
    // forty turns; the vibration is 2e-5 m
    assert!(plastic < 1e-12 && lugre > 1e-5, "{plastic:e} and {lugre:e}");
}

#[test]
fn bristles_slide_with_the_force_of_the_ellipse() {
    for name in ["lugre", "elasto-plastic"] {
        slides_with_the_force_of_the_ellipse(name);
    }
}

fn slides_with_the_force_of_the_ellipse(name: &str) {
    // pushed sideways on a slope they slide as Coulomb friction does, since Fs = Fc
    let (p, u, across) = (0.6, 0.05, 0.7);
    let values = [("fc", 1.0), ("fs", 1.0), ("sigma0", 1e4), ("sigma1", 100.0), ("sigma2", 0.0)];
    let mut block = body(&law(name, &values), [0.0, 0.0], [0.0, 0.0]);
    block.contact.across = across;
    let mut system = system(slope(p, -FRAC_PI_2), block);
    system.plane_spring(spring(200.0, 20.0, [ramp(u), Signal::Constant(0.0)], Some(0.0))).expect("a spring");
    let (summary, _) = run(&system, &until(10.0));
    let [vx, vy] = last(&summary, ["block.vx", "block.vy"]);
    let w = p * u / (across * (across * across - p * p).sqrt());
    assert!((vx - u).abs() < 1e-7 && (vy + w).abs() < 1e-6, "{vx} {vy} for {w}");
    assert_balance(&summary, 1e-7);
}

/// A block with grain on a slope, pulled by a spring whose end goes to and fro, under a harmonic force.
fn general(angle: f64, spec: &Spec) -> System {
    let mut block = body(spec, turned([0.1, 0.05], angle), turned([0.2, -0.1], angle));
    (block.contact.grain, block.contact.across) = (0.4 + angle, 0.6);
    let sine = |amplitude: f64, phase: f64| Signal::Sine { mean: 0.0, amplitude, omega: 3.0, phase };
    // (0.1, 0.04)·sin 3t and (0.5, −0.2)·cos 3t, turned
    let ([x, y], [fx, fy]) = (turned([0.1, 0.04], angle), turned([0.5, -0.2], angle));
    let system = system(slope(0.3, 1.0 + angle), block);
    let mut system = with_force(system, [sine(fx, FRAC_PI_2), sine(fy, FRAC_PI_2)]);
    system.plane_spring(spring(8.0, 0.2, [sine(x, 0.0), sine(y, 0.0)], None)).expect("a spring");
    system
}

#[test]
fn plastic_bristles_do_not_see_the_axes() {
    let values = [("fc", 0.9), ("fs", 1.3), ("vs", 0.05), ("sigma0", 1e3), ("sigma1", 30.0), ("sigma2", 0.1)];
    let spec = law("elasto-plastic", &values);
    let options = SimulationOptions { rtol: 1e-11, ..until(3.2) };
    let (plain, _) = run(&general(0.0, &spec), &options);
    assert_balance(&plain, 1e-8);
    for angle in [0.3, 2.5] {
        let (other, _) = run(&general(angle, &spec), &options);
        let positions = turned(last(&plain, ["block.x", "block.y"]), angle);
        for (a, b) in positions.iter().zip(last(&other, ["block.x", "block.y"])) {
            // a hundred times the tolerance, in a motion of 0.1 m
            assert!((a - b).abs() < 1e-10, "{angle}: {a} for {b}");
        }
    }
}

#[test]
fn a_turned_frame_gives_turned_results() {
    let spec = law("stribeck", &[("fc", 0.9), ("fs", 1.3), ("vs", 0.05), ("fv", 0.1)]);
    // at the smallest tolerances: rounding differs between the axes, and with it the length of steps and their errors within the tolerance
    let options = SimulationOptions { rtol: 1e-12, ..until(3.2) };
    let (plain, events) = run(&general(0.0, &spec), &options);
    assert!(events.events.len() >= 3, "{:?}", events.events);
    for angle in [0.3, 2.5] {
        let (other, found) = run(&general(angle, &spec), &options);
        assert_eq!(events.events.len(), found.events.len());
        for (a, b) in events.events.iter().zip(&found.events) {
            assert!((a.t - b.t).abs() < 1e-11 && a.kind == b.kind, "{a:?} for {b:?}");
        }
        let positions = turned(last(&plain, ["block.x", "block.y"]), angle);
        for (a, b) in positions.iter().zip(last(&other, ["block.x", "block.y"])) {
            // the tolerance, in a motion of 0.1 m
            assert!((a - b).abs() < 1e-12, "{angle}: {a} for {b}");
        }
    }
}

/// Position and velocity after a run of the same system by Moreau's time stepping: in each step the velocity is the one whose friction, by the
/// convex problem, stops it or opposes it. First order, true stick, without events; without grain.
fn time_stepping(
    force: impl Fn(f64, [f64; 2], [f64; 2]) -> [f64; 2],
    level: f64,
    v: [f64; 2],
    end: f64,
    h: f64,
) -> [f64; 4] {
    let (mut r, mut v) = ([0.0; 2], v);
    for n in 0..(end / h).round() as usize {
        let p = force((n as f64 + 0.5) * h, r, v);
        let free = [v[0] + h * p[0], v[1] + h * p[1]];
        let speed = free[0].hypot(free[1]);
        let kept = (1.0 - h * level / speed).max(0.0);
        let next = free.map(|x| x * kept);
        r = [r[0] + 0.5 * h * (v[0] + next[0]), r[1] + 0.5 * h * (v[1] + next[1])];
        v = next;
    }
    [r[0], r[1], v[0], v[1]]
}

#[test]
fn a_slow_method_finds_the_same() {
    let force = |t: f64, r: [f64; 2], v: [f64; 2]| {
        let (x, y, u, w) = (t.cos(), 0.4 * t.sin(), -t.sin(), 0.4 * t.cos());
        [4.0 * (x - r[0]) + 0.2 * (u - v[0]), 4.0 * (y - r[1]) + 0.2 * (w - v[1]) - 0.3]
    };
    let sine = |amplitude: f64, phase: f64| Signal::Sine { mean: 0.0, amplitude, omega: 1.0, phase };
    let mut system = system(slope(0.3, -FRAC_PI_2), body(&coulomb(3.0), [0.0; 2], [0.4, 0.1]));
    system.plane_spring(spring(4.0, 0.2, [sine(1.0, FRAC_PI_2), sine(0.4, 0.0)], None)).expect("a spring");
    let (summary, trace) = run(&system, &until(8.0));
    assert!(trace.events.len() >= 3, "{:?}", trace.events);
    let found = last(&summary, ["block.x", "block.y", "block.vx", "block.vy"]);
    let error = |h: f64| {
        let slow = time_stepping(force, 3.0, [0.4, 0.1], 8.0, h);
        slow.iter().zip(found).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    // first order: the difference falls with the step, down to 1e-5 and below
    let (coarse, fine) = (error(1e-4), error(1e-5));
    assert!(fine < 0.15 * coarse && fine < 2e-5, "{coarse:e}, {fine:e}");
}

#[test]
fn through_zero_against_the_force() {
    // up the slope at 1 m/s against p = 2 and f = 1: stops after 1/3 s, and comes back; a last bit of sideways velocity changes nothing
    for sideways in [0.0, 1e-18, 1e-13] {
        let system = system(slope(2.0, -FRAC_PI_2), body(&coulomb(1.0), [0.0; 2], [sideways, 1.0]));
        let (summary, trace) = run(&system, &until(1.0));
        let [y, vy] = last(&summary, ["block.y", "block.vy"]);
        let (top, left) = (1.0 / 6.0, 2.0 / 3.0);
        // as accurate as the tolerance
        assert!((vy + left).abs() < 1e-8 && (y - (top - 0.5 * left * left)).abs() < 1e-8, "{sideways}: {y} {vy}");
        assert!(trace.events.iter().all(|event| event.kind.is("reverse")), "{:?}", trace.events);
        assert_balance(&summary, 1e-8);
    }
}

#[test]
fn nearly_against_the_force_the_speed_has_a_minimum() {
    // s = C·tan(ψ/2)^(f/p)/sin ψ: the least speed is where cos ψ = f/p
    let (p, f) = (2.0_f64, 1.0_f64);
    for sideways in [0.1, 1e-3, 1e-5] {
        let (psi, s) = (std::f64::consts::PI - f64::atan2(sideways, 1.0), 1.0_f64.hypot(sideways));
        let shape = |psi: f64| (0.5 * psi).tan().powf(f / p) / psi.sin();
        let least = s * shape((f / p).acos()) / shape(psi);
        let system = system(slope(p, -FRAC_PI_2), body(&coulomb(f), [0.0; 2], [sideways, 1.0]));
        let (summary, trace) = run(&system, &SimulationOptions { sample: 1e-5, ..until(1.0) });
        assert!(trace.events.is_empty(), "{:?}", trace.events);
        let found = trace.rows.iter().map(|row| row[5]).fold(f64::INFINITY, f64::min);
        // rows at every 10 µs, at an acceleration of 3 m/s²: beyond the resolution for the last
        assert!(found >= least * (1.0 - 1e-6) && found < least + 2e-5, "{sideways}: {found:e} for {least:e}");
        assert_balance(&summary, 1e-8);
    }
}
