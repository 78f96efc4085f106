//! Probes against closed forms: means, ranges, crossings, settling.
use std::f64::consts::PI;
use stiction_sim::Spec;
use stiction_sim::sim::{CrossingDirection, Event, IntegrationMethod, Observer, Probe, Simulation, SimulationOptions};
use stiction_sim::system::{Body, Contact, GROUND, Signal, Spring, Stop, System};

struct Until(f64);
impl Observer for Until {
    fn row(&mut self, _: &[f64]) {}
    fn event(&mut self, _: &Event) {}
    fn should_continue(&mut self, t: f64) -> bool {
        t < self.0
    }
}

fn ask(system: &System, options: SimulationOptions) -> Vec<Option<f64>> {
    Simulation::new(system).expect("a system").run(&options, &mut Until(f64::INFINITY)).expect("a run").probes
}

fn check(system: &System, end: f64, near: f64, list: Vec<(Probe, f64)>) {
    let (probes, wanted): (Vec<_>, Vec<_>) = list.into_iter().unzip();
    let found =
        ask(system, SimulationOptions { end, rtol: 1e-10, probes: probes.clone(), ..SimulationOptions::default() });
    for ((found, wanted), probe) in found.iter().zip(wanted).zip(probes) {
        let found = found.unwrap_or_else(|| panic!("no answer to {probe:?}"));
        assert!((found - wanted).abs() < near, "{found} for {wanted}: {probe:?}");
    }
}

fn mean(column: &str, from: f64, to: f64) -> Probe {
    Probe::Mean { column: column.into(), from, to }
}
fn rms(column: &str, from: f64, to: f64) -> Probe {
    Probe::Rms { column: column.into(), from, to }
}
fn range(column: &str, from: f64, to: f64) -> Probe {
    Probe::Range { column: column.into(), from, to }
}
fn settle(column: &str, value: f64, band: f64) -> Probe {
    Probe::Settle { column: column.into(), value, band, from: 0.0 }
}
fn cross(column: &str, value: f64, way: CrossingDirection, nth: i32) -> Probe {
    Probe::Cross { column: column.into(), value, way, nth, from: 0.0, show: "t".into() }
}

/// x = cos 2t.
fn swing() -> System {
    let mut system = System::new();
    let block = system.body("block", Body { x: 1.0, ..Body::default() }).expect("a body");
    system.spring("spring", block, GROUND, Spring::linear(4.0)).expect("a spring");
    system
}

/// A block slides until friction stops it. At that instant its velocity is zero but for rounding, and the force of sliding must not
/// be taken for that of the other direction.
#[test]
fn friction_of_a_stop_does_not_change_its_sign() {
    let stopped = |v: f64, vs: f64| {
        let mut law = Spec::new("stribeck").expect("a law");
        law.set("fc", 1.0).and_then(|law| law.set("fs", 1.5)).and_then(|law| law.set("vs", vs)).expect("values");
        let mut system = System::new();
        let block = system.body("block", Body { v, ..Body::default() }).expect("a body");
        system.contact("table", block, GROUND, Contact::new(&law).expect("a contact")).expect("a contact");
        let of = |probe: fn(String) -> Probe| probe("table.force".into());
        let probes = vec![
            of(|column| Probe::Min { column, from: 0.0, to: f64::INFINITY }),
            of(|column| Probe::Max { column, from: 0.0, to: f64::INFINITY }),
            cross("table.force", -0.5 * v.signum(), CrossingDirection::Either, 1),
        ];
        ask(&system, SimulationOptions { end: 5.0, probes, ..SimulationOptions::default() })
    };
    for k in 0..40 {
        let (v, vs) = (0.3 + 0.041 * f64::from(k), 0.01 + 0.007 * f64::from(k));
        let [forward, backward] = [stopped(v, vs), stopped(-v, vs)];
        assert_eq!((forward[0], forward[2]), (Some(0.0), None), "{v} m/s, {vs} m/s");
        assert_eq!((backward[1], backward[2]), (Some(0.0), None), "{v} m/s, {vs} m/s");
        // friction reaches its level at rest from below: by at most what viscous friction adds to it at the beginning
        let most = forward[1].expect("a number");
        assert!((1.0..1.5 + 0.4 * v).contains(&most), "{most}");
    }
}

#[test]
fn means_of_a_fall_are_exact() {
    // x = t²/2, v = t: the solver is exact, and so are the means, whatever its steps: to rounding
    let mut system = System::new();
    let block = system.body("block", Body::default()).expect("a body");
    system.force("weight", block, Signal::Constant(1.0)).expect("a force");
    let (a, b) = (0.37_f64, 2.9_f64);
    check(
        &system,
        4.0,
        1e-12,
        vec![
            (mean("block.x", a, b), (b.powi(3) - a.powi(3)) / 6.0 / (b - a)),
            (rms("block.x", a, b), ((b.powi(5) - a.powi(5)) / 20.0 / (b - a)).sqrt()),
            (mean("block.v", a, b), 0.5 * (a + b)),
            (mean("t", 0.0, 4.0), 2.0),
            (range("block.x", a, b), 0.5 * (b * b - a * a)),
            (Probe::Final { column: "block.x".into() }, 8.0),
            (cross("block.x", 2.0, CrossingDirection::Rising, 1), 2.0),
            (
                Probe::Cross {
                    column: "block.v".into(),
                    value: 1.5,
                    way: CrossingDirection::Either,
                    nth: 1,
                    from: 1.0,
                    show: "block.x".into(),
                },
                1.125,
            ),
        ],
    );
}

#[test]
fn means_and_crossings_of_a_swing() {
    let end = 10.0;
    // to the error of the solver at 1e-10, over three periods
    check(
        &swing(),
        end,
        2e-9,
        vec![
            (mean("block.x", 0.0, end), (2.0 * end).sin() / (2.0 * end)),
            (rms("block.x", 0.0, end), (0.5 + (4.0 * end).sin() / (8.0 * end)).sqrt()),
            (rms("block.v", 0.0, 3.0 * PI), 2.0_f64.sqrt()),
            (range("block.x", 0.0, end), 2.0),
            (range("block.x", 0.0, PI / 6.0), 0.5),
            (cross("block.x", 0.0, CrossingDirection::Falling, 1), PI / 4.0),
            (cross("block.x", 0.0, CrossingDirection::Rising, 2), 3.0 * PI / 4.0 + PI),
            (cross("block.x", 0.0, CrossingDirection::Either, 3), 5.0 * PI / 4.0),
            (cross("block.x", 0.5, CrossingDirection::Either, 2), 5.0 * PI / 6.0),
            // 10 s are 3.18 periods: the last fall through zero is the fourth at 3π + π/4 = 10.21, so the third
            (cross("block.x", 0.0, CrossingDirection::Falling, -1), 2.0 * PI + PI / 4.0),
        ],
    );
    // twice so near that both lie in one step: about the top, where x = 1 − 1e-6
    let top = 1.0 - 1e-6_f64;
    let half = top.acos() / 2.0;
    check(
        &swing(),
        end,
        1e-6,
        vec![
            (cross("block.x", top, CrossingDirection::Rising, 1), PI - half),
            (cross("block.x", top, CrossingDirection::Falling, 2), PI + half),
        ],
    );
    // never there
    let probes = vec![
        cross("block.x", 1.001, CrossingDirection::Either, 1),
        cross("block.x", 0.0, CrossingDirection::Rising, 9),
    ];
    assert_eq!(ask(&swing(), SimulationOptions { end, probes, ..SimulationOptions::default() }), [None, None]);
}

#[test]
fn settling_of_a_damped_swing() {
    // x'' + 0.4 x' + 4 x = 0: x = e^{−0.2t}(cos wt + 0.2/w sin wt)
    let mut system = System::new();
    let block = system.body("block", Body { x: 1.0, ..Body::default() }).expect("a body");
    system.spring("spring", block, GROUND, Spring { damping: 0.4, ..Spring::linear(4.0) }).expect("a spring");
    let w = (4.0_f64 - 0.04).sqrt();
    let x = |t: f64| (-0.2 * t).exp() * ((w * t).cos() + 0.2 / w * (w * t).sin());
    for band in [0.3, 0.05, 0.02] {
        // the last time beyond the band on a fine grid, then bisection
        let steps = 400_000;
        let out = (0..steps).rev().map(|k| 40.0 * f64::from(k) / f64::from(steps)).find(|&t| x(t).abs() > band);
        let (mut lo, mut hi) = (out.expect("outside"), out.expect("outside") + 1e-4);
        for _ in 0..60 {
            let mid = 0.5 * (lo + hi);
            if x(mid).abs() > band { lo = mid } else { hi = mid }
        }
        check(&system, 40.0, 1e-7, vec![(settle("block.x", 0.0, band), lo)]);
    }
    // within from the beginning; and never
    let probes = vec![settle("block.x", 0.5, 2.0), settle("block.x", 3.0, 0.1)];
    assert_eq!(
        ask(&system, SimulationOptions { end: 40.0, probes, ..SimulationOptions::default() }),
        [Some(0.0), None]
    );
    // a run that was stopped has no end: neither a final value nor one that stays
    let probes = vec![settle("block.x", 0.0, 2.0), Probe::Final { column: "block.x".into() }];
    let options = SimulationOptions { end: 40.0, probes, ..SimulationOptions::default() };
    let summary = Simulation::new(&system).expect("a system").run(&options, &mut Until(1.0)).expect("a run");
    assert_eq!((summary.complete, summary.probes), (false, vec![None, None]));
}

#[test]
fn what_touches_has_not_crossed_and_what_jumps_has() {
    // a block that is pushed, let go, and pushed on the same way: v falls to zero, rests there, and rises again
    let mut system = System::new();
    let block = system.body("block", Body::default()).expect("a body");
    let mut spec = Spec::new("coulomb").expect("a law");
    spec.set("fc", 1.0).expect("a parameter");
    system.contact("table", block, GROUND, Contact::new(&spec).expect("a contact")).expect("a contact");
    let push = Signal::Sine { mean: 1.0, amplitude: 1.0, omega: 1.0, phase: 0.0 };
    system.force("push", block, push).expect("a force");
    let probes = vec![
        cross("block.v", 0.0, CrossingDirection::Either, 1),
        cross("block.v", 1e-3, CrossingDirection::Falling, 2),
    ];
    let found = ask(&system, SimulationOptions { end: 20.0, probes, ..SimulationOptions::default() });
    assert_eq!(found[0], None);
    assert!(found[1].is_some());
    // a ball that bounces: v jumps from −√20 to +½√20 at √0.2
    let mut system = System::new();
    let ball = system.body("ball", Body { x: 1.0, ..Body::default() }).expect("a body");
    system.force("weight", ball, Signal::Constant(-10.0)).expect("a force");
    let stop = Stop { lo: 0.0, hi: f64::INFINITY, restitution: 0.5 };
    system.stop("floor", ball, GROUND, stop).expect("a stop");
    let hit = 0.2_f64.sqrt();
    check(
        &system,
        0.8,
        1e-9,
        vec![
            (cross("ball.v", 1.0, CrossingDirection::Rising, 1), hit),
            // up with ½√20, down again through zero half of √20/10 later
            (cross("ball.v", 0.0, CrossingDirection::Falling, 1), 1.5 * hit),
            (settle("ball.x", 0.0, 0.26), (1.0_f64 - 0.26).sqrt() * hit),
        ],
    );
}

#[test]
fn every_method_answers() {
    for method in IntegrationMethod::ALL {
        let probes = vec![
            mean("block.x", 0.0, 3.0),
            rms("block.x", 0.0, 3.0),
            range("block.x", 0.0, 3.0),
            cross("block.x", 0.0, CrossingDirection::Rising, 1),
        ];
        let found =
            ask(&swing(), SimulationOptions { method, end: 3.0, step: 1e-4, probes, ..SimulationOptions::default() });
        let wanted = [6.0_f64.sin() / 6.0, (0.5 + 12.0_f64.sin() / 24.0).sqrt(), 2.0, 0.75 * PI];
        for (found, wanted) in found.iter().zip(wanted) {
            // first order at a step of 1e-4
            let near = if method.order() == 1 { 2e-3 } else { 1e-6 };
            assert!((found.expect("an answer") - wanted).abs() < near, "{}: {found:?} for {wanted}", method.name());
        }
    }
}
