use crate::model::{GUARD_ROUNDING, shape};
use crate::{Friction, Input, Param, Real, Recipe, params};

params! {
    /// Dahl: the stress-strain curve of a solid, as a function of displacement alone.
    ///
    /// ```text
    /// dF/dx = sigma |1 - (F/Fc) sgn v|^shape sgn(1 - (F/Fc) sgn v)
    /// F = sigma z;   shape = 1:  dz/dt = v - sigma |v|/Fc z
    /// ```
    /// A shape below 1 reaches Fc at a finite travel, above 1 ever more slowly.
    pub struct Dahl = "dahl";
    cite ["Dahl1977", "Astrom2008", "Andersson2007"];
    shows ["presliding displacement", "hysteresis in position", "rate independence"];
    states { z: "m" }
    recipes [Recipe {
        doc: "stiffness from break-away force and presliding distance: sigma = fc/delta",
        inputs: &[
            Param { name: "fc", unit: "N", doc: "Coulomb level", default: 1.0, min: 1e-9, max: 1e9 },
            Param { name: "delta", unit: "m", doc: "Presliding distance", default: 1e-5, min: 1e-12, max: 1.0 },
        ],
        outputs: &["fc", "sigma"],
        make: crate::curve::stiffness,
    }];
    params {
        /// Coulomb level Fc.
        fc: "N" = 1.0 in 1e-9..=1e9,
        /// Stiffness at F = 0.
        sigma: "N/m" = 1e4 in 1e-3..=1e12,
        /// Shape exponent i.
        shape: "-" = 1.0 in 0.1..=5.0,
    }
}

/// Distance from the limit, as a share of it, within which the limit is reached: that to which an event is located. What is left to the limit is the
/// guard, and at most 2, just after a reversal at the opposite limit. A law that told its modes apart more finely than that would not have
/// changed its mode at the event: the branch, whose slope is unbounded at the limit, would pass it, come back, and so on.
const ARRIVED: f64 = 2.0 * GUARD_ROUNDING;

impl<R: Real> Dahl<R> {
    /// What is left to the limit in the direction of motion: 1 − (F/Fc)·sgn v.
    #[inline(always)]
    fn left(&self, z: R, dir: R) -> R {
        R::lit(1.0) - self.sigma * z / self.fc * dir
    }
    /// Whether the limit is reached, where it is reached at a finite travel. It is then kept until the motion turns.
    #[inline(always)]
    fn is_saturated(&self, left: R) -> R::Mask {
        self.has_modes() & left.abs().lt(R::lit(ARRIVED))
    }
    /// The deflection, exactly at the limit if it is saturated.
    #[inline(always)]
    fn settle(&self, z: R, dir: R) -> R {
        R::select(self.is_saturated(self.left(z, dir)), self.fc / self.sigma * dir, z)
    }
}

impl<R: Real> Friction<R> for Dahl<R> {
    shape!(Dahl, 1, 2);

    #[inline(always)]
    fn force(&self, z: &[R; 1], u: &Input<R>) -> R {
        self.sigma * z[0] * u.pressed()
    }
    #[inline(always)]
    fn rate(&self, z: &[R; 1], u: &Input<R>) -> [R; 1] {
        let y = self.left(z[0], u.slip().sign());
        [R::select(self.is_saturated(y), R::lit(0.0), u.slip() * y.abs().powf(self.shape) * y.sign())]
    }
    #[inline(always)]
    fn settled(&self, u: &Input<R>) -> [R; 1] {
        [self.fc / self.sigma * u.slip().sign()]
    }
    #[inline(always)]
    fn step(&self, z: &[R; 1], u: &Input<R>, dt: R) -> [R; 1] {
        let end = advance(z[0], self.fc / self.sigma, self.shape, u.slip(), dt);
        [self.settle(end, u.slip().sign())]
    }
    #[inline(always)]
    fn has_modes(&self) -> R::Mask {
        self.shape.lt(R::lit(1.0))
    }
    #[inline(always)]
    fn guards(&self, z: &[R; 1], u: &Input<R>) -> [R; 2] {
        let y = self.left(z[0], u.slip().sign());
        // positive at and beyond the limit
        let reached = R::select(self.is_saturated(y), R::lit(1.0), -y);
        [u.slip(), R::select(self.has_modes(), reached, R::lit(-1.0))]
    }
    #[inline(always)]
    fn jump(&self, z: &[R; 1], u: &Input<R>) -> [R; 1] {
        [self.settle(z[0], u.slip().sign())]
    }
}

/// Exact step of Dahl's law: with `y = 1 − (z/len)·sgn v`, `dy/ds = −|y|^i·sgn y/len` over the travel `s`, so
/// `|y|^{1−i}` is linear in `s`. Written with the logarithm so that it passes smoothly into `e^{−s/len}` at i = 1.
#[inline(always)]
fn advance<R: Real>(z: R, len: R, shape: R, v: R, dt: R) -> R {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let dir = v.sign();
    let y = one - z / len * dir;
    let size = y.abs().max(R::lit(1e-30));
    let e = shape - one;
    // beyond 1e9 lengths all is settled, and the clamp keeps 0·∞ out
    let travel = (v.abs() * dt / len).min(R::lit(1e9));
    let a = size.powf(e) * travel;
    let ea = e * a;
    // ln(1 + ea)/e, by its series where e or a is small: the next term is 2.5e-19 of the sum
    let near = ea.abs().lt(R::lit(1e-6));
    let series = a * (one - ea * (R::lit(0.5) - ea * R::lit(1.0 / 3.0)));
    let x = R::select(near, series, ea.max(-one).ln_1p() / R::select(near, one, e));
    // shape < 1: the branch ends where 1 + ea reaches zero
    let ended = !(-one).lt(ea);
    let left = R::select(ended, zero, y * (-R::select(ended, zero, x)).exp());
    // z + len·dir·(y − y⁺) keeps z unchanged at rest
    z + len * dir * (y - left)
}
