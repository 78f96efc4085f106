//! Why a simulation cannot begin or go on.
use super::batch::Unsupported;
use crate::{LawError, SystemError};
use std::fmt::{self, Display, Formatter};
use stiction_io::number::short;

/// Why a simulation cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum SimError {
    /// A law that cannot be made.
    #[error(transparent)]
    Law(#[from] LawError),
    /// A system that cannot be simulated.
    #[error(transparent)]
    System(#[from] SystemError),
    /// A run that cannot begin or go on.
    #[error("at t = {}: {kind}", short(*t))]
    Run {
        /// When \[s\].
        t: f64,
        /// Why.
        kind: SimErrorKind,
    },
    /// A system that cannot be run in lanes.
    #[error("not an ensemble for lanes: {0}")]
    Unsupported(Unsupported),
    /// The caller's function that makes the points of an ensemble failed.
    #[error(transparent)]
    Point(Box<dyn std::error::Error + Send + Sync>),
}

impl SimError {
    /// What the user may do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Law(error) => error.hint(),
            Self::System(error) => Some(error.hint().to_owned()),
            Self::Run { kind, .. } => Some(kind.hint()),
            Self::Unsupported(_) => Some("the ordinary simulator runs it".to_owned()),
            Self::Point(_) => None,
        }
    }
}

/// Why a run cannot begin or go on.
#[derive(Clone, Debug, PartialEq)]
pub enum SimErrorKind {
    /// An option that is not possible.
    Option {
        /// Its name.
        key: &'static str,
        /// Its value.
        value: f64,
        /// What it must be.
        must: &'static str,
    },
    /// A probe of a column or component that is not there.
    Probe {
        /// The name.
        name: String,
        /// Names it may have been meant for.
        near: Vec<String>,
    },
    /// A number became infinite or not a number.
    NotFinite,
    /// The step became too short to advance the clock.
    Stalled {
        /// The last step tried \[s\].
        step: f64,
    },
    /// The run did not arrive within as many steps as allowed.
    Steps {
        /// The limit.
        most: u64,
    },
    /// A contact switches without end.
    Chatter {
        /// The contact.
        contact: String,
    },
    /// No forces were found that satisfy all contacts at rest.
    Undecided,
    /// A mass matrix cannot be inverted.
    Singular,
}

impl Display for SimErrorKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Option { key, value, must } => write!(f, "{key} = {} must be {must}", short(*value)),
            Self::Probe { name, .. } => write!(f, "there is nothing called '{name}' to measure"),
            Self::NotFinite => f.write_str("a number grew beyond all bounds"),
            Self::Stalled { step } => write!(f, "the step fell to {} s and no longer advances the clock", short(*step)),
            Self::Steps { most } => write!(f, "the end is not in sight after {most} steps"),
            Self::Chatter { contact } => write!(f, "'{contact}' switches without end"),
            Self::Undecided => f.write_str("which contacts stick and which slip could not be decided"),
            Self::Singular => f.write_str("the mass matrix is singular"),
        }
    }
}

impl SimErrorKind {
    /// What the user may do about it.
    pub fn hint(&self) -> String {
        let text = match self {
            Self::Option { key, .. } => return format!("change {key} or end in [run], or with --set run.{key}=NUMBER"),
            Self::Probe { near, .. } if !near.is_empty() => {
                return format!("did you mean '{}'?", near.join("' or '"));
            }
            Self::Probe { .. } => "see the trace's columns",
            Self::NotFinite => "the system is unstable, or a value is out of all proportion",
            Self::Stalled { .. } => "loosen the tolerance, or look for a stiffness or mass that is out of proportion",
            Self::Steps { .. } => {
                "raise max_steps or loosen rtol; look for a light body on bristles without damping, which ring, and \
                 for an explicit method, which crawls"
            }
            Self::Chatter { .. } => {
                "try another rtol; or give the contact a law with presliding stiffness, or the coupling some compliance"
            }
            Self::Undecided => "look for a mass or a limit that is out of all proportion to its neighbours",
            Self::Singular => "give every coordinate an inertia",
        };
        text.to_owned()
    }
}
