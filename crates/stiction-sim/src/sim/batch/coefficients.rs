//! A point of an ensemble as the coefficients of its equations: what a kernel on another device computes with.
use super::column::{places, weights};
use super::point::Point;
use super::shape::Shape;
use super::{Ensemble, Unsupported};
use crate::SimError;
use crate::sim::SimulationOptions;
use crate::sim::probes::{PeriodColumn, period_columns};
use crate::sim::setup::{allowed, range};
use stiction_core::Input;
use stiction_core::registry::DynLaw;

/// The coefficients of the equations of motion, over any number:
///
/// ```text
/// dq/dt = v
/// dv/dt = drive(t) − stiffness·q − damping·v − Σ arm_c·force_c(z_c, s_c)
/// dz_c/dt = rate_c(z_c, s_c)          at the sliding velocity s_c = row_c·v + belt_c(t)
/// ```
///
/// The state is positions, velocities, then the memory of each contact.
#[derive(Clone, Debug, PartialEq)]
pub struct Coefficients<R> {
    /// Accelerations by positions, against them, body by body.
    pub stiffness: Vec<R>,
    /// Accelerations by velocities, against them.
    pub damping: Vec<R>,
    /// Acceleration of each body by the force of each contact, against it, body by body.
    pub arm: Vec<R>,
    /// Sliding velocity of each contact by the velocity of each body, contact by contact.
    pub row: Vec<R>,
    /// Load factor of each contact.
    pub load: Vec<R>,
    /// Parameters of the law of each contact.
    pub parameters: Vec<Vec<R>>,
    /// The state at the beginning.
    pub state: Vec<R>,
    /// Absolute tolerance of each number of the state.
    pub tolerance: Vec<R>,
    /// The direction in which each contact slides at first, ±1.
    pub side: Vec<R>,
    /// Length of the first step \[s\].
    pub first_step: R,
    /// What signals add to the acceleration of each body: value at time zero, and slope.
    pub drive: Vec<[R; 2]>,
    /// What motions add to the sliding velocity of each contact.
    pub belt: Vec<[R; 2]>,
    /// The columns that measures look at.
    pub columns: Vec<ColumnCoefficients<R>>,
}

/// A column as a function of state and time.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnCoefficients<R> {
    /// Weights of the numbers of the state named by [`ColumnForm`].
    pub weights: Vec<R>,
    /// Value at time zero and slope of what time adds.
    pub line: [R; 2],
}

/// What a column is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnForm {
    /// Time itself.
    Time,
    /// The force of a contact.
    Force(usize),
    /// A weighted sum of these numbers of the state, and a line in time.
    Linear(Vec<usize>),
}

impl<R> Coefficients<R> {
    /// The same with every number replaced, in a fixed order.
    pub fn map<S>(&self, mut f: impl FnMut(&R) -> S) -> Coefficients<S> {
        let mut list = |numbers: &[R]| numbers.iter().map(&mut f).collect::<Vec<S>>();
        let (stiffness, damping) = (list(&self.stiffness), list(&self.damping));
        let (arm, row, load) = (list(&self.arm), list(&self.row), list(&self.load));
        let parameters = self.parameters.iter().map(|values| list(values)).collect();
        let (state, tolerance, side) = (list(&self.state), list(&self.tolerance), list(&self.side));
        let first_step = f(&self.first_step);
        let drive = self.drive.iter().map(|line| line.each_ref().map(&mut f)).collect();
        let belt = self.belt.iter().map(|line| line.each_ref().map(&mut f)).collect();
        let columns = self.columns.iter().map(|column| ColumnCoefficients {
            weights: column.weights.iter().map(&mut f).collect(),
            line: column.line.each_ref().map(&mut f),
        });
        let columns = columns.collect();
        Coefficients {
            stiffness,
            damping,
            arm,
            row,
            load,
            parameters,
            state,
            tolerance,
            side,
            first_step,
            drive,
            belt,
            columns,
        }
    }
}

impl Coefficients<f64> {
    /// Those of a point whose laws are these; without columns.
    pub(super) fn new(shape: &Shape, options: &SimulationOptions, point: &Point, laws: &[Box<dyn DynLaw>]) -> Self {
        let (start, end, rtol) = (options.start, options.end, options.rtol);
        let (n, contacts) = (shape.bodies, point.contacts.len());
        let couple = |order: usize| (0..n * n).map(|k| point.couple(k / n, k % n, order)).collect();
        let base = if options.atol > 0.0 { options.atol } else { 1e-3 * rtol };
        let mut out = Self {
            stiffness: couple(0),
            damping: couple(1),
            arm: vec![0.0; n * contacts],
            row: vec![0.0; n * contacts],
            load: point.contacts.iter().map(|contact| contact.load).collect(),
            parameters: point.contacts.iter().map(|contact| contact.params.clone()).collect(),
            state: [&point.x[..], &point.v[..]].concat(),
            tolerance: vec![base; 2 * n],
            side: Vec::new(),
            first_step: 0.0,
            drive: (0..n).map(|i| point.drive(i).line(&point.signals, start)).collect(),
            belt: (0..contacts).map(|c| point.belt(c).line(&point.signals, start)).collect(),
            columns: Vec::new(),
        };
        for (c, contact) in point.contacts.iter().enumerate() {
            for (i, w) in &contact.line.q {
                out.row[c * n + i] = *w;
                out.arm[i * contacts + c] = *w / point.mass[*i];
            }
            out.state.extend(&contact.memory);
            out.tolerance.extend(range(&*laws[c]).iter().map(|range| allowed(*range, base, rtol)));
        }
        let pace = out.begin(shape, options, point, laws);
        // never so short that the clock would not see it
        let shortest = 1e3 * f64::EPSILON * start.abs().max(end.abs());
        out.first_step = (0.01 / pace.max(1e-300)).min(1e-3 * (end - start)).max(shortest);
        out
    }
    /// How fast the state changes at the beginning, relative to its size; and the sides of the contacts.
    fn begin(&mut self, shape: &Shape, options: &SimulationOptions, point: &Point, laws: &[Box<dyn DynLaw>]) -> f64 {
        let (start, rtol) = (options.start, options.rtol);
        let (n, z, contacts) = (shape.bodies, shape.memory, shape.contacts.len());
        let y = &self.state;
        let mut rate = vec![0.0; y.len()];
        let belts: Vec<[f64; 2]> = (0..contacts).map(|c| point.belt(c).eval(&point.signals, start, start)).collect();
        let slip = |c: usize, v: &[f64], belt: f64| belt + (0..n).map(|j| self.row[c * n + j] * v[j]).sum::<f64>();
        for i in 0..n {
            rate[i] = y[n + i];
            let own: f64 = (0..n).map(|j| self.stiffness[i * n + j] * y[j] + self.damping[i * n + j] * y[n + j]).sum();
            rate[n + i] = point.drive(i).eval(&point.signals, start, start)[0] - own;
        }
        for (c, contact) in point.contacts.iter().enumerate() {
            let mut out = vec![0.0; z];
            let at = 2 * n + c * z;
            let u = Input { v: slip(c, &y[n..2 * n], belts[c][0]), load: contact.load };
            let force = laws[c].flow(&y[at..at + z], &u, &mut out);
            rate[at..at + z].copy_from_slice(&out);
            for i in 0..n {
                rate[n + i] -= self.arm[i * contacts + c] * force;
            }
        }
        let side = |c: usize| {
            let v = slip(c, &y[n..2 * n], belts[c][0]);
            let goes = if v == 0.0 { slip(c, &rate[n..2 * n], belts[c][1]) } else { v };
            if goes < 0.0 { -1.0 } else { 1.0 }
        };
        let sides = (0..contacts).map(side).collect();
        let sizes = y.iter().zip(&self.tolerance).map(|(y, a)| y.abs() + a / rtol);
        let pace = rate.iter().zip(sizes).map(|(r, size)| r.abs() / size).fold(0.0, f64::max);
        self.side = sides;
        pace
    }
}

impl Ensemble {
    /// The coefficients of a point with these numbers, as [`Ensemble::read`] finds them.
    ///
    /// # Errors
    /// [`SimError::Unsupported`] for numbers that lanes do not take, and for signals that are not one line over the whole run;
    /// [`SimError::Law`] for parameters out of their bounds.
    pub fn coefficients(&self, numbers: &[f64]) -> Result<Coefficients<f64>, SimError> {
        let (shape, options) = (&self.shape, &self.options);
        let point = Point::new(shape, numbers);
        if !point.is_sound() {
            return Err(SimError::Unsupported(Unsupported::Numbers));
        }
        let uneven = (0..shape.signals.len()).any(|k| shape.is_uneven(k));
        if uneven || point.signals.iter().any(|signal| signal.next_breakpoint(options.start) < options.end) {
            return Err(SimError::Unsupported(Unsupported::Signal));
        }
        let laws = self.laws(&point)?;
        let mut out = Coefficients::new(shape, options, &point, &laws);
        out.columns = self
            .told_columns()
            .map(|k| {
                let (weights, time) = weights(shape, &self.sources[*k], &point);
                ColumnCoefficients { weights, line: time.line(&point.signals, options.start) }
            })
            .collect();
        Ok(out)
    }
    /// What the columns of [`Coefficients::columns`] are made of, with their names.
    pub fn column_forms(&self) -> Vec<(&str, ColumnForm)> {
        let form = |k: &usize| {
            let form = match &self.sources[*k] {
                super::Source::Time => ColumnForm::Time,
                super::Source::Force(c) => ColumnForm::Force(*c),
                source => ColumnForm::Linear(places(&self.shape, source)),
            };
            (self.columns[*k].name.as_str(), form)
        };
        self.told_columns().map(form).collect()
    }
    /// The columns that measures look at, and then those that tell whether a motion repeats.
    fn told_columns(&self) -> impl Iterator<Item = &usize> {
        self.shown.iter().chain(&self.repeating)
    }
    /// The columns that tell whether a motion repeats, by their places in [`Ensemble::column_forms`]; none if no measure asks.
    pub fn period_columns(&self) -> Vec<PeriodColumn> {
        if !self.rows_at_events {
            return Vec::new();
        }
        let first = self.shown.len();
        let place = |(i, column): (usize, PeriodColumn)| PeriodColumn { column: first + i, ..column };
        period_columns(&self.columns).into_iter().enumerate().map(place).collect()
    }
    /// Times within the run at which steps end, so that measures begin and end there.
    pub fn stops(&self) -> &[f64] {
        &self.stops
    }
    /// How the points are run.
    pub fn options(&self) -> &SimulationOptions {
        &self.options
    }
    /// The law of all contacts.
    pub fn law(&self) -> &'static stiction_core::registry::LawEntry {
        self.entry
    }
    /// Names of the contacts.
    pub fn contacts(&self) -> &[String] {
        &self.contacts
    }
    /// Numbers of memory of a contact.
    pub fn memory(&self) -> usize {
        self.shape.memory
    }
    /// The laws of a point.
    pub(super) fn laws(&self, point: &Point) -> Result<Vec<Box<dyn DynLaw>>, SimError> {
        let law = |contact: &super::point::PointContact| {
            self.entry.build(&contact.params).map_err(|_| self.fault(&contact.params))
        };
        point.contacts.iter().map(law).collect()
    }
}
