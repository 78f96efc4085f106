//! Presliding: friction as a function of displacement before break-away (Nouri2004, figs. 2 to 8).
//!
//! The record is split into branches at its reversals. From each reversal the force rises by one function of the travel,
//! the branch function `Fd`, which is fitted to all branches at once, piecewise linear and as the exponential of Nouri's law.
//! Whether such a function exists (Masing's rule), whether it is symmetric, and whether loops close (return-point memory) is
//! tested against the noise. Then two laws, `hysteresis` and `gms`, replay the record.
mod branch_function;
mod branch_segments;
mod curves;
mod hysteresis_loops;
mod hysteresis_path;
mod laws;
mod memory_tests;
mod parallel_springs;
mod pooled_branches;
mod replay;
mod slip_onset;
mod summary;

pub use branch_segments::BranchSegment;
pub use hysteresis_loops::{LoopClosure, MeasuredLoop, Unloading};
pub use hysteresis_path::{Branch, HysteresisPath};
pub use memory_tests::MemoryTest;
pub use replay::{Replay, replay};

use super::{IdentificationResult, MotionRecord};
use crate::NumericsError;
use crate::{Error, Spec};
use branch_function::BranchFunction;
use laws::ForceLevels;
use pooled_branches::PooledBranches;

/// Options of the identification of presliding.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PreslidingOptions {
    /// Leaves out the `gms` law, which takes longest to fit.
    pub without_gms: bool,
}

/// Intermediate results.
struct PreslidingAnalysis {
    paths: Vec<HysteresisPath>,
    pool: PooledBranches,
    exponential: BranchFunction,
    straight: BranchFunction,
    levels: ForceLevels,
    /// Mean of the break-away forces of both directions, if both occur; zero otherwise.
    centre: f64,
    loops: Vec<(usize, MeasuredLoop)>,
    checks: Vec<MemoryTest>,
    laws: Vec<(Spec, Vec<Replay>)>,
    /// Errors of laws that could not be built.
    refused: Vec<Error>,
}

/// Identifies branches, loops and laws, and replays the records by the laws.
///
/// # Errors
/// [`Error::Numerics`] for missing, invalid or too short motions, and motions without displacement or reversal.
pub fn identify(motions: &[MotionRecord], options: &PreslidingOptions) -> Result<IdentificationResult, Error> {
    if motions.is_empty() {
        return Err(NumericsError::TooFew { what: "records", need: 1, have: 0 }.into());
    }
    let paths = motions.iter().map(HysteresisPath::new).collect::<Result<Vec<_>, NumericsError>>()?;
    let pool = PooledBranches::new(&paths);
    if pool.begins.is_empty() {
        return Err(NumericsError::TooFew { what: "branches that begin at a reversal", need: 1, have: 0 }.into());
    }
    let range = paths.iter().map(|p| p.range).fold(0.0, f64::max);
    let blur = paths.iter().map(|p| p.noise[0]).fold(0.0, f64::max);
    let exponential = branch_function::fit_exponential(&pool, blur)?;
    let straight = branch_function::fit_piecewise_linear(&pool)?;
    let mut closures = Vec::new();
    let mut all: Vec<(usize, MeasuredLoop)> = Vec::new();
    for (index, path) in paths.iter().enumerate() {
        let (found, closed) = hysteresis_loops::find_loops(path);
        all.extend(found.into_iter().map(|l| (index, l)));
        closures.extend(closed);
    }
    let centre = laws::centre(&paths);
    let checks = [
        memory_tests::masing(&pool, range),
        memory_tests::virgin(&paths, &pool),
        memory_tests::symmetry(&pool),
        memory_tests::return_point(&closures, range),
    ];
    let levels = ForceLevels::new(&paths, centre);
    let scale = paths.iter().map(|p| hysteresis_path::span(&p.x)).fold(0.0, f64::max);
    let played = |spec: Spec| {
        let runs = paths.iter().map(|p| replay(&spec, p, scale)).collect::<Result<Vec<_>, Error>>()?;
        Ok((spec, runs))
    };
    let mut tried = vec![laws::hysteresis(&exponential, &levels, pool.longest())];
    if !options.without_gms {
        tried.push(laws::gms(&pool, &levels));
    }
    let (mut laws, mut refused) = (Vec::new(), Vec::new());
    for spec in tried {
        match spec.and_then(played) {
            Ok(law) => laws.push(law),
            // parameter values that the law does not allow: the record is hardly friction
            Err(error) => refused.push(error),
        }
    }
    // the best law first
    laws.sort_by(|a, b| left(&a.1).total_cmp(&left(&b.1)));
    let checks = checks.into_iter().flatten().collect();
    let found =
        PreslidingAnalysis { paths, pool, exponential, straight, levels, centre, loops: all, checks, laws, refused };
    let mut result = summary::summarise(motions, &found);
    result.curves = curves::curves(motions, &found);
    Ok(result)
}

/// Mean square residual of replays.
fn left(runs: &[Replay]) -> f64 {
    let (sum, n) = runs.iter().fold((0.0, 0), |(sum, n), r| (sum + r.left.0, n + r.left.1));
    sum / n.max(1) as f64
}
