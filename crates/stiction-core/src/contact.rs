//! The set-valued contact, resolved once for every law.
//!
//! One implicit Euler step of `m·dv/dt = applied − F`, where `F = force(v)` for `v ≠ 0` and any value of
//! `force(0) ± hold` at rest. With `need = applied + m·v/dt`, the force that would stop the body within the
//! step, the inclusion `m·(v⁺ − v)/dt + F(v⁺) ∋ applied` has the solution `v⁺ = 0` exactly when `need` lies
//! in the set at rest. Otherwise the body slides in the direction in which `need` leaves the set, and
//! `v⁺ − (need − F(v⁺))·dt/m` changes sign between 0 and the velocity it would reach against `force(0)` alone.
use crate::{Dual, Friction, Input, Real, State, step::root};

/// Body and load of one contact step.
#[derive(Clone, Copy, Debug)]
pub struct Body<R> {
    /// Mass or inertia [kg or kg·m²].
    pub mass: R,
    /// Force applied from outside [N or N·m].
    pub applied: R,
}

/// Result of [`step`].
#[derive(Clone, Copy, Debug)]
pub struct Outcome<R: Real> {
    /// Velocity at the end of the step; exactly zero when stuck.
    pub v: R,
    /// Friction force over the step: `m·(v⁺ − v)/dt = applied − force`. For a body that was at rest and stays there it
    /// is the applied force, exactly; one that is stopped within the step takes its momentum too. (In Karnopp's band
    /// the momentum is dropped, and the force is the applied one.)
    pub force: R,
    /// Whether the body is at rest at the end of the step.
    pub stuck: R::Mask,
}

/// Advances the velocity `u.v` of a body by `dt > 0` against the law `m` with memory `z` (held constant).
#[inline(always)]
pub fn step<R: Real, M: Friction<R>>(m: &M, z: &M::State, u: &Input<R>, body: &Body<R>, dt: R) -> Outcome<R> {
    type D<R> = Dual<R, 1>;
    let md = m.cast(D::constant);
    let zd = z.map_into(D::constant);

    let zero = R::lit(0.0);
    // finite in, finite out: beyond these limits nothing is a machine any more
    let (v0, applied) = (u.slip(), body.applied.clip(R::lit(1e18)));
    let h = (dt / body.mass).max(R::lit(1e-15)).min(R::lit(1e15));
    let rest = u.with_v(zero);
    let need = applied + v0 / h;
    let middle = m.force(z, &rest);
    let dir = (need - middle).sign();
    let hold = m.hold(z, &rest, dir);
    // Karnopp: below his band the momentum is dropped and only the applied force decides
    let slow = v0.abs().lt(m.band(u)) & !(hold.lt((applied - middle).abs()));
    let stuck = slow | !(hold.lt((need - middle).abs()));

    // sliding in direction dir, in y = |v|: rises through zero between 0 and the speed at the middle of the set
    let free = (v0 + h * (applied - middle)).abs();
    let residual = |y: R| {
        let f = md.force(&zd, &Input { v: D::var(dir * y, 0), load: D::constant(u.load) });
        // dF/dv, and d/dy of dir·F(dir·y) is the same
        (y - dir * (v0 + h * (applied - f.re)), R::lit(1.0) + h * f.eps[0])
    };
    let y = root(zero, free, free, residual);
    let v = R::select(stuck, zero, dir * y);
    let force = R::select(slow, applied, applied + (v0 - v) / h);
    Outcome { v, force, stuck }
}
