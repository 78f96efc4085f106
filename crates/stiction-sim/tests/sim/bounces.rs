//! Series of bounces that no single stop ends by itself: several stops that pass impulses to each other, and restitution 1 with
//! friction during the flights.
use crate::{contact, last, options, simulate};
use stiction_sim::sim::{EventKind, SimulationOptions};
use stiction_sim::system::{Body, GROUND, Node, Signal, Spring, Stop, System};

const FAR: f64 = f64::INFINITY;

fn body(system: &mut System, name: &str, mass: f64, x: f64, v: f64) -> Node {
    system.body(name, Body { mass, x, v, rotates: false }).expect("a body")
}

/// Three bodies that a spring between the outer two presses together: the impacts at one stop take energy, those at the other none.
#[test]
fn impacts_at_stops_that_pass_impulses_to_each_other_end_together() {
    let masses = [9.25018158700828, 0.6753922643185066, 1.7979351782154591];
    let [x, v] = [
        [-0.02869854258358298, 0.0, 0.02869854258358298],
        [-0.035619155720710144, -0.03302172215795584, 0.029079213450866566],
    ];
    let lo = 0.008609562775074894;
    for [left, right] in [[0.9, 1.0], [0.8, 0.9], [0.9, 0.8], [0.5, 0.9]] {
        for rtol in [1e-4, 1e-5, 1e-6, 1e-8, 1e-10] {
            let mut system = System::new();
            let b: Vec<Node> = (0..3).map(|i| body(&mut system, &format!("b{i}"), masses[i], x[i], v[i])).collect();
            system.spring("s", b[0], b[2], Spring::linear(340.353042339193)).expect("a spring");
            system.stop("p0", b[1], b[0], Stop { lo, hi: FAR, restitution: left }).expect("a stop");
            system.stop("p1", b[2], b[1], Stop { lo, hi: FAR, restitution: right }).expect("a stop");
            // the impacts at [0.9, 1] last for 2.42 s, those of the other pairs for less
            let options = SimulationOptions { end: 2.7, rtol, max_steps: 20_000, ..SimulationOptions::default() };
            let (summary, _) = simulate(&system, &options);
            let what = format!("{left} {right} {rtol}: {:?}", summary.failure);
            assert!(summary.complete, "{what}");
            // momentum is conserved: the bodies move on together, at both stops
            let momentum: f64 = masses.iter().zip(v).map(|(m, v)| m * v).sum();
            let common = momentum / masses.iter().sum::<f64>();
            let last = |name: String| summary.last(&name).expect("a column");
            let [x, v] = ["x", "v"].map(|what| [0, 1, 2].map(|i| last(format!("b{i}.{what}"))));
            // local errors of some thousand steps, of velocities and positions below 0.1
            assert!(v.iter().all(|v| (v - common).abs() < 10.0 * rtol), "{what} {v:?} for {common}");
            assert!(v.iter().all(|other| (other - v[0]).abs() < 1e-14), "{what} {v:?}");
            assert!((1..3).all(|i| (x[i] - x[i - 1] - lo).abs() < 1e-14), "{what} {x:?}");
            assert!(summary.energy.error().abs() < 100.0 * rtol * summary.energy.size(), "{what} {:?}", summary.energy);
        }
    }
}

/// Closed form of a body that bounces, with restitution 1, under a closing acceleration and viscous friction: distance from the stop
/// and velocity away from it.
struct ViscousBounces {
    a: f64,
    /// Friction coefficient over mass \[1/s\].
    k: f64,
    /// Departure of the present flight: time and speed.
    t: f64,
    w: f64,
}

impl ViscousBounces {
    /// Distance and velocity at a time `s` after the departure: `v' = −a − k v`.
    fn at(&self, s: f64) -> (f64, f64) {
        let (fall, decay) = (self.a / self.k, -(-self.k * s).exp_m1() / self.k);
        // x = (w + a/k)·(1 − e^(−ks))/k − a s/k, with the series of 1 − e^(−ks) where it cancels
        let ks = self.k * s;
        let cancel = if ks < 1e-3 {
            // ((1 − e^(−ks))/k − s)·a/k
            -self.a * s * s * (0.5 - ks / 6.0 + ks * ks / 24.0 - ks * ks * ks / 120.0)
        } else {
            fall * (decay - s)
        };
        (self.w * decay + cancel, self.w - self.k * (self.w + fall) * decay)
    }
    /// Duration of the present flight, by Newton's method from above, and the speed at its end.
    fn flight(&self) -> (f64, f64) {
        let mut s = 2.0 * self.w / self.a;
        for _ in 0..100 {
            let (x, v) = self.at(s);
            let next = s - x / v;
            if (next - s).abs() <= 1e-15 * s {
                break;
            }
            s = next;
        }
        (s, -self.at(s).1)
    }
    /// Distance, velocity and departure speed at time `t`; at rest where flights are lower than `least`.
    fn until(&mut self, t: f64, least: f64) -> (f64, f64, f64) {
        loop {
            let (duration, arrival) = self.flight();
            if 0.5 * self.w * self.w / self.a < least {
                return (0.0, 0.0, self.w);
            }
            if self.t + duration > t {
                let (x, v) = self.at(t - self.t);
                return (x, v, self.w);
            }
            (self.t, self.w) = (self.t + duration, arrival);
        }
    }
}

/// Viscous friction slows elastic bounces ever less: w ~ 1/n, without an end.
#[test]
fn elastic_bounces_that_viscous_friction_slows_end_below_the_tolerance_of_positions() {
    for (mass, push, fv, wall, sign) in [
        (1.0, 40.0, 30.0, 0.4, 1.0),
        (1.0, 40.0, 30.0, 0.4, -1.0),
        (1e-3, 5.0, 4.0, 0.02, 1.0),
        (1e4, 1e3, 1e4, 3.0, -1.0),
    ] {
        for rtol in [1e-4, 1e-6, 1e-8] {
            let mut system = System::new();
            let speed = 0.5 * wall;
            let b = body(&mut system, "b", mass, sign * wall, -sign * speed);
            system.force("f", b, Signal::Constant(sign * push)).expect("a force");
            let (lo, hi) = if sign > 0.0 { (-FAR, wall) } else { (-wall, FAR) };
            system.stop("p", b, GROUND, Stop { lo, hi, restitution: 1.0 }).expect("a stop");
            system.contact("c", b, GROUND, contact("viscous", &[("fv", fv)])).expect("a contact");
            let (a, k) = (push / mass, fv / mass);
            // the speed falls like e^(−kt/3); after that time to 1e-9 of it
            let end = 60.0 / k;
            let options = SimulationOptions {
                end,
                rtol,
                sample: end / 200.0,
                max_steps: 100_000,
                ..SimulationOptions::default()
            };
            let (summary, trace) = simulate(&system, &options);
            let what = format!("{mass} {rtol}: {:?} {:?}", summary.failure, summary.stats);
            assert!(summary.complete, "{what}");
            let mut exact = ViscousBounces { a, k, t: 0.0, w: speed };
            let column = |name: &str| summary.columns.iter().position(|c| c.name == name).expect("a column");
            let (x_at, v_at) = (column("b.x"), column("b.v"));
            for row in &trace.rows {
                let tolerance = rtol * (wall + 1e-3);
                let (x, v, w) = exact.until(row[0], 1e-3 * tolerance);
                let (distance, height) = (wall - sign * row[x_at], 0.5 * w * w / a);
                // local errors of the steps; a flight that is left out is lower than a quarter of the tolerance
                assert!((distance - x).abs() < 20.0 * tolerance, "{what}: x at {}: {distance} for {x}", row[0]);
                if height > 100.0 * tolerance {
                    // the time within a flight is uncertain by the sum of the errors of all flights before
                    let near = 100.0 * rtol * (speed + w * (speed / w).powi(2));
                    // beside an impact it may be before or after it
                    let error = (row[v_at].abs() - v.abs()).abs();
                    assert!(error < near, "{what}: v at {}: {error} for {near}", row[0]);
                }
            }
            assert_eq!((summary.last("b.x"), summary.last("b.v")), (Some(sign * wall), Some(0.0)), "{what}");
            assert!(summary.energy.error().abs() < 100.0 * rtol * summary.energy.size(), "{what} {:?}", summary.energy);
        }
    }
}

/// A ball that is back at its top after an elastic bounce: nothing has been gained or lost in all, but 9.81 J on the way, which is the
/// size that the error of the balance is judged by.
#[test]
fn the_size_of_an_energy_balance_is_that_of_the_way() {
    let mut system = System::new();
    let ball = system.body("ball", Body { x: 1.0, ..Body::default() }).expect("a body");
    system.force("weight", ball, Signal::Constant(-9.81)).expect("a force");
    system.stop("floor", ball, GROUND, Stop { lo: 0.0, hi: f64::INFINITY, restitution: 1.0 }).expect("a stop");
    let end = 2.0 * (2.0 / 9.81_f64).sqrt();
    let summary = simulate(&system, &SimulationOptions { end, ..SimulationOptions::default() }).0;
    // a hundred tolerances
    assert!(summary.energy.work.abs() < 1e-5 && (summary.energy.size() - 9.81).abs() < 1e-5, "{:?}", summary.energy);
}

/// A body that a spring presses against an elastic stop, far from the origin, bounces ever lower because friction slows it down. Where a bounce is as high as positions are rounded, what
/// is left open of it is as much as friction takes: it bounced on by 1e-14 m, without end. Rest is the limit of the series that came before.
#[test]
fn elastic_bounces_that_friction_ends_come_to_an_end() {
    let mut system = System::new();
    let body = system.body("b0", Body { mass: 0.143_191_917_071_316_76, ..Body::default() }).expect("a body");
    let spring = Spring {
        rest: 3.340_918_907_032_503_6,
        damping: 0.011_965_000_590_847_827,
        ..Spring::linear(12.420_549_145_655_903)
    };
    system.spring("s0", body, GROUND, spring).expect("a spring");
    let hi = 1.892_952_653_793_104;
    system.stop("p0", body, GROUND, Stop { lo: -0.617, hi, restitution: 1.0 }).expect("a stop");
    let values = [
        ("mu0", 0.468_795_623_925_324_15),
        ("a", 0.019_328_611_244_677_548),
        ("b", 0.014_630_775_467_918_309),
        ("v0", 0.543_048_080_928_658_3),
        ("normal", 6.944_817_933_434_49),
        ("dc", 0.002_242_621_201_542_668_6),
    ];
    system.contact("c0", body, GROUND, contact("ruina", &values)).expect("a contact");
    for rtol in [1e-6, 1e-9] {
        let (summary, _) = simulate(&system, &SimulationOptions { max_steps: 100_000, ..options(2.382, rtol) });
        // the flights end at 2.22 s, as their sum does
        assert!(summary.complete, "{:?}", summary.stats);
        assert_eq!(last(&summary, "b0.v"), 0.0, "{rtol}");
        assert!((last(&summary, "b0.x") - hi).abs() < 1e-15, "{rtol}");
    }
}

/// The same where impacts take a share of the speed, too: a flight begins and ends at an impact, and each is open by the rounding of positions.
#[test]
fn bounces_end_where_both_ends_of_a_flight_are_rounded() {
    let mut system = System::new();
    let start = Body { mass: 2.038_763_854_056_224, v: 1.462_753_144_760_064, ..Body::default() };
    let body = system.body("b0", start).expect("a body");
    let spring = Spring { rest: 0.444_407_499_824_739_65, ..Spring::linear(580.934_668_393_208_4) };
    system.spring("s0", body, GROUND, spring).expect("a spring");
    let stop = Stop { lo: f64::NEG_INFINITY, hi: 0.128_935_363_387_661_37, restitution: 0.8 };
    system.stop("p0", body, GROUND, stop).expect("a stop");
    let values = [
        ("mu0", 0.784_164_972_409_135_5),
        ("a", 0.025_315_448_571_662_808),
        ("b", 0.035_240_212_385_028_85),
        ("v0", 0.232_609_828_105_234_62),
        ("normal", 44.197_164_833_219_865),
        ("dc", 0.002_894_018_692_473_926),
    ];
    system.contact("c0", body, GROUND, contact("ruina", &values)).expect("a contact");
    system.force("f0", body, Signal::Constant(143.161_478_706_609_84)).expect("a force");
    let (summary, _) = simulate(&system, &options(0.32, 1e-9));
    assert!(summary.complete, "{:?}", summary.stats);
    assert_eq!(last(&summary, "b0.v"), 0.0);
}

/// At a tolerance of positions of 4e-17 m and of speeds of 5e-20 m/s, flights of 3e-19 m in 5e-10 s did not become lower any more: the errors of the steps brought
/// the position what the impacts took from it. There were 78 289 impacts until the run was interrupted; the flights end at 0.01385 s.
#[test]
fn bounces_end_where_steps_bring_what_impacts_take() {
    let mut system = System::new();
    let start =
        Body { mass: 2.616_099_445_240_739_6, v: -0.003_086_075_861_379_293_6, rotates: true, ..Body::default() };
    let body = system.body("b0", start).expect("a body");
    let hi = 4.430_320_631_589_088_5e-5;
    system.stop("p0", body, GROUND, Stop { lo: f64::NEG_INFINITY, hi, restitution: 0.5 }).expect("a stop");
    let values = [
        ("mu0", 0.499_642_148_511_126_9),
        ("a", 0.011_966_387_877_942_887),
        ("b", 0.013_254_454_590_614_766),
        ("v0", 0.000_217_420_974_018_619_74),
        ("normal", 26.181_594_866_900_81),
        ("dc", 2.175_389_171_284_678e-7),
    ];
    system.contact("c0", body, GROUND, contact("dieterich", &values)).expect("a contact");
    let force = Signal::MinimumJerk {
        start: 0.004_028_898_075_045_736,
        time: 0.006_545_197_949_577_952,
        before: 0.0,
        after: 36.817_026_647_075_224,
    };
    system.force("f0", body, force).expect("a force");
    let options = SimulationOptions { atol: 5.118_624_152_952_71e-20, ..options(0.02, 1e-12) };
    let (summary, trace) = simulate(&system, &options);
    assert!(summary.complete, "{:?}", summary.stats);
    assert_eq!(last(&summary, "b0.v"), 0.0);
    let impacts = trace.events.iter().filter(|event| event.kind == EventKind::Impact);
    assert!(impacts.count() < 30, "{} events", trace.events.len());
}
