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
fn collect(parts: impl Iterator<Item = TimedParts>, lists: [&mut Vec<[f64; 2]>; 3]) {
    let [lines, all_waves, all_pieces] = lists;
    [&mut *lines, &mut *all_waves, &mut *all_pieces].into_iter().for_each(Vec::clear);
    for TimedParts { line, waves, pieces } in parts {
        lines.push(line);
        all_waves.extend(waves);
        all_pieces.extend(pieces);
    }
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
    /// All numbers, in the order of [`Coefficients::map`].
    pub fn numbers(&self) -> Vec<f64> {
        let mut out = Vec::new();
        self.each(&mut |x| out.push(x));
        out
    }
    /// Calls `f` with all numbers, in the order of [`Coefficients::map`].
    pub fn each(&self, f: &mut dyn FnMut(f64)) {
        let pairs = |list: &[[f64; 2]], f: &mut dyn FnMut(f64)| list.iter().flatten().for_each(|x| f(*x));
        let lists = [&self.stiffness, &self.damping, &self.arm, &self.row, &self.load];
        let lists = lists.into_iter().chain(&self.parameters);
        let lists = lists.chain([&self.state, &self.tolerance, &self.side, &self.modes]);
        lists.flatten().for_each(|x| f(*x));
        f(self.first_step);
        for list in [
            &self.drive,
            &self.belt,
            &self.waves,
            &self.drive_waves,
            &self.belt_waves,
            &self.drive_pieces,
            &self.belt_pieces,
        ] {
            pairs(list, f);
        }
        f(self.longest_step);
        for column in &self.columns {
            column.weights.iter().chain(&column.line).for_each(|x| f(*x));
            pairs(&column.waves, f);
            pairs(&column.pieces, f);
        }
    }
    /// None of any.
    fn empty() -> Self {
        Self {
            stiffness: Vec::new(),
            damping: Vec::new(),
            arm: Vec::new(),
            row: Vec::new(),
            load: Vec::new(),
            parameters: Vec::new(),
            state: Vec::new(),
            tolerance: Vec::new(),
            side: Vec::new(),
            modes: Vec::new(),
            first_step: 0.0,
            drive: Vec::new(),
            belt: Vec::new(),
            waves: Vec::new(),
            drive_waves: Vec::new(),
            belt_waves: Vec::new(),
            drive_pieces: Vec::new(),
            belt_pieces: Vec::new(),
            longest_step: 0.0,
            columns: Vec::new(),
        }
    }
    /// Those of a point whose laws are these; without columns.
    pub(super) fn new(shape: &Shape, options: &SimulationOptions, point: &Point, laws: &[Box<dyn DynLaw>]) -> Self {
        let mut out = Self::empty();
        out.fill(shape, options, point, laws, &mut Workspace::default());
        out
    }
    /// The same in place.
    fn fill(
        &mut self,
        shape: &Shape,
        options: &SimulationOptions,
        point: &Point,
        laws: &[Box<dyn DynLaw>],
        work: &mut Workspace,
    ) {
        let (start, end, rtol) = (options.start, options.end, options.rtol);
        let (n, contacts) = (shape.bodies, point.contacts.len());
        work.follow(point, n);
        let couple = |order: usize| (0..n * n).map(move |k| point.couple(k / n, k % n, order));
        let base = if options.atol > 0.0 { options.atol } else { 1e-3 * rtol };
        refill(&mut self.stiffness, couple(0));
        refill(&mut self.damping, couple(1));
        refill(&mut self.arm, std::iter::repeat_n(0.0, n * contacts));
        refill(&mut self.row, std::iter::repeat_n(0.0, n * contacts));
        refill(&mut self.load, point.contacts.iter().map(|contact| contact.load));
        self.parameters.resize_with(contacts, Vec::new);
        self.parameters.iter_mut().zip(&point.contacts).for_each(|(to, contact)| to.clone_from(&contact.params));
        refill(&mut self.state, point.x.iter().chain(&point.v).copied());
        refill(&mut self.tolerance, std::iter::repeat_n(base, 2 * n));
        refill(&mut self.drive, work.drives.iter().map(|drive| drive.line(&point.signals, start)));
        refill(&mut self.belt, work.belts.iter().map(|belt| belt.line(&point.signals, start)));
        self.longest_step = options.max_step;
        for (c, contact) in point.contacts.iter().enumerate() {
            for (i, w) in &contact.line.q {
                self.row[c * n + i] = *w;
                self.arm[i * contacts + c] = *w / point.mass[*i];
            }
            let range = range(&*laws[c]);
            self.state.extend(shape.flowing.iter().map(|i| contact.memory[*i]));
            self.tolerance.extend(shape.flowing.iter().map(|i| allowed(range[*i], base, rtol)));
        }
        let pace = self.begin(shape, options, point, laws, work);
        // never so short that the clock would not see it
        let shortest = 1e3 * f64::EPSILON * start.abs().max(end.abs());
        self.first_step = (0.01 / pace.max(1e-300)).min(1e-3 * (end - start)).max(shortest);
    }
    /// How fast the state changes at the beginning, relative to its size; and the sides of the contacts.
    fn begin(
        &mut self,
        shape: &Shape,
        options: &SimulationOptions,
        point: &Point,
        laws: &[Box<dyn DynLaw>],
        work: &mut Workspace,
    ) -> f64 {
        let (start, rtol) = (options.start, options.rtol);
        let (n, z, contacts) = (shape.bodies, shape.memory, shape.contacts.len());
        let Workspace { drives, belts, rate, moving, driven, memory } = work;
        let mut sides = std::mem::take(&mut self.side);
        refill(rate, std::iter::repeat_n(0.0, self.state.len()));
        refill(moving, belts.iter().map(|belt| belt.eval(&point.signals, start, start)));
        refill(driven, drives.iter().map(|drive| drive.eval(&point.signals, start, start)[0]));
        let y = &self.state;
        let slip = |c: usize, v: &[f64], belt: f64| belt + (0..n).map(|j| self.row[c * n + j] * v[j]).sum::<f64>();
        for i in 0..n {
            rate[i] = y[n + i];
            let own: f64 = (0..n).map(|j| self.stiffness[i * n + j] * y[j] + self.damping[i * n + j] * y[n + j]).sum();
            rate[n + i] = driven[i] - own;
        }
        for (c, contact) in point.contacts.iter().enumerate() {
            refill(memory, std::iter::repeat_n(0.0, z));
            let at = 2 * n + c * shape.flowing.len();
            let u = Input { v: slip(c, &y[n..2 * n], moving[c][0]), load: contact.load };
            let force = laws[c].flow(&contact.memory, &u, memory);
            rate[at..].iter_mut().zip(&shape.flowing).for_each(|(rate, i)| *rate = memory[*i]);
            for i in 0..n {
                rate[n + i] -= self.arm[i * contacts + c] * force;
            }
        }
        let side = |c: usize| {
            let v = slip(c, &y[n..2 * n], moving[c][0]);
            if shape.sticks && v.abs() <= VELOCITY_ROUNDING * (moving[c][0].abs() + (v - moving[c][0]).abs()) {
                return self.side_at_rest(&*laws[c], point.contacts[c].load, y, [driven[0], moving[c][1]]);
            }
            let goes = if v == 0.0 { slip(c, &rate[n..2 * n], moving[c][1]) } else { v };
            if goes < 0.0 { -1.0 } else { 1.0 }
        };
        refill(&mut sides, (0..contacts).map(side));
        let sizes = y.iter().zip(&self.tolerance).map(|(y, a)| y.abs() + a / rtol);
        let pace = rate.iter().zip(sizes).map(|(r, size)| r.abs() / size).fold(0.0, f64::max);
        // as the simulator begins: memories jump in the directions that the contacts have
        let mut jumped = Vec::new();
        for (c, contact) in point.contacts.iter().enumerate().filter(|_| shape.has_modes()) {
            let (v, mut memory) = (slip(c, &y[n..2 * n], moving[c][0]), contact.memory.clone());
            let v = if v * sides[c] > 0.0 { v } else { sides[c] * TINY };
            laws[c].jump(&mut memory, &Input { v, load: contact.load });
            jumped.push(memory);
        }
        self.modes.clear();
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
    /// As [`CoefficientReader::read`].
    pub fn coefficients(&self, numbers: &[f64]) -> Result<Coefficients<f64>, SimError> {
        let mut reader = self.coefficient_reader();
        reader.read(numbers)?;
        Ok(reader.found)
    }
    /// What finds the coefficients of many points.
    pub fn coefficient_reader(&self) -> CoefficientReader<'_> {
        CoefficientReader {
            ensemble: self,
            waves: self.shape.waves(),
            pieces: self.shape.pieces(),
            point: Point::default(),
            found: Coefficients::empty(),
            work: Workspace::default(),
        }
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

/// Finds the coefficients of one point after the other, in the same memory: allocations would take most of the time.
pub struct CoefficientReader<'a> {
    ensemble: &'a Ensemble,
    /// The signals that are sines, and those that are made of lines.
    waves: Vec<usize>,
    pieces: Vec<usize>,
    point: Point,
    found: Coefficients<f64>,
    work: Workspace,
}

impl CoefficientReader<'_> {
    /// The coefficients of a point with these numbers.
    ///
    /// # Errors
    /// [`SimError::Unsupported`] for numbers that lanes do not take, and for signals that are not one line over the whole run;
    /// [`SimError::Law`] for parameters out of their bounds.
    pub fn read(&mut self, numbers: &[f64]) -> Result<&Coefficients<f64>, SimError> {
        let Self { ensemble, waves, pieces, point, found: out, work } = self;
        let (shape, options) = (&ensemble.shape, &ensemble.options);
        point.read(shape, numbers, Some(options.start));
        if !point.is_sound() {
            return Err(SimError::Unsupported(Unsupported::Numbers));
        }
        let bends = |k: usize| point.signals[k].next_breakpoint(options.start) < options.end;
        let others = (0..shape.signals.len()).filter(|k| !pieces.contains(k));
        if others.into_iter().any(|k| bends(k) || (shape.is_uneven(k) && !waves.contains(&k))) {
            return Err(SimError::Unsupported(Unsupported::Signal));
        }
        let laws = ensemble.laws(point)?;
        out.fill(shape, options, point, &laws, work);
        let parts = |time: &Timed| time.parts(&point.signals, [waves, pieces], options.start);
        refill(&mut out.waves, waves.iter().map(|k| frequency_and_phase(&point.signals[*k])));
        let Coefficients { drive, drive_waves, drive_pieces, belt, belt_waves, belt_pieces, .. } = out;
        collect(work.drives.iter().map(parts), [drive, drive_waves, drive_pieces]);
        collect(work.belts.iter().map(parts), [belt, belt_waves, belt_pieces]);
        let steps = point.signals.iter().map(|signal| signal.max_resolved_step(options.start));
        out.longest_step = steps.fold(options.max_step, f64::min);
        let columns = ensemble.told_columns().map(|k| {
            let (weights, time) = weights(shape, &ensemble.sources[*k], point);
            let TimedParts { line, waves, pieces } = parts(&time);
            ColumnCoefficients { weights, line, waves, pieces }
        });
        refill(&mut out.columns, columns);
        Ok(out)
    }
}

/// Memory for what is computed on the way.
#[derive(Default)]
struct Workspace {
    /// What signals add to the acceleration of each body, and to the sliding velocity of each contact.
    drives: Vec<Timed>,
    belts: Vec<Timed>,
    /// At the beginning: the rate of the state, value and rate of the belts, the drives, the rate of a contact's memory.
    rate: Vec<f64>,
    moving: Vec<[f64; 2]>,
    driven: Vec<f64>,
    memory: Vec<f64>,
}

impl Workspace {
    /// The functions of time of a point.
    fn follow(&mut self, point: &Point, bodies: usize) {
        self.drives.resize_with(bodies, Timed::default);
        self.drives.iter_mut().enumerate().for_each(|(i, drive)| point.write_drive(i, drive));
        self.belts.resize_with(point.contacts.len(), Timed::default);
        self.belts.iter_mut().enumerate().for_each(|(c, belt)| point.write_belt(c, belt));
    }
}

/// Replaces what is in a list.
fn refill<T>(list: &mut Vec<T>, items: impl Iterator<Item = T>) {
    list.clear();
    list.extend(items);
}
