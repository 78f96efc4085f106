use crate::{Friction, Input, Real, model::shape, params, step::relax};

params! {
    /// Bliman-Sorine: two Dahl models in parallel; a break-away peak without any dependence on speed.
    ///
    /// ```text
    /// s = integral |v| dt:   dx1/ds = (f1 sgn v - x1)/(eta eps)
    ///                        dx2/ds = -(f2 sgn v + x2)/eps
    /// F = x1 + x2,   Fc = f1 - f2
    /// ```
    /// From rest the force peaks at s = eta eps/(1 - eta) ln(f1/(eta f2)).
    pub struct BlimanSorine = "bliman-sorine";
    cite ["Bliman1995", "Astrom2008"];
    shows ["presliding displacement", "break-away above Coulomb", "hysteresis in position", "rate independence"];
    states { x1: "N", x2: "N" }
    require { "f1 > f2" |p| p.f1 > p.f2 }
    params {
        /// Force of the fast, rising part.
        f1: "N" = 1.8 in 1e-9..=1e9,
        /// Force of the slow, falling part.
        f2: "N" = 0.8 in 0.0..=1e9,
        /// Ratio of the two distances.
        eta: "-" = 0.25 in 1e-3..=0.999,
        /// Distance of the slow part.
        eps: "m" = 1e-3 in 1e-12..=1.0,
    }
}

impl<R: Real> Friction<R> for BlimanSorine<R> {
    shape!(BlimanSorine, 2, 1);

    #[inline(always)]
    fn force(&self, x: &[R; 2], u: &Input<R>) -> R {
        (x[0] + x[1]) * u.pressed()
    }
    #[inline(always)]
    fn rate(&self, x: &[R; 2], u: &Input<R>) -> [R; 2] {
        let (dir, speed) = (u.slip().sign(), u.slip().abs());
        [(self.f1 * dir - x[0]) * speed / (self.eta * self.eps), (-self.f2 * dir - x[1]) * speed / self.eps]
    }
    #[inline(always)]
    fn settled(&self, u: &Input<R>) -> [R; 2] {
        [self.f1 * u.slip().sign(), -self.f2 * u.slip().sign()]
    }
    #[inline(always)]
    fn step(&self, x: &[R; 2], u: &Input<R>, dt: R) -> [R; 2] {
        let (to, s) = (self.settled(u), u.slip().abs() * dt / self.eps);
        [relax(x[0], to[0], s / self.eta), relax(x[1], to[1], s)]
    }
}
