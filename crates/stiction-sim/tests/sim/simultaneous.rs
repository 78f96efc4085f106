//! What happens at one instant: jumps of memories, contacts that come to rest and contacts that let go are one transition, whose result
//! depends neither on the order of components nor on the sign of the motion nor on the time at which it happens.
use crate::{contact, coulomb, simulate};
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
