//! Arithmetic over columns: `35.15*vir`, `clip(q*1e-3, -1, 1)`, `-m*9.81*sin(q - q0)`.
//!
//! The grammar is that of [`stiction_io::expression`]. A name is `pi`, a constant, or a column; a column is written by its
//! name, by its number as `$3`, or in braces if its name has blanks or signs: `{goal position}`. A comparison is 1 or 0, and
//! missing where one of its sides is. Sines, cosines and tangents take radians: an angle of a column in degrees is refused until it is
//! multiplied by `pi/180`. A text is compiled once into a list of operations that are evaluated over pieces of
//! columns.
//!
//! ```
//! use stiction_data::expression::{SymbolTable, Expression};
//!
//! let symbols = SymbolTable { columns: vec!["t", "vir"], constants: vec![("gtau", 35.15)], units: Vec::new() };
//! let force = Expression::parse("gtau*vir", &symbols)?;
//! assert_eq!(force.columns, [1]);
//! let mut out = Vec::new();
//! force.evaluate(&[&[0.0, 2.0]], &mut out);
//! assert_eq!(out, [0.0, 70.3]);
//! # Ok::<(), stiction_data::expression::ExpressionError>(())
//! ```
mod angle;
mod compile;
mod compiled;
mod error;
mod graph;
mod operations;

pub use compile::SymbolTable;
pub use compiled::Expression;
pub use error::{ExpressionError, ExpressionErrorKind};
pub use stiction_io::expression::{Function, MAX_DEPTH, MAX_LENGTH};
