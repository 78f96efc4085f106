//! Controllers and compensation of friction.
mod compensate;
mod controllers;
mod loops;
