//! Documentation that must stay true: citations have an entry, paths exist, the README's commands run.
use crate::{Failure, built, read, root};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Every citation key in the sources has an entry in the bibliography.
pub fn citations() -> Result<(), Failure> {
    let bib = read(&root().join("docs/references.bib"))?;
    let mut missing = Vec::new();
    for file in sources(&root().join("crates/stiction-core/src"))? {
        let text = read(&file)?;
        let listed = text.split("cite [").skip(1).filter_map(|s| s.split_once(']')).flat_map(|(s, _)| s.split(','));
        // (Author1999) in a comment
        let quoted = text.lines().filter(|l| l.trim_start().starts_with("//"));
        let quoted = quoted.flat_map(|l| l.split('(').skip(1)).filter_map(|s| s.split_once(')')).map(|(s, _)| s);
        for key in listed.chain(quoted).map(|k| k.trim().trim_matches('"')) {
            if is_key(key) && !bib.contains(&format!("{{{key},")) {
                missing.push(format!("{key} ({})", file.display()));
            }
        }
    }
    if missing.is_empty() { Ok(()) } else { Err(format!("not in docs/references.bib: {}", missing.join(", "))) }
}

/// `Author1999`.
fn is_key(s: &str) -> bool {
    s.len() > 4
        && s.starts_with(|c: char| c.is_ascii_uppercase())
        && s.chars().all(|c| c.is_ascii_alphanumeric())
        && s.chars().filter(char::is_ascii_lowercase).count() > 1
        && (s.ends_with("Friction") || s[s.len() - 4..].chars().all(|c| c.is_ascii_digit()))
}

/// Every path in back quotes in the top-level documents exists.
pub fn paths() -> Result<(), Failure> {
    let mut missing = Vec::new();
    for name in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"] {
        let text = read(&root().join(name))?;
        for word in text.split('`').skip(1).step_by(2) {
            let is_path = word.contains('/') && !word.contains([' ', '<', '*', '{', '$', '(', '=', ':', '|', '·']);
            let known = ["crates/", "docs/", "bench/", "xtask/", "scenarios/", ".ci/", ".cargo/"]
                .iter()
                .any(|p| word.starts_with(p));
            if is_path && known && !root().join(word).exists() {
                missing.push(format!("{word} ({name})"));
            }
        }
    }
    if missing.is_empty() { Ok(()) } else { Err(format!("no such path: {}", missing.join(", "))) }
}

/// Every command of the README's console blocks runs, in a scratch folder, and prints each line shown below it; one
/// shown with an `error:` must exit with 2. A line `...` stands for anything.
pub fn commands() -> Result<(), Failure> {
    let text = read(&root().join("README.md"))?;
    let scratch = built().join("readme");
    std::fs::create_dir_all(&scratch).map_err(|e| format!("cannot make {}: {e}", scratch.display()))?;
    let path = format!("{}:{}", built().display(), std::env::var("PATH").unwrap_or_default());
    let mut ran = 0;
    for block in text.split("```console\n").skip(1).filter_map(|b| b.split_once("```")).map(|(b, _)| b) {
        for part in format!("\n{block}").split("\n$ ").skip(1) {
            let (line, shown) = part.split_once('\n').unwrap_or((part, ""));
            if line.starts_with("cargo x") {
                continue;
            }
            ran += 1;
            let out = Command::new("sh")
                .args(["-c", &line.replace("cargo run --release --", "stiction")])
                .current_dir(&scratch)
                .env("PATH", &path)
                .output()
                .map_err(|e| format!("cannot run a shell: {e}"))?;
            let printed = format!("{}\n{}", String::from_utf8_lossy(&out.stderr), String::from_utf8_lossy(&out.stdout));
            let expected = if shown.contains("error:") { Some(2) } else { Some(0) };
            if out.status.code() != expected {
                return Err(format!("README: `{line}` exits with {:?}:\n{printed}", out.status.code()));
            }
            let absent = |l: &&str| *l != "..." && !printed.lines().any(|p| p.trim_end() == l.trim_end());
            if let Some(l) = shown.lines().filter(|l| !l.is_empty()).find(absent) {
                return Err(format!("README: `{line}` no longer prints\n{l}\nbut\n{printed}"));
            }
        }
    }
    if ran == 0 {
        return Err("the README shows no command".into());
    }
    // the pictures it shows are those its commands make
    for (shown, made) in [("docs/stribeck.svg", "stribeck.svg"), ("docs/a7.svg", "a7/motion.svg")] {
        let (shown, made) = (root().join(shown), scratch.join(made));
        if read(&shown)? != read(&made)? {
            return Err(format!("{} is out of date\nhint: copy {} there", shown.display(), made.display()));
        }
    }
    Ok(())
}

/// Every file below a folder.
pub fn sources(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|e| format!("cannot list {}: {e}", folder.display()))? {
        let path = entry.map_err(|e| e.to_string())?.path();
        if path.is_dir() {
            out.extend(sources(&path)?);
        } else {
            out.push(path);
        }
    }
    Ok(out)
}
