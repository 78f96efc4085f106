//! Covariance matrix of parameters, standard errors and correlations.

/// A covariance matrix, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Covariance {
    /// The entries.
    pub matrix: Vec<f64>,
    /// Number of parameters.
    pub count: usize,
}

impl Covariance {
    pub(super) fn new(matrix: Vec<f64>, count: usize) -> Self {
        Self { matrix, count }
    }
    /// Raises standard errors that are below those of `floor` to these, and keeps the correlations.
    pub(super) fn with_floor(mut self, floor: &Self) -> Self {
        let grow = |(new, old): (f64, f64)| if new > old && old > 0.0 { new / old } else { 1.0 };
        let factors: Vec<f64> = floor.standard_errors().into_iter().zip(self.standard_errors()).map(grow).collect();
        for (k, entry) in self.matrix.iter_mut().enumerate() {
            let factor = factors[k / self.count] * factors[k % self.count];
            // an infinite error stays infinite
            if factor.is_finite() {
                *entry *= factor;
            }
        }
        self
    }
    /// The covariance of two parameters.
    pub fn at(&self, i: usize, j: usize) -> f64 {
        self.matrix[i * self.count + j]
    }
    /// Standard errors of the parameters.
    pub fn standard_errors(&self) -> Vec<f64> {
        (0..self.count).map(|i| self.at(i, i).max(0.0).sqrt()).collect()
    }
    /// Correlation matrix, row by row; zero where a standard error is not finite.
    pub fn correlation(&self) -> Vec<f64> {
        let errors = self.standard_errors();
        let n = self.count;
        let entry = |k: usize| {
            let (i, j) = (k / n, k % n);
            let r = self.at(i, j) / (errors[i] * errors[j]);
            if i == j {
                1.0
            } else if r.is_finite() {
                r.clamp(-1.0, 1.0)
            } else {
                0.0
            }
        };
        (0..n * n).map(entry).collect()
    }
}
