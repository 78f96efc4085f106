use crate::{Friction, Input, Real, curve::{presliding, stribeck}, model::shape, params, step::sdirk2};

params! {
    /// Elasto-plastic: LuGre with a purely elastic range, so that a small vibration causes no drift.
    ///
    /// ```text
    /// dz/dt = v (1 - alpha(z, v) sigma0/g(v) z sgn v),    g(v) = Fc + (Fs - Fc) exp(-(|v|/vs)^exponent)
    /// alpha = 0 for |z| <= zba or z v < 0, 1 for |z| >= g/sigma0, between them half a sine wave
    /// F = sigma0 z + sigma1 dz/dt + sigma2 v,    zba = stick Fc/sigma0
    /// ```
    pub struct ElastoPlastic = "elasto-plastic";
    cite ["Dupont2002"];
    shows ["presliding displacement", "break-away above Coulomb", "Stribeck effect", "viscous friction",
        "hysteresis in position", "frictional lag", "no drift under small vibration"];
    states { z: "m" }
    require { "fs >= fc" |p| p.fs >= p.fc }
    recipes [presliding("stiffness from break-away force and presliding distance: sigma0 = fs/delta", &["fs", "sigma0"])];
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
        sigma2: "N·s/m" = 0.4 in 0.0..=1e9,
        /// Elastic range as a share of the Coulomb deflection Fc/sigma0.
        stick: "-" = 0.7 in 0.0..=0.99,
    }
}

/// `sin(πt/2)` and its slope on |t| ≤ 1, an odd Chebyshev fit with error 1.8e-16.
#[inline(always)]
fn quarter_sine<R: Real>(t: R) -> (R, R) {
    const C: [f64; 8] = [
        1.570_796_326_794_896_3,
        -0.645_964_097_506_223_2,
        0.079_692_626_245_683_37,
        -0.004_681_754_131_447_062,
        0.000_160_441_169_563_106_3,
        -3.598_810_706_313_679_4e-6,
        5.688_318_064_017_795e-8,
        -6.449_471_237_809_134e-10,
    ];
    let w = t * t;
    let (mut p, mut d) = (R::lit(0.0), R::lit(0.0));
    for c in C.into_iter().rev() {
        d = d * w + p;
        p = p * w + R::lit(c);
    }
    (t * p, p + R::lit(2.0) * w * d)
}

impl<R: Real> ElastoPlastic<R> {
    /// Elastic range and steady deflection at velocity `v`.
    #[inline(always)]
    fn range(&self, v: R) -> (R, R) {
        (self.stick * self.fc / self.sigma0, stribeck!(self).level(v) / self.sigma0)
    }
    /// With `y = z·sgn v`: dy/ds over the travel `s`, and its slope in `y`. Falls from 1 through 0 at `full`.
    #[inline(always)]
    fn flow(y: R, elastic: R, full: R) -> (R, R) {
        let (one, half) = (R::lit(1.0), R::lit(0.5));
        let width = full - elastic;
        let t = (R::lit(2.0) * y - full - elastic) / width;
        let inside = t.abs().lt(one);
        let (sine, slope) = quarter_sine(t.clip(one));
        let alpha = R::select(inside, half + half * sine, R::select(t.lt(R::lit(0.0)), R::lit(0.0), one));
        let dalpha = R::select(inside, slope / width, R::lit(0.0));
        (one - alpha * y / full, -(alpha + dalpha * y) / full)
    }
}

impl<R: Real> Friction<R> for ElastoPlastic<R> {
    shape!(ElastoPlastic, 1, 3);
    const EXACT: bool = false;

    #[inline(always)]
    fn force(&self, z: &[R; 1], u: &Input<R>) -> R {
        (self.sigma0 * z[0] + self.sigma1 * self.rate(z, u)[0]) * u.pressed() + self.sigma2 * u.slip()
    }
    #[inline(always)]
    fn rate(&self, z: &[R; 1], u: &Input<R>) -> [R; 1] {
        let (elastic, full) = self.range(u.slip());
        [u.slip() * Self::flow(z[0] * u.slip().sign(), elastic, full).0]
    }
    #[inline(always)]
    fn settled(&self, u: &Input<R>) -> [R; 1] {
        [self.range(u.slip()).1 * u.slip().sign()]
    }
    // the elastic part is exact, the rest implicit
    #[inline(always)]
    fn step(&self, z: &[R; 1], u: &Input<R>, dt: R) -> [R; 1] {
        let (dir, (elastic, full)) = (u.slip().sign(), self.range(u.slip()));
        // beyond 1e9 deflections all is settled
        let travel = (u.slip().abs() * dt).min(full * R::lit(1e9));
        let y = z[0] * dir;
        let free = (elastic - y).max(R::lit(0.0)).min(travel);
        let end = sdirk2(y + free, full, travel - free, |y| Self::flow(y, elastic, full));
        [R::select(R::lit(0.0).lt(travel), end * dir, z[0])]
    }
    #[inline(always)]
    fn guards(&self, z: &[R; 1], u: &Input<R>) -> [R; 3] {
        let (elastic, full) = self.range(u.slip());
        // against its deflection the bristle is elastic throughout
        let y = z[0] * u.slip().sign();
        [u.slip(), y - elastic, y - full]
    }
}
