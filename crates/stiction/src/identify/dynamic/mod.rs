//! Identification of laws with memory: any law of the registry, driven by the measured motion.
//!
//! [`identify()`] drives a law by the measured velocity and compares its force with the measured friction. A global search on a
//! thinned record is followed by a least-squares fit on all samples. The derivatives by the parameters are exact: the law
//! is integrated over dual numbers.
//!
//! ```
//! use stiction::identify::{MotionRecord, dynamic::{DynamicOptions, identify}};
//! use stiction::{Spec, core::Input};
//!
//! // a record: 2 N of Coulomb friction, rounded off within a few mm/s
//! let mut truth = Spec::new("coulomb-tanh")?;
//! let law = truth.set("fc", 2.0)?.set("ktanh", 300.0)?.build()?;
//! let t: Vec<f64> = (0..200).map(|k| 0.01 * f64::from(k)).collect();
//! let velocity: Vec<f64> = t.iter().map(|t| 0.02 * (3.0 * t).sin()).collect();
//! let friction = velocity.iter().map(|v| law.force(&[], &Input::at(*v))).collect();
//! let motion = MotionRecord { t, velocity, force: friction, ..MotionRecord::default() };
//!
//! let result = identify(&[motion], &Spec::new("coulomb-tanh")?, &DynamicOptions::default())?;
//! assert!((result.estimate("fc").unwrap().value - 2.0).abs() < 1e-6);
//! # Ok::<(), stiction::Error>(())
//! ```
//! [`plant`] estimates parameters of a whole scenario by simulating it.
mod comparison;
mod data_scales;
mod delay_fit;
mod delay_profile;
mod experiment_advice;
mod friction_fit;
mod initial_displacement;
mod options;
mod parameter_vector;
pub mod plant;
mod predict;
mod search_range;
mod summary;
mod trajectory;
mod unexplained_delay;
mod validation;

pub use data_scales::DataScales;
pub use friction_fit::{FrictionFit, compared_samples, fit, identify};
pub use initial_displacement::with_displacements;
pub use options::DynamicOptions;
pub use predict::predict;
pub use trajectory::PlantForces;
pub use validation::validate;
