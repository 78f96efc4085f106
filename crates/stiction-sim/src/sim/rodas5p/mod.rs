//! Rodas5P: an L-stable, stiffly accurate Rosenbrock method of order 5 with an error estimate of order 4 and dense output of
//! order 4 (Steinebach2023).
//!
//! The stages of a step are written once, over any [`Real`]: [`stages`] runs in scalars, in the lanes of an ensemble and in
//! dual numbers. What differs between systems, the rates and the linear equations, is a [`LinearisedSystem`]. The kernel for
//! a single contact has its own stages, ordered by latency.
mod lu;

pub use lu::LuFactors;
pub use stiction_core::rodas5p::{A, C, D, ERROR_WEIGHTS, GAMMA, H, NODES, STAGES, WEIGHTS};

use std::hint::black_box;
use stiction_core::Real;

/// A system of differential equations about the state at which a step begins.
pub trait LinearisedSystem<R> {
    /// Whether the eight stages are compiled one by one, with coefficients as constants. It is faster for small systems and
    /// takes more code.
    const UNROLLED: bool = false;

    /// Solves `(1/(hγ) − J) k = f(t + c_i h, y) + k + h d_i ∂f/∂t` in place: stage `i` at state `y`. `J` and `∂f/∂t` are the
    /// derivatives at the start of the step. At stage 0 `y` is that start, where the rates are known.
    fn solve(&mut self, i: usize, y: &[R], k: &mut [R]);
}

/// Computes the stages `k` of a step that begins in state `y0`, and in `y` the state from which the step ends: its end is
/// `y + k[7]`, and `k[7]` is the error estimate. `by_h` is the reciprocal of the step. The length of the states is a multiple of
/// `CHUNK`, the number of components whose sums are kept in registers together; stages may be longer.
#[inline(always)]
pub fn stages<R: Real, S: LinearisedSystem<R>, V: AsRef<[R]> + AsMut<[R]>, const CHUNK: usize>(
    system: &mut S,
    by_h: R,
    y0: &[R],
    y: &mut [R],
    k: &mut [V; STAGES],
) {
    y.copy_from_slice(y0);
    if S::UNROLLED {
        stage::<R, S, V, CHUNK>(system, 0, by_h, y0, y, k);
        stage::<R, S, V, CHUNK>(system, 1, by_h, y0, y, k);
        stage::<R, S, V, CHUNK>(system, 2, by_h, y0, y, k);
        stage::<R, S, V, CHUNK>(system, 3, by_h, y0, y, k);
        stage::<R, S, V, CHUNK>(system, 4, by_h, y0, y, k);
        stage::<R, S, V, CHUNK>(system, 5, by_h, y0, y, k);
        stage::<R, S, V, CHUNK>(system, 6, by_h, y0, y, k);
        stage::<R, S, V, CHUNK>(system, 7, by_h, y0, y, k);
    } else {
        // the compiler must not know the count, or it unrolls the loop
        for i in 0..black_box(STAGES).min(STAGES) {
            stage::<R, S, V, CHUNK>(system, i, by_h, y0, y, k);
        }
    }
}

/// Stage `i`: `W k_i = f(t + c_i h, y + Σ a_ij k_j) + Σ C_ij k_j/h + h d_i ∂f/∂t`.
#[allow(
    clippy::needless_range_loop,
    clippy::manual_memcpy,
    reason = "index loops of known length are what the compiler unrolls and vectorises"
)]
#[inline(always)]
fn stage<R: Real, S: LinearisedSystem<R>, V: AsRef<[R]> + AsMut<[R]>, const CHUNK: usize>(
    system: &mut S,
    i: usize,
    by_h: R,
    y0: &[R],
    y: &mut [R],
    k: &mut [V; STAGES],
) {
    // Plain index loops: iterators and `array::map` are not always inlined, and are then compiled without the vector
    // instructions of the caller.
    let mut at = 0;
    while at < y0.len() {
        let (mut place, mut sum) = ([R::lit(0.0); CHUNK], [R::lit(0.0); CHUNK]);
        if i < STAGES - 2 {
            for c in 0..CHUNK {
                place[c] = y0[at + c];
            }
            for j in 0..i {
                let k = k[j].as_ref();
                for c in 0..CHUNK {
                    place[c] = place[c] + R::lit(A[i][j]) * k[at + c];
                    sum[c] = sum[c] + R::lit(C[i][j]) * k[at + c];
                }
            }
        } else {
            // the last two stages start where the one before ends
            let last = k[i - 1].as_ref();
            for c in 0..CHUNK {
                place[c] = y[at + c] + last[at + c];
            }
            for j in 0..i {
                let k = k[j].as_ref();
                for c in 0..CHUNK {
                    sum[c] = sum[c] + R::lit(C[i][j]) * k[at + c];
                }
            }
        }
        let now = k[i].as_mut();
        for c in 0..CHUNK {
            y[at + c] = place[c];
            now[at + c] = by_h * sum[c];
        }
        at += CHUNK;
    }
    system.solve(i, y, k[i].as_mut());
}

/// The dense output at fraction `theta` of a step from `y0` to `y1`, with the coefficients `d`.
#[inline(always)]
pub fn dense_output<R: Real>(theta: R, y0: R, y1: R, d: [R; 3]) -> R {
    let rest = R::lit(1.0) - theta;
    let inner = d[0] + theta * (d[1] + theta * d[2]);
    rest * y0 + theta * (y1 + rest * inner)
}

/// Adds `gain` times a stage.
#[inline(always)]
pub(super) fn add<R: Real, const N: usize>(to: &mut [R; N], gain: R, k: &[R]) {
    for (to, k) in to.iter_mut().zip(k) {
        *to = *to + gain * *k;
    }
}

#[cfg(test)]
mod tests {
    use super::{GAMMA, LinearisedSystem, LuFactors, NODES, STAGES, stages};
    use stiction_core::{Lanes, Real};

    /// `x′ = −x²` with the solution `1/(1 + t)`, and `y′ = 4t³`.
    struct Example<R> {
        t: R,
        h: R,
        x: R,
    }
    impl<R: Real> LinearisedSystem<R> for Example<R> {
        fn solve(&mut self, i: usize, y: &[R], k: &mut [R]) {
            let t = self.t + R::lit(NODES[i]) * self.h;
            let e = R::lit(1.0) / (R::lit(GAMMA) * self.h);
            let shift = R::lit(super::D[i]) * self.h * R::lit(12.0) * self.t * self.t;
            k[0] = (k[0] - y[0] * y[0]) / (e + self.x + self.x);
            k[1] = (k[1] + R::lit(4.0) * t * t * t + shift) / e;
        }
    }
    fn end<R: Real>(steps: usize, lit: impl Fn(f64) -> R) -> [R; 2] {
        let h = 1.0 / steps as f64;
        let mut y = [lit(1.0), lit(0.0)];
        for n in 0..steps {
            let (mut at, mut k) = (y, [[lit(0.0); 2]; STAGES]);
            let mut system = Example { t: lit(n as f64 * h), h: lit(h), x: y[0] };
            stages::<R, _, _, 1>(&mut system, lit(1.0 / h), &y, &mut at, &mut k);
            y = std::array::from_fn(|x| at[x] + k[STAGES - 1][x]);
        }
        y
    }

    #[test]
    fn the_method_has_order_five() {
        let error = |steps| (end(steps, |x| x)[0] - 0.5_f64).abs();
        let order = (error(16) / error(32)).log2();
        assert!((order - 5.0).abs() < 0.2, "order {order}");
        // a quadrature of degree three is exact
        assert!((end(3, |x| x)[1] - 1.0_f64).abs() < 1e-14);
    }

    #[test]
    fn lanes_give_the_bits_of_scalars() {
        let (one, four) = (end(5, |x| x), end(5, |x| Lanes([x; 4])));
        assert_eq!(four.map(|x| x.0), one.map(|x: f64| [x; 4]));
    }

    #[test]
    fn factors_solve_what_they_were_made_of() {
        let a = [[0.0, 2.0, 1.0], [4.0, 1.0, 0.5], [-1.0, 3.0, 7.0]];
        let factors = LuFactors::new(a, |x: f64| x).expect("regular");
        let x = factors.solve([1.0, 2.0, 3.0]);
        for (row, b) in a.iter().zip([1.0, 2.0, 3.0]) {
            let sum: f64 = row.iter().zip(x).map(|(a, x)| a * x).sum();
            assert!((sum - b).abs() < 1e-14);
        }
        assert!(LuFactors::new([[1.0, 2.0], [2.0, 4.0]], |x: f64| x).is_none());
    }
}
