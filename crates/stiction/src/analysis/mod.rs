//! What a law or a system does, measured: loops, break-away; and what it does in the long run: equilibria, limit cycles,
//! stability.
pub mod breakaway;
pub mod cycle;
pub mod drive;
pub mod equilibrium;
mod failure;
mod frame;
pub mod hysteresis;
pub mod line;
pub mod loops;
pub mod nonlocal;
pub mod quadrature;
mod reduce;
pub mod speed;
pub mod turns;

pub use failure::Failure;
