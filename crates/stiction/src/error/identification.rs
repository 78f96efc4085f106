//! Why an identification, or the design of an experiment for one, has no result.
use stiction_io::number::{round, short};

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
        };
        text.to_owned()
    }
}
