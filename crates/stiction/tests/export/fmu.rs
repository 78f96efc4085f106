//! Units: what is in them, and that they move as the simulator does.
use crate::fmu_driver::{Driver, each_binary};
use crate::skip::c_compiler;
use std::collections::BTreeSet;
use std::io::{Cursor, Read};
use std::path::Path;
use stiction::core::models;
use stiction::export::fmu::{Causality, Compiler, FmiVersion, FmuError, FmuPlan, UnitBinary, UnitKind};
use stiction::export::law::LawCodeError;
use stiction::scenario::Scenario;
use stiction::sim::Trace;
use stiction::{Error, LawError, LawFile, Spec};

/// The importer's step [s].
pub const STEP: f64 = 0.025;

/// The first input over time: it pushes a body below break-away, beyond, stops it, turns it round, and lets it rest. Each value is held.
pub fn schedule(kind: UnitKind) -> [(f64, f64); 6] {
    let size = if kind == UnitKind::Body { 1.0 } else { 0.01 };
    [(0.0, 0.5), (0.1, 2.0), (0.3, 0.3), (0.4, -2.2), (0.65, 0.2), (0.8, 0.0)].map(|(t, x)| (t, size * x))
}

/// How long a law is followed: `hysteresis` rings without damping, ten thousand steps a second.
pub fn end(law: &str) -> f64 {
    if law == "hysteresis" { 0.2 } else { 1.0 }
}

pub fn plan(law: &str, kind: UnitKind, version: FmiVersion) -> Result<FmuPlan, Error> {
    FmuPlan::new(&Spec::new(law)?, kind, version)
}

/// What the simulator gives after every step: time, then position and velocity of a body, then friction.
pub fn reference(law: &str, kind: UnitKind) -> Vec<Vec<f64>> {
    reference_with(law, kind, "")
}

/// The same with these lines for the contact.
pub fn reference_with(law: &str, kind: UnitKind, values: &str) -> Vec<Vec<f64>> {
    reference_until(end(law), law, kind, values)
}

fn reference_until(end: f64, law: &str, kind: UnitKind, values: &str) -> Vec<Vec<f64>> {
    let points: Vec<String> = schedule(kind).iter().map(|(t, x)| format!("[{t}, {x}]")).collect();
    let signal = format!("{{ table = {{ points = [{}, [9, 0.0]], interpolation = \"hold\" }} }}", points.join(", "));
    let turns = law == "gear";
    let mass = if turns { "inertia" } else { "mass" };
    let moved = match kind {
        UnitKind::Body => format!("[body.a]\n{mass} = 1\n[force.push]\non = \"a\"\nforce = {signal}\n"),
        UnitKind::Law => format!("[motion.a]\nturns = {turns}\nvelocity = {signal}\n"),
    };
    let text = format!(
        "[run]\nend = {end}\nrtol = 1e-10\nsample = {STEP}\n{moved}[contact.c]\nbetween = [\"a\", \"ground\"]\nlaw = \"{law}\"\n{values}"
    );
    let scenario = Scenario::parse(&text, Path::new("unit.toml"), &[""; 0]).unwrap();
    let (simulation, mut trace) = (scenario.simulation().unwrap(), Trace::default());
    simulation.run(&scenario.options, &mut trace).unwrap();
    let names: Vec<String> = simulation.columns().iter().map(|column| column.name.clone()).collect();
    let at = |name: &str| names.iter().position(|column| column == name).unwrap();
    let columns = match kind {
        UnitKind::Body => vec![at("a.x"), at("a.v"), at("c.force")],
        UnitKind::Law => vec![at("c.force")],
    };
    let row = |k: usize| {
        let t = k as f64 * STEP;
        // where a force jumps there are two rows; a step of the importer ends before the jump
        let row = trace.rows.iter().find(|row| (row[0] - t).abs() < 1e-9).unwrap();
        std::iter::once(t).chain(columns.iter().map(|i| row[*i])).collect()
    };
    (1..=(end / STEP).round() as usize).map(row).collect()
}

/// The largest difference of each column, relative to the largest value in it.
pub fn differences(got: &[Vec<f64>], want: &[Vec<f64>]) -> Vec<f64> {
    assert_eq!(got.len(), want.len());
    let difference = |i: usize| {
        let size = want.iter().fold(0.0_f64, |most, row| most.max(row[i].abs()));
        assert!(size > 0.0 && got.iter().all(|row| row[i].is_finite()), "column {i}");
        got.iter().zip(want).fold(0.0_f64, |most, (a, b)| most.max((a[i] - b[i]).abs() / size))
    };
    (0..want[0].len()).map(difference).collect()
}

/// The aim of a unit: a millionth of the size of the motion.
pub const ACCURACY: f64 = 1e-6;

#[test]
fn bodies_move_as_in_the_simulator() {
    for law in ["coulomb", "stribeck", "karnopp", "rate-state", "slip-variable", "lugre", "gms", "elasto-plastic"] {
        let plan = plan(law, UnitKind::Body, FmiVersion::Two).unwrap();
        let (want, inputs) = (reference(law, UnitKind::Body), schedule(UnitKind::Body));
        for driver in each_binary(&plan) {
            let found = differences(&driver.run("cs", STEP, end(law), &inputs), &want);
            assert!(found.iter().all(|x| *x < ACCURACY), "{law}, co-simulation: {found:?}");
            // the importer's method is explicit: the friction of a stiff bristle has what its error makes of it
            if ["coulomb", "stribeck", "karnopp", "lugre", "gms"].contains(&law) {
                let found = differences(&driver.run("me", STEP, end(law), &inputs), &want);
                assert!(found[..3].iter().all(|x| *x < ACCURACY), "{law}, model exchange: {found:?}");
            }
        }
    }
}

#[test]
fn an_interpreted_law_has_the_bits_of_a_compiled_one() {
    // shapes of laws: iterations, elementary functions, jumps, an extremum of the speed; laws by themselves
    let bodies = ["stribeck", "karnopp", "rate-state", "gms", "hysteresis", "bliman-sorine", "armstrong", "simscape"];
    let laws = ["dieterich", "stribeck-tanh", "bouc-wen", "reset-integrator"];
    let bodies = bodies.map(|law| (law, UnitKind::Body)).into_iter();
    for (law, kind) in bodies.chain(laws.map(|law| (law, UnitKind::Law))) {
        let plan = plan(law, kind, FmiVersion::Two).unwrap();
        let rows: Vec<_> = each_binary(&plan).map(|driver| driver.run("cs", STEP, 0.2, &schedule(kind))).collect();
        assert!(rows.windows(2).all(|pair| pair[0] == pair[1]), "{law}");
    }
}

#[test]
fn a_stribeck_curve_with_an_unbounded_slope_at_rest_is_followed() {
    let mut spec = Spec::new("stribeck").unwrap();
    spec.set("exponent", 0.5).unwrap();
    let plan = FmuPlan::new(&spec, UnitKind::Body, FmiVersion::Two).unwrap();
    let Some(driver) = Driver::named("cusp", &plan, &UnitBinary::Prebuilt) else { return };
    let want = reference_with("stribeck", UnitKind::Body, "exponent = 0.5\n");
    let found = differences(&driver.run("cs", STEP, 1.0, &schedule(UnitKind::Body)), &want);
    assert!(found.iter().all(|x| *x < ACCURACY), "{found:?}");
}

/// Sliding leads right to the end of such a bristle, where the slope of its rate has no bound.
#[test]
fn a_power_of_the_memory_below_one_is_followed() {
    for shape in [0.2, 0.5] {
        let mut spec = Spec::new("dahl").unwrap();
        spec.set("shape", shape).unwrap();
        let plan = FmuPlan::new(&spec, UnitKind::Body, FmiVersion::Two).unwrap();
        let want = reference_with("dahl", UnitKind::Body, &format!("shape = {shape}\n"));
        let Some(driver) = Driver::named("power", &plan, &UnitBinary::Prebuilt) else { return };
        let found = differences(&driver.run("cs", STEP, 1.0, &schedule(UnitKind::Body)), &want);
        assert!(found.iter().all(|x| *x < ACCURACY), "{shape}: {found:?}");
    }
}

#[test]
fn laws_give_the_friction_of_the_simulator() {
    for law in ["lugre", "gms", "stribeck-tanh", "dieterich"] {
        let plan = plan(law, UnitKind::Law, FmiVersion::Two).unwrap();
        let (want, inputs) = (reference(law, UnitKind::Law), schedule(UnitKind::Law));
        for driver in each_binary(&plan) {
            let found = differences(&driver.run("cs", STEP, end(law), &inputs), &want);
            assert!(found.iter().all(|x| *x < ACCURACY), "{law}: {found:?}");
        }
    }
}

/// A law with values of its own for motion backwards and for the load, and the same as lines of a contact.
pub fn wrapped(law: &str, values: &[(&str, f64)]) -> (Spec, String) {
    let mut spec = Spec::new(law).unwrap();
    values.iter().for_each(|(key, x)| assert!(spec.set(key, *x).is_ok(), "{law}: {key}"));
    let (load, own): (Vec<_>, Vec<_>) = values.iter().partition(|(key, _)| key.starts_with("load."));
    let mut lines: String = own.iter().map(|(key, x)| format!("{key} = {x}\n")).collect();
    if let [(_, base), (_, slope)] = load[..] {
        lines += &format!("load = {{ signal = 1, base = {base}, slope = {slope} }}\n");
    }
    (spec, lines)
}

/// Of each kind of law one: a set at rest, a band of rest, bristles, a memory that jumps. Stiffness that differs makes a set at rest of its own.
pub const IN_BOTH_DIRECTIONS: [(&str, &[(&str, f64)]); 8] = [
    ("coulomb", &[("reverse.fc", 1.4), ("load.base", 0.25), ("load.slope", 0.5)]),
    ("stribeck", &[("reverse.fs", 1.8), ("reverse.fv", 0.3), ("load.base", 0.2), ("load.slope", 0.7)]),
    ("karnopp", &[("reverse.fs", 1.7), ("reverse.band", 0.004)]),
    ("slip-variable", &[("load.base", 0.25), ("load.slope", 0.5)]),
    ("lugre", &[("reverse.fc", 1.3), ("reverse.fs", 1.7), ("load.base", 0.4), ("load.slope", 0.5)]),
    ("lugre", &[("reverse.sigma0", 3e4)]),
    ("gms", &[("reverse.fc", 1.3), ("reverse.fs", 1.9)]),
    ("armstrong", &[("reverse.fc", 1.2), ("load.base", 0.4), ("load.slope", 0.5)]),
];

#[test]
fn laws_for_both_directions_and_a_load_of_its_own_move_as_in_the_simulator() {
    for (law, values) in IN_BOTH_DIRECTIONS {
        let (spec, lines) = wrapped(law, values);
        let plan = FmuPlan::new(&spec, UnitKind::Body, FmiVersion::Two).unwrap();
        let (want, inputs) = (reference_until(1.0, law, UnitKind::Body, &lines), schedule(UnitKind::Body));
        // with the parameters of the forward direction alone it is another motion
        let forward: String =
            lines.lines().filter(|line| !line.starts_with("reverse.")).map(|line| format!("{line}\n")).collect();
        if forward != lines {
            let plain = differences(&reference_until(1.0, law, UnitKind::Body, &forward), &want);
            assert!(plain[1] > 1e-4, "{law}: {plain:?}");
        }
        for driver in each_binary(&plan) {
            let found = differences(&driver.run("cs", STEP, 1.0, &inputs), &want);
            assert!(found.iter().all(|x| *x < ACCURACY), "{law}, {values:?}: {found:?}");
            if ["coulomb", "stribeck", "karnopp"].contains(&law) {
                let found = differences(&driver.run("me", STEP, 1.0, &inputs), &want);
                assert!(found.iter().all(|x| *x < ACCURACY), "{law}, model exchange: {found:?}");
            }
        }
    }
    for (law, values) in [
        ("lugre", [("reverse.fc", 1.3), ("load.base", 0.4), ("load.slope", 0.5)]),
        ("dahl", [("reverse.fc", 1.3), ("load.base", 0.4), ("load.slope", 0.5)]),
        ("gms", [("reverse.fc", 1.3), ("reverse.fs", 1.9), ("reverse.vs", 0.002)]),
    ] {
        let (spec, lines) = wrapped(law, &values);
        let plan = FmuPlan::new(&spec, UnitKind::Law, FmiVersion::Two).unwrap();
        let (want, inputs) = (reference_with(law, UnitKind::Law, &lines), schedule(UnitKind::Law));
        for driver in each_binary(&plan) {
            let found = differences(&driver.run("cs", STEP, end(law), &inputs), &want);
            assert!(found.iter().all(|x| *x < ACCURACY), "{law}: {found:?}");
        }
    }
    let (spec, lines) = wrapped(IN_BOTH_DIRECTIONS[1].0, IN_BOTH_DIRECTIONS[1].1);
    let plan = FmuPlan::new(&spec, UnitKind::Body, FmiVersion::Three).unwrap();
    let Some(driver) = Driver::named("both-directions-3", &plan, &UnitBinary::Prebuilt) else { return };
    let found = driver.run("cs", STEP, 1.0, &schedule(UnitKind::Body));
    let found = differences(&found, &reference_with("stribeck", UnitKind::Body, &lines));
    assert!(found.iter().all(|x| *x < ACCURACY), "FMI 3.0: {found:?}");
}

/// The law of `hysteresis` with the forces of the schedule: sliding, it remembers the extrema of the speed.
const SOFT_HYSTERESIS: [(&str, f64); 9] = [
    ("k0", 2e3),
    ("k1", 1e3),
    ("k2", 400.0),
    ("f1", 0.8),
    ("fs", 1.5),
    ("fc1", 1.0),
    ("fc2", 0.9),
    ("fv1", 0.4),
    ("fv2", 0.4),
];

/// A force that falls makes the speed fall at once, so that its maximum is at the start of a step. The unit came no further than the first
/// maximum.
#[test]
fn a_maximum_of_the_speed_that_the_law_remembers_is_passed() {
    for own in [&[][..], &[("reverse.fs", 1.9), ("reverse.fc1", 1.2)]] {
        let values: Vec<_> = SOFT_HYSTERESIS.iter().chain(own).copied().collect();
        let (spec, lines) = wrapped("hysteresis", &values);
        let plan = FmuPlan::new(&spec, UnitKind::Body, FmiVersion::Two).unwrap();
        let want = reference_until(1.0, "hysteresis", UnitKind::Body, &lines);
        for driver in each_binary(&plan) {
            for interface in ["cs", "motion"] {
                let found = differences(&driver.run(interface, STEP, 1.0, &schedule(UnitKind::Body)), &want);
                assert!(found.iter().all(|x| *x < ACCURACY), "{own:?}, {interface}: {found:?}");
            }
        }
    }
}

/// At the end of Karnopp's band the force jumps. A step of the importer beyond it sees the force of the mode that it began in: an explicit method
/// that saw the jump was off by 7e-5.
#[test]
fn a_jump_of_the_force_at_the_end_of_the_band_is_not_seen_within_a_step() {
    let (spec, lines) = wrapped("karnopp", &[("band", 0.002)]);
    let plan = FmuPlan::new(&spec, UnitKind::Body, FmiVersion::Two).unwrap();
    let want = reference_with("karnopp", UnitKind::Body, &lines);
    for driver in each_binary(&plan) {
        for interface in ["cs", "me"] {
            let found = differences(&driver.run(interface, STEP, 1.0, &schedule(UnitKind::Body)), &want);
            assert!(found.iter().all(|x| *x < ACCURACY), "{interface}: {found:?}");
        }
    }
}

/// The force that holds a body forwards is not the one that holds it backwards, and each is exact.
#[test]
fn a_hold_ends_at_the_limit_of_its_direction() {
    let (spec, _) = wrapped("stribeck", &[("reverse.fs", 1.9), ("load.base", 0.5), ("load.slope", 0.25)]);
    let plan = FmuPlan::new(&spec, UnitKind::Body, FmiVersion::Two).unwrap();
    let Some(driver) = Driver::named("both-limits", &plan, &UnitBinary::Prebuilt) else { return };
    // the load is 1, so its factor 0.75
    for limit in [0.75 * 1.5, -0.75 * 1.9] {
        let rows = driver.run("cs", 1.0, 1000.0, &[(0.0, 0.9999 * limit)]);
        assert!(rows.iter().all(|row| row[1] == 0.0 && row[2] == 0.0 && row[3] == 0.9999 * limit), "{limit}");
        let rows = driver.run("cs", 0.01, 0.02, &[(0.0, 0.9999 * limit), (0.01, 1.0001 * limit)]);
        assert!(rows[0][2] == 0.0 && rows[1][2] * limit > 0.0, "{limit}: {rows:?}");
    }
}

#[test]
fn parameters_of_wrappers_are_variables_in_groups_with_conditions_of_their_own() {
    let (spec, _) = wrapped("stribeck", &[("reverse.fs", 1.9), ("load.base", 0.5), ("load.slope", 0.25)]);
    let plan = FmuPlan::new(&spec, UnitKind::Body, FmiVersion::Three).unwrap();
    let variables = plan.variables();
    for (name, start) in [("law.fs", 1.5), ("law.reverse.fs", 1.9), ("law.load.base", 0.5), ("law.load.slope", 0.25)] {
        let found = variables.iter().find(|variable| variable.name == name).unwrap();
        assert_eq!((found.start, found.causality), (Some(start), Causality::Parameter), "{name}");
    }
    let header = plan.files().into_iter().find(|file| file.path == "sources/model.h").unwrap().text;
    assert!(header.contains("{\"fs >= fc\", \"reverse.fs >= fc\", 0}"), "{header}");
    // a stiffness of its own makes a set of the forces at rest, a level of its own does not
    let kind = |values: &[(&str, f64)]| FmuPlan::new(&wrapped("lugre", values).0, UnitKind::Law, FmiVersion::Two);
    assert!(kind(&[("reverse.fc", 1.2), ("reverse.sigma1", 100.0)]).is_ok());
    // and the importer must not make one
    let conditions = |values: &[(&str, f64)]| {
        let header =
            kind(values).unwrap().files().into_iter().find(|file| file.path == "sources/model.h").unwrap().text;
        header.lines().last().unwrap_or_default().to_owned()
    };
    let same = "reverse.sigma0 = sigma0";
    assert!(conditions(&[("reverse.sigma0", 1e5), ("reverse.fc", 1.2)]).contains(same));
    assert!(!conditions(&[("reverse.fc", 1.2), ("reverse.sigma1", 100.0)]).contains("which forces at rest"));
    let refused = kind(&[("reverse.sigma0", 2e4)]);
    assert!(matches!(refused, Err(Error::Fmu(FmuError::SetValued { law: "lugre" }))), "{refused:?}");
}

#[test]
fn a_unit_of_a_contact_that_turns_has_the_units_of_a_rotation() {
    let plan = plan("lugre", UnitKind::Body, FmiVersion::Two).unwrap().in_rotational_units();
    let variables = plan.variables();
    for (name, unit) in [
        ("position", "rad"),
        ("force", "N·m"),
        ("friction", "N·m"),
        ("mass", "kg·m^2"),
        ("memory.z", "rad"),
        ("law.fc", "N·m"),
        ("law.sigma0", "N·m/rad"),
        ("law.vs", "rad/s"),
    ] {
        let found = variables.iter().find(|variable| variable.name == name).unwrap();
        assert_eq!(found.unit.as_deref(), Some(unit), "{name}");
    }
}

/// The force at which a body on a law starts to move.
pub fn limit(law: &str) -> f64 {
    let built = Spec::new(law).unwrap().build().unwrap();
    built.hold(&vec![0.0; built.len()], &stiction::core::Input::at(0.0), 1.0)
}

#[test]
fn a_hold_is_exactly_zero_and_ends_at_the_limit() {
    for law in ["coulomb", "stribeck", "karnopp", "stiction", "carlson-langer", "gear"] {
        let plan = plan(law, UnitKind::Body, FmiVersion::Two).unwrap();
        let Some(driver) = Driver::new(&plan, &UnitBinary::Prebuilt) else { return };
        let limit = limit(law);
        driver.run("limit", 1.0, 1.0, &[(0.0, limit)]);
        for interface in ["cs", "me"] {
            // model exchange takes steps of a tenth of a millisecond
            let seconds = if interface == "cs" { 1000.0 } else { 10.0 };
            let rows = driver.run(interface, 1.0, seconds, &[(0.0, 0.9 * limit)]);
            assert!(rows.iter().all(|row| row[1] == 0.0 && row[2] == 0.0 && row[4] == 1.0), "{law}, {interface}");
            assert!(rows.iter().all(|row| row[3] == 0.9 * limit), "{law}, {interface}: friction is the applied force");
            // beyond the limit it starts within the step in which the force is applied
            let rows = driver.run(interface, 0.01, 0.02, &[(0.0, 0.9 * limit), (0.01, 1.0002 * limit)]);
            assert!(rows[0][2] == 0.0 && rows[0][4] == 1.0, "{law}, {interface}: {rows:?}");
            assert!(rows[1][2] > 0.0 && rows[1][4] == 0.0, "{law}, {interface}: {rows:?}");
        }
    }
    // the memory goes on at rest. That of `slip-variable` gives way before it holds, and its set of forces at rest shrinks below the rounding
    // of the force: its unit ended with "the motion cannot be followed" after 4 s. That of `rate-state` grows with the age of the contact
    for (law, forces) in [("slip-variable", [0.3, 0.5, 1.45, -0.5]), ("rate-state", [0.3, 0.5, 0.59, -0.5])] {
        let plan = plan(law, UnitKind::Body, FmiVersion::Two).unwrap();
        let Some(driver) = Driver::named(&format!("{law}-given-way"), &plan, &UnitBinary::Prebuilt) else { return };
        for force in forces {
            let rows = driver.run("cs", 1.0, 1000.0, &[(0.0, force)]);
            assert!(
                rows[10..].iter().all(|row| row[2] == 0.0 && row[4] == 1.0 && row[3] == force),
                "{law}, {force}: {:?}",
                &rows[..20]
            );
            assert!(rows[10..].iter().all(|row| row[1] == rows[10][1]), "{law}, {force}: it stays where it is");
        }
    }
}

#[test]
fn calls_in_a_wrong_order_are_refused_and_the_last_start_value_counts() {
    for law in ["stribeck", "karnopp"] {
        for driver in each_binary(&plan(law, UnitKind::Body, FmiVersion::Two).unwrap()) {
            driver.run("calls", 1.0, 1.0, &[(0.0, limit(law))]);
        }
    }
}

#[test]
fn an_input_that_rises_within_a_step_is_followed() {
    // Coulomb friction of 1 N, a mass of 1 kg, a force of 3 N/s times the time: it starts at 1/3 s, then v = 3/2 (t − 1/3)²
    let mut spec = Spec::new("coulomb").unwrap();
    spec.set("fc", 1.0).unwrap();
    let plan = FmuPlan::new(&spec, UnitKind::Body, FmiVersion::Two).unwrap();
    let Some(driver) = Driver::named("ramp", &plan, &UnitBinary::Prebuilt) else { return };
    let rows = driver.run("ramp", 0.25, 1.0, &[(0.0, 0.0), (1.0, 3.0)]);
    let t = |row: &Vec<f64>| (row[0] - 1.0 / 3.0).max(0.0);
    // the integrator's tolerance is 1e-9
    assert!(rows.iter().all(|row| (row[2] - 1.5 * t(row).powi(2)).abs() < 1e-8), "{rows:?}");
    assert!(rows.iter().all(|row| (row[1] - 0.5 * t(row).powi(3)).abs() < 1e-8), "{rows:?}");
    assert!(rows[0][4] == 1.0 && rows[0][3] == 0.75 && rows[3][4] == 0.0, "{rows:?}");
}

#[test]
fn in_fmi_3_a_step_ends_at_its_event_if_the_importer_allows_it() {
    let law = "stribeck";
    let plan = plan(law, UnitKind::Body, FmiVersion::Three).unwrap();
    let want = reference(law, UnitKind::Body);
    for driver in each_binary(&plan) {
        let inputs = schedule(UnitKind::Body);
        let (whole, _) = driver.run_events("cs", STEP, end(law), &inputs);
        let (parts, events) = driver.run_events("events", STEP, end(law), &inputs);
        for rows in [whole, parts] {
            let found = differences(&rows, &want);
            assert!(found.iter().all(|x| *x < ACCURACY), "{found:?}");
        }
        // it stops twice, at instants within a step: after the push, and after the one backwards
        let inside = events.iter().filter(|t| ((*t / STEP).round() - *t / STEP).abs() > 1e-6);
        assert!(inside.count() >= 2 && events.windows(2).all(|pair| pair[0] < pair[1]), "{events:?}");
    }
}

fn names_in(archive: &[u8]) -> BTreeSet<String> {
    let archive = zip::ZipArchive::new(Cursor::new(archive)).unwrap();
    archive.file_names().map(|name| name.unwrap().into_owned()).collect()
}

#[test]
fn an_archive_has_description_sources_and_binary() {
    for version in [FmiVersion::Two, FmiVersion::Three] {
        let plan = plan("lugre", UnitKind::Body, version).unwrap().with_mass(4.5).unwrap();
        let bytes = plan.archive(&UnitBinary::None).unwrap();
        assert_eq!(bytes, plan.archive(&UnitBinary::None).unwrap(), "the same unit has the same bytes");
        let mut names = names_in(&bytes);
        for name in
            ["modelDescription.xml", "sources/unit.c", "sources/model.h", "sources/law.c", "sources/interface.c"]
        {
            assert!(names.contains(name), "{name}");
        }
        let is_three = version == FmiVersion::Three;
        for (name, wanted) in [
            ("sources/buildDescription.xml", is_three),
            ("terminalsAndIcons/terminalsAndIcons.xml", is_three),
            ("terminalsAndIcons/icon.png", is_three),
            ("terminalsAndIcons/flange.svg", is_three),
            ("model.png", !is_three),
        ] {
            assert_eq!(names.contains(name), wanted, "{name}");
        }
        let mut text = String::new();
        let mut archive = zip::ZipArchive::new(Cursor::new(&bytes)).unwrap();
        archive.by_name("modelDescription.xml").unwrap().read_to_string(&mut text).unwrap();
        let document = roxmltree::Document::parse(&text).unwrap();
        let variable = |name: &str| document.descendants().find(|node| node.attribute("name") == Some(name)).unwrap();
        let number = |name: &str| {
            let node = variable(name);
            node.children().find(|node| node.has_tag_name("Real")).unwrap_or(node)
        };
        assert_eq!(number("mass").attribute("start"), Some("4.5"));
        assert_eq!(
            (number("law.fc").attribute("unit"), variable("law.fc").attribute("causality")),
            (Some("N"), Some("parameter"))
        );
        assert!(number("law.fc").attribute("min").is_some() && number("law.fc").attribute("max").is_some());
        assert_eq!(variable("velocity").attribute("causality"), Some("output"));
        // every unit that occurs is defined
        let defined: BTreeSet<&str> = document
            .descendants()
            .filter(|node| node.has_tag_name("Unit"))
            .filter_map(|node| node.attribute("name"))
            .collect();
        let used = document.descendants().filter_map(|node| node.attribute("unit"));
        assert!(used.collect::<BTreeSet<_>>().is_subset(&defined));
        let newton = document.descendants().find(|node| node.attribute("name") == Some("N")).unwrap();
        let base = newton.first_element_child().unwrap();
        assert_eq!(["kg", "m", "s"].map(|name| base.attribute(name)), [Some("1"), Some("1"), Some("-2")]);
        // references count up as `variables.c` does
        let references: Vec<usize> = plan.variables().iter().map(|variable| variable.reference).collect();
        assert!(references.windows(2).all(|pair| pair[0] < pair[1]));
        let compiled = c_compiler().map(|name| UnitBinary::Compiled(Compiler::parse(name)));
        for binary in compiled.into_iter().chain([UnitBinary::Prebuilt]) {
            names = names_in(&plan.archive(&binary).unwrap());
            let library = names.iter().find(|name| name.starts_with("binaries/")).unwrap();
            assert!(library.contains("stiction_lugre_body."), "{library}");
            // only the library that runs any unit reads its law from a file
            assert_eq!(names.contains("resources/model.txt"), binary == UnitBinary::Prebuilt);
        }
    }
}

#[test]
fn what_cannot_be_a_unit_is_refused() {
    let refused = |law: &str, kind| match plan(law, kind, FmiVersion::Two) {
        Err(Error::Fmu(error)) => {
            assert!(!error.hint().is_empty());
            error
        }
        other => panic!("{law}: {other:?}"),
    };
    assert_eq!(refused("stribeck", UnitKind::Law), FmuError::SetValued { law: "stribeck" });
    assert_eq!(refused("bristle", UnitKind::Body), FmuError::Random { law: "bristle" });
    assert_eq!(refused("hysteresis", UnitKind::Law), FmuError::Acceleration { law: "hysteresis" });
    assert_eq!(refused("dieterich", UnitKind::Body), FmuError::SingularAtRest { law: "dieterich" });
    for mass in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(plan("stribeck", UnitKind::Body, FmiVersion::Two).unwrap().with_mass(mass).is_err());
    }
    assert!(plan("lugre", UnitKind::Law, FmiVersion::Two).unwrap().with_mass(1.0).is_err());
    let mut noisy = Spec::new("lugre").unwrap();
    noisy.set("noise.amplitude", 0.1).unwrap();
    let refused = FmuPlan::new(&noisy, UnitKind::Body, FmiVersion::Two);
    assert!(matches!(refused, Err(Error::LawCode(LawCodeError::Noise))), "{refused:?}");
    // a law that no contact takes: its force jumps at rest, and nothing holds the body there
    let text =
        "name = \"jumpy\"\n[params]\nfc = { unit = \"N\", default = 1 }\n[equations]\nforce = \"load*fc*sign(v)\"\n";
    let jumpy = Spec::of(LawFile::parse(text, Path::new("jumpy.toml")).unwrap().entry());
    let refused = FmuPlan::new(&jumpy, UnitKind::Body, FmiVersion::Two);
    assert!(matches!(refused, Err(Error::Law(LawError::JumpsAtRest { .. }))), "{refused:?}");
    // a compiler that is none
    let failed = plan("coulomb", UnitKind::Body, FmiVersion::Two).unwrap();
    let failed = failed.archive(&UnitBinary::Compiled(Compiler::parse("no-such-compiler -m64")));
    assert!(matches!(failed, Err(Error::Fmu(FmuError::Compiler { .. }))));
}

#[test]
fn a_law_from_a_file_is_a_unit() {
    let file = LawFile::parse(include_str!("../law_file/laws/file-gms.toml"), Path::new("law.toml")).unwrap();
    let spec = Spec::of(file.entry());
    let unit = FmuPlan::new(&spec, UnitKind::Body, FmiVersion::Two).unwrap();
    let Some(driver) = Driver::new(&unit, &UnitBinary::Prebuilt) else { return };
    let found = driver.run("cs", STEP, 1.0, &schedule(UnitKind::Body));
    // the same law, written in Rust
    let found = differences(&found, &reference("gms", UnitKind::Body));
    assert!(found.iter().all(|x| *x < ACCURACY), "{found:?}");
}

/// Laws that are units of a kind.
pub fn units_of(kind: UnitKind) -> Vec<&'static str> {
    let is_unit = |law: &&str| plan(law, kind, FmiVersion::Two).is_ok();
    models::ALL.iter().map(|law| law.name).filter(is_unit).collect()
}

#[test]
fn most_laws_are_units() {
    let (bodies, laws) = (units_of(UnitKind::Body), units_of(UnitKind::Law));
    // all but those that draw random numbers, or are singular at rest
    assert_eq!(models::ALL.len() - bodies.len(), 3, "{bodies:?}");
    let sets = ["carlson-langer", "coulomb", "gear", "karnopp", "rate-state", "slip-variable", "stiction", "stribeck"];
    assert!(sets.iter().all(|law| bodies.contains(law) && !laws.contains(law)), "{laws:?}");
    assert_eq!(laws.len(), models::ALL.len() - sets.len() - 2, "{laws:?}");
}
