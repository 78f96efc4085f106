//! `stiction doctor`.
mod common;
use common::{command, json, ok};
use std::fs;

#[test]
fn a_sound_installation_is_well() {
    let text = ok(&["doctor"]).out;
    for part in [
        "Build\n",
        "Machine\n",
        "Terminal\n",
        "Folders\n",
        "Self-test\n",
        "1.1476676416183065",
        "Everything is in order.",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("wrong"), "{text}");
    let found = json(&["doctor", "--json"]);
    assert_eq!((&found["ok"], &found["stiction"]), (&true.into(), &env!("CARGO_PKG_VERSION").into()));
    let checks = found["self-test"].as_array().unwrap();
    assert!(checks.len() >= 7 && checks.iter().all(|check| check["ok"] == true), "{found}");
    let about = |section: &str, what: &str| {
        let list = found[section].as_array().unwrap();
        list.iter().find(|f| f["what"] == what).map(|f| f["value"].as_str().unwrap().to_owned()).unwrap()
    };
    assert!(about("machine", "threads").starts_with(|c: char| c.is_ascii_digit()));
    // either its name, or why there is none
    assert!(about("machine", "GPU").contains("CUDA") || about("machine", "GPU").contains("NVRTC"));
    assert!(about("build", "features").contains("png") == cfg!(feature = "png"));
    assert!(about("terminal", "colours").contains("not a terminal"));
}

/// A folder that cannot be written is reported with advice, and the program exits with 1.
#[test]
fn what_is_wrong_is_told() {
    let output = command(&["doctor"]).env("TMPDIR", "/nowhere/at/all").output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    if cfg!(unix) {
        assert_eq!(output.status.code(), Some(1), "{out}");
        assert!(out.contains("temporary  wrong  /nowhere/at/all") && out.contains("set TMPDIR"), "{out}");
        assert!(err.starts_with("warning: ") && err.contains("\nhint: "), "{err}");
    }
}

#[test]
fn nothing_is_left_behind() {
    let folder = common::Folder::new("doctor");
    let output = command(&["doctor"]).current_dir(&folder.0).env("TMPDIR", &folder.0).output().unwrap();
    assert!(output.status.success());
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 0);
}
