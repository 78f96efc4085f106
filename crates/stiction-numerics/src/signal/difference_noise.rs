//! Noise of a signal from its differences.

/// Order of the differences: a motion of ten samples per period is reduced to `(2 sin(π/10))⁸ = 0.02` and white noise grows by
/// [`GAIN`], so that the motion is five thousand times smaller beside the noise than it was.
const ORDER: usize = 8;
/// Root of the sum of the squared binomial coefficients of the differences.
const GAIN: f64 = 113.446_46;
/// The median of the size of normal noise, in standard deviations.
const NORMAL_MEDIAN: f64 = 0.674_489_75;

/// Standard deviation of the white noise of a signal that has kinks: the median of its differences of eighth order. Kinks in
/// 2 % of the windows of nine samples raise it by 2 %, in 20 % of them by 30 %. Windows in which the signal is a constant, as that
/// of a body at rest without noise, do not count. Zero if all are, and for fewer than nine samples.
pub fn noise_deviation_between_kinks(x: &[f64]) -> f64 {
    let difference = |window: &[f64]| {
        let mut d = [0.0; ORDER + 1];
        d.copy_from_slice(window);
        for k in 0..ORDER {
            for i in 0..ORDER - k {
                d[i] = d[i + 1] - d[i];
            }
        }
        d[0].abs()
    };
    let moves = |window: &&[f64]| window.iter().any(|y| *y != window[0]);
    let mut sizes: Vec<f64> = x.windows(ORDER + 1).filter(moves).map(difference).collect();
    let middle = sizes.len() / 2;
    if sizes.is_empty() {
        return 0.0;
    }
    *sizes.select_nth_unstable_by(middle, f64::total_cmp).1 / (NORMAL_MEDIAN * GAIN)
}

#[cfg(test)]
mod tests {
    use super::noise_deviation_between_kinks;
    use crate::fit::Random;

    #[test]
    fn noise_is_found_beside_motion_and_kinks() {
        let mut random = Random::new(3);
        let n = 40_000;
        // a sine of 50 samples per period, and a kink of the slope every 500
        let motion = |k: usize| (k as f64 * 0.1257).sin() + ((k % 1000) as f64 - 500.0).abs();
        let noise = 1e-6;
        let x: Vec<f64> = (0..n).map(|k| motion(k) + noise * random.normal()).collect();
        // 1.6 % of the windows have a kink; a median is good to 1.25/√n, and windows of nine are some four times as many as are independent
        let found = noise_deviation_between_kinks(&x);
        assert!((found / noise - 1.0).abs() < 0.05, "{found}");
        let bare: Vec<f64> = (0..n).map(motion).collect();
        // what the sine leaves, (2 sin 0.0628)⁸/113.4, is below the rounding of numbers near 500
        assert!(noise_deviation_between_kinks(&bare) < 1e-9);
        assert_eq!(noise_deviation_between_kinks(&[3.0; 100]), 0.0);
        assert_eq!(noise_deviation_between_kinks(&[1.0, 2.0]), 0.0);
    }
}
