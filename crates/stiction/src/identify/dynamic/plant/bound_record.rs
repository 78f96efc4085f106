//! A scenario bound to a record: its expressions evaluated with the columns of the record.
use super::log::PlantLog;
use crate::DataError;
use crate::Error;
use crate::data;
use crate::data::expression::{Expression, SymbolTable};
use crate::scenario::{IdentificationTask, Template};
use crate::sim::{Event, Observer, Simulation, SimulationOptions};

/// A record, and the scenario that simulates it.
pub(super) struct BoundRecord<'a> {
    template: &'a Template,
    identify: &'a IdentificationTask,
    pub log: &'a PlantLog,
    pub t: Vec<f64>,
    /// Constants of caller, record and scenario; the first of each name is used.
    constants: Vec<(String, f64)>,
    /// Relative tolerance of the solver, if not that of the scenario.
    pub rtol: Option<f64>,
}

/// Simulated and measured values, a list for each matched column.
pub(super) struct SimulatedRecord {
    pub model: Vec<Vec<f64>>,
    pub measured: Vec<Vec<f64>>,
    /// Units of the matched columns.
    pub units: Vec<&'static str>,
}

impl<'a> BoundRecord<'a> {
    pub fn new(
        template: &'a Template,
        identify: &'a IdentificationTask,
        log: &'a PlantLog,
        constants: &[(String, f64)],
        rtol: Option<f64>,
    ) -> Result<Self, Error> {
        log.rows()?;
        let t = log.time(identify.time.as_deref())?;
        let constants = constants.iter().chain(&log.constants).chain(&identify.constants).cloned().collect();
        Ok(Self { template, identify, log, t, constants, rtol })
    }
    /// The value of an expression in every row.
    fn value(&self, text: &str, q: &[f64], rows: usize) -> Result<Vec<f64>, Error> {
        let free = self.identify.free.iter().zip(q).map(|(p, q)| (p.name.as_str(), *q));
        let constants = free.chain(self.constants.iter().map(|(name, x)| (name.as_str(), *x))).collect();
        let columns: Vec<&str> = self.log.columns.iter().map(|(name, _)| name.as_str()).collect();
        // free parameters hide columns and constants of the same name
        let hidden = |name: &&str| !self.identify.free.iter().any(|p| p.name == **name);
        let shown: Vec<&str> = columns.iter().map(|name| if hidden(name) { *name } else { "" }).collect();
        let expression = Expression::parse(text, &SymbolTable { columns: shown, constants }).map_err(|error| {
            DataError::content(&self.log.name, data::ContentError::Expression { text: text.to_owned(), error })
        })?;
        let inputs: Vec<&[f64]> = expression.columns.iter().map(|&at| &self.log.columns[at].1[..rows]).collect();
        let mut out = Vec::with_capacity(rows);
        expression.evaluate_rows(&inputs, rows, &mut out);
        Ok(out)
    }
    /// The scenario file with these values.
    pub fn filled(&self, template: &Template, q: &[f64]) -> Result<String, Error> {
        let mut template = template.clone();
        for (path, text) in &self.identify.set {
            let x = self.value(text, q, 1)?;
            template.number(path, x.first().copied().unwrap_or(f64::NAN))?;
        }
        Ok(template.text())
    }
    /// Simulates the record with these values.
    pub fn simulate(&self, q: &[f64]) -> Result<SimulatedRecord, Error> {
        let rows = self.t.len();
        let mut template = self.template.clone();
        for (path, text) in self.identify.set.iter().chain(&self.identify.start) {
            let x = self.value(text, q, 1)?;
            template.number(path, x.first().copied().unwrap_or(f64::NAN))?;
        }
        for (path, text) in &self.identify.input {
            template.signal(path, &self.t, &self.value(text, q, rows)?)?;
        }
        let (end, step) = (self.t[rows - 1], self.t[rows - 1] / (rows - 1) as f64);
        template.number("run.start", 0.0)?.number("run.end", end)?.number("run.sample", step)?;
        let scenario = template.build()?;
        let simulation = scenario.simulation()?;
        let options =
            SimulationOptions { rtol: self.rtol.unwrap_or(scenario.options.rtol), ..scenario.options.clone() };
        let model = self.columns(&simulation, &options)?;
        let measured = self.identify.matches.iter().map(|(_, text)| self.value(text, q, rows));
        let measured = measured.collect::<Result<_, _>>()?;
        let unit = |name: &str| simulation.columns().iter().find(|c| c.name == name).map_or("-", |c| c.unit);
        let units = self.identify.matches.iter().map(|(name, _)| unit(name)).collect();
        Ok(SimulatedRecord { model, measured, units })
    }
    /// The matched columns of a simulation at the times of the record.
    fn columns(&self, simulation: &Simulation<'_>, options: &SimulationOptions) -> Result<Vec<Vec<f64>>, Error> {
        let place = |name: &str| simulation.columns().iter().position(|c| c.name == name);
        let which: Vec<usize> = self.identify.matches.iter().filter_map(|(name, _)| place(name)).collect();
        let mut keep = ColumnInterpolator { which, t: &self.t, next: 0, last: Vec::new(), out: Vec::new() };
        keep.out = vec![Vec::with_capacity(self.t.len()); keep.which.len()];
        simulation.run(options, &mut keep)?;
        // the last time may differ by rounding
        while keep.next < self.t.len() {
            keep.next += 1;
            keep.out.iter_mut().zip(&keep.last[1..]).for_each(|(out, x)| out.push(*x));
        }
        Ok(keep.out)
    }
}

/// Interpolates columns linearly at given times.
struct ColumnInterpolator<'a> {
    which: Vec<usize>,
    t: &'a [f64],
    next: usize,
    /// Time and columns of the last row.
    last: Vec<f64>,
    out: Vec<Vec<f64>>,
}

impl Observer for ColumnInterpolator<'_> {
    fn row(&mut self, row: &[f64]) {
        let now: Vec<f64> = std::iter::once(row[0]).chain(self.which.iter().map(|&k| row[k])).collect();
        while let Some(&t) = self.t.get(self.next).filter(|t| **t <= now[0]) {
            self.next += 1;
            let before = if self.last.is_empty() { &now } else { &self.last };
            let share = if now[0] > before[0] { (t - before[0]) / (now[0] - before[0]) } else { 1.0 };
            for (out, (a, b)) in self.out.iter_mut().zip(before[1..].iter().zip(&now[1..])) {
                out.push(a + share * (b - a));
            }
        }
        self.last = now;
    }
    fn event(&mut self, _: &Event) {}
}
