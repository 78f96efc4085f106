//! `stiction breakaway`.
mod common;
use common::{Folder, json, number, ok, refused};
use std::fs;

/// Åström's set under ramps; values of an independent solver, see the library's `reference/breakaway.py`.
#[test]
fn lugre_against_the_rate() {
    let recipe = ["mu=0.3", "normal=10", "lc=0.003", "mass=1", "ls_over_lc=2"];
    let mut args = vec!["breakaway", "lugre", "--rate", "0.1,1,10,50", "--json"];
    recipe.iter().for_each(|known| args.extend(["--from", known]));
    ["vs=0.1", "exponent=1", "sigma2=0"].iter().for_each(|set| args.extend(["--set", set]));
    let report = json(&args);
    let expected = [5.775_996_662_83, 5.374_447_583_6, 4.613_658_786_97, 4.710_494_937_95];
    let tests = report["tests"].as_array().unwrap();
    assert_eq!(tests.len(), expected.len());
    for (test, expected) in tests.iter().zip(expected) {
        // runs at 1e-10 a step, some tens of steps to the peak
        assert!((number(&test["force"]) - expected).abs() < 1e-7, "{test}");
        assert_eq!(test["by"], "peak");
    }
    assert!(number(&report["fit"]["per_decade"]) < 0.0);
}

#[test]
fn ageing_and_its_folder() {
    let folder = Folder::new("breakaway");
    let path = folder.path("ageing");
    let run = ok(&["breakaway", "rate-state", "--rate", "10", "--dwell", "1,10,100", "-o", &path]);
    assert!(
        run.err.contains("assumed that it slid at 0.01 m/s before the rest")
            && run.out.contains("per decade of the dwell time"),
        "{}",
        run.out
    );
    for file in ["breakaway.svg", "breakaway.png", "breakaway.csv", "summary.json"] {
        assert!(fs::metadata(format!("{path}/{file}")).unwrap().len() > 100, "{file}");
    }
    // b·N·ln 10 = 0.0345 N per decade, less what the ramp adds to the first second
    let report: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(format!("{path}/summary.json")).unwrap()).unwrap();
    assert!((number(&report["fit"]["per_decade"]) - 0.0345).abs() < 1e-3);
}

/// If the force rises faster than the bristles can follow, it is far above friction when the mass starts to slide: the ramp
/// continues until then.
#[test]
fn a_fast_force_breaks_away_too_and_is_marked() {
    let folder = Folder::new("breakaway_fast");
    let path = folder.path("fast");
    let report = json(&["breakaway", "lugre", "--rate", "1,100,1000", "-o", &path, "--json"]);
    assert!(report["tests"].as_array().unwrap().iter().all(|test| test["by"] == "peak"), "{report}");
    // the classical method of Runge and Kutta with steps of 2e-8 s, to seven digits
    let fast = &report["tests"][2];
    // a maximum is flat: its place is good to the root of the tolerance
    assert!((number(&fast["force"]) - 1.409_065_5).abs() < 1e-6, "{fast}");
    assert!((number(&fast["distance"]) - 1.216_882e-5).abs() < 1e-10, "{fast}");
    // each mark is one polygon: three in each of two panels
    let svg = fs::read_to_string(format!("{path}/breakaway.svg")).unwrap();
    assert!(svg.matches('Z').count() >= 6, "{}", svg.matches('Z').count());
    ok(&["breakaway", "viscous", "--rate", "1", "-o", &path]);
    let svg = fs::read_to_string(format!("{path}/breakaway.svg")).unwrap();
    assert!(svg.contains("none found at 1"));
}

#[test]
fn a_law_without_break_away_says_so() {
    let report = json(&["breakaway", "viscous", "--rate", "1", "--json"]);
    assert_eq!((&report["tests"][0]["by"], report["tests"][0]["force"].is_null()), (&"none".into(), true));
    assert!(ok(&["breakaway", "viscous", "--rate", "1"]).out.contains("none"));
}

#[test]
fn bad_input_is_refused() {
    for (args, says) in [
        (vec!["lugre", "--rate", "0"], "rate = 0"),
        (vec!["lugre", "--rate", "1,,2"], "not a number"),
        (vec!["lugre", "--mass", "0"], "mass = 0"),
        (vec!["lugre", "--dwell", "-1", "--rate", "1"], "dwell"),
        (vec!["lugre", "--dwell", "1", "--slid", "0"], "slid = 0"),
        (vec!["lugre", "--set", "fc=-1"], "fc"),
        (vec!["lugr"], "lugre"),
    ] {
        let told = refused(&[&["breakaway"], &args[..]].concat());
        assert!(told.contains(says), "{args:?}: {told}");
    }
}
