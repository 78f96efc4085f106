//! One file per command.
pub mod breakaway;
pub mod compensate;
pub mod completions;
pub mod curve;
pub mod cycle;
pub mod data;
pub mod describe;
pub mod energy;
pub mod equilibrium;
pub mod figures;
pub mod hysteresis;
pub mod identify;
pub mod models;
pub mod params;
pub mod phenomena;
pub mod run;
pub mod scenarios;
