//! Regularity of sampling, and resampling to an even grid.
use super::gradient_at;
use crate::NumericsError;
use crate::check::{enough_samples, increasing, positive, same_length};

/// Statistics of the sampling intervals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// Median sampling interval \[s\], which gaps do not affect.
    pub step: f64,
    /// Shortest and longest interval \[s\].
    pub range: [f64; 2],
    /// Number of intervals longer than 1.5 times the median: samples are missing there.
    pub gaps: usize,
}

impl Sampling {
    /// Whether sampling is even: all intervals are within this fraction of the median.
    pub fn is_even(&self, part: f64) -> bool {
        self.range.iter().all(|step| (step / self.step - 1.0).abs() <= part)
    }
}

/// Sampling intervals of a series of times.
pub fn sampling(t: &[f64]) -> Result<Sampling, NumericsError> {
    enough_samples("times", t, 2)?;
    increasing(t)?;
    let mut steps: Vec<f64> = t.windows(2).map(|t| t[1] - t[0]).collect();
    let gap = steps.len() / 2;
    let (_, &mut step, _) = steps.select_nth_unstable_by(gap, f64::total_cmp);
    let range = steps.iter().fold([f64::MAX, 0.0_f64], |[lo, hi], &s| [lo.min(s), hi.max(s)]);
    Ok(Sampling { step, range, gaps: steps.iter().filter(|s| **s > 1.5 * step).count() })
}

/// The signal at `t[0]`, `t[0] + step`, … up to the last sample, by cubic Hermite interpolation with the slopes of [`gradient_at`].
/// There is no anti-aliasing filter: use [`super::decimate`] for a much lower rate.
pub fn resample(t: &[f64], x: &[f64], step: f64) -> Result<Vec<f64>, NumericsError> {
    grid(t, x, step, Some(&gradient_at(x, t)?))
}

/// The same by linear interpolation: for signals with jumps.
pub fn resample_linear(t: &[f64], x: &[f64], step: f64) -> Result<Vec<f64>, NumericsError> {
    grid(t, x, step, None)
}

/// Interpolation on the grid: cubic with these slopes at the samples, or linear.
fn grid(t: &[f64], x: &[f64], step: f64, slopes: Option<&[f64]>) -> Result<Vec<f64>, NumericsError> {
    enough_samples("samples", x, 2)?;
    same_length("times", t.len(), x.len())?;
    increasing(t)?;
    positive("time step", step)?;
    let last = t.len() - 1;
    // rounding must not lose the last sample
    let count = ((t[last] - t[0]) / step * (1.0 + 4.0 * f64::EPSILON)).floor();
    if count > 1e9 {
        return Err(NumericsError::InvalidValue {
            name: "time step",
            value: step,
            must: "a billionth of the record at least",
        });
    }
    let mut k = 0;
    let mut out = Vec::with_capacity(count as usize + 1);
    for i in 0..=count as usize {
        let time = (t[0] + i as f64 * step).min(t[last]);
        while k + 1 < last && t[k + 1] <= time {
            k += 1;
        }
        let h = t[k + 1] - t[k];
        let s = (time - t[k]) / h;
        let (rest, both) = (1.0 - s, s * (1.0 - s));
        let line = rest * x[k] + s * x[k + 1];
        let rise = x[k + 1] - x[k];
        let bend = |slope: &[f64]| both * (rest * (h * slope[k] - rise) + s * (rise - h * slope[k + 1]));
        out.push(line + slopes.map_or(0.0, bend));
    }
    Ok(out)
}
