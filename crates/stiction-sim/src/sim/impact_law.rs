//! The impact law: all stops that are in contact at one instant are struck together.
//!
//! Velocities jump by impulses λ along the rows J of the stops; friction is bounded and carries no impulse. A stop measures the
//! velocity `w = J·v` (with the velocity of prescribed motions) towards its end and can only push: `λ ≥ 0`. With
//! `G = J·M⁻¹·Jᵀ` the impulses change it to `w − G·λ`. The law is Poisson's, with a complementarity problem in each phase:
//!
//! ```text
//! compression   w_c = w⁻ − G·λ,              0 ≤ λ ⊥ −w_c ≥ 0
//! restitution   w⁺  = w_c − G·(E·λ + s),     0 ≤ s ⊥ −w⁺  ≥ 0       E: coefficients of restitution, each from 0 to 1
//! ```
//!
//! Compression is the plastic impact. Restitution returns the share e of each impulse, and s keeps the stops from being driven
//! in again by the impulses of their neighbours.
//!
//! - One stop: `λ = w⁻/G`, `w_c = 0`, `w⁺ = −e·w⁻`, which is Newton's law. All e equal: Moreau's law, `v⁺ = v_c + e·(v_c − v⁻)`.
//! - No stop closes afterwards: `w⁺ ≤ 0`.
//! - Energy is never gained, for any masses and any e. What the masses lose, with the work of prescribed motions, is
//!   `½(λ + Eλ + s)ᵀ(w⁻ + w⁺)`. By the complementarity conditions this is `½λᵀGλ + ½sᵀGs − ½(Eλ)ᵀG(Eλ)`. Now s minimises the
//!   convex function `φ(s) = ½sᵀGs − sᵀ(w_c − GEλ)` over `s ≥ 0`, with the value `−½sᵀGs`. For the largest e, called ē, also
//!   `ēλ − Eλ ≥ 0` is admissible, and its value is `½ē²λᵀGλ − ½(Eλ)ᵀG(Eλ)`, since `λ` and `w_c` are complementary. So
//!   `½(Eλ)ᵀG(Eλ) − ½sᵀGs ≤ ½ē²λᵀGλ`, and the loss is at least `½(1 − ē²)λᵀGλ ≥ 0`.
//! - A rigid gear that is switched on takes part with an impulse of either sign and w⁺ = 0 in both phases; its e is zero, so that it only adds
//!   constraints to the minima above.
//! - Velocities are unique: those of each phase are the minimiser of a strictly convex function, the kinetic energy of the
//!   change of velocity, over the velocities that do not close a stop. Where stops are redundant the impulses of compression
//!   are those of least norm, so that the answer does not depend on the order of the stops and keeps every symmetry.
use super::components::{ConstraintRow, StopKind, StopState};
use super::flow::Flow;
use super::least_norm::LeastNorm;
use super::matrix::Matrix;
use super::pivoting::{BoundStatus, Candidate, ComplementarityProblem};
use crate::system::SignalDerivatives;

/// A held stop must be at rest to this fraction of the velocities involved; else the stops contradict each other. Solutions are
/// accurate to about 1e-12 of them, contradictions are of their own size.
const CONTRADICTION: f64 = 1e-9;

/// Most solutions with velocities in place of `G·λ`, each for what the last left: G adds the inverse masses of light and heavy
/// bodies, and where they differ by a factor r it knows the heavy ones to r times its rounding only. Each solution takes that
/// factor off the error: two or three are enough unless masses differ by more than 1e10.
const MAX_REFINEMENTS: usize = 20;

/// A stop in contact: its index, and its lower (−1) or upper (+1) end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StopContact {
    pub stop: usize,
    pub end: f64,
}

/// What an impact did.
pub(super) struct ImpactResult {
    /// Impulse of each stop against its displacement [N s or N·m·s].
    pub impulses: Vec<f64>,
    /// Whether the velocity of each stop is zero afterwards.
    pub at_rest: Vec<bool>,
    /// Work of prescribed motions \[J\].
    pub work: f64,
}

impl StopState<'_> {
    /// The end that is nearer, and the distance from it.
    pub fn nearest_end(&self, y: &[f64], motions: &[SignalDerivatives]) -> (f64, f64) {
        if !self.is_on {
            return (1.0, f64::INFINITY);
        }
        if self.kind != StopKind::Displacement {
            return (1.0, 0.0);
        }
        let x = self.row.x(y, motions);
        let [low, high] = [-1.0, 1.0].map(|end| self.gap(x, end));
        if high < low { (1.0, high) } else { (-1.0, low) }
    }
    /// Distance from its lower (−1) or upper (+1) end, for a displacement of `x`.
    fn gap(&self, x: f64, end: f64) -> f64 {
        if end > 0.0 { self.parameters.hi - x } else { x - self.parameters.lo }
    }
}

impl Flow<'_> {
    /// Applies the impact law to all `contacts` with their coefficients of `restitution`: changes the velocities in state `y`.
    /// None if no velocities satisfy all stops, which happens only where prescribed motions crush a body.
    pub fn strike(&mut self, contacts: &[StopContact], restitution: &[f64], y: &mut [f64]) -> Option<ImpactResult> {
        self.release_all(y);
        let mut candidates = self.stop_candidates(contacts);
        let g = self.responses(&candidates);
        let compression = self.solve_phase(&g, &candidates, y)?;
        // restitution, in terms of the total impulse: at least 1 + e times that of compression
        for ((c, impulse), e) in candidates.iter_mut().zip(&compression.impulses).zip(restitution) {
            let least = (1.0 + e) * impulse;
            // a gear pushes and pulls, and does not rebound
            match (c.low == f64::NEG_INFINITY, c.high == f64::INFINITY) {
                (true, true) => {}
                (_, true) => c.low = least,
                _ => c.high = least,
            }
        }
        let Phase { held, mut impulses, y: after } = self.solve_phase(&g, &candidates, y)?;
        let rounding = 1e-13 * self.largest_speed(&candidates, [y, &after]);
        y.copy_from_slice(&after);
        let mut at_rest = held;
        for (i, c) in candidates.iter().enumerate() {
            at_rest[i] |= c.row.v(y, &self.motions).abs() <= rounding;
            if (g.get(i, i) * impulses[i]).abs() <= rounding {
                impulses[i] = 0.0;
            }
        }
        // the impulse acts on the masses against the displacement, and on prescribed motions likewise
        let work = candidates.iter().zip(&impulses).map(|(c, p)| p * c.row.driven(&self.motions, 1)).sum();
        self.regroup();
        Some(ImpactResult { impulses, at_rest, work })
    }
    /// Brings the velocity of `row` to zero by an impulse along it, in state `y`, where the stops `contacts` are closed. It stands for the last of a
    /// motion that bounded forces end, so no stop rebounds: velocities change by as little kinetic energy as they can for the row to be at
    /// rest and no stop to close. None if there are no such velocities.
    pub fn arrest(&mut self, row: &ConstraintRow, contacts: &[StopContact], y: &mut [f64]) -> Option<ImpactResult> {
        self.release_all(y);
        // it may push and pull, and comes first: no stop has this number
        let own = Candidate { row: *row, part: usize::MAX, low: f64::NEG_INFINITY, high: f64::INFINITY, creeps: false };
        let candidates: Vec<Candidate> = std::iter::once(own).chain(self.stop_candidates(contacts)).collect();
        let g = self.responses(&candidates);
        let Phase { held, impulses, y: after } = self.solve_phase(&g, &candidates, y)?;
        y.copy_from_slice(&after);
        let work = candidates.iter().zip(&impulses).map(|(c, p)| p * c.row.driven(&self.motions, 1)).sum();
        self.regroup();
        Some(ImpactResult { impulses: impulses[1..].to_vec(), at_rest: held[1..].to_vec(), work })
    }
    /// Moves bodies onto the ends of the stops among `contacts` that they overstep (`all`: also of those that they do not
    /// reach), each in proportion to its response to an impulse. The distances are within rounding or the tolerance.
    pub fn move_onto_stops(&mut self, contacts: &[StopContact], all: bool, y: &mut [f64]) {
        self.release_all(y);
        let stops = &self.components.stops;
        let has_ends = |c: &&StopContact| stops[c.stop].kind == StopKind::Displacement;
        let contacts: Vec<StopContact> = contacts.iter().filter(has_ends).copied().collect();
        let candidates = self.stop_candidates(&contacts);
        let g = self.responses(&candidates);
        let beyond = |(contact, c): (&StopContact, &Candidate)| {
            let stop = &self.components.stops[contact.stop];
            -contact.end * stop.gap(c.row.x(y, &self.motions), contact.end)
        };
        let free: Vec<f64> = contacts.iter().zip(&candidates).map(beyond).collect();
        let n = self.components.n;
        let mut shift = vec![0.0; free.len()];
        if !all {
            let problem = ComplementarityProblem { n, g: &g, free: &free, candidates: &candidates };
            if let Some((_, found)) = problem.solve() {
                shift = found;
            }
        } else if !free.is_empty() {
            let rows: Vec<_> = candidates.iter().map(|c| c.row).collect();
            if let Some(mut system) = LeastNorm::new(n, &rows, |_| false, |a, b| g.get(a, b)) {
                system.solve(&free, &mut shift);
            }
        }
        self.apply_impulses(candidates.iter().map(|c| &c.row), &shift, |i| i, y);
        self.regroup();
    }
    /// Changes velocities by impulses against `rows`; `at` is the place of a coordinate's velocity in `y`.
    fn apply_impulses<'r>(
        &self,
        rows: impl Iterator<Item = &'r ConstraintRow>,
        impulses: &[f64],
        at: impl Fn(usize) -> usize,
        y: &mut [f64],
    ) {
        let mut answer = vec![0.0; self.components.n];
        for (row, impulse) in rows.zip(impulses) {
            self.answer(row, &mut answer);
            answer.iter().enumerate().for_each(|(i, answer)| y[at(i)] -= answer * impulse);
        }
    }
    fn stop_candidates(&self, contacts: &[StopContact]) -> Vec<Candidate> {
        let count = self.components.contacts.len();
        let candidate = |c: &StopContact| self.components.stops[c.stop].candidate(count + c.stop, c.end);
        contacts.iter().map(candidate).collect()
    }
    /// Impulses of at least the limits of the `candidates` that leave no stop closing, from the velocities in `y`. None if stops
    /// contradict each other.
    fn solve_phase(&self, g: &Matrix, candidates: &[Candidate], y: &[f64]) -> Option<Phase> {
        let all = vec![true; candidates.len()];
        self.pivot(g, candidates, all, y).or_else(|| {
            // redundant stops that cannot all be held: the complementarity problem tells those that part
            let free: Vec<f64> = candidates.iter().map(|c| c.row.v(y, &self.motions)).collect();
            let problem = ComplementarityProblem { n: self.components.n, g, free: &free, candidates };
            let (sets, _) = problem.solve()?;
            self.pivot(g, candidates, sets.iter().map(|set| *set == BoundStatus::Free).collect(), y)
        })
    }
    /// Least-index pivoting from a set of stops that are `held`, as for the [`ComplementarityProblem`], but with velocities in
    /// place of `G·λ`: where masses differ by many powers of ten G does not decide who is held.
    fn pivot(&self, g: &Matrix, candidates: &[Candidate], mut held: Vec<bool>, y: &[f64]) -> Option<Phase> {
        let k = candidates.len();
        // the limit of a stop that is not held, and the direction in which it closes
        let limits: Vec<(f64, f64)> =
            candidates.iter().map(|c| if c.high == f64::INFINITY { (c.low, 1.0) } else { (c.high, -1.0) }).collect();
        // at most 2^k rounds in theory, about k in practice
        for _ in 0..50 + 20 * k * k {
            let phase = self.impulses(g, candidates, &limits, &held, y)?;
            let rounding = 1e-13 * self.largest_speed(candidates, [y, &phase.y]);
            let wrong = (0..k).find(|&i| {
                let (limit, end) = limits[i];
                if held[i] {
                    let missing = end * (limit - phase.impulses[i]);
                    missing > 1e-13 * (phase.impulses[i].abs() + limit.abs()) && missing * g.get(i, i) > rounding
                } else {
                    end * candidates[i].row.v(&phase.y, &self.motions) > rounding
                }
            });
            match wrong {
                Some(i) => held[i] = !held[i],
                None => return Some(phase),
            }
        }
        None
    }
    /// The largest velocity involved, in two states.
    fn largest_speed(&self, candidates: &[Candidate], states: [&[f64]; 2]) -> f64 {
        let sizes = candidates.iter().flat_map(|c| states.map(|y| c.row.speed_size(y, &self.motions)));
        sizes.fold(0.0, f64::max)
    }
    /// The impulses for which the stops in `held` come to rest and the others are at their limits.
    fn impulses(
        &self,
        g: &Matrix,
        candidates: &[Candidate],
        limits: &[(f64, f64)],
        held: &[bool],
        y: &[f64],
    ) -> Option<Phase> {
        let stops: Vec<usize> = (0..held.len()).filter(|&i| held[i]).collect();
        let others = limits.iter().zip(held).map(|((limit, _), held)| if *held { 0.0 } else { *limit });
        let mut phase = Phase { held: held.to_vec(), impulses: others.collect(), y: y.to_vec() };
        self.apply_impulses(
            candidates.iter().map(|c| &c.row),
            &phase.impulses,
            |i| self.components.vi[i],
            &mut phase.y,
        );
        if stops.is_empty() {
            return Some(phase);
        }
        let rows: Vec<ConstraintRow> = stops.iter().map(|&i| candidates[i].row).collect();
        let mut system = LeastNorm::new(self.components.n, &rows, |_| false, |a, b| g.get(stops[a], stops[b]))?;
        let mut correction = vec![0.0; stops.len()];
        let velocities = |y: &[f64]| -> Vec<f64> { rows.iter().map(|row| row.v(y, &self.motions)).collect() };
        let worst = |y: &[f64]| velocities(y).iter().fold(0.0_f64, |worst, v| worst.max(v.abs()));
        let mut last = f64::INFINITY;
        for _ in 0..MAX_REFINEMENTS {
            // at rest, or no longer improving
            let left = worst(&phase.y);
            if left == 0.0 || left > 0.5 * last {
                break;
            }
            last = left;
            system.solve(&velocities(&phase.y), &mut correction);
            stops.iter().zip(&correction).for_each(|(&i, correction)| phase.impulses[i] += correction);
            self.apply_impulses(rows.iter(), &correction, |i| self.components.vi[i], &mut phase.y);
        }
        let size = self.largest_speed(candidates, [y, &phase.y]);
        if worst(&phase.y) > CONTRADICTION * size { None } else { Some(phase) }
    }
}

/// The end of a phase: which stops are held at rest, the impulses so far, and the state.
struct Phase {
    held: Vec<bool>,
    impulses: Vec<f64>,
    y: Vec<f64>,
}
