//! Contacts that pass through rest, and forces and speeds at rest that are none: they act on nothing beside them.
use crate::{contact, last, noise, options, simulate, sine};
use stiction_sim::sim::{EventKind, Trace};
use stiction_sim::system::{Body, Freewheel, GROUND, Signal, Spring, Stop, System};

/// Amplitude of a belt \[m\], and its angular frequency \[rad/s\].
const BELT: [f64; 2] = [1.0, 3.0];

/// Two blocks on each other, on a belt that swings so fast that the lower one always slides: its masses, its levels at the belt, and those of the
/// contact between the blocks, each while sliding and at rest. `order`: which block and contact come first.
fn blocks(masses: [f64; 2], base: [f64; 2], between: [f64; 2], order: bool) -> System {
    let mut system = System::new();
    let mut body = |k: usize| {
        let name = ["lower", "upper"][k];
        system.body(name, Body { mass: masses[k], ..Body::default() }).expect("a body")
    };
    let (lower, upper) = if order {
        let lower = body(0);
        (lower, body(1))
    } else {
        let upper = body(1);
        (body(0), upper)
    };
    let belt = system.motion("belt", sine(BELT[0], BELT[1]), false).expect("a motion");
    let levels = |[fc, fs]: [f64; 2]| contact("stiction", &[("fc", fc), ("fs", fs), ("fv", 0.0)]);
    let ends = [("base", lower, belt, base), ("blocks", upper, lower, between)];
    let mut add = |k: usize| {
        let (name, one, other, level) = ends[k];
        system.contact(name, one, other, levels(level)).expect("a contact");
    };
    [usize::from(!order), usize::from(order)].into_iter().for_each(&mut add);
    system
}

/// Slips and reversals of the contact between the blocks, the second of `blocks` if `order` is true.
fn slips(trace: &Trace, order: bool) -> usize {
    let own = usize::from(order);
    trace.events.iter().filter(|event| event.part == own && event.kind != EventKind::Stick).count()
}

/// Velocity at time `end` of one body on the belt, which pushes it with ±`a`: it turns where the belt is as fast as the body. By bisection between
/// the extrema of the belt's speed.
fn carried(a: f64, end: f64) -> f64 {
    let [amplitude, omega] = BELT;
    let belt = |t: f64| amplitude * omega * (omega * t).cos();
    let (mut t, mut v, mut side) = (0.0, 0.0, 1.0);
    for k in 1.. {
        let (mut low, mut high) =
            (f64::max(t, f64::from(k - 1) * std::f64::consts::PI / omega), f64::from(k) * std::f64::consts::PI / omega);
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if (belt(middle) - v - side * a * (middle - t)) * side > 0.0 { low = middle } else { high = middle }
        }
        if low >= end {
            break;
        }
        (v, t, side) = (v + side * a * (low - t), low, -side);
    }
    v + side * a * (end - t)
}

/// Where the belt turns the lower block, the contact at the belt passes through rest: its force goes from one sliding level to the other, and the blocks
/// press on each other with that level's share. They slid, because it was the share of the level at rest that they were decided with.
#[test]
fn a_contact_that_turns_lets_nothing_go_beside_it() {
    for order in [true, false] {
        let system = blocks([1.0, 1.0], [0.27, 0.43], [0.1, 0.16], order);
        for rtol in [1e-4, 1e-6, 1e-8, 1e-10] {
            let (summary, trace) = simulate(&system, &options(4.0, rtol));
            assert_eq!(slips(&trace, order), 0, "{:?}", trace.events);
            assert_eq!(last(&summary, "upper.x"), last(&summary, "lower.x"));
            let (v, expected) = (last(&summary, "lower.v"), carried(0.135, 4.0));
            // linear pieces: the instants of four turns are all there is to know, each to the tolerance of a speed of 3 m/s
            assert!((v - expected).abs() < 4.0 * 3.0 * rtol, "{v}, expected {expected}, at {rtol}");
        }
    }
}

/// With masses and levels at random, the blocks hold together as long as the share of the sliding force is within their limit, however large the share of
/// the force at rest would be; and they slide where it is not.
#[test]
fn blocks_hold_what_the_sliding_force_asks_of_them() {
    let mut k = 0;
    let mut next = || {
        k += 1;
        noise(k)
    };
    let mut held = 0;
    for _ in 0..60 {
        let masses = [0, 1].map(|_| 10f64.powf(next()));
        let fc = 0.3 * (masses[0] + masses[1]);
        let base = [fc, fc * (1.2 + 0.7 * next().abs())];
        let share = |force: f64| force * masses[1] / (masses[0] + masses[1]);
        // between the two shares, and below both
        let limit = share(fc) * (1.0 + 0.3 * next());
        let between = [0.5 * limit, limit];
        let system = blocks(masses, base, between, true);
        let (summary, trace) = simulate(&system, &options(3.0, 1e-8));
        assert!(summary.complete, "{:?}", summary.failure);
        let holds = limit > share(fc);
        assert_eq!(slips(&trace, true) == 0, holds, "{masses:?}, {base:?}, {between:?}: {:?}", trace.events);
        held += usize::from(holds);
    }
    assert!((15..45).contains(&held), "{held} of 60 held");
}

/// A block that its friction holds, another on it on the bristles of `hysteresis`, and a freewheel between them. Evaluating that law at a speed of
/// 1e-200 m/s moves the upper block by next to nothing. That counted as a blow on the freewheel where the force ends to rise; the blow let go the lower block,
/// which slid from then on.
#[test]
fn a_speed_that_comes_from_a_sign_strikes_nothing() {
    let mut system = System::new();
    let lower = system.body("lower", Body::default()).expect("a body");
    let upper = system.body("upper", Body { mass: 6.5, ..Body::default() }).expect("a body");
    system.freewheel("wheel", upper, lower, Freewheel::default()).expect("a freewheel");
    let ground = [("fc", 0.03), ("fs", 0.05), ("vs", 0.3)];
    system.contact("base", lower, GROUND, contact("carlson-langer", &ground)).expect("a contact");
    let bristles = [
        ("k0", 5000.0),
        ("k1", 500.0),
        ("k2", 300.0),
        ("f1", 0.04),
        ("z2", 3.4e-5),
        ("fs", 0.045),
        ("fc1", 0.045),
        ("fc2", 0.042),
        ("vs", 0.00064),
        ("exponent", 1.0),
        ("fv1", 0.0),
        ("fv2", 0.0),
    ];
    system.contact("bristles", upper, lower, contact("hysteresis", &bristles)).expect("a contact");
    let force = Signal::MinimumJerk { start: 2.3, time: 3.7, before: 0.0, after: 0.034 };
    system.force("push", lower, force).expect("a force");
    for end in [10.0, 15.0, 22.0, 23.340318036731688, 23.5, 24.0, 30.0] {
        let (summary, _) = simulate(&system, &options(end, 1e-9));
        assert!(summary.complete, "{:?}", summary.failure);
        for column in ["lower.x", "lower.v", "upper.x", "upper.v"] {
            // 0.034 N do not move what 0.05 N hold
            assert_eq!(last(&summary, column), 0.0, "{column} at {end}");
        }
    }
}

/// Two bodies that creep, pressed on a closed stop between them by a spring: nothing moves, so nothing creeps, and the stop carries the spring, whatever the
/// masses, the tolerance and the law. Under a force on one of them both creep, and the stop carries the spring and half of the force.
#[test]
fn a_stop_between_bodies_that_creep_carries_what_presses() {
    let viscous = [("fv", 0.02), ("gamma", 0.5)];
    let aging = [("mu0", 0.6), ("a", 0.01), ("b", 0.008), ("v0", 1e-6), ("normal", 10.0), ("dc", 1e-5)];
    for (law, values) in [("viscous", &viscous[..]), ("dieterich", &aging[..])] {
        for (masses, rtol) in [([0.2, 0.2], 1e-10), ([0.2, 30.0], 1e-6), ([1e-3, 5.0], 1e-8)] {
            let mut system = System::new();
            let left = system.body("left", Body { mass: masses[0], ..Body::default() }).expect("a body");
            let right = system.body("right", Body { mass: masses[1], x: 0.08, ..Body::default() }).expect("a body");
            system.spring("spring", left, right, Spring::linear(0.5)).expect("a spring");
            let stop = Stop { lo: 0.08, hi: f64::INFINITY, restitution: 0.8 };
            system.stop("stop", right, left, stop).expect("a stop");
            for (name, body) in [("c0", left), ("c1", right)] {
                system.contact(name, body, GROUND, contact(law, values)).expect("a contact");
            }
            let (summary, trace) = simulate(&system, &options(7.4, rtol));
            assert!(summary.complete, "{law}: {:?}", summary.failure);
            for column in ["c0.force", "c1.force", "left.v", "right.v"] {
                // what the weight of a creeping contact, 1e-30, leaves of 0.04 N
                let value = last(&summary, column);
                assert!(value.abs() < 1e-30, "{law}, {column}: {value}, {:?}", trace.events);
            }
            // two products and a sum
            assert!(
                (last(&summary, "stop.force").abs() - 0.04).abs() < 1e-16,
                "{law}: {}",
                last(&summary, "stop.force")
            );
        }
    }
}

/// A ring that is driven, on a contact that creeps, and two brakes that hold the drum and, through a rigid gear, the motor: the brakes share the torque by the
/// least norm, in closed form. The rounding of a row of one brake, over the weight of a creeping contact, made 6 N·m of 0.007.
#[test]
fn brakes_beside_a_contact_that_creeps_share_by_the_least_norm() {
    for ratio in [2.0, 2.03, 3.7, 4.25, 11.32] {
        let mut system = System::new();
        let [motor, drum, ring] = ["motor", "drum", "ring"]
            .map(|name| system.body(name, Body { rotates: true, ..Body::default() }).expect("a body"));
        system.gear("gear", motor, drum, 1.0 / ratio).expect("a gear");
        let brake = || contact("stiction", &[("fc", 5.0), ("fs", 6.0), ("fv", 0.0)]);
        system.contact("a", motor, GROUND, brake()).expect("a brake");
        system.contact("b", drum, GROUND, brake()).expect("a brake");
        system.contact("creep", drum, ring, contact("dieterich", &[("normal", 10.0)])).expect("a contact");
        system.force("torque", ring, Signal::Constant(0.1)).expect("a torque");
        let (summary, trace) = simulate(&system, &options(1.0, 1e-8));
        assert!(summary.complete && trace.events.is_empty(), "{:?}, {:?}", summary.failure, trace.events);
        let shares = [("a.force", ratio), ("b.force", 1.0)];
        for (column, lever) in shares {
            let (force, expected) = (last(&summary, column), 0.1 * lever / (ratio * ratio + 1.0));
            // an elimination with three rows
            assert!((force - expected).abs() < 1e-14, "{column}: {force}, expected {expected}, ratio {ratio}");
        }
    }
}
