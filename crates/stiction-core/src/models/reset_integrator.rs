use crate::{Friction, Input, Param, Real, Recipe, model::shape, params};

params! {
    /// Reset integrator: a spring that stops stretching at z0, with an excess of force until then.
    ///
    /// ```text
    /// dz/dt = v, but 0 where |z| = z0 and v would stretch it further
    /// F = (1 + a) sigma0 z + sigma1 dz/dt   |z| < z0
    /// F = sigma0 z                          |z| = z0
    /// ```
    /// Fc = sigma0 z0, break-away at (1 + a) Fc.
    pub struct ResetIntegrator = "reset-integrator";
    cite ["Haessig1991"];
    shows ["presliding displacement", "break-away above Coulomb"];
    states { z: "m" }
    recipes [Recipe {
        doc: "spring from Coulomb level, break-away force and presliding distance: z0 = delta, sigma0 = fc/delta, a = fs/fc - 1",
        inputs: &[
            Param { name: "fc", unit: "N", doc: "Coulomb level", default: 1.0, min: 1e-9, max: 1e9 },
            Param { name: "fs", unit: "N", doc: "Break-away force", default: 1.5, min: 1e-9, max: 1e9 },
            Param { name: "delta", unit: "m", doc: "Presliding distance", default: 1e-5, min: 1e-12, max: 1.0 },
        ],
        outputs: &["z0", "sigma0", "a"],
        make: |known, out| {
            if let ([fc, fs, delta], [z0, sigma0, a]) = (known, out) {
                *z0 = *delta;
                *sigma0 = fc / delta;
                *a = fs / fc - 1.0;
            }
        },
    }];
    params {
        /// Spring stiffness.
        sigma0: "N/m" = 1e5 in 1e-3..=1e12,
        /// Damping in presliding.
        sigma1: "N·s/m" = 300.0 in 0.0..=1e9,
        /// Largest stretch.
        z0: "m" = 1e-5 in 1e-12..=1.0,
        /// Relative excess of the break-away force.
        a: "-" = 0.5 in 0.0..=10.0,
        /// Viscous coefficient.
        fv: "N·s/m" = 0.0 in 0.0..=1e9,
    }
}

impl<R: Real> ResetIntegrator<R> {
    /// Whether the spring is at its end and `v` pushes on.
    #[inline(always)]
    fn at_end(&self, z: R, v: R) -> R::Mask {
        !(z * v.sign()).lt(self.z0) & R::lit(0.0).lt(v.abs())
    }
}

impl<R: Real> Friction<R> for ResetIntegrator<R> {
    shape!(ResetIntegrator, 1, 2);

    #[inline(always)]
    fn force(&self, z: &[R; 1], u: &Input<R>) -> R {
        let gain = R::select(z[0].abs().lt(self.z0), R::lit(1.0) + self.a, R::lit(1.0));
        (gain * self.sigma0 * z[0] + self.sigma1 * self.rate(z, u)[0]) * u.pressed() + self.fv * u.v
    }
    #[inline(always)]
    fn rate(&self, z: &[R; 1], u: &Input<R>) -> [R; 1] {
        [R::select(self.at_end(z[0], u.v), R::lit(0.0), u.v)]
    }
    #[inline(always)]
    fn settled(&self, u: &Input<R>) -> [R; 1] {
        [self.z0 * u.v.sign()]
    }
    #[inline(always)]
    fn step(&self, z: &[R; 1], u: &Input<R>, dt: R) -> [R; 1] {
        [(z[0] + u.v * dt).clip(self.z0)]
    }
    #[inline(always)]
    fn guards(&self, z: &[R; 1], u: &Input<R>) -> [R; 2] {
        [u.v, z[0].abs() - self.z0]
    }
    #[inline(always)]
    fn jump(&self, z: &[R; 1], _: &Input<R>) -> [R; 1] {
        [z[0].clip(self.z0)]
    }
}
