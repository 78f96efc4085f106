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

/// A unit of this text, as the library reads it.
fn read(text: &str) -> ScenarioRun {
    let path = Path::new("scenario.toml");
    let template = Template::parse(text, path, &[""; 0]).unwrap();
    let unit = ScenarioUnit::new("scenario.toml", &template, FmiVersion::Two).unwrap();
    ScenarioRun::read(unit.resource(), path).unwrap()
}

/// A unit of this text, at its start.
fn started(text: &str) -> ScenarioRun {
    let mut run = read(text);
    run.initialise(0.0).unwrap();
    run
}

#[test]
fn every_scenario_is_a_unit() {
    for entry in embedded::ALL {
        let template = template(entry.name);
        let unit = ScenarioUnit::new(entry.name, &template, FmiVersion::Three).unwrap();
        // the importer's library reads the same variables from the text in the unit
        let run = ScenarioRun::read(unit.resource(), Path::new("scenario.toml")).unwrap();
        assert_eq!(run.variables(), unit.variables(), "{}", entry.name);
        let document = unit.model_description();
        assert!(document.contains(run.token()) && roxmltree::Document::parse(&document).is_ok(), "{}", entry.name);
        // what the importer chooses is no parameter
        let names = || run.variables().iter().map(|variable| variable.name.as_str());
        assert!(!names().any(|name| ["run.start", "run.end", "run.sample"].contains(&name)), "{}", entry.name);
    }
}

/// Another build may read the text in another way.
#[test]
fn a_scenario_of_another_build_is_refused() {
    let refused = ScenarioRun::read(BLOCK, Path::new("scenario.toml")).err();
    assert!(matches!(refused, Some(Error::Fmu(FmuError::OtherBuild { .. }))), "{refused:?}");
    let unit = ScenarioUnit::new("a7", &template("a7"), FmiVersion::Two).unwrap();
    // some library that is not that of this build
    let refused = unit.archive(Path::new(file!().strip_prefix("crates/stiction/").unwrap())).err();
    assert!(matches!(refused, Some(Error::Fmu(FmuError::OtherLibrary { .. }))), "{refused:?}");
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

/// A cart in a servo with encoder, dead time and estimator.
pub const SERVO: &str = r#"
[run]
end = 0.5
rtol = 1e-9
[body.cart]
mass = 1
[contact.rail]
between = ["cart", "ground"]
law = "stribeck"
[controller.servo]
on = "cart"
reference = { sine = { amplitude = 0.1, omega = 8 } }
period = 0.0031
quantum = 1e-5
delay = 3
limit = 50
[controller.servo.difference]
tau = 0.005
[controller.servo.pid]
kp = 200
ki = 300
kd = 20
"#;

/// A servo, whose samples do not fall on the steps of the importer; the state has the controllers' memory
/// in it, so that a run from a state that was serialised has the same bits.
#[test]
fn sampled_controllers_go_on_from_step_to_step() {
    let text = SERVO;
    let mut run = started(text);
    let steps = |run: &mut ScenarioRun, range: std::ops::Range<usize>| {
        range.for_each(|k| run.step(k as f64 * 0.01, 0.01).unwrap());
    };
    steps(&mut run, 0..20);
    let kept = ScenarioState::read(&run.state().numbers(), run.state()).unwrap();
    assert_eq!(kept, *run.state());
    steps(&mut run, 20..50);
    let found = difference(&run, &simulated(text));
    assert!(found < 1e-6, "{found}");
    let (end, moved) = (run.state().clone(), run.get(reference_of(&run, "cart.x")).unwrap());
    // by hundreds of counts
    assert!(moved.abs() > 5e-3, "{moved}");
    run.set_state(&kept).unwrap();
    steps(&mut run, 20..50);
    assert_eq!(*run.state(), end);
}

/// Flanks that touch and part, whose pieces are chosen anew at the start of each step.
#[test]
fn gaps_and_backlash_move_in_steps_as_in_one_run() {
    for (name, end) in [("buffer", 1.0), ("backlash", 1.5)] {
        let assignments = [format!("run.end={end}"), "run.rtol=1e-9".to_owned()];
        let (text, _) = Template::find(name, &assignments).unwrap().bundle();
        let mut run = started(&text);
        (0..100).for_each(|k| run.step(k as f64 * end / 100.0, end / 100.0).unwrap());
        let found = difference(&run, &simulated(&text));
        assert!(found < 1e-6, "{name}: {found}");
    }
}

/// Switches of springs, contacts, stops and rigid gears at the very ends of the importer's steps, and within them; what is off, and where the rest of a spring
/// has moved, is in the state that is serialised.
#[test]
fn switches_act_between_and_within_the_steps_of_an_importer() {
    for (name, end, steps) in [("switched-coupling", 4.0, 8), ("switched-coupling", 4.0, 7), ("gear-shift", 10.0, 20)] {
        let assignments = [format!("run.end={end}"), "run.rtol=1e-9".to_owned()];
        let (text, _) = Template::find(name, &assignments).unwrap().bundle();
        let mut run = started(&text);
        let length = end / f64::from(steps);
        for k in 0..steps {
            let kept = ScenarioState::read(&run.state().numbers(), run.state()).unwrap();
            assert_eq!(kept, *run.state(), "{name}");
            run.set_state(&kept).unwrap();
            run.step(f64::from(k) * length, length).unwrap();
        }
        let found = difference(&run, &simulated(&text));
        assert!(found < 1e-6, "{name} in {steps} steps: {found}");
    }
}

/// Scenarios that take nearly their whole run, in ten steps: of each kind of component one, with its impacts, slips and changes of mode. The others take
/// a fiftieth of it, which in debug builds is quick.
const FOLLOWED: &str = "backlash ball-screw belt-drive brake-fade buffer coast-down curling disc eddy-brake freewheel gear-shift grain harmonic-drive \
    modelica-backlash modelica-brake modelica-clutches modelica-drive-train modelica-eddy-brake modelica-freewheel modelica-gap modelica-losses \
    modelica-lossy-gear modelica-one-way-clutch modelica-preload modelica-stops modelica-vehicle modelica-wheel planetary-gearbox slope slope-record switched-coupling wheel worm-hoist";

#[test]
fn every_scenario_moves_in_steps_as_in_one_run() {
    for entry in embedded::ALL {
        let options = template(entry.name).build().unwrap().options;
        let is_followed = FOLLOWED.split_whitespace().any(|name| name == entry.name);
        let whole = options.end - options.start;
        let (steps, length) = match (is_followed, options.step > 0.0) {
            // a method with a fixed step has it between the importer's steps, too
            (_, true) => (3, options.step),
            (true, false) => (10, 0.09 * whole),
            (false, false) => (10, 0.002 * whole.min(5.0)),
        };
        let end = options.start + f64::from(steps) * length;
        let assignments = [format!("run.end={end}"), "run.rtol=1e-9".to_owned()];
        let (text, _) = Template::find(entry.name, &assignments).unwrap().bundle();
        let mut run = read(&text);
        run.initialise(options.start).unwrap();
        for k in 0..steps {
            run.step(options.start + f64::from(k) * length, length).unwrap();
        }
        let found = difference(&run, &simulated(&text));
        assert!(found < 1e-6, "{}: {found}", entry.name);
    }
}

#[test]
fn inputs_are_added_and_parameters_replace() {
    let mut run = read(BLOCK);
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

/// The signal of the reference in [`SERVO`].
pub const SERVO_REFERENCE: &str = "{ sine = { amplitude = 0.1, omega = 8 } }";

/// A reference that the importer gives, with how fast it changes, is that of the scenario: of sampled and of continuous controllers, behind a limit and a
/// switch.
#[test]
fn references_of_controllers_are_inputs() {
    let continuous = r#"
[run]
end = 0.5
rtol = 1e-9
[body.cart]
mass = 1
[contact.rail]
between = ["cart", "ground"]
law = "stribeck"
[control.servo]
on = "cart"
measure = ["cart.x", "cart.v"]
gains = [200, 20]
ki = 300
limit = 50
enable = 1
reference = { sine = { amplitude = 0.1, omega = 8 } }
"#;
    let quantised = continuous.replace("enable = 1", "period = 0.0031\nquantum = [1e-5]");
    for text in [SERVO, continuous, &quantised] {
        let sum = |more: &str| text.replace(SERVO_REFERENCE, &format!("{{ sum = [{SERVO_REFERENCE}, {more}] }}"));
        // a value from the start; and one that grows, of which the velocity matters to the feed-forward and to differences of the error
        for (more, value, rate) in [("0.03", 0.03, 0.0), ("{ ramp = { slope = 0.2 } }", 0.0, 0.2)] {
            let mut run = read(text);
            let [added, added_rate] = ["controller.servo.added_reference", "controller.servo.added_reference_rate"]
                .map(|name| reference_of(&run, name));
            let units = [added, added_rate].map(|i| run.variables()[i].unit.clone().unwrap());
            assert_eq!(units, ["m", "m/s"]);
            let set = |run: &mut ScenarioRun, t: f64| {
                assert!(run.set(added, value + rate * t) && run.set(added_rate, rate));
            };
            set(&mut run, 0.0);
            run.initialise(0.0).unwrap();
            for k in 0..50 {
                set(&mut run, f64::from(k) * 0.01);
                run.step(f64::from(k) * 0.01, 0.01).unwrap();
            }
            let (own, want) = (difference(&run, &simulated(text)), simulated(&sum(more)));
            let found = difference(&run, &want);
            assert!(found < 1e-6 && own > 1e-2, "{more}: {found}, {own} from the scenario without it\n{text}");
        }
    }
}

#[test]
fn signals_on_a_plane_are_inputs() {
    let text = r#"
[run]
end = 1
rtol = 1e-9
[plane]
tilt = 0.2
[plane_body.disc]
mass = 0.5
radius = 0.1
law = "coulomb"
fc = 0.3
nominal = 1
[plane_force.push]
on = "disc"
x = 1
y = 0.5
moment = 0.01
[plane_spring.pull]
on = "disc"
stiffness = 20
x = { ramp = { slope = 0.5 } }
"#;
    let mut run = read(text);
    let values = [
        ("plane_force.push.added_x", 0.4),
        ("plane_force.push.added_y", -0.25),
        ("plane_force.push.added_moment", 0.02),
        ("plane_body.disc.added_load", 0.5),
        ("plane_spring.pull.added_velocity_x", 0.25),
        ("plane_spring.pull.added_velocity_y", -0.1),
    ];
    let inputs = run.variables().iter().filter(|v| v.causality == Causality::Input).map(|v| v.name.clone());
    assert_eq!(inputs.collect::<Vec<_>>(), values.map(|(name, _)| name));
    for (name, value) in values {
        assert!(run.set(reference_of(&run, name), value));
    }
    run.initialise(0.0).unwrap();
    take_steps(&mut run, 100, 0);
    let same = text
        .replace("x = 1\ny = 0.5\nmoment = 0.01", "x = 1.4\ny = 0.25\nmoment = 0.03")
        .replace("nominal = 1", "nominal = 1\nload = 1.5")
        .replace("x = { ramp = { slope = 0.5 } }", "x = { ramp = { slope = 0.75 } }\ny = { ramp = { slope = -0.1 } }");
    let (found, own) = (difference(&run, &simulated(&same)), difference(&run, &simulated(text)));
    assert!(found < 1e-6 && own > 1e-2, "{found}, {own} from the scenario without them");
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
    let mut run = read(BLOCK);
    let mass = reference_of(&run, "body.block.mass");
    assert!(run.set(mass, -1.0));
    assert!(run.initialise(0.0).unwrap_err().to_string().contains("mass"));
    assert!(run.set(mass, 2.0));
    run.initialise(0.0).unwrap();
}

#[test]
fn a_parameter_that_makes_another_system_is_refused() {
    let (text, _) = template("chain").bundle();
    let mut run = read(&text);
    let count = run.variables().iter().find(|v| v.name.starts_with("chain.") && v.name.ends_with(".count")).unwrap();
    let (reference, value) = (count.reference, count.start.unwrap());
    assert!(run.set(reference, value + 1.0));
    let refused = run.initialise(0.0);
    assert!(matches!(refused, Err(Error::Fmu(FmuError::OtherOutputs))), "{refused:?}");
}
