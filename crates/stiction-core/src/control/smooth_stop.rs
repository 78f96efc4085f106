use super::{Control, Signals, StabilityCheck, period};
use crate::{Real, StateVector, params, step::relax};

params! {
    /// Smooth stop: freezes the controller while the body rests close to the reference, so that it does not hunt.
    ///
    /// ```text
    /// rest begins where |x_d - x| <= band, |v| <= still and v_d = 0; it ends where |x_d - x| > release or v_d moves
    /// at rest: memory frozen, u = the command at the stop, fading over `fade`
    /// ```
    /// Hunting comes from an integral that grows while the contact sticks; within the band it is frozen. Friction then keeps
    /// the body at rest for ever if the remaining command, and the command that the error could cause, stay below break-away:
    /// kx release < break-away. A load that must be held needs a long `fade`.
    pub struct SmoothStop = "smooth-stop";
    cite ["AstromSlides", "Armstrong1994"];
    shows ["no hunting"];
    states { rests: "-", held: "N" }
    require { "release >= band" |p| p.release >= p.band }
    params {
        /// Position error at which rest begins.
        band: "m" = 1e-3 in 0.0..=1e3,
        /// Position error at which it ends.
        release: "m" = 2e-3 in 0.0..=1e3,
        /// Speed that counts as rest.
        still: "m/s" = 1e-3 in 0.0..=1e3,
        /// Time constant with which the command fades at rest; the largest value keeps it.
        fade: "s" = 1e9 in 1e-3..=1e9,
    }
}

/// Any controller with a [`smooth stop`](SmoothStop). Its memory is the controller's, then whether it rests and the
/// command held.
#[derive(Clone, Copy, Debug)]
pub struct WithSmoothStop<C, R> {
    /// The controller.
    pub control: C,
    /// When it is held at rest.
    pub stop: SmoothStop<R>,
}

impl<R: Real, C: Control<R>> Control<R> for WithSmoothStop<C, R> {
    type State = (C::State, [R; 2]);
    type With<S: Real> = WithSmoothStop<C::With<S>, S>;
    #[inline(always)]
    fn cast<S: Real>(&self, mut f: impl FnMut(R) -> S) -> Self::With<S> {
        WithSmoothStop { control: self.control.cast(&mut f), stop: self.stop.map(&mut f) }
    }
    #[inline(always)]
    fn step(&self, w: &Self::State, now: &Signals<R>, dt: R) -> (Self::State, R) {
        let (inner, [rests, held]) = *w;
        let (next, u) = self.control.step(&inner, now, dt);
        let (rest, out) = self.stop.decide(rests, held, u, now, dt);
        let rests = R::select(rest, R::lit(1.0), R::lit(0.0));
        ((C::State::select(rest, &inner, &next), [rests, out]), out)
    }
}

impl<R: Real> SmoothStop<R> {
    /// Whether the controller rests now, and the command: `u` is what it asks for, `rests` and `held` are what was
    /// decided at the last sample.
    #[inline(always)]
    pub(super) fn decide(&self, rests: R, held: R, u: R, now: &Signals<R>, dt: R) -> (R::Mask, R) {
        let (now, dt, zero) = (now.clamped(), period(dt), R::lit(0.0));
        let lag = now.position_error().abs();
        let arrives = !(self.band.lt(lag) | self.still.lt(now.measured.v.abs()));
        let rested = zero.lt(rests);
        let rest = (arrives | (rested & !(self.release.lt(lag)))) & !(zero.lt(now.reference.v.abs()));
        (rest, R::select(rest & rested, relax(held, zero, dt / self.fade), u))
    }
}

impl SmoothStop<f64> {
    /// Whether a contact with this `breakaway` stays at rest, for a position gain `kx`: the margin is in newtons; and
    /// whether an encoder of this `quantum` can see that the body has arrived.
    pub fn stability(&self, breakaway: f64, kx: f64, quantum: f64) -> [StabilityCheck; 2] {
        [
            StabilityCheck::new("kx release < break-away", breakaway - kx * self.release),
            StabilityCheck::new("the band holds a count of the encoder", self.band - 0.5 * quantum),
        ]
    }
}
