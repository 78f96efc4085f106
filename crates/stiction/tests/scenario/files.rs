//! Scenario files: what they say is built, and what is wrong is found where it stands.
use crate::Folder;
use std::fs;
use std::path::Path;
use stiction::Error;
use stiction::core::models;
use stiction::scenario::keys::{self, DefaultValue};
use stiction::scenario::{Scenario, embedded};
use stiction::sim::{SimulationOptions, Trace};

const NONE: [&str; 0] = [];

fn parse(text: &str) -> Result<Scenario, Error> {
    Scenario::parse(text, Path::new("test.toml"), &NONE)
}

/// A block on a table, pulled by a hand; line 1 is `[run]`.
const PULL: &str = "[run]
end = 5
[body.block]
mass = 1
[motion.hand]
position = { ramp = { slope = 0.1 } }
[spring.pull]
between = ['hand', 'block']
stiffness = 2
[contact.table]
between = ['block', 'ground']
law = 'lugre'
fs = 2
";

#[test]
fn a_scenario_is_built() {
    let scenario = parse(PULL).unwrap();
    assert_eq!((scenario.options.start, scenario.options.end), (0.0, 5.0));
    let simulation = scenario.simulation().unwrap();
    let columns: Vec<_> = simulation.columns().iter().map(|c| format!("{} [{}]", c.name, c.unit)).collect();
    let wanted = "t [s],block.x [m],block.v [m/s],hand.x [m],hand.v [m/s],table.force [N],table.v [m/s],table.z [m],\
                  pull.force [N],pull.stretch [m]";
    assert_eq!(columns.join(","), wanted);
}

#[test]
fn tables_come_from_files_beside_the_scenario() {
    let folder = Folder::new("scenario-tables");
    let read = |table: &str| {
        let text = format!("[run]\nend = 2\n[body.b]\nmass = 1\n[force.f]\non = 'b'\nforce = {{ table = {table} }}\n");
        let path = folder.0.join("scenario.toml");
        fs::write(&path, text).unwrap();
        let scenario = Scenario::read(&path, &NONE)?;
        let mut trace = Trace::default();
        scenario.simulation()?.run(&scenario.options, &mut trace)?;
        Ok::<_, Error>(trace.rows.iter().map(|row| [row[0], *row.last().unwrap()]).collect::<Vec<_>>())
    };
    fs::write(folder.0.join("push.csv"), "# measured\nt [s],noise,force [N]\n0,9,0\n1,9,2\n\n3,9,2\n").unwrap();
    for row in read("{ file = 'push.csv', columns = ['t', 'force'] }").unwrap() {
        // straight from (0, 0) to (1, 2), then level; to rounding
        assert!((row[1] - (2.0 * row[0]).min(2.0)).abs() < 1e-14, "{row:?}");
    }
    fs::write(folder.0.join("bad.csv"), "t;u\n0;1\n1;2\n0.5;3\n").unwrap();
    let error = read("{ file = 'bad.csv' }").unwrap_err().to_string();
    assert!(error.ends_with("bad.csv:4:1: the table is not sorted: 0.5 in row 3 is not greater than 1"), "{error}");
    fs::write(folder.0.join("words.csv"), "0,1\n1,two\n").unwrap();
    let error = read("{ file = 'words.csv' }").unwrap_err().to_string();
    assert!(error.ends_with("words.csv:2:1: 'two' is not a number"), "{error}");
    // a decimal comma is no separator where there are semicolons
    fs::write(folder.0.join("comma.csv"), "t;u\n0;0,5\n1;80,7\n").unwrap();
    let error = read("{ file = 'comma.csv' }").unwrap_err().to_string();
    assert!(error.ends_with("comma.csv:2:1: '0,5' is not a number"), "{error}");
    fs::write(folder.0.join("marked.csv"), "\u{feff}t,u\n0,1\n3,1\n").unwrap();
    assert!(read("{ file = 'marked.csv', columns = ['t', 'u'] }").is_ok());
    let error = read("{ file = 'push.csv', columns = ['t', 'forc'] }").unwrap_err();
    assert!(error.to_string().ends_with("scenario.toml:7:56: there is no column 'forc'"), "{error}");
    let error = read("{ file = 'none.csv' }").unwrap_err().to_string();
    assert!(error.contains("scenario.toml:7:28: cannot read"), "{error}");
}

#[test]
fn a_law_comes_from_a_parameter_file() {
    let folder = Folder::new("scenario-law");
    let path = folder.0.join("scenario.toml");
    fs::write(folder.0.join("axis.toml"), "[model]\nname = 'coulomb'\nfc = 3\n").unwrap();
    fs::write(&path, PULL.replace("law = 'lugre'\nfs = 2", "law = 'axis.toml'")).unwrap();
    let run = |set: &[&str]| {
        let scenario = Scenario::read(&path, set)?;
        let mut trace = Trace::default();
        scenario.simulation()?.run(&SimulationOptions { end: 20.0, ..scenario.options.clone() }, &mut trace)?;
        Ok::<_, Error>(trace.events[0].t)
    };
    // the spring pulls with 0.2 N/s
    // held until the limit is reached: rounding
    assert!((run(&[]).unwrap() - 15.0).abs() < 1e-12);
    assert!((run(&["contact.table.fc=2"]).unwrap() - 10.0).abs() < 1e-12);
    fs::write(folder.0.join("axis.toml"), "[model]\nname = 'coulomb'\nfc = -3\n").unwrap();
    assert!(run(&[]).unwrap_err().to_string().contains("axis.toml:3:6: parameter 'fc' = -3"));
}

#[test]
fn a_velocity_is_followed_from_zero() {
    for (velocity, at) in [
        ("0.5", (|_| 0.5) as fn(f64) -> f64),
        ("{ step = { at = 1, before = 2, after = -1 } }", |t| if t < 1.0 { 2.0 } else { -1.0 }),
        ("{ sine = { mean = 0.06, amplitude = 0.04, omega = 4, phase = 1 } }", |t| 0.06 + 0.04 * (4.0 * t + 1.0).sin()),
        ("{ sum = [1, { sine = { amplitude = 2, frequency = 0.5 } }] }", |t| {
            1.0 + 2.0 * (std::f64::consts::PI * t).sin()
        }),
        ("{ ramp = { offset = 1, slope = -2, start = 0.5, end = 2 } }", |t| 1.0 - 2.0 * (t.clamp(0.5, 2.0) - 0.5)),
        ("{ table = { points = [[0, 0], [1, 2], [2, -2], [3, 0]] } }", |t| {
            if t < 1.0 {
                2.0 * t
            } else if t < 2.0 {
                6.0 - 4.0 * t
            } else {
                2.0 * t - 6.0
            }
        }),
    ] {
        let contact = "[contact.c]\nbetween = ['m', 'ground']\nlaw = 'viscous'\n";
        let scenario = parse(&format!("[run]\nend = 3\n[motion.m]\nvelocity = {velocity}\n{contact}")).unwrap();
        let mut trace = Trace::default();
        scenario.simulation().unwrap().run(&scenario.options, &mut trace).unwrap();
        // a sum of integrals that begin at zero: rounding
        assert!(trace.rows[0][1].abs() < 1e-15, "{velocity}: starts at {}", trace.rows[0][1]);
        for row in &trace.rows {
            // at the step itself either side is right
            assert!((row[0] - 1.0).abs() < 1e-9 || (row[2] - at(row[0])).abs() < 1e-12, "{velocity}: {row:?}");
        }
    }
}

#[test]
fn a_sampled_servo_approaches_the_continuous_one() {
    let x = |name: &str, set: &[&str]| {
        let scenario = Scenario::named(name, set).unwrap();
        let summary = scenario.simulation().unwrap().run(&scenario.options, &mut Trace::default()).unwrap();
        summary.probes[scenario.measures.iter().position(|name| name == "x(5)").unwrap()].unwrap()
    };
    let exact = x("a13", &NONE);
    let error = |period: &str| x("a13-sampled", &["run.end=5", &format!("control.servo.period={period}")]) - exact;
    let (long, short) = (error("2e-3"), error("1e-3"));
    // a held output and rectangles are of first order: half the period, half the error
    // the error itself is some 0.03 m/s times the period
    assert!((1.9..2.1).contains(&(long / short)) && short.abs() < 3e-5, "{long} {short}");
}

#[test]
fn every_embedded_scenario_is_complete() {
    assert!(embedded::ALL.len() > 40);
    for entry in embedded::ALL {
        let scenario = Scenario::named(entry.name, &NONE).unwrap_or_else(|error| panic!("{error}"));
        scenario.simulation().unwrap_or_else(|error| panic!("{error}"));
        assert!(!scenario.title.is_empty(), "{}", entry.name);
        assert!(entry.text.starts_with("# "), "{} says where it comes from", entry.name);
        assert!(scenario.assumed.is_empty(), "{} gives all a recipe needs", entry.name);
    }
    let error = Scenario::named("a77", &NONE).err().unwrap();
    assert_eq!(error.hint().as_deref(), Some("did you mean 'a7'?"));
}

#[test]
fn the_tables_of_keys_are_consistent() {
    for component in keys::ALL {
        for key in component.keys {
            assert!(key.doc.ends_with('.'), "{}.{}", component.name, key.name);
            // a parameter of a law must not be taken for a key
            let clash = models::ALL.iter().find(|law| law.params.iter().any(|p| p.name == key.name));
            let clash = clash.filter(|_| component.law && component.name != "chain");
            assert!(clash.is_none(), "{}.{} is a parameter of {}", component.name, key.name, clash.unwrap().name);
        }
    }
    let run = keys::find("run").unwrap();
    let options = SimulationOptions::default();
    assert_eq!(run.key("rtol").unwrap().default, DefaultValue::Number(options.rtol));
    assert_eq!(run.key("max_step").unwrap().default, DefaultValue::Number(options.max_step));
}
