//! Compiled kernels, kept in the user's cache folder: one file for each, named by the digest of all that it depends on. A file begins
//! with the digest of the rest, so that a damaged one is not used.
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use stiction_io::{digest::sha256, output};

/// Length of a digest in hexadecimal.
const DIGEST: usize = 64;

/// The folder for compiled kernels; none if the machine says nothing about where such files go.
pub fn folder() -> Option<PathBuf> {
    let place = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = place("XDG_CACHE_HOME")
        .or_else(|| place("LOCALAPPDATA"))
        .or_else(|| place("HOME").map(|home| home.join(".cache")))
        // only an absolute path is one that does not depend on where the program is started
        .filter(|base| base.is_absolute())?;
    Some(base.join("stiction").join("kernels"))
}

/// The name of the file of a kernel that depends on these texts.
pub(crate) fn name(texts: &[&str]) -> String {
    // the length of each, so that no two lists read alike
    let all: String = texts.iter().map(|text| format!("{} {text}\n", text.len())).collect();
    format!("{}.cubin", digest(all.as_bytes()))
}

fn digest(bytes: &[u8]) -> String {
    sha256(bytes).unwrap_or_default()
}

/// The contents of a file, if it is there and whole.
pub(crate) fn read(path: &Path) -> Option<Vec<u8>> {
    let mut bytes = fs::read(path).ok()?;
    if bytes.len() < DIGEST {
        return None;
    }
    let body = bytes.split_off(DIGEST);
    (!body.is_empty() && digest(&body).as_bytes() == bytes).then_some(body)
}

/// Writes a file whole or not at all. A folder that cannot be written costs time at the next start, nothing else.
pub(crate) fn write(path: &Path, body: &[u8]) {
    if let Some(folder) = path.parent() {
        let _ = fs::create_dir_all(folder);
    }
    let head = digest(body);
    let _ = output::write(path, |out| {
        out.write_all(head.as_bytes())?;
        out.write_all(body)
    });
}

#[cfg(test)]
mod tests {
    use super::{name, read, write};
    use std::fs;

    #[test]
    fn only_whole_files_are_read() {
        let folder = std::env::temp_dir().join(format!("stiction-cuda-cache-{}", std::process::id()));
        let path = folder.join(name(&["text", "sm_90"]));
        assert_eq!(read(&path), None);
        write(&path, b"machine code");
        assert_eq!(read(&path).as_deref(), Some(&b"machine code"[..]));
        let whole = fs::read(&path).unwrap();
        for cut in [0, 10, 64, whole.len() - 1] {
            fs::write(&path, &whole[..cut]).unwrap();
            assert_eq!(read(&path), None, "{cut}");
        }
        let mut changed = whole;
        changed[70] ^= 1;
        fs::write(&path, &changed).unwrap();
        assert_eq!(read(&path), None);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn names_tell_texts_apart() {
        assert_ne!(name(&["ab", "c"]), name(&["a", "bc"]));
        assert_eq!(name(&["ab", "c"]), name(&["ab", "c"]));
    }
}
