//! Identification from records: options, reading, fitting with a checkpoint, and what is printed and written.
pub mod along_motion;
pub mod args;
pub mod checkpoint;
pub mod folder;
pub mod joints;
pub mod json;
pub mod many_fits;
pub mod parse;
pub mod plant;
pub mod records;
pub mod search;
pub mod text;
pub mod velocity_steps;
