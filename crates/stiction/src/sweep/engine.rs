//! Runs points: the one place that decides how. Another way to run many systems at once takes the same points and gives the
//! same outcomes: `plan.values` and `plan.scenario` make a system, `plan.measures.options` says what to look at, and
//! `plan.measures.values` makes measures of what was seen.
use super::Plan;
use crate::parallel::each_on;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

/// What a point gave: a number for each measure, none where it did not happen; or why there are none.
pub type Outcome = Result<Vec<Option<f64>>, String>;

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
    pub fn run(&self, plan: &Plan, points: Range<u64>) -> Option<Vec<Outcome>> {
        let points: Vec<u64> = points.collect();
        let outcomes = each_on(self.threads, &points, |&i| {
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
fn single(plan: &Plan, i: u64) -> Outcome {
    let measured = catch_unwind(AssertUnwindSafe(|| plan.measure(&plan.values(i))));
    match measured {
        Ok(Ok(found)) => Ok(found),
        Ok(Err(error)) => Err(error.bare().to_string()),
        Err(_) => Err("the simulation panicked".to_owned()),
    }
}
