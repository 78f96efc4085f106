//! Rigid gears that a signal switches: the blow in closed form, alone, together with others, with stops and friction, and what comes after.
use crate::{coulomb, law, simulate};
use stiction_sim::sim::{
    IntegrationMethod, NullObserver, RELATIVE_CHANGE, RunSummary, Simulation, SimulationOptions, Trace, VariedParameter,
};
use stiction_sim::system::{
    Body, Contact, Curve, Efficiency, GROUND, LossyGear, Node, Signal, Spring, Stop, SwitchedGear, System,
};

fn body(system: &mut System, name: &str, mass: f64, v: f64) -> Node {
    system.body(name, Body { mass, v, ..Body::default() }).expect("a body")
}
fn until(end: f64) -> SimulationOptions {
    SimulationOptions { end, rtol: 1e-10, ..SimulationOptions::default() }
}
fn last(summary: &RunSummary, name: &str) -> f64 {
    assert!(summary.complete, "{:?}", summary.failure);
    summary.last(name).expect("a column")
}
fn events(system: &System, trace: &Trace) -> Vec<(f64, String)> {
    let simulation = Simulation::new(system).expect("a system");
    trace.events.iter().map(|e| (e.t, format!("{}.{}", simulation.part(e.part), e.kind.name()))).collect()
}
fn on(at: f64) -> Signal {
    Signal::Step { before: 0.0, after: 1.0, at }
}
fn window(from: f64, to: f64) -> Signal {
    Signal::Pulses { low: 0.0, high: 1.0, start: from, width: to - from, period: to - from, count: 1.0 }
}
fn gear(system: &mut System, name: &str, ends: [Node; 2], ratio: f64, enable: Signal) {
    system.switched_gear(name, ends[0], ends[1], SwitchedGear { ratio }, enable).expect("a gear");
}
fn lossy(forward: f64, backward: f64, ratio: f64) -> LossyGear {
    LossyGear { ratio, forward: Efficiency::Constant(forward), backward: Efficiency::Constant(backward) }
}
fn closes(summary: &RunSummary) {
    // the error of a run at this tolerance
    assert!(summary.energy.error().abs() <= 1e-9 * summary.energy.size(), "{:?}", summary.energy);
}

/// Momentum along the motions that the gear leaves is conserved: `w₂ = (r J₁ w₁ + J₂ w₂)/(r² J₁ + J₂)`, and `½ Δw²/(1/J₁ + r²/J₂)` is lost. Driven
/// on together, then each alone.
#[test]
fn two_inertias_engage_and_part() {
    for (ratio, inertia, [w1, w2], torque) in [
        (1.0, [0.3, 0.7], [20.0, -4.0], 2.0),
        (-2.5, [0.3, 0.7], [20.0, -4.0], 2.0),
        (40.0, [1e-4, 3.0], [-100.0, 2.0], 0.5),
        // inertias a million apart, in both ways
        (1.0, [1e-6, 1.0], [1e3, 1.0], 1e-6),
        (1.0, [1.0, 1e-6], [1e3, 1.0], 1.0),
        (1e-3, [1.0, 1e6], [1e3, 1.0], 1.0),
        // one of them at rest
        (2.0, [1.0, 1.0], [0.0, 3.0], 0.0),
    ] {
        let [j1, j2] = inertia;
        let mut system = System::new();
        let (a, b) = (body(&mut system, "a", j1, w1), body(&mut system, "b", j2, w2));
        system.force("drive", a, Signal::Constant(torque)).expect("a force");
        gear(&mut system, "gear", [a, b], ratio, window(0.5, 1.5));
        let (summary, trace) = simulate(&system, &until(2.0));
        let before = w1 + 0.5 * torque / j1;
        let both = ratio * ratio * j1 + j2;
        let slow = (ratio * j1 * before + j2 * w2) / both;
        let lost = 0.5 * (before - ratio * w2).powi(2) / (1.0 / j1 + ratio * ratio / j2);
        let [mut v1, v2] = [ratio * slow + ratio * ratio * torque / both, slow + ratio * torque / both];
        v1 += 0.5 * torque / j1;
        // straight lines: exact but for rounding
        let near = |found: f64, wanted: f64, size: f64| {
            assert!((found - wanted).abs() <= 1e-12 * size, "{ratio}, {found} for {wanted}")
        };
        near(last(&summary, "a.v"), v1, before.abs() + v1.abs());
        near(last(&summary, "b.v"), v2, w2.abs() + v2.abs() + (before / ratio).abs());
        near(summary.energy.impact, lost, 0.5 * (j1 * before * before + j2 * w2 * w2));
        closes(&summary);
        let told: Vec<_> = events(&system, &trace);
        let wanted = [(0.5, "gear.enable"), (0.5, "gear.impact"), (1.5, "gear.disable")];
        assert!(told.iter().map(|e| (e.0, e.1.as_str())).eq(wanted), "{told:?}");
        // the force while it is on, and no other
        let columns = Simulation::new(&system).expect("a system");
        let k = columns.columns().iter().position(|c| c.name == "gear.force").expect("a column");
        for row in &trace.rows {
            let wanted = if row[0] > 0.5 && row[0] < 1.5 { torque * j2 / both } else { f64::NAN };
            assert!(wanted.is_nan() || (row[k] - wanted).abs() <= 1e-12 * torque.abs(), "{row:?}");
            assert!(row[0] > 0.5 && row[0] <= 1.5 || row[k] == 0.0 || row[0] == 0.5, "{row:?}");
        }
    }
}

/// Three shafts in a row, coupled at one instant: what is conserved is the momentum along their common motion. Two gears of different ratios between the
/// same shafts stop both.
#[test]
fn gears_that_close_together_are_one_blow() {
    let (masses, speeds, [r1, r2]) = ([2.0, 0.5, 3.0], [7.0, -1.0, 3.0], [2.0, -0.5]);
    let build = |signals: [Signal; 2]| {
        let mut system = System::new();
        let [a, b, c] = [0, 1, 2].map(|k| body(&mut system, ["a", "b", "c"][k], masses[k], speeds[k]));
        let [first, second] = signals;
        gear(&mut system, "one", [a, b], r1, first);
        gear(&mut system, "two", [b, c], r2, second);
        system
    };
    let kinetic = |v: [f64; 3]| (0..3).map(|k| 0.5 * masses[k] * v[k] * v[k]).sum::<f64>();
    // of the motion (r1 r2, r2, 1)
    let shape = [r1 * r2, r2, 1.0];
    let along: f64 = (0..3).map(|k| masses[k] * shape[k] * speeds[k]).sum();
    let size: f64 = (0..3).map(|k| masses[k] * shape[k] * shape[k]).sum();
    let (summary, trace) = simulate(&build([on(1.0), on(1.0)]), &until(2.0));
    for (name, shape) in ["a.v", "b.v", "c.v"].into_iter().zip(shape) {
        assert!((last(&summary, name) - shape * along / size).abs() < 1e-13, "{name}: {}", last(&summary, name));
    }
    let lost = kinetic(speeds) - kinetic(shape.map(|s| s * along / size));
    assert!((summary.energy.impact - lost).abs() < 1e-12 * lost, "{:?} for {lost}", summary.energy);
    let kinds: Vec<_> = events(&build([on(1.0), on(1.0)]), &trace).into_iter().map(|e| e.1).collect();
    assert_eq!(kinds, ["one.enable", "two.enable", "one.impact", "two.impact"]);
    // one after the other: the same motion in the end, as the second blow conserves the same momentum
    let (summary, _) = simulate(&build([on(1.5), on(1.0)]), &until(2.0));
    assert!((last(&summary, "c.v") - along / size).abs() < 1e-13, "{}", last(&summary, "c.v"));
    assert!((summary.energy.impact - lost).abs() < 1e-12 * lost, "{:?}", summary.energy);

    let mut locked = System::new();
    let (a, b) = (body(&mut locked, "a", 1.0, 3.0), body(&mut locked, "b", 2.0, 1.0));
    gear(&mut locked, "first", [a, b], 2.0, on(0.5));
    gear(&mut locked, "second", [a, b], 3.0, on(0.5));
    locked.force("push", a, Signal::Constant(4.0)).expect("a force");
    let (summary, _) = simulate(&locked, &until(1.0));
    assert_eq!([last(&summary, "a.v"), last(&summary, "b.v")], [0.0; 2]);
    assert!((summary.energy.impact - (0.5 * 25.0 + 1.0)).abs() < 1e-12, "{:?}", summary.energy);

    // a closed triangle of consistent ratios holds as two of its gears do
    let mut triangle = build([on(1.0), on(1.0)]);
    let [a, c] = ["a", "c"].map(|name| triangle.node(name).expect("a body"));
    gear(&mut triangle, "three", [a, c], r1 * r2, on(1.0));
    triangle.force("push", a, Signal::Constant(3.0)).expect("a force");
    let (summary, _) = simulate(&triangle, &until(2.0));
    let momentum = along + 3.0 * shape[0] + masses[0] * shape[0] * 3.0 / masses[0];
    assert!((last(&summary, "c.v") - momentum / size).abs() < 1e-12, "{}", last(&summary, "c.v"));
}

/// A shift from one gear to another at one instant, forth and back: no blow between gears of one ratio.
#[test]
fn a_gear_that_takes_over_from_another_closes_at_its_own_ratio() {
    for (second, lost) in [(2.0, 0.0), (3.0, 1.0)] {
        let mut system = System::new();
        let (a, b) = (body(&mut system, "a", 0.5, 6.0), body(&mut system, "b", 2.0, 3.0));
        gear(&mut system, "low", [a, b], 2.0, Signal::Step { before: 1.0, after: 0.0, at: 1.0 });
        gear(&mut system, "high", [a, b], second, on(1.0));
        let (summary, _) = simulate(&system, &until(2.0));
        let both = second * second * 0.5 + 2.0;
        let slow = (second * 0.5 * 6.0 + 2.0 * 3.0) / both;
        let wanted: f64 = 0.5 * (6.0 - second * 3.0_f64).powi(2) / (2.0 + second * second / 2.0);
        assert!((last(&summary, "b.v") - slow).abs() < 1e-13, "{}", last(&summary, "b.v"));
        assert!((summary.energy.impact - wanted).abs() < 1e-12, "{:?}", summary.energy);
        assert_eq!(wanted > 0.0, lost > 0.0);
    }
}

/// A body that rests on a stop, and another that is coupled to it: into the stop, which takes the whole blow and returns its share, and away from it.
#[test]
fn a_closed_stop_takes_part_in_the_blow() {
    let (m, big) = (2.0, 3.0);
    for (v, restitution) in [(-5.0, 0.0), (-5.0, 0.6), (4.0, 0.6), (-5.0, 1.0)] {
        let mut system = System::new();
        let (a, b) = (body(&mut system, "a", m, v), body(&mut system, "b", big, 0.0));
        system.stop("floor", b, GROUND, Stop { lo: 0.0, hi: f64::INFINITY, restitution }).expect("a stop");
        gear(&mut system, "dog", [a, b], 1.0, on(1.0));
        let (summary, trace) = simulate(&system, &until(2.0));
        // into the stop: all stands still, then it gives back e m |v| to both
        let wanted = if v < 0.0 { -restitution * m * v / (m + big) } else { m * v / (m + big) };
        for name in ["a.v", "b.v"] {
            assert!((last(&summary, name) - wanted).abs() < 1e-12, "{v}, {restitution}: {}", last(&summary, name));
        }
        let lost = 0.5 * m * v * v - 0.5 * (m + big) * wanted * wanted;
        assert!((summary.energy.impact - lost).abs() < 1e-12 * lost, "{:?}", summary.energy);
        closes(&summary);
        let told = events(&system, &trace);
        assert!(told.iter().any(|e| e.1 == "dog.impact" && e.0 == 1.0), "{told:?}");
    }
}

/// The body reaches the stop at the instant of the switch: whatever the order of rounding says, the blow satisfies the law and the audit.
#[test]
fn a_stop_that_is_reached_as_the_gear_closes() {
    for offset in [0.0, 1e-15, -1e-15, 1e-12, -1e-12, 1e-9] {
        let mut system = System::new();
        let (a, b) = (body(&mut system, "a", 1.0, 1.0), body(&mut system, "b", 4.0, -2.0));
        system.stop("wall", a, GROUND, Stop { lo: -1.0, hi: 1.0 + offset, restitution: 0.5 }).expect("a stop");
        gear(&mut system, "dog", [a, b], 1.0, on(1.0));
        let (summary, _) = simulate(&system, &until(1.2));
        let (v, w) = (last(&summary, "a.v"), last(&summary, "b.v"));
        // rebounded first, -0.5: together (-0.5 - 8)/5; the gear first, which takes it away from the wall: (1 - 8)/5; both at once: the wall is not pressed
        assert!((v - w).abs() < 1e-14, "{v} and {w}");
        assert!([-1.7, -1.4].iter().any(|x: &f64| (x - v).abs() < 1e-10), "{offset}: {v}");
        closes(&summary);
    }
}

/// Friction carries no impulse: a brake that holds is torn loose by the blow, slides, and holds both; one between the two bodies comes to rest with them.
#[test]
fn a_held_contact_is_torn_loose() {
    let (m, big, v, fc) = (1.0, 3.0, 8.0, 6.0);
    let mut system = System::new();
    let (a, b) = (body(&mut system, "a", m, v), body(&mut system, "b", big, 0.0));
    system.force("weight", b, Signal::Constant(-4.0)).expect("a force");
    system.contact("brake", b, GROUND, coulomb(fc)).expect("a contact");
    system.contact("plate", a, b, coulomb(1e-3)).expect("a contact");
    gear(&mut system, "dog", [a, b], 1.0, on(1.0));
    let (summary, trace) = simulate(&system, &until(6.0));
    let before = v - 1e-3 / m;
    let together = m * before / (m + big);
    let stops = 1.0 + together * (m + big) / (fc + 4.0);
    let told = events(&system, &trace);
    let at = |name: &str| told.iter().filter(|e| e.1 == name).map(|e| e.0).collect::<Vec<_>>();
    assert_eq!(at("brake.slip+"), [1.0], "{told:?}");
    assert_eq!(at("plate.stick"), [1.0], "{told:?}");
    assert!(at("brake.stick").len() == 1 && (at("brake.stick")[0] - stops).abs() < 1e-9, "{told:?} for {stops}");
    assert_eq!([last(&summary, "a.v"), last(&summary, "b.v")], [0.0; 2]);
    assert!((last(&summary, "brake.force") + 4.0).abs() < 1e-12 && last(&summary, "plate.force").abs() < 1e-3);
    closes(&summary);

    // closed at rest: nothing happens, however close to its limit the brake is
    let mut rest = System::new();
    let (a, b) = (body(&mut rest, "a", m, 0.0), body(&mut rest, "b", big, 0.0));
    rest.force("weight", b, Signal::Constant(-fc * (1.0 - 1e-12))).expect("a force");
    rest.contact("brake", b, GROUND, coulomb(fc)).expect("a contact");
    gear(&mut rest, "dog", [a, b], 1.0, window(1.0, 2.0));
    let (summary, trace) = simulate(&rest, &until(3.0));
    let told: Vec<_> = events(&rest, &trace).into_iter().map(|e| e.1).collect();
    assert_eq!(told, ["dog.enable", "dog.disable"]);
    assert_eq!(last(&summary, "b.x"), 0.0);
}

/// The gear carries a body that friction holds no longer: the limit of the brake counts for both.
#[test]
fn a_gear_that_is_on_carries_force_to_a_brake() {
    let (fc, ratio) = (6.0, 2.0);
    let mut system = System::new();
    let (a, b) = (body(&mut system, "a", 1.0, 0.0), body(&mut system, "b", 3.0, 0.0));
    system.contact("brake", b, GROUND, coulomb(fc)).expect("a contact");
    let rise = Signal::Ramp { offset: 0.0, slope: 1.0, start: 0.0, end: f64::INFINITY };
    system.force("pull", a, rise).expect("a force");
    gear(&mut system, "gear", [a, b], ratio, Signal::Step { before: 1.0, after: 0.0, at: 4.0 });
    let (summary, trace) = simulate(&system, &until(5.0));
    let told = events(&system, &trace);
    // ratio·t = fc
    assert!(told[0].1 == "brake.slip+" && (told[0].0 - fc / ratio).abs() < 1e-12, "{told:?}");
    // 7 a' = 2·(2 t − 6)…: along b, (r² m + M) v' = r t − fc
    let v = (0.5 * ratio * (16.0 - 9.0) - fc) / (ratio * ratio + 3.0);
    let stops = 4.0 + v * 3.0 / fc;
    assert!(told.iter().any(|e| e.1 == "brake.stick" && (e.0 - stops).abs() < 1e-8), "{told:?}, {stops}");
    assert!((last(&summary, "a.v") - (ratio * v + 0.5 * (25.0 - 16.0))).abs() < 1e-9);
    closes(&summary);
}

/// Runs that continue one another, also from the very instant of the switch, and derivatives by a mass.
#[test]
fn continued_runs_and_derivatives_pass_the_blow() {
    let build = |mass: f64| {
        let mut system = System::new();
        let (a, b) = (body(&mut system, "a", mass, 5.0), body(&mut system, "b", 2.0, 0.0));
        system.spring("shaft", b, GROUND, Spring::linear(18.0)).expect("a spring");
        gear(&mut system, "dog", [a, b], 1.0, window(0.4, 1.1));
        system
    };
    let wanted = |mass: f64| {
        let both = mass + 2.0;
        let (w, v) = (f64::sqrt(18.0 / both), mass * 5.0 / both);
        let (x, v) = (v / w * f64::sin(w * 0.7), v * f64::cos(w * 0.7));
        // then b alone
        x * f64::cos(3.0 * 0.4) + v / 3.0 * f64::sin(3.0 * 0.4)
    };
    let system = build(0.5);
    let simulation = Simulation::new(&system).expect("a system");
    for cuts in [[0.2, 0.9, 1.2], [0.4, 1.1, 1.3], [0.1, 0.4, 1.1]] {
        let (mut state, mut start, mut lost, mut told) = (None, 0.0, 0.0, 0);
        for end in cuts.into_iter().chain([1.5]) {
            let options = SimulationOptions { start, ..until(end) };
            let mut trace = Trace::default();
            let summary = simulation.run_from(state.as_ref(), &options, &mut trace).expect("a run");
            closes(&summary);
            told += trace.events.len();
            (start, lost) = (end, lost + summary.energy.impact);
            if end == 1.5 {
                assert!((last(&summary, "b.x") - wanted(0.5)).abs() < 1e-9, "{cuts:?}: {}", last(&summary, "b.x"));
            }
            state = Some(summary.state);
        }
        assert!((lost - 0.5 * 25.0 / (1.0 / 0.5 + 1.0 / 2.0)).abs() < 1e-12, "{cuts:?}: {lost}");
        // enable, impact, disable
        assert_eq!(told, 3, "{cuts:?}");
    }
    let (mass, h) = (0.5, RELATIVE_CHANGE * 0.5);
    let [low, high] = [mass - h, mass + h].map(build);
    let parameter = VariedParameter { name: "mass".to_owned(), systems: [(-h, &low), (h, &high)] };
    let (summary, report) =
        simulation.run_with_sensitivities(&[parameter], &until(1.5), &mut Trace::default()).expect("derivatives");
    assert!(report.flags.is_empty(), "{:?}", report.flags);
    let column = summary.columns.iter().position(|c| c.name == "b.x").expect("a column");
    let found = summary.row[summary.columns.len() + column - 1];
    // the closed form by a difference of fourth order
    let d = 1e-3;
    let by =
        (8.0 * (wanted(mass + d) - wanted(mass - d)) - wanted(mass + 2.0 * d) + wanted(mass - 2.0 * d)) / (12.0 * d);
    assert!((found - by).abs() < 1e-7 * by.abs(), "{found} for {by}");
    let explicit = SimulationOptions { method: IntegrationMethod::Rk4, step: 1e-3, ..until(1.5) };
    let error = simulation.run(&explicit, &mut NullObserver).expect_err("no events");
    assert!(error.to_string().contains("'dog'"), "{error}");
}

/// What is wrong is told.
#[test]
fn wrong_gears_are_refused() {
    let mut system = System::new();
    let (a, b) = (body(&mut system, "a", 1.0, 0.0), body(&mut system, "b", 1.0, 0.0));
    let mut add = |name: &str, ends: [Node; 2], ratio: f64, enable: Signal| {
        system.switched_gear(name, ends[0], ends[1], SwitchedGear { ratio }, enable).map_err(|e| e.to_string())
    };
    assert!(add("zero", [a, b], 0.0, on(1.0)).expect_err("a ratio").contains("ratio"));
    assert!(add("nan", [a, b], f64::NAN, on(1.0)).expect_err("a ratio").contains("ratio"));
    assert!(add("tiny", [a, b], 1e-320, on(1.0)).expect_err("a ratio").contains("ratio"));
    assert!(add("fixed", [a, GROUND], 1.0, on(1.0)).expect_err("a body").contains("rigid gear"));
    assert!(add("same", [a, a], 1.0, on(1.0)).expect_err("a body").contains("rigid gear"));
    let slow = Signal::Ramp { offset: 0.0, slope: 1.0, start: 0.0, end: 1.0 };
    assert!(add("slow", [a, b], 1.0, slow).expect_err("a switch").contains("enable"));
    assert!(add("half", [a, b], 1.0, Signal::Constant(0.5)).expect_err("a switch").contains("enable"));
    add("good", [a, b], 1.0, on(1.0)).expect("a gear");
    // another gear has made the two places one
    system.gear("rigid", a, b, 2.0).expect("a gear");
    assert!(Simulation::new(&system).is_err_and(|error| error.to_string().contains("rigid gear")));
}

/// With losses the impulses are in the ratio of the law at the speed after the blow: `u = (w₁ μ₁ u₁ + w₂ μ₂ u₂)/(w₁ μ₁ + w₂ μ₂)`, or rest.
#[test]
fn a_lossy_gear_closes_with_the_losses_of_its_law() {
    // both inertias one at the first place
    for (efficiency, [first, second], wanted) in [
        // power forward: (0.5·8 + 2)/(0.5 + 1)
        ((0.5, 0.4), [8.0, 2.0], 4.0),
        // backward: (2 + 0.4·8)/1.4
        ((0.5, 0.4), [2.0, 8.0], 5.2 / 1.4),
        // and the other way round
        ((0.5, 0.4), [-8.0, -2.0], -4.0),
        ((0.5, 0.4), [-2.0, -8.0], -5.2 / 1.4),
        // against each other: 0.5·8 − 3 > 0
        ((0.5, 0.4), [8.0, -3.0], 1.0 / 1.5),
        // 0.5·8 − 5 < 0 < 8 − 0.4·5: the mesh stops
        ((0.5, 0.4), [8.0, -5.0], 0.0),
        // 2 − 0.4·8 < 0: the second drives
        ((0.5, 0.4), [2.0, -8.0], -1.2 / 1.4),
        // a worm that locks itself: the wheel alone does not turn it, whatever its momentum
        ((0.4, -0.2), [0.0, 9.0], 0.0),
        ((0.4, -0.2), [1.0, 9.0], 0.0),
        ((0.4, -0.2), [9.0, 1.0], 4.6 / 1.4),
        // without a loss it is the rigid gear
        ((1.0, 1.0), [8.0, -5.0], 1.5),
    ] {
        for ratio in [1.0, -4.0] {
            let mut system = System::new();
            let a = body(&mut system, "a", 1.0, first);
            let b = body(&mut system, "b", ratio * ratio, second / ratio);
            let (forward, backward) = efficiency;
            system.switched_lossy_gear("mesh", [a, b], lossy(forward, backward, ratio), on(0.5)).expect("a gear");
            let (summary, trace) = simulate(&system, &until(1.0));
            let (u, w) = (last(&summary, "a.v"), ratio * last(&summary, "b.v"));
            assert!(
                (u - wanted).abs() < 1e-13 && (w - wanted).abs() < 1e-13,
                "{efficiency:?}, {first}, {second}: {u}, {w} for {wanted}"
            );
            let lost = 0.5 * (first * first + second * second) - wanted * wanted;
            assert!((summary.energy.impact - lost).abs() < 1e-12 * lost, "{:?} for {lost}", summary.energy);
            let told = events(&system, &trace);
            assert_eq!(told[0], (0.5, "mesh.enable".to_owned()));
            assert_eq!(told[1], (0.5, "mesh.impact".to_owned()), "{told:?}");
            closes(&summary);
        }
    }
}

/// An efficiency over the speed is that of the speed after the blow; then the torques go on as those of any such gear, and when it is switched off each
/// shaft is alone, with its own bearing.
#[test]
fn a_lossy_gear_goes_on_as_one_and_lets_go() {
    let curve = Curve::linear(vec![0.0, 10.0], vec![0.5, 0.9]).expect("a curve");
    let gear = LossyGear { ratio: 2.0, forward: Efficiency::Curve(curve), backward: Efficiency::Constant(0.3) };
    let mut system = System::new();
    let (a, b) = (body(&mut system, "a", 2.0, 9.0), body(&mut system, "b", 4.0, 1.0));
    system
        .contact("bearing", a, GROUND, Contact::new(&law("coulomb", &[("fc", 0.4)])).expect("a contact"))
        .expect("a contact");
    system.switched_lossy_gear("mesh", [a, b], gear, window(1.0, 2.0)).expect("a gear");
    let (summary, trace) = simulate(&system, &until(4.0));
    closes(&summary);
    let simulation = Simulation::new(&system).expect("a system");
    let column = |name: &str| simulation.columns().iter().position(|c| c.name == name).expect("a column");
    let [va, vb, t, s] = ["a.v", "b.v", "mesh.force", "mesh.loss"].map(column);
    let after = trace.rows.iter().rev().find(|row| row[0] == 1.0).expect("a row");
    let (u, eta) = (after[va], 0.5 + 0.04 * after[va]);
    // η μ₁ (u − u₁) + μ₂ (u − u₂) = 0 with u₁ = 9 − 0.2, u₂ = 2, μ₂ = 4/4
    assert!((eta * 2.0 * (u - 8.8) + (u - 2.0)).abs() < 1e-12, "{u}");
    // friction of the bearing alone slows them down: the second drives the first
    for row in trace.rows.iter().filter(|row| row[0] > 1.0 && row[0] < 2.0) {
        assert!((row[va] - 2.0 * row[vb]).abs() < 1e-12 * row[va].abs(), "{row:?}");
        // t = η₂ s, and s = t − loss
        assert!((row[t] - 0.3 * (row[t] - row[s])).abs() < 1e-12, "{row:?}");
    }
    // (μ₁ + η₂ μ₂) u' = −0.4, exact but for the tolerance
    let u = u - 0.4 / 2.3;
    assert!((last(&summary, "b.v") - 0.5 * u).abs() < 1e-9, "{}", last(&summary, "b.v"));
    assert!((last(&summary, "a.v") - (u - 0.2 * 2.0)).abs() < 1e-9, "{}", last(&summary, "a.v"));
    let off = trace.rows.iter().filter(|row| row[0] > 2.0 || row[0] < 1.0);
    assert!(off.into_iter().all(|row| row[t] == 0.0 && row[s] == 0.0));
}
