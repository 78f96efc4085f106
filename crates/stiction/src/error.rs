//! What can be wrong with a law's name, its parameters or a file of them.
//!
//! ```
//! use stiction::{Error, Spec};
//!
//! let error = Spec::new("lurge").unwrap_err();
//! assert!(matches!(error, Error::UnknownLaw { .. }));
//! assert_eq!(error.to_string(), "there is no law 'lurge'");
//! assert_eq!(error.hint().as_deref(), Some("did you mean 'lugre'?"));
//! ```
use crate::{
    analysis::Failure,
    data,
    flaw::Flaw,
    sim::{Trouble, batch::Unsupported},
    spec::Part,
    sweep,
    system::{BadCurve, Problem},
};
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
        near: Vec<String>,
        /// The keys it may have.
        known: Vec<String>,
    },
    /// A name that nothing has: of a body, a column, a component, ...
    UnknownName {
        /// What it should be the name of.
        what: &'static str,
        /// The name.
        name: String,
        /// Names it may have been meant for.
        near: Vec<String>,
        /// The names there are.
        known: Vec<String>,
    },
    /// A component without a key that it must have.
    Lacks {
        /// The component, `body.block`.
        name: String,
        /// The key.
        key: &'static str,
        /// What it is.
        doc: &'static str,
    },
    /// Keys of which there must be exactly one, or at least one.
    OneOf {
        /// The component.
        name: String,
        /// The keys.
        keys: Vec<&'static str>,
        /// Those that were given.
        given: Vec<&'static str>,
    },
    /// A key that makes no sense without another, or together with it.
    Clash {
        /// The key.
        key: &'static str,
        /// Why.
        why: &'static str,
    },
    /// A measure that looks where the run does not go.
    Beyond {
        /// The measure, as in `measure.v_max`.
        name: String,
        /// The key that says when: `from` or `at`.
        key: &'static str,
        /// What it says \[s\].
        value: f64,
        /// Beginning and end of the run \[s\].
        run: [f64; 2],
    },
    /// A block that a chain does not have.
    Block {
        /// What was named.
        name: String,
        /// The chain.
        chain: String,
        /// How many blocks it has.
        count: usize,
    },
    /// A parameter that the law does not have, but others do.
    Foreign {
        /// The law.
        law: &'static str,
        /// The parameter.
        name: String,
        /// Laws that have it.
        laws: Vec<&'static str>,
    },
    /// Points that make no curve.
    Points {
        /// Why.
        problem: BadCurve,
        /// Value there, and in the point before.
        values: [f64; 2],
    },
    /// A line of a table that is not numbers.
    Row {
        /// What stands there.
        text: String,
    },
    /// Not of the form `path=value`.
    Assignment {
        /// The text.
        text: String,
    },
    /// Any of these, in an assignment of the command line.
    Set {
        /// The assignment.
        text: String,
        /// What is wrong with it.
        error: Box<Error>,
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
    /// A system that makes no sense.
    System {
        /// The component.
        name: String,
        /// What is wrong with it.
        problem: Problem,
    },
    /// Measured data that cannot be used.
    Data {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: Box<data::Problem>,
    },
    /// An analysis without an answer.
    Analysis(Failure),
    /// Samples that cannot be filtered or fitted.
    Samples(Flaw),
    /// A sweep that cannot begin or go on.
    Sweep(sweep::Problem),
    /// A simulation that cannot go on.
    Simulation {
        /// When \[s\].
        t: f64,
        /// Why.
        trouble: Trouble,
    },
    /// A system that cannot be run in lanes.
    Unsupported(Unsupported),
    /// Any of these, at a place in a file.
    At {
        /// The place.
        place: Place,
        /// What is wrong there.
        error: Box<Error>,
    },
}

impl Error {
    /// What is wrong with the data in a file.
    pub fn data(path: impl Into<PathBuf>, problem: data::Problem) -> Self {
        Self::Data { path: path.into(), problem: Box::new(problem) }
    }

    /// The same, found at `place`.
    #[must_use]
    pub fn at(self, place: Place) -> Self {
        Self::At { place, error: Box::new(self) }
    }

    /// What is wrong, without the place.
    pub fn bare(&self) -> &Self {
        match self {
            Self::At { error, .. } | Self::Set { error, .. } => error.bare(),
            error => error,
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File { io, .. } => Some(io),
            Self::At { error, .. } | Self::Set { error, .. } => Some(error),
            _ => None,
        }
    }
}

impl From<Flaw> for Error {
    fn from(flaw: Flaw) -> Self {
        Self::Samples(flaw)
    }
}
