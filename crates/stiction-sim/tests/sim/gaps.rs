//! Springs with a gap: surfaces that give, play between flanks.
use crate::{coulomb, simulate};
use stiction_sim::sim::{RunSummary, Simulation, SimulationOptions, Trace};
use stiction_sim::system::{Body, Curve, GROUND, Node, Signal, Spring, Stop, System};

const FAR: f64 = f64::INFINITY;

fn body(system: &mut System, name: &str, mass: f64, x: f64, v: f64) -> Node {
    system.body(name, Body { mass, x, v, rotates: false }).expect("a body")
}

fn wall(stiffness: f64, damping: f64, gap: [f64; 2]) -> Spring {
    Spring { damping, gap: Some(gap), ..Spring::linear(stiffness) }
}

fn until(end: f64, rtol: f64) -> SimulationOptions {
    SimulationOptions { end, rtol, ..SimulationOptions::default() }
}

fn last(summary: &RunSummary, name: &str) -> f64 {
    assert!(summary.complete, "{:?}", summary.failure);
    summary.last(name).expect("a column")
}

/// The zero of a rising function.
fn root(f: impl Fn(f64) -> f64, [mut low, mut high]: [f64; 2]) -> f64 {
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if f(middle) < 0.0 { low = middle } else { high = middle }
    }
    low
}

/// A body that flies into a damped surface and back: time of the touch, its length, and the speed after over the speed before, in closed form.
///
/// While it is pressed fast the damping force equals the elastic one, `m x″ = −2 k x`; then `m x″ + c x′ + k x = 0`; and when it is released
/// so fast that the damper would pull, there is no force.
fn rebound(m: f64, k: f64, c: f64) -> (f64, f64) {
    let w = (2.0 * k / m).sqrt();
    // c v = k x of x = sin(w t)/w: tan(w t) = c w/k
    let first = (c * w / k).atan() / w;
    let (x, v) = ((w * first).sin() / w, (w * first).cos());
    let (delta, nu) = (0.5 * c / m, (k / m - 0.25 * c * c / (m * m)).sqrt());
    let at = |t: f64| {
        let (sin, cos) = (nu * t).sin_cos();
        let (a, b) = (x, (v + delta * x) / nu);
        let decay = (-delta * t).exp();
        (decay * (a * cos + b * sin), decay * ((b * nu - delta * a) * cos - (a * nu + delta * b) * sin))
    };
    let second = root(|t| -c * at(t).1 - k * at(t).0, [0.0, std::f64::consts::PI / nu]);
    let (depth, speed) = at(second);
    (first + second + depth / -speed, -speed)
}

#[test]
fn a_body_rebounds_from_a_surface_as_in_closed_form() {
    let (m, k, v, way) = (0.7, 2e4, 1.3, 0.25);
    for c in [0.0, 3.0, 40.0, 110.0] {
        let (time, speed) = if c == 0.0 { (std::f64::consts::PI * f64::sqrt(m / k), 1.0) } else { rebound(m, k, c) };
        for (rtol, side) in [(1e-6, 1.0), (1e-9, 1.0), (1e-9, -1.0)] {
            let mut system = System::new();
            let ball = body(&mut system, "ball", m, 0.0, side * v);
            let gap = if side > 0.0 { [-FAR, way] } else { [-way, FAR] };
            system.spring("wall", ball, GROUND, wall(k, c, gap)).expect("a spring");
            let end = 2.0 * way / v + time;
            let (summary, _) = simulate(&system, &until(end, rtol));
            // after the touch it flies back, with this speed, since then
            let wanted = way - speed * v * (end - way / v - time);
            let [x, u] = ["ball.x", "ball.v"].map(|name| side * last(&summary, name));
            let what = format!("damping {c}, tolerance {rtol}, side {side}");
            // the errors of some tens of steps
            assert!((u + speed * v).abs() < 20.0 * rtol * v, "{what}: {u} for {}", -speed * v);
            assert!((x - wanted).abs() < 20.0 * rtol * way, "{what}: {x} for {wanted}");
            let lost = 0.5 * m * v * v * (1.0 - speed * speed);
            assert!((summary.energy.damping - lost).abs() < 50.0 * rtol * m * v * v, "{what}: {:?}", summary.energy);
            assert!(summary.energy.error().abs() < 50.0 * rtol * summary.energy.size(), "{what}: {:?}", summary.energy);
        }
    }
}

/// An oscillation that enters a stiff surface by a millionth of its size: no step may pass over the touch. Within the surface it is an
/// oscillation about another place, so that each swing takes a known time.
#[test]
fn a_grazing_touch_is_not_passed_over() {
    for depth in [1e-2, 1e-4, 1e-6] {
        let (k, hard, edge) = (1.0_f64, 1e4_f64, 1.0 - depth);
        // from the surface on: x = place + swing·cos, about the place where both springs balance
        let both = (k + hard).sqrt();
        let place = hard * edge / (k + hard);
        let speed = (k * (1.0 - edge * edge)).sqrt();
        // outside: from the surface to the other side and back
        let outside = 2.0 * (std::f64::consts::PI - edge.acos());
        // the angle from touching the surface to the deepest place and back
        let touch = 2.0 * (speed / both).atan2(edge - place) / both;
        let period = outside + touch;
        let mut system = System::new();
        // begins on the other side, at rest
        let ball = body(&mut system, "ball", 1.0, -1.0, 0.0);
        system.spring("own", ball, GROUND, Spring::linear(k)).expect("a spring");
        system.spring("wall", ball, GROUND, wall(hard, 0.0, [-FAR, edge])).expect("a spring");
        let (summary, _) = simulate(&system, &until(20.0 * period, 1e-9));
        let [x, v] = ["ball.x", "ball.v"].map(|name| last(&summary, name));
        // twenty swings of some tens of steps each; a touch that is missed changes the time of a swing by more than 1e-4 of the root of the depth
        assert!((x + 1.0).abs() < 1e-7 && v.abs() < 1e-6, "depth {depth}: {x} {v}");
    }
}

/// Two bodies with play between them: their distance goes to and fro at a constant speed, turned around by each touch.
#[test]
fn play_is_passed_at_constant_speed() {
    let (a, b, k, play, speed) = (0.3, 0.5, 1e5, 4e-3, 0.2);
    let mut system = System::new();
    let (one, two) = (body(&mut system, "one", a, 0.0, speed), body(&mut system, "two", b, 0.0, 0.0));
    system.spring("play", one, two, wall(k, 0.0, [-0.5 * play, 0.5 * play])).expect("a spring");
    let touch = std::f64::consts::PI * (a * b / (a + b) / k).sqrt();
    let swing = play / speed + touch;
    // after the first half of the play and a touch, whole swings: in the middle, moving the other way or back
    for swings in [10, 11] {
        let end = 0.5 * play / speed + touch + 0.5 * play / speed + f64::from(swings - 1) * swing;
        let (summary, _) = simulate(&system, &until(end, 1e-10));
        let [x, y, u, v] = ["one.x", "two.x", "one.v", "two.v"].map(|name| last(&summary, name));
        let way = if swings % 2 == 0 { speed } else { -speed };
        assert!((u - v - way).abs() < 1e-7 * speed, "{} for {way}", u - v);
        assert!((x - y).abs() < 1e-7 * play * f64::from(swings), "{}", x - y);
        // momentum
        assert!((a * u + b * v - a * speed).abs() < 1e-12);
    }
}

/// Strong dry friction stops a body within the surface, and holds it there against the spring.
#[test]
fn friction_holds_a_body_in_the_surface() {
    let (m, k, fc) = (1.0, 500.0, 20.0);
    let mut system = System::new();
    let block = body(&mut system, "block", m, 0.045, 1.0);
    system.spring("buffer", block, GROUND, wall(k, 2.0, [-FAR, 0.05])).expect("a spring");
    system.contact("table", block, GROUND, coulomb(fc)).expect("a contact");
    system.force("push", block, Signal::Constant(3.0)).expect("a force");
    let (summary, _) = simulate(&system, &until(5.0, 1e-8));
    let [x, v, friction, press] =
        ["block.x", "block.v", "table.force", "buffer.force"].map(|name| last(&summary, name));
    assert_eq!(v, 0.0);
    assert!((press - k * (x - 0.05).max(0.0)).abs() < 1e-9 && press > 0.0, "{press} at {x}");
    // rest: push, friction and spring balance
    assert!((3.0 - friction - press).abs() < 1e-9 && friction.abs() <= fc, "{friction} {press}");
    assert!(summary.energy.error().abs() < 1e-6 * summary.energy.size(), "{:?}", summary.energy);
}

/// A ball that falls on a damped surface again and again comes to rest at the depth that carries it; so does a body that begins there.
#[test]
fn a_ball_comes_to_rest_where_the_surface_carries_it() {
    let (m, g, k) = (0.1, 9.81, 1e4);
    for (x, v) in [(0.2, 0.0), (0.0, 0.0), (-m * g / k, 0.0), (0.0, -0.3), (1e-9, 0.0)] {
        let mut system = System::new();
        let ball = body(&mut system, "ball", m, x, v);
        system.force("weight", ball, Signal::Constant(-m * g)).expect("a force");
        system.spring("floor", ball, GROUND, wall(k, 4.0, [0.0, FAR])).expect("a spring");
        let (summary, _) = simulate(&system, &until(20.0, 1e-7));
        let [x, v] = ["ball.x", "ball.v"].map(|name| last(&summary, name));
        // absolute tolerances of positions and velocities
        assert!((x + m * g / k).abs() < 1e-8 && v.abs() < 1e-6, "{x} {v}");
    }
}

/// The names of the events of one component, with their times.
fn events(system: &System, trace: &Trace, part: &str) -> Vec<(f64, String)> {
    let simulation = Simulation::new(system).expect("a system");
    let own = trace.events.iter().filter(|event| simulation.part(event.part) == part);
    own.map(|event| (event.t, event.kind.name())).collect()
}

#[test]
fn touches_and_separations_are_events() {
    let (a, b, k, play, speed) = (0.3, 0.5, 1e5, 4e-3, 0.2);
    let mut system = System::new();
    let (one, two) = (body(&mut system, "one", a, 0.0, speed), body(&mut system, "two", b, 0.0, 0.0));
    system.spring("play", one, two, wall(k, 0.0, [-0.5 * play, 0.5 * play])).expect("a spring");
    let touch = std::f64::consts::PI * (a * b / (a + b) / k).sqrt();
    let (_, trace) = simulate(&system, &until(3.0 * play / speed, 1e-10));
    let first = 0.5 * play / speed;
    let wanted = [
        (first, "touch+"),
        (first + touch, "separate+"),
        (first + touch + play / speed, "touch-"),
        (first + 2.0 * touch + play / speed, "separate-"),
        (first + 2.0 * touch + 2.0 * play / speed, "touch+"),
    ];
    let seen = events(&system, &trace, "play");
    assert!(seen.len() >= wanted.len(), "{seen:?}");
    for ((t, kind), (when, what)) in seen.iter().zip(wanted) {
        // some tens of steps
        assert!(kind == what && (t - when).abs() < 1e-8 * when, "{kind} at {t} for {what} at {when}");
    }
}

/// A damped surface behind a stop: at the impact the speed falls to zero at once, and with it the limit of the damping. With the
/// piece from before the surface would press with twice its elastic force.
#[test]
fn an_impact_within_a_surface_ends_the_limit_of_the_damping() {
    let (k, c, depth) = (100.0, 1e3, 0.1);
    let mut system = System::new();
    let block = body(&mut system, "block", 1.0, -0.1, 2.0);
    system.spring("pad", block, GROUND, wall(k, c, [-FAR, 0.0])).expect("a spring");
    system.force("push", block, Signal::Constant(3.0 * k * depth)).expect("a force");
    system.stop("stop", block, GROUND, Stop { lo: -FAR, hi: depth, restitution: 0.0 }).expect("a stop");
    let (summary, trace) = simulate(&system, &until(1.0, 1e-9));
    assert!(trace.events.iter().any(|event| event.kind.name() == "impact"), "{:?}", trace.events);
    let [pad, stop] = ["pad.force", "stop.force"].map(|name| last(&summary, name));
    assert!((pad - k * depth).abs() < 1e-9, "{pad}");
    assert!((stop - 2.0 * k * depth).abs() < 1e-9, "{stop}");
}

/// A driver at rest jumps into a surface, and out of it again.
#[test]
fn a_motion_that_jumps_touches_and_separates() {
    let mut system = System::new();
    let block = body(&mut system, "block", 1.0, 0.0, 0.0);
    let jump = Signal::Pulses { low: 0.0, high: -1.0, start: 0.5, width: 0.25, period: 1.0, count: 1.0 };
    let hand = system.motion("hand", jump, false).expect("a motion");
    system.spring("pad", block, hand, wall(4.0, 0.0, [-FAR, 0.9])).expect("a spring");
    let (summary, trace) = simulate(&system, &until(2.0, 1e-10));
    let seen = events(&system, &trace, "pad");
    assert_eq!(seen, [(0.5, "touch+".to_owned()), (0.75, "separate+".to_owned())]);
    // pressed by 0.1 at first: x = −0.1 (1 − cos 2τ) for a quarter of a second
    let wanted = -0.2 * f64::sin(0.5);
    assert!((last(&summary, "block.v") - wanted).abs() < 1e-9);
}

/// A gap of no width is a linear spring.
#[test]
fn a_gap_without_width_is_a_spring() {
    let (m, k) = (0.7, 30.0);
    let mut system = System::new();
    let block = body(&mut system, "block", m, 1.0, 0.0);
    system.spring("both", block, GROUND, wall(k, 0.0, [0.0, 0.0])).expect("a spring");
    let (summary, _) = simulate(&system, &until(20.0, 1e-10));
    let w = f64::sqrt(k / m);
    assert!((last(&summary, "block.x") - (20.0 * w).cos()).abs() < 1e-7);
}

/// A spring given by a table of three lines: a swing through all of them takes the time of its three oscillations.
#[test]
fn the_kinks_of_a_table_are_located() {
    // force 0 within ±edge, then stiff: as a spring with a gap
    let (k, edge, v) = (1e4, 0.01, 0.3);
    let points = (vec![-1.0, -edge, edge, 1.0], vec![-k * (1.0 - edge), 0.0, 0.0, k * (1.0 - edge)]);
    let curve = Curve::linear(points.0, points.1).expect("a curve");
    let mut system = System::new();
    let block = body(&mut system, "block", 1.0, 0.0, v);
    system.spring("play", block, GROUND, Spring { curve: Some(curve), ..Spring::linear(0.0) }).expect("a spring");
    let swing = 2.0 * edge / v + std::f64::consts::PI / f64::sqrt(k);
    let (summary, trace) = simulate(&system, &until(20.0 * swing, 1e-10));
    // forty kinks, each of some steps; a kink that is passed over costs 1e-3 of the speed
    let [x, u] = ["block.x", "block.v"].map(|name| last(&summary, name));
    assert!(x.abs() < 1e-7 * edge * 20.0 && (u - v).abs() < 1e-8 * v, "{x} {u}");
    // kinks of a table are no events
    assert!(trace.events.is_empty(), "{:?}", trace.events);
    // the lines go on beyond the ends of the table
    let curve = Curve::linear(vec![-0.1, 0.0, 0.1], vec![-1.0, 0.0, 3.0]).expect("a curve");
    let mut system = System::new();
    let block = body(&mut system, "block", 1.0, -2.0, 0.0);
    system.spring("k", block, GROUND, Spring { curve: Some(curve), ..Spring::linear(0.0) }).expect("a spring");
    let half = std::f64::consts::PI / f64::sqrt(10.0) / 2.0 + std::f64::consts::PI / f64::sqrt(30.0) / 2.0;
    let (summary, _) = simulate(&system, &until(half, 1e-10));
    // at rest on the other side, where the energy is the same: 10·4 = 30·x²
    let [x, u] = ["block.x", "block.v"].map(|name| last(&summary, name));
    assert!((x - f64::sqrt(4.0 / 3.0)).abs() < 1e-8 && u.abs() < 1e-7, "{x} {u}");
}
