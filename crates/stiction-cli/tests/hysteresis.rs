//! `stiction hysteresis`.
mod common;
use common::{Folder, json, number, ok, refused};
use std::fs;

/// Dahl's loop by its closed form: turn Fc·tanh(Xσ/Fc), area 4·Fc·X − 4·Fc²/σ·tanh(Xσ/Fc).
#[test]
fn dahls_loop() {
    let report = json(&["hysteresis", "dahl", "--set", "sigma=1e4", "--set", "fc=1", "--amplitude", "3e-4", "--json"]);
    let row = &report["loops"][0];
    let turn = 3.0_f64.tanh();
    // runs at 1e-10 a step
    assert!((number(&row["turns"][1]) - turn).abs() < 1e-8);
    assert!((number(&row["area"]) - (12e-4 - 4e-4 * turn)).abs() < 1e-11);
    let holds: Vec<bool> = report["properties"].as_array().unwrap().iter().map(|p| p["holds"] == true).collect();
    assert_eq!(holds, [false; 4]);
}

#[test]
fn viscous_grows_with_the_frequency() {
    let args = ["hysteresis", "viscous", "--set", "fv=3", "--amplitude", "0.01", "--omega", "1,10", "--no-checks"];
    let report = json(&[&args[..], &["--json"]].concat());
    assert_eq!(report["properties"].as_array().unwrap().len(), 0);
    // cubics through 2000 rows of a circle
    assert!((number(&report["rates"][0]["area_exponent"]) - 1.0).abs() < 1e-9);
    let loops = report["loops"].as_array().unwrap();
    assert_eq!(loops.len(), 2);
    for row in loops {
        assert!((number(&row["damping"]) - 3.0).abs() < 1e-8, "{row}");
    }
    let text = ok(&args).out;
    assert!(text.contains("area ~ ω^p") && text.contains("p = 1, q = 1"), "{text}");
}

/// The files of the output folder; the CSV and Parquet traces of a run give the same results.
#[test]
fn folders_and_traces() {
    let folder = Folder::new("hysteresis");
    let [run, loops, again] = ["n3", "loops", "again"].map(|name| folder.path(name));
    ok(&["run", "n3", "-o", &run]);
    let report = json(&["hysteresis", &run, "--json", "-o", &loops]);
    let inner: Vec<bool> = report["loops"].as_array().unwrap().iter().map(|l| l["inner"] == true).collect();
    assert!(inner.len() >= 5 && inner.iter().filter(|inner| **inner).count() >= 4, "{inner:?}");
    let property = |k: usize| (report["properties"][k]["name"].clone(), number(&report["properties"][k]["error"]));
    assert_eq!(property(0).0, "return point");
    // the inner loops of Nouri's law close where they began; the turning points lie between rows of the trace
    assert!(property(0).1 < 1e-6, "{:?}", property(0));
    for file in ["loops.svg", "loops.png", "loops.csv", "points.csv", "summary.json"] {
        assert!(fs::metadata(format!("{loops}/{file}")).unwrap().len() > 100, "{file}");
    }
    let twin = json(&["hysteresis", &format!("{run}/trace.parquet"), "--json"]);
    assert_eq!(twin["loops"], report["loops"]);
    // the same folder may be written again, another may not be
    ok(&["hysteresis", &run, "-o", &loops]);
    fs::create_dir(&again).unwrap();
    fs::write(format!("{again}/mine.txt"), "x").unwrap();
    assert!(refused(&["hysteresis", &run, "-o", &again]).contains("mine.txt"));
}

/// A measured loop: the rectangle of Coulomb friction with noise, without a time column, separated by semicolons.
#[test]
fn a_noisy_file() {
    let folder = Folder::new("hysteresis-noisy");
    let mut text = String::from("pos;f_meas\n");
    for k in 0..=1000 {
        let angle = f64::from(k) * 0.02;
        let noise = 1e-4 * (f64::from(k) * 1.7).sin();
        text += &format!("{};{}\n", angle.sin() + noise, 2.0 * angle.cos().signum());
    }
    let path = folder.file("test.csv", &text);
    let told = refused(&["hysteresis", &path]);
    assert!(told.contains("--x"), "{told}");
    let columns = ["--x", "pos", "--force", "f_meas", "--noise", "0.01", "--json"];
    let report = json(&[&["hysteresis", path.as_str()][..], &columns].concat());
    for row in report["loops"].as_array().unwrap() {
        // 4·Fc·X, to the spacing of the rows
        let quarter = number(&row["area"]) / number(&row["amplitude"]) / 8.0;
        assert!(quarter > 0.2 && quarter < 1.01, "{row}");
        assert!(row["omega"].is_null() && row["damping"].is_null());
    }
    // rows 0.02 rad apart: at the turns, where the force jumps, they leave X·0.02²/2 of the way
    assert!((number(&report["loops"][1]["area"]) - 8.0).abs() < 0.01, "{}", report["loops"][1]);
}

#[test]
fn bad_input_is_refused() {
    let folder = Folder::new("hysteresis-bad");
    let (flat, empty) = (folder.file("flat.csv", "x,force\n0,1\n1,1\n2,1\n"), folder.file("empty.csv", "x,force\n"));
    let words = folder.file("words.csv", "x,force\n0,1\n1,one\n");
    for (args, says) in [
        (vec!["dahl"], "--amplitude"),
        (vec!["dahl", "--amplitude", "0"], "amplitude = 0"),
        (vec!["dahl", "--amplitude", "-1"], "amplitude"),
        (vec!["dahl", "--amplitude", "1e-3", "--omega", "0"], "omega = 0"),
        (vec!["dahl", "--amplitude", "x"], "not a number"),
        (vec!["dahl", "--amplitude", "1e-3", "--x", "a"], "for traces, not for laws"),
        (vec!["dahll", "--amplitude", "1e-3"], "dahl"),
        (vec!["nothing.csv"], "nothing.csv"),
        (vec!["nothing.parquet"], "nothing.parquet"),
        (vec![&flat], "no closed loop"),
        (vec![&flat, "--force", "fource"], "force"),
        (vec![&flat, "--amplitude", "1"], "for laws, not for traces"),
        (vec![&flat, "--miss", "2"], "fractions"),
        (vec![&empty], "no rows"),
        (vec![&words], "words.csv:3"),
    ] {
        let told = refused(&[&["hysteresis"], &args[..]].concat());
        assert!(told.contains(says), "{args:?}: {told}");
    }
}
