//! What `stiction identify` reads, prints and writes.
pub mod choice;
pub mod folder;
pub mod input;
pub mod text;
pub mod value;
