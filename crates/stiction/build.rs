//! Compiles the library that runs any functional mock-up unit, so that the program can put it into units where there is no C compiler. A
//! machine that builds Rust programs has one nearly always, because it links with it. Without one the program says so.
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let sources = Path::new("src/export/fmu/sources");
    println!("cargo::rerun-if-changed={}", sources.display());
    println!("cargo::rerun-if-env-changed=CC");
    println!("cargo::rerun-if-env-changed=TARGET_CC");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let library = out.join("unit_library");
    let text = match compile(sources, &library) {
        Ok(()) => format!("Ok(include_bytes!({:?}))", library.display().to_string()),
        Err(reason) => format!("Err({reason:?})"),
    };
    if let Err(error) = fs::write(out.join("unit_library.rs"), text) {
        println!("cargo::error=cannot write to {}: {error}", out.display());
    }
}

/// Compiles the library, or says why it cannot be compiled.
fn compile(sources: &Path, library: &Path) -> Result<(), String> {
    let of = |name: &str| env::var(name).unwrap_or_default();
    if !["linux", "macos"].contains(&of("CARGO_CFG_TARGET_OS").as_str()) {
        return Err("on this platform it is not compiled".to_owned());
    }
    let is_cross = of("HOST") != of("TARGET");
    let names = if is_cross { vec!["TARGET_CC"] } else { vec!["TARGET_CC", "CC"] };
    let named = names.into_iter().map(of).find(|name| !name.trim().is_empty());
    let compiler = match named {
        Some(name) => name,
        None if is_cross => return Err("TARGET_CC named no C compiler for this platform".to_owned()),
        None => "cc".to_owned(),
    };
    let mut words = compiler.split_whitespace();
    let output = Command::new(words.next().unwrap_or_default())
        .args(words)
        .args(["-std=c99", "-O2", "-s", "-shared", "-fPIC", "-fvisibility=hidden"])
        .arg(sources.join("prebuilt.c"))
        .arg("-o")
        .arg(library)
        .arg("-lm")
        .output()
        .map_err(|error| format!("{compiler}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let line = said.lines().find(|line| line.contains("error")).or(said.lines().next());
    Err(format!("{compiler}: {}", line.unwrap_or("it says nothing")))
}
