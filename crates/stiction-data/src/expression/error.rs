//! What can be wrong with an expression.
use super::{FUNCTIONS, MAX_DEPTH, MAX_LENGTH};
use crate::column_name::{QUOTED, alternatives};
use stiction_io::excerpt;
use stiction_io::similar_names::suggestion;

/// What is wrong with an expression, and at which character, from one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("column {position} of the expression: {kind}")]
pub struct ExpressionError {
    /// The character.
    pub position: usize,
    /// What is wrong.
    pub kind: ExpressionErrorKind,
}

/// What is wrong with an expression.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExpressionErrorKind {
    /// A token that is not allowed here.
    #[error("expected {expected}, found {}", found.as_ref().map_or("the end".to_owned(), |found| format!("'{}'", excerpt(found, QUOTED))))]
    UnexpectedToken {
        /// What is allowed.
        expected: &'static str,
        /// The token; none at the end.
        found: Option<String>,
    },
    /// A number that cannot be parsed.
    #[error("'{}' is not a number", excerpt(.0, QUOTED))]
    InvalidNumber(String),
    /// No column or constant has this name.
    #[error("there is no column or constant '{}'", excerpt(name, QUOTED))]
    UnknownName {
        /// The name.
        name: String,
        /// Similar names.
        near: Vec<String>,
        /// The names of all columns and constants.
        known: Vec<String>,
    },
    /// The name of a column with signs in it, not in braces.
    #[error("the name of column '{}' has signs or blanks in it", excerpt(column, QUOTED))]
    NeedsBraces {
        /// The column.
        column: String,
        /// The expression with braces around the name.
        braced: String,
        /// The expression with the number of the column instead of its name.
        numbered: String,
    },
    /// Several columns have this name.
    #[error("{} columns are called '{}'", columns.len(), excerpt(name, QUOTED))]
    AmbiguousName {
        /// The name.
        name: String,
        /// Their numbers.
        columns: Vec<usize>,
    },
    /// No function has this name.
    #[error("there is no function '{}'", excerpt(name, QUOTED))]
    UnknownFunction {
        /// The name.
        name: String,
        /// Similar names of functions.
        near: Vec<String>,
    },
    /// Too few or too many arguments.
    #[error("'{name}' takes {takes}, {given} given")]
    ArgumentCount {
        /// The function.
        name: &'static str,
        /// How many it takes.
        takes: &'static str,
        /// How many it was given.
        given: usize,
    },
    /// Longer than [`MAX_LENGTH`].
    #[error("longer than {MAX_LENGTH} bytes")]
    TooLong,
    /// Nested deeper than [`MAX_DEPTH`].
    #[error("nested deeper than {MAX_DEPTH}")]
    TooDeep,
}

impl ExpressionError {
    /// What the user may do about it.
    pub fn hint(&self) -> String {
        use ExpressionErrorKind as Kind;
        match &self.kind {
            Kind::UnexpectedToken { .. } => {
                "write sums, products and powers, as in 35.15*vir or -2*sin(q)^2; {two words} for such a column".into()
            }
            Kind::InvalidNumber(_) => "numbers look like 0.2, 3 or 1e-6".into(),
            Kind::UnknownName { near, known, .. } => suggestion(near, known),
            Kind::NeedsBraces { braced, numbered, .. } => {
                format!("put such a name in braces: '{braced}', or write its number: '{numbered}'")
            }
            Kind::AmbiguousName { columns, .. } => format!("write its number: {}", alternatives(columns, "$")),
            Kind::UnknownFunction { near, .. } => {
                let known: Vec<String> = FUNCTIONS.iter().map(|f| f.name.to_owned()).collect();
                suggestion(near, &known)
            }
            Kind::ArgumentCount { name: "clip", .. } => "write clip(x, lo, hi)".into(),
            Kind::ArgumentCount { name, .. } => format!("write {name}(x), or {name}(x, y) where it takes more"),
            Kind::TooLong | Kind::TooDeep => "compute the column beforehand".into(),
        }
    }
}
