use crate::{Friction, Input, Real, curve::stribeck, model::{LOAD_MAX, shape}, params};

params! {
    /// Gear: a drive train whose friction grows with the torque it transmits, more when driving than when back-driven.
    ///
    /// ```text
    /// T = load factor x torque:  the transmitted torque, positive when it drives towards v > 0
    /// F = (Fc + (Fs - Fc) exp(-(|v|/vs)^exponent) + mu |T|) sgn v + Fv v
    /// mu = mu_drive where T v > 0, mu_back where T v < 0;    at v = 0 any force up to the level of impending motion
    /// ```
    pub struct Gear = "gear";
    cite ["Duclusaud2025"];
    shows ["true stick", "break-away above Coulomb", "Stribeck effect", "viscous friction", "load dependence", "direction dependence"];
    require { "fs >= fc" |p| p.fs >= p.fc }
    params {
        /// Coulomb level without load Fc.
        fc: "N·m" = 0.01 in 0.0..=1e9,
        /// Break-away level without load Fs.
        fs: "N·m" = 0.02 in 0.0..=1e9,
        /// Stribeck velocity vs.
        vs: "rad/s" = 0.1 in 1e-9..=1e3,
        /// Stribeck exponent.
        exponent: "-" = 2.0 in 0.1..=10.0,
        /// Viscous coefficient Fv.
        fv: "N·m·s/rad" = 0.01 in 0.0..=1e9,
        /// Share of the transmitted torque lost when driving.
        mu_drive: "-" = 0.1 in 0.0..=10.0,
        /// Share of the transmitted torque lost when back-driven.
        mu_back: "-" = 0.05 in 0.0..=10.0,
        /// Transmitted torque at load factor 1.
        torque: "N·m" = 1.0 in 0.0..=1e9,
    }
}

impl<R: Real> Gear<R> {
    /// Loss from the transmitted torque for motion in direction `dir`.
    #[inline(always)]
    fn loss(&self, u: &Input<R>, dir: R) -> R {
        let t = u.load.clip(R::lit(LOAD_MAX)) * self.torque;
        t.abs() * R::select((t * dir).lt(R::lit(0.0)), self.mu_back, self.mu_drive)
    }
}

impl<R: Real> Friction<R> for Gear<R> {
    shape!(Gear, 0, 1);
    // mirrored motion under the same torque swaps driving and back-driving
    const ODD: bool = false;
    // the transmitted torque acts in either direction
    const SIGNED_LOAD: bool = true;

    #[inline(always)]
    fn force(&self, _: &[R; 0], u: &Input<R>) -> R {
        let dir = u.slip().sign();
        (stribeck!(self).level(u.slip()) + self.loss(u, dir)) * dir + self.fv * u.slip()
    }
    #[inline(always)]
    fn hold(&self, _: &[R; 0], u: &Input<R>, dir: R) -> R {
        self.fs + self.loss(u, dir)
    }
}
