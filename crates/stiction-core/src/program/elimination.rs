//! Linear equations whose matrix is sparse: which entries are zero whatever the numbers are is known before.
//!
//! An elimination that is written out has as many operations as there are entries that take part: some hundreds for 32 states that are each coupled to
//! their neighbours, but 44 thousand where all act on all. Where a loop over the unknowns is shorter, the elimination is one: see the module
//! `elimination_loop`.
use super::elimination_loop::{self, LoopFactors};
use super::implicit_step::WRITTEN_OUT_STATES_MAX;
use crate::Real;
use alloc::vec;
use alloc::vec::Vec;

/// Which entries of a square matrix may differ from zero, and the order in which the unknowns are eliminated.
#[derive(Clone, Debug)]
pub(super) struct SparsityPattern {
    /// Row by row, as given.
    given: Vec<u128>,
    /// Row by row in the order of elimination; bit `j` stands for the unknown that is eliminated as number `j`.
    rows: Vec<u128>,
    order: Vec<usize>,
    /// Whether the elimination is a loop.
    is_loop: bool,
}

impl SparsityPattern {
    /// The pattern of `len ≤ 128` unknowns; the diagonal belongs to it.
    ///
    /// The order is Markowitz's: next comes the unknown whose elimination touches the fewest entries. Every row with the unknown
    /// may become the pivot, so each of these rows is taken to have the entries of all of them.
    pub fn new(len: usize, nonzero: impl Fn(usize, usize) -> bool) -> Self {
        let entry = |i: usize, j: usize| u128::from(i == j || nonzero(i, j)) << j;
        let given: Vec<u128> = (0..len).map(|i| (0..len).map(|j| entry(i, j)).sum()).collect();
        let mut rows = given.clone();
        let mut left: Vec<usize> = (0..len).collect();
        let mut order = Vec::with_capacity(len);
        while let Some(next) = left.iter().copied().min_by_key(|k| {
            let (count, union) = rows_with(*k, &left, &rows);
            count * union.count_ones()
        }) {
            let (_, union) = rows_with(next, &left, &rows);
            for i in &left {
                if rows[*i] >> next & 1 == 1 {
                    rows[*i] = union & !(1 << next);
                }
            }
            left.retain(|i| *i != next);
            order.push(next);
        }
        let mut place = vec![0; len];
        order.iter().enumerate().for_each(|(k, i)| place[*i] = k);
        let permuted = |row: u128| (0..len).map(|j| (row >> j & 1) << place[j]).sum();
        let rows: Vec<u128> = order.iter().map(|i| permuted(given[*i])).collect();
        let is_loop = len > WRITTEN_OUT_STATES_MAX
            && OPERATIONS_PER_ENTRY * changed_entries(&rows) > elimination_loop::operations(len);
        Self { given, rows, order, is_loop }
    }
    /// Whether an entry may differ from zero.
    pub fn has(&self, i: usize, j: usize) -> bool {
        self.given.get(i).is_some_and(|row| row >> j & 1 == 1)
    }
    /// The solution of `a·x = b` by Gaussian elimination with the largest pivot of each column; `entry(i, j)` gives the entries of the
    /// pattern.
    pub fn solve<R: Real, const N: usize>(&self, entry: impl Fn(usize, usize) -> R, b: &[R; N]) -> [R; N] {
        self.factor::<R, N>(entry).solve(b)
    }
    /// The elimination of a matrix, for any number of right-hand sides.
    pub fn factor<R: Real, const N: usize>(&self, entry: impl Fn(usize, usize) -> R) -> Factors<'_, R, N> {
        // a matrix that is small by its type is not compiled as a loop
        if const { N > WRITTEN_OUT_STATES_MAX } && self.is_loop {
            return Factors::Loop(LoopFactors::new(self.in_order(entry), self.order.len()), &self.order);
        }
        Factors::WrittenOut(self.factor_written_out(entry))
    }
    /// All entries row by row in the order of elimination.
    fn in_order<R: Real>(&self, entry: impl Fn(usize, usize) -> R) -> Vec<R> {
        let len = self.order.len();
        let known = |i: usize, j: usize| {
            if self.rows[i] >> j & 1 == 1 { entry(self.order[i], self.order[j]) } else { R::lit(0.0) }
        };
        (0..len * len).map(|k| known(k / len, k % len)).collect()
    }
    #[allow(clippy::needless_range_loop, reason = "reads like the formula")]
    fn factor_written_out<R: Real, const N: usize>(
        &self,
        entry: impl Fn(usize, usize) -> R,
    ) -> WrittenOutFactors<'_, R, N> {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let never = zero.lt(zero);
        let len = self.order.len().min(N);
        let (mut a, mut rows) = ([[zero; N]; N], [0_u128; N]);
        let (mut below, mut exchanged, mut singular) = ([0_u128; N], [[never; N]; N], [never; N]);
        for i in 0..len {
            rows[i] = self.rows[i];
            for j in columns(rows[i], 0, len) {
                a[i][j] = entry(self.order[i], self.order[j]);
            }
        }
        for k in 0..len {
            let with = |rows: &[u128; N], i: usize| rows[i] >> k & 1 == 1;
            for i in k + 1..len {
                if with(&rows, i) {
                    below[k] |= 1 << i;
                    rows[k] |= rows[i];
                    let larger = a[k][k].abs().lt(a[i][k].abs());
                    exchanged[k][i] = larger;
                    if R::all(!larger) {
                        continue;
                    }
                    for j in columns(rows[k], k, len) {
                        let (upper, lower) = (a[k][j], a[i][j]);
                        a[k][j] = R::select(larger, lower, upper);
                        a[i][j] = R::select(larger, upper, lower);
                    }
                }
            }
            // a column of zeros: the number keeps its value
            singular[k] = !zero.lt(a[k][k].abs());
            a[k][k] = R::select(singular[k], one, a[k][k]);
            for i in k + 1..len {
                if with(&rows, i) {
                    rows[i] |= rows[k];
                    // the factor stands where the elimination leaves a zero
                    let factor = a[i][k] / a[k][k];
                    a[i][k] = factor;
                    for j in columns(rows[i], k + 1, len) {
                        a[i][j] = a[i][j] - factor * a[k][j];
                    }
                }
            }
        }
        WrittenOutFactors { order: &self.order, a, rows, below, exchanged, singular }
    }
}

/// Operations for each entry that an elimination changes: a product and a difference, and two selections for the pivot.
pub(super) const OPERATIONS_PER_ENTRY: usize = 4;

/// How many entries an elimination of these rows changes, in the order that they have.
fn changed_entries(rows: &[u128]) -> usize {
    let (mut rows, mut changed) = (rows.to_vec(), 0);
    for k in 0..rows.len() {
        let with = |row: &&mut u128| **row >> k & 1 == 1;
        let union = rows[k..].iter_mut().filter(with).fold(0, |union, row| union | *row);
        let others = rows[k + 1..].iter_mut().filter(with).map(|row| *row = union).count();
        changed += others * (union >> k).count_ones() as usize;
    }
    changed
}

/// A matrix after its elimination.
#[allow(clippy::large_enum_variant, reason = "lives on the stack within one step")]
pub(super) enum Factors<'p, R: Real, const N: usize> {
    /// Without a loop.
    WrittenOut(WrittenOutFactors<'p, R, N>),
    /// By a loop, with the order of the unknowns.
    Loop(LoopFactors<R>, &'p [usize]),
}

impl<R: Real, const N: usize> Factors<'_, R, N> {
    /// The solution for a right-hand side.
    pub fn solve(&self, b: &[R; N]) -> [R; N] {
        match self {
            Self::WrittenOut(factors) => factors.solve(b),
            Self::Loop(factors, order) => {
                let ordered: Vec<R> = order.iter().map(|i| b[*i]).collect();
                let mut out = [R::lit(0.0); N];
                order.iter().zip(factors.solve(&ordered)).for_each(|(i, x)| out[*i] = x);
                out
            }
        }
    }
}

/// A matrix after its elimination without a loop.
pub(super) struct WrittenOutFactors<'p, R: Real, const N: usize> {
    order: &'p [usize],
    /// Rows in the order of elimination: right of the diagonal what is left of them, left of it the factors of the rows above.
    a: [[R; N]; N],
    rows: [u128; N],
    /// The rows from which each row was subtracted.
    below: [u128; N],
    /// Whether row `i` took the place of row `k` when unknown `k` was eliminated.
    exchanged: [[R::Mask; N]; N],
    singular: [R::Mask; N],
}

impl<R: Real, const N: usize> WrittenOutFactors<'_, R, N> {
    /// The solution for a right-hand side.
    #[allow(clippy::needless_range_loop, reason = "reads like the formula")]
    pub fn solve(&self, b: &[R; N]) -> [R; N] {
        let zero = R::lit(0.0);
        let len = self.order.len().min(N);
        let mut x = [zero; N];
        for i in 0..len {
            x[i] = b[self.order[i]];
        }
        for k in 0..len {
            for i in columns(self.below[k], k + 1, len) {
                let exchanged = self.exchanged[k][i];
                if !R::all(!exchanged) {
                    let (upper, lower) = (x[k], x[i]);
                    x[k] = R::select(exchanged, lower, upper);
                    x[i] = R::select(exchanged, upper, lower);
                }
            }
            x[k] = R::select(self.singular[k], zero, x[k]);
            for i in columns(self.below[k], k + 1, len) {
                x[i] = x[i] - self.a[i][k] * x[k];
            }
        }
        for k in (0..len).rev() {
            for j in columns(self.rows[k], k + 1, len) {
                x[k] = x[k] - self.a[k][j] * x[j];
            }
            x[k] = x[k] / self.a[k][k];
        }
        let mut out = [zero; N];
        (0..len).for_each(|i| out[self.order[i]] = x[i]);
        out
    }
}

/// How many of these rows have an entry in a column, and in which columns they have entries together.
fn rows_with(column: usize, among: &[usize], rows: &[u128]) -> (u32, u128) {
    let with = among.iter().map(|i| rows[*i]).filter(|row| row >> column & 1 == 1);
    with.fold((0, 0), |(count, union), row| (count + 1, union | row))
}

/// The columns from `first` on in which a row has entries.
#[inline(always)]
fn columns(row: u128, first: usize, len: usize) -> impl Iterator<Item = usize> {
    // those behind the last are not set
    let mut left = row.checked_shr(first as u32).unwrap_or(0);
    let mut next = first;
    core::iter::from_fn(move || {
        if left == 0 || next >= len {
            return None;
        }
        let skipped = left.trailing_zeros();
        next += skipped as usize + 1;
        left = left.checked_shr(skipped + 1).unwrap_or(0);
        (next <= len).then_some(next - 1)
    })
}

#[cfg(test)]
mod tests {
    use super::{SparsityPattern, changed_entries};
    use crate::Real;

    /// Random matrices of every density, some with pivots that must be looked for: what is found solves the equations.
    #[test]
    fn the_solution_solves_the_equations() {
        const N: usize = 12;
        for case in 0..200 {
            let draw = |k: usize| f64::uniform(f64::from(case), k as f64);
            let density = draw(0);
            let nonzero = |i: usize, j: usize| draw(1 + i * N + j) < density;
            let scale = |i: usize| 10_f64.powf(4.0 * draw(300 + i) - 2.0);
            let at = |i: usize, j: usize| {
                let diagonal = if i == j { draw(400 + i) * 1e-3 } else { 0.0 };
                let entry = if nonzero(i, j) { scale(i) * (2.0 * draw(600 + i * N + j) - 1.0) } else { 0.0 };
                diagonal + entry
            };
            let b: [f64; N] = core::array::from_fn(|i| draw(800 + i));
            let pattern = SparsityPattern::new(N, nonzero);
            let x = pattern.solve(at, &b);
            // the same operations in a loop, but for those on zeros, which change nothing
            let other = SparsityPattern { is_loop: !pattern.is_loop, ..pattern };
            assert_eq!(x, other.solve(at, &b), "case {case}");
            for (i, b) in b.iter().enumerate() {
                let (sum, size) = (0..N).fold((-b, b.abs()), |(sum, size), j| {
                    let term = at(i, j) * x[j];
                    (sum + term, size + term.abs())
                });
                // Elimination with pivots has a residual of some roundings of the largest product of the whole system.
                let largest = (0..N).map(|j| scale(j).max(1.0) * x[j].abs()).fold(size, f64::max);
                assert!(sum.abs() <= 1e-12 * largest * scale(i).max(1.0), "case {case}, row {i}: {sum} of {size}");
            }
        }
    }

    /// An unknown without a pivot is zero in both forms.
    #[test]
    fn a_column_of_zeros_gives_zero() {
        for is_loop in [false, true] {
            let pattern = SparsityPattern { is_loop, ..SparsityPattern::new(3, |_, _| true) };
            let at = |i: usize, j: usize| if j == 1 { 0.0 } else { [[2.0, 0.0, 1.0], [0.0; 3], [1.0, 0.0, 3.0]][i][j] };
            // room for more unknowns than are written out, so that both forms are there
            let mut b = [0.0; 16];
            (b[0], b[2]) = (4.0, 7.0);
            assert_eq!(pattern.solve::<f64, 16>(at, &b)[..3], [1.0, 0.0, 2.0]);
        }
    }

    /// The shorter form is taken: neighbours that act on each other are written out, all that act on all are a loop.
    #[test]
    fn the_form_of_many_unknowns_is_the_shorter_one() {
        assert!(!SparsityPattern::new(8, |_, _| true).is_loop);
        assert!(SparsityPattern::new(12, |_, _| true).is_loop && SparsityPattern::new(94, |_, _| true).is_loop);
        assert!(!SparsityPattern::new(62, |i, j| i.abs_diff(j) < 2).is_loop);
    }

    /// Entries that the elimination changes: none where nothing is coupled or states follow one another, few for a ring and for an arrow
    /// whose head comes first, a third of the cube where all are coupled.
    #[test]
    fn the_order_keeps_the_work_small() {
        let work = |nonzero: fn(usize, usize) -> bool| changed_entries(&SparsityPattern::new(32, nonzero).rows);
        assert_eq!(work(|_, _| false), 0);
        assert_eq!(work(|i, j| i == j + 1), 0);
        // each column touches two other rows, of at most five entries
        assert!(work(|i, j| (i + 1) % 32 == j || (j + 1) % 32 == i) <= 32 * 2 * 5);
        // each column touches the head alone, which has 32 entries
        assert!(work(|i, j| i == 0 || j == 0) <= 32 * 32);
        assert_eq!(work(|_, _| true), (1..32).map(|k| k * (k + 1)).sum());
    }
}
