//! The block bootstrap: refits to data whose residuals were resampled in whole blocks, which preserves the autocorrelation of
//! the noise.
use super::Random;
use super::covariance::Covariance;
use crate::NumericsError;
use crate::check::enough_samples;

/// Results of the refits.
#[derive(Clone, Debug, PartialEq)]
pub struct Bootstrap {
    /// Parameters of every refit.
    pub values: Vec<Vec<f64>>,
    /// Their covariance.
    pub covariance: Covariance,
    /// Number of residuals per block.
    pub block: usize,
}

impl Bootstrap {
    /// The basic bootstrap interval of parameter `i` at confidence `level`: quantiles of the refits reflected at the fit's own
    /// `value`, which corrects bias.
    pub fn interval(&self, i: usize, value: f64, level: f64) -> [f64; 2] {
        let all: Vec<f64> = self.values.iter().map(|v| v[i]).collect();
        basic_interval(&all, value, level).unwrap_or([f64::NAN; 2])
    }
}

/// The basic bootstrap interval at confidence `level` from the values of refits: their quantiles reflected at the fit's own `value`, which
/// corrects bias. None for fewer than two.
pub fn basic_interval(refits: &[f64], value: f64, level: f64) -> Option<[f64; 2]> {
    let mut all = refits.to_vec();
    all.sort_by(f64::total_cmp);
    let last = all.len().checked_sub(2)?;
    let at = |p: f64| {
        let place = p * (all.len() - 1) as f64;
        let k = (place as usize).min(last);
        all[k] + (place - k as f64) * (all[k + 1] - all[k])
    };
    Some([2.0 * value - at(0.5 + 0.5 * level), 2.0 * value - at(0.5 - 0.5 * level)])
}

/// Fills `drawn` with blocks of the residuals about their mean, each from a random place. Blocks wrap around at the end of the record.
pub fn draw_blocks(residual: &[f64], block: usize, random: &mut Random, drawn: &mut [f64]) {
    let n = residual.len();
    let mean = residual.iter().sum::<f64>() / n.max(1) as f64;
    for part in drawn.chunks_mut(block.max(1)) {
        let from = random.below(n);
        part.iter_mut().enumerate().for_each(|(k, x)| *x = residual[(from + k) % n] - mean);
    }
}

/// The block length for residuals with first-order autocorrelation (Carlstein1986).
pub fn block_length(residual: &[f64]) -> usize {
    let n = residual.len();
    let mean = residual.iter().sum::<f64>() / n.max(1) as f64;
    let c = |lag: usize| -> f64 { (lag..n).map(|k| (residual[k] - mean) * (residual[k - lag] - mean)).sum() };
    let rho = if n > 2 { (c(1) / c(0)).clamp(-0.99, 0.99) } else { 0.0 };
    let length = (6.0_f64.sqrt() * rho.abs() / (1.0 - rho * rho)).powf(2.0 / 3.0) * (n as f64).cbrt();
    if length.is_finite() { (length.ceil() as usize).clamp(1, n.max(1)) } else { 1 }
}

/// Refits `count` times. `refit` receives resampled residuals of zero mean and returns the parameters fitted to the model's
/// prediction plus these residuals, or none if that fit failed. Blocks wrap around at the end of the record.
pub fn bootstrap(
    residual: &[f64],
    block: Option<usize>,
    count: usize,
    seed: u32,
    mut refit: impl FnMut(&[f64]) -> Option<Vec<f64>>,
) -> Result<Bootstrap, NumericsError> {
    enough_samples("residuals", residual, 2)?;
    if count < 2 {
        return Err(NumericsError::TooFew { what: "repetitions", need: 2, have: count });
    }
    let n = residual.len();
    let block = block.unwrap_or_else(|| block_length(residual)).clamp(1, n);
    let mut random = Random::new(seed);
    let mut drawn = vec![0.0; n];
    let mut values: Vec<Vec<f64>> = Vec::with_capacity(count);
    for _ in 0..count {
        draw_blocks(residual, block, &mut random, &mut drawn);
        values.extend(refit(&drawn));
    }
    if values.len() < 2 {
        return Err(NumericsError::TooFew { what: "fits to drawn residuals", need: 2, have: values.len() });
    }
    let (k, many) = (values[0].len(), values.len() as f64);
    let middle: Vec<f64> = (0..k).map(|i| values.iter().map(|v| v[i]).sum::<f64>() / many).collect();
    let entry = |at: usize| {
        let (i, j) = (at / k, at % k);
        values.iter().map(|v| (v[i] - middle[i]) * (v[j] - middle[j])).sum::<f64>() / (many - 1.0)
    };
    let covariance = Covariance::new((0..k * k).map(entry).collect(), k);
    Ok(Bootstrap { values, covariance, block })
}
