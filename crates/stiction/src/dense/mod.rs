//! Small dense matrices, row by row: eigenvalues, characteristic polynomial, Hurwitz determinants, singular values, QR.
mod complex;
mod eigen;
mod hurwitz;
mod qr;
mod svd;

pub use complex::Complex;
pub use eigen::eigenvalues;
pub use hurwitz::{hurwitz, polynomial};
pub use qr::Qr;
pub(crate) use qr::{dot, norm};
pub use svd::Svd;
