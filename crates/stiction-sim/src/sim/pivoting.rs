//! The complementarity problem of contacts at rest: forces λ within limits and accelerations `a = a_free − G·λ` with
//! `a = 0` inside the limits, `a ≥ 0` at the upper limit, `a ≤ 0` at the lower one.
//!
//! Solved by least-index pivoting. Where contacts are redundant G is singular; the solution is then the limit for G plus a
//! vanishing multiple of the identity, see [`LeastNorm`]. Tolerances are relative to the terms that cancel, so that they hold
//! for masses of any ratio.
use super::components::ConstraintRow;
use super::groups::RigidGroups;
use super::least_norm::LeastNorm;
use super::matrix::Matrix;

/// Relative tolerance of forces at a limit: a few times their rounding error.
const FORCE_TOLERANCE: f64 = 1e-13;
/// An acceleration below this fraction of the terms it is the difference of counts as zero.
const ACCELERATION_TOLERANCE: f64 = 1e-12;
/// Most sweeps of relaxation, used where pivoting does not terminate.
const MAX_SWEEPS: usize = 100_000;

/// Where a force is: at its lower limit, between the limits, or at its upper limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum BoundStatus {
    Low,
    Free,
    High,
}

/// A contact or a stop at rest.
pub(super) struct Candidate {
    pub row: ConstraintRow,
    /// Index of the contact; for a stop, the number of contacts plus its index.
    pub part: usize,
    pub low: f64,
    pub high: f64,
    /// Whether it is a contact that only creeps while it counts as stuck: its law has no set of forces at rest.
    pub creeps: bool,
}

impl Candidate {
    /// A stop in contact at its lower (−1) or upper (+1) end: it can only push.
    pub fn stop(row: ConstraintRow, part: usize, end: f64) -> Self {
        let (low, high) = if end > 0.0 { (0.0, f64::INFINITY) } else { (f64::NEG_INFINITY, 0.0) };
        Self { row, part, low, high, creeps: false }
    }
}

/// The problem: response of the candidates to forces, and their accelerations without forces.
pub(super) struct ComplementarityProblem<'a> {
    /// Number of coordinates.
    pub n: usize,
    pub g: &'a Matrix,
    pub free: &'a [f64],
    pub candidates: &'a [Candidate],
}

/// Status and force of each candidate.
pub(super) type Solution = (Vec<BoundStatus>, Vec<f64>);

impl ComplementarityProblem<'_> {
    /// None if neither pivoting nor relaxation finds a solution.
    pub fn solve(&self) -> Option<Solution> {
        self.pivot().or_else(|| self.relax())
    }
    /// The solution for a single candidate: its status, its force, and whether it stays at rest; none if not a number.
    pub fn solve_single(&self) -> Option<(BoundStatus, f64, bool)> {
        let held = self.free[0] / self.g.get(0, 0);
        if held.is_nan() {
            return None;
        }
        let set = self.limit(0, held, 0.0).unwrap_or(BoundStatus::Free);
        let force = match set {
            BoundStatus::Free => held,
            BoundStatus::High => self.candidates[0].high,
            BoundStatus::Low => self.candidates[0].low,
        };
        let (a, size) = self.acceleration(0, &[force]);
        Some((set, force, a.abs() <= ACCELERATION_TOLERANCE * size))
    }
    /// Acceleration of candidate `i`, and the size of its terms.
    pub fn acceleration(&self, i: usize, force: &[f64]) -> (f64, f64) {
        let (mut a, mut size) = (self.free[i], self.free[i].abs());
        for (j, force) in force.iter().enumerate() {
            let part = self.g.get(i, j) * force;
            (a, size) = (a - part, size + part.abs());
        }
        (a, size)
    }
    /// The rigid groups formed by the sticking candidates.
    pub fn held(&self, sets: &[BoundStatus]) -> RigidGroups {
        let mut held = RigidGroups::new(self.n);
        for (c, _) in self.candidates.iter().zip(sets).filter(|(_, set)| **set == BoundStatus::Free) {
            held.hold(&c.row);
        }
        held
    }
    /// Acceleration of candidate `i`, zero if it is at rounding, and whether it is at its limit but prevented from sliding by the
    /// sticking candidates. The rounding is then that of those candidates, which may be larger.
    pub fn residual_acceleration(
        &self,
        i: usize,
        (sets, force): (&[BoundStatus], &[f64]),
        held: &RigidGroups,
    ) -> (f64, bool) {
        let (a, mut size) = self.acceleration(i, force);
        let kept = sets[i] != BoundStatus::Free && !held.clone().hold(&self.candidates[i].row);
        if kept {
            let keepers = (0..sets.len()).filter(|&j| sets[j] == BoundStatus::Free);
            size = keepers.map(|j| self.acceleration(j, force).1).fold(size, f64::max);
        }
        (if a.abs() <= ACCELERATION_TOLERANCE * size { 0.0 } else { a }, kept)
    }
    /// Starts with all candidates sticking, and changes the first that violates its condition.
    fn pivot(&self) -> Option<Solution> {
        let k = self.free.len();
        let mut sets = vec![BoundStatus::Free; k];
        // at most 3^k iterations in theory, about k in practice
        for _ in 0..(50 + 20 * k * k) {
            let (force, unbounded) = self.forces(&sets)?;
            let held = self.held(&sets);
            let better = |i: usize| match sets[i] {
                BoundStatus::Free => self.limit(i, force[i], unbounded[i]),
                set => {
                    let (a, _) = self.residual_acceleration(i, (&sets, &force), &held);
                    let against = if set == BoundStatus::High { a < 0.0 } else { a > 0.0 };
                    against.then_some(BoundStatus::Free)
                }
            };
            match (0..k).find_map(|i| better(i).map(|set| (i, set))) {
                Some((i, set)) => sets[i] = set,
                None => return Some((sets, force)),
            }
        }
        None
    }
    /// Forces for the given status, and for sticking candidates the sign of an unbounded force: redundant contacts that would
    /// have to accelerate differently.
    fn forces(&self, sets: &[BoundStatus]) -> Option<(Vec<f64>, Vec<f64>)> {
        let ends = self.candidates.iter().zip(sets).map(|(c, set)| match set {
            BoundStatus::Low => c.low,
            BoundStatus::High => c.high,
            BoundStatus::Free => 0.0,
        });
        let mut force: Vec<f64> = ends.collect();
        let mut unbounded = vec![0.0; sets.len()];
        let held: Vec<usize> = (0..sets.len()).filter(|&i| sets[i] == BoundStatus::Free).collect();
        if held.is_empty() {
            return Some((force, unbounded));
        }
        let rows: Vec<ConstraintRow> = held.iter().map(|&i| self.candidates[i].row).collect();
        let mut system =
            LeastNorm::new(self.n, &rows, |a| self.candidates[held[a]].creeps, |a, b| self.g.get(held[a], held[b]))?;
        let (mut wanted, sizes): (Vec<f64>, Vec<f64>) = held.iter().map(|&i| self.acceleration(i, &force)).unzip();
        // differences between any two of them count, so the largest determines what is rounding
        let size = sizes.iter().copied().fold(0.0, f64::max);
        let gap = system.gap(&wanted);
        if gap.iter().any(|gap| gap.abs() > ACCELERATION_TOLERANCE * size) {
            for ((gap, wanted), &i) in gap.iter().zip(&mut wanted).zip(&held) {
                *wanted -= gap;
                unbounded[i] = if gap.abs() > ACCELERATION_TOLERANCE * size { gap.signum() } else { 0.0 };
            }
        }
        let mut x = vec![0.0; held.len()];
        system.solve(&wanted, &mut x);
        held.iter().zip(x).for_each(|(&i, x)| force[i] = x);
        Some((force, unbounded))
    }
    /// The limit that a force exceeds, if any.
    fn limit(&self, i: usize, force: f64, unbounded: f64) -> Option<BoundStatus> {
        let Candidate { low, high, .. } = self.candidates[i];
        let near = FORCE_TOLERANCE * (low.abs().min(1e300) + high.abs().min(1e300)).min(force.abs() + 1e-300);
        let above = force > high + near || unbounded > 0.0 && high.is_finite();
        let below = force < low - near || unbounded < 0.0 && low.is_finite();
        if above { Some(BoundStatus::High) } else { below.then_some(BoundStatus::Low) }
    }
    /// Projected Gauss–Seidel: each force in turn is set to satisfy its own condition, until none changes. Slow for unequal
    /// masses, but it cannot cycle, because the convex objective decreases.
    fn relax(&self) -> Option<Solution> {
        let k = self.free.len();
        let mut force: Vec<f64> = self.candidates.iter().map(|c| 0.0_f64.max(c.low).min(c.high)).collect();
        for _ in 0..MAX_SWEEPS {
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
                a if a.abs() <= ACCELERATION_TOLERANCE * size => Some(BoundStatus::Free),
                a if a > 0.0 && force[i] == high => Some(BoundStatus::High),
                a if a < 0.0 && force[i] == low => Some(BoundStatus::Low),
                _ => None,
            }
        });
        let sets: Vec<BoundStatus> = sets.collect::<Option<_>>()?;
        Some((sets, force))
    }
}

#[cfg(test)]
mod tests {
    use super::{ACCELERATION_TOLERANCE, BoundStatus, Candidate, ComplementarityProblem};
    use crate::sim::components::ConstraintRow;
    use crate::sim::least_norm::dot;
    use crate::sim::matrix::Matrix;

    /// A contact between two bodies, or between one body and the ground.
    fn row(i: usize, j: Option<usize>) -> ConstraintRow {
        let nq = 1 + usize::from(j.is_some());
        ConstraintRow { q: [(i, 1.0), (j.unwrap_or(0), -1.0)], nq, v: [0; 2], m: [(0, 0.0); 2], nm: 0, offset: 0.0 }
    }

    fn noise() -> impl FnMut() -> f64 {
        let mut k = 0.0_f64;
        move || {
            k += 1.0;
            let x = (k * 12.9898).sin() * 43758.547;
            2.0 * (x - x.floor()) - 1.0
        }
    }

    /// Three bodies on the ground and on each other, with double contacts and a ring: G is singular, and masses are unequal.
    fn ring(masses: [f64; 3], next: &mut impl FnMut() -> f64) -> (Matrix, Vec<f64>, Vec<Candidate>) {
        let pairs = [(0, None), (0, None), (1, Some(0)), (2, Some(1)), (2, None), (1, Some(0))];
        let forces = [0; 3].map(|_| 4.0 * next());
        let limits = pairs.map(|_| 0.2 + 0.5 * (1.0 + next()));
        let candidates: Vec<Candidate> = pairs
            .iter()
            .zip(&limits)
            .enumerate()
            .map(|(part, (&(i, j), &limit))| Candidate {
                row: row(i, j),
                part,
                low: -limit,
                high: limit,
                creeps: false,
            })
            .collect();
        let by = |row: &ConstraintRow| {
            let mut row = *row;
            row.q.iter_mut().for_each(|(i, c)| *c /= masses[*i]);
            row
        };
        let mut g = Matrix::full(pairs.len());
        for (a, c) in candidates.iter().enumerate() {
            candidates.iter().enumerate().for_each(|(b, d)| g.set(a, b, dot(&c.row, &by(&d.row))));
        }
        let free = candidates.iter().map(|c| c.row.coordinates().map(|(i, x)| x * forces[i] / masses[i]).sum());
        (g, free.collect(), candidates)
    }

    #[test]
    fn one_alone_is_decided_as_one_of_many() {
        for free in [-3.0, -1.0, -0.4, 0.0, 0.7, 1.0, 1.0 + 1e-15, 2.5] {
            let candidates = [Candidate { row: row(0, None), part: 0, low: -0.5, high: 1.0 / 3.0, creeps: false }];
            let mut g = Matrix::full(1);
            g.set(0, 0, 3.0);
            let problem = ComplementarityProblem { n: 1, g: &g, free: &[free], candidates: &candidates };
            let (sets, force) = problem.solve().expect("a solution");
            let (a, kept) = problem.residual_acceleration(0, (&sets, &force), &problem.held(&sets));
            assert!(!kept);
            let (set, alone, still) = problem.solve_single().expect("a number");
            // two ways to divide: the last bit may differ
            assert!((alone - force[0]).abs() <= 2.0 * f64::EPSILON * force[0].abs(), "{free}: {alone}, {}", force[0]);
            assert_eq!((set, still), (sets[0], a == 0.0), "{free}");
        }
    }

    #[test]
    fn pivoting_and_relaxation_find_the_same_accelerations() {
        let mut next = noise();
        for _ in 0..200 {
            // relaxation is slow where masses are very unequal
            let masses = [0; 3].map(|_| 10_f64.powf(next()));
            let (g, free, candidates) = ring(masses, &mut next);
            let problem = ComplementarityProblem { n: 3, g: &g, free: &free, candidates: &candidates };
            let (_, one) = problem.pivot().expect("pivoting ends");
            let (_, other) = problem.relax().expect("relaxation ends");
            for i in 0..free.len() {
                let ((a, size), (b, _)) = (problem.acceleration(i, &one), problem.acceleration(i, &other));
                // each has its rounding error, and accelerations are unique
                assert!(
                    (a - b).abs() <= 10.0 * ACCELERATION_TOLERANCE * size,
                    "{i}: {a} and {b} of {size}, {masses:?}"
                );
            }
        }
    }

    #[test]
    fn redundant_contacts_of_unequal_bodies_satisfy_all_conditions() {
        let mut next = noise();
        let mut held = 0;
        for _ in 0..500 {
            let masses = [0; 3].map(|_| 10_f64.powf(3.0 * next()));
            let (g, free, candidates) = ring(masses, &mut next);
            let problem = ComplementarityProblem { n: 3, g: &g, free: &free, candidates: &candidates };
            let (sets, force) = problem.pivot().expect("pivoting ends");
            for (i, c) in candidates.iter().enumerate() {
                let (a, _) = problem.residual_acceleration(i, (&sets, &force), &problem.held(&sets));
                // rounding of an elimination with masses up to three powers of ten apart
                assert!(force[i] >= c.low * (1.0 + 1e-12) && force[i] <= c.high * (1.0 + 1e-12), "{force:?}");
                let right = match sets[i] {
                    BoundStatus::Free => a == 0.0,
                    BoundStatus::High => a >= 0.0,
                    BoundStatus::Low => a <= 0.0,
                };
                assert!(right, "{i}: {a} in {sets:?}, {force:?}");
            }
            // the first two contacts are equal: if both stick, they share the force equally
            if sets[0] == BoundStatus::Free && sets[1] == BoundStatus::Free {
                held += 1;
                // the same rounding of two forces below ten
                assert!((force[0] - force[1]).abs() < 1e-12, "{force:?}");
            }
        }
        assert!(held > 50, "only {held} shared");
    }

    /// Two grippers hold a block and begin to move apart: it stays with the stronger one, and slips in the weaker one.
    #[test]
    fn redundant_contacts_that_part_do_not_both_hold() {
        let candidate =
            |part, limit: f64| Candidate { row: row(0, None), part, low: -limit, high: limit, creeps: false };
        let candidates = [candidate(0, 1.0), candidate(1, 2.0)];
        let mut g = Matrix::full(2);
        (0..4).for_each(|k| g.set(k / 2, k % 2, 1.0));
        // a block of 1 kg, in grippers that accelerate by 0.3 m/s² in opposite directions
        let problem = ComplementarityProblem { n: 1, g: &g, free: &[0.3, -0.3], candidates: &candidates };
        let (sets, force) = problem.pivot().expect("pivoting ends");
        assert_eq!((sets, force), (vec![BoundStatus::High, BoundStatus::Free], vec![1.0, -1.3]));
    }
}
