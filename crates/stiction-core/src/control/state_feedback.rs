use super::pid::grow;
use super::{Control, ServoPlant, Signals, StabilityCheck, block, period, stability};
use crate::{Real, params};

params! {
    /// State feedback: position and velocity errors, their integral, and the force that the reference acceleration needs.
    ///
    /// ```text
    /// u = kx (x_d - x) + kv (v_d - v) + ki ∫(x_d - x) dt + mass a_d
    /// ```
    /// The velocity is measured by a sensor, or estimated. The integral follows the limit back. Stable on a
    /// mass m with damping d if m s^3 + (d + kv) s^2 + kx s + ki has all roots on the left, for ki > 0 that is
    /// (d + kv) kx > m ki, and hold and delay leave phase margin.
    pub struct StateFeedback = "state-feedback";
    cite ["AstromSlides", "AstromHagglund1995"];
    shows ["no offset under a constant force", "no windup"];
    states { integral: "N" }
    params {
        /// Gain of the position error.
        kx: "N/m" = 3.0 in 0.0..=1e9,
        /// Gain of the velocity error.
        kv: "N·s/m" = 6.0 in 0.0..=1e9,
        /// Gain of the integral of the position error.
        ki: "N/(m·s)" = 4.0 in 0.0..=1e9,
        /// Mass that the reference acceleration moves; 0 leaves it out.
        mass: "kg" = 0.0 in 0.0..=1e9,
        /// Time in which the integral follows the limit.
        windup: "s" = 0.1 in 1e-6..=1e6,
        /// Largest output.
        limit: "N" = 1e6 in 1e-9..=1e9,
    }
}

impl<R: Real> Control<R> for StateFeedback<R> {
    block!(StateFeedback, 1);

    #[inline(always)]
    fn step(&self, w: &[R; 1], now: &Signals<R>, dt: R) -> ([R; 1], R) {
        let (now, dt) = (now.clamped(), period(dt));
        let e = now.position_error();
        let u = self.kx * e + self.kv * now.velocity_error() + w[0] + self.mass * now.reference.a;
        let out = u.clip(self.limit);
        ([grow(w[0], self.ki, e, out - u, dt, self.windup).clip(self.limit)], out)
    }
}

impl StateFeedback<f64> {
    /// Whether the linear loop on `plant` is stable, first as written, then with hold and delay.
    pub fn stability(&self, plant: &ServoPlant) -> [StabilityCheck; 2] {
        let d = plant.damping + self.kv;
        [
            stability::hurwitz("the closed loop has its roots on the left", &[self.ki, self.kx, d, plant.mass]),
            plant.phase_margin(&[self.ki, self.kx, self.kv], 0.0),
        ]
    }
}
