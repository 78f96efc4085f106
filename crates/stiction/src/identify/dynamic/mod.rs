//! Laws with memory, fitted as a whole: any law of the registry driven by a measured motion.
//!
//! [`force`] drives a law by the velocity that was measured and compares its force with the friction that was measured. The
//! search is global first, on a thinned record, then by least squares on the whole of it, with derivatives by
//! parameters that are exact: the law's own steps over dual numbers.
//!
//! ```
//! use stiction::identify::{Motion, dynamic::{Options, force}};
//! use stiction::{Spec, core::Input};
//!
//! // a record: 2 N of Coulomb friction, rounded off within a few mm/s
//! let mut truth = Spec::new("coulomb-tanh")?;
//! let law = truth.set("fc", 2.0)?.set("ktanh", 300.0)?.build()?;
//! let t: Vec<f64> = (0..200).map(|k| 0.01 * f64::from(k)).collect();
//! let velocity: Vec<f64> = t.iter().map(|t| 0.02 * (3.0 * t).sin()).collect();
//! let friction = velocity.iter().map(|v| law.force(&[], &Input::at(*v))).collect();
//! let motion = Motion { t, velocity, force: friction, ..Motion::default() };
//!
//! let finding = force(&[motion], &Spec::new("coulomb-tanh")?, &Options::default())?;
//! assert!((finding.estimate("fc").unwrap().value - 2.0).abs() < 1e-6);
//! # Ok::<(), stiction::Error>(())
//! ```
//! [`plant`] finds parameters of a whole scenario from positions, through its simulation.
mod comparison;
mod data_scales;
mod experiment_advice;
mod friction_fit;
mod options;
mod parameter_vector;
pub mod plant;
mod predict;
mod search_range;
mod summary;
mod trajectory;
mod validation;

pub use data_scales::DataScales;
pub use friction_fit::{FrictionFit, fit, identify};
pub use options::DynamicOptions;
pub use predict::predict;
pub use validation::validate;
