//! Least-squares fit of a regression model.
use super::model::{RegressionModel, TERMS};
use super::normal_equations::NormalEquations;
use super::samples::SlidingSamples;
use crate::NumericsError;
use crate::fit::{
    Covariance, Fit, FitOptions, LinearOptions, Loss, NoiseModel, Parameter, SeparableModel, linear, nonlinear,
    separable,
};
use crate::linalg::norm;
use crate::statistics::student_t_quantile;

/// Options of the regression.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RegressionOptions {
    /// Loss function.
    pub loss: Loss,
    /// Whether the residuals are assumed to be white noise.
    pub white_noise: bool,
    /// Whether masses, friction levels and viscous coefficients may be negative, as they are when a sign is wrong.
    pub unconstrained: bool,
}

/// A fitted model, in parameters of the law and of the plant.
#[derive(Clone, Debug)]
pub struct RegressionFit {
    /// The regression model.
    pub model: RegressionModel,
    /// Names of the parameters: `mass`, `offset`, `fc`, `fs`, `vs`, ...
    pub names: Vec<String>,
    /// Their values.
    pub values: Vec<f64>,
    /// Their covariance.
    pub covariance: Covariance,
    /// Effective degrees of freedom of each parameter, reduced by correlated noise.
    pub freedom: Vec<f64>,
    /// Ratio of the variance of each parameter under correlated noise to that under white noise, at least one.
    pub inflation: Vec<f64>,
    /// Measured less model, of each sample.
    pub residual: Vec<f64>,
    /// The relative error `|residual|/|force|`.
    pub relative: f64,
    /// Condition number of the regressors.
    pub condition: f64,
    /// Which parameters ended at a bound.
    pub bound: Vec<bool>,
    /// Which parameters were fitted by their logarithm, so that their intervals are logarithmic.
    pub log: Vec<bool>,
    /// What was held: coefficients that would be negative are, at zero.
    pub held: Constraints,
}

/// Samples for the search of the initial Stribeck speed.
const SEARCH_SAMPLES: usize = 8_000;
/// Maximum number of samples for the nonlinear parameters; the model error dominates beyond.
const MAX_SAMPLES: usize = 100_000;
/// Stribeck speeds are sought beyond the measured speeds by this factor on either side. At a tenth of the slowest sliding nothing of
/// the Stribeck effect is left for exponents from one; at ten times the fastest, a tenth of it is seen at most.
pub(super) const BEYOND: f64 = 10.0;
/// Number of initial Stribeck speeds, logarithmically spaced.
const STRIBECK_SPEEDS: usize = 24;

impl RegressionFit {
    /// A value by name.
    pub fn get(&self, name: &str) -> Option<f64> {
        let at = self.names.iter().position(|known| known == name)?;
        Some(self.values[at])
    }
    /// A coefficient by name: `drop` is the Stribeck effect `fs − fc`.
    pub fn factor(&self, name: &str) -> Option<f64> {
        match name.strip_suffix("drop") {
            Some(side) => Some(self.get(&format!("{side}fs"))? - self.get(&format!("{side}fc"))?),
            None => self.get(name),
        }
    }
    /// The standard error of a coefficient, as [`Self::factor`].
    pub fn factor_error(&self, name: &str) -> f64 {
        let place = |name: &str| self.names.iter().position(|known| known == name);
        match name.strip_suffix("drop").map(|side| (place(&format!("{side}fs")), place(&format!("{side}fc")))) {
            Some((Some(s), Some(c))) => {
                let of = |i: usize, j: usize| self.covariance.at(i, j);
                (of(s, s) + of(c, c) - of(s, c) - of(c, s)).max(0.0).sqrt()
            }
            Some(_) => f64::NAN,
            None => place(name).map_or(f64::NAN, |i| self.error(i)),
        }
    }
    /// Size of the Stribeck effect in the first direction, `fs − fc`, and its standard error.
    pub fn drop(&self) -> Option<[f64; 2]> {
        Some([self.factor("drop")?, self.factor_error("drop")])
    }
    /// Whether a parameter is a coefficient that is held at zero, or a static level whose Stribeck effect is.
    pub fn is_held(&self, name: &str) -> bool {
        let coefficient = name.strip_suffix("fs").map_or_else(|| name.to_owned(), |side| format!("{side}drop"));
        self.model.linear_names().iter().zip(&self.held.at_zero).any(|(known, held)| *held && *known == coefficient)
    }
    /// The standard error of a value.
    pub fn error(&self, i: usize) -> f64 {
        self.covariance.at(i, i).max(0.0).sqrt()
    }
    /// Confidence interval with this level.
    pub fn interval(&self, i: usize, level: f64) -> [f64; 2] {
        let half = student_t_quantile(0.5 + 0.5 * level, self.freedom[i]) * self.error(i);
        if self.log[i] {
            let x = self.values[i];
            return [x * (-half / x).exp(), x * (half / x).exp()];
        }
        [self.values[i] - half, self.values[i] + half]
    }
    /// Measured friction: force less inertia, offset and other forces.
    pub fn friction(&self, samples: &SlidingSamples) -> Vec<f64> {
        let value = |name: &str| self.get(name).unwrap_or(0.0);
        let (mass, offset) = (value("mass"), value("offset"));
        let mut out: Vec<f64> = (0..samples.len()).map(|k| samples.force[k] - mass * samples.a[k] - offset).collect();
        for (term, name) in samples.terms.iter().zip(TERMS) {
            let factor = value(name);
            out.iter_mut().zip(&term.values).for_each(|(f, x)| *f -= factor * x);
        }
        out
    }
    /// The force of the model at these samples.
    pub fn model(&self, samples: &SlidingSamples) -> Vec<f64> {
        let mut terms = Vec::new();
        let exponent = self.model.exponent().or(self.get("exponent")).unwrap_or(1.0);
        self.model.regressors(samples, self.get("vs").unwrap_or(1.0), exponent, &mut terms);
        let mut out = vec![0.0; samples.len()];
        for (term, name) in terms.chunks_exact(samples.len().max(1)).zip(self.model.linear_names()) {
            let factor = self.factor(name).unwrap_or(0.0);
            out.iter_mut().zip(term).for_each(|(o, x)| *o += factor * x);
        }
        out
    }
}

/// Weights of the samples, if not all equal.
fn weights(samples: &SlidingSamples) -> Option<&[f64]> {
    Some(samples.weight.as_slice()).filter(|weight| !weight.is_empty())
}

/// Fits a model to samples. Unless `how` allows it, no mass, friction level, viscous coefficient or Stribeck effect is negative
/// ([`RegressionModel::is_nonnegative`]): those that would be are held at zero, one after another, and the others are fitted again.
///
/// # Errors
/// [`NumericsError`]: too few samples, or linearly dependent regressors.
pub fn fit_model(
    model: &RegressionModel,
    samples: &SlidingSamples,
    how: &RegressionOptions,
) -> Result<RegressionFit, NumericsError> {
    fit_from(model, samples, how, &Constraints::none(model))
}

/// As [`fit_model`], with more held.
pub(super) fn fit_from(
    model: &RegressionModel,
    samples: &SlidingSamples,
    how: &RegressionOptions,
    held: &Constraints,
) -> Result<RegressionFit, NumericsError> {
    let names = model.linear_names();
    let mut fit = fit_with(model, samples, how, held)?;
    // the standard errors of intermediate fits are not needed, but their ratios to the values choose what to hold
    loop {
        let size = |j: &usize| fit.factor(names[*j]).unwrap_or(0.0) / fit.factor_error(names[*j]);
        let worst = (0..names.len())
            .filter(|&j| model.is_nonnegative(names[j]) && fit.factor(names[j]).is_some_and(|x| x < 0.0))
            .min_by(|a, b| size(a).total_cmp(&size(b)));
        let Some(worst) = worst.filter(|_| !how.unconstrained) else { return Ok(fit) };
        let mut held = fit.held.clone();
        held.at_zero[worst] = true;
        fit = fit_with(model, samples, how, &held)?;
    }
}

/// What a fit holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraints {
    /// Which linear coefficients are held at zero.
    pub at_zero: Vec<bool>,
    /// The smallest Stribeck speed, over the slowest sliding.
    pub slowest: f64,
}

impl Constraints {
    /// Free coefficients.
    pub fn none(model: &RegressionModel) -> Self {
        Self { at_zero: vec![false; model.linear_names().len()], slowest: 1.0 / BEYOND }
    }
}

/// Fits a model with exactly this held.
fn fit_with(
    model: &RegressionModel,
    samples: &SlidingSamples,
    how: &RegressionOptions,
    held: &Constraints,
) -> Result<RegressionFit, NumericsError> {
    let noise = if how.white_noise {
        NoiseModel::White
    } else {
        NoiseModel::Correlated { lag: None, whiten: true, breaks: samples.breaks.clone() }
    };
    let names = free_names(model, held);
    if names.iter().any(|name| name.ends_with("drop")) {
        return fit_stribeck(model, samples, how, noise, held);
    }
    let mut terms = Vec::new();
    free_regressors(model, samples, (1.0, 1.0), held, &mut terms);
    let columns: Vec<&[f64]> = terms.chunks_exact(samples.len().max(1)).collect();
    let fit = linear(&columns, &samples.force, &LinearOptions { weights: weights(samples), loss: how.loss, noise })?;
    let inflation = (0..fit.values.len()).map(|i| fit.covariance.at(i, i) / fit.white_covariance.at(i, i)).collect();
    Ok(to_law_parameters(
        model,
        held,
        samples,
        Coefficients {
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            bound: vec![false; fit.values.len()],
            values: fit.values,
            covariance: fit.covariance,
            inflation,
            degrees_of_freedom: fit.degrees_of_freedom,
            residual: fit.residual,
            relative: fit.relative,
            condition: fit.condition,
        },
    ))
}

/// Names of the coefficients that are not held at zero.
fn free_names(model: &RegressionModel, held: &Constraints) -> Vec<&'static str> {
    model.linear_names().into_iter().zip(&held.at_zero).filter(|(_, held)| !**held).map(|(name, _)| name).collect()
}

/// Regressors of the coefficients that are not held at zero, concatenated.
fn free_regressors(
    model: &RegressionModel,
    samples: &SlidingSamples,
    (vs, exponent): (f64, f64),
    held: &Constraints,
    out: &mut Vec<f64>,
) {
    model.regressors(samples, vs, exponent, out);
    let n = samples.len();
    let mut kept = 0;
    for (k, _) in held.at_zero.iter().enumerate().filter(|(_, held)| !**held) {
        out.copy_within(k * n..(k + 1) * n, kept * n);
        kept += 1;
    }
    out.truncate(kept * n);
}

/// Estimated coefficients of a regression.
struct Coefficients {
    names: Vec<String>,
    values: Vec<f64>,
    covariance: Covariance,
    /// Ratio of the variance under correlated noise to that under white noise.
    inflation: Vec<f64>,
    degrees_of_freedom: f64,
    residual: Vec<f64>,
    relative: f64,
    condition: f64,
    bound: Vec<bool>,
}

/// Fit of a Stribeck curve: `vs` by a grid search, then all parameters by variable projection.
fn fit_stribeck(
    model: &RegressionModel,
    samples: &SlidingSamples,
    how: &RegressionOptions,
    noise: NoiseModel,
    held: &Constraints,
) -> Result<RegressionFit, NumericsError> {
    let names = free_names(model, held);
    let few = samples.thinned(SEARCH_SAMPLES);
    if few.len() <= model.count() {
        return Err(NumericsError::TooFew { what: "samples that slide", need: model.count() + 1, have: few.len() });
    }
    let [slow, fast] = few.speed_range();
    // with levels that are not negative, a Stribeck speed above the fastest sliding is harmless: the curve goes down to zero at most
    let (low, high) = ((held.slowest * slow).max(1e-9), (BEYOND * fast).max(1e-9));
    let guess = model.exponent().unwrap_or(1.0);
    // the best of several Stribeck speeds under the same constraints as the fit
    let held_or_free = |name: &str| !how.unconstrained && model.is_nonnegative(name);
    let constrained: Vec<bool> = names.iter().map(|name| held_or_free(name)).collect();
    let mut best = (f64::INFINITY, high);
    for k in 0..STRIBECK_SPEEDS {
        let vs = low * (high / low).powf((k as f64 + 0.5) / STRIBECK_SPEEDS as f64);
        let mut terms = Vec::new();
        free_regressors(model, &few, (vs, guess), held, &mut terms);
        let squares = NormalEquations::new(terms, &few, &[]).minimum(&constrained).1;
        if squares < best.0 {
            best = (squares, vs);
        }
    }
    let mut parameters = vec![Parameter::new("vs", best.1).within(low, high).log()];
    if model.exponent().is_none() {
        parameters.push(Parameter::new("exponent", guess).within(0.3, 4.0));
    }
    let options = |noise: NoiseModel| FitOptions { loss: how.loss, noise, tolerance: 1e-8, ..FitOptions::default() };
    let fit_of = |samples: &SlidingSamples,
                  parameters: &[Parameter],
                  noise: NoiseModel|
     -> Result<Fit, NumericsError> {
        let fill = |p: &[f64], out: &mut [f64]| {
            let mut terms = Vec::with_capacity(out.len());
            free_regressors(model, samples, (p[0], model.exponent().unwrap_or_else(|| p[1])), held, &mut terms);
            out.copy_from_slice(&terms);
        };
        let model =
            SeparableModel { parameters, linear: &names, y: &samples.force, terms: &fill, weights: weights(samples) };
        separable(&model, &options(noise))
    };
    let thinned = samples.len() > MAX_SAMPLES;
    let fit = if thinned {
        let some = samples.thinned(MAX_SAMPLES);
        let near = fit_of(&some, &parameters, NoiseModel::White)?;
        refine_on_all_samples(model, samples, &parameters, &near.values, held, &options(noise))?
    } else {
        fit_of(samples, &parameters, noise)?
    };
    // undo the weighting of the residuals
    let mut residual: Vec<f64> = fit.residual.iter().map(|r| -r).collect();
    residual.iter_mut().zip(&samples.weight).filter(|(_, w)| **w > 0.0).for_each(|(r, w)| *r /= w.sqrt());
    Ok(to_law_parameters(
        model,
        held,
        samples,
        Coefficients {
            inflation: (0..fit.values.len()).map(|i| fit.variance_inflation(i)).collect(),
            relative: norm(&residual) / norm(&samples.force),
            residual,
            condition: fit.identifiability(f64::INFINITY).condition,
            names: fit.names,
            values: fit.values,
            covariance: fit.covariance,
            degrees_of_freedom: fit.degrees_of_freedom,
            bound: fit.bound,
        },
    ))
}

/// Refines the parameters on all samples, for their standard errors.
fn refine_on_all_samples(
    model: &RegressionModel,
    s: &SlidingSamples,
    parameters: &[Parameter],
    start: &[f64],
    held: &Constraints,
    options: &FitOptions,
) -> Result<Fit, NumericsError> {
    let n = parameters.len();
    let names = free_names(model, held);
    let mut all = parameters.to_vec();
    all.extend(names.iter().map(|name| Parameter::new(name, 1.0)));
    all.iter_mut().zip(start).for_each(|(p, x)| p.start = *x);
    let exponent = |p: &[f64]| model.exponent().unwrap_or_else(|| p[1]);
    let residual = |p: &[f64], out: &mut [f64]| {
        let mut terms = Vec::new();
        free_regressors(model, s, (p[0], exponent(p)), held, &mut terms);
        out.iter_mut().zip(&s.force).for_each(|(o, f)| *o = -f);
        for (column, factor) in terms.chunks_exact(s.len()).zip(&p[n..]) {
            out.iter_mut().zip(column).for_each(|(o, x)| *o += factor * x);
        }
        s.apply_weights(out);
    };
    // the regressors are the derivatives by the coefficients; those by vs and exponent are finite differences
    let slopes = |p: &[f64], out: &mut [f64]| {
        let m = s.len();
        let mut terms = Vec::new();
        free_regressors(model, s, (p[0], exponent(p)), held, &mut terms);
        out[n * m..].copy_from_slice(&terms);
        for j in 0..n {
            let step = 1e-6 * p[j];
            let mut q = p.to_vec();
            let mut ends = [Vec::new(), Vec::new()];
            for (end, sign) in ends.iter_mut().zip([1.0, -1.0]) {
                q[j] = p[j] + sign * step;
                free_regressors(model, s, (q[0], exponent(&q)), held, end);
            }
            let column = &mut out[j * m..(j + 1) * m];
            column.fill(0.0);
            for (k, _) in names.iter().enumerate().filter(|(_, name)| name.ends_with("drop")) {
                for i in 0..m {
                    column[i] += p[n + k] * (ends[0][k * m + i] - ends[1][k * m + i]) / (2.0 * step);
                }
            }
        }
        out.chunks_exact_mut(m).for_each(|column| s.apply_weights(column));
    };
    let problem = crate::fit::LeastSquaresProblem::new(&all, s.len(), &residual).with_jacobian(&slopes);
    nonlinear(&problem, &FitOptions { tolerance: 1e-5, evaluations: 40, ..options.clone() })
}

/// Transforms coefficients to parameters of the law: `fs = fc + drop`.
fn to_law_parameters(
    model: &RegressionModel,
    held: &Constraints,
    samples: &SlidingSamples,
    found: Coefficients,
) -> RegressionFit {
    let n = found.names.len();
    let place = |name: &str| found.names.iter().position(|known| known == name);
    let nonlinear: &[&str] = match (model.is_linear(), model.exponent()) {
        (true, _) => &[],
        (_, Some(_)) => &["vs"],
        _ => &["vs", "exponent"],
    };
    // each row is the linear combination that gives one parameter
    let mut rows: Vec<(String, Vec<f64>)> = Vec::new();
    for name in model.linear_names().iter().chain(nonlinear) {
        let mut row = vec![0.0; n];
        if let Some(at) = place(name) {
            row[at] = 1.0;
        }
        match name.strip_suffix("drop") {
            Some(side) => {
                if let Some(at) = place(&format!("{side}fc")) {
                    row[at] = 1.0;
                }
                rows.push((format!("{side}fs"), row));
            }
            None => rows.push(((*name).to_owned(), row)),
        }
    }
    let of = |a: &[f64], b: &[f64]| {
        let mut sum = 0.0;
        for (i, x) in a.iter().enumerate().filter(|(_, x)| **x != 0.0) {
            for (j, y) in b.iter().enumerate().filter(|(_, y)| **y != 0.0) {
                sum += x * y * found.covariance.at(i, j);
            }
        }
        sum
    };
    let count = rows.len();
    let matrix = (0..count * count).map(|k| of(&rows[k / count].1, &rows[k % count].1)).collect();
    let growth = |row: &[f64]| {
        let own = row.iter().zip(&found.inflation).filter(|(x, _)| **x != 0.0).map(|(_, inflation)| *inflation);
        own.filter(|inflation| inflation.is_finite()).fold(1.0_f64, f64::max)
    };
    // a Stribeck curve without a Stribeck effect has any Stribeck speed: one in the middle of the measured ones
    let absent = |name: &str| match name {
        "vs" if place("vs").is_none() => samples.speed_range().iter().product::<f64>().sqrt(),
        "exponent" if place("exponent").is_none() => 1.0,
        _ => 0.0,
    };
    RegressionFit {
        model: *model,
        values: rows
            .iter()
            .map(|(name, row)| absent(name) + row.iter().zip(&found.values).map(|(r, x)| r * x).sum::<f64>())
            .collect(),
        covariance: Covariance { matrix, count },
        freedom: rows.iter().map(|(_, row)| (found.degrees_of_freedom / growth(row)).max(1.0)).collect(),
        inflation: rows.iter().map(|(_, row)| growth(row)).collect(),
        bound: rows.iter().map(|(_, row)| row.iter().zip(&found.bound).any(|(r, b)| *r != 0.0 && *b)).collect(),
        log: rows.iter().map(|(name, _)| name == "vs").collect(),
        names: rows.into_iter().map(|(name, _)| name).collect(),
        relative: found.relative,
        residual: found.residual,
        condition: found.condition,
        held: held.clone(),
    }
}
