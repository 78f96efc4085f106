//! A step of Rodas5P whose stages are the turns of a loop, so that a recorded one has the rates and the solution of the linear equations once.
//!
//! A recorded loop has no index. Stage `s` needs the coefficients of row `s` of the tables, which are selected by a number that counts the turns; and
//! the earlier stages, which stand in a line, the newest first, so that a new one moves all others one place on.
use super::implicit_step::{Field, never, room, stage_matrix};
use crate::Real;
use crate::rodas5p::{A, C, GAMMA, STAGES};
use alloc::vec;
use alloc::vec::Vec;

impl<R: Real> Field<'_, '_, R> {
    /// One step: its end, and the estimate of its error.
    pub(super) fn rosenbrock_in_loop<const N: usize, const B: usize>(&self, z: &[R; N], length: R) -> ([R; N], [R; N]) {
        let (zero, one, gamma) = (R::lit(0.0), R::lit(1.0), R::lit(GAMMA));
        let len = self.law.len().min(N);
        let (mut small, mut large) = ([zero; B], Vec::new());
        let slopes = room(len * (1 + len), &mut small, &mut large);
        self.newton(&z[..len], slopes);
        // (1 − γ h J) k = γ (h f + Σ C k)
        let factors = self.law.program().coupling().factor::<R, N>(stage_matrix(slopes, len, gamma * length));
        // the stages before, the newest first; the argument of the last stage; the number of the stage
        let first = (vec![zero; STAGES * len], (z[..len].to_vec(), [zero]));
        let (stages, (at, _)) = R::repeat(STAGES, first, |(stages, (_, [stage]))| {
            let [a, c] = [&A, &C].map(|table| coefficients(table, stage));
            let sum = |of: &[R; STAGES - 1], i: usize| {
                of.iter().enumerate().fold(zero, |sum, (lag, of)| sum + *of * stages[lag * len + i])
            };
            let at: Vec<R> = (0..len).map(|i| z[i] + sum(&a, i)).collect();
            let mut rates = vec![zero; len];
            self.rates(&at, &mut rates);
            let mut right = [zero; N];
            for i in 0..len {
                right[i] = gamma * (length * rates[i] + sum(&c, i));
            }
            let mut next = factors.solve(&right)[..len].to_vec();
            next.extend_from_slice(&stages[..(STAGES - 1) * len]);
            ((next, (at, [stage + one])), never::<R>())
        });
        let (mut end, mut error) = (*z, [zero; N]);
        for i in 0..len {
            error[i] = stages[i];
            end[i] = at[i] + error[i];
        }
        (end, error)
    }
}

/// The coefficients of a stage: first that of the stage before it, then that of the one before that, and so on.
fn coefficients<R: Real>(table: &[[f64; STAGES - 1]; STAGES], stage: R) -> [R; STAGES - 1] {
    core::array::from_fn(|lag| {
        let of = |row: usize| R::lit(if row > lag { table[row][row - 1 - lag] } else { 0.0 });
        let earlier = |row: usize| stage.lt(R::lit(row as f64 + 0.5));
        (0..STAGES - 1).rev().fold(of(STAGES - 1), |later, row| R::select(earlier(row), of(row), later))
    })
}
