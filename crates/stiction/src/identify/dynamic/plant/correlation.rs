//! How many independent observations the residuals of records are worth.
//!
//! The difference between a simulation and a record is mostly the error of the model, which lasts: neighbouring residuals repeat
//! each other. With the autocorrelation ρ of the residuals, n of them tell as much as `n / (1 + 2 Σρ)` independent ones.

/// `1 + 2 Σρ` of one series about zero, up to the first lag at which the autocorrelation is not positive (Geyer1992); from 1 to the
/// number of samples. A mean that differs from zero is an error of the model, too, and stays in.
pub(super) fn correlation_time(x: &[f64]) -> f64 {
    let products = |k: usize| x[k..].iter().zip(x).map(|(a, b)| a * b).sum::<f64>();
    let square = products(0);
    if square <= 0.0 || !square.is_finite() {
        return 1.0;
    }
    let positive = (1..x.len()).map(|k| products(k) / square).take_while(|rho| *rho > 0.0);
    (1.0 + 2.0 * positive.sum::<f64>()).min(x.len() as f64)
}

/// Residuals per independent observation, over several series: each counts by its sum of squares.
pub(super) fn variance_inflation(series: &[&[f64]]) -> f64 {
    let squares: Vec<f64> = series.iter().map(|x| x.iter().map(|x| x * x).sum()).collect();
    let total: f64 = squares.iter().sum();
    if total <= 0.0 || !total.is_finite() {
        return 1.0;
    }
    series.iter().zip(&squares).map(|(x, square)| square * correlation_time(x)).sum::<f64>() / total
}

#[cfg(test)]
mod tests {
    use super::correlation_time;
    use crate::fit::Random;

    /// A first-order autoregression has the autocorrelation ρ^k, and 1 + 2 Σ ρ^k = (1 + ρ)/(1 − ρ).
    #[test]
    fn an_autoregression_has_its_correlation_time() {
        let mut random = Random::new(5);
        for rho in [0.0, 0.5, 0.9, 0.98] {
            let mut x = 0.0;
            let mean = (0..20)
                .map(|_| {
                    let series: Vec<f64> = (0..4000)
                        .map(|_| {
                            x = rho * x + random.normal();
                            x
                        })
                        .collect();
                    correlation_time(&series)
                })
                .sum::<f64>()
                / 20.0;
            let wanted = (1.0 + rho) / (1.0 - rho);
            // 200 to 4000 independent samples in each of 20 series: a tenth to a fifth of scatter and bias. With some 40, noise
            // of the autocorrelation is taken for correlation as long as it is positive: the time is too long, not too short
            let most = if rho > 0.9 { 2.0 } else { 1.25 };
            assert!((0.75..most).contains(&(mean / wanted)), "{rho}: {mean} for {wanted}");
        }
        assert_eq!(correlation_time(&[0.0; 9]), 1.0);
        assert_eq!(correlation_time(&[1.0, -1.0, 1.0, -1.0]), 1.0);
    }
}
