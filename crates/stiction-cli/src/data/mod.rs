//! How `stiction data` passes rows on and prints results as JSON, and the options of tables, which other commands
//! share.
pub mod json;
pub mod row_sample;
pub mod table_args;
pub mod tee;
