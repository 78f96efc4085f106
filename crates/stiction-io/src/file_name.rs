//! Names that may be those of files.
use std::ffi::OsStr;
use std::path::Path;

/// Whether a text names a file rather than something that comes with the program: a path, or anything that ends in .toml.
///
/// ```
/// use stiction_io::is_file_name;
///
/// assert!(is_file_name("axis.toml") && is_file_name("./axis") && !is_file_name("lugre"));
/// ```
pub fn is_file_name(name: &str) -> bool {
    Path::new(name).extension() == Some(OsStr::new("toml")) || name.contains(['/', '\\'])
}
