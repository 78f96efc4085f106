//! Savitzky and Golay: the least-squares polynomial in a moving window, or a derivative of it.
use crate::NumericsError;
use crate::check::{enough_samples, positive};

/// A polynomial of some order through windows of samples that are evenly spaced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SavitzkyGolay {
    /// Samples in the window; odd.
    pub window: usize,
    /// Order of the polynomial, below the window.
    pub order: usize,
    /// Which derivative is wanted; 0: the value.
    pub derivative: usize,
    /// Time between samples \[s\].
    pub step: f64,
}

impl SavitzkyGolay {
    /// Filters; the first and last half window are read from the first and last polynomial, as SciPy's mode `interp`.
    pub fn filter(&self, x: &[f64]) -> Result<Vec<f64>, NumericsError> {
        let Self { window, order, derivative, step } = *self;
        if window.is_multiple_of(2) || window > 9999 {
            return Err(NumericsError::InvalidValue {
                name: "window",
                value: window as f64,
                must: "odd, and below 10000",
            });
        }
        if order >= window || order > 20 {
            return Err(NumericsError::InvalidValue {
                name: "order",
                value: order as f64,
                must: "below the window, and 20 at most",
            });
        }
        positive("time step", step)?;
        enough_samples("samples for this window", x, window)?;
        if derivative > order {
            return Ok(vec![0.0; x.len()]);
        }
        let half = window / 2;
        let scale = step.powi(-(derivative as i32));
        let weights = |place: isize| -> Vec<f64> { self.weights(place).into_iter().map(|w| w * scale).collect() };
        let dot = |w: &[f64], x: &[f64]| w.iter().zip(x).map(|(w, x)| w * x).sum::<f64>();
        let middle = weights(0);
        let end = &x[x.len() - window..];
        let half = half as isize;
        let mut out = Vec::with_capacity(x.len());
        out.extend((-half..0).map(|place| dot(&weights(place), x)));
        out.extend(x.windows(window).map(|x| dot(&middle, x)));
        out.extend((1..=half).map(|place| dot(&weights(place), end)));
        Ok(out)
    }

    /// Convolution weights for the derivative at position `place` of the window, counted from its centre (Gorry1990).
    fn weights(&self, place: isize) -> Vec<f64> {
        let half = self.window / 2;
        let m = half as f64;
        let there = gram_polynomials(place as f64, m, self.order, self.derivative);
        // (2k + 1)·(2m)!/(2m − k)! / ((2m + k + 1)!/(2m)!), by recurrence
        let mut factor = vec![1.0 / (2.0 * m + 1.0)];
        for k in 1..=self.order {
            let q = k as f64;
            let ratio = (2.0 * q + 1.0) / (2.0 * q - 1.0) * (2.0 * m - q + 1.0) / (2.0 * m + q + 1.0);
            factor.push(factor[k - 1] * ratio);
        }
        let weight = |i: f64| {
            let here = gram_polynomials(i, m, self.order, 0);
            (0..=self.order).map(|k| factor[k] * here[k] * there[k]).sum()
        };
        (0..self.window).map(|i| weight(i as f64 - m)).collect()
    }
}

/// The `s`-th derivative at `i` of the Gram polynomials of order 0 to `order`, which are orthogonal on −m..m.
fn gram_polynomials(i: f64, m: f64, order: usize, s: usize) -> Vec<f64> {
    // recursion over the order of the derivative
    let mut below = vec![0.0; order + 1];
    for d in 0..=s {
        let mut row = vec![0.0; order + 1];
        row[0] = f64::from(u8::from(d == 0));
        for k in 1..=order {
            let q = k as f64;
            let c = q * (2.0 * m - q + 1.0);
            let before = if k > 1 { row[k - 2] } else { 0.0 };
            row[k] = (4.0 * q - 2.0) / c * (i * row[k - 1] + d as f64 * below[k - 1])
                - (q - 1.0) * (2.0 * m + q) / c * before;
        }
        below = row;
    }
    below
}
