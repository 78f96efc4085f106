//! How evenly a signal was sampled, and the same signal on an even grid.
use super::gradient_at;
use crate::NumericsError;
use crate::check::{enough_samples, increasing, positive, same_length};

/// How evenly instants are spaced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// The middle one of all steps \[s\]: gaps do not move it.
    pub step: f64,
    /// The shortest and the longest step \[s\].
    pub range: [f64; 2],
    /// Steps longer than one and a half of the middle one: samples are missing there.
    pub gaps: usize,
}

impl Sampling {
    /// Whether differences may use one step for all: no instant is off by more than this part of a step.
    pub fn is_even(&self, part: f64) -> bool {
        self.range.iter().all(|step| (step / self.step - 1.0).abs() <= part)
    }
}

/// The spacing of instants.
pub fn sampling(t: &[f64]) -> Result<Sampling, NumericsError> {
    enough_samples("times", t, 2)?;
    increasing(t)?;
    let mut steps: Vec<f64> = t.windows(2).map(|t| t[1] - t[0]).collect();
    let gap = steps.len() / 2;
    let (_, &mut step, _) = steps.select_nth_unstable_by(gap, f64::total_cmp);
    let range = steps.iter().fold([f64::MAX, 0.0_f64], |[lo, hi], &s| [lo.min(s), hi.max(s)]);
    Ok(Sampling { step, range, gaps: steps.iter().filter(|s| **s > 1.5 * step).count() })
}

/// The signal at `t[0]`, `t[0] + step`, ... up to the last sample: cubic pieces with the slopes of [`gradient_at`]. It
/// does not filter: decimate to go to a much lower rate.
pub fn resample(t: &[f64], x: &[f64], step: f64) -> Result<Vec<f64>, NumericsError> {
    grid(t, x, step, Some(&gradient_at(x, t)?))
}

/// The same with straight lines between samples: for signals that jump.
pub fn resample_linear(t: &[f64], x: &[f64], step: f64) -> Result<Vec<f64>, NumericsError> {
    grid(t, x, step, None)
}

/// The signal on a grid: with these slopes at the samples, or straight between them.
fn grid(t: &[f64], x: &[f64], step: f64, slopes: Option<&[f64]>) -> Result<Vec<f64>, NumericsError> {
    enough_samples("samples", x, 2)?;
    same_length("times", t.len(), x.len())?;
    increasing(t)?;
    positive("time step", step)?;
    let last = t.len() - 1;
    // a last sample that is missed by rounding alone is still there
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
