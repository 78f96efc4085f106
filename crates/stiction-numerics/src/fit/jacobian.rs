//! The Jacobian of the residuals in the internal coordinates of the fit.
use super::{LeastSquaresProblem, Parameter};

/// Finite-difference settings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Differences {
    /// Central differences: twice the work, more digits.
    pub central: bool,
    /// Relative error of the residuals.
    pub noise: f64,
}

/// The Jacobian column by column, zero for fixed parameters, and the number of residual evaluations. None where it is not finite.
pub(super) fn differentiate(
    problem: &LeastSquaresProblem<'_>,
    u: &[f64],
    at: &[f64],
    how: Differences,
) -> Option<(Vec<f64>, usize)> {
    let m = problem.count;
    let values = problem.outer(u);
    let mut out = vec![0.0; m * u.len()];
    let mut used = 0;
    if let Some(jacobian) = problem.jacobian {
        jacobian(&values, &mut out);
        for ((column, p), x) in out.chunks_exact_mut(m).zip(problem.parameters).zip(&values) {
            let slope = if p.is_held() { 0.0 } else { p.slope(*x) };
            column.iter_mut().for_each(|d| *d = if slope == 0.0 { 0.0 } else { *d * slope });
        }
    } else {
        for (j, column) in out.chunks_exact_mut(m).enumerate() {
            if problem.parameters[j].is_held() {
                continue;
            }
            used += difference(problem, u, j, at, how, column)?;
        }
    }
    out.iter().all(|d| d.is_finite()).then_some((out, used))
}

/// The step of a difference quotient: in the direction with room for it.
pub(super) fn first_step(p: &Parameter, u: f64, how: Differences) -> f64 {
    let [low, high] = p.limits();
    let power = if how.central { 1.0 / 3.0 } else { 0.5 };
    // logarithms: an absolute step; other coordinates: relative to their value, or to their unit near zero
    let size = if p.log { 1.0 } else { u.abs().max(1e-2) };
    let step = how.noise.max(f64::EPSILON).powf(power) * size;
    if high - u >= step || high - u >= u - low { step } else { -step }
}

/// A coordinate moved within its bounds.
pub(super) fn moved(p: &Parameter, u: f64, by: f64) -> f64 {
    let [low, high] = p.limits();
    (u + by).clamp(low.min(high), high)
}

/// One column: forward or backward, whichever has more room within the bounds; the other one where the model is not finite.
fn difference(
    problem: &LeastSquaresProblem<'_>,
    u: &[f64],
    j: usize,
    at: &[f64],
    how: Differences,
    column: &mut [f64],
) -> Option<usize> {
    let first = first_step(&problem.parameters[j], u[j], how);
    let probe = |by: f64| {
        let mut v = u.to_vec();
        v[j] = moved(&problem.parameters[j], u[j], by);
        let r = problem.residual(&v);
        (v[j] - u[j], r)
    };
    let sound = |r: &[f64]| r.iter().all(|x| x.is_finite());
    let (mut h, mut r) = probe(first);
    let mut used = 1;
    if h == 0.0 || !sound(&r) {
        (h, r) = probe(-first);
        used += 1;
        if h == 0.0 || !sound(&r) {
            return None;
        }
    }
    if how.central {
        let (back, other) = probe(-h);
        used += 1;
        if back != 0.0 && sound(&other) && back != h {
            // derivative of the parabola through three points, evenly spaced or not
            for (k, c) in column.iter_mut().enumerate() {
                let (right, left) = ((r[k] - at[k]) / h, (other[k] - at[k]) / back);
                *c = (right * back - left * h) / (back - h);
            }
            return Some(used);
        }
    }
    for (k, c) in column.iter_mut().enumerate() {
        *c = (r[k] - at[k]) / h;
    }
    Some(used)
}
