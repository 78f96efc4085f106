use crate::{Friction, Input, Real, model::shape, params, step::relax};

params! {
    /// Dankowicz: micro-slip before gross slip. Dahl with shape 1, in parameters that a tribologist measures.
    ///
    /// ```text
    /// dz/dt = v (1 - (z/delta) sgn v)
    /// F = (Fmax/delta) z
    /// ```
    pub struct Dankowicz = "dankowicz";
    cite ["Dankowicz1999", "Andersson2007"];
    shows ["presliding displacement", "hysteresis in position", "rate independence"];
    states { z: "m" }
    params {
        /// Largest force, the Coulomb level.
        fmax: "N" = 1.0 in 1e-9..=1e9,
        /// Micro-slip displacement before gross slip.
        delta: "m" = 1e-5 in 1e-12..=1.0,
    }
}

impl<R: Real> Friction<R> for Dankowicz<R> {
    shape!(Dankowicz, 1, 1);

    #[inline(always)]
    fn force(&self, z: &[R; 1], u: &Input<R>) -> R {
        self.fmax / self.delta * z[0] * u.pressed()
    }
    #[inline(always)]
    fn rate(&self, z: &[R; 1], u: &Input<R>) -> [R; 1] {
        [u.slip() * (R::lit(1.0) - z[0] / self.delta * u.slip().sign())]
    }
    #[inline(always)]
    fn settled(&self, u: &Input<R>) -> [R; 1] {
        [self.delta * u.slip().sign()]
    }
    #[inline(always)]
    fn step(&self, z: &[R; 1], u: &Input<R>, dt: R) -> [R; 1] {
        [relax(z[0], self.delta * u.slip().sign(), u.slip().abs() * dt / self.delta)]
    }
}
