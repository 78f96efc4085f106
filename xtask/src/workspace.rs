//! The crates of the workspace as text: their manifests and source files. Checks work on this, so that their tests need no
//! files.
use crate::{Error, files, read, root};
use std::collections::BTreeMap;
use std::path::Path;

/// One crate.
pub struct CrateSource {
    /// Its name, as in its manifest.
    pub name: String,
    /// Its folder, from the root of the workspace.
    pub folder: String,
    /// The text of its `Cargo.toml`.
    pub manifest: String,
    /// The text of every Rust file, by its path in the crate's folder (`src/lib.rs`, `tests/laws.rs`).
    pub files: BTreeMap<String, String>,
}

/// Reads every crate: the folders in `crates`, `adversary`, `bench`, `conformance`, `conformance/programs`, `python` and `xtask`.
pub fn read_crates() -> Result<Vec<CrateSource>, Error> {
    let others = ["adversary", "bench", "conformance", "conformance/programs", "python", "xtask"];
    let mut folders = others.map(str::to_owned).to_vec();
    let listed = std::fs::read_dir(root().join("crates")).map_err(|e| format!("cannot list crates: {e}"))?;
    folders.extend(listed.flatten().map(|entry| format!("crates/{}", entry.file_name().to_string_lossy())));
    folders.retain(|folder| root().join(folder).join("Cargo.toml").is_file());
    folders.sort();
    folders.iter().map(|folder| read_crate(folder)).collect()
}

fn read_crate(folder: &str) -> Result<CrateSource, Error> {
    let path = root().join(folder);
    let manifest = read(&path.join("Cargo.toml"))?;
    let name = manifest
        .lines()
        .find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'))
        .ok_or_else(|| format!("{folder}/Cargo.toml has no line `name = \"...\"`"))?
        .to_owned();
    let mut files = BTreeMap::new();
    for part in ["src", "tests", "examples", "benches"].map(|part| path.join(part)).iter().filter(|part| part.is_dir())
    {
        for file in files::sources(part)?.iter().filter(|file| file.extension().is_some_and(|e| e == "rs")) {
            files.insert(slashes(file.strip_prefix(&path).unwrap_or(file)), read(file)?);
        }
    }
    Ok(CrateSource { name, folder: folder.to_owned(), manifest, files })
}

fn slashes(path: &Path) -> String {
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
impl CrateSource {
    /// A crate for a test: manifest lines below `[dependencies]`, and files by their path below `src`.
    pub fn in_memory(name: &str, dependencies: &str, files: &[(&str, &str)]) -> Self {
        Self {
            name: name.to_owned(),
            folder: format!("crates/{name}"),
            manifest: format!("[package]\nname = \"{name}\"\n\n[dependencies]\n{dependencies}"),
            files: files.iter().map(|(path, text)| (format!("src/{path}"), (*text).to_owned())).collect(),
        }
    }
}
