//! Derivatives of runs of scenarios, against difference quotients of whole runs.
use std::path::Path;
use stiction::scenario::{Scenario, Template, VariedValue, embedded};
use stiction::sim::{SensitivityReport, Simulation, SimulationOptions, Trace};

/// Relative change of a value for the quotient of two runs. Its truncation is of the order 1e-8 of the derivative, or more where
/// a law bends strongly; the error of the runs, about `RTOL` of a column, appears divided by the change.
const CHANGE: f64 = 5e-5;
const RTOL: f64 = 1e-10;

/// A run with derivatives: times, the wanted columns, and their derivatives by the parameter.
fn differentiate(scenario: &Scenario, value: &VariedValue, options: &SimulationOptions) -> (Trace, SensitivityReport) {
    let mut trace = Trace::default();
    let simulation = scenario.simulation().expect("a simulation");
    let (summary, report) =
        simulation.run_with_sensitivities(&[value.parameter()], options, &mut trace).expect("a run");
    assert!(summary.failure.is_none(), "{:?}", summary.failure);
    (trace, report)
}

/// Rows on the grid of sample times only: rows at events are at other times in other runs.
fn on_grid(rows: &[Vec<f64>], sample: f64) -> Vec<&Vec<f64>> {
    let on = |row: &&Vec<f64>| (row[0] / sample - (row[0] / sample).round()).abs() < 1e-9;
    let mut out: Vec<&Vec<f64>> = rows.iter().filter(on).collect();
    out.dedup_by(|b, a| a[0] == b[0]);
    out
}

/// Compares the derivatives of `columns` by every value of `paths` with difference quotients, at the sample times. `share` is
/// the largest truncation of the quotient over the largest derivative of the column.
pub(super) fn check(text: &str, end: f64, paths: &[&str], columns: &[&str], share: f64) {
    let set = [format!("run.end={end}"), format!("run.sample={}", end / 64.0), format!("run.rtol={RTOL}")];
    let template = Template::parse(text, Path::new("test.toml"), &set).expect("a scenario");
    let run = |template: &Template| {
        let scenario = template.build().expect("a scenario");
        let mut trace = Trace::default();
        Simulation::new(&scenario.system).expect("a system").run(&scenario.options, &mut trace).expect("a run");
        trace
    };
    let scenario = template.build().expect("a scenario");
    let names: Vec<String> =
        scenario.simulation().expect("a simulation").columns().iter().map(|c| c.name.clone()).collect();
    for path in paths {
        let value = template.vary(path).expect("a value");
        let (trace, report) = differentiate(&scenario, &value, &scenario.options);
        assert!(report.flags.is_empty(), "{path}: {:?}", report.flags);
        let step = CHANGE * value.value.abs();
        let [low, high] = [-step, step].map(|step| {
            let mut changed = template.clone();
            run(changed.number(&value.path, value.value + step).expect("a path"))
        });
        let [rows, low, high] = [&trace, &low, &high].map(|trace| on_grid(&trace.rows, end / 64.0));
        assert_eq!((rows.len(), rows.len()), (low.len(), high.len()), "{path}");
        for column in columns {
            let i = names.iter().position(|name| name == column).expect("a column");
            let got: Vec<f64> = rows.iter().map(|row| row[names.len() + i - 1]).collect();
            let wanted: Vec<f64> = low.iter().zip(&high).map(|(a, b)| (b[i] - a[i]) / (2.0 * step)).collect();
            let most = wanted.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            // the error of two runs, some steps' tolerances each, divided by the change
            let size = rows.iter().fold(0.0_f64, |most, row| most.max(row[i].abs()));
            let noise = 20.0 * RTOL * size / step;
            let (worst, at) = got.iter().zip(&wanted).zip(&rows).fold((0.0, 0.0), |(worst, at), ((a, b), row)| {
                let error = (a - b).abs();
                if error > worst || error.is_nan() { (error, row[0]) } else { (worst, at) }
            });
            assert!(worst <= share * most + noise, "d {column} / d {path}: {worst:e} of {most:e} at t = {at}");
        }
    }
}

fn text(name: &str) -> &'static str {
    embedded::find(name).expect("a scenario").text
}

#[test]
fn stick_slip_with_lugre() {
    check(
        text("a7"),
        10.0,
        &["k", "block.mass", "from.mu", "vs", "ramp.slope"],
        &["block.x", "block.v", "pull.force"],
        1e-5,
    );
}

#[test]
fn stick_slip_with_stiff_bristles() {
    check(text("lugre1995"), 16.0, &["fc", "sigma0"], &["block.x", "block.v", "table.force"], 1e-4);
}

#[test]
fn stick_slip_with_the_slip_variable() {
    check(text("o5"), 12.0, &["k", "tau_lag"], &["block.x", "block.v"], 1e-4);
}

#[test]
fn a_hunting_servo() {
    check(text("a12"), 16.0, &["ki", "gains.1", "fs"], &["cart.x", "servo.u"], 1e-4);
}

#[test]
fn a_stack_of_blocks() {
    let text = r#"
        [run]
        end = 6
        [body.lower]
        mass = 2
        [body.upper]
        mass = 1
        [force.push]
        on = "lower"
        force = { sine = { amplitude = 7, omega = 2.1 } }
        [contact.floor]
        between = ["lower", "ground"]
        law = "stiction"
        fs = 2
        fc = 1.5
        fv = 0.1
        [contact.between]
        between = ["upper", "lower"]
        law = "coulomb"
        fc = 1.2
    "#;
    let columns = ["lower.x", "upper.x", "upper.v", "floor.force", "between.force"];
    check(text, 6.0, &["upper.mass", "fs", "between.fc", "omega", "amplitude"], &columns, 1e-5);
}

#[test]
fn impacts_with_friction() {
    let text = r#"
        [run]
        end = 4
        [body.block]
        mass = 1.5
        v = 2
        [body.other]
        mass = 0.7
        x = 0.8
        [spring.back]
        between = ["block", "ground"]
        stiffness = 3
        damping = 0.05
        [contact.table]
        between = ["other", "ground"]
        law = "stribeck"
        fc = 0.3
        fs = 0.4
        vs = 0.05
        fv = 0.1
        [stop.pair]
        between = ["other", "block"]
        lo = 0.1
        restitution = 0.6
        [stop.wall]
        between = ["block", "ground"]
        lo = -0.5
        restitution = 0.4
    "#;
    let paths =
        ["block.mass", "block.v", "wall.lo", "pair.restitution", "wall.restitution", "stiffness", "pair.lo", "fs"];
    check(text, 4.0, &paths, &["block.x", "block.v", "other.x", "other.v"], 1e-5);
}

#[test]
fn times_of_signals() {
    let text = r#"
        [run]
        end = 3
        [body.block]
        mass = 1
        [force.push]
        on = "block"
        force = { step = { before = 0.2, after = 2, at = 0.7 } }
        [motion.belt]
        position = { ramp = { slope = 0.5, start = 1.3 } }
        [spring.pull]
        between = ["block", "belt"]
        stiffness = 20
        [contact.table]
        between = ["block", "ground"]
        law = "stiction"
        fs = 1
        fc = 0.8
        fv = 0
    "#;
    check(
        text,
        3.0,
        &["push.force.step.at", "belt.position.ramp.start", "after"],
        &["block.x", "block.v", "table.force"],
        1e-5,
    );
}

#[test]
fn laws_with_jumps_of_memory() {
    for (law, paths) in [
        ("law = \"gms\"", &["k"][..]),
        ("law = \"armstrong\"", &["k"]),
        ("law = \"reset-integrator\"", &["k"]),
        ("law = \"karnopp\"", &["k"]),
        ("law = \"dahl\"", &["k"]),
    ] {
        let text = format!(
            r#"
        [run]
        end = 6
        [body.block]
        mass = 1
        [motion.hand]
        position = {{ sine = {{ amplitude = 1.5, omega = 2 }} }}
        [spring.pull]
        between = ["hand", "block"]
        stiffness = 3
        [contact.table]
        between = ["block", "ground"]
        {law}
    "#
        );
        check(&text, 6.0, paths, &["block.x", "block.v", "table.force"], 1e-4);
    }
}
