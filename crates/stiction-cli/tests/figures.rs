//! `stiction figures`.
mod common;
use common::{Folder, json, ok, refused};
use std::fs;

#[test]
fn json_has_figures_by_experiment_and_key() {
    let out = json(&["figures", "o1", "A2", "--json"]);
    let ids: Vec<&String> = out.as_object().unwrap().keys().collect();
    assert_eq!(ids, ["A2", "O1"]);
    // the library's tests compare every figure; here that the right number stands under the right key
    assert!((out["O1"]["v_min"].as_f64().unwrap() - 0.0836609507).abs() < 1e-9);
    assert!((out["A2"]["F_peak"].as_f64().unwrap() - 1.2884499141).abs() < 1e-9);
}

#[test]
fn a_reader_gets_a_table() {
    let text = ok(&["figures", "O4", "a11", "a11"]).out;
    assert!(text.starts_with("O4  Presliding") && text.matches("A11  ").count() == 1, "{text}");
    assert!(text.lines().any(|line| line.contains("t_first_turn") && line.ends_with(" s")), "{text}");
    assert!(text.contains("0.50106352"), "{text}");
}

#[test]
fn an_unknown_experiment_is_refused() {
    let err = refused(&["figures", "A77"]);
    assert!(err.contains("no experiment 'A77'") && err.contains("A7"), "{err}");
    assert!(refused(&["figures", "O1", "lugre"]).contains("lugre"));
}

#[test]
fn a_folder_has_pictures_and_a_page() {
    let folder = Folder::new("figures");
    let at = folder.path("out");
    let run = ok(&["figures", "O5", "-o", &at]);
    assert!(run.err.contains("index.html") && run.out.contains("t_break_1"), "{}", run.err);
    for file in ["o5.svg", "o5-2.svg", "index.html", "summary.json"] {
        assert!(fs::metadata(folder.0.join("out").join(file)).unwrap().len() > 500, "{file}");
    }
    if cfg!(feature = "png") {
        assert!(fs::read(folder.0.join("out/o5-2.png")).unwrap().starts_with(b"\x89PNG"));
    }
    let html = fs::read_to_string(folder.0.join("out/index.html")).unwrap();
    assert!(html.contains("7.50147873") && html.contains("Friction Modelling") && html.matches("<svg").count() == 2);
    assert!(html.contains("stiffness = 2 N/m"), "no parameters");
    // again in the same place; but not over anything else
    ok(&["figures", "O1", "-o", &at, "--json"]);
    assert!(!folder.0.join("out/o5.svg").exists() && folder.0.join("out/o1.svg").exists());
    fs::write(folder.0.join("out/mine.txt"), "mine").unwrap();
    assert!(refused(&["figures", "O1", "-o", &at]).contains("mine.txt"));
    let left: Vec<_> = fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["out"]);
}
