//! Standard errors of a fit to records whose residuals are mostly errors of the model.
//!
//! Such residuals last as long as the motion does, and differ from record to record. Three estimates of the covariance:
//!
//! * that of the fit, for autocorrelated noise of short memory;
//! * `w² (JᵀJ)⁻¹` with `w² = σ² (1 + 2 Σρ)`: that of independent observations, as many as the residuals are worth;
//! * from record to record (Liang1986): `(JᵀJ)⁻¹ (Σ sₖ sₖᵀ) (JᵀJ)⁻¹ K/(K − 1)` with the gradient `sₖ = Jₖᵀ rₖ` of record k of K,
//!   which assumes nothing of the residuals within a record.
//!
//! Each misses something, and all are too small where it matters: the largest is taken for each parameter.
use crate::fit::{Covariance, Fit};

/// Raises the standard errors of `fit` to the largest of the three estimates. `lengths` are the numbers of residuals of the
/// records, `weight` is w.
pub(super) fn widen(fit: &mut Fit, lengths: &[usize], weight: f64) {
    let n = fit.values.len();
    let variance = fit.sigma * fit.sigma;
    if variance <= 0.0 || !variance.is_finite() {
        return;
    }
    let white = &fit.white_covariance;
    let between = if lengths.len() > 1 { between_records(fit, lengths) } else { vec![0.0; n] };
    let factors: Vec<f64> = (0..n)
        .map(|i| {
            let (own, few) = (fit.covariance.at(i, i), white.at(i, i) * weight * weight / variance);
            let most = own.max(few).max(between[i]);
            if own > 0.0 && most.is_finite() { (most / own).sqrt() } else { 1.0 }
        })
        .collect();
    let matrix = fit.covariance.matrix.iter().enumerate();
    let matrix = matrix.map(|(k, c)| if c.is_finite() { c * factors[k / n] * factors[k % n] } else { *c }).collect();
    fit.covariance = Covariance { matrix, count: n };
}

/// Variances of the parameters from the gradients of the records.
fn between_records(fit: &Fit, lengths: &[usize]) -> Vec<f64> {
    let (n, m) = (fit.values.len(), fit.residual.len());
    let variance = fit.sigma * fit.sigma;
    let (mut out, mut at) = (vec![0.0; n], 0);
    for length in lengths {
        let rows = at..(at + length).min(m);
        at += length;
        let gradient: Vec<f64> = (0..n)
            .map(|j| {
                let column = &fit.jacobian[j * m..(j + 1) * m];
                column[rows.clone()].iter().zip(&fit.residual[rows.clone()]).map(|(d, r)| d * r).sum()
            })
            .collect();
        for (i, out) in out.iter_mut().enumerate() {
            // the white covariance is σ² (JᵀJ)⁻¹, zero for parameters that are held
            let step: f64 = (0..n)
                .map(|j| fit.white_covariance.at(i, j) / variance)
                .zip(&gradient)
                .map(|(c, g)| if c.is_finite() { c * g } else { 0.0 })
                .sum();
            *out += step * step;
        }
    }
    let k = lengths.len() as f64;
    out.iter().map(|x| x * k / (k - 1.0)).collect()
}
