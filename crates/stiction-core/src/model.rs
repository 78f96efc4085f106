//! The trait that every friction law implements.
//!
//! ```
//! use stiction_core::{Friction, Input, Params, models::Dahl};
//!
//! let law = Dahl::<f64>::nominal();
//! let u = Input::at(0.01);
//! let mut z = [0.0];                                                   // memory is a value that you keep
//! for _ in 0..10_000 {
//!     z = law.step(&z, &u, 1e-4);
//! }
//! assert!((law.force(&z, &u) - law.steady(&u)).abs() < 1e-9);
//! ```
use crate::{Params, Real};

/// Largest load factor; a law limits larger ones to it, so that no product of finite inputs overflows. A simulation that would exceed it stops.
pub const LOAD_MAX: f64 = 1e12;

/// Largest speed [m/s]; larger ones are limited to it.
pub(crate) const V_MAX: f64 = 1e15;

/// Rounding of a law's guard, as a fraction of its largest magnitude in a step: a difference of forces or deflections that are themselves sums over some
/// hundred operations. A simulator takes a guard below it for zero, so that it locates events no more finely; a law whose mode follows from its
/// continuous memory reads it no more finely either.
pub const GUARD_ROUNDING: f64 = 1e-13;

/// The input of a law at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Input<R> {
    /// Sliding velocity [m/s or rad/s].
    pub v: R,
    /// Normal load over the load at which the law's force levels were given [-]; 0 and below: no contact.
    /// Signed for `gear`, where it is the transmitted torque.
    pub load: R,
}
impl<R: Real> Input<R> {
    /// Velocity `v` at nominal load.
    #[inline(always)]
    pub fn at(v: R) -> Self {
        Self { v, load: R::lit(1.0) }
    }
    /// The sliding velocity that a law computes with: limited to 1e15 m/s, so that nothing overflows.
    #[inline(always)]
    pub fn slip(&self) -> R {
        if R::BOUNDED { self.v } else { self.v.clip(R::lit(V_MAX)) }
    }
    /// The load factor, at least zero: a contact presses and does not pull.
    #[inline(always)]
    pub fn pressed(&self) -> R {
        self.load.max(R::lit(0.0)).min(R::lit(LOAD_MAX))
    }
    /// The same instant at another velocity.
    #[inline(always)]
    pub fn with_v(&self, v: R) -> Self {
        Self { v, ..*self }
    }
    /// The same instant in another number.
    #[inline(always)]
    pub fn map<S: Real>(&self, mut f: impl FnMut(R) -> S) -> Input<S> {
        Input { v: f(self.v), load: f(self.load) }
    }
}

/// A law's memory: a fixed number of reals. `[R; N]`, or a pair of memories for a wrapper.
pub trait StateVector<R: Real>: Copy + core::fmt::Debug + Send + Sync + 'static {
    /// How many numbers.
    const LEN: usize;
    /// The memory of a contact that has never moved.
    fn zero() -> Self;
    /// Number `i`; zero beyond the end.
    fn get(&self, i: usize) -> R;
    /// Sets number `i`; does nothing beyond the end.
    fn set(&mut self, i: usize, x: R);
    /// `if m { yes } else { no }`, number by number.
    #[inline(always)]
    fn select(m: R::Mask, yes: &Self, no: &Self) -> Self {
        let mut out = *no;
        for i in 0..Self::LEN {
            out.set(i, R::select(m, yes.get(i), no.get(i)));
        }
        out
    }
    /// Copies into a memory over another number.
    #[inline(always)]
    fn map_into<S: Real, T: StateVector<S>>(&self, mut f: impl FnMut(R) -> S) -> T {
        let mut out = T::zero();
        for i in 0..Self::LEN {
            out.set(i, f(self.get(i)));
        }
        out
    }
}
impl<R: Real, const N: usize> StateVector<R> for [R; N] {
    const LEN: usize = N;
    #[inline(always)]
    fn zero() -> Self {
        [R::lit(0.0); N]
    }
    #[inline(always)]
    fn get(&self, i: usize) -> R {
        match <[R]>::get(self, i) {
            Some(&x) => x,
            None => R::lit(0.0),
        }
    }
    #[inline(always)]
    fn set(&mut self, i: usize, x: R) {
        if let Some(z) = self.get_mut(i) {
            *z = x;
        }
    }
}
impl<R: Real, A: StateVector<R>, B: StateVector<R>> StateVector<R> for (A, B) {
    const LEN: usize = A::LEN + B::LEN;
    #[inline(always)]
    fn zero() -> Self {
        (A::zero(), B::zero())
    }
    #[inline(always)]
    fn get(&self, i: usize) -> R {
        if i < A::LEN { self.0.get(i) } else { self.1.get(i - A::LEN) }
    }
    #[inline(always)]
    fn set(&mut self, i: usize, x: R) {
        if i < A::LEN { self.0.set(i, x) } else { self.1.set(i - A::LEN, x) }
    }
}

/// A friction law: a pure function of parameters, memory and input. All memory is in [`Self::State`].
///
/// Sign: `m·dv/dt = applied − force`, so `force` has the sign of `v` in sliding.
///
/// A law is a small hybrid automaton. Memory flows by [`rate`](Friction::rate); where a
/// [`guard`](Friction::guards) crosses zero the flow has a kink or a mode flips, and
/// [`jump`](Friction::jump) says what the memory becomes. At `v = 0` the force may be a whole set,
/// `force(v = 0) ± hold`; [`crate::contact::step`] resolves that case for all laws.
pub trait Friction<R: Real>: Copy + Send + Sync + 'static {
    /// Memory.
    type State: StateVector<R>;
    /// One number per guard.
    type Guards: StateVector<R>;
    /// The same law over another number.
    type With<S: Real>: Friction<S>;
    /// Whether `force(−z, −v) = −force(z, v)`.
    const ODD: bool = true;
    /// Whether [`step`](Friction::step) solves the flow exactly at constant input, jumps included.
    const EXACT: bool = true;
    /// Whether the law has no memory, and its force is linear in the speed while it slides one way.
    const LINEAR: bool = false;
    /// Whether the load factor has a sign; otherwise a negative one counts as zero.
    const SIGNED_LOAD: bool = false;

    /// The law over another number, its parameters converted in the order of their declaration.
    fn cast<S: Real>(&self, f: impl FnMut(R) -> S) -> Self::With<S>;
    /// Friction force [N or N·m].
    fn force(&self, z: &Self::State, u: &Input<R>) -> R;
    /// Time derivative of the memory between jumps.
    #[inline(always)]
    fn rate(&self, _z: &Self::State, _u: &Input<R>) -> Self::State {
        Self::State::zero()
    }
    /// Rate and force together, for solvers. A law may share work between the two.
    #[inline(always)]
    fn flow(&self, z: &Self::State, u: &Input<R>) -> (Self::State, R) {
        (self.rate(z, u), self.force(z, u))
    }
    /// Whether number `i` of the memory changes continuously. If not, its rate is zero and it changes in jumps only.
    #[inline(always)]
    fn flows(_i: usize) -> bool {
        true
    }
    /// The memory after sliding forever at `u`.
    #[inline(always)]
    fn settled(&self, _u: &Input<R>) -> Self::State {
        Self::State::zero()
    }
    /// The steady curve: `force(settled)`.
    #[inline(always)]
    fn steady(&self, u: &Input<R>) -> R {
        self.force(&self.settled(u), u)
    }
    /// The memory after one sample `dt ≥ 0` at constant `u`: exact where a closed form exists, else
    /// implicit. Bounded work, stable for every `dt`.
    #[inline(always)]
    fn step(&self, z: &Self::State, _u: &Input<R>, _dt: R) -> Self::State {
        *z
    }
    /// One sample, for controllers: the memory after it, and the force with that memory. A law may share work between the
    /// two.
    #[inline(always)]
    fn sample(&self, z: &Self::State, u: &Input<R>, dt: R) -> (Self::State, R) {
        let z = self.step(z, u, dt);
        let force = self.force(&z, u);
        (z, force)
    }
    /// Half-width of the set of forces at `v = 0` against motion in direction `dir` = ±1; zero for a
    /// single-valued law. `force(0) + dir·hold(dir)` is at or beyond the force with which motion in direction `dir` begins; see
    /// [`Asymmetric`](crate::wrap::Asymmetric), the one law with which it may be negative.
    #[inline(always)]
    fn hold(&self, _z: &Self::State, _u: &Input<R>, _dir: R) -> R {
        R::lit(0.0)
    }
    /// The speed below which the body counts as at rest (Karnopp); zero for every other law.
    #[inline(always)]
    fn band(&self, _u: &Input<R>) -> R {
        R::lit(0.0)
    }
    /// Functions whose zeros are kinks of the flow or flips of a mode; a simulator stops there. The first is `v`.
    #[inline(always)]
    fn guards(&self, _z: &Self::State, u: &Input<R>) -> Self::Guards {
        let mut g = Self::Guards::zero();
        g.set(0, u.v);
        g
    }
    /// Whether sliding long enough at constant speed leads from the zero memory to [`settled`](Friction::settled);
    /// a random law only reaches it on average.
    #[inline(always)]
    fn settles(&self) -> R::Mask {
        R::lit(0.0).lt(R::lit(1.0))
    }
    /// Whether a guard after the first may cross zero with these parameters. A law that has modes for some of its parameters only is
    /// otherwise treated as one without.
    #[inline(always)]
    fn has_modes(&self) -> R::Mask {
        R::lit(1.0).lt(R::lit(Self::Guards::LEN as f64))
    }
    /// The extremum of the sliding speed |v| that changes the memory next: +1 a maximum, −1 a minimum, 0 none. A condition on
    /// the acceleration cannot be a guard, which sees velocities only. A simulator stops at such an extremum and calls
    /// [`jump`](Friction::jump) twice, with the extreme velocity and with one that differs from it by a few units in the last
    /// place, on the side to which the speed goes.
    #[inline(always)]
    fn extremum(&self, _z: &Self::State) -> R {
        R::lit(0.0)
    }
    /// The direction ±1 of the slide that the memory belongs to, 0 if it belongs to none. A law whose [`jump`](Friction::jump) at the
    /// end of a slide turns the sliding force into memory says so here: with other parameters in each direction
    /// ([`Asymmetric`](crate::wrap::Asymmetric)) it has to be the law of that slide that does it.
    #[inline(always)]
    fn slides(&self, _z: &Self::State) -> R {
        R::lit(0.0)
    }
    /// The memory just after a guard was crossed, with `u` on the far side. It must act on a guard that is exactly zero,
    /// and be idempotent: a simulator calls it at every crossing and at the end of every step. At `v = 0` it ends a slide and changes nothing else: rest
    /// belongs to no direction, and with other parameters in each ([`Asymmetric`](crate::wrap::Asymmetric)) a law would apply limits there that hold for
    /// motion in its direction alone. Identity for a law without modes.
    #[inline(always)]
    fn jump(&self, z: &Self::State, _u: &Input<R>) -> Self::State {
        *z
    }
}

/// A law with a name and a parameter table, as listed in [`crate::models`].
pub trait Law<R: Real>: Friction<R> + Params<R> {}
impl<R: Real, M: Friction<R> + Params<R>> Law<R> for M {}

/// The associated types and `cast` of a law declared with [`params!`](crate::params!):
/// `shape!(LuGre, 1, 1)` for one state and one guard.
macro_rules! shape {
    ($Name:ident, $states:expr, $guards:expr) => {
        type State = [R; $states];
        type Guards = [R; $guards];
        type With<S: $crate::Real> = $Name<S>;
        #[inline(always)]
        fn cast<S: $crate::Real>(&self, f: impl FnMut(R) -> S) -> $Name<S> {
            self.map(f)
        }
    };
}
pub(crate) use shape;
