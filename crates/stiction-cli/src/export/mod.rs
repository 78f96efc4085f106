//! What `stiction export` reads, reports and writes.
pub mod folder;
pub mod report;
pub mod source;
