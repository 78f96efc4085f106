//! A run while it goes on: what is kept of it, where it goes, what is said about it.
pub mod folder;
pub mod pictures;
pub mod progress;
pub mod recorder;
pub mod report;
pub mod tally;
