//! An independent reference: slow, simple, and without any code of the simulator.
//!
//! It takes a model, not a scenario file, and asks the laws of the core only for their forces, rates, limits, guards and jumps.
//! Steps are explicit (Dormand and Prince), bounded in length and in local error. There is no dense output: an event is located
//! by taking the step again with another length, so that every state that is looked at is the end of a step. Contacts at rest
//! are decided by enumeration ([`linear`]), and their velocities are projected to zero.
//!
//! Its own error is estimated by three runs, each a hundred times closer than the one before and with half the longest step: the
//! difference of the last two is an estimate of the error of the second. If it is not well below the difference of the first two
//! the system is too hard, and nothing is compared.
mod compile;
mod constraint_row;
mod elements;
mod guards;
mod integrate;
pub mod linear;
mod mechanics;
mod signal;
mod transition;

pub use integrate::ReferenceError;

use crate::model::Model;
use crate::trajectory::Trajectory;
use integrate::{Accuracy, Integration};

/// The accuracies of the three runs.
const LADDER: [Accuracy; 3] = [
    Accuracy { tolerance: 1e-7, shares: 100.0, steps: 30_000 },
    Accuracy { tolerance: 1e-9, shares: 200.0, steps: 60_000 },
    Accuracy { tolerance: 1e-11, shares: 400.0, steps: 120_000 },
];

/// A solution with an estimate of its error.
pub struct ReferenceSolution {
    /// Values that are not determined are not a number.
    pub trajectory: Trajectory,
    /// Estimated error of every value.
    pub error: Trajectory,
}

/// The solution of a model.
///
/// # Errors
/// Why the reference cannot follow it.
pub fn solve(model: &Model) -> Result<ReferenceSolution, ReferenceError> {
    let none = Leeway::default;
    let ([coarse, middle], (fine, rounding)) =
        ([run(model, LADDER[0], none())?.0, run(model, LADDER[1], none())?.0], run(model, LADDER[2], none())?);
    let (first, second) = (coarse.difference(&middle), middle.difference(&fine));
    let scale = fine.scales();
    for (c, (scale, rounding)) in scale.iter().zip(&rounding).enumerate() {
        let (before, after) = (first.largest(c), second.largest(c));
        // small, or an order of magnitude below the difference before
        if after > 1e-9 * scale + rounding && after > 0.1 * before {
            return Err(ReferenceError::NotConverged);
        }
    }
    let mut error = second;
    for row in &mut error.rows {
        row.iter_mut().zip(&rounding).for_each(|(error, rounding)| *error += rounding);
    }
    Ok(ReferenceSolution { trajectory: fine, error })
}

/// What a tolerance leaves open beside the numbers of a model.
#[derive(Clone, Debug, Default)]
pub struct Leeway {
    /// By which shares of its size every memory is led astray, from each row to the next.
    pub memory: Vec<f64>,
    /// Stops that are within this share of the largest position, and within this distance, of a blow take part in it.
    pub together: [f64; 2],
}

impl Leeway {
    /// The distance within which a stop takes part in a blow, between bodies whose positions are of this size.
    fn together(&self, size: f64) -> f64 {
        self.together[0] * size + self.together[1]
    }
}

/// One run of the middle accuracy, for sensitivities.
///
/// # Errors
/// Why the reference cannot follow it.
pub fn solve_once(model: &Model, leeway: Leeway) -> Result<Trajectory, ReferenceError> {
    run(model, LADDER[1], leeway).map(|(trajectory, _)| trajectory)
}

fn run(model: &Model, accuracy: Accuracy, leeway: Leeway) -> Result<(Trajectory, Vec<f64>), ReferenceError> {
    let (rows, rounding) = Integration::new(model, accuracy, leeway)?.run(model)?;
    if rows.iter().flatten().any(|x| x.is_infinite()) {
        return Err(ReferenceError::NotFinite);
    }
    Ok((Trajectory { columns: model.columns(), rows }, rounding))
}
