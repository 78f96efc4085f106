//! `stiction params`.
mod common;
use common::{Folder, json, ok, refused};
use stiction::core::models::ALL;

#[test]
fn a_written_file_gives_the_same_file_again() {
    let folder = Folder::new("params-again");
    let (first, second) = (folder.path("a.toml"), folder.path("b.toml"));
    for law in ALL {
        let note = "two lines\n\"quoted\" \\ µ";
        let run = ok(&["params", law.name, "--set", "noise.amplitude=0.1", "--provenance", note, "-o", &first]);
        assert_eq!(run.out, "");
        ok(&["params", &first, "-o", &second]);
        let [a, b] = [&first, &second].map(|path| std::fs::read_to_string(path).unwrap());
        assert_eq!(a, b);
        assert_eq!(a, ok(&["params", &first]).out);
        assert_eq!(json(&["params", &first, "--json"])["provenance"], note);
    }
}

#[test]
fn lugre_from_what_an_engineer_knows() {
    let from = ["--from", "mu=0.3", "--from", "normal=10", "--from", "lc=0.003", "--from", "mass=1"];
    let args = [&["params", "lugre", "--json"], &from[..]].concat();
    let model = &json(&args)["model"];
    // by hand: 0.3 x 10 N, 3 N/3 mm, 2 sqrt(1 kg x 1000 N/m); within rounding
    for (key, value) in [("fc", 3.0), ("sigma0", 1000.0), ("sigma1", 63.245_553_203_367_59)] {
        assert!((model[key].as_f64().unwrap() / value - 1.0).abs() < 1e-15, "{key}: {model}");
    }
    assert!(ok(&args).err.contains("note: assumed ls_over_lc = 2 [-]"));
    // --set takes precedence
    let args = [&args[..], &["--set", "sigma1=50"]].concat();
    assert_eq!(json(&args)["model"]["sigma1"], 50.0);
}

#[test]
fn spring_from_break_away_and_presliding_distance() {
    let model = &json(&["params", "slip-variable", "--from", "fs=1.5", "--from", "delta=1.5e-4", "--json"])["model"];
    // a quotient of two decimals: one rounding of 1e4
    assert!((model["ks"].as_f64().unwrap() - 1e4).abs() < 1e-11, "{model}");
    // a level that is set counts as known
    let model = &json(&["params", "dahl", "--set", "fc=2", "--from", "delta=1e-4", "--json"])["model"];
    assert!((model["sigma"].as_f64().unwrap() - 2e4).abs() < 1e-11, "{model}");
}

#[test]
fn json_has_the_keys_of_the_file() {
    let file = json(&["params", "lugre", "--set", "reverse.fc=1.2", "--set", "load.slope=0.03", "--json"]);
    assert!(file["provenance"].is_null());
    assert_eq!((&file["model"]["name"], &file["model"]["fc"]), (&"lugre".into(), &1.0.into()));
    assert_eq!(file["model"]["reverse"], serde_json::json!({"fc": 1.2}));
    assert_eq!(file["model"]["load"], serde_json::json!({"base": 0.0, "slope": 0.03}));
    assert!(file["model"].get("noise").is_none());
}

#[test]
fn wrong_values_are_refused() {
    let set = |set: &str| refused(&["params", "lugre", "--set", set]);
    assert!(set("sigma=1").contains("did you mean 'sigma0'"));
    assert!(set("reverse.sgma0=1").contains("'reverse.sigma0'"));
    for value in ["NaN", "inf", "-inf", "1e999", "-1", "1e10"] {
        let err = set(&format!("fc={value}"));
        assert!(err.contains("'fc'") && err.contains("1e-9 to 1e9 [N]"), "{err}");
    }
    for bad in ["fc", "fc=", "fc=x", "=1", "fc=1=2", ""] {
        set(bad);
    }
    let err = set("fc=2");
    assert!(err.contains("fs >= fc") && err.contains("fc = 2 [N]") && err.contains("fs = 1.5 [N]"), "{err}");
    assert!(set("reverse.fs=0.5").contains("reverse.fs = 0.5 [N]"));
    assert!(set("fc=x").contains("--set fc: 'x' is not a number"));
    assert!(set("fc=").contains("as in --set fc=1"));
    let err = set("noise.seed=1.5");
    assert!(err.contains("noise requires that seed is a whole number") && !err.contains("lugre"), "{err}");
}

#[test]
fn wrong_recipes_are_refused() {
    let from = |from: &str| refused(&["params", "lugre", "--from", from]);
    assert!(from("masss=1").contains("did you mean 'mass'"));
    assert!(from("mu=-1").contains("'mu' = -1 is outside"));
    assert!(from("mu=nan").contains("'mu' = NaN"));
    // parameters that are not inputs of a recipe are not suggested
    assert!(from("mu").contains("as in --from mu=0.3"));
    assert!(refused(&["params", "coulomb", "--from", "fc"]).contains("with --set"));
    assert!(from("fc=3").contains("hint: fc is a parameter: use --set fc=3"));
    assert!(refused(&["params", "lugre", "--from", "mu=1", "--from", "delta=1"]).contains("or from fs, delta"));
    refused(&["params", "coulomb", "--from", "mu=0.3"]);
    // known quantities, impossible result: sigma0 beyond its bound
    assert!(refused(&["params", "lugre", "--from", "fs=1e9", "--from", "delta=1e-12"]).contains("'sigma0'"));
}

#[test]
fn wrong_files_are_refused_with_line_and_column() {
    let folder = Folder::new("params-wrong");
    for (text, place, message) in [
        ("[model]\nname = 'lugre'\nfc = = 1\n", ":3:6: ", "not valid TOML"),
        ("[model]\nname = 'lurge'\n", ":2:8: ", "did you mean 'lugre'"),
        ("[model]\nname = 'lugre'\nsigma = 1\n", ":3:1: ", "did you mean 'sigma0'"),
        ("[model]\nname = 'lugre'\nfc = -1\n", ":3:6: ", "1e-9 to 1e9 [N]"),
        ("[model]\nname = 'lugre'\nfc = true\n", ":3:6: ", "must be a number"),
        ("[model]\nname = 'lugre'\nfc = 2\n", ":3:6: ", "fs >= fc"),
        ("[modell]\nname = 'lugre'\n", ":1:2: ", "did you mean 'model'"),
        ("", ":1:1: ", "[model] is missing"),
    ] {
        let path = folder.file("wrong.toml", text);
        let err = refused(&["params", &path]);
        assert!(err.contains(&format!("wrong.toml{place}")) && err.contains(message), "{err}");
    }
    assert!(refused(&["params", &folder.path("missing.toml")]).contains("missing.toml"));
    assert!(refused(&["params", &folder.path("")]).contains("cannot read"));
    std::fs::write(folder.0.join("binary.toml"), [0xff, 0xfe, 0x00]).unwrap();
    assert!(refused(&["params", &folder.path("binary.toml")]).contains("UTF-8"));
    let path = folder.file("wrapper.toml", "[model]\nname = 'stochastic'\n");
    assert!(refused(&["params", &path]).contains("'stochastic' is a wrapper"));
}

#[test]
fn a_file_is_changed_under_another_name_or_goes_to_stdout() {
    let folder = Folder::new("params-place");
    let path = folder.file("set.toml", "[model]\nname = 'coulomb'\n");
    let other = folder.path("other.toml");
    ok(&["params", &path, "--set", "fc=4", "--set", "fc=5", "-o", &other]);
    assert_eq!(json(&["params", &other, "--json"])["model"]["fc"], 5.0);
    let run = ok(&["params", &path, "-o", "-"]);
    assert_eq!((run.out, run.err), (ok(&["params", &path]).out, String::new()));
}

#[test]
fn what_a_recipe_takes_and_what_noise_lacks_is_noted() {
    let err = ok(&["params", "lugre", "--from", "delta=1e-5"]).err;
    assert_eq!(err, "note: took fs = 1.5 [N] from the law\n");
    let offset = |more: &[&str]| {
        ok(&[&["params", "lugre", "--set", "noise.amplitude=1"], more].concat()).err.contains("constant force")
    };
    assert!(offset(&[]));
    assert!(!offset(&["--set", "noise.wave=10"]) && !offset(&["--set", "noise.amplitude=0"]));
}

#[test]
fn a_file_that_cannot_be_written_leaves_nothing() {
    let folder = Folder::new("params-refused");
    refused(&["params", "lugre", "-o", &folder.path("no/such/set.toml")]);
    assert!(folder.is_empty());
}
