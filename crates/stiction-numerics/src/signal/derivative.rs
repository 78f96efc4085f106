//! Derivatives by differences.
use crate::NumericsError;
use crate::check::{enough_samples, increasing, positive, same_length};

/// `(x[k+1] − x[k−1]) / 2h`, and one-sided differences at the ends: NumPy's `gradient`, as long as the signal.
pub fn gradient(x: &[f64], step: f64) -> Result<Vec<f64>, NumericsError> {
    enough_samples("samples", x, 2)?;
    positive("time step", step)?;
    let n = x.len();
    let mut out = Vec::with_capacity(n);
    out.push((x[1] - x[0]) / step);
    out.extend(x.windows(3).map(|w| (w[2] - w[0]) / (2.0 * step)));
    out.push((x[n - 1] - x[n - 2]) / step);
    Ok(out)
}

/// `(x[k+1] − x[k−1]) / 2h` where there are two neighbours: two samples shorter than the signal.
pub fn central_difference(x: &[f64], step: f64) -> Result<Vec<f64>, NumericsError> {
    enough_samples("samples", x, 3)?;
    positive("time step", step)?;
    Ok(x.windows(3).map(|w| (w[2] - w[0]) / (2.0 * step)).collect())
}

/// The derivative at times that need not be evenly spaced: the slope of the parabola through three neighbours, one-sided
/// at the ends. NumPy's `gradient` with coordinates.
pub fn gradient_at(x: &[f64], t: &[f64]) -> Result<Vec<f64>, NumericsError> {
    enough_samples("samples", x, 2)?;
    same_length("times", t.len(), x.len())?;
    increasing(t)?;
    let n = x.len();
    let slope = |k: usize| (x[k + 1] - x[k]) / (t[k + 1] - t[k]);
    let mut out = Vec::with_capacity(n);
    out.push(slope(0));
    for k in 1..n - 1 {
        let (before, after) = (t[k] - t[k - 1], t[k + 1] - t[k]);
        out.push((before * slope(k) + after * slope(k - 1)) / (before + after));
    }
    out.push(slope(n - 2));
    Ok(out)
}
