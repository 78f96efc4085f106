//! Runs points: the one place that decides how. In lanes, if the system and the measures allow it, else one by one.
use super::SweepPlan;
use crate::parallel::map_on;
use crate::{Error, SimError};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

/// Points that lanes run between two looks at who waits.
const POINTS_PER_CALL: u64 = 1024;

/// What a point gave: a number for each measure, none where it did not happen; or why there are none.
pub type PointOutcome = Result<Vec<Option<f64>>, String>;

/// How to run points, and who waits for them.
pub struct Engine<'a> {
    /// On so many threads; the outcomes do not depend on it.
    pub threads: usize,
    /// Raised to give up.
    pub stop: &'a AtomicBool,
    /// Told after each point.
    pub tick: &'a (dyn Fn() + Sync),
}

impl Engine<'_> {
    /// Runs points of a plan; an outcome for each, or nothing if it was stopped.
    pub fn run(&self, plan: &SweepPlan, points: Range<u64>) -> Option<Vec<PointOutcome>> {
        let mut out = Vec::with_capacity(points.end.saturating_sub(points.start) as usize);
        let Some(fast) = plan.fast() else { return self.singly(plan, points) };
        let mut from = points.start;
        while from < points.end {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let to = points.end.min(from + POINTS_PER_CALL);
            let ran = fast.run(self.threads, from..to, &|i| plan.values(i), &|values| plan.scenario(values));
            for (i, outcome) in (from..to).zip(ran) {
                out.push(match outcome {
                    Ok(probes) => Ok(plan.measures.values(&probes, &plan.values(i))),
                    // a point unlike the others
                    Err(SimError::Unsupported(_)) => single(plan, i),
                    Err(error) => Err(Error::from(error).without_position().to_string()),
                });
                (self.tick)();
            }
            from = to;
        }
        Some(out)
    }
    /// The same one by one.
    fn singly(&self, plan: &SweepPlan, points: Range<u64>) -> Option<Vec<PointOutcome>> {
        let points: Vec<u64> = points.collect();
        let outcomes = map_on(self.threads, &points, |&i| {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let outcome = single(plan, i);
            (self.tick)();
            Some(outcome)
        });
        outcomes.into_iter().collect()
    }
}

/// One point by itself. One that panics is a bug, and its own failure: the others are not lost.
fn single(plan: &SweepPlan, i: u64) -> PointOutcome {
    let measured = catch_unwind(AssertUnwindSafe(|| plan.measure(&plan.values(i))));
    match measured {
        Ok(Ok(found)) => Ok(found),
        Ok(Err(error)) => Err(error.without_position().to_string()),
        Err(_) => Err("the simulation panicked".to_owned()),
    }
}
