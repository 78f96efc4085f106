//! The loop of a run, the same for every method. Ensembles in lanes have their own (`batch/runner.rs`): there each lane is at another
//! time, and is refilled when its trajectory ends.
//!
//! ```text
//! begin: modes and forces at the start, first row
//! while t < end:
//!     step to its end or to the first event in it, through the transition there; rows, events and probes on the way
//!     ends early if the observer, the stop flag or a limit says so
//! last row
//! ```
use super::flow::Flow;
use super::recorder::Recorder;
use super::{Column, EnergyBalance, EventRate, RunFailure, RunSummary, SimErrorKind, SolverStatistics, SystemState};
use crate::SimError;
use stiction_core::model::LOAD_MAX;

/// A method of integration at work on a system.
pub(super) trait Integrator<'a> {
    fn recorder(&mut self) -> &mut Recorder<'a>;
    /// The present time \[s\].
    fn time(&self) -> f64;
    /// Accepted steps so far.
    fn steps(&self) -> u64;
    /// Prepares the first step.
    fn begin(&mut self) -> Result<(), SimError>;
    /// Takes one step to its end, or to the first event in it and through the transition there. A step may be rejected: then
    /// the time stays, and the next call tries another.
    fn advance(&mut self) -> Result<(), SimError>;
    /// Work done on the system since the start \[J\].
    fn work(&self) -> f64;
    /// Contacts, or bodies on a plane, and their load factors at the present state.
    fn load_factors(&self) -> impl Iterator<Item = (usize, f64)>;
    /// Fills the recorder's row with the present state.
    fn fill_row(&mut self);
    /// The results, but for rows and probes.
    fn results(&mut self) -> Results;

    fn write_row(&mut self) -> Result<(), SimError> {
        self.fill_row();
        let t = self.time();
        self.recorder().write(t)
    }
    fn fail<T>(&self, kind: SimErrorKind) -> Result<T, SimError> {
        Err(SimError::Run { t: self.time(), kind })
    }
}

/// The results of an integrator.
pub(super) struct Results {
    /// Without the events, which the recorder counts.
    pub stats: SolverStatistics,
    pub energy: EnergyBalance,
    pub state: SystemState,
}

/// Runs to `end`; `name` gives the name of a contact or stop.
///
/// # Errors
/// If the run could not start; a run that had to stop has its failure in the summary.
pub(super) fn run<'a>(
    integrator: &mut impl Integrator<'a>,
    end: f64,
    columns: &[Column],
    name: impl Fn(usize) -> String,
) -> Result<RunSummary, SimError> {
    integrator.begin()?;
    let mut largest_work = 0.0;
    let (complete, failure) = match advance_to(end, integrator, &mut largest_work, &name) {
        Ok(complete) => (complete, None),
        Err(SimError::Run { t, mut kind }) => {
            if let SimErrorKind::MaxSteps { busiest, .. } | SimErrorKind::MaxSeconds { busiest, .. } = &mut kind {
                let steps = integrator.steps();
                let found = integrator.recorder().busiest(steps, t);
                let found = found.map(|(part, events, rate)| EventRate { part: name(part), events, rate });
                // sections of the state space have no name
                *busiest = found.filter(|found| !found.part.is_empty());
            }
            (false, Some(RunFailure { t, kind }))
        }
        Err(error) => return Err(error),
    };
    let t = integrator.time();
    if failure.is_some() && !integrator.recorder().is_ahead_of(t) {
        // the last state belongs in the trace, if it has numbers
        let _ = integrator.write_row();
    }
    let Results { stats, energy, state } = integrator.results();
    let recorder = integrator.recorder();
    Ok(RunSummary {
        // a run that ends while it writes the rows of a step ends with the last of them
        t: recorder.written,
        complete,
        failure,
        columns: columns.to_vec(),
        stats: SolverStatistics { events: recorder.events, ..stats },
        energy: EnergyBalance { largest_work, ..energy },
        probes: recorder.probes.answers(complete.then_some(&recorder.row)),
        state,
        row: std::mem::take(&mut recorder.row),
    })
}

/// Runs to `end`; false if the observer or the stop flag ended the run.
fn advance_to<'a>(
    end: f64,
    integrator: &mut impl Integrator<'a>,
    largest_work: &mut f64,
    name: &impl Fn(usize) -> String,
) -> Result<bool, SimError> {
    while integrator.time() < end {
        integrator.advance()?;
        *largest_work = largest_work.max(integrator.work().abs());
        // laws limit the load, and their force would be wrong without a word
        let exceeding = integrator.load_factors().find(|(_, factor)| factor.abs() > LOAD_MAX);
        if let Some((part, factor)) = exceeding {
            return integrator.fail(SimErrorKind::LoadTooLarge { contact: name(part), factor });
        }
        let (t, steps) = (integrator.time(), integrator.steps());
        if integrator.recorder().is_cut {
            return Ok(false);
        }
        if integrator.recorder().is_stopped(t) {
            integrator.write_row()?;
            return Ok(false);
        }
        if let Some(kind) = integrator.recorder().limits.exceeded(steps, t) {
            return integrator.fail(kind);
        }
    }
    integrator.write_row()?;
    Ok(true)
}

impl Flow<'_> {
    /// The energy balance at time `t` in state `y`, which ends with the energies. `before` is the energy at the start, `impact`
    /// what impacts and switches have taken.
    pub(super) fn energy_balance(
        &mut self,
        t: f64,
        y: &[f64],
        before: f64,
        [impact, switching]: [f64; 2],
    ) -> EnergyBalance {
        let at = self.components.n + self.components.nu;
        let [work, friction, damping] = [0, 1, 2].map(|k| y[at + k]);
        EnergyBalance {
            work,
            friction,
            damping,
            impact,
            switching,
            before,
            after: self.energy(t, y),
            largest_work: 0.0,
        }
    }
}
