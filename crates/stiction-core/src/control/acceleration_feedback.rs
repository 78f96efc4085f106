use super::{Control, FORCE_MAX, MOTION_MAX, Plant, Signals, Verdict, block, period};
use crate::{Real, params};

params! {
    /// Acceleration feedback: the body is made to accelerate as the command asks for.
    ///
    /// ```text
    /// u = gain (asked/mass - a),   tau da/dt = a_seen - a
    /// ```
    /// With it m dv/dt = asked - F m/(m + gain): the linear loop stays as it is, and friction counts as if the body were
    /// heavier. Sampled, with the acceleration one sample late, it is stable for gain < mass (2 tau + dt)/dt. It needs an
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
        let (now, dt) = (now.sane(), period(dt));
        let a = (self.tau * w[0] + dt * now.seen.a) / (self.tau + dt);
        let ideal = (now.asked / self.mass).clip(R::lit(FORCE_MAX));
        let missing = (ideal - a).clip(R::lit(FORCE_MAX * MOTION_MAX));
        ([a], (self.gain * missing).clip(R::lit(FORCE_MAX)))
    }
}

impl AccelerationFeedback<f64> {
    /// Whether the inner loop is stable on `plant` at its sample time.
    pub fn stability(&self, plant: &Plant) -> [Verdict; 1] {
        let most = plant.mass * (2.0 * self.tau + plant.period) / plant.period;
        [Verdict::new("gain < mass (2 tau + dt)/dt", most / self.gain - 1.0)]
    }
}
