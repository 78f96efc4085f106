//! `stiction identify`, as a user runs it.
mod common;
#[path = "../../../tests/common/published.rs"]
mod published;
use common::{Folder, command, json, ok, refused, run, skip};
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A published record, if it is available.
fn data(name: &str) -> Option<String> {
    published::data(name).map(|path| path.to_string_lossy().into_owned())
}

/// A body of 2 kg with 5 N of Coulomb and 20 N·s/m of viscous friction, driven along a sum of two sines; `noise` is a
/// deterministic hash of the row, from −1 to 1.
fn log(rows: usize, noise: f64) -> String {
    let mut out = String::from("t [s];x [mm];u [V]\n");
    for k in 0..rows {
        let t = k as f64 / 200.0;
        let (a, b) = (2.0 * t, 0.7 * t);
        let x = 0.05 * a.sin() + 0.1 * b.sin();
        let v = 0.1 * a.cos() + 0.07 * b.cos();
        let acc = -0.2 * a.sin() - 0.049 * b.sin();
        let hash = ((k as f64 * 12.9898).sin() * 43758.5453).fract();
        let f = 2.0 * acc + 5.0 * f64::signum(v) + 20.0 * v + noise * hash;
        out += &format!("{t};{};{}\n", 1e3 * x, f / 4.0).replace('.', ",");
    }
    out
}

/// Friction of bristles (Dahl, 10 N and 5e4 N/m) along strokes of some millimetres. One row in fifty of the forward ones has a spike of 30 N.
fn log_of_bristles_with_spikes() -> String {
    let mut out = String::from("t [s],x [m],force [N]\n");
    let place = |t: f64| 1e-3 * (3.5 * t).sin() + 6e-4 * (8.2 * t + 1.0).sin();
    let (fine, mut friction) = (200, 0.0_f64);
    for k in 0..2000 {
        let t = |part: i32| 2e-3 * (f64::from(k) + f64::from(part) / f64::from(fine));
        let forward = place(t(1)) > place(t(0));
        let spike = if k % 25 == 7 && forward { 30.0 } else { 0.0 };
        let noise = 0.05 * ((f64::from(k) * 12.9898).sin() * 43758.5453).fract();
        out += &format!("{},{},{}\n", t(0), place(t(0)), friction + noise + spike);
        for part in 0..fine {
            let by = place(t(part + 1)) - place(t(part));
            friction += 5e4 * by * (1.0 - 0.1 * friction * by.signum());
        }
    }
    out
}

/// Spikes made a level of 10 N one of 10.3 N; a robust loss is not moved by them, of a law with memory as of one without.
#[test]
fn a_robust_fit_along_the_motion_is_not_moved_by_spikes() {
    let folder = Folder::new("identify-robust");
    let path = folder.file("log.csv", &log_of_bristles_with_spikes());
    let off = |more: &[&str]| {
        let found = json(&[&["identify", &path, "--model", "dahl", "--mass", "0", "--json"][..], more].concat());
        (found["findings"][0]["estimates"]["fc"]["value"].as_f64().expect("a level") - 10.0).abs()
    };
    let (squares, robust) = (off(&[]), off(&["--robust", "tukey"]));
    // the spikes are two in a hundred samples: 0.3 N for those of one direction, and the noise of 0.03 N is a thousandth of a newton in the mean
    assert!(robust < 0.02 && squares > 0.1, "{robust} and {squares}");
}

#[test]
fn parameters_a_report_and_a_law_to_use() {
    let folder = Folder::new("identify-log");
    let path = folder.file("log.csv", &log(4000, 0.5));
    let out = folder.path("out");
    let args = ["identify", &path, "--position", "x", "--force", "4*u", "--model", "stiction", "-o", &out, "--json"];
    let found = json(&args);
    let finding = &found["findings"][0];
    for (name, truth) in [("mass", 2.0), ("fc", 5.0), ("fv", 20.0)] {
        let e = &finding["estimates"][name];
        let (low, high) = (e["interval"][0].as_f64().unwrap(), e["interval"][1].as_f64().unwrap());
        // twice the half width: four standard errors, so that chance does not decide
        let half = high - low;
        assert!((e["value"].as_f64().unwrap() - truth).abs() < half && half < 0.1 * truth, "{name}: {e}");
    }
    assert_eq!(finding["law"]["name"], "stiction");
    assert!(found["remarks"].to_string().contains("is in mm, times 0.001 is m"));
    // the files
    let report = fs::read_to_string(folder.path("out/report.html")).unwrap();
    for text in ["Coulomb + viscous", "SHA-256", "95 % interval", "<svg ", "identify"] {
        assert!(report.contains(text), "{text}");
    }
    assert!(!report.contains("://"), "a page of its own");
    assert!(report.contains("<div class=\"live\">") && report.contains("\"source\":\"model.toml\""));
    // the live part moves the body that was identified
    assert!(report.contains(&format!("\"mass\":{}", finding["estimates"]["mass"]["value"])), "the mass");
    let model = folder.path("out/model.toml");
    assert!(fs::read_to_string(&model).unwrap().contains("[identified.error]"));
    // the law can be used: as a curve, and in a scenario
    let curve = json(&["curve", &model, "--at", "0.1", "--json"]);
    let force = curve["force"][0].as_f64().unwrap();
    // the level is known to some hundredths of a newton
    assert!((force - 7.0).abs() < 0.1, "{force}");
    let scenario = folder.file(
        "s.toml",
        "[run]\nend = 1\n[body.b]\nmass = 2\nv = 0.1\n[contact.c]\nbetween = ['b', 'ground']\nlaw = 'out/model.toml'\n",
    );
    assert_eq!(json(&["run", &scenario, "--json"])["final"]["b.v"], 0.0);
    // the text has the same
    let text = ok(&args[..args.len() - 1]).out;
    assert!(text.contains("Sliding friction: Coulomb + viscous") && text.contains("95 % interval"), "{text}");
}

/// An arm of 0.5 kg·m² under gravity of 6 N·m, with 2 N·m of Coulomb and 1 N·m·s of viscous friction.
fn arm(rows: usize) -> String {
    let mut out = String::from("t [s],q [rad],tau [N·m]\n");
    for k in 0..rows {
        let t = k as f64 / 200.0;
        let (a, b) = (2.0 * t, 0.7 * t);
        let q = 0.5 * a.sin() + 1.1 * b.sin();
        let v = a.cos() + 0.77 * b.cos();
        let acc = -2.0 * a.sin() - 0.539 * b.sin();
        let hash = ((k as f64 * 12.9898).sin() * 43758.5453).fract();
        let tau = 0.5 * acc + 6.0 * q.sin() + 2.0 * f64::signum(v) + v + 0.1 * hash;
        out += &format!("{t},{q},{tau}\n");
    }
    out
}

#[test]
fn gravity_of_unknown_size_is_a_term() {
    let folder = Folder::new("identify-term");
    let path = folder.file("arm.csv", &arm(4000));
    let out = folder.path("out");
    let term = ["identify", &path, "--term", "gravity=sin(q)", "--model", "stiction", "-o", &out];
    let found = json(&[&term[..], &["--json"]].concat());
    for (name, truth) in [("mass", 0.5), ("fc", 2.0), ("fv", 1.0), ("gravity", 6.0)] {
        let e = &found["findings"][0]["estimates"][name];
        let (low, high) = (e["interval"][0].as_f64().unwrap(), e["interval"][1].as_f64().unwrap());
        // four standard errors, as above
        assert!((e["value"].as_f64().unwrap() - truth).abs() < high - low && high - low < 0.1, "{name}: {e}");
        assert_eq!(e["unit"] == "N·m", ["fc", "gravity"].contains(&name), "{name}: {e}");
    }
    // the file knows the term, and a check takes it from there
    let model = folder.path("out/model.toml");
    let text = fs::read_to_string(&model).unwrap();
    assert!(text.contains("[identified.terms]") && text.contains("\"gravity\" = \"sin(q)\""), "{text}");
    let left = |args: &[&str]| {
        let checked = json(&[&["identify", &path, "--check", &model, "--json"], args].concat());
        checked["findings"][0]["scores"]["relative"].as_f64().unwrap()
    };
    // noise of 0.1 N·m at most, on 2 to 4 N·m
    assert!(left(&[]) < 0.05, "{}", left(&[]));
    assert!(left(&["--term", "gravity=0*q"]) > 0.5);
    // mistakes
    let with = |more: &[&str]| refused(&[&["identify", &path], more].concat());
    assert!(with(&["--term", "fc=sin(q)"]).contains("parameter of the model"));
    assert!(with(&["--term", "sin(q)", "--term", "sin(q)"]).contains("twice"));
    assert!(with(&["--term", "sin(nobody)"]).contains("nobody"));
    assert!(with(&["--term", "g="]).contains("gravity=sin(q)"));
    assert!(with(&["--term", "one=1+0*q", "--model", "stiction"]).contains("depend"));
    assert!(with(&["--term", "sin(q)", "--find", "presliding"]).contains("no effect"));
    assert!(with(&["--term", "sin(q)", "--scenario", "servo-m1"]).contains("no effect"));
    assert!(with(&["--term", "other=cos(q)", "--check", &model]).contains("no such term"));
    // a fit with a delay keeps no state to resume from
    let late = ["--model", "dahl", "--delay", "auto", "--resume", "-o", &out];
    assert!(with(&late).contains("--resume has no effect"));
}

/// Two joints in one record, the second turning half as fast as the first, with other friction; columns by names and by numbers.
#[test]
fn joints_of_one_record_are_identified_one_by_one() {
    let folder = Folder::new("identify-joints");
    let mut log = String::from("t [s],q1 [rad],q2 [rad],tau1 [N·m],tau2 [N·m]\n");
    for k in 0..4000 {
        let t = k as f64 / 200.0;
        let hash = ((k as f64 * 12.9898).sin() * 43758.5453).fract();
        let joint = |scale: f64, inertia: f64, fc: f64, fv: f64| {
            let (a, b) = (2.0 * t, 0.7 * t);
            let v = scale * (a.cos() + 0.77 * b.cos());
            let acc = scale * (-2.0 * a.sin() - 0.539 * b.sin());
            (scale * (0.5 * a.sin() + 1.1 * b.sin()), inertia * acc + fc * f64::signum(v) + fv * v + 0.1 * hash)
        };
        let ((q1, tau1), (q2, tau2)) = (joint(1.0, 0.5, 2.0, 1.0), joint(0.5, 0.2, 3.0, 4.0));
        log += &format!("{t},{q1},{q2},{tau1},{tau2}\n");
    }
    let path = folder.file("robot.csv", &log);
    let out = folder.path("out");
    let named = ["--joints", "1-2", "--position", "q#", "--force", "tau#"];
    let numbered = ["--joints", "2,3", "--position", "$#", "--force", "$(#+2)"];
    for (columns, joints) in [(named, ["1", "2"]), (numbered, ["2", "3"])] {
        let args = [&["identify", &path, "--model", "stiction"], &columns[..]].concat();
        let found = json(&[&args[..], &["--json"]].concat());
        for (joint, truth) in joints.iter().zip([[0.5, 2.0, 1.0], [0.2, 3.0, 4.0]]) {
            let estimates = &found["joints"][joint]["findings"][0]["estimates"];
            for (name, truth) in ["mass", "fc", "fv"].iter().zip(truth) {
                let e = &estimates[name];
                let (low, high) = (e["interval"][0].as_f64().unwrap(), e["interval"][1].as_f64().unwrap());
                // four standard errors
                let near = (e["value"].as_f64().unwrap() - truth).abs() < high - low && high - low < 0.1 * truth;
                assert!(near, "joint {joint}, {name}: {e}");
            }
        }
    }
    // a folder for each joint, whose file holds the command that repeats it alone
    let args = [&["identify", &path, "--model", "stiction", "-o", &out], &named[..]].concat();
    let text = ok(&args).out;
    assert!(text.contains("Joints, ± one standard error"), "{text}");
    let model = fs::read_to_string(folder.path("out/2/model.toml")).unwrap();
    assert!(model.contains("--position q2 --force tau2") && !model.contains("--joints"), "{model}");
    let models = format!("{out}/#/model.toml");
    let checked = json(&[&["identify", &path, "--check", &models, "--json"], &named[..]].concat());
    for joint in ["1", "2"] {
        let left = &checked["joints"][joint]["findings"][0]["scores"]["relative"];
        // noise of 0.1 N·m at most, on 2 to 10 N·m
        assert!(left.as_f64().unwrap() < 0.05, "{left}");
    }
    // a joint that is not there does not keep the others from being written
    let more = ["--joints", "1,9", "--position", "q#", "--force", "tau#"];
    let one = folder.path("one");
    let result = run(&[&["identify", &path, "--model", "stiction", "-o", &one], &more[..]].concat());
    assert_eq!(result.code, Some(2), "{}", result.err);
    assert!(result.err.contains("joint 9: ") && result.err.contains("q9"), "{}", result.err);
    assert!(Path::new(&folder.path("one/1/model.toml")).exists());
    // mistakes
    let with = |more: &[&str]| refused(&[&["identify", &path], more].concat());
    assert!(with(&["--joints", "1-2", "--position", "q1", "--force", "tau1"]).contains("write # for the joint"));
    assert!(with(&["--joints", "2-1", "--position", "q#"]).contains("below the first"));
    assert!(with(&["--joints", "1,1", "--position", "q#"]).contains("twice"));
    assert!(with(&["--joints", "1-2", "--position", "q#", "--scenario", "servo-m1"]).contains("--joints"));
}

/// Data without a falling curve do not determine the Stribeck parameters, however small the errors of the fit are.
#[test]
fn what_cannot_be_told_has_no_interval() {
    let folder = Folder::new("identify-open");
    let path = folder.file("log.csv", &log(2000, 0.5));
    let args = ["identify", &path, "--position", "x", "--force", "4*u", "--model", "stribeck"];
    let found = json(&[&args[..], &["--json"]].concat());
    let fs = &found["findings"][0]["estimates"]["fs"];
    // it is not below zero, and may be anything above
    assert_eq!((&fs["known"], fs["interval"][0].is_null(), fs["interval"][1].is_null()), (&"not".into(), false, true));
    let text = ok(&args).out;
    let line = text.lines().find(|line| line.trim_start().starts_with("fs ")).unwrap();
    assert!(line.contains("unbounded") && line.contains("not identifiable"), "{line}");
    // the file says so, and so does whoever reads it: a curve, a scenario, a controller
    let out = folder.path("out");
    ok(&[&args[..], &["-o", &out]].concat());
    let model = folder.path("out/model.toml");
    assert!(fs::read_to_string(&model).unwrap().contains("(not determined by the data)"));
    let told = "not determined by the data that the law was identified from";
    assert!(ok(&["curve", &model, "--at", "0.1"]).err.contains(told));
    let scenario = folder.file(
        "s.toml",
        "[run]\nend = 1\n[body.b]\nmass = 2\nv = 0.1\n[contact.c]\nbetween = ['b', 'ground']\nlaw = 'out/model.toml'\n",
    );
    assert!(ok(&["run", &scenario]).err.contains(told));
    let code = folder.path("code");
    assert!(ok(&["export", "controller", &model, "--target", "c", "--sample", "1e-3", "-o", &code]).err.contains(told));
    // too short for a spectrum, and without noise
    let path = folder.file("short.csv", &log(200, 0.0));
    let text = ok(&["identify", &path, "--position", "x", "--force", "4*u", "--model", "stiction"]).out;
    assert!(text.contains("signal from noise"), "{text}");
}

/// The trace of a run has two rows at the time of a jump.
#[test]
fn a_trace_of_velocity_steps_is_taken() {
    let folder = Folder::new("identify-trace");
    let mut rows = String::from("t [s],v [m/s],mu\n");
    // a slider that answers a step of speed at 10 s at once and then settles, which is all that is asked of it here
    for k in 0..=40 {
        let t = f64::from(k) * 0.5;
        let after = (t - 10.0).max(0.0);
        let mu = 0.6 + if after > 0.0 { 0.023 * (-after).exp() - 0.0115 } else { 0.0 };
        rows += &format!("{t},{},{mu}\n", if t <= 10.0 { 1e-6 } else { 1e-5 });
        if t == 10.0 {
            rows += &format!("{t},1e-5,{mu}\n");
        }
    }
    let path = folder.file("trace.csv", &rows);
    let out = folder.path("found");
    let columns = ["--velocity", "v", "--force", "mu"];
    let found = json(&[&["identify", &path, "--model", "dieterich", "--json", "-o", &out], &columns[..]].concat());
    assert!(found["findings"][0]["estimates"]["dc"]["value"].as_f64().unwrap() > 0.0);
    assert!(!found.to_string().contains("between two samples"), "{found}");
    // what an export fits over: half of the samples have the speed after the step
    let model = fs::read_to_string(format!("{out}/model.toml")).unwrap();
    assert!(model.contains("\nfastest = 1e-5 "), "{model}");
}

#[test]
fn the_best_law_is_chosen_and_a_law_with_memory_is_fitted() {
    let folder = Folder::new("identify-auto");
    let path = folder.file("log.csv", &log(500, 0.3));
    let all = ["identify", &path, "--position", "x", "--force", "4*u", "--json"];
    let found = json(&all);
    let text = found["findings"][0]["title"].as_str().unwrap().to_owned();
    assert!(text.contains("Coulomb + viscous"), "{text}");
    assert!(found["findings"][0]["tables"]["memory"]["rows"].as_array().unwrap().len() >= 2);
    let law = json(&[&all[..], &["--model", "dahl", "--set", "shape=1", "--mass", "2"]].concat());
    assert_eq!(law["findings"][0]["law"]["name"], "dahl");
    assert_eq!(law["findings"][0]["estimates"]["shape"]["known"], "given");
}

#[test]
fn a_fit_that_was_stopped_goes_on() {
    let folder = Folder::new("identify-resume");
    let path = folder.file("log.csv", &log(800, 0.3));
    let out = folder.path("out");
    let base = ["identify", &path, "--position", "x", "--force", "4*u", "--model", "dahl", "--mass", "2", "-o", &out];
    // a missing checkpoint is not an error
    let first = ok(&[&base[..], &["--resume"]].concat());
    assert!(first.err.contains("the fit starts again"), "{}", first.err);
    assert!(!Path::new(&folder.path("out.partial.json")).exists());
    // a checkpoint of another command is an error
    fs::write(
        folder.path("out.partial.json"),
        r#"{"mark":"other","coordinates":[1],"scaling":[1],"radius":1,"iterations":1,"evaluations":1}"#,
    )
    .unwrap();
    assert!(refused(&[&base[..], &["--resume"]].concat()).contains("another command"));
    fs::write(folder.path("out.partial.json"), "{").unwrap();
    assert!(refused(&[&base[..], &["--resume"]].concat()).contains("incomplete"));
}

#[test]
fn a_search_that_was_killed_goes_on_and_ends_the_same() {
    let folder = Folder::new("identify-killed");
    // a checkpoint is written every half second: the search of so long a record takes several, also on a fast machine
    let path = folder.file("log.csv", &log(4000, 0.3));
    let base =
        ["identify", &path, "--position", "x", "--force", "4*u", "--model", "lugre", "--mass", "2", "--json", "-o"];
    let found = |out: &str, more: &[&str]| json(&[&base[..], &[out], more].concat())["findings"].clone();
    let whole = found(&folder.path("whole"), &[]);
    let (out, kept) = (folder.path("killed"), folder.path("killed.partial.json"));
    let parts = || -> usize {
        let text = fs::read_to_string(&kept).unwrap_or_default();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        value["search"].as_array().map_or(0, Vec::len)
    };
    // twice, each a little further: the checkpoint is there whole or not at all
    for round in 1..=2 {
        let resume: &[&str] = if round == 1 { &[] } else { &["--resume"] };
        let args = [&base[..], &[&out], resume].concat();
        let mut child = command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let (begin, before) = (Instant::now(), parts());
        while parts() <= before && begin.elapsed() < Duration::from_secs(120) {
            sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(parts() > before && !Path::new(&out).exists(), "round {round}: {} parts", parts());
    }
    let resumed = ok(&[&base[..], &[&out, "--resume"]].concat());
    assert!(resumed.err.contains("resumed after"), "{}", resumed.err);
    let resumed: serde_json::Value = serde_json::from_str(&resumed.out).unwrap();
    assert_eq!(whole, resumed["findings"], "all numbers to the last digit");
    assert!(!Path::new(&kept).exists());
}

/// A checkpoint is of the law's text, not only of its name.
#[test]
fn a_fit_does_not_go_on_with_another_text_of_its_law() {
    let folder = Folder::new("identify-law-changed");
    let path = folder.file("log.csv", &log(500, 0.3));
    let text = include_str!("../../stiction/tests/law_file/laws/file-lugre.toml");
    let law = folder.file("file-lugre.toml", text);
    let (out, kept) = (folder.path("out"), folder.path("out.partial.json"));
    let base = ["identify", &path, "--position", "x", "--force", "4*u", "--model", &law, "--mass", "2", "-o", &out];
    let mut child = command(&base).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let begin = Instant::now();
    while !Path::new(&kept).exists() && begin.elapsed() < Duration::from_secs(120) {
        sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    folder.file("file-lugre.toml", &text.replace("name = ", "# the same law\nname = "));
    assert!(refused(&[&base[..], &["--resume"]].concat()).contains("another law"));
}

#[test]
fn published_values_from_the_raw_record() {
    let Some(path) = data("emps/DATA_EMPS.csv") else { return };
    let args = "--position qm --force 35.15065188248547*vir --filter butterworth:4:100 --drop 49 --decimate 10 --rest 0 --model stiction --white --json";
    let args: Vec<&str> = ["identify", &path].into_iter().chain(args.split(' ')).collect();
    let found = json(&args);
    let value = |name: &str| format!("{:.4}", found["findings"][0]["estimates"][name]["value"].as_f64().unwrap());
    // all decimals that are printed (Janot2019)
    let got = ["mass", "fv", "fc", "offset"].map(value);
    assert_eq!(got, ["95.1089", "203.5034", "20.3935", "-3.1648"]);
}

#[test]
fn velocity_steps_of_others() {
    let Some(path) = data("rsf_rsfmodel/rsfmodel_reference.json") else { return };
    let case = "TestRuinaOneStateVar.truth";
    let [time, force, way] = ["time", "friction", "loadpoint_displacement"].map(|name| format!("{case}.{name}"));
    let found = json(&[
        "identify",
        &path,
        "--time",
        &time,
        "--force",
        &force,
        "--position",
        &way,
        "--model",
        "ruina",
        "--json",
    ]);
    // four digits of what the curves were made with
    for (name, truth) in [("a", 0.01), ("b", 0.005), ("dc", 10.0), ("k", 1e-3)] {
        let value = found["findings"][0]["estimates"][name]["value"].as_f64().unwrap();
        assert!((value / truth - 1.0).abs() < 1e-4, "{name} = {value}");
    }
}

#[test]
fn a_body_that_turns_has_units_of_rotation() {
    let folder = Folder::new("identify-turns");
    let text = log(4000, 0.5).replace("x [mm]", "q [mrad]").replace("u [V]", "tau [N·m]");
    // without the time column: rows are counted
    let rows: String = text.lines().map(|line| line.split_once(';').unwrap().1.to_owned() + "\n").collect();
    let path = folder.file("log.csv", &rows);
    let told = refused(&["identify", &path, "--model", "stiction"]);
    assert!(told.contains("time"), "{told}");
    let found = json(&["identify", &path, "--model", "stiction", "--rate", "200", "--json"]);
    let units = |name: &str| found["findings"][0]["estimates"][name]["unit"].as_str().unwrap().to_owned();
    assert_eq!(["mass", "fc", "fv"].map(units), ["kg·m²", "N·m", "N·m·s/rad"]);
    // a quarter of the force of the log
    let mass = found["findings"][0]["estimates"]["mass"]["value"].as_f64().unwrap();
    // noise of the force, as above: four errors are below a tenth
    assert!((mass / 0.5 - 1.0).abs() < 0.05, "{mass}");
    let page = ok(&["identify", &path, "--model", "stiction", "--rate", "200"]).out;
    assert!(page.contains("rad/s") && !page.contains(" m/s"), "{page}");
    // neither the file of the law nor the law in the report has units of a translation
    let found = folder.path("found");
    ok(&["identify", &path, "--model", "stiction", "--rate", "200", "-o", &found]);
    for name in ["model.toml", "report.html"] {
        let text = fs::read_to_string(Path::new(&found).join(name)).unwrap();
        assert!(text.contains("# [N·m] Coulomb level") && !text.contains("# [N]"), "{name}: {text}");
    }
    let mixed = folder.file("mixed.csv", &rows.replace("[N·m]", "[N]"));
    let told = refused(&["identify", &mixed, "--rate", "200"]);
    assert!(told.contains("q [mrad]") && told.contains("tau [N]"), "{told}");
    let odd = folder.file("odd.csv", &rows.replace("[mrad]", "[furlong]"));
    let page = ok(&["identify", &odd, "--model", "stiction", "--rate", "200"]).out;
    assert!(page.contains("the unit furlong of q is not known"), "{page}");
    // the body is never at rest, so there is no break-away
    let told = refused(&["identify", &path, "--rate", "200", "--find", "breakaway"]);
    assert!(told.contains("no body breaks away"), "{told}");
    let told = refused(&["identify", &path, "--rate", "200", "--find", "presliding", "--weight", "tau"]);
    assert!(told.contains("--weight"), "{told}");
}

#[test]
fn bad_input_is_told_with_its_place() {
    let folder = Folder::new("identify-bad");
    let good = folder.file("good.csv", &log(400, 0.1));
    let at = |name: &str, text: &str| folder.file(name, text);
    let cases: Vec<(Vec<String>, &str)> = vec![
        (vec![folder.path("none.csv")], "none.csv"),
        (vec![at("empty.csv", "")], "empty.csv"),
        (vec![good.clone(), "--force".into(), "w".into()], "no column"),
        (vec![good.clone()], "no column is recognised as force"),
        (vec![good.clone(), "--force".into(), "u/(x-x)".into(), "--position".into(), "x".into()], "line 2"),
        (vec![good.clone(), "--force".into(), "u+".into()], "u+"),
        (vec![good.clone(), "--force".into(), "x".into(), "--position".into(), "x".into()], "is in mm"),
        (vec![at("one.csv", "t,x,f\n0,1,2\n")], "1 rows of numbers are too few"),
        (vec![at("still.csv", &still(0.0, 1.0))], "positions do not change"),
        (vec![at("same.csv", &still(1.0, 0.0))], "forces do not change"),
        (vec![at("back.csv", &backwards())], "time goes backwards"),
        (vec![at("words.csv", "t,x,f\n0,1,2\n1,a,3\n2,3,4\n")], "line 3"),
        (vec![good.clone(), "--model".into(), "lugree".into()], "lugre"),
        (
            vec![good.clone(), "--force".into(), "4*u".into(), "--mass".into(), "1,2".into()],
            "--mass has 2 numbers for 1 files",
        ),
        (vec![good.clone(), "--force".into(), "4*u".into(), "--filter".into(), "butterworth:4:900".into()], "good.csv"),
        (vec![good.clone(), "--force".into(), "4*u".into(), "--drop".into(), "500".into()], "too few"),
    ];
    for (args, expected) in cases {
        let args: Vec<&str> = ["identify"].into_iter().chain(args.iter().map(String::as_str)).collect();
        let result = run(&args);
        assert_eq!(result.code, Some(2), "{args:?}: {}", result.err);
        assert!(result.err.contains(expected), "{args:?}: {}", result.err);
        assert!(result.out.is_empty());
    }
    // without a result no folder is written
    let out = folder.path("out");
    refused(&["identify", &good, "--force", "w", "-o", &out]);
    assert!(!Path::new(&out).exists());
}

fn still(x: f64, f: f64) -> String {
    let rows: String = (0..100).map(|k| format!("{k},{},{}\n", x * f64::from(k % 7), f * f64::from(k % 5))).collect();
    format!("t,x,f\n{rows}")
}

fn backwards() -> String {
    let rows: String = (0..100).map(|k| format!("{},{k},{}\n", if k == 50 { 3 } else { k }, k % 5)).collect();
    format!("t,x,f\n{rows}")
}

#[test]
fn a_law_is_held_against_other_data() {
    let folder = Folder::new("identify-check");
    let (file, found) = (folder.file("log.csv", &log(4000, 0.0)), folder.path("found"));
    let columns = ["--position", "x", "--force", "4*u"];
    ok(&[&["identify", &file, "--model", "stiction", "-o", &found][..], &columns].concat());
    let model = format!("{found}/model.toml");
    // other rows of the same machine, and with noise: its rms is that of an even hash, 1/sqrt 3
    let other = folder.file("other.csv", &log(6000, 1.0));
    let check =
        |more: &[&str]| json(&[&["identify", &other, "--check", &model, "--json"][..], &columns, more].concat());
    let found = check(&[]);
    let finding = &found["findings"][0];
    assert_eq!((finding["find"].as_str(), finding["law"].is_null()), (Some("check"), true));
    // smoothing takes none of the force's noise away; turns of the sign within a sample add a little
    let rms = finding["scores"]["rms"].as_f64().unwrap();
    assert!((0.57..0.75).contains(&rms), "{rms}");
    assert_eq!(finding["estimates"].as_object().unwrap().len(), 0);
    // --mass takes precedence over the mass in the file, and a wrong mass gives a larger residual
    assert!(check(&["--mass", "20"])["findings"][0]["scores"]["rms"].as_f64().unwrap() > 1.5 * rms);
    let text = ok(&[&["identify", &other, "--check", &model][..], &columns].concat()).out;
    assert!(text.contains("of the friction is not predicted") && !text.contains("std. error"), "{text}");
    // a law alone has no mass
    let bare = folder.file("bare.toml", "[model]\nname = \"coulomb\"\nfc = 5.0\n");
    let err = refused(&[&["identify", &other, "--check", &bare][..], &columns].concat());
    assert!(err.contains("--mass"), "{err}");
    refused(&["identify", &other, "--check", &model, "--find", "sliding"]);
    refused(&["identify", &other, "--check", &model, "--robust", "huber"]);
}

#[test]
fn a_record_given_twice_and_columns_of_one_name_are_told() {
    let folder = Folder::new("identify-twice");
    let text = log(2000, 0.5);
    let [one, other] = ["one.csv", "other.csv"].map(|name| folder.file(name, &text));
    let args = ["--position", "x", "--force", "4*u", "--model", "stiction", "--json"];
    let told = json(&[&["identify", &one, &other][..], &args].concat());
    assert!(told["remarks"].to_string().contains("holds the same bytes as"), "{}", told["remarks"]);
    let double = text.replacen("t [s];x [mm];u [V]", "t [s];x [mm];x [V]", 1);
    let path = folder.file("double.csv", &double);
    let told = json(&["identify", &path, "--force", "4*$3", "--model", "stiction", "--json"]);
    assert!(told["remarks"].to_string().contains("2 columns are called x"), "{}", told["remarks"]);
}

#[test]
fn an_impossible_mass_in_a_parameter_file_is_refused_with_its_place() {
    let folder = Folder::new("identify-mass");
    let path = folder.file("log.csv", &log(400, 0.5));
    for mass in ["nan", "-1.0", "1e308", "inf"] {
        let text = format!("[model]\nname = \"coulomb\"\n\n[identified.plant]\nmass = {mass}\n");
        let file = folder.file("c.toml", &text);
        let err = refused(&["identify", &path, "--position", "x", "--force", "4*u", "--check", &file]);
        assert!(err.contains("c.toml:5:8: "), "{err}");
    }
}

/// A log of a robot was refused with a hint that names one column only.
#[test]
fn columns_of_several_joints_suggest_the_option() {
    let folder = Folder::new("identify-suggests-joints");
    let rows = |head: &str| (0..50).fold(format!("{head}\n"), |text, k| text + &format!("{k},1,2,3,4\n"));
    let cases = [
        ("t,q1,q2,tau1,tau2", "--joints 1-2 --position 'q#' --force 'tau#'"),
        ("t,q1,q3,i1,i3", "--joints 1,3 --position 'q#' --force 'NAME#'"),
        (
            "t,joint 1 pos,joint 2 pos,joint 1 torque,joint 2 torque",
            "--joints 1-2 --position '{joint # pos}' --force '{joint # torque}'",
        ),
        ("t,dq0,dq1,torque0,torque1", "--joints 0-1 --velocity 'dq#' --force 'torque#'"),
    ];
    for (head, hint) in cases {
        let told = refused(&["identify", &folder.file("robot.csv", &rows(head))]);
        assert!(told.contains(hint), "{head}: {told}");
    }
    // one numbered column is no robot
    let told = refused(&["identify", &folder.file("one.csv", &rows("t,q1,a,b,c"))]);
    assert!(!told.contains("--joints"), "{told}");
}

/// The report draws the profile likelihoods: a panel for each parameter, with its limit.
#[test]
fn profile_likelihoods_are_drawn() {
    let folder = Folder::new("identify-profile");
    let file = folder.file("log.csv", &log(400, 0.2));
    let out = folder.path("found");
    let fit = ["identify", &file, "--model", "dahl", "--force", "4*u"];
    ok(&[&fit[..], &["-o", &out]].concat());
    assert!(!fs::read_to_string(format!("{out}/report.html")).unwrap().contains("Profile likelihoods"));
    let found = json(&[&fit[..], &["--profile", "--json", "-o", &folder.path("profiled")]].concat());
    let html = fs::read_to_string(folder.path("profiled") + "/report.html").unwrap();
    assert!(html.contains("Profile likelihoods"), "no profiles");
    let text = &found["findings"][0]["remarks"].to_string();
    assert!(text.contains("intervals are profile likelihoods"), "{text}");
}
