use super::rate_state::{bounded, renew};
use crate::{Friction, Input, Real, curve::rate_state, model::shape, params};

params! {
    /// Dieterich: rate and state with the ageing law; contacts strengthen with time even at rest.
    ///
    /// ```text
    /// F = a N asinh(v/(2 v0) exp((mu0 + b ln(v0 theta/dc) + b2 ln(v0 theta2/dc2))/a))
    /// dtheta/dt = 1 - |v| theta/dc         (and so theta2 with dc2)
    /// ```
    /// At laboratory speeds this is the classic mu0 + a ln(v/v0) + b ln(v0 theta/dc) as long as mu0 >> a; through
    /// v = 0 it stays smooth (Rice2001). The memory is psi = ln(v0 theta/dc), zero in steady sliding at v0.
    pub struct Dieterich = "dieterich";
    cite ["Dieterich1979", "Marone1998", "Rice2001"];
    shows ["Stribeck effect", "frictional lag", "break-away growing with dwell time"];
    states { psi: "-", psi2: "-" }
    params {
        /// Friction coefficient in steady sliding at v0.
        mu0: "-" = 0.6 in 0.0..=10.0,
        /// Direct effect of speed.
        a: "-" = 0.01 in 1e-5..=1.0,
        /// Evolution effect of the first state.
        b: "-" = 0.015 in -1.0..=1.0,
        /// Critical distance of the first state.
        dc: "m" = 1e-5 in 1e-12..=1e3,
        /// Evolution effect of the second state; 0 leaves one state.
        b2: "-" = 0.0 in -1.0..=1.0,
        /// Critical distance of the second state.
        dc2: "m" = 1e-4 in 1e-12..=1e3,
        /// Reference speed.
        v0: "m/s" = 1e-6 in 1e-15..=1e3,
        /// Normal load N at load factor 1.
        normal: "N" = 1.0 in 0.0..=1e12,
    }
}

impl<R: Real> Friction<R> for Dieterich<R> {
    shape!(Dieterich, 2, 1);

    #[inline(always)]
    fn force(&self, z: &[R; 2], u: &Input<R>) -> R {
        let age = self.mu0 + self.b * z[0] + self.b2 * z[1];
        rate_state(u.slip() / self.v0, age, self.a) * self.normal * u.pressed()
    }
    // theta = (dc/v0) e^psi:  dpsi/dt = (v0 e^-psi - |v|)/dc
    #[inline(always)]
    fn rate(&self, z: &[R; 2], u: &Input<R>) -> [R; 2] {
        let speed = u.slip().abs();
        [(self.v0 * (-z[0]).exp() - speed) / self.dc, (self.v0 * (-z[1]).exp() - speed) / self.dc2]
    }
    #[inline(always)]
    fn settled(&self, u: &Input<R>) -> [R; 2] {
        let psi = (self.v0 / bounded(u.slip())).ln();
        [psi, psi]
    }
    // theta relaxes linearly at constant v
    #[inline(always)]
    fn step(&self, z: &[R; 2], u: &Input<R>, dt: R) -> [R; 2] {
        let speed = bounded(u.slip());
        let age = |psi: R, dc: R| renew(psi.exp(), self.v0 / speed, speed * dt / dc).ln();
        [age(z[0], self.dc), age(z[1], self.dc2)]
    }
}
