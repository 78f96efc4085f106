//! Normal equations of a regression with a few coefficients.
use super::samples::SlidingSamples;
use crate::fit::nonnegative;
use crate::linalg::{Qr, dot, norm};

/// The normal equations of weighted columns, scaled to length one so that they lose as few digits as they can.
///
/// A sum of squares is the difference of large numbers: with the squares of the force among them, a residual of 1e-7 of the force would be
/// rounding. So the right-hand side is what coefficients near the best ones leave of the force, and the coefficients count from there.
pub(super) struct NormalEquations {
    gram: Vec<f64>,
    right: Vec<f64>,
    total: f64,
    /// Scaled coefficients from which the others count.
    centre: Vec<f64>,
    /// Length of each column.
    sizes: Vec<f64>,
}

impl NormalEquations {
    /// Of these columns, concatenated, for the force of the samples; `near` are coefficients near the best, none for zeros.
    pub fn new(mut terms: Vec<f64>, samples: &SlidingSamples, near: &[f64]) -> Self {
        let mut force = samples.force.clone();
        for (column, factor) in terms.chunks_exact(samples.len().max(1)).zip(near) {
            force.iter_mut().zip(column).for_each(|(force, x)| *force -= factor * x);
        }
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
            centre: sizes.iter().enumerate().map(|(k, size)| near.get(k).map_or(0.0, |x| x * size)).collect(),
            sizes,
        }
    }
    /// The scaled coefficients of least squares, those marked not negative, and the sum of squares.
    pub fn minimum(&self, constrained: &[bool]) -> (Vec<f64>, f64) {
        let n = self.right.len();
        let product = |i: usize| dot(&self.gram[i * n..(i + 1) * n], &self.centre);
        let whole: Vec<f64> = (0..n).map(|i| self.right[i] + product(i)).collect();
        let best = nonnegative(&self.gram, &whole, constrained);
        let free: Vec<usize> = (0..n).filter(|&j| !constrained[j] || best[j] > 0.0).collect();
        let (from, _) = self.least_deviation(&free);
        (best, self.squares(&from))
    }
    /// With these coefficients alone: the sum of those in `row`, the sum of squares, and the variance of that sum over that of the
    /// noise.
    pub fn combination(&self, free: &[usize], row: &[usize]) -> [f64; 3] {
        let (from, qr) = self.least_deviation(free);
        let pick: Vec<f64> = free.iter().map(|j| if row.contains(j) { 1.0 / self.sizes[*j] } else { 0.0 }).collect();
        let value = row.iter().map(|&j| (self.centre[j] + from[j]) / self.sizes[j]).sum();
        [value, self.squares(&from), dot(&pick, &qr.solve(&pick)).max(0.0)]
    }
    /// The least squares with these coefficients alone, the others being zero: how far each is from the centre, and the matrix of the
    /// equations.
    fn least_deviation(&self, free: &[usize]) -> (Vec<f64>, Qr) {
        let n = self.right.len();
        let mut from: Vec<f64> = self.centre.iter().map(|centre| -centre).collect();
        free.iter().for_each(|&j| from[j] = 0.0);
        let sub: Vec<Vec<f64>> = free.iter().map(|&j| free.iter().map(|&i| self.gram[i * n + j]).collect()).collect();
        let qr = Qr::new(&sub.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let right = |&j: &usize| self.right[j] - dot(&self.gram[j * n..(j + 1) * n], &from);
        let solved = qr.solve(&free.iter().map(right).collect::<Vec<_>>());
        free.iter().zip(&solved).for_each(|(&j, value)| from[j] = *value);
        (from, qr)
    }
    /// The sum of squares with coefficients so far from the centre.
    fn squares(&self, x: &[f64]) -> f64 {
        let n = x.len();
        let curved: f64 = (0..n).map(|i| x[i] * (0..n).map(|j| self.gram[i * n + j] * x[j]).sum::<f64>()).sum();
        (self.total + curved - 2.0 * dot(x, &self.right)).max(0.0)
    }
}
