//! Parameters of a scenario from records, through a simulated plant.
use stiction::Error;
use stiction::fit::{Random, ScreeningOptions};
use stiction::identify::GlobalSearch;
use stiction::identify::dynamic::plant::{PlantLog, PlantOptions, fit, validate};
use stiction::scenario::{Scenario, Template};
use stiction::sim::Trace;

pub(crate) const NONE: &[&str] = &[];

/// A slide in closed loop, its servo limited, with what is to be found of it.
pub(crate) const SLIDE: &str = r#"
[run]
end = 2
[body.slide]
mass = 10
[contact.rail]
between = ["slide", "ground"]
law = "stribeck"
fc = 5
fs = 6
vs = 0.02
fv = 20
[control.servo]
on = "slide"
measure = ["slide.x", "slide.v"]
gains = [900, 60]
limit = 60
reference = 0
[identify.constants]
excess = 1.1
[identify.free]
mass = [1, 50]
fc = { low = 0.1, high = 50, start = 5, log = true }
fv = [0, 200]
[identify.set]
"body.slide.mass" = "mass"
"contact.rail.fc" = "fc"
"contact.rail.fs" = "excess*fc"
"contact.rail.fv" = "fv"
[identify.start]
"body.slide.x" = "1e-3*position"
[identify.input]
"control.servo.reference" = "1e-3*goal"
[identify.match]
"slide.x" = "1e-3*position"
"#;

pub(crate) fn slide() -> Template {
    Template::parse(SLIDE, "slide.toml".as_ref(), NONE).expect("a scenario")
}

/// What the slide does with a mass of 12 kg, 8 N and 35 N·s/m, in millimetres; the break-away level is a constant of the
/// record.
pub(crate) fn record(name: &str, excess: f64, pace: f64, noise: f64) -> PlantLog {
    let t: Vec<f64> = (0..101).map(|k| 0.02 * f64::from(k)).collect();
    let goal: Vec<f64> = t.iter().map(|t| 40.0 * (pace * t).sin() + 3.0).collect();
    let mut truth = slide();
    for (path, x) in [
        ("body.slide.mass", 12.0),
        ("contact.rail.fc", 8.0),
        ("contact.rail.fs", 8.0 * excess),
        ("contact.rail.fv", 35.0),
        ("body.slide.x", 3e-3),
        ("run.sample", 0.02),
    ] {
        truth.number(path, x).expect("a path");
    }
    let metres: Vec<f64> = goal.iter().map(|x| 1e-3 * x).collect();
    truth.sampled_signal("control.servo.reference", [&t, &metres], "hold", 0.0).expect("a path");
    let scenario = truth.build().expect("a scenario");
    let simulation = scenario.simulation().expect("a system");
    let at = simulation.columns().iter().position(|c| c.name == "slide.x").expect("a column");
    let mut trace = Trace::default();
    simulation.run(&scenario.options, &mut trace).expect("a run");
    let mut random = Random::new(3);
    let on =
        |t: &f64| trace.rows.iter().min_by(|a, b| (a[0] - t).abs().total_cmp(&(b[0] - t).abs())).expect("a row")[at];
    let position = t.iter().map(|t| 1e3 * (on(t) + noise * random.normal())).collect();
    let columns = vec![("time".to_owned(), t.clone()), ("goal".to_owned(), goal), ("position".to_owned(), position)];
    PlantLog { name: name.to_owned(), columns, constants: vec![("excess".to_owned(), excess)], ..PlantLog::default() }
}

#[test]
fn a_servo_comes_back_from_what_it_did() {
    let logs = [record("slow", 1.3, 3.0, 0.0), record("fast", 1.1, 7.0, 0.0)];
    let mut options = PlantOptions { search: GlobalSearch::None, rtol: Some(1e-8), ..PlantOptions::default() };
    // the record is exact, and no event appears or vanishes near the truth
    options.fit.precision = 1e-9;
    let mut seen = 0;
    let fitted = fit(&slide(), &logs, &options, &mut |p| {
        seen += 1;
        p.names.len() == 3
    })
    .expect("a fit");
    for (name, wanted) in [("mass", 12.0), ("fc", 8.0), ("fv", 35.0)] {
        let got = fitted.result.estimate(name).expect("an estimate").value;
        // differences of simulations at 1e-8, and a fit that ends at 1e-4 of its cost
        assert!((got / wanted - 1.0).abs() < 1e-4, "{name} = {got} for {wanted}");
    }
    assert!(seen > 3);
    assert_eq!(fitted.result.residuals.len(), 2);
    // the file that it makes says what was found
    let text = fitted.scenario.text();
    let found = Scenario::parse(&text, "found.toml".as_ref(), NONE).expect("a scenario");
    let level = text.lines().find_map(|line| line.strip_prefix("fs = ")?.parse::<f64>().ok());
    // 1.3 times fc, which is known to 1e-4
    assert!(found.identify.is_some() && level.is_some_and(|fs| (fs - 10.4).abs() < 1e-3), "{text}");
}

#[test]
fn noise_stays_within_the_intervals() {
    let logs = [record("slow", 1.3, 3.0, 2e-4), record("fast", 1.1, 7.0, 2e-4)];
    let search = GlobalSearch::Multistart(ScreeningOptions { samples: 8, fits: 1, evaluations: 20, seed: 2 });
    let options = PlantOptions { search, level: 0.999, ..PlantOptions::default() };
    let fitted = fit(&slide(), &logs, &options, &mut |_| true).expect("a fit");
    for (name, wanted) in [("mass", 12.0), ("fc", 8.0), ("fv", 35.0)] {
        let e = fitted.result.estimate(name).expect("an estimate");
        assert!(e.interval[0] < wanted && wanted < e.interval[1], "{name}: {:?} for {wanted}", e.interval);
    }
    let rms = fitted.result.score("rms").expect("a score");
    // 202 samples know their deviation to 5 %; three times that
    assert!((rms / 2e-4 - 1.0).abs() < 0.15, "{rms}");
    let (_, scores) = validate(&slide(), &logs, &[12.0, 8.0, 35.0], &options).expect("runs");
    // the mean of the absolute value of a normal variable
    assert!(scores.iter().all(|s| (s.value / (2e-4 * 0.7979) - 1.0).abs() < 0.25), "{scores:?}");
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let error = |from: &str, to: &str| -> String {
        let text = SLIDE.replacen(from, to, 1);
        let log = [record("log", 1.1, 3.0, 0.0)];
        let template = Template::parse(&text, "slide.toml".as_ref(), NONE).expect("TOML");
        fit(&template, &log, &PlantOptions::default(), &mut |_| true).expect_err("a mistake").to_string()
    };
    let line = 1 + SLIDE.split("[identify.input]").next().map_or(0, |before| before.matches('\n').count());
    let text = error("[identify.input]", "[identify.inputs]");
    assert!(text.starts_with(&format!("slide.toml:{line}:")) && text.contains("inputs"), "{text}");
    assert!(error("mass = [1, 50]", "mass = [50, 1]").contains("below high"));
    assert!(error("low = 0.1, high", "low = 0, high").contains("logarithm"));
    assert!(error("\"slide.x\" = ", "\"slid.x\" = ").contains("no column 'slid.x'"));
    assert!(error("1e-3*goal", "1e-3*gaol").contains("gaol"));
    let text = error("\"body.slide.mass\"", "\"body.slid.mass\"");
    assert!(text.starts_with("slide.toml:") && text.contains("no body 'slid'"), "{text}");
    let bare = SLIDE.split("[identify").next().expect("the system");
    let template = Template::parse(bare, "slide.toml".as_ref(), NONE).expect("TOML");
    let error = fit(&template, &[], &PlantOptions::default(), &mut |_| true).expect_err("nothing to find");
    assert!(matches!(error, Error::MissingKey { key: "[identify]", .. }), "{error}");
}

/// Far from its goal a servo pushes with all it has: half t² of the limit over the mass.
#[test]
fn a_limit_holds_continuous_and_sampled() {
    for period in ["", "period = 0.01"] {
        let text = format!(
            "[run]\nend = 1\n[body.a]\nmass = 2\n[control.c]\non = \"a\"\nmeasure = [\"a.x\"]\ngains = [10]\nlimit = 3\n\
             reference = 5\n{period}\n[measure]\nx = {{ final = \"a.x\" }}\nu = {{ max = \"c.u\" }}\n"
        );
        let scenario = Scenario::parse(&text, "limit.toml".as_ref(), NONE).expect("a scenario");
        let simulation = scenario.simulation().expect("a system");
        let summary = simulation.run(&scenario.options, &mut stiction::sim::NullObserver).expect("a run");
        let got: Vec<f64> = summary.probes.iter().map(|x| x.expect("a number")).collect();
        // a parabola: rounding
        assert!((got[0] - 0.75).abs() < 1e-12 && got[1] == 3.0, "{period}: {got:?}");
    }
    let text =
        "[run]\nend = 1\n[body.a]\nmass = 2\n[control.c]\non = \"a\"\nmeasure = [\"a.x\"]\ngains = [1]\nlimit = 0\n";
    let error = Scenario::parse(text, "limit.toml".as_ref(), NONE).err().expect("no limit at all");
    assert!(error.to_string().starts_with("limit.toml:9:"), "{error}");
}
