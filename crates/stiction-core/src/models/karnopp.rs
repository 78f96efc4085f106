use crate::{Friction, Input, Real, curve::stribeck, model::shape, params};

params! {
    /// Karnopp: speeds within a band count as rest, so that a simulation need not find v = 0 exactly.
    ///
    /// ```text
    /// |v| >= band: F = (Fc + (Fs - Fc) exp(-(|v|/vs)^exponent)) sgn v + Fv v
    /// |v| <  band: F = applied force limited to +-Fs, and v is held
    /// ```
    /// Where no applied force is known, as on the steady curve, F in the band is Fs sgn v.
    pub struct Karnopp = "karnopp";
    cite ["Karnopp1985", "Olsson1993"];
    shows ["true stick", "break-away above Coulomb", "Stribeck effect", "viscous friction"];
    require { "fs >= fc" |p| p.fs >= p.fc }
    params {
        /// Coulomb level Fc.
        fc: "N" = 1.0 in 0.0..=1e9,
        /// Break-away level Fs.
        fs: "N" = 1.5 in 0.0..=1e9,
        /// Stribeck velocity vs.
        vs: "m/s" = 1e-3 in 1e-9..=1e3,
        /// Stribeck exponent.
        exponent: "-" = 2.0 in 0.1..=10.0,
        /// Viscous coefficient Fv.
        fv: "N·s/m" = 0.4 in 0.0..=1e9,
        /// Speed Dv below which the body counts as at rest.
        band: "m/s" = 1e-6 in 1e-12..=1.0,
    }
}

impl<R: Real> Friction<R> for Karnopp<R> {
    shape!(Karnopp, 0, 2);

    #[inline(always)]
    fn force(&self, _: &[R; 0], u: &Input<R>) -> R {
        let slow = u.slip().abs().lt(self.band);
        let level = R::select(slow, self.fs, stribeck!(self).level(u.slip()));
        level * u.pressed() * u.slip().sign() + R::select(slow, R::lit(0.0), self.fv * u.slip())
    }
    #[inline(always)]
    fn hold(&self, _: &[R; 0], u: &Input<R>, _: R) -> R {
        self.fs * u.pressed()
    }
    #[inline(always)]
    fn band(&self, _: &Input<R>) -> R {
        self.band
    }
    #[inline(always)]
    fn guards(&self, _: &[R; 0], u: &Input<R>) -> [R; 2] {
        [u.slip(), u.slip().abs() - self.band]
    }
}
