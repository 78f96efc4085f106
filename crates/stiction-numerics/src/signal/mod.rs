//! Signal processing: zero-phase filters, derivatives, integrals, spectra. Pure functions over samples.
//!
//! ```
//! use stiction_numerics::signal::{PassBand, Filter, Padding, gradient};
//!
//! let position: Vec<f64> = (0..500).map(|k| (0.02 * f64::from(k)).sin()).collect();   // at 1 kHz
//! let smooth = Filter::butterworth(4, PassBand::Low, 100.0, 1000.0)?.zero_phase(&position, Padding::Scipy)?;
//! let velocity = gradient(&smooth, 1e-3)?;
//! assert!((velocity[250] - 20.0 * 5.0_f64.cos()).abs() < 1e-2);
//! # Ok::<(), stiction_numerics::NumericsError>(())
//! ```
mod cutoff;
mod decimate;
mod derivative;
mod design;
mod difference_noise;
mod filter;
mod integral;
mod periodogram;
mod resample;
mod sampling_grid;
mod savitzky_golay;
mod shift;
mod spectrum;
mod spline;
mod zero_phase;

pub use cutoff::{Cutoff, CutoffKind, choose_cutoff};
pub use decimate::{DecimationGrid, decimate};
pub use derivative::{
    central_difference, compact_derivative, compact_derivative_of_fourth_order, gradient, gradient_at,
};
pub use design::PassBand;
pub use difference_noise::noise_deviation_between_kinks;
pub use filter::{Filter, SecondOrderSection};
pub use integral::{DriftCorrection, integral};
pub use periodogram::{Periodogram, periodogram};
pub use resample::{Sampling, resample, resample_linear, sampling};
pub use sampling_grid::{SamplingGrid, sampling_grid};
pub use savitzky_golay::SavitzkyGolay;
pub use shift::{between, between_linear};
pub use spectrum::{Detrend, Spectrum, welch};
pub use spline::SmoothingSpline;
pub use zero_phase::Padding;
