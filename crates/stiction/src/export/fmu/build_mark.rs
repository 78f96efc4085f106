//! Which sources the program, the library of scenarios and a unit are made from: a unit is run by the simulator that made it.
use crate::Error;
use crate::error::FmuError;
use std::io::BufRead;

/// Version and checksum of the sources, at the end of a text that the library has among its data and a unit in its first line.
pub const BUILD_MARK: &str =
    concat!("stiction ", env!("CARGO_PKG_VERSION"), ", sources ", env!("STICTION_SOURCES"), ";");

/// The text of a scenario with the build that writes it.
pub(super) fn mark(text: &str) -> String {
    format!("# {BUILD_MARK}\n{text}")
}

/// Whether a library is of this build.
pub(super) fn is_in(library: &[u8]) -> bool {
    let (mut rest, mut part) = (library, Vec::new());
    // reading from memory does not fail
    while rest.read_until(b';', &mut part).unwrap_or(0) > 0 {
        if part.ends_with(BUILD_MARK.as_bytes()) {
            return true;
        }
        part.clear();
    }
    false
}

/// Refuses the text of a scenario that another build wrote.
pub(super) fn check(text: &str) -> Result<(), Error> {
    let first = text.lines().next().unwrap_or_default().trim_start_matches("# ");
    if first == BUILD_MARK {
        return Ok(());
    }
    let plain = |mark: &str| mark.trim_end_matches(';').to_owned();
    let made_by = if first.starts_with("stiction ") { plain(first) } else { "an unknown program".to_owned() };
    Err(FmuError::OtherBuild { made_by, library: plain(BUILD_MARK) }.into())
}
