//! A Rosenbrock step of fixed size for small systems: the compiler unrolls all loops of a stage, coefficients are constants,
//! and intermediate results stay in registers or on the stack.
#![allow(
    clippy::needless_range_loop,
    reason = "index loops of known length are what the compiler unrolls, and read like the formula"
)]
use super::flow::Flow;
use super::jacobian::Jacobian;
use super::rodas5p::{A, C, D, GAMMA, NODES, STAGES};
use super::rosenbrock::{Step, add};

impl Step {
    /// [`Step::attempt`] for `N` positions and `U` other states, in vectors of length `W`.
    pub(super) fn attempt_fixed_size<const N: usize, const U: usize, const W: usize>(
        &mut self,
        flow: &mut Flow<'_>,
    ) -> bool {
        let (k, _) = self.k.as_chunks_mut::<W>();
        let (Some(k), Some(y0), Some(f0)) = (k.first_chunk_mut(), self.y0.first_chunk(), self.f0.first_chunk()) else {
            return false;
        };
        let Some(system) = FixedSizeSystem::<N, U>::new(&self.jacobian, &flow.components.vi, self.h) else {
            return false;
        };
        let mut stages =
            Stages { t: self.t, h: self.h, by_h: 1.0 / self.h, y0: *y0, k, powers: &mut self.powers, system };
        stages.first(f0);
        stages.next::<1>(flow);
        stages.next::<2>(flow);
        stages.next::<3>(flow);
        stages.next::<4>(flow);
        stages.next::<5>(flow);
        stages.next::<6>(flow);
        let mut y1 = stages.next::<7>(flow);
        add(&mut y1, 1.0, &k[STAGES - 1]);
        self.y1[..W].copy_from_slice(&y1);
        true
    }
}

/// The stages of one attempt.
struct Stages<'a, const N: usize, const U: usize, const W: usize> {
    t: f64,
    h: f64,
    by_h: f64,
    y0: [f64; W],
    k: &'a mut [[f64; W]; STAGES],
    powers: &'a mut [[f64; 4]; STAGES],
    system: FixedSizeSystem<N, U>,
}

impl<const N: usize, const U: usize, const W: usize> Stages<'_, N, U, W> {
    fn first(&mut self, f0: &[f64; W]) {
        self.k[0] = self.system.solve(*f0, self.h * D[0]);
    }
    /// Computes stage `I`; returns the state at which it was evaluated.
    #[inline(always)]
    fn next<const I: usize>(&mut self, flow: &mut Flow<'_>) -> [f64; W] {
        let (mut y, mut sum) = (self.y0, [0.0; W]);
        for j in 0..I {
            add(&mut y, A[I][j], &self.k[j]);
            add(&mut sum, C[I][j], &self.k[j]);
        }
        sum = sum.map(|x| x * self.by_h);
        let t = self.t + NODES[I] * self.h;
        let powers = &mut self.powers[I];
        let mut rate = [0.0; W];
        if flow.linear_part.applies {
            flow.linear_part_rates::<N, U, W>(t, &y, &mut rate, powers);
        } else {
            flow.rates(t, &y, &mut rate, powers);
        }
        add(&mut sum, 1.0, &rate);
        self.k[I] = self.system.solve(sum, self.h * D[I]);
        y
    }
}

/// The linear system of a stage, factored: `e·kq − kv = rq`, `e·ku − R·ku − Q·kq = ru`.
struct FixedSizeSystem<const N: usize, const U: usize> {
    /// 1/e.
    by_e: f64,
    /// Q/e, column by column.
    q: [[f64; U]; N],
    by_t: [f64; U],
    /// Index of each velocity.
    v: [usize; N],
    lu: Lu<U>,
}

impl<const N: usize, const U: usize> FixedSizeSystem<N, U> {
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
        Some(Self { by_e, q, by_t: *j.by_t.first_chunk()?, v, lu: Lu::new(w)? })
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

/// A factored matrix. A 2×2 matrix is inverted directly, which is as accurate and has a shorter chain of dependent
/// operations.
struct Lu<const U: usize> {
    a: [[f64; U]; U],
    /// The order of rows, and the reciprocals of the diagonal.
    order: [usize; U],
    by: [f64; U],
}

impl<const U: usize> Lu<U> {
    #[inline(always)]
    fn new(mut a: [[f64; U]; U]) -> Option<Self> {
        let (mut order, mut by) = (std::array::from_fn(|i| i), [0.0; U]);
        if U == 2 {
            let det = a[0][0] * a[1][1] - a[0][1] * a[1][0];
            let by_det = 1.0 / det;
            let inverse = [[a[1][1] * by_det, -a[0][1] * by_det], [-a[1][0] * by_det, a[0][0] * by_det]];
            for i in 0..U {
                a[i].copy_from_slice(&inverse[i][..U]);
            }
            return (det != 0.0 && by_det != 0.0 && by_det.is_finite()).then_some(Self { a, order, by });
        }
        for k in 0..U {
            let mut best = k;
            for i in k + 1..U {
                if a[i][k].abs() > a[best][k].abs() {
                    best = i;
                }
            }
            a.swap(k, best);
            order.swap(k, best);
            if !(a[k][k] != 0.0 && a[k][k].is_finite()) {
                return None;
            }
            by[k] = 1.0 / a[k][k];
            let top = a[k];
            for row in a.iter_mut().skip(k + 1) {
                row[k] *= by[k];
                for j in k + 1..U {
                    row[j] -= row[k] * top[j];
                }
            }
        }
        Some(Self { a, order, by })
    }
    #[inline(always)]
    fn solve(&self, b: [f64; U]) -> [f64; U] {
        if U == 2 {
            return self.a.map(|row| row[0] * b[0] + row[U - 1] * b[U - 1]);
        }
        let mut x = self.order.map(|i| b[i]);
        for k in 0..U {
            for i in k + 1..U {
                x[i] -= self.a[i][k] * x[k];
            }
        }
        for k in (0..U).rev() {
            for j in k + 1..U {
                x[k] -= self.a[k][j] * x[j];
            }
            x[k] *= self.by[k];
        }
        x
    }
}
