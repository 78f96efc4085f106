//! What a record tells of its sensors.

/// The step of a position sensor: the least change that is not rounding, if nearly all changes are multiples of it. Zero for
/// a sensor without visible steps.
pub(crate) fn quantum(x: &[f64]) -> f64 {
    let top = x.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b)) - x.iter().fold(f64::INFINITY, |a, b| a.min(*b));
    let steps: Vec<f64> = x.windows(2).map(|x| (x[1] - x[0]).abs()).filter(|d| *d > 1e-9 * top).collect();
    let least = steps.iter().copied().fold(f64::INFINITY, f64::min);
    // of steps without a grid one in fifty is as near as that to a multiple
    let on_grid = steps.iter().filter(|d| (**d / least - (**d / least).round()).abs() < 0.01).count();
    if on_grid * 10 > steps.len() * 9 { least } else { 0.0 }
}

/// The deviation of noise that each sample has of its own, by third differences: those of a motion sampled well are next
/// to nothing, those of noise have twenty times its variance.
pub(crate) fn noise(x: &[f64]) -> f64 {
    let thirds = x.windows(4).map(|x| (x[3] - x[0] - 3.0 * (x[2] - x[1])).powi(2));
    (thirds.sum::<f64>() / (20.0 * x.len().saturating_sub(3).max(1) as f64)).sqrt()
}

/// How far noise of deviation one reaches in `n` samples, about.
pub(crate) fn reach(n: usize) -> f64 {
    (2.0 * (n.max(2) as f64).ln()).sqrt()
}
