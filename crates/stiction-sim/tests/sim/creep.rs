//! Creep, micro-slip and what begins at rest: systems on which the adversary once found the simulator wrong, reduced to the fewest components.
use crate::{contact, last, options, ramp, simulate, sine};
use stiction_sim::sim::{EventKind, SimulationOptions};
use stiction_sim::system::{Body, Contact, Freewheel, GROUND, Load, Signal, Spring, System};

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

/// A body drawn over rate and state at 0.7 µm/s while its load swings: each time the load grows, the creep speed falls towards the speed at which the
/// contact sticks, which is also what the absolute tolerance leaves open of it. With the logarithm of the speed open by 0.4, a step began so far from the balance
/// of forces, to which it relaxes in 5e-28 s, that its stages erred by more than that, however short it was: "the step size fell to nothing" at
/// 3592 s at the closest tolerance, and at 3267 s where the relative tolerance alone was larger.
#[test]
fn a_creep_speed_falls_to_that_of_stick() {
    let run = |rtol: f64, atol: f64| {
        let mut system = System::new();
        let body = system.body("b0", Body { mass: 0.227_849_493_139_666_02, ..Body::default() }).expect("a body");
        let drive = system.motion("m0", ramp(7.213_918_715_280_079e-7), false).expect("a motion");
        system.spring("s0", drive, body, Spring::linear(242_644.298_001_043_5)).expect("a spring");
        let values = [
            ("mu0", 0.771_846_941_011_973_9),
            ("a", 0.014_418_219_860_486_699),
            ("b", 0.007_209_109_930_243_349),
            ("v0", 1e-6),
            ("normal", 4_041.043_490_855_345_7),
            ("dc", 6.603_914_381_331_17e-5),
        ];
        let load = Load::Signal(Signal::Sine { mean: 1.0, amplitude: 0.2, omega: 0.080_343_668_055_190_5, phase: 0.0 });
        system.contact("c0", body, GROUND, contact("dieterich", &values).with_load(load)).expect("a contact");
        let (summary, _) = simulate(&system, &SimulationOptions { atol, ..options(8_000.0, rtol) });
        assert!(summary.complete, "rtol {rtol}: {:?}", summary.failure);
        [last(&summary, "b0.x"), last(&summary, "c0.force")]
    };
    let [x, force] = run(1e-9, 7.2e-19);
    for (rtol, atol) in [(1e-8, 7.2e-22), (1e-10, 7.2e-22), (1e-12, 7.213_918_715_280_079e-22)] {
        let [closer, at_once] = run(rtol, atol);
        // a hundred tolerances of the looser run: the creep so far is below them
        assert!((x - closer).abs() < 100.0 * 7.2e-19, "rtol {rtol}: {x} and {closer}");
        // where the speed is not resolved, a hundredth of its logarithm is left open, times a·N at the largest load
        let open = 0.01 * 0.014_418_219_860_486_699 * 1.2 * 4_041.043_490_855_345_7;
        assert!((force - at_once).abs() < open, "rtol {rtol}: {force} and {at_once}");
    }
}

/// A block on rate and state, and on a contact with a set of forces at rest beside it, under a force that swings beyond what the latter holds: the block creeps
/// until it rests, and rests until it creeps. While the second contact held it, the first counted as sliding at a speed of zero; when its law became so steep
/// that a set of forces at rest stands for it, it pushed against the other one, which let go too late and chattered. And noise of 1e-135 m/s was told as reversals.
#[test]
fn a_contact_that_creeps_is_at_rest_where_another_one_holds_it() {
    let mut system = System::new();
    let body = system.body("block", Body::default()).expect("a body");
    let creeps = [
        ("mu0", 0.588_501),
        ("a", 0.022_446_4),
        ("b", 0.030_053_8),
        ("v0", 0.000_623_597),
        ("normal", 0.775_886),
        ("dc", 0.000_125_968),
    ];
    system.contact("creeps", body, GROUND, contact("dieterich", &creeps)).expect("a contact");
    let holds = [("fc", 1.105_53), ("fs", 1.311_85), ("vs", 0.003_071_04), ("exponent", 2.0), ("fv", 0.0)];
    system.contact("holds", body, GROUND, contact("stribeck", &holds)).expect("a contact");
    let force = Signal::Sum(vec![sine(1.786_15, 4.945_22), Signal::Constant(0.367_389)]);
    system.force("push", body, force).expect("a force");
    let run = |rtol| simulate(&system, &options(4.5, rtol));
    let (exact, _) = run(1e-11);
    for rtol in [1e-5, 1e-6, 1e-7, 1e-8, 1e-9] {
        let (summary, trace) = run(rtol);
        let (x, expected) = (last(&summary, "block.x"), last(&exact, "block.x"));
        assert!((x - expected).abs() < 10.0 * rtol, "{rtol}: {x} and {expected}");
        let held = trace.events.iter().filter(|event| event.part == 1).map(|event| event.kind);
        use EventKind::{SlipDown, SlipUp, Stick};
        let cycle = [SlipUp, Stick, SlipDown, Stick];
        assert!(held.eq(cycle.into_iter().cycle().take(14)), "{rtol}: {:?}", trace.events);
        let reverses = |kind| matches!(kind, EventKind::ReverseUp | EventKind::ReverseDown);
        assert!(!trace.events.iter().any(|event| reverses(event.kind)), "{rtol}: {:?}", trace.events);
    }
}
