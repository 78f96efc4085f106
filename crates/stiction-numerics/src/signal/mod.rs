//! Measured signals: filters without delay, derivatives, integrals, spectra. Pure functions over samples.
//!
//! ```
//! use stiction_numerics::signal::{Band, Filter, Padding, gradient};
//!
//! let position: Vec<f64> = (0..500).map(|k| (0.02 * f64::from(k)).sin()).collect();   // at 1 kHz
//! let smooth = Filter::butterworth(4, Band::Low, 100.0, 1000.0)?.zero_phase(&position, Padding::Scipy)?;
//! let velocity = gradient(&smooth, 1e-3)?;
//! assert!((velocity[250] - 20.0 * 5.0_f64.cos()).abs() < 1e-2);
//! # Ok::<(), stiction_numerics::flaw::Flaw>(())
//! ```
mod cutoff;
mod decimate;
mod derivative;
mod design;
mod fft;
mod filter;
mod integral;
mod resample;
mod savgol;
mod spectrum;
mod spline;
mod zero_phase;

pub use cutoff::{Cutoff, cutoff};
pub use decimate::{Phase, decimate};
pub use derivative::{central, gradient, gradient_at};
pub use design::Band;
pub use filter::{Filter, Section};
pub use integral::{Drift, integral};
pub use resample::{Sampling, resample, resample_straight, sampling};
pub use savgol::SavitzkyGolay;
pub use spectrum::{Detrend, Spectrum, welch};
pub use spline::Spline;
pub use zero_phase::Padding;
