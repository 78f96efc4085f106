//! A whole controller: position in, command out.
use super::{Control, Estimator, MotionSample, Signals, period};
use crate::{Real, StateVector};

/// An estimator, the controllers that add up, and the limit of the actuator.
#[derive(Clone, Copy, Debug)]
pub struct Loop<E, C, R> {
    /// Estimates the motion from the measured position.
    pub estimator: E,
    /// Everything that adds to the command, in order: `(base, (compensator, ...))`.
    pub control: C,
    /// Largest force or torque [N or N·m].
    pub limit: R,
}

/// Memory of a [`Loop`]: the estimator's, the controllers', and the command of the last sample.
pub type Memory<R, E, C> = (<E as Estimator<R>>::State, (<C as Control<R>>::State, [R; 1]));

impl<R: Real, E: Estimator<R>, C: Control<R>> Loop<E, C, R> {
    /// One sample: the memory after it, and the command until the next.
    #[inline(always)]
    pub fn step(&self, w: &Memory<R, E, C>, reference: &MotionSample<R>, position: R, dt: R) -> (Memory<R, E, C>, R) {
        self.step_loaded(w, reference, position, R::lit(1.0), dt)
    }
    /// The same at another normal load.
    #[inline(always)]
    pub fn step_loaded(
        &self,
        w: &Memory<R, E, C>,
        reference: &MotionSample<R>,
        position: R,
        load: R,
        dt: R,
    ) -> (Memory<R, E, C>, R) {
        let dt = period(dt);
        let (estimator, measured) = self.estimator.step(&w.0, position, dt);
        let now = Signals { load, applied: w.1.1[0], ..Signals::new(*reference, measured) };
        let (control, commanded) = self.control.step(&w.1.0, &now.clamped(), dt);
        let command = commanded.clip(self.limit);
        ((estimator, (control, [command])), command)
    }
    /// The same loop over another number.
    #[inline(always)]
    pub fn cast<S: Real>(&self, mut f: impl FnMut(R) -> S) -> Loop<E::With<S>, C::With<S>, S> {
        Loop { estimator: self.estimator.cast(&mut f), control: self.control.cast(&mut f), limit: f(self.limit) }
    }
    /// The initial memory of a loop that takes over from another whose last command was this (bumpless transfer).
    #[inline(always)]
    pub fn begin(command: R) -> Memory<R, E, C> {
        (StateVector::zero(), (StateVector::zero(), [command]))
    }
}

/// A whole loop is a controller too: it estimates the motion from the measured position.
impl<R: Real, E: Estimator<R>, C: Control<R>> Control<R> for Loop<E, C, R> {
    type State = Memory<R, E, C>;
    type With<S: Real> = Loop<E::With<S>, C::With<S>, S>;
    #[inline(always)]
    fn cast<S: Real>(&self, f: impl FnMut(R) -> S) -> Self::With<S> {
        Loop::cast(self, f)
    }
    #[inline(always)]
    fn step(&self, w: &Self::State, now: &Signals<R>, dt: R) -> (Self::State, R) {
        self.step_loaded(w, &now.reference, now.measured.x, now.load, dt)
    }
}
