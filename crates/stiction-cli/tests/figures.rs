//! `stiction figures`.
mod common;
use common::{Folder, json, ok, refused};
use std::fs;

#[test]
fn json_has_figures_by_experiment_and_key() {
    let out = json(&["figures", "o1", "A2", "--json"]);
    let ids: Vec<&String> = out.as_object().unwrap().keys().collect();
    assert_eq!(ids, ["A2", "O1"]);
    // the library's tests compare every figure; this one checks that each value has the right key
    // written with ten and eleven digits; the place of a minimum is flat
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
    for file in ["o5.svg", "o5-2.svg", "o5-dark.svg", "o5-2-dark.svg", "index.html", "summary.json"] {
        assert!(fs::metadata(folder.0.join("out").join(file)).unwrap().len() > 500, "{file}");
    }
    if cfg!(feature = "png") {
        assert!(fs::read(folder.0.join("out/o5-2.png")).unwrap().starts_with(b"\x89PNG"));
    }
    let html = fs::read_to_string(folder.0.join("out/index.html")).unwrap();
    assert!(html.contains("7.50147873") && html.contains("Friction Modelling") && html.matches("<img").count() == 2);
    assert!(html.contains("<article id=\"o5\"") && html.contains("href=\"#o5\""), "no link to it");
    // every file that the page shows is there
    let linked = ["src=\"", "srcset=\"", "href=\""].into_iter().flat_map(|at| html.split(at).skip(1));
    let linked: Vec<&str> =
        linked.filter_map(|rest| rest.split('"').next()).filter(|to| !to.starts_with('#')).collect();
    assert!(linked.len() >= 6 && linked.iter().all(|to| folder.0.join("out").join(to).exists()), "{linked:?}");
    assert!(html.contains("stiffness = 2 N/m"), "no parameters");
    // the same folder may be written again, but no other one
    ok(&["figures", "O1", "-o", &at, "--json"]);
    assert!(!folder.0.join("out/o5.svg").exists() && folder.0.join("out/o1.svg").exists());
    fs::write(folder.0.join("out/mine.txt"), "mine").unwrap();
    assert!(refused(&["figures", "O1", "-o", &at]).contains("mine.txt"));
    let left: Vec<_> = fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["out"]);
}

#[test]
fn a_theme_holds_for_all() {
    let folder = Folder::new("figures-theme");
    ok(&["figures", "O1", "--theme", "dark", "-o", &folder.path("dark")]);
    ok(&["figures", "O1", "-o", &folder.path("both")]);
    let read = |file: &str| fs::read_to_string(folder.0.join(file)).unwrap();
    assert_eq!(read("dark/o1.svg"), read("both/o1-dark.svg"));
    assert_ne!(read("both/o1.svg"), read("both/o1-dark.svg"));
    assert!(!folder.0.join("dark/o1-dark.svg").exists());
    assert!(read("dark/index.html").contains("<html lang=\"en\" data-theme=\"dark\">"));
    assert!(read("both/index.html").contains("<html lang=\"en\">"));
    assert!(!read("dark/index.html").contains("srcset") && read("both/index.html").contains("srcset=\"o1-dark.svg\""));
}

#[test]
fn a_picture_in_the_terminal() {
    let text = ok(&["figures", "A2", "--plot"]).out;
    assert!(text.contains("F_peak") && text.contains("The Bliman-Sorine model"), "{text}");
    let both = ok(&["figures", "A2", "--plot", "--json"]);
    assert!(both.out.starts_with('{') && both.err.contains("The Bliman-Sorine model"), "{}", both.err);
}
