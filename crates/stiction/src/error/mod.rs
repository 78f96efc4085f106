//! What can be wrong with a law's name, its parameters or a file of them.
//!
//! ```
//! use stiction::{Error, Spec};
//!
//! let error = Spec::new("lurge").unwrap_err();
//! assert!(matches!(error, Error::Law(LawError::UnknownLaw { .. })));
//! assert_eq!(error.to_string(), "there is no law 'lurge'");
//! assert_eq!(error.hint().as_deref(), Some("did you mean 'lugre'?"));
//! ```
mod analysis;
mod hint;
mod message;
mod sweep;

pub use analysis::AnalysisError;
pub use sweep::SweepError;

use stiction_data::{ColumnNameError, DataError};
use stiction_io::{FileError, Position};
use stiction_numerics::NumericsError;
use stiction_sim::sim::{SimErrorKind, batch::Unsupported};
use stiction_sim::system::CurveError;
use stiction_sim::{LawError, SimError, SystemError};

/// What is wrong, with all it takes to say so.
#[derive(Debug)]
pub enum Error {
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
    /// A short name that several things have.
    AmbiguousName {
        /// What it should be the name of.
        what: &'static str,
        /// The name.
        name: String,
        /// What it may mean.
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
    /// A measure at a time before the run.
    BeforeStart {
        /// The measure, as in `measure.v_max`.
        name: String,
        /// Its time \[s\].
        at: f64,
        /// Beginning of the run \[s\].
        start: f64,
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
        problem: CurveError,
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
    /// A law that cannot be made.
    Law(LawError),
    /// A file that cannot be read or written.
    File(FileError),
    /// A system that makes no sense.
    System(SystemError),
    /// A simulation that cannot begin or go on.
    Simulation {
        /// When \[s\].
        t: f64,
        /// Why.
        kind: SimErrorKind,
    },
    /// Measured data that cannot be used.
    Data(DataError),
    /// An analysis without an answer.
    Analysis(AnalysisError),
    /// Samples that cannot be filtered or fitted.
    Samples(NumericsError),
    /// A sweep that cannot begin or go on.
    Sweep(SweepError),
    /// A system that cannot be run in lanes.
    Unsupported(Unsupported),
    /// A caller's function that makes the points of an ensemble failed.
    Point(Box<dyn std::error::Error + Send + Sync>),
    /// Any of these, at a position in a file.
    At {
        /// The position.
        position: Position,
        /// What is wrong there.
        error: Box<Error>,
    },
}

impl Error {
    /// The same, found at `position`.
    #[must_use]
    pub fn at(self, position: Position) -> Self {
        Self::At { position, error: Box::new(self) }
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
            Self::File(error) => Some(&error.io),
            Self::At { error, .. } | Self::Set { error, .. } => Some(error),
            _ => None,
        }
    }
}

impl From<LawError> for Error {
    fn from(error: LawError) -> Self {
        Self::Law(error)
    }
}

impl From<SystemError> for Error {
    fn from(error: SystemError) -> Self {
        Self::System(error)
    }
}

impl From<FileError> for Error {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

impl From<NumericsError> for Error {
    fn from(flaw: NumericsError) -> Self {
        Self::Samples(flaw)
    }
}

impl From<SweepError> for Error {
    fn from(error: SweepError) -> Self {
        Self::Sweep(error)
    }
}

impl From<DataError> for Error {
    fn from(error: DataError) -> Self {
        match error {
            DataError::File(error) => Self::File(error),
            DataError::NotANumber { text, position } => Self::Row { text }.at(position),
            DataError::ColumnName(ColumnNameError::Unknown { name, near, known }) => {
                Self::UnknownName { what: "column", name, near, known }
            }
            error @ (DataError::ColumnName(_) | DataError::Content { .. }) => Self::Data(error),
        }
    }
}

impl From<SimError> for Error {
    fn from(error: SimError) -> Self {
        match error {
            SimError::Law(error) => Self::Law(error),
            SimError::System(error) => Self::System(error),
            SimError::Run { t, kind } => Self::Simulation { t, kind },
            SimError::Unsupported(why) => Self::Unsupported(why),
            // an `Error` on its way through the simulator, see below
            SimError::Point(error) => error.downcast().map_or_else(Self::Point, |error| *error),
        }
    }
}

/// What failed while the points of an ensemble were made, on its way through the simulator.
impl From<Error> for SimError {
    fn from(error: Error) -> Self {
        match error {
            Error::Law(error) => Self::Law(error),
            Error::System(error) => Self::System(error),
            Error::Simulation { t, kind } => Self::Run { t, kind },
            Error::Unsupported(why) => Self::Unsupported(why),
            error => Self::Point(Box::new(error)),
        }
    }
}
