//! What `stiction sweep` and `stiction merge` print: results, and what can be varied and measured.
pub mod list;
pub mod report;
