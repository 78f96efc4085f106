//! Paths from one file to another.
use std::path::{Component, Path, PathBuf};

/// A path that leads from the folder of one file to another file.
pub(super) fn relative(from: &Path, to: &Path) -> String {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let (from, to) = (absolute(from), absolute(to));
    let from = from.parent().unwrap_or(Path::new(""));
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    let path: PathBuf = up.chain(to.components().skip(shared)).collect();
    let text = path.to_string_lossy().replace('\\', "/");
    // a name alone would be looked for in the search path
    if text.starts_with("..") || text.starts_with('/') { text } else { format!("./{text}") }
}
