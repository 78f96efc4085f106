//! The Rosenbrock method Rodas5P over any number type. Step sizes depend on values alone, so that the derivatives of dual
//! numbers belong to the same steps.
use super::spring_slider::{SpringSlider, StateEvolution, StateRates};
use crate::sim::rodas5p::{A, C, GAMMA, STAGES};
use stiction_core::Real;

/// Maximum number of steps per interval; more indicate an instability.
const MAX_STEPS: usize = 2000;

/// Integrates a spring slider from sample to sample.
pub(super) struct RosenbrockIntegrator<R, const N: usize> {
    pub slider: SpringSlider<R>,
    pub law: StateEvolution,
    pub y: [R; N],
    /// Size of the next step \[s\].
    pub h: f64,
    pub tolerance: f64,
}

impl<R: Real, const N: usize> RosenbrockIntegrator<R, N> {
    /// Integrates over `time` at a constant velocity of the load point; false if that fails.
    pub fn advance(&mut self, time: f64, load: f64, value: impl Fn(R) -> f64 + Copy) -> bool {
        let mut left = time;
        self.h = if self.h > 0.0 { self.h.min(time) } else { 1e-3 * time };
        for _ in 0..MAX_STEPS {
            let last = self.h >= left * (1.0 - 1e-12);
            let h = if last { left } else { self.h };
            let Some((next, error)) = self.step(h, load, value) else { return false };
            if error.is_nan() || error > 1.0 {
                let by = if error.is_finite() { (0.9 * error.powf(-0.2)).max(0.1) } else { 0.1 };
                self.h = h * by;
                if self.h < 1e-12 * time {
                    return false;
                }
                continue;
            }
            self.y = next;
            left -= h;
            // the last step may be shortened to end on a sample: keep the planned size
            let grown = h * (0.9 * error.max(1e-10).powf(-0.2)).min(5.0);
            self.h = if last { self.h.max(grown) } else { grown };
            if last {
                return true;
            }
        }
        false
    }

    /// The state after a step, and its error relative to the tolerance.
    fn step(&self, h: f64, load: f64, value: impl Fn(R) -> f64) -> Option<([R; N], f64)> {
        let zero = R::lit(0.0);
        let StateRates { f, j } = self.slider.rates(&self.y, load, self.law);
        let mut w = j.map(|row| row.map(|x| -x));
        for (i, row) in w.iter_mut().enumerate() {
            row[i] = row[i] + R::lit(1.0 / (h * GAMMA));
        }
        let lu = LuFactors::new(w, &value)?;
        let mut k = [[zero; N]; STAGES];
        let mut at = self.y;
        for s in 0..STAGES {
            at = self.y;
            let mut right = f;
            if s > 0 {
                for (a, k) in A[s].iter().zip(&k).take(s).filter(|(a, _)| **a != 0.0) {
                    (0..N).for_each(|i| at[i] = at[i] + R::lit(*a) * k[i]);
                }
                right = self.slider.rates(&at, load, self.law).f;
            }
            for (c, k) in C[s].iter().zip(&k).take(s).filter(|(c, _)| **c != 0.0) {
                (0..N).for_each(|i| right[i] = right[i] + R::lit(*c / h) * k[i]);
            }
            k[s] = lu.solve(right);
        }
        let last = k[STAGES - 1];
        let mut worst = 0.0_f64;
        for i in 0..N {
            at[i] = at[i] + last[i];
            let allowed = self.tolerance * (1.0 + value(at[i]).abs());
            let error = (value(last[i]) / allowed).abs();
            worst = if error.is_nan() { f64::NAN } else { worst.max(error) };
        }
        Some((at, worst))
    }
}

/// LU factors of a small matrix, with partial pivoting by values.
struct LuFactors<R, const N: usize> {
    m: [[R; N]; N],
    order: [usize; N],
}

impl<R: Real, const N: usize> LuFactors<R, N> {
    fn new(mut m: [[R; N]; N], value: &impl Fn(R) -> f64) -> Option<Self> {
        let mut order: [usize; N] = std::array::from_fn(|i| i);
        for c in 0..N {
            let size = |r: usize| value(m[r][c]).abs();
            let best = (c..N).max_by(|a, b| size(*a).total_cmp(&size(*b)))?;
            if !(size(best) > 0.0 && size(best).is_finite()) {
                return None;
            }
            m.swap(c, best);
            order.swap(c, best);
            for r in c + 1..N {
                let by = m[r][c] / m[c][c];
                m[r][c] = by;
                let top = m[c];
                m[r].iter_mut().zip(top).skip(c + 1).for_each(|(x, top)| *x = *x - by * top);
            }
        }
        Some(Self { m, order })
    }
    fn solve(&self, right: [R; N]) -> [R; N] {
        let mut x = self.order.map(|i| right[i]);
        for r in 0..N {
            for c in 0..r {
                x[r] = x[r] - self.m[r][c] * x[c];
            }
        }
        for r in (0..N).rev() {
            for c in r + 1..N {
                x[r] = x[r] - self.m[r][c] * x[c];
            }
            x[r] = x[r] / self.m[r][r];
        }
        x
    }
}
