//! Common measures of the goodness of fit.
use super::{ResidualSeries, Score};
use crate::fit::InformationCriteria;

/// The share of the variance of the measured signals that the model explains; NaN for constant signals. A constant error is an
/// error: a model without an offset does not explain one.
pub fn explained_variance(residuals: &[ResidualSeries]) -> f64 {
    let all = || residuals.iter().flat_map(|r| r.measured.iter());
    let count = all().count() as f64;
    let mean = all().sum::<f64>() / count;
    let total = all().map(|x| (x - mean) * (x - mean)).sum::<f64>();
    1.0 - residuals.iter().flat_map(ResidualSeries::residuals).map(|r| r * r).sum::<f64>() / total
}

/// `rms`, `nrmse` (RMS over the measured range), `mae`, `explained`, `aic`, and `bic` (with the effective number of samples),
/// for a fit with this number of free parameters.
pub fn goodness_of_fit(residuals: &[ResidualSeries], parameters: usize, unit: &str) -> Vec<Score> {
    let rest: Vec<f64> = residuals.iter().flat_map(ResidualSeries::residuals).collect();
    let count = rest.len() as f64;
    let rms = (rest.iter().map(|r| r * r).sum::<f64>() / count).sqrt();
    let mae = rest.iter().map(|r| r.abs()).sum::<f64>() / count;
    let all = || residuals.iter().flat_map(|r| r.measured.iter());
    let (low, high) = all().fold((f64::INFINITY, -f64::INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
    let information = InformationCriteria::new(&rest, parameters);
    vec![
        Score::new("rms", "root of the mean square", rms, unit),
        Score::new("nrmse", "the same over the range measured", rms / (high - low), ""),
        Score::new("mae", "mean absolute error", mae, unit),
        Score::new("explained", "share of the variance explained", explained_variance(residuals), ""),
        Score::new("aic", "Akaike's criterion", information.aic, ""),
        Score::new("bic", "Schwarz's criterion", information.bic_effective, ""),
    ]
}
