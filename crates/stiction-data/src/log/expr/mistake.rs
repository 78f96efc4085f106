//! What can be wrong with an expression.
use super::{DEEPEST, FUNCTIONS, LONGEST};
use std::fmt::{self, Display, Formatter};

/// What is wrong, and where: the character, from one.
#[derive(Clone, Debug, PartialEq)]
pub struct Mistake {
    /// The character.
    pub at: usize,
    /// What is wrong.
    pub wrong: Wrong,
}

/// What is wrong with an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Wrong {
    /// Something else should stand here.
    Expected {
        /// What should.
        wanted: &'static str,
        /// What does; nothing at the end.
        found: Option<String>,
    },
    /// Not a number.
    Number(String),
    /// No column or constant has this name.
    Name {
        /// The name.
        name: String,
        /// Names it may have been meant for.
        near: Vec<String>,
        /// The names there are.
        known: Vec<String>,
    },
    /// Several columns have this name.
    Ambiguous {
        /// The name.
        name: String,
        /// Their numbers.
        columns: Vec<usize>,
    },
    /// No function has this name.
    Function {
        /// The name.
        name: String,
        /// Names it may have been meant for.
        near: Vec<String>,
    },
    /// Too few or too many arguments.
    Arguments {
        /// The function.
        name: &'static str,
        /// How many it takes.
        takes: &'static str,
        /// How many it was given.
        given: usize,
    },
    /// Too long.
    Long,
    /// Nested too deep.
    Deep,
}

impl Display for Mistake {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "column {} of the expression: ", self.at)?;
        match &self.wrong {
            Wrong::Expected { wanted, found: Some(found) } => write!(f, "expected {wanted}, found '{found}'"),
            Wrong::Expected { wanted, found: None } => write!(f, "expected {wanted}, found the end"),
            Wrong::Number(text) => write!(f, "'{text}' is not a number"),
            Wrong::Name { name, .. } => write!(f, "there is no column or constant '{name}'"),
            Wrong::Ambiguous { name, columns } => write!(f, "{} columns are called '{name}'", columns.len()),
            Wrong::Function { name, .. } => write!(f, "there is no function '{name}'"),
            Wrong::Arguments { name, takes, given } => write!(f, "'{name}' takes {takes}, {given} given"),
            Wrong::Long => write!(f, "longer than {LONGEST} bytes"),
            Wrong::Deep => write!(f, "nested deeper than {DEEPEST}"),
        }
    }
}

impl std::error::Error for Mistake {}

impl Mistake {
    /// What the user may do about it.
    pub fn hint(&self) -> String {
        match &self.wrong {
            Wrong::Expected { .. } => {
                "write sums, products and powers, as in 35.15*vir or -2*sin(q)^2; {two words} for such a column".into()
            }
            Wrong::Number(_) => "numbers look like 0.2, 3 or 1e-6".into(),
            Wrong::Name { near, known, .. } => stiction_io::near::meant(near, known),
            Wrong::Ambiguous { columns, .. } => {
                let numbers: Vec<_> = columns.iter().map(|k| format!("${k}")).collect();
                format!("write its number: {}", numbers.join(" or "))
            }
            Wrong::Function { near, .. } => {
                let known: Vec<String> = FUNCTIONS.iter().map(|f| f.name.to_owned()).collect();
                stiction_io::near::meant(near, &known)
            }
            Wrong::Arguments { name: "clip", .. } => "write clip(x, lo, hi)".into(),
            Wrong::Arguments { name, .. } => format!("write {name}(x), or {name}(x, y) where it takes more"),
            Wrong::Long | Wrong::Deep => "compute the column beforehand".into(),
        }
    }
}
