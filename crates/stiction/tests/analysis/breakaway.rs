//! Break-away against closed forms and an independent solver.
use crate::{near, rig};
use stiction::analysis::breakaway::{Breakaway, BreakawayCriterion, BreakawayTest, breakaway, force_per_decade};
use stiction::analysis::test_rig::TestRig;
use stiction::core::models::ALL;
use stiction::{Error, Spec};

fn ramp(rate: f64) -> BreakawayTest {
    BreakawayTest { mass: 1.0, rate, dwell: 0.0, slid: None }
}
/// Åström's slide under a rising force: the script `reference/breakaway.py`, Radau at 1e-11 with the zero of dF/dt as an
/// event.
#[test]
fn lugre_breaks_away_with_less_under_a_faster_force() {
    let mut spec = Spec::new("lugre").unwrap();
    let known = [("mu", 0.3), ("normal", 10.0), ("lc", 0.003), ("mass", 1.0), ("ls_over_lc", 2.0)];
    spec.apply_recipe(&known).unwrap();
    spec.set("vs", 0.1).unwrap().set("exponent", 1.0).unwrap().set("sigma2", 0.0).unwrap();
    let rig = TestRig::new(&spec);
    let expected = [
        (0.1, 57.931_596_241_8, 5.775_996_662_83, 0.022_005_432_227_7),
        (1.0, 5.468_621_926_01, 5.374_447_583_6, 0.015_554_347_260_6),
        (4.0, 1.299_062_824_04, 4.933_706_335_65, 0.011_604_830_165_8),
        (10.0, 0.513_093_704_34, 4.613_658_786_97, 0.008_958_819_350_44),
        (50.0, 0.129_311_898_053, 4.710_494_937_95, 0.004_720_508_092_78),
    ];
    for (rate, time, force, distance) in expected {
        let found = breakaway(&rig, &ramp(rate)).unwrap();
        assert_eq!(found.criterion, BreakawayCriterion::Peak);
        // runs at 1e-10 a step, some tens of steps to the peak
        near(found.force.unwrap(), force, 1e-8);
        // a maximum is flat: its place is good to the root of that
        near(found.time.unwrap(), time, 1e-5);
        near(found.distance.unwrap(), distance, 1e-4);
    }
}

/// A set-valued law lets go at its limit, at any rate, without having moved.
#[test]
fn set_valued_laws_slip_at_their_limit() {
    for (name, limit) in [("coulomb", 1.0), ("stiction", 1.5), ("stribeck", 1.5), ("karnopp", 1.5)] {
        for rate in [0.01, 100.0] {
            let found = breakaway(&rig(name, &[]), &ramp(rate)).unwrap();
            assert_eq!((found.criterion, found.distance), (BreakawayCriterion::Slip, Some(0.0)), "{name}");
            // held until the limit is reached: exact but for rounding
            near(found.force.unwrap(), limit, 1e-12);
            near(found.time.unwrap(), limit / rate, 1e-12);
        }
    }
    // under a load of three
    near(breakaway(&rig("coulomb", &[]).with_load(3.0), &ramp(1.0)).unwrap().force.unwrap(), 3.0, 1e-12);
}

/// Nouri's set: 80 N, at the travel of his virgin curve where the mass has all but followed.
#[test]
fn hysteresis_breaks_at_its_force() {
    // without the viscous part, which begins with the slide
    let found = breakaway(&rig("hysteresis", &[("fv1", 0.0)]), &BreakawayTest { mass: 5.0, ..ramp(20.0) }).unwrap();
    assert_eq!(found.criterion, BreakawayCriterion::Peak);
    // runs at 1e-10 a step; the travel is published with eight digits
    near(found.force.unwrap(), 80.0, 1e-9);
    near(found.distance.unwrap(), 7.024_787_5e-4, 1e-7);
}

/// Rate and state: after sliding at v and a rest of t the limit is N·(µ0 + b·ln(1 + (d0/v + t)/θ0)), met by a force that
/// rises at r from the end of the dwell; by fixed point.
#[test]
fn rate_and_state_grows_with_the_logarithm_of_rest() {
    let rig = rig("rate-state", &[]);
    let (v, rate) = (1e-3, 10.0);
    let test = |dwell| BreakawayTest { dwell, slid: Some(v), ..ramp(rate) };
    let found: Vec<Breakaway> = [1.0, 10.0, 100.0, 1000.0].map(|t| breakaway(&rig, &test(t)).unwrap()).to_vec();
    for b in &found {
        let mut force = 0.6;
        for _ in 0..50 {
            force = 0.6 + 0.015 * f64::ln_1p((1e-5 / v + b.test.dwell + force / rate) / 0.01);
        }
        assert_eq!(b.criterion, BreakawayCriterion::Slip);
        // the state is integrated at 1e-10 a step
        near(b.force.unwrap(), force, 1e-9);
    }
    // b·ln 10 per decade, but for the first second, of which the ramp is a part
    near(force_per_decade(&found, |test| test.dwell).unwrap().slope, 0.015 * 10_f64.ln(), 0.02);
}

/// Armstrong: after sliding fast the excess is lost, and comes back with the dwell time by his formula.
#[test]
fn armstrongs_breakaway_grows_with_the_dwell() {
    let rig = rig("armstrong", &[]);
    let (v, rate) = (0.1, 100.0);
    let kept = 0.5 / (1.0 + (v / 1e-3_f64).powi(2));
    let mut before = 0.0;
    for dwell in [0.01, 0.1, 1.0, 10.0] {
        let found = breakaway(&rig, &BreakawayTest { dwell, slid: Some(v), ..ramp(rate) }).unwrap();
        let t = dwell + found.time.unwrap();
        let level = 1.0 + kept + (0.5 - kept) * t / (t + 0.1);
        // runs at 1e-10 a step; the peak lies between two rows
        near(found.force.unwrap(), level, 1e-5);
        assert!(found.force.unwrap() > before);
        before = found.force.unwrap();
    }
}

/// LuGre has no clock: rest changes nothing.
#[test]
fn lugre_does_not_age() {
    let forces = [0.1, 100.0].map(|dwell| {
        let test = BreakawayTest { dwell, slid: Some(0.01), ..ramp(1.0) };
        breakaway(&rig("lugre", &[]), &test).unwrap().force.unwrap()
    });
    // two runs at 1e-10 a step
    near(forces[0], forces[1], 1e-9);
}

/// What levels off, and what never breaks away.
#[test]
fn laws_without_a_peak_say_so() {
    for (name, level) in [("dahl", 1.0), ("coulomb-tanh", 1.0), ("coulomb-sat", 1.0)] {
        let found = breakaway(&rig(name, &[]), &ramp(1.0)).unwrap();
        assert_eq!(found.criterion, BreakawayCriterion::Level, "{name}");
        // the force at the end of the ramp, at three times the level, where the mass is fast
        near(found.force.unwrap(), level, 1e-6);
    }
    let found = breakaway(&rig("viscous", &[]), &ramp(1.0)).unwrap();
    assert_eq!((found.criterion, found.force), (BreakawayCriterion::Nothing, None));
}

/// Every law has an answer, with and without a rest before.
#[test]
fn every_law_has_an_answer() {
    for law in ALL {
        for test in [ramp(30.0), BreakawayTest { dwell: 1.0, slid: Some(0.01), ..ramp(30.0) }] {
            let found = breakaway(&rig(law.name, &[]), &test).unwrap_or_else(|e| panic!("{}: {e}", law.name));
            assert_eq!(found.force.is_none(), law.name == "viscous", "{}: {found:?}", law.name);
            assert!(found.force.is_none_or(|f| f > 0.0 && f.is_finite()), "{}: {found:?}", law.name);
        }
    }
}

/// Noise moves a break-away by no more than a few times its own size, whatever marks it.
#[test]
fn noise_does_not_pass_for_break_away() {
    for name in ["coulomb", "coulomb-tanh", "armstrong", "stribeck-tanh"] {
        let [still, noisy] = [0.0, 0.02].map(|amplitude| {
            let values = [("noise.amplitude", amplitude), ("noise.wave", 10.0)];
            breakaway(&rig(name, &values), &ramp(30.0)).unwrap().force.unwrap()
        });
        // five times the amplitude of the noise
        assert!((still - noisy).abs() < 0.1, "{name}: {still}, {noisy}");
    }
}

#[test]
fn impossible_tests_are_refused() {
    let rig = rig("lugre", &[]);
    for test in [
        BreakawayTest { mass: 0.0, ..ramp(1.0) },
        ramp(-1.0),
        ramp(f64::NAN),
        BreakawayTest { dwell: -1.0, ..ramp(1.0) },
        BreakawayTest { slid: Some(0.0), ..ramp(1.0) },
    ] {
        assert!(matches!(breakaway(&rig, &test), Err(Error::System(_))), "{test:?}");
    }
}
