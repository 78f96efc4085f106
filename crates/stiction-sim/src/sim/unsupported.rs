//! Why a system cannot be simulated in lanes.
use std::fmt::{self, Display, Formatter};

/// Most bodies of a system in lanes: its state then fits into fixed-size arrays.
pub(super) const MAX_BODIES: usize = 4;
/// Most contacts of a system in lanes.
pub(super) const MAX_CONTACTS: usize = 4;

/// Why an ensemble of a system cannot be run in lanes. The event-driven simulator runs it instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// It contains a stop, a plant or a controller.
    Part {
        /// The kind of component.
        what: &'static str,
        /// Its name.
        name: String,
    },
    /// Too many bodies, or none.
    Bodies {
        /// How many.
        count: usize,
    },
    /// Too many contacts, or none.
    Contacts {
        /// How many.
        count: usize,
    },
    /// The law of a contact, or one of its wrappers.
    Law {
        /// The contact.
        contact: String,
        /// The reason.
        why: &'static str,
    },
    /// A contact's normal load varies in time.
    Load {
        /// The contact.
        contact: String,
    },
    /// A spring that is not linear.
    Spring {
        /// The spring.
        name: String,
    },
    /// An option of the run.
    Option {
        /// Its name.
        key: &'static str,
    },
    /// A signal that is not one line over the whole run, where only such signals run.
    Signal,
    /// A point whose system has other components than the first.
    Shape,
    /// A point with values outside the range of the lanes: masses that are not positive, stiffness or damping below zero.
    Numbers,
}

impl Display for Unsupported {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Part { what, name } => write!(f, "'{name}' is a {what}"),
            Self::Bodies { count } => write!(f, "{count} bodies, where 1 to {MAX_BODIES} run in lanes"),
            Self::Contacts { count } => write!(f, "{count} contacts, where 1 to {MAX_CONTACTS} run in lanes"),
            Self::Law { contact, why } => write!(f, "the law of '{contact}' {why}"),
            Self::Load { contact } => write!(f, "the load of '{contact}' varies in time"),
            Self::Spring { name } => write!(f, "'{name}' is not linear"),
            Self::Option { key } => write!(f, "the run sets {key}"),
            Self::Numbers => f.write_str("a mass, stiffness or damping is out of the range that lanes take"),
            Self::Signal => f.write_str("a signal bends or jumps within the run"),
            Self::Shape => f.write_str("the system has other components than the first"),
        }
    }
}
