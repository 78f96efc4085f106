use super::{Estimator, MOTION_MAX, MotionSample, StabilityCheck, block, period};
use crate::{Real, params};

params! {
    /// Filtered difference: the change of position per sample, through a first-order filter.
    ///
    /// ```text
    /// tau dv/dt = (x - x_last)/dt - v
    /// ```
    /// One count of the encoder is a pulse of counts/(tau + dt) in the velocity, and the velocity is late by
    /// tau + dt/2. Always stable: its pole is tau/(tau + dt).
    pub struct FilteredDifference = "difference";
    cite ["AstromHagglund1995"];
    shows ["velocity from position"];
    states { x: "m", v: "m/s", a: "m/s²", begun: "-" }
    params {
        /// Time constant of the filter; 0: none.
        tau: "s" = 0.01 in 0.0..=1e3,
    }
}

impl<R: Real> Estimator<R> for FilteredDifference<R> {
    block!(FilteredDifference, 4);

    #[inline(always)]
    fn step(&self, w: &[R; 4], x: R, dt: R) -> ([R; 4], MotionSample<R>) {
        let ([last, v, a, begun], x, dt) = (*w, x.clip(R::lit(MOTION_MAX)), period(dt));
        let zero = R::lit(0.0);
        let change = R::select(zero.lt(begun), x - last, zero);
        // backward Euler, stable for every sample time
        let share = R::lit(1.0) / (self.tau + dt);
        let speed = (self.tau * v + change) * share;
        let a = (self.tau * a + (speed - v)) * share;
        ([x, speed, a, R::lit(1.0)], MotionSample { x, v: speed, a })
    }
}

impl FilteredDifference<f64> {
    /// Whether it settles, and whether it shows a speed of `slowest` from an encoder of this `quantum`: the margin of the
    /// second is that speed over the pulse of one count.
    pub fn stability(&self, quantum: f64, slowest: f64, dt: f64) -> [StabilityCheck; 2] {
        let pole = self.tau / (self.tau + dt);
        let pulse = quantum / (self.tau + dt);
        [
            StabilityCheck::new("its pole is within the unit circle", 1.0 - pole),
            StabilityCheck::new("the slowest speed is above the pulse of one count", slowest / pulse - 1.0),
        ]
    }
}
