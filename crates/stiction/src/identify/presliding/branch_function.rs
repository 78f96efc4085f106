//! The branch function `Fd` of the travel from a reversal, fitted to all branches.
use super::pooled_branches::PooledBranches;
use crate::NumericsError;
use crate::fit::{Fit, Parameter, effective_samples};
use crate::identify::{Estimate, Identifiability};
use crate::statistics::student_t_quantile;

/// A fitted branch function.
#[derive(Clone, Debug)]
pub(super) struct BranchFunction {
    /// Estimates of `k0, k1, k2, f1, z2` and more.
    pub estimates: Vec<Estimate>,
    /// Bayesian information criterion.
    pub criterion: f64,
    /// Number of stiffnesses: one, two or three.
    pub pieces: usize,
}

impl BranchFunction {
    /// A value by name.
    pub fn value(&self, name: &str) -> Option<f64> {
        self.estimates.iter().find(|e| e.name == name).map(|e| e.value)
    }
}

/// A quantity that is a function of the fitted parameters.
struct DerivedQuantity<'a> {
    name: &'a str,
    unit: &'a str,
    of: &'a dyn Fn(&[f64]) -> f64,
}

fn derived(fit: &Fit, list: &[DerivedQuantity<'_>]) -> Vec<Estimate> {
    let n = fit.values.len();
    let one = |d: &DerivedQuantity<'_>| {
        let value = (d.of)(&fit.values);
        let slope: Vec<f64> = (0..n)
            .map(|i| {
                let (mut up, mut down, step) = (fit.values.clone(), fit.values.clone(), 1e-6 * fit.values[i].abs());
                up[i] += step;
                down[i] -= step;
                if step > 0.0 { ((d.of)(&up) - (d.of)(&down)) / (2.0 * step) } else { 0.0 }
            })
            .collect();
        let mut variance = 0.0;
        for (i, a) in slope.iter().enumerate() {
            for (j, b) in slope.iter().enumerate() {
                if *a != 0.0 && *b != 0.0 {
                    variance += a * b * fit.covariance.at(i, j);
                }
            }
        }
        // effective degrees of freedom of the parameter that contributes most
        let most = (0..n).max_by(|i, j| {
            let size = |i: &usize| (slope[*i] * slope[*i] * fit.covariance.at(*i, *i)).abs();
            size(i).total_cmp(&size(j))
        });
        let growth = most.map_or(1.0, |i| fit.variance_inflation(i).max(1.0));
        let error = variance.max(0.0).sqrt();
        let half = student_t_quantile(0.975, (fit.degrees_of_freedom / growth).max(1.0)) * error;
        let mut out = Estimate::new(d.name, d.unit, value, error, [value - half, value + half]);
        let at_bound = slope.iter().zip(&fit.bound).any(|(s, b)| *b && (s * value).abs() > 0.0) && variance == 0.0;
        if at_bound {
            out.identifiability = Identifiability::AtBound;
        }
        out
    };
    list.iter().map(one).collect()
}

/// A fit with its derived quantities.
struct Candidate {
    fit: Fit,
    curve: BranchFunction,
}

fn finished(fit: Fit, pieces: usize, list: &[DerivedQuantity<'_>]) -> Candidate {
    let estimates = derived(&fit, list);
    Candidate { curve: BranchFunction { estimates, criterion: f64::INFINITY, pieces }, fit }
}

/// The best by the Bayesian information criterion. The effective number of samples follows from the fit with the smallest
/// residuals: systematic residuals of a poor fit would look like correlated noise.
fn select_by_bic(found: Vec<Candidate>) -> Result<BranchFunction, NumericsError> {
    let nearest = found
        .iter()
        .min_by(|a, b| a.fit.cost.total_cmp(&b.fit.cost))
        .ok_or(NumericsError::NotFiniteAtStart { at: 0 })?;
    let worth = effective_samples(&nearest.fit.residual);
    let scored = found.iter().map(|Candidate { fit, curve }| {
        let (n, free) = (fit.residual.len() as f64, fit.bound.iter().filter(|b| !**b).count() as f64);
        let square = (2.0 * fit.cost / n).max(f64::MIN_POSITIVE);
        BranchFunction { criterion: worth * square.ln() + free * worth.ln(), ..curve.clone() }
    });
    scored.min_by(|a, b| a.criterion.total_cmp(&b.criterion)).ok_or(NumericsError::NotFiniteAtStart { at: 0 })
}

/// Nouri's branch function: exponential, then linear.
pub(super) fn exponential(p: &[f64], z: f64) -> f64 {
    let [bend, mid, k2, f1, z2] = [p[0], p[1], p[2], p[3], p[4]];
    let knee = z.min(z2);
    (mid + k2) * knee - f1 * (-(bend * knee / f1)).exp_m1() + k2 * (z - knee)
}

/// Three linear pieces.
fn straight(p: &[f64], z: f64) -> f64 {
    let [bend, mid, k2, z1, z2] = [p[0], p[1], p[2], p[3], p[4]];
    bend * z.min(z1) + mid * z.min(z1.max(z2)) + k2 * z
}

/// The exponential branch with the number of stiffnesses that the data support. `blur` is the standard deviation of the
/// position of a reversal: it affects all samples of a branch, and increases the standard errors of `k0` and `f1`.
pub(super) fn fit_exponential(pool: &PooledBranches, blur: f64) -> Result<BranchFunction, NumericsError> {
    let (top, [k0, k1, k2]) = (pool.longest(), pool.starts());
    let long = 1e3 * top;
    let unit = |name, start: f64| Parameter::new(name, start).within(1e-9 * k0, 1e3 * k0).log();
    let f1 = |start: f64| Parameter::new("f1", start).within(1e-9 * k0 * top, 1e3 * k0 * top).log();
    let bend = (k0 - k1).max(0.05 * k0);
    let mut found: Vec<Candidate> = Vec::new();
    // without a second knee
    let two =
        [unit("bend", bend), unit("mid", k2.max(1e-3 * k0)), held("k2"), f1(bend * top / 8.0), held("z2").fixed(long)];
    if let Ok(fit) = pool.fit(&two, &exponential) {
        found.push(finished(
            fit,
            2,
            &[
                DerivedQuantity { name: "k0", unit: "N/m", of: &|p| p[0] + p[1] },
                DerivedQuantity { name: "k1", unit: "N/m", of: &|p| p[1] },
                DerivedQuantity { name: "f1", unit: "N", of: &|p| p[3] },
            ],
        ));
    }
    let mut best: Option<Fit> = None;
    for part in [0.2, 0.4, 0.65] {
        let mid = (k1 - k2).max(0.1 * k1);
        let z2 = Parameter::new("z2", part * top).within(1e-3 * top, 0.97 * top).log();
        let three =
            [unit("bend", bend), unit("mid", mid), unit("k2", k2.max(1e-3 * k0)), f1(bend * part * top / 4.0), z2];
        if let Ok(fit) = pool.fit(&three, &exponential)
            && best.as_ref().is_none_or(|b| fit.cost < b.cost)
        {
            best = Some(fit);
        }
    }
    if let Some(fit) = best {
        found.push(finished(
            fit,
            3,
            &[
                DerivedQuantity { name: "k0", unit: "N/m", of: &|p| p[0] + p[1] + p[2] },
                DerivedQuantity { name: "k1", unit: "N/m", of: &|p| p[1] + p[2] },
                DerivedQuantity { name: "k2", unit: "N/m", of: &|p| p[2] },
                DerivedQuantity { name: "f1", unit: "N", of: &|p| p[3] },
                DerivedQuantity { name: "z2", unit: "m", of: &|p| p[4] },
                DerivedQuantity { name: "f2", unit: "N", of: &|p| exponential(p, p[4]) - p[2] * p[4] },
            ],
        ));
    }
    Ok(with_reversal_uncertainty(select_by_bic(found)?, blur / (pool.begins.len() as f64).sqrt()))
}

/// Adds the uncertainty of the reversals: an error `d` multiplies the exponential part by `exp((k0 − k1)·d/f1)`.
fn with_reversal_uncertainty(mut curve: BranchFunction, by: f64) -> BranchFunction {
    let value = |name: &str| curve.value(name).unwrap_or(0.0);
    let (bend, f1) = (value("k0") - value("k1"), value("f1"));
    for (name, size) in [("k0", bend), ("f1", f1)] {
        let more = size * bend * by / f1;
        for e in curve.estimates.iter_mut().filter(|e| e.name == name && more.is_finite()) {
            let grown = e.error.hypot(more);
            let half = 0.5 * (e.interval[1] - e.interval[0]);
            let wide = half.hypot(1.96 * more);
            *e = Estimate { error: grown, interval: [e.value - wide, e.value + wide], ..e.clone() };
        }
    }
    curve
}

/// Piecewise linear branch with the number of pieces that the data support.
pub(super) fn fit_piecewise_linear(pool: &PooledBranches) -> Result<BranchFunction, NumericsError> {
    let (top, [k0, k1, k2]) = (pool.longest(), pool.starts());
    let unit = |name, start: f64| Parameter::new(name, start).within(1e-9 * k0, 1e3 * k0).log();
    let place = |name, part: f64| Parameter::new(name, part * top).within(1e-3 * top, 0.97 * top).log();
    let mut found: Vec<Candidate> = Vec::new();
    let one = [held("bend"), held("mid"), unit("k", k2.max(1e-3 * k0)), held("z1"), held("z2")];
    if let Ok(fit) = pool.fit(&one, &straight) {
        found.push(finished(fit, 1, &[DerivedQuantity { name: "k0", unit: "N/m", of: &|p| p[2] }]));
    }
    let keep = |best: &mut Option<Fit>, parameters: &[Parameter]| {
        if let Ok(fit) = pool.fit(parameters, &straight)
            && best.as_ref().is_none_or(|b| fit.cost < b.cost)
        {
            *best = Some(fit);
        }
    };
    let (mut two, mut three): (Option<Fit>, Option<Fit>) = (None, None);
    for part in [0.1, 0.3] {
        let bend = unit("bend", (k0 - k1).max(0.05 * k0));
        let last = unit("k2", k2.max(1e-3 * k0));
        keep(&mut two, &[bend.clone(), held("mid"), last.clone(), place("z1", part), held("z2")]);
        let mid = unit("mid", (k1 - k2).max(0.1 * k1));
        keep(&mut three, &[bend, mid, last, place("z1", 0.5 * part), place("z2", 2.0 * part)]);
    }
    if let Some(fit) = two {
        found.push(finished(
            fit,
            2,
            &[
                DerivedQuantity { name: "k0", unit: "N/m", of: &|p| p[0] + p[2] },
                DerivedQuantity { name: "k1", unit: "N/m", of: &|p| p[2] },
                DerivedQuantity { name: "f1", unit: "N", of: &|p| p[0] * p[3] },
                DerivedQuantity { name: "z1", unit: "m", of: &|p| p[3] },
            ],
        ));
    }
    if let Some(fit) = three {
        found.push(finished(
            fit,
            3,
            &[
                DerivedQuantity { name: "k0", unit: "N/m", of: &|p| p[0] + p[1] + p[2] },
                DerivedQuantity { name: "k1", unit: "N/m", of: &|p| p[1] + p[2] },
                DerivedQuantity { name: "k2", unit: "N/m", of: &|p| p[2] },
                DerivedQuantity { name: "f1", unit: "N", of: &|p| p[0] * p[3] },
                DerivedQuantity { name: "f2", unit: "N", of: &|p| p[0] * p[3] + p[1] * p[4] },
                DerivedQuantity { name: "z1", unit: "m", of: &|p| p[3] },
                DerivedQuantity { name: "z2", unit: "m", of: &|p| p[4] },
            ],
        ));
    }
    // exclude candidates with unidentifiable pieces
    let sound = |c: &Candidate| c.curve.estimates.iter().all(|e| e.identifiability != Identifiability::Unidentifiable);
    if found.iter().any(sound) {
        found.retain(sound);
    }
    select_by_bic(found)
}

fn held(name: &str) -> Parameter {
    Parameter::new(name, 0.0).fixed(0.0)
}
