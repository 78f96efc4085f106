//! Progress of a fit.
use crate::fit::{FitState, SearchJournal};

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
    /// State to resume the fit from; none if it keeps none.
    pub checkpoint: Option<&'a FitCheckpoint>,
}

impl FitProgress<'_> {
    /// The same of a fit that follows another one, of which so much was done and from whose state a stopped fit resumes.
    pub fn after<'a>(&'a self, done: f64, checkpoint: Option<&'a FitCheckpoint>) -> FitProgress<'a> {
        let Self { stage, rms, names, values, .. } = *self;
        FitProgress { stage, done: done.max(self.done), rms, names, values, checkpoint }
    }
}

/// What a stopped fit needs to go on as if it had not been stopped.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FitCheckpoint {
    /// The finished parts of the global search.
    pub search: SearchJournal,
    /// The round of the least-squares fit; none during the global search.
    pub round: Option<RoundState>,
}

/// State within a round of least squares. A fit with prior knowledge takes several, because the weight of the records follows from their
/// residuals.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundState {
    /// Which round it is, from one.
    pub number: usize,
    /// Weight of the records against prior knowledge.
    pub weight: f64,
    /// Cost at the end of the round before; infinite if it cannot be compared.
    pub cost_before: f64,
    /// State of the fit.
    pub fit: FitState,
}
