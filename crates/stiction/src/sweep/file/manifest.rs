//! What a result depends on, as a TOML file of names and texts. The folder of the chunks of a sweep has one, and so has a CSV file, beside
//! it: unlike Parquet it has no place for them within.
use crate::toml_text;
use crate::toml_tree::{SourceLocation, TomlTable};
use crate::{Error, FileError, output};
use std::fs;
use std::path::{Path, PathBuf};

/// The manifest of a CSV file: `out.csv.manifest.toml`, beside what a link leads to.
pub fn beside(csv: &Path) -> PathBuf {
    let csv = output::link_target(csv);
    csv.with_file_name(format!("{}.manifest.toml", csv.file_name().unwrap_or_default().display()))
}

/// Writes a manifest.
///
/// # Errors
/// [`FileError`] if it cannot be written.
pub fn write<'a>(path: &Path, facts: impl Iterator<Item = &'a (String, String)>) -> Result<(), FileError> {
    output::write(path, |out| {
        for (key, value) in facts {
            writeln!(out, "{} = {}", toml_text::key(key), toml_text::string(value))?;
        }
        Ok(())
    })
}

/// The facts of a manifest.
///
/// # Errors
/// [`Error::File`] if it cannot be read; the error of its TOML if it is not one.
pub fn read(path: &Path) -> Result<Vec<(String, String)>, Error> {
    let text = fs::read_to_string(path).map_err(|io| FileError { path: path.to_owned(), action: "read", io })?;
    let table = TomlTable::parse(&text, &SourceLocation::top(&text, path))?;
    table.0.iter().map(|entry| Ok((entry.key.clone(), entry.node.text(&entry.key)?.to_owned()))).collect()
}
