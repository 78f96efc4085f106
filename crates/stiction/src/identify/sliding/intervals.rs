//! Confidence intervals of a sliding fit by profile likelihood.
//!
//! An interval holds the values of a parameter at which the sum of squares `S`, minimal over all other parameters, exceeds its
//! minimum by at most `t²·g·σ²`: `t` is Student's quantile, `σ²` the variance of white noise, and `g` the inflation of the
//! parameter's variance by correlated noise. The coefficients are linear, so `S` is known exactly at each pair of Stribeck speed
//! and exponent: `S = S* + (c − c*)²/G`, with the least squares `S*`, `c*` and the variance `G·σ²` there. The interval of a
//! coefficient is the union over all pairs. Coefficients that cannot be negative are bounded by zero: where the best value is
//! zero, the interval is one-sided.
//!
//! Where the limit is not exceeded at the end of the searched Stribeck speeds, the interval is unbounded on that side: towards
//! zero Stribeck speed, any static level explains the data.
//!
//! The law is taken as true. Another exponent may continue the curve to rest in another way.
use super::normal_equations::NormalEquations;
use super::regression::{BEYOND, RegressionFit, RegressionOptions};
use super::samples::SlidingSamples;
use crate::fit::Loss;
use crate::linalg::{Qr, dot};
use crate::parallel;
use crate::statistics::student_t_quantile;

/// Maximum number of samples; the sums of squares are scaled to the number of all.
const MAX_SAMPLES: usize = 8_000;
/// Points on each side of the estimate, of which [`POINTS_PER_ERROR`] fall into a standard error: up to four standard errors.
const LOCAL_POINTS: i32 = 8;
const POINTS_PER_ERROR: f64 = 2.0;
/// Stribeck speeds over the whole range.
const GLOBAL_SPEEDS: i32 = 40;
/// Exponents over the whole range, if the exponent is free.
const EXPONENTS: [f64; 6] = [0.3, 0.5, 0.8, 1.3, 2.2, 4.0];

/// Least squares at one Stribeck speed and exponent.
struct Point {
    vs: f64,
    exponent: f64,
    /// Sum of squares with the constraints.
    squares: f64,
    /// For each linear combination of coefficients: its value without its own constraint, the sum of squares there, and the
    /// variance over that of the noise.
    targets: Vec<[f64; 3]>,
}

/// The intervals of all parameters of a fit, in their order.
pub fn intervals(
    fitted: &RegressionFit,
    samples: &SlidingSamples,
    how: &RegressionOptions,
    level: f64,
) -> Vec<[f64; 2]> {
    let count = fitted.names.len();
    let linearised = (0..count).map(|i| fitted.interval(i, level)).collect();
    // a robust loss has no sum of squares; without constraints there are no bounds
    if how.loss != Loss::Square || how.unconstrained {
        return linearised;
    }
    let few = thinned(fitted, samples);
    let grid = grid(fitted, samples);
    let rows = targets(fitted);
    let points = parallel::map(&grid, |&(vs, exponent)| point(fitted, &few, vs, exponent, &rows));
    let scale = samples.len() as f64 / few.len().max(1) as f64;
    let least = points.iter().map(|p| p.squares).fold(f64::INFINITY, f64::min);
    let mut residual = fitted.residual.clone();
    samples.apply_weights(&mut residual);
    let variance = dot(&residual, &residual) / (samples.len() as f64 - fitted.model.count() as f64).max(1.0);
    let mut out: Vec<[f64; 2]> = (0..count)
        .map(|i| {
            let quantile = student_t_quantile(0.5 + 0.5 * level, fitted.freedom[i]);
            let limit = quantile * quantile * fitted.inflation[i] * variance / scale;
            let allowed = |point: &Point| point.squares - least <= limit;
            match fitted.names[i].as_str() {
                "vs" => range(&points, fitted.values[i], least + limit, |p| p.vs),
                "exponent" => range(&points, fitted.values[i], least + limit, |p| p.exponent),
                name => {
                    let slowest = grid.iter().map(|g| g.0).fold(f64::INFINITY, f64::min);
                    let open = name.ends_with("fs") && points.iter().any(|p| p.vs <= slowest && allowed(p));
                    let mut out = [f64::INFINITY, f64::NEG_INFINITY];
                    for [value, squares, gram] in points.iter().map(|p| p.targets[i]) {
                        let room = gram * (least + limit - squares);
                        if room >= 0.0 {
                            out = [out[0].min(value - room.sqrt()), out[1].max(value + room.sqrt())];
                        }
                    }
                    let positive = name.ends_with("fs") || fitted.model.is_nonnegative(name);
                    [if positive { out[0].max(0.0) } else { out[0] }, if open { f64::INFINITY } else { out[1] }]
                }
            }
        })
        .collect();
    // a static level is not below the sliding level, and one that may be a thousand times larger has no upper bound of use
    for (i, side) in fitted.names.iter().enumerate().filter_map(|(i, name)| Some((i, name.strip_suffix("fs")?))) {
        let level =
            fitted.names.iter().position(|name| name.strip_suffix("fc") == Some(side)).map_or(0.0, |j| out[j][0]);
        out[i][0] = out[i][0].max(level);
        if out[i][1] > 1e3 * out[i][0] {
            out[i][1] = f64::INFINITY;
        }
    }
    out
}

/// At most [`MAX_SAMPLES`], with their least squares where those of all samples are.
///
/// Every so many samples alone would have their minimum elsewhere, and intervals around it, which need not contain the estimate. So
/// their residuals are freed of what the parameters could explain: of its component along the derivatives of the model. Parameters at a bound
/// keep theirs, which says how far beyond the bound the minimum would be.
fn thinned(fitted: &RegressionFit, samples: &SlidingSamples) -> SlidingSamples {
    let mut few = samples.thinned(MAX_SAMPLES);
    if few.len() == samples.len() {
        return few;
    }
    let weighted = |mut x: Vec<f64>| {
        few.apply_weights(&mut x);
        x
    };
    let is_free = |i: &usize| !fitted.bound[*i] && !fitted.is_held(&fitted.names[*i]);
    let derivatives: Vec<Vec<f64>> = (0..fitted.names.len())
        .filter(is_free)
        .map(|i| {
            let step = 1e-5 * fitted.values[i].abs().max(1e-9);
            let moved = |by: f64| {
                let mut values = fitted.values.clone();
                values[i] += by;
                RegressionFit { values, residual: Vec::new(), ..fitted.clone() }.model(&few)
            };
            let ends = moved(step).into_iter().zip(moved(-step));
            ends.map(|(above, below)| (above - below) / (2.0 * step)).collect()
        })
        .collect();
    let columns: Vec<Vec<f64>> = derivatives.iter().cloned().map(weighted).collect();
    let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
    let model = fitted.model(&few);
    let residual: Vec<f64> = few.force.iter().zip(&model).map(|(force, model)| force - model).collect();
    let explained = Qr::new(&columns).solve(&weighted(residual));
    for (column, factor) in derivatives.iter().zip(explained) {
        few.force.iter_mut().zip(column).for_each(|(force, x)| *force -= factor * x);
    }
    few
}

/// Pairs of Stribeck speed and exponent: close to the estimate in steps of its standard error, and over the whole range.
fn grid(fitted: &RegressionFit, samples: &SlidingSamples) -> Vec<(f64, f64)> {
    let place = |name: &str| fitted.names.iter().position(|known| known == name);
    let Some(at) = place("vs") else { return vec![(1.0, 1.0)] };
    let vs = fitted.values[at];
    let fixed = fitted.model.exponent();
    let [slow, fast] = samples.speed_range();
    let (low, high) = ((slow / BEYOND).max(1e-12), (fast * BEYOND).max(1e-9));
    let mut out = vec![(vs, fixed.or(fitted.get("exponent")).unwrap_or(1.0))];
    for k in 0..=GLOBAL_SPEEDS {
        let vs = low * (high / low).powf(f64::from(k) / f64::from(GLOBAL_SPEEDS));
        match fixed {
            Some(exponent) => out.push((vs, exponent)),
            None => out.extend(EXPONENTS.map(|exponent| (vs, exponent))),
        }
    }
    // in the logarithm of the Stribeck speed; beyond a factor of e for each step, the whole range is covered anyway
    let sound = |x: f64| if x.is_finite() && x > 0.0 { x.min(1.0) } else { 1.0 };
    let local = |k: i32, error: f64| f64::from(k) / POINTS_PER_ERROR * error;
    match (fixed, place("exponent")) {
        (None, Some(e)) => {
            let of = |i: usize, j: usize| fitted.covariance.at(i, j);
            // along the valley: the best Stribeck speed for each exponent, and its error for that exponent
            let slope = of(at, e) / of(e, e) / vs;
            let slope = if slope.is_finite() { slope } else { 0.0 };
            let across = sound((of(at, at) / (vs * vs) - slope * slope * of(e, e)).max(0.0).sqrt());
            for j in -LOCAL_POINTS..=LOCAL_POINTS {
                let by = local(j, sound(of(e, e).sqrt()));
                let exponent = (fitted.values[e] + by).clamp(EXPONENTS[0], EXPONENTS[EXPONENTS.len() - 1]);
                for k in -LOCAL_POINTS..=LOCAL_POINTS {
                    let log = slope * (exponent - fitted.values[e]) + local(k, across);
                    out.push((vs * log.exp(), exponent));
                }
            }
        }
        _ => {
            let error = sound(fitted.error(at) / vs);
            let exponent = out[0].1;
            out.extend((-LOCAL_POINTS..=LOCAL_POINTS).map(|k| (vs * local(k, error).exp(), exponent)));
        }
    }
    out
}

/// For each parameter the coefficients whose sum it is; none for the nonlinear ones.
fn targets(fitted: &RegressionFit) -> Vec<Vec<usize>> {
    let names = fitted.model.linear_names();
    let place = |name: &str| names.iter().position(|known| *known == name);
    let of = |name: &String| match name.strip_suffix("fs") {
        Some(side) => [format!("{side}fc"), format!("{side}drop")].iter().filter_map(|name| place(name)).collect(),
        None => place(name).into_iter().collect(),
    };
    fitted.names.iter().map(of).collect()
}

fn point(fitted: &RegressionFit, s: &SlidingSamples, vs: f64, exponent: f64, rows: &[Vec<usize>]) -> Point {
    let model = &fitted.model;
    let names = model.linear_names();
    let mut terms = Vec::new();
    model.regressors(s, vs, exponent, &mut terms);
    let near: Vec<f64> = names.iter().map(|name| fitted.factor(name).unwrap_or(0.0)).collect();
    let equations = NormalEquations::new(terms, s, &near);
    let constrained: Vec<bool> = names.iter().map(|name| model.is_nonnegative(name)).collect();
    let (best, squares) = equations.minimum(&constrained);
    // the others keep their constraints
    let free = |row: &[usize]| -> Vec<usize> {
        (0..names.len()).filter(|j| row.contains(j) || !constrained[*j] || best[*j] > 0.0).collect()
    };
    let targets = rows.iter().map(|row| equations.combination(&free(row), row)).collect();
    Point { vs, exponent, squares, targets }
}

/// The range of a nonlinear parameter in which the sum of squares, minimal over the other, stays below `limit`; unbounded where
/// it does so at the end of the grid.
fn range(points: &[Point], estimate: f64, limit: f64, of: impl Fn(&Point) -> f64) -> [f64; 2] {
    let mut profile: Vec<(f64, f64)> = points.iter().map(|p| (of(p), p.squares)).collect();
    profile.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    profile.dedup_by(|next, kept| next.0 == kept.0);
    let inside = |k: usize| profile[k].1 <= limit;
    let all: Vec<usize> = (0..profile.len()).filter(|&k| inside(k)).collect();
    let (Some(&first), Some(&last)) = (all.first(), all.last()) else { return [estimate; 2] };
    // between two points of the grid the sum of squares is about linear in the logarithm
    let cross = |inner: usize, outer: usize| {
        let ((x, s), (y, r)) = (profile[inner], profile[outer]);
        x * (y / x).powf(((limit - s) / (r - s)).clamp(0.0, 1.0))
    };
    [
        if first == 0 { 0.0 } else { cross(first, first - 1).min(estimate) },
        if last + 1 == profile.len() { f64::INFINITY } else { cross(last, last + 1).max(estimate) },
    ]
}
