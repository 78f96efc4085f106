//! What a law or a system does, measured: loops, break-away; and what it does in the long run: equilibria, limit cycles,
//! stability.
pub mod breakaway;
pub mod cycle;
pub mod describe;
pub mod drive;
pub mod energy;
pub mod equilibrium;
mod failure;
mod frame;
pub mod hysteresis;
pub mod line;
pub mod loops;
pub mod nonlocal;
pub mod phenomena;
pub mod quadrature;
mod reduce;
pub mod scales;
pub mod speed;
pub mod turns;
pub mod walk;

pub use failure::Failure;
