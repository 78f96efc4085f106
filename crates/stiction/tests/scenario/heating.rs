//! Contacts that warm up.
use crate::machine::{last, near, parse, root, run};
use crate::sensitivity;

/// 2 N at 3 m/s: 6 W into 5 J/K.
const RUBBED: &str = "[run]
end = 30
[motion.belt]
velocity = 3
[contact.pad]
between = ['belt', 'ground']
law = 'coulomb'
fc = 2
heating = { capacity = 5, conductance = 0.4 }
";

/// At constant power the temperature tends to P/G as `1 - exp(-t G/C)`.
#[test]
fn constant_sliding_warms_up_as_in_closed_form() {
    let (_, summary) = run(RUBBED);
    near(last(&summary, "pad.heat"), 180.0, "heat");
    near(last(&summary, "pad.temperature"), 15.0 * (1.0 - (-30.0_f64 * 0.4 / 5.0).exp()), "temperature");
    near(summary.energy.friction, 180.0, "energy");
    let (_, summary) = run(&RUBBED.replace("conductance = 0.4", "start = 7"));
    near(last(&summary, "pad.temperature"), 7.0 + 180.0 / 5.0, "without a flow of heat");
    let (_, summary) = run(&RUBBED.replace("capacity = 5, conductance = 0.4", ""));
    near(last(&summary, "pad.heat"), 180.0, "heat alone");
    assert_eq!(last(&summary, "pad.temperature"), 0.0);
    let unit = |name: &str| summary.columns.iter().find(|c| c.name == name).map(|c| c.unit);
    assert_eq!([unit("pad.heat"), unit("pad.temperature")], [Some("J"), Some("K")]);
}

/// `C T' = P exp(-b T)` has `exp(b T) = 1 + b P t/C`; with a flow of heat `G T = P exp(-b T)` in the end.
#[test]
fn friction_that_falls_with_temperature_warms_up_more_slowly() {
    let (p, b, c) = (6.0_f64, 0.05, 5.0);
    let (_, summary) = run(&RUBBED.replace("conductance = 0.4", "softening = 0.05"));
    let rise = (1.0 + b * p * 30.0 / c).ln() / b;
    near(last(&summary, "pad.temperature"), rise, "temperature");
    near(last(&summary, "pad.heat"), c * rise, "heat");
    near(last(&summary, "pad.force"), 2.0 * (-b * rise).exp(), "force");
    let long = RUBBED.replace("end = 30", "end = 1000").replace("0.4 }", "0.4, softening = 0.05 }");
    let steady = root(|t| 0.4 * t - p * (-b * t).exp(), [0.0, 15.0]);
    near(last(&run(&long).1, "pad.temperature"), steady, "steady temperature");
}

const BLOCK: &str = "[run]
end = 10
[body.block]
mass = 3
v = 4
[contact.pad]
between = ['block', 'ground']
law = 'coulomb'
fc = 6
heating = { capacity = 0.8, softening = 0.03 }
";

/// A block slides to rest: its kinetic energy is the heat, and the time follows from the temperature at each speed, by Simpson's rule.
#[test]
fn a_block_turns_its_energy_into_heat() {
    let (m, v, f, c, b) = (3.0, 4.0, 6.0, 0.8, 0.03);
    let energy = 0.5 * m * v * v;
    let slowness = |u: f64| m / f * (b * (energy - 0.5 * m * u * u) / c).exp();
    let n = 1000;
    let h = v / f64::from(n);
    let weight = |k: i32| if k == 0 || k == n { 1.0 } else { f64::from(2 + 2 * (k % 2)) };
    let time = h / 3.0 * (0..=n).map(|k| weight(k) * slowness(h * f64::from(k))).sum::<f64>();
    let (events, summary) = run(BLOCK);
    near(events[0].1, time, "time to rest");
    near(last(&summary, "pad.heat"), energy, "heat");
    near(last(&summary, "pad.temperature"), energy / c, "temperature");
    near(summary.energy.friction, energy, "energy");
}

/// A hot contact at rest cools, and holds more again: a rising force breaks it away where both meet.
#[test]
fn a_contact_at_rest_cools_and_holds() {
    let text =
        BLOCK.replace("v = 4", "").replace("capacity = 0.8, ", "capacity = 0.8, conductance = 0.5, start = 40, ")
            + "[force.pull]\non = 'block'\nforce = { ramp = { slope = 2.5 } }\n";
    let (events, _) = run(&text);
    let hold = |t: f64| 6.0 * (-0.03 * 40.0 * (-t * 0.5 / 0.8).exp()).exp();
    near(events[0].1, root(|t| 2.5 * t - hold(t), [0.0, 3.0]), "break-away");
    assert_eq!(events[0].0, "pad.slip+");
}

#[test]
fn derivatives_by_thermal_values_are_those_of_runs() {
    let text = BLOCK.replace("softening = 0.03", "conductance = 0.3, softening = 0.03")
        + "[force.pull]\non = 'block'\nforce = 2\n";
    let paths = ["capacity", "conductance", "softening", "fc", "mass"];
    sensitivity::check(&text, 5.0, &paths, &["block.x", "block.v", "pad.temperature", "pad.heat"], 1e-5);
}

/// Bristles keep their own states, and the last two are heat and temperature.
#[test]
fn laws_with_memory_warm_up_too() {
    let text = BLOCK.replace("law = 'coulomb'\nfc = 6", "law = 'lugre'\nfc = 6\nfs = 6");
    let (_, summary) = run(&text);
    // what the bristles hold at the end is part of it
    near(last(&summary, "pad.heat"), summary.energy.friction, "heat");
    assert!(summary.last("pad.z").is_some());
    near(last(&summary, "pad.temperature"), last(&summary, "pad.heat") / 0.8, "temperature");
}

#[test]
fn mistakes_of_heating_are_told() {
    for (new, words) in [
        ("capacity = 0", "capacity = 0 must be positive"),
        ("conductance = -1", "conductance = -1 must be 0 or more"),
        ("mass = 1", "mass"),
    ] {
        let error =
            parse(&RUBBED.replace("capacity = 5, conductance = 0.4", new)).err().unwrap_or_else(|| panic!("{new}"));
        assert!(error.to_string().contains(words), "{new}: {error}");
        assert!(error.hint().is_some(), "{new}: {error}");
    }
    let memory = RUBBED.to_owned() + "memory = [1, 2, 3]\n";
    assert!(parse(&memory).is_err());
}

#[test]
fn what_warms_up_has_no_equilibrium() {
    let scenario = parse(BLOCK).expect("a scenario");
    let error = stiction::analysis::equilibrium::find(&scenario.system, 0.0).expect_err("a contact that warms up");
    assert!(error.to_string().contains("'pad' warms up"), "{error}");
}
