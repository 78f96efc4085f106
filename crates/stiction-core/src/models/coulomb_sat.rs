use crate::{Friction, Input, Real, model::shape, params};

params! {
    /// Coulomb-sat: Coulomb friction with the step at rest replaced by a steep line.
    ///
    /// ```text
    /// F = Fc sat(ksat v),   sat x = x limited to +-1
    /// ```
    /// It cannot hold a load at rest: under a force F < Fc the body creeps.
    pub struct CoulombSat = "coulomb-sat";
    cite ["Andersson2007"];
    shows ["Coulomb friction in sliding"];
    params {
        /// Coulomb level Fc.
        fc: "N" = 1.0 in 0.0..=1e9,
        /// Slope at rest over Fc: 1/ksat is the speed at which the step is smoothed.
        ksat: "s/m" = 1000.0 in 1e-3..=1e9,
    }
}

impl<R: Real> Friction<R> for CoulombSat<R> {
    shape!(CoulombSat, 0, 2);

    #[inline(always)]
    fn force(&self, _: &[R; 0], u: &Input<R>) -> R {
        self.fc * u.pressed() * (self.ksat * u.slip()).clip(R::lit(1.0))
    }
    #[inline(always)]
    fn guards(&self, _: &[R; 0], u: &Input<R>) -> [R; 2] {
        [u.slip(), (self.ksat * u.slip()).abs() - R::lit(1.0)]
    }
}
