//! Every unit validated and simulated by FMPy, against the simulator, and imported by CasADi.
use crate::build::{folder, run};
use crate::fmu::{IN_BOTH_DIRECTIONS, STEP, end, plan, reference, reference_with, schedule, units_of, wrapped};
use crate::fmu_scenario::{BLOCK, SERVO, SERVO_REFERENCE};
use crate::law_python::python;
use crate::skip::skip;
use std::fs;
use std::path::Path;
use std::process::Command;
use stiction::core::Input;
use stiction::export::fmu::{FmiVersion, FmuError, FmuPlan, ScenarioUnit, UnitBinary, UnitKind};
use stiction::scenario::Template;
use stiction::sim::Trace;
use stiction::{Error, Spec};

/// A job of `fmu/importer.py`, as JSON.
fn job(law: &str, kind: UnitKind, version: FmiVersion, file: &Path, rows: &[Vec<f64>]) -> String {
    let (input, outputs) = match kind {
        UnitKind::Body => ("force", r#"["position", "velocity", "friction"]"#),
        UnitKind::Law => ("velocity", r#"["friction"]"#),
    };
    let inputs: Vec<String> = schedule(kind).iter().map(|(t, x)| format!("[{t}, {x}]")).collect();
    let rows: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
    format!(
        r#"{{"law": "{law}", "kind": "{}", "version": "{}", "file": {:?}, "step": {STEP}, "end": {}, "accuracy": 1e-6, "input": "{input}", "outputs": {outputs}, "inputs": [{}], "rows": [{}]}}"#,
        kind.name(),
        version.name(),
        file.display().to_string(),
        end(law),
        inputs.join(", "),
        rows.join(", ")
    )
}

#[test]
fn fmpy_simulates_every_unit_as_the_simulator_does() {
    let Some(python) = python(&["fmpy"]) else { return };
    let at = folder("fmu-importer");
    let mut jobs = Vec::new();
    for kind in [UnitKind::Body, UnitKind::Law] {
        for law in units_of(kind) {
            let rows = reference(law, kind);
            for version in [FmiVersion::Two, FmiVersion::Three] {
                let plan = plan(law, kind, version).unwrap();
                let file = at.join(format!("{}-{}.fmu", plan.identifier, version.name()));
                fs::write(&file, plan.archive(&UnitBinary::Prebuilt).unwrap()).unwrap();
                jobs.push(job(law, kind, version, &file, &rows));
            }
        }
    }
    for (k, (law, values)) in IN_BOTH_DIRECTIONS.into_iter().enumerate() {
        let (spec, lines) = wrapped(law, values);
        let plan = FmuPlan::new(&spec, UnitKind::Body, FmiVersion::Three).unwrap();
        let file = at.join(format!("{}-both-{k}.fmu", plan.identifier));
        fs::write(&file, plan.archive(&UnitBinary::Prebuilt).unwrap()).unwrap();
        let rows = reference_with(law, UnitKind::Body, &lines);
        jobs.push(job(law, UnitKind::Body, FmiVersion::Three, &file, &rows));
    }
    import(&python, &at, &jobs);
}

/// Runs `fmu/importer.py` on these jobs.
fn import(python: &Path, at: &Path, jobs: &[String]) {
    let list = at.join("jobs.json");
    fs::write(&list, format!("[{}]", jobs.join(",\n"))).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/export/fmu/importer.py");
    let said = String::from_utf8(run(Command::new(python).arg(script).arg(&list))).unwrap();
    print!("{said}");
    // FMPy warns of inputs that are left at their start values
    assert_eq!(said.matches(": problems ").count(), jobs.len());
}

/// A scenario, an input of its unit over time, and the same in the scenario itself.
struct ScenarioJob {
    name: &'static str,
    text: &'static str,
    inputs: Vec<(f64, f64)>,
    same: String,
}

fn scenario_jobs() -> [ScenarioJob; 2] {
    let reference = vec![(0.0, 0.0), (0.1, 0.05), (0.3, -0.04)];
    let points: Vec<String> = reference.iter().map(|(t, x)| format!("[{t}, {x}]")).collect();
    let points = points.join(", ");
    let table = format!("{{ table = {{ points = [{points}, [9, 0.0]], interpolation = \"hold\" }} }}");
    let moved = SERVO.replace(SERVO_REFERENCE, &format!("{{ sum = [{SERVO_REFERENCE}, {table}] }}"));
    [
        ScenarioJob { name: "block", text: BLOCK, inputs: Vec::new(), same: BLOCK.to_owned() },
        ScenarioJob { name: "servo", text: SERVO, inputs: reference, same: moved },
    ]
}

#[test]
fn fmpy_simulates_a_scenario_as_the_simulator_does() {
    let Some(python) = python(&["fmpy"]) else { return };
    let Ok(library) = ScenarioUnit::library() else {
        return skip("there is no library with the simulator: cargo build -p stiction-unit");
    };
    let at = folder("fmu-scenario");
    let mut jobs = Vec::new();
    for ScenarioJob { name, text, inputs, same } in scenario_jobs() {
        let parse = |text: &str| {
            Template::parse(text, Path::new("scenario.toml"), &["run.end=0.5", "run.sample=0.025"]).unwrap()
        };
        let scenario = parse(&same).build().unwrap();
        let mut trace = Trace::default();
        scenario.simulation().unwrap().run(&scenario.options, &mut trace).unwrap();
        let columns: Vec<String> =
            scenario.simulation().unwrap().columns().iter().skip(1).map(|c| c.name.clone()).collect();
        let row = |k: usize| trace.rows.iter().find(|row| (row[0] - k as f64 * STEP).abs() < 1e-9).unwrap();
        let rows: Vec<String> = (1..=20).map(|k| format!("{:?}", row(k))).collect();
        let inputs: Vec<String> = inputs.iter().map(|(t, x)| format!("[{t}, {x}]")).collect();
        for version in [FmiVersion::Two, FmiVersion::Three] {
            let file = at.join(format!("{name}-{}.fmu", version.name()));
            let unit = ScenarioUnit::new(name, &parse(text), version).unwrap();
            let archive = match unit.archive(&library) {
                Err(Error::Fmu(FmuError::OtherLibrary { .. })) => {
                    return skip(
                        "the library with the simulator is older than the sources: cargo build -p stiction-unit",
                    );
                }
                archive => archive.unwrap(),
            };
            fs::write(&file, archive).unwrap();
            jobs.push(format!(
                r#"{{"law": "{name}", "kind": "scenario", "version": "{}", "file": {:?}, "step": {STEP}, "end": 0.5, "accuracy": 1e-6, "outputs": {columns:?}, "input": "controller.servo.added_reference", "inputs": [{}], "rows": [{}]}}"#,
                version.name(),
                file.display().to_string(),
                inputs.join(", "),
                rows.join(", ")
            ));
        }
    }
    import(&python, &at, &jobs);
}

#[test]
fn casadi_imports_model_exchange() {
    let Some(python) = python(&["casadi"]) else { return };
    let at = folder("fmu-casadi");
    let mut jobs = Vec::new();
    let kinds = [UnitKind::Body, UnitKind::Law].into_iter();
    let each = kinds.flat_map(|kind| [FmiVersion::Two, FmiVersion::Three].map(|version| (kind, version)));
    for (kind, version) in each {
        for law in units_of(kind) {
            let plan = plan(law, kind, version).unwrap();
            let file = at.join(format!("{}_{}.fmu", plan.identifier, version.name()));
            fs::write(&file, plan.archive(&UnitBinary::Prebuilt).unwrap()).unwrap();
            let built = Spec::new(law).unwrap().build().unwrap();
            // not at rest, where laws have kinks, and not settled, where their memory does not change
            let points = [(0.02, 1.0), (-0.3, 1.0), (0.5, 2.0)].map(|(v, load)| {
                let mut memory = vec![0.0; built.len()];
                built.settled(&Input::at(0.7 * v), &mut memory);
                memory.iter_mut().for_each(|z| *z *= 0.9);
                let mut point = vec![v, load, built.force(&memory, &Input { v, load })];
                point.extend(memory);
                point
            });
            jobs.push(format!(
                r#"{{"law": "{law} {} {}", "file": {:?}, "points": {points:?}}}"#,
                kind.name(),
                version.name(),
                file.display().to_string()
            ));
        }
    }
    let list = at.join("jobs.json");
    fs::write(&list, format!("[{}]", jobs.join(",\n"))).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/export/fmu/casadi_importer.py");
    let said = String::from_utf8(run(Command::new(python).arg(script).arg(&list).arg(&at))).unwrap();
    print!("{said}");
    assert_eq!(said.lines().count(), jobs.len());
}
