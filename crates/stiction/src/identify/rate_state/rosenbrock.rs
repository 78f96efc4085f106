//! The Rosenbrock method Rodas5P over any number type. Step sizes depend on values alone, so that the derivatives of dual
//! numbers belong to the same steps.
use super::spring_slider::{SpringSlider, StateEvolution, StateRates};
use crate::sim::rodas5p::{GAMMA, LinearisedSystem, LuFactors, STAGES, stages};
use crate::sim::step_size::{ORDER, after_accepted, after_rejected};
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
                self.h = h * after_rejected(error, ORDER);
                if self.h < 1e-12 * time {
                    return false;
                }
                continue;
            }
            self.y = next;
            left -= h;
            // the last step may be shortened to end on a sample: keep the planned size
            let grown = h * after_accepted(error, ORDER);
            self.h = if last { self.h.max(grown) } else { grown };
            if last {
                return true;
            }
        }
        false
    }

    /// The state after a step, and the square of its error relative to the tolerance.
    fn step(&self, h: f64, load: f64, value: impl Fn(R) -> f64) -> Option<([R; N], f64)> {
        let zero = R::lit(0.0);
        let StateRates { f, j } = self.slider.rates(&self.y, load, self.law);
        let mut w = j.map(|row| row.map(|x| -x));
        for (i, row) in w.iter_mut().enumerate() {
            row[i] = row[i] + R::lit(1.0 / (h * GAMMA));
        }
        let factors = LuFactors::new(w, &value)?;
        let mut system = SliderSystem { slider: &self.slider, law: self.law, load, f, factors };
        let (mut at, mut k) = (self.y, [[zero; N]; STAGES]);
        stages::<_, _, _, 1>(&mut system, R::lit(1.0 / h), &self.y, &mut at, &mut k);
        let last = k[STAGES - 1];
        let mut worst = 0.0_f64;
        for i in 0..N {
            at[i] = at[i] + last[i];
            let allowed = self.tolerance * (1.0 + value(at[i]).abs());
            let error = (value(last[i]) / allowed).abs();
            worst = if error.is_nan() { f64::NAN } else { worst.max(error) };
        }
        Some((at, worst * worst))
    }
}

/// A spring slider about the start of a step.
struct SliderSystem<'a, R, const N: usize> {
    slider: &'a SpringSlider<R>,
    law: StateEvolution,
    load: f64,
    f: [R; N],
    factors: LuFactors<R, N>,
}

impl<R: Real, const N: usize> LinearisedSystem<R> for SliderSystem<'_, R, N> {
    fn solve(&mut self, i: usize, y: &[R], k: &mut [R]) {
        let (Some(y), Some(k)) = (y.first_chunk::<N>(), k.first_chunk_mut::<N>()) else { return };
        let f = if i == 0 { self.f } else { self.slider.rates(y, self.load, self.law).f };
        *k = self.factors.solve(std::array::from_fn(|x| k[x] + f[x]));
    }
}
