//! `stiction lab`: the program is started, and asked over its port as a browser would, or as someone who should not be answered.
#![cfg(all(feature = "lab", unix))]
mod access;
mod browser;
mod checks;
mod client;
#[path = "../common/mod.rs"]
mod common;
mod ends;
mod jobs;
mod uploads;
