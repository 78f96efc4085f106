//! `stiction equilibrium` and `stiction cycle`, as a user runs them.
mod common;

use common::{Folder, json, ok, refused, run};

#[test]
fn stability_of_sliding_falls_out() {
    let found = json(&["equilibrium", "a11", "--json"]);
    let linear = &found["equilibria"][0]["linear"][0];
    // the slides' a1, a2, a3 at v = 0.3
    for (k, wanted) in [270.38650572, -368.67841099, 285.77223805].into_iter().enumerate() {
        let got = linear["polynomial"][k + 1].as_f64().expect("a number");
        // written with eleven to twelve digits
        assert!((got / wanted - 1.0).abs() < 1e-9, "{got} for {wanted}");
    }
    let changes = found["changes"].as_array().expect("changes");
    let above = |what: &str| changes.iter().find(|c| c["above"] == what).and_then(|c| c["v"].as_f64()).expect(what);
    // the speed is printed with five decimals, the other has a closed form
    assert!((above("stable") - 0.50107).abs() < 5e-6);
    assert!((above("rises") - 0.1 * 150f64.ln()).abs() < 1e-9);
    let text = ok(&["equilibrium", "a11"]).out;
    assert!(text.contains("Sliding, not stable") && text.contains("above, sliding is stable"), "{text}");
}

#[test]
fn a_servo_that_hunts_is_not_called_stable() {
    let text = ok(&["equilibrium", "a12"]).out;
    assert!(text.contains("At rest, neutral") && text.contains("servo.integral"), "{text}");
    assert!(text.contains("eigenvalues  0 (within rounding), -3.9998751e-5"), "{text}");
    let found = json(&["equilibrium", "a12", "--json"]);
    assert_eq!(
        (&found["equilibria"][0]["undecided"], &found["equilibria"][0]["linear"][0]["neutral"]),
        (&true.into(), &1.into())
    );
}

#[test]
fn a_stuck_block_may_rest_within_a_set() {
    let found = json(&["equilibrium", "b1", "--json"]);
    let set = &found["equilibria"][0]["set"]["block.x"];
    // a linear system: rounding
    assert!((set[0].as_f64().expect("a number") - 0.09019).abs() < 1e-12, "{set}");
    assert_eq!(found["equilibria"][0]["linear"][0]["max_real"], serde_json::Value::Null);
    assert!(ok(&["equilibrium", "b1"]).out.contains("it is in equilibrium anywhere within"));
}

#[test]
fn a_cycle_is_found_and_drawn() {
    let dir = Folder::new("cycle");
    let out = dir.path("a7");
    let found = json(&["cycle", "a7", "--json", "-o", &out]);
    // known to eight digits
    assert!((found["period"].as_f64().expect("a number") - 4.6385527).abs() < 1e-7);
    assert_eq!(found["stable"], true);
    for file in ["cycle.svg", "summary.json"] {
        assert!(std::path::Path::new(&out).join(file).exists(), "{file}");
    }
}

#[test]
fn bad_questions_get_an_answer() {
    let told = |args: &[&str], wanted: &str| {
        let err = refused(args);
        assert!(err.contains(wanted), "{args:?}: {err}");
    };
    // a motion that keeps oscillating has no equilibrium
    told(&["equilibrium", "g5"], "stiction cycle");
    told(&["cycle", "a13-sampled"], "without a period");
    told(&["cycle", "a7", "--follow", "contact.table.sigma9=0:1"], "sigma");
    told(&["equilibrium", "nothing"], "scenario");
    told(&["cycle", "a7", "--follow", "contact.table.sigma2"], "PATH=LO:HI");
    told(&["cycle", "a7", "--follow", "contact.table.sigma2=2:1"], "below the second");
    told(&["equilibrium", "a11", "--speeds", "-1:2"], "positive");
    // a negative answer does not mean bad input
    let still = run(&["cycle", "b1"]);
    assert_eq!(still.code, Some(1));
    assert!(still.err.contains("stiction equilibrium"), "{}", still.err);
}
