//! Controllers and estimators with their types erased, and how they add up.
use crate::control::input_monitor::{COMMAND, MONITOR_STATES};
use crate::control::{AdaptiveScaleGains, Control, Estimator, InputMonitor, MotionSample, Signals, SmoothStop, period};
use crate::{Real, StateVector};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// A controller with its parameters over a number, types erased. Memory is a slice of [`DynControl::len`] numbers that begins
/// at zero; missing ones read as zero.
pub trait DynControl<R: Real = f64>: Send + Sync {
    /// Numbers of memory.
    fn len(&self) -> usize;
    /// Whether it has no memory.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// See [`Control::step`]; in place.
    fn step(&self, w: &mut [R], now: &Signals<R>, dt: R) -> R;
}

/// An estimator, types erased.
pub trait DynEstimator<R: Real = f64>: Send + Sync {
    /// Numbers of memory.
    fn len(&self) -> usize;
    /// Whether it has no memory.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// See [`Estimator::step`]; in place.
    fn step(&self, w: &mut [R], x: R, dt: R) -> MotionSample<R>;
}

/// A controller or an estimator, to be boxed.
pub(super) struct Erased<T>(pub T);

fn load<R: Real, S: StateVector<R>>(w: &[R]) -> S {
    let mut s = S::zero();
    for (i, x) in w.iter().enumerate().take(S::LEN) {
        s.set(i, *x);
    }
    s
}
fn store<R: Real, S: StateVector<R>>(s: &S, w: &mut [R]) {
    for (i, x) in w.iter_mut().enumerate().take(S::LEN) {
        *x = s.get(i);
    }
}

impl<R: Real, C: Control<R>> DynControl<R> for Erased<C> {
    fn len(&self) -> usize {
        C::State::LEN
    }
    fn step(&self, w: &mut [R], now: &Signals<R>, dt: R) -> R {
        let (next, u) = self.0.step(&load(w), now, dt);
        store(&next, w);
        u
    }
}
impl<R: Real, E: Estimator<R>> DynEstimator<R> for Erased<E> {
    fn len(&self) -> usize {
        E::State::LEN
    }
    fn step(&self, w: &mut [R], x: R, dt: R) -> MotionSample<R> {
        let (next, measured) = self.0.step(&load(w), x, dt);
        store(&next, w);
        measured
    }
}

/// Puts back what was `kept` where `m` holds.
fn put_back<R: Real>(m: R::Mask, kept: &[R], w: &mut [R]) {
    for (x, old) in w.iter_mut().zip(kept) {
        *x = R::select(m, *old, *x);
    }
}

/// A smooth stop around an erased controller.
pub(super) struct DynSmoothStop<R: Real> {
    /// When it is held at rest.
    pub stop: SmoothStop<R>,
    /// The controller.
    pub inner: Box<dyn DynControl<R>>,
}
impl<R: Real> DynControl<R> for DynSmoothStop<R> {
    fn len(&self) -> usize {
        self.inner.len() + 2
    }
    fn step(&self, w: &mut [R], now: &Signals<R>, dt: R) -> R {
        let (inner, own) = w.split_at_mut(self.inner.len().min(w.len()));
        let kept: Vec<R> = inner.to_vec();
        let u = self.inner.step(inner, now, dt);
        let [rests, held] = load(own);
        let (rest, out) = self.stop.decide(rests, held, u, now, dt);
        put_back(rest, &kept, inner);
        store(&[R::select(rest, R::lit(1.0), R::lit(0.0)), out], own);
        out
    }
}

/// An adaptive scale around an erased compensator.
pub(super) struct DynAdaptiveScale<R: Real> {
    /// How it learns.
    pub gains: AdaptiveScaleGains<R>,
    /// The compensator.
    pub inner: Box<dyn DynControl<R>>,
}
impl<R: Real> DynControl<R> for DynAdaptiveScale<R> {
    fn len(&self) -> usize {
        self.inner.len() + 1
    }
    fn step(&self, w: &mut [R], now: &Signals<R>, dt: R) -> R {
        let (inner, own) = w.split_at_mut(self.inner.len().min(w.len()));
        let force = self.inner.step(inner, now, dt);
        let [off] = load(own);
        let (off, out) = self.gains.adjust(off, force, now, dt);
        store(&[off], own);
        out
    }
}

/// Controllers that add up, in order; each is given the sum of those before it.
pub struct DynSum<R: Real = f64>(pub Vec<Box<dyn DynControl<R>>>);
impl<R: Real> DynControl<R> for DynSum<R> {
    fn len(&self) -> usize {
        self.0.iter().map(|part| part.len()).sum()
    }
    fn step(&self, w: &mut [R], now: &Signals<R>, dt: R) -> R {
        let (mut rest, mut sum) = (w, R::lit(0.0));
        for part in &self.0 {
            let (own, others) = rest.split_at_mut(part.len().min(rest.len()));
            sum = sum + part.step(own, &Signals { commanded: now.commanded + sum, ..*now }, dt);
            rest = others;
        }
        sum
    }
}

/// A controller, an estimator before and a limit behind: [`crate::control::Loop`] with its types erased.
pub struct DynLoop<R: Real = f64> {
    /// Estimates the motion from the measured position; without one, the measured motion is taken.
    pub sensor: Option<Box<dyn DynEstimator<R>>>,
    /// The controller.
    pub control: Box<dyn DynControl<R>>,
    /// Largest command.
    pub limit: R,
}
impl<R: Real> DynControl<R> for DynLoop<R> {
    /// The estimator's memory, the controller's, and the last command.
    fn len(&self) -> usize {
        self.eyes() + self.control.len() + 1
    }
    fn step(&self, w: &mut [R], now: &Signals<R>, dt: R) -> R {
        let (eyes, rest) = w.split_at_mut(self.eyes().min(w.len()));
        let (own, last) = rest.split_at_mut(self.control.len().min(rest.len()));
        let dt = period(dt);
        let measured = self.sensor.as_ref().map_or(now.measured, |sensor| sensor.step(eyes, now.measured.x, dt));
        let [applied] = load(last);
        let now = Signals { measured, applied, commanded: R::lit(0.0), ..*now };
        let command = self.control.step(own, &now.clamped(), dt).clip(self.limit);
        store(&[command], last);
        command
    }
}
impl<R: Real> DynLoop<R> {
    fn eyes(&self) -> usize {
        self.sensor.as_ref().map_or(0, |sensor| sensor.len())
    }
}

/// An [input monitor](InputMonitor) around an erased controller, such as a whole [`DynLoop`].
pub struct DynMonitored<R: Real = f64> {
    /// When a sample counts as faulty.
    pub monitor: InputMonitor<R>,
    /// The controller.
    pub inner: Box<dyn DynControl<R>>,
}
impl<R: Real> DynControl<R> for DynMonitored<R> {
    /// The controller's memory, and the guard's, whose last number is the fault.
    fn len(&self) -> usize {
        self.inner.len() + MONITOR_STATES
    }
    fn step(&self, w: &mut [R], now: &Signals<R>, dt: R) -> R {
        let (inner, own) = w.split_at_mut(self.inner.len().min(w.len()));
        let kept: Vec<R> = inner.to_vec();
        let u = self.inner.step(inner, now, dt);
        let (bad, memory) = self.monitor.check(&load(own), now, u);
        put_back(bad, &kept, inner);
        store(&memory, own);
        memory[COMMAND]
    }
}
