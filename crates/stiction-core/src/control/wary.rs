//! A loop that distrusts its inputs: what is no number, jumps or comes late does no lasting harm, and is told.
use super::{Control, Estimate, Loop, MOTION_MAX, Motion, Signals, period};
use crate::{Real, State};

/// What is believed of measurements and clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trust<R> {
    /// Fastest that the body can go [m/s or rad/s]: a position farther away than that is a jump.
    pub speed: R,
    /// Bad samples in a row for which the motion is continued as it was. A jump that lasts longer is believed.
    pub patience: R,
    /// Sample time that is expected \[s\].
    pub period: R,
}

/// What was wrong with a sample.
#[derive(Clone, Copy, Debug)]
pub struct Faults<R: Real> {
    /// The position was no number, or out of all bounds; it was left out.
    pub missing: R::Mask,
    /// The position jumped farther than the body can go; it was left out, or believed at last.
    pub jump: R::Mask,
    /// No position could be believed for longer than the patience: the loop holds the last one, and somebody should stop it.
    pub lost: R::Mask,
    /// The time since the last sample is off by more than half: the true one is used, or the expected one if it is absurd.
    pub clock: R::Mask,
    /// The reference was no number; the body is asked to stay.
    pub reference: R::Mask,
    /// More was asked for than the actuator gives.
    pub saturated: R::Mask,
}

impl<R: Real> Faults<R> {
    /// Whether anything was wrong.
    #[inline(always)]
    pub fn any(&self) -> R::Mask {
        self.missing | self.jump | self.lost | self.clock | self.reference | self.saturated
    }
}

/// A [`Loop`] whose [`Trust`] has limits. Where [`Guarded`](super::Guarded) leaves a bad sample out and holds the command, this
/// one goes on by what it knows of the motion.
///
/// Numbers stay finite and commands within the limit whatever comes in. Bad samples up to the patience cost no more than the
/// motion changes in that time. After more the estimator begins anew with the next good one, so all is as it was after the
/// patience and the loop's own settling time.
#[derive(Clone, Copy, Debug)]
pub struct Wary<E, C, R> {
    /// The loop.
    pub inner: Loop<E, C, R>,
    /// What is believed.
    pub trust: Trust<R>,
}

/// Memory of a [`Wary`] loop: the loop's, and of the last position that was believed: place, speed, bad samples since,
/// time since, whether there was one.
pub type WaryMemory<R, E, C> = (super::whole::Memory<R, E, C>, [R; 5]);

/// Whether it is a number that a machine can show.
#[inline(always)]
fn sound<R: Real>(x: R) -> R::Mask {
    x.abs().lt(R::lit(MOTION_MAX))
}

impl<R: Real, E: Estimate<R>, C: Control<R>> Wary<E, C, R> {
    /// One sample, `dt` after the last: the memory after it, the command until the next, and what was wrong.
    #[inline(always)]
    pub fn step(
        &self,
        w: &WaryMemory<R, E, C>,
        wanted: &Motion<R>,
        position: R,
        dt: R,
    ) -> (WaryMemory<R, E, C>, R, Faults<R>) {
        let (zero, one, trust) = (R::lit(0.0), R::lit(1.0), &self.trust);
        let ((estimator, (control, applied)), [place, speed, bad, since, begun]) = *w;
        let near = (R::lit(0.5) * trust.period).lt(dt) & dt.lt(R::lit(1.5) * trust.period);
        let usable = zero.lt(dt) & dt.lt(R::lit(1000.0) * trust.period);
        let dt = period(R::select(usable, dt, trust.period));
        let since = since + dt;
        let there = sound(position);
        let x = R::select(there, position, place);
        let first = begun.lt(R::lit(0.5));
        // half a sample more than it can have gone, for the clock is not exact
        let reach = trust.speed * (since + R::lit(0.5) * dt);
        let jump = there & reach.lt((x - place).abs()) & !first;
        let late = !bad.lt(trust.patience);
        let good = there & (!jump | late);
        // on as it was, and after that not at all
        let guess = place + R::select(late, zero, speed * dt);
        let x = R::select(good, x, guess);
        let anew = good & (late | first);
        let estimator = E::State::select(anew, &E::State::zero(), &estimator);
        let (estimator, seen) = self.inner.estimator.step(&estimator, x, dt);
        let asked_for = sound(wanted.x) & sound(wanted.v) & sound(wanted.a);
        let pick = |a: R, b: R| R::select(asked_for, a, b);
        let wanted = Motion { x: pick(wanted.x, seen.x), v: pick(wanted.v, zero), a: pick(wanted.a, zero) };
        let now = Signals { applied: applied[0], ..Signals::new(wanted, seen) };
        let (control, asked) = self.inner.control.step(&control, &now.sane(), dt);
        let command = asked.clip(self.inner.limit);
        let bad = R::select(good, zero, (bad + one).min(trust.patience + one));
        let since = R::select(good, zero, since.min(R::lit(1e6)));
        let begun = R::select(good, one, begun);
        let faults = Faults {
            missing: !there,
            jump,
            lost: trust.patience.lt(bad),
            clock: !near,
            reference: !asked_for,
            saturated: self.inner.limit.lt(asked.abs()),
        };
        let place = R::select(good | !first, x, place);
        (((estimator, (control, [command])), [place, seen.v, bad, since, begun]), command, faults)
    }
}
