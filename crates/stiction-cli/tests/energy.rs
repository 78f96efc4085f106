//! `stiction energy`.
mod common;
use common::{json, ok, refused};

#[test]
fn a_law_that_gains_is_told_so_with_the_velocity() {
    let found = json(&["energy", "lugre", "--json"]);
    assert_eq!(found["passive"], false);
    assert_eq!(found["conditions"][0]["holds"], false);
    assert_eq!(found["conditions"][0]["cite"], "Astrom2008");
    let worst = &found["worst"];
    assert!(worst["energy"].as_f64().unwrap() < 0.0 && worst["relative"].as_f64().unwrap() < 0.0);
    assert_eq!(worst["repeats"], true);
    assert!(worst["period"].as_f64().unwrap() > 0.0 && worst["velocity"]["kind"].is_string());
    assert_eq!(found["loops"].as_array().unwrap().len(), 3);
}

#[test]
fn a_condition_that_holds_is_printed() {
    let text = ok(&["energy", "dahl"]).out;
    assert!(text.contains("passive: a sufficient condition holds") && text.contains("  holds  always"), "{text}");
    assert!(text.contains("maximum minus minimum of sigma z^2/2"), "{text}");
    let open = ok(&["energy", "armstrong"]).out;
    assert!(open.contains("open: no sufficient condition is known") && open.contains("none known"), "{open}");
}

#[test]
fn mistakes_are_refused() {
    assert!(refused(&["energy", "lugree"]).contains("lugre"));
    assert!(refused(&["energy", "lugre", "--set", "sigma9=1"]).contains("sigma9"));
    refused(&["energy", "lugre", "--set", "fc=2", "--set", "fs=1"]);
}
