//! Numerical methods behind the identification and analysis of friction: [linear algebra](linalg), [least squares](fit) with
//! standard errors, [signal processing](signal), [quantiles](statistics), and work on [several processors](parallel).
pub mod check;
mod error;
pub mod fit;
pub mod linalg;
pub mod parallel;
pub mod signal;
pub mod statistics;

pub use error::NumericsError;
