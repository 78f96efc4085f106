//! Springs, contacts, stops and controllers of a model, and their modes.
use super::constraint_row::ConstraintRow;
use crate::model::{Control, Load};
use stiction::core::registry::DynLaw;

pub struct SpringElement {
    pub row: ConstraintRow,
    pub stiffness: f64,
    pub table: Vec<[f64; 2]>,
    pub rest: f64,
    pub damping: f64,
    pub gap: Option<[f64; 2]>,
    pub error: Option<KinematicError>,
}

/// The stretch of a gear without force: amplitude·sin(waves·angle + phase) of a body.
pub struct KinematicError {
    pub coordinate: usize,
    /// The angle is start + scale × coordinate.
    pub scale: f64,
    pub start: f64,
    pub wave: [f64; 3],
}

impl KinematicError {
    /// The error, and its derivative by the coordinate.
    pub fn at(&self, q: &[f64]) -> [f64; 2] {
        let [amplitude, waves, phase] = self.wave;
        let angle = waves * (self.start + self.scale * q[self.coordinate]) + phase;
        [amplitude * angle.sin(), amplitude * waves * self.scale * angle.cos()]
    }
}

impl SpringElement {
    /// The stretch and its speed.
    pub fn stretch(&self, q: &[f64], v: &[f64], motions: &[[f64; 3]]) -> [f64; 2] {
        let (mut x, mut speed) = (self.row.x(q, motions) - self.rest, self.row.v(v, motions));
        if let Some(error) = &self.error {
            let [ahead, slope] = error.at(q);
            x -= ahead;
            speed -= slope * v[error.coordinate];
        }
        [x, speed]
    }
    /// Whether its force has kinks.
    pub fn has_kinks(&self) -> bool {
        !self.table.is_empty() || self.gap.is_some()
    }
    /// How far it is pressed: above zero at the upper end of the gap, below at the lower end.
    pub fn depth(&self, x: f64) -> f64 {
        match self.gap {
            Some([_, high]) if x > high => x - high,
            Some([low, _]) if x < low => x - low,
            _ => 0.0,
        }
    }
    /// The force at a stretch and its speed.
    pub fn force(&self, x: f64, v: f64) -> f64 {
        if self.gap.is_some() {
            let press = self.stiffness * self.depth(x);
            return press + (self.damping * v).clamp(-press.abs(), press.abs());
        }
        let elastic = if self.table.is_empty() { self.stiffness * x } else { interpolate(&self.table, x) };
        elastic + self.damping * v
    }
}

pub struct ContactElement {
    pub row: ConstraintRow,
    pub law: Box<dyn DynLaw>,
    pub load: Load,
    /// Index of its memory in the state.
    pub at: usize,
    pub len: usize,
    /// Index of the temperature in the state, and heat capacity, conductance and softening.
    pub heating: Option<(usize, [f64; 3])>,
}

impl ContactElement {
    /// Its force over that of a cold contact.
    pub fn warm(&self, y: &[f64]) -> f64 {
        self.heating.map_or(1.0, |(at, [_, _, softening])| (-softening * y[at]).exp())
    }
}

pub struct StopElement {
    pub row: ConstraintRow,
    /// It limits the velocity, at any displacement: a freewheel.
    pub one_way: bool,
    pub lo: f64,
    pub hi: f64,
    pub restitution: f64,
}

pub struct ControlElement {
    pub control: Control,
    pub row: ConstraintRow,
    pub at: usize,
    /// Output held by a sampled controller, its integral, and how many samples it took.
    pub held: f64,
    pub integral: f64,
    pub count: usize,
}

/// The mode of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContactMode {
    /// It slides towards this side.
    Slides(f64),
    /// It holds.
    Holds,
    /// It rests at its limit, held by others.
    Pinned(f64),
}

/// The mode of a stop: open, or closed at its lower (−1) or upper (+1) end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StopMode {
    Open,
    Closed(f64),
}

/// Straight lines through points, continued beyond the ends.
fn interpolate(points: &[[f64; 2]], x: f64) -> f64 {
    let i = points.iter().position(|point| x < point[0]).unwrap_or(points.len()).clamp(1, points.len() - 1);
    let ([x0, y0], [x1, y1]) = (points[i - 1], points[i]);
    y0 + (y1 - y0) / (x1 - x0) * (x - x0)
}
