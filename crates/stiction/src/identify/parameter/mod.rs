//! Parameters to estimate: which are free, where to search for them, and the progress of a fit.
mod kind;
mod progress;

pub(in crate::identify) use kind::{ParameterKind, is_free_by_default};
pub use progress::{FitCheckpoint, FitProgress, FitStage, RoundState};

use crate::fit::{CmaOptions, ScreeningOptions};

/// A parameter to estimate: its key as on the command line (`fc`, `reverse.fc`, `load.slope`), and constraints on it.
/// Constraints that are not given are derived from the data and the registry of laws.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FreeParameter {
    /// The key.
    pub key: String,
    /// Lower bound.
    pub low: Option<f64>,
    /// Upper bound.
    pub high: Option<f64>,
    /// Initial value.
    pub start: Option<f64>,
    /// Whether the fit uses its logarithm.
    pub log: Option<bool>,
}

impl FreeParameter {
    /// A parameter by its key alone.
    pub fn new(key: &str) -> Self {
        Self { key: key.to_owned(), ..Self::default() }
    }
    /// The same within bounds.
    #[must_use]
    pub fn within(self, low: f64, high: f64) -> Self {
        Self { low: Some(low), high: Some(high), ..self }
    }
}

/// Whether the mass is given or estimated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MassOption {
    /// The mass of the motion; zero if the motion has none.
    #[default]
    Given,
    /// The mass is estimated.
    Estimated,
}

/// The global search for the best minimum, before the local fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GlobalSearch {
    /// No search: the fit starts from the initial values.
    None,
    /// Multistart: local fits from many initial points.
    Multistart(ScreeningOptions),
    /// Evolution strategy (CMA-ES).
    CmaEs(CmaOptions),
}

impl Default for GlobalSearch {
    fn default() -> Self {
        Self::Multistart(ScreeningOptions::default())
    }
}
