use super::{Control, FORCE_MAX, MOTION_MAX, ServoPlant, Signals, StabilityCheck, block, period};
use crate::{Real, params};

params! {
    /// Acceleration feedback: a gain on the commanded less the measured acceleration, which reduces the effect of friction.
    ///
    /// ```text
    /// u = gain (commanded/mass - a),   tau da/dt = a_measured - a
    /// ```
    /// With it m dv/dt = commanded - F m/(m + gain): the linear loop does not change, and friction acts as on a heavier
    /// body. Sampled, with the acceleration one sample late, it is stable for gain < mass (2 tau + dt)/dt. It needs an
    /// accelerometer, or a very good encoder.
    pub struct AccelerationFeedback = "acceleration-feedback";
    cite ["AstromSlides"];
    shows ["friction compensation without a model"];
    states { a: "m/s²" }
    params {
        /// Mass that is added.
        gain: "kg" = 5.0 in 0.0..=1e9,
        /// Mass of the body.
        mass: "kg" = 1.0 in 1e-9..=1e9,
        /// Time constant of the filter.
        tau: "s" = 0.01 in 0.0..=1e3,
    }
}

impl<R: Real> Control<R> for AccelerationFeedback<R> {
    block!(AccelerationFeedback, 1);

    #[inline(always)]
    fn step(&self, w: &[R; 1], now: &Signals<R>, dt: R) -> ([R; 1], R) {
        let (now, dt) = (now.clamped(), period(dt));
        let a = (self.tau * w[0] + dt * now.measured.a) / (self.tau + dt);
        let ideal = (now.commanded / self.mass).clip(R::lit(FORCE_MAX));
        let missing = (ideal - a).clip(R::lit(FORCE_MAX * MOTION_MAX));
        ([a], (self.gain * missing).clip(R::lit(FORCE_MAX)))
    }
}

impl AccelerationFeedback<f64> {
    /// Whether the inner loop is stable on `plant` at its sample time, and the phase margin \[rad\] that its delay and an
    /// acceleration late by `lag` (an estimator) leave it.
    pub fn stability(&self, plant: &ServoPlant, lag: f64) -> [StabilityCheck; 2] {
        let ServoPlant { mass, period, delay, .. } = *plant;
        let most = mass * (2.0 * self.tau + period) / period;
        let (ratio, pole) = (self.gain / mass, self.tau / (self.tau + period));
        // the sampled filter 1 - p exp(-j theta), as (real, imaginary), times what the estimator takes
        let filter = |theta: f64| (1.0 - pole * libm::cos(theta), pole * libm::sin(theta));
        let loss = |theta: f64| {
            let (re, im) = filter(theta);
            libm::hypot(re, im) * libm::hypot(1.0, theta * lag / period)
        };
        // it falls with the frequency, so it crosses one at one place at most, up to half the sampling rate
        let (mut low, mut high) = (0.0, core::f64::consts::PI);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if ratio * (1.0 - pole) > loss(middle) { low = middle } else { high = middle }
        }
        let (re, im) = filter(high);
        let late = high * (1.0 + delay / period) + libm::atan2(im, re) + libm::atan(high * lag / period);
        let margin = if ratio <= 1.0 { core::f64::consts::PI } else { core::f64::consts::PI - late };
        [
            StabilityCheck::new("gain < mass (2 tau + dt)/dt", most / self.gain - 1.0),
            StabilityCheck::new("phase margin of the inner loop", margin),
        ]
    }
}
