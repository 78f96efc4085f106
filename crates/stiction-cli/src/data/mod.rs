//! How `stiction data` passes rows on, and the options of tables, which other commands share.
pub mod table_args;
pub mod tee;
