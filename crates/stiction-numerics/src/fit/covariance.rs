//! A covariance matrix and what is read from it.

/// Covariances of parameters, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Covariance {
    /// The entries.
    pub matrix: Vec<f64>,
    /// How many parameters there are.
    pub count: usize,
}

impl Covariance {
    pub(super) fn new(matrix: Vec<f64>, count: usize) -> Self {
        Self { matrix, count }
    }
    /// The same correlations, with no error below that of `floor`.
    pub(super) fn no_less(mut self, floor: &Self) -> Self {
        let grow = |(new, old): (f64, f64)| if new > old && old > 0.0 { new / old } else { 1.0 };
        let factors: Vec<f64> = floor.errors().into_iter().zip(self.errors()).map(grow).collect();
        for (k, entry) in self.matrix.iter_mut().enumerate() {
            let factor = factors[k / self.count] * factors[k % self.count];
            // an infinite error stays one
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
    /// The standard error of each parameter.
    pub fn errors(&self) -> Vec<f64> {
        (0..self.count).map(|i| self.at(i, i).max(0.0).sqrt()).collect()
    }
    /// Correlations, row by row: one on the diagonal, zero where an error is not finite.
    pub fn correlation(&self) -> Vec<f64> {
        let errors = self.errors();
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
