//! Typical mistakes of new users: each gives an error with a hint that says what to do, and no files are left behind.
mod common;
use common::{Folder, command, json, ok, refused, run};
use std::fs;
use std::process::Stdio;

/// The text on stderr, whose hint must contain a word.
fn hints(args: &[&str], word: &str) {
    let err = refused(args);
    let hint = err.split("\nhint: ").nth(1).unwrap();
    assert!(hint.contains(word), "{args:?}: {err}");
    assert!(!hint.contains("see --help") && !hint.contains("see the documentation"), "{err}");
}

#[test]
fn files_that_are_not_what_they_should_be() {
    let folder = Folder::new("mistakes-files");
    let law = folder.file("axis.toml", "[model]\nname = \"lugre\"\n");
    let scenario = folder.path("a7.toml");
    fs::write(&scenario, ok(&["scenarios", "a7"]).out).unwrap();
    let csv = folder.file("log.csv", "t,x\n0,1\n");
    let dir = folder.path("dir");
    fs::create_dir(&dir).unwrap();
    let binary = folder.path("bin.toml");
    fs::write(&binary, [0xff, 0xfe, 0x00, 0x80]).unwrap();
    let broken = folder.file("bin.parquet", "PAR0 this is none");
    // unknown names: the hint gives a similar one, or where to look
    hints(&["run", &folder.path("a8.toml")], "a7.toml'");
    hints(&["curve", &folder.path("axes.toml"), "--at", "1"], "axis.toml'");
    hints(&["data", &folder.path("nothing-like-it.csv")], "there is no such file in ");
    hints(&["run", &folder.path("no/such.toml")], "there is no folder ");
    // files of another kind
    hints(&["curve", &scenario, "--at", "1"], "this is a scenario, as for 'stiction run'");
    assert!(refused(&["run", &law]).contains("axis.toml:1:2: this is the file of a law, not a scenario"));
    hints(&["run", &law], "--set contact.NAME.law=FILE");
    let written = folder.path("written.toml");
    ok(&["params", "lugre", "-o", &written]);
    let named = folder.file("named.toml", &format!("provenance = \"rig\"\n{}", fs::read_to_string(&written).unwrap()));
    hints(&["run", &named], "'stiction curve FILE'");
    hints(&["scenarios", &scenario], "for a file use 'stiction run FILE'");
    hints(&["curve", "log.csv", "--at", "1"], "'stiction identify'");
    hints(&["run", "log.csv"], "ends in .toml");
    hints(&["run", &binary], "save it as UTF-8");
    hints(&["hysteresis", &broken], "damaged, or not what the end of its name says");
    hints(&["hysteresis", &folder.file("head.csv", "t,x\n")], "rows of numbers");
    hints(&["map", &csv], "'stiction sweep' has written");
    assert!(!refused(&["map", &csv]).contains("remove"), "it is the user's own");
    hints(&["data", &dir], "folder");
    hints(&["params", &folder.file("empty.toml", "")], "'stiction params lugre' prints one");
    let here = command(&["curve", "dir", "--at", "1"]).current_dir(&folder.0).output().unwrap();
    assert!(String::from_utf8_lossy(&here.stderr).contains("'dir' is a folder"));
}

#[test]
fn numbers_as_others_write_them() {
    hints(&["curve", "lugre", "--at", "1", "--set", "fc=1,5"], "write 1.5: a decimal point, not a comma");
    hints(&["run", "a7", "--set", "run.end=1,5"], "with a decimal point");
    hints(&["excite", "lugre", "--stroke", "-1", "--speed", "1", "--acceleration", "1"], "choose stroke above zero");
    hints(&["compensate", "servo-slow", "--mass", "-1"], "choose mass above 0");
    hints(&["run", "a7", "--set", "body.block.mass=-1"], "above zero");
    let err = refused(&["run", "a7", "--set", "run.end=1e300"]);
    assert!(err.contains("sample = 0.01 must be at least a billionth of the run"), "{err}");
    let folder = Folder::new("mistakes-numbers");
    let file = folder.file("comma.toml", "[model]\nname = \"lugre\"\nfc = 3,5\n");
    hints(&["curve", &file, "--at", "1"], "with a decimal point");
    assert!(refused(&["curve", &file, "--at", "1"]).contains("comma.toml:3:7: "));
}

/// `--set` suggests the full path of a name that `--vary` accepts, and an error of `--follow` names that option.
#[test]
fn paths_by_their_ends() {
    hints(&["run", "a7", "--set", "stifness=3"], "did you mean 'stiffness'?");
    hints(&["run", "g5", "--set", "masss=1"], "did you mean 'mass'?");
    hints(&["run", "a7", "--set", "blok.mass=1"], "did you mean 'block.mass' or ");
    hints(&["run", "a7", "--set", "bdy.block.mass=1"], "did you mean 'body'?");
    // several values end alike: the hint gives whole paths
    hints(&["run", "clutch", "--set", "inertai=1"], "did you mean 'body.");
    let err = refused(&["cycle", "a7", "--follow", "contact.table.sigma=0:1"]);
    assert!(
        err.starts_with("error: --follow contact.table.sigma: ") && err.contains("has no parameter 'sigma'"),
        "{err}"
    );
    hints(&["curve", "lugre"], "'stiction curve --help' explains it, with examples");
    hints(&["export", "motor"], "'stiction export --help'");
    hints(&["export", "law"], "'stiction export law --help'");
    hints(&["run", "--scenario", "a7"], "'stiction run --help'");
}

/// A file whose ending does not give a format is not written in some other format.
#[test]
fn endings_say_what_to_write() {
    let folder = Folder::new("mistakes-endings");
    let out = folder.path("x.txt");
    let log = Folder::new("mistakes-log");
    let log = log.file("log.csv", "t,x\n0,1\n1,2\n2,3\n");
    let commands: [(&[&str], &str); 6] = [
        (&["sweep", "a7", "--vary", "k=1:2:2", "--measure", "period", "-o", &out], "x.parquet or x.csv"),
        (&["curve", "lugre", "--at", "1", "-o", &out], "x.csv or x.svg or x.png"),
        (&["params", "lugre", "-o", &out], "name it x.toml"),
        (&["data", &log, "-o", &out], "x.csv"),
        (&["merge", &log, "-o", &out], "x.parquet"),
        (&["excite", "lugre", "--stroke", "0.1", "--speed", "1", "--acceleration", "1", "-o", &out], "x.csv"),
    ];
    for (args, word) in commands {
        hints(args, word);
        assert!(folder.is_empty(), "{args:?}");
    }
    hints(&["curve", "lugre", "--at", "1", "-o", &folder.path("no/x.csv")], "mkdir -p");
    let taken = folder.file("taken", "mine");
    hints(&["run", "hold", "-o", &taken], "a file is in the way");
    assert_eq!(fs::read_to_string(&taken).unwrap(), "mine");
    if cfg!(unix) {
        ok(&["curve", "lugre", "--at", "1", "-o", "/dev/null"]);
    }
}

/// The output of an earlier command is replaced with a note.
#[test]
fn what_is_replaced_is_told() {
    let folder = Folder::new("mistakes-twice");
    let out = folder.path("figures");
    assert!(!ok(&["figures", "a5", "-o", &out]).err.contains("replaced"));
    assert!(ok(&["figures", "a5", "-o", &out]).err.contains("held an earlier result, which is replaced"));
}

/// A body of 2 kg with 5 N of Coulomb and 20 N·s/m of viscous friction, driven by two sines; `sign` is that of the force.
fn log(sign: f64, units: [&str; 2]) -> String {
    let mut out = format!("t [s],x [{}],force [{}],none\n", units[0], units[1]);
    for k in 0..3000 {
        let t = f64::from(k) / 200.0;
        let (a, b) = (2.0 * t, 0.7 * t);
        let x = 0.05 * a.sin() + 0.1 * b.sin();
        let v = 0.1 * a.cos() + 0.07 * b.cos();
        let acc = -0.2 * a.sin() - 0.049 * b.sin();
        out += &format!("{t},{x},{},0\n", sign * (2.0 * acc + 5.0 * f64::signum(v) + 20.0 * v));
    }
    out
}

#[test]
fn a_force_of_the_wrong_sign_is_told_first_and_last() {
    let folder = Folder::new("mistakes-sign");
    let path = folder.file("log.csv", &log(-1.0, ["m", "N"]));
    let wrong = run(&["identify", &path, "--model", "stiction"]);
    assert_eq!(wrong.code, Some(1), "{}", wrong.err);
    assert!(
        wrong.err.contains("warning: fc, mass below zero") && wrong.err.contains("hint: most likely the sign of force")
    );
    let top: String = wrong.out.lines().take(4).collect();
    assert!(top.contains("!!! fc, mass below zero"), "{}", wrong.out);
    // first and last, and once among the remarks
    let words = wrong.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!((words.matches("negative").count(), words.matches("no law is written").count()), (1, 1), "{words}");
    assert!(words.contains("mass, fc, fv are negative") || words.contains("mass, fc are negative"), "{words}");
    assert!(!words.contains("fitted separately"), "{words}");
    assert_eq!(run(&["identify", &path, "--model", "stiction", "--force=-force"]).code, Some(0));
    // weights that exclude all samples, and impossible numbers
    hints(&["identify", &path, "--force=-force", "--model", "stiction", "--weight", "none"], "above zero for samples");
    let err = refused(&["identify", &path, "--mass", "-1"]);
    assert!(err.contains("'-1' is not a number of zero or more"), "{err}");
    assert!(refused(&["identify", &path, "--decimate", "0"]).contains("whole number above zero"));
    assert!(refused(&["identify", &path, "--model", "stribek"]).contains("did you mean 'stribeck'?"));
}

/// The same log with the position in millimetres and an amplifier current, whose names do not say so.
#[test]
fn columns_in_millimetres_and_amperes() {
    let folder = Folder::new("mistakes-columns");
    let text = log(1.0, ["m", "N"]);
    let row = |line: &str| {
        let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        format!("{};{};{}\n", cells[0], 1e3 * cells[1], cells[2] / 42.0)
    };
    let rows: String = text.lines().skip(1).map(row).collect();
    let path = folder.file("log.csv", &format!("time;Ist-Position;Motorstrom [A]\n{rows}"));
    let with = |position, force| ["identify", &path, "--model", "stiction", "--position", position, "--force", force];
    let braces = "'{Ist-Position}*1e-3', or write its number: '$2*1e-3'";
    hints(&with("Ist-Position*1e-3", "42*Motorstrom"), braces);
    let factor = "multiply by N per A, for example 42 N/A: --force '42*Motorstrom'";
    hints(&with("{Ist-Position}", "Motorstrom"), factor);
    let metres = ok(&with("{Ist-Position}", "42*Motorstrom")).out;
    assert!(metres.contains(" m/s: is the position in mm? --position '1e-3*({Ist-Position})'"), "{metres}");
    let right = ok(&with("{Ist-Position}*1e-3", "42*Motorstrom")).out;
    assert!(!right.contains("in mm?"), "{right}");
    // the rows that one sample stands for
    assert!(right.contains("samples that slide, each of about "), "{right}");
}

/// A law that misses by more than the friction itself is a negative result.
#[test]
fn a_check_that_fails_badly_exits_with_one() {
    let folder = Folder::new("mistakes-check");
    let path = folder.file("log.csv", &log(1.0, ["m", "N"]));
    let check = |fc: &str| {
        let model = folder.file("model.toml", &format!("[model]\nname = \"coulomb\"\nfc = {fc}\n"));
        run(&["identify", &path, "--mass", "2", "--check", &model])
    };
    assert_eq!(check("6").code, Some(0));
    let bad = check("50");
    assert_eq!(bad.code, Some(1), "{}", bad.err);
    assert!(bad.err.contains("warning: ") && bad.err.contains(" % of the friction is not predicted"), "{}", bad.err);
    assert!(bad.out.contains("of the friction is not predicted"), "the report is printed: {}", bad.out);
}

/// Hints say more than the error: an example, or another way.
#[test]
fn hints_do_not_repeat_the_error() {
    hints(&["export", "controller", "lugre", "--target", "c", "--sample", "0"], "1 kHz is --sample 1e-3");
    hints(&["curve", "lugre", "--range", "0:1:0"], "--range 0:1:11 is 0, 0.1, 0.2, ... 1");
    if cfg!(target_os = "linux") {
        hints(&["run", "hold", "-o", "/proc/foo"], "nothing can be created in /proc");
    }
}

#[test]
fn a_model_of_a_slide_is_not_for_a_servo_that_turns() {
    let folder = Folder::new("mistakes-units");
    let (slides, turns) = (folder.path("slides"), folder.path("turns"));
    for (out, units) in [(&slides, ["m", "N"]), (&turns, ["rad", "N·m"])] {
        let path = folder.file("log.csv", &log(1.0, units));
        ok(&["identify", &path, "--model", "stiction", "-o", out]);
    }
    let [slides, turns] = [slides, turns].map(|dir| format!("{dir}/model.toml"));
    assert!(fs::read_to_string(&turns).unwrap().contains("turns = true"));
    let args = |model: &str| {
        ["compensate", "servo-slow", "--with", "none", "--exact", "--end", "0.1", "--model", model].map(str::to_owned)
    };
    let with = |model: &str, run: &dyn Fn(&[&str])| run(&args(model).each_ref().map(String::as_str));
    with(&slides, &|args| hints(args, "identify the friction of this servo"));
    with(&turns, &|args| assert!(!ok(args).err.contains("taken in rad")));
    // a file without units
    with("lugre", &|args| assert!(ok(args).err.contains("taken in rad and N·m")));
}

#[test]
fn a_question_without_an_answer_exits_with_one() {
    let none = run(&["phenomena", "coulomb", "--need", "presliding"]);
    assert_eq!(none.code, Some(1));
    assert!(none.out.contains("No law shows presliding") && none.err.starts_with("warning: "), "{}", none.err);
    assert_eq!(run(&["phenomena", "coulomb", "--need", "hold"]).code, Some(0));
}

/// Without integral action nothing grows while the contact sticks.
#[test]
fn no_integral_is_blamed_that_is_not_there() {
    let with = json(&["describe", "--loop", "a12", "--json"])["says"].as_str().unwrap().to_owned();
    assert!(with.contains("integral grows"), "{with}");
    let without = json(&["describe", "--loop", "a12", "--set", "control.servo.ki=0", "--json"]);
    assert!(!without["says"].as_str().unwrap().contains("integral"), "{without}");
}

#[test]
fn shards_that_do_not_belong_together() {
    let folder = Folder::new("mistakes-shards");
    let sweep = |k: &str, shard: &str, out: &str| {
        let out = folder.path(out);
        ok(&["sweep", "a7", "--vary", k, "--measure", "v.max", "--set", "run.end=1", "-o", &out, "--shard", shard]).out
    };
    let said = sweep("k=1:2:3", "1/2", "1.parquet");
    assert!(said.starts_with("a7: shard 1/2, 1 of 3 points, "), "{said}");
    sweep("k=1:2:3", "2/2", "2.parquet");
    sweep("k=1:3:3", "2/2", "other.parquet");
    let [one, two, other, all] = ["1", "2", "other", "all"].map(|name| folder.path(&format!("{name}.parquet")));
    let err = refused(&["merge", &one, &other, "-o", &all]);
    assert!(
        err.contains("are shards of different sweeps") && err.contains("hint: name the shards of one sweep"),
        "{err}"
    );
    assert!(refused(&["merge", &one, &one, "-o", &all]).contains("two files have point 0\n"));
    let before = fs::read(&one).unwrap();
    hints(&["merge", &one, &two, "-o", &one], "another name");
    assert_eq!(fs::read(&one).unwrap(), before);
    assert!(ok(&["merge", &one, &two, "-o", &all]).out.starts_with("3 points from 2 files"));
    // CSV files are checked by the files beside them, and without those a note says that they are not
    sweep("k=1:2:3", "1/1", "whole.csv");
    let merge = |out: &str| ok(&["merge", &folder.path("whole.csv"), "-o", &folder.path(out)]);
    let merged = merge("again.csv");
    assert!(!merged.err.contains("not checked") && merged.out.starts_with("3 points from 1 file\n"), "{}", merged.err);
    fs::remove_file(folder.path("whole.csv.manifest.toml")).unwrap();
    let merged = merge("unchecked.csv");
    assert!(
        merged.err.contains("it is not checked") && merged.out.starts_with("3 points from 1 file\n"),
        "{}",
        merged.err
    );
}

#[test]
fn a_poor_environment_will_do() {
    let mut bare = command(&["run", "g5", "--set", "run.end=3.5"]);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let output = bare.env_clear().env("PATH", path).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = command(&["identify", "-"]).stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("stdin: the file is empty"));
}

#[cfg(unix)]
#[test]
fn arguments_that_are_not_utf8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    for words in [&["run"][..], &["models"], &["curve", "--at", "1"], &["sweep"]] {
        let out = command(words).arg(OsStr::from_bytes(b"x\xff.toml")).output().unwrap();
        let err = String::from_utf8(out.stderr).unwrap();
        assert!(out.status.code() == Some(2) && err.contains("\nhint: ") && err.contains("UTF-8"), "{words:?}: {err}");
    }
}

#[test]
fn constants_that_have_another_meaning() {
    let folder = Folder::new("mistakes-constants");
    let log = folder.file("log.csv", "t,x\n0,1\n1,2\n2,4\n");
    for (constant, word) in
        [("pi=3", "another name"), ("sin=3", "another name"), ("=3", "a letter"), ("x=3", "another name")]
    {
        let err = refused(&["data", &log, "--constant", constant]);
        assert!(err.contains(word), "{constant}: {err}");
    }
    ok(&["data", &log, "--constant", "m=3"]);
    let err = refused(&["identify", &log, "--mean", "0"]);
    assert!(err.contains("above zero"), "{err}");
}

#[test]
fn one_assignment_in_each_set() {
    let err = refused(&["run", "a7", "--set", "run.end=1\nrun.bogus=2"]);
    assert!(err.contains("run.bogus"), "{err}");
}

#[test]
fn long_arguments_are_cut_in_messages() {
    let long = "x".repeat(20_000);
    for args in
        [&["run", &long][..], &["curve", "lugre", "--at", &long], &["curve", &long, "--at", "1"], &["models", &long]]
    {
        let err = refused(args);
        assert!(
            !err.contains("...File") && err.len() < 2000 && err.contains("xxx..."),
            "{} bytes: {}",
            err.len(),
            &err[..300]
        );
    }
}
