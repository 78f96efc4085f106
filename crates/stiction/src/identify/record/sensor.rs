//! What a record tells of its sensors.

/// The step of a position sensor: the least change that is not rounding, if nearly all changes are multiples of it. Zero for
/// a sensor without visible steps.
pub(crate) fn quantisation_step(x: &[f64]) -> f64 {
    let top = x.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b)) - x.iter().fold(f64::INFINITY, |a, b| a.min(*b));
    let steps: Vec<f64> = x.windows(2).map(|x| (x[1] - x[0]).abs()).filter(|d| *d > 1e-9 * top).collect();
    let least = steps.iter().copied().fold(f64::INFINITY, f64::min);
    // of steps without a grid one in fifty is as near as that to a multiple
    let on_grid = steps.iter().filter(|d| (**d / least - (**d / least).round()).abs() < 0.01).count();
    if on_grid * 10 > steps.len() * 9 { least } else { 0.0 }
}

/// Third differences, scaled to the noise of one sample: those of a motion sampled well are next to nothing, those of noise
/// have twenty times its variance.
fn third_differences(x: &[f64]) -> impl Iterator<Item = f64> + '_ {
    x.windows(4).map(|x| (x[3] - x[0] - 3.0 * (x[2] - x[1])) / 20.0_f64.sqrt())
}

/// The deviation of noise that each sample has of its own.
pub(crate) fn noise_deviation(x: &[f64]) -> f64 {
    (third_differences(x).map(|d| d * d).sum::<f64>() / x.len().saturating_sub(3).max(1) as f64).sqrt()
}

/// How far noise goes to one side in a record: what normal noise would reach, or a single sample that is off.
pub(crate) fn largest_noise(x: &[f64]) -> f64 {
    third_differences(x).fold(noise_deviation(x) * expected_maximum(x.len()), |most, d| most.max(d.abs()))
}

/// How far noise of deviation one reaches in `n` samples, about.
fn expected_maximum(n: usize) -> f64 {
    (2.0 * (n.max(2) as f64).ln()).sqrt()
}
