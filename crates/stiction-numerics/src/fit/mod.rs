//! Least squares, linear and nonlinear, bounded and robust: standard errors that hold for autocorrelated noise, confidence
//! intervals, identifiability, model selection, global search.
//!
//! ```
//! use stiction_numerics::fit::{FitOptions, Parameter, LeastSquaresProblem, nonlinear};
//!
//! // F = Fc + fv·v measured at five speeds
//! let (v, f) = ([0.1, 0.2, 0.4, 0.8, 1.6], [1.21, 1.39, 1.82, 2.59, 4.21]);
//! let residual = |p: &[f64], out: &mut [f64]| {
//!     for ((out, v), f) in out.iter_mut().zip(v).zip(f) {
//!         *out = p[0] + p[1] * v - f;
//!     }
//! };
//! let parameters = [Parameter::new("fc", 0.5).within(0.0, 10.0), Parameter::new("fv", 1.0).within(0.0, 10.0)];
//! let fit = nonlinear(&LeastSquaresProblem::new(&parameters, 5, &residual), &FitOptions::default())?;
//! assert!((fit.values[0] - 1.0).abs() < 0.05 && (fit.values[1] - 2.0).abs() < 0.05);
//! let [low, high] = fit.interval(0, 0.95);
//! assert!(low < 1.0 && 1.0 < high);
//! # Ok::<(), stiction_numerics::NumericsError>(())
//! ```
mod at_bound;
mod bootstrap;
mod cma;
mod covariance;
mod descent;
mod identifiability;
mod jacobian;
mod levenberg_marquardt;
mod linear;
mod loss;
mod model_selection;
mod multi_start;
mod noise;
mod nonlinear;
mod nonnegative;
mod parameter;
mod profile;
mod random;
mod screening;
mod search_journal;
mod separable;
mod trust_region;

pub use bootstrap::{Bootstrap, basic_interval, block_length, bootstrap, draw_blocks};
pub use cma::{CmaOptions, Minimum, minimise};
pub use covariance::Covariance;
pub use descent::{Descent, DescentRequest};
pub use identifiability::{IdentifiabilityAnalysis, ParameterDirection};
pub use levenberg_marquardt::{FitState, IterationProgress, StopReason};
pub use linear::{LinearFit, LinearOptions, linear};
pub use loss::Loss;
pub use model_selection::{Fold, InformationCriteria, block_folds};
pub use multi_start::{MultiStart, cma_search, multi_start};
pub use noise::{NoiseModel, effective_samples};
pub use nonlinear::inverse_gram;
pub use nonlinear::{Fit, FitOptions, nonlinear, nonlinear_from};
pub use nonnegative::nonnegative;
pub use parameter::{LeastSquaresProblem, Parameter};
pub use profile::{ProfileLikelihood, profile_likelihood};
pub use random::Random;
pub use screening::{ScreeningOptions, ScreeningProgress, latin_hypercube, screen};
pub use search_journal::{PartResult, SearchJournal};
pub use separable::{SeparableModel, separable};
