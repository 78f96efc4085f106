//! Published records, which are not part of the repository. A test program of any crate includes this with
//! `#[path = "../../../../tests/common/published.rs"] mod published;`, and `skip.rs` as its module `skip`.
use crate::skip::skip;
use std::path::{Path, PathBuf};

/// The path of a file or folder of published records: in the folder `STICTION_DATA`, or in `shared/data` in the workspace or
/// beside it. If it is not there, the test is skipped.
pub fn data(name: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let named = std::env::var_os("STICTION_DATA").map(PathBuf::from);
    let folders = named.into_iter().chain([root.join("shared/data"), root.join("../shared/data")]);
    let found = folders.map(|folder| folder.join(name)).find(|path| path.exists());
    if found.is_none() {
        skip(&format!("{name} is not here; set STICTION_DATA to the folder that has it"));
    }
    found
}
