//! The value of a parameter that the records do not tell, beside one of its bounds.
//!
//! Least squares take the best value, however flat the cost is: of a viscous friction that may be anything from zero to 0.025 the best may be 0.003, at the
//! edge of what is possible, and whoever uses it has nearly the least friction of all. What errs least is the mean over all that records, prior knowledge and
//! bounds allow: that of the normal distribution of the fit, cut off at the bounds,
//!
//! ```text
//! μ + σ (φ(α) − φ(β))/(Φ(β) − Φ(α)),   α = (low − μ)/σ, β = (high − μ)/σ
//! ```
//!
//! and of all other parameters the mean under the condition that this one has its mean, `x + Σₓ (mean − μ)/σ²` with their covariances `Σₓ`: the cost hardly
//! changes along that line. Far from its bounds a value stays where it is. Several such parameters follow one after the other, the least known first, each under
//! the condition of those before. A parameter that is fitted by its logarithm has all of this in the logarithm.
use crate::fit::{Fit, Parameter};
use crate::statistics::{normal_density, normal_share_between};

/// The values of a fit, with those that the records do not tell at their means. `units` are what standard errors are compared with.
pub(super) fn with_means(fit: &Fit, parameters: &[Parameter], units: &[f64]) -> Vec<f64> {
    let n = fit.values.len();
    let size = |j: usize| if fit.log[j] { fit.values[j] } else { 1.0 };
    let inner = |j: usize, x: f64| if fit.log[j] { x.ln() } else { x };
    let mut covariance: Vec<f64> =
        (0..n * n).map(|k| fit.covariance.at(k / n, k % n) / (size(k / n) * size(k % n))).collect();
    let mut x: Vec<f64> = (0..n).map(|j| inner(j, fit.values[j])).collect();
    let mut left: Vec<usize> = (0..n).filter(|&j| !fit.bound[j]).collect();
    loop {
        let error = |j: usize| covariance[j * n + j].max(0.0).sqrt();
        // the standard error in parts of what it is compared with
        let part = |j: usize| error(j) * size(j) / units[j];
        let Some(j) = left.iter().copied().max_by(|a, b| part(*a).total_cmp(&part(*b))) else { break };
        if part(j).is_nan() || part(j) <= 1.0 {
            break;
        }
        left.retain(|k| *k != j);
        let deviation = error(j);
        if !deviation.is_finite() {
            continue;
        }
        let [low, high] = [parameters[j].low, parameters[j].high].map(|end| inner(j, end));
        let [a, b] = [low, high].map(|end| (end - x[j]) / deviation);
        let inside = normal_share_between(a, b);
        if inside.is_nan() || inside <= 0.0 {
            continue;
        }
        let by = deviation * (normal_density(a) - normal_density(b)) / inside;
        let row: Vec<f64> = (0..n).map(|k| covariance[k * n + j]).collect();
        let variance = row[j];
        for k in (0..n).filter(|k| row[*k].is_finite()) {
            x[k] += row[k] / variance * by;
            for l in (0..n).filter(|l| row[*l].is_finite()) {
                covariance[k * n + l] -= row[k] * row[l] / variance;
            }
        }
    }
    let outer = |(j, x): (usize, f64)| {
        let x = if fit.log[j] { x.exp() } else { x };
        x.max(parameters[j].low).min(parameters[j].high)
    };
    x.into_iter().enumerate().map(outer).collect()
}

#[cfg(test)]
mod tests {
    use super::with_means;
    use crate::fit::{FitOptions, LeastSquaresProblem, NoiseModel, Parameter, nonlinear};

    /// Two viscous terms that act alike: their sum is known, and one of them from before. The other one is the mean of what is left above zero, and the sum
    /// stays.
    #[test]
    fn what_is_not_known_beside_a_bound_is_the_mean_of_what_is_possible() {
        let parameters = [Parameter::new("own", 0.5).within(0.0, 10.0), Parameter::new("motor", 1.0).within(0.0, 10.0)];
        // own + motor = 1.02 ± 0.01, motor = 1 ± 0.5, each observed three times
        let residual = |p: &[f64], out: &mut [f64]| {
            for (k, out) in out.iter_mut().enumerate() {
                let off = if k < 3 { (p[0] + p[1] - 1.02) / 0.01 } else { (p[1] - 1.0) / 0.5 };
                *out = off + [1.0, 0.0, -1.0][k % 3];
            }
        };
        let problem = LeastSquaresProblem::new(&parameters, 6, &residual);
        let fit =
            nonlinear(&problem, &FitOptions { noise: NoiseModel::White, ..FitOptions::default() }).expect("a fit");
        let (best, deviation) = (fit.values[0], fit.standard_errors()[0]);
        assert!((best - 0.02).abs() < 1e-3 && deviation > 0.1, "{best} ± {deviation}");
        let [own, motor] = with_means(&fit, &parameters, &[best, 1.0])[..] else { panic!("two values") };
        // by sums over a fine grid
        let grid = || (0..200_000).map(|k| 1e-5 * (f64::from(k) + 0.5));
        let weight = |x: f64| (-0.5 * ((x - best) / deviation).powi(2)).exp();
        let mean = grid().map(|x| x * weight(x)).sum::<f64>() / grid().map(weight).sum::<f64>();
        assert!((own / mean - 1.0).abs() < 1e-3, "{own} for {mean}");
        // the sum is known to 0.006, of which the share of this step is far less
        assert!((own + motor - 1.02).abs() < 1e-3, "{own} and {motor}");
        // far from its bounds nothing changes, nor what is known
        let wide = parameters.each_ref().map(|p| Parameter::new(&p.name, p.start).within(-1e3, 1e3));
        for (bounds, unit) in [(&wide, best), (&parameters, 1.0)] {
            let same = with_means(&fit, bounds, &[unit, 1.0]);
            assert!(same.iter().zip(&fit.values).all(|(a, b)| (a - b).abs() < 1e-12), "{same:?}");
        }
    }
}
