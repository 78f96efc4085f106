//! The kernel of an ensemble, compiled as C, against the simulator.
mod modes;
mod piecewise;
mod set_valued;
#[path = "../../../../tests/common/skip.rs"]
mod skip;

use skip::c_compiler;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;
use stiction::export::ensemble::{EnsembleKernel, KernelSamples};
use stiction::scenario::{Scenario, Template};
use stiction::sim::batch::Ensemble;
use stiction::sim::{NullObserver, Probe};

/// Samples that the kernels write.
const SAMPLES: usize = 8;

/// A scenario, what varies in it, and the values of some points.
struct Case {
    name: String,
    text: String,
    paths: Vec<&'static str>,
    points: Vec<Vec<f64>>,
}

/// A block pulled over a table by a spring, with this law.
fn pulled(law: &str) -> String {
    format!(
        r#"
[run]
end = 4
rtol = 1e-8
[body.block]
mass = 1
[motion.hand]
position = {{ ramp = {{ slope = 0.5 }} }}
[spring.pull]
between = ["hand", "block"]
stiffness = 4
damping = 0.1
[contact.table]
between = ["block", "ground"]
{law}
[measure]
v_max = {{ max = "block.v", from = 1 }}
v_min = {{ min = "block.v", to = 3 }}
turns = {{ count = "table.reverse" }}
period = {{ period = "table.reverse-" }}
F_max = {{ max = "table.force" }}
l_mean = {{ mean = "pull.stretch", from = 1 }}
x = {{ final = "block.x" }}
"#
    )
}

fn case(name: &str, text: String) -> Case {
    let points = [[4.0, 0.5], [30.0, 0.2], [9.0, 1.1], [1.0, 0.05]].map(|point| point.to_vec()).to_vec();
    Case {
        name: name.to_owned(),
        text,
        paths: vec!["spring.pull.stiffness", "motion.hand.position.ramp.slope"],
        points,
    }
}

impl Case {
    fn scenario(&self, point: &[f64]) -> Scenario {
        let none: [&str; 0] = [];
        let mut template = Template::parse(&self.text, &PathBuf::from("case.toml"), &none).unwrap();
        for (path, value) in self.paths.iter().zip(point) {
            template.number(path, *value).unwrap();
        }
        template.build().unwrap()
    }
    /// Why there is no kernel.
    fn refusal(&self) -> String {
        let scenario = self.scenario(&self.points[0]);
        match Ensemble::new(&scenario.system, &scenario.options).unwrap() {
            Err(why) => why.to_string(),
            Ok(ensemble) => {
                let mut numbers = Vec::new();
                ensemble.read(&scenario.system, &mut numbers).unwrap();
                EnsembleKernel::new(&ensemble, &[numbers], &KernelSamples::default()).unwrap().unwrap_err()
            }
        }
    }
    fn scenarios(&self) -> Vec<Scenario> {
        self.points.iter().map(|point| self.scenario(point)).collect()
    }
    /// Of each point the status of the kernel, its results and its samples of `block.x`; none if there is no compiler.
    fn run_kernel(&self) -> Option<Vec<Vec<f64>>> {
        let scenarios = self.scenarios();
        let options = &scenarios[0].options;
        let ensemble = Ensemble::new(&scenarios[0].system, options).unwrap().unwrap();
        let numbers: Vec<Vec<f64>> = scenarios
            .iter()
            .map(|scenario| {
                let mut numbers = Vec::new();
                ensemble.read(&scenario.system, &mut numbers).unwrap();
                numbers
            })
            .collect();
        let samples = KernelSamples { columns: vec!["block.x".to_owned()], count: SAMPLES, ..KernelSamples::default() };
        let kernel = EnsembleKernel::new(&ensemble, &numbers, &samples).unwrap().unwrap();
        let rows: Vec<Vec<f64>> = numbers.iter().map(|numbers| kernel.row(&ensemble, numbers).unwrap()).collect();
        compiled(&self.name, &kernel, &rows, options.probes.len())
    }
    /// The answers of the kernel, its samples of `block.x`, and those of the simulator at a tighter tolerance; none if there is no compiler.
    fn run(&self, reference: f64) -> Option<Vec<Answers>> {
        let printed = self.run_kernel()?;
        let scenarios = self.scenarios();
        let (start, end) = (scenarios[0].options.start, scenarios[0].options.end);
        let answers = scenarios.iter().zip(printed).map(|(scenario, printed)| {
            let mut options = scenario.options.clone();
            options.rtol = reference;
            options.atol = 1e-3 * reference;
            let at = |k: usize| start + (end - start) * (k + 1) as f64 / SAMPLES as f64;
            options.probes.extend((0..SAMPLES).map(|k| Probe::At { column: "block.x".to_owned(), t: at(k) }));
            let ran = scenario.simulation().unwrap().run(&options, &mut NullObserver).unwrap();
            let want = ran.probes.iter().map(|x| x.unwrap_or(f64::NAN)).collect();
            Answers { status: printed[0] as i32, got: printed[1..].to_vec(), want }
        });
        Some(answers.collect())
    }
}

/// Of a point: how the kernel ended, what it found, and what the simulator finds at a tighter tolerance.
struct Answers {
    status: i32,
    got: Vec<f64>,
    want: Vec<f64>,
}

/// Compiles a kernel as C and runs it: of each point the status, the results and the samples.
fn compiled(name: &str, kernel: &EnsembleKernel, rows: &[Vec<f64>], results: usize) -> Option<Vec<Vec<f64>>> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("ensemble-kernel-{name}"));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("kernel.cu"), kernel.source()).unwrap();
    let points = rows.len();
    let mut main = "#include \"kernel.cu\"\n#include <stdio.h>\n".to_owned();
    let list: Vec<String> = rows.iter().flatten().map(|x| format!("{x:?}")).collect();
    write!(
        main,
        "static const double rows[] = {{{}, 0.0}};\nstatic double results[{}], samples[{}];\nstatic int status[{points}];\n",
        list.join(", "),
        points * results,
        points * SAMPLES
    )
    .unwrap();
    write!(
        main,
        "int main(void) {{\n    int i, k, next = 0;\n    stiction_ensemble(rows, {points}, results, samples, status, &next);\n    for (i = 0; i < {points}; i++) {{\n        printf(\"%d\", status[i]);\n        for (k = 0; k < {results}; k++) printf(\" %.17g\", results[i * {results} + k]);\n        for (k = 0; k < {SAMPLES}; k++) printf(\" %.17g\", samples[i * {SAMPLES} + k]);\n        printf(\"\\n\");\n    }}\n    return 0;\n}}\n"
    )
    .unwrap();
    std::fs::write(folder.join("main.c"), main).unwrap();
    let flags = [
        "-std=c99",
        "-O1",
        "-Wall",
        "-Wextra",
        "-Wno-unused-function",
        "-Wno-unused-but-set-variable",
        "-Werror",
        "main.c",
        "-o",
        "main",
        "-lm",
    ];
    let compiler = Command::new(c_compiler()?).args(flags).current_dir(&folder).output().unwrap();
    assert!(compiler.status.success(), "{name}: {}", String::from_utf8_lossy(&compiler.stderr));
    let output = Command::new(folder.join("main")).output().unwrap();
    assert!(output.status.success(), "{name}");
    let text = String::from_utf8(output.stdout).unwrap();
    Some(text.lines().map(|line| line.split(' ').map(|x| x.parse().unwrap()).collect()).collect())
}

/// Compares all answers of a case. The tolerance of the runs is 1e-8 a step; over some hundred steps errors add up, and stick-slip
/// multiplies them at each break-away.
fn agrees(case: &Case) {
    agrees_within(case, 1e-5);
}

/// The same, with what the answers may differ by.
fn agrees_within(case: &Case, tolerance: f64) {
    let Some(all) = case.run(1e-12) else { return };
    for (point, Answers { status, got, want }) in case.points.iter().zip(all) {
        assert_eq!(status, 0, "{} at {point:?}", case.name);
        assert_eq!(got.len(), want.len());
        for (k, (got, want)) in got.iter().zip(&want).enumerate() {
            let near = (got - want).abs() <= tolerance * (1.0 + want.abs()) || got.is_nan() && want.is_nan();
            assert!(near, "{}, answer {k} at {point:?}: {got} instead of {want}", case.name);
        }
    }
}

#[test]
fn laws_agree_with_the_simulator() {
    let laws = [
        ("lugre", "law = \"lugre\"\nfc = 0.6\nfs = 1\nvs = 0.1\nsigma0 = 300\nsigma1 = 10\nsigma2 = 0.1"),
        (
            "lugre-faded",
            "law = \"lugre\"\nfc = 0.6\nfs = 1\nvs = 0.1\nexponent = 1.4\nsigma0 = 300\nsigma1 = 10\nvd = 0.2",
        ),
        ("dahl", "law = \"dahl\"\nfc = 0.6\nsigma = 300"),
        ("bliman-sorine", "law = \"bliman-sorine\""),
        ("stribeck-tanh", "law = \"stribeck-tanh\"\nfc = 0.6\nfs = 1"),
        ("coulomb-tanh", "law = \"coulomb-tanh\"\nfc = 0.6"),
        ("simscape", "law = \"simscape\""),
        ("viscous", "law = \"viscous\""),
    ];
    laws.iter().for_each(|(name, law)| agrees(&case(name, pulled(law))));
}

/// A law of three memories whose rates have an infinite slope by the first where the motion begins, alone and coupled. The step with such a
/// slope has no solution, and a single run says that it cannot go on. The kernel held the memory at its first value, and ended as if all were well.
#[test]
fn an_infinite_slope_by_a_memory_ends_a_trajectory() {
    for (name, by_first) in [("alone", "0"), ("coupled", "a")] {
        let law = format!(
            "law = 'root'\ndefinition = \"\"\"\nname = 'root'\nunits = 'unchecked'\n[params]\nfc = {{ default = 1.0 }}\n\
             [states]\na = 'm'\nb = 'm'\nc = 'm'\n[equations]\nrate.a = 'v - sqrt(a)*abs(v)'\nrate.b = 'v - b*abs(v) + {by_first}'\n\
             rate.c = 'v - c*abs(v) + {by_first}'\nforce = 'fc*(a + b + c)'\n\"\"\"\n"
        );
        let case = case(&format!("infinite-slope-{name}"), pulled(&law));
        let Some(all) = case.run_kernel() else { return };
        // the step became too short
        assert!(all.iter().all(|printed| printed[0] == 1.0), "{name}: {all:?}");
        let scenario = case.scenario(&case.points[0]);
        let single = scenario.simulation().unwrap().run(&scenario.options, &mut NullObserver);
        assert!(single.is_err_and(|error| error.to_string().contains("step size fell to 0")), "{name}");
    }
}

/// A belt drags a block against a wall; a second block hangs on it: the sliding velocity is a difference, and two bodies are coupled.
#[test]
fn belts_and_several_bodies_agree_with_the_simulator() {
    let text = r#"
[run]
end = 4
rtol = 1e-8
[body.block]
mass = 1
x = 0.1
[body.second]
mass = 0.4
v = 0.3
[motion.belt]
position = { ramp = { slope = 0.5 } }
[spring.wall]
between = ["block", "ground"]
stiffness = 40
[spring.pull]
between = ["block", "second"]
stiffness = 20
damping = 0.2
[contact.table]
between = ["block", "belt"]
law = "lugre"
fc = 0.6
fs = 1
vs = 0.1
sigma0 = 300
sigma1 = 10
[contact.floor]
between = ["second", "ground"]
law = "lugre"
fc = 0.2
fs = 0.3
sigma0 = 100
[measure]
v_max = { max = "second.v" }
range = { range = "block.x" }
rms = { rms = "block.v", from = 1, to = 3 }
turns = { count = "floor.reverse-" }
F_min = { min = "table.force", from = 1 }
x = { final = "block.x" }
"#;
    let mut case = case("belt", text.to_owned());
    case.paths = vec!["spring.pull.stiffness", "motion.belt.position.ramp.slope"];
    agrees(&case);
}

/// A block slows down to the Stribeck speed, and a rising force takes it away again: a long step through the lowest speed must see it.
#[test]
fn the_lowest_speed_of_a_step_is_seen() {
    let text = r#"
[run]
end = 0.85
rtol = 1e-8
[body.block]
mass = 0.62
v = 0.56
[force.pull]
on = "block"
force = { ramp = { slope = 1.4 } }
[contact.table]
between = ["block", "ground"]
law = "lugre"
fc = 0.98
fs = 1.1
vs = 0.003
sigma0 = 46000
sigma1 = 300
sigma2 = 0
[measure]
v = { final = "block.v" }
x = { final = "block.x" }
"#;
    let points = (0..12).map(|k| vec![1.37 + 0.006 * f64::from(k)]).collect();
    agrees(&Case {
        name: "lowest-speed".to_owned(),
        text: text.to_owned(),
        paths: vec!["force.pull.force.ramp.slope"],
        points,
    });
}

#[test]
fn a_point_that_differs_elsewhere_is_refused() {
    let case = case("other", pulled("law = \"lugre\""));
    let numbers = |text: &str| {
        let none: [&str; 0] = [];
        Template::parse(text, &PathBuf::from("case.toml"), &none).unwrap().build().unwrap()
    };
    let (first, other) = (numbers(&case.text), numbers(&case.text.replace("mass = 1", "mass = 2")));
    let ensemble = Ensemble::new(&first.system, &first.options).unwrap().unwrap();
    let read = |scenario: &Scenario| {
        let mut numbers = Vec::new();
        ensemble.read(&scenario.system, &mut numbers).unwrap();
        numbers
    };
    let kernel = EnsembleKernel::new(&ensemble, &[read(&first)], &KernelSamples::default()).unwrap().unwrap();
    assert_eq!(kernel.row_length(), 0);
    assert!(kernel.row(&ensemble, &read(&first)).is_ok());
    assert!(kernel.row(&ensemble, &read(&other)).is_err());
}

#[test]
fn what_a_kernel_cannot_run_is_said() {
    let text = pulled("law = \"lugre\"");
    let build = |text: &str| {
        let none: [&str; 0] = [];
        Template::parse(text, &PathBuf::from("case.toml"), &none).unwrap().build().unwrap()
    };
    // a hand that stops within the run
    let bent = build(&text.replace("slope = 0.5", "slope = 0.5, end = 1"));
    let ensemble = Ensemble::new(&bent.system, &bent.options).unwrap().unwrap();
    let mut numbers = Vec::new();
    ensemble.read(&bent.system, &mut numbers).unwrap();
    let error = ensemble.coefficients(&numbers).unwrap_err();
    assert!(error.to_string().contains("bends or jumps"), "{error}");
    // a measure of another kind
    let crossed = build(&text.replace("[measure]", "[measure]\nt_max = { max = \"block.v\", show = \"t\" }"));
    let ensemble = Ensemble::new(&crossed.system, &crossed.options).unwrap().unwrap();
    ensemble.read(&crossed.system, &mut numbers).unwrap();
    let why = EnsembleKernel::new(&ensemble, &[numbers], &KernelSamples::default()).unwrap().unwrap_err();
    assert!(why.contains("measure"), "{why}");
}
