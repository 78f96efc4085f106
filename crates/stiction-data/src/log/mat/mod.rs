//! MATLAB files, version 5 to 7.2: numbers by name, also within structures (`run.force`), compressed or not. Each column
//! has its own reader, so that nothing is kept in memory.
//!
//! The format is small and public, and `flate2` decompresses it. The reader is our own because `matfile` skips structures and
//! other crates stop at them.
mod element;
mod index;
mod rows;

pub use index::FileIndex;

const FORMAT: &str = "MATLAB";
