use super::adaptive_scale::learn;
use super::{Control, FORCE_MAX, ServoPlant, Signals, StabilityCheck, block, period};
use crate::{Real, params, step::relax};

params! {
    /// Adaptive friction: Coulomb level, Stribeck excess and viscosity estimated from the tracking error.
    ///
    /// ```text
    /// u = (fc + fx exp(-(v/vs)^2)) d + fv v,   d relaxes to sgn v over the distance delta
    /// dfc/dt = gain_c d s,   dfx/dt = gain_x exp(-(v/vs)^2) d s,   dfv/dt = gain_v v s,   each - leak (f - f_0)
    /// s = v_d - v + lambda (x_d - x);   |s| < dead counts as 0;   0 <= f <= max
    /// ```
    /// The direction d deflects like a bristle, so the force does not jump at rest. It is linear in the estimates:
    /// with m ds/dt = -kv s + (force missing), m s^2/2 + sum (f - f_true)^2/(2 gain) falls. Stable for all gains in
    /// continuous time; sampled, with a velocity one sample late, if (gain_c + gain_x + gain_v v^2) dt < kv. What does not affect the motion is not
    /// estimated: the excess needs slow motion, viscosity needs several speeds. Projection bounds the estimates.
    pub struct Adaptive = "adaptive";
    cite ["CanudasDeWit1997", "Ioannou1996", "Armstrong1994"];
    shows ["friction compensation", "adaptation"];
    states { d: "-", dfc: "N", dfx: "N", dfv: "N·s/m" }
    require {
        "fc <= max_c" |p| p.fc <= p.max_c,
        "fx <= max_x" |p| p.fx <= p.max_x,
        "fv <= max_v" |p| p.fv <= p.max_v,
    }
    params {
        /// Coulomb level to begin with.
        fc: "N" = 1.0 in 0.0..=1e9,
        /// Stribeck excess Fs - Fc to begin with.
        fx: "N" = 0.5 in 0.0..=1e9,
        /// Viscous coefficient to begin with.
        fv: "N·s/m" = 0.4 in 0.0..=1e9,
        /// Stribeck velocity.
        vs: "m/s" = 1e-3 in 1e-9..=1e3,
        /// Presliding distance.
        delta: "m" = 1.5e-5 in 1e-12..=1.0,
        /// Rate of learning the Coulomb level.
        gain_c: "N·s/m/s" = 10.0 in 0.0..=1e9,
        /// Rate of learning the excess.
        gain_x: "N·s/m/s" = 0.0 in 0.0..=1e9,
        /// Rate of learning the viscosity.
        gain_v: "N·s³/m³/s" = 10.0 in 0.0..=1e9,
        /// Weight of the position error.
        lambda: "1/s" = 1.0 in 0.0..=1e6,
        /// Rate of forgetting.
        leak: "1/s" = 0.0 in 0.0..=1e6,
        /// Dead zone: smaller errors do not adapt.
        dead: "m/s" = 0.0 in 0.0..=1e6,
        /// Largest Coulomb level.
        max_c: "N" = 10.0 in 0.0..=1e9,
        /// Largest excess.
        max_x: "N" = 10.0 in 0.0..=1e9,
        /// Largest viscous coefficient.
        max_v: "N·s/m" = 10.0 in 0.0..=1e9,
        /// 1: the law runs on the reference velocity, 0: on the measured one, and between.
        ahead: "-" = 0.0 in 0.0..=1.0,
    }
}

impl<R: Real> Control<R> for Adaptive<R> {
    block!(Adaptive, 4);

    #[inline(always)]
    fn step(&self, w: &[R; 4], now: &Signals<R>, dt: R) -> ([R; 4], R) {
        let ([d, dc, dx, dv], now, dt) = (*w, now.clamped(), period(dt));
        let u = now.law_input(self.ahead);
        let (v, press) = (u.slip(), u.pressed());
        let d = relax(d, v.sign(), v.abs() * dt / self.delta);
        let r = (v / self.vs).clip(R::lit(1e9));
        let slow = (-(r * r)).exp() * d;
        let s = now.adaptation_error(self.lambda, self.dead);
        let one = |off: R, gain: R, shape: R, begin: R, most: R| {
            learn(off, gain * (shape * s), self.leak, dt, -begin, most - begin)
        };
        let dc = one(dc, self.gain_c, press * d, self.fc, self.max_c);
        let dx = one(dx, self.gain_x, press * slow, self.fx, self.max_x);
        let dv = one(dv, self.gain_v, v, self.fv, self.max_v);
        let force = press * ((self.fc + dc) * d + (self.fx + dx) * slow) + (self.fv + dv) * v;
        ([d, dc, dx, dv], force.clip(R::lit(FORCE_MAX)))
    }
}

impl Adaptive<f64> {
    /// Whether the sampled adaptation is stable for speeds up to `fastest`, with velocity feedback `kv` on `plant`; and
    /// whether noise of this standard deviation in s does not make the estimates drift (a dead zone of three standard
    /// deviations, or a leak).
    pub fn stability(&self, plant: &ServoPlant, kv: f64, fastest: f64, noise: f64) -> [StabilityCheck; 2] {
        let speed = (self.gain_c + self.gain_x + self.gain_v * fastest * fastest) * plant.period;
        let quiet = if self.leak > 0.0 { self.leak } else { self.dead - 3.0 * noise };
        [
            StabilityCheck::new("(gain_c + gain_x + gain_v v^2) dt < kv + damping", (kv + plant.damping) / speed - 1.0),
            StabilityCheck::new("a leak, or a dead zone above the noise", quiet),
        ]
    }
}
