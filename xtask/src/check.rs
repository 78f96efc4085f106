//! The one test command.
use crate::{Failure, blocks, built, generate, links, prose, root, suite};
use std::process::Command;
use std::time::Instant;

type Step<'a> = &'a dyn Fn() -> Result<(), Failure>;

/// Runs every step in order and stops at the first that fails.
pub fn run() -> Result<(), Failure> {
    let steps: [(&str, Step<'_>); 12] = [
        ("format", &|| cargo(&["fmt", "--all", "--check"], &[])),
        ("generated files", &|| generate::run(true, false)),
        ("citations", &prose::citations),
        ("paths in documents", &prose::paths),
        ("links in documents", &links::run),
        ("lints", &|| cargo(&["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"], &[])),
        ("tests", &suite::run),
        ("core alone", &|| cargo(&["check", "-p", "stiction-core", "--locked", "--no-default-features"], &[])),
        ("no std, no allocation, no panic", &probe),
        ("blocks in documents", &|| blocks::run(&[])),
        ("examples", &examples),
        ("documentation", &|| {
            cargo(&["doc", "--workspace", "--no-deps", "--locked", "-q"], &[("RUSTDOCFLAGS", "-D warnings")])
        }),
    ];
    let begin = Instant::now();
    for (name, step) in steps {
        let start = Instant::now();
        eprintln!("=== {name}");
        step().map_err(|e| format!("{name}: {e}"))?;
        eprintln!("=== {name}: ok, {:.1} s", start.elapsed().as_secs_f64());
    }
    eprintln!("=== all {} steps ok, {:.0} s", steps.len(), begin.elapsed().as_secs_f64());
    Ok(())
}

fn cargo(args: &[&str], env: &[(&str, &str)]) -> Result<(), Failure> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(root()).envs(env.iter().copied());
    finish(command, &format!("cargo {}", args.join(" ")))
}

fn finish(mut command: Command, what: &str) -> Result<(), Failure> {
    let status = command.status().map_err(|e| format!("cannot run `{what}`: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("`{what}` failed")) }
}

/// Runs every example; each checks itself.
fn examples() -> Result<(), Failure> {
    for file in prose::sources(&root().join("crates/stiction/examples"))? {
        let name = file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let mut command = Command::new(built().join("examples").join(&name));
        command.stdout(std::process::Stdio::null());
        finish(command, &format!("example {name}"))?;
    }
    Ok(())
}

/// Links a freestanding program that runs every law; see `xtask/probe`.
fn probe() -> Result<(), Failure> {
    if !cfg!(all(target_os = "linux", target_env = "gnu")) {
        eprintln!("skipped: the freestanding link needs Linux and glibc");
        return Ok(());
    }
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .args(["rustc", "-q", "--release", "--locked", "--", "-C", "link-arg=-nostartfiles", "-C", "link-arg=-lc"])
        .current_dir(root().join("xtask/probe"))
        .env("CARGO_TARGET_DIR", built().join("probe"));
    finish(command, "link of xtask/probe")
}
