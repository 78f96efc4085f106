//! What a law or a system does, measured: loops, break-away; and what it does in the long run: equilibria, limit cycles,
//! stability.
//!
//! ```
//! use stiction::{Spec, analysis::{breakaway::{Test, breakaway}, drive::Rig}};
//!
//! // a Stribeck contact lets go at its level of rest, whatever the rate
//! let test = Test { mass: 1.0, rate: 1.0, dwell: 0.0, slid: None };
//! let found = breakaway(&Rig::new(&Spec::new("stribeck")?), &test)?;
//! assert!(found.force.is_some_and(|force| (force - 1.5).abs() < 1e-9));
//! # Ok::<(), stiction::Error>(())
//! ```
pub mod breakaway;
pub mod cycle;
pub mod describe;
pub mod drive;
pub mod energy;
pub mod equilibrium;
mod frame;
pub mod hysteresis;
pub mod line;
pub mod loops;
pub mod nonlocal;
pub mod phenomena;
pub mod quadrature;
mod reduce;
pub mod scales;
pub mod speed;
pub mod steady_curve;
pub mod turns;
pub mod walk;

pub use crate::error::AnalysisError;
