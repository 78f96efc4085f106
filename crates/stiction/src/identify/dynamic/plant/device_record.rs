//! A record whose scenario runs on a device: its kernels, and how values of the free parameters become the numbers of a trajectory.
use super::bound_record::{BoundRecord, ParameterExpression};
use crate::Error;
use crate::accelerator::{Accelerator, PreparedFits};
use crate::error::AcceleratorError;
use crate::export::ensemble::{EnsembleKernel, FittedColumn, KernelSamples, ProductsKernel};
use crate::fit::{Parameter, Random};
use crate::scenario::Template;
use crate::sim::batch::{CoefficientReader, Direct, Ensemble};
use crate::sim::{Probe, SimulationOptions};
use crate::system::System;
use std::sync::Arc;

/// Places within the bounds by which the kernel is written: a number in which they all agree becomes part of it.
const PLACES: usize = 24;
/// Times to draw them: a law may refuse some.
const TRIES: usize = 20 * PLACES;

/// A number of the scenario that follows from the free parameters.
struct SetNumber {
    path: String,
    expression: ParameterExpression,
}

/// A record on a device.
pub(super) struct DeviceRecord {
    /// The scenario with all that does not depend on the parameters.
    template: Template,
    numbers: Vec<SetNumber>,
    ensemble: Ensemble,
    /// None: the system of every trajectory is built.
    direct: Option<Direct>,
    kernel: EnsembleKernel,
    pub prepared: Arc<dyn PreparedFits>,
    /// The numbers of a trajectory at the initial values.
    usual: Vec<f64>,
}

pub(super) fn refused(why: impl Into<String>) -> Error {
    AcceleratorError::UnsupportedFit { why: why.into() }.into()
}

impl DeviceRecord {
    /// Prepares a record; `columns` are what its matched columns are compared with.
    pub fn new(
        bound: &BoundRecord<'_>,
        parameters: &[Parameter],
        columns: &[FittedColumn],
        seed: u32,
        device: &dyn Accelerator,
    ) -> Result<Self, Error> {
        let start: Vec<f64> = parameters.iter().map(|p| p.start).collect();
        let (template, numbers) = arranged(bound, parameters, &start)?;
        let scenario = built(&template, &numbers, &values(&numbers, &start))?;
        let probe = |(name, _): &(String, String)| Probe::Final { column: name.clone() };
        let options = SimulationOptions {
            rtol: bound.rtol.unwrap_or(scenario.1.rtol),
            probes: bound.identify.matches.iter().map(probe).collect(),
            ..scenario.1
        };
        let ensemble = Ensemble::new(&scenario.0, &options)?.map_err(|why| refused(why.to_string()))?;
        // other places, at each of which all numbers differ
        let mut places = vec![start.clone()];
        let mut random = Random::new(1);
        for _ in 0..TRIES {
            let place: Vec<f64> = parameters.iter().map(|p| anywhere(p, random.uniform())).collect();
            let taken = || {
                let mut read = Vec::new();
                let (system, _) = built(&template, &numbers, &values(&numbers, &place)).ok()?;
                ensemble.read(&system, &mut read).ok()?;
                ensemble.coefficients(&read).ok()
            };
            if taken().is_some() {
                places.push(place);
            }
            if places.len() == PLACES {
                break;
            }
        }
        let samples: Vec<Vec<f64>> = places.iter().map(|place| values(&numbers, place)).collect();
        let build = |values: &[f64]| Ok(built(&template, &numbers, values)?.0);
        let direct = ensemble.direct(&samples, &build).unwrap_or(None);
        let mut out = Vec::new();
        for sample in &samples {
            let mut read = Vec::new();
            ensemble.read(&built(&template, &numbers, sample)?.0, &mut read)?;
            out.push(read);
        }
        // the initial values say why there is no kernel
        ensemble.coefficients(&out[0]).map_err(|error| refused(Error::from(error).to_string()))?;
        let columns_of = bound.identify.matches.iter().map(|(name, _)| name.clone()).collect();
        let when = KernelSamples { columns: columns_of, count: 0, times: bound.t.clone() };
        let kernel = EnsembleKernel::new(&ensemble, &out, &when)?.map_err(refused)?;
        let free = parameters.iter().filter(|p| p.low < p.high).count();
        let products = ProductsKernel::new(free, seed, columns)
            .ok_or_else(|| refused(format!("{free} free parameters are more than a thread keeps")))?;
        let prepared = device.prepare_fits(&kernel, &products)?;
        let usual = kernel.row(&ensemble, &out[0])?;
        Ok(Self { template, numbers, ensemble, direct, kernel, prepared, usual })
    }
    /// Whether no system is built for a trajectory.
    pub fn is_direct(&self) -> bool {
        self.direct.is_some()
    }
    /// What writes the numbers of trajectories, one after the other.
    pub fn row_writer(&self) -> RowWriter<'_> {
        let reader = self.ensemble.coefficient_reader();
        RowWriter { record: self, reader, columns: Vec::new(), values: Vec::new(), numbers: Vec::new() }
    }
}

/// Writes the numbers of trajectories of a record, in memory that it uses again.
pub(super) struct RowWriter<'a> {
    record: &'a DeviceRecord,
    reader: CoefficientReader<'a>,
    columns: Vec<f64>,
    values: Vec<f64>,
    numbers: Vec<f64>,
}

impl RowWriter<'_> {
    /// Appends the numbers of the trajectory with these parameters; says whether there is such a trajectory.
    pub fn append(&mut self, q: &[f64], rows: &mut Vec<f64>) -> bool {
        let Self { record, reader, columns, values, numbers } = self;
        values.clear();
        values.extend(record.numbers.iter().map(|number| number.expression.value_with(q, columns)));
        let read = match &record.direct {
            Some(direct) => {
                direct.write(values, numbers);
                true
            }
            None => built(&record.template, &record.numbers, values)
                .is_ok_and(|(system, _)| record.ensemble.read(&system, numbers).is_ok()),
        };
        let exists = read && record.kernel.write_row(reader, numbers, rows).is_ok();
        if !exists {
            rows.extend(&record.usual);
        }
        exists
    }
}

/// The scenario with its inputs and what does not depend on the parameters, and the numbers that do.
fn arranged(
    bound: &BoundRecord<'_>,
    parameters: &[Parameter],
    start: &[f64],
) -> Result<(Template, Vec<SetNumber>), Error> {
    let free = |k: usize| parameters.get(k).is_some_and(|p| p.low < p.high);
    let mut template = bound.template.clone();
    let mut numbers = Vec::new();
    for (path, text) in bound.identify.set.iter().chain(&bound.identify.start) {
        let expression = bound.over_parameters(text)?;
        template.number(path, expression.value(start))?;
        if expression.has(free) {
            numbers.push(SetNumber { path: path.clone(), expression });
        }
    }
    for input in &bound.identify.input {
        for text in [&input.value, &input.delay] {
            if bound.over_parameters(text)?.has(free) {
                return Err(refused(format!("the input '{}' depends on a free parameter", input.path)));
            }
        }
    }
    for (name, text) in &bound.identify.matches {
        if bound.over_parameters(text)?.has(free) {
            return Err(refused(format!("what '{name}' should be depends on a free parameter")));
        }
    }
    bound.feed(&mut template, start, 0.0)?;
    Ok((template, numbers))
}

fn values(numbers: &[SetNumber], q: &[f64]) -> Vec<f64> {
    numbers.iter().map(|number| number.expression.value(q)).collect()
}

/// The system with these values of the numbers, and the options of its run.
fn built(template: &Template, numbers: &[SetNumber], values: &[f64]) -> Result<(System, SimulationOptions), Error> {
    let mut template = template.clone();
    for (number, value) in numbers.iter().zip(values) {
        template.number(&number.path, *value)?;
    }
    let scenario = template.build()?;
    Ok((scenario.system, scenario.options))
}

/// A place within the bounds and near the initial value, where laws and integrations are as usual.
fn anywhere(p: &Parameter, u: f64) -> f64 {
    let by = (0.2 * u - 0.1) * if p.start == 0.0 { 0.5 } else { p.start };
    // on the other side where a bound is nearer: a number that stays counts as one that never varies
    let inside = |x: f64| (p.low..=p.high).contains(&x);
    if inside(p.start + by) { p.start + by } else { (p.start - by).clamp(p.low, p.high) }
}
