//! What can be wrong with the form of an expression.
use super::{Function, MAX_DEPTH, MAX_LENGTH};
use crate::excerpt;
use crate::similar_names::suggestion;

/// The most characters of the user's text in a message.
const QUOTED: usize = 40;

/// What is wrong with the form of an expression, and at which character, from one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("column {position} of the expression: {kind}")]
pub struct SyntaxError {
    /// The character.
    pub position: usize,
    /// What is wrong.
    pub kind: SyntaxErrorKind,
}

/// What is wrong with the form of an expression.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SyntaxErrorKind {
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
    /// `a < b < c`
    #[error("a comparison of a comparison")]
    ComparisonChain,
    /// Longer than [`MAX_LENGTH`].
    #[error("longer than {MAX_LENGTH} bytes")]
    TooLong,
    /// Nested deeper than [`MAX_DEPTH`].
    #[error("nested deeper than {MAX_DEPTH}")]
    TooDeep,
}

impl SyntaxErrorKind {
    /// What the user may do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::UnexpectedToken { found: Some(found), .. } if found == "=" => "a comparison is written ==".into(),
            Self::UnexpectedToken { expected, found: None } if expected.contains("')'") => {
                "a parenthesis is open: close it where it ends".into()
            }
            Self::UnexpectedToken { .. } => {
                "write sums, products and powers, as in 35.15*vir or -2*sin(q)^2; {two words} for such a column".into()
            }
            Self::InvalidNumber(_) => "numbers look like 0.2, 3 or 1e-6".into(),
            Self::UnknownFunction { near, .. } => {
                let known: Vec<String> = Function::ALL.iter().map(|f| f.name().to_owned()).collect();
                suggestion(near, &known)
            }
            Self::ArgumentCount { name: "clip", .. } => "write clip(x, lo, hi)".into(),
            Self::ArgumentCount { name: "where", .. } => {
                "write where(condition, yes, no), as in where(v < 0, -1, 1)".into()
            }
            Self::ArgumentCount { name: "pow", .. } => "write pow(x, y) or x^y".into(),
            Self::ArgumentCount { name, .. } => format!("write {name}(x), or {name}(x, y) where it takes more"),
            Self::ComparisonChain => "write a < b and b < c".into(),
            Self::TooLong | Self::TooDeep => "give parts of it names of their own, or compute them beforehand".into(),
        }
    }
}
