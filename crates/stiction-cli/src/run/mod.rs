//! A run while it goes on: what is recorded, drawn and reported.
pub mod pictures;
pub mod recorder;
pub mod report;
