//! Arithmetic over columns: `35.15*vir`, `clip(q*1e-3, -1, 1)`, `-m*9.81*sin(q - q0)`.
//!
//! `+ - * / ^`, parentheses, the functions of [`FUNCTIONS`], `pi`, numbers, constants and columns. A column is written by
//! its name, by its number as `$3`, or in braces if its name has blanks or signs: `{goal position}`. `^` binds tighter than
//! a sign and associates to the right. A text is parsed once into a list of operations that are evaluated over pieces of
//! columns; its length and depth are bounded, and it can do nothing but arithmetic.
//!
//! ```
//! use stiction_data::expression::{SymbolTable, Expression};
//!
//! let symbols = SymbolTable { columns: vec!["t", "vir"], constants: vec![("gtau", 35.15)] };
//! let force = Expression::parse("gtau*vir", &symbols)?;
//! assert_eq!(force.columns, [1]);
//! let mut out = Vec::new();
//! force.evaluate(&[&[0.0, 2.0]], &mut out);
//! assert_eq!(out, [0.0, 70.3]);
//! # Ok::<(), stiction_data::expression::ExpressionError>(())
//! ```
mod compiled;
mod error;
mod function;
mod lexer;
mod parser;

pub use compiled::Expression;
pub use error::{ExpressionError, ExpressionErrorKind};
pub use function::{FUNCTIONS, Function};
pub use parser::SymbolTable;

/// The longest expression \[bytes\].
pub const MAX_LENGTH: usize = 4096;
/// The deepest nesting.
pub const MAX_DEPTH: usize = 64;
