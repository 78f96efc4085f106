//! Refits of a block bootstrap: how far the values of a fit scatter when its residuals are drawn anew.
//!
//! Refit `index` of a seed is a function of both, so that refits may be computed in any order and on any machine. The model of the fit with
//! residuals drawn in whole blocks, which preserves their autocorrelation, takes the place of what was measured; the fit begins at the values
//! that were found, without a global search.
use super::dynamic::plant::{self, DeviceFit, DeviceFits, DeviceStart, PlantFit, PlantLog, PlantOptions, Resampling};
use super::dynamic::{self, DynamicOptions};
use super::sliding::mark_sliding;
use super::{
    FreeParameter, GlobalSearch, IdentificationError, IdentificationResult, MassOption, MotionTask, RecordSet,
    ResultTable,
};
use crate::Error;
use crate::accelerator::Accelerator;
use crate::fit::{NoiseModel, Random, basic_interval, block_length, draw_blocks};
use crate::number::{round, short};
use crate::scenario::Template;
use std::ops::Range;

/// Which refits of a bootstrap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refits {
    /// The seed of the bootstrap.
    pub seed: u32,
    /// Their numbers.
    pub indices: Range<u32>,
}

/// A fit whose residuals are drawn anew.
#[derive(Clone, Debug, Default)]
pub struct FoundFit {
    /// Names and values that were found; those of the refits are in this order.
    pub values: Vec<(String, f64)>,
    /// Residuals, measured less model, of each record, or of each matched column of each record.
    pub residuals: Vec<Vec<f64>>,
}

impl FoundFit {
    /// The residuals and the values of an identified scenario.
    pub fn of_plant(fitted: &PlantFit) -> Self {
        Self {
            values: fitted.fit.names.iter().cloned().zip(fitted.fit.values.iter().copied()).collect(),
            residuals: fitted.result.residuals.iter().map(|series| series.residuals().collect()).collect(),
        }
    }
    /// What refits say of each value: their deviation, and the interval at a level of confidence.
    pub fn table(&self, refits: &[(u32, Vec<f64>)], level: f64) -> ResultTable {
        let row = |(k, (name, value)): (usize, &(String, f64))| {
            let all: Vec<f64> = refits.iter().map(|(_, values)| values[k]).collect();
            let count = all.len() as f64;
            let mean = all.iter().sum::<f64>() / count;
            let deviation = (all.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (count - 1.0)).sqrt();
            let [low, high] = basic_interval(&all, *value, level).unwrap_or([f64::NAN; 2]);
            (name.clone(), vec![*value, mean, deviation, low, high])
        };
        let percent = short(round(100.0 * level, 4));
        ResultTable {
            key: "bootstrap".to_owned(),
            title: format!("Bootstrap, {} refits", refits.len()),
            columns: ["parameter", "value", "mean of refits", "deviation of refits"]
                .map(str::to_owned)
                .into_iter()
                .chain([format!("{percent} % from"), "to".to_owned()])
                .collect(),
            rows: self.values.iter().enumerate().map(row).collect(),
        }
    }
    /// For each series of residuals what is to be added to the measured values for refit `index`.
    fn added(&self, seed: u32, index: u32) -> Vec<Vec<f64>> {
        // streams of neighbouring numbers are independent: the generator mixes seed and index
        let mut random = Random::stream(seed, index);
        let one = |residual: &Vec<f64>| {
            let mut drawn = vec![0.0; residual.len()];
            draw_blocks(residual, block_length(residual), &mut random, &mut drawn);
            drawn.iter().zip(residual).map(|(new, old)| new - old).collect()
        };
        self.residuals.iter().map(one).collect()
    }
    /// The values of a refit in the order of those that were found; NaN where there is none.
    fn in_order(&self, result: &IdentificationResult) -> Vec<f64> {
        self.values.iter().map(|(name, _)| result.estimate(name).map_or(f64::NAN, |e| e.value)).collect()
    }
}

impl Refits {
    /// Values of refits to records of motion; a refit that fails is left out. `watch` returns whether to continue.
    ///
    /// # Errors
    /// [`IdentificationError::NoRefit`] if the task is not a law fitted along the motion, or estimates a delay.
    pub fn along_motion(
        &self,
        task: &MotionTask,
        records: &RecordSet,
        found: &FoundFit,
        watch: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<(u32, Vec<f64>)>, Error> {
        let MotionTask::AlongMotion(law, options) = task else { return Err(IdentificationError::NoRefit.into()) };
        if options.delay {
            return Err(IdentificationError::NoRefit.into());
        }
        let motions = mark_sliding(&records.prepared, None);
        let given = motions.iter().all(|motion| motion.mass.is_some());
        let mut options = DynamicOptions {
            mass: if given { MassOption::Given } else { MassOption::Estimated },
            search: GlobalSearch::None,
            profile: false,
            ..(**options).clone()
        };
        options.fit.noise = NoiseModel::White;
        for (name, value) in found.values.iter().filter(|(name, _)| law.get(name).is_ok()) {
            let bounded = options.bounds.iter_mut().chain(&mut options.free).find(|p| p.key == *name);
            match bounded {
                Some(parameter) => parameter.start = Some(*value),
                None => options.bounds.push(FreeParameter { start: Some(*value), ..FreeParameter::new(name) }),
            }
        }
        let compared = dynamic::compared_samples(&motions, law, &options)?;
        Ok(self.each(watch, |index| {
            let mut motions = motions.clone();
            for ((motion, rows), added) in motions.iter_mut().zip(&compared).zip(found.added(self.seed, index)) {
                // samples that are not compared have no residual
                rows.iter().zip(added).for_each(|(&k, more)| motion.force[k] += more);
            }
            let fitted = dynamic::fit(&motions, law, &options, &mut |_| watch()).ok()?;
            Some(found.in_order(&fitted.result))
        }))
    }
    /// Values of refits of a scenario to records; a refit that fails is left out. `watch` returns whether to continue.
    pub fn of_plant(
        &self,
        template: &Template,
        logs: &[PlantLog],
        options: &PlantOptions,
        found: &FoundFit,
        watch: &(dyn Fn() -> bool + Sync),
    ) -> Vec<(u32, Vec<f64>)> {
        let mut template = template.clone();
        for (name, value) in &found.values {
            template.initial_value(name, *value);
        }
        let mut options = PlantOptions { search: GlobalSearch::None, profile: false, ..options.clone() };
        options.fit.noise = NoiseModel::White;
        let columns = found.residuals.len() / logs.len().max(1);
        self.each(watch, |index| {
            let mut added = found.added(self.seed, index).into_iter();
            let logs: Vec<PlantLog> = logs
                .iter()
                .map(|log| PlantLog { added: added.by_ref().take(columns).collect(), ..log.clone() })
                .collect();
            let fitted = plant::fit(&template, &logs, &options, &mut |_| watch()).ok()?;
            Some(found.in_order(&fitted.result))
        })
    }
    /// The same on a device, all of them together. With several matched columns their weights are those of the fit that was found, and so is the weight of
    /// prior knowledge. `watch` is told how many have ended.
    ///
    /// # Errors
    /// As [`DeviceFits::new`] and [`DeviceFits::run`].
    pub fn of_plant_on(
        &self,
        device: &dyn Accelerator,
        template: &Template,
        logs: &[PlantLog],
        options: &PlantOptions,
        found: &FoundFit,
        watch: &(dyn Fn(usize) -> bool + Sync),
    ) -> Result<Vec<(u32, Vec<f64>)>, Error> {
        let resampled = Resampling { values: &found.values, residuals: &found.residuals, seed: self.seed };
        let fits = DeviceFits::new(template, logs, options, Some(resampled), device)?;
        let values = fits.start();
        let start = |index| DeviceStart { values: values.clone(), refit: Some(index) };
        let starts: Vec<DeviceStart> = self.indices.clone().map(start).collect();
        let place = |name: &String| fits.parameters().iter().position(|p| p.name == *name);
        let places: Vec<Option<usize>> = found.values.iter().map(|(name, _)| place(name)).collect();
        let in_order =
            |fit: DeviceFit| places.iter().map(|place| place.map_or(f64::NAN, |place| fit.values[place])).collect();
        let ended = fits.run(&starts, watch)?;
        Ok(self.indices.clone().zip(ended).filter_map(|(index, fit)| fit.map(|fit| (index, in_order(fit)))).collect())
    }
    /// The refits that succeed, with their numbers, on all threads.
    fn each(
        &self,
        watch: &(dyn Fn() -> bool + Sync),
        refit: impl Fn(u32) -> Option<Vec<f64>> + Sync,
    ) -> Vec<(u32, Vec<f64>)> {
        let indices: Vec<u32> = self.indices.clone().collect();
        // a fit that was stopped has not found its values
        let one = |&index: &u32| {
            let values = if watch() { refit(index) } else { None };
            values.filter(|_| watch()).map(|values| (index, values))
        };
        crate::parallel::map(&indices, one).into_iter().flatten().collect()
    }
}
