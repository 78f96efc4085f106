//! Laws in other languages: what is written compiles without a word and passes the test that comes with it.
use crate::awkward::{COMPARED, POWERS, SHARED};
use crate::build::{STRICT, folder, run, rustc, save};
use crate::skip::c_compiler;
use std::path::Path;
use std::process::Command;
use stiction::LawFile;
use stiction::core::models;
use stiction::core::registry::LawEntry;
use stiction::export::law::{LawCode, LawTarget};

/// A law file whose names are words of other languages, with a memory of several coupled numbers.
const AWKWARD: &str = r#"
name = "static"
summary = "Names that are words of other languages\rpub fn injected() {}"
cite = ["a\npub fn injected() {}", "*/ int injected;"]
[params]
double = { unit = "N", default = 1.0, min = 1e-9, max = 1e9 }
lambda = { unit = "N/m", default = 1e5, min = 1e-3, max = 1e12 }
_      = { unit = "-", default = 1.0, min = 0, max = 2 }
NULL   = { unit = "-", default = 1.0, min = 0, max = 2 }
match  = { unit = "m/s", default = 0.01, min = 1e-9, max = 1e3 }
p      = { unit = "1/s", default = 3.0, min = 0, max = 1e3 }
body   = { unit = "-", default = 0.5, min = 0, max = 1e3 }
[states]
class = "m"
in    = "m"
[equations]
level      = "double*(1 + body*exp(-(v/match)^2))"
rate.class = "v - lambda*abs(v)*class/level + p*(in - class)"
rate.in    = "p*(class - in)"
force      = "load*lambda*class*_*NULL"
"#;

/// All built-in laws, and some from files.
fn laws() -> Vec<&'static LawEntry> {
    let files = [AWKWARD, POWERS, COMPARED, SHARED]
        .map(|text| LawFile::parse(text, Path::new("law.toml")).expect("a law file").entry());
    models::ALL.iter().chain(files).collect()
}

#[test]
fn every_law_in_c_has_the_bits_of_the_law() {
    let Some(compiler) = c_compiler() else { return };
    for law in laws() {
        let code = LawCode::new(law).unwrap();
        let folder = folder(&format!("law-c-{}", code.name));
        save(&folder, LawTarget::C.files(&code).unwrap());
        let [source, test] = ["", "_test"].map(|end| format!("{}{end}.c", code.name));
        // with a compiler's usual optimisation, so that it may do all that bits allow
        let mut cc = Command::new(compiler);
        run(cc.current_dir(&folder).args(STRICT).args(["-O1", &source, &test, "-o", "test"]));
        let said = String::from_utf8(run(&mut Command::new(folder.join("test")))).unwrap();
        assert!(said.contains(&format!("{} points agree bit for bit", 64 * code.functions.len())), "{said}");
    }
}

#[test]
fn every_law_in_cuda_is_cpp_for_the_host() {
    if c_compiler().is_none() {
        return;
    }
    // The device needs a machine with one; the same text for the host is compiled here. It is that of C, which all laws pass, so
    // some are enough: without memory, with loops, with random numbers, from a file.
    let some = ["stribeck", "bouc-wen", "hysteresis", "bristle", "static"];
    for law in laws().into_iter().filter(|law| some.contains(&law.name)) {
        let code = LawCode::new(law).unwrap();
        let folder = folder(&format!("law-cuda-{}", code.name));
        save(&folder, LawTarget::Cuda.files(&code).unwrap());
        let test = format!("{}_test.cu", code.name);
        let mut cc = Command::new("c++");
        run(cc.current_dir(&folder).args([
            "-x",
            "c++",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-ffp-contract=off",
            "-O1",
            &test,
            "-o",
            "test",
        ]));
        let said = String::from_utf8(run(&mut Command::new(folder.join("test")))).unwrap();
        assert!(said.contains("points agree bit for bit"), "{said}");
    }
}

#[test]
fn every_law_in_rust_has_the_bits_of_the_law() {
    for law in laws() {
        let code = LawCode::new(law).unwrap();
        let folder = folder(&format!("law-rust-{}", code.name));
        save(&folder, LawTarget::Rust.files(&code).unwrap());
        let library = folder.join(format!("lib{}.rlib", code.name));
        // not optimised: bits do not depend on it, and compiling takes the time
        let mut compile = rustc();
        compile.args(["-C", "debuginfo=0"]);
        compile.current_dir(&folder).args(["--crate-type", "rlib", "--crate-name", &code.name, "src/lib.rs", "-o"]);
        run(compile.arg(&library));
        let mut link = rustc();
        link.args(["-C", "debuginfo=0"]);
        link.current_dir(&folder).arg("--extern").arg(format!("{}={}", code.name, library.display()));
        run(link.args(["--test", "tests/points.rs", "-o", "test"]));
        let said = String::from_utf8(run(&mut Command::new(folder.join("test")))).unwrap();
        assert!(said.contains(&format!("{} passed; 0 failed", code.functions.len())), "{said}");
    }
}

#[test]
fn the_head_of_a_file_tells_units_conditions_and_the_load() {
    let text = |law: &str, target: LawTarget| {
        let law = laws().into_iter().find(|known| known.name == law).unwrap();
        let files = target.files(&LawCode::new(law).unwrap()).unwrap();
        String::from_utf8_lossy(&files.into_iter().flat_map(|file| file.bytes).collect::<Vec<u8>>()).into_owned()
    };
    let gear = text("gear", LawTarget::C);
    for part in ["holds the body (rad/s)", "over the step (N m)", "it has a sign", "The law holds for fs >= fc"] {
        assert!(gear.contains(part), "{part}\n{gear}");
    }
    assert!(text("lugre", LawTarget::C).contains("below zero it counts as zero"));
    assert!(text("gear", LawTarget::NumPy).contains("Sliding velocity (rad/s)"));
    // a parameter without a description
    let [c, rust, matlab, js] =
        [LawTarget::C, LawTarget::Rust, LawTarget::Matlab, LawTarget::Wasm].map(|target| text("powers", target));
    assert!(c.contains("double fc; /* (N) */") && c.contains("double two;\n"), "{c}");
    assert!(
        rust.contains("/// In N.\n") && matlab.contains("p.fc = 1; % (N)\n") && js.contains("/** 1e-9 to 1e9 N. */")
    );
}
