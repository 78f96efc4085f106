//! The error type of the library. It converts from the errors of every module and keeps the position in a file.
//!
//! ```
//! use stiction::{Error, LawError, Spec};
//!
//! let error = Error::from(Spec::new("lurge").unwrap_err());
//! assert!(matches!(error, Error::Law(LawError::UnknownLaw { .. })));
//! assert_eq!(error.to_string(), "there is no law 'lurge'");
//! assert_eq!(error.hint().as_deref(), Some("did you mean 'lugre'?"));
//! ```
mod accelerator;
mod analysis;
mod controller_request;
mod fmu;
mod hint;
mod identification;
mod law_code;
mod law_file;
mod message;
mod robot;
mod sweep;

pub use accelerator::AcceleratorError;
pub use analysis::AnalysisError;
pub use controller_request::ControllerRequestError;
pub use fmu::FmuError;
pub use identification::IdentificationError;
pub use law_code::LawCodeError;
pub use law_file::LawFileError;
pub use robot::RobotError;
pub use sweep::SweepError;

use message::{component, curve, one_of};
use stiction_data::{ColumnNameError, DataError};
use stiction_io::number::short;
use stiction_io::{FileError, Position};
use stiction_numerics::NumericsError;
use stiction_sim::sim::{SimErrorKind, batch::Unsupported};
use stiction_sim::system::CurveError;
use stiction_sim::{LawError, SimError, SystemError};

/// An error of any part of the library. [`Error::hint`] says what the user can do about it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Text that is not TOML.
    #[error("not valid TOML: {message}")]
    Toml {
        /// The message of the parser.
        message: String,
    },
    /// A key that is not allowed in this table.
    #[error("there is no key '{name}' here")]
    UnknownKey {
        /// The key.
        name: String,
        /// Similar names, one of which may be meant.
        near: Vec<String>,
        /// The allowed keys.
        known: Vec<String>,
    },
    /// The file of a law where a scenario is expected.
    #[error("this is the file of a law, not a scenario")]
    LawFile,
    /// A law file.
    #[error(transparent)]
    LawEquation(#[from] LawFileError),
    /// A law as code.
    #[error(transparent)]
    LawCode(#[from] LawCodeError),
    /// A controller that is asked for cannot be exported.
    #[error(transparent)]
    ControllerRequest(#[from] ControllerRequestError),
    /// A functional mock-up unit.
    #[error(transparent)]
    Fmu(#[from] FmuError),
    /// The friction of a joint for a simulator of robots.
    #[error(transparent)]
    Robot(#[from] RobotError),
    /// A name that does not exist, of a body, a column, a component, ...
    #[error("there is no {what} '{name}'")]
    UnknownName {
        /// What it should be the name of.
        what: &'static str,
        /// The name.
        name: String,
        /// Similar names, one of which may be meant.
        near: Vec<String>,
        /// The existing names.
        known: Vec<String>,
    },
    /// A value of a scenario by which a run cannot be differentiated.
    #[error("no derivatives by {path}: {why}")]
    NotVariable {
        /// Its path.
        path: String,
        /// The reason.
        why: &'static str,
    },
    /// A short name that matches several things.
    #[error("'{name}' is ambiguous: it matches more than one {what}")]
    AmbiguousName {
        /// What it should be the name of.
        what: &'static str,
        /// The name.
        name: String,
        /// The full names that it matches.
        known: Vec<String>,
    },
    /// A parameter that several parts of a controller have.
    #[error("'{name}' is in {}", parts.join(" and in "))]
    AmbiguousGain {
        /// The parameter.
        name: String,
        /// The value that it was to get.
        value: f64,
        /// The parts.
        parts: Vec<&'static str>,
    },
    /// A component without a required key.
    #[error("{} lacks {key}", component(name))]
    MissingKey {
        /// The component, `body.block`.
        name: String,
        /// The key.
        key: &'static str,
        /// The meaning of the key.
        doc: &'static str,
    },
    /// Keys of which exactly one must be given.
    #[error("[{name}] {}", one_of(keys, given))]
    ExactlyOne {
        /// The component.
        name: String,
        /// The keys.
        keys: Vec<&'static str>,
        /// Those that were given.
        given: Vec<&'static str>,
    },
    /// A key that cannot be used here, or not together with another.
    #[error("'{key}' {why}")]
    Conflict {
        /// The key.
        key: &'static str,
        /// Why.
        why: &'static str,
    },
    /// A unit in a picture that its column does not have.
    #[error("'{name}' is in {own}, which '{unit}' does not measure")]
    PlotUnit {
        /// The column.
        name: String,
        /// The unit in brackets.
        unit: String,
        /// The unit of the column.
        own: String,
    },
    /// A measure at a time before the run.
    #[error("{name}.at = {} s is before the start of the run, run.start = {} s", short(*at), short(*start))]
    BeforeStart {
        /// The measure, as in `measure.v_max`.
        name: String,
        /// Its time \[s\].
        at: f64,
        /// Beginning of the run \[s\].
        start: f64,
    },
    /// A block beyond the end of a chain.
    #[error("there is no '{name}': the chain '{chain}' has {count} blocks (chain.{chain}.count = {count})")]
    UnknownBlock {
        /// The name of the block.
        name: String,
        /// The chain.
        chain: String,
        /// How many blocks it has.
        count: usize,
    },
    /// A parameter that belongs to other laws.
    #[error("law '{law}' has no parameter '{name}'")]
    ForeignParameter {
        /// The law.
        law: &'static str,
        /// The parameter.
        name: String,
        /// Laws that have it.
        laws: Vec<&'static str>,
    },
    /// Points that do not define a curve.
    #[error("{}", curve(problem, values))]
    Curve {
        /// Why.
        problem: CurveError,
        /// The value at the wrong point, and at the point before it.
        values: [f64; 2],
    },
    /// A cell of a table that is not a number.
    #[error("'{text}' is not a number")]
    NotANumber {
        /// The text of the cell.
        text: String,
    },
    /// A path of a value that is not of the form `spring.pull.stiffness`.
    #[error("'{text}' is not the path of a value")]
    InvalidPath {
        /// The text.
        text: String,
    },
    /// An assignment that is not of the form `path=value`.
    #[error("--set '{text}' is not PATH=VALUE")]
    Assignment {
        /// The text.
        text: String,
    },
    /// Another error, found in an assignment of the command line.
    #[error("--set {text}: {error}")]
    Set {
        /// The assignment.
        text: String,
        /// What is wrong with it.
        #[source]
        error: Box<Error>,
    },
    /// A key outside the table it belongs to.
    #[error("'{name}' must be in the table [{table}]")]
    OutsideTable {
        /// The key.
        name: String,
        /// The table.
        table: &'static str,
    },
    /// A key or table that is missing in a parameter file.
    #[error("{key} is missing")]
    Missing {
        /// The key.
        key: &'static str,
    },
    /// A value of the wrong type.
    #[error("'{key}' must be a {expected}, found {found}")]
    WrongType {
        /// The key.
        key: String,
        /// The required type.
        expected: &'static str,
        /// The type it has.
        found: &'static str,
    },
    /// A law that cannot be built.
    #[error(transparent)]
    Law(#[from] LawError),
    /// A file that cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A system that cannot be built.
    #[error(transparent)]
    System(#[from] SystemError),
    /// A simulation that cannot start or continue.
    #[error("at t = {}: {kind}", short(*t))]
    Simulation {
        /// When \[s\].
        t: f64,
        /// Why.
        kind: SimErrorKind,
    },
    /// Measured data that cannot be used.
    #[error("{0}")]
    Data(DataError),
    /// An analysis that has no result.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// An identification, or the design of an experiment, that has no result.
    #[error(transparent)]
    Identification(#[from] IdentificationError),
    /// Samples that cannot be filtered or fitted, or another error of numerical routines.
    #[error(transparent)]
    Numerics(#[from] NumericsError),
    /// A sweep that cannot start or continue.
    #[error(transparent)]
    Sweep(#[from] SweepError),
    /// A device that cannot run a sweep.
    #[error(transparent)]
    Accelerator(#[from] AcceleratorError),
    /// A system that cannot be simulated in vector lanes.
    #[error("this ensemble cannot run in vector lanes: {0}")]
    Unsupported(Unsupported),
    /// An error of the function of a caller that builds the points of an ensemble.
    #[error("{0}")]
    Caller(Box<dyn std::error::Error + Send + Sync>),
    /// Another error, at a position in a file.
    #[error("{position}: {error}")]
    At {
        /// The position.
        position: Position,
        /// What is wrong there.
        #[source]
        error: Box<Error>,
    },
}

impl Error {
    /// The same, found at `position`.
    #[must_use]
    pub fn at(self, position: Position) -> Self {
        Self::At { position, error: Box::new(self) }
    }

    /// The error itself, without the position in a file or the assignment it was found in.
    pub fn without_position(&self) -> &Self {
        match self {
            Self::At { error, .. } | Self::Set { error, .. } => error.without_position(),
            error => error,
        }
    }

    /// The same as a value of its own.
    #[must_use]
    pub(crate) fn into_unplaced(self) -> Self {
        match self {
            Self::At { error, .. } | Self::Set { error, .. } => error.into_unplaced(),
            error => error,
        }
    }
}

impl From<DataError> for Error {
    fn from(error: DataError) -> Self {
        match error {
            DataError::File(error) => Self::File(error),
            DataError::NotANumber { text, position } => Self::NotANumber { text }.at(position),
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
            // an `Error` that passed through the simulator, see below
            SimError::Point(error) => error.downcast().map_or_else(Self::Caller, |error| *error),
        }
    }
}

/// For functions that build the points of an ensemble: their errors pass through the simulator.
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
