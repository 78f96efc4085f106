//! By how much one signal lags behind another.
use crate::log::Problem;

/// Most rows looked at: the liveliest stretch of a longer record.
pub const MOST: usize = 1 << 17;
/// Fewest rows that tell anything.
const FEW: u64 = 16;

/// A hill of the correlation ends below this part of the highest; a peak as good as the best has this part of it.
const HILL: f64 = 0.7;
const EQUAL: f64 = 0.97;

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
/// every lag. Of a periodic signal, which correlates at many lags, the shortest is taken. Missing numbers count as no
/// change.
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
    let still = |x: &[f64]| x.iter().all(|d| *d == 0.0);
    if (rows as u64) < FEW || still(a) || still(b) {
        return Err(Problem::Few { rows: rows as u64, needed: FEW });
    }
    let at = |lag: isize| {
        let by = lag.unsigned_abs();
        if lag < 0 { correlation(&a[by..], b) } else { correlation(a, &b[by..]) }
    };
    let reach = reach as isize;
    let all: Vec<f64> = (-reach..=reach).map(at).collect();
    let best = nearest(&all, reach.unsigned_abs());
    let mut samples = best as f64 - reach as f64;
    let mut peak_value = all[best];
    if best > 0 && best + 1 < all.len() {
        let [before, peak, after] = [all[best - 1], all[best], all[best + 1]];
        let bend = before - 2.0 * peak + after;
        if bend != 0.0 {
            let part = (0.5 * (before - after) / bend).clamp(-0.5, 0.5);
            samples += part;
            peak_value = (peak - 0.25 * (before - after) * part).clamp(-1.0, 1.0);
        }
    }
    Ok(Delay { samples, correlation: peak_value })
}

/// Of what both have; 0 if one of them is still there.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let (mut both, mut first, mut second) = (0.0, 0.0, 0.0);
    for (a, b) in a.iter().zip(b) {
        both += a * b;
        first += a * a;
        second += b * b;
    }
    if both == 0.0 { 0.0 } else { both / (first * second).sqrt() }
}

/// The peak nearest to `middle` among those that are as good as the best.
fn nearest(all: &[f64], middle: usize) -> usize {
    let highest = all.iter().fold(0.0_f64, |highest, x| highest.max(x.abs()));
    let mut peaks: Vec<usize> = Vec::new();
    let mut inside = false;
    for (at, x) in all.iter().enumerate() {
        // one hill is one peak, however noisy
        let high = x.abs() >= HILL * highest;
        match peaks.last_mut() {
            Some(last) if high && inside => *last = if x.abs() > all[*last].abs() { at } else { *last },
            _ if high => peaks.push(at),
            _ => {}
        }
        inside = high;
    }
    let good = peaks.into_iter().filter(|&at| all[at].abs() >= EQUAL * highest);
    good.min_by_key(|at| at.abs_diff(middle)).unwrap_or(middle)
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
    use crate::log::Problem;

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
            // the peak of slow sines is a parabola to within (omega / 2)^2 / 12 of a sample, and a lag costs its share of 4000
            assert!((found.samples - delay).abs() < 0.02, "{found:?} for {delay}");
            assert!(found.correlation < -0.98, "{found:?}");
        }
    }

    #[test]
    fn a_short_sine_is_not_drawn_to_zero() {
        // two periods of 90 samples: both halves of a period, and both periods, correlate as well
        let sine = |k: f64| (k * 0.07).sin();
        let a: Vec<f64> = (0..200).map(|k| sine(f64::from(k))).collect();
        let b: Vec<f64> = (0..200).map(|k| sine(f64::from(k) - 3.0)).collect();
        let found = find(&a, &b, 1000).expect("a delay");
        assert!((found.samples - 3.0).abs() < 0.02 && found.correlation > 0.99, "{found:?}");
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
