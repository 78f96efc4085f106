use crate::{Friction, Input, Real, model::shape, params};

params! {
    /// Coulomb: a constant force against the motion.
    ///
    /// ```text
    /// F = Fc sgn v          v != 0
    /// F in [-Fc, Fc]        v = 0
    /// ```
    pub struct Coulomb = "coulomb";
    cite ["Coulomb1785", "Olsson1993", "Andersson2007"];
    shows ["true stick"];
    params {
        /// Coulomb level Fc.
        fc: "N" = 1.0 in 0.0..=1e9,
    }
}

impl<R: Real> Friction<R> for Coulomb<R> {
    shape!(Coulomb, 0, 1);
    const LINEAR: bool = true;

    #[inline(always)]
    fn force(&self, _: &[R; 0], u: &Input<R>) -> R {
        self.fc * u.pressed() * u.slip().sign()
    }
    #[inline(always)]
    fn hold(&self, _: &[R; 0], u: &Input<R>, _: R) -> R {
        self.fc * u.pressed()
    }
}
