use crate::{Friction, Input, Real, curve::viscous, model::shape, params};

params! {
    /// Viscous: a power of the speed; below the first power a body stops in finite time.
    ///
    /// ```text
    /// F = Fv |v|^gamma sgn v        0 < gamma <= 4
    /// ```
    pub struct Viscous = "viscous";
    cite ["Reynolds1886", "Olsson1993", "Gros2021"];
    shows ["viscous friction"];
    params {
        /// Viscous coefficient Fv.
        fv: "N·(s/m)^γ" = 1.0 in 0.0..=1e9,
        /// Power of the speed.
        gamma: "-" = 1.0 in 0.05..=4.0,
    }
}

impl<R: Real> Friction<R> for Viscous<R> {
    shape!(Viscous, 0, 1);

    #[inline(always)]
    fn force(&self, _: &[R; 0], u: &Input<R>) -> R {
        viscous(u.slip(), self.fv, self.gamma)
    }
}
