//! Documentation that must stay true: citations have an entry, paths exist.
use crate::{Error, blocks, read, root};
use std::path::{Path, PathBuf};

/// Every citation key in the sources has an entry in the bibliography.
pub fn citations() -> Result<(), Error> {
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
pub fn is_key(s: &str) -> bool {
    s.len() > 4
        && s.starts_with(|c: char| c.is_ascii_uppercase())
        && s.chars().all(|c| c.is_ascii_alphanumeric())
        && s.chars().filter(char::is_ascii_lowercase).count() > 1
        && (s.ends_with("Friction") || s[s.len() - 4..].chars().all(|c| c.is_ascii_digit()))
}

/// Every path in back quotes in the documents exists.
pub fn paths() -> Result<(), Error> {
    let mut missing = Vec::new();
    for name in blocks::pages()?.into_iter().chain(["ARCHITECTURE.md", "CHANGELOG.md"].map(str::to_owned)) {
        let text = read(&root().join(&name))?;
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

/// Every file below a folder.
pub fn sources(folder: &Path) -> Result<Vec<PathBuf>, Error> {
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
