//! A symmetric band matrix, factored as L·D·Lᵀ without row exchanges.
//!
//! The matrix of a network is symmetric and positive definite (masses, dampers, springs), so it needs no pivoting: half the
//! work and a third of the memory of a general band matrix, no fill-in, and any range of rows can be solved by itself.

/// Row `i` holds the entries `(i, i)`, `(i, i − 1)`, … `(i, i − band)`.
#[derive(Clone, Debug)]
pub(super) struct SymmetricBand {
    pub band: usize,
    a: Vec<f64>,
}

impl SymmetricBand {
    pub fn new(n: usize, band: usize) -> Self {
        Self { band, a: vec![0.0; n * (band + 1)] }
    }
    /// Entry `(i, j)` with `j ≤ i`, within the band.
    #[inline(always)]
    pub fn get(&self, i: usize, j: usize) -> f64 {
        self.a[i * (self.band + 1) + i - j]
    }
    /// Adds to the entries `(i, j)` and `(j, i)`, which are stored once.
    #[inline(always)]
    pub fn add(&mut self, i: usize, j: usize, x: f64) {
        let (i, j) = (i.max(j), i.min(j));
        self.a[i * (self.band + 1) + i - j] += x;
    }
    /// Sets this matrix to `Σ factor·matrix`, all of the same shape.
    pub fn combine(&mut self, parts: [(&Self, f64); 2]) {
        let [(p, fp), (q, fq)] = parts;
        for ((a, p), q) in self.a.iter_mut().zip(&p.a).zip(&q.a) {
            *a = fp * p + fq * q;
        }
    }
    /// Copies rows `lo..hi`.
    pub fn copy(&mut self, from: &Self, lo: usize, hi: usize) {
        let wide = self.band + 1;
        self.a[lo * wide..hi * wide].copy_from_slice(&from.a[lo * wide..hi * wide]);
    }
    /// Entry `i` of the product with `x`, restricted to `lo..hi`.
    #[inline(always)]
    pub fn row_times(&self, i: usize, x: &[f64], lo: usize, hi: usize) -> f64 {
        let (b, wide) = (self.band, self.band + 1);
        let mut sum = self.a[i * wide] * x[i];
        for d in 1..=b {
            if i >= lo + d {
                sum += self.a[i * wide + d] * x[i - d];
            }
            if i + d < hi {
                sum += self.a[(i + d) * wide + d] * x[i + d];
            }
        }
        sum
    }
    /// Replaces equation `i` by `x[i] = value`, and moves its contributions to the other equations to their right-hand sides.
    #[inline(always)]
    pub fn fix(&mut self, i: usize, value: f64, x: &mut [f64], lo: usize, hi: usize) {
        let (b, wide) = (self.band, self.band + 1);
        for d in 1..=b {
            if i >= lo + d {
                x[i - d] -= self.a[i * wide + d] * value;
                self.a[i * wide + d] = 0.0;
            }
            if i + d < hi {
                x[i + d] -= self.a[(i + d) * wide + d] * value;
                self.a[(i + d) * wide + d] = 0.0;
            }
        }
        self.a[i * wide] = 1.0;
        x[i] = value;
    }
    /// Factors rows `lo..hi` by themselves, and solves for `x`; false if they are not positive definite.
    pub fn solve(&mut self, x: &mut [f64], lo: usize, hi: usize) -> bool {
        let (b, wide) = (self.band, self.band + 1);
        if b == 1 {
            return self.solve_chain(x, lo, hi);
        }
        let a = &mut self.a;
        for i in lo..hi {
            let first = lo.max(i.saturating_sub(b));
            // L·D, entry by entry; then L
            for j in first..i {
                let mut sum = a[i * wide + i - j];
                for k in first.max(j.saturating_sub(b))..j {
                    sum -= a[i * wide + i - k] * a[j * wide + j - k];
                }
                a[i * wide + i - j] = sum;
            }
            let (mut pivot, mut y) = (a[i * wide], x[i]);
            for j in first..i {
                let entry = a[i * wide + i - j];
                let l = entry * a[j * wide];
                pivot -= l * entry;
                y -= entry * x[j];
                a[i * wide + i - j] = l;
            }
            if pivot.is_nan() || pivot <= 0.0 {
                return false;
            }
            // the inverse of D, and the forward substitution
            a[i * wide] = 1.0 / pivot;
            x[i] = y / pivot;
        }
        for i in (lo..hi).rev() {
            let top = x[i];
            if top != 0.0 {
                for j in lo.max(i.saturating_sub(b))..i {
                    x[j] -= a[i * wide + i - j] * top;
                }
            }
        }
        true
    }
    /// The same for a tridiagonal matrix.
    fn solve_chain(&mut self, x: &mut [f64], lo: usize, hi: usize) -> bool {
        let (a, x) = (&mut self.a[2 * lo..2 * hi], &mut x[lo..hi]);
        let (mut inverse, mut y) = (0.0, 0.0);
        for (i, value) in x.iter_mut().enumerate() {
            let entry = if i == 0 { 0.0 } else { a[2 * i + 1] };
            let l = entry * inverse;
            let pivot = a[2 * i] - l * entry;
            if pivot.is_nan() || pivot <= 0.0 {
                return false;
            }
            inverse = 1.0 / pivot;
            y = (*value - entry * y) * inverse;
            a[2 * i + 1] = l;
            *value = y;
        }
        for i in (1..x.len()).rev() {
            x[i - 1] -= a[2 * i + 1] * x[i];
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::SymmetricBand;
    use crate::noise::noise;

    #[test]
    fn a_run_of_rows_is_solved_by_itself() {
        let n = 30;
        for band in [0, 1, 2, 5] {
            let mut m = SymmetricBand::new(n, band);
            for i in 0..n {
                m.add(i, i, 2.0 * band as f64 + 1.0);
                (1..=band.min(i)).for_each(|d| m.add(i, i - d, noise(i * n + d)));
            }
            for (lo, hi) in [(0, n), (7, 19), (12, 13)] {
                let wanted: Vec<f64> = (0..n).map(|i| noise(1000 + i)).collect();
                let mut x: Vec<f64> = (0..n).map(|i| m.row_times(i, &wanted, lo, hi)).collect();
                // one value prescribed instead of equation 12
                let mut copy = m.clone();
                copy.fix(12, wanted[12], &mut x, lo, hi);
                assert!(copy.solve(&mut x, lo, hi));
                // diagonally dominant: condition below 100
                assert!((lo..hi).all(|i| (x[i] - wanted[i]).abs() < 1e-13), "band {band}, rows {lo}..{hi}");
            }
        }
    }

    #[test]
    fn what_is_not_positive_definite_is_refused() {
        let mut m = SymmetricBand::new(2, 1);
        m.add(0, 0, 1.0);
        m.add(1, 0, 2.0);
        m.add(1, 1, 1.0);
        assert!(!m.solve(&mut [1.0, 1.0], 0, 2));
    }
}
