//! Presliding: friction as a function of displacement before break-away (Nouri2004, figs. 2 to 8).
//!
//! The record is cut into branches at its reversals. From each the force rises by one function of the travel since,
//! `Fd`, which is fitted to all branches at once, in three straight pieces and as the exponential of Nouri's law. Whether there
//! is such a function, the same both ways, with loops that close where they began, is tested against the noise. Then two
//! laws, `hysteresis` and `gms`, replay the record.
mod curve;
mod laws;
mod loops;
mod memory;
mod path;
mod pictures;
mod pool;
mod replay;
mod report;
mod slip;
mod springs;
mod ways;

pub use loops::{Closure, Loop, Release};
pub use memory::Check;
pub use path::{Branch, Path};
pub use replay::{Replay, replay};
pub use ways::Way;

use super::{Finding, Motion};
use crate::NumericsError;
use crate::{Error, Spec};
use curve::Curve;
use laws::Levels;
use pool::Pool;

/// What to look for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// Leaves out the `gms` law, which takes longest to fit.
    pub without_gms: bool,
}

/// All that was found, for the report.
struct Found {
    paths: Vec<Path>,
    pool: Pool,
    exponential: Curve,
    straight: Curve,
    levels: Levels,
    /// The force half way between the break-aways, if there are both; zero otherwise.
    centre: f64,
    loops: Vec<(usize, Loop)>,
    checks: Vec<Check>,
    laws: Vec<(Spec, Vec<Replay>)>,
    /// Why there is not another law.
    refused: Vec<Error>,
}

/// Finds branches, loops, their law, and how well that replays the records.
///
/// # Errors
/// [`Error::Samples`] for no motions, motions that are too short or not numbers, that do not move, or that never turn.
pub fn find(motions: &[Motion], options: &Options) -> Result<Finding, Error> {
    if motions.is_empty() {
        return Err(NumericsError::TooFew { what: "records", need: 1, have: 0 }.into());
    }
    let paths = motions.iter().map(Path::new).collect::<Result<Vec<_>, NumericsError>>()?;
    let pool = Pool::new(&paths);
    if pool.begins.is_empty() {
        return Err(NumericsError::TooFew { what: "branches that begin at a reversal", need: 1, have: 0 }.into());
    }
    let range = paths.iter().map(|p| p.range).fold(0.0, f64::max);
    let blur = paths.iter().map(|p| p.noise[0]).fold(0.0, f64::max);
    let exponential = curve::fit_exponential(&pool, blur)?;
    let straight = curve::fit_straight(&pool)?;
    let mut closures = Vec::new();
    let mut all: Vec<(usize, Loop)> = Vec::new();
    for (index, path) in paths.iter().enumerate() {
        let (found, closed) = loops::loops(path);
        all.extend(found.into_iter().map(|l| (index, l)));
        closures.extend(closed);
    }
    let centre = laws::centre(&paths);
    let checks = [
        memory::masing(&pool, range),
        memory::virgin(&paths, &pool),
        memory::symmetry(&pool),
        memory::return_point(&closures, range),
    ];
    let levels = Levels::new(&paths, centre);
    let scale = paths.iter().map(|p| path::span(&p.x)).fold(0.0, f64::max);
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
            // values that no law may have: the record is not friction, or hardly
            Err(error) => refused.push(error),
        }
    }
    // the best first
    laws.sort_by(|a, b| left(&a.1).total_cmp(&left(&b.1)));
    let checks = checks.into_iter().flatten().collect();
    let found = Found { paths, pool, exponential, straight, levels, centre, loops: all, checks, laws, refused };
    let mut finding = report::report(motions, &found);
    finding.pictures = pictures::pictures(motions, &found);
    Ok(finding)
}

/// Mean square of what replays leave.
fn left(runs: &[Replay]) -> f64 {
    let (sum, n) = runs.iter().fold((0.0, 0), |(sum, n), r| (sum + r.left.0, n + r.left.1));
    sum / n.max(1) as f64
}
