use crate::{Friction, Input, Real, model::shape, params};

params! {
    /// Carlson-Langer: a fault whose friction falls with slip speed towards zero, after a drop at the onset of slip.
    ///
    /// ```text
    /// F = Fc/(1 + |v|/vs) sgn v    v != 0
    /// F in [-Fs, Fs]               v = 0
    /// ```
    ///
    /// In units in which Fs = 1 and time is that of a block on its spring, theirs is Fc = 1 - sigma and
    /// vs = Fc/(2 alpha): the drop sigma keeps the smallest slips finite, alpha is how fast they grow.
    pub struct CarlsonLanger = "carlson-langer";
    cite ["Carlson1989", "Carlson1991"];
    shows ["true stick", "break-away above Coulomb", "Stribeck effect"];
    require { "fs >= fc" |p| p.fs >= p.fc }
    params {
        /// Level of slow slip Fc.
        fc: "N" = 1.0 in 0.0..=1e9,
        /// Break-away level Fs.
        fs: "N" = 1.5 in 0.0..=1e9,
        /// Velocity vs at which half of Fc is left.
        vs: "m/s" = 0.1 in 1e-9..=1e3,
    }
}

impl<R: Real> Friction<R> for CarlsonLanger<R> {
    shape!(CarlsonLanger, 0, 1);

    #[inline(always)]
    fn force(&self, _: &[R; 0], u: &Input<R>) -> R {
        self.fc / (R::lit(1.0) + u.slip().abs() / self.vs) * u.pressed() * u.slip().sign()
    }
    #[inline(always)]
    fn hold(&self, _: &[R; 0], u: &Input<R>, _: R) -> R {
        self.fs * u.pressed()
    }
}
