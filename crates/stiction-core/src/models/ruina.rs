use super::rate_state::bounded;
use crate::{Friction, Input, Real, curve::rate_state, model::shape, params, step::relax};

params! {
    /// Ruina: rate and state with the slip law; contacts evolve only while they slide.
    ///
    /// ```text
    /// F = a N asinh(v/(2 v0) exp((mu0 + b ln(v0 theta/dc) + b2 ln(v0 theta2/dc2))/a))
    /// dtheta/dt = -(|v| theta/dc) ln(|v| theta/dc)         (and so theta2 with dc2)
    /// ```
    /// At laboratory speeds this is the classic mu0 + a ln(v/v0) + b ln(v0 theta/dc) as long as mu0 >> a; through
    /// v = 0 it stays smooth (Rice2001). The memory is psi = ln(v0 theta/dc), zero in steady sliding at v0.
    pub struct Ruina = "ruina";
    cite ["Ruina1983", "Marone1998", "Rice2001"];
    shows ["Stribeck effect", "frictional lag"];
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

impl<R: Real> Friction<R> for Ruina<R> {
    shape!(Ruina, 2, 1);

    #[inline(always)]
    fn force(&self, z: &[R; 2], u: &Input<R>) -> R {
        let age = self.mu0 + self.b * z[0] + self.b2 * z[1];
        rate_state(u.slip() / self.v0, age, self.a) * self.normal * u.pressed()
    }
    // psi = ln(v0 theta/dc):  dpsi/dt = (|v|/dc) (ln(v0/|v|) - psi)
    #[inline(always)]
    fn rate(&self, z: &[R; 2], u: &Input<R>) -> [R; 2] {
        let (to, speed) = (self.settled(u), u.slip().abs());
        [speed / self.dc * (to[0] - z[0]), speed / self.dc2 * (to[1] - z[1])]
    }
    #[inline(always)]
    fn settled(&self, u: &Input<R>) -> [R; 2] {
        let psi = (self.v0 / bounded(u.slip())).ln();
        [psi, psi]
    }
    // psi relaxes linearly at constant v
    #[inline(always)]
    fn step(&self, z: &[R; 2], u: &Input<R>, dt: R) -> [R; 2] {
        let (to, travel) = (self.settled(u), u.slip().abs() * dt);
        [relax(z[0], to[0], travel / self.dc), relax(z[1], to[1], travel / self.dc2)]
    }
}
