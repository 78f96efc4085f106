//! JSON: an object of arrays, an array of objects or of rows, objects one after the other, and any of these nested; the name
//! of a column is the path to it, `case.friction`. Only the positions of the arrays are kept in memory.
//!
//! The scanner is our own because Python writes NaN and Infinity for missing samples, which `serde_json` and `struson` reject.
mod index;
mod rows;
mod scanner;

pub use index::FileIndex;
#[cfg(feature = "mcap")]
pub use index::scalars;
#[cfg(feature = "mcap")]
pub use scanner::{JsonScanner, Scalar};

const FORMAT: &str = "JSON";
