//! Steps of the simulator that the adversary once found wrong, or too short, on systems reduced to the fewest components.
use crate::{contact, last, options, ramp, simulate, sine};
use stiction_sim::sim::SimulationOptions;
use stiction_sim::system::{Body, ErrorWave, Freewheel, GROUND, Heating, KinematicError, Signal, Spring, Stop, System};

/// Viscous friction with noise in a contact that warms up. Noise is followed in quarters of its cells, at the rate of the position within
/// it: taken for it, the rate of the temperature, of 1e10 K/s, allowed steps of 1e-8 s.
#[test]
fn noise_in_a_contact_that_warms_up_keeps_its_own_pace() {
    let (mass, fv, amplitude, omega) = (3.634e-4, 2.8e-5, 1.25, 0.046);
    let mut system = System::new();
    let body = system.body("b0", Body { mass, ..Body::default() }).expect("a body");
    let noise = 4.8e-11;
    let values =
        [("fv", fv), ("gamma", 1.0), ("noise.amplitude", noise), ("noise.frequency", omega), ("noise.seed", 6.0)];
    let heating = Heating { capacity: 1.78e-13, conductance: 3.12e-15, softening: 0.0 };
    system.contact("c0", body, GROUND, contact("viscous", &values).with_heating(heating, 0.0)).expect("a contact");
    system.force("f0", body, sine(amplitude, omega)).expect("a force");
    let end = 63.0;
    let (summary, _) = simulate(&system, &options(end, 1e-8));
    // m v' = A sin(ωt) − fv v from rest; noise of some times its standard deviation moves the speed by as much over fv
    let rate = fv / mass;
    let wave = rate * (omega * end).sin() - omega * (omega * end).cos() + omega * (-rate * end).exp();
    let v = amplitude / mass * wave / (rate * rate + omega * omega);
    let found = last(&summary, "b0.v");
    assert!((found - v).abs() < 1e-6 * v.abs() + 10.0 * noise / fv, "{found} for {v}");
    // some hundred for the force, and four for each of the ten cells of the noise
    assert!(summary.stats.steps < 1000, "{} steps", summary.stats.steps);
}

/// A body that slides away under `slip-variable`. Its slip variable s nears 1, and the spring is fed with (1 − s) v: what rounding leaves of
/// it. No step is so short that the spring were known better than that, and steps of 1e-5 s were taken in vain.
#[test]
fn a_state_need_not_be_known_better_than_rounding_allows() {
    let mut system = System::new();
    let body = system.body("b0", Body { mass: 1.058e-4, ..Body::default() }).expect("a body");
    let values = [
        ("fs", 1e-9),
        ("fc", 1.145e-11),
        ("fv", 0.0),
        ("ks", 0.001),
        ("ds", 3.898e-4),
        ("tau_lag", 0.1374),
        ("tau_reset", 0.0412),
        ("vs", 1.9e-7),
    ];
    system.contact("c0", body, GROUND, contact("slip-variable", &values)).expect("a contact");
    let force = Signal::Ramp { offset: -1.213e-10, slope: -3.509e-13, start: 0.0, end: f64::INFINITY };
    system.force("f0", body, force).expect("a force");
    let [coarse, fine] = [1e-8, 1e-10].map(|rtol| {
        let (summary, _) = simulate(&system, &SimulationOptions { atol: 2.5e-17, ..options(10.0, rtol) });
        assert!(summary.stats.steps < 2000, "{} steps", summary.stats.steps);
        last(&summary, "b0.v")
    });
    assert!((coarse - fine).abs() < 1e-6 * fine.abs(), "{coarse} and {fine}");
}

/// Rate and state with other levels in reverse, in a contact that warms up, on a gear with a kinematic error. Its heat flows at another rate in
/// reverse: taken for a bristle, it kept the speed from being stepped in its logarithm, and the contact turned in every step of 1e-10 s.
#[test]
fn a_contact_that_warms_up_less_in_reverse_creeps_to_rest() {
    let mut system = System::new();
    let turning = |inertia: f64, v: f64| Body { mass: inertia, v, rotates: true, ..Body::default() };
    let b0 = system.body("b0", turning(1.155_903, 0.004_985_118)).expect("a body");
    let b1 = system.body("b1", turning(0.002_950_449, -0.318_762_2)).expect("a body");
    let wave = ErrorWave { amplitude: 0.001_364_565, per_turn: 0.914_368_2, phase: 0.967_571_2 };
    let error = Some(KinematicError { of_second: true, waves: vec![wave] });
    let gear = Spring { damping: 0.354_178_9, ratio: -0.015_638_99, error, ..Spring::linear(1.408_541) };
    system.spring("g0", b0, b1, gear).expect("a gear");
    let values = [
        ("mu0", 0.322_601_8),
        ("a", 0.012_267_24),
        ("b", 0.020_110_23),
        ("v0", 2.367_383e-5),
        ("normal", 0.495_707_7),
        ("dc", 1.939_526e-4),
        ("reverse.normal", 0.388_511),
    ];
    let heating = Heating { capacity: 0.014_598_59, conductance: 6.720_258e-4, softening: 0.3 };
    system.contact("c0", b0, GROUND, contact("dieterich", &values).with_heating(heating, 0.0)).expect("a contact");
    let [coarse, fine] = [1e-8, 1e-10].map(|rtol| {
        let (summary, _) = simulate(&system, &options(5.8, rtol));
        assert!(summary.stats.steps < 3000, "{} steps", summary.stats.steps);
        ["b1.x", "b1.v", "c0.heat", "c0.temperature"].map(|column| last(&summary, column))
    });
    for (coarse, fine) in coarse.into_iter().zip(fine) {
        // ten times the tolerance for each of some hundred time constants
        assert!((coarse - fine).abs() < 1e-5 * fine.abs(), "{coarse} and {fine}");
    }
}

/// A body slows down to twice the Stribeck speed and is then pulled away by a rising force. Where friction is constant but for the lowest speeds, steps are
/// long, and one whose stages were all at higher speeds passed over the rise of friction without a word.
#[test]
fn a_step_sees_the_lowest_speed_in_it() {
    let values = [("fc", 0.98), ("fs", 1.1), ("vs", 0.003), ("exponent", 1.0)];
    let bristles = [("sigma2", 0.0), ("c", 20.0), ("k1", 46_000.0), ("k2", 23_000.0), ("k3", 12_000.0), ("k4", 5800.0)];
    for (law, more) in [("gms", &bristles[..]), ("stribeck", &[])] {
        let mut system = System::new();
        let body = system.body("b0", Body { mass: 0.62, v: 0.56, ..Body::default() }).expect("a body");
        let values: Vec<_> = values.iter().chain(more).copied().collect();
        system.contact("c0", body, GROUND, contact(law, &values)).expect("a contact");
        system.force("f0", body, ramp(1.4)).expect("a force");
        let at = |rtol: f64, end: f64| {
            let options = SimulationOptions { sample: 0.85, ..options(end, rtol) };
            let (_, trace) = simulate(&system, &options);
            let row = trace.rows.iter().find(|row| row[0] == 0.85).expect("a row");
            row[2]
        };
        let exact = at(1e-11, 0.85);
        for end in [0.86, 1.0, 1.33, 1.5, 1.57, 1.6, 2.0] {
            for rtol in [1e-4, 1e-5, 1e-6, 1e-7] {
                // the minimum magnifies errors: its speed changes the time for which friction is high
                assert!(
                    (at(rtol, end) - exact).abs() < 100.0 * rtol * 0.56,
                    "{law} to {end} at {rtol}: {}",
                    at(rtol, end)
                );
            }
        }
    }
}

/// Two balls that a spring pulls together strike a third one between them, from both sides at once, ever more slowly until they rest. What rounding leaves
/// of one gap at a fast impact took some time at the speed of a slow one, so that the impacts followed one another and the ball in the middle moved.
#[test]
fn balls_that_strike_from_both_sides_do_so_to_the_end() {
    let mut system = System::new();
    let ball = |x: f64, v: f64| Body { mass: 0.21, x, v, ..Body::default() };
    let b0 = system.body("b0", ball(-0.064, 0.058)).expect("a body");
    let b1 = system.body("b1", ball(0.0, 0.0)).expect("a body");
    let b2 = system.body("b2", ball(0.064, -0.058)).expect("a body");
    system.spring("s0", b0, b2, Spring::linear(0.2)).expect("a spring");
    let stop = Stop { lo: 0.019, hi: f64::INFINITY, restitution: 0.5 };
    system.stop("p0", b1, b0, stop).expect("a stop");
    system.stop("p1", b2, b1, stop).expect("a stop");
    for (name, body) in [("c0", b0), ("c2", b2)] {
        system.contact(name, body, GROUND, contact("coulomb", &[("fc", 0.000_42)])).expect("a contact");
    }
    for rtol in [1e-6, 1e-8, 1e-10, 1e-12] {
        let (summary, trace) = simulate(&system, &options(8.0, rtol));
        let column = summary.columns.iter().position(|column| column.name == "b1.v").expect("a column");
        let most = trace.rows.iter().map(|row| row[column].abs()).fold(0.0, f64::max);
        // rounding of the impulses of balls at 0.09 m/s
        assert!(most < 1e-15, "{most:e} at {rtol:e}");
        assert!(["b0.v", "b2.v"].iter().all(|column| last(&summary, column) == 0.0), "at rest");
        let at = last(&summary, "b2.x") - last(&summary, "b1.x");
        assert!((at - 0.019).abs() < 1e-15, "{at} apart");
    }
}

/// A body that a spring of 3000 N/m begins to pull, at 2e-7 m/s, creeps by 6e-18 m in 2800 s: far more than the tolerance of positions, at a speed far
/// below that of velocities. It was held at rest.
#[test]
fn a_creep_below_the_tolerance_of_velocities_is_not_rest() {
    let mut system = System::new();
    let body = system.body("b0", Body::default()).expect("a body");
    let hand = system.motion("m0", ramp(2e-7), false).expect("a motion");
    system.spring("s0", hand, body, Spring::linear(3000.0)).expect("a spring");
    let values = [("mu0", 0.4), ("a", 0.01), ("b", 0.005), ("v0", 1e-6), ("normal", 20.0), ("dc", 6e-5)];
    system.contact("c0", body, GROUND, contact("ruina", &values)).expect("a contact");
    let atol = 1.55e-20;
    let [coarse, fine] = [1.0, 1e-3].map(|factor| {
        let options = SimulationOptions { atol: factor * atol, ..options(2800.0, 1e-8) };
        last(&simulate(&system, &options).0, "b0.x")
    });
    // it slides from twice the regularisation speed on, which moves it by twice the tolerance in the whole run
    assert!(fine > 1e-18 && (coarse - fine).abs() < 3.0 * atol, "{coarse:e} and {fine:e}");
}

/// The same with LuGre's bristles and the least speed at every place in the Stribeck range and beyond it: the stages of a long step through the minimum
/// are not on the solution, and whether one of them happens to be slow depends on the step. Errors were 0.017 m/s at tolerances from 1e-5
/// to 1e-8.
#[test]
fn a_step_sees_the_lowest_speed_wherever_its_stages_are() {
    let values = [("fc", 0.98), ("fs", 1.1), ("vs", 0.003), ("sigma0", 46_000.0), ("sigma1", 300.0), ("sigma2", 0.0)];
    let at = |slope: f64, rtol: f64, max_step: f64| {
        let mut system = System::new();
        let body = system.body("b0", Body { mass: 0.62, v: 0.56, ..Body::default() }).expect("a body");
        system.contact("c0", body, GROUND, contact("lugre", &values)).expect("a contact");
        system.force("f0", body, ramp(slope)).expect("a force");
        let options = SimulationOptions { max_step, ..options(0.85, rtol) };
        let (_, trace) = simulate(&system, &options);
        trace.rows[trace.rows.len() - 1][2]
    };
    for k in 0..=30 {
        let slope = 1.36 + 0.003 * f64::from(k);
        let exact = at(slope, 1e-10, 1e-3);
        // the speed at the end changes by 20 times what changes the least speed, where the body barely gets away
        for rtol in [1e-4, 1e-5, 1e-6, 1e-7, 1e-8] {
            let error = (at(slope, rtol, f64::INFINITY) - exact).abs();
            assert!(error < 20.0 * 100.0 * rtol * 0.56, "{slope} at {rtol}: {error:e} of {exact}");
        }
    }
}

/// The upper body of a stack at 5 m/s comes to creep on the one below, at 1e-12 m/s, with the friction that slows it down with the others. On the way
/// friction is small against inertia until the speed is 1e-7 m/s, which is below the tolerance: steps that were ten times as long as it takes to come to
/// rest ended anywhere within that, the friction was seven times too high, and the run was endless.
#[test]
fn a_body_that_slows_down_to_a_creep_comes_to_it() {
    let mass = 1.758_135_916_460_267_5;
    let level = 26.172_466_175_106_194;
    let mut system = System::new();
    let [b0, b1, b2] =
        ["b0", "b1", "b2"].map(|name| system.body(name, Body { mass, ..Body::default() }).expect("a body"));
    let ground = [
        ("fc", level),
        ("fs", level),
        ("vs", 0.07),
        ("exponent", 1.0),
        ("fv", 0.0),
        ("band", 2.546_640_934_691_118e-5),
    ];
    system.contact("c0", b0, GROUND, contact("karnopp", &ground)).expect("a contact");
    system.contact("c1", b1, b0, contact("coulomb", &[("fc", 127.487_617_412_115_27)])).expect("a contact");
    let creeps = [
        ("mu0", 0.644_440_872_741_729_7),
        ("a", 0.022_780_026_664_836_36),
        ("b", 0.019_499_146_526_521_963),
        ("v0", 0.121_095_432_127_744_9),
        ("normal", 190.978_263_297_969_4),
        ("dc", 0.020_991_643_282_526_548),
    ];
    system.contact("c2", b2, b1, contact("ruina", &creeps)).expect("a contact");
    let push = Signal::Pulses {
        low: 0.0,
        high: -215.616_040_556_986_1,
        start: 0.081_385_348_173_102_89,
        width: 0.093_022_618_663_113_84,
        period: 0.315_297_919_616_009_7,
        count: 20.0,
    };
    system.force("f0", b2, push).expect("a force");
    for rtol in [1e-6, 1e-7, 1e-8] {
        let (summary, _) = simulate(&system, &options(0.55, rtol));
        assert!(summary.complete && summary.stats.steps < 3000, "{:?}", summary.stats);
        // the last push is over at 0.49 s: the ground slows three equal masses down together
        let force = last(&summary, "c2.force");
        assert!((force + level / 3.0).abs() < 1e-6 * level, "{force} at {rtol}");
    }
}

/// Two bodies that a freewheel joins, and a third that creeps on one of them at 1e-13 m/s, swing on a spring. Rounding of the stages, magnified by the stiff friction
/// of one of the two, made their speeds differ by as much as the creep; aligned, they changed it by half, its friction with it, and the freewheel opened at once.
#[test]
fn bodies_that_stick_together_do_not_shake_what_creeps_on_them() {
    let mut system = System::new();
    let body = |mass: f64, v: f64| Body { mass, v, ..Body::default() };
    let b0 = system.body("b0", body(0.631_988_681_429_106_1, 0.099_140_146_235_160_06)).expect("a body");
    let b1 = system.body("b1", body(0.262_388_755_148_559_14, 0.0)).expect("a body");
    let b2 = system.body("b2", body(0.795_312_480_411_154_3, 0.0)).expect("a body");
    system.spring("s0", b1, GROUND, Spring::linear(4.794_255_959_905_511)).expect("a spring");
    system.freewheel("w0", b0, b1, Freewheel::default()).expect("a freewheel");
    let creeps = [
        ("mu0", 0.492_534_322_825_985),
        ("a", 0.022_835_400_812_343_663),
        ("b", 0.026_290_836_797_106_774),
        ("v0", 0.003_949_792_046_610_352),
        ("normal", 3.236_449_946_334_761_6),
        ("dc", 0.000_220_919_616_446_133_64),
    ];
    system.contact("c2", b2, b1, contact("dieterich", &creeps)).expect("a contact");
    let places = [1e-7, 1e-9].map(|rtol| {
        let (summary, trace) = simulate(&system, &options(1.2, rtol));
        assert!(summary.complete && summary.stats.steps < 5000, "{:?}", summary.stats);
        // from the first blow on the spring slows down what the freewheel pushes
        let opens = trace.events.iter().any(|event| event.part == 1 && event.t > 0.0);
        assert!(!opens, "{:?}", trace.events);
        ["b0.x", "b2.x"].map(|column| last(&summary, column))
    });
    for (coarse, fine) in places[0].iter().zip(places[1]) {
        // a hundred tolerances of some centimetres
        assert!((coarse - fine).abs() < 1e-5 * fine.abs(), "{coarse} and {fine}");
    }
}

/// A motion moves a contact on rate and state from rest. Its power grows like a power of the time and a logarithm, which no step integrates to a share of itself: the
/// error of its work is measured by what the forces do on the absolute tolerance of positions, too.
#[test]
fn a_motion_that_begins_from_rest_moves_rate_and_state() {
    for (law, more) in [("dieterich", ("dc", 0.4)), ("ruina", ("dc", 1e-3)), ("rate-state", ("d0", 1e-5))] {
        for (amplitude, omega) in [(5.0, 7.0), (1e-4, 0.3), (0.1, 300.0)] {
            let mut system = System::new();
            let position = Signal::Sine { mean: 0.0, amplitude, omega, phase: std::f64::consts::FRAC_PI_2 };
            let motion = system.motion("m0", position, false).expect("a motion");
            let values = [("mu0", 0.6), ("a", 0.02), ("b", 0.01), ("v0", 1e-3), ("normal", 10.0), more];
            system.contact("c0", motion, GROUND, contact(law, &values)).expect("a contact");
            let work = [1e-6, 1e-8, 1e-10].map(|rtol| {
                let (summary, _) = simulate(&system, &options(2.0 / omega, rtol));
                assert!(summary.complete, "{law}, {amplitude} m: {:?}", summary.failure);
                summary.energy.friction
            });
            for (coarse, rtol) in work.iter().zip([1e-6, 1e-8]) {
                let error = (coarse / work[2] - 1.0).abs();
                assert!(error < 100.0 * rtol, "{law}, {amplitude} m, {rtol}: {error:e}");
            }
        }
    }
}

/// Stiction holds a body, and rate and state rests beside it. A step whose elimination pivots at the steep rate of that memory gives the body, which does not move,
/// a speed of 1e-24 m/s in its stages; the work of 1e-40 W that this makes was resolved to nine digits, in steps of a microsecond.
#[test]
fn what_nothing_moves_does_no_work() {
    let mut system = System::new();
    let body = system.body("b0", Body { mass: 0.002_574_160_440_472_782, ..Body::default() }).expect("a body");
    let values = [
        ("mu0", 0.644_795_069_479_828_7),
        ("a", 0.031_082_142_972_761_982),
        ("b", 0.053_554_481_138_141_104),
        ("v0", 1.022_978_611_569_018_3e-8),
        ("normal", 5.017_367_072_475_796e-7),
        ("dc", 1.983_696_615_519_270_8e-8),
    ];
    system.contact("c0", body, GROUND, contact("dieterich", &values)).expect("a contact");
    let values = [("fc", 5.778_003_553_584_969e-7), ("fs", 8.123_472_744_606_864e-7), ("fv", 0.0)];
    system.contact("c2", body, GROUND, contact("stiction", &values)).expect("a contact");
    let options = SimulationOptions { atol: 6.729_185_551_863_996e-17, ..options(15.715_785_2, 1e-9) };
    let (summary, trace) = simulate(&system, &options);
    assert!(summary.complete && summary.stats.steps < 3000, "{:?}", summary.stats);
    assert!(trace.events.is_empty() && last(&summary, "b0.v") == 0.0, "{:?}", trace.events);
}

/// A body on another that turns on a shaking table: its contact, whose friction begins with a cusp, lets go and sticks again at once. It slid by one unit in the last place of the velocities,
/// and a step as long as it takes to come to rest from that changed them by less than this.
#[test]
fn a_step_to_rest_changes_the_velocities() {
    let mut system = System::new();
    let b0 = system.body("b0", Body { mass: 0.105_862_097_721_752_04, ..Body::default() }).expect("a body");
    let b1 = system.body("b1", Body { mass: 0.054_717_055_669_000_41, ..Body::default() }).expect("a body");
    let table = sine(0.012_616_470_176_721_746, 21.303_316_570_189_722);
    let table = system.motion("m0", table, false).expect("a motion");
    let spring = Spring { damping: 0.180_876_510_606_433_4, ..Spring::linear(10.429_888_425_712_557) };
    system.spring("s0", b0, GROUND, spring).expect("a spring");
    let values = [("fc", 0.083_375_662_859_214_15), ("fs", 0.142_785_665_687_207_5), ("fv", 0.0)];
    system.contact("c0", b0, table, contact("stiction", &values)).expect("a contact");
    let values = [
        ("fc", 0.027_509_618_626_295_966),
        ("fs", 0.046_121_119_525_808_47),
        ("vs", 0.027_119_371_425_119_238),
        ("exponent", 0.5),
        ("fv", 0.0),
        ("mu_drive", 0.190_796_612_002_877_04),
        ("mu_back", 0.165_298_976_608_779_9),
        ("torque", 0.026_694_779_201_641_244),
    ];
    system.contact("c1", b1, b0, contact("gear", &values)).expect("a contact");
    let (summary, _) = simulate(&system, &options(1.042_781_652_938_888_5, 1e-5));
    assert!(summary.complete && summary.stats.steps < 1000, "{:?}", summary.stats);
}
