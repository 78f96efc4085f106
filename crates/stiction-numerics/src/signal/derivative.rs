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

/// The derivative by the compact scheme of sixth order (Lele1992), as long as the signal:
///
/// `x′[k−1]/3 + x′[k] + x′[k+1]/3 = 14 (x[k+1] − x[k−1]) / 18h + (x[k+2] − x[k−2]) / 36h`
///
/// For n samples per period the relative error is about `(2π/n)⁶/2000`: 3·10⁻⁵ for ten samples, 0.2 % for five, 1 % for four. At the ends
/// the order is four.
pub fn compact_derivative(x: &[f64], step: f64) -> Result<Vec<f64>, NumericsError> {
    tridiagonal(x, step, |k| {
        let inner = k > 1 && k + 2 < x.len();
        inner.then(|| [1.0 / 3.0, 7.0 / 9.0 * (x[k + 1] - x[k - 1]) + (x[k + 2] - x[k - 2]) / 36.0])
    })
}

/// The derivative by the compact scheme of fourth order, `x′[k−1]/4 + x′[k] + x′[k+1]/4 = 3 (x[k+1] − x[k−1]) / 4h` (Lele1992). Where it
/// differs from [`compact_derivative`], the samples do not resolve the signal.
pub fn compact_derivative_of_fourth_order(x: &[f64], step: f64) -> Result<Vec<f64>, NumericsError> {
    tridiagonal(x, step, |_| None)
}

/// The solution of a compact scheme. `inner` gives the factor of the neighbours' derivatives and the right-hand side times `h` at a sample;
/// where it gives none, the order is four.
fn tridiagonal(x: &[f64], step: f64, inner: impl Fn(usize) -> Option<[f64; 2]>) -> Result<Vec<f64>, NumericsError> {
    enough_samples("samples", x, 5)?;
    positive("time step", step)?;
    let last = x.len() - 1;
    let one_sided = |x: [f64; 4]| (-17.0 * x[0] + 9.0 * x[1] + 9.0 * x[2] - x[3]) / 6.0;
    // x′ beside the diagonal, before and after, and the right-hand side times h
    let row = |k: usize| -> [f64; 3] {
        match k {
            0 => [0.0, 3.0, one_sided([x[0], x[1], x[2], x[3]])],
            k if k == last => [3.0, 0.0, -one_sided([x[k], x[k - 1], x[k - 2], x[k - 3]])],
            k => {
                let [beside, value] = inner(k).unwrap_or_else(|| [0.25, 0.75 * (x[k + 1] - x[k - 1])]);
                [beside, beside, value]
            }
        }
    };
    // elimination without pivots; the first row is not dominated by its diagonal, but the second pivot, 1 − 3/4, is far from zero
    let mut above = vec![0.0; x.len()];
    let mut out = vec![0.0; x.len()];
    for k in 0..=last {
        let [before, after, value] = row(k);
        let (left, slope) = if k == 0 { (0.0, 0.0) } else { (above[k - 1], out[k - 1]) };
        let pivot = 1.0 - before * left;
        above[k] = after / pivot;
        out[k] = (value / step - before * slope) / pivot;
    }
    for k in (0..last).rev() {
        out[k] -= above[k] * out[k + 1];
    }
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
