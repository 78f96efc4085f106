//! Rate and state from velocity steps.
use crate::published::data;
use stiction::Error;
use stiction::LawError;
use stiction::fit::{Random, ScreeningOptions};
use stiction::identify::FreeParameter;
use stiction::identify::rate_state::{RateStateOptions, SpringSlider, StateEvolution, VelocitySteps, fit, simulate};

/// Reference curves of another program (jrleeman/rsfmodel): friction to eight decimals, once a second, for a step of the load
/// point from 1 to 10 micrometres a second after ten seconds.
fn reference() -> Option<String> {
    data("rsf_rsfmodel/rsfmodel_reference.json").map(|path| std::fs::read_to_string(path).expect("readable"))
}

struct Case {
    name: &'static str,
    evolution: StateEvolution,
    states: usize,
    /// Name and value, micrometres made metres.
    values: &'static [(&'static str, f64)],
}

const CASES: [Case; 4] = [
    Case {
        name: "TestDeiterichOneStateVar",
        evolution: StateEvolution::Ageing,
        states: 1,
        values: &[("a", 0.005), ("b", 0.01), ("dc", 10e-6), ("k", 0.001e6), ("mu0", 0.6)],
    },
    Case {
        name: "TestRuinaOneStateVar",
        evolution: StateEvolution::Slip,
        states: 1,
        values: &[("a", 0.01), ("b", 0.005), ("dc", 10e-6), ("k", 0.001e6), ("mu0", 0.6)],
    },
    Case {
        name: "TestPRZOneStateVar",
        evolution: StateEvolution::PerrinRiceZheng,
        states: 1,
        values: &[("a", 0.011), ("b", 0.01), ("dc", 5e-6), ("k", 0.003e6), ("mu0", 0.6)],
    },
    Case {
        name: "TestDeiterichTwoStateVar",
        evolution: StateEvolution::Ageing,
        states: 2,
        values: &[
            ("a", 0.012),
            ("b", 0.0185),
            ("dc", 5e-6),
            ("b2", 0.0088),
            ("dc2", 50e-6),
            ("k", 0.003e6),
            ("mu0", 0.6),
        ],
    },
];

#[test]
fn published_curves_give_their_parameters_to_four_digits() {
    let Some(text) = reference() else { return };
    // unoptimised, one is enough
    let count = if cfg!(debug_assertions) { 1 } else { CASES.len() };
    for case in &CASES[..count] {
        let (_, truth) = text.split_once(&format!("\"{}\"", case.name)).expect("the case");
        let list = |key: &str| -> Vec<f64> {
            let (_, list) = truth.split_once(&format!("\"{key}\": [")).expect("the key");
            let (list, _) = list.split_once(']').expect("a list");
            list.split(',').map(|x| x.trim().parse().expect("a number")).collect()
        };
        let far: Vec<f64> = list("loadpoint_displacement").iter().map(|x| 1e-6 * x).collect();
        let record = VelocitySteps::from_displacement(case.name, &list("time"), &list("friction"), &far);
        let search = ScreeningOptions { samples: 30 * count, fits: count, ..ScreeningOptions::default() };
        let options = RateStateOptions {
            evolution: case.evolution,
            states: case.states,
            search,
            tolerance: 1e-8,
            ..RateStateOptions::default()
        };
        let result = fit(&[record], &options, &mut |_| true).expect("a fit");
        let rms = result.score("rms").expect("a score");
        println!("{}: rms {rms:e}", case.name);
        for (name, wanted) in case.values {
            let got = result.estimate(name).expect("an estimate").value;
            println!("  {name} = {got:.6e} ({:+.1e})", got / wanted - 1.0);
        }
        // rounding to eight decimals is 2.9e-9, the other program's own tolerance 1e-6 or so
        for (name, wanted) in case.values {
            let got = result.estimate(name).expect("an estimate").value;
            assert!((got / wanted - 1.0).abs() < 5e-5, "{}: {name} = {got} for {wanted}", case.name);
        }
    }
}

fn truth() -> SpringSlider<f64> {
    SpringSlider { mu0: 0.62, a: 0.008, b: [0.013, 0.004], dc: [8e-6, 60e-6], k: 2.5e3, v0: 1e-6 }
}

/// Up and down again.
fn record(states: usize, evolution: StateEvolution, noise: f64) -> VelocitySteps {
    let t: Vec<f64> = (0..80).map(|k| 0.5 * f64::from(k)).collect();
    let velocity: Vec<f64> = t.iter().map(|t| if *t > 5.0 && *t <= 20.0 { 10e-6 } else { 2e-6 }).collect();
    let mut steps =
        VelocitySteps { name: "steps".into(), friction: vec![0.0; t.len()], t, velocity, ..VelocitySteps::default() };
    steps.friction = simulate(&truth(), evolution, states, &steps, 1e-10);
    let mut random = Random::new(11);
    steps.friction.iter_mut().for_each(|mu| *mu += noise * random.normal());
    steps
}

#[test]
fn every_evolution_comes_back_and_noise_stays_within() {
    for (evolution, noise) in [
        (StateEvolution::Ageing, 0.0),
        (StateEvolution::Slip, 0.0),
        (StateEvolution::PerrinRiceZheng, 0.0),
        (StateEvolution::Slip, 2e-5),
    ] {
        let search = ScreeningOptions { samples: 20, fits: 1, ..ScreeningOptions::default() };
        let options = RateStateOptions {
            evolution,
            v0: Some(1e-6),
            search,
            level: 0.999,
            tolerance: 1e-8,
            ..RateStateOptions::default()
        };
        let result = fit(&[record(1, evolution, noise)], &options, &mut |_| true).expect("a fit");
        let t = truth();
        for (name, wanted) in [("mu0", t.mu0), ("a", t.a), ("b", t.b[0]), ("dc", t.dc[0]), ("k", t.k)] {
            let e = result.estimate(name).expect("an estimate");
            if noise == 0.0 {
                // the tolerance of the fit's simulation is 1e-8, of the record's 1e-10
                assert!((e.value / wanted - 1.0).abs() < 1e-5, "{evolution:?}: {name} = {} for {wanted}", e.value);
            } else {
                // five intervals of 99.9 %
                let [low, high] = e.interval;
                assert!(low < wanted && wanted < high, "{evolution:?}: {name} in {low} to {high} for {wanted}");
            }
        }
    }
}

/// Derivatives by dual numbers, seen through the fit: a fit from the truth must stay there for two states, too.
#[test]
fn two_states_are_told_apart() {
    let steps = record(2, StateEvolution::Ageing, 0.0);
    let t = truth();
    let near = [("a", t.a), ("b", t.b[0]), ("dc", t.dc[0]), ("b2", t.b[1]), ("dc2", t.dc[1]), ("k", t.k)];
    // a factor of two off, in turns
    let known = near
        .iter()
        .enumerate()
        .map(|(i, (key, x))| FreeParameter {
            start: Some(if i % 2 == 0 { 1.5 * x } else { x / 1.5 }),
            ..FreeParameter::new(key)
        })
        .collect();
    let search = ScreeningOptions { samples: 1, fits: 0, evaluations: 60, ..ScreeningOptions::default() };
    let options = RateStateOptions {
        states: 2,
        v0: Some(1e-6),
        constraints: known,
        search,
        tolerance: 1e-9,
        ..RateStateOptions::default()
    };
    let result = fit(&[steps], &options, &mut |_| true).expect("a fit");
    for (name, wanted) in near {
        let got = result.estimate(name).expect("an estimate").value;
        // simulated at 1e-9; two states are told apart by a small part of the friction
        assert!((got / wanted - 1.0).abs() < 1e-4, "{name} = {got} for {wanted}");
    }
    let law = result.law.expect("a law of the registry");
    assert_eq!(law.law().name, "dieterich");
    assert!((law.get("dc2").expect("a value") / t.dc[1] - 1.0).abs() < 1e-4);
}

/// A trace has two rows where the speed jumps; plain samples do not say when it does, and the fit says that.
#[test]
fn the_instant_of_a_step_is_in_the_record_or_missed() {
    let steps = record(1, StateEvolution::Ageing, 0.0);
    let jumps = |t: f64| t == 5.0 || t == 20.0;
    let sampled = |t: f64| if (5.0..20.0).contains(&t) { 10e-6 } else { 2e-6 };
    let mut trace: [Vec<f64>; 3] = Default::default();
    let rows = steps.t.iter().zip(&steps.friction).zip(&steps.velocity);
    for ((t, mu), v) in rows {
        let twice = if jumps(*t) { Some(sampled(*t)) } else { None };
        for v in [*v].into_iter().chain(twice) {
            trace.iter_mut().zip([*t, *mu, v]).for_each(|(column, x)| column.push(x));
        }
    }
    let [t, mu, v] = trace;
    assert_eq!(VelocitySteps::from_velocity("steps", &t, &mu, &v), steps);
    let velocity: Vec<f64> = steps.t.iter().map(|t| sampled(*t)).collect();
    let plain = VelocitySteps::from_velocity("steps", &steps.t, &steps.friction, &velocity);
    assert_eq!(plain.unsure, [10, 40]);
    let search = ScreeningOptions { samples: 20, fits: 1, ..ScreeningOptions::default() };
    let options = RateStateOptions { v0: Some(1e-6), search, tolerance: 1e-6, ..RateStateOptions::default() };
    let told = |steps: VelocitySteps| {
        let result = fit(&[steps], &options, &mut |_| true).expect("a fit");
        result.remarks.iter().any(|remark| remark.text.contains("2 steps of the speed lie between two samples"))
    };
    assert!(told(plain) && !told(steps));
}

#[test]
fn what_cannot_be_fitted_is_said() {
    let mut flat = record(1, StateEvolution::Ageing, 0.0);
    flat.velocity.fill(1e-6);
    let error = fit(&[flat], &RateStateOptions::default(), &mut |_| true).expect_err("no step");
    assert!(error.to_string().contains("do not change"), "{error}");
    let options = RateStateOptions { constraints: vec![FreeParameter::new("dc1")], ..RateStateOptions::default() };
    let error = fit(&[record(1, StateEvolution::Ageing, 0.0)], &options, &mut |_| true).expect_err("no such name");
    assert!(
        matches!(&error, Error::Law(LawError::UnknownParam { near, .. }) if near.contains(&"dc".to_owned())),
        "{error}"
    );
}
