//! By how much one signal lags behind another.
use crate::data::Problem;

/// Most rows looked at: the liveliest stretch of a longer record.
pub const MOST: usize = 1 << 17;
/// Fewest rows that tell anything.
const FEW: u64 = 16;

/// How a signal follows another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delay {
    /// Samples by which the second lags behind the first; negative if it leads.
    pub samples: f64,
    /// Correlation of their differences then, -1 to 1: near 0 the delay means nothing.
    pub correlation: f64,
}

/// The lag, at most `reach` samples either way, at which the differences of `a` and `b` correlate most, up to sign;
/// between samples by the parabola through the largest three values. Differences, because what drifts correlates at
/// every lag. Missing numbers count as no change.
///
/// # Errors
/// [`Problem::Few`] if the signals are too short, or one of them never changes.
pub fn find(a: &[f64], b: &[f64], reach: usize) -> Result<Delay, Problem> {
    let rows = a.len().min(b.len());
    let moves = |x: &[f64]| -> Vec<f64> {
        x[..rows].windows(2).map(|pair| pair[1] - pair[0]).map(|d| if d.is_finite() { d } else { 0.0 }).collect()
    };
    let (a, b) = (moves(a), moves(b));
    let (a, b) = lively(&a, &b);
    let reach = reach.min(a.len() / 2);
    let size = |x: &[f64]| x.iter().map(|d| d * d).sum::<f64>();
    let scale = (size(a) * size(b)).sqrt();
    if (rows as u64) < FEW || scale == 0.0 {
        return Err(Problem::Few { rows: rows as u64, needed: FEW });
    }
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    let at = |lag: isize| {
        let by = lag.unsigned_abs();
        (if lag < 0 { dot(&a[by..], b) } else { dot(a, &b[by..]) }) / scale
    };
    let reach = reach as isize;
    let all: Vec<f64> = (-reach..=reach).map(at).collect();
    let best = (0..all.len()).max_by(|&i, &j| all[i].abs().total_cmp(&all[j].abs())).unwrap_or(0);
    let mut samples = best as f64 - reach as f64;
    let mut correlation = all[best];
    if best > 0 && best + 1 < all.len() {
        let [before, peak, after] = [all[best - 1], all[best], all[best + 1]];
        let bend = before - 2.0 * peak + after;
        if bend != 0.0 {
            let part = (0.5 * (before - after) / bend).clamp(-0.5, 0.5);
            samples += part;
            correlation = (peak - 0.25 * (before - after) * part).clamp(-1.0, 1.0);
        }
    }
    Ok(Delay { samples, correlation })
}

/// The stretch in which both move most.
fn lively<'a>(a: &'a [f64], b: &'a [f64]) -> (&'a [f64], &'a [f64]) {
    if a.len() <= MOST {
        return (a, b);
    }
    let size = |x: &[f64]| x.iter().map(|d| d * d).sum::<f64>();
    let stretches = a.chunks(MOST).zip(b.chunks(MOST));
    stretches.max_by(|p, q| (size(p.0) * size(p.1)).total_cmp(&(size(q.0) * size(q.1)))).unwrap_or((a, b))
}

#[cfg(test)]
mod tests {
    use super::find;
    use crate::data::Problem;

    /// A sum of slow sines: the same at any delay.
    fn signal(t: f64) -> f64 {
        (0.11 * t).sin() + 0.7 * (0.283 * t + 1.0).sin() + 0.4 * (0.0471 * t).cos()
    }

    #[test]
    fn finds_a_delay_between_samples() {
        for delay in [0.0, 3.0, 7.4, -12.25, 0.5] {
            let a: Vec<f64> = (0..4000).map(|k| signal(f64::from(k))).collect();
            let b: Vec<f64> = (0..4000).map(|k| -3.0 * signal(f64::from(k) - delay)).collect();
            let found = find(&a, &b, 100).expect("a delay");
            // the peak of slow sines is a parabola to within (omega / 2)^2 / 12 of a sample, and ends cost 1/4000
            assert!((found.samples - delay).abs() < 0.02, "{found:?} for {delay}");
            assert!(found.correlation < -0.98, "{found:?}");
        }
    }

    #[test]
    fn the_still_and_the_short_have_none() {
        let still = [1.0; 100];
        let moving: Vec<f64> = (0..100).map(|k| signal(f64::from(k))).collect();
        assert!(matches!(find(&still, &moving, 10), Err(Problem::Few { .. })));
        assert!(matches!(find(&moving[..5], &moving[..5], 10), Err(Problem::Few { .. })));
        assert!(matches!(find(&[], &[], 10), Err(Problem::Few { .. })));
    }
}
