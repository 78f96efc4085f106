//! MATLAB files, version 5 to 7.2: numbers by name, also within structures (`run.force`), compressed or not. Each column
//! is read by a reader of its own, so that nothing is kept in memory.
//!
//! The format is small and public, and `flate2` unpacks it; the reader is our own because those at hand skip structures
//! or stop at them.
mod element;
mod map;
mod rows;

pub use map::Map;

const FORMAT: &str = "MATLAB";
