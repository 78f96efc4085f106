use crate::{Friction, Input, Param, Params, Real, Recipe, curve, curve::{presliding, stribeck}, model::shape, params, step::relax};

params! {
    /// LuGre: the average deflection z of elastic bristles, with a Stribeck level.
    ///
    /// ```text
    /// dz/dt = v - sigma0 |v|/g(v) z
    /// g(v) = Fc + (Fs - Fc) exp(-(|v|/vs)^exponent)
    /// F = sigma0 z + sigma1 exp(-(v/vd)^2) dz/dt + sigma2 |v|^gamma sgn v
    /// ```
    /// |z| never exceeds Fs/sigma0. With constant sigma1 (vd large) the law is passive from v to F only if
    /// sigma2 > sigma1 (Fs - Fc)/Fc; a damping that fades with speed is the remedy.
    pub struct LuGre = "lugre";
    cite ["CanudasDeWit1995", "Astrom2008", "Andersson2007"];
    shows ["presliding displacement", "break-away above Coulomb", "Stribeck effect", "viscous friction",
        "hysteresis in position", "frictional lag", "break-away falling with force rate"];
    states { z: "m" }
    require { "fs >= fc" |p| p.fs >= p.fc }
    recipes [
        Recipe {
            doc: "bristles of a pressed body, critically damped: fc = mu normal, fs = fc ls/lc, \
                  sigma0 = fc/lc, sigma1 = 2 sqrt(mass sigma0)",
            inputs: &[
                Param { name: "mu", unit: "-", doc: "Coefficient of friction", default: 0.3, min: 1e-6, max: 10.0 },
                Param { name: "normal", unit: "N", doc: "Normal load", default: 10.0, min: 1e-6, max: 1e9 },
                Param { name: "lc", unit: "m", doc: "Micro-slip length", default: 3e-3, min: 1e-12, max: 1.0 },
                Param { name: "mass", unit: "kg", doc: "Sliding mass", default: 1.0, min: 1e-9, max: 1e9 },
                Param { name: "ls_over_lc", unit: "-", doc: "Break-away over Coulomb level", default: 2.0, min: 1.0, max: 10.0 },
            ],
            outputs: &["fc", "fs", "sigma0", "sigma1"],
            make: |known, out| {
                if let ([mu, normal, lc, mass, ratio], [fc, fs, sigma0, sigma1]) = (known, out) {
                    let law = LuGre::from_contact(*mu, *normal, *lc, *mass);
                    (*fc, *fs, *sigma0, *sigma1) = (law.fc, law.fc * ratio, law.sigma0, law.sigma1);
                }
            },
        },
        presliding("stiffness from break-away force and presliding distance: sigma0 = fs/delta", &["fs", "sigma0"]),
    ];
    params {
        /// Coulomb level Fc.
        fc: "N" = 1.0 in 1e-9..=1e9,
        /// Break-away level Fs.
        fs: "N" = 1.5 in 1e-9..=1e9,
        /// Stribeck velocity vs.
        vs: "m/s" = 1e-3 in 1e-9..=1e3,
        /// Stribeck exponent.
        exponent: "-" = 2.0 in 0.1..=10.0,
        /// Bristle stiffness.
        sigma0: "N/m" = 1e5 in 1e-3..=1e12,
        /// Bristle damping.
        sigma1: "N·s/m" = 316.22776601683796 in 0.0..=1e9,
        /// Viscous coefficient.
        sigma2: "N·(s/m)^γ" = 0.4 in 0.0..=1e9,
        /// Power of the speed in the viscous term.
        gamma: "-" = 1.0 in 0.05..=1.0,
        /// Speed at which the bristle damping fades; the largest value keeps it constant.
        vd: "m/s" = 1e9 in 1e-9..=1e9,
    }
}

impl<R: Real> LuGre<R> {
    /// Bristles of a body of `mass` pressed by `normal`, critically damped: Fc = µN, σ0 = µN/lc, σ1 = 2√(mσ0) for a
    /// micro-slip length lc. Without a Stribeck effect (Fs = Fc) and viscous friction; set these fields after.
    #[inline]
    pub fn from_contact(mu: R, normal: R, lc: R, mass: R) -> Self {
        let fc = mu * normal;
        let sigma0 = fc / lc;
        let sigma1 = R::lit(2.0) * (mass * sigma0).sqrt();
        Self { fc, fs: fc, sigma0, sigma1, sigma2: R::lit(0.0), ..Self::nominal() }
    }
    /// Bristle damping at velocity `v`.
    #[inline(always)]
    fn damping(&self, v: R) -> R {
        let r = v * (R::lit(1.0) / self.vd);
        let x = r * r;
        // below 2⁻⁵³ the exponential is 1 to the last bit
        self.sigma1 * R::select_decay(R::lit(1e-16).lt(x), x, R::lit(1.0))
    }
    /// Deflection per unit of level, by the reciprocal: a loop over samples computes it once.
    #[inline(always)]
    fn compliance(&self) -> R {
        R::lit(1.0) / self.sigma0
    }
    /// Bristle rate at velocity `v`, given `rest = σ0/g(v)`.
    #[inline(always)]
    fn bend(z: R, v: R, rest: R) -> R {
        v - v.abs() * (z * rest)
    }
    /// Force at deflection `z` and its rate. Load scales the bristle force as a whole, so the micro-slip distance
    /// g/σ0 stays.
    #[inline(always)]
    fn total(&self, z: R, rate: R, u: &Input<R>) -> R {
        let bristle = self.sigma0 * z + self.damping(u.slip()) * rate;
        bristle * u.pressed() + curve::viscous(u.slip(), self.sigma2, self.gamma)
    }
}

impl<R: Real> Friction<R> for LuGre<R> {
    shape!(LuGre, 1, 1);

    #[inline(always)]
    fn force(&self, z: &[R; 1], u: &Input<R>) -> R {
        self.flow(z, u).1
    }
    #[inline(always)]
    fn flow(&self, z: &[R; 1], u: &Input<R>) -> ([R; 1], R) {
        let rate = self.rate(z, u);
        (rate, self.total(z[0], rate[0], u))
    }
    #[inline(always)]
    fn rate(&self, z: &[R; 1], u: &Input<R>) -> [R; 1] {
        // the division last: the level is known last, and all else is ready by then
        let v = u.slip();
        [v - v.abs() * (z[0] * self.sigma0) / stribeck!(self).level(v)]
    }
    #[inline(always)]
    fn settled(&self, u: &Input<R>) -> [R; 1] {
        [stribeck!(self).level(u.slip()) * self.compliance() * u.slip().sign()]
    }
    // g sgn v + f(v) itself: through dz/dt it would carry the rounding of a difference, times sigma1
    #[inline(always)]
    fn steady(&self, u: &Input<R>) -> R {
        let v = u.slip();
        stribeck!(self).level(v) * u.pressed() * v.sign() + curve::viscous(v, self.sigma2, self.gamma)
    }
    #[inline(always)]
    fn step(&self, z: &[R; 1], u: &Input<R>, dt: R) -> [R; 1] {
        self.sample(z, u, dt).0
    }
    // at constant v the rate is linear in z
    #[inline(always)]
    fn sample(&self, z: &[R; 1], u: &Input<R>, dt: R) -> ([R; 1], R) {
        let v = u.slip();
        let g = stribeck!(self).level(v);
        let rest = self.sigma0 / g;
        let z = relax(z[0], g * self.compliance() * v.sign(), v.abs() * dt * rest);
        ([z], self.total(z, Self::bend(z, v, rest), u))
    }
}
