//! Separable least squares: models that are linear in some parameters. Only the others are iterated, by variable projection
//! (Golub1973).
//!
//! Stribeck's curve `Fc + (Fs − Fc)·exp(−(v/vs)^δ) + fv·v` has two nonlinear ones, vs and δ.
use super::{Fit, FitOptions, LeastSquaresProblem, Parameter, nonlinear};
use crate::NumericsError;
use crate::check::{all_finite, same_length};
use crate::linalg::Qr;

/// A model `y ≈ Σ c[k]·φ[k](p)`.
#[derive(Clone, Copy)]
pub struct SeparableModel<'a> {
    /// The nonlinear parameters.
    pub parameters: &'a [Parameter],
    /// Names of the linear parameters.
    pub linear: &'a [&'a str],
    /// Measured values.
    pub y: &'a [f64],
    /// Computes the terms: `φ[k]` of sample `i` at `k·count + i`.
    pub terms: &'a (dyn Fn(&[f64], &mut [f64]) + Sync),
    /// Weight of each sample: the inverse of its variance.
    pub weights: Option<&'a [f64]>,
}

impl SeparableModel<'_> {
    /// The terms at given parameters, weighted, and the samples.
    fn at(&self, p: &[f64], root: &[f64]) -> Vec<f64> {
        let m = self.y.len();
        let mut out = vec![0.0; m * self.linear.len()];
        (self.terms)(p, &mut out);
        for column in out.chunks_exact_mut(m) {
            column.iter_mut().zip(root).for_each(|(x, w)| *x *= w);
        }
        out
    }
}

/// Fits. The result lists the nonlinear parameters, then the linear ones; standard errors are those of the whole model. Residuals
/// are `model − y`, times the square root of the weight.
pub fn separable(model: &SeparableModel<'_>, options: &FitOptions) -> Result<Fit, NumericsError> {
    let (m, k, n) = (model.y.len(), model.linear.len(), model.parameters.len());
    if k == 0 {
        return Err(NumericsError::TooFew { what: "linear parameters", need: 1, have: 0 });
    }
    if m <= n + k {
        return Err(NumericsError::TooFew { what: "samples", need: n + k + 1, have: m });
    }
    all_finite("samples", model.y)?;
    let root: Vec<f64> = match model.weights {
        None => Vec::new(),
        Some(w) => {
            same_length("weights", w.len(), m)?;
            all_finite("weights", w)?;
            w.iter().map(|w| w.max(0.0).sqrt()).collect()
        }
    };
    let right: Vec<f64> =
        if root.is_empty() { model.y.to_vec() } else { model.y.iter().zip(&root).map(|(y, w)| y * w).collect() };
    let coefficients = |p: &[f64]| {
        let terms = model.at(p, &root);
        let columns: Vec<&[f64]> = terms.chunks_exact(m).collect();
        let c = Qr::new(&columns).solve(&right);
        (terms, c)
    };
    let sum = |terms: &[f64], c: &[f64], out: &mut [f64]| {
        out.iter_mut().zip(&right).for_each(|(o, y)| *o = -y);
        for (column, c) in terms.chunks_exact(m).zip(c) {
            out.iter_mut().zip(column).for_each(|(o, x)| *o += c * x);
        }
    };
    let projected = |p: &[f64], out: &mut [f64]| {
        let (terms, c) = coefficients(p);
        sum(&terms, &c, out);
    };
    let reduced = nonlinear(&LeastSquaresProblem::new(model.parameters, m, &projected), options)?;
    let (_, c) = coefficients(&reduced.values);

    // the whole model from there: it is at its minimum already, and gives the covariance of all parameters
    let mut all: Vec<Parameter> = model.parameters.to_vec();
    all.iter_mut().zip(&reduced.values).for_each(|(p, x)| {
        p.size = p.size.or((p.start != 0.0).then_some(p.start.abs()));
        p.start = *x;
    });
    all.extend(model.linear.iter().zip(&c).map(|(name, c)| Parameter::new(name, *c)));
    let whole = |p: &[f64], out: &mut [f64]| sum(&model.at(&p[..n], &root), &p[n..], out);
    let mut fit = nonlinear(&LeastSquaresProblem::new(&all, m, &whole), options)?;
    fit.state.evaluations += reduced.state.evaluations;
    fit.state.iterations += reduced.state.iterations;
    if !reduced.reason.converged() {
        fit.reason = reduced.reason;
    }
    Ok(fit)
}
