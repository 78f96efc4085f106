//! What a law or a system does, measured: loops, break-away.
pub mod drive;
