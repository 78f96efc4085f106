//! Laws fitted to friction along a measured motion.
mod records;
mod slopes;
mod synthetic;

use std::path::{Path, PathBuf};

/// A file of measured data. They are not part of the repository: they are looked for in the folder `STICTION_DATA`, or in
/// `shared/data` here or one above.
fn data(file: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let named = std::env::var_os("STICTION_DATA").map(PathBuf::from);
    let folders = named.into_iter().chain([root.join("shared/data"), root.join("../shared/data")]);
    let found = folders.map(|folder| folder.join(file)).find(|path| path.is_file());
    if found.is_none() {
        println!("skipped: no {file}; name its folder's parent in STICTION_DATA");
    }
    found
}
