//! The program as a whole: a run that was stopped is resumed, runs that were split are put together.
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs the program on quick systems.
fn adversary(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_adversary"))
        .args(["--seed", "3", "--law", "coulomb", "--shape", "closed form", "--threads", "1", "--out"])
        .arg(folder)
        .args(args)
        .output()
        .expect("the program runs")
}

fn new_folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    path
}

/// The report without the time that it took.
fn report(out: &Output) -> String {
    let text = String::from_utf8_lossy(&out.stdout);
    text.lines().filter(|line| !line.contains(" systems in ")).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_run_in_parts_is_the_run_in_one() {
    let [whole, parts] = ["adversary-whole", "adversary-parts"].map(new_folder);
    let once = adversary(&whole, &["--count", "6"]);
    assert!(once.status.success(), "{}", report(&once));
    // two are done, the third is cut off in the middle of its line
    adversary(&parts, &["--count", "2"]);
    let file = parts.join("results-seed3-from0-coulomb-closed-form.csv");
    let text = std::fs::read_to_string(&file).expect("results");
    assert_eq!(text.lines().count(), 3);
    let cut = text.lines().nth(1).expect("a line");
    std::fs::write(&file, format!("{text}{}", &cut[..cut.len() / 2])).expect("written");
    let resumed = adversary(&parts, &["--count", "4", "--resume"]);
    assert!(String::from_utf8_lossy(&resumed.stdout).contains("4 systems in"), "{}", report(&resumed));
    // another process does the rest
    adversary(&parts, &["--from", "4", "--count", "2"]);
    let together = adversary(&parts, &["--summary"]);
    assert_eq!(report(&together), report(&once));
    assert_eq!(
        std::fs::read_to_string(parts.join("tolerances.csv")).expect("a table"),
        std::fs::read_to_string(whole.join("tolerances.csv")).expect("a table")
    );
}

#[test]
fn wrong_arguments_are_refused() {
    let out = adversary(&new_folder("adversary-wrong"), &["--conut", "3"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("unknown argument '--conut'"));
}
