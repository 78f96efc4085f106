//! Many fits of a scenario to the same records, on a device: refits of a bootstrap, and fits from many places.
//!
//! All fits proceed together. Each asks for trajectories, at its parameters and with one of them moved each, or at the end of a step; the
//! device runs all that are asked for, and reduces the samples of each fit to the products of residuals and difference quotients. Steps
//! and ends are those of the processor's fit, from the same difference quotients.
use super::bound_record::BoundRecord;
use super::device_record::{DeviceRecord, RowWriter, refused};
use super::fit::{PlantOptions, outcomes, scales, sections};
use super::free_parameters::{PriorResiduals, arrange};
use super::log::PlantLog;
use super::record_residuals::ResidualsOfRecords;
use super::repetition::{MOST_FITS, has_settled};
use crate::accelerator::{Accelerator, FitBuffers};
use crate::export::ensemble::{DrawnResiduals, FittedColumn};
use crate::fit::{Descent, DescentRequest, FitOptions, Loss, Parameter, block_length, latin_hypercube};
use crate::scenario::Template;
use crate::{Error, parallel};
use std::ops::Deref;
use std::sync::{Mutex, PoisonError};

/// Fits whose trajectories a thread prepares at a time.
const SHARE: usize = 64;

/// A fit whose residuals are drawn anew: a bootstrap.
#[derive(Clone, Copy, Debug)]
pub struct Resampling<'a> {
    /// Names and values of the fit that was found, where the others begin.
    pub values: &'a [(String, f64)],
    /// Its residuals, measured less model, of each matched column of each record.
    pub residuals: &'a [Vec<f64>],
    /// The seed of the bootstrap.
    pub seed: u32,
}

/// Where a fit begins, and to what.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceStart {
    /// Values of the free parameters, in their order.
    pub values: Vec<f64>,
    /// The number of the refit whose residuals are drawn; none: the records as they were measured.
    pub refit: Option<u32>,
}

/// A fit that has ended.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceFit {
    /// Values of the free parameters, in their order.
    pub values: Vec<f64>,
    /// Half the sum of squares.
    pub cost: f64,
}

/// Records of a scenario on a device, ready for fits.
pub struct DeviceFits {
    parameters: Vec<Parameter>,
    options: FitOptions,
    priors: PriorResiduals,
    /// Of prior knowledge against the residuals: that of the initial values, for all fits.
    weight: f64,
    records: Vec<DeviceRecord>,
    /// Seconds of the device.
    spent: Mutex<f64>,
}

/// The trajectories that some fits ask for.
struct Trajectories {
    /// How many of each fit.
    counts: Vec<usize>,
    /// For each record the numbers of each trajectory, and one over the length by which its parameter is moved.
    rows: Vec<Vec<f64>>,
    by_step: Vec<Vec<f64>>,
}

impl DeviceFits {
    /// Prepares records. Fits of a bootstrap begin at the values of the fit that it resamples.
    ///
    /// # Errors
    /// As [`super::fit()`]; [`crate::error::AcceleratorError::UnsupportedFit`] says what a device cannot run.
    pub fn new(
        template: &Template,
        logs: &[PlantLog],
        options: &PlantOptions,
        resampled: Option<Resampling<'_>>,
        device: &dyn Accelerator,
    ) -> Result<Self, Error> {
        let mut template = template.clone();
        for (name, value) in resampled.iter().flat_map(|fit| fit.values) {
            template.initial_value(name, *value);
        }
        if options.fit.loss != Loss::Square {
            return Err(refused("the loss is robust"));
        }
        let (bare, identify) = sections(&template)?;
        let logs: Vec<PlantLog> = logs.iter().map(|log| log.without_repeated_times(identify.time.as_deref())).collect();
        let bound = |log| BoundRecord::new(&bare, &identify, log, &options.constants, options.rtol);
        let bounds: Vec<BoundRecord<'_>> = logs.iter().map(bound).collect::<Result<_, _>>()?;
        let (parameters, priors) = arrange(&identify, options)?;
        let priors = PriorResiduals::new(&parameters, &priors);
        let parameters: Vec<Parameter> = parameters.into_iter().map(Parameter::with_fixed_scale).collect();
        let start: Vec<f64> = parameters.iter().map(|p| p.start).collect();
        // what is wrong with the scenario is said by the processor
        let first = outcomes(&bounds, &start)?;
        let scales = scales(&first);
        let residuals = ResidualsOfRecords::new(&bounds, &scales, &priors);
        let weight = if priors.count() == 0 { 1.0 } else { residuals.weight(&residuals.at(&start)) };
        let mut series = resampled.iter().flat_map(|fit| fit.residuals);
        let (mut draws, mut records) = (0, Vec::new());
        for (bound, outcome) in bounds.iter().zip(&first) {
            let mut columns = Vec::new();
            for (measured, scale) in outcome.measured.iter().zip(&scales) {
                let drawn = match resampled {
                    Some(_) => Some(drawn(measured, series.next(), &mut draws)?),
                    None => None,
                };
                columns.push(FittedColumn { measured: measured.clone(), scale: *scale, drawn });
            }
            let seed = resampled.map_or(0, |fit| fit.seed);
            records.push(DeviceRecord::new(bound, &parameters, &columns, seed, device)?);
        }
        Ok(Self { parameters, options: options.settings(), priors, weight, records, spent: Mutex::new(0.0) })
    }
    /// The initial values of the parameters.
    pub fn start(&self) -> Vec<f64> {
        self.parameters.iter().map(|p| p.start).collect()
    }
    /// The parameters, with their bounds.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }
    /// Fits from the initial values and from so many places within the bounds; those that end, best first. `watch` is as in [`DeviceFits::run`].
    ///
    /// # Errors
    /// As [`DeviceFits::run`]; [`crate::NumericsError`] for a parameter without bounds.
    pub fn from_places(
        &self,
        count: usize,
        seed: u32,
        watch: &(dyn Fn(usize) -> bool + Sync),
    ) -> Result<Vec<DeviceFit>, Error> {
        let places = latin_hypercube(&self.parameters, count, seed)?;
        let from = |values: Vec<f64>| DeviceStart { values, refit: None };
        let starts: Vec<DeviceStart> = std::iter::once(self.start()).chain(places).map(from).collect();
        let mut ends: Vec<DeviceFit> = self.run(&starts, watch)?.into_iter().flatten().collect();
        ends.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        Ok(ends)
    }
    /// Runs fits; none for one that fails. `watch` is told how many have ended, and returns whether to continue.
    ///
    /// # Errors
    /// [`crate::error::AcceleratorError`] if the device fails.
    pub fn run(
        &self,
        starts: &[DeviceStart],
        watch: &(dyn Fn(usize) -> bool + Sync),
    ) -> Result<Vec<Option<DeviceFit>>, Error> {
        let begin = |start: &DeviceStart| self.begin(&start.values).map(Mutex::new);
        let fits = starts.iter().map(begin).collect::<Result<Vec<Mutex<RepeatedFit<'_>>>, Error>>()?;
        let of = |k: usize| fits[k].lock().unwrap_or_else(PoisonError::into_inner);
        let mut active: Vec<usize> = (0..fits.len()).filter(|&k| !of(k).ended).collect();
        // fits whose trajectories the device takes in one call
        let most = self.records.iter().map(|record| record.prepared.most_trajectories()).min().unwrap_or(1);
        let together = (most / (self.free() + 1)).max(1);
        while !active.is_empty() && watch(fits.len() - active.len()) {
            for part in active.chunks(together) {
                let shares: Vec<&[usize]> = part.chunks(SHARE).collect();
                let asked = parallel::map(&shares, |share| self.trajectories(share.iter().map(|k| of(*k))));
                let refit: Vec<i32> = part.iter().map(|k| starts[*k].refit.map_or(-1, |index| index as i32)).collect();
                let counts: Vec<usize> = asked.iter().flat_map(|share| share.counts.iter().copied()).collect();
                let products = self.products(&asked, &counts, &refit)?;
                let of_fit = self.of_fit();
                let shares: Vec<_> =
                    shares.iter().zip(counts.chunks(SHARE)).zip(products.chunks(SHARE * of_fit)).collect();
                let answered = parallel::map(&shares, |((share, counts), products)| {
                    for ((k, count), products) in share.iter().zip(*counts).zip(products.chunks(of_fit)) {
                        let mut fit = of(*k);
                        let answer = self.with_priors(&fit.descent, *count, products);
                        fit.answer(&answer, self)?;
                    }
                    Ok::<(), Error>(())
                });
                answered.into_iter().collect::<Result<Vec<()>, Error>>()?;
            }
            active.retain(|k| !of(*k).ended);
        }
        let ended = |k: usize| {
            let fit = of(k);
            let (values, cost) = (fit.descent.values(), fit.descent.cost());
            (fit.ended && cost.is_finite()).then_some(DeviceFit { values, cost })
        };
        Ok((0..fits.len()).map(ended).collect())
    }
    /// Whether the numbers of a trajectory follow from the parameters without building its system, which takes longer than the trajectory on a
    /// device.
    pub fn is_direct(&self) -> bool {
        self.records.iter().all(DeviceRecord::is_direct)
    }
    /// Seconds that the device took so far, without copies.
    pub fn device_seconds(&self) -> f64 {
        *self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
    fn begin(&self, values: &[f64]) -> Result<RepeatedFit<'_>, Error> {
        let descent = Descent::new(&self.parameters, &self.options, values)?;
        let ended = descent.reason().is_some();
        Ok(RepeatedFit { descent, number: 1, best: f64::INFINITY, ended })
    }
    /// How many parameters are free.
    fn free(&self) -> usize {
        self.parameters.iter().filter(|p| p.low < p.high).count()
    }
    /// Products of a fit.
    fn of_fit(&self) -> usize {
        (self.free() + 1) * (self.free() + 2) / 2
    }
    /// What some fits ask for.
    fn trajectories<'a>(&self, fits: impl Iterator<Item = impl Deref<Target = RepeatedFit<'a>>>) -> Trajectories {
        let mut writers: Vec<RowWriter<'_>> = self.records.iter().map(DeviceRecord::row_writer).collect();
        let none = || vec![Vec::new(); self.records.len()];
        let mut out = Trajectories { counts: Vec::new(), rows: none(), by_step: none() };
        for fit in fits {
            let Some(DescentRequest { values, moved }) = fit.descent.request() else { continue };
            out.counts.push(1 + moved.len());
            let first = [(&values, f64::INFINITY)];
            for (values, length) in first.into_iter().chain(moved.iter().map(|(values, length)| (values, *length))) {
                for ((writer, rows), by_step) in writers.iter_mut().zip(&mut out.rows).zip(&mut out.by_step) {
                    by_step.push(if writer.append(values, rows) { 1.0 / length } else { f64::NAN });
                }
            }
        }
        out
    }
    /// The products of each fit, of all records together.
    fn products(&self, asked: &[Trajectories], counts: &[usize], refit: &[i32]) -> Result<Vec<f64>, Error> {
        let mut first = vec![0];
        for count in counts {
            first.push(first.last().copied().unwrap_or(0) + *count as i32);
        }
        let mut sums = vec![0.0; counts.len() * self.of_fit()];
        let mut products = sums.clone();
        for (k, record) in self.records.iter().enumerate() {
            let all = |of: fn(&Trajectories) -> &Vec<Vec<f64>>| asked.iter().map(|share| &of(share)[k][..]).collect();
            let (rows, by_step): (Vec<&[f64]>, Vec<&[f64]>) = (all(|share| &share.rows), all(|share| &share.by_step));
            let (rows, by_step) = (&rows.concat()[..], &by_step.concat()[..]);
            let buffers = FitBuffers { rows, first: &first, by_step, refit, products: &mut products };
            let spent = record.prepared.run(buffers)?;
            *self.spent.lock().unwrap_or_else(PoisonError::into_inner) += spent;
            sums.iter_mut().zip(&products).for_each(|(sum, x)| *sum += x);
        }
        Ok(sums)
    }
    /// The products of what a fit has asked for, with those of prior knowledge: the upper triangle for as many columns as it has trajectories.
    fn with_priors(&self, fit: &Descent<'_>, columns: usize, products: &[f64]) -> Vec<f64> {
        let known = self.known(fit, columns);
        let free = self.free();
        let mut out = Vec::with_capacity(columns * (columns + 1) / 2);
        let mut row = 0;
        for i in 0..columns {
            for j in i..columns {
                let prior: f64 = known.iter().map(|series| series[i] * series[j]).sum();
                out.push(products[row + j - i] + prior);
            }
            row += free + 1 - i;
        }
        out
    }
    /// Of each known parameter the residual at the values of a request, and its difference quotients.
    fn known(&self, fit: &Descent<'_>, columns: usize) -> Vec<Vec<f64>> {
        let count = self.priors.count();
        let mut out = vec![vec![0.0; columns]; count];
        let Some(request) = fit.request().filter(|_| count > 0) else { return out };
        let at = |values: &[f64]| {
            let mut residuals = vec![0.0; count];
            self.priors.write(values, self.weight, &mut residuals);
            residuals
        };
        let here = at(&request.values);
        out.iter_mut().zip(&here).for_each(|(series, x)| series[0] = *x);
        for (j, (values, length)) in request.moved.iter().enumerate() {
            for ((series, there), here) in out.iter_mut().zip(at(values)).zip(&here) {
                series[1 + j] = (there - here) / length;
            }
        }
        out
    }
}

/// How residuals are drawn, in the order of the processor: `draws` are those of the series before.
fn drawn(measured: &[f64], residual: Option<&Vec<f64>>, draws: &mut usize) -> Result<DrawnResiduals, Error> {
    let residual = residual.cloned().unwrap_or_default();
    crate::check::same_length("residuals of a record", residual.len(), measured.len())?;
    let block = block_length(&residual);
    let mean = residual.iter().sum::<f64>() / residual.len() as f64;
    let centre = measured.iter().zip(&residual).map(|(x, r)| x - r - mean).collect();
    let draws_before = *draws;
    *draws += residual.len().div_ceil(block);
    Ok(DrawnResiduals { centre, residual, block, draws_before })
}

/// A fit, repeated without the scaling that it has gathered, as [`super::fit()`] does.
struct RepeatedFit<'a> {
    descent: Descent<'a>,
    number: usize,
    best: f64,
    ended: bool,
}

impl<'a> RepeatedFit<'a> {
    fn answer(&mut self, products: &[f64], fits: &'a DeviceFits) -> Result<(), Error> {
        self.descent.answer(products);
        if self.descent.reason().is_none() {
            return Ok(());
        }
        let cost = self.descent.cost();
        self.ended = !cost.is_finite() || has_settled(cost, self.best) || self.number >= MOST_FITS;
        if !self.ended {
            *self = Self { number: self.number + 1, best: cost, ..fits.begin(&self.descent.values())? };
        }
        Ok(())
    }
}
