//! Commands never replace a file that they read, and report other files that they replace.
mod common;
use common::{Folder, command, ok, refused};
use std::fs;
use std::process::Stdio;

const LOG: &str = "t [s],x [m]\n0,0\n1,1\n2,3\n";

#[test]
fn commands_never_overwrite_their_input() {
    let dir = Folder::new("overwrite-input");
    let log = dir.file("log.csv", LOG);
    let law = dir.path("law.toml");
    ok(&["params", "lugre", "-o", &law]);
    let scenario = dir.path("mine.toml");
    fs::write(&scenario, ok(&["scenarios", "g5"]).out).unwrap();
    fs::create_dir(dir.0.join("run")).unwrap();
    let (inner, run) = (dir.path("run/scenario.toml"), dir.path("run"));
    fs::copy(&scenario, &inner).unwrap();
    let round_about = format!("{}/../overwrite-input/log.csv", dir.0.display());
    let before = |path: &str| fs::read(path).unwrap();
    let kept = [&log, &law, &scenario, &inner].map(|path| (path.clone(), before(path)));
    for args in [
        vec!["data", &log, "-o", &log],
        vec!["data", &log, "-o", &round_about],
        vec!["params", &law, "--set", "fc=2", "-o", &law],
        vec!["curve", &law, "--at", "0.1", "-o", &law],
        vec!["excite", &law, "--stroke", "0.1", "--speed", "0.1", "--acceleration", "1", "-o", &law],
        vec!["sweep", &scenario, "--vary", "mass=1:2:2", "--measure", "x.final", "-o", &scenario],
        vec!["merge", &log, "-o", &log],
        vec!["run", &inner, "-o", &run],
    ] {
        let err = refused(&args);
        assert!(err.contains("would replace") && err.contains("give the output another name"), "{args:?}: {err}");
    }
    for (path, bytes) in kept {
        assert_eq!(before(&path), bytes, "{path}");
    }
}

#[cfg(unix)]
#[test]
fn links_are_the_file_that_they_lead_to() {
    let dir = Folder::new("overwrite-links");
    let log = dir.file("log.csv", LOG);
    let [hard, soft] = ["hard.csv", "soft.csv"].map(|name| dir.path(name));
    fs::hard_link(&log, &hard).unwrap();
    std::os::unix::fs::symlink(&log, &soft).unwrap();
    for other in [&hard, &soft] {
        refused(&["data", &log, "-o", other]);
        refused(&["data", other, "-o", &log]);
    }
    let out = command(&["data", "-", "-o", &log]).stdin(fs::File::open(&log).unwrap()).output().unwrap();
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("the file that stdin is read from"));
    assert_eq!(fs::read_to_string(&log).unwrap(), LOG);
    // a device is written to, not replaced
    let out = command(&["data", "/dev/stdin", "-o", "/dev/null"]).stdin(Stdio::null()).output().unwrap();
    assert!(!String::from_utf8_lossy(&out.stderr).contains("would replace"));
}

#[test]
fn a_file_that_a_scenario_names_is_an_input() {
    let dir = Folder::new("overwrite-named");
    let law = dir.path("law.toml");
    ok(&["params", "lugre", "-o", &law]);
    let scenario = dir.file("mine.toml", "title = \"a test\"\n[contact.table]\nfile = \"law.toml\"\n");
    let err = refused(&["params", "lugre", "--provenance", &scenario, "-o", &law]);
    assert!(err.contains("law.toml"), "{err}");
}

#[test]
fn replacing_another_file_is_told() {
    let dir = Folder::new("overwrite-told");
    let log = dir.file("log.csv", LOG);
    let out = dir.path("out.csv");
    assert!(!ok(&["data", &log, "-o", &out]).err.contains("replaced"));
    let told = format!("note: {out} existed and was replaced\n");
    assert!(ok(&["data", &log, "-o", &out]).err.contains(&told));
    let svg = dir.path("curve.svg");
    let args = ["curve", "lugre", "--range", "0:1:5", "-o", &svg];
    assert!(!ok(&args).err.contains("replaced") && ok(&args).err.contains("existed and was replaced"));
    // the name of a scenario does not mean a folder of that name
    let folder = dir.path("g5");
    for _ in 0..2 {
        let run = command(&["run", "g5", "--set", "run.end=1", "-o", "g5"]).current_dir(&dir.0).output().unwrap();
        assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
    }
    assert!(fs::metadata(folder).unwrap().is_dir());
}

#[test]
fn folders_of_killed_runs_are_removed_by_the_next_one() {
    let dir = Folder::new("overwrite-killed");
    // no process has this number
    let left = dir.0.join(".g5.4294967295.tmp");
    fs::create_dir(&left).unwrap();
    fs::write(left.join("trace.csv"), "half").unwrap();
    ok(&["run", "g5", "--set", "run.end=1", "-o", &dir.path("g5")]);
    assert_eq!(fs::read_dir(&dir.0).unwrap().count(), 1);
}

#[test]
fn the_checkpoint_of_a_fit_is_an_output() {
    let dir = Folder::new("overwrite-checkpoint");
    let text = "{\"t\": [0, 1, 2], \"x\": [0, 1, 3], \"f\": [1, 1, 1]}";
    let log = dir.file("m.partial.json", text);
    let out = dir.path("m");
    for model in ["lugre", "viscous"] {
        let err = refused(&["identify", &log, "--model", model, "-o", &out]);
        assert!(err.contains("would replace"), "{err}");
    }
    // a file of another origin, which the fit would replace and then remove
    let other = dir.file("log.csv", LOG);
    let err = refused(&["identify", &other, "--model", "lugre", "-o", &out]);
    assert!(err.contains("m.partial.json") && err.contains("move it elsewhere"), "{err}");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&other, dir.path("n.partial.json")).unwrap();
        refused(&["identify", &other, "--model", "lugre", "-o", &dir.path("n")]);
        assert_eq!(fs::read_to_string(&other).unwrap(), LOG);
    }
    assert_eq!(fs::read_to_string(&log).unwrap(), text);
}

#[cfg(unix)]
#[test]
fn links_to_nothing_are_refused_before_the_work() {
    let dir = Folder::new("overwrite-dangling");
    let link = dir.path("link.csv");
    std::os::unix::fs::symlink(dir.path("nothing"), &link).unwrap();
    for args in [vec!["run", "g5", "-o", &link], vec!["curve", "lugre", "--at", "1", "-o", &link]] {
        let err = refused(&args);
        assert!(err.contains("is a link to"), "{err}");
    }
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
}
