//! Dense linear algebra, matrices given row by row: eigenvalues, characteristic polynomial, Hurwitz determinants, singular value
//! decomposition, pivoted QR.
//!
//! By hand, because it was measured to be the better choice at our sizes (3 to 30): nalgebra 0.35 takes 37 s to build, does not
//! converge for the eigenvalues of a cyclic permutation matrix, and loses small singular values of graded columns.
//!
//! ```
//! use stiction_numerics::linalg::{eigenvalues, hurwitz_determinants, polynomial_from_roots};
//!
//! // a mass on a spring with a damper: s² + 0.4 s + 4
//! let roots = eigenvalues(&[0.0, 1.0, -4.0, -0.4], 2);
//! assert!(roots.iter().all(|z| (z.re + 0.2).abs() < 1e-12));
//! assert!(hurwitz_determinants(&polynomial_from_roots(&roots)).iter().all(|d| *d > 0.0));      // it is stable
//! ```
mod complex;
mod eigen;
mod eigen_error;
mod hurwitz;
mod qr;
mod svd;

pub use complex::Complex;
pub use eigen::{balanced, eigenvalues};
pub use eigen_error::BoundedEigenvalue;
pub use hurwitz::{hurwitz_determinants, polynomial_from_roots};
pub use qr::Qr;
pub use qr::{dot, norm};
pub use svd::Svd;
