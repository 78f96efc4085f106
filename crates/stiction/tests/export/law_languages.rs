//! Laws in other languages: what is written compiles without a word and passes the test that comes with it.
use crate::build::{STRICT, folder, run, rustc, save};
use crate::skip::c_compiler;
use std::process::Command;
use stiction::core::models;
use stiction::core::registry::LawEntry;
use stiction::export::law::{LawCode, LawTarget};

/// All built-in laws, and one from a file.
fn laws() -> Vec<&'static LawEntry> {
    models::ALL.iter().collect()
}

#[test]
fn every_law_in_c_has_the_bits_of_the_law() {
    let Some(compiler) = c_compiler() else { return };
    for law in laws() {
        let code = LawCode::new(law);
        let folder = folder(&format!("law-c-{}", code.name));
        save(&folder, &LawTarget::C.files(&code).unwrap());
        let [source, test] = ["", "_test"].map(|end| format!("{}{end}.c", code.name));
        // with a compiler's usual optimisation, so that it may do all that bits allow
        let mut cc = Command::new(&compiler);
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
    // the device needs a machine with one; the same text for the host is compiled here
    for law in laws() {
        let code = LawCode::new(law);
        let folder = folder(&format!("law-cuda-{}", code.name));
        save(&folder, &LawTarget::Cuda.files(&code).unwrap());
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
        let code = LawCode::new(law);
        let folder = folder(&format!("law-rust-{}", code.name));
        save(&folder, &LawTarget::Rust.files(&code).unwrap());
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
