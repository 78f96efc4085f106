use super::{Control, FORCE_MAX, MOTION_MAX, ServoPlant, Signals, StabilityCheck, block, period};
use crate::{Real, params, step::relax};

params! {
    /// Disturbance observer: the force that the assumed mass leaves unexplained is estimated and compensated.
    ///
    /// ```text
    /// dF/dt = cutoff (applied - mass dv/dt - damping v - F),   u = share F
    /// ```
    /// Common in industry: it needs a mass but no law. The estimate lags by 1/cutoff, so it helps least at reversals. It
    /// estimates all of the friction, so use it instead of a model, not together with one. The inner loop has the gain
    /// r cutoff/s with r = mass/true mass: stable if (1 - exp(-cutoff dt)) r < 2 without delay; with a velocity that is late by
    /// tau, r cutoff must leave phase margin.
    pub struct DisturbanceObserver = "disturbance-observer";
    cite ["Ohnishi1996"];
    shows ["friction compensation without a model"];
    states { force: "N", v: "m/s", begun: "-" }
    params {
        /// Mass of the body as assumed.
        mass: "kg" = 1.0 in 1e-9..=1e9,
        /// Damping as assumed; it is not compensated.
        damping: "N·s/m" = 0.0 in 0.0..=1e9,
        /// Cut-off of the observer.
        cutoff: "rad/s" = 50.0 in 0.0..=1e6,
        /// Share of the estimate that is compensated.
        share: "-" = 1.0 in 0.0..=1.0,
        /// Largest estimate.
        limit: "N" = 1e6 in 0.0..=1e9,
    }
}

impl<R: Real> Control<R> for DisturbanceObserver<R> {
    block!(DisturbanceObserver, 3);

    #[inline(always)]
    fn step(&self, w: &[R; 3], now: &Signals<R>, dt: R) -> ([R; 3], R) {
        let ([force, last, begun], now, dt) = (*w, now.clamped(), period(dt));
        let v = now.measured.v;
        let change = R::select(R::lit(0.0).lt(begun), v - last, R::lit(0.0));
        // the mean over the sample is exact: m·Δv is the whole impulse
        let inertia = (self.mass * (change / dt)).clip(R::lit(FORCE_MAX * MOTION_MAX));
        let missing = now.applied - inertia - self.damping * v;
        let force = relax(force, missing.clip(R::lit(FORCE_MAX)), self.cutoff * dt).clip(self.limit);
        ([force, v, R::lit(1.0)], self.share * force)
    }
}

impl DisturbanceObserver<f64> {
    /// Whether the sampled inner loop is stable on `plant`, and the phase margin that a velocity late by `tau` (a filter)
    /// leaves it \[rad\].
    pub fn stability(&self, plant: &ServoPlant, tau: f64) -> [StabilityCheck; 2] {
        let ratio = self.mass / plant.mass;
        let pull = -libm::expm1(-self.cutoff * plant.period) * ratio;
        let cross = ratio * self.cutoff;
        let late = libm::atan(cross * tau) + cross * (1.5 * plant.period + plant.delay);
        [
            StabilityCheck::new("(1 - exp(-cutoff dt)) mass/true mass < 2", 2.0 - pull),
            StabilityCheck::new("phase margin of the inner loop", core::f64::consts::FRAC_PI_2 - late),
        ]
    }
}
