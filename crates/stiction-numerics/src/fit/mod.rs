//! Least squares: linear and nonlinear, bounded and robust, with errors that hold for correlated noise, and a word on what
//! the data do not tell.
//!
//! ```
//! use stiction_numerics::fit::{Options, Parameter, Problem, nonlinear};
//!
//! // F = Fc + fv·v measured at five speeds
//! let (v, f) = ([0.1, 0.2, 0.4, 0.8, 1.6], [1.21, 1.39, 1.82, 2.59, 4.21]);
//! let residual = |p: &[f64], out: &mut [f64]| {
//!     for ((out, v), f) in out.iter_mut().zip(v).zip(f) {
//!         *out = p[0] + p[1] * v - f;
//!     }
//! };
//! let parameters = [Parameter::new("fc", 0.5).within(0.0, 10.0), Parameter::new("fv", 1.0).within(0.0, 10.0)];
//! let fit = nonlinear(&Problem::new(&parameters, 5, &residual), &Options::default())?;
//! assert!((fit.values[0] - 1.0).abs() < 0.05 && (fit.values[1] - 2.0).abs() < 0.05);
//! let [low, high] = fit.interval(0, 0.95);
//! assert!(low < 1.0 && 1.0 < high);
//! # Ok::<(), stiction_numerics::flaw::Flaw>(())
//! ```
mod bootstrap;
mod cma;
mod correlation;
mod global;
mod levenberg;
mod linear;
mod loss;
mod noise;
mod nonlinear;
mod parameter;
mod profile;
mod random;
mod select;
mod separable;
mod slope;
mod step;
mod student;
mod survey;
mod verdict;

pub use bootstrap::{Bootstrap, block_length, bootstrap};
pub use cma::{Cma, Valley, minimise};
pub use correlation::Covariance;
pub use global::{Found, cma_search, multi_start};
pub use levenberg::{Progress, Reason, State};
pub use linear::{Linear, LinearOptions, linear};
pub use loss::Loss;
pub use noise::{Noise, effective};
pub use nonlinear::gram;
pub use nonlinear::{Fit, Options, nonlinear, nonlinear_from};
pub use parameter::{Parameter, Problem};
pub use profile::{Profile, profile};
pub use random::Random;
pub use select::{Information, Split, blocks};
pub use separable::{Separable, separable};
pub use student::student;
pub use survey::{Sight, Survey, survey};
pub use verdict::{Direction, Verdict};
