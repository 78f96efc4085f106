//! Runs the Python scripts in `tests/reference` of the crates: those that write a table must give the values that are
//! committed beside them, the others must run.
use crate::{Error, built, files, python, read, root};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Values may differ by this part of the larger of them: SciPy's own rounding differs between its versions and processors,
/// and the tests that use the values have wider tolerances.
const TOLERANCE: f64 = 1e-7;

/// Runs every script; what was skipped, and why.
pub fn run() -> Result<Vec<String>, Error> {
    let mut scripts = Vec::new();
    for folder in std::fs::read_dir(root().join("crates")).map_err(|e| format!("cannot list crates: {e}"))?.flatten() {
        let folder = folder.path().join("tests/reference");
        if folder.is_dir() {
            scripts.extend(
                files::sources(&folder)?.into_iter().filter(|path| path.extension().is_some_and(|e| e == "py")),
            );
        }
    }
    scripts.sort();
    let mut skipped = Vec::new();
    for script in scripts {
        let name = script.strip_prefix(root()).unwrap_or(&script).display().to_string();
        match missing_package(&script)? {
            Some(package) => skipped.push(format!("{name}: no {package} here")),
            None => one(&script).map_err(|e| format!("{name}: {e}"))?,
        }
    }
    Ok(skipped)
}

/// The first thing that a script needs and that is not here: Python itself, or a package that it imports.
fn missing_package(script: &Path) -> Result<Option<String>, Error> {
    let text = read(script)?;
    let packages = text.lines().filter_map(|line| {
        let rest = line.strip_prefix("import ").or_else(|| line.strip_prefix("from "))?;
        rest.split([' ', '.', ',']).next()
    });
    for package in packages {
        match Command::new(python::program()).args(["-c", &format!("import {package}")]).output() {
            Err(_) => return Ok(Some("python3".into())),
            Ok(out) if !out.status.success() => return Ok(Some(format!("Python package {package}"))),
            Ok(_) => {}
        }
    }
    Ok(None)
}

fn one(script: &Path) -> Result<(), Error> {
    let table = script.with_extension("csv");
    let writes_file = read(script)?.contains("--csv");
    let made: PathBuf = built().join("reference.csv");
    let mut command = Command::new(python::program());
    command.arg(script);
    if writes_file {
        command.arg("--csv").arg(&made);
    }
    let out = command.output().map_err(|e| format!("cannot run python3: {e}"))?;
    if !out.status.success() {
        return Err(String::from_utf8_lossy(&out.stderr).into_owned());
    }
    if !table.is_file() {
        return Ok(());
    }
    let new = if writes_file { read(&made)? } else { String::from_utf8_lossy(&out.stdout).into_owned() };
    compare(&read(&table)?, &new)
}

/// Whether two tables agree: the same texts, and nearly the same numbers.
fn compare(committed: &str, new: &str) -> Result<(), Error> {
    let (old_lines, new_lines): (Vec<&str>, Vec<&str>) = (committed.lines().collect(), new.lines().collect());
    if old_lines.len() != new_lines.len() {
        return Err(format!("gives {} lines; {} are committed", new_lines.len(), old_lines.len()));
    }
    for (k, (old, new)) in old_lines.iter().zip(&new_lines).enumerate() {
        if old.split(',').count() != new.split(',').count()
            || !old.split(',').zip(new.split(',')).all(|(a, b)| near(a, b))
        {
            return Err(format!("line {} is `{new}`; `{old}` is committed", k + 1));
        }
    }
    Ok(())
}

fn near(a: &str, b: &str) -> bool {
    match (a.parse::<f64>(), b.parse::<f64>()) {
        // below 1e-12 a value is the rounding of an exact zero
        (Ok(a), Ok(b)) => (a - b).abs() <= TOLERANCE * a.abs().max(b.abs()) + 1e-12,
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::compare;

    #[test]
    fn tables_agree_up_to_rounding() {
        assert!(compare("case,value\na,1.0\n", "case,value\na,1.00000000001\n").is_ok());
        for wrong in ["case,value\na,1.1\n", "case,value\nb,1.0\n", "case,value\n"] {
            assert!(compare("case,value\na,1.0\n", wrong).is_err(), "{wrong}");
        }
    }
}
