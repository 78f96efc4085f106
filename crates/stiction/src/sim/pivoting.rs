//! The complementarity problem of what is at rest: forces λ within limits and accelerations `a = a_free − G·λ` with
//! `a = 0` inside, `a ≥ 0` at the upper limit, `a ≤ 0` at the lower one.
//!
//! Solved by least-index pivoting. Where contacts are redundant G is singular; what is solved then is the limit of G with
//! an ever smaller multiple of the identity, see [`LeastNorm`]. Tolerances are relative to the parts that cancel, so that
//! masses of any ratio are judged alike.
use super::least_norm::LeastNorm;
use super::matrix::Matrix;
use super::parts::Row;

/// Beyond a limit: forces are known a few times better than this.
const BEYOND: f64 = 1e-13;
/// An acceleration is zero if it is less than this share of the parts it is the difference of.
pub(super) const STILL: f64 = 1e-12;
/// Sweeps of relaxation at most, where pivoting found no end.
const SWEEPS: usize = 100_000;

/// What is at its limits, and what is held between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Set {
    Low,
    Free,
    High,
}

/// Something at rest: a contact or a stop.
pub(super) struct Candidate {
    pub row: Row,
    /// Index of the contact; of the stop, counted on.
    pub part: usize,
    pub low: f64,
    pub high: f64,
}

/// The problem: how candidates answer to forces, and how they would accelerate without.
pub(super) struct Problem<'a> {
    /// Coordinates.
    pub n: usize,
    pub g: &'a Matrix,
    pub free: &'a [f64],
    pub candidates: &'a [Candidate],
}

/// Sets and forces.
pub(super) type Solution = (Vec<Set>, Vec<f64>);

impl Problem<'_> {
    /// None if neither way ends in a solution.
    pub fn solve(&self) -> Option<Solution> {
        self.pivot().or_else(|| self.relax())
    }
    /// Acceleration of candidate `i`, and the size of its parts.
    pub fn acceleration(&self, i: usize, force: &[f64]) -> (f64, f64) {
        let (mut a, mut size) = (self.free[i], self.free[i].abs());
        for (j, force) in force.iter().enumerate() {
            let part = self.g.get(i, j) * force;
            (a, size) = (a - part, size + part.abs());
        }
        (a, size)
    }
    /// Starts from all held, and moves the first that contradicts its set.
    fn pivot(&self) -> Option<Solution> {
        let k = self.free.len();
        let mut sets = vec![Set::Free; k];
        // 3^k rounds in theory, some k in practice
        for _ in 0..(50 + 20 * k * k) {
            let (force, endless) = self.forces(&sets)?;
            match (0..k).find_map(|i| self.better(i, sets[i], &force, endless[i]).map(|set| (i, set))) {
                Some((i, set)) => sets[i] = set,
                None => return Some((sets, force)),
            }
        }
        None
    }
    /// Forces that belong to sets, and for what is held the sign of a force that grows without end: redundant contacts
    /// that are to accelerate in different ways.
    fn forces(&self, sets: &[Set]) -> Option<(Vec<f64>, Vec<f64>)> {
        let ends = self.candidates.iter().zip(sets).map(|(c, set)| match set {
            Set::Low => c.low,
            Set::High => c.high,
            Set::Free => 0.0,
        });
        let mut force: Vec<f64> = ends.collect();
        let mut endless = vec![0.0; sets.len()];
        let held: Vec<usize> = (0..sets.len()).filter(|&i| sets[i] == Set::Free).collect();
        if held.is_empty() {
            return Some((force, endless));
        }
        let rows: Vec<Row> = held.iter().map(|&i| self.candidates[i].row).collect();
        let mut system = LeastNorm::new(self.n, &rows, |a, b| self.g.get(held[a], held[b]))?;
        let (mut wanted, sizes): (Vec<f64>, Vec<f64>) = held.iter().map(|&i| self.acceleration(i, &force)).unzip();
        let mut x = vec![0.0; held.len()];
        system.solve(&mut wanted, &mut x);
        // a difference between any two of them counts, so that the largest says what is rounding
        let size = sizes.iter().copied().fold(0.0, f64::max);
        for (a, &i) in held.iter().enumerate() {
            force[i] = x[a];
            endless[i] = if wanted[a].abs() > STILL * size { wanted[a].signum() } else { 0.0 };
        }
        Some((force, endless))
    }
    /// The set where candidate `i` belongs, if it is not `set`.
    fn better(&self, i: usize, set: Set, force: &[f64], endless: f64) -> Option<Set> {
        let Candidate { low, high, .. } = self.candidates[i];
        if set == Set::Free {
            let near = BEYOND * (low.abs().min(1e300) + high.abs().min(1e300)).min(force[i].abs() + 1e-300);
            let above = force[i] > high + near || endless > 0.0 && high.is_finite();
            let below = force[i] < low - near || endless < 0.0 && low.is_finite();
            return if above { Some(Set::High) } else { below.then_some(Set::Low) };
        }
        let (a, size) = self.acceleration(i, force);
        let along = if set == Set::High { a } else { -a };
        (along < -STILL * size).then_some(Set::Free)
    }
    /// One force after the other is put where its own contact wants it, until none moves. Slow where masses are
    /// unequal, but the convex function it walks down has no cycles.
    fn relax(&self) -> Option<Solution> {
        let k = self.free.len();
        let mut force: Vec<f64> = self.candidates.iter().map(|c| 0.0_f64.max(c.low).min(c.high)).collect();
        for _ in 0..SWEEPS {
            let mut moved = false;
            for i in 0..k {
                let Candidate { low, high, .. } = self.candidates[i];
                let to = (force[i] + self.acceleration(i, &force).0 / self.g.get(i, i)).max(low).min(high);
                moved |= (to - force[i]).abs() > f64::EPSILON * to.abs().max(force[i].abs());
                force[i] = to;
            }
            if !moved {
                break;
            }
        }
        let sets = (0..k).map(|i| {
            let Candidate { low, high, .. } = self.candidates[i];
            let (a, size) = self.acceleration(i, &force);
            match a {
                a if a.abs() <= STILL * size => Some(Set::Free),
                a if a > 0.0 && force[i] == high => Some(Set::High),
                a if a < 0.0 && force[i] == low => Some(Set::Low),
                _ => None,
            }
        });
        let sets: Vec<Set> = sets.collect::<Option<_>>()?;
        Some((sets, force))
    }
}
