//! Controllers that live with friction: written once over any number, like the laws.
//!
//! ```text
//! encoder --> Estimate --> Signals --> Control + Control + ... --> limit --> command
//! ```
//! A controller is a struct of parameters over a [`Real`] that implements [`Control`]: a pure function of parameters,
//! memory and [`Signals`] that gives its share of the command and the memory after one sample. Shares add: a pair
//! `(A, B)` is a controller again, and B sees in [`Signals::asked`] what A asked for. [`Loop`] puts an estimator of the
//! velocity in front and a limit behind, so that a processor calls one function: `step(reference, position)`.
//!
//! | block | share of the command |
//! |---|---|
//! | [`Pid`], [`StateFeedback`] | the linear loop |
//! | [`Feedforward`], [`Observer`] | the force of any law on the wanted or seen velocity; the same, corrected by the error |
//! | [`Scaled`], [`Adaptive`] | another compensator times a factor that learns; levels and viscosity that learn |
//! | [`Dither`] | a shake that keeps the contact sliding |
//! | [`AccelerationFeedback`], [`DisturbanceObserver`] | whatever the body does not do as it was told to |
//! | [`Quiet`] | another controller, silent where it would hunt |
//! | [`Guarded`] | another controller, which leaves out samples that cannot be true and says so |
//!
//! [`Wary`] is a loop that distrusts what it is told: positions that are no numbers or jump, samples that are missed, a
//! clock that changes. It tells what was wrong in [`Faults`].
//!
//! | estimator | motion from a position |
//! |---|---|
//! | [`Difference`], [`Tracker`], [`Kalman`] | filtered difference, tracking differentiator, stationary Kalman filter |
//!
//! Zero memory is the memory to begin with. Nothing branches on a value, so a controller also runs over
//! [`crate::Lanes`] (many axes at once) and [`crate::Dual`] (exact gradients by its gains). Work per sample is bounded.
//! Every controller says in its documentation under which condition its loop is stable, and has a function `stability` that tells for
//! given numbers whether it holds and by how much; see [`stability`].
//!
//! ```
//! use stiction_core::control::{Kalman, Loop, Motion, Observer, StateFeedback};
//! use stiction_core::{Params, State, models::LuGre};
//!
//! let servo = Loop {
//!     estimator: Kalman::<f64>::nominal(),
//!     control: (StateFeedback::nominal(), Observer::new(LuGre::nominal(), Params::nominal())),
//!     limit: 10.0,
//! };
//! let mut memory = State::zero();
//! let wanted = Motion { x: 0.1, v: 0.0, a: 0.0 };
//! let command;
//! (memory, command) = servo.step(&memory, &wanted, 0.0, 1e-3);       // one sample of 1 ms
//! assert!(command > 0.0 && command <= 10.0);
//! # let _ = memory;
//! ```
use crate::{Input, Real, State};

mod acceleration_feedback;
mod adaptive;
mod difference;
mod disturbance_observer;
mod dither;
mod feedforward;
mod guard;
mod kalman;
mod list;
mod observer;
mod pid;
mod quiet;
#[cfg(feature = "alloc")]
pub mod registry;
mod scaled;
pub mod stability;
mod state_feedback;
mod tracker;
mod wary;
mod whole;

pub use acceleration_feedback::AccelerationFeedback;
pub use adaptive::Adaptive;
pub use difference::Difference;
pub use disturbance_observer::DisturbanceObserver;
pub use dither::Dither;
pub use feedforward::{Ahead, Feedforward};
pub use guard::{Guard, Guarded};
pub use kalman::Kalman;
pub use list::{Visit, for_each};
pub use observer::{Injection, Observer};
pub use pid::Pid;
pub use quiet::{Quiet, SmoothStop};
pub use scaled::{Scale, Scaled};
pub use stability::{Plant, Verdict};
pub use state_feedback::StateFeedback;
pub use tracker::Tracker;
pub use wary::{Faults, Trust, Wary, WaryMemory};
pub use whole::Loop;

/// Places and speeds beyond this count as this, so that no product with an admissible gain overflows, also in `f32`.
const MOTION_MAX: f64 = 1e9;
/// The same for accelerations and forces.
const FORCE_MAX: f64 = 1e12;

/// Position, velocity and acceleration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion<R> {
    /// Position [m or rad].
    pub x: R,
    /// Velocity [m/s or rad/s].
    pub v: R,
    /// Acceleration [m/s² or rad/s²].
    pub a: R,
}
impl<R: Real> Motion<R> {
    /// At rest at `x`.
    #[inline(always)]
    pub fn rest(x: R) -> Self {
        Self { x, v: R::lit(0.0), a: R::lit(0.0) }
    }
    /// Within what a machine can do.
    #[inline(always)]
    fn sane(&self) -> Self {
        let most = R::lit(MOTION_MAX);
        Self { x: self.x.clip(most), v: self.v.clip(most), a: self.a.clip(R::lit(FORCE_MAX)) }
    }
}

/// What a controller is told at one sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Signals<R> {
    /// Where the body should be.
    pub wanted: Motion<R>,
    /// Where it is, measured or estimated.
    pub seen: Motion<R>,
    /// Normal load over its nominal value; see [`Input::load`].
    pub load: R,
    /// What the controllers before this one in the sum ask for [N or N·m].
    pub asked: R,
    /// The command that was applied since the last sample [N or N·m].
    pub applied: R,
}
impl<R: Real> Signals<R> {
    /// Wanted and seen motion at nominal load, with nothing asked yet.
    #[inline(always)]
    pub fn new(wanted: Motion<R>, seen: Motion<R>) -> Self {
        let zero = R::lit(0.0);
        Self { wanted, seen, load: R::lit(1.0), asked: zero, applied: zero }
    }
    /// The same within the limits that controllers compute with: finite in, finite out.
    #[inline(always)]
    fn sane(&self) -> Self {
        let force = R::lit(FORCE_MAX);
        Self {
            wanted: self.wanted.sane(),
            seen: self.seen.sane(),
            load: self.load.clip(R::lit(1e6)),
            asked: self.asked.clip(force),
            applied: self.applied.clip(force),
        }
    }
    /// How far the body is behind.
    #[inline(always)]
    fn lag(&self) -> R {
        self.wanted.x - self.seen.x
    }
    /// How much too slow it is.
    #[inline(always)]
    fn slow(&self) -> R {
        self.wanted.v - self.seen.v
    }
    /// What a law in the controller sees: `ahead` = 1 the wanted velocity, 0 the seen one.
    #[inline(always)]
    fn felt(&self, ahead: R) -> Input<R> {
        Input { v: self.seen.v + ahead * self.slow(), load: self.load }
    }
    /// What adaptation listens to: `slow + lambda lag`, less a dead zone.
    #[inline(always)]
    fn complaint(&self, lambda: R, dead: R) -> R {
        let s = (self.slow() + lambda * self.lag()).clip(R::lit(MOTION_MAX));
        s - s.clip(dead)
    }
}

/// Sample times from 0.1 µs to 100 s; others count as the nearest.
#[inline(always)]
fn period<R: Real>(dt: R) -> R {
    dt.max(R::lit(1e-7)).min(R::lit(100.0))
}

/// Limits to `[lo, hi]`.
#[inline(always)]
fn within<R: Real>(x: R, lo: R, hi: R) -> R {
    x.max(lo).min(hi)
}

/// A controller, or a part of one: its share of the command. Zero memory is the beginning.
///
/// Sign: `m·dv/dt = command − friction`, so a share that compensates friction has the sign of the velocity.
pub trait Control<R: Real>: Copy + Send + Sync + 'static {
    /// Memory.
    type State: State<R>;
    /// The same controller over another number.
    type With<S: Real>: Control<S>;
    /// The controller over another number, its parameters converted in the order of their declaration.
    fn cast<S: Real>(&self, f: impl FnMut(R) -> S) -> Self::With<S>;
    /// One sample: the memory after it, and the share of the command that is held until the next.
    fn step(&self, w: &Self::State, now: &Signals<R>, dt: R) -> (Self::State, R);
}

/// Two controllers add up.
impl<R: Real, A: Control<R>, B: Control<R>> Control<R> for (A, B) {
    type State = (A::State, B::State);
    type With<S: Real> = (A::With<S>, B::With<S>);
    #[inline(always)]
    fn cast<S: Real>(&self, mut f: impl FnMut(R) -> S) -> Self::With<S> {
        (self.0.cast(&mut f), self.1.cast(&mut f))
    }
    #[inline(always)]
    fn step(&self, w: &Self::State, now: &Signals<R>, dt: R) -> (Self::State, R) {
        let (first, a) = self.0.step(&w.0, now, dt);
        let (second, b) = self.1.step(&w.1, &Signals { asked: now.asked + a, ..*now }, dt);
        ((first, second), a + b)
    }
}

/// Motion from a measured position alone. Zero memory is the beginning: the first sample is taken as rest there.
pub trait Estimate<R: Real>: Copy + Send + Sync + 'static {
    /// Memory.
    type State: State<R>;
    /// The same estimator over another number.
    type With<S: Real>: Estimate<S>;
    /// See [`Control::cast`].
    fn cast<S: Real>(&self, f: impl FnMut(R) -> S) -> Self::With<S>;
    /// One sample of the position.
    fn step(&self, w: &Self::State, x: R, dt: R) -> (Self::State, Motion<R>);
}

/// The associated types and `cast` of a controller or estimator declared with [`params!`](crate::params!) that has this
/// many numbers of memory.
macro_rules! block {
    ($Name:ident, $states:expr) => {
        type State = [R; $states];
        type With<S: $crate::Real> = $Name<S>;
        #[inline(always)]
        fn cast<S: $crate::Real>(&self, f: impl FnMut(R) -> S) -> $Name<S> {
            self.map(f)
        }
    };
}
use block;
