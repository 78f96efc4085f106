//! A loop that tolerates faulty inputs: positions that are not numbers, jumps and late samples do no lasting harm, and are
//! reported.
use super::{Control, Estimator, Loop, MOTION_MAX, MotionSample, Signals, period};
use crate::{Real, StateVector};

/// Limits beyond which measurements and clock count as faulty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FaultLimits<R> {
    /// Largest speed of the body [m/s or rad/s]: a position farther away than it can have gone is a jump.
    pub speed: R,
    /// Faulty samples in a row for which the motion is extrapolated. A jump that lasts longer is accepted.
    pub max_faulty_samples: R,
    /// Nominal sample time \[s\].
    pub period: R,
}

/// The faults of a sample.
#[derive(Clone, Copy, Debug)]
pub struct Faults<R: Real> {
    /// The position was not a number, or out of bounds; it was skipped.
    pub missing: R::Mask,
    /// The position jumped farther than the body can go; it was skipped, or accepted after too many of them.
    pub jump: R::Mask,
    /// There was no valid position for longer than the allowed number of faulty samples: the loop holds the last one, and should be stopped.
    pub lost: R::Mask,
    /// The time since the last sample differs from the nominal one by more than half: the true one is used, or the nominal
    /// one if it is unusable.
    pub clock: R::Mask,
    /// The reference was not a number; the present position is the reference.
    pub reference: R::Mask,
    /// The command exceeds the limit of the actuator.
    pub saturated: R::Mask,
}

impl<R: Real> Faults<R> {
    /// Whether there was any fault.
    #[inline(always)]
    pub fn any(&self) -> R::Mask {
        self.missing | self.jump | self.lost | self.clock | self.reference | self.saturated
    }
}

/// A [`Loop`] that tolerates faults. Where [`Monitored`](super::Monitored) skips a faulty sample and holds the command, this one
/// extrapolates the motion.
///
/// Numbers stay finite and commands within the limit for every input. Faulty samples up to the allowed number cost no more than the
/// change of the motion in that time. After more of them the estimator restarts with the next valid sample, so the loop has
/// recovered after the allowed number of faulty samples and its own settling time.
#[derive(Clone, Copy, Debug)]
pub struct FaultTolerantLoop<E, C, R> {
    /// The loop.
    pub inner: Loop<E, C, R>,
    /// When an input counts as faulty.
    pub limits: FaultLimits<R>,
}

/// Memory of a [`FaultTolerantLoop`] loop: the loop's, and of the last valid sample: position, speed, faulty samples
/// since, time since, whether there was one.
pub type FaultTolerantMemory<R, E, C> = (super::servo_loop::Memory<R, E, C>, [R; 5]);

/// Whether it is a number within the limits of a machine.
#[inline(always)]
fn sound<R: Real>(x: R) -> R::Mask {
    x.abs().lt(R::lit(MOTION_MAX))
}

impl<R: Real, E: Estimator<R>, C: Control<R>> FaultTolerantLoop<E, C, R> {
    /// One sample, `dt` after the last: the memory after it, the command until the next, and the faults.
    #[inline(always)]
    pub fn step(
        &self,
        w: &FaultTolerantMemory<R, E, C>,
        reference: &MotionSample<R>,
        position: R,
        dt: R,
    ) -> (FaultTolerantMemory<R, E, C>, R, Faults<R>) {
        let (zero, one, limits) = (R::lit(0.0), R::lit(1.0), &self.limits);
        let ((estimator, (control, applied)), [place, speed, bad, since, begun]) = *w;
        let near = (R::lit(0.5) * limits.period).lt(dt) & dt.lt(R::lit(1.5) * limits.period);
        let usable = zero.lt(dt) & dt.lt(R::lit(1000.0) * limits.period);
        let dt = period(R::select(usable, dt, limits.period));
        let since = since + dt;
        let there = sound(position);
        let x = R::select(there, position, place);
        let first = begun.lt(R::lit(0.5));
        // half a sample more than it can have gone, for the clock is not exact
        let reach = limits.speed * (since + R::lit(0.5) * dt);
        let jump = there & reach.lt((x - place).abs()) & !first;
        let late = !bad.lt(limits.max_faulty_samples);
        let good = there & (!jump | late);
        // at constant speed, and at rest after the allowed number of faulty samples
        let guess = place + R::select(late, zero, speed * dt);
        let x = R::select(good, x, guess);
        let anew = good & (late | first);
        let estimator = E::State::select(anew, &E::State::zero(), &estimator);
        let (estimator, measured) = self.inner.estimator.step(&estimator, x, dt);
        let reference_sound = sound(reference.x) & sound(reference.v) & sound(reference.a);
        let pick = |a: R, b: R| R::select(reference_sound, a, b);
        let reference =
            MotionSample { x: pick(reference.x, measured.x), v: pick(reference.v, zero), a: pick(reference.a, zero) };
        let now = Signals { applied: applied[0], ..Signals::new(reference, measured) };
        let (control, commanded) = self.inner.control.step(&control, &now.clamped(), dt);
        let command = commanded.clip(self.inner.limit);
        let bad = R::select(good, zero, (bad + one).min(limits.max_faulty_samples + one));
        let since = R::select(good, zero, since.min(R::lit(1e6)));
        let begun = R::select(good, one, begun);
        let faults = Faults {
            missing: !there,
            jump,
            lost: limits.max_faulty_samples.lt(bad),
            clock: !near,
            reference: !reference_sound,
            saturated: self.inner.limit.lt(commanded.abs()),
        };
        let place = R::select(good | !first, x, place);
        (((estimator, (control, [command])), [place, measured.v, bad, since, begun]), command, faults)
    }
}
