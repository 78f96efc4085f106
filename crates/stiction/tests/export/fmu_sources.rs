//! The C sources of units: those that are made from the library are current, and all of them compile without a warning.
use crate::build::{STRICT, folder, run, save};
use crate::fmu::plan;
use crate::skip::c_compiler;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use stiction::export::fmu::{FmiVersion, UnitKind, elementary_source, rodas5p_source};

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/export/fmu/sources")
}

#[test]
fn sources_that_are_made_from_the_library_are_current() {
    let made = folder("fmu-sources");
    let mut outdated = Vec::new();
    for (name, want) in [("elementary.c", elementary_source()), ("rodas5p.c", rodas5p_source())] {
        if fs::read_to_string(sources().join(name)).unwrap() != want {
            fs::write(made.join(name), want).unwrap();
            outdated.push(name);
        }
    }
    assert!(outdated.is_empty(), "copy {outdated:?} from {} to {}", made.display(), sources().display());
}

/// Sizes and indices are small numbers that C counts in several types.
fn strict() -> impl Iterator<Item = &'static &'static str> {
    STRICT.iter().filter(|flag| **flag != "-Wconversion")
}

#[test]
fn sources_of_every_law_compile_without_a_word() {
    let Some(compiler) = c_compiler() else { return };
    // shapes of laws: with and without a set, a band, memory, guards, jumps, an extremum, conditions
    let shapes = [
        ("coulomb", UnitKind::Body),
        ("karnopp", UnitKind::Body),
        ("hysteresis", UnitKind::Body),
        ("gms", UnitKind::Law),
        ("viscous", UnitKind::Law),
        ("rate-state", UnitKind::Body),
    ];
    for (law, kind) in shapes {
        for version in [FmiVersion::Two, FmiVersion::Three] {
            let plan = plan(law, kind, version).unwrap();
            let at = folder(&format!("fmu-strict-{}-{}", plan.identifier, version.name()));
            save(&at, plan.files());
            let files = ["-c", "sources/unit.c", "-o", "unit.o"];
            run(Command::new(compiler).current_dir(&at).args(strict()).args(files));
        }
    }
}

#[test]
fn the_library_that_runs_any_unit_compiles_without_a_word() {
    let Some(compiler) = c_compiler() else { return };
    let object = folder("fmu-strict-prebuilt").join("prebuilt.o");
    run(Command::new(compiler).current_dir(sources()).args(strict()).args(["-c", "prebuilt.c", "-o"]).arg(object));
}
