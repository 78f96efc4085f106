//! Nonlocal memory of a law: return-point memory, wiping out, congruency, and Masing's rule.
//!
//! The law is moved at constant speed between turning points, quasi-statically if the speed is low. An error is the largest
//! difference of the forces that the property requires to be equal, relative to the range of the force on the path. With
//! amplitude X the paths are
//!
//! | property | path, in units of X | compared |
//! |---|---|---|
//! | return point | 0, 1, −1, 0.4, −0.2, 1 | at 0.4: the force at the start and at the end of the inner loop |
//! | wiping out | the same | from 0.4 to 1: the force after the inner loop and without it |
//! | congruency | 0, 1, −0.3, 0.3, −0.3 and 0, −1, 0.3, −0.3, 0.3, −0.3 | both branches between ±0.3, each relative to its start |
//! | Masing | 0, 1, −1 | the unloading branch and the first branch, doubled in both axes from the turning point |
//!
//! A law made of elastic-slip elements in parallel (`gms` at one speed, Nouri's `hysteresis` before break-away) has all of
//! them: after a reversal each element slips once it has moved by twice its limit, whatever its history. A law with one
//! smooth state (`dahl`, `lugre`, `bouc-wen`) has none, because its present force alone determines the further path.
use super::hysteresis::tight_options;
use super::quadrature::PiecewiseCubic;
use super::test_rig::{Drive, RigTrace, TestRig, path};
use crate::Error;

/// Error below which a property holds; far above the error of the simulation.
pub const HOLDS_BELOW: f64 = 1e-6;
/// Rows per amplitude of displacement.
const ROWS_PER_AMPLITUDE: f64 = 400.0;
/// Number of points at which forces are compared on a branch.
const COMPARED_POINTS: u32 = 40;

/// How well a property holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemoryCheck {
    /// `return point`, `wiping out`, `congruency`, `Masing`.
    pub name: &'static str,
    /// Amplitude of the path.
    pub amplitude: f64,
    /// Largest difference over the range of the force.
    pub error: f64,
    /// Whether the property holds.
    pub holds: bool,
}

/// A law moved along a path.
struct MovedLaw {
    trace: RigTrace,
    times: Vec<f64>,
}

/// One branch of a path, between two turning points.
struct PathSegment<'a> {
    pieces: &'a PiecewiseCubic<'a>,
    trace: &'a RigTrace,
    rows: (usize, usize),
    /// The force at the end of the previous branch.
    before: f64,
}

impl MovedLaw {
    fn new(rig: &TestRig, amplitude: f64, speed: f64, points: &[f64]) -> Result<Self, Error> {
        let points: Vec<f64> = points.iter().map(|p| p * amplitude).collect();
        let mut times = vec![0.0];
        for pair in points.windows(2) {
            times.push(times[times.len() - 1] + (pair[1] - pair[0]).abs() / speed);
        }
        let end = times[times.len() - 1];
        let drive = Drive::Position(path(&points, speed)?);
        Ok(Self { trace: rig.run(&drive, &tight_options(0.0, end, amplitude / speed / ROWS_PER_AMPLITUDE))?, times })
    }
    fn range(&self) -> f64 {
        let force = &self.trace.force;
        force.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b)) - force.iter().fold(f64::INFINITY, |a, &b| a.min(b))
    }
    /// Branch number `k`: from the row after its first turning point to the row before its second.
    fn way<'a>(&'a self, pieces: &'a PiecewiseCubic<'a>, k: usize) -> PathSegment<'a> {
        let (t, near) = (&self.trace.t, 1e-12 * self.times[self.times.len() - 1]);
        let first = t.partition_point(|&t| t <= self.times[k] + near) - 1;
        let [before, last] = [k, k + 1].map(|k| t.partition_point(|&t| t < self.times[k] - near).min(t.len() - 1));
        PathSegment { pieces, trace: &self.trace, rows: (first, last), before: self.trace.force[before] }
    }
}

impl PathSegment<'_> {
    /// The force at displacement `x`.
    fn force(&self, x: f64) -> f64 {
        let (a, b) = self.rows;
        match self.pieces.reach(&self.trace.x, x, a, b) {
            // at the ends of the branch the force just inside it
            Some(place) => self.pieces.at(&self.trace.force, place),
            None if (x - self.trace.x[b]).abs() < (x - self.trace.x[a]).abs() => self.trace.force[b],
            None => self.trace.force[a],
        }
    }
}

/// Points of a branch from `a` to `b`, including its end.
fn places(a: f64, b: f64) -> impl Iterator<Item = f64> {
    (1..=COMPARED_POINTS).map(move |k| a + (b - a) * f64::from(k) / f64::from(COMPARED_POINTS))
}

fn worst(differences: impl Iterator<Item = f64>) -> f64 {
    differences.fold(0.0, |most, d| most.max(d.abs()))
}

/// Checks the properties of nonlocal memory at amplitude `amplitude` and speed `speed`.
///
/// # Errors
/// As [`TestRig::run`].
pub fn memory_checks(rig: &TestRig, amplitude: f64, speed: f64) -> Result<Vec<MemoryCheck>, Error> {
    let x = amplitude;
    let moved = |points: &[f64]| MovedLaw::new(rig, amplitude, speed, points);
    let check = |name, error: f64, range: f64| {
        let error = if error == 0.0 { 0.0 } else { error / range };
        MemoryCheck { name, amplitude, error, holds: error < HOLDS_BELOW }
    };
    let (inner, plain) = (moved(&[0.0, 1.0, -1.0, 0.4, -0.2, 1.0])?, moved(&[0.0, 1.0, -1.0, 1.0])?);
    let (inner_pieces, plain_pieces) =
        (PiecewiseCubic::new(&inner.trace.t, &[], true), PiecewiseCubic::new(&plain.trace.t, &[], true));
    let (left, back) = (inner.way(&inner_pieces, 2), inner.way(&inner_pieces, 4));
    let closure = back.force(0.4 * x) - left.force(0.4 * x);
    let without = plain.way(&plain_pieces, 2);
    let after = worst(places(0.4 * x, x).map(|x| back.force(x) - without.force(x)));

    let (high, low) = (moved(&[0.0, 1.0, -0.3, 0.3, -0.3])?, moved(&[0.0, -1.0, 0.3, -0.3, 0.3, -0.3])?);
    let (high_pieces, low_pieces) =
        (PiecewiseCubic::new(&high.trace.t, &[], true), PiecewiseCubic::new(&low.trace.t, &[], true));
    let mut shapes = 0.0_f64;
    for (a, b, from) in [(2, 3, -0.3), (3, 4, 0.3)] {
        let (a, b) = (high.way(&high_pieces, a), low.way(&low_pieces, b));
        let rise = |x: f64| (a.force(x) - a.before) - (b.force(x) - b.before);
        shapes = shapes.max(worst(places(from * x, -from * x).map(rise)));
    }

    let (virgin, down) = (plain.way(&plain_pieces, 0), plain.way(&plain_pieces, 1));
    let doubled = |at: f64| down.force(at) - (down.before - 2.0 * virgin.force(0.5 * (x - at)));
    let masing = worst(places(x, -x).map(doubled));
    Ok(vec![
        check("return point", closure.abs(), inner.range()),
        check("wiping out", after, plain.range()),
        check("congruency", shapes, high.range().max(low.range())),
        check("Masing", masing, plain.range()),
    ])
}
