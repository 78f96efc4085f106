//! `stiction export`.
mod common;
use common::{Folder, c_compiler, command, json, ok, refused, run};
use std::fs;
use std::process::Command;

/// A parameter file as `stiction identify -o` writes it.
const IDENTIFIED: &str = r#"[model]
name = "lugre"
fc = 2.0
fs = 3.0
[model.reverse]
fc = 2.5
[identified]
version = "0.1.0"
command = "stiction identify log.csv"
files = ["log.csv"]
sha256 = ["00"]
[identified.plant]
"mass" = 4.5
"#;

fn export<'a>(source: &'a str, target: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["export", "controller", source, "--target", target], more].concat()
}

#[test]
fn without_a_folder_the_code_goes_to_stdout() {
    let run = ok(&export("lugre", "c", &["--sample", "1e-3"]));
    assert!(run.out.contains("lugre_controller_output lugre_controller_step(") && run.out.contains("_init("));
    assert!(run.err.contains("note: without pid or state-feedback"));
    let run = ok(&export("lugre", "c", &["--sample", "1e-3", "--method", "pid+feedforward"]));
    assert!(run.err.contains("as in --set pid.kp=3\n") && run.err.contains("--limit"), "{}", run.err);
    let gains = run.err.lines().find(|line| line.starts_with("note: left at defaults")).unwrap();
    for gain in ["pid.kp = 3 [N/m]", "pid.ki", "pid.kd", "kalman.accel", "kalman.quantum = 1e-4 [m]"] {
        assert!(gains.contains(gain), "{gains}");
    }
    assert!(!gains.contains("kx"), "{gains}");
    // what is set is not listed, the others still are
    let run = ok(&export("lugre", "c", &["--sample", "1e-3", "--method", "pid", "--set", "kp=9", "--limit", "5"]));
    assert!(!run.err.contains("pid.kp") && run.err.contains("pid.ki") && !run.err.contains("--limit"), "{}", run.err);
    let set = ["kp=9", "ki=1", "pid.kd=1", "accel=1", "quantum=1e-6", "noise=1e-6"];
    let set: Vec<&str> = set.iter().flat_map(|set| ["--set", *set]).collect();
    let run = ok(&export("lugre", "c", &[&["--sample", "1e-3", "--method", "pid"], &set[..]].concat()));
    assert!(!run.err.contains("left at defaults"), "{}", run.err);
    // an observer that observes nothing
    let run = ok(&export("coulomb", "c", &["--sample", "1e-3", "--method", "observer"]));
    assert!(run.err.contains("it acts as feed-forward of the measured velocity"), "{}", run.err);
    for (law, gain) in [("lugre", "kx=0"), ("coulomb", "kx=1")] {
        let run = ok(&export(law, "c", &["--sample", "1e-3", "--method", "observer", "--set", gain]));
        assert!(!run.err.contains("acts as feed-forward"), "{}", run.err);
    }
    let run = ok(&export("a12-encoder", "rust", &[]));
    assert!(run.out.contains("#![no_std]") && run.out.contains("#![forbid(unsafe_code)]"));
    assert!(run.out.contains("pub fn step(state: &mut State, input: &Input) -> Output") && run.err.is_empty());
}

#[test]
fn json_tells_parts_state_and_cost() {
    let folder = Folder::new("export-json");
    let model = folder.file("model.toml", IDENTIFIED);
    let found = json(&export(&model, "c", &["--sample", "5e-4", "--method", "pid+dob", "--set", "kp=77", "--json"]));
    assert_eq!((found["name"].as_str(), found["sample"].as_f64()), (Some("model_controller"), Some(5e-4)));
    let parts = found["parts"].as_array().unwrap();
    let named = |name: &str| parts.iter().find(|part| part["part"] == name).unwrap();
    assert_eq!(named("pid")["values"]["kp"], 77.0);
    // the mass that was identified with the law
    assert_eq!(named("disturbance-observer")["values"]["mass"], 4.5);
    assert!(found["code"].as_str().unwrap().contains("model_controller_step"));
    let cost = &found["cost"];
    let sum: u64 = ["add", "multiply", "divide", "compare", "select", "logic", "bits"]
        .iter()
        .map(|key| cost["with_functions"][key].as_u64().unwrap())
        .sum();
    assert_eq!(cost["operations"], sum);
    let found = json(&export(&model, "c", &["--sample", "1e-3", "--method", "observer", "--json"]));
    let law = &found["parts"][1]["law"];
    assert_eq!((law["values"]["fc"].as_f64(), law["reverse"]["fc"].as_f64()), (Some(2.0), Some(2.5)));
    assert!(found["cost"]["calls"]["exp"].as_u64() > Some(0));
    assert_eq!(found["parts"][1]["values"]["mass"], 4.5);
}

#[test]
fn adaptive_friction_begins_with_the_levels_of_the_law() {
    let found =
        json(&export("lugre", "c", &["--sample", "1e-3", "--method", "adaptive", "--set", "law.fc=1.2", "--json"]));
    let fc = found["parts"][1]["values"]["fc"].as_f64().unwrap();
    // measured by sliding, so to a per cent
    assert!((fc - 1.2).abs() < 0.012, "{fc}");
}

#[test]
fn the_folder_is_whole_and_files_of_others_stay() {
    let folder = Folder::new("export-folder");
    let out = folder.path("servo");
    let args = export("a12-encoder", "rust", &["-o", &out]);
    let first = ok(&args);
    assert!(first.out.ends_with(&format!("\nNext: cd {out} && cargo test\n")), "{}", first.out);
    assert!(first.out.contains("multiply") && first.err.contains("src/lib.rs"), "{}{}", first.out, first.err);
    for file in ["Cargo.toml", "src/lib.rs", "tests/vector.rs", "summary.json"] {
        assert!(folder.0.join("servo").join(file).is_file(), "{file}");
    }
    // its own output is replaced; what was compiled or added there stays
    fs::create_dir(folder.0.join("servo/target")).unwrap();
    for (file, text) in [("src/mine.rs", "mine"), ("target/out", "object"), ("src/lib.rs", "edited")] {
        fs::write(folder.0.join("servo").join(file), text).unwrap();
    }
    ok(&args);
    let read = |file: &str| fs::read_to_string(folder.0.join("servo").join(file)).unwrap();
    assert_eq!((read("src/mine.rs"), read("target/out")), ("mine".to_owned(), "object".to_owned()));
    assert!(read("src/lib.rs").contains("pub fn step"));
    let other = folder.path("other");
    fs::create_dir(&other).unwrap();
    fs::write(folder.0.join("other/notes"), "").unwrap();
    assert!(refused(&export("a12-encoder", "c", &["-o", &other])).contains("notes"));
}

#[test]
fn what_is_written_compiles_and_passes_its_own_test() {
    let folder = Folder::new("export-compiled");
    let out = folder.path("c");
    let done = ok(&export("a13-adaptive", "c", &["--method", "observer", "--name", "axis", "-o", &out]));
    assert!(done.out.contains("&& cc -std=c99 -O2 axis.c axis_test.c -o test && ./test"), "{}", done.out);
    let Some(cc) = c_compiler() else { return };
    let compiled = |flags: &[&str], name: &str| {
        let files = ["axis.c", "axis_test.c", "-o", name];
        let done = Command::new(cc).current_dir(&out).args(flags).args(files).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        Command::new(folder.0.join("c").join(name)).output().unwrap()
    };
    let test = compiled(&["-std=c99", "-Wall", "-Wextra", "-Werror", "-O2"], "axis_test");
    assert!(test.status.success(), "{}", String::from_utf8_lossy(&test.stdout));
    // the exported test fails for a wrong result
    let vector = folder.0.join("c/axis_test.c");
    let text = fs::read_to_string(&vector)
        .unwrap()
        .replace("axis_init(&state);", "axis_init(&state); state.state_feedback_integral = 1.0;");
    fs::write(&vector, text).unwrap();
    let test = compiled(&["-std=c99"], "broken");
    assert_eq!(test.status.code(), Some(1), "{}", String::from_utf8_lossy(&test.stdout));
}

#[test]
fn bad_input_is_refused_with_a_hint() {
    let folder = Folder::new("export-refused");
    let nothing = folder.file("nothing.toml", "provenance = \"nobody\"\n");
    let sampled = ["--sample", "1e-3"];
    let with = |more: &[&'static str]| [&sampled[..], more].concat();
    let says = |source: &str, target: &str, more: &[&str], word: &str| {
        let said = refused(&export(source, target, more));
        assert!(said.contains(word), "{said}");
    };
    says("lugre", "java", &sampled, "java");
    says("lugre", "c", &with(&["--method", "telepathy"]), "telepathy");
    says("lugre", "c", &with(&["--method", "observer+feedforward"]), "twice");
    says("lugre", "c", &with(&["--method", "pid+state-feedback"]), "two linear loops");
    says("lugre", "c", &with(&["--method", "none"]), "no command");
    says("lugre", "c", &with(&["--method", "smooth-stop"]), "needs");
    says("lugre", "c", &with(&["--method", "dob"]), "mass");
    says("lugre", "c", &with(&["--method", "dob", "--mass", "-2"]), "--mass");
    says("lugre", "c", &with(&["--method", "pid", "--set", "kp=-1"]), "kp");
    says("lugre", "c", &with(&["--method", "pid", "--set", "kq=1"]), "kq");
    says("lugre", "c", &with(&["--method", "adaptive", "--set", "fc=1"]), "'fc' is in adaptive and in law");
    let both = with(&["--method", "state-feedback+observer", "--set", "kx=20000"]);
    says("lugre", "c", &both, "'kx' is in state-feedback and in observer");
    says("lugre", "c", &both, "write state-feedback.kx=20000 or observer.kx=20000");
    says("lugre", "c", &with(&["--method", "adaptive", "--set", "max_c=0.1"]), "fc <= max_c");
    says("bristle", "c", &sampled, "random");
    says("lugre", "c", &[], "sample time");
    says("lugre", "c", &["--sample", "-1e-3"], "sample");
    says("lugre", "c", &["--sample", "nan"], "sample");
    says("lugre", "c", &with(&["--limit", "0"]), "limit");
    says("lugre", "c", &with(&["--jump", "-1"]), "jump");
    says("lugre", "c", &with(&["--estimator", "crystal"]), "crystal");
    says("lugre", "c", &with(&["--name", "My-Axis"]), "--name");
    for keyword in ["self", "super", "fn", "while"] {
        says("lugre", "rust", &with(&["--name", keyword]), "--name");
    }
    says("lugre", "c", &with(&["--precision", "f16"]), "f16");
    says("lugr", "c", &sampled, "lugre");
    says(&nothing, "c", &sampled, "[model]");
    says("a7", "c", &[], "[controller.NAME]");
    says("a12-encoder", "c", &["--gain", "dob.cutof=3"], "cutoff");
    says("a12-encoder", "c", &["--estimator", "kalman"], "--estimator");
    says("lugre", "c", &with(&["-o", "/nowhere/at/all"]), "nowhere");
    assert_eq!(run(&["export"]).code, Some(2));
}

#[test]
fn a_random_force_and_an_unseen_load_are_left_out_and_said_so() {
    let folder = Folder::new("export-notes");
    let text =
        "[model]\nname = \"lugre\"\n[model.noise]\namplitude = 0.1\nfrequency = 5.0\n[model.load]\nslope = 0.02\n";
    let model = folder.file("model.toml", text);
    let plain = ok(&export(&model, "c", &["--sample", "1e-3"]));
    assert!(plain.err.contains("random force") && plain.err.contains("--load"), "{}", plain.err);
    let loaded = ok(&export(&model, "c", &["--sample", "1e-3", "--load"]));
    assert!(loaded.out.contains("double load;") && !plain.out.contains("double load;"));
}

#[test]
fn a_law_is_written_with_a_test_that_passes() {
    let folder = Folder::new("export-law");
    let out = folder.path("lugre");
    // the values that were set are the defaults of the code
    let run = ok(&["export", "law", "lugre", "--target", "c", "--set", "fc=1.25", "-o", &out]);
    assert!(run.out.contains("contact") && run.out.contains("Next: cd "), "{}", run.out);
    let header = fs::read_to_string(folder.path("lugre/lugre.h")).unwrap();
    assert!(header.contains("#define LUGRE_DEFAULTS {1.25, 1.5,"), "{header}");
    if let Some(compiler) = c_compiler() {
        let mut cc = Command::new(compiler);
        cc.current_dir(&out).args(["-std=c99", "lugre.c", "lugre_test.c", "-o", "lugre_test"]);
        assert!(cc.status().unwrap().success());
        let said = Command::new(folder.path("lugre/lugre_test")).output().unwrap();
        assert_eq!(String::from_utf8(said.stdout).unwrap(), "lugre: 5 functions, 320 points agree bit for bit\n");
        // what is printed is one file that compiles by itself
        let printed = folder.file("printed.c", &ok(&["export", "law", "stribeck", "--target", "c"]).out);
        let mut cc = Command::new(c_compiler().unwrap());
        cc.args(["-std=c99", "-c", &printed, "-o", &folder.path("printed.o")]);
        assert!(cc.status().unwrap().success());
    }
}

#[test]
fn a_law_file_is_written_like_a_built_in_law() {
    let folder = Folder::new("export-law-file");
    let text = "name = \"mine\"\nsummary = \"a test\"\n[params]\nfc = { unit = \"N\", default = 2.0, min = 0, max = 9 }\n[equations]\nforce = \"load*fc*tanh(v/0.01{m/s})\"\n";
    let text = text
        .replace("v/0.01{m/s}", "v/vs")
        .replace("[equations]", "vs = { unit = \"m/s\", default = 0.01, min = 1e-9, max = 1 }\n[equations]");
    let law = folder.file("mine.toml", &text);
    let found = json(&["export", "law", &law, "--target", "rust", "--json"]);
    assert_eq!((found["law"].as_str(), found["target"].as_str()), (Some("mine"), Some("rust")));
    let names: Vec<&str> = found["functions"].as_array().unwrap().iter().map(|f| f["name"].as_str().unwrap()).collect();
    // a law without memory has no rates and no sample
    assert_eq!(names, ["steady", "force", "contact"]);
    assert!(found["code"].as_str().unwrap().contains("pub fn steady(v: f64, load: f64, p: &Params) -> f64"));
}

#[test]
fn what_a_law_by_itself_does_not_say_is_not_written() {
    let folder = Folder::new("export-law-wrapped");
    let model = folder.file("model.toml", IDENTIFIED);
    // parameters for reverse motion are arguments like the others
    let code = ok(&["export", "law", &model, "--target", "c"]).out;
    assert!(code.contains("double reverse_fc;"));
    assert!(ok(&["export", "law", &model, "--target", "modelica"]).out.contains("Real reverse_fc("));
    assert!(ok(&["export", "law", &model, "--target", "latex"]).out.contains("F_C^{-}"));
    let said = refused(&[
        "export",
        "law",
        "lugre",
        "--set",
        "noise.amplitude=1",
        "--set",
        "noise.frequency=10",
        "--target",
        "c",
    ]);
    assert!(said.contains("parameters of noise") && said.contains("stiction run"), "{said}");
    assert!(refused(&["export", "law", "lugr", "--target", "c"]).contains("did you mean"));
    assert!(refused(&["export", "law", "lugre", "--target", "cobol"]).contains("possible values"));
}

#[test]
fn a_unit_is_written_whole_or_refused() {
    let folder = Folder::new("export-fmu");
    let file = folder.path("axis.fmu");
    let run = ok(&["export", "fmu", "stribeck", "--mass", "2", "--binary", "none", "-o", &file]);
    assert!(run.out.contains("inputs      force, load") && run.out.contains("binary      none"), "{}", run.out);
    let bytes = fs::read(&file).unwrap();
    assert!(bytes.starts_with(b"PK"));
    let found =
        json(&["export", "fmu", "lugre", "--unit", "law", "--fmi", "3", "--binary", "none", "-o", &file, "--json"]);
    assert_eq!((found["fmi"].as_str(), found["unit"].as_str()), (Some("3.0"), Some("law")));
    assert_eq!(found["states"][0], "memory.z");
    // the identified mass is that of the body
    let model = folder.file("model.toml", IDENTIFIED);
    let found = json(&["export", "fmu", &model, "--binary", "none", "-o", &file, "--json"]);
    let variables = found["variables"].as_array().unwrap();
    let start = |name: &str| variables.iter().find(|v| v["name"] == name).unwrap()["start"].as_f64();
    assert_eq!([start("mass"), start("law.fc"), start("law.reverse.fc")], [Some(4.5), Some(2.0), Some(2.5)]);
    let before = fs::read(&file).unwrap();
    for (args, hint) in [
        (vec!["stribeck", "--unit", "law"], "--unit body"),
        (vec!["bristle"], "random"),
        (vec!["lugre", "--set", "noise.amplitude=1", "--set", "noise.frequency=9"], "of noise"),
        (vec!["lugre", "--set", "reverse.fs=0.1"], "reverse.fs"),
        (vec!["lugre", "--set", "reverse.sigma0=1e4", "--unit", "law"], "--unit body"),
        (vec!["ruina"], "--unit law"),
        (vec!["lugree"], "did you mean"),
        (vec!["stribeck", "--mass", "-1"], "mass"),
        (vec!["stribeck", "--mass", "heavy"], "--mass"),
        (vec!["lugre", "--unit", "law", "--mass", "1"], "no mass"),
    ] {
        let said = refused(&[&["export", "fmu"], &args[..], &["--binary", "none", "-o", &file]].concat());
        assert!(said.contains(hint), "{args:?}: {said}");
    }
    assert_eq!(fs::read(&file).unwrap(), before);
    assert!(refused(&["export", "fmu", "lugre", "-o", &folder.path("axis.zip")]).contains(".fmu"));
}

const ARM: &str = "<mujoco>\n  <worldbody>\n    <body><joint name=\"elbow\" axis=\"0 1 0\"/><geom size=\".1\"/></body>\n    <body><joint name=\"lift\" type=\"slide\"/><geom size=\".1\"/></body>\n  </worldbody>\n</mujoco>\n";

#[test]
fn friction_of_a_joint_is_fitted_and_written() {
    let folder = Folder::new("export-robot");
    let arm = folder.file("arm.xml", ARM);
    let (file, script) = (folder.path("new.xml"), folder.path("check.py"));
    let run = ok(&["export", "mjcf", "erob80-100", "--into", &arm, "--joint", "elbow", "-o", &file, "-o", &script]);
    assert!(run.out.contains("joint       elbow (hinge)\n") && run.out.contains("N·m·s/rad"), "{}", run.out);
    assert!(run.out.contains("lost        load: "), "{}", run.out);
    assert!(run.err.contains("assumed --speeds 0:1"), "{}", run.err);
    let more: &[&str] =
        &["export", "mjcf", "erob80-100", "--into", &arm, "--joint", "elbow", "--mass", "2", "-o", &file];
    assert!(ok(more).err.contains("--mass is that of a new file"));
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("axis=\"0 1 0\" frictionloss=\"5.61096589241\" damping=\"8.39232435467\""), "{text}");
    assert_eq!(fs::read_to_string(&arm).unwrap(), ARM);
    assert!(fs::read_to_string(&script).unwrap().contains("JOINTS = [\"elbow\"]"));
    let found =
        json(&["export", "usd", "stribeck", "--turns", "--speeds", "0.01:1", "-o", &folder.path("j.usda"), "--json"]);
    assert_eq!(
        (found["parameters"][0]["value"].as_f64(), found["joints"][0]["turns"].as_bool()),
        (Some(1.5), Some(true))
    );
    let names: Vec<_> = found["lost"].as_array().unwrap().iter().map(|loss| loss["what"].as_str().unwrap()).collect();
    assert_eq!(names, ["Stribeck effect", "load"]);
    // over the speeds and loads of the data, if the model knows them
    let model = "[model]\nname = \"coulomb\"\n[model.load]\nslope = 0.1\nbase = 0.0\n[identified]\nversion = \"0\"\ncommand = \"\"\nfiles = []\nsha256 = []\nfastest = 0.5\nloads = [10.0, 30.0]\n[identified.plant]\noffset = 0.25\n";
    let model = folder.file("model.toml", model);
    let run = ok(&["export", "urdf", &model, "-o", &folder.path("m.urdf")]);
    assert!(run.err.contains("took --speeds 0:0.5 from the data"), "{}", run.err);
    assert!(run.err.contains("left out the offset of 0.25"), "{}", run.err);
    assert!(run.out.contains("from 0 to 0.5 m/s both ways, load 10, 15, 20, 25, 30"), "{}", run.out);
    assert!(run.out.contains("friction = 2 N,"), "{}", run.out);
    for format in ["urdf", "sdf"] {
        let run = ok(&["export", format, "coulomb", "--set", "fc=2", "-o", &folder.path(&format!("j.{format}"))]);
        assert!(run.out.contains("friction    friction = 2 N, damping = 0 N·s/m\n"), "{}", run.out);
    }
}

#[test]
fn a_joint_that_cannot_have_the_friction_is_refused() {
    let folder = Folder::new("export-robot-refused");
    let (arm, file) = (folder.file("arm.xml", ARM), folder.path("new.xml"));
    let sliding = "[model]\nname = \"coulomb\"\n[identified]\nversion = \"0\"\ncommand = \"\"\nfiles = []\nsha256 = []\nturns = false\n";
    let sliding = folder.file("sliding.toml", sliding);
    for (args, hint) in [
        (vec!["mjcf", "lugre", "--into", &arm, "--joint", "elbo"], "The joints are: elbow, lift"),
        (vec!["mjcf", "lugre", "--into", &arm], "--joint with one of: elbow, lift"),
        (vec!["mjcf", "erob80-100", "--into", &arm, "--joint", "lift"], "slides"),
        (vec!["urdf", "lugre", "--into", &arm], "export mjcf"),
        (vec!["mjcf", "dahl", "--lugre"], "leave --lugre out"),
        (vec!["mjcf", "lugre", "--speeds", "1"], "LO:HI"),
        (vec!["mjcf", "lugre", "--speeds", "2:1"], "--speeds"),
        (vec!["mjcf", "lugre", "--mass", "0"], "mass"),
        (vec!["mjcf", "coulomb", "--load", "0"], "no friction"),
        (vec!["sdf", "stribeck", "--load", "0"], "lost its dry friction"),
        (vec!["urdf", "stribeck", "--load=-1"], "below zero"),
        (vec!["mjcf", &sliding, "--turns"], "leave --turns out"),
        (vec!["mjcf", "lugre", "--into", "nowhere.xml"], "cannot read"),
    ] {
        let said = refused(&[&["export"], &args[..], &["-o", &file]].concat());
        assert!(said.contains(hint), "{args:?}: {said}");
        assert!(!std::path::Path::new(&file).exists());
    }
    assert!(refused(&["export", "mjcf", "lugre", "--into", &arm, "--joint", "lift", "-o", &arm]).contains("replace"));
    let said = ok(&["export", "mjcf", "coulomb", "-o", "-"]);
    assert!(said.out.starts_with("<mujoco") && said.err.contains("frictionloss = 1 N"), "{} {}", said.out, said.err);
    assert!(refused(&["export", "mjcf", "coulomb", "-o", "-", "--json"]).contains("stdout"));
    assert!(refused(&["export", "mjcf", "lugre", "-o", &folder.path("j.txt")]).contains(".xml"));
    assert!(refused(&["export", "mjcf", "lugre", "-o", &folder.path("check.py")]).contains("no file for the robot"));
    assert_eq!(fs::read_to_string(&arm).unwrap(), ARM);
}

#[test]
fn the_binary_of_a_unit_needs_no_compiler() {
    let folder = Folder::new("export-fmu-binary");
    let file = folder.path("axis.fmu");
    let unit = |more: &[&'static str], compiler: &str| {
        let out = command(&[&["export", "fmu", "stribeck", "-o", &file], more].concat())
            .env("CC", compiler)
            .output()
            .unwrap();
        let text = [out.stdout, out.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
        (out.status.code(), text)
    };
    let (code, said) = unit(&[], "no-such-compiler");
    assert!(code == Some(0) && said.contains("binary      prebuilt"), "{said}");
    let (code, said) = unit(&["--binary", "compiled"], "no-such-compiler");
    assert!(code == Some(2) && said.contains("no C compiler") && said.contains("hint:"), "{said}");
    // a compiler may have arguments
    if let Some(compiler) = c_compiler() {
        let (code, said) = unit(&["--binary", "compiled"], &format!("{compiler} -O1"));
        assert!(code == Some(0) && said.contains(&format!("by {compiler} -O1")), "{said}");
    }
}

#[test]
fn a_unit_goes_to_stdout_if_it_is_asked_for() {
    let folder = Folder::new("export-fmu-stdout");
    let mut asked = command(&["export", "fmu", "stribeck", "-o", "-"]);
    let out = asked.current_dir(folder.path("")).output().unwrap();
    let said = String::from_utf8(out.stderr).unwrap();
    assert!(
        out.status.success() && out.stdout.starts_with(b"PK") && said.contains("inputs      force, load"),
        "{said}"
    );
    assert!(folder.is_empty());
    assert!(refused(&["export", "fmu", "stribeck", "-o", "-", "--json"]).contains("stdout"));
}

#[test]
fn a_plugin_of_mujoco_is_written_or_refused() {
    let folder = Folder::new("export-plugin");
    let at = folder.path("plugin");
    let run = ok(&["export", "mujoco-plugin", "stribeck", "--set", "fs=2", "-o", &at]);
    assert!(run.out.contains("plugin      stiction.stribeck") && run.out.contains("up to 2 at rest"), "{}", run.out);
    for file in ["stiction_stribeck.c", "example.xml", "check.py", "summary.json"] {
        assert!(std::path::Path::new(&at).join(file).exists(), "{file}");
    }
    assert!(ok(&["export", "mujoco-plugin", "lugre"]).out.contains("#define LAW_HAS_SET 0"));
    let found = json(&["export", "mujoco-plugin", "lugre", "--json"]);
    assert_eq!((found["holds"].as_bool(), found["plugin"].as_str()), (Some(false), Some("stiction.lugre")));
    assert!(refused(&["export", "mujoco-plugin", "bristle"]).contains("random"));
    assert!(refused(&["export", "mujoco-plugin", "lugre", "--mass", "-1"]).contains("mass = -1 is not within"));
    assert!(refused(&["export", "mujoco-plugin", "lugree"]).contains("did you mean"));
    let both = ok(&["export", "mujoco-plugin", "coulomb", "--set", "reverse.fc=2", "-o", &at]).out;
    assert!(both.contains("up to 1 forwards and 2 backwards at rest") && both.contains("fc, reverse.fc"), "{both}");
    let noisy = ["export", "mujoco-plugin", "coulomb", "--set", "noise.amplitude=2", "--set", "noise.frequency=9"];
    assert!(refused(&noisy).contains("of noise"));
}

#[test]
fn a_scenario_is_a_unit_if_the_library_with_the_simulator_is_there() {
    let folder = Folder::new("export-fmu-scenario");
    let file = folder.path("a7.fmu");
    assert!(refused(&["export", "fmu", "a7", "--mass", "2", "-o", &file]).contains("--set body.block.mass=2"));
    // laws, devices and scenarios are known by name
    assert!(refused(&["export", "fmu", "a7-contnuous", "-o", &file]).contains("law, device or scenario"));
    let out = run(&["export", "fmu", "a7", "-o", &file]);
    // there is no library, or one of other sources
    if out.code == Some(2) {
        assert!(out.err.contains("cargo build --release -p stiction-cli -p stiction-unit"), "{}", out.err);
        assert!(folder.is_empty());
    } else {
        assert!(out.out.contains("motion.hand.added_velocity") && out.out.contains("block.x, block.v"), "{}", out.out);
        assert!(fs::read(&file).unwrap().starts_with(b"PK"));
    }
}

#[test]
fn a_live_page_is_one_file() {
    let folder = Folder::new("export-page");
    let path = folder.path("dahl.html");
    let told = ok(&["export", "page", "dahl", "--set", "fc=2", "-o", &path]);
    assert!(told.out.contains("Open ") && told.out.contains("dahl.html"), "{}", told.out);
    let page = fs::read_to_string(&path).unwrap();
    assert!(page.contains("<h1>dahl</h1>") && page.contains("\"values\":[2,"), "{}", &page[..2000]);
    // the command on the page gives the same law
    assert!(page.contains("\"source\":\"dahl --set fc=2\""));
    assert_eq!(ok(&["export", "page", "dahl", "--set", "fc=2", "-o", "-"]).out, page);
    assert_eq!(json(&["export", "page", "dahl", "-o", &path, "--json"])["law"], "dahl");
    // the body of a record is the one that was identified with the law
    let found = folder.file("found.toml", "[model]\nname = \"dahl\"\n\n[identified.plant]\nmass = 5.25\n");
    assert!(ok(&["export", "page", &found, "-o", "-"]).out.contains("\"mass\":5.25,"));
    assert!(refused(&["export", "page", "dahl", "-o", &folder.path("dahl.txt")]).contains(".html"));
    assert!(refused(&["export", "page", "nobody", "-o", &path]).contains("nobody"));
    assert!(ok(&["export", "page", "dahl", "--set", "reverse.fc=1", "-o", "-"]).out.contains("\"reverse.fc\""));
    assert!(
        refused(&["export", "page", "dahl", "--set", "noise.amplitude=1", "--set", "noise.frequency=10", "-o", &path])
            .contains("noise")
    );
}
