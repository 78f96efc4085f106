//! Bodies on a plane, with friction as a vector.
//!
//! **The force.** A contact has a law of the speed, F(s), and a matrix B = diag(1, `across`) in the axes of its grain. The forces at rest are
//! the ellipse |B⁻¹λ| ≤ hold, a disc without grain. While it slides with velocity v, λ = F(|v|)·B²v/|Bv|: of all forces of the ellipse of level F
//! the one that dissipates most, so that v is normal to the ellipse at λ (the principle of maximum dissipation).
//!
//! A disc slides and spins: the same with velocity and spin together as a vector, whose length is that of the kinetic energy. The set at rest is that of
//! [`disc`], and the first acceleration that with the friction nearest to the resultant by the inertia.
//!
//! Bristles as vectors are in [`bristles`]; they have no set at rest.
//!
//! **Stick** is a mode, not a stiff spring: the velocity is zero to the last bit, the friction force is the resultant P of all other forces, and
//! break-away is the zero of hold² − |B⁻¹P|², located in time. No contact has two moving ends, so that each body decides for itself.
//!
//! **The first instant.** Sliding begins in the direction d with P = m·a·d + λ(d): λ is the point of the ellipse nearest to P. The first velocity is the
//! leading term of the solution, (a·τ + ½ȧ·τ²)·d at the time τ after which the net force is above its rounding, because zero has no direction.
//!
//! **The end of sliding.** Let s = |v| and ψ the angle from P to v. Without grain m·s′ = p·cos ψ − F and m·s·ψ′ = −p·sin ψ: for p < F the speed falls to zero in
//! finite time while v turns into the direction of P, ψ ~ s^(p/(F − p)). The flow is not smooth there, but its distance to the stop
//! is known: s over the present deceleration, which is at most the time left (equal for ψ = 0 and π; the time itself is m·(F·s + P·v)/(F² − p²) for constant P).
//! A step covers at most nine tenths of it and may turn v by at most 60°. The speed then falls by an order of magnitude in a step, until it is below
//! [`REST_SHARE`](run::REST_SHARE)·rtol of the largest speed since sliding began: then it counts as zero. If P is in the set at rest, the body sticks;
//! otherwise it went through zero, and begins to slide anew. For p > F the speed has a minimum instead, and no rule is needed.
//!
//! Between events: Rodas5P with the exact Jacobian, by dual numbers through the same source. Norms of errors are those of vectors, so that the steps
//! do not depend on the direction of the axes.
mod bristles;
mod columns;
mod disc;
mod flow;
mod friction;
mod number;
mod run;
mod step;
mod transitions;

pub(super) use columns::{columns, states};
pub(super) use run::{PlaneRun, initial};
