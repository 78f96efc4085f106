//! Systems on which the adversary once found the simulator wrong, reduced to the fewest components.
use crate::{contact, ramp, simulate, sine};
use stiction_sim::sim::{EventKind, RunSummary, SimulationOptions};
use stiction_sim::system::{Body, Contact, Freewheel, GROUND, Load, Signal, Spring, Stop, System};

fn options(end: f64, rtol: f64) -> SimulationOptions {
    SimulationOptions { end, rtol, max_steps: 50_000, ..SimulationOptions::default() }
}

fn last(summary: &RunSummary, column: &str) -> f64 {
    summary.last(column).expect("a column")
}

/// A body that two contacts hold: `gear`, which can, and `stribeck-dankowicz`, whose force falls across rest, because its levels in
/// reverse are lower. At rest the second has the force of the direction in which it moved last. When the first lets go
/// both begin to slide in its direction, from no acceleration: the error of that instant must not turn the second one at once.
#[test]
fn a_contact_that_another_takes_along_does_not_turn_back() {
    let mut system = System::new();
    let turning = |inertia: f64, v: f64| Body { mass: inertia, v, rotates: true, ..Body::default() };
    let b0 = system.body("b0", turning(3_288.726_491_064_49, 0.0)).expect("a body");
    let b1 = system.body("b1", turning(27_463.472_189_893_444, -6.656_403_145_342_182)).expect("a body");
    let spring = Spring { damping: 1_732.822_386_412_934, ratio: 5.0, ..Spring::linear(210_368.352_110_786_22) };
    system.spring("g0", b0, b1, spring).expect("a gear");
    let loss = [
        ("fc", 34_664.963_733_009_5),
        ("fs", 49_854.521_120_844_925),
        ("vs", 0.484_130_790_026_234_1),
        ("exponent", 2.0),
        ("fv", 0.0),
        ("mu_drive", 0.024_237_339_722_564_463),
        ("mu_back", 0.032_501_417_787_992_72),
        ("torque", 1.0),
    ];
    let load = Load::Spring { name: "g0".into(), gain: 1.0 };
    system.contact("g0-loss", b0, GROUND, contact("gear", &loss).with_load(load)).expect("a loss");
    let level = 182_455.862_650_115_3;
    let values = [
        ("fc", level),
        ("fs", level),
        ("vs", 0.949_782_374_052_594_5),
        ("exponent", 2.0),
        ("delta", 0.000_278_789_778_421_451_53),
        ("fv", 0.0),
        ("reverse.fc", 138_591.657_848_121_54),
        ("reverse.fs", 164_536.099_906_039_83),
    ];
    system.contact("c0", b0, GROUND, contact("stribeck-dankowicz", &values)).expect("a contact");
    for rtol in [1e-6, 1e-7, 1e-9] {
        let (summary, _) = simulate(&system, &options(0.67, rtol));
        let v = last(&summary, "b0.v");
        // by classical Runge-Kutta steps of 1e-5 s with all modes written out by hand; it was 7.84e-3 at 1e-7. The largest speed is 7.4, and
        // an error of rtol of it is what the tolerance asks for
        assert!((v - 2.102_263_307e-3).abs() < 10.0 * rtol, "{v} at {rtol}");
    }
}

/// Nothing moves. Velocities and forces of 1e-200, at which laws are evaluated to tell the directions apart, are none.
#[test]
fn a_body_on_micro_slip_with_other_levels_in_reverse_stays_at_rest() {
    let mut system = System::new();
    let body = system.body("b0", Body { mass: 1.913_659_574_308_358_9, ..Body::default() }).expect("a body");
    let values = [
        ("fc", 1.716_315_981_811_083),
        ("fs", 2.601_304_704_736_714_6),
        ("vs", 0.002_966_964_018_570_716),
        ("exponent", 0.5),
        ("delta", 0.000_111_258_590_990_848_66),
        ("fv", 0.571_919_716_300_360_8),
        ("reverse.fc", 2.283_965_629_923_877_7),
        ("reverse.fs", 3.461_653_099_744_836_5),
    ];
    system.contact("c0", body, GROUND, contact("stribeck-dankowicz", &values)).expect("a contact");
    system.spring("s0", body, GROUND, Spring { damping: 148.5, ..Spring::linear(2_636.7) }).expect("a spring");
    let (summary, trace) = simulate(&system, &options(0.13, 1e-9));
    assert!(last(&summary, "b0.v").abs() < 1e-100 && trace.events.is_empty(), "{:?}", trace.events);
    // reversals at such speeds rejected 139 steps, and ended the run with an error in a servo
    assert_eq!(summary.stats.rejected, 0);
}

/// A stack on a shaking table. When the middle contact turns, the upper one lets go at the same instant: it starts at the speed above
/// which rate and state is resolved, which must not move the middle one to the wrong side of zero.
#[test]
fn a_contact_that_starts_to_creep_does_not_turn_its_neighbour() {
    let mut system = System::new();
    let mut body = |name: &str, mass: f64, v: f64| system.body(name, Body { mass, v, ..Body::default() });
    let b0 = body("b0", 0.025_703_612_338_849_58, 0.0).expect("a body");
    let b1 = body("b1", 0.166_696_470_914_806_16, 0.0).expect("a body");
    let b2 = body("b2", 0.338_615_725_159_734_7, 0.150_094_392_943_823_3).expect("a body");
    let table = sine(0.156_115_615_388_392_16, 1.681_800_811_767_591_6);
    let table = system.motion("m0", table, false).expect("a motion");
    let spring = Spring { damping: 0.007_126_968_710_385_505, ..Spring::linear(0.175_205_358_401_687_13) };
    system.spring("s0", b1, GROUND, spring).expect("a spring");
    let karnopp = [
        ("fc", 0.035_871_865_569_606_05),
        ("fs", 0.041_408_561_541_887_455),
        ("vs", 0.016_281_628_415_824_038),
        ("exponent", 1.0),
        ("fv", 0.013_336_219_388_768_2),
        ("band", 7.439_542_097_363_2e-6),
    ];
    let level = 0.024_284_590_858_541_25;
    let dieterich = [
        ("mu0", 0.761_204_932_872_208_1),
        ("a", 0.012_799_287_172_399_032),
        ("b", 0.017_718_287_311_432_924),
        ("v0", 0.000_252_286_557_410_888),
        ("normal", 0.030_610_317_297_655_523),
        ("dc", 0.016_028_511_504_613_64),
    ];
    system.contact("c0", b0, table, contact("karnopp", &karnopp)).expect("a contact");
    let middle = contact("carlson-langer", &[("fc", level), ("fs", level), ("vs", 0.684_039_653_133_384)]);
    system.contact("c1", b1, b0, middle).expect("a contact");
    system.contact("c2", b2, b1, contact("dieterich", &dieterich)).expect("a contact");
    // it ended with an error at 10.28 s
    let [coarse, fine] = [1e-7, 1e-9].map(|rtol| {
        let (summary, _) = simulate(&system, &options(11.9, rtol));
        assert!(summary.complete, "{:?}", summary.failure);
        last(&summary, "b1.v")
    });
    // speeds of 0.1 m/s: a hundred tolerances
    assert!((coarse - fine).abs() < 1e-6, "{coarse} and {fine}");
}

/// A spring that a slow drive stretches from zero, on rate and state: at first all is held, and the only error is that of the energy. The
/// result does not depend on when the run begins, though at 1.6e5 s the time is rounded to 3e-11 s.
#[test]
fn a_slow_drive_may_begin_late() {
    let run = |start: f64| {
        let mut system = System::new();
        let body = system.body("b0", Body { mass: 7.318, ..Body::default() }).expect("a body");
        let position = Signal::Ramp { offset: 0.0, slope: 1.426_026_498_837_227_3e-7, start, end: f64::INFINITY };
        let drive = system.motion("m0", position, false).expect("a motion");
        system.spring("s0", drive, body, Spring::linear(11_253.759_763_423_988)).expect("a spring");
        let values = [
            ("mu0", 0.712_135_410_803_185_4),
            ("a", 0.019_461_509_288_374_21),
            ("b", 0.017_515_358_359_536_787),
            ("v0", 1e-6),
            ("normal", 207.330_839_155_002_65),
            ("dc", 6.705_925_739_584_1e-5),
        ];
        let load = Load::Signal(Signal::Sine { mean: 1.0, amplitude: 0.0, omega: 0.0119, phase: 0.0 });
        system.contact("c0", body, GROUND, contact("dieterich", &values).with_load(load)).expect("a contact");
        let options = SimulationOptions { start, atol: 1.426e-20, ..options(start + 53_398.404_150_382_7, 1e-10) };
        let (summary, _) = simulate(&system, &options);
        assert!(summary.complete, "start at {start} s: {:?}", summary.failure);
        [last(&summary, "b0.x"), last(&summary, "c0.force")]
    };
    let now = run(0.0);
    for start in [1e3, 160_195.212_451_148_1, 1e7] {
        let later = run(start);
        // the rounding of the time, over the time in which the drive moves, and a hundred tolerances
        let allowed = 4.0 * f64::EPSILON * start / 53_398.0 + 1e-8;
        for (a, b) in now.iter().zip(later) {
            assert!((a - b).abs() < allowed * a.abs(), "start at {start} s: {a} and {b}");
        }
    }
}

/// The same under a load that swings.
#[test]
fn a_swinging_load_may_begin_late() {
    let run = |start: f64| {
        let mut system = System::new();
        let body = system.body("b0", Body { mass: 0.2145, ..Body::default() }).expect("a body");
        let position = Signal::Ramp { offset: 0.0, slope: 2.967_075_132_204_311_6e-7, start, end: f64::INFINITY };
        let drive = system.motion("m0", position, false).expect("a motion");
        system.spring("s0", drive, body, Spring::linear(8_325.992_405_326_997)).expect("a spring");
        let values = [
            ("mu0", 0.729_147_819_589_652),
            ("a", 0.011_679_589_647_962_141),
            ("b", 0.014_015_507_577_554_568),
            ("v0", 1e-6),
            ("normal", 17.560_509_498_028_477),
            ("theta0", 40.150_064_476_085_035),
            ("d0", 1.191_282_578_633_916_5e-5),
        ];
        let omega = 0.022_545_456_339_543_65;
        let load = Load::Signal(Signal::Sine { mean: 1.0, amplitude: 0.2, omega, phase: -omega * start });
        system.contact("c0", body, GROUND, contact("rate-state", &values).with_load(load)).expect("a contact");
        let options = SimulationOptions { start, atol: 2.967e-20, ..options(start + 2_966.679_773_270_766, 1e-10) };
        let (summary, _) = simulate(&system, &options);
        assert!(summary.complete, "start at {start} s: {:?}", summary.failure);
        // it is held, and creeps by less than a tolerance
        last(&summary, "c0.force")
    };
    let now = run(0.0);
    for start in [8_900.039_319_812_298, 1e6] {
        let later = run(start);
        // the rounding of the phase, and a hundred tolerances
        let allowed = 4.0 * f64::EPSILON * 0.0226 * start + 1e-8;
        assert!((now - later).abs() < allowed * now.abs(), "start at {start} s: {now} and {later}");
    }
}

/// A body that creeps on its micro-slip, driven ever further by a slow force. When the deflection changes its sign, at 0.64 s, friction
/// that falls with the speed begins to drive an oscillation: the creep is unstable from then on, and is left at 0.79 s only, when
/// what the errors of the steps have excited has grown 10¹² times (a delayed loss of stability). So a tolerance of 1e-9 leaves some
/// per cent of what follows open: but the error falls with the tolerance, and before it is left the creep is as accurate as asked for.
#[test]
fn creep_that_has_lost_its_stability_converges_with_the_tolerance() {
    let at = |end: f64, rtol: f64| {
        let mut system = System::new();
        let start = Body { mass: 0.084_466_577_524_724_27, x: 2.249e-4, ..Body::default() };
        let body = system.body("b0", start).expect("a body");
        let spring = Spring {
            rest: -0.002_141_569_467_163_668_3,
            damping: 0.652_773_546_691_509_1,
            ..Spring::linear(60.373_701_712_654_224)
        };
        system.spring("s0", body, GROUND, spring).expect("a spring");
        let values = [
            ("fc", 0.534_534_251_325_386_7),
            ("fs", 0.739_827_016_840_197_6),
            ("vs", 0.095_906_407_056_607_2),
            ("exponent", 0.5),
            ("delta", 6.469_850_459_199_511_5e-6),
            ("fv", 0.0),
            ("reverse.fc", 0.691_352_300_858_605_1),
            ("reverse.fs", 0.956_872_471_804_384),
        ];
        let contact = Contact { memory: vec![-6.071e-6, 0.0, 0.0], ..contact("stribeck-dankowicz", &values) };
        system.contact("c0", body, GROUND, contact).expect("a contact");
        let force =
            Signal::Sine { mean: 0.0, amplitude: 0.737_900_499_866_412_2, omega: 8.592_424_374_614_385, phase: 1.0 };
        system.force("f0", body, force).expect("a force");
        let (summary, _) = simulate(&system, &SimulationOptions { start: 0.45, ..options(end, rtol) });
        assert!(summary.complete, "{:?}", summary.failure);
        last(&summary, "b0.v")
    };
    // by extrapolation in 33 digits with √|v| for the speed, in which the law is analytic, and v dt for the time: to 12 digits
    let (creep, oscillation) = (7.940_835_692_532e-5, -1.966_940_516_11e-3);
    let error = |rtol| (at(0.8, rtol) - oscillation).abs() / 2e-3;
    for rtol in [1e-7, 1e-9] {
        let v = at(0.7, rtol);
        // a hundred tolerances
        assert!((v - creep).abs() < 100.0 * rtol * creep, "{v} at {rtol}");
    }
    let (coarse, fine) = (error(1e-9), error(1e-11));
    assert!(fine < 0.1 * coarse && fine < 1e-2, "{coarse} and {fine}");
}

/// A stack on a shaking table, with `elasto-plastic` at the bottom. While that slides its deflection follows the steady one to within the
/// tolerance, and a guard that is their difference changes its sign with the error of the steps: it marks a kink, which such a crossing
/// is not. It made 87 000 events in the first second; there are six in each half period of the table at most, two for each
/// guard of the law and two for the velocity, and the three other contacts have fewer.
#[test]
fn a_deflection_that_follows_its_steady_value_makes_no_events() {
    let mut system = System::new();
    let body = |mass: f64, v: f64| Body { mass, v, ..Body::default() };
    let b0 = system.body("b0", body(2.201_717_682_063_927, -0.570_359_010_311_044)).expect("a body");
    let b1 = system.body("b1", body(14.388_297_317_408_117, 0.0)).expect("a body");
    let b2 = system.body("b2", body(2.189_986_001_171_801, -0.182_421_051_774_295_96)).expect("a body");
    let b3 = system.body("b3", body(1.564_219_972_446_383_4, 0.0)).expect("a body");
    let table = system.motion("m0", sine(0.385_339_938_180_648_66, 5.196_569_592_348_137), false).expect("a motion");
    let values = [
        ("fc", 0.570_770_678_200_893_2),
        ("fs", 0.883_150_864_272_143),
        ("vs", 0.325_485_872_510_406_06),
        ("exponent", 2.0),
        ("sigma0", 517.425_142_281_756_2),
        ("sigma1", 34.141_812_268_626_47),
        ("sigma2", 0.011_756_383_441_419_96),
        ("stick", 0.075_765_428_494_509_12),
        ("reverse.fc", 0.697_226_914_971_395),
        ("reverse.fs", 1.078_816_022_034_790_9),
    ];
    system.contact("c0", b0, table, contact("elasto-plastic", &values)).expect("a contact");
    let level = 4.343_117_626_417_158;
    let values = [("fc", level), ("fs", level), ("vs", 0.052_964_423_539_155_27), ("exponent", 1.0), ("fv", 0.0)];
    system.contact("c1", b1, b0, contact("stribeck", &values)).expect("a contact");
    let values = [
        ("fc", 3.411_759_653_592_348_2),
        ("fs", 4.530_056_098_381_576),
        ("vs", 0.174_507_796_879_325_02),
        ("exponent", 0.5),
        ("fv", 0.0),
        ("band", 5.640_745_100_207_537e-6),
    ];
    system.contact("c2", b2, b1, contact("karnopp", &values)).expect("a contact");
    let level = 2.305_254_908_104_06;
    let values = [("fc", level), ("fs", level), ("vs", 0.651_294_917_630_403_7)];
    system.contact("c3", b3, b2, contact("carlson-langer", &values)).expect("a contact");
    system.force("f0", b1, Signal::Constant(5.227_205_998_923_39)).expect("a force");
    let (summary, trace) = simulate(&system, &options(5.893_156_558_036_372, 1e-9));
    assert!(summary.complete, "{:?}", summary.failure);
    // ten half periods
    assert!(trace.events.len() < 10 * 4 * 6, "{} events", trace.events.len());
}

/// A body that a damper pulls over rate and state, at the start of the run: it creeps at 1e-13 m/s, which is the absolute tolerance. Within
/// that a step may pass zero, which is no reversal of a force that goes smoothly through rest. Each was one, and a step of 8 ns.
#[test]
fn a_creep_at_the_tolerance_does_not_reverse() {
    let run = |rtol: f64, atol: f64| {
        let mut system = System::new();
        let body = system.body("b0", Body { mass: 2.028_343_059_498_852, ..Body::default() }).expect("a body");
        let drive = system.motion("m0", ramp(0.005_836_911_626_833_367), false).expect("a motion");
        let spring = Spring { damping: 0.046_397_292_669_833_37, ..Spring::linear(0.126_231_157_758_216_78) };
        system.spring("s0", drive, body, spring).expect("a spring");
        let values = [
            ("mu0", 0.374_150_240_707_903_87),
            ("a", 0.019_952_096_073_354_506),
            ("b", 0.030_805_247_231_264_01),
            ("v0", 1.461_909_388_619_050_7e-6),
            ("normal", 0.009_259_308_006_290_394),
            ("dc", 0.000_483_879_708_435_944_23),
        ];
        system.contact("c0", body, GROUND, contact("ruina", &values)).expect("a contact");
        let (summary, _) = simulate(&system, &SimulationOptions { atol, ..options(15.864_166_970_492_247, rtol) });
        assert!(summary.complete, "{:?}", summary.failure);
        last(&summary, "b0.v")
    };
    let (coarse, fine) = (run(1e-8, 0.0), run(1e-10, 1e-13));
    // a hundred tolerances of the coarser run
    assert!((coarse - fine).abs() < 1e-6 * fine.abs(), "{coarse} and {fine}");
}

/// Contacts beside each other on one body hold the sum of their limits, however the force turns between: after it has turned, some are at
/// their limits in one direction when the others reach theirs in the other, and then share the force in another way. It was decided by how
/// far the step before had come, and some of these bodies slipped far below the sum.
#[test]
fn contacts_beside_each_other_hold_the_sum_of_their_limits() {
    let mut k = 0.0_f64;
    let mut next = move || {
        k += 1.0;
        let x = (k * 12.9898).sin() * 43_758.547;
        x - x.floor()
    };
    for case in 0..200 {
        let mut system = System::new();
        let body = system.body("b0", Body { mass: 0.1 + next(), ..Body::default() }).expect("a body");
        let mut sum = 0.0;
        for c in ["c0", "c1", "c2"].iter().take(2 + case % 2) {
            let level = 10_f64.powf(-1.5 * next());
            sum += level;
            let values = [("fc", 0.6 * level), ("fs", level), ("vs", 0.01)];
            system.contact(c, body, GROUND, contact("carlson-langer", &values)).expect("a contact");
        }
        // near the sum and far below it, and in every fourth case above it
        let ratio = if case % 4 == 0 { 1.0 + 0.1 * next() } else { 1.0 - 0.3 * next() * next() };
        let (amplitude, omega, phase) = (ratio * sum, 1.0 + next(), std::f64::consts::TAU * next());
        let force = Signal::Sine { mean: 0.0, amplitude, omega, phase };
        system.force("f0", body, force).expect("a force");
        let (summary, trace) = simulate(&system, &options(20.0, 1e-5));
        assert!(summary.complete, "case {case}: {:?}", summary.failure);
        let found = trace.events.first().map(|event| event.t);
        // the first instant at which the force is the sum; where the start is beyond it, the start
        let angle = |side: f64| {
            let to = (side * ratio.recip()).asin();
            let [up, down] = [to - phase, std::f64::consts::PI - to - phase];
            // on its way out: up through the upper limit, down through the lower one
            (if side > 0.0 { up } else { down }).rem_euclid(std::f64::consts::TAU)
        };
        let expected = match ratio {
            r if r <= 1.0 => None,
            r if r * phase.sin().abs() > 1.0 => Some(0.0),
            _ => Some(angle(1.0).min(angle(-1.0)) / omega),
        };
        match (found, expected) {
            (None, None) => {}
            // the force balances to 1e-13; near the top of the sine the instant is known to its square root
            (Some(t), Some(at)) if (t - at).abs() < 1e-6 => {}
            // rest is decided before the first row: no event
            (_, Some(0.0)) => {}
            _ => panic!("case {case}: slips at {found:?}, expected at {expected:?}, at {ratio} of the sum"),
        }
    }
}

/// A body on a belt becomes as fast as the one that a freewheel keeps it from overtaking. At that instant their speeds differ by rounding, and
/// where the first was still slower nothing happened, again and again.
#[test]
fn a_freewheel_engages_where_speeds_differ_by_rounding() {
    for mass in [10.0, 11.0, 12.0, 13.0] {
        let mut system = System::new();
        let slower = system.body("b0", Body { mass, ..Body::default() }).expect("a body");
        let faster = system.body("b1", Body { mass: 50.0, ..Body::default() }).expect("a body");
        let belt = system.motion("m0", sine(0.7, 3.2), false).expect("a motion");
        system.freewheel("w0", slower, faster, Freewheel::default()).expect("a freewheel");
        let values = [("fc", 100.0), ("fs", 100.0), ("fv", 0.0)];
        system.contact("c0", slower, belt, contact("stiction", &values)).expect("a contact");
        let (summary, _) = simulate(&system, &options(1.7, 1e-8));
        assert!(summary.complete, "{mass}: {:?}", summary.failure);
        // engaged from 1.57 s on, and pushed by the sliding belt
        assert_eq!(last(&summary, "b0.v"), last(&summary, "b1.v"), "{mass}");
        let force = 100.0 * 50.0 / (50.0 + mass);
        assert!((last(&summary, "w0.force") - force).abs() < 1e-12 * force, "{mass}: {}", last(&summary, "w0.force"));
    }
}

/// A body slides on another that a freewheel pushes, and comes into the band of speeds that count as rest. The freewheel is closed and reacts
/// to the impulse that ends the sliding, with the body behind it; momentum was lost, because it reacted afterwards.
#[test]
fn a_band_beside_a_closed_freewheel_loses_no_momentum() {
    let mut system = System::new();
    let [b0, b1, b2] = ["b0", "b1", "b2"].map(|name| system.body(name, Body::default()).expect("a body"));
    system.freewheel("w0", b0, b1, Freewheel::default()).expect("a freewheel");
    let values = [("fc", 20.0), ("fs", 40.0), ("vs", 1.0), ("exponent", 2.0), ("fv", 0.0), ("band", 0.1)];
    system.contact("c2", b2, b1, contact("karnopp", &values)).expect("a contact");
    let force = Signal::Step { at: 0.5, before: 180.0, after: 30.0 };
    system.force("f0", b0, force).expect("a force");
    let (summary, trace) = simulate(&system, &options(3.5, 1e-9));
    assert!(summary.complete, "{:?}", summary.failure);
    let slides = trace.events.iter().any(|event| event.kind == EventKind::GuardDown(1));
    assert!(slides, "{:?}", trace.events);
    // all of the momentum, and all bodies alike
    let expected = (180.0 * 0.5 + 30.0 * 3.0) / 3.0;
    for column in ["b0.v", "b1.v", "b2.v"] {
        let v = last(&summary, column);
        // the error of a few steps
        assert!((v - expected).abs() < 1e-8 * expected, "{column}: {v}, expected {expected}");
    }
    let energy = &summary.energy;
    assert!(energy.error().abs() < 1e-8 * energy.size(), "{energy:?}");
}

/// Two equal contacts and a stop, or a freewheel, hold one body. All three share the force, and both contacts reach their limits at one instant, at which
/// each is at its limit to rounding: they were pinned and stuck in turn for ever.
#[test]
fn equal_contacts_beside_a_stop_or_a_freewheel_are_pinned_together() {
    let parts = |system: &mut System| {
        let body = system.body("b", Body { mass: 2.0, ..Body::default() }).expect("a body");
        for c in ["c1", "c2"] {
            system.contact(c, body, GROUND, contact("coulomb", &[("fc", 1.0)])).expect("a contact");
        }
        body
    };
    let mut system = System::new();
    let body = parts(&mut system);
    system.force("f", body, ramp(1.0)).expect("a force");
    system.stop("s", body, GROUND, Stop { lo: f64::NEG_INFINITY, hi: 0.0, restitution: 0.0 }).expect("a stop");
    let (summary, _) = simulate(&system, &options(6.0, 1e-8));
    assert_eq!((last(&summary, "b.x"), last(&summary, "b.v")), (0.0, 0.0));
    // both contacts are at their limits: the stop takes the rest
    assert_eq!(last(&summary, "s.force"), 4.0);

    let mut system = System::new();
    let body = parts(&mut system);
    system.force("f", body, sine(9.0, 3.0)).expect("a force");
    system.freewheel("w", body, GROUND, Freewheel::default()).expect("a freewheel");
    let (summary, _) = simulate(&system, &options(6.0, 1e-8));
    // by small steps in which nothing but Newton's law and the two conditions was written down
    for (column, expected) in [("b.x", -3.866_35), ("b.v", -1.763_655)] {
        assert!((last(&summary, column) - expected).abs() < 1e-5, "{column}: {}", last(&summary, column));
    }
}

/// Rate and state holds two bodies together below a speed so small that nothing tells, as long as it is pressed. The load begins at rest, alone
/// and beside a freewheel: whether there is such a speed was decided anew within a step, with the load of a later instant, and the run ended as one
/// that switches again and again.
#[test]
fn a_load_that_begins_at_rest_holds_from_then_on() {
    let loads = [
        Signal::Ramp { offset: 0.0, slope: 6.0, start: 0.1, end: 0.3 },
        Signal::Sine { mean: 0.5, amplitude: 1.0, omega: 7.0, phase: 0.0 },
    ];
    for (signal, freewheel) in loads.iter().flat_map(|signal| [(signal, false), (signal, true)]) {
        let mut system = System::new();
        let [b0, b1] = ["b0", "b1"].map(|name| system.body(name, Body::default()).expect("a body"));
        if freewheel {
            system.freewheel("w0", b0, b1, Freewheel::default()).expect("a freewheel");
        }
        let values = [("mu0", 0.7), ("a", 0.008), ("b", 0.006), ("v0", 0.007), ("normal", 0.6), ("dc", 3e-5)];
        let pressed = Contact { load: Load::Signal(signal.clone()), ..contact("dieterich", &values) };
        system.contact("c0", b0, b1, pressed).expect("a contact");
        let (summary, _) = simulate(&system, &options(2.0, 1e-8));
        assert!(summary.complete, "{signal:?}: {:?}", summary.failure);
        for column in ["b0.x", "b1.x"] {
            // no force acts
            assert!(last(&summary, column).abs() < 1e-12, "{signal:?}, {column}: {}", last(&summary, column));
        }
    }
}

/// A body on three contacts that let go at one instant. Rounding decided which of them held the others, one after the other; the last one
/// let go alone, and the others kept their forces at rest although the body moved. The body ended at 0.918 m at rtol 1e-5.
#[test]
fn three_contacts_of_one_body_slide_together() {
    let mut system = System::new();
    let b0 = system.body("b0", Body::default()).expect("a body");
    let level = |value: f64| [("fc", value), ("fs", value)];
    let dry = level(0.949_928_126_204_886_2);
    system.contact("c0", b0, GROUND, contact("stiction", &[dry[0], dry[1], ("fv", 0.0)])).expect("a contact");
    let [fc, fs] = level(0.298_170_689_880_767_2);
    let band = [fc, fs, ("vs", 0.007), ("exponent", 2.5), ("fv", 0.0), ("band", 5.950_615_121_814_599e-7)];
    system.contact("c1", b0, GROUND, contact("karnopp", &band)).expect("a contact");
    let [fc, fs] = level(0.577_290_455_443_194_8);
    let viscous = [fc, fs, ("vs", 0.004_956_409_142_599_154), ("exponent", 2.5), ("fv", 0.072_423_647_150_532_9)];
    system.contact("c2", b0, GROUND, contact("stribeck", &viscous)).expect("a contact");
    let swing = sine(5.476_167_814_586_544, 9.364_913_568_556_668);
    let push = Signal::Sum(vec![swing, Signal::Constant(1.647_736_507_510_011_4)]);
    system.force("f0", b0, push).expect("a force");
    for rtol in [1e-4, 1e-5, 1e-6, 1e-8] {
        // where the rounding falls depends on the first step, and that on the end of the run
        let (summary, _) =
            simulate(&system, &SimulationOptions { sample: 0.027_868_852_459_016_394, ..options(1.7, rtol) });
        let x = last(&summary, "b0.x");
        // by SciPy's RK45 at 1e-12 from one change of modes to the next, without Karnopp's band of 6e-7 m/s
        assert!((x - 0.910_808_075).abs() < 10.0 * rtol + 1e-6, "{x} at {rtol}");
    }
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

/// Three bodies that a spring presses together, each on a contact whose limits shrink at rest: the three reach their limits at one instant. There the first holds on, and
/// keeps the others, which are pinned at theirs. Each of the others was to hold as well, and with what the bodies leave open of the forces between them two took turns
/// in being beyond their limits.
#[test]
fn contacts_at_their_limits_together_let_go_together() {
    let mut system = System::new();
    let mass = 6.130_424_069_749_452;
    let mut body =
        |name: &str, x: f64, v: f64| system.body(name, Body { mass, x, v, ..Body::default() }).expect("a body");
    let (x, v) = (24.917_284_372_646_51, 15.098_919_344_331_376);
    let [b0, b1, b2] = [("b0", -x, v), ("b1", 0.0, 0.0), ("b2", x, -v)].map(|(name, x, v)| body(name, x, v));
    let spring = Spring { damping: 0.406_843_769_338_303_1, ..Spring::linear(38.366_522_827_287_554) };
    system.spring("s0", b0, b2, spring).expect("a spring");
    let stop = || Stop { lo: 7.475_185_311_793_952, hi: f64::INFINITY, restitution: 0.3 };
    system.stop("p0", b1, b0, stop()).expect("a stop");
    system.stop("p1", b2, b1, stop()).expect("a stop");
    let keys = ["fs", "fc", "fv", "ks", "ds", "tau_lag", "tau_reset", "vs"];
    let contacts = [
        (
            "c0",
            b0,
            [
                19.363_400_454_518_167,
                13.795_062_668_490_175,
                0.009_385_384_859_459_448,
                550.037_033_028_909_6,
                150.140_329_885_680_73,
                0.160_009_892_212_567_03,
                0.048_002_967_663_770_11,
                0.055_525_588_742_934_35,
            ],
        ),
        (
            "c1",
            b1,
            [
                13.795_062_668_490_175,
                13.795_062_668_490_175,
                0.100_220_682_974_939_38,
                55.444_456_634_974_79,
                20.748_808_851_982_933,
                0.157_802_119_334_497_86,
                0.047_340_635_800_349_355,
                0.343_536_501_625_876_1,
            ],
        ),
        (
            "c2",
            b2,
            [
                13.795_062_668_490_175,
                13.795_062_668_490_175,
                0.096_962_772_729_857_19,
                4_921.466_550_296_011_5,
                0.0,
                0.012_087_695_414_612_356,
                0.003_626_308_624_383_706_6,
                1.535_211_222_893_676_7,
            ],
        ),
    ];
    for (name, body, values) in contacts {
        let values: Vec<_> = keys.into_iter().zip(values).collect();
        system.contact(name, body, GROUND, contact("slip-variable", &values)).expect("a contact");
    }
    for rtol in [1e-5, 1e-7] {
        let (summary, _) = simulate(&system, &options(1.7, rtol));
        assert!(summary.complete, "{:?}", summary.failure);
    }
}
