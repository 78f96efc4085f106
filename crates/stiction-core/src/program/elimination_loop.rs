//! Gaussian elimination as a loop over the unknowns, so that a recorded one is as long as the matrix is large, however many entries it changes.
//!
//! A recorded loop has no index: each of its turns is the same list of operations. So the matrix turns instead. A turn eliminates the unknown in the first
//! column from the rows below the first, and then every row and column moves one place up and to the left, the first ones to the end. After as many
//! turns as there are unknowns all of them stand where they began. Rows that were the first before are at the end, from `left` on, and take no part; the columns there
//! hold the factors. With whole rows exchanged, the result is `P·A = L·U`.
use super::implicit_step::never;
use crate::Real;
use alloc::vec;
use alloc::vec::Vec;

/// Operations of the loop, about: for each entry those that an elimination without a loop has for an entry that it changes.
pub(super) fn operations(len: usize) -> usize {
    super::elimination::OPERATIONS_PER_ENTRY * len * len
}

/// A matrix after its elimination.
pub(super) struct LoopFactors<R> {
    len: usize,
    /// Row by row: below the diagonal `L`, whose diagonal is one, else `U`.
    a: Vec<R>,
    /// For each row of these its number before rows were exchanged.
    rows: Vec<R>,
    /// One, or zero where a column had no pivot: that unknown is zero.
    has_pivot: Vec<R>,
}

impl<R: Real> LoopFactors<R> {
    /// The elimination of a matrix, given row by row, with the largest pivot of each column.
    #[allow(clippy::needless_range_loop, reason = "reads like the formula")]
    pub fn new(matrix: Vec<R>, len: usize) -> Self {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let rows: Vec<R> = (0..len).map(|i| R::lit(i as f64)).collect();
        let first = ((matrix, rows), (vec![one; len], [R::lit(len as f64)]));
        let ((a, rows), (has_pivot, _)) = R::repeat(len, first, |((mut a, mut rows), (mut has_pivot, [left]))| {
            let is_left: Vec<R::Mask> = (0..len).map(|i| R::lit(i as f64).lt(left)).collect();
            for i in 1..len {
                let larger = is_left[i] & a[0].abs().lt(a[i * len].abs());
                if R::all(!larger) {
                    continue;
                }
                for j in 0..len {
                    let (upper, lower) = (a[j], a[i * len + j]);
                    a[j] = R::select(larger, lower, upper);
                    a[i * len + j] = R::select(larger, upper, lower);
                }
                let (upper, lower) = (rows[0], rows[i]);
                rows[0] = R::select(larger, lower, upper);
                rows[i] = R::select(larger, upper, lower);
            }
            // a column of zeros: the number keeps its value
            let singular = !zero.lt(a[0].abs());
            a[0] = R::select(singular, one, a[0]);
            has_pivot[0] = R::select(singular, zero, one);
            // the first row where it acts on the others
            let first: Vec<R> = (1..len).map(|j| R::select(is_left[j], a[j], zero)).collect();
            for i in 1..len {
                let factor = R::select(is_left[i], a[i * len] / a[0], zero);
                a[i * len] = R::select(is_left[i], factor, a[i * len]);
                for j in 1..len {
                    a[i * len + j] = a[i * len + j] - factor * first[j - 1];
                }
            }
            let turned = |k: usize| a[(k / len + 1) % len * len + (k % len + 1) % len];
            let turned = (0..len * len).map(turned).collect();
            rows.rotate_left(1);
            has_pivot.rotate_left(1);
            (((turned, rows), (has_pivot, [left - one])), never::<R>())
        });
        Self { len, a, rows, has_pivot }
    }
    /// The solution for a right-hand side.
    pub fn solve(&self, b: &[R]) -> Vec<R> {
        let (len, half) = (self.len, R::lit(0.5));
        let mut x: Vec<R> = Vec::with_capacity(len);
        for row in &self.rows {
            let mut picked = b[len - 1];
            for j in (0..len - 1).rev() {
                picked = R::select(row.lt(R::lit(j as f64) + half), b[j], picked);
            }
            x.push(picked);
        }
        for k in 0..len {
            x[k] = R::select(half.lt(self.has_pivot[k]), x[k], R::lit(0.0));
            for i in k + 1..len {
                x[i] = x[i] - self.a[i * len + k] * x[k];
            }
        }
        for k in (0..len).rev() {
            for j in k + 1..len {
                x[k] = x[k] - self.a[k * len + j] * x[j];
            }
            x[k] = x[k] / self.a[k * len + k];
        }
        x
    }
}
