//! Contacts, freewheels and stops that hold, let go or turn at one instant: systems on which the adversary once found the simulator wrong, reduced
//! to the fewest components.
use crate::{contact, last, options, ramp, simulate, sine};
use stiction_sim::sim::{EventKind, SimulationOptions};
use stiction_sim::system::{Body, Freewheel, GROUND, Load, Signal, Spring, Stop, System};

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
