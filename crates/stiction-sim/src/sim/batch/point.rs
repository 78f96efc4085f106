//! One point of an ensemble: its numbers as coefficients of the equations of motion.
use super::shape::{Ends, Form, Shape, Spot};
use super::timed::Timed;
use crate::system::Signal;

/// A displacement over coordinates and motions, with its weights.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    pub q: Vec<(usize, f64)>,
    pub m: Vec<(usize, f64)>,
    pub offset: f64,
}

/// A spring.
#[derive(Clone, Debug, Default)]
pub(super) struct PointSpring {
    pub line: Line,
    pub stiffness: f64,
    pub damping: f64,
    pub rest: f64,
}

/// A contact.
#[derive(Clone, Debug, Default)]
pub(super) struct PointContact {
    pub line: Line,
    pub load: f64,
    pub params: Vec<f64>,
    pub memory: Vec<f64>,
}

/// All numbers of a point, with their meaning.
#[derive(Clone, Debug, Default)]
pub(super) struct Point {
    pub mass: Vec<f64>,
    pub x: Vec<f64>,
    pub v: Vec<f64>,
    /// Scale and offset of each node.
    pub spots: Vec<[f64; 2]>,
    pub springs: Vec<PointSpring>,
    pub contacts: Vec<PointContact>,
    pub forces: Vec<Line>,
    pub signals: Vec<Signal>,
}

impl Point {
    /// Reads the numbers that [`Shape::of`] wrote; missing ones are not a number.
    pub fn new(shape: &Shape, numbers: &[f64]) -> Self {
        let mut out = Self::default();
        out.read(shape, numbers, None);
        out
    }
    /// The same in place. If only what happens at `start` counts, a signal made of lines is the one that begins there, so that no long table is
    /// copied.
    pub fn read(&mut self, shape: &Shape, numbers: &[f64], start: Option<f64>) {
        let mut rest = numbers.iter();
        let mut next = || rest.next().copied().unwrap_or(f64::NAN);
        [&mut self.mass, &mut self.x, &mut self.v].into_iter().for_each(Vec::clear);
        for _ in 0..shape.bodies {
            self.mass.push(next());
            self.x.push(next());
            self.v.push(next());
        }
        self.spots.clear();
        for spot in &shape.spots {
            self.spots.push(if matches!(spot, Spot::Coordinate(_)) { [next(), next()] } else { [1.0, 0.0] });
        }
        self.springs.resize_with(shape.springs.len(), PointSpring::default);
        for (spring, ends) in self.springs.iter_mut().zip(&shape.springs) {
            (spring.stiffness, spring.rest, spring.damping) = (next(), next(), next());
            let offset = next();
            spring.line.read(ends, offset, &mut next);
        }
        self.contacts.resize_with(shape.contacts.len(), PointContact::default);
        for (contact, ends) in self.contacts.iter_mut().zip(&shape.contacts) {
            contact.load = next();
            contact.line.read(ends, 0.0, &mut next);
            contact.params.clear();
            contact.params.extend((0..shape.params).map(|_| next()));
            contact.memory.clear();
            contact.memory.extend((0..shape.memory).map(|_| next()));
        }
        self.forces.resize_with(shape.forces.len(), Line::default);
        for (line, ends) in self.forces.iter_mut().zip(&shape.forces) {
            line.read(ends, 0.0, &mut next);
        }
        let line = |form: &Form| start.and_then(|start| form.line_at(start));
        self.signals.clear();
        for form in &shape.signals {
            self.signals.push(line(form).unwrap_or_else(|| form.signal(&mut next)));
        }
    }
    /// Whether all its numbers make sense but for those of the laws.
    pub fn is_sound(&self) -> bool {
        let finite = |line: &Line| line.q.iter().chain(&line.m).all(|(_, c)| c.is_finite()) && line.offset.is_finite();
        self.mass.iter().all(|m| *m > 0.0 && m.is_finite())
            && self.x.iter().chain(&self.v).all(|x| x.is_finite())
            && self.springs.iter().all(|s| {
                finite(&s.line)
                    && [s.stiffness, s.damping].iter().all(|x| (0.0..f64::INFINITY).contains(x))
                    && s.rest.is_finite()
            })
            && self
                .contacts
                .iter()
                .all(|c| finite(&c.line) && c.load.is_finite() && c.memory.iter().all(|z| z.is_finite()))
            && self.forces.iter().all(finite)
    }
    /// What signals add to the acceleration of body `i`.
    pub fn drive(&self, i: usize) -> Timed {
        let mut out = Timed::default();
        self.write_drive(i, &mut out);
        out
    }
    /// The same in place.
    pub fn write_drive(&self, i: usize, out: &mut Timed) {
        out.clear();
        let by = |line: &Line| line.q.iter().find(|(j, _)| *j == i).map_or(0.0, |(_, c)| c / self.mass[i]);
        for PointSpring { line, stiffness, damping, rest } in &self.springs {
            let c = by(line);
            out.constant -= c * stiffness * (line.offset - rest);
            for (k, w) in &line.m {
                out.add(*k, [-c * stiffness * w, -c * damping * w]);
            }
        }
        let motions = self.signals.len() - self.forces.len();
        for (k, line) in self.forces.iter().enumerate() {
            out.add(motions + k, [by(line), 0.0]);
        }
    }
    /// What motions add to the sliding velocity of contact `c`.
    pub fn belt(&self, c: usize) -> Timed {
        let mut out = Timed::default();
        self.write_belt(c, &mut out);
        out
    }
    /// The same in place.
    pub fn write_belt(&self, c: usize, out: &mut Timed) {
        out.clear();
        for (k, w) in &self.contacts[c].line.m {
            out.add(*k, [0.0, *w]);
        }
    }
    /// Acceleration of body `i` by position (0) or velocity (1) of body `j`, against them.
    pub fn couple(&self, i: usize, j: usize, order: usize) -> f64 {
        let weight = |line: &Line, j: usize| line.q.iter().find(|(k, _)| *k == j).map_or(0.0, |(_, c)| *c);
        let of = |s: &PointSpring| if order == 0 { s.stiffness } else { s.damping };
        self.springs.iter().map(|s| of(s) * weight(&s.line, i) * weight(&s.line, j)).sum::<f64>() / self.mass[i]
    }
}

impl Line {
    /// Reads its weights.
    fn read(&mut self, ends: &Ends, offset: f64, next: &mut impl FnMut() -> f64) {
        self.q.clear();
        self.q.extend(ends.q.iter().map(|i| (*i, next())));
        self.m.clear();
        self.m.extend(ends.m.iter().map(|k| (*k, next())));
        self.offset = offset;
    }
}
