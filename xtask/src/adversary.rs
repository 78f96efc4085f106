//! Runs the adversary of the simulator in release.
use crate::{Error, root};
use std::process::Command;

/// `cargo x adversary [ARGUMENTS]`; it prints what the arguments are if one is wrong.
pub fn run(args: &[&str]) -> Result<(), Error> {
    // Built together with the program: the same features of all dependencies, so that nothing is compiled a second time.
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--release", "-q", "-p", "stiction-cli", "-p", "adversary", "--locked"])
        .current_dir(root())
        .status()
        .map_err(|e| format!("cannot build the adversary: {e}"))?;
    if !built.success() {
        return Err("the adversary does not build".into());
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir));
    let status = Command::new(target.join("release").join(format!("adversary{}", std::env::consts::EXE_SUFFIX)))
        .args(args)
        .current_dir(root())
        .status()
        .map_err(|e| format!("cannot run the adversary: {e}"))?;
    if status.success() { Ok(()) } else { Err("the adversary found something".into()) }
}
