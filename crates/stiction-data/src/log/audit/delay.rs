//! The delay between two signals.
use crate::ContentError;

/// Most rows used: of a longer record the section with the largest changes.
pub const MAX_ROWS: usize = 1 << 17;
/// Fewest rows.
const MIN_ROWS: u64 = 16;

/// A peak of the correlation ends below this fraction of the highest value; a peak counts as equally good from this fraction on.
const PEAK_END: f64 = 0.7;
const EQUAL_PEAK: f64 = 0.97;

/// The delay of a signal after another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delay {
    /// Delay of the second after the first \[samples\]; negative if it leads.
    pub samples: f64,
    /// Correlation of their differences at this delay, -1 to 1: near 0 the delay is meaningless.
    pub correlation: f64,
}

/// The lag, at most `reach` samples in either direction, at which the differences of `a` and `b` have the largest absolute
/// correlation; between samples by the parabola through the largest three values. Differences are used because signals that
/// drift correlate at every lag. Of a periodic signal, which correlates at many lags, the shortest is taken. Missing numbers
/// count as no change.
///
/// # Errors
/// [`ContentError::TooFewRows`] if the signals are too short, [`ContentError::ConstantSignal`] if one of them never changes.
pub fn find(a: &[f64], b: &[f64], reach: usize) -> Result<Delay, ContentError> {
    let rows = a.len().min(b.len());
    let changes = |x: &[f64]| -> Vec<f64> {
        x[..rows].windows(2).map(|pair| pair[1] - pair[0]).map(|d| if d.is_finite() { d } else { 0.0 }).collect()
    };
    let (a, b) = (changes(a), changes(b));
    let (a, b) = largest_changes(&a, &b);
    let reach = reach.min(a.len() / 2);
    let constant = |x: &[f64]| x.iter().all(|d| *d == 0.0);
    if (rows as u64) < MIN_ROWS {
        return Err(ContentError::TooFewRows { rows: rows as u64, needed: MIN_ROWS });
    }
    if constant(a) || constant(b) {
        return Err(ContentError::ConstantSignal);
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

/// Correlation over the common length; 0 if one of them is constant there.
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
        // one connected region is one peak, however noisy
        let high = x.abs() >= PEAK_END * highest;
        match peaks.last_mut() {
            Some(last) if high && inside => *last = if x.abs() > all[*last].abs() { at } else { *last },
            _ if high => peaks.push(at),
            _ => {}
        }
        inside = high;
    }
    let good = peaks.into_iter().filter(|&at| all[at].abs() >= EQUAL_PEAK * highest);
    good.min_by_key(|at| at.abs_diff(middle)).unwrap_or(middle)
}

/// The section in which both change most.
fn largest_changes<'a>(a: &'a [f64], b: &'a [f64]) -> (&'a [f64], &'a [f64]) {
    if a.len() <= MAX_ROWS {
        return (a, b);
    }
    let size = |x: &[f64]| x.iter().map(|d| d * d).sum::<f64>();
    let stretches = a.chunks(MAX_ROWS).zip(b.chunks(MAX_ROWS));
    stretches.max_by(|p, q| (size(p.0) * size(p.1)).total_cmp(&(size(q.0) * size(q.1)))).unwrap_or((a, b))
}

#[cfg(test)]
mod tests {
    use super::find;
    use crate::ContentError;

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
        // the same parabola, and a lag of three costs its share of 200
        assert!((found.samples - 3.0).abs() < 0.02 && found.correlation > 0.99, "{found:?}");
    }

    #[test]
    fn constant_and_short_signals_have_none() {
        let constant = [1.0; 100];
        let moving: Vec<f64> = (0..100).map(|k| signal(f64::from(k))).collect();
        assert_eq!(find(&constant, &moving, 10), Err(ContentError::ConstantSignal));
        assert!(matches!(find(&moving[..5], &moving[..5], 10), Err(ContentError::TooFewRows { .. })));
        assert!(matches!(find(&[], &[], 10), Err(ContentError::TooFewRows { .. })));
    }
}
