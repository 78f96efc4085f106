//! `stiction compensate`.
mod common;
use common::{Folder, json, ok, refused};

#[test]
fn methods_stand_side_by_side() {
    let folder = Folder::new("compensate");
    let out = folder.path("out");
    let args =
        ["compensate", "servo-slow", "--with", "none,dob", "--set", "run.end=1", "--factors", "0.5,1", "-o", &out];
    let text = ok(&args).out;
    assert!(text.contains("method") && text.contains("\n  dob ") && text.contains("Stability conditions"), "{text}");
    let summary: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path("out/summary.json")).unwrap()).unwrap();
    for file in summary["files"].as_array().unwrap() {
        assert!(folder.0.join("out").join(file.as_str().unwrap()).is_file(), "{file}");
    }
    let dob = &summary["methods"][1];
    assert_eq!(dob["method"], "dob");
    assert_eq!(dob["robust"].as_array().unwrap().len(), 2);
    assert!(dob["rms"].as_f64().unwrap() > 0.0 && dob["noise_over_none"].as_f64().unwrap() > 0.0);
    assert!(dob["stability"].as_array().unwrap().iter().all(|v| v["holds"].is_boolean()));
    // the scenario of a method runs by itself
    ok(&["run", &folder.path("out/dob.toml")]);
}

#[test]
fn scenarios_written_bring_the_laws_they_read() {
    let folder = Folder::new("compensate-files");
    let [law, mine, out] = ["law.toml", "mine.toml", "out"].map(|name| folder.path(name));
    ok(&["params", "stribeck", "--set", "fc=10", "--set", "fs=15", "-o", &law]);
    let text = ok(&["scenarios", "axis"]).out;
    let (head, contact) = text.split_once("law = \"stribeck\"").unwrap();
    // the parameters of the contact are now in the file of the law
    let rest = contact.split_once("\n\n").unwrap().1;
    std::fs::write(&mine, format!("{head}law = \"law.toml\"\n\n{rest}")).unwrap();
    ok(&["compensate", &mine, "--with", "none,feedforward", "--set", "run.end=1", "--factors", "1", "-o", &out]);
    // the law stands in the written scenario, or beside it
    let written: String = std::fs::read_dir(&out)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    assert!(written.lines().any(|line| line.replace(' ', "").starts_with("fc=10")), "{written}");
    std::fs::remove_file(&law).unwrap();
    ok(&["run", &format!("{out}/feedforward.toml")]);
}

#[test]
fn a_continuous_servo_is_put_on_a_processor() {
    let found = json(&["compensate", "a12", "--with", "none,observer", "--exact", "--end", "30", "--json"]);
    assert_eq!((&found["continuous"], &found["period"], &found["end"]), (&true.into(), &1e-3.into(), &30.0.into()));
    let rms = |k: usize| found["methods"][k]["rms"].as_f64().unwrap();
    // the linear loop itself is still settling
    assert!(rms(1) < 0.3 * rms(0), "{} and {}", rms(1), rms(0));
    // the text below the table says what counts as hunting: without an encoder 1e-4 of the motion, which is 1 m
    let text = ok(&["compensate", "a12", "--with", "none", "--exact", "--end", "5"]).out;
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("from 2.5 s on reversed three times or more by over 100 µm (1e-4 of the motion)"), "{text}");
    // the period of the scenario is kept, and a run with too many samples is shortened
    let base = ["compensate", "a12", "--with", "none", "--exact", "--json", "--set", "control.servo.period=0.01"];
    let slow = json(&[&base[..], &["--set", "run.end=2000"]].concat());
    assert_eq!((&slow["period"], &slow["end"], &slow["cut_from"]), (&0.01.into(), &1e3.into(), &2e3.into()));
}

#[test]
fn tuning_never_makes_it_worse() {
    let base = ["compensate", "servo-slow", "--with", "none,dob", "--set", "run.end=0.6", "--exact", "--json"];
    let tuned = json(&[&base[..], &["--tune", "--evaluations", "9"]].concat());
    assert!(tuned["methods"][0]["tuned"].is_null());
    let cost = common::numbers(&tuned["methods"][1]["tuned"]["cost"]);
    assert!(cost[1] <= cost[0], "{cost:?}");
    assert!(tuned["methods"][1]["tuned"]["evaluations"].as_u64().unwrap() <= 9);
}

#[test]
fn mistakes_are_refused() {
    let near = refused(&["compensate", "servo-slow", "--with", "none,feedforwad"]);
    assert!(near.contains("feedforward"), "{near}");
    assert!(refused(&["compensate", "a14"]).contains("[controller.NAME]"));
    refused(&["compensate", "a12", "--end", "-1"]);
    assert!(refused(&["compensate", "a12", "--set", "control.servo.extra=1"]).contains("extra"));
    assert!(refused(&["compensate", "servo-slow", "--set", "controller.servo.limit=-1"]).contains("above 0"));
    refused(&["compensate", "servo-slow", "--from", "99"]);
    refused(&["compensate", "servo-slow", "--factors", "-1"]);
    refused(&["compensate", "servo-slow", "--mass", "0"]);
    refused(&["compensate", "servo-slow", "--gain", "cutoff=3"]);
    refused(&["compensate", "servo-slow", "--gain", "dob.cutoff=-3", "--with", "dob"]);
    refused(&["compensate", "servo-slow", "--model", "lugree"]);
    refused(&["compensate", "nobody"]);
}
