//! Constraint forces: `G·λ = b` with `G = J·A·Jᵀ`, and the λ of least norm where contacts are redundant.
//!
//! Which rows of J are redundant does not depend on masses. It is therefore not read from G, where a mass ratio of a million
//! looks like a redundant row. Independent rows form the basis B, all rows are `J = C·J_B`, and `G = C·G_B·Cᵀ` with an
//! invertible `G_B`. With unequal masses its entries differ by many powers of ten: it is scaled to a unit diagonal, factored,
//! and the solution is improved by iterative refinement down to rounding.
//!
//! A contact that only creeps while it counts as stuck has no set of forces at rest: at speed zero it exerts none but that of its law there.
//! Where exact constraints can take a load, they take all of it. So the norm that is least is that of the forces of creeping contacts first,
//! and among equals that of the others: `Σ λ²/w` with a vanishing weight w for those that creep.
use super::components::ConstraintRow;
use super::groups::RigidGroups;
use super::matrix::Matrix;

/// What the square of a force at a contact that only creeps counts for less than that of an exact constraint: so much that what is left of it
/// is below every rounding, and so little that products with it do not underflow.
const CREEP_WEIGHT: f64 = 1e-30;

/// Most iterations of refinement; one is enough unless the matrix is close to singular.
const MAX_REFINEMENTS: usize = 20;

/// The factored equations for constraint forces.
pub(super) struct LeastNorm {
    /// Indices of the basis rows.
    basis: Vec<usize>,
    /// `G_B`, its diagonal to the power −½, and the factors of the scaled matrix with its row exchanges.
    g: Matrix,
    scale: Vec<f64>,
    factor: Matrix,
    pivots: Vec<usize>,
    redundant: Option<RedundantRows>,
    /// Scratch: right-hand side, solution, correction.
    wanted: Vec<f64>,
    found: Vec<f64>,
    rest: Vec<f64>,
}

/// All rows in terms of the basis, where some are redundant.
struct RedundantRows {
    /// The matrix C, row by row.
    c: Vec<f64>,
    /// The factors of `Cᵀ·C`.
    gram: Matrix,
    pivots: Vec<usize>,
    /// The weights w of the rows, and the factors of `Cᵀ·W·C`, unless all weights are one.
    weighted: Option<(Vec<f64>, Matrix, Vec<usize>)>,
}

/// The dot product of two rows of J.
pub(super) fn dot(row: &ConstraintRow, other: &ConstraintRow) -> f64 {
    let shared = |(i, c): (usize, f64)| other.coordinates().filter(move |(j, _)| *j == i).map(move |(_, d)| c * d);
    row.coordinates().flat_map(shared).sum()
}

impl LeastNorm {
    /// For one or more `rows` over `n` coordinates; `g` gives the entries of G, `creeps` says which rows are those of contacts that only creep.
    /// None if an entry is not finite.
    pub fn new(
        n: usize,
        rows: &[ConstraintRow],
        creeps: impl Fn(usize) -> bool,
        g: impl Fn(usize, usize) -> f64,
    ) -> Option<Self> {
        let mut held = RigidGroups::new(n);
        // exact rows first: no other exact row is then expressed by one that creeps. Among them rows with the smallest response (heavy
        // bodies) first: the others then follow with full accuracy
        let mut basis: Vec<usize> = (0..rows.len()).collect();
        basis.sort_by(|&i, &j| creeps(i).cmp(&creeps(j)).then(g(i, i).total_cmp(&g(j, j))));
        basis.retain(|&i| held.hold(&rows[i]));
        let r = basis.len();
        let redundant = if r < rows.len() { Some(RedundantRows::new(rows, &basis, creeps)?) } else { None };
        let scale: Vec<f64> = basis.iter().map(|&i| g(i, i).sqrt().recip()).collect();
        let (mut own, mut factor, mut pivots) = (Matrix::full(r), Matrix::full(r), vec![0; r]);
        for (a, &i) in basis.iter().enumerate() {
            for (b, &j) in basis.iter().enumerate() {
                own.set(a, b, g(i, j));
                factor.set(a, b, scale[a] * g(i, j) * scale[b]);
            }
        }
        let regular = r > 0 && factor.factor(&mut pivots);
        let scratch = || vec![0.0; r];
        let (wanted, found, rest) = (scratch(), scratch(), scratch());
        regular.then_some(Self { basis, g: own, scale, factor, pivots, redundant, wanted, found, rest })
    }
    /// The part of `b` outside the range of G: accelerations that redundant constraints could only satisfy with infinite forces.
    pub fn gap(&mut self, b: &[f64]) -> Vec<f64> {
        self.redundant.as_ref().map_or_else(|| vec![0.0; b.len()], |redundant| redundant.gap(b, &mut self.wanted))
    }
    /// Solves for a `b` in the range of G.
    pub fn solve(&mut self, b: &[f64], x: &mut [f64]) {
        self.wanted.iter_mut().zip(&self.basis).for_each(|(wanted, &i)| *wanted = b[i]);
        self.solve_basis();
        match &self.redundant {
            Some(redundant) => redundant.unfold(&mut self.found, x),
            None => self.basis.iter().zip(&self.found).for_each(|(&i, found)| x[i] = *found),
        }
    }
    fn solve_basis(&mut self) {
        let Self { g, scale, factor, pivots, wanted, found, rest, .. } = self;
        found.fill(0.0);
        rest.copy_from_slice(wanted);
        let mut last = f64::INFINITY;
        for _ in 0..MAX_REFINEMENTS {
            rest.iter_mut().zip(&*scale).for_each(|(rest, scale)| *rest *= scale);
            factor.solve(pivots, rest);
            for ((x, dx), scale) in found.iter_mut().zip(&*rest).zip(&*scale) {
                *x += scale * dx;
            }
            // residual, relative to the terms it is the difference of
            let mut left = 0.0_f64;
            for (a, rest) in rest.iter_mut().enumerate() {
                let (mut sum, mut size) = (wanted[a], wanted[a].abs());
                for (b, x) in found.iter().enumerate() {
                    let part = g.get(a, b) * x;
                    (sum, size) = (sum - part, size + part.abs());
                }
                *rest = sum;
                left = left.max(sum.abs() / (size + f64::MIN_POSITIVE));
            }
            // at rounding, or no longer improving
            if left <= 4.0 * f64::EPSILON || left > 0.5 * last {
                break;
            }
            last = left;
        }
    }
}

impl RedundantRows {
    fn new(rows: &[ConstraintRow], basis: &[usize], creeps: impl Fn(usize) -> bool) -> Option<Self> {
        let r = basis.len();
        let mut own = Matrix::full(r);
        for (a, &i) in basis.iter().enumerate() {
            for (b, &j) in basis.iter().enumerate() {
                own.set(a, b, dot(&rows[i], &rows[j]));
            }
        }
        let mut pivots = vec![0; r];
        if !own.factor(&mut pivots) {
            return None;
        }
        let mut c = vec![0.0; rows.len() * r];
        for ((i, row), c) in rows.iter().enumerate().zip(c.chunks_exact_mut(r)) {
            c.iter_mut().zip(basis).for_each(|(c, &j)| *c = dot(row, &rows[j]));
            own.solve(&pivots, c);
            // an exact row follows from exact rows alone: rounding there, over the weight of a creeping row, would be all there is
            for (c, &j) in c.iter_mut().zip(basis) {
                if creeps(j) && !creeps(i) {
                    *c = 0.0;
                }
            }
        }
        let product = |weights: &[f64]| {
            let (mut gram, mut pivots) = (Matrix::full(r), vec![0; r]);
            for (c, w) in c.chunks_exact(r).zip(weights) {
                for (a, x) in c.iter().enumerate() {
                    c.iter().enumerate().for_each(|(b, y)| gram.add(a, b, w * x * y));
                }
            }
            gram.factor(&mut pivots).then_some((gram, pivots))
        };
        let (gram, pivots) = product(&vec![1.0; rows.len()])?;
        let weight = |i: usize| if creeps(i) { CREEP_WEIGHT } else { 1.0 };
        let weights: Vec<f64> = (0..rows.len()).map(weight).collect();
        let weighted = if weights.iter().any(|w| *w != 1.0) {
            let (gram, pivots) = product(&weights)?;
            Some((weights, gram, pivots))
        } else {
            None
        };
        Some(Self { c, gram, pivots, weighted })
    }
    /// The difference between `b` and its projection onto the range of C; `near` is scratch space.
    fn gap(&self, b: &[f64], near: &mut [f64]) -> Vec<f64> {
        let r = near.len();
        near.fill(0.0);
        for (b, c) in b.iter().zip(self.c.chunks_exact(r)) {
            near.iter_mut().zip(c).for_each(|(near, c)| *near += c * b);
        }
        self.gram.solve(&self.pivots, near);
        let follows = |c: &[f64]| c.iter().zip(&*near).map(|(c, w)| c * w).sum::<f64>();
        b.iter().zip(self.c.chunks_exact(r)).map(|(b, c)| b - follows(c)).collect()
    }
    /// Forces of all rows, of least norm, equivalent to those of the basis.
    fn unfold(&self, found: &mut [f64], x: &mut [f64]) {
        match &self.weighted {
            Some((_, gram, pivots)) => gram.solve(pivots, found),
            None => self.gram.solve(&self.pivots, found),
        }
        for (x, c) in x.iter_mut().zip(self.c.chunks_exact(found.len())) {
            *x = c.iter().zip(&*found).map(|(c, f)| c * f).sum();
        }
        if let Some((weights, _, _)) = &self.weighted {
            x.iter_mut().zip(weights).for_each(|(x, w)| *x *= w);
        }
    }
}
