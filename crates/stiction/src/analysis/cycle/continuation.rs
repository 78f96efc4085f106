//! Continuation of a cycle over a parameter, around folds, to both ends of its branch.
//!
//! The cycles form a curve in the space of section states and parameter. The curve is followed by its arc length: the
//! parameter is an unknown like the states, so that the curve may turn back. At such a fold a stable and an unstable cycle
//! meet and vanish.
use super::branch_tracer::BranchTracer;
use super::{Cycle, find};
use crate::Error;
use crate::analysis::AnalysisError;
use crate::scenario::Scenario;
use crate::sim::StopFlag;

/// What to continue, and how far.
pub struct Continuation<'a> {
    /// The scenario at a value of the parameter.
    pub at: &'a dyn Fn(f64) -> Result<Scenario, Error>,
    /// The value to start at, if a cycle is known there; otherwise the range is searched.
    pub start: Option<f64>,
    /// Smallest and largest value of the parameter.
    pub range: (f64, f64),
    /// Maximum number of points in either direction.
    pub points: usize,
    /// Ends the continuation with the points found so far; its scenarios should hold it, too.
    pub stop: StopFlag,
}

/// A cycle at a value of the parameter.
#[derive(Clone, Debug)]
pub struct CyclePoint {
    /// The value.
    pub p: f64,
    /// The cycle.
    pub cycle: Cycle,
}

/// A bifurcation on the branch.
#[derive(Clone, Debug, PartialEq)]
pub struct Bifurcation {
    /// The value of the parameter.
    pub p: f64,
    /// Period there \[s\].
    pub period: f64,
    /// Its kind.
    pub what: BifurcationKind,
}

/// The kinds of bifurcation of cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BifurcationKind {
    /// A fold (saddle-node) bifurcation: two cycles meet and vanish.
    Fold {
        /// Whether both cycles exist below this value of the parameter, rather than above.
        below: bool,
    },
    /// A flip (period doubling): a multiplier passes −1.
    Flip,
    /// A Neimark–Sacker (torus) bifurcation: a pair of multipliers passes the unit circle.
    Torus,
}

/// Why a branch ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchEnd {
    /// At the end of the range.
    Range,
    /// The amplitude vanishes: the cycle ends in an equilibrium.
    Shrinks,
    /// The continuation fails with the smallest step, for example because a contact no longer comes to rest.
    Sudden,
    /// The maximum number of points is reached.
    Points,
    /// The stop flag was raised.
    Interrupted,
}

/// A branch of cycles.
#[derive(Clone, Debug)]
pub struct CycleBranch {
    /// Along the curve.
    pub points: Vec<CyclePoint>,
    /// The bifurcations on it.
    pub bifurcations: Vec<Bifurcation>,
    /// Why it ends, in the direction of lower and of higher values.
    pub ends: [BranchEnd; 2],
}

/// Continues the cycle of a scenario over a parameter.
///
/// # Errors
/// [`Error::Analysis`] if there is no cycle in the range, or as [`find`].
pub fn follow_branch(what: &Continuation<'_>) -> Result<CycleBranch, Error> {
    let (lo, hi) = what.range;
    if !(lo > 0.0 && hi > 10.0 * lo) {
        return trace(what);
    }
    // over more than a decade the logarithm of the parameter is used
    let at = |q: f64| (what.at)(q.exp());
    let inner = Continuation {
        at: &at,
        start: what.start.map(f64::ln),
        range: (lo.ln(), hi.ln()),
        stop: what.stop.clone(),
        ..*what
    };
    let mut branch = trace(&inner)?;
    branch.points.iter_mut().for_each(|point| point.p = point.p.exp());
    branch.bifurcations.iter_mut().for_each(|change| change.p = change.p.exp());
    Ok(branch)
}

fn trace(what: &Continuation<'_>) -> Result<CycleBranch, Error> {
    let (p, cycle) = begin(what)?;
    let first = CyclePoint { p, cycle };
    let mut branch = CycleBranch { points: vec![first.clone()], bifurcations: Vec::new(), ends: [BranchEnd::Range; 2] };
    for (k, direction) in [-1.0, 1.0].into_iter().enumerate() {
        if what.stop.is_raised() {
            branch.ends[k] = BranchEnd::Interrupted;
            continue;
        }
        let mut tracer = BranchTracer::new(what, &first)?;
        branch.ends[k] = match tracer.run(direction) {
            Err(_) if what.stop.is_raised() => BranchEnd::Interrupted,
            ended => ended?,
        };
        let rest = tracer.points.into_iter().skip(1);
        if k == 0 {
            let mut all: Vec<CyclePoint> = rest.collect();
            all.reverse();
            all.append(&mut branch.points);
            branch.points = all;
        } else {
            branch.points.extend(rest);
        }
        branch.bifurcations.append(&mut tracer.bifurcations);
    }
    Ok(branch)
}

/// A first cycle: at the given value, or at the first of some trial values that has one.
fn begin(what: &Continuation<'_>) -> Result<(f64, Cycle), Error> {
    let (lo, hi) = what.range;
    let tries = [0.5, 0.25, 0.75, 0.125, 0.375, 0.625, 0.875, 0.03, 0.97].map(|part| lo + part * (hi - lo));
    let inside = what.start.filter(|p| (lo..=hi).contains(p));
    let mut failure = None;
    for p in inside.into_iter().chain(tries) {
        match find(&(what.at)(p)?) {
            Ok(cycle) => return Ok((p, cycle)),
            Err(error @ Error::Analysis(_)) => failure = failure.or(Some(error)),
            Err(error) => return Err(error),
        }
    }
    Err(failure.unwrap_or(Error::Analysis(AnalysisError::NotPeriodic { turns: 0 })))
}
