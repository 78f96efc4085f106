//! What can be wrong with a law's name, its parameters or a file of them.
use crate::{number::short, spec::Part};
use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::PathBuf;
use stiction_core::Param;

/// A place in a text file; lines and columns count from one.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The file.
    pub path: PathBuf,
    /// Line.
    pub line: usize,
    /// Column, in characters.
    pub column: usize,
}

/// What is wrong, with all it takes to say so.
#[derive(Debug)]
pub enum Error {
    /// No law has this name.
    UnknownLaw {
        /// The name.
        name: String,
        /// Names it may have been meant for.
        near: Vec<&'static str>,
    },
    /// The law, or one of its wrappers, has no such parameter.
    UnknownParam {
        /// The law.
        law: &'static str,
        /// The name, with the wrapper before a dot.
        name: String,
        /// Names it may have been meant for.
        near: Vec<String>,
    },
    /// No recipe of the law starts from this quantity.
    UnknownInput {
        /// The law.
        law: &'static str,
        /// The quantity.
        name: String,
        /// The value it was given.
        value: f64,
        /// Names it may have been meant for.
        near: Vec<&'static str>,
    },
    /// Each quantity is known, but no single recipe starts from all of them.
    NoRecipe {
        /// The law.
        law: &'static str,
        /// The quantities.
        given: Vec<String>,
    },
    /// A value out of bounds, or not a number.
    Value {
        /// The name, with the wrapper before a dot.
        name: String,
        /// Its unit and bounds.
        param: &'static Param,
        /// The value.
        value: f64,
    },
    /// A condition between parameters that does not hold.
    Relation {
        /// The law.
        law: &'static str,
        /// The forward law, or what wraps it.
        part: Part,
        /// The condition.
        text: &'static str,
        /// Its parameters, by their full names, and their values.
        values: Vec<(String, &'static Param, f64)>,
        /// Those among them that nobody gave.
        assumed: Vec<String>,
    },
    /// Too few or too many values.
    Count {
        /// The law.
        law: &'static str,
        /// How many it has.
        expected: usize,
        /// How many were given.
        given: usize,
    },
    /// A file that cannot be read or written.
    File {
        /// The file.
        path: PathBuf,
        /// What was tried: `read`, `write`.
        action: &'static str,
        /// The system's reason.
        io: io::Error,
    },
    /// Text that is not TOML.
    Toml {
        /// The parser's words.
        message: String,
    },
    /// A key that the file may not have.
    UnknownKey {
        /// The key.
        name: String,
        /// Names it may have been meant for.
        near: Vec<&'static str>,
        /// The keys it may have.
        known: &'static [&'static str],
    },
    /// A key that stands above the table it belongs to.
    Outside {
        /// The key.
        name: String,
        /// The table.
        table: &'static str,
    },
    /// A key that the file must have.
    Missing {
        /// The key.
        key: &'static str,
    },
    /// A value of the wrong kind.
    Kind {
        /// The key.
        key: String,
        /// What it must be.
        expected: &'static str,
        /// What it is.
        found: &'static str,
    },
    /// Any of these, at a place in a file.
    At {
        /// The place.
        place: Place,
        /// What is wrong there.
        error: Box<Error>,
    },
}

impl Error {
    /// The same, found at `place`.
    #[must_use]
    pub fn at(self, place: Place) -> Self {
        Self::At { place, error: Box::new(self) }
    }

    /// What is wrong, without the place.
    pub fn bare(&self) -> &Self {
        match self {
            Self::At { error, .. } => error.bare(),
            error => error,
        }
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownLaw { name, .. } => write!(f, "there is no law '{name}'"),
            Self::UnknownParam { law, name, .. } => write!(f, "law '{law}' has no parameter '{name}'"),
            Self::UnknownInput { law, name, .. } => write!(f, "law '{law}' cannot be made from '{name}'"),
            Self::NoRecipe { law, given } => write!(f, "law '{law}' cannot be made from {} together", given.join(", ")),
            Self::Value { name, param: p, value } => {
                let (min, max) = (short(p.min), short(p.max));
                write!(f, "parameter '{name}' = {} is outside {min} to {max} [{}]", short(*value), p.unit)
            }
            Self::Relation { law, part, text, values, .. } => {
                match part {
                    Part::Law => write!(f, "law '{law}'")?,
                    Part::Reverse => write!(f, "law '{law}' in reverse")?,
                    Part::Load | Part::Noise => f.write_str(part.prefix())?,
                }
                let values: Vec<_> =
                    values.iter().map(|(key, p, x)| format!("{key} = {} [{}]", short(*x), p.unit)).collect();
                write!(f, " requires that {text}, but {}", values.join(", "))
            }
            Self::Count { law, expected, given } => {
                write!(f, "law '{law}' has {expected} parameters, {given} values were given")
            }
            Self::File { path, action, io } => write!(f, "cannot {action} {}: {io}", path.display()),
            Self::Toml { message } => write!(f, "not valid TOML: {message}"),
            Self::UnknownKey { name, .. } => write!(f, "there is no key '{name}' here"),
            Self::Outside { name, table } => write!(f, "'{name}' stands outside [{table}]"),
            Self::Missing { key } => write!(f, "{key} is missing"),
            Self::Kind { key, expected, found } => write!(f, "'{key}' must be a {expected}, found {found}"),
            Self::At { place: Place { path, line, column }, error } => {
                write!(f, "{}:{line}:{column}: {error}", path.display())
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File { io, .. } => Some(io),
            Self::At { error, .. } => Some(error),
            _ => None,
        }
    }
}
