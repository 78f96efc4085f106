//! A cycle followed through a parameter, round folds, to where it is born and dies.
//!
//! Cycles over a parameter are a curve in the space of section states and parameter. It is followed by its arc length:
//! the parameter is an unknown like any other, so that the curve may turn back. A turning point is where a stable cycle and
//! an unstable one meet and vanish.
use super::branch_tracer::BranchTracer;
use super::{Cycle, find};
use crate::Error;
use crate::analysis::AnalysisError;
use crate::scenario::Scenario;

/// What to follow.
pub struct Continuation<'a> {
    /// The scenario at a value of the parameter.
    pub at: &'a dyn Fn(f64) -> Result<Scenario, Error>,
    /// The value to begin at, if a cycle is known to be there; else the range is searched.
    pub start: Option<f64>,
    /// Least and largest value.
    pub range: (f64, f64),
    /// Most points in either direction.
    pub points: usize,
}

/// A cycle at a value of the parameter.
#[derive(Clone, Debug)]
pub struct CyclePoint {
    /// The value.
    pub p: f64,
    /// The cycle.
    pub cycle: Cycle,
}

/// Something that happens on the curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Bifurcation {
    /// The value of the parameter.
    pub p: f64,
    /// Period there \[s\].
    pub period: f64,
    /// What happens.
    pub what: BifurcationKind,
}

/// What can happen on a curve of cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BifurcationKind {
    /// It turns back: two cycles meet here and vanish. Both are below this value, or both above.
    Fold {
        /// Both are below.
        below: bool,
    },
    /// A multiplier passes −1: the cycle gives way to one of twice the period.
    Flip,
    /// A pair of multipliers passes the unit circle: a second frequency appears.
    Torus,
}

/// Why a curve ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchEnd {
    /// At the end of the range.
    Range,
    /// The swing vanishes: an equilibrium takes over.
    Shrinks,
    /// It does not go on, however small the step: a sudden end, as when a contact no longer comes to rest.
    Sudden,
    /// Enough points.
    Points,
}

/// A curve of cycles.
#[derive(Clone, Debug)]
pub struct CycleBranch {
    /// Along the curve.
    pub points: Vec<CyclePoint>,
    /// What happens on it.
    pub bifurcations: Vec<Bifurcation>,
    /// Its two ends: where it was first followed to, towards lower values, and then to higher ones.
    pub ends: [BranchEnd; 2],
}

/// Follows the cycle of a scenario.
///
/// # Errors
/// [`Error::Analysis`] if there is no cycle in the range, or as [`find`].
pub fn follow_branch(what: &Continuation<'_>) -> Result<CycleBranch, Error> {
    let (lo, hi) = what.range;
    if !(lo > 0.0 && hi > 10.0 * lo) {
        return trace(what);
    }
    // over decades a parameter is measured by its logarithm
    let at = |q: f64| (what.at)(q.exp());
    let inner =
        Continuation { at: &at, start: what.start.map(f64::ln), range: (lo.ln(), hi.ln()), points: what.points };
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
        let mut tracer = BranchTracer::new(what, &first)?;
        branch.ends[k] = tracer.run(direction)?;
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

/// A first cycle: at the value given, or at the first of some over the range that has one.
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
