//! Scenario files, parameter files, ensembles and sweeps.
mod ensemble;
mod errors;
mod files;
mod output;
mod parameter_file;
mod sweep;
