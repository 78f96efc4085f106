//! Films in a build without the feature `png`.
use super::scene::Scene;
use std::io::{self, ErrorKind, Write};

/// # Errors
/// Always: this build draws no pixels.
pub fn rgb(_: &Scene) -> io::Result<(u32, u32, Vec<u8>)> {
    Err(io::Error::new(ErrorKind::Unsupported, "this build has no pictures of pixels"))
}

/// # Errors
/// Always: this build draws no pixels.
pub fn write_gif(_: &mut dyn Write, scenes: impl IntoIterator<Item = Scene>, _: u16) -> io::Result<()> {
    scenes.into_iter().try_for_each(|scene| rgb(&scene).map(|_| ()))
}
