//! What a law or a system does, measured: loops, break-away.
pub mod breakaway;
pub mod drive;
pub mod hysteresis;
pub mod line;
pub mod loops;
pub mod nonlocal;
pub mod quadrature;
pub mod turns;
