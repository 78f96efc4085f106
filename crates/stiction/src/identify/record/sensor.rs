//! Quantisation and noise of a sensor, estimated from its samples.

/// Quantisation step of a sensor: the smallest change above rounding, if nearly all changes are multiples of it. Zero for a
/// sensor without visible quantisation.
pub(crate) fn quantisation_step(x: &[f64]) -> f64 {
    let top = x.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b)) - x.iter().fold(f64::INFINITY, |a, b| a.min(*b));
    let steps: Vec<f64> = x.windows(2).map(|x| (x[1] - x[0]).abs()).filter(|d| *d > 1e-9 * top).collect();
    let least = steps.iter().copied().fold(f64::INFINITY, f64::min);
    // of changes without quantisation, one in fifty is as close to a multiple
    let on_grid = steps.iter().filter(|d| (**d / least - (**d / least).round()).abs() < 0.01).count();
    if on_grid * 10 > steps.len() * 9 { least } else { 0.0 }
}

/// Third differences, scaled to the noise of one sample: those of a well sampled motion are negligible, those of white noise
/// have twenty times its variance.
fn third_differences(x: &[f64]) -> impl Iterator<Item = f64> + '_ {
    x.windows(4).map(|x| (x[3] - x[0] - 3.0 * (x[2] - x[1])) / 20.0_f64.sqrt())
}

/// Standard deviation of the white noise of the samples.
pub(crate) fn noise_deviation(x: &[f64]) -> f64 {
    (third_differences(x).map(|d| d * d).sum::<f64>() / x.len().saturating_sub(3).max(1) as f64).sqrt()
}

/// Largest excursion of the noise to one side: the expected maximum of normal noise, or that of an outlier.
pub(crate) fn largest_noise(x: &[f64]) -> f64 {
    third_differences(x).fold(noise_deviation(x) * expected_maximum(x.len()), |most, d| most.max(d.abs()))
}

/// Approximate expected maximum of `n` samples of standard normal noise.
fn expected_maximum(n: usize) -> f64 {
    (2.0 * (n.max(2) as f64).ln()).sqrt()
}
