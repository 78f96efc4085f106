use crate::{Friction, Input, Real, curve::stribeck, model::shape, params};

params! {
    /// Stribeck-sat: Stribeck friction with the step at rest replaced by a steep line.
    ///
    /// ```text
    /// F = (Fc + (Fs - Fc) exp(-(|v|/vs)^exponent)) sat(ksat v) + Fv v,   sat x = x limited to +-1
    /// ```
    /// It cannot hold a load at rest: under a force below its peak the body creeps.
    pub struct StribeckSat = "stribeck-sat";
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
        /// Slope at rest over Fs: 1/ksat is the speed at which the step is smoothed.
        ksat: "s/m" = 1000.0 in 1e-3..=1e9,
    }
}

impl<R: Real> Friction<R> for StribeckSat<R> {
    shape!(StribeckSat, 0, 2);

    #[inline(always)]
    fn force(&self, _: &[R; 0], u: &Input<R>) -> R {
        stribeck!(self).level(u.slip()) * u.pressed() * (self.ksat * u.slip()).clip(R::lit(1.0)) + self.fv * u.slip()
    }
    #[inline(always)]
    fn guards(&self, _: &[R; 0], u: &Input<R>) -> [R; 2] {
        [u.slip(), (self.ksat * u.slip()).abs() - R::lit(1.0)]
    }
}
