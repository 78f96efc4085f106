//! Rate and state from velocity steps.
use crate::published::data;
use stiction::Error;
use stiction::LawError;
use stiction::fit::{Random, ScreeningOptions};
use stiction::identify::FreeParameter;
use stiction::identify::IdentificationResult;
use stiction::identify::rate_state::{
    LoadPoint, RateStateOptions, SpringSlider, StateEvolution, Trend, VelocityStepOptions, VelocitySteps, fit,
    select_evolution, simulate,
};

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
        let how = VelocityStepOptions::default();
        let (t, friction) = (list("time"), list("friction"));
        let record = VelocitySteps::from_displacement(case.name, &t, &friction, &far, &how).expect("a record");
        let search = ScreeningOptions { samples: 150 * count, fits: 2 * count, ..ScreeningOptions::default() };
        let options = RateStateOptions {
            evolution: case.evolution,
            states: case.states,
            search,
            tolerance: 1e-8,
            trend: Trend::None,
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
    SpringSlider { mu0: 0.62, a: 0.008, b: [0.013, 0.004], dc: [8e-6, 60e-6], k: 2.5e3, c: 1.5, v0: 2e-6 }
}

/// A load point with these starts and velocities.
fn load(steps: &[(f64, f64)]) -> LoadPoint {
    let (start, velocity): (Vec<f64>, Vec<f64>) = steps.iter().copied().unzip();
    LoadPoint { uncertainty: vec![0.0; start.len()], start, velocity, noise: 0.0 }
}

/// Up and down again.
fn record(states: usize, evolution: StateEvolution, noise: f64) -> VelocitySteps {
    let t: Vec<f64> = (0..80).map(|k| 0.5 * f64::from(k)).collect();
    let load = load(&[(0.0, 2e-6), (5.0, 10e-6), (20.0, 2e-6)]);
    let mut steps = VelocitySteps { name: "steps".into(), t, load, ..VelocitySteps::default() };
    steps.friction = simulate(&truth(), evolution, states, &steps, 1e-10);
    let mut random = Random::new(11);
    steps.friction.iter_mut().for_each(|mu| *mu += noise * random.normal());
    steps
}

fn small_search() -> ScreeningOptions {
    ScreeningOptions { samples: 200, fits: 3, ..ScreeningOptions::default() }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "full size: in release builds only")]
fn every_evolution_comes_back_and_noise_stays_within() {
    for (evolution, noise) in [
        (StateEvolution::Ageing, 0.0),
        (StateEvolution::Slip, 0.0),
        (StateEvolution::PerrinRiceZheng, 0.0),
        (StateEvolution::Nagata, 0.0),
        (StateEvolution::Slip, 2e-5),
    ] {
        let options = RateStateOptions {
            evolution,
            search: small_search(),
            level: 0.999,
            tolerance: 1e-8,
            profile: noise > 0.0,
            ..RateStateOptions::default()
        };
        let result = fit(&[record(1, evolution, noise)], &options, &mut |_| true).expect("a fit");
        let t = truth();
        let c = (evolution == StateEvolution::Nagata).then_some(("c", t.c));
        let all = [("mu0", t.mu0), ("a", t.a), ("b", t.b[0]), ("dc", t.dc[0]), ("k", t.k)].into_iter().chain(c);
        for (name, wanted) in all {
            let e = result.estimate(name).expect("an estimate");
            if noise == 0.0 {
                // the tolerance of the fit's simulation is 1e-8, of the record's 1e-10; c is told by a small part of friction
                assert!((e.value / wanted - 1.0).abs() < 1e-4, "{evolution:?}: {name} = {} for {wanted}", e.value);
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
    let search = ScreeningOptions { samples: 1, fits: 0, evaluations: 100, ..ScreeningOptions::default() };
    let options = RateStateOptions {
        states: 2,
        constraints: known,
        profile: false,
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

/// A trace has two rows where the speed jumps; plain samples do not say when it does, and the fit finds the time.
#[test]
fn the_time_of_a_step_is_in_the_record_or_fitted() {
    let steps = record(1, StateEvolution::Ageing, 0.0);
    let jumps = |t: f64| t == 5.0 || t == 20.0;
    let sampled = |t: f64| if (5.0..20.0).contains(&t) { 10e-6 } else { 2e-6 };
    let mut trace: [Vec<f64>; 3] = Default::default();
    for (t, mu) in steps.t.iter().zip(&steps.friction) {
        let before = if jumps(*t) { Some(sampled(*t - 0.1)) } else { None };
        for v in before.into_iter().chain([sampled(*t)]) {
            trace.iter_mut().zip([*t, *mu, v]).for_each(|(column, x)| column.push(x));
        }
    }
    let [t, mu, v] = trace;
    let how = VelocityStepOptions::default();
    assert_eq!(VelocitySteps::from_velocity("steps", &t, &mu, &v, &how).expect("a record"), steps);
    // steps a little after a sample, whose times the velocities do not tell
    let mut late = steps.clone();
    late.load = load(&[(0.0, 2e-6), (5.1, 10e-6), (20.2, 2e-6)]);
    late.friction = simulate(&truth(), StateEvolution::Ageing, 1, &late, 1e-10);
    let velocity: Vec<f64> = late.t.iter().map(|t| if (5.1..20.2).contains(t) { 10e-6 } else { 2e-6 }).collect();
    let plain = VelocitySteps::from_velocity("steps", &late.t, &late.friction, &velocity, &how).expect("a record");
    assert!(plain.load.uncertainty[1] > 0.1 && plain.load.uncertainty[2] > 0.1, "{:?}", plain.load);
    let options =
        RateStateOptions { search: small_search(), tolerance: 1e-8, profile: false, ..RateStateOptions::default() };
    let result = fit(&[plain], &options, &mut |_| true).expect("a fit");
    for (name, wanted) in [("step1", 5.1), ("step2", 20.2), ("k", truth().k), ("dc", truth().dc[0])] {
        let got = result.estimate(name).expect("an estimate").value;
        // prior knowledge of the interval pulls by its share of the information, which is small without noise
        assert!((got / wanted - 1.0).abs() < 1e-3, "{name} = {got} for {wanted}");
    }
}

/// A record with noise of the load point, white and wandering noise of friction, and a drift, as a laboratory makes it.
fn noisy(
    seed: u32,
    steps: &[(f64, f64)],
    end: f64,
    slider: &SpringSlider<f64>,
    evolution: StateEvolution,
) -> VelocitySteps {
    let mut random = Random::new(seed);
    let t: Vec<f64> = (0..(10.0 * end) as usize).map(|k| 0.1 * k as f64).collect();
    let load = load(steps);
    let exact = VelocitySteps { name: "noisy".into(), t: t.clone(), load: load.clone(), ..VelocitySteps::default() };
    let mut mu = simulate(slider, evolution, 1, &exact, 1e-9);
    let travel = load.travel(&t);
    let far = travel[travel.len() - 1];
    let decay = (-0.1_f64 / 30.0).exp();
    let mut wander = 2e-4 * random.normal();
    for (mu, x) in mu.iter_mut().zip(&travel) {
        *mu += wander + 2e-4 * random.normal() + 3e-3 * x / far;
        wander = wander * decay + 2e-4 * (1.0 - decay * decay).sqrt() * random.normal();
    }
    let x: Vec<f64> = travel.iter().map(|x| x + 3e-7 * random.normal()).collect();
    VelocitySteps::from_displacement("noisy", &t, &mu, &x, &VelocityStepOptions::default()).expect("a record")
}

const UP: [(f64, f64); 2] = [(0.0, 1e-6), (60.3, 1e-5)];
const UP_AND_DOWN: [(f64, f64); 3] = [(0.0, 1e-6), (60.3, 1e-5), (90.7, 1e-6)];

/// The stiffness of a machine is found from noise-free steps up, down, and up and down; its range does not come from slopes of
/// the data, which a tenfold step down makes steep.
#[test]
fn the_stiffness_comes_back_from_any_step() {
    let ks: &[f64] = if cfg!(debug_assertions) { &[2e4] } else { &[2e3, 2e4, 2e5] };
    for steps in [&UP[..], &[(0.0, 1e-5), (30.3, 1e-6)], &UP_AND_DOWN] {
        for k in ks {
            let t: Vec<f64> = (0..1500).map(|k| 0.1 * f64::from(k)).collect();
            let mut record = VelocitySteps { name: "steps".into(), t, load: load(steps), ..VelocitySteps::default() };
            let slider = SpringSlider { k: *k, v0: steps[0].1, ..truth() };
            record.friction = simulate(&slider, StateEvolution::Ageing, 1, &record, 1e-10);
            let options = RateStateOptions { search: small_search(), profile: false, ..RateStateOptions::default() };
            let result = fit(&[record], &options, &mut |_| true).expect("a fit");
            let got = result.estimate("k").expect("an estimate").value;
            // the simulation's tolerance is 1e-9 of friction, of which the spring explains a thousandth
            assert!((got / k - 1.0).abs() < 1e-4, "k = {got} for {k} at {steps:?}");
        }
    }
}

fn covers(result: &IdentificationResult, slider: &SpringSlider<f64>) -> [bool; 4] {
    [("a", slider.a), ("b", slider.b[0]), ("dc", slider.dc[0]), ("k", slider.k)].map(|(name, wanted)| {
        let [low, high] = result.estimate(name).expect("an estimate").interval;
        low <= wanted && wanted <= high
    })
}

/// Intervals of 95 % hold the truth in 90 to 99 % of noisy records with a drift. Of 60 records with four parameters each, a share of 95 %
/// has a standard error below 2.8 % (parameters of one record depend on each other), so 88 % is two and a half of these below.
#[test]
#[cfg_attr(debug_assertions, ignore = "full size: in release builds only")]
fn intervals_of_noisy_records_hold_the_truth() {
    let count = 60;
    let slider = SpringSlider { k: 5.4e3, b: [0.011, 0.0], v0: 1e-6, ..truth() };
    let mut held = 0;
    for seed in 1..=count {
        let record = noisy(seed, &UP, 140.0, &slider, StateEvolution::Ageing);
        assert_eq!(record.load.steps().len(), 1, "{:?}", record.load);
        let options = RateStateOptions { v0: Some(1e-6), search: small_search(), ..RateStateOptions::default() };
        let result = fit(&[record], &options, &mut |_| true).expect("a fit");
        held += covers(&result, &slider).into_iter().filter(|held| *held).count();
    }
    let share = held as f64 / f64::from(4 * count);
    println!("{:.1} % of intervals hold the truth", 100.0 * share);
    assert!(share >= 0.88, "{share}");
}

#[test]
fn a_start_that_is_not_steady_is_told() {
    let slider = SpringSlider { k: 5.4e3, b: [0.011, 0.0], v0: 1e-6, ..truth() };
    let told = |from: f64| {
        let mut record = noisy(3, &[(0.0, 1e-5), (60.0, 1e-6), (110.0, 1e-5)], 160.0, &slider, StateEvolution::Ageing);
        let keep = record.t.partition_point(|t| *t < from);
        record.t.drain(..keep);
        record.friction.drain(..keep);
        record.load = load(&[(record.t[0], 1e-6), (110.0, 1e-5)]);
        let search = ScreeningOptions { samples: 200, fits: 2, ..ScreeningOptions::default() };
        let options = RateStateOptions { search, profile: false, ..RateStateOptions::default() };
        let result = fit(&[record], &options, &mut |_| true).expect("a fit");
        result.remarks.iter().any(|remark| remark.text.contains("does not begin in steady sliding"))
    };
    // in the middle of the answer to the step before, and after six critical distances
    assert!(told(62.0) && !told(108.0 - 10.0));
}

/// The slip law is told from the ageing law.
#[test]
#[cfg_attr(debug_assertions, ignore = "full size: in release builds only")]
fn the_evolution_is_chosen_by_likelihood() {
    let record = record(1, StateEvolution::Slip, 2e-5);
    let search = ScreeningOptions { samples: 200, fits: 2, ..ScreeningOptions::default() };
    let options = RateStateOptions { search, profile: false, tolerance: 1e-7, ..RateStateOptions::default() };
    assert!(record.is_velocity_step());
    let result = select_evolution(&[record], &options, &mut |_| true).expect("a fit");
    assert!(result.title.contains("slip law, one state"), "{}", result.title);
}

/// A real record: noisy displacement of the load point, a servo that takes two seconds for the step, friction that wanders.
#[test]
#[cfg_attr(debug_assertions, ignore = "full size: in release builds only")]
fn a_laboratory_record_is_fitted() {
    let Some(path) = data("rsf_lab/velstep3_TR2_exp013_sepiolite.txt") else { return };
    let text = std::fs::read_to_string(path).expect("readable");
    let rows: Vec<Vec<f64>> = text
        .lines()
        .skip(1)
        .map(|line| line.split('\t').map(|x| x.trim().parse().expect("a number")).collect())
        .collect();
    let column = |j: usize, scale: f64| rows.iter().map(|row| scale * row[j]).collect::<Vec<f64>>();
    let how = VelocityStepOptions::default();
    let record =
        VelocitySteps::from_displacement("sepiolite", &column(0, 1.0), &column(2, 1.0), &column(1, 1e-6), &how)
            .expect("a record");
    let load = &record.load;
    // tenfold, and where the friction rises
    let (first, last) = (load.velocity[0], load.velocity[load.velocity.len() - 1]);
    assert!((first / 2e-7 - 1.0).abs() < 0.01 && (last / 2e-6 - 1.0).abs() < 0.01, "{load:?}");
    assert!((load.start[1] - 21_320.0).abs() < 2.0, "{load:?}");
    let options =
        RateStateOptions { evolution: StateEvolution::Slip, search: small_search(), ..RateStateOptions::default() };
    let result = fit(&[record], &options, &mut |_| true).expect("a fit");
    // a plain fit by SciPy with the same equations, a load point of its own and equal weights per decade of time after the step.
    // Its a = 0.0117 and dc = 95 µm lie outside the intervals here: one state does not describe the record, and the weights decide
    for (name, wanted) in [("k", 2502.0), ("b", -0.0089)] {
        let [low, high] = result.estimate(name).expect("an estimate").interval;
        assert!(low < wanted && wanted < high, "{name} in {low} to {high} for {wanted}");
    }
}

#[test]
fn what_cannot_be_fitted_is_said() {
    let mut flat = record(1, StateEvolution::Ageing, 0.0);
    flat.load = load(&[(0.0, 1e-6)]);
    let error = fit(&[flat], &RateStateOptions::default(), &mut |_| true).expect_err("no step");
    assert!(error.to_string().contains("do not change"), "{error}");
    let mut back = record(1, StateEvolution::Ageing, 0.0);
    back.load.velocity[1] = -1e-6;
    let error = fit(&[back], &RateStateOptions::default(), &mut |_| true).expect_err("backwards");
    assert!(error.to_string().contains("zero or more"), "{error}");
    let options = RateStateOptions { constraints: vec![FreeParameter::new("dc1")], ..RateStateOptions::default() };
    let error = fit(&[record(1, StateEvolution::Ageing, 0.0)], &options, &mut |_| true).expect_err("no such name");
    assert!(
        matches!(&error, Error::Law(LawError::UnknownParam { near, .. }) if near.contains(&"dc".to_owned())),
        "{error}"
    );
}
