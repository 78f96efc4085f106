//! What can be wrong with an expression over columns.
use crate::column_name::{QUOTED, alternatives};
use stiction_io::excerpt;
use stiction_io::expression::{SyntaxError, SyntaxErrorKind};
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

impl From<SyntaxError> for ExpressionError {
    fn from(SyntaxError { position, kind }: SyntaxError) -> Self {
        Self { position, kind: ExpressionErrorKind::Syntax(kind) }
    }
}

/// What is wrong with an expression.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExpressionErrorKind {
    /// Its form.
    #[error(transparent)]
    Syntax(SyntaxErrorKind),
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
    /// A sine, cosine or tangent of an angle that is not in radians.
    #[error("{function} takes radians, but column '{}' is in {unit}", excerpt(column, QUOTED))]
    NotRadians {
        /// The function.
        function: &'static str,
        /// The column.
        column: String,
        /// Its unit.
        unit: String,
        /// The factor from that unit to radians.
        factor: f64,
    },
    /// Several columns have this name.
    #[error("{} columns are called '{}'", columns.len(), excerpt(name, QUOTED))]
    AmbiguousName {
        /// The name.
        name: String,
        /// Their numbers.
        columns: Vec<usize>,
    },
}

impl ExpressionError {
    /// What the user may do about it.
    pub fn hint(&self) -> String {
        use ExpressionErrorKind as Kind;
        match &self.kind {
            Kind::Syntax(kind) => kind.hint(),
            Kind::UnknownName { near, known, .. } => suggestion(near, known),
            Kind::NeedsBraces { braced, numbered, .. } => {
                format!("put such a name in braces: '{braced}', or write its number: '{numbered}'")
            }
            Kind::NotRadians { function, column, factor, .. } => {
                let column = if column.chars().all(|c| c.is_alphanumeric() || c == '_') {
                    column.clone()
                } else {
                    format!("{{{column}}}")
                };
                let degrees = (factor * 180.0 / std::f64::consts::PI - 1.0).abs() < 1e-12;
                let factor = if degrees { "pi/180".to_owned() } else { format!("{factor}") };
                format!("convert it: '{function}({column}*{factor})'")
            }
            Kind::AmbiguousName { columns, .. } => format!("write its number: {}", alternatives(columns, "$")),
        }
    }
}
