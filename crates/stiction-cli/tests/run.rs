//! `stiction run` and `stiction scenarios`.
mod common;
use common::{Folder, command, json, ok, refused, run};
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A scenario that takes very long.
const LONG: [&str; 5] = ["run", "chain", "--set", "run.end=1e7", "--json"];

fn close(value: &Value, wanted: f64, digits: i32) {
    let x = value.as_f64().unwrap_or(f64::NAN);
    assert!((x - wanted).abs() <= 10f64.powi(-digits) * wanted.abs(), "{value} for {wanted}");
}

#[test]
fn json_has_the_promised_form() {
    let out = json(&["run", "g1", "--json"]);
    assert_eq!((&out["scenario"], &out["complete"]), (&"g1".into(), &true.into()));
    assert_eq!(out["final"]["block.v"], 0.0);
    assert_eq!((&out["final"]["t"], &out["units"]["block.x"]), (&0.2.into(), &"m".into()));
    let events = out["events"].as_array().unwrap();
    assert_eq!(events.len(), 1);
    assert_eq!((&events[0]["contact"], &events[0]["kind"]), (&"table".into(), &"stick".into()));
    close(&events[0]["t"], 0.05, 12);
    close(&out["measures"]["x_stop"], 0.00125, 12);
    for key in ["steps", "rejected", "evaluations", "jacobians", "events"] {
        assert!(out["stats"][key].is_u64(), "{key}");
    }
    let energy = &out["energy"];
    close(&energy["before"], 0.00125, 12);
    close(&energy["friction"], 0.00125, 12);
    // rounding of 1.25e-3
    assert!(energy["error"].as_f64().unwrap().abs() < 1e-15, "{energy}");
}

#[test]
fn derivatives_by_values_of_the_scenario() {
    // x = m v²/(2 fc), reached at t = m v/fc
    let out = json(&["run", "g1", "--sensitivity", "fc,body.block.v", "--json"]);
    let found = &out["sensitivities"];
    close(&found["final"]["d block.x / d contact.table.fc"], -0.00125, 9);
    close(&found["final"]["d block.x / d body.block.v"], 0.05, 9);
    close(&found["event_times"][0][0], -0.05, 9);
    let folder = Folder::new("derivatives");
    let path = folder.path("out");
    ok(&["run", "g1", "--sensitivity", "fc", "-o", &path]);
    let trace = fs::read_to_string(format!("{path}/trace.csv")).unwrap();
    assert!(trace.lines().next().unwrap().ends_with("d table.v / d contact.table.fc [m/s/N]"), "{trace}");
    let times = fs::read_to_string(format!("{path}/event_times.csv")).unwrap();
    assert!(times.starts_with("t [s],contact,kind,d t / d contact.table.fc [s/N]\n"), "{times}");
    let error = refused(&["run", "a13-sampled", "--sensitivity", "contact.friction.fc"]);
    assert!(error.contains("'servo' is a sampled controller"), "{error}");
    let error = refused(&["run", "g1", "--sensitivity", "run.end"]);
    assert!(error.contains("not part of the system"), "{error}");
}

#[test]
fn a_reader_gets_a_summary() {
    let text = ok(&["run", "g5"]).out;
    for line in ["Final values", "Events: 13", "Measures", "Energy [J]", "  closing error", "Cost", "  0.7297276562"] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    // five events from either end, and a mark between them
    let events = text.split("Events: 13\n").nth(1).unwrap().split("\n\n").next().unwrap();
    assert_eq!(events.lines().count(), 11, "{events}");
    assert!(text.contains("  ...") && text.starts_with("g5: Stick and slip"), "{text}");
}

/// Values of CHECKS.md, computed elsewhere, to the digits given there.
#[test]
fn published_figures_come_out() {
    let mut runs: HashMap<&[&str], Value> = HashMap::new();
    for (args, key, wanted, digits) in [
        (&["a7"][..], "period", 4.6385527, 7),
        (&["a7"], "v_max", 4.5998458, 7),
        (&["a7"], "v_min", -0.02488064, 6),
        (&["a7"], "l_max", 3.3383686, 7),
        (&["a7"], "l_min", -0.33836857, 7),
        (&["o5"], "t_break_1", 7.50147873, 7),
        (&["o5"], "t_break_3", 20.64637011, 7),
        (&["o5"], "v_max", 0.3797526432, 8),
        (&["o5"], "F_restick", 1.4757804, 7),
        (&["a1"], "F_turn", 0.9950547537, 8),
        (&["a2"], "F_peak", 1.2884499141, 8),
        (&["a12"], "overshoot", 1.5004732, 7),
        (&["a13"], "x(5)", 1.1460418, 7),
        (&["g4"], "x_rest", 0.001_332_221_733, 8),
        (&["b1"], "turn_5", 0.1019, 9),
        (&["b1"], "t_stop", std::f64::consts::FRAC_PI_2, 9),
        (&["b3", "--set", "motion.wall.position=0.005", "--set", "measure.'x(1)'.at=5"], "x(1)", 1.9964201e-3, 7),
        (&["b5"], "turn_3", 0.1411477182, 8),
        (&["n5"], "x_break", 7.0247875e-4, 7),
        (&["lugre1995"], "x(30)", 2.545101904, 9),
    ] {
        let run = || json(&[&["run"], args, &["--json"]].concat());
        let out = runs.entry(args).or_insert_with(run);
        // of the digits printed the last is rounded
        let measured = &out["measures"][key];
        assert!((measured.as_f64().unwrap() / wanted - 1.0).abs() < 10f64.powi(-digits), "{args:?} {key}: {measured}");
    }
    let out = &runs[&["a12"][..]];
    let at = |key: &str| out["measures"][key].as_f64().unwrap();
    // known to eight and seven digits
    assert!((at("period") - 24.436786).abs() < 1e-6);
    assert!(((at("x_max") - at("x_min")) / 2.0 - 0.06390251).abs() < 1e-8);
    // explicit Euler drifts by r − h/2, r being what is left of v0 after whole steps
    for (h, r) in [(0.03, 0.02), (0.007, 0.001)] {
        let out = json(&["run", "g2", "--set", &format!("run.step={h}"), "--json"]);
        let at = |key: &str| out["measures"][key].as_f64().unwrap();
        // sums of 350 and of 1500 steps: rounding
        assert!(((at("x_after") - at("x_before")) / 10.5 - (r - h / 2.0)).abs() < 1e-12, "{}", out["measures"]);
    }
    // held at 0.9 of the limit: not a bit of drift
    assert_eq!(json(&["run", "hold", "--json"])["final"]["block.x"], 0.0);
}

#[test]
fn a_folder_has_all_of_it() {
    let folder = Folder::new("run-folder");
    let path = folder.path("out");
    let printed = json(&["run", "a15", "--set", "run.end=16", "-o", &path, "--json"]);
    let read = |name: &str| fs::read(folder.0.join("out").join(name)).unwrap();
    let summary: Value = serde_json::from_slice(&read("summary.json")).unwrap();
    assert_eq!(summary, printed);
    let mut listed: Vec<String> =
        summary["files"].as_array().unwrap().iter().map(|f| f.as_str().unwrap().into()).collect();
    let mut there: Vec<String> =
        fs::read_dir(&path).unwrap().map(|f| f.unwrap().file_name().into_string().unwrap()).collect();
    listed.sort();
    there.sort();
    assert_eq!(listed, there);
    let trace = String::from_utf8(read("trace.csv")).unwrap();
    let mut lines = trace.lines();
    assert!(lines.next().unwrap().starts_with("t [s],pendulum.cart.x [m],"));
    let last: Vec<f64> = lines.last().unwrap().split(',').map(|cell| cell.parse().unwrap()).collect();
    assert_eq!(last[0], 16.0);
    // the last row is the final state, bit for bit
    assert_eq!(summary["final"]["pendulum.cart.x"], last[1]);
    let events = String::from_utf8(read("events.csv")).unwrap();
    assert_eq!(events.lines().count() as u64, 1 + summary["stats"]["events"].as_u64().unwrap());
    assert!(String::from_utf8(read("motion.svg")).unwrap().starts_with("<svg"));
    if cfg!(feature = "png") {
        assert_eq!(&read("motion.png")[1..4], b"PNG");
    }
    if cfg!(feature = "parquet") {
        assert_eq!(&read("trace.parquet")[..4], b"PAR1");
    }
    // the same again: replaced, and the same to the last byte
    ok(&["run", "a15", "--set", "run.end=16", "-o", &path]);
    assert_eq!(String::from_utf8(read("trace.csv")).unwrap(), trace);
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1, "nothing else is left");
}

#[test]
fn a_folder_repeats_its_run() {
    let folder = Folder::new("run-repeat");
    let (first, second) = (folder.path("one"), folder.path("two"));
    let trace = |name: &str| fs::read(folder.0.join(name).join("trace.csv")).unwrap();
    // changes of every kind: a number, a word, a list, a new measure, a name in quotes, an item of a list
    let set = [
        "run.end=40",
        "run.record=['block.x', 'table.z']",
        "contact.table.sigma2=0.1",
        "measure.'x (2)'={ at = 2, column = 'block.x' }",
        "plot.1.title=a \"quoted\" title",
        "motion.hand.position={ sine = { amplitude = 1.5, omega = 3 } }",
    ];
    let set: Vec<&str> = set.iter().flat_map(|change| ["--set", change]).collect();
    let one = json(&[&["run", "a7", "-o", &first, "--json"], &set[..]].concat());
    assert!(one["files"].as_array().unwrap().contains(&"scenario.toml".into()), "{}", one["files"]);
    let two = json(&["run", &format!("{first}/scenario.toml"), "-o", &second, "--json"]);
    for key in ["final", "measures", "events", "energy", "stats", "title"] {
        assert_eq!(one[key], two[key], "{key}");
    }
    assert_eq!(trace("one"), trace("two"));
    let pictures = ["one", "two"].map(|name| fs::read(folder.0.join(name).join("motion.svg")).unwrap());
    assert_eq!(pictures[0], pictures[1]);
    // without changes it is the file itself
    ok(&["run", "g1", "-o", &first]);
    let scenario = fs::read_to_string(folder.0.join("one/scenario.toml")).unwrap();
    assert_eq!(scenario, stiction::scenario::embedded::find("g1").unwrap().text);
    refused(&["run", &format!("{first}/scenario.toml"), "-o", &first]);
}

#[test]
fn a_folder_has_the_files_its_run_reads() {
    let folder = Folder::new("run-inputs");
    fs::create_dir(folder.path("data")).unwrap();
    // a name with all special characters
    folder.file("data/trace.csv", "t,u\n0,0\n1,2\n2,2\n");
    folder.file("rough.toml", "[model]\nname = \"coulomb\"\nfc = 0.5\n");
    let text = "[run]\nend = 2\n[body.b]\nmass = 1\n[contact.c]\nbetween = ['b', 'ground']\nlaw = 'rough.toml'\n\
                [force.f]\non = 'b'\nforce = { table = { file = 'data/trace.csv' } }\n";
    let path = folder.file("mine.toml", text);
    let one = json(&["run", &path, "-o", &folder.path("out"), "--json"]);
    for name in ["input-1-rough.toml", "input-2-trace.csv"] {
        assert!(one["files"].as_array().unwrap().contains(&name.into()), "{}", one["files"]);
    }
    fs::remove_dir_all(folder.path("data")).unwrap();
    fs::rename(folder.path("out"), folder.path("moved")).unwrap();
    let two = json(&["run", &folder.path("moved/scenario.toml"), "--json"]);
    assert_eq!((&one["final"], &one["events"]), (&two["final"], &two["events"]));
    // and again from there, to the same names
    let three = json(&["run", &folder.path("moved/scenario.toml"), "-o", &folder.path("again"), "--json"]);
    assert_eq!((&one["final"], &one["files"]), (&three["final"], &three["files"]));
}

#[test]
fn only_asked_for_columns_are_recorded() {
    let folder = Folder::new("run-record");
    ok(&["run", "g5", "--set", "run.record=['block.v']", "-o", &folder.path("out")]);
    let trace = fs::read_to_string(folder.0.join("out/trace.csv")).unwrap();
    assert_eq!(trace.lines().next(), Some("t [s],block.v [m/s]"));
    let out = json(&["run", "g5", "--set", "run.record=['block.v']", "--json"]);
    assert_eq!(out["final"].as_object().unwrap().keys().collect::<Vec<_>>(), ["block.v", "t"]);
}

#[test]
fn nothing_else_is_replaced() {
    let folder = Folder::new("run-occupied");
    let path = folder.path("out");
    fs::create_dir(&path).unwrap();
    ok(&["run", "g1", "-o", &path]);
    fs::write(folder.0.join("out/notes.txt"), "mine").unwrap();
    let err = refused(&["run", "g1", "-o", &path]);
    assert!(err.contains("'notes.txt', which stiction has not written"), "{err}");
    assert_eq!(fs::read_to_string(folder.0.join("out/notes.txt")).unwrap(), "mine");
    let file = folder.file("file", "mine");
    refused(&["run", "g1", "-o", &file]);
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    // also not if another program has written a file of the name summary.json
    fs::create_dir(folder.path("other")).unwrap();
    folder.file("other/summary.json", "{\"files\": [\"summary.json\"]}");
    refused(&["run", "g1", "-o", &folder.path("other")]);
}

#[test]
fn bad_input_leaves_nothing() {
    let folder = Folder::new("run-bad");
    let path = folder.path("out");
    for set in [
        "body.block.mass=0",
        "body.block.mass=-1",
        "contact.table.between.1=blok",
        "contact.table.between.1=ground",
        "run.rtol=0",
        "run.end=-1",
        "run.ende=1",
        "measure.x={max='block.w'}",
        "force.push.force={table={points=[[0,0],[2,1],[1,1]]}}",
        "nonsense",
    ] {
        let err = refused(&["run", "g5", "--set", set, "-o", &path]);
        // the line of the wrong value, or of the component that it makes invalid
        assert!(err.contains("--set") || err.contains("g5.toml:16:11: "), "{err}");
    }
    let err = refused(&["run", "g55", "-o", &path]);
    assert!(err.contains("hint: did you mean 'g5'"), "{err}");
    assert!(refused(&["run", "nothing-like-it"]).contains("stiction scenarios"));
    refused(&["run", &folder.path("none.toml"), "-o", &path]);
    refused(&["run", "g5", "-o", &folder.path("no/such/folder")]);
    assert!(folder.is_empty());
    let file = folder.file("bad.toml", "[run]\nend = 1\n[body.a]\nmas = 1\n");
    let err = refused(&["run", &file, "-o", &path]);
    assert!(err.contains("bad.toml:4:1: there is no key 'mas' here"), "{err}");
    assert!(!fs::exists(&path).unwrap());
}

#[test]
fn a_run_that_cannot_go_on_says_where_and_keeps_what_there_was() {
    // positive feedback: the motion grows without bound
    let text =
        "[run]\nend = 1e4\n[body.a]\nmass = 1\nx = 1\n[control.c]\non = 'a'\nmeasure = ['a.x']\ngains = [-100]\n";
    let folder = Folder::new("run-unstable");
    let file = folder.file("unstable.toml", text);
    let out = run(&["run", &file, "-o", &folder.path("out"), "--json"]);
    assert_eq!(out.code, Some(1), "{}", out.err);
    assert!(out.err.contains("error: at t = ") && out.err.contains("\nhint: "), "{}", out.err);
    let read = |name: &str| fs::read_to_string(folder.0.join("out").join(name)).unwrap();
    let [printed, summary]: [Value; 2] =
        [out.out, read("summary.json")].map(|text| serde_json::from_str(&text).unwrap());
    assert_eq!(printed, summary);
    let failed = &summary["failed"];
    assert_eq!((&summary["complete"], failed["t"].as_f64()), (&false.into(), summary["t"].as_f64()));
    for key in ["error", "hint"] {
        assert!(out.err.contains(failed[key].as_str().unwrap()), "{failed}\n{}", out.err);
    }
    // x = cosh(10·t): the rows are those of the run up to then
    let trace = read("trace.csv");
    let rows: Vec<Vec<f64>> =
        trace.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
    assert!(rows.len() > 2 && rows[rows.len() - 1][0] <= summary["t"].as_f64().unwrap(), "{}", rows.len());
    assert!(read("events.csv").starts_with("t [s],contact,kind\n"));
    // in words
    let out = run(&["run", &file]);
    assert!(out.out.contains("\nfailed at t = ") && out.out.contains("\nFinal values\n"), "{}", out.out);
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_there_is() {
    let folder = Folder::new("run-interrupt");
    let path = folder.path("out");
    let child = command(&[&LONG[..], &["-o", &path]].concat());
    let child = { child }.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // wait until the run has started: its temporary folder exists
    let begin = Instant::now();
    while folder.is_empty() && begin.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(300));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{err}");
    assert!(err.contains("error: interrupted at t = "), "{err}");
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let summary: Value = serde_json::from_slice(&fs::read(folder.0.join("out/summary.json")).unwrap()).unwrap();
    assert_eq!((&summary["complete"], &printed["complete"]), (&false.into(), &false.into()));
    let trace = fs::read_to_string(folder.0.join("out/trace.csv")).unwrap();
    let cells = trace.lines().next().unwrap().split(',').count();
    assert!(trace.ends_with('\n') && trace.lines().all(|line| line.split(',').count() == cells));
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1, "nothing else is left");
    // the pictures say that they are not of the whole run
    let files = fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path());
    let pictures: Vec<String> = files
        .filter(|file| file.extension().is_some_and(|e| e == "svg"))
        .map(|file| fs::read_to_string(file).unwrap())
        .collect();
    assert!(!pictures.is_empty() && pictures.iter().all(|svg| svg.contains("incomplete, ended at t = ")));
}

#[test]
fn a_network_runs_from_the_command_line() {
    let folder = Folder::new("run-network");
    let set = ["--set", "run.end=1", "--set", "chain.fault.count=300", "--set", "run.record=['fault-7.x']"];
    let set = [&set[..], &["--set", "measure={ x = { final = 'fault-7.x' } }"]].concat();
    let set = [&set[..], &["--set", "plot.1.y=['fault-7.x']"]].concat();
    let out = json(&[&["run", "chain-network", "-o", &folder.path("out"), "--json"], &set[..]].concat());
    assert_eq!(out["measures"]["x"], out["final"]["fault-7.x"]);
    let trace = fs::read_to_string(folder.0.join("out/trace.csv")).unwrap();
    assert_eq!(trace.lines().next(), Some("t [s],fault-7.x [m]"));
    assert_eq!(trace.lines().count(), 22, "a head, and rows by the clock");
    assert!(out["stats"]["events"].as_u64().unwrap() > 10, "{}", out["stats"]);
    refused(&["run", "modelica-lossy-gear", "--set", "run.method=rk4"]);
    let err = refused(&["run", "bounce", "--set", "run.method=network"]);
    assert!(err.contains("a network cannot have a stop"), "{err}");
    let err = refused(&["run", "chain-network", "--set", "run.theta=0.2"]);
    assert!(err.contains("theta = 0.2 must be from 0.5 to 1"), "{err}");
}

#[test]
fn every_scenario_runs_to_its_end() {
    // five seconds and more each without optimisation; tests of release builds run them
    let long = [
        "chain-network",
        "chain",
        "rig-servo",
        "rig-slow",
        "pneumatic",
        "a13-brake",
        "a14-encoder",
        "a15-acceleration",
    ];
    for entry in json(&["scenarios", "--json"]).as_array().unwrap() {
        let name = entry["name"].as_str().unwrap();
        if cfg!(debug_assertions) && long.contains(&name) {
            continue;
        }
        let out = json(&["run", name, "--json"]);
        assert_eq!(out["complete"], true, "{name}");
        for (measure, value) in out["measures"].as_object().unwrap() {
            assert!(value.is_f64(), "{name}: {measure} did not happen");
        }
        assert!(out["final"].as_object().unwrap().values().all(Value::is_f64), "{name}");
        if name == "g2" {
            continue; // explicit Euler at a stop: makes energy, which is what it is there to show
        }
        // the energy balance closes within the error of the solver
        let energy = |key: &str| out["energy"][key].as_f64().unwrap();
        let size =
            ["work", "friction", "before", "after"].map(|key| energy(key).abs()).into_iter().fold(1e-12, f64::max);
        // each of up to some thousand steps may be off by the tolerance of 1e-8
        assert!(energy("error").abs() < 1e-5 * size, "{name}: {}", out["energy"]);
    }
}

#[test]
fn scenarios_are_listed_printed_and_explained() {
    let list = ok(&["scenarios"]).out;
    assert!(list.contains("LuGre stick-slip of 1995") && list.contains("'stiction run NAME'"), "{list}");
    // a printed scenario runs as a file
    let folder = Folder::new("scenarios");
    let file = folder.file("mine.toml", &ok(&["scenarios", "b1"]).out);
    let [mut a, mut b] = [json(&["run", "b1", "--json"]), json(&["run", &file, "--json"])];
    a["scenario"].take();
    b["scenario"].take();
    assert_eq!(a, b);
    assert_eq!(json(&["scenarios", "b1", "--json"])["text"], ok(&["scenarios", "b1"]).out);
    assert!(refused(&["scenarios", "b11x"]).contains("did you mean"));
    let keys = ok(&["scenarios", "--keys"]).out;
    assert!(keys.contains("[body.NAME]\n") && keys.contains("  stiffness "), "{keys}");
    assert!(!keys.contains(['`', '|']) && keys.lines().all(|line| line.chars().count() <= 100), "{keys}");
    let body = ok(&["scenarios", "--keys", "body"]).out;
    assert!(keys.contains(&body) && body.contains("  inertia "));
    // for the book
    assert!(ok(&["scenarios", "--keys", "body", "--markdown"]).out.contains("| `inertia` |"));
    assert_eq!(json(&["scenarios", "--keys", "run", "--json"])[0]["keys"][0]["name"], "end");
    assert!(refused(&["scenarios", "--keys", "bdy"]).contains("did you mean 'body'"));
    // parts of controllers have pages, too
    let kalman = ok(&["scenarios", "--keys", "kalman"]).out;
    assert!(kalman.starts_with("kalman\n  Kalman filter:") && kalman.contains("\n  quantum "), "{kalman}");
    assert!(!kalman.contains('`') && kalman.lines().all(|line| line.chars().count() <= 100), "{kalman}");
    assert_eq!(json(&["scenarios", "--keys", "observer", "--json"])[0]["keys"][0]["name"], "law");
    assert!(refused(&["scenarios", "--keys", "obsever"]).contains("did you mean 'observer'"));
}

/// A law with many states, and energies that are zero.
#[test]
fn a_report_is_short_and_has_no_minus_before_a_zero() {
    let text = ok(&["run", "n3"]).out;
    let shown = text.lines().filter(|line| line.trim_start().starts_with("guide.")).count();
    // force and velocity, and six of the states
    assert_eq!(shown, 8, "{text}");
    // x, f, dir, slip, count, low, high, trend, origin, and sixteen reversals with position and force: 41 states
    assert!(text.contains("and 35 more states of contacts: --json and the files have all"), "{text}");
    assert!(json(&["run", "n3", "--json"])["final"]["guide.fr16"].is_number());
    let text = ok(&["run", "a3"]).out;
    assert!(text.contains("stored before") && !text.split_whitespace().any(|word| word == "-0"), "{text}");
}

/// A short path is told in full, and so are the lines of a scenario that replace values of a law's file.
#[test]
fn what_was_completed_or_replaced_is_told() {
    let folder = Folder::new("run-notes");
    let scenario = folder.file("a7.toml", &ok(&["scenarios", "a7"]).out);
    folder.file("model.toml", "[model]\nname = \"lugre\"\nfc = 7.5\nfs = 8\nvs = 0.001\n");
    let run = ok(&["run", &scenario, "--set", "v=0.2", "--set", "run.end=1", "--json"]);
    assert!(run.err.contains("note: v stands for motion.hand.position.ramp.slope\n"), "{}", run.err);
    assert!(!run.err.contains("run.end stands for"), "a whole path needs no note: {}", run.err);
    let found: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(found["notes"][0], "v stands for motion.hand.position.ramp.slope");
    let law = "contact.table.law=model.toml";
    let run = ok(&["run", &scenario, "--set", "run.end=1", "--set", law]);
    let note = run.err.lines().find(|line| line.contains("model.toml")).unwrap();
    assert!(note.starts_with("note: contact.table: fc, fs, vs, "), "{note}");
    assert!(note.ends_with(" in the scenario replace the values of model.toml"), "{note}");
    let plain = ok(&["run", &scenario, "--set", "run.end=1"]).err;
    assert!(!plain.contains("stands for") && !plain.contains("replace"), "{plain}");
}

/// The pictures of a scenario with a formula, a unit, a window and a decimal comma say what was asked for.
#[test]
fn pictures_have_the_units_windows_and_sizes_that_were_asked_for() {
    let folder = Folder::new("run-plots");
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/scenario/plot.md")).unwrap();
    let example = text.split("```toml\n").nth(2).and_then(|rest| rest.split("```").next()).unwrap();
    let file = folder.file("stretch.toml", example);
    let out = folder.path("out");
    ok(&["run", &file, "-o", &out]);
    let picture = |name: &str| fs::read_to_string(folder.0.join("out").join(name)).unwrap();
    let stretch = picture("stretch.svg");
    assert!(stretch.contains(r#"width="420""#), "{}", &stretch[..200]);
    for label in ["hand.x - block.x [µm]", "x [mm]", ">1500<", ">2<", ">8<"] {
        assert!(stretch.contains(label), "{label}");
    }
    assert!(!stretch.contains(">10<") && !stretch.contains(">0<\u{2e}"), "beyond the window");
    let speed = picture("speed.svg");
    assert!(speed.contains("block.x [mm]") && speed.contains("abs(block.v) + 1e-6 [mm/s]"), "{speed}");
    // another window, of a scenario without pictures of its own
    let plain = folder.file("plain.toml", example.split("[[plot]]").next().unwrap());
    let out = folder.path("window");
    ok(&["run", &plain, "-o", &out, "--window", "4:4.5"]);
    let svg = fs::read_to_string(folder.0.join("window/plot.svg")).unwrap();
    assert!(svg.contains(">4.0<") && svg.contains(">4.5<") && !svg.contains(">5.0<"), "{svg}");
    let err = refused(&["run", &plain, "--window", "5:4"]);
    assert!(err.contains("before it ends"), "{err}");
}

/// What a servo should do, and what is left of it, are columns; the usual picture shows them.
#[test]
fn servos_show_their_reference_and_their_error() {
    let folder = Folder::new("run-servo");
    let text = "[run]\nend = 2\n[body.axis]\nmass = 1\n[control.servo]\non = 'axis'\nmeasure = ['axis.x', 'axis.v']\ngains = [100, 20]\n\
                reference = { ramp = { slope = 0.5 } }\n[measure]\nlag = { final = 'servo.error' }\n";
    let out = json(&["run", &folder.file("servo.toml", text), "--json"]);
    assert_eq!(out["units"]["servo.error"], "m");
    let at = |name: &str| out["final"][name].as_f64().unwrap();
    assert_eq!(at("servo.reference"), 1.0);
    close(&out["final"]["servo.error"], at("servo.reference") - at("axis.x"), 12);
    close(&out["measures"]["lag"], at("servo.error"), 12);
    // a mass on a spring and a damper that is pulled at a constant speed lags by damping times speed over stiffness; the transient
    // is down to exp(-20) times a few hundred
    close(&out["final"]["servo.error"], 20.0 * 0.5 / 100.0, 5);
    let plain = folder.path("out");
    ok(&["run", &folder.path("servo.toml"), "-o", &plain]);
    let svg = fs::read_to_string(folder.0.join("out/plot.svg")).unwrap();
    for label in ["servo.reference", "servo.error [m", "servo.u [N]"] {
        assert!(svg.contains(label), "{label}");
    }
}

/// A moving picture is one page that takes nothing from outside.
#[test]
fn a_run_becomes_a_moving_picture() {
    let folder = Folder::new("run-animate");
    let page = folder.path("a7.html");
    let err = ok(&["run", "a7", "--set", "run.end=2", "--animate", &page]).err;
    assert!(err.contains("a7.html"), "{err}");
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("Content-Security-Policy") && !html.contains("://"));
    let data = html.split("application/json\">").nth(1).and_then(|rest| rest.split("</script>").next()).unwrap();
    let data: Value = serde_json::from_str(data).unwrap();
    let names: Vec<&str> = data["places"].as_array().unwrap().iter().filter_map(|p| p["name"].as_str()).collect();
    assert!(names.contains(&"block.x"), "{names:?}");
    let times = data["columns"][0].as_array().unwrap();
    assert_eq!((&times[0], &times[times.len() - 1]), (&0.into(), &2.into()));
    assert!(data["columns"].as_array().unwrap().iter().all(|column| column.as_array().unwrap().len() == times.len()));
    assert!(refused(&["run", "a7", "--animate", &folder.path("a7.mov")]).contains(".html"));
    // in the folder of results, however that is written
    let inside = format!("{}/./film.gif", folder.path("out"));
    let err = ok(&["run", "g1", "-o", &folder.path("out"), "--animate", &inside]).err;
    assert!(err.contains("film.gif") && err.contains("trace.csv"), "{err}");
    let gif = fs::read(&inside).unwrap();
    // 640 pixels wide, one lane and the foot high; the last byte is the trailer
    assert_eq!((&gif[..6], &gif[6..10], gif.last()), (&b"GIF89a"[..], &[0x80, 2, 100, 0][..], Some(&b';')));
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 2, "the page and the folder");
}

/// A film in MP4 where there is ffmpeg, and a refusal that says so where there is none.
#[test]
fn a_film_in_mp4_is_written_by_ffmpeg() {
    let folder = Folder::new("run-mp4");
    let film = folder.path("g1.mp4");
    if Command::new("ffmpeg").arg("-version").output().is_ok() {
        ok(&["run", "g1", "--animate", &film]);
        assert_eq!(&fs::read(&film).unwrap()[4..8], b"ftyp");
    } else {
        assert!(refused(&["run", "g1", "--animate", &film]).contains("ffmpeg"));
    }
}

/// A picture that takes long is given up at a signal, and leaves nothing.
#[cfg(unix)]
#[test]
fn a_signal_ends_the_writing_of_a_large_picture() {
    let folder = Folder::new("run-large-picture");
    let plot = "\n[[plot]]\nname = \"huge\"\ny = [\"block.x\"]\nwidth = 20000\nheight = 20000\n";
    let file = folder.file("large.toml", &(ok(&["scenarios", "g1"]).out + plot));
    let mut child = command(&["run", &file, "-o", &folder.path("out")]).stderr(Stdio::piped()).spawn().unwrap();
    // the SVG is there, and the pixels are drawn
    let drawn = |entry: fs::DirEntry| entry.path().join("huge.svg").exists();
    let begin = Instant::now();
    while !fs::read_dir(&folder.0).unwrap().flatten().any(drawn) {
        assert!(begin.elapsed() < Duration::from_secs(60) && child.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(5));
    }
    Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    let sent = Instant::now();
    let done = child.wait_with_output().unwrap();
    // 0.8 s of grace and the end of the process, on a machine that does other things, too
    assert!(sent.elapsed() < Duration::from_secs(5), "{:?}", sent.elapsed());
    let err = String::from_utf8_lossy(&done.stderr);
    assert!(err.contains("writing the results takes too long; nothing was written"), "{err}");
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1, "the scenario alone is left");
}

/// A picture without a line says why.
#[test]
fn an_empty_picture_says_why() {
    let folder = Folder::new("run-empty-picture");
    let out = |name: &str| folder.path(name);
    let err = ok(&["run", "g1", "--window", "5:6", "-o", &out("late")]).err;
    assert!(err.contains("is empty: the run has no row from 5 to 6 s"), "{err}");
    let text = ok(&["scenarios", "g1"]).out + "\n[[plot]]\nname = \"log\"\ny = [\"0 - block.x\"]\ny_log = true\n";
    let err = ok(&["run", &folder.file("log.toml", &text), "-o", &out("log")]).err;
    assert!(err.contains("a log axis shows values above zero only"), "{err}");
    assert!(!ok(&["run", "g1", "-o", &out("usual")]).err.contains("is empty"));
    // no picture was asked for
    assert_eq!(ok(&["run", "g1"]).err, "");
}

/// The moving picture is an output like any other: it replaces nothing that the command reads.
#[test]
fn a_moving_picture_does_not_replace_its_scenario() {
    let folder = Folder::new("run-animate-input");
    let text = ok(&["scenarios", "g5"]).out;
    let path = folder.file("mine.html", &text);
    assert!(refused(&["run", &path, "--animate", &path]).contains("would replace"));
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}
