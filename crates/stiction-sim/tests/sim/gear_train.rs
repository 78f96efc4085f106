//! Gears with losses in a row: closed forms, rest, the blow of one that closes, and random trees against time stepping.
use crate::noise;
use stiction_sim::sim::{EventKind, RunSummary, Simulation, SimulationOptions, Trace};
use stiction_sim::system::{Body, Contact, Efficiency, GROUND, LossyGear, Signal, System};

fn constant(forward: f64, backward: f64, ratio: f64) -> LossyGear {
    LossyGear { ratio, forward: Efficiency::Constant(forward), backward: Efficiency::Constant(backward) }
}
fn body(mass: f64, v: f64) -> Body {
    Body { mass, v, rotates: true, ..Body::default() }
}
fn line(offset: f64, slope: f64) -> Signal {
    Signal::Ramp { offset, slope, start: 0.0, end: f64::INFINITY }
}
fn friction(fc: f64) -> Contact {
    crate::coulomb(fc)
}
fn run(system: &System, end: f64) -> (RunSummary, Trace) {
    let mut trace = Trace::default();
    let options = SimulationOptions { end, rtol: 1e-9, ..SimulationOptions::default() };
    let summary = Simulation::new(system).expect("a system").run(&options, &mut trace).expect("a run");
    let energy = summary.energy;
    // the tolerance of the run
    assert!(energy.error().abs() <= 1e-7 * energy.size(), "{energy:?}");
    (summary, trace)
}

/// Gears in a row: the mesh of each loses its part of what passes through it.
#[test]
fn gears_in_a_row_lose_the_product_of_their_efficiencies() {
    // forward: 0.8·0.5·(…): counted at the first shaft, (μ₁ + (μ₂ + μ₃/0.5)/0.8) a = f, with μ₂ = 3/4 and μ₃ = 8/(2·5)²
    let [m1, m2, m3] = [1.0, 3.0 / 4.0, 8.0 / 100.0];
    for order in [[0, 1], [1, 0]] {
        for (force, wanted) in [
            ([3.0, 0.0, 0.0], 3.0 / (m1 + (m2 + m3 / 0.5) / 0.8)),
            // the last drives: μ₁ + 0.6 (μ₂ + 0.7 μ₃)
            ([0.0, 0.0, 40.0], -0.6 * 0.7 * -40.0 / -10.0 / (m1 + 0.6 * (m2 + 0.7 * m3))),
            // the middle drives both ways: power goes back through the first gear and forward through the second
            ([0.0, 2.0, 0.0], 0.6 * 2.0 / 2.0 / (m1 + 0.6 * (m2 + m3 / 0.5))),
        ] {
            let mut system = System::new();
            let shafts = [("a", 1.0), ("b", 3.0), ("c", 8.0)]
                .map(|(name, inertia)| system.body(name, body(inertia, 0.0)).expect("a body"));
            let gears = [("first", constant(0.8, 0.6, 2.0)), ("second", constant(0.5, 0.7, -5.0))];
            for k in order {
                let (name, gear) = gears[k].clone();
                system.lossy_gear(name, shafts[k], shafts[k + 1], gear).expect("a gear");
            }
            for (k, f) in force.into_iter().enumerate() {
                system.force(&format!("f{k}"), shafts[k], Signal::Constant(f)).expect("a force");
            }
            let (summary, _) = run(&system, 1.0);
            let [a, b, c] = ["a.v", "b.v", "c.v"].map(|name| summary.last(name).expect(name));
            assert!((a - wanted).abs() < 1e-12 * wanted.abs(), "{force:?}: {a} is not {wanted}");
            assert!((a - 2.0 * b).abs() < 1e-14 && (b + 5.0 * c).abs() < 1e-14, "{a}, {b}, {c}");
        }
    }
}

/// A load s on the last shaft is held by the first up to `s/(η η')`, and driven back by it below `η₂ η₂' s`; a worm in the row holds alone.
#[test]
fn a_row_of_gears_breaks_away_exactly() {
    for (backward, slope, at, kind) in [
        (0.6, 1.0, 4.0 / (0.8 * 0.5), EventKind::SlipUp),
        (0.6, -1.0, 8.0 - 0.6 * 0.7 * 4.0, EventKind::SlipDown),
        // the worm holds whatever the load is; at rest the second mesh may take up to 4/0.5, with which the worm is held against a tenth of it
        (-0.1, -1.0, 8.0 + 0.1 * 4.0 / 0.5, EventKind::SlipDown),
    ] {
        let mut system = System::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| system.body(name, body(1.0, 0.0)).expect("a body"));
        system.lossy_gear("first", a, b, constant(0.8, backward, 1.0)).expect("a gear");
        system.lossy_gear("second", b, c, constant(0.5, 0.7, 1.0)).expect("a gear");
        system.force("load", c, Signal::Constant(-4.0)).expect("a force");
        let start = if slope > 0.0 { 0.0 } else { 8.0 };
        // for the rising torque nothing else holds: begin where rest is possible
        let begin = if slope > 0.0 { 3.0 } else { start };
        system.force("drive", a, line(begin, slope)).expect("a force");
        let (_, trace) = run(&system, at - (begin - start).abs() + 0.5);
        let at = if slope > 0.0 { at - 3.0 } else { at };
        for name in ["first", "second"] {
            let simulation = Simulation::new(&system).expect("a system");
            let event = trace.events.iter().find(|event| simulation.part(event.part) == name).expect("it breaks away");
            assert!(event.kind == kind && (event.t - at).abs() < 1e-12 * at, "{name}: {event:?} for {at}");
        }
    }
}

/// Random trees of three gears with friction on every shaft, against time stepping that finds the velocity of a step from the balance of each shaft by bisection.
#[test]
fn random_rows_of_gears_agree_with_time_stepping() {
    let mut count = 1000;
    let mut next = || {
        count += 1;
        noise(count)
    };
    let (mut stuck, mut turned) = (0, 0);
    for number in 0..40 {
        let mut between = |low: f64, high: f64| low + (high - low) * 0.5 * (1.0 + next());
        // counted at the first shaft; shaft k + 1 is driven by shaft `from[k]`
        let from = [[0, 1, 2], [0, 0, 1], [0, 1, 1], [0, 0, 0]][number % 4];
        let inertia = [0; 4].map(|_| between(0.5, 2.0));
        let eta = [0; 3].map(|_| [between(0.3, 1.0), between(0.05, 1.0)]);
        let torque = [0; 4].map(|_| [between(-2.0, 2.0), between(0.0, 5.0), between(1.0, 9.0)]);
        let level = [0, 1, 2, 3].map(|k| if (number >> k) % 2 == 0 { 0.0 } else { between(0.1, 0.6) });
        let ratios = [0; 3].map(|_| between(0.4, 2.0) * if between(0.0, 1.0) > 0.5 { 1.0 } else { -1.0 });
        let mut by = [1.0; 4];
        for k in 0..3 {
            by[k + 1] = by[from[k]] / ratios[k];
        }
        let mut system = System::new();
        let shafts = [0, 1, 2, 3]
            .map(|k| system.body(&format!("b{k}"), body(inertia[k] / (by[k] * by[k]), 0.0)).expect("a body"));
        for k in 0..3 {
            system
                .lossy_gear(&format!("g{k}"), shafts[from[k]], shafts[k + 1], constant(eta[k][0], eta[k][1], ratios[k]))
                .expect("a gear");
        }
        for k in 0..4 {
            let [mean, amplitude, omega] = torque[k];
            let signal = Signal::Sine { mean: mean / by[k], amplitude: amplitude / by[k], omega, phase: 0.0 };
            system.force(&format!("f{k}"), shafts[k], signal).expect("a force");
            if level[k] > 0.0 {
                system
                    .contact(&format!("c{k}"), shafts[k], GROUND, friction(level[k] / f64::abs(by[k])))
                    .expect("a contact");
            }
        }
        let (summary, trace) = run(&system, 3.0);
        let of = |kinds: &[EventKind]| trace.events.iter().filter(|event| kinds.contains(&event.kind)).count();
        stuck += of(&[EventKind::Stick]);
        turned += of(&[EventKind::TouchHigh, EventKind::TouchLow]);
        let stepping = |steps: usize| {
            let (mut x, mut u, h) = (0.0, 0.0, 3.0 / steps as f64);
            for step in 0..steps {
                let t = (step as f64 + 0.5) * h;
                // what the first shaft lacks if all have this velocity after the step
                let lacks = |v: f64, side: f64| {
                    let mut need = [0, 1, 2, 3].map(|k| {
                        let f = torque[k][0] + torque[k][1] * f64::sin(torque[k][2] * t);
                        inertia[k] * (v - u) + h * (side * level[k] - f)
                    });
                    for k in [2, 1, 0] {
                        // the direction of the gear and of the torque decide which way power goes
                        let s = need[k + 1];
                        need[from[k]] += if side * s > 0.0 { s / eta[k][0] } else { eta[k][1] * s };
                    }
                    need[0]
                };
                let zero = |mut low: f64, mut high: f64, side: f64| {
                    for _ in 0..60 {
                        let middle = 0.5 * (low + high);
                        if lacks(middle, side) < 0.0 { low = middle } else { high = middle }
                    }
                    0.5 * (low + high)
                };
                let v = if lacks(0.0, 1.0) < 0.0 {
                    zero(0.0, 1e3, 1.0)
                } else if lacks(0.0, -1.0) > 0.0 {
                    zero(-1e3, 0.0, -1.0)
                } else {
                    0.0
                };
                x += 0.5 * h * (u + v);
                u = v;
            }
            [x, u]
        };
        let [coarse, fine] = [8_000, 16_000].map(stepping);
        for (k, name) in ["b0.x", "b0.v"].into_iter().enumerate() {
            let found = summary.last(name).expect(name);
            // twice the change of the last halving bounds the error of a method of first order; plus what a stop within a step makes of it
            let error = 3.0 * (fine[k] - coarse[k]).abs() + 1e-3;
            assert!((found - fine[k]).abs() < error, "{number}: {name} = {found}, not {} ± {error}", fine[k]);
        }
    }
    assert!(stuck > 40 && turned > 40, "{stuck} and {turned}");
}

/// A gear that closes onto a row of others: one blow for all, with the losses of each at the speed after it.
#[test]
fn a_row_of_gears_closes_in_one_blow() {
    let mut system = System::new();
    let [a, b, c] =
        [("a", 6.0), ("b", 1.0), ("c", 1.0)].map(|(name, v)| system.body(name, body(1.0, v)).expect("a body"));
    let at = Signal::Step { before: 0.0, after: 1.0, at: 0.5 };
    system.switched_lossy_gear("first", [a, b], constant(0.5, 0.4, 1.0), at).expect("a gear");
    system.lossy_gear("second", b, c, constant(0.8, 0.4, 1.0)).expect("a gear");
    let (summary, trace) = run(&system, 1.0);
    // (u − 6) + ((u − 1) + (u − 1)/0.8)/0.5 = 0
    let wanted = (6.0 + 4.5) / 5.5;
    for name in ["a.v", "b.v", "c.v"] {
        let v = summary.last(name).expect(name);
        assert!((v - wanted).abs() < 1e-13, "{name} = {v} for {wanted}");
    }
    let kinds: Vec<_> = trace.events.iter().map(|event| event.kind).collect();
    assert_eq!(kinds[..2], [EventKind::Enable, EventKind::Impact]);
    let lost = 0.5 * (36.0 + 2.0) - 1.5 * wanted * wanted;
    assert!((summary.energy.impact - lost).abs() < 1e-12 * lost, "{:?} for {lost}", summary.energy);
}
