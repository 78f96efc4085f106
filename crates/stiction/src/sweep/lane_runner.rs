//! Runs points in vector lanes, where the system and the measures allow it.
use super::{SweepAxis, SweepMeasures};
use crate::scenario::Scenario;
use crate::sim::batch::{Direct, Ensemble, Outcome};
use crate::{Error, SimError};
use std::fmt::{self, Debug, Formatter};
use std::ops::Range;

/// An ensemble, and the mapping from the values of a point to the parameters of the ensemble.
pub(super) struct LaneRunner {
    /// The points as an ensemble.
    pub ensemble: Ensemble,
    /// Why vector lanes do not run it, though a device may.
    pub outside: Option<String>,
    /// None: the system of every point is built from its scenario.
    direct: Option<Direct>,
}

impl Debug for LaneRunner {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fast").field("direct", &self.direct).finish_non_exhaustive()
    }
}

impl LaneRunner {
    /// Prepares a sweep, or returns the reason why its points run one by one. `samples` are the values of some points, among
    /// which every value should differ somewhere; `build` makes the scenario of a point.
    pub fn new(
        axes: &[SweepAxis],
        measures: &SweepMeasures,
        samples: &[Vec<f64>],
        build: &dyn Fn(&[f64]) -> Result<Scenario, Error>,
    ) -> Result<Self, String> {
        if !measures.is_plain() {
            return Err("a measure needs more than probes".to_owned());
        }
        let of_run =
            |axis: &&SweepAxis| axis.path.split(',').any(|path| !path.contains('.') || path.starts_with("run."));
        if let Some(axis) = axes.iter().find(of_run) {
            return Err(format!("'{}' changes the options of the run", axis.name));
        }
        let why = |error: Error| error.without_position().to_string();
        let first = samples.first().ok_or_else(|| "there are no points".to_owned())?;
        let scenario = build(first).map_err(why)?;
        let ensemble =
            Ensemble::new(&scenario.system, &measures.options(&scenario)).map_err(|error| why(error.into()))?;
        let ensemble = ensemble.map_err(|why| why.to_string())?;
        // a point that cannot be built says nothing about the others
        let direct = ensemble.direct(samples, &|values| Ok(build(values)?.system)).unwrap_or(None);
        let outside = ensemble.outside_lanes().map(ToString::to_string);
        Ok(Self { ensemble, outside, direct })
    }
    /// Runs points.
    pub fn run(
        &self,
        threads: usize,
        points: Range<u64>,
        values: &(dyn Fn(u64) -> Vec<f64> + Sync),
        build: &(dyn Fn(&[f64]) -> Result<Scenario, Error> + Sync),
    ) -> Vec<Outcome> {
        self.ensemble.run_on(threads, points, &|i, numbers| self.read(&values(i), numbers, build))
    }
    /// The numbers of the point with these values, as the ensemble takes them.
    pub fn read(
        &self,
        values: &[f64],
        numbers: &mut Vec<f64>,
        build: &dyn Fn(&[f64]) -> Result<Scenario, Error>,
    ) -> Result<(), SimError> {
        match &self.direct {
            Some(direct) => {
                direct.write(values, numbers);
                Ok(())
            }
            None => self.ensemble.read(&build(values)?.system, numbers),
        }
    }
}
