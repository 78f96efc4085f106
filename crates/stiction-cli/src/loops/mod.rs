//! What `stiction hysteresis` prints: loops of a law, and of a trace in a file.
pub mod report;
pub mod trace;
