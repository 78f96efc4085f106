//! Normal equations of a regression with a few coefficients.
use super::samples::SlidingSamples;
use crate::fit::nonnegative;
use crate::linalg::{Qr, dot, norm};

/// The normal equations of weighted columns, scaled to length one so that they lose as few digits as they can.
pub(super) struct NormalEquations {
    gram: Vec<f64>,
    right: Vec<f64>,
    total: f64,
    /// Length of each column.
    sizes: Vec<f64>,
}

impl NormalEquations {
    /// Of these columns, concatenated, for the force of the samples.
    pub fn new(mut terms: Vec<f64>, samples: &SlidingSamples) -> Self {
        let mut force = samples.force.clone();
        samples.apply_weights(&mut force);
        let mut sizes = Vec::new();
        for column in terms.chunks_exact_mut(samples.len().max(1)) {
            samples.apply_weights(column);
            let size = norm(column).max(f64::MIN_POSITIVE);
            column.iter_mut().for_each(|x| *x /= size);
            sizes.push(size);
        }
        let columns: Vec<&[f64]> = terms.chunks_exact(samples.len().max(1)).collect();
        let n = columns.len();
        Self {
            gram: (0..n * n).map(|k| dot(columns[k / n], columns[k % n])).collect(),
            right: columns.iter().map(|column| dot(column, &force)).collect(),
            total: dot(&force, &force),
            sizes,
        }
    }
    /// The scaled coefficients of least squares, those marked not negative, and the sum of squares.
    pub fn minimum(&self, constrained: &[bool]) -> (Vec<f64>, f64) {
        let best = nonnegative(&self.gram, &self.right, constrained);
        let squares = self.squares(&best);
        (best, squares)
    }
    /// With these coefficients alone: the sum of those in `row`, the sum of squares, and the variance of that sum over that of the
    /// noise.
    pub fn combination(&self, free: &[usize], row: &[usize]) -> [f64; 3] {
        let n = self.right.len();
        let sub: Vec<Vec<f64>> = free.iter().map(|&j| free.iter().map(|&i| self.gram[i * n + j]).collect()).collect();
        let qr = Qr::new(&sub.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let solved = qr.solve(&free.iter().map(|&j| self.right[j]).collect::<Vec<_>>());
        let mut x = vec![0.0; n];
        free.iter().zip(&solved).for_each(|(&j, value)| x[j] = *value);
        let pick: Vec<f64> = free.iter().map(|j| if row.contains(j) { 1.0 / self.sizes[*j] } else { 0.0 }).collect();
        let value = row.iter().map(|&j| x[j] / self.sizes[j]).sum();
        [value, self.squares(&x), dot(&pick, &qr.solve(&pick)).max(0.0)]
    }
    fn squares(&self, x: &[f64]) -> f64 {
        let n = x.len();
        let curved: f64 = (0..n).map(|i| x[i] * (0..n).map(|j| self.gram[i * n + j] * x[j]).sum::<f64>()).sum();
        (self.total + curved - 2.0 * dot(x, &self.right)).max(0.0)
    }
}
