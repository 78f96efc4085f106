use super::{Control, FORCE_MAX, Signals, StabilityCheck, period};
use crate::{Friction, Input, Real, params};

params! {
    /// Friction feed-forward: the force of a law at the reference or the measured velocity.
    ///
    /// ```text
    /// u = share F(z, v),   v = ahead v_wanted + (1 - ahead) v_seen
    /// ```
    /// At the reference velocity it is outside the loop and cannot make it unstable. At the measured one it is positive
    /// feedback, and share times the model must not exceed the true friction: too much drives the body by itself. A
    /// law with presliding is gentler than one that jumps at rest. The command is held for a sample, so the force is
    /// that of its middle: given the mass, the command of the other parts predicts the velocity there, and the error
    /// caused by the hold falls with the square of the sample time instead of the first power.
    pub struct FeedforwardGains = "feedforward";
    cite ["AstromSlides", "Olsson1993"];
    shows ["friction compensation"];
    params {
        /// Share of the friction that is compensated.
        share: "-" = 1.0 in 0.0..=2.0,
        /// 1: on the reference velocity, 0: on the measured one, and between.
        ahead: "-" = 1.0 in 0.0..=1.0,
        /// Mass with which the measured velocity is predicted half a sample ahead; 0: not at all.
        mass: "kg" = 0.0 in 0.0..=1e9,
    }
}

/// Any law as a [`feed-forward`](FeedforwardGains). Its memory is the law's.
#[derive(Clone, Copy, Debug)]
pub struct Feedforward<L, R> {
    /// The law.
    pub law: L,
    /// Share and source.
    pub gains: FeedforwardGains<R>,
}

impl<R: Real, L: Friction<R>> Control<R> for Feedforward<L, R> {
    type State = L::State;
    type With<S: Real> = Feedforward<L::With<S>, S>;
    #[inline(always)]
    fn cast<S: Real>(&self, mut f: impl FnMut(R) -> S) -> Self::With<S> {
        Feedforward { law: self.law.cast(&mut f), gains: self.gains.map(&mut f) }
    }
    #[inline(always)]
    fn step(&self, w: &L::State, now: &Signals<R>, dt: R) -> (L::State, R) {
        let (now, dt) = (now.clamped(), period(dt));
        let FeedforwardGains { ahead, mass, .. } = self.gains;
        let (z, force) = anticipate(&now, ahead, mass, dt, |u| self.law.sample(w, u, dt), |z, u| self.law.force(z, u));
        (z, self.gains.share * force)
    }
}

/// A law's memory `Z` after a sample, and its force in the middle of it. The memory is half a sample behind the clock, as
/// in a leapfrog; the velocity is predicted there with the reference acceleration, or with the commanded force over `mass`. The law is given
/// by its functions: memory and force after a sample, and the force with a memory.
#[inline(always)]
pub(super) fn anticipate<R: Real, Z>(
    now: &Signals<R>,
    ahead: R,
    mass: R,
    dt: R,
    sample: impl FnOnce(&Input<R>) -> (Z, R),
    force: impl FnOnce(&Z, &Input<R>) -> R,
) -> (Z, R) {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let u = now.law_input(ahead);
    let known = zero.lt(mass);
    let free = R::select(known, now.commanded / R::select(known, mass, one), zero);
    let lead = (free + ahead * (now.reference.a - free)).clip(R::lit(FORCE_MAX)) * dt * R::lit(0.5);
    let (z, now) = sample(&u);
    let force = R::select_lazy(zero.lt(lead.abs()), || force(&z, &u.with_v(u.v + lead)), now);
    (z, force.clip(R::lit(FORCE_MAX)))
}

impl FeedforwardGains<f64> {
    /// Whether it cannot drive the body by itself, for a model whose levels are off by up to the relative `error`.
    pub fn stability(&self, error: f64) -> [StabilityCheck; 1] {
        let fed_back = (1.0 - self.ahead) * self.share * (1.0 + error);
        [StabilityCheck::new("what is fed back does not exceed the friction", 1.0 - fed_back)]
    }
}
