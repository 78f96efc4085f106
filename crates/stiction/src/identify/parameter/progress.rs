//! Progress of a fit.
use crate::fit::FitState;

/// Stage of a fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FitStage {
    /// Global search on a thinned record.
    GlobalSearch,
    /// Least-squares fit on all samples.
    LeastSquares,
}

/// Progress of a fit.
#[derive(Debug)]
pub struct FitProgress<'a> {
    /// The current stage.
    pub stage: FitStage,
    /// Completed share of this stage, at most, from 0 to 1.
    pub done: f64,
    /// RMS residual of the best values so far.
    pub rms: f64,
    /// Names of the free parameters.
    pub names: &'a [String],
    /// Their best values so far.
    pub values: &'a [f64],
    /// State to resume the fit from; none during the global search.
    pub state: Option<&'a FitState>,
}
