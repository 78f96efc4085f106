//! Bands of speeds that count as rest: a contact that enters one comes to rest by an impulse.
use crate::{contact, simulate};
use stiction_sim::sim::{EventKind, SimulationOptions};
use stiction_sim::system::{Body, Signal, System};

/// A block on a shaking table, which it follows by friction alone. Its sliding speed enters the band 12 times in 1.4 s.
fn on_a_shaking_table(start: f64) -> System {
    let (amplitude, omega) = (0.038_207_940_112_227_39, 26.910_295_948_580_604);
    let mut system = System::new();
    let body = system.body("b0", Body { mass: 12.281_469_363_787_116, ..Body::default() }).expect("a body");
    let table = Signal::Sine { mean: 0.0, amplitude, omega, phase: -omega * start };
    let table = system.motion("m0", table, false).expect("a motion");
    let karnopp = [
        ("fc", 4.863_794_792_234_486),
        ("fs", 7.064_524_039_836_582),
        ("vs", 0.001_816_150_476_351_869_7),
        ("exponent", 0.5),
        ("fv", 0.0),
        ("band", 1.072_733_976_428_059_6e-5),
    ];
    system.contact("c0", body, table, contact("karnopp", &karnopp)).expect("a contact");
    system
}

/// The same motion from other times on. At the located instant the speed is at the end of the band, but for the rounding of the time: whether it
/// was within it decided whether the contact was stopped, and with which speed it went on.
#[test]
fn a_contact_enters_its_band_whatever_the_clock_rounds() {
    let end = 1.4;
    let runs: Vec<_> = [0.0, 4.2, 42.0, 1000.0]
        .map(|start| {
            let options = SimulationOptions { start, end: start + end, ..SimulationOptions::default() };
            let (summary, trace) = simulate(&on_a_shaking_table(start), &options);
            for event in trace.events.iter().filter(|event| event.kind == EventKind::GuardDown(1)) {
                let at_once = |kind| trace.events.iter().any(|other| other.t == event.t && other.kind == kind);
                assert!(at_once(EventKind::ReverseUp) || at_once(EventKind::ReverseDown), "{start}: {event:?}");
            }
            (summary.last("b0.v").expect("a column"), summary.energy.impact, trace.events.len())
        })
        .into();
    for (v, impact, events) in &runs {
        // the phase is rounded to 27000 * 1e-16, and the tolerance is 1e-8 of 1 m/s
        assert!((v - runs[0].0).abs() < 1e-8, "{runs:?}");
        assert!((impact / runs[0].1 - 1.0).abs() < 1e-6, "{runs:?}");
        assert_eq!(*events, runs[0].2);
    }
}
