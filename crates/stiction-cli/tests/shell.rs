//! The program as a citizen of the shell: help, completions, pipes, exit codes.
mod common;
use common::{command, json, ok, refused};
use std::io::Read;
use std::process::Stdio;

#[test]
fn every_command_has_help_with_examples() {
    let commands = [
        "",
        "tour",
        "models",
        "curve",
        "params",
        "run",
        "scenarios",
        "figures",
        "sweep",
        "map",
        "merge",
        "compensate",
        "export",
        "completions",
    ];
    for command in commands {
        let run = ok(&[command, "--help"][usize::from(command.is_empty())..]);
        assert!(run.out.contains("Examples:\n  stiction ") && run.err.is_empty(), "{}", run.out);
    }
    assert!(ok(&["--version"]).out.starts_with("stiction "));
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
    // files beside the names, for the commands that take a parameter file or a scenario
    assert_eq!(zsh.matches("; _files}").count(), 15);
    assert!(fish.lines().any(|line| line.contains("curve params") && !line.contains(" -f ")));
    refused(&["completions", "tcsh"]);
}

#[test]
fn wrong_options_are_refused_in_the_same_words() {
    assert!(refused(&["model"]).contains("hint: a similar subcommand exists: 'models'"));
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
    if let Ok(full) = std::fs::File::options().write(true).open("/dev/full") {
        let output = command(&["models"]).stdout(full).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(err.contains("cannot write to stdout") && err.contains("hint: free some space"), "{err}");
    }
}
