//! Checks of the documents: every citation has an entry in the bibliography, every path exists.
use crate::{Error, files, read, root};

/// Every citation key in the sources has an entry in the bibliography.
pub fn citations() -> Result<(), Error> {
    let bib = read(&root().join("docs/references.bib"))?;
    let mut missing = Vec::new();
    for file in files::sources(&root().join("crates/stiction-core/src"))? {
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
    for name in files::documents()?.into_iter().chain(["ARCHITECTURE.md", "CHANGELOG.md"].map(str::to_owned)) {
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
