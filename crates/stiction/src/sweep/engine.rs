//! Runs the points of a sweep: on a device if the plan says so; in vector lanes if the system and the measures allow it, otherwise one by one.
use super::SweepPlan;
use super::device_runner::DeviceRunner;
use crate::parallel::map_on;
use crate::{Error, SimError};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

/// Points that are run in lanes between two checks of the stop flag.
const POINTS_PER_CALL: u64 = 1024;

/// The outcome of a point: a value for each measure, none for an event that did not happen; or the error message.
pub type PointOutcome = Result<Vec<Option<f64>>, String>;

/// How to run points, and how to report progress.
pub struct Engine<'a> {
    /// Number of threads; the outcomes do not depend on it.
    pub threads: usize,
    /// Set to stop the sweep. Runs in progress end with it if it is also the flag of [`Template::stop_on`].
    ///
    /// [`Template::stop_on`]: crate::scenario::Template::stop_on
    pub stop: &'a AtomicBool,
    /// Called after each point.
    pub tick: &'a (dyn Fn() + Sync),
}

impl Engine<'_> {
    /// Runs points of a plan; returns an outcome for each, or none if it was stopped.
    ///
    /// # Errors
    /// [`Error::Accelerator`] if the device of the plan fails.
    pub fn run(&self, plan: &SweepPlan, points: Range<u64>) -> Result<Option<Vec<PointOutcome>>, Error> {
        match plan.device() {
            Some(device) => self.on_device(plan, device, points),
            None => Ok(self.on_processor(plan, points)),
        }
    }
    fn on_device(
        &self,
        plan: &SweepPlan,
        device: &DeviceRunner,
        points: Range<u64>,
    ) -> Result<Option<Vec<PointOutcome>>, Error> {
        let on_processor = |i: u64| {
            let outcome = (!self.stop.load(Ordering::Relaxed)).then(|| single(plan, i));
            // a run that was stopped has measured only its beginning
            outcome.filter(|_| !self.stop.load(Ordering::Relaxed))
        };
        let found = device.run(plan, self.threads, points, &on_processor)?;
        let stopped = self.stop.load(Ordering::Relaxed);
        let found = found.filter(|_| !stopped);
        found.iter().flatten().for_each(|_| (self.tick)());
        Ok(found)
    }
    fn on_processor(&self, plan: &SweepPlan, points: Range<u64>) -> Option<Vec<PointOutcome>> {
        let mut out = Vec::with_capacity(points.end.saturating_sub(points.start) as usize);
        let Some(fast) = plan.fast() else { return self.singly(plan, points) };
        let mut from = points.start;
        while from < points.end {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let to = points.end.min(from + POINTS_PER_CALL);
            let ran = fast.run(self.threads, from..to, &|i| plan.values(i), &|values| plan.scenario(values));
            // what was stopped has no outcome
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            for (i, outcome) in (from..to).zip(ran) {
                out.push(match outcome {
                    Ok(probes) => Ok(plan.measures.values(&probes, &plan.values(i))),
                    // a point that does not fit into the ensemble
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
            // a run that was stopped has measured only its beginning
            (!self.stop.load(Ordering::Relaxed)).then_some(outcome)
        });
        outcomes.into_iter().collect()
    }
}

/// Runs one point. A panic is a bug, but must not lose the other points.
fn single(plan: &SweepPlan, i: u64) -> PointOutcome {
    let measured = catch_unwind(AssertUnwindSafe(|| plan.measure(&plan.values(i))));
    match measured {
        Ok(Ok(found)) => Ok(found),
        Ok(Err(error)) => Err(error.without_position().to_string()),
        Err(_) => Err("the simulation panicked".to_owned()),
    }
}
