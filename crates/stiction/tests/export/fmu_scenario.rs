//! Scenarios as units: the simulator in steps of an importer.
use std::path::Path;
use stiction::export::fmu::{Causality, FmiVersion, FmuError, ScenarioRun, ScenarioState, ScenarioUnit};
use stiction::scenario::{Scenario, Template, embedded};
use stiction::sim::Trace;
use stiction::{Error, sim::Simulation};

fn template(name: &str) -> Template {
    Template::find(name, &[""; 0]).unwrap()
}

fn reference_of(run: &ScenarioRun, name: &str) -> usize {
    run.variables().iter().find(|variable| variable.name == name).unwrap().reference
}

/// A unit of this text, at its start.
fn started(text: &str) -> ScenarioRun {
    let mut run = ScenarioRun::read(text, Path::new("scenario.toml")).unwrap();
    run.initialise(0.0).unwrap();
    run
}

#[test]
fn every_scenario_without_a_sampled_controller_is_a_unit() {
    let mut units = 0;
    for entry in embedded::ALL {
        let template = template(entry.name);
        let is_sampled = matches!(
            ScenarioUnit::new(entry.name, &template, FmiVersion::Two),
            Err(Error::Fmu(FmuError::SampledController { .. }))
        );
        if is_sampled {
            continue;
        }
        let unit = ScenarioUnit::new(entry.name, &template, FmiVersion::Three).unwrap();
        // the importer's library reads the same variables from the text in the unit
        let (text, _) = template.bundle();
        let run = ScenarioRun::read(&text, Path::new("scenario.toml")).unwrap();
        assert_eq!(run.variables(), unit.variables(), "{}", entry.name);
        let document = unit.model_description();
        assert!(document.contains(run.token()) && roxmltree::Document::parse(&document).is_ok(), "{}", entry.name);
        units += 1;
    }
    println!("{units} of {} scenarios are units", embedded::ALL.len());
    assert!(units > embedded::ALL.len() / 2, "{units}");
}

/// A block that a spring pulls over a table, and that a force pushes.
pub const BLOCK: &str = r#"
title = "A block"
[run]
end = 2
rtol = 1e-9
[body.block]
mass = 1
[motion.hand]
position = { ramp = { slope = 0.5 } }
[spring.pull]
between = ["hand", "block"]
stiffness = 20
[force.push]
on = "block"
force = 0.1
[contact.table]
between = ["block", "ground"]
law = "stribeck"
"#;

/// Columns at the end of a run of the simulator.
fn simulated(text: &str) -> Vec<(String, f64)> {
    let scenario = Scenario::parse(text, Path::new("scenario.toml"), &[""; 0]).unwrap();
    let simulation = Simulation::new(&scenario.system).unwrap();
    let summary = simulation.run(&scenario.options, &mut Trace::default()).unwrap();
    let names = simulation.columns().iter().map(|column| column.name.clone());
    names.zip(summary.row).skip(1).collect()
}

/// The largest difference of the outputs from these columns, relative to their size.
fn difference(run: &ScenarioRun, want: &[(String, f64)]) -> f64 {
    want.iter().fold(0.0, |most, (name, x)| {
        let got = run.get(reference_of(run, name)).unwrap();
        f64::max(most, (got - x).abs() / (1.0 + x.abs()))
    })
}

fn take_steps(run: &mut ScenarioRun, count: usize, from: usize) {
    (from..from + count).for_each(|k| run.step(k as f64 * 0.01, 0.01).unwrap());
}

#[test]
fn a_scenario_in_steps_moves_as_in_one_run() {
    let mut run = started(BLOCK);
    // at the start the block is at rest, and the spring without force
    assert_eq!(run.get(reference_of(&run, "block.x")), Some(0.0));
    take_steps(&mut run, 200, 0);
    let found = difference(&run, &simulated(BLOCK));
    // every step starts the integrator anew, with a tolerance of 1e-9
    assert!(found < 1e-6, "{found}");
}

#[test]
fn inputs_are_added_and_parameters_replace() {
    let mut run = ScenarioRun::read(BLOCK, Path::new("scenario.toml")).unwrap();
    let [force, hand, load, stiffness] =
        ["force.push.added", "motion.hand.added_velocity", "contact.table.added_load", "spring.pull.stiffness"]
            .map(|name| reference_of(&run, name));
    let inputs = run.variables().iter().filter(|v| v.causality == Causality::Input);
    assert_eq!(
        inputs.map(|v| (v.reference, v.start)).collect::<Vec<_>>(),
        [(1, Some(0.0)), (2, Some(0.0)), (3, Some(0.0))]
    );
    assert!(run.set(stiffness, 30.0));
    run.initialise(0.0).unwrap();
    // a parameter is fixed from then on, and outputs are never set
    let position = reference_of(&run, "block.x");
    assert!(!run.set(stiffness, 40.0) && !run.set(position, 1.0) && !run.set(10_000, 1.0));
    for (reference, value) in [(force, 0.3), (hand, 0.25), (load, 0.5)] {
        assert!(run.set(reference, value));
    }
    take_steps(&mut run, 200, 0);
    let same = BLOCK
        .replace("stiffness = 20", "stiffness = 30")
        .replace("force = 0.1", "force = 0.4")
        .replace("slope = 0.5", "slope = 0.75")
        .replace("law = \"stribeck\"", "law = \"stribeck\"\nload = 1.5");
    let found = difference(&run, &simulated(&same));
    assert!(found < 1e-6, "{found}");
}

#[test]
fn a_state_is_saved_set_and_serialised() {
    let mut run = started(BLOCK);
    take_steps(&mut run, 50, 0);
    let kept = run.state().clone();
    let read = ScenarioState::read(&kept.numbers(), run.state()).unwrap();
    assert_eq!(read, kept);
    take_steps(&mut run, 50, 50);
    let after = run.state().clone();
    run.set_state(&read).unwrap();
    take_steps(&mut run, 50, 50);
    assert_eq!(*run.state(), after);
    // numbers that end too soon are no state
    let numbers = kept.numbers();
    assert!((0..numbers.len()).all(|count| ScenarioState::read(&numbers[..count], run.state()).is_none()));
    run.reset().unwrap();
    run.initialise(0.0).unwrap();
    assert_eq!(run.get(reference_of(&run, "block.x")), Some(0.0));
}

#[test]
fn a_number_out_of_its_bounds_ends_the_initialisation() {
    let mut run = ScenarioRun::read(BLOCK, Path::new("scenario.toml")).unwrap();
    let mass = reference_of(&run, "body.block.mass");
    assert!(run.set(mass, -1.0));
    assert!(run.initialise(0.0).unwrap_err().to_string().contains("mass"));
    assert!(run.set(mass, 2.0));
    run.initialise(0.0).unwrap();
}

#[test]
fn a_parameter_that_makes_another_system_is_refused() {
    let (text, _) = template("chain").bundle();
    let mut run = ScenarioRun::read(&text, Path::new("scenario.toml")).unwrap();
    let count = run.variables().iter().find(|v| v.name.starts_with("chain.") && v.name.ends_with(".count")).unwrap();
    let (reference, value) = (count.reference, count.start.unwrap());
    assert!(run.set(reference, value + 1.0));
    let refused = run.initialise(0.0);
    assert!(matches!(refused, Err(Error::Fmu(FmuError::OtherOutputs))), "{refused:?}");
}
