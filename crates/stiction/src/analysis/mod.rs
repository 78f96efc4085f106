//! Analysis of laws (hysteresis loops, break-away, passivity, phenomena) and of systems (equilibria, limit cycles,
//! stability).
//!
//! ```
//! use stiction::{Spec, analysis::{breakaway::{BreakawayTest, breakaway}, test_rig::TestRig}};
//!
//! // a Stribeck contact breaks away at its static friction, whatever the rate
//! let test = BreakawayTest { mass: 1.0, rate: 1.0, dwell: 0.0, slid: None };
//! let found = breakaway(&TestRig::new(&Spec::new("stribeck")?), &test)?;
//! assert!(found.force.is_some_and(|force| (force - 1.5).abs() < 1e-9));
//! # Ok::<(), stiction::Error>(())
//! ```
pub mod breakaway;
pub mod characteristic_scales;
pub mod cycle;
pub mod describing_function;
pub mod energy;
pub mod equilibrium;
pub mod hysteresis;
pub mod law_check;
pub mod law_stepper;
pub mod loops;
pub mod nonlocal_memory;
pub mod phenomena;
pub mod quadrature;
mod reduced_system;
pub mod regression_line;
pub mod sampled_motion;
pub mod stability_over_speed;
pub mod steady_curve;
mod steady_motion;
pub mod test_rig;
pub mod turning_points;

pub use crate::error::AnalysisError;
