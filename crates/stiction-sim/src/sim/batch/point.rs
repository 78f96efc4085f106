//! One point of an ensemble: its numbers as coefficients of the equations of motion.
use super::shape::{Ends, Form, Shape, Spot};
use super::timed::Timed;
use crate::system::Signal;

/// A displacement over coordinates and motions, with its weights.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub q: Vec<(usize, f64)>,
    pub m: Vec<(usize, f64)>,
    pub offset: f64,
}

/// A spring.
#[derive(Clone, Debug)]
pub(super) struct PointSpring {
    pub line: Line,
    pub stiffness: f64,
    pub damping: f64,
    pub rest: f64,
}

/// A contact.
#[derive(Clone, Debug)]
pub(super) struct PointContact {
    pub line: Line,
    pub load: f64,
    pub params: Vec<f64>,
    pub memory: Vec<f64>,
}

/// All numbers of a point, with their meaning.
#[derive(Clone, Debug)]
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
        Self::read(shape, numbers, None)
    }
    /// The same for what happens at `start`: of a signal made of lines the one that begins there, so that no long table is copied.
    pub fn beginning(shape: &Shape, numbers: &[f64], start: f64) -> Self {
        Self::read(shape, numbers, Some(start))
    }
    fn read(shape: &Shape, numbers: &[f64], start: Option<f64>) -> Self {
        let mut rest = numbers.iter();
        let mut next = || rest.next().copied().unwrap_or(f64::NAN);
        let (mut mass, mut x, mut v) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..shape.bodies {
            mass.push(next());
            x.push(next());
            v.push(next());
        }
        let spots = shape.spots.iter();
        let spots =
            spots.map(|spot| if matches!(spot, Spot::Coordinate(_)) { [next(), next()] } else { [1.0, 0.0] }).collect();
        let springs = shape.springs.iter().map(|ends| {
            let (stiffness, rest, damping, offset) = (next(), next(), next(), next());
            PointSpring { line: line(ends, offset, &mut next), stiffness, damping, rest }
        });
        let springs = springs.collect();
        let contacts = shape.contacts.iter().map(|ends| {
            let load = next();
            let line = line(ends, 0.0, &mut next);
            let params = (0..shape.params).map(|_| next()).collect();
            let memory = (0..shape.memory).map(|_| next()).collect();
            PointContact { line, load, params, memory }
        });
        let contacts = contacts.collect();
        let forces = shape.forces.iter().map(|ends| line(ends, 0.0, &mut next)).collect();
        let line = |form: &Form| start.and_then(|start| form.line_at(start));
        let signals = shape.signals.iter().map(|form| line(form).unwrap_or_else(|| form.signal(&mut next))).collect();
        Self { mass, x, v, spots, springs, contacts, forces, signals }
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
        out
    }
    /// What motions add to the sliding velocity of contact `c`.
    pub fn belt(&self, c: usize) -> Timed {
        let mut out = Timed::default();
        for (k, w) in &self.contacts[c].line.m {
            out.add(*k, [0.0, *w]);
        }
        out
    }
    /// Acceleration of body `i` by position (0) or velocity (1) of body `j`, against them.
    pub fn couple(&self, i: usize, j: usize, order: usize) -> f64 {
        let weight = |line: &Line, j: usize| line.q.iter().find(|(k, _)| *k == j).map_or(0.0, |(_, c)| *c);
        let of = |s: &PointSpring| if order == 0 { s.stiffness } else { s.damping };
        self.springs.iter().map(|s| of(s) * weight(&s.line, i) * weight(&s.line, j)).sum::<f64>() / self.mass[i]
    }
}

fn line(ends: &Ends, offset: f64, next: &mut impl FnMut() -> f64) -> Line {
    let q = ends.q.iter().map(|i| (*i, next())).collect();
    let m = ends.m.iter().map(|k| (*k, next())).collect();
    Line { q, m, offset }
}
