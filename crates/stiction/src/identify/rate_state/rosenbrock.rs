//! The Rosenbrock method Rodas5P over any number type. Step sizes depend on values alone, so that the derivatives of dual
//! numbers belong to the same steps. Samples between the steps come from the method's dense output, so that the work does
//! not grow with the sampling rate.
use super::spring_slider::{SpringSlider, StateEvolution, StateRates};
use crate::sim::rodas5p::{GAMMA, H, LinearisedSystem, LuFactors, STAGES, dense_output, stages};
use crate::sim::step_size::{ORDER, after_accepted, after_rejected};
use stiction_core::Real;

/// Maximum number of steps while the load point moves at one velocity; more indicate stick-slip.
const MAX_STEPS: usize = 20_000;

/// Integrates a spring slider from one change of the load point's velocity to the next.
pub(super) struct RosenbrockIntegrator<R, const N: usize> {
    pub slider: SpringSlider<R>,
    pub law: StateEvolution,
    pub y: [R; N],
    pub tolerance: f64,
}

/// A stretch of time in which the load point moves at a constant velocity. Its ends may depend on parameters.
pub(super) struct Stretch<R> {
    pub from: R,
    pub to: R,
    pub load: f64,
}

impl<R: Real, const N: usize> RosenbrockIntegrator<R, N> {
    /// Integrates over a stretch and gives the friction at each of `times`, which lie in it; false if that fails.
    pub fn advance(
        &mut self,
        stretch: &Stretch<R>,
        times: &[f64],
        value: impl Fn(R) -> f64 + Copy,
        emit: &mut impl FnMut(R),
    ) -> bool {
        // the stretch is mapped to the interval from 0 to 1, so that a step of the solver moves with the ends
        let length = stretch.to - stretch.from;
        let duration = value(length);
        if duration <= 0.0 {
            times.iter().for_each(|_| emit(self.y[0]));
            return true;
        }
        let place = |t: f64| (R::lit(t) - stretch.from) / length;
        let (mut at, mut part) = (0.0, 1e-6_f64);
        let mut next_sample = 0;
        for _ in 0..MAX_STEPS {
            let last = part >= (1.0 - at) * (1.0 - 1e-12);
            let width = if last { 1.0 - at } else { part };
            let Some((next, d, error)) = self.step(length * R::lit(width), stretch.load, value) else { return false };
            if error.is_nan() || error > 1.0 {
                part = width * after_rejected(error, ORDER);
                if part < 1e-15 {
                    return false;
                }
                continue;
            }
            let end = if last { 1.0 } else { at + width };
            while let Some(t) = times.get(next_sample) {
                let place = place(*t);
                if value(place) > end && !last {
                    break;
                }
                let theta = (place - R::lit(at)) / R::lit(width);
                emit(dense_output(theta, self.y[0], next[0], d));
                next_sample += 1;
            }
            self.y = next;
            at = end;
            if last {
                return true;
            }
            part = width * after_accepted(error, ORDER);
        }
        false
    }

    /// The state after a step, the coefficients of the dense output of friction, and the square of the error relative to the
    /// tolerance.
    #[allow(clippy::type_complexity, reason = "three parts of one step")]
    fn step(&self, h: R, load: f64, value: impl Fn(R) -> f64) -> Option<([R; N], [R; 3], f64)> {
        let zero = R::lit(0.0);
        let StateRates { f, j } = self.slider.rates(&self.y, load, self.law);
        let mut w = j.map(|row| row.map(|x| -x));
        for (i, row) in w.iter_mut().enumerate() {
            row[i] = row[i] + R::lit(1.0 / GAMMA) / h;
        }
        let factors = LuFactors::new(w, &value)?;
        let mut system = SliderSystem { slider: &self.slider, law: self.law, load, f, factors };
        let (mut at, mut k) = (self.y, [[zero; N]; STAGES]);
        stages::<_, _, _, 1>(&mut system, R::lit(1.0) / h, &self.y, &mut at, &mut k);
        let last = k[STAGES - 1];
        let mut worst = 0.0_f64;
        for i in 0..N {
            at[i] = at[i] + last[i];
            let allowed = self.tolerance * (1.0 + value(at[i]).abs());
            let error = (value(last[i]) / allowed).abs();
            worst = if error.is_nan() { f64::NAN } else { worst.max(error) };
        }
        let d = H.map(|row| row.iter().zip(&k).fold(zero, |sum, (c, k)| sum + R::lit(*c) * k[0]));
        Some((at, d, worst * worst))
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
