//! Runs the benchmarks in release and writes the results to one file per machine.
use crate::{Error, python_package, root};
use std::process::{Command, Stdio};

/// `cargo x bench [NAME]`; all of them without a name.
pub fn run(args: &[&str]) -> Result<(), Error> {
    // Built together with the program: the same features of all dependencies, so that nothing is compiled a second time.
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--release", "-q", "-p", "stiction-cli", "-p", "bench", "--locked"])
        .current_dir(root())
        .status()
        .map_err(|e| format!("cannot build the benchmarks: {e}"))?;
    if !built.success() {
        return Err("the benchmarks do not build".into());
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir));
    let mut bench = Command::new(target.join("release").join(format!("bench{}", std::env::consts::EXE_SUFFIX)));
    if args.first() == Some(&"python") && std::env::var_os("STICTION_PYTHON").is_none() {
        // the package of these sources; STICTION_PYTHON names a Python with another one
        let (python, library) = python_package::release()?;
        bench.env("STICTION_PYTHON", python).env("PYTHONPATH", library);
    }
    let out = bench
        .args(args)
        .current_dir(root())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| format!("cannot run the benchmarks: {e}"))?;
    if !out.status.success() {
        return Err("the benchmarks failed".into());
    }
    let csv = String::from_utf8_lossy(&out.stdout);
    if csv.trim().is_empty() {
        // a diagram of what was measured before
        return Ok(());
    }
    print!("{csv}");
    // the first line is "# processor, width, version"
    let machine = csv.lines().next().unwrap_or("").trim_start_matches("# ");
    let machine: String = machine.split(", stiction").next().unwrap_or("").to_owned();
    let name: String = machine
        .to_lowercase()
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|w| !w.is_empty())
        .collect::<Vec<_>>()
        .join("-");
    let file = root().join(format!("bench/results/{}-{name}.csv", args.first().unwrap_or(&"all")));
    std::fs::write(&file, csv.as_bytes()).map_err(|e| format!("cannot write {}: {e}", file.display()))?;
    eprintln!("written to {}", file.display());
    Ok(())
}
