use crate::{Friction, Input, Real, curve::stribeck, model::shape, params};

params! {
    /// Stribeck: the force falls from break-away to Coulomb level as speed builds up a film.
    ///
    /// ```text
    /// F = (Fc + (Fs - Fc) exp(-(|v|/vs)^exponent)) sgn v + Fv v    v != 0
    /// F in [-Fs, Fs]                                               v = 0
    /// ```
    pub struct Stribeck = "stribeck";
    cite ["Stribeck1902", "Armstrong1994", "Andersson2007"];
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
    }
}

impl<R: Real> Friction<R> for Stribeck<R> {
    shape!(Stribeck, 0, 1);

    #[inline(always)]
    fn force(&self, _: &[R; 0], u: &Input<R>) -> R {
        stribeck!(self).level(u.slip()) * u.pressed() * u.slip().sign() + self.fv * u.slip()
    }
    #[inline(always)]
    fn hold(&self, _: &[R; 0], u: &Input<R>, _: R) -> R {
        self.fs * u.pressed()
    }
}
