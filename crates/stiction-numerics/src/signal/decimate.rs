//! Decimation: a lower sampling rate after an anti-aliasing filter.
use super::{Filter, Padding, PassBand};
use crate::NumericsError;

/// Which samples are kept: SciPy and MATLAB differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DecimationGrid {
    /// The first one and every `by`-th after it; padding as SciPy.
    #[default]
    Scipy,
    /// The last one and every `by`-th before it; padding as MATLAB.
    Matlab,
}

/// Every `by`-th sample after a Chebyshev filter of order 8 with 0.05 dB of ripple at 0.8/`by` of half the sampling rate,
/// run both ways: `decimate` of SciPy and of MATLAB.
pub fn decimate(x: &[f64], by: usize, phase: DecimationGrid) -> Result<Vec<f64>, NumericsError> {
    if by == 0 {
        return Err(NumericsError::InvalidValue { name: "decimation", value: 0.0, must: "one or more" });
    }
    if by == 1 {
        return crate::check::enough_samples("samples", x, 1).map(|()| x.to_vec());
    }
    let filter = Filter::chebyshev(8, 0.05, PassBand::Low, 0.4 / by as f64, 1.0)?;
    let (padding, first) = match phase {
        DecimationGrid::Scipy => (Padding::Scipy, 0),
        DecimationGrid::Matlab => (Padding::Matlab, x.len().saturating_sub(1) % by),
    };
    Ok(filter.zero_phase(x, padding)?.into_iter().skip(first).step_by(by).collect())
}
