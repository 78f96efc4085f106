//! A scenario bound to a record: its expressions evaluated with the columns of the record.
use super::log::PlantLog;
use crate::data;
use crate::data::expression::{Expression, SymbolTable};
use crate::scenario::{IdentificationTask, Template};
use crate::sim::{Event, Observer, Simulation, SimulationOptions};
use crate::{DataError, Error, Spec};

/// A record, and the scenario that simulates it.
pub(super) struct BoundRecord<'a> {
    pub template: &'a Template,
    pub identify: &'a IdentificationTask,
    pub log: &'a PlantLog,
    pub t: Vec<f64>,
    /// Constants of caller, record and scenario; the first of each name is used.
    constants: Vec<(String, f64)>,
    /// Relative tolerance of the solver, if not that of the scenario.
    pub rtol: Option<f64>,
}

/// An expression over the free parameters of a scenario.
pub(super) struct ParameterExpression {
    expression: Expression,
    /// The first row of the record.
    first: Vec<f64>,
}

impl ParameterExpression {
    /// Whether one of these parameters is in it.
    pub fn has(&self, parameter: impl Fn(usize) -> bool) -> bool {
        self.expression.columns.iter().filter_map(|column| column.checked_sub(self.first.len())).any(parameter)
    }
    /// Its value.
    pub fn value(&self, q: &[f64]) -> f64 {
        self.value_with(q, &mut Vec::new())
    }
    /// The same, with memory for what it is computed from.
    pub fn value_with(&self, q: &[f64], columns: &mut Vec<f64>) -> f64 {
        let at = |column: &usize| self.first.get(*column).or_else(|| q.get(*column - self.first.len()));
        columns.clear();
        columns.extend(self.expression.columns.iter().map(|k| at(k).copied().unwrap_or(f64::NAN)));
        self.expression.evaluate_one(columns)
    }
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
    /// An expression over columns, constants and free parameters with these values.
    fn parse(&self, text: &str, q: &[f64]) -> Result<Expression, Error> {
        let free = self.identify.free.iter().zip(q).map(|(p, q)| (p.name.as_str(), *q));
        let constants = free.chain(self.constants.iter().map(|(name, x)| (name.as_str(), *x))).collect();
        let columns: Vec<&str> = self.log.columns.iter().map(|(name, _)| name.as_str()).collect();
        // free parameters hide columns and constants of the same name
        let hidden = |name: &&str| !self.identify.free.iter().any(|p| p.name == **name);
        let shown: Vec<&str> = columns.iter().map(|name| if hidden(name) { *name } else { "" }).collect();
        let units = self.log.units.iter().map(Option::as_deref).collect();
        Expression::parse(text, &SymbolTable { columns: shown, constants, units }).map_err(|error| {
            DataError::content(&self.log.name, data::ContentError::Expression { text: text.to_owned(), error }).into()
        })
    }
    /// An expression whose variables are the free parameters, for the first row of the record.
    pub fn over_parameters(&self, text: &str) -> Result<ParameterExpression, Error> {
        let free = || self.identify.free.iter().map(|p| p.name.as_str());
        let is_free = |name: &str| free().any(|other| other == name);
        let constants = self.constants.iter().filter(|(name, _)| !is_free(name));
        let columns = self.log.columns.iter().map(|(name, _)| if is_free(name) { "" } else { name.as_str() });
        let symbols = SymbolTable {
            columns: columns.chain(free()).collect(),
            constants: constants.map(|(name, x)| (name.as_str(), *x)).collect(),
            units: self.log.units.iter().map(Option::as_deref).collect(),
        };
        let expression = Expression::parse(text, &symbols).map_err(|error| {
            DataError::content(&self.log.name, data::ContentError::Expression { text: text.to_owned(), error })
        })?;
        let first = self.log.columns.iter().map(|(_, x)| x.first().copied().unwrap_or(f64::NAN)).collect();
        Ok(ParameterExpression { expression, first })
    }
    /// The columns of the record that no expression uses, except the time.
    pub fn unused_columns(&self) -> Result<Vec<&'a (String, Vec<f64>)>, Error> {
        let start: Vec<f64> = self.identify.free.iter().map(|p| p.start).collect();
        let pairs = [&self.identify.set, &self.identify.start, &self.identify.matches];
        let texts = pairs.into_iter().flatten().map(|(_, text)| text);
        let texts = texts.chain(self.identify.input.iter().flat_map(|input| [&input.value, &input.delay]));
        let mut used = vec![false; self.log.columns.len()];
        for text in texts {
            self.parse(text, &start)?.columns.iter().for_each(|&k| used[k] = true);
        }
        let time = self.log.time_column(self.identify.time.as_deref());
        let unused = self.log.columns.iter().zip(&used).filter(|((name, _), used)| !**used && Some(name) != time);
        Ok(unused.map(|(column, _)| column).collect())
    }
    /// The inputs that are forces on bodies, with their values in every row.
    pub fn forces(&self, q: &[f64]) -> Result<Vec<(&'a str, Vec<f64>)>, Error> {
        let inputs = self.identify.input.iter().filter(|input| input.path.starts_with("force."));
        inputs.map(|input| Ok((input.path.as_str(), self.value(&input.value, q, self.t.len())?))).collect()
    }
    /// The value of an expression in every row.
    fn value(&self, text: &str, q: &[f64], rows: usize) -> Result<Vec<f64>, Error> {
        let expression = self.parse(text, q)?;
        let inputs: Vec<&[f64]> = expression.columns.iter().map(|&at| &self.log.columns[at].1[..rows]).collect();
        let mut out = Vec::with_capacity(rows);
        expression.evaluate_rows(&inputs, rows, &mut out);
        Ok(out)
    }
    /// The scenario file with these values, which are also the initial values of a further fit.
    pub fn filled(&self, template: &Template, q: &[f64]) -> Result<Template, Error> {
        let mut template = template.clone();
        self.set(&mut template, q)?;
        for (p, x) in self.identify.free.iter().zip(q) {
            template.initial_value(&p.name, *x);
        }
        Ok(template)
    }
    /// Puts in the numbers that follow from these values.
    fn set(&self, template: &mut Template, q: &[f64]) -> Result<(), Error> {
        for (path, text) in &self.identify.set {
            let x = self.value(text, q, 1)?;
            template.number(path, x.first().copied().unwrap_or(f64::NAN))?;
        }
        Ok(())
    }
    /// The laws of the contacts with these values, by the names of the contacts.
    pub fn laws(&self, q: &[f64]) -> Result<Vec<(String, Spec)>, Error> {
        let mut template = self.template.clone();
        self.set(&mut template, q)?;
        let contacts = template.build()?.system.contacts;
        Ok(contacts.into_iter().map(|joint| (joint.name, joint.component.spec)).collect())
    }
    /// Puts in the signals that come from the record, later than their delays say by this much \[s\], and the times of its rows.
    pub fn feed(&self, template: &mut Template, q: &[f64], later: f64) -> Result<(), Error> {
        let rows = self.t.len();
        for input in &self.identify.input {
            let delay = self.value(&input.delay, q, 1)?.first().copied().unwrap_or(f64::NAN);
            let values = self.value(&input.value, q, rows)?;
            template.sampled_signal(&input.path, [&self.t, &values], input.interpolation, delay + later)?;
        }
        let (end, step) = (self.t[rows - 1], self.t[rows - 1] / (rows - 1) as f64);
        template.number("run.start", 0.0)?.number("run.end", end)?.number("run.sample", step)?;
        Ok(())
    }
    /// The matched columns as they were measured.
    pub fn measured(&self, q: &[f64]) -> Result<Vec<Vec<f64>>, Error> {
        let measured = self.identify.matches.iter().map(|(_, text)| self.value(text, q, self.t.len()));
        let mut measured = measured.collect::<Result<Vec<_>, _>>()?;
        for (column, added) in measured.iter_mut().zip(&self.log.added) {
            column.iter_mut().zip(added).for_each(|(x, more)| *x += more);
        }
        Ok(measured)
    }
    /// Simulates the record with these values.
    pub fn simulate(&self, q: &[f64]) -> Result<SimulatedRecord, Error> {
        self.simulate_delayed(q, 0.0)
    }
    /// The same with all inputs later by so much \[s\].
    pub fn simulate_delayed(&self, q: &[f64], later: f64) -> Result<SimulatedRecord, Error> {
        let mut template = self.template.clone();
        for (path, text) in self.identify.set.iter().chain(&self.identify.start) {
            let x = self.value(text, q, 1)?;
            template.number(path, x.first().copied().unwrap_or(f64::NAN))?;
        }
        self.feed(&mut template, q, later)?;
        let scenario = template.build()?;
        let simulation = scenario.simulation()?;
        let options =
            SimulationOptions { rtol: self.rtol.unwrap_or(scenario.options.rtol), ..scenario.options.clone() };
        let model = self.columns(&simulation, &options)?;
        let measured = self.measured(q)?;
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
