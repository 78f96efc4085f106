//! A comparison of methods of compensation: options, the study itself, and what is printed, drawn and written.
pub mod args;
pub mod comparison;
pub mod folder;
