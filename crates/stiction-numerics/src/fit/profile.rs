//! Profile likelihood of a parameter: the least cost with the parameter fixed, and the confidence interval that follows.
use super::{Fit, FitOptions, LeastSquaresProblem, Parameter, nonlinear_from};
use crate::NumericsError;
use crate::statistics::student_t_quantile;

/// A profile.
#[derive(Clone, Debug, PartialEq)]
pub struct ProfileLikelihood {
    /// Values of the parameter and the least cost with it fixed there; sorted by value.
    pub points: Vec<[f64; 2]>,
    /// Ends of the interval; none where the cost stays below the limit over the whole search range: the data give no bound there.
    pub interval: [Option<f64>; 2],
    /// Cost at the ends of the interval.
    pub limit: f64,
}

/// Search range, in standard errors.
const RANGE: f64 = 30.0;

/// The profile likelihood of parameter `i` around a fit, and its confidence interval at `level`: where the rise of the cost is
/// compatible with the noise. Unlike [`Fit::interval`] it holds for strongly nonlinear models. The inflation of the variance by
/// autocorrelated noise is taken from the fit.
pub fn profile_likelihood(
    problem: &LeastSquaresProblem<'_>,
    options: &FitOptions,
    fit: &Fit,
    i: usize,
    level: f64,
) -> Result<ProfileLikelihood, NumericsError> {
    if i >= fit.values.len() {
        return Err(NumericsError::InvalidValue { name: "parameter", value: i as f64, must: "one of the fit's" });
    }
    if !(level > 0.0 && level < 1.0) {
        return Err(NumericsError::InvalidValue { name: "level", value: level, must: "between zero and one" });
    }
    let t = student_t_quantile(0.5 + 0.5 * level, fit.degrees_of_freedom.max(1.0));
    let rise = 0.5 * t * t * fit.sigma * fit.sigma * fit.variance_inflation(i).max(1.0);
    let limit = fit.cost + rise;
    if rise <= 0.0 {
        // an exact fit: the interval is a point
        let x = fit.values[i];
        return Ok(ProfileLikelihood { points: vec![[x, fit.cost]], interval: [Some(x); 2], limit });
    }
    let p = &problem.parameters[i];
    let u0 = p.inner(fit.values[i]);
    let error = fit.standard_errors()[i] / p.slope(fit.values[i]);
    let error = if error.is_finite() && error > 0.0 { error } else { 0.1 * u0.abs().max(1.0) };
    let mut options = options.clone();
    options.scale = Some(fit.scale);
    let ends = p.limits();

    let mut points = vec![[fit.values[i], fit.cost]];
    let mut interval = [None, None];
    for (side, sign) in [-1.0, 1.0].into_iter().enumerate() {
        let mut others = fit.values.clone();
        let mut at = |u: f64, others: &mut Vec<f64>| -> Result<f64, NumericsError> {
            let mut held: Vec<Parameter> = problem.parameters.to_vec();
            held[i] = held[i].clone().fixed(p.outer(u));
            others[i] = p.outer(u);
            let inner = LeastSquaresProblem { parameters: &held, ..*problem };
            let found = nonlinear_from(&inner, &options, &inner.begin(others), &mut |_| true)?;
            points.push([found.values[i], found.cost]);
            others.clone_from(&found.values);
            Ok(found.cost)
        };
        // outwards with growing steps, until the cost is above the limit
        let end = ends[side];
        let clip = |u: f64| if sign < 0.0 { u.max(end) } else { u.min(end) };
        let (mut near, mut below) = (u0, fit.cost);
        let mut step = 0.5 * t * error;
        let mut beyond = None;
        while (near - u0).abs() < RANGE * error && near != end {
            let u = clip(near + sign * step);
            let Ok(cost) = at(u, &mut others) else { break };
            if cost > limit {
                beyond = Some((u, cost));
                break;
            }
            (near, below) = (u, cost);
            step *= 1.5;
        }
        let Some((mut far, mut above)) = beyond else { continue };
        // then bracketing, by the square root of the rise, which is nearly linear
        for _ in 0..20 {
            let root = |cost: f64| ((cost - fit.cost).max(0.0) / rise).sqrt();
            let share = ((1.0 - root(below)) / (root(above) - root(below))).clamp(0.05, 0.95);
            let u = near + share * (far - near);
            let Ok(cost) = at(u, &mut others) else { break };
            if cost > limit {
                (far, above) = (u, cost);
            } else {
                (near, below) = (u, cost);
            }
            if (root(cost) - 1.0).abs() < 1e-4 || (far - near).abs() < 1e-6 * error {
                break;
            }
        }
        let root = |cost: f64| ((cost - fit.cost).max(0.0) / rise).sqrt();
        let share = (1.0 - root(below)) / (root(above) - root(below));
        interval[side] = Some(p.outer(near + share.clamp(0.0, 1.0) * (far - near)));
    }
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    Ok(ProfileLikelihood { points, interval, limit })
}
