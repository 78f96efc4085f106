use crate::{Friction, Input, Real, curve::stribeck, model::shape, params, step::relax};

/// Elements.
const N: usize = 4;

params! {
    /// GMS, generalised Maxwell slip: four massless blocks on springs, each sticking or slipping, share the load.
    ///
    /// ```text
    /// s(v) = Fc + (Fs - Fc) exp(-(|v|/vs)^exponent),   w_i = alpha_i / sum alpha
    /// stuck:     dF_i/dt = k_i v                        until F_i sgn v = w_i s(v)
    /// slipping:  dF_i/dt = C (w_i sgn v - F_i/s(v))     until v changes sign
    /// F = sum F_i + sigma2 v
    /// ```
    pub struct Gms = "gms";
    cite ["AlBender2005"];
    shows ["presliding displacement", "break-away above Coulomb", "Stribeck effect", "viscous friction",
        "hysteresis in position", "nonlocal memory", "frictional lag"];
    states { f1: "N", f2: "N", f3: "N", f4: "N", slip1: "-", slip2: "-", slip3: "-", slip4: "-" }
    require {
        "fs >= fc" |p| p.fs >= p.fc,
        "k_i > 0 where alpha_i > 0" |p| p.stiffness().iter().zip(p.shares()).all(|(k, w)| *k > 0.0 || w <= 0.0),
        "alpha1 + alpha2 + alpha3 + alpha4 > 0" |p| p.alpha1 + p.alpha2 + p.alpha3 + p.alpha4 > 0.0,
    }
    params {
        /// Coulomb level Fc.
        fc: "N" = 1.0 in 1e-9..=1e9,
        /// Break-away level Fs.
        fs: "N" = 1.5 in 1e-9..=1e9,
        /// Stribeck velocity vs.
        vs: "m/s" = 1e-3 in 1e-9..=1e3,
        /// Stribeck exponent.
        exponent: "-" = 2.0 in 0.1..=10.0,
        /// Attraction rate C towards the Stribeck level, the frictional lag.
        c: "N/s" = 100.0 in 1e-6..=1e12,
        /// Viscous coefficient.
        sigma2: "N·s/m" = 0.4 in 0.0..=1e9,
        /// Stiffness of element 1.
        k1: "N/m" = 1e5 in 0.0..=1e12,
        /// Stiffness of element 2.
        k2: "N/m" = 5e4 in 0.0..=1e12,
        /// Stiffness of element 3.
        k3: "N/m" = 2.5e4 in 0.0..=1e12,
        /// Stiffness of element 4.
        k4: "N/m" = 1.25e4 in 0.0..=1e12,
        /// Share of element 1 in the level.
        alpha1: "-" = 1.0 in 0.0..=1e3,
        /// Share of element 2 in the level.
        alpha2: "-" = 1.0 in 0.0..=1e3,
        /// Share of element 3 in the level.
        alpha3: "-" = 1.0 in 0.0..=1e3,
        /// Share of element 4 in the level.
        alpha4: "-" = 1.0 in 0.0..=1e3,
    }
}

impl<R: Real> Gms<R> {
    #[inline(always)]
    fn stiffness(&self) -> [R; N] {
        [self.k1, self.k2, self.k3, self.k4]
    }
    /// Shares, summing to one.
    #[inline(always)]
    fn shares(&self) -> [R; N] {
        let all = self.alpha1 + self.alpha2 + self.alpha3 + self.alpha4;
        [self.alpha1 / all, self.alpha2 / all, self.alpha3 / all, self.alpha4 / all]
    }
    #[inline(always)]
    fn level(&self, v: R) -> R {
        stribeck!(self).level(v)
    }
}

// slip_i is the direction in which element i slips, 0 when it sticks
impl<R: Real> Friction<R> for Gms<R> {
    shape!(Gms, 2 * N, 1 + N);

    #[inline(always)]
    fn force(&self, z: &[R; 2 * N], u: &Input<R>) -> R {
        (z[0] + z[1] + z[2] + z[3]) * u.pressed() + self.sigma2 * u.slip()
    }
    #[inline(always)]
    fn rate(&self, z: &[R; 2 * N], u: &Input<R>) -> [R; 2 * N] {
        let (s, k, w) = (self.level(u.slip()), self.stiffness(), self.shares());
        let mut d = [R::lit(0.0); 2 * N];
        for i in 0..N {
            let slips = R::lit(0.0).lt(z[N + i].abs());
            d[i] = R::select(slips, self.c * (w[i] * u.slip().sign() - z[i] / s), k[i] * u.slip());
        }
        d
    }
    #[inline(always)]
    fn flows(i: usize) -> bool {
        i < N
    }
    #[inline(always)]
    fn settled(&self, u: &Input<R>) -> [R; 2 * N] {
        let (dir, s, w) = (u.slip().sign(), self.level(u.slip()), self.shares());
        let mut z = [dir; 2 * N];
        for i in 0..N {
            z[i] = w[i] * s * dir;
        }
        z
    }
    // at constant v a stuck element that reaches its limit is already where slipping would take it
    #[inline(always)]
    fn step(&self, z: &[R; 2 * N], u: &Input<R>, dt: R) -> [R; 2 * N] {
        let mut z = self.jump(z, u);
        // finite, so that a spring without stiffness stays without force
        let travel = (u.slip().abs() * dt).min(R::lit(1e30));
        let (dir, s, k, w) = (u.slip().sign(), self.level(u.slip()), self.stiffness(), self.shares());
        for i in 0..N {
            let (limit, slips) = (w[i] * s, R::lit(0.0).lt(z[N + i].abs()));
            let slid = relax(z[i], limit * dir, self.c * dt / s);
            // not at its limit in this direction, so the limit is ahead
            let pulled = (z[i] * dir + k[i] * travel).min(limit) * dir;
            let stuck = R::select(R::lit(0.0).lt(dir.abs()), pulled, z[i]);
            z[i] = R::select(slips, slid, stuck);
        }
        self.jump(&z, u)
    }
    #[inline(always)]
    fn guards(&self, z: &[R; 2 * N], u: &Input<R>) -> [R; 1 + N] {
        let (s, w) = (self.level(u.slip()), self.shares());
        let mut g = [u.slip(); 1 + N];
        for i in 0..N {
            // while an element slips its guard waits; a stuck one meets its limit only in the direction of motion
            let slips = R::lit(0.0).lt(z[N + i].abs());
            g[1 + i] = R::select(slips, -R::lit(1.0), z[i] * u.slip().sign() - w[i] * s);
        }
        g
    }
    // slip ends when v turns or stops, and begins at the limit, in the direction of v
    #[inline(always)]
    fn jump(&self, z: &[R; 2 * N], u: &Input<R>) -> [R; 2 * N] {
        let (mut z, dir, s, w) = (*z, u.slip().sign(), self.level(u.slip()), self.shares());
        for i in 0..N {
            let goes_on = R::lit(0.0).lt(z[N + i] * dir);
            let at_limit = !(z[i] * dir).lt(w[i] * s) & R::lit(0.0).lt(dir.abs());
            z[N + i] = R::select(goes_on | at_limit, dir, R::lit(0.0));
        }
        z
    }
}
