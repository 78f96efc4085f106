//! Laws as Modelica packages: what can be checked without a compiler of Modelica.
use crate::build::{folder, save};
use std::collections::BTreeSet;
use std::path::Path;
use stiction::core::{Input, models};
use stiction::export::law::{FunctionKind, LawCode, modelica};
use stiction::{LawFile, Spec};

/// The words of a text without strings, comments and what follows a point.
fn words(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for line in text.lines() {
        let code: String = line.split('"').step_by(2).collect::<Vec<_>>().join(" ");
        let code = code.split("//").next().unwrap_or_default();
        let mut word = String::new();
        for c in code.chars().chain([' ']) {
            if c.is_ascii_alphanumeric() || c == '_' || c == '.' {
                word.push(c);
            } else if !word.is_empty() {
                out.push(std::mem::take(&mut word));
            }
        }
    }
    out
}

/// Every function declares what it uses, once, and every block is closed by its name.
fn check(text: &str, what: &str) {
    let mut open: Vec<String> = Vec::new();
    let mut declared: BTreeSet<String> = BTreeSet::new();
    let mut in_algorithm = false;
    for line in text.lines() {
        let words = words(line);
        let first = words.first().map(String::as_str);
        match (first, &words[..]) {
            (Some("package" | "function" | "record" | "model"), [_, name, ..]) => {
                open.push(name.clone());
                (declared, in_algorithm) = (BTreeSet::new(), false);
            }
            (Some("for"), _) => open.push("for".into()),
            (Some("if"), _) if line.trim_end().ends_with("then") => open.push("if".into()),
            (Some("when"), _) => open.push("when".into()),
            (Some("end"), [_, name, ..]) => assert_eq!(open.pop().as_ref(), Some(name), "{what}: {line}"),
            (Some("algorithm"), _) => in_algorithm = true,
            (Some("input" | "output"), [_, _, name, ..]) => {
                assert!(declared.insert(name.clone()), "{what}: {name} twice");
            }
            (Some("Real" | "Boolean"), [_, names @ ..]) if !in_algorithm && open.len() == 2 => {
                let plain = !line.contains('(');
                for name in names.iter().take(if plain { usize::MAX } else { 1 }) {
                    assert!(declared.insert(name.clone()), "{what}: {name} twice");
                }
            }
            _ => {}
        }
        let in_function =
            in_algorithm && open.len() >= 2 && !what.ends_with("Test.mo") && !open.iter().any(|o| o == "Internal");
        if in_function && line.contains(":=") {
            for word in &words {
                let begins = word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
                let known = ["if", "then", "else", "and", "or", "not", "true", "false"].contains(&word.as_str())
                    || ["exp", "log", "tanh", "sqrt", "abs", "floor"].contains(&word.as_str());
                let scope = word.starts_with("p.") || word.starts_with("Internal.");
                assert!(!begins || known || scope || declared.contains(word), "{what}: {word} in {line}");
            }
            // a sign may not follow an operator
            for pair in ["* -", "/ -", "+ -", "- -"] {
                assert!(!line.contains(pair), "{what}: {line}");
            }
        }
    }
    assert!(open.is_empty(), "{what}: {open:?}");
}

const AWKWARD: &str = r#"
name = "in"
[params]
lambda = { unit = "N", default = 1.0, min = 0.0, max = 10.0, doc = "A \"level\" \\ of things" }
load2 = { unit = "-", default = -2.0, min = -3.0 }
time = { unit = "N·s/m", default = 2.5e-7 }
time_ = { unit = "N·s/m", default = 2.5e-7 }
reach = { unit = "m", default = 1e-5 }
[states]
t1 = "m"
end = "-"
class = "m^3"
p = "-"
friction = "-"
[equations]
rate.t1 = "v*load2"
rate.end = "(1 - end)*abs(v)*(time/time_)/reach"
rate.class = "0"
rate.p = "0"
rate.friction = "0"
force = "load*lambda*tanh(end)*sign(v) + v*(time + time_)"
hold = "load*lambda"
"#;

#[test]
fn every_package_declares_what_it_uses() {
    let folder = folder("modelica");
    let files = ["armstrong", "gear", "gms", "karnopp", "lugre", "reset-integrator"].map(|name| {
        let path = format!("{}/tests/law_file/laws/file-{name}.toml", env!("CARGO_MANIFEST_DIR"));
        LawCode::new(LawFile::read(Path::new(&path)).unwrap().entry()).unwrap()
    });
    let awkward = LawCode::new(LawFile::parse(AWKWARD, Path::new("in.toml")).unwrap().entry()).unwrap();
    let both = [
        ("stribeck", &["reverse.fs", "load.base", "load.slope"][..]),
        ("lugre", &["reverse.fc"]),
        ("lugre", &["reverse.sigma0"]),
        ("gms", &["reverse.fc", "load.slope"]),
    ]
    .map(|(law, keys)| {
        let mut spec = Spec::new(law).unwrap();
        keys.iter().for_each(|key| assert!(spec.set(key, 1.9).is_ok()));
        LawCode::of(&spec).unwrap()
    });
    let mut count = 0;
    let laws = models::ALL.iter().map(|law| LawCode::new(law).unwrap());
    for code in laws.chain(files).chain([awkward]).chain(both) {
        let files = modelica::files(&code);
        for file in &files {
            check(&file.text, &file.path);
        }
        save(&folder, files.clone());
        count += 1;
    }
    assert_eq!(count, 28 + 6 + 1 + 4);
}

/// What a law of two directions needs of the model: a set at rest where its own law has one, or where the directions differ in stiffness.
#[test]
fn parameters_of_wrappers_are_in_the_record_and_decide_the_model() {
    let text = |law: &str, values: &[(&str, f64)]| {
        let mut spec = Spec::new(law).unwrap();
        values.iter().for_each(|(key, x)| assert!(spec.set(key, *x).is_ok()));
        modelica::files(&LawCode::of(&spec).unwrap())[0].text.clone()
    };
    let stribeck = text("stribeck", &[("reverse.fs", 1.9), ("load.base", 0.5), ("load.slope", 0.25)]);
    assert!(stribeck.contains("Real reverse_fs(unit=\"N\"") && stribeck.contains("p.reverse_fs"), "{stribeck}");
    assert!(stribeck.contains("Real load_slope(min=") && stribeck.contains("p.load_slope * load"), "{stribeck}");
    assert!(stribeck.contains("PartialFriction") && stribeck.contains("\"Normal load in its own unit\""), "{stribeck}");
    assert!(!text("lugre", &[("reverse.fc", 1.3)]).contains("PartialFriction"));
    assert!(text("lugre", &[("reverse.sigma0", 1e4)]).contains("PartialFriction"));
}

/// Bristles draw their random numbers by sums and products: no other function of the package computes with bits.
#[test]
fn bristles_draw_random_numbers_without_words() {
    let files = modelica::files(&LawCode::new(models::find("bristle").unwrap()).unwrap());
    let text = &files[0].text;
    assert!(text.contains("function uniform") && text.contains("Internal.uniform(p.seed, "), "{text}");
    assert!(text.contains("sample(0, period)"), "its memory jumps");
}

/// The set of forces at rest of the models is that of the laws.
#[test]
fn the_half_width_at_rest_has_the_bits_of_the_law() {
    let mut held = Vec::new();
    for law in models::ALL {
        let code = LawCode::new(law).unwrap();
        let Some(program) = code.hold() else { continue };
        held.push(law.name);
        let signals = FunctionKind::Force.signals().len();
        for point in code.test_points(FunctionKind::Force) {
            let (load, rest) = (point.inputs[1], &point.inputs[signals..]);
            let (memory, values) = rest.split_at(law.states.len());
            let built = law.build(values).unwrap();
            for dir in [-1.0, 1.0] {
                let want = built.hold(memory, &Input { v: 0.0, load }, dir);
                let got = program.evaluate(&[&[load, dir], rest].concat());
                assert_eq!(got, [want], "{} at {point:?}", law.name);
            }
        }
    }
    let sticking =
        ["carlson-langer", "coulomb", "gear", "karnopp", "rate-state", "slip-variable", "stiction", "stribeck"];
    held.sort_unstable();
    assert_eq!(held, sticking);
}
