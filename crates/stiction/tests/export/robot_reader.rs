//! Files of joints read by their own readers, and moved by MuJoCo as by the simulator.
use crate::build::{folder, run};
use crate::law_python::python;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use stiction::Spec;
use stiction::core::models;
use stiction::export::robot::{IntoFile, RobotFormat, RobotRequest};
use stiction::scenario::Scenario;
use stiction::sim::Trace;

/// Forces over time, each held until the next: below break-away, beyond, a stop, back, and rest.
const FORCES: [(f64, f64); 5] = [(0.0, 0.5), (0.1, 2.0), (0.3, 0.3), (0.5, -2.2), (0.7, 0.2)];
/// End and interval of rows \[s\].
const END: f64 = 1.0;
const SAMPLE: f64 = 0.025;

/// The script that comes with a file passes, for every law, in every format.
#[test]
#[cfg_attr(debug_assertions, ignore = "starts Python a hundred times: in release builds only")]
fn the_reader_of_each_format_finds_the_friction_that_was_fitted() {
    let Some(python) = python(&["mujoco", "yourdfpy", "pxr"]) else { return };
    let at = folder("robot-reader");
    let mut checked = 0;
    for (k, law) in models::ALL.iter().enumerate() {
        for (i, (format, ending)) in RobotFormat::ALL.into_iter().zip(["xml", "urdf", "sdf", "usda"]).enumerate() {
            // joints that slide and that turn, in turn
            let turns = (k + i) % 2 == 0;
            let mut request = RobotRequest::new(Spec::of(law), format);
            (request.turns, request.lugre) = (Some(turns), law.name == "lugre" && format == RobotFormat::Mjcf);
            let export = request.fit().unwrap();
            let path = at.join(format!("{}-{turns}.{ending}", law.name));
            let file = export.file(None).unwrap();
            fs::write(&path, &file.text).unwrap();
            let script = at.join("check.py");
            fs::write(&script, export.check_script(&script, Some(&path), &file)).unwrap();
            let said = run(Command::new(&python).arg(&script));
            assert_eq!(String::from_utf8(said).unwrap().lines().count(), 1);
            checked += 1;
        }
    }
    assert_eq!(checked, 4 * models::ALL.len());
}

/// A joint of another USD file gets its friction by a layer over it.
#[test]
fn usd_composes_the_layer_with_the_robot() {
    let Some(python) = python(&["pxr"]) else { return };
    let at = folder("robot-layer");
    let arm = at.join("arm.usda");
    fs::write(&arm, "#usda 1.0\n(\n    defaultPrim = \"arm\"\n    metersPerUnit = 0.01\n    upAxis = \"Z\"\n    timeCodesPerSecond = 60\n    startTimeCode = 1\n    endTimeCode = 90\n    customLayerData = {\n        string maker = \"us\"\n    }\n)\ndef Xform \"arm\"\n{\n    def PhysicsRevoluteJoint \"elbow\" (\n        prepend apiSchemas = [\"PhysicsDriveAPI:angular\"]\n    )\n    {\n        float physics:upperLimit = 90\n    }\n}\n").unwrap();
    let mut request = RobotRequest::new(Spec::new("stribeck").unwrap(), RobotFormat::Usd);
    request.joints = vec!["elbow".to_owned()];
    let export = request.fit().unwrap();
    let output = at.join("layers/friction.usda");
    fs::create_dir_all(output.parent().unwrap()).unwrap();
    let bytes = fs::read(&arm).unwrap();
    let file = export.file(Some(IntoFile { bytes: &bytes, path: &arm, output: &output })).unwrap();
    fs::write(&output, &file.text).unwrap();
    let script = at.join("check.py");
    let more = "\nfrom pxr import UsdGeom\nstage = Usd.Stage.Open(FILE)\njoint = stage.GetPrimAtPath('/arm/elbow')\nprint(joint.GetAttribute('physics:upperLimit').Get(), stage.GetDefaultPrim().GetPath(), UsdGeom.GetStageUpAxis(stage), stage.GetTimeCodesPerSecond(), stage.GetStartTimeCode(), stage.GetEndTimeCode(), stage.GetRootLayer().customLayerData, *joint.GetPrimTypeInfo().GetAppliedAPISchemas())\n";
    let text = export
        .check_script(&script, Some(&output), &file)
        .replace("\n\nif __name__", &format!("{more}\n\nif __name__"));
    fs::write(&script, text).unwrap();
    let said = String::from_utf8(run(Command::new(&python).arg(&script))).unwrap();
    assert!(
        said.contains("90.0 /arm Z 60.0 1.0 90.0 {'maker': 'us'} PhysxJointAxisAPI:angular PhysicsDriveAPI:angular"),
        "{said}"
    );
}

/// Time, position and velocity of a body of 1 kg, by the simulator.
pub fn simulated(law: &str, values: &str, forces: &[(f64, f64)], end: f64, sample: f64) -> Vec<Vec<f64>> {
    let points: Vec<String> = forces.iter().map(|(t, x)| format!("[{t}, {x}]")).collect();
    let text = format!(
        "[run]\nend = {end}\nrtol = 1e-10\nsample = {sample}\n[body.a]\nmass = 1\n[force.push]\non = \"a\"\nforce = {{ table = {{ points = [{}, [1e3, 0.0]], interpolation = \"hold\" }} }}\n[contact.c]\nbetween = [\"a\", \"ground\"]\nlaw = \"{law}\"\n{values}",
        points.join(", ")
    );
    rows_of(&text, end, sample)
}

/// Time, position and velocity of the body `a` of a scenario, every `sample` seconds.
pub fn rows_of(text: &str, end: f64, sample: f64) -> Vec<Vec<f64>> {
    let scenario = Scenario::parse(text, Path::new("joint.toml"), &[""; 0]).unwrap();
    let (simulation, mut trace) = (scenario.simulation().unwrap(), Trace::default());
    simulation.run(&scenario.options, &mut trace).unwrap();
    let at = |name: &str| simulation.columns().iter().position(|column| column.name == name).unwrap();
    let (x, v) = (at("a.x"), at("a.v"));
    let row = |k: usize| {
        let t = k as f64 * sample;
        let row = trace.rows.iter().find(|row| (row[0] - t).abs() < 1e-9).unwrap();
        vec![t, row[x], row[v]]
    };
    (1..=(end / sample).round() as usize).map(row).collect()
}

/// The same by MuJoCo, with a plugin if one is given.
pub fn moved(
    python: &Path,
    model: &Path,
    joint: &str,
    forces: &[(f64, f64)],
    end: f64,
    sample: f64,
    plugin: Option<&Path>,
) -> Vec<Vec<f64>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/export/robot/motion.py");
    let mut command = Command::new(python);
    command.arg(script).arg(model).args([joint, &end.to_string(), &sample.to_string()]).args(plugin);
    // MuJoCo writes its warnings to a file in the working directory
    command.current_dir(model.parent().unwrap());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let text: String = forces.iter().map(|(t, x)| format!("{t} {x}\n")).collect();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let out = child.wait_with_output().unwrap();
    assert!(out.status.success(), "{command:?}");
    let text = String::from_utf8(out.stdout).unwrap();
    text.lines().map(|line| line.split(' ').map(|x| x.parse().unwrap()).collect()).collect()
}

/// The largest differences of position and velocity.
pub fn differences(got: &[Vec<f64>], want: &[Vec<f64>]) -> [f64; 2] {
    assert_eq!(got.len(), want.len());
    [1, 2].map(|i| got.iter().zip(want).map(|(a, b)| (a[i] - b[i]).abs()).fold(0.0, f64::max))
}

/// A model of one joint with another time step, and with the friction rows that belong to it.
pub fn with_step(text: &str, step: f64) -> String {
    let replace = |text: &str, name: &str, value: &str| match text.split_once(&format!("{name}=\"")) {
        Some((before, rest)) => format!("{before}{name}=\"{value}{}", &rest[rest.find('"').unwrap()..]),
        None => text.to_owned(),
    };
    let text = replace(text, "timestep", &step.to_string());
    replace(&text, "solreffriction", &format!("{} 1", 2.0 * step))
}

fn save(at: &Path, name: &str, text: &str) -> PathBuf {
    let path = at.join(name);
    fs::write(&path, text).unwrap();
    path
}

/// MuJoCo's steps are of first order: a tenth of the step, a tenth of the difference.
#[test]
fn mujoco_moves_the_joint_as_the_simulator_does() {
    let Some(python) = python(&["mujoco"]) else { return };
    let at = folder("robot-motion");
    for (law, values, lugre) in [("stiction", "fc = 1\nfs = 1\nfv = 0.4\n", false), ("lugre", "", true)] {
        let mut spec = Spec::new(law).unwrap();
        if !lugre {
            spec.set("fc", 1.0).unwrap().set("fs", 1.0).unwrap().set("fv", 0.4).unwrap();
        }
        let mut request = RobotRequest::new(spec, RobotFormat::Mjcf);
        request.lugre = lugre;
        let text = request.fit().unwrap().file(None).unwrap().text;
        let want = simulated(law, values, &FORCES, END, SAMPLE);
        let by_step = [1e-3, 1e-4].map(|step| {
            let model = save(&at, &format!("{law}-{step}.xml"), &with_step(&text, step));
            differences(&moved(&python, &model, "joint", &FORCES, END, SAMPLE, None), &want)
        });
        println!("{law}: {by_step:?} m and m/s from the simulator at 1 and 0.1 ms");
        // half a step at the largest acceleration, 3 m/s², and what a force that jumps within it adds
        assert!(by_step[0][0] < 1e-3 && by_step[0][1] < 4e-3, "{law}: {by_step:?}");
        assert!(by_step[1][0] < 0.2 * by_step[0][0] && by_step[1][1] < 0.2 * by_step[0][1], "{law}: {by_step:?}");
    }
}

/// At nine tenths of its friction a joint rests; with MuJoCo's own settings it creeps by a millimetre a second.
#[test]
fn a_held_joint_does_not_creep() {
    let Some(python) = python(&["mujoco"]) else { return };
    let at = folder("robot-hold");
    let mut spec = Spec::new("coulomb").unwrap();
    spec.set("fc", 1.5).unwrap();
    let text = RobotRequest::new(spec, RobotFormat::Mjcf).fit().unwrap().file(None).unwrap().text;
    let hold =
        |name: &str, text: &str| moved(&python, &save(&at, name, text), "joint", &[(0.0, 1.35)], 10.0, 1.0, None);
    let speed = |rows: &[Vec<f64>]| rows.last().unwrap()[2].abs();
    let ours = hold("ours.xml", &text);
    // rounding of the force over the mass and the step
    assert!(speed(&ours) < 1e-15 && ours.last().unwrap()[1].abs() < 1e-12, "{ours:?}");
    let plain = text
        .replace("noslip_iterations=\"100\"", "")
        .replace("solreffriction=\"0.002 1\" solimpfriction=\"0.9999 0.9999 0.001\"", "");
    let theirs = hold("theirs.xml", &plain);
    assert!(speed(&theirs) > 1e-3, "{theirs:?}");
}

/// The settings that a file has already are kept. Whether its joints creep with them, the check measures in MuJoCo.
#[test]
fn the_check_tells_creep_of_joints_that_act_on_each_other() {
    let Some(python) = python(&["mujoco"]) else { return };
    let at = folder("robot-creep");
    let link = "<geom type=\"capsule\" fromto=\"0 0 0 0.5 0 0\" size=\"0.03\" mass=\"1\"/>";
    let mut spec = Spec::new("coulomb").unwrap();
    spec.set("fc", 1.5).unwrap();
    let mut request = RobotRequest::new(spec, RobotFormat::Mjcf);
    (request.joints, request.turns) = (vec!["a".to_owned(), "b".to_owned()], Some(true));
    let export = request.fit().unwrap();
    let told = |option: &str| {
        let robot = format!(
            "<mujoco><option timestep=\"0.001\" {option}/><worldbody><body><joint name=\"a\" axis=\"0 1 0\"/>{link}<body pos=\"0.5 0 0\"><joint name=\"b\" axis=\"0 1 0\"/>{link}</body></body></worldbody></mujoco>"
        );
        let (source, output) = (at.join("robot.xml"), at.join("friction.xml"));
        let into = IntoFile { bytes: robot.as_bytes(), path: &source, output: &output };
        let file = export.file(Some(into)).unwrap();
        fs::write(&output, &file.text).unwrap();
        let script = at.join("check.py");
        fs::write(&script, export.check_script(&script, Some(&output), &file)).unwrap();
        let said = String::from_utf8(run(Command::new(&python).arg(&script))).unwrap();
        assert!(said.lines().filter(|line| line.contains("from the fit")).count() == 2, "{said}");
        (said.matches("creeps with").count(), file.notes.iter().any(|note| note.contains("the check measures it")))
    };
    // one sweep leaves 1e-4 of the friction in the first joint, and solves for the second, its last; ours leave 2e-7, 100 without a tolerance nothing
    assert_eq!(told("noslip_iterations=\"1\""), (1, true));
    assert_eq!(told(""), (0, false));
    assert_eq!(told("noslip_iterations=\"100\" noslip_tolerance=\"0\""), (0, true));
}
