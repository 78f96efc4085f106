use crate::{Friction, Input, Real, curve::stribeck, model::shape, params};

params! {
    /// Stribeck-tanh: Stribeck friction with the step at rest replaced by a hyperbolic tangent.
    ///
    /// ```text
    /// F = (Fc + (Fs - Fc) exp(-(|v|/vs)^exponent)) tanh(ktanh v) + Fv v
    /// ```
    /// It cannot hold a load at rest: under a force below its peak the body creeps.
    pub struct StribeckTanh = "stribeck-tanh";
    cite ["Andersson2007"];
    shows ["Stribeck effect", "viscous friction"];
    require { "fs >= fc" |p| p.fs >= p.fc }
    params {
        /// Coulomb level Fc.
        fc: "N" = 1.0 in 0.0..=1e9,
        /// Level Fs from which the Stribeck curve falls.
        fs: "N" = 1.5 in 0.0..=1e9,
        /// Stribeck velocity vs.
        vs: "m/s" = 0.1 in 1e-9..=1e3,
        /// Stribeck exponent.
        exponent: "-" = 1.0 in 0.1..=10.0,
        /// Viscous coefficient Fv (kv in the paper).
        fv: "N·s/m" = 0.4 in 0.0..=1e9,
        /// Slope at rest over Fs: 1/ktanh is the speed at which the step is smoothed.
        ktanh: "s/m" = 1000.0 in 1e-3..=1e9,
    }
}

impl<R: Real> Friction<R> for StribeckTanh<R> {
    shape!(StribeckTanh, 0, 1);

    #[inline(always)]
    fn force(&self, _: &[R; 0], u: &Input<R>) -> R {
        stribeck!(self).level(u.slip()) * u.pressed() * (self.ktanh * u.slip()).tanh() + self.fv * u.slip()
    }
}
