//! Every command ends: limits, signals, sizes.
mod common;
use common::{Folder, command, json, ok, refused, run};
use serde_json::Value;
use std::fs;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

fn seconds<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let begun = Instant::now();
    let done = work();
    (done, begun.elapsed().as_secs_f64())
}

/// What takes seconds even without optimisation may take minutes on a machine that is busy; what has no end does not end in that time.
const BUSY: f64 = 600.0;

/// What ends within a second on a machine that is not busy.
const AT_ONCE: f64 = 20.0;

/// A run that fails: exit code 1, with these words, and in time.
fn fails(args: &[&str], words: &str) -> String {
    let (out, spent) = seconds(|| run(args));
    assert_eq!(out.code, Some(1), "{args:?}: {}", out.err);
    assert!(out.err.contains(words) && out.err.contains("\nhint: "), "{args:?}: {}", out.err);
    assert!(spent < BUSY, "{args:?}: {spent} s");
    out.err
}

#[test]
fn endless_runs_end() {
    fails(&["run", "parallel", "--set", "force.push.force.ramp.slope=1e308"], "no longer a finite number");
    ok(&["run", "bounce", "--set", "stop.floor.lo=-1e308"]);
    let err = fails(&["run", "a7", "--set", "run.end=1e308", "--set", "run.sample=1e305"], "no progress: ");
    assert!(err.contains("steps since t = ") && err.contains("1e308 s to the end"), "{err}");
}

#[test]
fn the_time_limit_is_an_option_and_a_key() {
    for limit in [&["--max-seconds", "0.2"][..], &["--set", "run.max_seconds=0.2"]] {
        let (err, spent) = seconds(|| {
            fails(
                &[&["run", "a7", "--set", "run.end=1e6"], limit].concat(),
                "max_seconds = 0.2 of computing time reached",
            )
        });
        assert!(err.contains("--max-seconds") && spent < BUSY, "{spent} s: {err}");
    }
    assert_eq!(json(&["run", "g1", "--max-seconds", "0", "--json"])["complete"], true);
    for wrong in ["-1", "nan"] {
        let err = refused(&["run", "g1", &format!("--max-seconds={wrong}")]);
        assert!(err.contains("max_seconds"), "{err}");
    }
}

#[test]
fn a_sweep_gives_up_points_that_do_not_end() {
    let folder = Folder::new("limits-sweep");
    let table = folder.path("out.csv");
    let set = ["--set", "run.end=1e6", "--max-seconds", "0.1", "--vary", "stiffness=1,2", "--measure", "block.x.final"];
    let out = run(&[&["sweep", "a7", "-o", &table], &set[..]].concat());
    assert!(out.code == Some(1) && out.err.contains("2 of 2 points failed"), "{}", out.err);
    let text = fs::read_to_string(&table).unwrap();
    assert_eq!(text.matches("max_seconds = 0.1").count(), 2, "{text}");
}

#[test]
fn sizes_have_bounds() {
    let err = refused(&["run", "chain", "--set", "chain.fault.count=5e7"]);
    assert!(err.contains("count = 5e7 must be at most a million in all chains"), "{err}");
    refused(&["run", "chain", "--set", "chain.fault.count=1e12"]);
    refused(&["run", "a7", "--set", "run.sample=1e-9", "--set", "run.end=1e3"]);
    refused(&["curve", "lugre", "--at", "0:1:1000000000000"]);
    refused(&["sweep", "a7", "--vary", "stiffness=1:2:1000000000000000", "--measure", "period", "-o", "x.csv"]);
}

#[cfg(unix)]
fn terminated(mut child: Child) -> (Option<i32>, String, String, f64) {
    std::thread::sleep(Duration::from_millis(1500));
    assert!(child.try_wait().unwrap().is_none(), "ended before the signal");
    let (output, spent) = seconds(|| {
        std::process::Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
        child.wait_with_output().unwrap()
    });
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (output.status.code(), out, err, spent)
}

#[cfg(unix)]
fn start(args: &[&str]) -> Child {
    command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Exit code and results of the commands that keep what there is; the others are ended by the signal itself.
#[cfg(unix)]
#[test]
fn the_first_sigterm_ends_every_command_at_once() {
    let folder = Folder::new("limits-term");
    let out = folder.path("run");
    let endless = ["--set", "run.end=1e6"];
    let (code, printed, err, spent) = terminated(start(&[&["run", "a7", "--json", "-o", &out], &endless[..]].concat()));
    // the work ends at once; pictures take their time, without optimisation some seconds
    assert!(code == Some(130), "{code:?} {spent} {err}");
    let (code, _, err, spent) = terminated(start(&[&["run", "a7", "--json"], &endless[..]].concat()));
    assert!(code == Some(130) && spent < AT_ONCE, "{code:?} {spent} {err}");
    let printed: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(printed["complete"], false);
    let trace = fs::read_to_string(folder.0.join("run/trace.csv")).unwrap();
    assert!(trace.ends_with('\n') && trace.lines().count() > 1);
    let table = folder.path("sweep.csv");
    for measure in ["block.x.final", "energy.friction", "cycle.period"] {
        let vary = ["--vary", "stiffness=1:2:3", "--measure", measure, "-o", &table, "--resume"];
        let (code, _, err, spent) = terminated(start(&[&["sweep", "a7"], &endless[..], &vary[..]].concat()));
        assert!(code == Some(130) && spent < AT_ONCE, "{measure}: {code:?} {spent} {err}");
        // the second on a machine that is so busy that a step takes a second
        let said = ["interrupted after 0 of 3 points", "interrupted: the present step takes too long"];
        assert!(said.iter().any(|words| err.contains(words)), "{err}");
        fs::remove_dir_all(format!("{table}.parts")).unwrap();
    }
    for args in [&["cycle", "a7"][..], &["equilibrium", "a7"], &["phenomena"], &["figures", "-o", &folder.path("f")]] {
        let mut child = start(args);
        std::thread::sleep(Duration::from_millis(100));
        std::process::Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
        let (_, spent) = seconds(|| child.wait().unwrap());
        assert!(spent < AT_ONCE, "{args:?}: {spent}");
    }
}
