//! Files of the workspace: lists of them, and parts that are generated.
use crate::{Error, read, root};
use std::path::{Path, PathBuf};

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

/// The documents that have blocks of code, by their path from the root of the workspace.
pub fn documents() -> Result<Vec<String>, Error> {
    let mut out = vec!["README.md".to_owned(), "CONTRIBUTING.md".to_owned()];
    for path in sources(&root().join("docs"))? {
        if path.extension().is_some_and(|e| e == "md") {
            out.push(path.strip_prefix(root()).unwrap_or(&path).display().to_string());
        }
    }
    out.sort();
    Ok(out)
}

/// Replaces the text between `begin` and `end` in a file; with `check`, fails if that would change it.
pub fn replace_part(path: &Path, begin: &str, end: &str, content: &str, check: bool) -> Result<(), Error> {
    let old = read(path)?;
    let missing = || format!("{} lacks the marker {begin:?}", path.display());
    let (head, rest) = old.split_once(begin).ok_or_else(missing)?;
    let (_, tail) = rest.split_once(end).ok_or_else(missing)?;
    let new = format!("{head}{begin}{content}{end}{tail}");
    if new == old {
        return Ok(());
    }
    if check {
        return Err(format!("{} is out of date\nhint: run `cargo x gen`", path.display()));
    }
    std::fs::write(path, new).map_err(|e| format!("cannot write {}: {e}", path.display()))
}
