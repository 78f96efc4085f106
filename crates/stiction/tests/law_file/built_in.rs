//! The built-in laws rewritten as files.
use super::{REWRITTEN, law, pair};
use std::path::Path;
use stiction::core::registry::{DynLaw, MeasuredMotion, Wrappers};
use stiction::core::{Input, Real};
use stiction::export::law::{FunctionKind, LawCode};
use stiction::scenario::{Scenario, Template};
use stiction::sim::batch::Ensemble;
use stiction::sim::{NullObserver, Probe, SimulationOptions};
use stiction::sweep::{Design, SweepPlan, SweepRequest};
use stiction::{ParameterFile, Spec};

fn random(stream: u32, k: usize) -> f64 {
    f64::uniform(f64::from(stream), k as f64)
}

/// Factors between 0.8 and 1.2, so that no parameter has a neutral value; levels keep their order.
fn factor(set: u32) -> impl Fn(usize) -> f64 {
    move |i| if set == 0 { 1.0 } else { 1.0 + 0.2 * (random(set, i) - 0.5) }
}

/// Equal but for rounding: some forty operations in another order, of terms up to a thousand times their sum.
fn close(got: f64, want: f64, scale: f64) -> bool {
    (got - want).abs() <= 1e-11 * (got.abs() + want.abs() + scale)
}

/// Along a random motion with reversals and rests: forces, rates, sets at rest, jumps and derivatives.
#[test]
fn rewritten_laws_give_the_numbers_of_the_built_in_ones() {
    for (name, text) in REWRITTEN {
        for set in 0..3 {
            let [file, built_in] = pair(name, text, factor(set)).map(|spec| spec.build().expect("a law"));
            let mut z = vec![0.0; built_in.len()];
            for k in 0..400 {
                let r = |j: usize| random(7, 8 * k + j);
                let speed = 10f64.powf(-6.0 + 5.0 * r(0));
                let v = if r(1) < 0.05 { 0.0 } else { speed * (r(2) - 0.5).signum() };
                let load = if name == "gear" { 4.0 * r(3) - 2.0 } else { 0.5 + r(3) };
                let u = Input { v, load };
                let both = |of: &dyn Fn(&dyn DynLaw) -> Vec<f64>| [of(&*file), of(&*built_in)];
                let states = z.clone();
                let flow = |law: &dyn DynLaw| {
                    let mut rate = vec![0.0; states.len()];
                    let force = law.flow(&states, &u, &mut rate);
                    rate.push(force);
                    rate
                };
                let holds = |law: &dyn DynLaw| {
                    let rest = u.with_v(0.0);
                    vec![law.hold(&states, &rest, 1.0), law.hold(&states, &rest, -1.0), law.band(&u), law.steady(&u)]
                };
                let jump = |law: &dyn DynLaw| {
                    let mut z = states.clone();
                    law.jump(&mut z, &u);
                    z
                };
                let partials = |law: &dyn DynLaw| {
                    let which: Vec<usize> = (0..states.len()).filter(|i| law.flows(*i)).collect();
                    let mut rows = vec![0.0; (1 + which.len()) * (3 + which.len())];
                    law.partials(&states, &u, &which, true, &mut rows);
                    rows
                };
                for (what, of) in [
                    ("flow", &flow as &dyn Fn(&dyn DynLaw) -> Vec<f64>),
                    ("rest", &holds),
                    ("jump", &jump),
                    ("partials", &partials),
                ] {
                    if ["rest", "partials"].contains(&what) && v == 0.0 {
                        // the steady force at rest is zero in one and the limit of slow sliding in the other; at a kink the slopes
                        // of either side are right
                        continue;
                    }
                    let [got, want] = both(of);
                    let scale = want.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
                    let same = got.len() == want.len() && got.iter().zip(&want).all(|(a, b)| close(*a, *b, scale));
                    assert!(
                        same,
                        "{name} set {set}, sample {k}, {what} at {u:?}, {states:?}: {got:?} instead of {want:?}"
                    );
                }
                built_in.step(&mut z, &u, 10f64.powf(-9.0 + 5.0 * r(4)) / speed);
            }
        }
    }
}

/// A block pulled by a spring through stick and slip, and pushed to and fro.
fn scenario(law: &str) -> String {
    format!(
        r#"
        [run]
        end = 3
        rtol = 1e-9
        atol = 1e-12
        [body.block]
        mass = 1
        [spring.pull]
        between = ["hand", "block"]
        stiffness = 200
        [motion.hand]
        position = {{ sine = {{ amplitude = 0.02, frequency = 0.7 }} }}
        [contact.table]
        between = ["block", "ground"]
        law = "{law}"
        "#
    )
}

fn last(scenario: &Scenario) -> Vec<f64> {
    let probes = ["block.x", "block.v", "table.force"].map(|column| Probe::Final { column: column.to_owned() });
    let options = SimulationOptions { probes: probes.to_vec(), ..scenario.options.clone() };
    let simulation = scenario.simulation().expect("a simulation");
    simulation
        .run(&options, &mut NullObserver)
        .expect("a run")
        .probes
        .into_iter()
        .map(|x| x.expect("a value"))
        .collect()
}

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/law_file/laws/scenario.toml");
const NONE: &[&str] = &[];

#[test]
fn rewritten_laws_move_a_block_like_the_built_in_ones() {
    for (name, _) in REWRITTEN {
        let of = |law: &str| {
            let scenario = Scenario::parse(&scenario(law), Path::new(FOLDER), NONE);
            last(&scenario.unwrap_or_else(|error| panic!("{law}: {error}")))
        };
        let (got, want) = (of(&format!("file-{name}.toml")), of(name));
        for (i, (got, want)) in got.iter().zip(&want).enumerate() {
            // both follow the same equations at a tolerance of 1e-9; three seconds of stick-slip amplify it
            assert!((got - want).abs() <= 1e-6 * (1.0 + want.abs()), "{name}, probe {i}: {got} instead of {want}");
        }
    }
}

/// A block that slides against 1 N from 1 m/s and is at rest below 0.1 m/s, where no equation compares the speed with the band: it has
/// slid (v0² − band²)/(2a) when it stops, after (v0 − band)/a. Karnopp's law with the same levels says the same.
#[test]
fn a_band_brings_to_rest_without_a_comparison() {
    let (mass, band) = (2.0, 0.1);
    let of = |law: &str| {
        let text = format!(
            r#"
            [run]
            end = 3
            rtol = 1e-9
            atol = 1e-12
            [body.block]
            mass = {mass}
            v = 1
            [contact.table]
            between = ["block", "ground"]
            law = "{law}"
            "#
        );
        let settings: &[&str] = if law == "karnopp" {
            &["contact.table.band=0.1", "contact.table.fs=1.5", "contact.table.fc=1", "contact.table.fv=0"]
        } else {
            NONE
        };
        let scenario = Scenario::parse(&text, Path::new(FOLDER), settings);
        last(&scenario.unwrap_or_else(|error| panic!("{law}: {error}")))
    };
    let way = (1.0 - band * band) * mass / 2.0;
    for law in ["band-alone.toml", "karnopp"] {
        let found = of(law);
        // the deceleration is constant, which a step integrates to rounding; the instant of the event is known to the tolerance
        assert!((found[0] - way).abs() < 1e-9 && found[1] == 0.0, "{law}: {found:?} instead of {way}");
    }
}

/// Ensembles in lanes take a law file, and give what single runs give.
#[test]
fn lanes_run_a_law_file() {
    let text = scenario("file-lugre.toml");
    let scenario = Scenario::parse(&text, Path::new(FOLDER), NONE).expect("a scenario");
    let probes = vec![Probe::Final { column: "block.x".to_owned() }];
    let options = SimulationOptions { end: 1.0, rtol: 1e-7, atol: 1e-10, probes, ..SimulationOptions::default() };
    let engine = Ensemble::new(&scenario.system, &options).expect("a sound system").expect("lanes");
    let point = |i: u64| {
        let set = [format!("spring.pull.stiffness={}", 150 + 10 * i)];
        Scenario::parse(&text, Path::new(FOLDER), &set)
    };
    let outcomes = engine.run(0..6, &|i, numbers| engine.read(&point(i)?.system, numbers));
    for (i, outcome) in outcomes.into_iter().enumerate() {
        let single = point(i as u64).expect("a scenario");
        let want =
            single.simulation().expect("a simulation").run(&options, &mut NullObserver).expect("a run").probes[0];
        let (got, want) = (outcome.expect("a trajectory")[0].expect("a value"), want.expect("a value"));
        // the tolerance of both, amplified by stick-slip
        assert!((got - want).abs() < 1e-5, "{i}: {got} instead of {want}");
    }
}

/// A rate whose slope by its own state is infinite where the motion begins: a single run says that it cannot go on. Lanes held the memory at its first
/// value, and ran to the end.
#[test]
fn lanes_end_at_an_infinite_slope_as_single_runs_do() {
    let law = "root'\ndefinition = \"\"\"\nname = 'root'\nunits = 'unchecked'\n[params]\nfc = { default = 1.0 }\n[states]\nz = 'm'\n\
               [equations]\nrate.z = 'v - sqrt(z)*abs(v)'\nforce = 'fc*z'\n\"\"\"\n";
    let text = scenario("LAW").replace("\"LAW\"", &format!("'{law}"));
    let scenario = Scenario::parse(&text, Path::new(FOLDER), NONE).expect("a scenario");
    let probes = vec![Probe::Final { column: "block.x".to_owned() }];
    let options = SimulationOptions { end: 1.0, rtol: 1e-7, atol: 1e-10, probes, ..SimulationOptions::default() };
    let single = scenario.simulation().expect("a simulation").run(&options, &mut NullObserver);
    assert!(single.is_err_and(|error| error.to_string().contains("step size fell to 0")));
    let engine = Ensemble::new(&scenario.system, &options).expect("a sound system").expect("lanes");
    let outcomes = engine.run(0..3, &|_, numbers| engine.read(&scenario.system, numbers));
    assert!(outcomes.iter().all(Result::is_err), "{outcomes:?}");
}

/// A parameter that the scenario leaves at its default has its short name and its unit, as one of a built-in law.
#[test]
fn parameters_of_a_law_file_are_set_by_their_names() {
    let text = scenario("file-lugre.toml");
    let template = Template::parse(&text, Path::new(FOLDER), NONE).expect("a scenario");
    assert_eq!(template.path("sigma0").expect("a path"), ("contact.table.sigma0".to_owned(), "N/m".to_owned()));
    let set = Scenario::parse(&text, Path::new(FOLDER), &["sigma0=5e4"]).expect("a scenario");
    assert_eq!(set.system.contacts[0].component.spec.get("sigma0").expect("a parameter"), 5e4);
    let unknown = Template::parse(&text, Path::new(FOLDER), &["sigma7=5e4"]);
    assert!(unknown.is_err_and(|error| error.to_string().contains("there is no value 'sigma7'")));
}

/// A sweep keeps the text of the law file it used, not only its name.
#[test]
fn a_sweep_keeps_its_law_file() {
    let template = Template::parse(&scenario("file-lugre.toml"), Path::new(FOLDER), NONE).expect("a scenario");
    let (vary, measure) = (["spring.pull.stiffness=100:200:2".to_owned()], ["block.x.max".to_owned()]);
    let request = SweepRequest { vary: &vary, measure: &measure, design: Design::Grid, from: None };
    let facts = SweepPlan::new(&template, &request).expect("a sweep").facts();
    let (_, text) = facts.iter().find(|(name, _)| name == "file.file-lugre.toml").expect("the law");
    assert_eq!(text, include_str!("laws/file-lugre.toml"));
}

/// Derivatives of the force along a motion by parameters agree with those of the built-in law.
#[test]
fn derivatives_along_a_motion_are_those_of_the_built_in_law() {
    let dt = vec![1e-3; 300];
    let v: Vec<f64> = (0..300).map(|k| 0.01 * (0.05 * f64::from(k)).sin()).collect();
    let track = MeasuredMotion { dt: &dt, mean: &v, v: &v, ..MeasuredMotion::default() };
    for (name, text) in REWRITTEN.into_iter().filter(|(name, _)| ["lugre", "gear"].contains(name)) {
        let run = |spec: &Spec, names: &[&str]| {
            let entry = spec.law();
            let values: Vec<f64> = entry.params.iter().map(|p| spec.get(p.name).expect("a parameter")).collect();
            let slot = |p: &stiction::core::Param| names.iter().position(|name| *name == p.name).unwrap_or(usize::MAX);
            let slots: Vec<usize> = entry.params.iter().map(slot).collect();
            let (mut force, mut slopes) = (vec![0.0; 300], vec![0.0; 300 * names.len()]);
            let wrappers = Wrappers::default();
            entry.force_along(&values, &wrappers, &track, &slots, &mut force, &mut slopes).expect("sound values");
            (force, slopes)
        };
        let [file, built_in] = pair(name, text, factor(1));
        let names: Vec<&str> = file.law().params.iter().map(|p| p.name).collect();
        let ((force, slopes), (force_wanted, slopes_wanted)) = (run(&file, &names), run(&built_in, &names));
        let check = |got: &[f64], want: &[f64], what: &str| {
            let scale = want.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            for (k, (got, want)) in got.iter().zip(want).enumerate() {
                assert!((got - want).abs() <= 1e-9 * scale, "{name} {what}, sample {k}: {got} instead of {want}");
            }
        };
        check(&force, &force_wanted, "force");
        for (i, name) in names.iter().enumerate() {
            check(&slopes[300 * i..300 * (i + 1)], &slopes_wanted[300 * i..300 * (i + 1)], name);
        }
    }
}

/// A parameter file of such a law holds the law itself, and reads back without it.
#[test]
fn a_parameter_file_keeps_the_law() {
    for (_, text) in REWRITTEN {
        let mut spec = law(text);
        let first = spec.law().params[0];
        spec.set(first.name, first.default * 1.25).expect("within bounds");
        let written = ParameterFile::from(spec.clone()).to_toml();
        let read = ParameterFile::parse(&written, Path::new("elsewhere/model.toml")).expect("a parameter file");
        assert_eq!(read.spec, spec, "{written}");
    }
}

/// A power with a whole exponent is right for negative bases, too, in value and slope, whether the exponent is a literal or a parameter.
#[test]
fn whole_exponents_are_right_for_negative_bases() {
    for n in [3, 4, 9, 10, 11, 64] {
        for exponent in [format!("{n}"), "n".to_owned()] {
            let spec = law(&format!(
                "name = \"power\"\n[params]\nfc = {{ unit = \"N\", default = 1.0 }}\n\
                 n = {{ unit = \"-\", default = {n}, min = 1, max = 100 }}\n\
                 vs = {{ unit = \"m/s\", default = 0.01, min = 1e-9, max = 1e3 }}\n[equations]\n\
                 force = \"load*fc*(v/vs)^{exponent}\"\n"
            ));
            let law = spec.build().expect("a law");
            for x in [-1.3, -0.7, 0.0, 0.8] {
                let mut rows = [0.0; 3];
                law.partials(&[], &Input::at(0.01 * x), &[], false, &mut rows);
                let (value, slope) = (f64::powi(x, n), 100.0 * f64::from(n) * f64::powi(x, n - 1));
                // the two powers are rounded differently, by some units in the last place for each factor
                let agree = |got: f64, want: f64| (got - want).abs() <= 1e-13 * want.abs();
                assert!(agree(rows[0], value) && agree(rows[1], slope), "{x}^{exponent} with n = {n}: {rows:?}");
            }
        }
    }
}

/// Bristles with an exponent as parameter slide backwards as they do forwards.
#[test]
fn bristles_with_an_exponent_are_odd() {
    for n in [4.0, 10.0] {
        let spec = law(&format!(
            "name = \"bristles\"\n[params]\nk = {{ unit = \"N/m\", default = 1e5 }}\n\
             n = {{ unit = \"-\", default = {n}, min = 1, max = 100 }}\n\
             z0 = {{ unit = \"m\", default = 1e-5, min = 1e-9 }}\n[states]\nz = \"m\"\n[equations]\n\
             rate.z = \"v*(1 - (z/z0)^n*where(z*v > 0, 1, 0))\"\nforce = \"load*k*z\"\n"
        ));
        let law = spec.build().expect("a law");
        for v in [1e-3, -1e-3] {
            // as accurate as the search for the limit, which stops at a millionth of it
            assert!((law.steady(&Input::at(v)) - v.signum()).abs() < 1e-6, "{n}: {}", law.steady(&Input::at(v)));
        }
    }
}

/// Exported code says how many test points were left out, because the law gives no number there: the root of a negative velocity.
#[test]
fn exported_code_counts_the_points_that_are_left_out() {
    let text = |power: &str| {
        format!(
            "name = \"power\"\n[params]\nfc = {{ unit = \"N\", default = 1.0 }}\n\
             vs = {{ unit = \"m/s\", default = 0.01, min = 1e-9, max = 1e3 }}\n[equations]\nforce = \"load*fc*{power}\"\n"
        )
    };
    let told = |power: &str| {
        let code = LawCode::of(&law(&text(power))).expect("a law without noise");
        let told = code.origin().into_iter().find(|line| line.contains("points"));
        (told, code.test_points(FunctionKind::Force).len())
    };
    let (line, count) = told("(1 + v/vs)^1.5");
    assert!(count < 64 && line.is_some_and(|line| line.contains(&format!("{count} of 64 points"))), "{count}");
    assert_eq!(told("tanh(v/vs)"), (None, 64));
}
