use crate::{Friction, Input, Real, model::shape, params, step::{linear, sdirk2}};

/// What a force without limit grows to \[N\].
const UNLIMITED: f64 = 1e30;

params! {
    /// Bouc-Wen: a smooth hysteresis loop with adjustable fullness.
    ///
    /// ```text
    /// dz/dt = alpha v - beta (gamma |v| |z|^(nu-1) z + delta v |z|^nu)
    /// F = z + fv v,    Fc = (alpha/(beta (gamma + delta)))^(1/nu)
    /// ```
    /// With |delta| <= gamma the loop dissipates. With gamma + delta <= 0 it does not yield: there is no level Fc, the force
    /// grows with the travel without bound, and no steady curve exists. Then nu must be 1: with nu above 1 and gamma + delta
    /// below 0 the force would be infinite after a finite travel.
    pub struct BoucWen = "bouc-wen";
    cite ["Bouc1967", "Wen1976", "Noel2016"];
    shows ["presliding displacement", "hysteresis in position", "rate independence"];
    states { z: "N" }
    require {
        "gamma + delta > 0 or nu = 1" |p| p.gamma + p.delta > 0.0 || p.nu == 1.0,
        "delta <= gamma" |p| p.delta <= p.gamma,
    }
    params {
        /// Stiffness at z = 0.
        alpha: "N/m" = 1e5 in 1e-3..=1e12,
        /// Rate of saturation, over the travel.
        beta: "N^(1-ν)/m" = 1e5 in 1e-6..=1e12,
        /// Share that dissipates.
        gamma: "-" = 0.5 in 1e-6..=10.0,
        /// Share that bends the loop.
        delta: "-" = 0.5 in -10.0..=10.0,
        /// Sharpness of the knee.
        nu: "-" = 1.0 in 1.0..=10.0,
        /// Viscous coefficient.
        fv: "N·s/m" = 0.0 in 0.0..=1e9,
    }
}

impl<R: Real> BoucWen<R> {
    /// With `y = z·sgn v`: dy/ds over the travel and its slope in `y`. Falls through 0 at the Coulomb level.
    #[inline(always)]
    fn flow(&self, y: R) -> (R, R) {
        let bend = self.beta * R::select(y.lt(R::lit(0.0)), self.delta - self.gamma, self.delta + self.gamma);
        let size = y.abs();
        let p = size.powf(self.nu - R::lit(1.0));
        (self.alpha - bend * p * size, -bend * self.nu * p * R::select(y.lt(R::lit(0.0)), -R::lit(1.0), R::lit(1.0)))
    }
    /// The exact step for nu = 1: linear on either side of y = 0.
    #[inline(always)]
    fn linear(&self, y: R, travel: R) -> R {
        let zero = R::lit(0.0);
        let (back, ahead) = (self.beta * (self.gamma - self.delta), self.beta * (self.gamma + self.delta));
        // from y < 0 to zero: (-y/alpha) ln(1 + q)/q of travel, q = -back y/alpha
        let below = (-y).max(zero) / self.alpha;
        let q = back * below;
        let small = q.lt(R::lit(1e-9));
        let to_zero = below * R::select(small, R::lit(1.0) - R::lit(0.5) * q, q.ln_1p() / R::select(small, R::lit(1.0), q));
        let rest = travel - to_zero;
        let rising = linear(y.max(zero), self.alpha, ahead, rest.max(zero));
        R::select(rest.lt(zero), linear(y.min(zero), self.alpha, back, travel.min(to_zero)), rising)
    }
    /// Whether there is a level that the force tends to.
    #[inline(always)]
    fn is_bounded(&self) -> R::Mask {
        R::lit(0.0).lt(self.gamma + self.delta)
    }
    /// The Coulomb level; where there is none, a force beyond all machines, so that every number stays finite.
    #[inline(always)]
    fn level(&self) -> R {
        let sum = R::select(self.is_bounded(), self.gamma + self.delta, R::lit(1.0));
        let level = (self.alpha / (self.beta * sum)).powf(R::lit(1.0) / self.nu);
        R::select(self.is_bounded(), level, R::lit(UNLIMITED))
    }
}

impl<R: Real> Friction<R> for BoucWen<R> {
    shape!(BoucWen, 1, 2);
    // exact for nu = 1 only
    const EXACT: bool = false;

    #[inline(always)]
    fn force(&self, z: &[R; 1], u: &Input<R>) -> R {
        z[0] * u.pressed() + self.fv * u.slip()
    }
    #[inline(always)]
    fn rate(&self, z: &[R; 1], u: &Input<R>) -> [R; 1] {
        [u.slip() * self.flow(z[0] * u.slip().sign()).0]
    }
    #[inline(always)]
    fn settles(&self) -> R::Mask {
        self.is_bounded()
    }
    #[inline(always)]
    fn settled(&self, u: &Input<R>) -> [R; 1] {
        [self.level() * u.slip().sign()]
    }
    #[inline(always)]
    fn step(&self, z: &[R; 1], u: &Input<R>, dt: R) -> [R; 1] {
        let (dir, full) = (u.slip().sign(), self.level());
        // beyond 1e9 elastic lengths all is settled
        let travel = (u.slip().abs() * dt).min(full / self.alpha * R::lit(1e9));
        let y = z[0] * dir;
        let curved = R::lit(1.0).lt(self.nu);
        let end = R::select_lazy(curved, || sdirk2(y, full, travel, |y| self.flow(y)), self.linear(y, travel).min(y.max(full)));
        [R::select(R::lit(0.0).lt(travel), end * dir, z[0])]
    }
    #[inline(always)]
    fn guards(&self, z: &[R; 1], u: &Input<R>) -> [R; 2] {
        [u.slip(), z[0]]
    }
}
