//! Output on terminals: names from files without control characters, intervals in one style, nothing on stdout for bad input.
mod common;
use common::{Folder, ok, refused, run};

#[test]
fn an_escape_byte_in_a_column_name_does_not_reach_the_terminal() {
    let dir = Folder::new("terminal-escape");
    let file = dir.file("log.csv", "t,\u{1b}[31mred\u{9b}2J\n0,1\n1,2\n2,4\n");
    for args in [vec!["data", &file], vec!["data", &file, "--json"], vec!["data", &file, "--plot"]] {
        let run = ok(&args);
        let controls = |text: &str| text.chars().any(|c| c.is_control() && c != '\n' && c != '\t');
        assert!(!controls(&run.out) && !controls(&run.err), "{args:?}: {:?} {:?}", run.out, run.err);
    }
    assert!(ok(&["data", &file]).out.contains("\\u{1b}[31mred"));
    let err = refused(&["data", &file, "-c", "reed"]);
    assert!(!err.contains('\u{1b}'), "{err:?}");
    let err = run(&["curve", "lugre", "--at", "\u{1b}[2J"]).err;
    assert!(!err.contains('\u{1b}'), "{err:?}");
    let err = run(&["curve", "lugre", "--\u{1b}[2J"]).err;
    assert!(!err.contains('\u{1b}'), "{err:?}");
    // an output file keeps the name unchanged
    let copy = dir.path("copy.csv");
    ok(&["data", &file, "-o", &copy]);
    assert!(std::fs::read_to_string(copy).unwrap().contains('\u{1b}'));
}

#[test]
fn describe_takes_logarithmic_ranges_of_amplitudes() {
    let found = common::json(&["describe", "dahl", "--amplitude", "log:1e-5:1e-3:3", "--omega", "1", "--json"]);
    let amplitudes = common::numbers(&found["amplitudes"]);
    // steps by equal factors, to fifteen digits
    assert!(
        amplitudes.len() == 3 && amplitudes.iter().zip([1e-5, 1e-4, 1e-3]).all(|(a, b)| (a / b - 1.0).abs() < 1e-14)
    );
    let err = refused(&["describe", "dahl", "--amplitude", "log:0:1:3"]);
    assert!(err.contains("--amplitude 'log:0:1:3': both ends must be above zero"), "{err}");
    assert!(refused(&["describe", "dahl", "--omega", "1:2"]).contains("--omega '1:2' is not a range"));
}

#[test]
fn a_measure_after_a_shortened_run_has_no_value_and_a_note() {
    let run = ok(&["run", "a7", "--set", "run.end=10"]);
    assert!(run.err.contains("note: measure.v_max has no value: from = 30 s"), "{}", run.err);
    let row = run.out.lines().find(|line| line.contains("v_max")).unwrap();
    assert!(row.contains("no value: from = 30 s is not before the end of the run"), "{}", run.out);
    assert!(common::json(&["run", "a7", "--set", "run.end=10", "--json"])["measures"]["v_max"].is_null());
}

#[test]
fn marks_of_the_text_direction_do_not_reach_the_terminal() {
    let title = "title=\"abc\u{202e}fdp\u{2028}\u{1b}[2J\"".replace('\u{1b}', "\\u001b");
    let drawn = ok(&["run", "g5", "--set", "run.end=1", "--plot", "--set", &title]);
    let law = ok(&["params", "lugre", "--provenance", "abc\u{202e}fdp"]);
    for text in [drawn.out, drawn.err, law.out] {
        assert!(!text.contains(['\u{202e}', '\u{2028}', '\u{1b}']), "{text:?}");
    }
}
