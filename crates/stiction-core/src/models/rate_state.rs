use crate::{Friction, Input, Real, model::shape, params};

params! {
    /// Ruina-Rice rate and state: friction grows with the logarithm of speed and of contact age.
    ///
    /// ```text
    /// mu = mu0 + a ln(1 + |v|/v0) + b ln(1 + theta/theta0)
    /// dtheta/dt = 1 - theta |v|/d0
    /// F = mu N sgn v      v != 0;      at v = 0 any force up to mu N
    /// ```
    /// `dieterich` and `ruina` are the classic laboratory forms, smooth through v = 0.
    pub struct RateState = "rate-state";
    cite ["Ruina1983", "Rice1983", "Astrom2008"];
    shows ["true stick", "Stribeck effect", "frictional lag", "break-away growing with dwell time"];
    states { theta: "s" }
    params {
        /// Friction coefficient of a fresh contact at rest.
        mu0: "-" = 0.6 in 0.0..=10.0,
        /// Direct effect of speed A.
        a: "-" = 0.01 in 0.0..=1.0,
        /// Effect of contact age B.
        b: "-" = 0.015 in 0.0..=1.0,
        /// Speed scale.
        v0: "m/s" = 1e-6 in 1e-15..=1e3,
        /// Age scale.
        theta0: "s" = 0.01 in 1e-9..=1e12,
        /// Distance over which contacts are renewed.
        d0: "m" = 1e-5 in 1e-12..=1.0,
        /// Normal load N at load factor 1.
        normal: "N" = 1.0 in 0.0..=1e12,
    }
}

/// The speed within what a number can hold: a contact at rest ages for ever, so its speed counts as 1e-20 m/s.
#[inline(always)]
pub(crate) fn bounded<R: Real>(v: R) -> R {
    v.abs().max(R::lit(1e-20)).min(R::lit(1e20))
}

/// A positive `age` relaxing towards `target` for `x` distance constants. As [`crate::step::relax`], but a sum of
/// positive terms: ages span twenty decades and must keep their digits when they shrink.
#[inline(always)]
pub(crate) fn renew<R: Real>(age: R, target: R, x: R) -> R {
    age * (-x).exp() - target * (-x).exp_m1()
}

impl<R: Real> RateState<R> {
    /// The coefficient at `speed ≥ 0`.
    #[inline(always)]
    fn mu(&self, theta: R, speed: R) -> R {
        self.mu0 + self.a * (speed / self.v0).ln_1p() + self.b * (theta / self.theta0).ln_1p()
    }
}

impl<R: Real> Friction<R> for RateState<R> {
    shape!(RateState, 1, 1);

    #[inline(always)]
    fn force(&self, z: &[R; 1], u: &Input<R>) -> R {
        self.mu(z[0], u.slip().abs()) * self.normal * u.pressed() * u.slip().sign()
    }
    #[inline(always)]
    fn rate(&self, z: &[R; 1], u: &Input<R>) -> [R; 1] {
        [R::lit(1.0) - z[0] * u.slip().abs() / self.d0]
    }
    #[inline(always)]
    fn settled(&self, u: &Input<R>) -> [R; 1] {
        [self.d0 / bounded(u.slip())]
    }
    #[inline(always)]
    fn step(&self, z: &[R; 1], u: &Input<R>, dt: R) -> [R; 1] {
        let speed = bounded(u.slip());
        [renew(z[0], self.d0 / speed, speed * dt / self.d0)]
    }
    #[inline(always)]
    fn hold(&self, z: &[R; 1], u: &Input<R>, _: R) -> R {
        self.mu(z[0], R::lit(0.0)) * self.normal * u.pressed()
    }
}
