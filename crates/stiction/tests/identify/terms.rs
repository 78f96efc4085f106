//! Forces beside friction whose size is estimated: gravity on an arm.
use crate::rig::{CHANCE, off};
use stiction::data::{DataFile, ReadOptions};
use stiction::fit::Random;
use stiction::identify::dynamic::{DynamicOptions, FrictionFit, PlantForces, fit, predict};
use stiction::identify::sliding::{self, SlidingLaw, SlidingOptions};
use stiction::identify::{
    ColumnRoles, IdentificationResult, MassOption, MotionRecord, Preparation, PreparedMotion, prepare,
};
use stiction::{Error, Spec};

/// Inertia, gravity of the arm and of an eccentric payload, friction and offset of the joint below.
const INERTIA: f64 = 0.8;
const SINE: f64 = 6.0;
const COSINE: f64 = -1.5;
const LEVEL: f64 = 2.0;
const VISCOUS: f64 = 0.7;
const OFFSET: f64 = 0.3;
const RATE: f64 = 500.0;

/// Angle, velocity and acceleration of a joint that swings about half a turn.
fn motion(t: f64) -> [f64; 3] {
    let sines = [(1.1, 0.21, 0.0), (0.5, 0.53, 1.0), (0.2, 1.1, 2.5)];
    sines.iter().fold([0.4, 0.0, 0.0], |[x, v, a], (size, hertz, phase)| {
        let w = std::f64::consts::TAU * hertz;
        let (sin, cos) = (w * t + phase).sin_cos();
        [x + size * sin, v + size * w * cos, a - size * w * w * sin]
    })
}

/// The record of the joint with this friction; the angle has a resolution of a ten-thousandth of a radian.
fn record(seed: u32, mut friction: impl FnMut(f64) -> f64) -> String {
    let mut random = Random::new(seed);
    let mut out = String::from("t [s],q [rad],tau [N·m]\n");
    for k in 0..(10.0 * RATE) as usize {
        let [q, v, a] = motion(k as f64 / RATE);
        let tau = INERTIA * a + SINE * q.sin() + COSINE * q.cos() + friction(v) + OFFSET + 0.05 * random.normal();
        out += &format!("{},{},{tau}\n", k as f64 / RATE, (q * 1e4).round() / 1e4);
    }
    out
}

fn prepared(text: &str, terms: &[(&str, &str)]) -> Result<Vec<PreparedMotion>, Error> {
    let table = DataFile::from_bytes("log.csv", text.as_bytes(), &ReadOptions::default())?;
    let terms = terms.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    let raw = ColumnRoles { terms, ..ColumnRoles::default() }.read(&table)?;
    Ok(prepare(&raw, &Preparation::default())?.0)
}

const GRAVITY: [(&str, &str); 2] = [("weight", "sin(q)"), ("cos(q)", "cos(q)")];

fn options(curve: SlidingLaw) -> SlidingOptions {
    SlidingOptions { curve: Some(curve), ..SlidingOptions::default() }
}

#[test]
fn gravity_is_found_beside_sliding_friction() {
    for seed in 1..=3 {
        let text = record(seed, |v| LEVEL * v.signum() + VISCOUS * v);
        let found = sliding::identify(&prepared(&text, &GRAVITY).expect("a motion"), &options(SlidingLaw::Viscous));
        let found = found.expect("a fit");
        let truth = [
            ("mass", INERTIA),
            ("weight", SINE),
            ("cos(q)", COSINE),
            ("fc", LEVEL),
            ("fv", VISCOUS),
            ("offset", OFFSET),
        ];
        for (name, truth) in truth {
            assert!(off(&found, name, truth) < CHANCE, "seed {seed}, {name}: {:?}", found.estimate(name));
            // well determined: a hundredth of the largest force
            assert!(found.estimate(name).expect("an estimate").error < 0.06, "{name}");
        }
        let table = found.tables.iter().find(|table| table.key == "correlation").expect("correlations");
        assert!(table.columns.iter().any(|name| name == "weight"), "{:?}", table.columns);
        // without them, gravity is noise to the fit, and the level is hardly known
        let blind = sliding::identify(&prepared(&text, &[]).expect("a motion"), &options(SlidingLaw::Viscous));
        let blind = blind.expect("a fit");
        let error = |found: &IdentificationResult| found.estimate("fc").expect("a level").error;
        assert!(error(&blind) > 10.0 * error(&found), "{:?}", blind.estimates);
    }
}

#[test]
fn a_stribeck_curve_is_found_under_gravity() {
    let curve = |v: f64| v.signum() * (LEVEL + 1.5 * (-v.abs() / 0.2).exp()) + VISCOUS * v;
    let text = record(4, curve);
    let found = sliding::identify(&prepared(&text, &GRAVITY).expect("a motion"), &options(SlidingLaw::Stribeck(10)));
    let found = found.expect("a fit");
    for (name, truth) in [("weight", SINE), ("cos(q)", COSINE), ("fc", LEVEL), ("fs", 3.5), ("vs", 0.2)] {
        assert!(off(&found, name, truth) < CHANCE, "{name}: {:?}", found.estimate(name));
    }
}

#[test]
fn gravity_is_found_beside_a_law_with_memory() {
    let mut law = Spec::new("dahl").expect("a law");
    law.set("fc", LEVEL).expect("a level");
    law.set("sigma", 40.0).expect("a stiffness");
    let model = law.build().expect("a law");
    let mut z = vec![0.0; model.len()];
    let text = record(5, |v| {
        let input = stiction::core::Input::at(v);
        model.step(&mut z, &input, 1.0 / RATE);
        model.force(&z, &input)
    });
    let motions: Vec<MotionRecord> =
        prepared(&text, &GRAVITY).expect("a motion").into_iter().map(|p| p.motion).collect();
    let options = DynamicOptions { mass: MassOption::Estimated, offset: true, ..DynamicOptions::default() };
    let FrictionFit { result: found, displaced, .. } =
        fit(&motions, &Spec::new("dahl").expect("a law"), &options, &mut |_| true).expect("a fit");
    let value = |name: &str| found.estimate(name).expect("an estimate").value;
    // the angle is rounded and filtered: a hundredth is far above the noise, and far below the gravity left out
    for (name, truth, share) in [
        ("mass", INERTIA, 0.01),
        ("weight", SINE, 0.01),
        ("cos(q)", COSINE, 0.01),
        ("fc", LEVEL, 0.01),
        ("sigma", 40.0, 0.1),
    ] {
        assert!((value(name) - truth).abs() < share * truth.abs(), "{name}: {:?}", found.estimate(name));
    }
    // the prediction takes the terms by their order, and leaves what the fit left
    let plant =
        PlantForces { mass: value("mass"), offset: value("offset"), terms: vec![value("weight"), value("cos(q)")] };
    let law = found.law.clone().expect("a law");
    let rms = |plant: &PlantForces| {
        let begun = MotionRecord { displaced: displaced[0], ..motions[0].clone() };
        let series = predict(&begun, &law, plant).expect("a prediction");
        (series.residuals().map(|r| r * r).sum::<f64>() / series.t.len() as f64).sqrt()
    };
    let left = found.score("rms").expect("a score");
    // the same computation, but for the order of its sums and for the last twentieth of a standard error of the displacement before, which the
    // fit has as a term: half of 0.05² over the number of samples
    assert!((rms(&plant) / left - 1.0).abs() < 1e-5, "{} for {left}", rms(&plant));
    assert!(rms(&PlantForces { terms: Vec::new(), ..plant }) > 1.0);
}

/// Dahl's law, whose torque is measured 1.3 samples late.
#[test]
fn a_delay_is_found_with_a_law_with_memory() {
    let late = 1.3 / RATE;
    let law = crate::law("dahl", &[("fc", LEVEL), ("sigma", 40.0)]);
    let model = law.build().expect("a law");
    let mut random = Random::new(11);
    // sixteen steps to a sample, and the torque of the delayed motion
    let fine = 16.0 * RATE;
    let (mut z, mut before) = (vec![0.0; model.len()], motion(-late)[0]);
    let mut text = String::from("t [s],q [rad],tau [N·m]\n");
    for k in 0..(10.0 * fine) as usize {
        let t = k as f64 / fine;
        if k > 0 {
            let q = motion(t - late)[0];
            model.step(&mut z, &stiction::core::Input::at((q - before) * fine), 1.0 / fine);
            before = q;
        }
        if k % 16 == 0 {
            let [q, v, a] = motion(t - late);
            let tau = INERTIA * a + SINE * q.sin() + model.force(&z, &stiction::core::Input::at(v)) + OFFSET;
            text += &format!("{t},{},{}\n", motion(t)[0], tau + 0.05 * random.normal());
        }
    }
    let motions: Vec<MotionRecord> =
        prepared(&text, &GRAVITY[..1]).expect("a motion").into_iter().map(|p| p.motion).collect();
    let options =
        DynamicOptions { mass: MassOption::Estimated, offset: true, delay: true, ..DynamicOptions::default() };
    let found = fit(&motions, &Spec::new("dahl").expect("a law"), &options, &mut |_| true).expect("a fit").result;
    for (name, truth) in
        [("delay", late), ("mass", INERTIA), ("weight", SINE), ("fc", LEVEL), ("sigma", 40.0), ("offset", OFFSET)]
    {
        assert!(off(&found, name, truth) < CHANCE, "{name}: {:?}", found.estimate(name));
    }
    assert!(found.estimate("delay").expect("a delay").error < 0.1 / RATE, "{:?}", found.estimate("delay"));
    // a constant level has no derivative that would tell the delay of friction measured by itself; its jumps tell it to a sample
    let still = |motion: &MotionRecord| {
        let force = motion.velocity.iter().map(|v| 2.0 * v.signum()).collect();
        MotionRecord { force, terms: Vec::new(), mass: Some(0.0), ..motion.clone() }
    };
    let motions: Vec<MotionRecord> = motions.iter().map(still).collect();
    let options = DynamicOptions { mass: MassOption::Given, ..options };
    let found = fit(&motions, &Spec::new("coulomb").expect("a law"), &options, &mut |_| true).expect("a fit").result;
    let delay = found.estimate("delay").expect("a delay");
    assert!(delay.interval[0] < 0.0 && delay.interval[1] > 0.0 && delay.error < 1.0 / RATE, "{delay:?}");
    assert!(found.remarks.iter().any(|r| r.text.contains("by the reversals alone")), "{:?}", found.remarks);
}

/// A step of the force that is steeper than a sample, and a force that is held over each sample: with an unknown delay no interval of the
/// steepness can be given that is not false.
#[test]
fn a_steepness_within_a_sample_is_not_told_with_an_unknown_delay() {
    let law = crate::law("coulomb-tanh", &[("fc", 10.0), ("ktanh", 200.0)]).build().expect("a law");
    let motion =
        |t: f64| [0.03 * (8.0 * t).sin() + 0.02 * (19.0 * t).sin(), 0.24 * (8.0 * t).cos() + 0.38 * (19.0 * t).cos()];
    let force = |t: f64| law.steady(&stiction::core::Input::at(motion(t)[1]));
    let (step, mut random) = (2e-3, Random::new(5));
    let mut record = MotionRecord { name: "log".into(), mass: Some(0.0), ..MotionRecord::default() };
    for k in 0..1500 {
        let t = step * f64::from(k);
        let held = (0..32).map(|i| force(t - step * (f64::from(i) + 0.5) / 32.0)).sum::<f64>() / 32.0;
        record.t.push(t);
        record.position.push(motion(t)[0]);
        record.velocity.push(motion(t)[1]);
        record.force.push(held + 0.1 * random.normal());
    }
    let options = DynamicOptions { delay: true, ..DynamicOptions::default() };
    let spec = Spec::new("coulomb-tanh").expect("a law");
    let found = fit(&[record], &spec, &options, &mut |_| true).expect("a fit").result;
    let steepness = found.estimate("ktanh").expect("a steepness");
    assert!(steepness.interval.iter().all(|x| x.is_infinite()), "{steepness:?}");
    assert!(
        found.remarks.iter().any(|r| r.text.contains("ktanh") && r.text.contains("--find sliding")),
        "{:?}",
        found.remarks
    );
    // the level is told far from reversals
    assert!(off(&found, "fc", 10.0) < CHANCE, "{:?}", found.estimate("fc"));
}

#[test]
fn a_term_that_says_nothing_is_refused() {
    let text = record(6, |v| LEVEL * v.signum());
    let find = |terms: &[(&str, &str)]| {
        sliding::identify(&prepared(&text, terms).expect("a motion"), &options(SlidingLaw::Coulomb))
    };
    // a constant is the offset once more, and a term twice is one term
    for terms in [&[("one", "1 + 0*q")][..], &[("a", "sin(q)"), ("b", "2*sin(q)")]] {
        let error = find(terms).expect_err("dependent terms").to_string();
        assert!(error.contains("depend"), "{error}");
    }
    let many: Vec<(String, String)> = (1..=17).map(|k| (format!("c{k}"), format!("cos({k}*q)"))).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let error = find(&many).expect_err("too many").to_string();
    assert!(error.contains("at most 15"), "{error}");
    let error = prepared(&text, &[("root", "sqrt(q + 1.2)")]).expect_err("the root of a negative number").to_string();
    assert!(error.contains("sqrt(q + 1.2)"), "{error}");
    assert!(prepared(&text, &[("x", "sin(nothing)")]).is_err());
}
