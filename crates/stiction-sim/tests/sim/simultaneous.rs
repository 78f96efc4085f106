//! What happens at one instant: jumps of memories, contacts that come to rest and contacts that let go are one transition, whose result
//! depends neither on the order of components nor on the sign of the motion nor on the time at which it happens.
use crate::{contact, coulomb, ramp, simulate};
use stiction_sim::sim::{EventKind, SimulationOptions, Trace};
use stiction_sim::system::{Body, GROUND, Signal, System};

/// The force of the lower contact jumps at its reversal, from 4 to 7.2 mN, and the upper contact lets go at that instant.
#[test]
fn a_reversal_below_releases_the_contact_above() {
    for (side, order) in [(1.0, [0, 1]), (-1.0, [0, 1]), (1.0, [1, 0]), (-1.0, [1, 0])] {
        let mut system = System::new();
        let [b0, b1] =
            ["b0", "b1"].map(|name| system.body(name, Body { mass: 1.0, ..Body::default() }).expect("a body"));
        for k in order {
            let values = [("sigma0", 20.0), ("sigma1", 0.8), ("z0", 2e-4), ("a", 0.8), ("fv", 0.0)];
            let added = match k {
                0 => system.contact("c0", b0, GROUND, contact("reset-integrator", &values)),
                _ => system.contact("c1", b1, b0, coulomb(0.007)),
            };
            added.expect("a contact");
        }
        let push = Signal::Chirp { amplitude: 0.01 * side, omega: 1.1, rate: 0.03, phase: 0.0 };
        system.force("f0", b0, push).expect("a force");
        let options = SimulationOptions { end: 3.6, rtol: 1e-8, ..SimulationOptions::default() };
        let (summary, Trace { events, .. }) = simulate(&system, &options);
        let (reversal, slip) = match side {
            1.0 => (EventKind::ReverseDown, EventKind::SlipUp),
            _ => (EventKind::ReverseUp, EventKind::SlipDown),
        };
        let time = |kind| events.iter().find(|event| event.kind == kind).expect("an event").t;
        assert_eq!(time(reversal), time(slip));
        // from then on the upper body is slowed by the Coulomb force alone
        let v = summary.last("b1.v").expect("a velocity");
        let exact = -side * 0.007 * (3.6 - time(slip));
        // both are exact but for the velocity at which the reversal is found, an error of the tolerance times the speeds of 10 mm/s
        assert!((v - exact).abs() < 1e-9, "{side}, {order:?}: {v:e} for {exact:e}");
    }
}

/// Two bodies whose contacts come to rest at the same instant, t = 1 after the start: the upper one, pushed harder than its contact holds,
/// reverses; the lower one stays, because its contact holds more than the upper one passes on.
#[test]
fn contacts_that_come_to_rest_at_one_instant_are_decided_together() {
    for (side, order, start) in
        [(1.0, [0, 1], 0.0), (-1.0, [0, 1], 0.0), (1.0, [1, 0], 0.0), (-1.0, [1, 0], 7.3), (1.0, [0, 1], -2.1)]
    {
        for push in [-3.0, -1.0] {
            let mut system = System::new();
            let speeds = [1.0, 2.0 - push];
            let [b0, b1] = [0, 1].map(|k| {
                let body = Body { mass: 1.0, v: side * speeds[k], ..Body::default() };
                system.body(&format!("b{k}"), body).expect("a body")
            });
            for k in order {
                let added = match k {
                    0 => system.contact("c0", b0, GROUND, coulomb(3.0)),
                    _ => system.contact("c1", b1, b0, coulomb(2.0)),
                };
                added.expect("a contact");
            }
            system.force("f1", b1, Signal::Constant(side * push)).expect("a force");
            let options = SimulationOptions { start, end: start + 2.0, rtol: 1e-8, ..SimulationOptions::default() };
            let (summary, Trace { events, .. }) = simulate(&system, &options);
            let mut kinds: Vec<_> = events.iter().map(|event| event.kind.name()).collect();
            kinds.sort();
            let holds = push > -2.0;
            let second = match (holds, side > 0.0) {
                (true, _) => "stick",
                (false, true) => "reverse-",
                (false, false) => "reverse+",
            };
            let mut wanted = vec!["stick".to_owned(), second.to_owned()];
            wanted.sort();
            assert_eq!(kinds, wanted, "{side}, {order:?}, {start}, {push}: {events:?}");
            assert_eq!(events[0].t, events[1].t);
            // uniform acceleration, known to rounding
            let v = summary.last("b1.v").expect("a velocity");
            let exact = if holds { 0.0 } else { side * (push + 2.0) };
            assert!((v - exact).abs() < 1e-12, "{side}, {order:?}, {start}, {push}: {v}");
            assert_eq!(summary.last("b0.v"), Some(0.0));
        }
    }
}

/// Two bodies whose contacts with the ground let go at the same instant, in the same direction: the contact between them begins to slide
/// as the faster one takes it, whatever the masses.
#[test]
fn contacts_that_let_go_at_one_instant_are_decided_together() {
    for (side, [m1, m2], [level1, level2], faster) in [
        (1.0, [1.0, 2.0], [1.0, 4.0], 2),
        (-1.0, [1.0, 2.0], [1.0, 4.0], 2),
        (1.0, [1.0, 2.0], [1.0, 1.5], 1),
        (-1.0, [1.0, 2.0], [1.0, 1.5], 1),
        (1.0, [2.0, 1.0], [4.0, 1.0], 1),
    ] {
        let mut system = System::new();
        let [b1, b2] = [("b1", m1), ("b2", m2)]
            .map(|(name, mass)| system.body(name, Body { mass, ..Body::default() }).expect("a body"));
        system.contact("between", b1, b2, contact("gms", &[])).expect("a contact");
        for (name, force, body, level) in [("c1", "f1", b1, level1), ("c2", "f2", b2, level2)] {
            system.contact(name, body, GROUND, coulomb(level)).expect("a contact");
            system.force(force, body, ramp(side * level)).expect("a force");
        }
        let options = SimulationOptions { end: 1.2, rtol: 1e-8, ..SimulationOptions::default() };
        let (_, Trace { events, .. }) = simulate(&system, &options);
        let first = |part: usize| events.iter().find(|event| event.part == part).expect("an event");
        let [between, c1, c2] = [0, 1, 2].map(first);
        assert_eq!((c1.t, c2.t), (between.t, between.t), "{events:?}");
        let forwards = (faster == 1) == (side > 0.0);
        assert_eq!(between.kind, if forwards { EventKind::SlipUp } else { EventKind::SlipDown }, "{events:?}");
    }
}

/// A body on another with the same limit as that has with the ground: only the upper one moves, because the lower one is pushed with
/// exactly what its contact holds.
#[test]
fn of_equal_contacts_in_series_only_the_loaded_one_lets_go() {
    for (side, order) in [(1.0, [0, 1]), (-1.0, [0, 1]), (1.0, [1, 0]), (-1.0, [1, 0])] {
        let mut system = System::new();
        let [b0, b1] =
            ["b0", "b1"].map(|name| system.body(name, Body { mass: 1.0, ..Body::default() }).expect("a body"));
        for k in order {
            let added = match k {
                0 => system.contact("c0", b0, GROUND, coulomb(1.0)),
                _ => system.contact("c1", b1, b0, coulomb(1.0)),
            };
            added.expect("a contact");
        }
        system.force("f", b1, ramp(side)).expect("a force");
        let options = SimulationOptions { end: 2.0, rtol: 1e-8, ..SimulationOptions::default() };
        let (summary, Trace { events, .. }) = simulate(&system, &options);
        assert_eq!(events.len(), 1, "{side}, {order:?}: {events:?}");
        assert_eq!((summary.last("b0.x"), summary.last("b0.v")), (Some(0.0), Some(0.0)));
        // x = s³/6 after release, to rounding
        let x = summary.last("b1.x").expect("a place");
        assert!((x - side / 6.0).abs() < 1e-12, "{x}");
    }
}
