//! Memories whose rates have an unbounded slope at rest, against integrations by SciPy (DOP853, rtol 1e-12, atol 1e-16, steps of at most 0.1 ms).
use std::path::Path;
use stiction::scenario::Scenario;
use stiction::sim::{NullObserver, Probe};

/// A bristle that yields with a power of the speed.
const YIELDS: &str = r#"
name = "yields"
[params]
fc = { unit = "N", default = 1.0, min = 1e-9, max = 1e9 }
sigma = { unit = "N/m", default = 1e5, min = 1e-3, max = 1e12 }
vb = { unit = "m/s", default = 0.01, min = 1e-9, max = 1e3 }
p = { unit = "-", default = 0.5, min = 0.1, max = 3.0 }
[states]
z = "m"
[equations]
rate.z = "v - sigma*z/fc*vb*(abs(v)/vb)^p"
force = "load*sigma*z"
"#;

/// A level that grows with a mean of a power of the speed: the cusp acts on the force through another number of memory.
const INDIRECT: &str = r#"
name = "indirect"
[params]
fc = { unit = "N", default = 1.0, min = 1e-9, max = 1e9 }
k = { unit = "N/m", default = 1e5, min = 1e-3, max = 1e12 }
vb = { unit = "m/s", default = 0.01, min = 1e-9, max = 1e3 }
tau = { unit = "s", default = 0.1, min = 1e-9, max = 1e3 }
[states]
z = "m"
h = "-"
[equations]
rate.h = "((abs(v)/vb)^(2/3) - h)/tau"
rate.z = "v - abs(v)*k*z/(fc*(1 + abs(h)))"
force = "load*k*z"
"#;

const PUSHED: &str =
    "end = 2\n[body.block]\nmass = 1\n[force.f]\non = \"block\"\nforce = { sine = { amplitude = 5, frequency = 1 } }\n";
const SPRUNG: &str =
    "end = 3\n[body.block]\nmass = 1\nx = 0.01\n[spring.k]\nbetween = [\"block\", \"ground\"]\nstiffness = 1000\n";

/// Final position and largest distance.
fn ends(system: &str, law: (&str, &str), more: &str) -> [f64; 2] {
    let text = format!(
        "[run]\n{system}[contact.table]\nbetween = [\"block\", \"ground\"]\nlaw = \"{}\"\ndefinition = '''{}'''\n{more}",
        law.0, law.1
    );
    let scenario = Scenario::parse(&text, Path::new("s.toml"), &[] as &[&str]).unwrap_or_else(|e| panic!("{e}"));
    let mut options = scenario.options.clone();
    let column = || "block.x".to_owned();
    options.probes =
        vec![Probe::Final { column: column() }, Probe::Max { column: column(), from: 0.0, to: f64::INFINITY }];
    let run = scenario.simulation().expect("a simulation").run(&options, &mut NullObserver).expect("a run");
    [0, 1].map(|k| run.probes[k].expect("a position"))
}

#[test]
fn a_cusp_in_a_rate_is_passed_at_reversals() {
    for (system, law, more, want) in [
        (PUSHED, ("yields", YIELDS), "p = 0.6666666666666666", 0.014_264_257_4),
        (PUSHED, ("yields", YIELDS), "p = 0.5", 1.242_811_855e-4),
        (PUSHED, ("yields", YIELDS), "p = 0.3", 5.669_407_663e-6),
        (SPRUNG, ("yields", YIELDS), "p = 0.6666666666666666", 1.336_918_746e-4),
        (PUSHED, ("indirect", INDIRECT), "", 1.334_891_587e-3),
    ] {
        let [got, most] = ends(system, law, more);
        // ten times the relative tolerance of the run, of the whole way: an error of a speed at a reversal stays in the position
        assert!((got - want).abs() < 1e-7 * most, "{} {more}: {got} instead of {want}, up to {most}", law.0);
    }
}
