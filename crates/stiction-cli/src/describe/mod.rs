//! What `stiction describe` prints.
pub mod hunting;
pub mod report;
