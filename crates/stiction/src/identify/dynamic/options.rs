//! What is asked of a fit.
use crate::fit::{self, CmaOptions, FitState, Noise, ScreeningOptions};

/// A parameter to be sought: its key as on the command line (`fc`, `reverse.fc`, `load.slope`), and what is known of it. What
/// is not said comes from the data and the registry.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Free {
    /// The key.
    pub key: String,
    /// The least it may be.
    pub low: Option<f64>,
    /// The most it may be.
    pub high: Option<f64>,
    /// Where to begin.
    pub start: Option<f64>,
    /// Whether its logarithm is sought.
    pub log: Option<bool>,
}

impl Free {
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

/// What is known of the mass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mass {
    /// It is that of the motion; none if the motion has none.
    #[default]
    Known,
    /// It is sought.
    Free,
}

/// How the best valley is found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Search {
    /// Not at all: the fit goes down from where it starts.
    None,
    /// Fits from many starts.
    Starts(ScreeningOptions),
    /// Evolution.
    Evolution(CmaOptions),
}

impl Default for Search {
    fn default() -> Self {
        Self::Starts(ScreeningOptions::default())
    }
}

/// How a law is fitted.
#[derive(Clone, Debug)]
pub struct Options {
    /// What is sought. Empty: all parameters of the law to which the caller gave no value, except exponents and what only
    /// says at which speed or load others are given.
    pub free: Vec<Free>,
    /// Bounds, starts of what is sought anyway; what is named here is sought, too.
    pub bounds: Vec<Free>,
    /// Whether the mass is sought.
    pub mass: Mass,
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
    pub search: Search,
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

impl Default for Options {
    fn default() -> Self {
        Self {
            free: Vec::new(),
            bounds: Vec::new(),
            mass: Mass::Known,
            offset: false,
            by_position: true,
            parts: 8,
            settled: false,
            skip: 0.0,
            search: Search::default(),
            samples: 4000,
            fit: fit::FitOptions { noise: Noise::correlated(), evaluations: 400, ..fit::FitOptions::default() },
            resume: None,
            level: 0.95,
            profile: false,
        }
    }
}

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The search all over.
    Search,
    /// The fit on all samples.
    Fit,
}

/// A look at the work.
#[derive(Debug)]
pub struct Progress<'a> {
    /// What is being done.
    pub stage: Stage,
    /// How much of this stage is done at most, from 0 to 1.
    pub done: f64,
    /// The root of the mean square so far.
    pub rms: f64,
    /// Names of what is sought.
    pub names: &'a [String],
    /// Their best values so far.
    pub values: &'a [f64],
    /// What it takes to go on later; none during the search.
    pub state: Option<&'a FitState>,
}
