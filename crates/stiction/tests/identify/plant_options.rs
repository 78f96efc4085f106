//! Options of a fit through a simulated plant: inputs, switches, priors, what is held.
use crate::plant::{NONE, SLIDE, record, slide};
use stiction::fit::{NoiseModel, SearchJournal};
use stiction::identify::dynamic::plant::{PlantFit, PlantLog, PlantOptions, fit};
use stiction::identify::{FitCheckpoint, FitStage, FreeParameter, GlobalSearch, Identifiability};
use stiction::scenario::{PriorKnowledge, Scenario, Template};
use stiction::sim::{NullObserver, Trace};

fn local() -> PlantOptions {
    PlantOptions { search: GlobalSearch::None, ..PlantOptions::default() }
}

fn prior(name: &str, mean: f64, deviation: f64) -> PriorKnowledge {
    PriorKnowledge { name: name.to_owned(), mean, deviation }
}

/// The last value of each measure.
fn measures(text: &str) -> Vec<f64> {
    let scenario = Scenario::parse(text, "test.toml".as_ref(), NONE).expect("a scenario");
    let simulation = scenario.simulation().expect("a system");
    let summary = simulation.run(&scenario.options, &mut NullObserver).expect("a run");
    summary.probes.iter().map(|x| x.expect("a number")).collect()
}

/// A force of 1 N on 1 kg for half a second, then none: 1/8 m + 1/4 m after a second; then a damper that works for one second.
#[test]
fn a_signal_switches_controllers_and_dampers() {
    let off = "{ table = { points = [[0, 1], [0.5, 0]], interpolation = \"hold\" } }";
    let push = "measure = [\"a.x\"]\ngains = [0]\nextra = 1";
    for control in [format!("{push}\nenable = {off}"), format!("{push}\nperiod = 0.1\nenable = {off}")] {
        let text = format!(
            "[run]\nend = 1\n[body.a]\nmass = 1\n[control.c]\non = \"a\"\n{control}\n[measure]\nx = {{ final = \"a.x\" }}\n"
        );
        let got = measures(&text)[0];
        // a parabola and a straight line: rounding, and that of sample times
        assert!((got - 0.375).abs() < 1e-9, "{control}: {got}");
    }
    for other in ["ground", "b"] {
        let text = format!(
            "[run]\nend = 2\nrtol = 1e-10\n[body.a]\nmass = 1\nv = 1\n[body.b]\nmass = 1e9\n[damper.d]\nbetween = [\"a\", \"{other}\"]\ndamping = 2\n\
             enable = {{ step = {{ before = 1, after = 0, at = 1 }} }}\n[measure]\nv = {{ final = \"a.v\" }}\n"
        );
        let got = measures(&text)[0];
        // exp(−c t/m) while it is on; the tolerance of the run, and a second body a billion times as heavy
        assert!((got - (-2.0_f64).exp()).abs() < 1e-7, "{other}: {got}");
    }
}

/// A spring by a formula: a cosine; held and delayed values: their integral.
#[test]
fn formulas_and_delays_do_what_they_say() {
    let text = "[run]\nend = 2\nrtol = 1e-10\n[body.a]\nmass = 2\nx = 1\n[formula.f]\non = \"a\"\nformula = \"-k*x\"\nmeasure = { x = \"a.x\" }\n\
                constants = { k = 8 }\n[measure]\nx = { final = \"a.x\" }\n";
    // ω = 2; the tolerance of the run with room for two periods
    assert!((measures(text)[0] - 4.0_f64.cos()).abs() < 1e-7);
    let text = "[run]\nend = 2\n[body.a]\nmass = 1\n[force.f]\non = \"a\"\nforce = { table = { points = [[0, 1], [1, 3]], interpolation = \"hold\", delay = 0.5 } }\n\
                [measure]\nv = { final = \"a.v\" }\n";
    // 1 N until 1.5 s, 3 N for half a second
    assert!((measures(text)[0] - 3.0).abs() < 1e-9, "{:?}", measures(text));
    let wrong = |text: &str| Scenario::parse(text, "test.toml".as_ref(), NONE).err().expect("a mistake").to_string();
    let table = |more: &str| {
        format!(
            "[run]\nend = 1\n[body.a]\nmass = 1\n[spring.s]\nbetween = [\"a\", \"ground\"]\ntable = {{ points = [[-1, -1], [1, 1]], {more} }}\n"
        )
    };
    assert!(wrong(&table("interpolation = \"hold\"")).contains("over time"));
    assert!(wrong(&table("delay = 1")).contains("over time"));
    let formula = |text: &str| format!("[run]\nend = 1\n[body.a]\nmass = 1\n[formula.f]\non = \"a\"\n{text}\n");
    assert!(wrong(&formula("formula = \"k*x\"")).contains("'k'"));
    assert!(wrong(&formula("formula = \"x\"\nmeasure = { x = \"b.x\" }")).contains("b.x"));
}

/// The slide with a delay that is to be found.
fn late() -> Template {
    let text = SLIDE.replace("\"1e-3*goal\"", "{ value = \"1e-3*goal\", delay = \"late\" }");
    let text = text.replace("[identify.free]\n", "[identify.free]\nlate = { low = 0, high = 0.2, start = 0.03 }\n");
    Template::parse(&text, "slide.toml".as_ref(), NONE).expect("a scenario")
}

#[test]
fn a_delay_comes_back() {
    // the record follows a goal that the log shows 80 ms too early
    let mut log = record("late", 1.1, 5.0, 0.0);
    let shown: Vec<f64> = log.columns[0].1.iter().map(|t| 40.0 * (5.0 * (t + 0.08)).sin() + 3.0).collect();
    log.columns[1].1 = shown;
    let options = PlantOptions { rtol: Some(1e-8), ..local() };
    let fitted = fit(&late(), &[log], &options, &mut |_| true).expect("a fit");
    let got = fitted.result.estimate("late").expect("an estimate").value;
    // within the first 80 ms the log does not show what the goal was: a few of 101 samples, and their decay
    assert!((got - 0.08).abs() < 4e-3, "{got}");
}

fn value(fitted: &PlantFit, name: &str) -> f64 {
    fitted.result.estimate(name).expect("an estimate").value
}

#[test]
fn parameters_are_held_bounded_and_known_before() {
    let logs = [record("slow", 1.3, 3.0, 2e-4)];
    let run = |options: PlantOptions| fit(&slide(), &logs, &options, &mut |_| true);
    let held = run(PlantOptions { hold: vec![("mass".to_owned(), 14.0)], ..local() }).expect("a fit");
    assert_eq!(value(&held, "mass"), 14.0);
    assert_eq!(held.result.estimate("mass").expect("given").identifiability, Identifiability::Given);
    let only = run(PlantOptions { free: vec![FreeParameter::new("fc")], ..local() }).expect("a fit");
    // the middle of [1, 50] and of [0, 200]
    assert_eq!([value(&only, "mass"), value(&only, "fv")], [25.5, 100.0]);
    let bounded =
        run(PlantOptions { bounds: vec![FreeParameter::new("mass").within(20.0, 30.0)], ..local() }).expect("a fit");
    assert!(value(&bounded, "mass") >= 20.0);
    // a sharp prior is followed, a wide one is not
    let [sharp, wide] = [1e-6, 1e6]
        .map(|deviation| run(PlantOptions { priors: vec![prior("fv", 50.0, deviation)], ..local() }).expect("a fit"));
    assert!((value(&sharp, "fv") - 50.0).abs() < 1e-3, "{}", value(&sharp, "fv"));
    let plain = run(local()).expect("a fit");
    assert!((value(&wide, "fv") / value(&plain, "fv") - 1.0).abs() < 1e-3);
    let told = |fitted: &PlantFit, words: &str| fitted.result.remarks.iter().any(|r| r.text.contains(words));
    assert!(told(&sharp, "tell little of fv") && !told(&wide, "tell little of fv"), "{:?}", sharp.result.remarks);
    for options in [
        PlantOptions { hold: vec![("mas".to_owned(), 14.0)], ..local() },
        PlantOptions { free: vec![FreeParameter::new("mas")], ..local() },
        PlantOptions { priors: vec![prior("mas", 1.0, 1.0)], ..local() },
    ] {
        let error = run(options).expect_err("a misspelt name").to_string();
        assert!(error.contains("mas"), "{error}");
    }
}

#[test]
fn a_column_that_is_not_used_is_named() {
    let mut log = record("slow", 1.3, 3.0, 0.0);
    let rows = log.columns[0].1.len();
    log.columns.push(("temperature".to_owned(), (0..rows).map(|k| 20.0 + k as f64).collect()));
    log.columns.push(("torque_enable".to_owned(), (0..rows).map(|k| f64::from(k < 50)).collect()));
    let fitted = fit(&slide(), &[log], &local(), &mut |_| true).expect("a fit");
    let remarks: Vec<&str> = fitted.result.remarks.iter().map(|r| r.text.as_str()).collect();
    assert!(remarks.iter().any(|text| text.contains("torque_enable") && text.contains("switches")), "{remarks:?}");
    assert!(remarks.iter().any(|text| text.contains("not use: temperature")), "{remarks:?}");
}

/// Records of the slide with noise that is white, or lasts: the share of 95 % intervals that contain the truth.
#[test]
#[cfg_attr(debug_assertions, ignore = "many fits: in release builds only")]
fn intervals_cover_the_truth() {
    let clean = [record("slow", 1.3, 3.0, 0.0), record("fast", 1.1, 7.0, 0.0)];
    for rho in [0.0, 0.9] {
        let mut random = stiction::fit::Random::new(11);
        let (mut inside, mut all) = ([0; 3], 0);
        for _ in 0..40 {
            let mut logs = clean.clone();
            for log in &mut logs {
                let mut noise = 0.0;
                for x in &mut log.columns[2].1 {
                    noise = rho * noise + f64::sqrt(1.0 - rho * rho) * random.normal();
                    *x += 0.2 * noise;
                }
            }
            let mut options = local();
            if rho == 0.0 {
                options.fit.noise = NoiseModel::correlated();
            }
            let start = [("mass", 12.0), ("fc", 8.0), ("fv", 35.0)];
            options.free =
                start.iter().map(|(name, x)| FreeParameter { start: Some(*x), ..FreeParameter::new(name) }).collect();
            let fitted = fit(&slide(), &logs, &options, &mut |_| true).expect("a fit");
            all += 1;
            for (k, (name, wanted)) in start.into_iter().enumerate() {
                let [low, high] = fitted.result.estimate(name).expect("an estimate").interval;
                inside[k] += i32::from(low <= wanted && wanted <= high);
            }
        }
        println!("ρ = {rho}: {inside:?} of {all} intervals of 95 % contain the truth");
        // 38 of 40 are expected; 33 or fewer have a probability of 1 % at a true coverage of 95 %
        assert!(inside.iter().all(|n| *n >= 34), "{rho}: {inside:?}");
    }
}

#[test]
fn the_same_log_twice_is_read_the_same() {
    // an enable column of a log is held: the first row with 0 switches off
    let mut trace = Trace::default();
    let text = "[run]\nend = 1\nsample = 0.1\n[body.a]\nmass = 1\n[control.c]\non = \"a\"\nmeasure = [\"a.x\"]\ngains = [0]\nextra = 1\nenable = 1\n\
                [identify.free]\nk = [0.5, 2]\n[identify.set]\n\"body.a.mass\" = \"k\"\n[identify.input]\n\"control.c.enable\" = \"on\"\n[identify.match]\n\"a.x\" = \"x\"\n";
    let template = Template::parse(text, "test.toml".as_ref(), NONE).expect("a scenario");
    let scenario = template.build().expect("a scenario");
    scenario.simulation().expect("a system").run(&scenario.options, &mut trace).expect("a run");
    let t: Vec<f64> = (0..11).map(|k| 0.1 * f64::from(k)).collect();
    let on: Vec<f64> = t.iter().map(|t| f64::from(*t < 0.45)).collect();
    // m = 1.25 kg: a = 0.8 m/s² until 0.5 s
    let x = t.iter().map(|t| if *t <= 0.5 { 0.4 * t * t } else { 0.1 + 0.4 * (t - 0.5) }).collect();
    let columns = vec![("t".to_owned(), t), ("on".to_owned(), on), ("x".to_owned(), x)];
    let log = PlantLog { name: "log".to_owned(), columns, ..PlantLog::default() };
    let fitted = fit(&template, &[log], &local(), &mut |_| true).expect("a fit");
    // the record is exact: the tolerance of the run
    assert!((value(&fitted, "k") - 1.25).abs() < 1e-4, "{}", value(&fitted, "k"));
}

/// A resumed fit searched nothing, weighed prior knowledge by another place, and began its rounds anew.
#[test]
fn a_fit_that_was_stopped_ends_as_if_it_had_not_been() {
    let logs = [record("a", 1.2, 2.0, 0.3)];
    let options = PlantOptions { priors: vec![prior("fv", 50.0, 5.0)], ..PlantOptions::default() };
    let mut all = Vec::new();
    let whole = fit(&slide(), &logs, &options, &mut |now| {
        all.push((now.stage, now.checkpoint.expect("a checkpoint").clone()));
        true
    })
    .expect("a fit");
    let searched = all.iter().filter(|(stage, _)| *stage == FitStage::GlobalSearch).count();
    assert!(searched > 2 && searched + 2 < all.len(), "{searched} of {}", all.len());
    let rounds = all.last().and_then(|(_, kept)| kept.round.as_ref()).map_or(0, |round| round.number);
    assert!(rounds > 1, "{rounds}");
    for at in [0, searched / 2, searched - 1, searched + 1, all.len() - 1] {
        let (stage, kept) = &all[at];
        // as from a file: what is finished, to be passed from the beginning
        let kept = FitCheckpoint { search: SearchJournal::new(kept.search.parts.clone()), ..kept.clone() };
        let again = PlantOptions { resume: Some(kept), ..options.clone() };
        let resumed = fit(&slide(), &logs, &again, &mut |_| true).expect("a fit");
        // the same steps from the same place, to the last bit
        assert_eq!(whole.fit.values, resumed.fit.values, "{at} of {}: {stage:?}", all.len());
        assert_eq!(whole.fit.covariance, resumed.fit.covariance, "{at} of {}: {stage:?}", all.len());
    }
}

/// A goal that reaches the drive 80 ms after its row, or 40 ms before it, of which the scenario knows nothing: mass and damping make up for it.
#[test]
fn a_command_that_comes_late_or_early_is_told() {
    for late in [0.08, -0.04, 0.0] {
        let logs = [(1.3, 3.0), (1.1, 5.0)].map(|(excess, pace)| {
            let mut log = record("late", excess, pace, 2e-4);
            let shown = log.columns[0].1.iter().map(|t| 40.0 * (pace * (t + late)).sin() + 3.0).collect();
            log.columns[1].1 = shown;
            log
        });
        let fitted = fit(&slide(), &logs, &local(), &mut |_| true).expect("a fit");
        let told = fitted.result.remarks.iter().find(|r| r.text.contains("seem to act"));
        assert_eq!(told.is_some(), late != 0.0, "{late}: {:?}", fitted.result.remarks);
        let word = if late > 0.0 { "later than the records say" } else { "earlier than the records say" };
        assert!(told.is_none_or(|r| r.text.contains(word)), "{told:?}");
    }
    // what is sought is not told
    let fitted = fit(&late(), &[record("late", 1.1, 5.0, 0.0)], &local(), &mut |_| true).expect("a fit");
    assert!(!fitted.result.remarks.iter().any(|r| r.text.contains("seem to act")));
}
