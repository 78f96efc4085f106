//! The plugin of MuJoCo: every law compiles, holds, stops, sticks and slips as in the simulator.
use crate::build::{folder, run, save};
use crate::law_python::python;
use crate::robot_reader::{differences, moved, rows_of, simulated, with_step};
use crate::skip::c_compiler;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use stiction::core::models;
use stiction::export::law::LawCodeError;
use stiction::export::mujoco_plugin::MujocoPlugin;
use stiction::{Error, LawError, LawFile, Spec};

fn plugin(law: &str, values: &[(&str, f64)]) -> MujocoPlugin {
    let mut spec = Spec::new(law).unwrap();
    for (name, x) in values {
        spec.set(name, *x).unwrap();
    }
    MujocoPlugin::new(&spec).unwrap()
}

#[test]
fn laws_that_no_plugin_can_be_are_refused() {
    let error = |law: &str, values: &[(&str, f64)]| {
        let mut spec = Spec::new(law).unwrap();
        values.iter().for_each(|(name, x)| assert!(spec.set(name, *x).is_ok()));
        MujocoPlugin::new(&spec).err()
    };
    assert!(matches!(error("bristle", &[]), Some(Error::LawCode(LawCodeError::Random { .. }))));
    assert!(matches!(error("coulomb", &[("noise.amplitude", 0.1)]), Some(Error::LawCode(LawCodeError::Noise))));
    let refused: Vec<&str> = models::ALL.iter().map(|law| law.name).filter(|law| error(law, &[]).is_some()).collect();
    assert_eq!(refused, ["bristle"]);
    // a law that no contact takes: its force jumps at rest, and nothing holds the joint there
    let jumpy =
        "name = \"jumpy\"\n[params]\nfc = { unit = \"N\", default = 1 }\n[equations]\nforce = \"load*fc*sign(v)\"\n";
    let jumpy = LawFile::parse(jumpy, Path::new("jumpy.toml")).unwrap();
    assert!(matches!(MujocoPlugin::new(&jumpy.spec()).err(), Some(Error::Law(LawError::JumpsAtRest { .. }))));
}

/// A parameter that is called like a key of the plugin.
#[test]
fn a_parameter_does_not_take_the_place_of_the_joint() {
    let text = "name = \"mine\"\nsummary = \"Viscous.\"\n[params]\njoint = { unit = \"N·s/m\", default = 2.0, min = 0.0, max = 10.0, doc = \"Coefficient\" }\n[equations]\nforce = \"joint*v\"\n";
    let law = LawFile::parse(text, Path::new("mine.toml")).unwrap();
    let plugin = MujocoPlugin::new(&law.spec()).unwrap();
    assert_eq!(plugin.keys(), ["law.joint"]);
    assert!(plugin.source().contains("#define LAW_NAMES \"law.joint\"\n"));
}

/// The values of the wrappers are keys as on the command line, with conditions of their own, and the load is in its own unit.
#[test]
fn a_law_in_both_directions_with_a_load_of_its_own_is_a_plugin() {
    let both = plugin("stribeck", &[("reverse.fs", 1.9), ("load.base", 0.5), ("load.slope", 0.25)]);
    assert_eq!(both.keys()[5..], ["reverse.fs", "load.base", "load.slope"]);
    let text = both.source();
    assert!(text.contains("law_conditions[] = {\"fs >= fc\", \"reverse.fs >= fc\", NULL}"), "{text}");
    assert!(text.contains("#define LAW_LEAST_LOAD -1e12"), "{text}");
    // at load 1 the factor is 0.75
    assert_eq!(both.limit(), 0.75 * 1.5);
    assert!(
        plugin("karnopp", &[("reverse.band", 0.004)])
            .source()
            .contains("double law_band(const double *z, double load, double dir")
    );
    // a level of its own leaves bristles a passive force
    assert!(!plugin("lugre", &[("reverse.fc", 1.2)]).holds() && plugin("lugre", &[("reverse.sigma0", 1e4)]).holds());
}

#[test]
fn the_source_has_the_values_and_what_the_law_needs() {
    let text = plugin("stribeck", &[("fc", 0.7)]).source();
    assert!(text.contains("law_start[] = {0.7, 1.5,") && text.contains("#define LAW_HAS_SET 1"), "{text}");
    assert!(text.contains("#define LAW_MEMORY 0") && text.contains("#define LAW_HAS_BAND 0"));
    assert!(plugin("karnopp", &[]).source().contains("#define LAW_HAS_BAND 1"));
    let lugre = plugin("lugre", &[]);
    assert!(lugre.source().contains("#define LAW_HAS_SET 0") && lugre.source().contains("#define LAW_MEMORY 1"));
    // the example of a law has its values, so that one library serves all joints
    let example = plugin("stribeck", &[("fc", 0.7), ("fs", 2.0)]).example();
    for config in ["key=\"fc\" value=\"0.7\"", "key=\"fs\" value=\"2\"", "key=\"exponent\" value=\"2\""] {
        assert!(example.contains(&format!("        <config {config}/>\n")), "{example}");
    }
    let both = plugin("stribeck", &[("reverse.fs", 1.9), ("load.slope", 0.02)]).example();
    assert!(both.contains("key=\"reverse.fs\" value=\"1.9\"") && both.contains("key=\"load.slope\" value=\"0.02\""));
    // conditions between parameters are checked where an instance sets them
    assert!(text.contains("law_conditions[] = {\"fs >= fc\", NULL}"), "{text}");
    assert!(plugin("viscous", &[]).source().contains("law_conditions[] = {NULL}"));
    assert!(!lugre.holds() && lugre.limit() == 0.0);
    assert_eq!(plugin("stribeck", &[]).limit(), 1.5);
    // half of 2/ω of a kilogram on 1.3e6 N/m is 0.88 ms, and four times the mass doubles it
    let hysteresis = plugin("hysteresis", &[]);
    assert!(hysteresis.time_step() == 5e-4 && hysteresis.example().contains("timestep=\"5e-4\""));
    let heavy = hysteresis.with_mass(4.0).unwrap().with_turns(true);
    assert_eq!(heavy.time_step(), 1e-3);
    // a light joint: the example is stable, as far as a simulation is possible at all
    let light = plugin("lugre", &[]).with_mass(2e-4).unwrap();
    assert!(light.time_step() <= light.longest_stable_step() && light.time_step() < 1e-5, "{}", light.time_step());
    let ageing = plugin("dieterich", &[]);
    assert!(ageing.longest_stable_step() < ageing.time_step(), "{}", ageing.longest_stable_step());
    assert!(heavy.example().contains("mass=\"4\" diaginertia=\"4 4 4\"") && heavy.example().contains("hinge"));
    assert!(lugre.with_mass(0.0).is_err());
}

/// MuJoCo's headers and library, and a compiler.
pub struct Tools {
    python: PathBuf,
    headers: PathBuf,
    library: PathBuf,
}

fn tools() -> Option<Tools> {
    let (python, _) = (python(&["mujoco"])?, c_compiler()?);
    let ask = "import mujoco, pathlib; h = pathlib.Path(mujoco.HEADERS_DIR).parent; print(h); print(*h.parent.glob('libmujoco.so*'))";
    let said = String::from_utf8(run(Command::new(&python).args(["-c", ask]))).unwrap();
    let paths: Vec<PathBuf> = said.lines().map(PathBuf::from).collect();
    Some(Tools { python, headers: paths[0].clone(), library: paths[1].clone() })
}

/// Compiles a plugin, its warnings as errors; those of MuJoCo's headers do not count.
fn compile(tools: &Tools, at: &Path, plugin: &MujocoPlugin) -> PathBuf {
    save(at, plugin.files());
    let library = at.join(format!("lib{}.so", plugin.file_name()));
    let flags = ["-std=c99", "-O2", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-shared", "-fPIC", "-isystem"];
    let source = at.join(format!("{}.c", plugin.file_name()));
    run(Command::new("cc")
        .args(flags)
        .arg(&tools.headers)
        .arg(source)
        .arg(&tools.library)
        .arg("-o")
        .arg(&library)
        .arg("-lm"));
    library
}

/// Forces over time, each held until the next: below break-away, beyond, a stop, back, and rest.
const FORCES: [(f64, f64); 5] = [(0.0, 0.5), (0.1, 2.0), (0.3, 0.3), (0.5, -2.2), (0.7, 0.2)];

/// The differences from the simulator with two time steps.
fn by_step(tools: &Tools, law: &str, values: &[(&str, f64)], steps: [f64; 2]) -> [[f64; 2]; 2] {
    let at = folder(&format!("plugin-{law}-{}-{}", values.len(), steps[0]));
    let plugin = plugin(law, values);
    let lines: String = values.iter().map(|(key, x)| format!("{key} = {x}\n")).collect();
    let library = compile(tools, &at, &plugin);
    let (end, sample) = (1.0, 0.025);
    let want = simulated(law, &lines, &FORCES, end, sample);
    steps.map(|step| {
        let model = at.join(format!("{step}.xml"));
        fs::write(&model, with_step(&plugin.example(), step)).unwrap();
        differences(&moved(&tools.python, &model, "joint", &FORCES, end, sample, Some(&library)), &want)
    })
}

/// MuJoCo's steps are of first order: the differences are some steps at the largest acceleration, 3 m/s².
fn check_motion(tools: &Tools, law: &str, values: &[(&str, f64)], steps: [f64; 2]) {
    let found = by_step(tools, law, values, steps);
    println!("{law}: {found:?} m and m/s from the simulator at {steps:?} s");
    for (step, [x, v]) in steps.iter().zip(found) {
        assert!(x < *step && v < 3.0 * step, "{law}, {step} s: {x} m, {v} m/s");
    }
}

#[test]
fn mujoco_moves_a_joint_with_the_plugin_as_the_simulator_does() {
    let Some(tools) = tools() else { return };
    ["coulomb", "stribeck", "lugre"].iter().for_each(|law| check_motion(&tools, law, &[], [1e-3, 1e-4]));
    // other values backwards; a stiffness of its own makes a set of the forces at rest
    check_motion(&tools, "stribeck", &[("reverse.fs", 1.9), ("reverse.fv", 0.3)], [1e-3, 1e-4]);
    check_motion(&tools, "karnopp", &[("reverse.fs", 1.9), ("reverse.band", 0.004)], [1e-3, 1e-4]);
    check_motion(&tools, "lugre", &[("reverse.fc", 1.3), ("reverse.fs", 1.7)], [1e-3, 1e-4]);
    check_motion(&tools, "lugre", &[("reverse.sigma0", 3e4)], [2e-4, 2e-5]);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "compiles and moves every law: in release builds only")]
fn every_law_moves_in_mujoco_as_in_the_simulator() {
    let Some(tools) = tools() else { return };
    // a gear turns; the force of the others arises at speeds that explicit steps do not resolve
    let left_out = ["bristle", "gear", "dieterich", "ruina"];
    let laws = models::ALL.iter().map(|law| law.name).filter(|law| !left_out.contains(law));
    laws.for_each(|law| check_motion(&tools, law, &[], [2e-4, 2e-5]));
}

/// What the law itself gives, for every law: the script that comes with the plugin.
#[test]
#[cfg_attr(debug_assertions, ignore = "compiles every law: in release builds only")]
fn every_plugin_passes_the_check_that_comes_with_it() {
    let Some(tools) = tools() else { return };
    let file = LawFile::parse(include_str!("../law_file/laws/file-gms.toml"), Path::new("file-gms.toml")).unwrap();
    for law in models::ALL.iter().chain([file.entry()]).filter(|law| law.name != "bristle") {
        let at = folder(&format!("plugin-check-{}", law.name));
        save(&at, MujocoPlugin::new(&Spec::of(law)).unwrap().files());
        run(Command::new(&tools.python).current_dir(&at).arg("check.py"));
    }
}

/// Position and velocity of a body that a spring pulls, by the simulator.
fn pulled(stiffness: f64, speed: f64, end: f64, sample: f64) -> Vec<Vec<f64>> {
    let text = format!(
        "[run]\nend = {end}\nrtol = 1e-10\nsample = {sample}\n[body.a]\nmass = 1\n[motion.pull]\nvelocity = {speed}\n[spring.s]\nbetween = [\"pull\", \"a\"]\nstiffness = {stiffness}\n[contact.c]\nbetween = [\"a\", \"ground\"]\nlaw = \"stribeck\"\nvs = 0.05\n"
    );
    rows_of(&text, end, sample)
}

#[test]
fn joints_hold_stick_slip_and_share_their_constraints_with_contacts() {
    let Some(tools) = tools() else { return };
    let at = folder("plugin-joints");
    for law in ["coulomb", "stribeck"] {
        compile(&tools, &at, &plugin(law, &[]));
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/export/robot/plugin.py");
    let said = String::from_utf8(run(Command::new(&tools.python).current_dir(&at).arg(script).arg(&at))).unwrap();
    let text = |key: &str| said.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": ")).unwrap_or_default();
    let row = |text: &str| -> Vec<f64> { text.split_whitespace().map(|x| x.parse().unwrap()).collect() };
    let numbers = |key: &str| row(text(key));
    let rows = |key: &str| -> Vec<Vec<f64>> { text(key).split(';').map(row).collect() };
    for key in ["held", "released", "held_arm", "released_arm", "swinging_arm", "wall", "arm_on_table", "islands"] {
        println!("{key}: {}", text(key));
    }
    // 10 s at 0.999 of the limit, 1 s at 1.001; an excess of 0.0015 N alone gives 1.5 mm/s
    assert!(numbers("held").iter().all(|x| *x < 1e-15), "{said}");
    assert!(numbers("released")[1] > 1.5e-3, "{said}");
    // what 100 sweeps of the solver leave of two joints
    assert!(numbers("held_arm")[1] < 1e-11 && numbers("released_arm")[0] > 0.1, "{said}");
    // it swings by more than a radian; sliding is the same, a stop differs by a ten thousandth of a step
    assert!(numbers("swinging_arm")[0] > 1.0 && numbers("swinging_arm")[1] < 1e-6, "{said}");
    // on a wall under 3 N, then under 1 N: at rest, touching, friction within its limit, and balance
    for (row, push) in rows("wall").iter().zip([3.0, 1.0]) {
        let [speed, friction, contacts, normal] = row[..] else { panic!("{row:?}") };
        assert!(speed < 1e-15 && contacts == 1.0 && friction.abs() <= 1.5, "{row:?} at {push} N");
        assert!((normal - friction - push).abs() < 1e-9, "{row:?} at {push} N");
    }
    assert!(numbers("arm_on_table")[0] < 1e-6 && numbers("arm_on_table")[1] >= 1.0, "{said}");
    assert!(numbers("copies")[0] == 0.0, "{said}");
    // the default solver, with 1.2 N below the limit of 1.5 N and beyond the frictionloss of the file: creep, no slip
    assert!(numbers("islands")[0] >= 1.0 && numbers("islands")[1] < 1e-3, "{said}");
    let (got, want) = (rows("stick_slip"), pulled(20.0, 0.1, 10.0, 0.05));
    let sticks = |v: &dyn Fn(usize) -> f64| (1..want.len()).filter(|&k| v(k) == 0.0 && v(k - 1) != 0.0).count();
    assert!(sticks(&|k| want[k][2]) >= 3, "it sticks and slips: {want:?}");
    let off = got.iter().zip(&want).map(|(a, b)| (a[1] - b[1]).abs()).fold(0.0, f64::max);
    println!("stick_slip: {off} m of {} m from the simulator", want.last().unwrap()[1]);
    // first order at 0.1 ms, over several cycles
    assert!(off < 1e-3, "{off}");
    for (key, part) in [
        ("no_joint", "no joint 'z'"),
        ("no_row", "frictionloss above 0"),
        ("no_number", "not a number"),
        ("out_of_bounds", "from 0"),
        ("broken", "fs >= fc does not hold"),
        ("twice", "two instances"),
        ("creeps", "noslip_iterations"),
        ("runge_kutta", "RK4"),
    ] {
        assert!(text(key).contains(part), "{key}: {}", text(key));
    }
    assert_eq!(text("quiet"), "");
    // one joint needs one sweep; two joints that act on each other need as many as bring the missing force below 1e-6 of the friction: it creeps
    // with 9e-6, 8e-7 and 3e-17 rad/s, and with 7e-8 rad/s the force of 11 N·m would be missed by 1e-6
    assert_eq!(text("one_sweep"), "");
    for (key, creeps) in [("arm_1", true), ("arm_10", true), ("arm_100", false)] {
        let (speed, told) = text(key).split_once(' ').unwrap_or((text(key), ""));
        println!("{key}: {speed} rad/s");
        assert_eq!(speed.parse::<f64>().unwrap() > 7e-8, creeps, "{key}: {speed}");
        assert_eq!(told.contains("creeps with") && told.contains("noslip_iterations"), creeps, "{key}: {told}");
        assert_eq!(told.is_empty(), !creeps, "{key}: {told}");
    }
}
