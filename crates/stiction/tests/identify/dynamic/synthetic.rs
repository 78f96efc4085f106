//! Records made by known laws: what went in must come out.
use crate::law;
use std::path::Path;
use stiction::LawError;
use stiction::core::Input;
use stiction::fit::{CmaOptions, Random, ScreeningOptions};
use stiction::identify::dynamic::{DynamicOptions, fit, identify};
use stiction::identify::{FitStage, FreeParameter, GlobalSearch, MassOption};
use stiction::identify::{Identifiability, IdentificationResult, MotionRecord, Severity};
use stiction::{Error, LawFile, Spec};

const STEP: f64 = 2e-3;

/// A motion with strokes of many sizes and speeds; the force of `law` by its own steps, plus inertia and a constant.
fn record(law: &Spec, size: f64, noise: f64, mass: f64, offset: f64) -> MotionRecord {
    let model = law.build().expect("admissible values");
    let t: Vec<f64> = (0..600).map(|k| k as f64 * STEP).collect();
    let place = |t: f64| size * ((2.0 + 3.0 * t) * t).sin() * (0.15 + (1.7 * t).sin().powi(2));
    let position: Vec<f64> = t.iter().map(|t| place(*t)).collect();
    let h = 1e-6;
    let velocity: Vec<f64> = t.iter().map(|t| (place(t + h) - place(t - h)) / (2.0 * h)).collect();
    let acceleration: Vec<f64> =
        t.iter().map(|t| (place(t + 1e-4) - 2.0 * place(*t) + place(t - 1e-4)) / 1e-8).collect();
    let mut random = Random::new(7);
    let mut z = vec![0.0; model.len()];
    let mut force = vec![offset + mass * acceleration[0]];
    for k in 1..t.len() {
        let mean = (position[k] - position[k - 1]) / STEP;
        model.step(&mut z, &Input::at(mean), STEP);
        let friction = model.force(&z, &Input::at(velocity[k]));
        force.push(friction + mass * acceleration[k] + offset + noise * random.normal());
    }
    let (name, load) = (law.law().name.to_owned(), Vec::new());
    MotionRecord { name, t, position, velocity, acceleration, force, load, mass: Some(0.0), ..MotionRecord::default() }
}

fn quick() -> DynamicOptions {
    DynamicOptions {
        search: GlobalSearch::Multistart(ScreeningOptions { samples: 40, fits: 2, evaluations: 30, seed: 3 }),
        samples: 300,
        ..DynamicOptions::default()
    }
}

#[test]
fn known_laws_come_back_from_clean_records() {
    type Values = [(&'static str, f64)];
    let cases: &[(&str, f64, &Values)] = &[
        ("coulomb-tanh", 1e-2, &[("fc", 2.3), ("ktanh", 130.0)]),
        ("stribeck-tanh", 1e-2, &[("fc", 2.0), ("fs", 3.1), ("vs", 0.02), ("fv", 7.0), ("ktanh", 500.0)]),
        ("dahl", 1e-3, &[("fc", 1.7), ("sigma", 2.1e4)]),
        ("lugre", 1e-3, &[("fc", 1.2), ("fs", 1.9), ("vs", 4e-3), ("sigma0", 3e4), ("sigma1", 35.0), ("sigma2", 12.0)]),
        ("bouc-wen", 1e-3, &[("alpha", 4e4), ("beta", 2.2e4), ("fv", 3.0)]),
    ];
    for (name, size, values) in cases {
        let motion = record(&law(name, values), *size, 0.0, 0.0, 0.0);
        let result = identify(&[motion], &Spec::new(name).expect("a law"), &quick()).expect("a fit");
        for (key, wanted) in *values {
            let got = result.estimate(key).expect("an estimate");
            // exact derivatives and clean data: all that is lost is where the fit is told to stop
            assert!((got.value / wanted - 1.0).abs() < 1e-6, "{name}: {key} = {} for {wanted}", got.value);
            assert_eq!(got.identifiability, Identifiability::Good, "{name}: {key}");
        }
        // the same, squared
        assert!(result.score("explained").expect("a score") > 1.0 - 1e-9, "{name}");
    }
}

#[test]
fn a_loop_that_hardens_is_found_and_told() {
    // gamma is held, because the force depends on beta gamma and beta delta alone; gamma + delta < 0
    let values = [("alpha", 5e4), ("beta", 1600.0), ("delta", -0.6875)];
    let motion = record(&law("bouc-wen", &values), 1e-3, 0.0, 0.0, 0.0);
    let result = identify(&[motion], &Spec::new("bouc-wen").expect("a law"), &quick()).expect("a fit");
    for (key, wanted) in values {
        let got = result.estimate(key).expect("an estimate").value;
        assert!((got / wanted - 1.0).abs() < 1e-6, "{key} = {got} for {wanted}");
    }
    let told = |text: &str| result.remarks.iter().any(|r| r.severity == Severity::Warning && r.text.contains(text));
    assert!(
        told("without bound") && told("|delta| <= gamma, which would show that it is dissipative, does not hold"),
        "{:?}",
        result.remarks
    );
}

#[test]
fn noise_stays_within_the_intervals_and_mass_and_offset_are_told() {
    let values = [("fc", 1.2), ("fs", 1.9), ("vs", 4e-3), ("sigma0", 3e4), ("sigma1", 35.0), ("sigma2", 12.0)];
    let motion = record(&law("lugre", &values), 1e-3, 0.02, 0.8, 0.15);
    let search = GlobalSearch::Multistart(ScreeningOptions { samples: 100, fits: 5, ..ScreeningOptions::default() });
    let options = DynamicOptions { mass: MassOption::Estimated, offset: true, level: 0.999, search, ..quick() };
    let fitted = fit(&[motion], &Spec::new("lugre").expect("a law"), &options, &mut |_| true).expect("a fit");
    let all = values.iter().copied().chain([("mass", 0.8), ("offset", 0.15)]);
    for (key, wanted) in all {
        let e = fitted.result.estimate(key).expect("an estimate");
        // eight intervals of 99.9 %: one in a hundred seeds would miss
        assert!(e.interval[0] < wanted && wanted < e.interval[1], "{key}: {:?} for {wanted}", e.interval);
        assert!(e.error > 0.0 && e.error < 0.3 * wanted, "{key}: {}", e.error);
    }
    let rms = fitted.result.score("rms").expect("a score");
    // 600 samples know their deviation to 2.9 %; three times that
    assert!((rms / 0.02 - 1.0).abs() < 0.09, "{rms}");
}

/// Strokes at one speed know the level there, and nothing of the curve.
#[test]
fn one_speed_cannot_tell_the_stribeck_curve() {
    let values = [("fc", 1.2), ("fs", 1.9), ("vs", 4e-3), ("sigma0", 3e4), ("sigma1", 0.0), ("sigma2", 0.0)];
    let model = law("lugre", &values).build().expect("admissible values");
    let (speed, mut z, mut x, mut random) = (3e-3, [0.0], 0.0, Random::new(5));
    let mut motion = MotionRecord { name: "strokes".into(), mass: Some(0.0), ..MotionRecord::default() };
    for k in 0..600 {
        let v = if k / 100 % 2 == 0 { speed } else { -speed };
        let force = model.sample(&mut z, &Input::at(v), STEP) + 0.01 * random.normal();
        x += v * STEP;
        motion.t.push(k as f64 * STEP);
        motion.position.push(x);
        motion.velocity.push(v);
        motion.force.push(force);
    }
    let result = identify(&[motion], &Spec::new("lugre").expect("a law"), &quick()).expect("a fit");
    for name in ["fs", "vs"] {
        assert_eq!(result.estimate(name).map(|e| e.identifiability), Some(Identifiability::Unidentifiable), "{name}");
    }
    let remark = result
        .remarks
        .iter()
        .find(|r| r.severity == Severity::Critical && r.text.contains("fs and vs"))
        .expect("a remark");
    assert!(remark.text.contains("not identifiable") && remark.text.contains("above 0.006 m/s"), "{}", remark.text);
}

/// Friction that follows a measured load: levels are told at the load in the middle.
#[test]
fn levels_grow_with_the_load() {
    let mut motion = record(&law("coulomb-tanh", &[("fc", 1.0), ("ktanh", 300.0)]), 1e-2, 0.0, 0.0, 0.0);
    motion.load = motion.t.iter().map(|t| 5.0 + 2.0 * (9.0 * t).sin()).collect();
    motion.force.iter_mut().zip(&motion.load).for_each(|(f, n)| *f *= 0.3 * n);
    let result = identify(&[motion], &Spec::new("coulomb-tanh").expect("a law"), &quick()).expect("a fit");
    let value = |name: &str| result.estimate(name).expect("an estimate").value;
    // 0.3 of the load, whatever load was taken for one
    // clean data: where the fit is told to stop
    assert!((value("fc") * value("load.slope") - 0.3).abs() < 1e-6, "{:?}", result.estimates);
    // the load in the middle is five but for an incomplete swing at the end
    assert!((1.0 / value("load.slope") - 5.0).abs() < 0.5);
    assert!(result.remarks.iter().any(|r| r.text.contains("load")));
}

/// A law from a file is fitted in all parameters, whatever their names and units, but for those that it says to hold; those of a
/// built-in law that are not fitted are held, too, unless the caller gave them.
#[test]
fn a_law_file_says_which_parameters_are_held() {
    let text = r#"
name = "named"
[params]
fc = { unit = "N", default = 1.0, min = 1e-6, max = 1e6 }
v0 = { unit = "m/s", default = 1e-3, min = 1e-9, max = 1e3 }
excess = { unit = "-", default = 0.2, min = 0.0, max = 5.0 }
width = { unit = "-", default = 3.0, min = 1.0, max = 10.0, fit = false }
[equations]
force = "load*fc*tanh(v/v0)*(1 + excess*exp(-(v/(width*v0))^2))"
"#;
    let file = LawFile::parse(text, Path::new("named.toml")).expect("a law");
    let values = [("fc", 1.2), ("v0", 2e-3), ("excess", 0.6)];
    let mut truth = file.spec();
    for (key, value) in values {
        truth.set(key, value).expect("within bounds");
    }
    let motion = record(&truth, 1e-2, 0.0, 0.0, 0.0);
    let result = identify(std::slice::from_ref(&motion), &file.spec(), &quick()).expect("a fit");
    for (key, wanted) in values {
        let e = result.estimate(key).expect("an estimate");
        // clean data: where the fit is told to stop
        assert!((e.value / wanted - 1.0).abs() < 1e-6, "{e:?} for {wanted}");
    }
    let known = |result: &IdentificationResult, name: &str| result.estimate(name).map(|e| e.identifiability);
    assert_eq!(known(&result, "width"), Some(Identifiability::Held));
    let mut given = file.spec();
    given.set("width", 3.0).expect("within bounds");
    let result = identify(std::slice::from_ref(&motion), &given, &quick()).expect("a fit");
    assert_eq!(known(&result, "width"), Some(Identifiability::Given));
    let dahl = identify(&[motion], &Spec::new("dahl").expect("a law"), &quick()).expect("a fit");
    assert_eq!(known(&dahl, "shape"), Some(Identifiability::Held));
}

/// Bounds, a start and a kind that the caller gives, zero as a bound of what is else sought by its logarithm among them.
#[test]
fn bounds_of_the_caller_hold() {
    let motion = record(&law("dahl", &[("fc", 1.7), ("sigma", 2.1e4)]), 1e-3, 0.0, 0.0, 0.0);
    let free = vec![
        FreeParameter::new("fc").within(0.0, 1.5),
        FreeParameter { start: Some(1e4), ..FreeParameter::new("sigma").within(0.0, 1e6) },
    ];
    let result =
        identify(&[motion], &Spec::new("dahl").expect("a law"), &DynamicOptions { free, ..quick() }).expect("a fit");
    let fc = result.estimate("fc").expect("an estimate");
    assert!(fc.value == 1.5 && fc.identifiability == Identifiability::AtBound, "{fc:?}");
}

#[test]
fn evolution_finds_the_same_as_many_starts() {
    let values = [("fc", 1.7), ("sigma", 2.1e4)];
    let motion = record(&law("dahl", &values), 1e-3, 0.0, 0.0, 0.0);
    let search = GlobalSearch::CmaEs(CmaOptions { evaluations: 200, restarts: 0, ..CmaOptions::default() });
    let result =
        identify(&[motion], &Spec::new("dahl").expect("a law"), &DynamicOptions { search, ..quick() }).expect("a fit");
    for (key, wanted) in values {
        // clean data: where the fit is told to stop
        assert!((result.estimate(key).expect("an estimate").value / wanted - 1.0).abs() < 1e-6, "{key}");
    }
}

/// A law with a Stribeck curve on friction without one.
#[test]
fn no_stribeck_effect_is_said_to_be_none() {
    let values = [("fc", 1.2), ("fs", 1.2), ("sigma0", 3e4), ("sigma1", 35.0), ("sigma2", 12.0)];
    let motion = record(&law("lugre", &values), 1e-3, 1e-4, 0.0, 0.0);
    let result = identify(&[motion], &Spec::new("lugre").expect("a law"), &quick()).expect("a fit");
    let fc = result.estimate("fc").expect("an estimate");
    // noise of 1e-4 N, and a Stribeck effect that may take some of the level
    assert!((fc.value / 1.2 - 1.0).abs() < 1e-2, "{fc:?}");
    assert_ne!(result.estimate("vs").map(|e| e.identifiability), Some(Identifiability::Good), "{:?}", result.remarks);
}

#[test]
fn each_direction_has_its_own_level() {
    let values = [("fc", 1.2), ("fs", 1.5), ("sigma0", 3e4), ("reverse.fc", 0.9), ("reverse.fs", 1.4)];
    let motion = record(&law("lugre", &values), 1e-3, 0.0, 0.0, 0.0);
    let free = ["fc", "fs", "sigma0", "reverse.fc", "reverse.fs"].map(FreeParameter::new).to_vec();
    let start = Spec::new("lugre").expect("a law");
    let result = identify(&[motion], &start, &DynamicOptions { free, ..quick() }).expect("a fit");
    for (key, wanted) in values {
        let got = result.estimate(key).expect("an estimate").value;
        // clean data: where the fit is told to stop
        assert!((got / wanted - 1.0).abs() < 1e-6, "{key} = {got} for {wanted}");
    }
}

#[test]
fn a_fit_goes_on_where_it_was_stopped() {
    let values = [("fc", 1.7), ("sigma", 2.1e4)];
    let motion = [record(&law("dahl", &values), 1e-3, 0.01, 0.0, 0.0)];
    let start = Spec::new("dahl").expect("a law");
    let whole = fit(&motion, &start, &quick(), &mut |_| true).expect("a fit");
    let (mut kept, mut steps, mut searched) = (None, 0, false);
    let stopped = fit(&motion, &start, &quick(), &mut |p| {
        searched |= p.stage == FitStage::GlobalSearch;
        steps += usize::from(p.stage == FitStage::LeastSquares);
        kept = p.checkpoint.cloned().or(kept.take());
        steps < 2
    });
    assert!(searched && !stopped.expect("a fit").fit.reason.converged());
    let options = DynamicOptions { resume: kept, ..quick() };
    let rest = fit(&motion, &start, &options, &mut |_| true).expect("a fit");
    for (a, b) in whole.fit.values.iter().zip(&rest.fit.values) {
        // the same steps from the same place
        assert_eq!(a, b);
    }
}

#[test]
fn what_cannot_be_is_said() {
    let motion = record(&law("dahl", &[]), 1e-3, 0.0, 0.0, 0.0);
    let start = Spec::new("dahl").expect("a law");
    let options = DynamicOptions { free: vec![FreeParameter::new("sigme")], ..quick() };
    let error = identify(std::slice::from_ref(&motion), &start, &options).expect_err("no such parameter");
    assert!(
        matches!(&error, Error::Law(LawError::UnknownParam { near, .. }) if near.contains(&"sigma".to_owned())),
        "{error}"
    );
    let bare = MotionRecord { acceleration: Vec::new(), mass: Some(2.0), ..motion.clone() };
    let error = identify(&[bare], &start, &quick()).expect_err("mass without acceleration");
    assert!(error.to_string().contains("acceleration"), "{error}");
    assert!(identify(&[], &start, &quick()).is_err());
    // nothing moves: whatever comes of it, all is said to be unknown
    let rest = MotionRecord { velocity: vec![0.0; motion.len()], position: vec![0.0; motion.len()], ..motion };
    if let Ok(result) = identify(&[rest], &start, &quick()) {
        assert!(result.estimates.iter().all(|e| e.identifiability != Identifiability::Good), "{:?}", result.estimates);
    }
}
