use super::{Control, FORCE_MAX, Signals, Verdict, period};
use crate::{Friction, Real, params};

params! {
    /// Friction feed-forward: the force of a law on the wanted or the seen velocity.
    ///
    /// ```text
    /// u = share F(z, v),   v = ahead v_wanted + (1 - ahead) v_seen
    /// ```
    /// On the wanted velocity it is outside the loop and cannot make it unstable. On the seen one it is positive
    /// feedback, and share times the model must not exceed the true friction: too much drives the body by itself. A
    /// law with presliding is gentler than one that jumps at rest.
    pub struct Ahead = "feedforward";
    cite ["AstromSlides", "Olsson1993"];
    shows ["friction compensation"];
    params {
        /// Share of the friction that is compensated.
        share: "-" = 1.0 in 0.0..=2.0,
        /// 1: on the wanted velocity, 0: on the seen one, and between.
        ahead: "-" = 1.0 in 0.0..=1.0,
    }
}

/// Any law as a [`feed-forward`](Ahead). Its memory is the law's.
#[derive(Clone, Copy, Debug)]
pub struct Feedforward<L, R> {
    /// The law.
    pub law: L,
    /// Share and source.
    pub gains: Ahead<R>,
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
        let (z, force) = self.law.sample(w, &now.sane().felt(self.gains.ahead), period(dt));
        (z, (self.gains.share * force).clip(R::lit(FORCE_MAX)))
    }
}

impl Ahead<f64> {
    /// Whether it cannot drive the body by itself, for a model whose levels are off by up to the relative `error`.
    pub fn check(&self, error: f64) -> [Verdict; 1] {
        let fed_back = (1.0 - self.ahead) * self.share * (1.0 + error);
        [Verdict::new("what is fed back does not exceed the friction", 1.0 - fed_back)]
    }
}
