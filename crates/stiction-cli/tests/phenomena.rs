//! `stiction phenomena`.
mod common;
use common::{Folder, json, ok, refused};

const KEYS: [&str; 15] = [
    "hold",
    "breakaway",
    "stribeck",
    "presliding",
    "plastic",
    "hysteresis",
    "nonlocal",
    "lag",
    "rate",
    "dwell",
    "no-drift",
    "stick-slip",
    "hunting",
    "passive",
    "smooth",
];

#[test]
fn json_has_every_figure_with_its_threshold() {
    let found = json(&["phenomena", "coulomb", "stribeck", "--json"]);
    assert_eq!(found["phenomena"].as_array().unwrap().len(), KEYS.len());
    for (law, name) in found["laws"].as_array().unwrap().iter().zip(["coulomb", "stribeck"]) {
        assert_eq!(law["law"], name);
        let cells = law["phenomena"].as_object().unwrap();
        for key in KEYS {
            let cell = &cells[key];
            assert!(["yes", "open", "no"].contains(&cell["shown"].as_str().unwrap()), "{key}");
            assert!(cell["threshold"].is_number() && cell.get("figure").is_some(), "{key}");
        }
        assert!(law["cost"]["ns"].as_f64().unwrap() > 0.0 && law["scales"]["peak"].as_f64().unwrap() > 0.0);
        assert_eq!(cells["hold"]["shown"], "yes");
        assert_eq!(cells["presliding"]["shown"], "no");
    }
}

#[test]
fn a_page_and_a_table_fit_the_screen() {
    let page = ok(&["phenomena", "coulomb-tanh"]).out;
    assert!(page.contains("hold        no") && page.contains("Measured scales"), "{page}");
    let table = ok(&["phenomena", "coulomb", "viscous", "stiction"]).out;
    // a figure of 0 beside 'shown' reads like 'not shown'
    let unsaid = table.split("not said on the law's page").nth(1).expect("something is not said");
    assert!(unsaid.contains("no-drift") && !unsaid.contains("(0)"), "{table}");
    assert!(table.contains("no-drift") && table.contains("Claims of papers and pages"), "{table}");
    for line in page.lines().chain(table.lines()) {
        assert!(line.chars().count() <= 100, "{line}");
    }
}

#[test]
fn need_names_a_law_or_the_nearest() {
    let found = json(&["phenomena", "coulomb", "stribeck-tanh", "--need", "hold", "--json"]);
    assert_eq!(found["choice"]["use"], "coulomb");
    let text = ok(&["phenomena", "coulomb", "stribeck-tanh", "stribeck", "--need", "stribeck,hold"]).out;
    assert!(text.starts_with("For stribeck, hold: stribeck\n"), "{text}");
    let none = ok(&["phenomena", "coulomb", "viscous", "--need", "hold,stribeck,lag"]).out;
    assert!(none.starts_with("No law shows") && none.contains("coulomb  lacks stribeck (0), lag (0)"), "{none}");
}

#[test]
fn a_folder_has_the_matrix() {
    let folder = Folder::new("phenomena");
    let out = folder.path("p");
    ok(&["phenomena", "coulomb", "viscous", "-o", &out]);
    let svg = std::fs::read_to_string(format!("{out}/matrix.svg")).unwrap();
    assert!(svg.contains("coulomb") && svg.contains("passive"), "{svg}");
    assert!(std::path::Path::new(&out).join("summary.json").exists());
}

#[test]
fn unknown_names_are_refused_with_near_ones() {
    assert!(refused(&["phenomena", "lugr"]).contains("lugre"));
    assert!(refused(&["phenomena", "--need", "holds"]).contains("hold"));
    assert!(refused(&["phenomena", "coulomb", "--need", "presliding,quux"]).contains("presliding"));
}
