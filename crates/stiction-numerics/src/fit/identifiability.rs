//! Practical identifiability: directions in parameter space along which the residuals hardly change.
use super::Fit;
use crate::linalg::{Qr, Svd};
use std::fmt::{self, Display, Formatter};

/// A direction in the space of relative parameter changes.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterDirection {
    /// Parameters with their components; the largest is one.
    pub terms: Vec<(String, f64)>,
    /// Relative standard error along it: one is 100 %.
    pub error: f64,
}

/// Which parameters the data determine.
#[derive(Clone, Debug, PartialEq)]
pub struct IdentifiabilityAnalysis {
    /// Relative standard error above which a direction or parameter counts as not identifiable.
    pub limit: f64,
    /// Directions above the limit, worst first.
    pub unidentifiable: Vec<ParameterDirection>,
    /// Parameters whose own relative error is above the limit.
    pub uncertain: Vec<(String, f64)>,
    /// Condition number of the Jacobian by relative parameter changes.
    pub condition: f64,
}

impl IdentifiabilityAnalysis {
    /// Whether all parameters and directions are within the limit.
    pub fn is_identifiable(&self) -> bool {
        self.unidentifiable.is_empty() && self.uncertain.is_empty()
    }
}

impl Display for IdentifiabilityAnalysis {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.is_identifiable() {
            return write!(f, "identifiable: all within {}", percent(self.limit));
        }
        let sums = self.unidentifiable.iter().map(|direction| {
            let mut text = String::new();
            for (name, by) in &direction.terms {
                let sign = match (text.is_empty(), *by < 0.0) {
                    (true, false) => "",
                    (true, true) => "-",
                    (false, false) => " + ",
                    (false, true) => " - ",
                };
                text += &format!("{sign}{:.2}·{name}", by.abs());
            }
            format!("not identifiable: {text} (known to {} only)", percent(direction.error))
        });
        let single = self.uncertain.iter().map(|(name, error)| format!("uncertain: {name} (±{})", percent(*error)));
        f.write_str(&sums.chain(single).collect::<Vec<_>>().join("\n"))
    }
}

fn percent(x: f64) -> String {
    if x < 1e4 { format!("{:.2} %", 100.0 * x) } else { "nothing".to_owned() }
}

impl Fit {
    /// Parameters, and directions of relative parameter changes, whose relative standard error is above `limit`; 0.5 is 50 %.
    /// Parameters that are fixed or on a bound are left out.
    pub fn identifiability(&self, limit: f64) -> IdentifiabilityAnalysis {
        // a parameter that is zero has no relative change, and is taken as it is
        let units: Vec<f64> = self.values.iter().map(|x| if *x == 0.0 { 1.0 } else { x.abs() }).collect();
        self.identifiability_in(&units, limit)
    }
    /// The same with changes in these units, one for each parameter, in place of the values: for parameters whose zero is a place like any
    /// other, such as a position.
    ///
    /// # Panics
    /// If there are fewer units than parameters.
    pub fn identifiability_in(&self, units: &[f64], limit: f64) -> IdentifiabilityAnalysis {
        let m = self.residual.len();
        let free: Vec<usize> = (0..self.values.len()).filter(|&j| !self.bound[j]).collect();
        let unit = |j: usize| units[j];
        let columns: Vec<Vec<f64>> =
            free.iter().map(|&j| self.jacobian[j * m..(j + 1) * m].iter().map(|d| d * unit(j)).collect()).collect();
        let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let n = free.len();
        let (r, _) = Qr::new(&columns).square_system(&vec![0.0; m]);
        let svd = Svd::new(&r, n, n);
        let most = svd.s.iter().fold(0.0_f64, |x, s| x.max(*s));
        let least = svd.s.iter().fold(f64::INFINITY, |x, s| x.min(*s));
        let mut unidentifiable: Vec<ParameterDirection> = svd
            .s
            .iter()
            .zip(&svd.v)
            .map(|(s, v)| (if *s > 1e-13 * most { self.sigma / s } else { f64::INFINITY }, v))
            .filter(|(error, _)| *error > limit)
            .map(|(error, v)| {
                let top = v.iter().fold(0.0_f64, |top, x| if x.abs() > top.abs() { *x } else { top });
                let terms = free.iter().zip(v).map(|(&j, x)| (self.names[j].clone(), x / top));
                ParameterDirection { terms: terms.filter(|(_, x)| x.abs() > 0.1).collect(), error }
            })
            .collect();
        unidentifiable.sort_by(|a, b| b.error.total_cmp(&a.error));
        let errors = self.standard_errors();
        let uncertain = free
            .iter()
            .map(|&j| (self.names[j].clone(), errors[j] / unit(j)))
            .filter(|(_, error)| *error > limit)
            .collect();
        IdentifiabilityAnalysis { limit, unidentifiable, uncertain, condition: most / least }
    }
}
