use crate::{Friction, Input, Param, Real, Recipe, model::shape, params};

params! {
    /// Reset integrator: a spring that stops stretching at z0, with an excess of force until then.
    ///
    /// ```text
    /// stuck:     dz/dt = v,  F = (1 + a) sigma0 z + sigma1 v    until |z| = z0
    /// slipping:  dz/dt = 0,  F = sigma0 z                       until v changes sign
    /// in both plus Fv v
    /// ```
    /// Fc = sigma0 z0, break-away at (1 + a) Fc.
    pub struct ResetIntegrator = "reset-integrator";
    cite ["Haessig1991"];
    shows ["presliding displacement", "break-away above Coulomb"];
    states { z: "m", slip: "-" }
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

// slip is the direction of slipping, 0 when stuck
impl<R: Real> Friction<R> for ResetIntegrator<R> {
    shape!(ResetIntegrator, 2, 2);

    #[inline(always)]
    fn force(&self, z: &[R; 2], u: &Input<R>) -> R {
        let slips = R::lit(0.0).lt(z[1].abs());
        let stuck = (R::lit(1.0) + self.a) * self.sigma0 * z[0] + self.sigma1 * u.slip();
        R::select(slips, self.sigma0 * z[0], stuck) * u.pressed() + self.fv * u.slip()
    }
    #[inline(always)]
    fn rate(&self, z: &[R; 2], u: &Input<R>) -> [R; 2] {
        [R::select(R::lit(0.0).lt(z[1].abs()), R::lit(0.0), u.slip()), R::lit(0.0)]
    }
    #[inline(always)]
    fn flows(i: usize) -> bool {
        i == 0
    }
    #[inline(always)]
    fn settled(&self, u: &Input<R>) -> [R; 2] {
        [self.z0 * u.slip().sign(), u.slip().sign()]
    }
    #[inline(always)]
    fn step(&self, z: &[R; 2], u: &Input<R>, dt: R) -> [R; 2] {
        self.jump(&[z[0] + u.slip() * dt, z[1]], u)
    }
    #[inline(always)]
    fn guards(&self, z: &[R; 2], u: &Input<R>) -> [R; 2] {
        let slips = R::lit(0.0).lt(z[1].abs());
        [u.slip(), R::select(slips, -R::lit(1.0), z[0] * u.slip().sign() - self.z0)]
    }
    #[inline(always)]
    fn jump(&self, z: &[R; 2], u: &Input<R>) -> [R; 2] {
        let dir = u.slip().sign();
        let at_end = !(z[0] * dir).lt(self.z0) & R::lit(0.0).lt(dir.abs());
        let turned = (z[1] * dir).lt(R::lit(0.0));
        // only the stretch in the direction of motion is limited: the other direction may have another limit
        [R::select(at_end, self.z0 * dir, z[0]), R::select(at_end, dir, R::select(turned, R::lit(0.0), z[1]))]
    }
}
