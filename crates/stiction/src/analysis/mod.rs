//! What a system with friction does in the long run: equilibria, limit cycles, stability.
pub mod cycle;
pub mod dense;
pub mod equilibrium;
mod failure;
mod frame;
mod reduce;
pub mod speed;

pub use failure::Failure;
