//! Arithmetic written as text: `35.15*vir`, `fc + (fs - fc)*exp(-(v/vs)^2)`, `where(abs(z) < z0, v, 0)`.
//!
//! One grammar for everything that a user writes as a formula: computed columns, measures of a sweep, equations of a law.
//! `+ - * / ^`, parentheses, comparisons `< <= > >= == !=`, `and`, `or`, `not`, numbers, names and the functions of
//! [`Function`]. `^` binds tighter than a sign and associates to the right; then come products, sums, comparisons, `not`, `and`,
//! `or`. A name with blanks or signs stands in braces, `{goal position}`; `$3` is a column by its number. The length of a text and
//! the depth of its nesting are bounded.
//!
//! ```
//! use stiction_io::expression::{Node, parse};
//!
//! let parsed = parse("2*x + 1")?;
//! assert_eq!(parsed.len(), 5);                                         // 2 x * 1 +
//! assert!(matches!(&parsed[1].node, Node::Name(name) if name == "x"));
//! # Ok::<(), stiction_io::expression::SyntaxError>(())
//! ```
mod error;
mod function;
mod lexer;
mod parser;

pub use error::{SyntaxError, SyntaxErrorKind};
pub use function::Function;
pub use parser::parse;

/// The longest expression \[bytes\].
pub const MAX_LENGTH: usize = 4096;
/// The deepest nesting.
pub const MAX_DEPTH: usize = 64;

/// An operator of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient.
    Divide,
    /// Power.
    Power,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// Both.
    And,
    /// Either.
    Or,
}

/// A part of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A number.
    Number(f64),
    /// A name.
    Name(String),
    /// A column by its number, from one.
    Column(usize),
    /// Change of sign.
    Negate,
    /// Logical not.
    Not,
    /// An operator of two operands.
    Operator(Operator),
    /// A function of as many arguments.
    Call(Function, usize),
}

/// A part of an expression, and the character at which it begins, from one; for an operator, where that stands.
///
/// The parts of an expression are in postfix order: operands before their operator.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// What it is.
    pub node: Node,
    /// Where.
    pub position: usize,
}
