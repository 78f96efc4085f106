//! Published records, which are not part of the repository: take it into a test file with
//! `#[path = "common/at_hand.rs"] mod at_hand;`.
use std::path::{Path, PathBuf};

/// A file or folder of theirs, looked for in the folder `STICTION_DATA`, or in `shared/data` here or one above; nothing, with a
/// word about it, if it is not at hand.
pub fn data(name: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let named = std::env::var_os("STICTION_DATA").map(PathBuf::from);
    let folders = named.into_iter().chain([root.join("shared/data"), root.join("../shared/data")]);
    let found = folders.map(|folder| folder.join(name)).find(|path| path.exists());
    if found.is_none() {
        println!("skipped: no {name}; name its folder's parent in STICTION_DATA");
    }
    found
}
