//! The program in the shell: help, completions, pipes, exit codes.
mod common;
use common::{command, json, ok, refused, skip};
use std::io::Read;
use std::process::Stdio;

#[test]
fn help_groups_commands_and_points_on() {
    let help = ok(&["--help"]);
    for part in ["\nGetting started:\n", "\nLaws:\n", "\nSystems:\n", "\nMeasured data:\n", "\nExamples:\n  stiction "]
    {
        assert!(help.out.contains(part), "{part}: {}", help.out);
    }
    assert!(help.err.is_empty() && help.out.contains("'stiction COMMAND --help'"));
    // that every command has examples which parse is tested beside the commands themselves
    assert!(ok(&["run", "--help"]).out.contains("Examples:\n  stiction run "));
    assert!(ok(&["--version"]).out.starts_with("stiction "));
}

/// Pipes and files get no escape sequences, whatever TERM says.
#[test]
fn what_is_piped_has_no_colours() {
    let commands: [&[&str]; 9] = [
        &["--help"],
        &["curve", "stribeck", "--range", "-1:1:21", "--plot"],
        &["run", "g5", "--set", "run.end=3.5", "--plot"],
        &["models", "lugre"],
        &["map", "nowhere.csv"],
        &["run", "nowhere"],
        &["curve"],
        &["doctor"],
        &["sweep", "a7"],
    ];
    for args in commands {
        let mut run = command(args);
        run.env("TERM", "xterm-256color").env("COLORTERM", "truecolor").env("CLICOLOR_FORCE", "1");
        let output = run.output().unwrap();
        assert!(!output.stdout.is_empty() || !output.stderr.is_empty());
        for bytes in [&output.stdout, &output.stderr] {
            assert!(!bytes.contains(&0x1b), "{args:?}: {}", String::from_utf8_lossy(bytes));
        }
    }
}

#[test]
fn every_shell_has_completions_that_know_the_laws() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = ok(&["completions", shell]).out;
        assert!(script.contains("curve") && script.len() > 500);
        assert_eq!(json(&["completions", shell, "--json"])["script"], script);
    }
    let [bash, zsh, fish] = ["bash", "zsh", "fish"].map(|shell| ok(&["completions", shell]).out);
    assert!([&bash, &zsh, &fish].iter().all(|script| script.contains("slip-variable")));
    assert!([&bash, &zsh, &fish].iter().all(|script| script.contains("lugre1995")));
    // files beside the names, for all commands that take a law, a parameter file or a scenario
    assert!(zsh.matches("; _files}").count() >= 18);
    assert!([&bash, &zsh, &fish].iter().all(|script| script.contains("doctor") && script.contains("man")));
    let fish = |word: &str| fish.lines().rfind(|line| line.contains(word)).unwrap().to_owned();
    let laws = fish("using_subcommand curve params");
    assert!(laws.contains("lugre") && !laws.contains(" -f "), "{laws}");
    let scenarios = fish("using_subcommand run");
    assert!(["cycle", "equilibrium", "sweep", "compensate", "lugre1995"].iter().all(|word| scenarios.contains(word)));
    assert!(fish("using_subcommand figures").contains(" -f -a"));
    refused(&["completions", "tcsh"]);
}

#[test]
fn wrong_options_are_refused_in_the_same_words() {
    assert!(refused(&["model"]).contains("hint: a similar subcommand exists: 'models'"));
    assert!(refused(&["rnu", "a7"]).contains("hint: did you mean 'run'?"));
    assert!(refused(&["export", "contorller"]).contains("'controller'"));
    assert!(refused(&["curve", "lugre", "--at"]).contains("hint: 'stiction curve --help' explains it"));
    // two tips of clap, one hint
    assert!(refused(&["curve", "lugre", "--at", "1", "--rang"]).contains("hint: a similar argument exists: '--range'"));
    assert!(refused(&["models", "--jsn"]).contains("'--json'"));
    refused(&["curve"]);
    refused(&["models", "lugre", "dahl"]);
}

#[test]
fn the_json_option_may_stand_anywhere() {
    assert_eq!(json(&["--json", "models"]), json(&["models", "--json"]));
}

#[test]
fn a_reader_that_goes_away_is_no_fault() {
    for args in
        [&["curve", "viscous", "--range", "0:1:100000"][..], &["curve", "viscous", "--range", "0:1:100000", "--json"]]
    {
        let mut child = command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut start = [0; 10];
        child.stdout.take().unwrap().read_exact(&mut start).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
    }
}

#[test]
fn a_full_disk_is_named() {
    let Ok(full) = std::fs::File::options().write(true).open("/dev/full") else {
        return skip("there is no /dev/full here, which is a disk without space");
    };
    let output = command(&["models"]).stdout(full).output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(err.contains("cannot write to stdout") && err.contains("hint: free some space"), "{err}");
}
