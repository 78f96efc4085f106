//! One-sided intervals of parameters that end at a bound.
use super::Fit;
use super::linear::{LinearOptions, linear};
use crate::linalg::dot;
use crate::statistics::student_t_quantile;

impl Fit {
    /// How far parameter `i`, which the fit left at a bound, may be from it at this confidence level; none if it is not at one.
    /// Its interval then reaches from the bound by as much to the side that is allowed.
    ///
    /// At the bound the cost has a slope `g ≥ 0` into the allowed side, and with the other parameters following it rises by
    /// `g·d + H·d²/2`, with the curvature `H` of what the other columns of the Jacobian leave of the parameter's own. As with a profile
    /// likelihood, the end of the interval is where that is `t²·σ²/2`, times the largest inflation of a variance by correlated noise. Infinite
    /// where the residuals do not depend on the parameter.
    pub fn reach_from_bound(&self, i: usize, level: f64) -> Option<f64> {
        let m = self.residual.len();
        let column = |j: usize| &self.jacobian[j * m..(j + 1) * m];
        let free: Vec<usize> = (0..self.values.len()).filter(|&j| !self.bound[j]).collect();
        let others: Vec<&[f64]> = free.iter().map(|&j| column(j)).collect();
        let own = column(i);
        if !*self.bound.get(i)? {
            return None;
        }
        let left = match linear(&others, own, &LinearOptions::default()) {
            _ if others.is_empty() => own.to_vec(),
            Ok(fit) => fit.residual,
            Err(_) => own.to_vec(),
        };
        let (slope, curvature) = (dot(own, &self.residual).abs(), dot(&left, &left));
        let inflation = free.iter().map(|&j| self.variance_inflation(j)).fold(1.0, f64::max);
        let freedom = (self.degrees_of_freedom / inflation).max(1.0);
        let t = student_t_quantile(0.5 + 0.5 * level, freedom);
        let rise = 0.5 * t * t * self.sigma * self.sigma * inflation;
        // the positive root, in a form without cancellation
        let root = slope + (slope * slope + 2.0 * curvature * rise).sqrt();
        Some(if root > 0.0 { 2.0 * rise / root } else { f64::INFINITY })
    }
}
