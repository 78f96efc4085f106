//! What `stiction compensate` prints, draws and writes.
pub mod folder;
pub mod pictures;
pub mod report;
