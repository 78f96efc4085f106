//! Wrappers around any law: parameters per direction, a load in its own unit, noise. They compose, and the result is
//! again a law.
//!
//! ```
//! use stiction_core::wrap::Asymmetric;
//! use stiction_core::{Friction, Input, Params, models::Coulomb};
//!
//! let law = Asymmetric { forward: Coulomb::<f64>::nominal(), reverse: Coulomb { fc: 2.0 } };
//! assert_eq!([0.1, -0.1].map(|v| law.steady(&Input::at(v))), [1.0, -2.0]);
//! ```
mod asymmetric;
mod loaded;
mod stochastic;

pub use asymmetric::Asymmetric;
#[cfg(feature = "alloc")]
pub(crate) use asymmetric::ONLY_A_SIGN;
pub use loaded::{Affine, Loaded};
pub use stochastic::{Noise, Stochastic};
#[cfg(feature = "alloc")]
pub(crate) use stochastic::{carried, noise_guards, noisy_hold};

/// A law in all three wrappers.
pub type Wrapped<M, R> = Stochastic<Loaded<Asymmetric<M>, R>, R>;
