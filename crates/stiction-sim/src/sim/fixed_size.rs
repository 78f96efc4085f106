//! A Rosenbrock step of fixed size for small systems: the compiler unrolls all loops of a stage, coefficients are constants,
//! and intermediate results stay in registers or on the stack.
#![allow(
    clippy::needless_range_loop,
    reason = "index loops of known length are what the compiler unrolls, and read like the formula"
)]
use super::flow::Flow;
use super::jacobian::Jacobian;
use super::rodas5p::{D, GAMMA, LinearisedSystem, LuFactors, NODES, STAGES, add, stages};
use super::rosenbrock::Step;

/// Components of a state in a register.
const CHUNK: usize = 4;

impl Step {
    /// [`Step::attempt`] for `N` positions and `U` other states, in vectors of length `W`.
    pub(super) fn attempt_fixed_size<const N: usize, const U: usize, const W: usize>(
        &mut self,
        flow: &mut Flow<'_>,
    ) -> bool {
        let (k, _) = self.k.as_chunks_mut::<W>();
        let (Some(k), Some(y0)) = (k.first_chunk_mut(), self.y0.first_chunk::<W>()) else { return false };
        let Some(f0) = self.f0.first_chunk::<W>() else { return false };
        let Some(matrix) = FixedSizeMatrix::<N, U>::new(&self.jacobian, &flow.components.vi, self.h) else {
            return false;
        };
        let mut system = FixedSizeSystem { flow, t: self.t, h: self.h, f0, powers: &mut self.powers, matrix };
        let mut y = *y0;
        stages::<_, _, _, CHUNK>(&mut system, 1.0 / self.h, y0, &mut y, k);
        add(&mut y, 1.0, &k[STAGES - 1]);
        self.y1[..W].copy_from_slice(&y);
        true
    }
}

/// A system with `N` positions and `U` other states, in vectors of length `W`.
struct FixedSizeSystem<'a, 'f, 's, const N: usize, const U: usize, const W: usize> {
    flow: &'f mut Flow<'s>,
    t: f64,
    h: f64,
    f0: &'a [f64; W],
    powers: &'a mut [[f64; 4]; STAGES],
    matrix: FixedSizeMatrix<N, U>,
}

impl<const N: usize, const U: usize, const W: usize> LinearisedSystem<f64> for FixedSizeSystem<'_, '_, '_, N, U, W> {
    const UNROLLED: bool = true;

    #[inline(always)]
    fn solve(&mut self, i: usize, y: &[f64], k: &mut [f64]) {
        let (Some(y), Some(k)) = (y.first_chunk::<W>(), k.first_chunk_mut::<W>()) else { return };
        let mut rate = *self.f0;
        if i > 0 {
            let (t, powers) = (self.t + NODES[i] * self.h, &mut self.powers[i]);
            rate = [0.0; W];
            if self.flow.linear_part.applies {
                self.flow.linear_part_rates::<N, U, W>(t, y, &mut rate, powers);
            } else {
                self.flow.rates(t, y, &mut rate, powers);
            }
        }
        add(k, 1.0, &rate);
        *k = self.matrix.solve(*k, self.h * D[i]);
    }
}

/// The linear system of a stage, factored: `e·kq − kv = rq`, `e·ku − R·ku − Q·kq = ru`.
struct FixedSizeMatrix<const N: usize, const U: usize> {
    /// 1/e.
    by_e: f64,
    /// Q/e, column by column.
    q: [[f64; U]; N],
    by_t: [f64; U],
    /// Index of each velocity.
    v: [usize; N],
    lu: LuFactors<f64, U>,
}

impl<const N: usize, const U: usize> FixedSizeMatrix<N, U> {
    #[inline(always)]
    fn new(j: &Jacobian, vi: &[usize], h: f64) -> Option<Self> {
        let by_e = h * GAMMA;
        let (by_q, by_u) = (j.by_q.rows::<U>()?, j.by_u.rows::<U>()?);
        let v = vi.first_chunk::<N>()?.map(|v| (v - N).min(U - 1));
        let mut w = [[0.0; U]; U];
        for i in 0..U {
            for c in 0..U {
                w[i][c] = -by_u[i][c] - by_e * by_q[i][c];
            }
            w[i][i] += 1.0 / by_e;
        }
        let mut q = [[0.0; U]; N];
        for (column, v) in q.iter_mut().zip(v) {
            for i in 0..U {
                column[i] = by_e * by_q[i][v];
            }
        }
        Some(Self { by_e, q, by_t: *j.by_t.first_chunk()?, v, lu: LuFactors::new(w, |x| x)? })
    }
    /// Solves for a stage with right-hand side `r`; `hd` is the coefficient of the derivative by time.
    #[inline(always)]
    fn solve<const W: usize>(&self, r: [f64; W], hd: f64) -> [f64; W] {
        let mut u = [0.0; U];
        u.copy_from_slice(&r[N..N + U]);
        if hd != 0.0 {
            add(&mut u, hd, &self.by_t);
        }
        for i in 0..N {
            add(&mut u, r[i], &self.q[i]);
        }
        let u = self.lu.solve(u);
        let mut out = [0.0; W];
        out[N..N + U].copy_from_slice(&u);
        for i in 0..N {
            out[i] = (r[i] + u[self.v[i]]) * self.by_e;
        }
        out
    }
}
