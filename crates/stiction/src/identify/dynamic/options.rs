//! Options of a fit of a law to friction.
use crate::fit::{self, NoiseModel};
use crate::identify::{FitCheckpoint, FreeParameter, GlobalSearch, MassOption};

/// Options of a fit of a law to friction.
#[derive(Clone, Debug)]
pub struct DynamicOptions {
    /// Free parameters. Empty: all parameters of the law without a given value, except exponents and reference speeds or loads.
    pub free: Vec<FreeParameter>,
    /// Bounds and initial values; parameters named here are free as well.
    pub bounds: Vec<FreeParameter>,
    /// Whether the mass is given or estimated.
    pub mass: MassOption,
    /// Whether a constant force is estimated: gravity, or the offset of a sensor.
    pub offset: bool,
    /// Whether the delay of the force relative to the motion is estimated.
    pub delay: bool,
    /// Samples on either side of a reversal that are not compared with a law whose force jumps there: the instant of the jump within
    /// a sample is not known.
    pub reach: usize,
    /// Whether the state of the law is driven by differences of the position, if it was measured. They are the exact mean
    /// velocity over a sample, without the noise of a derivative.
    pub by_position: bool,
    /// Substeps per sample where the state is driven by the linearly interpolated velocity: a stiff contact may reverse within
    /// a sample.
    pub parts: usize,
    /// Whether the law starts from steady sliding; otherwise its memory at the beginning is estimated from each record.
    pub settled: bool,
    /// Time at the beginning of each record that is not compared, while the initial state decays \[s\].
    pub skip: f64,
    /// Global search before the fit.
    pub search: GlobalSearch,
    /// Whether a contact may be found rigid as far as the samples tell: the range of a stiffness that ends at its upper end is widened to there, and the samples
    /// beside reversals are left out, where the force jumps at an instant that is not known. Not with each of a row of delays: a wrong one makes any contact seem
    /// rigid, and their costs are compared over the same samples.
    pub may_be_rigid: bool,
    /// Number of samples of all records for the global search.
    pub samples: usize,
    /// Options of the least-squares fit.
    pub fit: fit::FitOptions,
    /// State of an interrupted fit to resume from.
    pub resume: Option<FitCheckpoint>,
    /// Confidence level of the intervals.
    pub level: f64,
    /// Whether intervals are computed by profile likelihood, which takes a fit for each of some twenty values.
    pub profile: bool,
}

impl Default for DynamicOptions {
    fn default() -> Self {
        Self {
            free: Vec::new(),
            bounds: Vec::new(),
            mass: MassOption::Given,
            offset: false,
            delay: false,
            reach: 1,
            by_position: true,
            parts: 8,
            settled: false,
            skip: 0.0,
            search: GlobalSearch::default(),
            may_be_rigid: true,
            samples: 4000,
            fit: fit::FitOptions { noise: NoiseModel::correlated(), evaluations: 400, ..fit::FitOptions::default() },
            resume: None,
            level: 0.95,
            profile: false,
        }
    }
}
