//! Laws as functions for MATLAB, run by GNU Octave.
use crate::awkward::awkward_laws;
use crate::build::{folder, run};
use crate::skip::skip;
use std::fs;
use std::process::Command;
use stiction::core::models;
use stiction::export::SourceFile;
use stiction::export::law::{LawCode, matlab};

fn octave() -> Option<&'static str> {
    let there = |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|out| out.status.success());
    let found = ["octave-cli", "octave"].into_iter().find(there);
    if found.is_none() {
        skip("there is no GNU Octave here, so the MATLAB functions of laws are not run");
    }
    found
}

#[test]
fn octave_finds_the_same_numbers() {
    let Some(octave) = octave() else { return };
    let at = folder("laws_in_matlab");
    let (mut all, mut count) = (String::new(), 0);
    for law in models::ALL.iter().chain(awkward_laws()) {
        let files = matlab::files(&LawCode::new(law).unwrap());
        for SourceFile { path, text } in &files {
            fs::write(at.join(path), text).unwrap();
        }
        // the runner is the last file
        let test = files.last().unwrap().path.strip_suffix(".m").unwrap();
        all += &format!("{test}\n");
        count += 1;
    }
    fs::write(at.join("run_all_laws.m"), all).unwrap();
    let said = run(Command::new(octave).current_dir(&at).args(["--norc", "--quiet", "run_all_laws.m"]));
    let said = String::from_utf8_lossy(&said);
    println!("{said}");
    assert_eq!(said.lines().filter(|line| line.contains("points agree")).count(), count, "{said}");
}

/// Integers and single precision would round on the way, and complex numbers choose the wrong branch.
#[test]
fn arguments_are_taken_as_real_doubles() {
    let Some(octave) = octave() else { return };
    let at = folder("types_in_matlab");
    let law = models::ALL.iter().find(|law| law.name == "lugre").unwrap();
    for SourceFile { path, text } in matlab::files(&LawCode::new(law).unwrap()) {
        fs::write(at.join(path), text).unwrap();
    }
    let script = "p = lugre_params('fc', int32(2), 'fs', single(3));\n\
        f = lugre_force(int32(1), 1, single(1), p);\n\
        disp(isa(f, 'double') && f == lugre_force(1, 1, 1, lugre_params('fc', 2, 'fs', 3)));\n\
        try, lugre_force(1i, 1, 0, p); catch e, disp(e.message); end\n";
    fs::write(at.join("types.m"), script).unwrap();
    let said = run(Command::new(octave).current_dir(&at).args(["--norc", "--quiet", "types.m"]));
    assert_eq!(String::from_utf8_lossy(&said), "1\narguments and parameters are real numbers\n");
}
