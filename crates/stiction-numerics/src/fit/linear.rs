//! Linear least squares: weighted, robust, with standard errors valid for correlated noise.
use super::covariance::Covariance;
use super::loss::deviation;
use super::noise::long_run;
use super::{Loss, NoiseModel};
use crate::NumericsError;
use crate::check::{all_finite, same_length};
use crate::linalg::{Qr, Svd, dot, norm};
use crate::statistics::{normal_share, student_t_quantile};

/// Options of a linear fit.
#[derive(Clone, Debug, Default)]
pub struct LinearOptions<'a> {
    /// Weight of each sample: the inverse of its variance. All equal if there are none.
    pub weights: Option<&'a [f64]>,
    /// Loss function. The scale of a robust loss is estimated from the residuals.
    pub loss: Loss,
    /// Noise model; affects the standard errors only.
    pub noise: NoiseModel,
}

/// A linear fit `y ≈ Σ values·columns`.
#[derive(Clone, Debug)]
pub struct LinearFit {
    /// The coefficients.
    pub values: Vec<f64>,
    /// Their covariance under the chosen noise model.
    pub covariance: Covariance,
    /// Their covariance under white noise.
    pub white_covariance: Covariance,
    /// `y − Σ values·columns`, not weighted.
    pub residual: Vec<f64>,
    /// Standard deviation of the noise of a sample of weight one.
    pub sigma: f64,
    /// `|residual|/|y|`, weighted.
    pub relative: f64,
    /// Condition number of the columns as given.
    pub condition: f64,
    /// Condition number of the columns scaled to length one, which does not depend on units.
    pub scaled_condition: f64,
    /// Degrees of freedom: samples minus coefficients.
    pub degrees_of_freedom: f64,
}

impl LinearFit {
    /// Confidence interval of coefficient `i` at `level`. Autocorrelated noise leaves fewer degrees of freedom: they are divided by
    /// the inflation of the variance.
    pub fn interval(&self, i: usize, level: f64) -> [f64; 2] {
        let half = student_t_quantile(0.5 + 0.5 * level, self.freedom_of(i)) * self.covariance.at(i, i).max(0.0).sqrt();
        [self.values[i] - half, self.values[i] + half]
    }
    /// Whether coefficient `i` differs from zero by more than chance makes a value of normal noise exceed this many standard deviations. Of few
    /// independent samples more standard errors are as improbable, by Student's distribution.
    pub fn differs_from_zero(&self, i: usize, deviations: f64) -> bool {
        let [low, high] = self.interval(i, normal_share(deviations));
        low > 0.0 || high < 0.0
    }
    fn freedom_of(&self, i: usize) -> f64 {
        let (variance, white) = (self.covariance.at(i, i), self.white_covariance.at(i, i));
        if variance > white { (self.degrees_of_freedom * white / variance).max(1.0) } else { self.degrees_of_freedom }
    }
    /// Coefficient of determination R² = `1 − Σr²/Σ(y − mean)²`.
    pub fn r_squared(&self, y: &[f64]) -> f64 {
        let mean = y.iter().sum::<f64>() / y.len() as f64;
        1.0 - dot(&self.residual, &self.residual) / y.iter().map(|y| (y - mean) * (y - mean)).sum::<f64>()
    }
}

/// The coefficients of `columns` that minimise the loss of the difference to `y`.
pub fn linear(columns: &[&[f64]], y: &[f64], options: &LinearOptions<'_>) -> Result<LinearFit, NumericsError> {
    let (m, n) = (y.len(), columns.len());
    check(columns, y, options)?;
    let root: Option<Vec<f64>> = options.weights.map(|w| w.iter().map(|w| w.sqrt()).collect());
    let weighted = |x: &[f64]| match &root {
        None => x.to_vec(),
        Some(root) => x.iter().zip(root).map(|(x, w)| x * w).collect(),
    };
    let a: Vec<Vec<f64>> = columns.iter().map(|c| weighted(c)).collect();
    let b = weighted(y);
    let a: Vec<&[f64]> = a.iter().map(Vec::as_slice).collect();
    let qr = Qr::new(&a);
    let Some(gram) = qr.inverse_gram() else {
        let null = qr.null_space();
        let sum = null[0].iter().copied().enumerate().filter(|(_, x)| x.abs() > 1e-6).collect();
        return Err(NumericsError::DependentColumns { sum });
    };
    let mut values = qr.solve(&b);
    let mut rest = residual(&a, &b, &values);
    let mut scale = 1.0;
    if options.loss != Loss::Square {
        (values, rest, scale) = reweighted(&a, &b, values, rest, options.loss);
    }
    let variance = options.loss.variance(&rest, scale, n);
    let white = Covariance::new(gram.iter().map(|g| g * variance).collect(), n);
    let covariance = match &options.noise {
        NoiseModel::White => white.clone(),
        NoiseModel::Correlated { lag, whiten, breaks } => {
            let psi: Vec<f64> = rest.iter().map(|r| r * options.loss.rho((r / scale).powi(2))[1]).collect();
            let mut slope = 0.0;
            for r in &rest {
                let s = (r / scale).powi(2);
                let [_, first, second] = options.loss.rho(s);
                slope += (first + 2.0 * s * second) / m as f64;
            }
            let mut series = influence(&a, &gram, &psi, slope);
            let small = m as f64 / (m - n) as f64;
            let sum = long_run(&mut series, *lag, *whiten, breaks)?;
            let honest = Covariance::new(sum.iter().map(|c| c * small).collect(), n);
            if *whiten { honest.with_floor(&white) } else { honest }
        }
    };
    let plain = columns.iter().zip(&values).fold(y.to_vec(), |mut r, (c, v)| {
        r.iter_mut().zip(*c).for_each(|(r, c)| *r -= v * c);
        r
    });
    let condition = |scaled: bool| {
        let (mut r, _) = qr.square_system(&b);
        if scaled {
            for (j, column) in a.iter().enumerate() {
                let size = norm(column);
                (0..n).for_each(|i| r[i * n + j] /= size);
            }
        }
        let s = Svd::new(&r, n, n).s;
        s.iter().fold(0.0_f64, |x, s| x.max(*s)) / s.iter().fold(f64::MAX, |x, s| x.min(*s))
    };
    Ok(LinearFit {
        condition: condition(false),
        scaled_condition: condition(true),
        relative: norm(&rest) / norm(&b),
        values,
        covariance,
        white_covariance: white,
        residual: plain,
        sigma: variance.sqrt(),
        degrees_of_freedom: (m - n) as f64,
    })
}

fn check(columns: &[&[f64]], y: &[f64], options: &LinearOptions<'_>) -> Result<(), NumericsError> {
    let (m, n) = (y.len(), columns.len());
    if n == 0 {
        return Err(NumericsError::TooFew { what: "columns", need: 1, have: 0 });
    }
    if m <= n {
        return Err(NumericsError::TooFew { what: "samples", need: n + 1, have: m });
    }
    all_finite("right-hand side", y)?;
    for column in columns {
        same_length("samples of a column", column.len(), m)?;
        all_finite("column", column)?;
    }
    if let Some(w) = options.weights {
        same_length("weights", w.len(), m)?;
        all_finite("weights", w)?;
        if let Some(bad) = w.iter().find(|w| **w < 0.0) {
            return Err(NumericsError::InvalidValue { name: "weight", value: *bad, must: "zero or more" });
        }
    }
    Ok(())
}

pub(super) fn residual(a: &[&[f64]], b: &[f64], x: &[f64]) -> Vec<f64> {
    let mut r = b.to_vec();
    for (column, x) in a.iter().zip(x) {
        r.iter_mut().zip(*column).for_each(|(r, a)| *r -= a * x);
    }
    r
}

/// Influence of each sample on each parameter: `(AᵀA)⁻¹·a·ψ/ψ′`, one series per parameter.
pub(super) fn influence(a: &[&[f64]], gram: &[f64], psi: &[f64], slope: f64) -> Vec<Vec<f64>> {
    let n = a.len();
    let series = |i: usize| {
        let mut out = vec![0.0; psi.len()];
        for (j, column) in a.iter().enumerate() {
            let g = gram[i * n + j] / slope;
            out.iter_mut().zip(*column).for_each(|(o, a)| *o += g * a);
        }
        out.iter_mut().zip(psi).for_each(|(o, p)| *o *= p);
        out
    };
    (0..n).map(series).collect()
}

/// Iteratively reweighted least squares: weights and scale from the previous residuals, until the coefficients converge.
fn reweighted(a: &[&[f64]], b: &[f64], mut x: Vec<f64>, mut r: Vec<f64>, loss: Loss) -> (Vec<f64>, Vec<f64>, f64) {
    // a fit that is exact up to rounding has no scale
    let least = 1e-13 * norm(b) / (b.len() as f64).sqrt();
    let scale = |r: &[f64]| (loss.tuning() * deviation(r)).max(least).max(f64::MIN_POSITIVE);
    for _ in 0..100 {
        let c = scale(&r);
        let root: Vec<f64> = r.iter().map(|r| loss.rho((r / c).powi(2))[1].sqrt()).collect();
        let times = |x: &[f64]| -> Vec<f64> { x.iter().zip(&root).map(|(x, w)| x * w).collect() };
        let rows: Vec<Vec<f64>> = a.iter().map(|column| times(column)).collect();
        let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        let qr = Qr::new(&rows);
        if qr.rank() < a.len() {
            break;
        }
        let next = qr.solve(&times(b));
        let change = next.iter().zip(&x).fold(0.0_f64, |most, (n, x)| most.max((n - x).abs() / (n.abs() + 1e-300)));
        r = residual(a, b, &next);
        x = next;
        if change < 1e-10 {
            break;
        }
    }
    let c = scale(&r);
    (x, r, c)
}
