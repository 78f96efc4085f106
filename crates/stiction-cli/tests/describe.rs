//! `stiction describe`.
mod common;
use common::{Folder, json, numbers, ok, refused};
use std::f64::consts::PI;

#[test]
fn coulomb_is_a_damper_that_weakens_with_amplitude() {
    let found = json(&["describe", "coulomb", "--amplitude", "1e-3,1e-2", "--omega", "2", "--json"]);
    let rows = found["describing"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    for row in rows {
        let (x, n) = (row["amplitude"].as_f64().unwrap(), numbers(&row["on_velocity"]));
        // cubics through 2000 rows of a cycle
        assert!((n[0] * PI * 2.0 * x / 4.0 - 1.0).abs() < 1e-9, "{row}");
    }
    let text = ok(&["describe", "coulomb", "--amplitude", "1e-3", "--omega", "2", "--on", "velocity"]).out;
    assert!(text.contains("V [m/s]") && text.contains("636.62"), "{text}");
}

#[test]
fn a_folder_has_curves_a_map_and_a_table() {
    let folder = Folder::new("describe");
    let out = folder.path("n");
    ok(&["describe", "viscous", "--amplitude", "1e-3,1e-2", "--omega", "1,10", "-o", &out]);
    for file in ["curves.svg", "map.svg", "describing.csv", "summary.json"] {
        assert!(std::path::Path::new(&out).join(file).exists(), "{file}");
    }
    let table = std::fs::read_to_string(format!("{out}/describing.csv")).unwrap();
    assert!(table.starts_with("amplitude [m],omega [rad/s],"), "{table}");
    assert_eq!(table.lines().count(), 5);
}

#[test]
fn a_loop_is_balanced_and_compared_with_its_cycle() {
    let found = json(&["describe", "--loop", "a12", "--json"]);
    assert!(found["predictions"].as_array().unwrap().is_empty());
    // published with six digits
    assert!((found["simulated"]["period"].as_f64().unwrap() - 24.4368).abs() < 1e-4);
    assert!(found["says"].as_str().unwrap().starts_with("Harmonic balance predicts no hunting, but"));
}

#[test]
fn mistakes_are_refused() {
    refused(&["describe"]);
    refused(&["describe", "lugre", "--loop", "a12"]);
    refused(&["describe", "lugre", "--amplitude", "x"]);
    refused(&["describe", "lugre", "--amplitude", "-1", "--omega", "1"]);
    assert!(refused(&["describe", "--loop", "a13x"]).contains("a13"));
    assert!(refused(&["describe", "--loop", "a7"]).contains("one contact at rest"));
}
