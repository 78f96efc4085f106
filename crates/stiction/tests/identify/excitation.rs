//! Tests that are designed: within the limits, better than a sine, and as good as they say.
use crate::law;
use stiction::LawError;
use stiction::NumericsError;
use stiction::fit::Random;
use stiction::identify::IdentificationError;
use stiction::identify::excitation::{AxisLimits, DesignOptions, ExperimentDesign, design};
use stiction::identify::{FreeParameter, GlobalSearch, dynamic};
use stiction::identify::{Identifiability, MotionRecord, Severity};
use stiction::{Error, Spec};

/// Laws whose motion is sampled a few times within what they do, so that tests are quick.
fn laws() -> [(Spec, AxisLimits); 3] {
    let stribeck = law("stribeck", &[("fc", 10.0), ("fs", 15.0), ("vs", 0.02), ("fv", 40.0)]);
    let dahl = law("dahl", &[("fc", 10.0), ("sigma", 5e4)]);
    let values = [("fc", 10.0), ("fs", 15.0), ("vs", 0.005), ("sigma0", 5e4), ("sigma1", 200.0), ("sigma2", 40.0)];
    let lugre = law("lugre", &values);
    [
        (stribeck, AxisLimits { resolution: 1e-4, ..AxisLimits::new(0.05, 0.2, 5.0) }),
        (dahl, AxisLimits { resolution: 1e-5, ..AxisLimits::new(0.01, 0.05, 2.0) }),
        (lugre, AxisLimits { resolution: 1e-5, ..AxisLimits::new(0.01, 0.05, 2.0) }),
    ]
}

fn options() -> DesignOptions {
    DesignOptions { duration: 10.0, rate: 200.0, ..DesignOptions::default() }
}

fn made(law: &Spec, limits: &AxisLimits) -> ExperimentDesign {
    design(law, limits, &options()).unwrap_or_else(|error| panic!("{}: {error}", law.law().name))
}

fn most(list: &[f64]) -> f64 {
    list.iter().fold(0.0_f64, |most, x| most.max(x.abs()))
}

#[test]
fn no_limit_is_broken() {
    for (law, free) in laws() {
        let name = law.law().name;
        // the force allows less than the acceleration does: 4 m/s² would take 8 N beside 15 N of friction
        let tight = AxisLimits { force: 20.0, mass: 2.0, acceleration: f64::INFINITY, ..free };
        for limits in [free, tight] {
            let test = made(&law, &limits);
            let m = &test.motion;
            // rounding of a few products
            let slack = 1.0 + 1e-9;
            assert!(m.position.iter().all(|x| (-1e-12..=limits.stroke * slack).contains(x)), "{name}");
            assert!(most(&m.velocity) <= limits.speed * slack, "{name}: {}", most(&m.velocity));
            assert!(most(&m.acceleration) <= limits.acceleration * slack, "{name}: {}", most(&m.acceleration));
            assert!(most(&m.force) <= limits.force, "{name}: {}", most(&m.force));
            // rounding of a sum of samples
            assert!(m.t[m.len() - 1] <= 10.0 + 1e-9);
            // at rest where it began
            let last = m.len() - 1;
            assert_eq!([m.position[0], m.velocity[0], m.position[last], m.velocity[last]], [0.0; 4], "{name}");
            // between samples it goes no faster, and position is the integral of velocity: the rule of the trapezoid is
            // off by a part of the change of acceleration over a sample, which is at most twice the largest
            let dt = m.step();
            let part = 0.25 * most(&m.acceleration) * dt;
            for k in 1..m.len() {
                let mean = (m.position[k] - m.position[k - 1]) / dt;
                assert!(mean.abs() <= limits.speed * slack, "{name}: {mean}");
                let rule = 0.5 * (m.velocity[k] + m.velocity[k - 1]);
                assert!((mean - rule).abs() <= part, "{name}: {mean} {rule} at {}", m.t[k]);
            }
        }
    }
}

#[test]
fn it_beats_the_best_single_sine() {
    for (law, limits) in laws() {
        let name = law.law().name;
        let test = made(&law, &limits);
        assert!(test.gain > 1.0, "{name}: {}", test.gain);
        let worst = |of: fn(&stiction::identify::excitation::PredictedError) -> f64| {
            let part = |p| of(p) / p.value.abs();
            test.predicted.iter().filter(|p| p.value != 0.0).map(part).fold(0.0, f64::max)
        };
        let (ours, sine) = (worst(|p| p.error), worst(|p| p.sine));
        assert!(ours < sine, "{name}: {ours} {sine}");
        // whole numbers of segments in ten seconds cost something; more than a fifth would be a bad choice
        assert!(test.efficiency > 0.8, "{name}: {}", test.efficiency);
    }
}

/// Noise on the friction of the law along the test, identified many times: the spread is the error predicted.
#[test]
fn errors_come_true() {
    const RECORDS: u32 = 24;
    for (law, limits) in laws() {
        let name = law.law().name;
        let test = made(&law, &limits);
        let keys: Vec<String> = test.predicted.iter().map(|p| p.key.clone()).filter(|key| key != "offset").collect();
        let start = |key: &String| FreeParameter { start: law.get(key).ok(), ..FreeParameter::new(key) };
        let how = dynamic::DynamicOptions {
            free: keys.iter().map(start).collect(),
            offset: true,
            search: GlobalSearch::None,
            ..dynamic::DynamicOptions::default()
        };
        let mut sums = vec![0.0; keys.len()];
        for seed in 1..=RECORDS {
            let mut random = Random::new(seed);
            let force_of = |f: &f64| f + test.noise * random.normal();
            let noisy = test.friction.iter().map(force_of).collect();
            let motion = MotionRecord { force: noisy, mass: Some(0.0), ..test.motion.clone() };
            let result = dynamic::identify(&[motion], &Spec::new(name).expect("a law"), &how).expect("a fit");
            for (sum, key) in sums.iter_mut().zip(&keys) {
                let off = result.estimate(key).expect("an estimate").value - law.get(key).expect("a value");
                *sum += off * off;
            }
        }
        for ((sum, key), p) in sums.iter().zip(&keys).zip(&test.predicted) {
            let ratio = (sum / f64::from(RECORDS)).sqrt() / p.error;
            // the root of chi-square over 24 degrees of freedom lies within these with 99.9 %
            assert!((0.59..1.49).contains(&ratio), "{name}: {key} spreads by {ratio} of its predicted error");
        }
    }
}

#[test]
fn what_no_motion_tells_is_said() {
    // the curve falls over speeds fifty times the limit
    let law = law("stribeck", &[("fc", 10.0), ("fs", 15.0), ("vs", 0.5), ("fv", 40.0)]);
    let test = made(&law, &AxisLimits { resolution: 1e-4, ..AxisLimits::new(0.05, 0.01, 5.0) });
    let e = test.result.estimate("vs").expect("an estimate");
    assert_eq!(e.identifiability, Identifiability::Unidentifiable);
    let told = test.result.remarks.iter().find(|r| r.text.starts_with("vs:")).expect("a remark");
    assert!(told.severity == Severity::Critical && told.text.contains("speeds above 1.5 m/s"), "{}", told.text);
}

#[test]
fn a_level_of_break_away_alone_is_not_told_by_motion() {
    let law = law("stiction", &[("fc", 10.0), ("fs", 12.0), ("fv", 40.0)]);
    let test = made(&law, &laws()[0].1);
    let told = test.result.remarks.iter().find(|r| r.text.starts_with("fs:")).expect("a remark");
    assert!(told.text.contains("breaks away"), "{}", told.text);
    assert!(test.predicted.iter().filter(|p| p.key != "fs").all(|p| p.error.is_finite()));
}

#[test]
fn parameters_that_count_are_chosen() {
    let (law, limits) = &laws()[0];
    let free = vec!["fc".to_owned(), "reverse.fc".to_owned()];
    let both = design(law, limits, &DesignOptions { free, offset: false, ..options() }).expect("a test");
    let keys: Vec<&str> = both.predicted.iter().map(|p| p.key.as_str()).collect();
    assert_eq!(keys, ["fc", "reverse.fc"]);
    // two levels at speeds where little else matters: half of the samples for each, so √2·σ/√n at the least, and
    // twice that if samples at rest and slow ones were half
    let least = 2f64.sqrt() * both.noise / (both.motion.len() as f64).sqrt();
    for p in &both.predicted {
        assert!((1.0..2.0).contains(&(p.error / least)), "{}: {} {least}", p.key, p.error);
    }
    let unknown = design(law, limits, &DesignOptions { free: vec!["fd".to_owned()], ..options() });
    assert!(matches!(unknown, Err(Error::Law(LawError::UnknownParam { .. }))));
}

#[test]
fn bad_limits_are_refused() {
    let (law, limits) = &laws()[0];
    let refused = |limits: AxisLimits, options: &DesignOptions| match design(law, &limits, options) {
        Err(Error::Numerics(flaw)) => flaw,
        other => panic!("{other:?}"),
    };
    for bad in [-1.0, 0.0, f64::NAN, f64::INFINITY] {
        for limits in [AxisLimits { stroke: bad, ..*limits }, AxisLimits { speed: bad, ..*limits }] {
            assert!(matches!(refused(limits, &options()), NumericsError::InvalidValue { .. }), "{bad}");
        }
        assert!(
            matches!(
                refused(AxisLimits { acceleration: bad, ..*limits }, &options()),
                NumericsError::InvalidValue { .. }
            ),
            "{bad}"
        );
        for options in [DesignOptions { duration: bad, ..options() }, DesignOptions { rate: bad, ..options() }] {
            assert!(matches!(refused(*limits, &options), NumericsError::InvalidValue { .. }), "{bad}");
        }
    }
    // below break-away nothing moves
    let weak = design(law, &AxisLimits { force: 14.0, mass: 1.0, ..*limits }, &options());
    let Err(Error::Identification(weak)) = weak else { panic!("{weak:?}") };
    assert_eq!(weak, IdentificationError::InsufficientForce { have: 14.0, need: 15.0 });
    // a quarter of the time is too short for any way and back
    let short = design(
        law,
        &AxisLimits { resolution: 0.05, ..*limits },
        &DesignOptions { duration: 0.4, rate: 1000.0, ..options() },
    );
    assert!(matches!(short, Err(Error::Identification(IdentificationError::NoFeasibleMotion { .. }))));
}

#[test]
fn the_same_seed_makes_the_same_test() {
    let (law, limits) = &laws()[1];
    assert_eq!(made(law, limits).motion, made(law, limits).motion);
}
