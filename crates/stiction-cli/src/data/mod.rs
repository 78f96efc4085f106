//! What `stiction data` does with rows as they pass, and what it prints as JSON.
pub mod keep;
pub mod layout;
pub mod tee;
pub mod value;
