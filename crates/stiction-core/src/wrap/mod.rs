//! Wrappers: what any law can be dressed in. They compose, and the result is again a law.
mod asymmetric;
mod loaded;
mod stochastic;

pub use asymmetric::Asymmetric;
pub use loaded::{Affine, Loaded};
pub use stochastic::{Noise, Stochastic};

/// A law in all three wrappers; the registry builds this when any of them is asked for.
pub type Dressed<M, R> = Stochastic<Loaded<Asymmetric<M>, R>, R>;
