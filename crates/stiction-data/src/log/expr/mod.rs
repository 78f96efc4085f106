//! Arithmetic over columns: `35.15*vir`, `clip(q*1e-3, -1, 1)`, `-m*9.81*sin(q - q0)`.
//!
//! `+ - * / ^`, parentheses, the functions of [`FUNCTIONS`], `pi`, numbers, constants and columns. A column is written by
//! its name, by its number as `$3`, or in braces if it is no plain word: `{goal position}`. `^` goes before a sign and
//! associates to the right. A text is parsed once into a flat program that runs over pieces of columns; its length and
//! depth are bounded, and it can do nothing but arithmetic.
//!
//! ```
//! use stiction_data::log::expr::{Names, Program};
//!
//! let names = Names { columns: vec!["t", "vir"], constants: vec![("gtau", 35.15)] };
//! let force = Program::parse("gtau*vir", &names)?;
//! assert_eq!(force.columns, [1]);
//! let mut out = Vec::new();
//! force.run(&[&[0.0, 2.0]], &mut out);
//! assert_eq!(out, [0.0, 70.3]);
//! # Ok::<(), stiction_data::log::expr::Mistake>(())
//! ```
mod function;
mod lex;
mod mistake;
mod parse;
mod program;

pub use function::{FUNCTIONS, Function};
pub use mistake::{Mistake, Wrong};
pub use parse::Names;
pub use program::Program;

/// The longest text \[bytes\].
pub const LONGEST: usize = 4096;
/// The deepest nesting.
pub const DEEPEST: usize = 64;
