use crate::{Friction, Input, Real, model::shape, params};

params! {
    /// Simscape: one smooth curve with a break-away peak at a given speed, as in a common simulation library.
    ///
    /// ```text
    /// F = sqrt(2 e) (Fs - Fc) exp(-(v/vst)^2) v/vst + Fc tanh(v/vc) + Fv v
    /// vst = sqrt(2) vbrk,   vc = vbrk/10
    /// ```
    /// It cannot hold a load at rest: under a force below its peak the body creeps.
    pub struct Simscape = "simscape";
    cite ["SimscapeFriction"];
    shows ["Stribeck effect", "viscous friction"];
    require { "fs >= fc" |p| p.fs >= p.fc }
    params {
        /// Coulomb level Fc.
        fc: "N" = 1.0 in 0.0..=1e9,
        /// Break-away level Fs.
        fs: "N" = 1.5 in 0.0..=1e9,
        /// Speed of the break-away peak.
        vbrk: "m/s" = 1e-3 in 1e-9..=1e3,
        /// Viscous coefficient Fv.
        fv: "N·s/m" = 0.4 in 0.0..=1e9,
    }
}

impl<R: Real> Friction<R> for Simscape<R> {
    shape!(Simscape, 0, 1);

    #[inline(always)]
    fn force(&self, _: &[R; 0], u: &Input<R>) -> R {
        // beyond 1e3 the exponential is zero, and the clip keeps 0·∞ out
        let r = (u.slip() / self.vbrk * R::lit(core::f64::consts::FRAC_1_SQRT_2)).clip(R::lit(1e3));
        let root_2e = R::lit(2.331_643_981_597_124); // √(2e)
        let peak = root_2e * (self.fs - self.fc) * (-(r * r)).exp() * r;
        let dry = peak + self.fc * (u.slip() / self.vbrk * R::lit(10.0)).tanh();
        dry * u.pressed() + self.fv * u.slip()
    }
}
