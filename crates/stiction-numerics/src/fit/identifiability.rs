//! What the data do not tell: directions among the parameters in which the residuals hardly change.
use super::Fit;
use crate::linalg::{Qr, Svd};
use std::fmt::{self, Display, Formatter};

/// A sum of relative changes of parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Direction {
    /// Parameters that take part, and how much; the largest is one.
    pub terms: Vec<(String, f64)>,
    /// The standard error along it, in parts of the values: one is a hundred percent.
    pub error: f64,
}

/// Whether parameters can be known from the data.
#[derive(Clone, Debug, PartialEq)]
pub struct Identifiability {
    /// The relative error above which something counts as unknown.
    pub limit: f64,
    /// Directions above the limit, worst first.
    pub unknown: Vec<Direction>,
    /// Parameters whose own relative error is above the limit.
    pub loose: Vec<(String, f64)>,
    /// The largest over the smallest singular value of the derivatives by relative changes.
    pub condition: f64,
}

impl Identifiability {
    /// Whether all is known.
    pub fn is_sound(&self) -> bool {
        self.unknown.is_empty() && self.loose.is_empty()
    }
}

impl Display for Identifiability {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.is_sound() {
            return write!(f, "identifiable: all within {}", percent(self.limit));
        }
        let sums = self.unknown.iter().map(|direction| {
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
        let single = self.loose.iter().map(|(name, error)| format!("uncertain: {name} (±{})", percent(*error)));
        f.write_str(&sums.chain(single).collect::<Vec<_>>().join("\n"))
    }
}

fn percent(x: f64) -> String {
    if x < 1e4 { format!("{:.2} %", 100.0 * x) } else { "nothing".to_owned() }
}

impl Fit {
    /// Asks which parameters, and which sums of their relative changes, are known no better than `limit`; 0.5 is fifty
    /// percent. What is held or on a bound is not asked about.
    pub fn verdict(&self, limit: f64) -> Identifiability {
        let m = self.residual.len();
        let free: Vec<usize> = (0..self.values.len()).filter(|&j| !self.bound[j]).collect();
        // by relative changes; a value of zero has none, and is measured by its own error
        let unit = |j: usize| if self.values[j] == 0.0 { 1.0 } else { self.values[j].abs() };
        let columns: Vec<Vec<f64>> =
            free.iter().map(|&j| self.jacobian[j * m..(j + 1) * m].iter().map(|d| d * unit(j)).collect()).collect();
        let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let n = free.len();
        let (r, _) = Qr::new(&columns).square(&vec![0.0; m]);
        let svd = Svd::new(&r, n, n);
        let most = svd.s.iter().fold(0.0_f64, |x, s| x.max(*s));
        let least = svd.s.iter().fold(f64::INFINITY, |x, s| x.min(*s));
        let mut unknown: Vec<Direction> = svd
            .s
            .iter()
            .zip(&svd.v)
            .map(|(s, v)| (if *s > 1e-13 * most { self.sigma / s } else { f64::INFINITY }, v))
            .filter(|(error, _)| *error > limit)
            .map(|(error, v)| {
                let top = v.iter().fold(0.0_f64, |top, x| if x.abs() > top.abs() { *x } else { top });
                let terms = free.iter().zip(v).map(|(&j, x)| (self.names[j].clone(), x / top));
                Direction { terms: terms.filter(|(_, x)| x.abs() > 0.1).collect(), error }
            })
            .collect();
        unknown.sort_by(|a, b| b.error.total_cmp(&a.error));
        let errors = self.errors();
        let loose = free
            .iter()
            .map(|&j| (self.names[j].clone(), errors[j] / self.values[j].abs()))
            .filter(|(_, error)| *error > limit)
            .collect();
        Identifiability { limit, unknown, loose, condition: most / least }
    }
}
