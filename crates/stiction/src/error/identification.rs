//! Why an identification, or the design of an experiment for one, has no result.
use stiction_data::list_columns;
use stiction_io::excerpt;
use stiction_io::number::{round, short};

/// Most characters of a name from a file that a message quotes.
const QUOTED: usize = 60;

/// Why an identification, or the design of an experiment for one, has no result.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum IdentificationError {
    /// An actuator too weak to move the body.
    #[error("a force of {} N does not move the body: the assumed law needs {} N", short(round(*have, 4)), short(round(*need, 4)))]
    InsufficientForce {
        /// Available force \[N\].
        have: f64,
        /// Required force \[N\].
        need: f64,
    },
    /// Records without a break-away.
    #[error("no body breaks away in these records{}", uncertain_starts(*starts))]
    NoBreakaway {
        /// Number of times a body began to move without a jump that is distinguishable from noise.
        starts: usize,
    },
    /// Limits that allow no motion.
    #[error("no motion fits within the limits, in a quarter of {} s at {} Hz", short(*duration), short(*rate))]
    NoFeasibleMotion {
        /// Available time \[s\].
        duration: f64,
        /// Sampling rate \[Hz\].
        rate: f64,
    },
    /// More rows than are kept in memory.
    #[error("{file}: more than {limit} {}, which is more than is kept in memory",
        if *averaged == 1 { "rows".to_owned() } else { format!("means over {averaged} rows") })]
    TooManyRows {
        /// The file.
        file: String,
        /// Most rows.
        limit: usize,
        /// How many rows of the file were averaged into one.
        averaged: usize,
    },
    /// No column is known to hold a quantity that is needed.
    #[error("{file}: no column is recognised as {role}; the columns are: {}", list_columns(known))]
    NoColumnFor {
        /// The file.
        file: String,
        /// The quantity: `force`.
        role: &'static str,
        /// The names of all columns.
        known: Vec<String>,
        /// The options that identify each of several joints, if the columns are numbered as theirs are.
        joints: Option<String>,
    },
    /// Columns of a rotating and of a translating body.
    #[error(
        "{file}: {} is of a rotating body, {} of a translating one",
        excerpt(rotation, QUOTED),
        excerpt(translation, QUOTED)
    )]
    MixedMotion {
        /// The file.
        file: String,
        /// A column of the rotating body.
        rotation: String,
        /// A column of the translating body.
        translation: String,
    },
    /// A column whose unit is one of another quantity.
    #[error(
        "{file}: {role} needs a unit such as {expected}, but column '{}' is in {}",
        excerpt(column, QUOTED),
        excerpt(unit, QUOTED)
    )]
    WrongUnit {
        /// The file.
        file: String,
        /// The quantity.
        role: &'static str,
        /// The column.
        column: String,
        /// Its unit.
        unit: String,
        /// A unit that would fit.
        expected: &'static str,
    },
    /// Parameters whose forces depend on each other in this motion.
    #[error("{} cannot be told apart: in this motion their forces depend on each other", names.join(", "))]
    NotToldApart {
        /// Their names.
        names: Vec<String>,
    },
    /// A fit that cannot be repeated with residuals drawn anew.
    #[error("a bootstrap is of a law that is fitted along the motion, without an estimated delay, or of a scenario")]
    NoRefit,
    /// A law to be checked without the mass that it was identified with.
    #[error("the file does not give the moving mass")]
    NoMass,
    /// A name of a force of unknown size that something else has.
    #[error("--term {name}: {why}")]
    TermName {
        /// The name.
        name: String,
        /// Why it cannot have it.
        why: &'static str,
    },
    /// A value of a scenario that is computed from parameters to identify.
    #[error("--set {path} has no effect: [identify] computes it from columns and parameters")]
    Computed {
        /// The path of the value, as it was given.
        path: String,
    },
}

fn uncertain_starts(starts: usize) -> String {
    if starts == 0 {
        return String::new();
    }
    format!(": {starts} times one begins to move, without a jump that stands out from the noise")
}

impl IdentificationError {
    /// What the user can do about it.
    pub fn hint(&self) -> String {
        let text = match self {
            Self::InsufficientForce { .. } => "allow a larger force, or assume other values of the law",
            Self::NoBreakaway { .. } => "raise the force slowly, from rest, until the body moves",
            Self::NoFeasibleMotion { .. } => "allow more time, more samples, a larger acceleration or a shorter stroke",
            Self::TooManyRows { averaged, .. } => {
                return format!("average over more rows while it is read: --mean {}", 10 * averaged);
            }
            Self::NoColumnFor { role: "time", .. } => {
                "name it with --time NAME, or give the sampling rate: --rate 1000 for 1000 Hz"
            }
            Self::NoColumnFor { joints: Some(options), .. } => {
                return format!("the columns are those of several joints: {options}");
            }
            Self::NoColumnFor { role, .. } => {
                return format!("name it with --{role} NAME, or compute it: --{role} '0.5*name'");
            }
            Self::NotToldApart { .. } => {
                "fc and fv need two speeds, a mass needs accelerations, an offset both directions; or leave one out: --model coulomb, --mass KG, --no-offset"
            }
            Self::NoRefit => "name a law as model, or use the intervals of the estimates",
            Self::NoMass => "give it with --mass KG, or 0 if the force is friction itself",
            Self::TermName { .. } => "give it another name: --term 'gravity=sin(q)'",
            Self::Computed { .. } => "hold one of the parameters by its name: --set NAME=NUMBER",
            Self::MixedMotion { .. } => "choose columns of one body, or convert one, as in --force 'tau/0.02'",
            Self::WrongUnit { role, column, unit, expected, .. } => {
                let plain = column.chars().all(|c| c.is_alphanumeric() || c == '_');
                let (name, unit) = (excerpt(column, QUOTED), excerpt(unit, QUOTED));
                let name = if plain { name.to_string() } else { format!("{{{name}}}") };
                return format!(
                    "choose another column, or multiply by {expected} per {unit}, for example 42 {expected}/{unit}: --{role} '42*{name}'"
                );
            }
        };
        text.to_owned()
    }
}
