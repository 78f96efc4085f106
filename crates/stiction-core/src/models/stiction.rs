use crate::{Friction, Input, Real, model::shape, params};

params! {
    /// Stiction: Coulomb and viscous friction, with a higher level at rest.
    ///
    /// ```text
    /// F = Fc sgn v + Fv v   v != 0
    /// F in [-Fs, Fs]        v = 0
    /// ```
    pub struct Stiction = "stiction";
    cite ["Morin1833", "Olsson1993"];
    shows ["true stick", "break-away above Coulomb", "viscous friction"];
    require { "fs >= fc" |p| p.fs >= p.fc }
    params {
        /// Coulomb level Fc.
        fc: "N" = 1.0 in 0.0..=1e9,
        /// Break-away level Fs.
        fs: "N" = 1.5 in 0.0..=1e9,
        /// Viscous coefficient Fv.
        fv: "N·s/m" = 0.4 in 0.0..=1e9,
    }
}

impl<R: Real> Friction<R> for Stiction<R> {
    shape!(Stiction, 0, 1);
    const LINEAR: bool = true;

    #[inline(always)]
    fn force(&self, _: &[R; 0], u: &Input<R>) -> R {
        self.fc * u.pressed() * u.slip().sign() + self.fv * u.slip()
    }
    #[inline(always)]
    fn hold(&self, _: &[R; 0], u: &Input<R>, _: R) -> R {
        self.fs * u.pressed()
    }
}
