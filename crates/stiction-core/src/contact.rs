//! The contact of a body with any law, set-valued or not, resolved once.
//!
//! One implicit Euler step of `m·dv/dt = applied − F`, the law's memory advanced with it: `F(v)` is the force after a
//! sample at `v`. At rest `F` is any value of `F(0) ± hold`. With `need = applied + m·v/dt`, the force that would stop the
//! body within the step, the inclusion `m·(v⁺ − v)/dt + F(v⁺) ∋ applied` has the solution `v⁺ = 0` exactly when `need`
//! lies in the set at rest. Otherwise the body slides in the direction in which `need` leaves the set, and
//! `v⁺ − (need − F(v⁺))·dt/m` changes sign between 0 and the speed it would reach with `F(0)` behind it. Where several
//! speeds solve it (a falling Stribeck curve, a long sample) one of them is found.
//!
//! Because the memory moves with the velocity, bristles may be arbitrarily stiff: the step is stable for every `dt`.
//! A set-valued law holds a load exactly; a bristle law comes to rest by its own damping, as it does in continuous time.
//!
//! ```
//! use stiction_core::contact::{SlidingBody, step};
//! use stiction_core::{Input, Params, models::Coulomb};
//!
//! // 1 kg at 1 m/s against 1 N: it stops within a sample of 2 s, and not beyond
//! let law = Coulomb::<f64>::nominal();
//! let out = step(&law, &[], &Input::at(1.0), &SlidingBody { mass: 1.0, applied: 0.0 }, 2.0);
//! assert!(out.stuck && out.v == 0.0);
//! ```
mod in_loop;

pub use in_loop::solve_in_loop;

use crate::{Dual, Friction, Input, Real, StateVector, step::root};

/// The body that slides on a contact, and the force applied to it during one step.
#[derive(Clone, Copy, Debug)]
pub struct SlidingBody<R> {
    /// Mass or inertia [kg or kg·m²].
    pub mass: R,
    /// Force applied from outside [N or N·m].
    pub applied: R,
}

/// Result of [`step`].
#[derive(Clone, Copy, Debug)]
pub struct ContactStep<R: Real, Z> {
    /// Velocity at the end of the step; exactly zero when stuck.
    pub v: R,
    /// Friction force over the step: `m·(v⁺ − v)/dt = applied − force`. For a body that was at rest and stays there it
    /// is the applied force, exactly; one that is stopped within the step takes its momentum too. (In Karnopp's band
    /// the momentum is dropped, and the force is the applied one.)
    pub force: R,
    /// Whether the body is held at rest.
    pub stuck: R::Mask,
    /// The law's memory at the end of the step.
    pub memory: Z,
}

/// Advances a body of velocity `u.v` by `dt > 0` against `law`, and the law's memory `z` with it.
///
/// ```
/// use stiction_core::contact::{SlidingBody, step};
/// use stiction_core::{Input, Params, models::Stribeck};
///
/// let law = Stribeck::<f64>::nominal();                      // holds up to 1.5 N
/// let (mut v, mut z) = (0.0, []);
/// for applied in [0.7, 1.5, 1.6] {
///     let out = step(&law, &z, &Input::at(v), &SlidingBody { mass: 1.0, applied }, 1e-3);
///     (v, z) = (out.v, out.memory);
///     assert_eq!(out.stuck, applied <= 1.5);
/// }
/// ```
#[inline(always)]
pub fn step<R: Real, M: Friction<R>>(
    law: &M,
    z: &M::State,
    u: &Input<R>,
    body: &SlidingBody<R>,
    dt: R,
) -> ContactStep<R, M::State> {
    type D<R> = Dual<R, 1>;
    let rest = u.with_v(R::lit(0.0));
    let (rested, middle) = law.sample(z, &rest, dt);
    let slope = || {
        let (dual, zd) = (law.cast(D::constant), z.map_into(D::constant));
        move |v: R| {
            let at = Input { v: D::var(v, 0), load: D::constant(u.load) };
            let force = dual.sample(&zd, &at, D::constant(dt)).1;
            (force.re, force.eps[0])
        }
    };
    let hold = |dir: R| law.hold(&rested, &rest, dir);
    let ContactStep { v, force, stuck, .. } = solve(u, body, dt, middle, hold, law.band(u), slope);
    ContactStep { v, force, stuck, memory: law.step(z, &u.with_v(v), dt) }
}

/// Velocity and force at the end of a step, for a law given by functions: `middle` is its force after a sample at rest,
/// `hold` the half-width of the set there against motion in a direction, `band` Karnopp's speed; `slope` makes the function
/// that gives the force after a sample at a velocity, and its derivative.
#[inline(always)]
pub fn solve<R: Real, F: Fn(R) -> (R, R)>(
    u: &Input<R>,
    body: &SlidingBody<R>,
    dt: R,
    middle: R,
    hold: impl FnOnce(R) -> R,
    band: R,
    slope: impl FnOnce() -> F,
) -> ContactStep<R, ()> {
    let zero = R::lit(0.0);
    let momentum = Momentum::new(u, body, dt);
    let AtRest { dir, slow, stuck, known } = momentum.at_rest(middle, hold, band);
    let slide = || {
        let law = slope();
        let residual = |y: R| momentum.residual(dir, y, law(dir * y));
        // A law that is not passive (LuGre with constant damping) may push even there: then the bracket is enlarged.
        let [far] = R::repeat(ENLARGED, [momentum.far(middle)], |[far]| {
            let pushes = residual(far).0.lt(zero);
            ([R::select(pushes, far + far, far)], !pushes)
        });
        let near = far * R::lit(NEAR);
        let start = first_speed(near, far, residual(near));
        // Bisection alone would take some sixty to find the knee of a stiff bristle; Newton needs a handful.
        let y = root::<R, ITERATIONS>(zero, far, start, residual);
        dir * y
    };
    let v = R::select_lazy(!stuck, slide, zero);
    let v = R::select(stuck | known, v, R::lit(f64::NAN));
    ContactStep { v, force: momentum.force(v, slow), stuck, memory: () }
}

/// How often the bracket of the speed is doubled, at most.
const ENLARGED: usize = 8;
/// Most iterations for the speed.
const ITERATIONS: usize = 64;
/// A speed next to rest, relative to the end of the bracket.
const NEAR: f64 = 1e-12;

/// A bristle's force rises steeply and saturates: Newton from rest approaches such a root from below, never past it.
/// Where the force falls from rest instead (Stribeck, long samples), the far end is the better start.
#[inline(always)]
fn first_speed<R: Real>(near: R, far: R, (value, slope): (R, R)) -> R {
    R::select(R::lit(0.0).lt(slope), near - value / slope, far)
}

/// What of a step does not depend on the law.
struct Momentum<R> {
    v0: R,
    applied: R,
    /// Length of the step over the mass.
    h: R,
    /// The force that would stop the body within the step.
    need: R,
}

/// What is decided by the law at rest.
struct AtRest<R: Real> {
    /// The direction in which the body slides if it does.
    dir: R,
    /// Karnopp: below his band the momentum is dropped and only the applied force decides.
    slow: R::Mask,
    stuck: R::Mask,
    /// Whether all of it is a number.
    known: R::Mask,
}

impl<R: Real> Momentum<R> {
    #[inline(always)]
    fn new(u: &Input<R>, body: &SlidingBody<R>, dt: R) -> Self {
        // finite in, finite out: no machine exceeds these limits
        let (v0, applied) = (u.slip(), body.applied.clip(R::lit(1e18)));
        let h = (dt / body.mass).max(R::lit(1e-15)).min(R::lit(1e15));
        Self { v0, applied, h, need: applied + v0 / h }
    }
    #[inline(always)]
    fn at_rest(&self, middle: R, hold: impl FnOnce(R) -> R, band: R) -> AtRest<R> {
        let dir = (self.need - middle).sign();
        let hold = hold(dir);
        // `a ≤ hold`; false where one of them is not a number: what is not known is not held
        let within = |a: R| !(hold.lt(a)) & (a - hold).lt(R::lit(f64::INFINITY));
        let slow = self.v0.abs().lt(band) & within((self.applied - middle).abs());
        let stuck = slow | within((self.need - middle).abs());
        let known = (self.need - middle).abs().lt(R::lit(f64::INFINITY)) & hold.lt(R::lit(f64::INFINITY));
        AtRest { dir, slow, stuck, known }
    }
    /// Sliding in direction `dir`, in `y = |v|`: at 0 it is negative. At [`Momentum::far`] it is not: friction there either
    /// opposes the motion or, where bristles still push along, pushes less than at rest. With its derivative.
    #[inline(always)]
    fn residual(&self, dir: R, y: R, (force, slope): (R, R)) -> (R, R) {
        // dF/dv, and d/dy of dir·F(dir·y) is the same
        (y - dir * (self.v0 + self.h * (self.applied - force)), R::lit(1.0) + self.h * slope)
    }
    #[inline(always)]
    fn far(&self, middle: R) -> R {
        self.v0.abs() + self.h * (self.applied.abs() + middle.abs())
    }
    /// The force over the step that ends at `v`.
    #[inline(always)]
    fn force(&self, v: R, slow: R::Mask) -> R {
        R::select(slow, self.applied, self.applied + (self.v0 - v) / self.h)
    }
}
