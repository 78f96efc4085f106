//! SHA-256, by which a result names the data it came from.
//!
//! ```
//! let digest = stiction_io::digest::sha256(&b"abc"[..])?;
//! assert!(digest.starts_with("ba7816bf"));                             // the example of the standard
//! # Ok::<(), std::io::Error>(())
//! ```
use sha2::{Digest, Sha256};
use std::io::{self, Read};

/// The digest of all bytes, in hexadecimal.
///
/// # Errors
/// Errors of the reader.
pub fn sha256(mut bytes: impl Read) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match bytes.read(&mut buffer)? {
            0 => break,
            count => hasher.update(&buffer[..count]),
        }
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::sha256;

    #[test]
    fn known_digests() {
        // the standard's own examples; the last one is longer than the buffer
        let of = |text: &str| sha256(text.as_bytes()).unwrap_or_default();
        assert_eq!(of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        let million = "a".repeat(1_000_000);
        assert_eq!(of(&million), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    }
}
