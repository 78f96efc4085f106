//! Laws that depend on the position: it begins where the bodies are, and where a record begins.
use super::law;
use std::path::Path;
use stiction::core::registry::{MeasuredMotion, Wrappers};
use stiction::scenario::Scenario;
use stiction::sim::batch::Ensemble;
use stiction::sim::{NullObserver, Probe, SimulationOptions};
use stiction::{Error, LawFile};

/// A level that grows with the position.
const WEDGE: &str = r#"
name = "wedge"
position = "x"
[params]
f0 = { unit = "N", default = 1.0, min = 1e-9, max = 1e9 }
k = { unit = "N/m", default = 2.0, min = 0.0, max = 1e9 }
[equations]
level = "load*(f0 + k*x)"
force = "level*sign(v)"
hold = "level"
"#;

/// A block of 1 kg with 1 m/s on the wedge, from `start` on; `more` is another end of the contact, or its other keys.
fn slide(start: f64, other: &str, more: &str) -> Scenario {
    let text = format!(
        "[run]\nstart = 1\nend = 4\n[body.block]\nmass = 1\nx = {start}\nv = 1\n[motion.table]\nposition = {{ ramp = {{ offset = 0.1, \
         slope = 0.25 }} }}\n[contact.wedge]\nbetween = [\"block\", \"{other}\"]\nlaw = \"wedge\"\ndefinition = '''{WEDGE}'''\n{more}"
    );
    Scenario::parse(&text, Path::new("slide.toml"), &[] as &[&str]).unwrap_or_else(|error| panic!("{error}"))
}

fn stops(scenario: &Scenario) -> f64 {
    let mut options = scenario.options.clone();
    options.probes = vec![Probe::Final { column: "block.x".to_owned() }];
    let run = scenario.simulation().expect("a simulation").run(&options, &mut NullObserver);
    run.expect("a run").probes[0].expect("a position")
}

/// m u²/2 = f0 (x − a) + k (x² − a²)/2 for a block that begins at `a` of the table with the relative speed `u`.
fn rest(a: f64, u: f64) -> f64 {
    let (f0, k) = (1.0, 2.0);
    (-f0 + ((f0 + k * a).powi(2) + k * u * u).sqrt()) / k
}

/// The tolerance of the run is 1e-8.
const CLOSE: f64 = 1e-7;

#[test]
fn the_position_is_that_of_the_body() {
    for start in [0.0, 0.5, 3.0] {
        let got = stops(&slide(start, "ground", ""));
        assert!((got - rest(start, 1.0)).abs() < CLOSE, "from {start}: {got} instead of {}", rest(start, 1.0));
    }
    // a warm contact begins there, too
    let warm = stops(&slide(0.5, "ground", "heating = { capacity = 100 }"));
    assert!((warm - rest(0.5, 1.0)).abs() < CLOSE, "{warm}");
    // given states are taken as they are: the block is at 0.5, the law at 0.2
    let given = stops(&slide(0.5, "ground", "memory = [0.2]"));
    assert!((given - (0.3 + rest(0.2, 1.0))).abs() < CLOSE, "{given}");
}

/// A table that moves is at 0.35 when the run begins at 1 s, and has 0.25 m/s.
#[test]
fn the_position_is_relative() {
    let got = stops(&slide(0.85, "table", ""));
    let want = rest(0.5, 0.75) + 0.1 + 0.25 * 4.0;
    assert!((got - want).abs() < CLOSE, "{got} instead of {want}");
}

#[test]
fn lanes_begin_where_the_body_is() {
    let smooth = WEDGE.replace("sign(v)", "tanh(v/vs)").replace("hold = \"level\"\n", "");
    let smooth =
        smooth.replace("[equations]", "vs = { unit = \"m/s\", default = 0.01, min = 1e-9, max = 1.0 }\n[equations]");
    let point = |start: f64| {
        let text = format!(
            "[run]\nend = 1\n[body.block]\nmass = 1\nx = {start}\nv = 1\n[contact.wedge]\nbetween = [\"block\", \"ground\"]\n\
             law = \"wedge\"\ndefinition = '''{smooth}'''\n"
        );
        Scenario::parse(&text, Path::new("slide.toml"), &[] as &[&str])
    };
    let probes = vec![Probe::Final { column: "block.x".to_owned() }];
    let options = SimulationOptions { end: 1.0, rtol: 1e-8, atol: 1e-11, probes, ..SimulationOptions::default() };
    let engine = Ensemble::new(&point(0.0).expect("a scenario").system, &options).expect("sound").expect("lanes");
    let starts = [0.0, 0.5, 3.0];
    let outcomes = engine.run(0..3, &|i, numbers| engine.read(&point(starts[i as usize])?.system, numbers));
    for (start, outcome) in starts.iter().zip(outcomes) {
        let got = outcome.expect("a trajectory")[0].expect("a value");
        let single = point(*start).expect("a scenario");
        let want =
            single.simulation().expect("a simulation").run(&options, &mut NullObserver).expect("a run").probes[0];
        // both at a tolerance of 1e-8
        assert!((got - want.expect("a value")).abs() < 1e-6, "{start}: {got} instead of {want:?}");
    }
}

/// Along a record the position is the measured one from the first sample on, with and without derivatives.
#[test]
fn a_record_begins_where_it_was_measured() {
    let spec = law(&WEDGE.replace("hold = \"level\"\n", ""));
    let (dt, v) = (vec![1e-2; 50], vec![0.2; 50]);
    let track = MeasuredMotion { dt: &dt, mean: &v, v: &v, position: 0.3, ..MeasuredMotion::default() };
    for columns in [0, 1] {
        let (mut force, mut slopes) = (vec![0.0; 50], vec![0.0; 50 * columns]);
        let entry = spec.law();
        let slots = [usize::MAX, 0];
        entry
            .force_along(&[1.0, 2.0], &Wrappers::default(), &track, &slots, &mut force, &mut slopes)
            .expect("sound values");
        for (i, force) in force.iter().enumerate() {
            let x = 0.3 + 0.2 * 1e-2 * (i + 1) as f64;
            // sums of fifty terms
            assert!((force - (1.0 + 2.0 * x)).abs() < 1e-13, "sample {i}: {force}");
            if let Some(by_k) = slopes.get(i) {
                assert!((by_k - x).abs() < 1e-13, "sample {i}: {by_k}");
            }
        }
    }
}

#[test]
fn the_position_has_no_equation_of_its_own() {
    for (more, what) in [
        ("rate.x = \"v\"\n", "'position' is given by the motion"),
        ("[[when]]\nif = \"x > 0\"\nset.x = \"0\"\n", "'position' is given by the motion"),
    ] {
        let Err(Error::At { error, .. }) = LawFile::parse(&format!("{WEDGE}{more}"), Path::new("law.toml")) else {
            panic!("no error: {more}")
        };
        assert!(error.to_string().contains(what), "{error}");
    }
    for (from, to, what) in [("\"x\"", "\"v\"", "v"), ("\"x\"", "\"f0\"", "f0")] {
        let error =
            LawFile::parse(&WEDGE.replacen(from, to, 1), Path::new("law.toml")).expect_err("a name that is taken");
        assert!(error.to_string().contains(what), "{error}");
    }
    // an angle where the law is of a rotation
    let turning = WEDGE.replace("\"N/m\"", "\"N*m/rad\"").replace("\"N\"", "\"N*m\"");
    let spec = law(&turning);
    assert_eq!(spec.law().states.iter().map(|state| state.unit).collect::<Vec<_>>(), ["rad"]);
}
