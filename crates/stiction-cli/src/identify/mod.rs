//! What `stiction identify` reads, prints and writes.
pub mod checkpoint;
pub mod choice;
pub mod dynamic;
pub mod folder;
pub mod input;
pub mod plant;
pub mod steps;
pub mod text;
pub mod value;
