//! Standard errors that hold for noise that remembers: sampled fast, residuals follow each other.
use crate::dense::dot;
use crate::flaw::Flaw;

/// What is known of the noise.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Noise {
    /// Every residual by itself, all of one variance: the textbook's errors.
    #[default]
    White,
    /// Correlated in time and of any variance: Newey's and West's errors after prewhitening.
    Correlated {
        /// How many samples the whitened noise remembers; chosen from the residuals if there is none.
        lag: Option<usize>,
        /// Whether the influence of the samples is whitened by its own first-order recursion before (Andrews1992). Leave it
        /// on, unless the plain estimator is wanted.
        whiten: bool,
        /// Where a new record begins, if the samples are several records one after another.
        breaks: Vec<usize>,
    },
}

impl Noise {
    /// Correlated in one record, lag chosen by itself.
    pub fn correlated() -> Self {
        Self::Correlated { lag: None, whiten: true, breaks: Vec::new() }
    }
}

/// The sum of covariances over all lags of series that have mean zero; Bartlett's weights (Newey1987). Row by row.
pub(super) fn long_run(
    series: &mut [Vec<f64>],
    lag: Option<usize>,
    whiten: bool,
    breaks: &[usize],
) -> Result<Vec<f64>, Flaw> {
    let n = series.len();
    if n == 0 {
        // all parameters are held or on their bounds
        return Ok(Vec::new());
    }
    let m = series.first().map_or(0, Vec::len);
    let parts = parts(m, breaks)?;
    let gain: Vec<f64> = series.iter_mut().map(|x| if whiten { whitened(x, &parts) } else { 1.0 }).collect();
    let lag = lag.unwrap_or_else(|| series.iter().map(|x| automatic(x, &parts)).max().unwrap_or(0));
    let longest = parts.iter().map(|(a, b)| b - a).max().unwrap_or(0);
    let lag = lag.min(longest.saturating_sub(1));
    let mut out = vec![0.0; n * n];
    for k in 0..=lag {
        let weight = 1.0 - k as f64 / (lag + 1) as f64;
        for i in 0..n {
            for j in 0..n {
                let c = weight * products(&series[i], &series[j], k, &parts);
                out[i * n + j] += c;
                if k > 0 {
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

/// `Σ x[t]·y[t − k]`, not across records.
fn products(x: &[f64], y: &[f64], k: usize, parts: &[(usize, usize)]) -> f64 {
    parts.iter().filter(|(a, b)| b - a > k).map(|&(a, b)| dot(&x[a + k..b], &y[a..b - k])).sum()
}

fn parts(m: usize, breaks: &[usize]) -> Result<Vec<(usize, usize)>, Flaw> {
    let mut from = 0;
    let mut out = Vec::with_capacity(breaks.len() + 1);
    for &at in breaks {
        if at <= from || at >= m {
            let must = "after the break before it, and within the samples";
            return Err(Flaw::Value { name: "break", value: at as f64, must });
        }
        out.push((from, at));
        from = at;
    }
    out.push((from, m));
    Ok(out)
}

/// Takes out the part of each sample that follows from the one before; gives the factor to put it back in the sum.
fn whitened(x: &mut [f64], parts: &[(usize, usize)]) -> f64 {
    let (now, next) = (products(x, x, 0, parts), products(x, x, 1, parts));
    if now <= 0.0 {
        return 1.0;
    }
    // nearer to one the factor would be noise itself (Andrews1992)
    let rho = (next / now).clamp(-0.97, 0.97);
    for &(a, b) in parts {
        for t in (a + 1..b).rev() {
            x[t] -= rho * x[t - 1];
        }
        // the first has nothing before it: it is given the variance of the others
        x[a] *= (1.0 - rho * rho).sqrt();
    }
    1.0 / (1.0 - rho)
}

/// The lag by Newey's and West's rule (Newey1994): from the correlations over the first few lags.
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

/// How many independent samples residuals are worth, at most as many as there are.
pub fn effective(residual: &[f64]) -> f64 {
    let m = residual.len() as f64;
    let mean = residual.iter().sum::<f64>() / m;
    let mut series = [residual.iter().map(|r| r - mean).collect::<Vec<f64>>()];
    let variance = dot(&series[0], &series[0]);
    let Ok(sum) = long_run(&mut series, None, true, &[]) else { return m };
    if sum[0] > variance { m * variance / sum[0] } else { m }
}
