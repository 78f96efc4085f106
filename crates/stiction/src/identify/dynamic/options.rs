//! Options of a fit of a law to friction.
use crate::fit::{self, FitState, Noise};
use crate::identify::{FreeParameter, GlobalSearch, MassOption};

/// How a law is fitted.
#[derive(Clone, Debug)]
pub struct DynamicOptions {
    /// What is sought. Empty: all parameters of the law to which the caller gave no value, except exponents and what only
    /// says at which speed or load others are given.
    pub free: Vec<FreeParameter>,
    /// Bounds, starts of what is sought anyway; what is named here is sought, too.
    pub bounds: Vec<FreeParameter>,
    /// Whether the mass is sought.
    pub mass: MassOption,
    /// Whether a constant force is sought, too: gravity, or a sensor's zero.
    pub offset: bool,
    /// Whether the memory moves by differences of the position, where one was measured. They are the exact mean of the
    /// velocity over a sample, without the noise of a derivative.
    pub by_position: bool,
    /// Pieces that a sample is cut into where the memory moves by the velocity, straight from one sample to the next: a stiff
    /// contact turns around within a sample.
    pub parts: usize,
    /// Whether the law has slid for ever before the record; else it begins unstrained.
    pub settled: bool,
    /// Time at the beginning of each record that is not compared: memory forgets its start \[s\].
    pub skip: f64,
    /// The search before the fit.
    pub search: GlobalSearch,
    /// Samples, of all records together, that the search looks at.
    pub samples: usize,
    /// The fit.
    pub fit: fit::FitOptions,
    /// Where a fit that was stopped stood: it goes on from there, without a search.
    pub resume: Option<FitState>,
    /// The probability that intervals are for.
    pub level: f64,
    /// Whether intervals follow the valley of the other parameters, which costs a fit for each of some twenty values.
    pub profile: bool,
}

impl Default for DynamicOptions {
    fn default() -> Self {
        Self {
            free: Vec::new(),
            bounds: Vec::new(),
            mass: MassOption::Given,
            offset: false,
            by_position: true,
            parts: 8,
            settled: false,
            skip: 0.0,
            search: GlobalSearch::default(),
            samples: 4000,
            fit: fit::FitOptions { noise: Noise::correlated(), evaluations: 400, ..fit::FitOptions::default() },
            resume: None,
            level: 0.95,
            profile: false,
        }
    }
}
