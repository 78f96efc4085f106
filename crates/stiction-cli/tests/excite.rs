//! `stiction excite`.
mod common;
use common::{Folder, json, ok, refused};

const TEST: [&str; 14] = [
    "excite",
    "stribeck",
    "--set",
    "vs=0.02",
    "--stroke",
    "0.05",
    "--speed",
    "0.2",
    "--acceleration",
    "5",
    "--duration",
    "8",
    "--rate",
    "200",
];

#[test]
fn the_record_keeps_the_limits_and_says_what_it_is() {
    let folder = Folder::new("excite");
    let (csv, svg) = (folder.path("test.csv"), folder.path("test.svg"));
    let run = ok(&[&TEST[..], &["-o", &csv, "-o", &svg]].concat());
    assert!(run.err.contains("assumed --noise") && run.err.contains("test.csv"), "{}", run.err);
    for word in ["fc", "vs", "stroke", "best single sine", "times"] {
        assert!(run.out.contains(word), "{word}: {}", run.out);
    }
    let text = std::fs::read_to_string(&csv).unwrap();
    assert_eq!(text.lines().next(), Some("t [s],x [m],v [m/s],a [m/s²]"));
    let rows: Vec<Vec<f64>> =
        text.lines().skip(1).map(|line| line.split(',').map(|x| x.parse().unwrap()).collect()).collect();
    assert!(rows.len() > 1000 && rows.len() <= 1601, "{}", rows.len());
    // rounding of a few products
    let slack = 1.0 + 1e-9;
    for row in &rows {
        assert!(
            row[1] >= -1e-12 && row[1] <= 0.05 * slack && row[2].abs() <= 0.2 * slack && row[3].abs() <= 5.0 * slack
        );
    }
    assert!(std::fs::read_to_string(&svg).unwrap().starts_with("<svg"));
}

#[test]
fn json_says_the_same_and_stdout_takes_the_record() {
    let found = json(&[&TEST[..], &["--json", "--noise", "0.1"]].concat());
    let finding = &found["findings"][0];
    assert_eq!(finding["law"]["name"], "stribeck");
    let error = |key: &str| finding["estimates"][key]["error"].as_f64().unwrap();
    assert!(error("fc") > 0.0 && error("vs") > 0.0);
    assert!(!finding["tables"]["segments"]["rows"].as_array().unwrap().is_empty());
    // errors are proportional to the noise where the choice is the same: at least they grow with it
    let louder = json(&[&TEST[..], &["--json", "--noise", "0.2"]].concat());
    assert!(louder["findings"][0]["estimates"]["fc"]["error"].as_f64().unwrap() > 1.5 * error("fc"));
    let record = ok(&[&TEST[..], &["-o", "-"]].concat()).out;
    assert!(record.starts_with("t [s],x [m]"));
}

#[test]
fn bad_input_is_refused_with_a_hint() {
    fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
        [&["excite", "stribeck"][..], more].concat()
    }
    let limits = ["--stroke", "0.05", "--speed", "0.2"];
    let none = refused(&with(&limits));
    assert!(none.contains("--acceleration"), "{none}");
    let negative = refused(&with(&["--stroke", "-0.05", "--speed", "0.2", "--acceleration", "5"]));
    assert!(negative.contains("stroke = -0.05"), "{negative}");
    let weak = refused(&[&with(&limits)[..], &["--force", "1", "--mass", "1"]].concat());
    assert!(weak.contains("1.5 N"), "{weak}");
    let short = refused(&[&with(&limits)[..], &["--acceleration", "5", "--duration", "0.01"]].concat());
    assert!(short.contains("duration"), "{short}");
    let unknown = refused(&[&with(&limits)[..], &["--acceleration", "5", "--free", "fd"]].concat());
    assert!(unknown.contains("fd"), "{unknown}");
}

#[test]
fn limits_and_noise_without_meaning_are_refused() {
    let common = ["excite", "coulomb", "--duration", "1", "--acceleration", "1"];
    for noise in ["1e12", "1e100", "1e-160"] {
        let err = refused(&[&common[..], &["--stroke", "1", "--speed", "1", "--noise", noise]].concat());
        assert!(err.contains("noise"), "{err}");
    }
    let err = refused(&[&common[..], &["--stroke", "1e-300", "--speed", "1e300"]].concat());
    assert!(err.contains("stroke"), "{err}");
}

#[test]
fn several_outputs_are_checked_before_any_is_written() {
    let folder = Folder::new("excite-outputs");
    let [good, bad] = ["good.csv", "no/bad.csv"].map(|name| folder.path(name));
    let common = ["excite", "coulomb", "--stroke", "0.1", "--speed", "0.1", "--acceleration", "1", "--duration", "2"];
    refused(&[&common[..], &["-o", &good, "-o", &bad]].concat());
    assert!(!std::path::Path::new(&good).exists());
    let same = format!("{}/./good.csv", folder.0.display());
    let err = refused(&[&common[..], &["-o", &good, "-o", &same]].concat());
    assert!(err.contains("given twice"), "{err}");
    // as for 'curve': JSON replaces the CSV on stdout
    assert!(json(&[&common[..], &["-o", "-", "--json"]].concat())["findings"].is_array());
}
