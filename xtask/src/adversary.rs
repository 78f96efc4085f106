//! Runs the adversary of the simulator: in release with any arguments, and in the debug build as a step of the check.
use crate::{Error, built, files, read, root};
use std::process::{Command, Stdio};

/// The systems of the check: seeds, and how many from number 0 on. Measured in the build of the tests: a second of a processor for
/// each, so about a minute and a half on two idle cores. No system among them is left out; the counts end before the first system that fails because of an open
/// finding, and go up when findings are mended.
const CHECKED: [(u64, u64); 4] = [(1, 40), (2, 40), (3, 50), (4, 50)];

/// `cargo x adversary [ARGUMENTS]`; it prints what the arguments are if one is wrong.
pub fn run(args: &[&str]) -> Result<(), Error> {
    // Built together with the program: the same features of all dependencies, so that nothing is compiled a second time.
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let done = Command::new(cargo)
        .args(["build", "--release", "-q", "-p", "stiction-cli", "-p", "adversary", "--locked"])
        .current_dir(root())
        .status()
        .map_err(|e| format!("cannot build the adversary: {e}"))?;
    if !done.success() {
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

/// The step of the check: fixed systems, with the program that the tests were built with. Returns the open findings, which these
/// systems do not include.
pub fn check() -> Result<Vec<String>, Error> {
    for (seed, count) in CHECKED {
        let out = Command::new(built().join(format!("adversary{}", std::env::consts::EXE_SUFFIX)))
            .args(["--seed", &seed.to_string(), "--count", &count.to_string()])
            .current_dir(root())
            .stderr(Stdio::inherit())
            .output()
            .map_err(|e| format!("cannot run the adversary: {e}"))?;
        let text = String::from_utf8_lossy(&out.stdout);
        if !out.status.success() {
            return Err(format!("{text}\nthe adversary found something at seed {seed}"));
        }
        // without the counts of components, which are the same each time
        text.lines().take_while(|line| !line.starts_with("law ")).for_each(|line| eprintln!("{line}"));
    }
    let open = open_findings()?;
    eprintln!("open findings of the adversary: {}", open.len());
    open.iter().for_each(|line| eprintln!("  {line}"));
    Ok(open)
}

/// Name and first line of every file in `adversary/open`.
fn open_findings() -> Result<Vec<String>, Error> {
    let folder = root().join("adversary/open");
    let mut found = Vec::new();
    if folder.exists() {
        for path in files::sources(&folder)?.iter().filter(|path| path.extension().is_some_and(|e| e == "toml")) {
            let name = path.strip_prefix(root()).unwrap_or(path).display().to_string();
            let text = read(path)?;
            let what = text.lines().next().unwrap_or_default().trim_start_matches("# ");
            found.push(format!("open finding {name}: {what}"));
        }
    }
    found.sort();
    Ok(found)
}
