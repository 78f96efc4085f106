//! Least-squares fit of a regression model.
use super::model::RegressionModel;
use super::samples::SlidingSamples;
use crate::NumericsError;
use crate::fit::{
    Covariance, Fit, FitOptions, LinearOptions, Loss, NoiseModel, Parameter, SeparableModel, linear, nonlinear,
    separable,
};
use crate::linalg::{Qr, norm};
use crate::statistics::student_t_quantile;

/// Options of the regression.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RegressionOptions {
    /// Loss function.
    pub loss: Loss,
    /// Whether the residuals are assumed to be white noise.
    pub white_noise: bool,
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
    /// Measured less model, of each sample.
    pub residual: Vec<f64>,
    /// The relative error `|residual|/|force|`.
    pub relative: f64,
    /// Condition number of the regressors.
    pub condition: f64,
    /// Size of the Stribeck effect in the first direction, `fs − fc`, and its standard error.
    pub drop: Option<[f64; 2]>,
    /// Which parameters ended at a bound.
    pub bound: Vec<bool>,
    /// Which parameters were fitted by their logarithm, so that their intervals are logarithmic.
    pub log: Vec<bool>,
}

/// Samples for the search of the initial Stribeck speed.
const SEARCH_SAMPLES: usize = 8_000;
/// Maximum number of samples for the nonlinear parameters; the model error dominates beyond.
const MAX_SAMPLES: usize = 100_000;
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

/// Fits `shape` to samples.
///
/// # Errors
/// [`NumericsError`]: too few samples, or linearly dependent regressors.
pub fn fit_model(
    model: &RegressionModel,
    samples: &SlidingSamples,
    how: &RegressionOptions,
) -> Result<RegressionFit, NumericsError> {
    let noise = if how.white_noise {
        NoiseModel::White
    } else {
        NoiseModel::Correlated { lag: None, whiten: true, breaks: samples.breaks.clone() }
    };
    if model.is_linear() {
        let mut terms = Vec::new();
        model.regressors(samples, 1.0, 1.0, &mut terms);
        let columns: Vec<&[f64]> = terms.chunks_exact(samples.len().max(1)).collect();
        let fit =
            linear(&columns, &samples.force, &LinearOptions { weights: weights(samples), loss: how.loss, noise })?;
        let n = fit.values.len();
        let share = |i: usize| {
            let (honest, white) = (fit.covariance.at(i, i), fit.white_covariance.at(i, i));
            (fit.degrees_of_freedom * (white / honest).min(1.0)).max(1.0)
        };
        return Ok(RegressionFit {
            model: *model,
            names: model.linear_names().iter().map(|name| (*name).to_owned()).collect(),
            freedom: (0..n).map(share).collect(),
            values: fit.values,
            covariance: fit.covariance,
            residual: fit.residual,
            relative: fit.relative,
            condition: fit.condition,
            drop: None,
            bound: vec![false; n],
            log: vec![false; n],
        });
    }
    fit_stribeck(model, samples, how, noise)
}

/// Fit of a Stribeck curve: `vs` by a grid search, then all parameters by variable projection.
fn fit_stribeck(
    model: &RegressionModel,
    samples: &SlidingSamples,
    how: &RegressionOptions,
    noise: NoiseModel,
) -> Result<RegressionFit, NumericsError> {
    let names = model.linear_names();
    let few = samples.thinned(SEARCH_SAMPLES);
    if few.len() <= model.count() {
        return Err(NumericsError::TooFew { what: "samples that slide", need: model.count() + 1, have: few.len() });
    }
    let [slow, fast] = few.speed_range();
    let (low, high) = ((0.1 * slow).max(1e-9), fast.max(1e-9));
    let guess = model.exponent().unwrap_or(1.0);
    let mut terms = Vec::new();
    let mut best = (f64::INFINITY, high);
    let mut force = few.force.clone();
    few.apply_weights(&mut force);
    for k in 0..STRIBECK_SPEEDS {
        let vs = low * (high / low).powf((k as f64 + 0.5) / STRIBECK_SPEEDS as f64);
        model.regressors(&few, vs, guess, &mut terms);
        terms.chunks_exact_mut(few.len()).for_each(|term| few.apply_weights(term));
        let columns: Vec<&[f64]> = terms.chunks_exact(few.len()).collect();
        let factors = Qr::new(&columns).solve(&force);
        let mut rest = force.clone();
        for (column, factor) in columns.iter().zip(&factors) {
            rest.iter_mut().zip(*column).for_each(|(r, x)| *r -= factor * x);
        }
        let size = norm(&rest);
        if size < best.0 {
            best = (size, vs);
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
            model.regressors(samples, p[0], model.exponent().unwrap_or_else(|| p[1]), &mut terms);
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
        refine_on_all_samples(model, samples, &parameters, &near.values, &options(noise))?
    } else {
        fit_of(samples, &parameters, noise)?
    };
    Ok(to_law_parameters(model, &fit, samples))
}

/// Refines the parameters on all samples, for their standard errors.
fn refine_on_all_samples(
    model: &RegressionModel,
    s: &SlidingSamples,
    parameters: &[Parameter],
    start: &[f64],
    options: &FitOptions,
) -> Result<Fit, NumericsError> {
    let n = parameters.len();
    let mut all = parameters.to_vec();
    all.extend(model.linear_names().iter().map(|name| Parameter::new(name, 1.0)));
    all.iter_mut().zip(start).for_each(|(p, x)| p.start = *x);
    let exponent = |p: &[f64]| model.exponent().unwrap_or_else(|| p[1]);
    let residual = |p: &[f64], out: &mut [f64]| {
        let mut terms = Vec::new();
        model.regressors(s, p[0], exponent(p), &mut terms);
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
        model.regressors(s, p[0], exponent(p), &mut terms);
        out[n * m..].copy_from_slice(&terms);
        for j in 0..n {
            let step = 1e-6 * p[j];
            let mut q = p.to_vec();
            let mut ends = [Vec::new(), Vec::new()];
            for (end, sign) in ends.iter_mut().zip([1.0, -1.0]) {
                q[j] = p[j] + sign * step;
                model.regressors(s, q[0], exponent(&q), end);
            }
            let column = &mut out[j * m..(j + 1) * m];
            column.fill(0.0);
            for (k, _) in model.linear_names().iter().enumerate().filter(|(_, name)| name.ends_with("drop")) {
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
fn to_law_parameters(model: &RegressionModel, fit: &Fit, samples: &SlidingSamples) -> RegressionFit {
    let n = fit.names.len();
    let place = |name: &str| fit.names.iter().position(|known| known == name);
    // each row is the linear combination that gives one parameter
    let mut rows: Vec<(String, Vec<f64>)> = Vec::new();
    for name in model
        .linear_names()
        .into_iter()
        .map(str::to_owned)
        .chain(fit.names.iter().take(2).filter(|name| *name == "vs" || *name == "exponent").cloned())
    {
        let mut row = vec![0.0; n];
        if let Some(at) = place(&name) {
            row[at] = 1.0;
        }
        match name.strip_suffix("drop") {
            Some(side) => {
                if let Some(at) = place(&format!("{side}fc")) {
                    row[at] = 1.0;
                }
                rows.push((format!("{side}fs"), row));
            }
            None => rows.push((name, row)),
        }
    }
    let of = |a: &[f64], b: &[f64]| {
        let mut sum = 0.0;
        for (i, x) in a.iter().enumerate().filter(|(_, x)| **x != 0.0) {
            for (j, y) in b.iter().enumerate().filter(|(_, y)| **y != 0.0) {
                sum += x * y * fit.covariance.at(i, j);
            }
        }
        sum
    };
    let count = rows.len();
    let matrix = (0..count * count).map(|k| of(&rows[k / count].1, &rows[k % count].1)).collect();
    let growth = |row: &[f64]| {
        row.iter()
            .enumerate()
            .filter(|(_, x)| **x != 0.0)
            .map(|(i, _)| fit.variance_inflation(i))
            .fold(1.0_f64, f64::max)
    };
    // undo the weighting of the residuals
    let mut residual: Vec<f64> = fit.residual.iter().map(|r| -r).collect();
    residual.iter_mut().zip(&samples.weight).filter(|(_, w)| **w > 0.0).for_each(|(r, w)| *r /= w.sqrt());
    let drop = place("drop").map(|at| [fit.values[at], fit.covariance.at(at, at).max(0.0).sqrt()]);
    let size = norm(&samples.force);
    RegressionFit {
        model: *model,
        names: rows.iter().map(|(name, _)| name.clone()).collect(),
        values: rows.iter().map(|(_, row)| row.iter().zip(&fit.values).map(|(r, x)| r * x).sum()).collect(),
        covariance: Covariance { matrix, count },
        freedom: rows.iter().map(|(_, row)| (fit.degrees_of_freedom / growth(row)).max(1.0)).collect(),
        relative: norm(&residual) / size,
        residual,
        condition: fit.identifiability(f64::INFINITY).condition,
        drop,
        log: rows.iter().map(|(name, _)| name == "vs").collect(),
        bound: rows.iter().map(|(_, row)| row.iter().zip(&fit.bound).any(|(r, b)| *r != 0.0 && *b)).collect(),
    }
}
