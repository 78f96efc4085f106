//! Samples at instants between samples.

/// Neighbours that a polynomial goes through: for a sine of eight samples per period its error is below one in a thousand.
const POINTS: usize = 6;

/// A smooth signal at place `at`, counted in samples: the polynomial through the six samples nearest to it. Beyond its ends, and for
/// fewer samples than six, it is that of the nearest ones.
///
/// ```
/// let x: Vec<f64> = (0..20).map(|k| (0.3 * f64::from(k)).sin()).collect();
/// // 0.3⁶ times the product of the distances over 6!, 3.4e-6 at most
/// assert!((stiction_numerics::signal::between(&x, 7.4) - 2.22_f64.sin()).abs() < 4e-6);
/// assert_eq!(stiction_numerics::signal::between(&x, 3.0), x[3]);
/// ```
pub fn between(x: &[f64], at: f64) -> f64 {
    let count = POINTS.min(x.len());
    let first = (at.floor() - (count as f64 / 2.0 - 1.0)).max(0.0) as usize;
    let first = first.min(x.len() - count);
    let near = first..first + count;
    let weigh = |i: usize| {
        let others = near.clone().filter(|j| *j != i);
        others.map(|j| (at - j as f64) / (i as f64 - j as f64)).product::<f64>()
    };
    near.clone().map(|i| x[i] * weigh(i)).sum()
}

/// A signal that may jump at place `at`, counted in samples: the straight line between its neighbours.
pub fn between_linear(x: &[f64], at: f64) -> f64 {
    let k = (at.floor().max(0.0) as usize).min(x.len().saturating_sub(2));
    let part = at - k as f64;
    if x.len() < 2 { x.first().copied().unwrap_or(0.0) } else { (1.0 - part) * x[k] + part * x[k + 1] }
}

#[cfg(test)]
mod tests {
    use super::{between, between_linear};

    #[test]
    fn polynomials_up_to_the_fifth_degree_are_met() {
        let of = |t: f64| 1.0 - 2.0 * t + 0.3 * t.powi(5);
        let x: Vec<f64> = (0..12).map(|k| of(0.1 * f64::from(k))).collect();
        for at in [0.0, 0.3, 2.7, 5.5, 10.9, 11.0] {
            // rounding of numbers of order one
            assert!((between(&x, at) - of(0.1 * at)).abs() < 1e-12, "{at}");
        }
    }
    #[test]
    fn eight_samples_per_period_are_enough() {
        let of = |t: f64| (std::f64::consts::TAU * t / 8.0).sin();
        let x: Vec<f64> = (0..64).map(|k| of(f64::from(k))).collect();
        let worst =
            (0..500).map(|k| 10.0 + 0.05 * f64::from(k)).map(|at| (between(&x, at) - of(at)).abs()).fold(0.0, f64::max);
        // half of the sixth difference over 6!, (2·sin(π/8))⁶·(1/2·3/2·5/2)²/720 = 9.9e-4 in the middle
        assert!(worst < 1e-3, "{worst}");
    }
    #[test]
    fn a_jump_is_not_overshot() {
        let x = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
        let all: Vec<f64> = (0..=50).map(|k| between_linear(&x, 0.1 * f64::from(k))).collect();
        assert!(all.iter().all(|y| (0.0..=1.0).contains(y)) && (all[25] - 0.5).abs() < 1e-12);
        assert_eq!(between_linear(&[2.0], 0.0), 2.0);
    }
}
