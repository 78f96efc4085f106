//! What `stiction export` reads, reports and writes.
pub mod args;
pub mod fmu;
pub mod folder;
pub mod law;
pub mod mujoco_plugin;
pub mod page;
pub mod plan;
pub mod robot;
