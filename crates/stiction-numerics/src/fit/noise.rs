//! Standard errors under autocorrelated noise, as in records that are sampled fast: heteroskedasticity and autocorrelation
//! consistent (HAC) covariance.
use crate::NumericsError;
use crate::linalg::dot;

/// The noise model, which decides on the standard errors.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum NoiseModel {
    /// Independent residuals of equal variance: the textbook's standard errors.
    #[default]
    White,
    /// Autocorrelated, of any variance: Newey's and West's standard errors after prewhitening.
    Correlated {
        /// Lag up to which the whitened noise is correlated; chosen from the residuals if there is none.
        lag: Option<usize>,
        /// Whether the influence series is prewhitened by a first-order autoregression (Andrews1992). Leave it on, unless the
        /// plain estimator is wanted. A standard error is then never below that of white noise: where few samples determine a
        /// parameter, an estimate from those few is as often too small as too large (Angrist2009).
        whiten: bool,
        /// Where a new record begins, if the samples are several records one after another.
        breaks: Vec<usize>,
    },
}

impl NoiseModel {
    /// Autocorrelated noise in one record, with the lag chosen automatically.
    pub fn correlated() -> Self {
        Self::Correlated { lag: None, whiten: true, breaks: Vec::new() }
    }
}

/// Long-run covariance of series of zero mean: the sum of autocovariances with Bartlett's weights (Newey1987). Row by row.
pub(super) fn long_run(
    series: &mut [Vec<f64>],
    lag: Option<usize>,
    whiten: bool,
    breaks: &[usize],
) -> Result<Vec<f64>, NumericsError> {
    let n = series.len();
    if n == 0 {
        // all parameters are fixed or on their bounds
        return Ok(Vec::new());
    }
    let m = series.first().map_or(0, Vec::len);
    let parts = parts(m, breaks)?;
    let gain: Vec<f64> = series.iter_mut().map(|x| if whiten { whitened(x, &parts) } else { 1.0 }).collect();
    let lag = lag.unwrap_or_else(|| series.iter().map(|x| automatic(x, &parts)).max().unwrap_or(0));
    let longest = parts.iter().map(|(a, b)| b - a).max().unwrap_or(0);
    let lag = lag.min(longest.saturating_sub(1));
    let mut out = vec![0.0; n * n];
    for &(a, b) in &parts {
        let sums: Vec<Vec<f64>> = series.iter().map(|x| running(&x[a..b])).collect();
        for i in 0..n {
            for j in 0..=i {
                let c = bartlett(&sums[i], &sums[j], lag + 1);
                out[i * n + j] += c;
                if i != j {
                    out[j * n + i] += c;
                }
            }
        }
    }
    for (k, c) in out.iter_mut().enumerate() {
        *c *= gain[k / n] * gain[k % n];
    }
    Ok(out)
}

/// Cumulative sums, beginning with zero.
fn running(x: &[f64]) -> Vec<f64> {
    let add = |sum: &mut f64, x: &f64| {
        *sum += x;
        Some(*sum)
    };
    std::iter::once(0.0).chain(x.iter().scan(0.0, add)).collect()
}

/// `Σ (1 − |k|/w)·x[t]·y[t − k]` over all lags `|k| < w`, of series given by their cumulative sums. Two samples `k` apart are both in
/// `w − |k|` of the windows of length `w`, counting those that overlap the ends, so the cost is linear in the number of samples
/// for any number of lags.
fn bartlett(x: &[f64], y: &[f64], w: usize) -> f64 {
    let n = x.len() - 1;
    let window = |end: usize| {
        let (from, to) = (end.saturating_sub(w), end.min(n));
        (x[to] - x[from]) * (y[to] - y[from])
    };
    // windows that contain the whole of a short series are all equal
    let alike = (w + 1).saturating_sub(n);
    let (first, last) = if alike > 0 { (n, w + 1) } else { (n + w, n + w) };
    let sum = (1..first).chain(last..n + w).map(window).sum::<f64>() + alike as f64 * x[n] * y[n];
    sum / w as f64
}

/// `Σ x[t]·y[t − k]`, within each record.
fn products(x: &[f64], y: &[f64], k: usize, parts: &[(usize, usize)]) -> f64 {
    parts.iter().filter(|(a, b)| b - a > k).map(|&(a, b)| dot(&x[a + k..b], &y[a..b - k])).sum()
}

fn parts(m: usize, breaks: &[usize]) -> Result<Vec<(usize, usize)>, NumericsError> {
    let mut from = 0;
    let mut out = Vec::with_capacity(breaks.len() + 1);
    for &at in breaks {
        if at <= from || at >= m {
            let must = "after the break before it, and within the samples";
            return Err(NumericsError::InvalidValue { name: "break", value: at as f64, must });
        }
        out.push((from, at));
        from = at;
    }
    out.push((from, m));
    Ok(out)
}

/// Prewhitens by a first-order autoregression; returns the factor that recolours the long-run covariance.
fn whitened(x: &mut [f64], parts: &[(usize, usize)]) -> f64 {
    let (now, next) = (products(x, x, 0, parts), products(x, x, 1, parts));
    if now <= 0.0 {
        return 1.0;
    }
    // a coefficient nearer to one would make the factor too uncertain (Andrews1992)
    let rho = (next / now).clamp(-0.97, 0.97);
    for &(a, b) in parts {
        for t in (a + 1..b).rev() {
            x[t] -= rho * x[t - 1];
        }
        // the first sample has no predecessor: it is scaled to the variance of the others
        x[a] *= (1.0 - rho * rho).sqrt();
    }
    1.0 / (1.0 - rho)
}

/// Automatic lag by Newey's and West's rule (Newey1994), from the autocovariances at the first few lags.
fn automatic(x: &[f64], parts: &[(usize, usize)]) -> usize {
    let m = x.len() as f64;
    let first = (4.0 * (m / 100.0).powf(2.0 / 9.0)).floor() as usize;
    let (mut s0, mut s1) = (products(x, x, 0, parts), 0.0);
    for k in 1..=first {
        let c = 2.0 * products(x, x, k, parts);
        s0 += c;
        s1 += k as f64 * c;
    }
    if s0 == 0.0 || !(s1 / s0).is_finite() {
        return 0;
    }
    (1.1447 * ((s1 / s0).powi(2) * m).cbrt()).min(m) as usize
}

/// Effective number of independent samples in autocorrelated residuals; at most their number.
pub fn effective_samples(residual: &[f64]) -> f64 {
    let m = residual.len() as f64;
    let mean = residual.iter().sum::<f64>() / m;
    let mut series = [residual.iter().map(|r| r - mean).collect::<Vec<f64>>()];
    let variance = dot(&series[0], &series[0]);
    let Ok(sum) = long_run(&mut series, None, true, &[]) else { return m };
    if sum[0] > variance { m * variance / sum[0] } else { m }
}

#[cfg(test)]
mod tests {
    use super::{bartlett, products, running};
    use crate::fit::Random;

    #[test]
    fn windows_are_lags() {
        let mut random = Random::new(4);
        let [x, y]: [Vec<f64>; 2] = std::array::from_fn(|_| (0..60).map(|_| random.normal()).collect());
        for n in [1, 2, 7, 60] {
            for w in [1, 2, 6, 7, 8, 59, 60, 61, 200] {
                let (x, y) = (&x[..n], &y[..n]);
                let both = |k: usize| products(x, y, k, &[(0, n)]) + products(y, x, k, &[(0, n)]);
                let weight = |k: usize| 1.0 - k as f64 / w as f64;
                let wanted = 0.5 * both(0) + (1..w.min(n)).map(|k| weight(k) * both(k)).sum::<f64>();
                let got = bartlett(&running(x), &running(y), w);
                // rounding of some hundred terms of size one
                assert!((got - wanted).abs() < 1e-12, "{n} {w}: {got} {wanted}");
            }
        }
    }
}
