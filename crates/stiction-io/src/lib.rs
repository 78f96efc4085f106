//! What every part of `stiction` reads and writes with: numbers as text, names similar to a mistyped one, files that are
//! written whole or not at all, checksums, formulas, prefixes of units, XML, and the errors of files.
pub mod digest;
pub mod expression;
mod file_error;
mod file_name;
pub mod number;
pub mod output;
mod position;
mod printable;
pub mod similar_names;
pub mod unit_prefix;
pub mod xml;

pub use file_error::FileError;
pub use file_name::is_file_name;
pub use position::Position;
pub use printable::{excerpt, is_hidden, printable, printable_lines};
