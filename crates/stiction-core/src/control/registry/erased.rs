//! Controllers and estimators with their types erased, and how they add up.
use crate::control::{Control, Estimate, Motion, Scale, Signals, SmoothStop, period};
use crate::{Real, State};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// A controller with its parameters, types erased. Memory is a slice of [`Block::len`] numbers that begins at zero;
/// missing ones read as zero.
pub trait Block: Send + Sync {
    /// Numbers of memory.
    fn len(&self) -> usize;
    /// Whether it has no memory.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// See [`Control::step`]; in place.
    fn step(&self, w: &mut [f64], now: &Signals<f64>, dt: f64) -> f64;
}

/// An estimator, types erased.
pub trait Sensor: Send + Sync {
    /// Numbers of memory.
    fn len(&self) -> usize;
    /// Whether it has no memory.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// See [`Estimate::step`]; in place.
    fn step(&self, w: &mut [f64], x: f64, dt: f64) -> Motion<f64>;
}

/// A controller or an estimator, to be boxed.
pub(super) struct Erased<T>(pub T);

fn load<S: State<f64>>(w: &[f64]) -> S {
    let mut s = S::zero();
    for (i, x) in w.iter().enumerate().take(S::LEN) {
        s.set(i, *x);
    }
    s
}
fn store<S: State<f64>>(s: &S, w: &mut [f64]) {
    for (i, x) in w.iter_mut().enumerate().take(S::LEN) {
        *x = s.get(i);
    }
}

impl<C: Control<f64> + Send + Sync> Block for Erased<C> {
    fn len(&self) -> usize {
        C::State::LEN
    }
    fn step(&self, w: &mut [f64], now: &Signals<f64>, dt: f64) -> f64 {
        let (next, u) = self.0.step(&load(w), now, dt);
        store(&next, w);
        u
    }
}
impl<E: Estimate<f64> + Send + Sync> Sensor for Erased<E> {
    fn len(&self) -> usize {
        E::State::LEN
    }
    fn step(&self, w: &mut [f64], x: f64, dt: f64) -> Motion<f64> {
        let (next, seen) = self.0.step(&load(w), x, dt);
        store(&next, w);
        seen
    }
}

/// A smooth stop around an erased controller.
pub(super) struct Stopping {
    /// When it is silent.
    pub stop: SmoothStop<f64>,
    /// The controller.
    pub inner: Box<dyn Block>,
}
impl Block for Stopping {
    fn len(&self) -> usize {
        self.inner.len() + 2
    }
    fn step(&self, w: &mut [f64], now: &Signals<f64>, dt: f64) -> f64 {
        let (inner, own) = w.split_at_mut(self.inner.len().min(w.len()));
        let kept: Vec<f64> = inner.to_vec();
        let u = self.inner.step(inner, now, dt);
        let [rests, held] = load(own);
        let (rest, out) = self.stop.decide(rests, held, u, now, dt);
        if rest {
            inner.copy_from_slice(&kept);
        }
        store(&[f64::from(u8::from(rest)), out], own);
        out
    }
}

/// An adaptive scale around an erased compensator.
pub(super) struct Scaling {
    /// How it learns.
    pub gains: Scale<f64>,
    /// The compensator.
    pub inner: Box<dyn Block>,
}
impl Block for Scaling {
    fn len(&self) -> usize {
        self.inner.len() + 1
    }
    fn step(&self, w: &mut [f64], now: &Signals<f64>, dt: f64) -> f64 {
        let (inner, own) = w.split_at_mut(self.inner.len().min(w.len()));
        let force = self.inner.step(inner, now, dt);
        let [off] = load(own);
        let (off, out) = self.gains.adjust(off, force, now, dt);
        store(&[off], own);
        out
    }
}

/// Controllers that add up, in order; each sees what those before it ask for.
pub struct Sum(pub Vec<Box<dyn Block>>);
impl Block for Sum {
    fn len(&self) -> usize {
        self.0.iter().map(|part| part.len()).sum()
    }
    fn step(&self, w: &mut [f64], now: &Signals<f64>, dt: f64) -> f64 {
        let (mut rest, mut sum) = (w, 0.0);
        for part in &self.0 {
            let (own, others) = rest.split_at_mut(part.len().min(rest.len()));
            sum += part.step(own, &Signals { asked: now.asked + sum, ..*now }, dt);
            rest = others;
        }
        sum
    }
}

/// A controller, an estimator before and a limit behind: [`crate::control::Loop`] with its types erased.
pub struct Assembly {
    /// Makes motion of the measured position; without one, the motion is taken as seen.
    pub sensor: Option<Box<dyn Sensor>>,
    /// What makes the command.
    pub control: Box<dyn Block>,
    /// Largest command.
    pub limit: f64,
}
impl Block for Assembly {
    /// The estimator's memory, the controller's, and the last command.
    fn len(&self) -> usize {
        self.eyes() + self.control.len() + 1
    }
    fn step(&self, w: &mut [f64], now: &Signals<f64>, dt: f64) -> f64 {
        let (eyes, rest) = w.split_at_mut(self.eyes().min(w.len()));
        let (own, last) = rest.split_at_mut(self.control.len().min(rest.len()));
        let dt = period(dt);
        let seen = self.sensor.as_ref().map_or(now.seen, |sensor| sensor.step(eyes, now.seen.x, dt));
        let [applied] = load(last);
        let now = Signals { seen, applied, asked: 0.0, ..*now };
        let command = self.control.step(own, &now.sane(), dt).clip(self.limit);
        store(&[command], last);
        command
    }
}
impl Assembly {
    fn eyes(&self) -> usize {
        self.sensor.as_ref().map_or(0, |sensor| sensor.len())
    }
}
