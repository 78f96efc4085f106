use super::{Control, FORCE_MAX, ServoPlant, Signals, StabilityCheck, period, within};
use crate::{Real, params};

params! {
    /// Adaptive scale: a compensator times one factor that adapts to the tracking error.
    ///
    /// ```text
    /// u = theta F,   dtheta/dt = gamma F s - leak (theta - 1),   s = v_d - v + lambda (x_d - x)
    /// low <= theta <= high;   |s| < dead counts as 0
    /// ```
    /// F is what the compensator gives, a feed-forward or an observer of any law.
    /// For wear, temperature or load that scale friction as a whole. With m ds/dt = -kv s + F (theta_true - theta) the
    /// energy m s^2/2 + (theta - theta_true)^2/(2 gamma) falls: stable for every gamma > 0 in continuous time;
    /// sampled, with a velocity one sample late, if gamma F^2 dt < kv. Projection bounds the factor in any case; the leak or the dead zone keeps
    /// noise from moving it.
    pub struct AdaptiveScaleGains = "adaptive-scale";
    cite ["AstromSlides", "CanudasDeWit1997", "Ioannou1996"];
    shows ["friction compensation", "adaptation"];
    states { theta: "-" }
    require { "low <= 1 <= high" |p| p.low <= 1.0 && 1.0 <= p.high }
    params {
        /// Rate of adaptation.
        gamma: "1/J" = 10.0 in 0.0..=1e9,
        /// Weight of the position error.
        lambda: "1/s" = 1.0 in 0.0..=1e6,
        /// Rate of forgetting.
        leak: "1/s" = 0.0 in 0.0..=1e6,
        /// Dead zone: smaller errors do not adapt.
        dead: "m/s" = 0.0 in 0.0..=1e6,
        /// Smallest factor.
        low: "-" = 0.1 in 0.0..=1.0,
        /// Largest factor.
        high: "-" = 3.0 in 1.0..=100.0,
    }
}

/// Any compensator with an [`adaptive scale`](AdaptiveScaleGains). Its memory is the compensator's, then the factor less 1.
#[derive(Clone, Copy, Debug)]
pub struct AdaptiveScale<C, R> {
    /// The compensator.
    pub control: C,
    /// How it learns.
    pub gains: AdaptiveScaleGains<R>,
}

impl<R: Real, C: Control<R>> Control<R> for AdaptiveScale<C, R> {
    type State = (C::State, [R; 1]);
    type With<S: Real> = AdaptiveScale<C::With<S>, S>;
    #[inline(always)]
    fn cast<S: Real>(&self, mut f: impl FnMut(R) -> S) -> Self::With<S> {
        AdaptiveScale { control: self.control.cast(&mut f), gains: self.gains.map(&mut f) }
    }
    #[inline(always)]
    fn step(&self, w: &Self::State, now: &Signals<R>, dt: R) -> (Self::State, R) {
        let (next, force) = self.control.step(&w.0, now, dt);
        let (off, out) = self.gains.adjust(w.1[0], force, now, dt);
        ((next, [off]), out)
    }
}

impl<R: Real> AdaptiveScaleGains<R> {
    /// The factor less 1 after a sample, and the force times the factor.
    #[inline(always)]
    pub(super) fn adjust(&self, off: R, force: R, now: &Signals<R>, dt: R) -> (R, R) {
        let (most, one) = (R::lit(FORCE_MAX), R::lit(1.0));
        let (now, force) = (now.clamped(), force.clip(most));
        let learned = self.gamma * (force * now.adaptation_error(self.lambda, self.dead));
        let off = learn(off, learned, self.leak, period(dt), self.low - one, self.high - one);
        (off, ((one + off) * force).clip(most))
    }
}

/// One sample of an estimate's distance from where it began: grows by `rate`, forgets by `leak`, stays within bounds.
#[inline(always)]
pub(super) fn learn<R: Real>(off: R, rate: R, leak: R, dt: R, lo: R, hi: R) -> R {
    // a finite step, so that it does not matter how far beyond the bound it would go
    let next = off + (dt * rate).clip(R::lit(1e30));
    within(next / (R::lit(1.0) + leak * dt), lo, hi)
}

impl AdaptiveScaleGains<f64> {
    /// Whether the sampled adaptation is stable for friction up to `level`, with velocity feedback `kv` on `plant`; and
    /// whether noise of this standard deviation in s leaves the estimate alone (dead zone of three of it, or a leak).
    pub fn stability(&self, plant: &ServoPlant, kv: f64, level: f64, noise: f64) -> [StabilityCheck; 2] {
        let speed = self.gamma * level * level * plant.period;
        let quiet = if self.leak > 0.0 { self.leak } else { self.dead - 3.0 * noise };
        [
            StabilityCheck::new("gamma F^2 dt < kv + damping", (kv + plant.damping) / speed - 1.0),
            StabilityCheck::new("a leak, or a dead zone above the noise", quiet),
        ]
    }
}
