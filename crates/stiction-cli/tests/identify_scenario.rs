//! `stiction identify --scenario`: what it writes, and `--check` of fitted scenarios.
mod common;
use common::{Folder, json, ok, refused, run};
use std::fs;
#[cfg(unix)]
use std::io::{BufRead, BufReader};
#[cfg(unix)]
use std::process::{Command, Stdio};

/// A mass on Coulomb and viscous friction, pushed by a force that the log holds.
const BLOCK: &str = r#"
[run]
end = 4
[body.block]
mass = 2
[contact.floor]
between = ["block", "ground"]
law = "stiction"
fc = 1
fs = 1
fv = 1
[force.push]
on = "block"
force = 0
[identify.free]
level = [0, 10]
fv = [0, 10]
[identify.set]
"contact.floor.fc" = "level"
"contact.floor.fs" = "level"
"contact.floor.fv" = "fv"
[identify.input]
"force.push.force" = "u"
[identify.match]
"block.x" = "x"
"#;

/// Pushed with `u` one way, it starts from rest: m dv/dt = u − fc − fv v, so that v approaches (u − fc)/fv.
fn log(u: f64, noise: f64) -> String {
    let (m, fc, fv) = (2.0, 3.0, 4.0);
    let (end, rate) = ((u - fc) / fv, fv / m);
    let row = |k: u32| {
        let t = 0.02 * f64::from(k);
        let x = end * (t - (1.0 - f64::exp(-rate * t)) / rate);
        let hash = ((f64::from(k) * 12.9898).sin() * 43_758.545_3).fract();
        format!("{t},{u},{}\n", x + noise * hash)
    };
    ["t,u,x\n".to_owned()].into_iter().chain((0..200).map(row)).collect()
}

/// The fitted scenario reads copies of the files that its original reads.
#[test]
fn a_fitted_scenario_keeps_its_law_files() {
    let folder = Folder::new("identify-scenario-law");
    fs::create_dir(folder.path("laws")).unwrap();
    let law = "name = \"my-level\"\n[params]\nfc = { unit = \"N\", default = 1.0 }\nfv = { unit = \"N*s/m\", default = 1.0 }\n\
               [equations]\nforce = \"load*fc*sign(v) + fv*v\"\nhold = \"load*fc\"\n";
    folder.file("laws/my-level.toml", law);
    let block = BLOCK.replace("\"stiction\"", "\"laws/my-level.toml\"").replace("fs = 1\n", "");
    let block = block.replace("\"contact.floor.fs\" = \"level\"\n", "");
    let (scenario, record) = (folder.file("block.toml", &block), folder.file("one.csv", &log(9.0, 1e-3)));
    let out = folder.path("out");
    let found = json(&["identify", &record, "--scenario", &scenario, "-o", &out, "--json"]);
    assert_eq!(fs::read_to_string(format!("{out}/input-1-my-level.toml")).unwrap(), law);
    fs::remove_dir_all(folder.path("laws")).unwrap();
    let judged = json(&["identify", &record, "--check", &format!("{out}/scenario.toml"), "--json"]);
    let error = |found: &serde_json::Value| found["findings"][0]["scores"]["mae"].as_f64().expect("an error");
    assert_eq!(error(&judged), error(&found));
}

#[test]
fn a_fitted_scenario_gives_a_law_and_is_judged_on_other_records() {
    let folder = Folder::new("identify-scenario");
    let scenario = folder.file("block.toml", BLOCK);
    let [one, two, other] =
        [("one.csv", 9.0), ("two.csv", 5.0), ("other.csv", 20.0)].map(|(name, u)| folder.file(name, &log(u, 1e-3)));
    let out = folder.path("out");
    let found = json(&["identify", &one, &two, "--scenario", &scenario, "-o", &out, "--json"]);
    assert_eq!(found["findings"][0]["law"]["name"], "stiction");
    let (law, fitted) = (format!("{out}/model.toml"), format!("{out}/scenario.toml"));
    let text = fs::read_to_string(&law).expect("a parameter file");
    for part in ["name = \"stiction\"", "[identified.interval]", "\"level\" = ", "--scenario", "turns = false"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let force = json(&["curve", &law, "--at", "1", "--json"])["force"][0].as_f64().expect("a force");
    // 3 N + 4 N·s/m, from positions that are known to a thousandth of the way
    assert!((force - 7.0).abs() < 0.05, "{force}");
    let mae = |args: &[&str]| {
        let value = json(&[&["identify", &other, "--json"][..], args].concat());
        let scores = value["findings"][0]["scores"].clone();
        (scores["mae"].as_f64().expect("an error"), scores["relative"].as_f64().expect("a share"))
    };
    // the same values from the law, from the fitted scenario with its original, and from the fitted scenario alone
    let judged = mae(&["--check", &fitted]);
    assert_eq!(judged, mae(&["--scenario", &scenario, "--check", &law]));
    assert_eq!(judged, mae(&["--scenario", &scenario, "--check", &fitted]));
    // on a way of 15 m, with a level that is known to a few parts in a thousand
    assert!(judged.0 < 0.05 && judged.1 < 0.01, "{judged:?}");
    let doubled = mae(&["--check", &fitted, "--set", "level=6"]);
    assert!(doubled.0 > 10.0 * judged.0, "{doubled:?}");
    // what has no effect is refused
    for more in [&["--free", "level"][..], &["--robust", "huber"], &["--force", "u"], &["--rest", "0"], &["--profile"]]
    {
        let err = refused(&[&["identify", &other, "--check", &fitted][..], more].concat());
        assert!(err.contains("no effect"), "{more:?}: {err}");
    }
    // fits on a device minimise squares, whatever loss is asked for
    let refits = ["identify", &one, "--scenario", &scenario, "--bootstrap", "8", "--robust", "huber"];
    let err = refused(&[&refits[..], &["--device", "cuda"]].concat());
    assert!(err.contains("--robust") && err.contains("no effect"), "{err}");
    let err = refused(&["identify", &other, "--check", &fitted, "--judge", &one]);
    assert!(err.contains("--scenario"), "{err}");
    // the values of another scenario
    let err = refused(&["identify", &other, "--scenario", "servo-m1", "--check", &law]);
    assert!(err.contains("has no value of stall"), "{err}");
    // a simulation that goes astray
    let wrong = run(&["identify", &two, "--check", &fitted, "--set", "level=0", "--set", "fv=0"]);
    assert_eq!(wrong.code, Some(1), "{}", wrong.err);
    assert!(wrong.err.contains("does not describe them"), "{}", wrong.err);
    let page = ok(&["identify", &other, "--check", &fitted]).out;
    assert!(page.contains("of the deviation of the records"), "{page}");
}

/// Refits of a bootstrap are in the report and in the folder, and follow from the seed.
#[test]
fn refits_of_a_bootstrap_are_told_and_kept() {
    let folder = Folder::new("identify-bootstrap");
    let (scenario, record) = (folder.file("block.toml", BLOCK), folder.file("one.csv", &log(9.0, 1e-2)));
    let refits = |name: &str, more: &[&str]| {
        let out = folder.path(name);
        let args = ["identify", &record, "--scenario", &scenario, "--bootstrap", "12", "-o", &out, "--json"];
        let found = json(&[&args[..], more].concat());
        (found, fs::read_to_string(format!("{out}/bootstrap.csv")).expect("a table"))
    };
    let (found, table) = refits("one", &[]);
    assert_eq!(table.lines().next(), Some("refit,level,fv"));
    assert_eq!(table.lines().count(), 13, "{table}");
    let rows = &found["findings"][0]["tables"]["bootstrap"]["rows"];
    let column = |name: &str| {
        table
            .lines()
            .skip(1)
            .map(|line| line.split(',').nth(if name == "level" { 1 } else { 2 }).unwrap().parse::<f64>().unwrap())
            .collect::<Vec<f64>>()
    };
    for name in ["level", "fv"] {
        let all = column(name);
        let mean = all.iter().sum::<f64>() / 12.0;
        let deviation = (all.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 11.0).sqrt();
        let row = rows.as_array().unwrap().iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("{rows}"));
        let number = |k: usize| row["values"][k].as_f64().unwrap();
        assert!((number(1) / mean - 1.0).abs() < 1e-9 && (number(2) / deviation - 1.0).abs() < 1e-9, "{row}");
        assert!(number(3) < number(4) && number(3) < mean + 3.0 * deviation, "{row}");
        assert!(deviation > 0.0);
    }
    assert_eq!(refits("again", &["--seed", "1"]).1, table);
    assert_ne!(refits("other", &["--seed", "2"]).1, table);
    // from several places the same minimum
    let out = folder.path("starts");
    let found = json(&["identify", &record, "--scenario", &scenario, "--starts", "3", "-o", &out, "--json"]);
    let level = found["findings"][0]["estimates"]["level"]["value"].as_f64();
    assert!(level.is_some_and(|level| (level - 3.0).abs() < 0.2), "{found}");
    // what has no effect is refused
    for more in [&["--seed", "2"][..], &["--device", "cuda"], &["--bootstrap", "1"]] {
        let err = refused(&[&["identify", &record, "--scenario", &scenario][..], more].concat());
        assert!(err.contains("no effect") || err.contains("1 is not in"), "{more:?}: {err}");
    }
    let err = refused(&["identify", &record, "--check", &format!("{out}/scenario.toml"), "--bootstrap", "9"]);
    assert!(err.contains("--scenario") || err.contains("no effect"), "{err}");
    let err = refused(&["identify", &record, "--bootstrap", "9"]);
    assert!(err.contains("--scenario"), "{err}");
}

/// Ctrl-C during a bootstrap of many hours keeps the fit and the refits so far.
#[cfg(unix)]
#[test]
fn an_interrupted_bootstrap_keeps_what_there_is() {
    let folder = Folder::new("identify-bootstrap-interrupted");
    let (scenario, record) = (folder.file("block.toml", BLOCK), folder.file("one.csv", &log(9.0, 1e-2)));
    let out = folder.path("out");
    let args = ["identify", &record, "--scenario", &scenario, "--bootstrap", "1000000", "-o", &out];
    let mut child = Command::new(env!("CARGO_BIN_EXE_stiction"))
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    let mut read: Vec<String> = lines.by_ref().take_while(|line| !line.contains("the fit is done")).collect();
    // some of them end in that time
    std::thread::sleep(std::time::Duration::from_secs(2));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    read.extend(lines);
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130), "{read:?}");
    assert!(read.iter().any(|line| line.contains("of 1000000 refits")), "{read:?}");
    let page = String::from_utf8(ended.stdout).unwrap();
    assert!(page.contains("the bootstrap was interrupted") && page.contains("level"), "{page}");
    let table = fs::read_to_string(format!("{out}/bootstrap.csv")).unwrap();
    assert!(table.lines().count() > 2 && table.lines().skip(1).all(|line| line.split(',').count() == 3), "{table}");
    assert!(fs::read_to_string(format!("{out}/scenario.toml")).is_ok());
}
