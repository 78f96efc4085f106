//! Wrappers: what any law can be dressed in. They compose, and the result is again a law.
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
pub use loaded::{Affine, Loaded};
pub use stochastic::{Noise, Stochastic};

/// A law in all three wrappers; the registry builds this when any of them is asked for.
pub type Dressed<M, R> = Stochastic<Loaded<Asymmetric<M>, R>, R>;
