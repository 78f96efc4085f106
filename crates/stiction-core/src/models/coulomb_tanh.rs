use crate::{Friction, Input, Real, model::shape, params};

params! {
    /// Coulomb-tanh: Coulomb friction with the step at rest replaced by a hyperbolic tangent.
    ///
    /// ```text
    /// F = Fc tanh(ktanh v)
    /// ```
    /// It cannot hold a load at rest: under a force F < Fc the body creeps.
    pub struct CoulombTanh = "coulomb-tanh";
    cite ["Andersson2007", "Gros2021"];
    shows ["Coulomb friction in sliding"];
    params {
        /// Coulomb level Fc.
        fc: "N" = 1.0 in 0.0..=1e9,
        /// Slope at rest over Fc: 1/ktanh is the speed at which the step is smoothed.
        ktanh: "s/m" = 1000.0 in 1e-3..=1e9,
    }
}

impl<R: Real> Friction<R> for CoulombTanh<R> {
    shape!(CoulombTanh, 0, 1);

    #[inline(always)]
    fn force(&self, _: &[R; 0], u: &Input<R>) -> R {
        self.fc * u.pressed() * (self.ktanh * u.slip()).tanh()
    }
}
