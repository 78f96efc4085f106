//! What can be wrong with a law's name, its parameters or a file of them.
use crate::{number::short, spec::Part};
use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::PathBuf;
use stiction_core::{Param, registry};

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
        /// Its parameters and their values.
        values: Vec<(&'static Param, f64)>,
        /// Those among them that nobody gave.
        assumed: Vec<&'static str>,
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
        /// `read` or `write`.
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

    /// What the user may do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::UnknownLaw { near, .. } => {
                Some(did_you_mean(near).unwrap_or_else(|| list("the laws are", registry_names().map(str::to_owned))))
            }
            Self::UnknownParam { law, near, .. } => did_you_mean(near).or_else(|| {
                let law = registry::find(law)?;
                Some(list("its parameters are", law.params.iter().map(|p| p.name.to_owned())))
            }),
            Self::UnknownInput { law, near, .. } => did_you_mean(near).or_else(|| recipes(law)),
            Self::NoRecipe { law, .. } => recipes(law),
            Self::Value { param, .. } => Some(format!("{}; the default is {}", about(param), short(param.default))),
            Self::Relation { values, assumed, .. } => Some(match assumed.as_slice() {
                [] => list("change one of", values.iter().map(|(p, _)| p.name.to_owned())),
                names => format!("set {} too; left at its default it does not fit", names.join(" and ")),
            }),
            Self::File { io, .. } if io.kind() == io::ErrorKind::NotFound => Some("check the path".into()),
            Self::UnknownKey { near, known, .. } => {
                did_you_mean(near).or_else(|| Some(list("the keys are", known.iter().map(|&key| key.to_owned()))))
            }
            Self::Missing { .. } => Some("a parameter file begins with [model] and name = \"lugre\", say".into()),
            Self::Count { .. } | Self::File { .. } | Self::Toml { .. } | Self::Kind { .. } => None,
            Self::At { error, .. } => error.hint(),
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
                let side = if *part == Part::Reverse { " in reverse" } else { "" };
                let values: Vec<_> =
                    values.iter().map(|(p, x)| format!("{} = {} [{}]", p.name, short(*x), p.unit)).collect();
                write!(f, "law '{law}' needs {text}{side}, but {}", values.join(", "))
            }
            Self::Count { law, expected, given } => {
                write!(f, "law '{law}' has {expected} parameters, {given} values were given")
            }
            Self::File { path, action, io } => write!(f, "cannot {action} {}: {io}", path.display()),
            Self::Toml { message } => write!(f, "not valid TOML: {message}"),
            Self::UnknownKey { name, .. } => write!(f, "there is no key '{name}' here"),
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

/// The names of all laws.
pub(crate) fn registry_names() -> impl Iterator<Item = &'static str> {
    stiction_core::models::ALL.iter().map(|law| law.name)
}

fn did_you_mean(near: &[impl AsRef<str>]) -> Option<String> {
    (!near.is_empty()).then(|| {
        let names: Vec<_> = near.iter().map(|name| format!("'{}'", name.as_ref())).collect();
        format!("did you mean {}?", names.join(" or "))
    })
}

fn list(what: &str, names: impl Iterator<Item = String>) -> String {
    format!("{what}: {}", names.collect::<Vec<_>>().join(", "))
}

/// The documentation of a parameter without its full stop.
fn about(param: &Param) -> &'static str {
    param.doc.trim().trim_end_matches('.')
}

fn recipes(law: &str) -> Option<String> {
    let law = registry::find(law)?;
    let each: Vec<_> =
        law.recipes.iter().map(|r| r.inputs.iter().map(|p| p.name).collect::<Vec<_>>().join(", ")).collect();
    Some(match each.as_slice() {
        [] => format!("law '{}' is made from its own parameters only", law.name),
        each => format!("it can be made from {}", each.join("; or from ")),
    })
}
