use super::Dankowicz;
use crate::{Friction, Input, Real, curve::stribeck, model::shape, params};

params! {
    /// Stribeck-Dankowicz: micro-slip, Stribeck and viscous friction in one; Andersson's choice for exact end positions.
    ///
    /// ```text
    /// dz/dt = v (1 - (z/delta) sgn v)
    /// F = (Fc + (Fs - Fc) exp(-(|v|/vs)^exponent)) z/delta + Fv v
    /// ```
    pub struct StribeckDankowicz = "stribeck-dankowicz";
    cite ["Andersson2007"];
    shows ["presliding displacement", "hysteresis in position", "Stribeck effect", "viscous friction"];
    states { z: "m" }
    require { "fs >= fc" |p| p.fs >= p.fc }
    params {
        /// Coulomb level Fc.
        fc: "N" = 1.0 in 1e-9..=1e9,
        /// Break-away level Fs.
        fs: "N" = 1.5 in 1e-9..=1e9,
        /// Stribeck velocity vs.
        vs: "m/s" = 0.01 in 1e-9..=1e3,
        /// Stribeck exponent.
        exponent: "-" = 1.0 in 0.1..=10.0,
        /// Micro-slip displacement before gross slip.
        delta: "m" = 1e-5 in 1e-12..=1.0,
        /// Viscous coefficient Fv (kv in the paper).
        fv: "N·s/m" = 0.4 in 0.0..=1e9,
    }
}

impl<R: Real> StribeckDankowicz<R> {
    /// The micro-slip part, with the level that `v` gives it.
    #[inline(always)]
    fn micro(&self, v: R) -> Dankowicz<R> {
        Dankowicz { fmax: stribeck!(self).level(v), delta: self.delta }
    }
}

impl<R: Real> Friction<R> for StribeckDankowicz<R> {
    shape!(StribeckDankowicz, 1, 1);

    #[inline(always)]
    fn force(&self, z: &[R; 1], u: &Input<R>) -> R {
        self.micro(u.slip()).force(z, u) + self.fv * u.slip()
    }
    #[inline(always)]
    fn rate(&self, z: &[R; 1], u: &Input<R>) -> [R; 1] {
        self.micro(u.slip()).rate(z, u)
    }
    #[inline(always)]
    fn settled(&self, u: &Input<R>) -> [R; 1] {
        self.micro(u.slip()).settled(u)
    }
    #[inline(always)]
    fn step(&self, z: &[R; 1], u: &Input<R>, dt: R) -> [R; 1] {
        self.micro(u.slip()).step(z, u, dt)
    }
}
