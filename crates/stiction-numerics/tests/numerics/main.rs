//! Least squares, signals and statistics against closed forms and reference values.
mod fit;
mod nist;
mod signal;
