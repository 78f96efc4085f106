//! Small dense matrices, row by row: eigenvalues, characteristic polynomial, Hurwitz determinants, singular values.
mod complex;
mod eigen;
mod hurwitz;
mod svd;

pub use complex::Complex;
pub use eigen::eigenvalues;
pub use hurwitz::{hurwitz, polynomial};
pub use svd::Svd;
