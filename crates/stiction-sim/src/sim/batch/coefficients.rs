//! A point of an ensemble as the coefficients of its equations: what a kernel on another device computes with.
use super::column::{places, weights};
use super::point::Point;
use super::shape::Shape;
use super::timed::{Timed, TimedParts};
use super::{Ensemble, Unsupported};
use crate::SimError;
use crate::sim::SimulationOptions;
use crate::sim::probes::{PeriodColumn, period_columns};
use crate::sim::setup::{allowed, range};
use crate::system::Signal;
use stiction_core::Input;
use stiction_core::registry::DynLaw;

/// Speed at which a law is evaluated instead of zero, so that its direction is defined \[m/s\].
const TINY: f64 = 1e-200;
/// A sliding velocity within this fraction of the velocities that it is the difference of is rest, as in the simulator.
const VELOCITY_ROUNDING: f64 = 1e-13;

/// Of a sine.
fn frequency_and_phase(signal: &Signal) -> [f64; 2] {
    match *signal {
        Signal::Sine { omega, phase, .. } => [omega, phase],
        _ => [0.0; 2],
    }
}

/// Lines of some functions of time, and their weights of waves and of signals made of lines, each in one list.
fn collected(parts: impl Iterator<Item = TimedParts>) -> [Vec<[f64; 2]>; 3] {
    let mut out = [const { Vec::new() }; 3];
    for TimedParts { line, waves, pieces } in parts {
        out[0].push(line);
        out[1].extend(waves);
        out[2].extend(pieces);
    }
    out
}

/// The coefficients of the equations of motion, over any number:
///
/// ```text
/// dq/dt = v
/// dv/dt = drive(t) − stiffness·q − damping·v − Σ arm_c·force_c(z_c, s_c)
/// dz_c/dt = rate_c(z_c, s_c)          at the sliding velocity s_c = row_c·v + belt_c(t)
/// ```
///
/// The state is positions, velocities, then the memory of each contact that changes continuously. A function of time is a line, a sum of sines and cosines,
/// and a sum of the signals of [`PiecewiseSignals`] and of their rates.
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
    /// The direction in which each contact slides at first, ±1; 0 where it sticks.
    pub side: Vec<R>,
    /// The memory of each contact that only jumps, at the beginning.
    pub modes: Vec<R>,
    /// Length of the first step \[s\].
    pub first_step: R,
    /// What signals add to the acceleration of each body: value at time zero, and slope.
    pub drive: Vec<[R; 2]>,
    /// What motions add to the sliding velocity of each contact.
    pub belt: Vec<[R; 2]>,
    /// Angular frequency and phase of each sine.
    pub waves: Vec<[R; 2]>,
    /// Weights of the sine and the cosine of each of them in the drives, body by body.
    pub drive_waves: Vec<[R; 2]>,
    /// The same in the sliding velocities, contact by contact.
    pub belt_waves: Vec<[R; 2]>,
    /// Weights of the value and the rate of each signal made of lines in the drives, body by body.
    pub drive_pieces: Vec<[R; 2]>,
    /// The same in the sliding velocities, contact by contact.
    pub belt_pieces: Vec<[R; 2]>,
    /// The longest step that still shows what the signals do \[s\].
    pub longest_step: R,
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
    /// Weights of the sine and the cosine of each wave.
    pub waves: Vec<[R; 2]>,
    /// Weights of the value and the rate of each signal made of lines.
    pub pieces: Vec<[R; 2]>,
}

/// Signals that are made of lines and are the same at every point, such as a force from a record: what they are within each span of
/// time between the places where any of them bends or jumps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PiecewiseSignals {
    /// Where the spans begin; the first is the start of the run.
    pub begins: Vec<f64>,
    /// Of each span, for each signal: its value at time zero if it went on like this, and its slope.
    pub lines: Vec<Vec<[f64; 2]>>,
}

/// What a column is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnForm {
    /// Time itself.
    Time,
    /// The force of a contact.
    Force(usize),
    /// Memory of a contact that only jumps.
    Discrete,
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
        let modes = list(&self.modes);
        let first_step = f(&self.first_step);
        let drive = self.drive.iter().map(|line| line.each_ref().map(&mut f)).collect();
        let belt = self.belt.iter().map(|line| line.each_ref().map(&mut f)).collect();
        let mut pairs =
            |pairs: &[[R; 2]]| pairs.iter().map(|pair| pair.each_ref().map(&mut f)).collect::<Vec<[S; 2]>>();
        let (waves, drive_waves, belt_waves) = (pairs(&self.waves), pairs(&self.drive_waves), pairs(&self.belt_waves));
        let (drive_pieces, belt_pieces) = (pairs(&self.drive_pieces), pairs(&self.belt_pieces));
        let longest_step = f(&self.longest_step);
        let columns = self.columns.iter().map(|column| ColumnCoefficients {
            weights: column.weights.iter().map(&mut f).collect(),
            line: column.line.each_ref().map(&mut f),
            waves: column.waves.iter().map(|pair| pair.each_ref().map(&mut f)).collect(),
            pieces: column.pieces.iter().map(|pair| pair.each_ref().map(&mut f)).collect(),
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
            modes,
            first_step,
            drive,
            belt,
            waves,
            drive_waves,
            belt_waves,
            drive_pieces,
            belt_pieces,
            longest_step,
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
            modes: Vec::new(),
            first_step: 0.0,
            drive: (0..n).map(|i| point.drive(i).line(&point.signals, start)).collect(),
            belt: (0..contacts).map(|c| point.belt(c).line(&point.signals, start)).collect(),
            waves: Vec::new(),
            drive_waves: Vec::new(),
            belt_waves: Vec::new(),
            drive_pieces: Vec::new(),
            belt_pieces: Vec::new(),
            longest_step: options.max_step,
            columns: Vec::new(),
        };
        for (c, contact) in point.contacts.iter().enumerate() {
            for (i, w) in &contact.line.q {
                out.row[c * n + i] = *w;
                out.arm[i * contacts + c] = *w / point.mass[*i];
            }
            let range = range(&*laws[c]);
            out.state.extend(shape.flowing.iter().map(|i| contact.memory[*i]));
            out.tolerance.extend(shape.flowing.iter().map(|i| allowed(range[*i], base, rtol)));
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
        let (y, mut jumped) = (&self.state, Vec::new());
        let mut rate = vec![0.0; y.len()];
        let belts: Vec<[f64; 2]> = (0..contacts).map(|c| point.belt(c).eval(&point.signals, start, start)).collect();
        let slip = |c: usize, v: &[f64], belt: f64| belt + (0..n).map(|j| self.row[c * n + j] * v[j]).sum::<f64>();
        let drives: Vec<f64> = (0..n).map(|i| point.drive(i).eval(&point.signals, start, start)[0]).collect();
        for i in 0..n {
            rate[i] = y[n + i];
            let own: f64 = (0..n).map(|j| self.stiffness[i * n + j] * y[j] + self.damping[i * n + j] * y[n + j]).sum();
            rate[n + i] = drives[i] - own;
        }
        for (c, contact) in point.contacts.iter().enumerate() {
            let mut out = vec![0.0; z];
            let at = 2 * n + c * shape.flowing.len();
            let u = Input { v: slip(c, &y[n..2 * n], belts[c][0]), load: contact.load };
            let force = laws[c].flow(&contact.memory, &u, &mut out);
            rate[at..].iter_mut().zip(&shape.flowing).for_each(|(rate, i)| *rate = out[*i]);
            for i in 0..n {
                rate[n + i] -= self.arm[i * contacts + c] * force;
            }
        }
        let side = |c: usize| {
            let v = slip(c, &y[n..2 * n], belts[c][0]);
            if shape.sticks && v.abs() <= VELOCITY_ROUNDING * (belts[c][0].abs() + (v - belts[c][0]).abs()) {
                return self.side_at_rest(&*laws[c], point.contacts[c].load, y, [drives[0], belts[c][1]]);
            }
            let goes = if v == 0.0 { slip(c, &rate[n..2 * n], belts[c][1]) } else { v };
            if goes < 0.0 { -1.0 } else { 1.0 }
        };
        let sides: Vec<f64> = (0..contacts).map(side).collect();
        let sizes = y.iter().zip(&self.tolerance).map(|(y, a)| y.abs() + a / rtol);
        let pace = rate.iter().zip(sizes).map(|(r, size)| r.abs() / size).fold(0.0, f64::max);
        // as the simulator begins: memories jump in the directions that the contacts have
        for (c, contact) in point.contacts.iter().enumerate().filter(|_| shape.has_modes()) {
            let (v, mut memory) = (slip(c, &y[n..2 * n], belts[c][0]), contact.memory.clone());
            let v = if v * sides[c] > 0.0 { v } else { sides[c] * TINY };
            laws[c].jump(&mut memory, &Input { v, load: contact.load });
            jumped.push(memory);
        }
        for (c, memory) in jumped.into_iter().enumerate() {
            let at = 2 * n + c * shape.flowing.len();
            self.state[at..].iter_mut().zip(&shape.flowing).for_each(|(to, i)| *to = memory[*i]);
            self.modes.extend((0..z).filter(|i| !shape.flowing.contains(i)).map(|i| memory[i]));
        }
        self.side = sides;
        pace
    }
    /// The side of a single body on a contact at rest, as the simulator decides it: 0 where the force that keeps it there is one of the set.
    fn side_at_rest(&self, law: &dyn DynLaw, load: f64, y: &[f64], [drive, belt_rate]: [f64; 2]) -> f64 {
        let held = drive - self.stiffness[0] * y[0] - self.damping[0] * y[1] + belt_rate / self.row[0];
        let (force, u) = (held / self.arm[0], Input { v: 0.0, load });
        let middle = law.force(&[], &u);
        match force {
            force if force > middle + law.hold(&[], &u, 1.0) => 1.0,
            force if force < middle - law.hold(&[], &u, -1.0) => -1.0,
            _ => 0.0,
        }
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
        let point = Point::beginning(shape, numbers, options.start);
        if !point.is_sound() {
            return Err(SimError::Unsupported(Unsupported::Numbers));
        }
        let (waves, pieces) = (shape.waves(), shape.pieces());
        let others = (0..shape.signals.len()).filter(|k| !pieces.contains(k));
        let bends = |k: usize| point.signals[k].next_breakpoint(options.start) < options.end;
        if others.into_iter().any(|k| bends(k) || (shape.is_uneven(k) && !waves.contains(&k))) {
            return Err(SimError::Unsupported(Unsupported::Signal));
        }
        let laws = self.laws(&point)?;
        let mut out = Coefficients::new(shape, options, &point, &laws);
        let parts = |time: &Timed| time.parts(&point.signals, [&waves, &pieces], options.start);
        out.waves = waves.iter().map(|k| frequency_and_phase(&point.signals[*k])).collect();
        let drives = (0..shape.bodies).map(|i| parts(&point.drive(i)));
        [out.drive, out.drive_waves, out.drive_pieces] = collected(drives);
        let belts = (0..point.contacts.len()).map(|c| parts(&point.belt(c)));
        [out.belt, out.belt_waves, out.belt_pieces] = collected(belts);
        let steps = point.signals.iter().map(|signal| signal.max_resolved_step(options.start));
        out.longest_step = steps.fold(options.max_step, f64::min);
        out.columns = self
            .told_columns()
            .map(|k| {
                let (weights, time) = weights(shape, &self.sources[*k], &point);
                let TimedParts { line, waves, pieces } = parts(&time);
                ColumnCoefficients { weights, line, waves, pieces }
            })
            .collect();
        Ok(out)
    }
    /// The signals that are made of lines, whose weights the coefficients have; none if they have more than `most` spans.
    pub fn piecewise_signals(&self, most: usize) -> Option<PiecewiseSignals> {
        let which = self.shape.pieces();
        let signals: Vec<&Signal> = which.iter().filter_map(|k| self.shape.signals[*k].fixed()).collect();
        let mut out = PiecewiseSignals::default();
        let mut at = self.options.start;
        while at < self.options.end && !signals.is_empty() {
            if out.begins.len() == most {
                return None;
            }
            out.begins.push(at);
            let line = |signal: &&Signal| {
                let [x, v, ..] = signal.eval(at, at);
                [x - v * at, v]
            };
            out.lines.push(signals.iter().map(line).collect());
            at = signals.iter().map(|signal| signal.next_breakpoint(at)).fold(f64::INFINITY, f64::min);
        }
        Some(out)
    }
    /// What the columns of [`Coefficients::columns`] are made of, with their names.
    pub fn column_forms(&self) -> Vec<(&str, ColumnForm)> {
        let form = |k: &usize| {
            let form = match &self.sources[*k] {
                super::Source::Time => ColumnForm::Time,
                super::Source::Force(c) => ColumnForm::Force(*c),
                super::Source::Memory(_, z) if !self.shape.flowing.contains(z) => ColumnForm::Discrete,
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
    /// Whether the contact sticks at rest, with any force of a set.
    pub fn sticks(&self) -> bool {
        self.shape.sticks
    }
    /// Numbers of memory of a contact.
    pub fn memory(&self) -> usize {
        self.shape.memory
    }
    /// Those of them that change continuously; the others only jump.
    pub fn flowing(&self) -> &[usize] {
        &self.shape.flowing
    }
    /// Guards of the law but for the velocity.
    pub fn guards(&self) -> usize {
        self.shape.guards
    }
    /// The laws of a point.
    pub(super) fn laws(&self, point: &Point) -> Result<Vec<Box<dyn DynLaw>>, SimError> {
        let law = |contact: &super::point::PointContact| {
            self.entry.build(&contact.params).map_err(|_| self.fault(&contact.params))
        };
        point.contacts.iter().map(law).collect()
    }
}
