//! What `stiction sweep` and its kin say: a bar while it runs, what was found, what could be asked.
pub mod bar;
pub mod list;
pub mod report;
