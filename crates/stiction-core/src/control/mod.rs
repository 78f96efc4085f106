//! Controllers for systems with friction: written once over any number, like the laws.
//!
//! ```text
//! encoder --> Estimator --> Signals --> Control + Control + ... --> limit --> command
//! ```
//! A controller is a struct of parameters over a [`Real`] that implements [`Control`]: a pure function of parameters,
//! memory and [`Signals`] that gives its share of the command and the memory after one sample. Shares add: a pair
//! `(A, B)` is a controller again, and B finds A's share in [`Signals::commanded`]. [`Loop`] puts an estimator of the
//! velocity before it and a limit behind it, so that a processor calls one function: `step(reference, position)`.
//!
//! | block | share of the command |
//! |---|---|
//! | [`Pid`], [`StateFeedback`] | the linear loop |
//! | [`Feedforward`], [`FrictionObserver`] | the force of any law at the reference or measured velocity; the same, corrected by the error |
//! | [`AdaptiveScale`], [`Adaptive`] | another compensator times an adaptive factor; adaptive friction levels and viscosity |
//! | [`Dither`] | a vibration that keeps the contact sliding |
//! | [`AccelerationFeedback`], [`DisturbanceObserver`] | the difference between commanded and actual acceleration |
//! | [`WithSmoothStop`] | another controller, held at rest where it would hunt |
//! | [`Monitored`] | another controller, which skips implausible samples and reports them |
//!
//! [`FaultTolerantLoop`] tolerates faulty inputs: positions that are not numbers or jump, missed samples, an irregular clock.
//! It reports them in [`Faults`].
//!
//! | estimator | motion from a position |
//! |---|---|
//! | [`FilteredDifference`], [`TrackingDifferentiator`], [`Kalman`] | filtered difference, tracking differentiator, stationary Kalman filter |
//!
//! The initial memory is zero. Nothing branches on a value, so a controller also runs over
//! [`crate::Lanes`] (many axes at once) and [`crate::Dual`] (exact gradients by its gains). Work per sample is bounded.
//! Every controller says in its documentation under which condition its loop is stable, and has a function `stability` that evaluates
//! the condition and its margin for given numbers; see [`stability`].
//!
//! ```
//! use stiction_core::control::{Kalman, Loop, MotionSample, FrictionObserver, StateFeedback};
//! use stiction_core::{Params, StateVector, models::LuGre};
//!
//! let servo = Loop {
//!     estimator: Kalman::<f64>::nominal(),
//!     control: (StateFeedback::nominal(), FrictionObserver::new(LuGre::nominal(), Params::nominal())),
//!     limit: 10.0,
//! };
//! let mut memory = StateVector::zero();
//! let reference = MotionSample { x: 0.1, v: 0.0, a: 0.0 };
//! let command;
//! (memory, command) = servo.step(&memory, &reference, 0.0, 1e-3);       // one sample of 1 ms
//! assert!(command > 0.0 && command <= 10.0);
//! # let _ = memory;
//! ```
use crate::{Input, Real, StateVector};

mod acceleration_feedback;
mod adaptive;
mod adaptive_scale;
mod disturbance_observer;
mod dither;
mod fault_tolerant;
mod feedforward;
mod filtered_difference;
mod input_monitor;
mod kalman;
mod list;
mod observer;
mod pid;
#[cfg(feature = "alloc")]
pub mod registry;
mod servo_loop;
mod smooth_stop;
pub mod stability;
mod state_feedback;
mod tracking_differentiator;

pub use acceleration_feedback::AccelerationFeedback;
pub use adaptive::Adaptive;
pub use adaptive_scale::{AdaptiveScale, AdaptiveScaleGains};
pub use disturbance_observer::DisturbanceObserver;
pub use dither::Dither;
pub use fault_tolerant::{FaultLimits, FaultTolerantLoop, FaultTolerantMemory, Faults};
pub use feedforward::{Feedforward, FeedforwardGains};
pub use filtered_difference::FilteredDifference;
pub use input_monitor::{InputMonitor, Monitored};
pub use kalman::Kalman;
pub use list::{ControllerVisitor, for_each};
pub use observer::{FrictionObserver, ObserverGains};
pub use pid::Pid;
pub use servo_loop::Loop;
pub use smooth_stop::{SmoothStop, WithSmoothStop};
pub use stability::{ServoPlant, StabilityCheck};
pub use state_feedback::StateFeedback;
pub use tracking_differentiator::TrackingDifferentiator;

/// Largest position and speed; larger ones are limited to it, so that no product with an admissible gain overflows, also in
/// `f32`.
const MOTION_MAX: f64 = 1e9;
/// The same for accelerations and forces.
const FORCE_MAX: f64 = 1e12;

/// Position, velocity and acceleration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionSample<R> {
    /// Position [m or rad].
    pub x: R,
    /// Velocity [m/s or rad/s].
    pub v: R,
    /// Acceleration [m/s² or rad/s²].
    pub a: R,
}
impl<R: Real> MotionSample<R> {
    /// At rest at `x`.
    #[inline(always)]
    pub fn rest(x: R) -> Self {
        Self { x, v: R::lit(0.0), a: R::lit(0.0) }
    }
    /// Limited to what a machine can do.
    #[inline(always)]
    fn clamped(&self) -> Self {
        let most = R::lit(MOTION_MAX);
        Self { x: self.x.clip(most), v: self.v.clip(most), a: self.a.clip(R::lit(FORCE_MAX)) }
    }
}

/// The inputs of a controller at one sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Signals<R> {
    /// The reference motion.
    pub reference: MotionSample<R>,
    /// The motion, measured or estimated.
    pub measured: MotionSample<R>,
    /// Normal load over its nominal value; see [`Input::load`].
    pub load: R,
    /// The sum of the shares of the controllers before this one [N or N·m].
    pub commanded: R,
    /// The command that was applied since the last sample [N or N·m].
    pub applied: R,
}
impl<R: Real> Signals<R> {
    /// Reference and measured motion at nominal load, without other shares.
    #[inline(always)]
    pub fn new(reference: MotionSample<R>, measured: MotionSample<R>) -> Self {
        let zero = R::lit(0.0);
        Self { reference, measured, load: R::lit(1.0), commanded: zero, applied: zero }
    }
    /// The same within the limits that controllers compute with: finite in, finite out.
    #[inline(always)]
    fn clamped(&self) -> Self {
        let force = R::lit(FORCE_MAX);
        Self {
            reference: self.reference.clamped(),
            measured: self.measured.clamped(),
            load: self.load.clip(R::lit(1e6)),
            commanded: self.commanded.clip(force),
            applied: self.applied.clip(force),
        }
    }
    /// The position error.
    #[inline(always)]
    fn position_error(&self) -> R {
        self.reference.x - self.measured.x
    }
    /// The velocity error.
    #[inline(always)]
    fn velocity_error(&self) -> R {
        self.reference.v - self.measured.v
    }
    /// The input of a law in the controller: `ahead` = 1 takes the reference velocity, 0 the measured one.
    #[inline(always)]
    fn law_input(&self, ahead: R) -> Input<R> {
        Input { v: self.measured.v + ahead * self.velocity_error(), load: self.load }
    }
    /// The error that drives adaptation: velocity error + lambda · position error, with a dead zone.
    #[inline(always)]
    fn adaptation_error(&self, lambda: R, dead: R) -> R {
        let s = (self.velocity_error() + lambda * self.position_error()).clip(R::lit(MOTION_MAX));
        s - s.clip(dead)
    }
}

/// The sample time, limited to 0.1 µs to 100 s.
#[inline(always)]
fn period<R: Real>(dt: R) -> R {
    dt.max(R::lit(1e-7)).min(R::lit(100.0))
}

/// Limits to `[lo, hi]`.
#[inline(always)]
fn within<R: Real>(x: R, lo: R, hi: R) -> R {
    x.max(lo).min(hi)
}

/// A controller, or a part of one: its share of the command. The initial memory is zero.
///
/// Sign: `m·dv/dt = command − friction`, so a share that compensates friction has the sign of the velocity.
pub trait Control<R: Real>: Copy + Send + Sync + 'static {
    /// Memory.
    type State: StateVector<R>;
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
        let (second, b) = self.1.step(&w.1, &Signals { commanded: now.commanded + a, ..*now }, dt);
        ((first, second), a + b)
    }
}

/// Motion from a measured position alone. The initial memory is zero: the first sample is taken as a body at rest there.
pub trait Estimator<R: Real>: Copy + Send + Sync + 'static {
    /// Memory.
    type State: StateVector<R>;
    /// The same estimator over another number.
    type With<S: Real>: Estimator<S>;
    /// See [`Control::cast`].
    fn cast<S: Real>(&self, f: impl FnMut(R) -> S) -> Self::With<S>;
    /// One sample of the position.
    fn step(&self, w: &Self::State, x: R, dt: R) -> (Self::State, MotionSample<R>);
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
