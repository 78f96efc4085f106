//! Recording, pictures and reports of a run.
pub mod animation;
pub mod pictures;
pub mod recorder;
pub mod report;
pub mod sensitivity;
